#include "bench_arguments.h"

#include "command.h"

namespace hawser {
namespace {

/// What starts a bench, by name.
using Start = std::function<int(const std::string& name)>;

/// Adds benches as subcommands.
struct BenchMenu {
  Command& bench;
  const std::shared_ptr<BenchOptions>& options;
  const Start& start;

  Command& bare(const std::string& name, const char* help) const {
    Command& sub = bench.add(name, help);
    sub.does([options = options, start = start, name] { return start(name); });
    return sub;
  }
  Command& add(const std::string& name, const char* help) const {
    Command& sub = bare(name, help);
    sub.option("--json", &options->json, R"(Print {"bench":..., "rows":[...]} instead of a table)");
    return sub;
  }
};

OptionRules range(double low, double high) {
  return {.show_default = true, .range = {{low, high}}};
}

OptionRules list(double low, double high) {
  return {.show_default = true, .delimiter = ',', .range = {{low, high}}};
}

void add_published(const BenchMenu& menu, BenchOptions& o) {
  Command& westin =
      menu.add("westin-irani",
               "Pendulum, submerged tether, cable over an edge: Tables 2 to 7, converged motions");
  westin.option("--table", &o.table, "Only this table: 2 to 7",
                {.range = {{2, 7}},
                 .not_with = {"--converged", "--figures"},
                 .not_with_reason = "these rows are not a table: omit "});
  westin.option("--converged", &o.converged, "Only the converged motions");
  westin.option("--figures", &o.figures, "Only the results of Figs. 2 to 4",
                {.not_with = {"--converged"},
                 .not_with_reason = "the converged motions are not a figure: omit "});
  menu.add("gerstmayr-shabana", "Roll-up into a semicircle; soft pendulum in space");
  menu.add("catenary", "Hanging cables: initial shapes against closed forms, ancf in equilibrium");
  menu.add("servin-lacoursiere",
           "Massless cable: periods and energies of two boxes, for each stiffness");
  menu.add("tonin-braun", "Position elements: free fall, conical pendulum, cable and body");
  menu.add("gu", "Fractional viscosity: a stretched bar, a pendulum, a released wire");
  menu.add("wu",
           "Belt drive, lifting device, zip line, nets, gantry crane with cables that have mass");
  menu.add("damping", "Decay of one mode with each damping law, axial and bending")
      .option("--svg", &o.svg, "Also plot the results to this file");
  menu.add("modes",
           "Natural frequencies and damping of strings, beams, chains, sagging cables, bodies");
  Command& flow = menu.add(
      "flow", "Cables with mass through eyelets, over pulleys, off winches; random machines");
  flow.option("--runs", &o.flow_runs, "Number of random machines", range(0, 1000000));
  flow.option("--seed", &o.seed, "Seed of the random numbers", {.show_default = true});
  menu.add("contact", "Cables over drums and bars, on the ground and on each other, with friction");
  menu.add("contact-heap",
           "Many cables that touch each other: cost of the search, a heap of ropes");
  Command& thrown = menu.add(
      "random-contact", "Random scenes: ropes thrown at the ground, shapes, bodies and each other");
  thrown.option("--count", &o.contact_scenes, "Number of scenes", range(1, 1000000));
  thrown.option("--seed", &o.seed, "Seed of the random numbers", {.show_default = true});
  thrown.option("--only", &o.only, "Only the scene of this number", {.range = {{0, 1e6}}});
  menu.add("hoist-models", "One hoist with each cable model: agreement and cost");
  menu.add("massless", "CPU time per step of a massless cable over many bodies")
      .option("--bodies", &o.bodies, "Numbers of bodies, separated by commas", list(1, 100000));
  Command& validation = menu.bare(
      "validation", "Run every case with a reference; exit code 1 if one is out of tolerance");
  validation.option("--write", &o.write,
                    "Write docs/validation.md, and papers.md in the same folder",
                    {.required = true});
  validation.option("--svg", &o.svg, "Also plot the decays of `hawser bench damping` to this file");
}

void add_campaigns(const BenchMenu& menu, BenchOptions& o) {
  menu.add("scenes", "The example scenes, against their expected values");
  menu.add("balance", "Energy balance at h, h/2 and h/4: energy dissipated or added by the scheme")
      .option("scene", &o.files, "Scene files; default: the example scenes");
  Command& stability = menu.add(
      "stability", "Random pendulums: how many gain energy, for each method with one solve");
  stability.option("--runs", &o.runs, "Number of pendulums", range(1, 1000000));
  stability.option("--seed", &o.seed, "Seed of the random numbers", {.show_default = true});
  Command& statics =
      menu.add("statics", "Static equilibrium of random scenes: success rate, methods, residuals");
  statics.option("--scenes", &o.scenes, "Number of scenes", range(1, 1000000));
  statics.option("--seed", &o.seed, "Seed of the random numbers", {.show_default = true});
  menu.add("truth", "Regression cases of silently wrong results, at resolved and unresolved steps");
  Command& random =
      menu.add("random-machines", "Random machines at h and h/16: how many agree, warn or fail");
  random.option("--count", &o.count, "Number of machines", range(1, 1000000));
  random.option("--seed", &o.seed, "Seed of the random numbers", {.show_default = true});
  random.option("--only", &o.only, "Only the machine with this number", {.range = {{0, 999999}}});
  random.option("--write", &o.write, "Write the scenes that do not agree to this folder");
  Command& robustness =
      menu.add("robustness", "Random and everyday scenes: how many fail or are silently wrong");
  robustness.option("--count", &o.random_scenes, "Number of random scenes", range(1, 1000000));
  robustness.option("--everyday", &o.everyday_scenes, "Number of everyday scenes",
                    range(1, 1000000));
  robustness.option("--campaign", &o.campaign, "Only this campaign: random or everyday",
                    {.one_of = {"random", "everyday"}});
  robustness.option("--seed", &o.seed, "Seed of the random numbers", {.show_default = true});
  robustness.option("--only", &o.only, "Only the scene with this number", {.range = {{0, 999999}}});
  robustness.option("--write", &o.write, "Write the scenes with a fault to this folder");
}

void add_timings(const BenchMenu& menu, BenchOptions& o) {
  Command& step = menu.add("step", "CPU time per step versus number of elements");
  step.option("--elements", &o.elements, "Numbers of elements, separated by commas",
              list(1, 10000000));
  step.option("--solve", &o.solves, "linearized, mixed, mixed3, newton; separated by commas",
              {.show_default = true,
               .delimiter = ',',
               .one_of = {"linearized", "mixed", "mixed3", "newton"}});
  step.option("--flow", &o.flow, "Only a cable of 10 and 100 elements with one hand-over",
              {.not_with = {"--elements", "--solve"},
               .not_with_reason = "the elements of these rows are given: omit "});
  Command& machines =
      menu.add("machines", "CPU time per step of nets, joints, reeving and moorings");
  machines.option("--case", &o.cases, "Only these machines, separated by commas",
                  {.delimiter = ',',
                   .one_of = {"net", "hinges", "balls", "reeving", "blocks", "cable-and-body",
                              "two-cables", "mooring"}});
  machines.option("--size", &o.sizes, "Only these sizes, separated by commas: 10,20",
                  {.delimiter = ',', .range = {{1, 1000}}});
  machines.option("--write", &o.write, "Also write the scenes to this folder");
  Command& linear = menu.add("linear", "Factorization and solution against Eigen and QDLDL");
  linear.option("scene", &o.files, "Scene files; default: the example scenes, nets and machines");
  linear.option("--largest-net", &o.largest_net, "Meshes a side of the largest net", range(1, 80));
  linear.option("--count", &o.linear_machines, "Number of random machines", range(0, 1000000));
  menu.add("memory", "Fractional damping with full memory: cost and error")
      .option("--steps", &o.steps, "Number of steps per run", range(1000, 100'000'000));
  menu.add("work-precision", "Error versus CPU time for each integrator")
      .option("--svg", &o.svg, "Also plot the results to this file");
  menu.add("recording", "CPU time, memory and file size of recording")
      .option("--minutes", &o.minutes, "Simulated time in minutes", range(0.1, 1000));
}

}  // namespace

void add_bench_arguments(Command& bench, const std::shared_ptr<BenchOptions>& options,
                         const Start& start) {
  const BenchMenu menu{bench, options, start};
  add_published(menu, *options);
  add_campaigns(menu, *options);
  add_timings(menu, *options);
}

}  // namespace hawser
