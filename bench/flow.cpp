// Cables with mass through eyelets, over pulleys and off winches, against closed forms, integrated
// equations and an independent program; and a campaign of random machines that must not gain
// energy.
#include <fmt/format.h>

#include <random>

#include "bench/benches.h"
#include "bench/flow_scenes.h"
#include "model/flows.h"
#include "model/model_data.h"

namespace hawser {
namespace flowing {
namespace {

/// What a case is measured by: a value at a time.
struct FlowPoint {
  double t, value;
};

struct FlowCase {
  const char *name, *quantity, *unit, *source;
  Scene scene;
  double tolerance;
  Tolerance kind;
  std::vector<double> steps;
  std::vector<FlowPoint> points;
  double (*measure)(const FlowRun& run, double t);
};

/// A case with one model of its cables.
void add(BenchReport& report, const FlowCase& c, CableModel model) {
  Scene scene = c.scene;
  for (Cable& cable : scene.cables) cable.model = model;
  const char* word = model == CableModel::np_fem ? ", np-fem" : "";
  for (const double h : c.steps) {
    FlowRun run(scene, by(h));
    for (const FlowPoint& p : c.points) {
      BenchRow row;
      row.name = fmt::format("{}{}, h = {:g} s, {:g} s", c.name, word, h, p.t);
      row.quantity = c.quantity;
      row.unit = c.unit;
      if (run.to(p.t) == Status::ok) row.ours = c.measure(run, p.t);
      row.reference = p.value;
      row.tolerance = c.tolerance;
      row.kind = c.kind;
      row.source = c.source;
      report.add(row);
    }
  }
}

void add(BenchReport& report, const FlowCase& c) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) add(report, c, model);
}

const std::vector<double> both = {1e-2, 1e-3};

void add_winches(BenchReport& report) {
  add(report,
      {"pendulum paid out at 1 m/s",
       "angle",
       "rad",
       "integrated equation",
       paid_out_pendulum(),
       1.8e-4,
       Tolerance::absolute,
       both,
       {{1, 0.11793001}, {2, -0.04123277}, {3, -0.14836522}, {5, -0.05050392}, {10, -0.03030242}},
       [](const FlowRun& run, double) {
         const Vec3 r = run.place("load");
         return std::atan2(r.x(), -r.z());
       }});
  add(report, {"deployment",
               "depth",
               "m",
               "wave equation on the growing cable, Chebyshev",
               deployment(),
               2.1e-4,
               Tolerance::absolute,
               both,
               {{0.5, 5.029685},
                {1, 5.186489},
                {2, 6.006048},
                {3, 7.007116},
                {5, 9.009249},
                {10, 14.014716}},
               [](const FlowRun& run, double) { return -run.place("load").z(); }});
  add(report, {"deployment",
               "tension at the top",
               "N",
               "the same",
               deployment(),
               2e-3,
               Tolerance::relative,
               both,
               {{5, 1071.892}, {10, 1119.88}, {20, 1217.13}},
               [](const FlowRun& run, double) {
                 // np-fem: elements know the tension of their middles, the winch its own.
                 const bool straight = run.model.scene().cables[0].model == CableModel::np_fem;
                 return run.read(straight ? "winch.force.z" : "rope.tension@start");
               }});
  add(report, {"winch that holds a tension",
               "depth",
               "m",
               "(M + m l) l.. = (M + m l) g - T, integrated",
               supply_by_tension(),
               1.5e-3,
               Tolerance::absolute,
               both,
               {{1, 10.500839}, {2, 12.128638}, {3, 15.265994}},
               [](const FlowRun& run, double) { return -run.place("load").z(); }});
}

void add_eyelets(BenchReport& report) {
  add(report, {"moving eyelet",
               "length on one side",
               "m",
               "closed form",
               moving_atwood(0),
               1.5e-4,
               Tolerance::absolute,
               both,
               {{0.25, 2.03848065}, {0.5, 2.11958629}, {0.75, 2.32331694}, {1, 2.72967259}},
               [](const FlowRun& run, double t) {
                 return 0.2 * std::sin(2 * pi * t) - run.place("a").z();
               }});
  add(report, {"swinging Atwood machine, light rope",
               "x of the bob",
               "m",
               "integrated equations",
               atwood(3, 1, 1e-4, Stop::over("ring")),
               6e-3,
               Tolerance::absolute,
               {1e-3},
               {{0.5, 1.21709875 * std::sin(0.63467284)},
                {1, 1.15568353 * std::sin(-2.94859208)},
                {2, 1.91207734 * std::sin(-7.61752919)},
                {3, 0.79958669 * std::sin(-4.13749634)}},
               [](const FlowRun& run, double) { return run.place("b").x(); }});
  add(report, {"Atwood machine, heavy rope",
               "x of the bob",
               "m",
               "points and springs through a ring, extrapolated",
               heavy_atwood(),
               5e-4,
               Tolerance::absolute,
               {1e-3},
               {{0.25, 0.80390}, {0.5, 0.36503}, {0.75, -0.22131}, {1, -0.69656}, {1.25, -0.81578}},
               [](const FlowRun& run, double) { return run.place("b").x(); }});
}

void add_pulleys(BenchReport& report) {
  add(report, {"moving pulley",
               "length on one side",
               "m",
               "closed form",
               moving_atwood(0.1),
               1.5e-4,
               Tolerance::absolute,
               both,
               {{0.25, 2.03848065}, {0.5, 2.11958629}, {0.75, 2.32331694}, {1, 2.72967259}},
               [](const FlowRun& run, double t) {
                 return 0.2 * std::sin(2 * pi * t) - run.place("a").z();
               }});
  add(report, {"heavy rope on a pulley",
               "length on one side",
               "m",
               "closed form",
               atwood_on_a_pulley(),
               1.5e-4,
               Tolerance::absolute,
               both,
               {{0.5, 10.05228373}, {1, 10.21460209}, {2, 10.95051647}, {3, 12.52360068}},
               [](const FlowRun& run, double) { return -run.place("a").z(); }});
  const auto bob = [](double r, double theta) { return beside_pulley(r, theta).x(); };
  add(report, {"swinging machine on a pulley",
               "x of the bob",
               "m",
               "integrated equations",
               swinging_on_a_pulley(),
               1.2e-3,
               Tolerance::absolute,
               {1e-3},
               {{0.5, bob(1.58452353, 0.41468635)},
                {1, bob(1.35042991, -1.06633426)},
                {2, bob(1.04851579, 1.37262712)}},
               [](const FlowRun& run, double) { return run.place("b").x(); }});
  // At 10 ms the prototype of another swinging machine was off by 2.5 mm.
  add(report, {"swinging machine on a pulley",
               "x of the bob",
               "m",
               "integrated equations",
               swinging_on_a_pulley(),
               7.5e-3,
               Tolerance::absolute,
               {1e-2},
               {{0.5, bob(1.58452353, 0.41468635)},
                {1, bob(1.35042991, -1.06633426)},
                {2, bob(1.04851579, 1.37262712)}},
               [](const FlowRun& run, double) { return run.place("b").x(); }});
}

/// Three ways of friction: a rope that slides over a peg, and the ratio of tensions while a load is
/// raised and lowered over a pulley that does not turn.
void add_friction(BenchReport& report) {
  add(report, {"rope over a peg, friction 0.1",
               "length on one side",
               "m",
               "x (g - a) - v^2 = k ((L - x) (g + a) - v^2), k = e^(mu pi), integrated",
               rope_over_a_peg(0.1),
               5e-4,
               Tolerance::absolute,
               both,
               {{0.2, 1.209264}, {0.4, 1.241048}, {0.6, 1.309258}},
               [](const FlowRun& run, double) { return -run.place("b").z(); }});
  for (const auto& [mu, ratio] : {std::pair(0.15, 1.601925), {0.2, 1.874456}, {0.3, 2.566332}}) {
    const std::string name = fmt::format("hoist over a fixed pulley, friction {:g}", mu);
    add(report, {name.c_str(),
                 "tension of winch over load's",
                 "",
                 "e^(mu pi) raised, e^(-mu pi) lowered",
                 hoist_with_friction(mu),
                 1e-3,
                 Tolerance::relative,
                 {1e-2, 1e-3},
                 {{1.5, ratio}, {4.5, 1 / ratio}},
                 [](const FlowRun& run, double) {
                   return run.read("rope.tension@start") / run.read("rope.tension@end");
                 }});
  }
}

/// A chain that slides off a table over its edge.
void add_tables(BenchReport& report) {
  struct Known {
    double friction;
    std::vector<FlowPoint> points;
  };
  const auto hangs = [](const FlowRun& run, double) { return -run.read("rope.position.z@end"); };
  for (const Known& known : {Known{0, {{0.1, 0.52472615}, {0.2, 0.60135012}, {0.25, 0.66127479}}},
                             {0.1, {{0.1, 0.52281449}, {0.2, 0.59386752}, {0.25, 0.64983737}}},
                             {0.2, {{0.1, 0.52091562}, {0.2, 0.58630031}, {0.25, 0.63809861}}}}) {
    const std::string name = fmt::format("chain over an edge, friction {:g}", known.friction);
    // The step in which it begins to slip is taken by Backward Euler.
    for (const double h : both)
      add(report,
          {name.c_str(),
           "length that hangs",
           "m",
           "a (k (L - x) + x) = g x + (k - 1) v^2, k = e^(mu pi/2), integrated",
           chain_off_a_table(0, known.friction),
           1e-4 + (known.friction > 0 ? g / 2 * h * h : 0),
           Tolerance::absolute,
           {h},
           known.points,
           hangs},
          CableModel::ancf);
  }
  add(report,
      {"chain off a table, friction 0.4 there",
       "length that hangs",
       "m",
       "inextensible: xs + (0.5 - xs) cosh(sqrt(g (1 + mu)) t), xs = mu/(1 + mu)",
       chain_off_a_table(0.4, 0),
       1e-4,
       Tolerance::absolute,
       {1e-3},
       {{0.1, 0.51488419}, {0.2, 0.56160444}, {0.3, 0.64665110}},
       hangs},
      CableModel::ancf);
}

/// omega_1 = (pi/L) c (1 - v^2/c^2) of strings that run between two points.
void add_strings(BenchReport& report) {
  for (const double share : {0.0, 0.25, 0.5, 0.75}) {
    const RunningString string(share);
    FlowRun run(string.beside_a_flyer(), by(4e-3));
    string.pluck(run.model, run.state);
    BenchRow row;
    row.name = fmt::format("string running at {:g} of the speed of its waves, mesh running", share);
    row.quantity = "first frequency, 3 periods, h = 4 ms";
    row.unit = "rad/s";
    row.ours = string.watch(run, 6).omega;
    row.reference = string.omega();
    row.tolerance = 1e-4;
    row.kind = Tolerance::relative;
    row.source = "(pi/L) c (1 - v^2/c^2)";
    report.add(row);
  }
}

/// False where a cable flows faster than a quarter of the speed of transverse waves: the mesh of
/// the material is not made for that, and a run warns of it.
bool flows_slowly(const FlowRun& run) {
  const auto speeds = flow_speeds(run.model.data(), run.state);
  return std::all_of(speeds.begin(), speeds.end(),
                     [](const FlowSpeed& flow) { return flow.speed <= 0.25 * flow.wave; });
}

/// Masses, ropes, steps and pulleys by chance.
void add_campaign(BenchReport& report, int runs, unsigned seed, CableModel model) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 1) / 2147483648.0;
  };
  int gained = 0, failed = 0, fast = 0, changes = 0;
  for (int i = 0; i < runs; ++i) {
    const double R = i % 3 == 0 ? between(0.05, 0.3) : 0;
    Scene scene = atwood(between(0.5, 5.5), between(0.5, 5.5), between(0.012, 0.39),
                         Stop::over("ring", R, Vec3::UnitY()));
    scene.bodies[0].position.x() = -R;
    const double angle = between(-0.5, 1.2);
    scene.bodies[1].position = {R + 2 * std::sin(angle) + 0.05, between(-0.3, 0.3),
                                -2 * std::cos(angle)};
    if (i % 4 == 3) scene.cables[0].route[1].friction = between(0, 0.5);
    scene.cables[0].model = model;
    Section& section = scene.cables[0].sections[0];
    section.EA = std::pow(10, between(3.9, 5.9));
    section.EI = std::pow(10, between(-3, 0));
    FlowRun run(scene, by(std::pow(10, between(-3, -2))));
    double gain = 0;
    while (run.state.t < 2) {
      if (!flows_slowly(run)) {
        ++fast;
        break;
      }
      if (run.step() != Status::ok) {  // reeled up to its pulley, or off it
        ++failed;
        break;
      }
      gain = std::max(gain, run.read("energy.balance"));
    }
    changes += run.changes;
    gained += gain > 0.1 ? 1 : 0;
  }
  report.add(
      trend_row(fmt::format("{} random machines of 2 s{}", runs,
                            model == CableModel::np_fem ? ", np-fem" : ""),
                "gain more than 0.1 J", gained,
                fmt::format("seed {}: {} changes of mesh; {} until they flow at a quarter of the "
                            "speed of waves, {} until they are used up or come off",
                            seed, changes, fast, failed)));
}

}  // namespace
}  // namespace flowing

BenchReport bench_flow(int runs, unsigned seed) {
  using namespace flowing;
  BenchReport report(
      "flow", "hawser bench flow",
      "Cables with mass through eyelets, over pulleys and off winches, `mixed`, with "
      "meshes renewed on the way; models `ancf` and, where it is said, `np-fem`. Tolerances are "
      "three times the errors of a prototype in the plane, of `ancf`, and hold for both models.");
  add_winches(report);
  add_eyelets(report);
  add_pulleys(report);
  add_friction(report);
  add_tables(report);
  add_strings(report);
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    add_campaign(report, runs, seed, model);
  return report;
}

}  // namespace hawser
