// Random scenes brought to rest: how many, by which way, and whether it is true.
#include "bench/statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "assembly/assembler.h"
#include "assembly/constraint_set.h"
#include "bench/benches.h"
#include "bench/statics_scenes.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/statics.h"

namespace hawser {

double unbalanced_force(const Model& handle, const State& state) {
  const ModelData& model = handle.data();
  const auto n = static_cast<size_t>(model.structure.coordinates());
  Assembler assembler(model);
  ConstraintSet rows(model);
  rows.evaluate(state.q.data(), state.t, state);
  const std::vector<double> zero(model.padded(), 0);
  const Configuration at(state.now(), state.q.data(), zero.data(), state.orientation.data());
  Wanted wanted;
  wanted.b = zero.data();
  assembler.run(at, wanted, {});
  std::vector<double> force = assembler.force, size(model.padded(), 0);
  assembler.add_loads(at, 1, size.data());
  double scale = 0;
  for (size_t i = 0; i < n; ++i) {
    size[i] = std::max(std::abs(size[i]), std::abs(force[i]));
    scale = std::max(scale, size[i]);
  }
  rows.add_force(state.multipliers.data(), 1, force.data());
  model.structure.gather(force.data());
  rows.clear_held(force);
  // Rounding a coordinate strains and bends an element; its stiffness makes a force of that.
  double rounding = 0;
  for (const Fields* part : model.fields) {
    const ElementRun& run = part->run;
    double far = 1;
    for (int i = 0; i <= run.elements; ++i)
      far = std::max(far, state.position(run.first_node + i).norm());
    const double l = run.length;
    rounding = std::max({rounding, run.EA * far / l, 12 * run.EI * far / (l * l * l)});
  }
  double worst = 0;
  for (size_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(force[i]));
  return worst / (scale + 1e-6 * rounding);
}

namespace {

enum class Stay { stays, leaves, gains };

/// Steps on after every node got a push [m/s].
Stay after_push(const Model& model, State state, double seconds, double step, double push) {
  SolveOptions options;
  options.step = step;
  options.energy_guard = 0;
  Integrator integrator(model, options);
  integrator.resume(state);
  std::mt19937_64 random(7);
  const auto sign = [&random] { return (random() >> 63) != 0 ? 1.0 : -1.0; };
  std::vector<char> fixed(state.v.size(), 0);
  for (const int c : model.data().structure.fixed) fixed[static_cast<size_t>(c)] = 1;
  for (int node = 0; node < model.nodes(); ++node)
    for (int k = 0; k < 3; ++k) {
      const auto c = static_cast<size_t>(node_size * node + k);
      if (fixed[c] == 0) state.v[c] = sign() * push;
    }
  const State start = state;
  const Energy before = energy(model, start);
  while (state.t < seconds) {
    const Status status = integrator.step(state);
    bool leaves = status != Status::ok;
    for (int node = 0; node < model.nodes() && !leaves; ++node)
      leaves = !((state.position(node) - start.position(node)).norm() < 50 * push * seconds);
    if (!leaves) continue;
    // What leaves an unstable equilibrium does so by energy that it had.
    const double gain = energy(model, state).total() - before.total();
    return status != Status::ok || gain > 2 * before.kinetic ? Stay::gains : Stay::leaves;
  }
  return Stay::stays;
}

}  // namespace

bool stays_at_rest(const Model& model, const State& state, double seconds) {
  for (const double step : {5e-3, 1e-3}) {  // what is unstable at any step is not at rest
    Stay stay = Stay::gains;
    for (const double push : {1e-4, 1e-6, 1e-8}) {
      stay = after_push(model, state, seconds, step, push);
      if (stay != Stay::gains) break;
    }
    if (stay == Stay::stays) return true;
  }
  return false;
}

StaticCampaign run_static_campaign(int scenes, unsigned seed) {
  std::mt19937_64 random(seed);
  StaticCampaign out;
  for (int i = 0; i < scenes; ++i) {
    const StaticCase drawn = draw_static_case(random);
    const Model model(drawn.scene);
    State state = Integrator(model, {}).start();
    const StaticReport report = equilibrium(model, state);
    ++out.scenes;
    out.iterations += report.iterations;
    const std::string who = fmt::format("scene {} ({})", i, drawn.family);
    if (!report.converged) {
      out.failures.push_back(fmt::format("{}: {}", who, report.message));
      continue;
    }
    const double unbalanced = unbalanced_force(model, state);
    out.worst = std::max(out.worst, unbalanced);
    if (!(unbalanced < 1e-8))
      out.failures.push_back(fmt::format("{}: {:.2g} of the forces unbalanced", who, unbalanced));
    else if (!stays_at_rest(model, state, 2))
      out.failures.push_back(fmt::format("{}: does not stay at rest", who));
    else
      ++out.ways[name_of(report.attempts.back().way)];
  }
  return out;
}

BenchReport bench_statics(int scenes, unsigned seed) {
  BenchReport report(
      "statics", "hawser bench statics",
      fmt::format("{} random scenes (seed {}): spans, cantilevers, junctions, nets, loops, bodies "
                  "on cables and joints, slings from one hook, pulleys; EA 1e3 to 1e10 N, EI 0 to "
                  "1e4 N m^2, lengths 0.3 "
                  "to 50 spans; initially straight or zigzag. Success: converged, forces balanced "
                  "when reassembled, and at rest for 2 s after a perturbation.",
                  scenes, seed));
  const StaticCampaign campaign = run_static_campaign(scenes, seed);
  const auto row = [&](const std::string& quantity, const std::string& unit, double value) {
    BenchRow r;
    r.name = fmt::format("{} scenes", scenes);
    r.quantity = quantity;
    r.unit = unit;
    r.ours = value;
    return r;
  };
  BenchRow found =
      row("found", "-", 1 - static_cast<double>(campaign.failures.size()) / campaign.scenes);
  found.reference = 1;
  found.source = "goal";
  found.extra = {{"failures", campaign.failures}};
  report.add(found);
  for (const auto& [way, count] : campaign.ways)
    report.add(row("found by " + way, "-", static_cast<double>(count) / campaign.scenes));
  report.add(
      row("mean iterations", "-", static_cast<double>(campaign.iterations) / campaign.scenes));
  report.add(row("worst residual by the forces that act", "-", campaign.worst));
  return report;
}

}  // namespace hawser
