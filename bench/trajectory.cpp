#include "bench/trajectory.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/clock.h"

namespace hawser {
namespace {

int tip_of(const Model& model) { return model.first_node(0) + model.scene().cables[0].elements; }

}  // namespace

Trajectory reference_tip(const Model& model, double until) {
  SolveOptions o;
  o.method = Method::newton;
  o.scheme = Scheme::newmark;
  o.step = 1e-5;
  o.newton_tolerance = 1e-10;
  constexpr int every = 5;
  Integrator integrator(model, o);
  State state = integrator.start();
  const int tip = tip_of(model);
  Trajectory out{every * o.step, {state.position(tip)}};
  const long samples = std::lround(until / out.interval);
  for (long i = 0; i < samples; ++i) {
    for (int k = 0; k < every; ++k)
      if (integrator.step(state) != Status::ok)
        throw std::runtime_error("reference run: " + integrator.failure().message());
    out.tip.push_back(state.position(tip));
  }
  return out;
}

Comparison compare_tip(const Model& model, const SolveOptions& options, const Trajectory& reference,
                       double until, TipError error) {
  Integrator integrator(model, options);
  State state = integrator.start();
  const int tip = tip_of(model);
  const long n = std::lround(until / options.step);
  double sum = 0;
  for (long i = 1; i <= n; ++i) {
    if (integrator.step(state) != Status::ok) return {};
    const auto at = static_cast<size_t>(
        std::lround(static_cast<double>(i) * options.step / reference.interval));
    const Vec3 off = state.position(tip) - reference.tip.at(at);
    sum += error == TipError::height ? std::abs(off.z()) : off.norm();
  }
  return {true, sum / static_cast<double>(n)};
}

double run_seconds(const Model& model, const SolveOptions& options, double until) {
  double best = 1e300;
  for (int k = 0; k < 3; ++k) {
    Integrator integrator(model, options);
    State state = integrator.start();
    const double start = cpu_seconds();
    if (integrator.advance(state, until) != Status::ok) return std::nan("");
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

}  // namespace hawser
