#include "report/results_data.h"

#include <cmath>
#include <filesystem>
#include <span>

#include "hawser/error.h"
#include "record/h5.h"
#include "record/solid_attributes.h"
#include "report/drawing.h"

namespace hawser {
namespace {

[[noreturn]] void wrong_shape(const std::string& path, const std::string& name) {
  throw Error(path, "a dataset '" + name + "' of the wrong shape", "a results file of Hawser",
              "Run the scene again.");
}

ResultsData::Cable cable_in(hid_t file, const std::string& name, size_t frames,
                            const std::string& path) {
  const std::string group = "/shapes/" + name + "/";
  ResultsData::Cable out;
  out.name = name;
  std::vector<hsize_t> shape;
  const std::vector<float> position = h5::read_floats(file, group + "position", shape, path);
  if (shape.size() != 3 || shape[0] != frames || shape[2] != 3)
    wrong_shape(path, group + "position");
  const size_t room = shape[1];
  const auto field = [&](const char* quantity, size_t width) {
    std::vector<float> values = h5::read_floats(file, group + quantity, shape, path);
    if (values.size() != frames * room * width) wrong_shape(path, group + quantity);
    return values;
  };
  const std::vector<float> velocity = field("velocity", 3), tension = field("tension", 1),
                           strain = field("strain", 1), curvature = field("curvature", 1);
  const std::vector<double> s = h5::read_doubles(file, group + "s", path);
  if (s.size() != frames * room) wrong_shape(path, group + "s");
  for (size_t frame = 0; frame < frames; ++frame) {
    int points = 0;
    for (size_t i = 0; i < room; ++i) {  // a shorter frame ends with NaN
      const size_t at = frame * room + i;
      if (!std::isfinite(position[3 * at])) break;
      ++points;
      for (size_t k = 0; k < 3; ++k) out.position.push_back(position[3 * at + k]);
      out.speed.push_back(std::hypot(velocity[3 * at], velocity[3 * at + 1], velocity[3 * at + 2]));
      out.tension.push_back(tension[at]);
      out.strain.push_back(strain[at]);
      out.curvature.push_back(curvature[at]);
    }
    out.points.push_back(points);
    out.breaks.push_back(
        breaks_of(std::span(s.data() + frame * room, static_cast<size_t>(points))));
  }
  return out;
}

ResultsData::Body body_in(hid_t file, const std::string& name, size_t frames,
                          const std::string& path) {
  const std::string where = "/bodies/" + name;
  const h5::Handle group(H5Gopen2(file, where.c_str(), H5P_DEFAULT), H5Gclose, path);
  ResultsData::Body out;
  out.name = name;
  out.shape = read_solid(group, path);
  out.position = h5::read_doubles(file, where + "/position", path);
  out.orientation = h5::read_doubles(file, where + "/orientation", path);
  if (out.position.size() != 3 * frames || out.orientation.size() != 4 * frames)
    wrong_shape(path, where);
  return out;
}

}  // namespace

ResultsData read_results(const std::string& path) {
  if (!std::filesystem::exists(path))
    throw Error(path, "no such file", "results.h5 of a run",
                "`hawser run SCENE -o DIR` writes it, unless --format excludes h5.");
  const h5::Quiet quiet;
  const h5::Handle file = h5::open_to_read(path);
  ResultsData out;
  out.times = h5::read_doubles(file, "/time", path);
  for (const std::string& name : h5::names_in(file, "/channels", path)) {
    const std::string where = "/channels/" + name;
    out.values.push_back(h5::read_doubles(file, where, path));
    if (out.values.back().size() != out.times.size()) wrong_shape(path, where);
    const h5::Handle dataset(H5Dopen2(file, where.c_str(), H5P_DEFAULT), H5Dclose, path);
    out.columns.push_back({name, h5::read_text_attribute(dataset, "unit", path)});
  }
  out.frame_times = h5::read_doubles(file, "/shapes/time", path);
  if (out.frame_times.empty()) throw Error(path, "no shapes", "at least one");
  for (const std::string& name : h5::names_in(file, "/shapes", path))
    if (name != "time") out.cables.push_back(cable_in(file, name, out.frame_times.size(), path));
  for (const std::string& name : h5::names_in(file, "/bodies", path))
    out.bodies.push_back(body_in(file, name, out.frame_times.size(), path));
  return out;
}

}  // namespace hawser
