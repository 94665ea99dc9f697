// `hawser static`: where a scene is at rest, and what holds it there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/record.h"
#include "hawser/scene_file.h"
#include "hawser/statics.h"
#include "run_summary.h"
#include "scenes_command.h"
#include "setup_display.h"

namespace hawser {
namespace {

using Json = nlohmann::ordered_json;

struct StaticArguments {
  std::string scene, out;
  std::vector<std::string> sets;
  bool json = false;
};

Vec3 point(const Shape& shape, size_t i) {
  return Eigen::Map<const Vec3>(shape.position.data() + 3 * i);
}

/// What is told of a cable.
struct CableAtRest {
  std::string name;
  double start = 0, end = 0, least = 0, most = 0;  ///< tension [N]
  Vec3 lowest = Vec3::Zero();                      ///< [m]
  double sag = 0;                                  ///< largest, below the chord [m]
};

/// Down is where gravity points, or -z.
CableAtRest look_at(const std::string& name, const Shape& shape, const Vec3& gravity) {
  const Vec3 down = gravity.isZero() ? Vec3(0, 0, -1) : Vec3(gravity.normalized());
  const auto n = static_cast<size_t>(shape.points());
  CableAtRest out;
  out.name = name;
  out.start = shape.tension.front();
  out.end = shape.tension.back();
  const auto [least, most] = std::minmax_element(shape.tension.begin(), shape.tension.end());
  out.least = *least;
  out.most = *most;
  const Vec3 a = point(shape, 0), chord = point(shape, n - 1) - a;
  const Vec3 across = chord - chord.dot(down) * down;  // the chord seen from above
  out.lowest = a;
  for (size_t i = 0; i < n; ++i) {
    const Vec3 r = point(shape, i);
    if (r.dot(down) > out.lowest.dot(down)) out.lowest = r;
    const double share =
        across.squaredNorm() > 0 ? (r - a).dot(across) / across.squaredNorm() : 0.0;
    out.sag = std::max(out.sag, (r - a - share * chord).dot(down));
  }
  return out;
}

std::string vector(const Vec3& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]);
}

Json triple(const Vec3& v) { return Json::array({v[0], v[1], v[2]}); }

/// A force or torque of a support or a joint: three columns in a row.
struct Held {
  std::string name, unit;
  Vec3 value;
};

std::vector<Held> held_by(const Model& model, const SceneFile& file, const State& state) {
  std::vector<Held> out;
  if (file.scene.supports.empty() && file.scene.joints.empty()) return out;
  Channels channels(model, {"reactions"});
  std::vector<double> values(channels.columns().size());
  channels.sample(state, values);
  for (size_t i = 0; i + 2 < values.size(); i += 3) {
    const std::string& name = channels.columns()[i].name;  // "hook.force.x"
    out.push_back({name.substr(0, name.size() - 2),
                   channels.columns()[i].unit,
                   {values[i], values[i + 1], values[i + 2]}});
  }
  return out;
}

std::string attempts(const StaticReport& report) {
  std::string out;
  for (const StaticAttempt& a : report.attempts)
    out += summary_line(
        out.empty() ? "Methods" : "",
        fmt::format("{}: {}, {} iterations{}", name_of(a.way), a.converged ? "converged" : "failed",
                    a.iterations, a.converged ? "" : fmt::format(", {}", a.outcome)));
  return out;
}

struct Found {
  StaticReport report;
  std::vector<CableAtRest> cables;
  std::vector<Held> held;
  std::vector<BodyPose> bodies;
};

std::string table(const SceneFile& file, const Found& found) {
  const StaticReport& r = found.report;
  std::string out = fmt::format("{}: {}\n", file.file, file.title.empty() ? "at rest" : file.title);
  out += attempts(r);
  out +=
      summary_line("Residual", fmt::format("{} unbalanced, constraints satisfied to {}",
                                           with_prefix(r.residual, "N"), with_prefix(r.gap, "m")));
  for (const CableAtRest& c : found.cables) {
    out += summary_line("Cable",
                        fmt::format("{}: tension {} at the start, {} at the end, {} to {}", c.name,
                                    with_prefix(c.start, "N"), with_prefix(c.end, "N"),
                                    with_prefix(c.least, "N"), with_prefix(c.most, "N")));
    out += summary_line("", fmt::format("lowest point {} m, sag {} below the chord",
                                        vector(c.lowest), with_prefix(c.sag, "m")));
  }
  for (const Held& h : found.held)
    out += summary_line("Reaction", fmt::format("{} {} {}", h.name, vector(h.value), h.unit));
  for (size_t i = 0; i < found.bodies.size(); ++i)
    out += summary_line("Body", fmt::format("{} at {} m", file.scene.bodies[i].name,
                                            vector(found.bodies[i].position)));
  for (const std::string& loose : r.loose) out += summary_line("Loose", loose);
  return out;
}

Json json(const SceneFile& file, const Found& found) {
  const StaticReport& r = found.report;
  Json out = {{"scene", file.file},
              {"converged", r.converged},
              {"iterations", r.iterations},
              {"residual", r.residual},
              {"gap", r.gap},
              {"message", r.message},
              {"loose", Json(r.loose)}};
  out["attempts"] = Json::array();
  for (const StaticAttempt& a : r.attempts)
    out["attempts"].push_back({{"way", name_of(a.way)},
                               {"converged", a.converged},
                               {"iterations", a.iterations},
                               {"residual", a.residual},
                               {"outcome", a.outcome}});
  out["cables"] = Json::object();
  for (const CableAtRest& c : found.cables)
    out["cables"][c.name] = {{"tension_start", c.start},   {"tension_end", c.end},
                             {"tension_min", c.least},     {"tension_max", c.most},
                             {"lowest", triple(c.lowest)}, {"sag", c.sag}};
  out["reactions"] = Json::object();
  for (const Held& h : found.held) out["reactions"][h.name] = triple(h.value);
  out["bodies"] = Json::object();
  for (size_t i = 0; i < found.bodies.size(); ++i) {
    const Eigen::Quaterniond& o = found.bodies[i].orientation;
    out["bodies"][file.scene.bodies[i].name] = {
        {"position", triple(found.bodies[i].position)},
        {"orientation", Json::array({o.w(), o.x(), o.y(), o.z()})}};
  }
  return out;
}

void write_shapes(const std::string& path, const SceneFile& file, const Shapes& shapes) {
  std::string csv = "cable,s [m],x [m],y [m],z [m],tension [N],strain,curvature [1/m]\n";
  for (size_t i = 0; i < shapes.cables().size(); ++i) {
    const Shape& shape = shapes.cables()[i];
    for (size_t k = 0; k < static_cast<size_t>(shape.points()); ++k)
      csv += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n",
                         file.scene.cables[i].name, shape.s[k], shape.position[3 * k],
                         shape.position[3 * k + 1], shape.position[3 * k + 2], shape.tension[k],
                         shape.strain[k], shape.curvature[k]);
  }
  write_whole_file(path, csv);
}

int solve(const StaticArguments& arguments) {
  const SceneFile file = read_scene(find_scene(arguments.scene), arguments.sets);
  SetupDisplay setup(progress_style(false), stderr);
  setup.stage("compiling the model");
  const Model model = compile(file);
  setup.stage("setting up the equations");
  State state = Integrator(model, {}).start(false);  // no step has a part in it
  setup.stage("searching for the equilibrium");
  Found found;
  found.report = equilibrium(model, state);
  setup.finish();
  if (found.report.converged) {
    Shapes shapes(model, 0);
    shapes.sample(state);
    for (size_t i = 0; i < shapes.cables().size(); ++i)
      found.cables.push_back(
          look_at(file.scene.cables[i].name, shapes.cables()[i], file.scene.gravity));
    found.held = held_by(model, file, state);
    found.bodies = shapes.bodies();
    if (!arguments.out.empty()) write_shapes(arguments.out, file, shapes);
  }
  if (arguments.json) {
    std::fputs((json(file, found).dump(1) + "\n").c_str(), stdout);
  } else if (found.report.converged) {
    std::fputs(table(file, found).c_str(), stdout);
  } else {
    std::fputs(attempts(found.report).c_str(), stdout);
  }
  if (found.report.converged) return exit_ok;
  std::fputs(
      fmt::format("hawser: {}: no stable equilibrium found: {}\n", file.file, found.report.message)
          .c_str(),
      stderr);
  return exit_failed;
}

}  // namespace

void add_static_command(Command& program) {
  Command& sub = program.add("static", "Compute the static equilibrium of a scene");
  const auto arguments = std::make_shared<StaticArguments>();
  sub.option("scene", &arguments->scene, "A scene file, or the name of an example scene",
             {.required = true});
  sub.option("--set", &arguments->sets, "Override a value of the scene, as in `hawser run`",
             {.type_name = "PATH=VALUE", .one_value = true});
  sub.option("--json", &arguments->json, "Print JSON, SI units");
  sub.option("--out", &arguments->out, "Also write the cable shapes to this CSV file",
             {.type_name = "FILE"});
  sub.footer(
      "Prints the methods used, tensions and lowest points of the cables, reactions of supports "
      "and "
      "joints, poses of bodies, and unconstrained motions. Exit codes: 0 found, 1 there is none or "
      "it "
      "was not found (the message states what is loose or contradictory), 2 bad input.");
  sub.does([arguments] { return solve(*arguments); });
}

}  // namespace hawser
