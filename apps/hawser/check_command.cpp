#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "commands.h"
#include "hawser/inspect.h"
#include "hawser/run.h"
#include "run_summary.h"
#include "scenes_command.h"
#include "setup_display.h"

namespace hawser {
namespace {

/// "1 cable", "3 cables".
std::string counted(size_t n, const std::string& one, const std::string& many = {}) {
  return fmt::format("{} {}", n, n == 1 ? one : many.empty() ? one + "s" : many);
}

/// "20 m: " of one of several sections.
std::string part_length(const Cable& cable, const SectionPart& part) {
  if (cable.sections.size() == 1) return {};
  return part.length > 0 ? fmt::format("{:.6g} m: ", part.length) : "rest: ";
}

std::string massless_lines(const Cable& cable, const CableInspection& seen, const Inspection& all) {
  std::string out = summary_line(
      "Cable",
      fmt::format("{}: {:.6g} m, massless, {}{}", cable.name, seen.length,
                  counted(cable.route.size(), "route point"),
                  seen.runs > 1 ? fmt::format(", {} runs of different tension", seen.runs) : ""));
  for (const SectionPart& s : cable.sections) {
    std::string section = part_length(cable, s) + "EA " + with_prefix(s.EA, "N");
    if (s.GJ > 0) section += fmt::format(", GJ {:.4g} N m^2", s.GJ);
    if (s.breaking_load > 0) section += ", breaks at " + with_prefix(s.breaking_load, "N");
    out += summary_line("", section);
  }
  if (cable.when_slack)
    out += summary_line("",
                        fmt::format("{} when slack by more than {:.3g} mm: {}, {:.4g} kg/m",
                                    cable.when_slack->model == CableModel::ancf ? "ancf" : "np-fem",
                                    1e3 * cable.when_slack->limit * seen.length,
                                    counted(static_cast<size_t>(cable.elements), "element"),
                                    cable.sections[0].mass));
  std::string pulleys;
  for (const PulleyInspection& p : all.pulleys)
    if (p.cable == cable.name)
      pulleys += fmt::format("{}{} by {:.4g} deg", pulleys.empty() ? "wraps " : ", ", p.frame,
                             p.wrap * 180 / std::numbers::pi);
  return pulleys.empty() ? out : out + summary_line("", pulleys);
}

std::string cable_lines(const Cable& cable, const CableInspection& seen) {
  const std::string size =
      seen.shortest_element == seen.longest_element
          ? fmt::format("of {:.4g} m", seen.shortest_element)
          : fmt::format("of {:.4g} to {:.4g} m", seen.shortest_element, seen.longest_element);
  std::string out = summary_line(
      "Cable", fmt::format("{}: {:.6g} m, {} {}", cable.name, seen.length,
                           counted(static_cast<size_t>(seen.elements), "element"), size));
  for (const SectionPart& s : cable.sections) {
    std::string section = part_length(cable, s) +
                          fmt::format("EA {}, EI {}, {:.4g} kg/m", with_prefix(s.EA, "N"),
                                      s.EI > 0 ? fmt::format("{:.4g} N m^2", s.EI) : "0", s.mass);
    if (s.breaking_load > 0) section += ", breaks at " + with_prefix(s.breaking_load, "N");
    out += summary_line("", section);
  }
  out += summary_line("", fmt::format("axial waves cross an element in {}, the cable in {}",
                                      with_prefix(seen.element_wave_time, "s"),
                                      with_prefix(seen.cable_wave_time, "s")));
  std::string periods =
      "shortest period of an element: axial " + with_prefix(seen.axial_period, "s");
  if (std::isfinite(seen.bending_period))
    periods += ", bending " + with_prefix(seen.bending_period, "s");
  return out + summary_line("", periods);
}

std::string vector_text(const Vec3& v) {
  return fmt::format("[{:g}, {:g}, {:g}]", v.x(), v.y(), v.z());
}

std::string input_text(const Input& input) {
  const std::string unit = input.unit.empty() ? "" : " " + input.unit;
  std::string out = fmt::format("{}: {:g}{}", input.name, input.value, unit);
  if (std::isfinite(input.from)) out += fmt::format(", from {:g}{}", input.from, unit);
  if (std::isfinite(input.to)) out += fmt::format(", to {:g}{}", input.to, unit);
  if (input.smoothing > 0) out += ", smoothing " + with_prefix(input.smoothing, "s");
  return input.feedback ? fmt::format("{}; feedback {}", out, input.feedback->law) : out;
}

std::string model_lines(const SceneFile& file, const Inspection& all) {
  const Scene& s = file.scene;
  std::string out =
      summary_line("Model", fmt::format("{} coordinates, {} of them fixed or prescribed; {}",
                                        all.coordinates, all.fixed_coordinates,
                                        counted(static_cast<size_t>(all.conditions), "condition")));
  if (!s.bodies.empty())
    out += summary_line("Bodies", fmt::format("{}; {}", counted(s.bodies.size(), "body", "bodies"),
                                              counted(s.joints.size(), "joint")));
  std::string supports;
  for (const SupportInspection& support : all.supports) {
    supports += (supports.empty() ? "" : ", ") + support.support;
    if (support.nodes > 0)  // else it holds joints or massless cables
      supports += fmt::format(" ({}{})", counted(static_cast<size_t>(support.nodes), "node"),
                              support.clamps ? ", clamped" : "");
  }
  out += summary_line("Supports", supports.empty() ? "none" : supports);
  std::string loads = s.gravity.isZero() ? "no gravity" : "gravity";
  const auto add = [&](size_t n, const char* what) {
    if (n > 0) loads += ", " + counted(n, what);
  };
  add(s.point_forces.size() + s.body_forces.size(), "force");
  add(s.distributed_forces.size(), "distributed force");
  add(s.moments.size(), "moment");
  add(s.point_masses.size(), "point mass");
  out += summary_line("Loads", loads);
  for (size_t i = 0; i < s.inputs.size() && !s.inputs[i].hidden; ++i)
    out += summary_line(i == 0 ? "Inputs" : "", input_text(s.inputs[i]));
  if (s.ground)
    out += summary_line(
        "Ground", fmt::format("{:g} N/m^2 at {:g} m along {}, damping {}", s.ground->stiffness,
                              s.ground->height, vector_text(s.ground->normal),
                              with_prefix(s.ground->damping, "s")));
  if (s.fluid)
    out += summary_line("Fluid", fmt::format("{:g} kg/m^3, velocity {} m/s", s.fluid->density,
                                             vector_text(s.fluid->velocity)));
  return out;
}

std::string solve_line(const SceneFile& file) {
  const SolveOptions& o = file.solve;
  if (o.error_control)
    return summary_line("Solve", fmt::format("{}, error control to {:g} m, until {:g} s",
                                             solver_name(o), o.tolerance, file.until));
  return summary_line("Solve", fmt::format("{}, steps of {} until {:g} s: {:.0f} steps",
                                           solver_name(o), with_prefix(o.step, "s"), file.until,
                                           std::ceil(file.until / o.step - 0.5)));
}

/// Estimates. A number in the CSV takes 19 characters or so, its comma included; in the HDF5 file
/// 8 bytes in the channels and 4 in the shapes (9 a point), before compression; 10 float32 a point
/// in VTK.
std::string record_lines(const SceneFile& file, const RunPlan& plan) {
  const double rows = 1 + std::floor(file.until / plan.every),
               frames = 1 + std::floor(file.until / plan.shapes_every);
  const double columns = static_cast<double>(1 + plan.columns.size()), points = plan.points;
  std::string out = summary_line(
      "Record", fmt::format("{} every {}: {:.0f} rows; shapes of {:.0f} points every {}: "
                            "{:.0f} frames",
                            counted(plan.columns.size(), "column"), with_prefix(plan.every, "s"),
                            rows, points, with_prefix(plan.shapes_every, "s"), frames));
  out += summary_line("", fmt::format("about {} of CSV, at most {} of HDF5, {} of VTK",
                                      with_prefix(19 * rows * columns, "B"),
                                      with_prefix(8 * rows * columns + 36 * frames * points, "B"),
                                      with_prefix(40 * frames * points, "B")));
  std::string names;
  for (const std::string& channel : plan.channels) names += (names.empty() ? "" : ", ") + channel;
  return out + summary_line("", names);
}

/// What the step is too long for. All methods stay stable at steps far above the shortest period
/// of an element; what is lost is the motion in between, so only two losses are told of:
///
/// - linearized: within a step the cable turns while the axial force keeps its direction. The
///   stiffer the element, the more false work that does. The pendulum of Westin & Irani (1 m,
///   E = 1e8 Pa, HHT) is off by 5 mm with steps of 1.4 crossings of an element by an axial wave,
///   69 mm with 3.5 and 418 mm with 14 (`hawser bench westin-irani --table 4`): two are the limit.
/// - all: tension runs along the cable as axial waves. A step longer than their way through the
///   whole cable sees a jerk arrive everywhere at once, and its peak too low.
std::string step_notes(const SceneFile& file, const Inspection& all) {
  constexpr double crossings = 2;
  const double h = file.solve.step;
  if (file.solve.error_control) return {};
  std::string out;
  for (const CableInspection& c : all.cables) {
    if (c.elements <= 0) continue;  // massless: no waves
    if (file.solve.method == Method::linearized && h > crossings * c.element_wave_time)
      out += summary_line(
          "Warning",
          fmt::format("cable '{}': the step is {:.3g} times the time an axial wave takes through "
                      "an element; the linearized method is then inaccurate. Use steps "
                      "of {} or method: mixed",
                      c.cable, h / c.element_wave_time,
                      with_prefix(crossings * c.element_wave_time, "s")));
    else if (h > c.cable_wave_time)
      out += summary_line(
          "Note", fmt::format("cable '{}': axial waves cross it within a step. The tension is "
                              "accurate if it changes slowly; to resolve the peak of an "
                              "impact use steps of {}",
                              c.cable, with_prefix(c.cable_wave_time / 10, "s")));
  }
  return out;
}

void check(const std::string& scene, const std::vector<std::string>& sets) {
  const SceneFile file = read_scene(find_scene(scene), sets);
  SetupDisplay setup(progress_style(false), stderr);
  setup.stage("compiling the model");
  const Model model = compile(file);
  setup.stage("setting up the equations");
  const RunPlan plan = plan_run(file, model);
  setup.finish();
  const Inspection inspection = inspect(model);
  std::string out = fmt::format("{}: {}\n", file.file, file.title.empty() ? "valid" : file.title);
  for (size_t i = 0; i < inspection.cables.size(); ++i) {
    const Cable& cable = file.scene.cables[i];
    const CableInspection& seen = inspection.cables[i];
    out += cable.model == CableModel::massless ? massless_lines(cable, seen, inspection)
                                               : cable_lines(cable, seen);
  }
  out += model_lines(file, inspection) + solve_line(file) + record_lines(file, plan);
  if (!file.expect.empty()) out += summary_line("Expects", counted(file.expect.size(), "value"));
  out += step_notes(file, inspection);
  for (const std::string& warning : plan.warnings) out += summary_line("Warning", warning);
  std::fputs(out.c_str(), stdout);
}

}  // namespace

void add_check_command(Command& program) {
  Command& sub = program.add("check", "Check a scene and print a summary");
  const auto scene = std::make_shared<std::string>();
  const auto sets = std::make_shared<std::vector<std::string>>();
  sub.option("scene", scene.get(), "A scene file, or the name of an example scene",
             {.required = true});
  sub.option("--set", sets.get(), "Override a value of the scene, as in `hawser run`",
             {.type_name = "PATH=VALUE", .one_value = true});
  sub.footer(
      "Prints the cables with their wave speeds and periods, the size of the model, the recorded "
      "channels and warnings. Exit codes: 0 the scene is valid, 2 it is not; then all errors are "
      "printed.");
  sub.does([scene, sets] {
    check(*scene, *sets);
    return exit_ok;
  });
}

}  // namespace hawser
