#include "bench/arguments.h"

#include "command.h"

namespace hawser {

void add_bench_arguments(Command& bench, const std::shared_ptr<BenchOptions>& options,
                         const std::function<int(const std::string& name)>& start) {
  BenchOptions& o = *options;
  const auto bare = [&](const std::string& name, const char* help) -> Command& {
    Command& sub = bench.add(name, help);
    sub.does([options, start, name] { return start(name); });
    return sub;
  };
  const auto add = [&](const std::string& name, const char* help) -> Command& {
    Command& sub = bare(name, help);
    sub.option("--json", &o.json, R"(Print {"bench":..., "rows":[...]} instead of a table)");
    return sub;
  };
  const auto range = [](double low, double high) {
    return OptionRules{.show_default = true, .range = {{low, high}}};
  };
  const auto list = [](double low, double high) {
    return OptionRules{.show_default = true, .delimiter = ',', .range = {{low, high}}};
  };

  Command& westin =
      add("westin-irani", "Flexible pendulum: their Tables 2 to 5 and the converged motion");
  westin.option("--table", &o.table, "Only this table: 2, 3, 4 or 5",
                {.range = {{2, 5}},
                 .not_with = {"--converged", "--figures"},
                 .not_with_reason = "these rows are no table: leave out "});
  westin.option("--converged", &o.converged, "Only the converged tip heights");
  westin.option("--figures", &o.figures, "Only what their Figs. 2 to 4 show",
                {.not_with = {"--converged"},
                 .not_with_reason = "the converged tip heights are no figure: leave out "});
  add("gerstmayr-shabana", "Roll-up into a semicircle; soft pendulum in space");
  add("catenary",
      "Hanging cables: the initial shape against closed forms, ancf in balance against it");
  add("servin-lacoursiere", "Massless cable: periods and energies of two boxes, every stiffness");
  add("tonin-braun", "Position elements: free fall, conical pendulum, cable and body");
  add("gu", "Fractional viscosity: a stretched bar, a pendulum, a wire that lets go");
  add("damping", "Decays of one mode under each law of damping, stretched and bent")
      .option("--svg", &o.svg, "Also draw it into this file");
  add("modes", "Natural frequencies and damping of strings, beams, chains, sagging cables, bodies");
  add("hoist-models", "One hoist with every model of its rope: agreement and cost");
  add("massless", "CPU time that a massless cable over bodies adds to a step")
      .option("--bodies", &o.bodies, "Numbers of bodies, separated by commas", list(1, 100000));
  add("scenes", "The shipped scenes, against what each must reach");
  add("balance", "Energy balance at h, h/2 and h/4: what the scheme itself takes or adds")
      .option("scene", &o.files, "Scene files; the shipped ones when not given");
  Command& stability =
      add("stability", "Random pendulums: how many gain energy, for every one-solve method");
  stability.option("--runs", &o.runs, "Number of pendulums", range(1, 1000000));
  stability.option("--seed", &o.seed, "Of the random numbers", {.show_default = true});
  Command& statics =
      add("statics", "Random scenes brought to rest: how many, by which way, how well");
  statics.option("--scenes", &o.scenes, "Number of scenes", range(1, 1000000));
  statics.option("--seed", &o.seed, "Of the random numbers", {.show_default = true});
  add("truth", "Cases that once were wrong without a word, at steps that resolve them or do not");
  Command& machines =
      add("machines", "Random machines at h and h/16: how many agree, warn, fail, or say nothing");
  machines.option("--count", &o.count, "Number of machines", range(1, 1000000));
  machines.option("--seed", &o.seed, "Of the random numbers", {.show_default = true});
  machines.option("--only", &o.only, "Only the machine of this number", {.range = {{0, 999999}}});
  machines.option("--write", &o.write, "Write the scenes that do not agree into this folder");
  Command& robustness =
      add("robustness", "Random and everyday scenes: how many fail, or are wrong without a word");
  robustness.option("--count", &o.random_scenes, "Number of random scenes", range(1, 1000000));
  robustness.option("--everyday", &o.everyday_scenes, "Number of everyday scenes",
                    range(1, 1000000));
  robustness.option("--campaign", &o.campaign, "Only this one: random or everyday",
                    {.one_of = {"random", "everyday"}});
  robustness.option("--seed", &o.seed, "Of the random numbers", {.show_default = true});
  robustness.option("--only", &o.only, "Only the scene of this number", {.range = {{0, 999999}}});
  robustness.option("--write", &o.write, "Write the scenes that show a fault into this folder");
  Command& step = add("step", "CPU time of a step against the number of elements");
  step.option("--elements", &o.elements, "Numbers of elements, separated by commas",
              list(1, 10000000));
  step.option("--solve", &o.solves, "linearized, mixed, mixed3, newton; separated by commas",
              {.show_default = true,
               .delimiter = ',',
               .one_of = {"linearized", "mixed", "mixed3", "newton"}});
  add("memory", "Fractional damping with full memory: its cost and its error")
      .option("--steps", &o.steps, "Of each run", range(1000, 100'000'000));
  add("work-precision", "Error against CPU time for every integrator")
      .option("--svg", &o.svg, "Also draw it into this file");
  add("recording", "CPU time, memory and bytes that recording takes")
      .option("--minutes", &o.minutes, "Simulated", range(0.1, 1000));
  Command& validation =
      bare("validation", "Run every case that has a reference; exit code 1 when one is outside");
  validation.option("--write", &o.write, "Write docs/validation.md, and papers.md beside it",
                    {.required = true});
  validation.option("--svg", &o.svg,
                    "Also draw the decays of `hawser bench damping` into this file");
}

}  // namespace hawser
