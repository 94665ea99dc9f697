#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "base/clock.h"
#include "cases.h"
#include "commands.h"
#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"

namespace hawser {
namespace {

/// The largest and smallest tension met, with place and time.
struct Extremes {
  struct Entry {
    double tension = 0, s = 0, t = 0;
    std::string cable;
  };
  Entry largest, smallest;
  bool any = false;

  void look(const Model& model, const State& state) {
    for (size_t c = 0; c < model.scene().cables.size(); ++c)
      for (const CablePoint& p : profile(model, state, static_cast<int>(c))) {
        const Entry entry{p.tension, p.s, state.t, model.scene().cables[c].name};
        if (!any || p.tension > largest.tension) largest = entry;
        if (!any || p.tension < smallest.tension) smallest = entry;
        any = true;
      }
  }
};

std::string line_of(const Model& model, const State& state) {
  const Vec3 tip = state.position(model.first_node(0) + model.scene().cables[0].elements);
  const Energy e = energy(model, state);
  return fmt::format("{:8.3f}  {:9.5f} {:9.5f} {:9.5f}  {:10.5f} {:10.5f} {:10.5f}\n", state.t,
                     tip.x(), tip.y(), tip.z(), e.kinetic, e.axial + e.bending, e.balance());
}

void print_summary(const Model& model, const Integrator& integrator, const State& state,
                   const Extremes& extremes, double start_energy, double cpu) {
  const Counters& n = integrator.counters();
  const Energy e = energy(model, state);
  const auto joules = [](double x) { return std::abs(x) < 1e-12 ? 0.0 : x; };  // round-off
  std::string out = "\n";
  out += fmt::format(
      "Tension   largest {:.4g} N at {:.3f} m of '{}', t = {:.3f} s; smallest {:.4g} "
      "N at {:.3f} m, t = {:.3f} s\n",
      extremes.largest.tension, extremes.largest.s, extremes.largest.cable, extremes.largest.t,
      extremes.smallest.tension, extremes.smallest.s, extremes.smallest.t);
  out += fmt::format(
      "Energy    {:.6g} J at the start, work done {:.6g} J, now {:.6g} J: balance off "
      "by {:.3g} J\n",
      joules(start_energy), joules(e.work), e.total(), e.balance() - start_energy);
  out += fmt::format(
      "Work      {} steps, {} factorizations ({}), {} steps linearized again, {} fell "
      "back, {} capped\n",
      n.steps, n.factorizations, integrator.linear_solver(), n.relinearized, n.fallbacks, n.capped);
  out += fmt::format(
      "Speed     {:.4g} s of motion in {:.4g} s of CPU: {:.0f} times real time, {:.2f} "
      "us a step\n",
      state.t, cpu, state.t / cpu, 1e6 * cpu / static_cast<double>(n.steps));
  std::fputs(out.c_str(), stdout);
}

int run_case(const NamedCase& c) {
  const Model model(c.scene);
  Integrator integrator(model, c.options);
  State state = integrator.start();
  const double start_energy = energy(model, state).total();
  std::fputs(
      fmt::format("{}\n{} cable(s), {} elements, {} coordinates; h = {:g} s until {:g} s\n\n",
                  c.title, c.scene.cables.size(), model.elements(), model.coordinates(),
                  c.options.step, c.until)
          .c_str(),
      stdout);
  std::fputs("   t [s]       tip x     tip y     tip z [m]  kinetic    elastic    balance [J]\n",
             stdout);
  std::fputs(line_of(model, state).c_str(), stdout);
  Extremes extremes;
  double cpu = 0;
  const int lines = 20, looks = 10;  // looks at the tension between two lines
  for (int i = 1; i <= lines * looks; ++i) {
    const double start = cpu_seconds();
    const Status status = integrator.advance(state, c.until * i / (lines * looks));
    cpu += cpu_seconds() - start;
    extremes.look(model, state);
    if (status != Status::ok) {
      std::fputs(line_of(model, state).c_str(), stdout);
      std::fputs(fmt::format("hawser: {}\n", integrator.failure().message()).c_str(), stderr);
      print_summary(model, integrator, state, extremes, start_energy, cpu);
      return exit_failed;
    }
    if (i % looks == 0) std::fputs(line_of(model, state).c_str(), stdout);
  }
  print_summary(model, integrator, state, extremes, start_energy, cpu);
  return exit_ok;
}

int run_named(const std::string& name, bool list) {
  const std::vector<NamedCase> cases = named_cases();
  std::string known;
  for (const NamedCase& c : cases) {
    if (list) std::fputs(fmt::format("{:<14} {}\n", c.name, c.title).c_str(), stdout);
    known += (known.empty() ? "" : ", ") + c.name;
  }
  if (list) return exit_ok;
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const NamedCase& c) { return c.name == name; });
  if (found == cases.end())
    throw Error("run", "scene '" + name + "', which is not known", "one of " + known,
                "`hawser run --list` says what they are.");
  return run_case(*found);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* run = app.add_subcommand("run", "Simulate a scene and print what happened");
  const auto name = std::make_shared<std::string>("pendulum");
  const auto list = std::make_shared<bool>(false);
  run->add_option("scene", *name, "One of the scenes that ship with Hawser")->capture_default_str();
  run->add_flag("--list", *list, "List them");
  run->callback([name, list, &exit_code] { exit_code = run_named(*name, *list); });
}

}  // namespace hawser
