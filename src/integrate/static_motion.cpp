// Relaxation by the scene's own motion: Backward Euler in long steps takes the energy out of it,
// and Newton's method ends what comes to rest. The steps of the engine know slack, impacts and
// friction; where time itself moves things they lead nowhere.
#include <algorithm>
#include <cmath>

#include "hawser/integrator.h"
#include "integrate/static_search.h"

namespace hawser {
namespace {

constexpr int rounds = 9, steps_a_round = 40;
constexpr double first_step = 0.05, growth = 2;  ///< by a usual period, over 2 pi

/// True where nothing is a function of time.
bool stands_in_time(const ModelData& model) {
  const auto constant = [](const Signal& s) { return s.is_constant(); };
  const Mechanism& m = model.mechanism;
  return model.timed_loads.empty() &&
         std::all_of(model.fixed.begin(), model.fixed.end(),
                     [&](const FixedCoordinate& f) { return constant(f.value); }) &&
         std::all_of(model.conditions.begin(), model.conditions.end(),
                     [&](const ConditionRow& c) { return constant(c.value); }) &&
         std::all_of(model.moments.begin(), model.moments.end(),
                     [&](const MomentLoad& l) { return constant(l.strength); }) &&
         std::all_of(m.loads.begin(), m.loads.end(),
                     [&](const BodyLoad& l) { return constant(l.strength); }) &&
         std::all_of(m.motions.begin(), m.motions.end(),
                     [&](const auto& s) { return std::all_of(s.begin(), s.end(), constant); }) &&
         m.turns.empty() &&
         std::all_of(m.parts.begin(), m.parts.end(),
                     [&](const PartRow& p) { return constant(p.value); }) &&
         std::all_of(m.routes.begin(), m.routes.end(),
                     [&](const RouteData& r) { return constant(r.payout); }) &&
         std::none_of(m.rows.begin(), m.rows.end(), [](const RowInfo& r) { return r.velocity; });
}

/// The scene without what damps or moves it.
Scene let_go(Scene scene) {
  for (Cable& c : scene.cables) {
    c.section.axial_damping = c.section.bending_damping = {};
    c.velocity = c.angular_velocity = Vec3::Zero();
  }
  for (Body& b : scene.bodies) b.velocity = b.angular_velocity = Vec3::Zero();
  return scene;
}

/// What of a state is its shape.
void take_shape(const State& from, State& to) {
  to.q = from.q;
  to.orientation = from.orientation;
  to.twist = from.twist;
  to.run_length = from.run_length;
  to.wrap = from.wrap;
  to.activity = from.activity;
  to.multipliers = from.multipliers;
}

void stop(State& s) {
  std::fill(s.v.begin(), s.v.end(), 0);
  std::fill(s.a.begin(), s.a.end(), 0);
  std::fill(s.force.begin(), s.force.end(), 0);
  s.q_before = s.q;
  s.v_before = s.v;
  s.h_before = 0;
  s.axial_force_valid = false;
  s.factored.cq = 0;
}

}  // namespace

bool StaticSearch::fall() {
  if (!stands_in_time(model)) return false;
  const Model handle(let_go(model.scene));
  SolveOptions options;
  options.scheme = Scheme::backward_euler;
  options.energy_guard = 0;
  options.step = first_step / std::sqrt(usual_);
  State s = start_;
  for (auto* past : {&s.viscous, &s.viscous_force, &s.viscous_moment, &s.material_axes, &s.memory,
                     &s.memory_times})
    past->clear();
  stop(s);
  for (int round = 0; round < rounds; ++round) {
    Integrator integrator(handle, options);
    integrator.resume(s);
    Status status = Status::ok;
    for (int i = 0; i < steps_a_round && status == Status::ok; ++i) status = integrator.step(s);
    motion_steps_ += static_cast<int>(integrator.counters().steps);
    if (status != Status::ok) {  // the state is the last sound one: shorter steps from there
      options.step /= growth * growth * growth;
      stop(s);
      continue;
    }
    take_shape(s, system.state);
    system.axial = s.axial_force;
    if (moved() > 100 * (model.extent + model.total_length + 1)) return false;
    const Ending ending = end();
    if (ending == Ending::stable) return true;
    if (ending == Ending::unstable) {  // pushed off
      take_shape(system.state, s);
      stop(s);
    }
    options.step *= growth;
  }
  return false;
}

}  // namespace hawser
