#include "hawser/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/version.h"
#include "hawser/error.h"
#include "hawser/record.h"
#include "hawser/scene_file.h"
#include "record/solid_mesh.h"
#include "report/drawing.h"
#include "report/packing.h"
#include "report/page.h"
#include "report/results_data.h"

namespace hawser {
namespace {

using nlohmann::json;

std::string text_of(const std::string& path, const char* what) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Error(path, "no such file", std::string(what) + " of a run",
                "Give the results folder of `hawser run`.");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

json packed_json(const Packed& p) { return {{"at", p.at}, {"low", p.low}, {"step", p.step}}; }

/// Numbers from 0 to n - 1, at most `most`, evenly distributed, the first and the last among them.
std::vector<size_t> evenly(size_t n, size_t most) {
  std::vector<size_t> out;
  const size_t count = std::min(n, std::max<size_t>(most, 2));
  for (size_t i = 0; i < count; ++i) out.push_back(count == 1 ? 0 : i * (n - 1) / (count - 1));
  return out;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<size_t>& which) {
  std::vector<T> out;
  for (const size_t i : which) out.push_back(all[i]);
  return out;
}

/// First point of each frame.
std::vector<size_t> starts(const ResultsData::Cable& cable) {
  std::vector<size_t> out{0};
  for (const int n : cable.points) out.push_back(out.back() + static_cast<size_t>(n));
  return out;
}

/// The numbers of some frames, `width` a point.
std::vector<float> frames_of(const std::vector<float>& all, const std::vector<size_t>& start,
                             const std::vector<size_t>& frames, size_t width) {
  std::vector<float> out;
  for (const size_t f : frames) {
    const auto first = all.begin();
    out.insert(out.end(), first + static_cast<std::ptrdiff_t>(width * start[f]),
               first + static_cast<std::ptrdiff_t>(width * start[f + 1]));
  }
  return out;
}

/// Largest distance of a recorded point from the line between the frames that are kept [m].
double error_between(const ResultsData& data, const std::vector<size_t>& frames) {
  double largest = 0;
  for (const ResultsData::Cable& cable : data.cables) {
    const std::vector<size_t> start = starts(cable);
    for (size_t k = 0; k + 1 < frames.size(); ++k) {
      const size_t a = frames[k], b = frames[k + 1];
      if (cable.points[a] != cable.points[b]) continue;  // remeshed: shown as it is
      for (size_t f = a + 1; f < b; ++f) {
        if (cable.points[f] != cable.points[a]) continue;
        const double share = (data.frame_times[f] - data.frame_times[a]) /
                             (data.frame_times[b] - data.frame_times[a]);
        for (size_t i = 0; i < static_cast<size_t>(cable.points[a]); ++i) {
          const auto at = [&](size_t frame) {
            const float* p = cable.position.data() + 3 * (start[frame] + i);
            return Vec3(static_cast<double>(p[0]), static_cast<double>(p[1]),
                        static_cast<double>(p[2]));
          };
          largest = std::max(largest, (at(a) + share * (at(b) - at(a)) - at(f)).norm());
        }
      }
    }
  }
  return largest;
}

/// The header and the binary data of the page, with at most so many frames and rows.
struct Payload {
  json header;
  std::vector<uint8_t> data;
};

void add_channels(const ResultsData& data, size_t most, Payload& out) {
  const std::vector<size_t> rows = evenly(data.times.size(), most);
  out.header["rows"] = rows.size();
  out.header["rows_recorded"] = data.times.size();
  out.header["channel_data"] = add_floats(chosen(data.times, rows), out.data);
  json columns = json::array();
  for (size_t i = 0; i < data.columns.size(); ++i) {
    columns.push_back({{"name", data.columns[i].name}, {"unit", data.columns[i].unit}});
    add_floats(chosen(data.values[i], rows), out.data);
  }
  out.header["columns"] = columns;
}

/// The results may have cables in another order. Null: there is none.
const Cable* cable_named(const Scene& scene, const std::string& name) {
  for (const Cable& cable : scene.cables)
    if (cable.name == name) return &cable;
  return nullptr;
}

/// Where a cable is cut: [frame, points], from that frame on. Empty for most cables.
json breaks_json(const ResultsData::Cable& cable, const std::vector<size_t>& frames) {
  json out = json::array();
  const std::vector<int> none;
  const std::vector<int>* last = &none;
  for (size_t k = 0; k < frames.size(); ++k) {
    const std::vector<int>& now = cable.breaks[frames[k]];
    if (now != *last) out.push_back({k, now});
    last = &now;
  }
  return out;
}

void add_cables(const ResultsData& data, const Scene& scene, const std::vector<size_t>& frames,
                Payload& out) {
  json cables = json::array();
  double rounding = 0;
  for (const ResultsData::Cable& cable : data.cables) {
    const std::vector<size_t> start = starts(cable);
    const std::vector<int> points = chosen(cable.points, frames);
    const std::vector<float> position = frames_of(cable.position, start, frames, 3);
    const Cable* drawn = cable_named(scene, cable.name);
    const auto [diameter, strength] =
        drawn == nullptr ? std::pair(0.0, 0.0) : diameter_and_strength(*drawn);
    json packed = json::array();
    double steps = 0;
    for (size_t k = 0; k < 3; ++k) {
      const Packed axis = pack(position, k, 3, points, out.data);
      packed.push_back(packed_json(axis));
      steps += axis.step * axis.step / 4;
    }
    rounding = std::max(rounding, std::sqrt(steps));
    json fields;
    for (const auto& [name, values] :
         {std::pair("tension", &cable.tension), std::pair("strain", &cable.strain),
          std::pair("curvature", &cable.curvature), std::pair("speed", &cable.speed)})
      fields[name] =
          packed_json(pack(frames_of(*values, start, frames, 1), 0, 1, points, out.data));
    cables.push_back({{"name", cable.name},
                      {"diameter", diameter},
                      {"breaking_load", strength},
                      {"points", points},
                      {"breaks", breaks_json(cable, frames)},
                      {"position", packed},
                      {"fields", fields}});
  }
  out.header["cables"] = cables;
  out.header["rounding"] = rounding;
}

/// Supports that move are where the cables end that they hold: "ends" are [cable, 0 or 1], null for
/// those at rest.
void add_support_motion(const ResultsData& data, const Scene& scene, json& out) {
  json ends = json::array();
  for (const Support& support : scene.supports) {
    json end;
    const bool moves = std::any_of(support.motion.begin(), support.motion.end(),
                                   [](const Signal& signal) { return !signal.is_constant(); });
    for (size_t c = 0; moves && c < data.cables.size(); ++c) {
      const Cable* cable = cable_named(scene, data.cables[c].name);
      const auto held = [&](const Stop& stop) {
        return stop.on == support.name &&
               (stop.kind == Stop::Kind::hold || stop.kind == Stop::Kind::clamp);
      };
      if (cable != nullptr && held(cable->route.front())) end = {c, 0};
      if (cable != nullptr && held(cable->route.back())) end = {c, 1};
    }
    ends.push_back(end);
  }
  out["ends"] = ends;
}

void add_bodies(const ResultsData& data, const std::vector<size_t>& frames, Payload& out) {
  json bodies = json::array();
  for (const ResultsData::Body& body : data.bodies) {
    std::vector<double> pose;
    for (const size_t f : frames) {
      const auto take = [&](const std::vector<double>& from, size_t n) {
        pose.insert(pose.end(), from.begin() + static_cast<std::ptrdiff_t>(n * f),
                    from.begin() + static_cast<std::ptrdiff_t>(n * (f + 1)));
      };
      take(body.position, 3);
      take(body.orientation, 4);
    }
    json entry = solid_json(body.shape);
    entry["name"] = body.name;
    entry["at"] = add_floats(pose, out.data);
    bodies.push_back(std::move(entry));
  }
  out.header["bodies"] = bodies;
}

/// The box around all cables and bodies over the run.
void add_extent(const ResultsData& data, Payload& out) {
  Eigen::AlignedBox3d box;
  for (const ResultsData::Cable& cable : data.cables)
    for (size_t i = 0; i + 2 < cable.position.size(); i += 3)
      box.extend(Eigen::Vector3f(cable.position.data() + i).cast<double>());
  for (const ResultsData::Body& body : data.bodies) {
    const double size = body.shape.kind == Solid::Kind::none ? 0 : body.shape.size.norm() / 2;
    for (size_t i = 0; i + 2 < body.position.size(); i += 3) {
      box.extend(Vec3(body.position.data() + i) - Vec3::Constant(size));
      box.extend(Vec3(body.position.data() + i) + Vec3::Constant(size));
    }
  }
  if (box.isEmpty()) box.extend(Vec3(Vec3::Zero()));
  out.header["low"] = vector_json(box.min());
  out.header["high"] = vector_json(box.max());
}

Payload payload_of(const ResultsData& data, const SceneFile& file, const json& common,
                   size_t most_frames, size_t most_rows) {
  Payload out{common, {}};
  const std::vector<size_t> frames = evenly(data.frame_times.size(), most_frames);
  out.header["frames"] = frames.size();
  out.header["frames_recorded"] = data.frame_times.size();
  out.header["between"] = error_between(data, frames);
  add_channels(data, most_rows, out);
  out.header["frame_data"] = add_floats(chosen(data.frame_times, frames), out.data);
  add_bodies(data, frames, out);
  add_cables(data, file.scene, frames, out);
  add_extent(data, out);
  return out;
}

std::string escaped_html(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// Inside a script element only its end tag matters; "<\/" means the same to JSON.
std::string in_script(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i)
    out += text[i] == '<' ? "\\u003c" : std::string(1, text[i]);
  return out;
}

constexpr const char* page_start =
    R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
)";
/// Inflates the page's script and runs it.
constexpr const char* page_end = R"(<script>
(async () => {
  const text = document.getElementById('hawser-page').textContent.trim();
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const script = document.createElement('script');
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})().catch((error) => {
  document.body.textContent = 'This report needs a browser of 2023 or later: ' + error;
});
</script>
</body>
</html>
)";

std::string page_of(const Payload& payload, const std::string& title) {
  const std::span script(report_script, report_script_size);
  std::string out = page_start;
  out += fmt::format(
      "<title>{}</title>\n</head>\n<body>\n<noscript>This report needs "
      "JavaScript.</noscript>\n",
      escaped_html(title));
  out += "<script type=\"application/json\" id=\"hawser-run\">" + in_script(payload.header.dump()) +
         "</script>\n";
  out += "<script type=\"text/plain\" id=\"hawser-data\">" + base64(deflated(payload.data)) +
         "</script>\n";
  out += "<script type=\"text/plain\" id=\"hawser-page\">" + base64(script) + "</script>\n";
  return out + page_end;
}

}  // namespace

bool has_report_page() { return report_script_size > 0; }

void write_report(const std::string& directory, const std::string& path, size_t most_bytes) {
  if (!has_report_page())
    throw Error("report", "a program that was built without the page of reports",
                "one built with Node.js 18 or newer",
                "Install nodejs and npm, and build Hawser again.");
  const ResultsData data = read_results(directory + "/results.h5");
  const std::string scene = text_of(directory + "/scene.yaml", "the scene");
  const SceneFile file = read_scene_text(scene, directory + "/scene.yaml");
  json common = drawing_of(file.scene);
  add_support_motion(data, file.scene, common);
  common["summary"] = json::parse(text_of(directory + "/summary.json", "the summary"));
  common["version"] = program_version();
  common["title"] = file.title;
  common["description"] = file.description;
  common["solve"] = solve_text(file.solve);
  common["scene"] = scene;
  size_t frames = 1500, rows = 4000;
  std::string page;
  for (;;) {  // half as many, until it fits
    page = page_of(payload_of(data, file, common, frames, rows), file.title);
    if (page.size() <= most_bytes || (frames <= 2 && rows <= 2)) break;
    frames = std::max<size_t>(2, std::min(frames, data.frame_times.size()) / 2);
    rows = std::max<size_t>(2, std::min(rows, data.times.size()) * 3 / 4);
  }
  write_whole_file(path, page);
}

}  // namespace hawser
