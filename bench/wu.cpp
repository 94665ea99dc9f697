// Wu et al. (2022), "Object-oriented modelling of flexible cables based on absolute nodal
// coordinate formulation": the machines of the paper with cables that have mass. Its figures are
// lost, so a row compares with a number of the text, with a closed form, or with what the text says
// of a figure
// ("trend only"). Examples 1 and 2 are in `hawser bench gerstmayr-shabana`.
#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "bench/belt_scenes.h"
#include "bench/benches.h"
#include "bench/body_scenes.h"
#include "bench/cases.h"
#include "bench/contact_cases.h"
#include "bench/sliding_scenes.h"
#include "hawser/run.h"
#include "model/model_data.h"

namespace hawser {
namespace touching {
namespace {

/// A shipped scene, taken to its end.
struct ShippedRun {
  SceneFile file;
  TouchRun run;
  bool ok;

  explicit ShippedRun(const std::string& name)
      : file(shipped(name)), run(file.scene, file.solve), ok(run.to(file.until) == Status::ok) {}
  [[nodiscard]] double or_none(double value) const { return ok ? value : std::nan(""); }
};

// --- case 1: the belt drive ---

/// E = 5.8 MPa, 3500 kg/m^3, 6 mm x 7 mm, 0.724 m; the passive pulley has travelled by 10 mm. The
/// text does not give the pulleys: equal ones of 50 mm. Without bending stiffness, as the closed
/// form.
belts::Belt wu_belt(int elements) {
  constexpr double length = 0.724, travel = 0.01, area = 42e-6;
  belts::Belt out;
  out.radius = 0.05;
  out.centres = (length - 2 * pi * out.radius) / 2 + travel;
  out.EA = 5.8e6 * area;
  out.mass = 3500 * area;
  out.prestrain = 2 * travel / length;
  out.friction = 0.3;
  out.rate = out.torque = 0;
  out.stiffness = 3e7;
  out.elements = elements;
  return out;
}

void add_belt(BenchReport& report) {
  for (const int elements : {40, 60}) {
    belts::BeltRun run(wu_belt(elements), 1e-3);
    const std::string name = fmt::format("belt drive, {} elements", elements);
    double force = std::nan("");
    if (run.to(1) == Status::ok) force = run.mean(1.2).bearing;
    // The paper has 15, of which three would wrap a pulley.
    report.add(touch_row(name, "reaction of a pulley at rest", "N", force, 13.4586, 1e-2,
                         Tolerance::relative, "2 EA (20 mm/0.724 m); Fig. 20"));
  }
  belts::Belt belt = wu_belt(60);
  belt.rate = 10;
  belts::BeltRun run(belt, 1e-3);
  double apart = std::nan("");
  if (run.to(1) == Status::ok) {
    apart = 0;
    int count = 0;
    for (; run.state.t < 1.2 - 1e-9; ++count) {
      if (run.integrator.step(run.state) != Status::ok) break;
      const auto on = [&](const char* pulley) {
        return contact_force(run.model, run.state, "touch", pulley).x();
      };
      apart += (on("driver") + on("driven")) / 13.4586;
    }
    apart = std::abs(apart) / count;
  }
  report.add(touch_row("belt drive at 10 rad/s", "sum of both pulleys' reactions over one", "",
                       apart, 0, 1e-2, Tolerance::absolute,
                       "trend only: Fig. 20, \"symmetrical\""));
}

// --- the simple lifting device, Figs. 9 to 12 ---

void add_lifting_device(BenchReport& report) {
  const ShippedRun device("lifting-device-rope");
  const State& s = device.run.state;
  constexpr double ball = 2, line = 0.5, radius = 0.205;
  const double along = place_of(device.run, 0).x();
  const double drum = reaction(device.run.model, s, Place::start("rope")).force.norm(),
               load = profile(device.run.model, s, 0).back().tension;
  report.add(touch_row("lifting device after 30 s", "pull at the ball", "N", device.or_none(load),
                       ball * g, 1e-2, Tolerance::relative, "its weight"));
  report.add(touch_row("lifting device after 30 s", "pull at the winch", "N", device.or_none(drum),
                       (ball + line * 1.385) * g, 1e-2, Tolerance::relative,
                       "weight of the ball and of the rope beside it"));
  report.add(trend_row("lifting device after 30 s",
                       "the ball is not straight below the pulley's side",
                       !(device.ok && std::abs(along - radius) < 0.02),
                       "trend only: Figs. 11, 12, \"straight up and down\""));
}

// --- the zip line, Figs. 14 to 17 ---

/// A bead on a rope of 10.5 m between supports 10 m apart; friction of the joint, which the paper
/// does not mention, takes its motion: it may come to rest within mu times the radius of its path
/// of 15 m from the middle.
void add_zip_line_to_rest(BenchReport& report) {
  Scene scene = sliding::resting_ring(CableModel::np_fem, 80, 0);
  scene.initial = Initial::straight;
  scene.cables[0].initial = Initial::points;
  scene.bodies[0].position = {2, 0, -1.25};
  scene.cables[0].route = {Stop::hold("low"), Vec3(2, 0, -1.25), Stop::hold("high")};
  scene.cables[0].sections[0].mass_damping = 2;
  scene.sliding_joints[0].friction = 0.03;
  SolveOptions options;
  options.step = 5e-3;
  sliding::SlideRun run(sliding::on_curve(std::move(scene)), options);
  const bool ok = run.to(20) == Status::ok;
  const double x = run.bead().x();
  report.add(trend_row("zip line after 20 s", "the body is not near the middle of the cable",
                       !(ok && std::abs(x - 5) < 0.5),
                       "trend only: Fig. 17, \"stabilized near the midpoint\""));
}

// --- the sliding joint at rest ---

void add_sliding_joint(BenchReport& report) {
  struct Case {
    double rise, x, z, tension;
  };
  for (const Case& c : {Case{0, 5, -1.624365, 196.5712}, Case{1, 3.706964, -1.121244, 199.4964}}) {
    // A bend of sqrt(EI/T) = 60 mm, which the elements resolve, keeps the mesh from holding it.
    const sliding::SlideRun run(sliding::resting_ring(CableModel::ancf, 160, c.rise, 0.7),
                                by(1e-3));
    const std::string name =
        fmt::format("sliding joint at rest, one support {:g} m higher", c.rise);
    const char* source = "two catenaries of equal tension";
    report.add(touch_row(name, "x", "m", run.bead().x(), c.x, 1e-2, Tolerance::absolute, source));
    report.add(touch_row(name, "z", "m", run.bead().z(), c.z, 1e-2, Tolerance::absolute, source));
    const double top = reaction(run.model, run.state, Place::start("rope")).force.norm();
    report.add(touch_row(name, "tension at the joint", "N", top + 0.5 * g * run.bead().z(),
                         c.tension, 1e-2, Tolerance::relative, source));
  }
}

// --- case 2: nets ---

void add_nets(BenchReport& report) {
  constexpr double cord = 23.3136e-3, side = 5;
  const auto add = [&](const char* name, const ShippedRun& net, double carried, double weight,
                       const char* figure) {
    report.add(touch_row(name, "weight that a corner carries", "N", net.or_none(carried), weight,
                         1e-3, Tolerance::relative,
                         fmt::format("a quarter; trend only: {}", figure)));
  };
  const ShippedRun held("net"), drawn("net-drawn-in");
  add("net held at its corners", held,
      joint_force(held.run.model, held.run.state, "tie-a").force.z(),
      (42 * side * cord / 4 + 0.2) * g, "Fig. 22");
  add("net, corners on the diagonals", drawn,
      reaction(drawn.run.model, drawn.run.state, Place::start("net-row-0")).force.z(),
      22 * side * cord / 4 * g, "Fig. 23");
}

// --- case 3: the gantry crane ---

/// The winches renew the mesh: a whole run, and what the scene expects of the container at its end.
void add_crane(BenchReport& report) {
  const SceneFile file = shipped("gantry-crane-ropes");
  const RunReport end = run(file, RunOptions{});
  for (const Body& body : file.scene.bodies)
    for (int k = 0; k < 3 && body.name == "container"; ++k)
      report.add(touch_row("gantry crane", fmt::format("container's {} at the start", "xyz"[k]),
                           "m", body.position[k], Vec3(7.5, 12, 0)[k], 1e-9, Tolerance::absolute,
                           "the text"));
  for (const ExpectationReport& e : end.expectations)
    for (int k = 0; k < 3; ++k)
      if (e.expected.channel == fmt::format("container.position.{}", "xyz"[k]) &&
          !(e.expected.time >= 0))
        report.add(touch_row("gantry crane", fmt::format("container's {} at the end", "xyz"[k]),
                             "m", e.reached ? e.measured : std::nan(""), Vec3(-6.5, 12, 10)[k],
                             0.02, Tolerance::absolute, "the text"));
}

// --- CPU time, Fig. 7 ---

void add_times_by_elements(BenchReport& report) {
  double first = 0;
  constexpr int fewest = 16, most = 256;
  for (int elements = fewest; elements <= most; elements *= 2) {
    const SceneFile file =
        shipped("pendulum-wu", {fmt::format("cables.rope.elements={}", elements)});
    const Model model(file.scene);
    Integrator integrator(model, file.solve);
    State state = integrator.start();
    const std::clock_t start = std::clock();
    const bool ok = integrator.advance(state, 0.5) == Status::ok;
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (elements == fewest) first = seconds;
    BenchRow row;
    row.name = fmt::format("pendulum, {} elements, 1000 steps", elements);
    row.quantity = "CPU time";
    row.unit = "ms";
    if (ok) row.ours = 1e3 * seconds;
    report.add(row);
    if (elements < most) continue;
    row.name = fmt::format("pendulum, {} to {} elements", fewest, most);
    row.quantity = "CPU time grows with the elements to the power";
    row.unit = "";
    row.ours = std::log(seconds / first) / std::log(double(most) / fewest);
    row.reference = 2;
    row.source = "Fig. 7, \"quadratic\"";
    report.add(row);
  }
}

}  // namespace
}  // namespace touching

BenchReport bench_wu(bool timed) {
  using namespace touching;
  BenchReport report("wu", "hawser bench wu",
                     "Wu et al. (2022): belt drive, lifting device, zip line, sliding joint, nets "
                     "and gantry crane, with cables that have mass. The paper's figures are lost: "
                     "rows compare with its text and with closed forms.");
  add_belt(report);
  add_lifting_device(report);
  add_zip_line_to_rest(report);
  add_sliding_joint(report);
  add_nets(report);
  add_crane(report);
  if (timed) add_times_by_elements(report);
  return report;
}

}  // namespace hawser
