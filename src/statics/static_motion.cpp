// Relaxation by the scene's own motion: Backward Euler in long steps takes the energy out of it.
// The steps of the engine know slack, impacts and friction. Time stands still: functions of time
// keep their values.
#include <algorithm>
#include <cmath>
#include <limits>

#include "accounts/ledger.h"
#include "hawser/error.h"
#include "hawser/integrator.h"
#include "model/signals.h"
#include "statics/static_search.h"

namespace hawser {
namespace {

constexpr int most_motion_steps = 1000, steps_a_round = 20;
constexpr double first_step = 0.05, growth = 2;  ///< by a usual period, over 2 pi
constexpr double least_step = 1e-9;              ///< by the first
constexpr double most_turning = 0.3;             ///< in a step that may grow [rad]
constexpr double growing = 30;                   ///< first steps that a push takes to grow
constexpr double beyond_reach = 10;              ///< by what cables reach: without end

/// The scene as it is now for ever, without what damps or moves it. What is driven at a given rate
/// stays in place.
Scene let_go(Scene scene, const Instant& now) {
  std::vector<char> supplied;
  for (const Cable& c : scene.cables)
    supplied.push_back(c.model != CableModel::massless && !c.payout.is_constant());
  visit_signals(scene, [&now](SignalUse use, Signal& s, const auto&) {
    const bool moves = use == SignalUse::rate || use == SignalUse::slip;
    s = moves ? 0 : s.at(now).value;
  });
  for (DistributedForce& f : scene.distributed_forces) {
    if (!f.along) continue;
    const std::vector<InputMotion> inputs(now.inputs.begin(), now.inputs.end());
    f.along = {[along = f.along, t = now.t, inputs](double s) {
                 return Signal(along(s).at({t, inputs}).value);
               },
               f.along.kinks()};
  }
  for (size_t i = 0; i < scene.cables.size(); ++i) {  // winches stay, and stand still
    const double paid = scene.cables[i].payout.at(now).value;
    if (supplied[i])
      scene.cables[i].payout = Signal::function([paid](double) {
        return Signal::Sample{paid, 0, 0};
      });
  }
  for (Cable& c : scene.cables) {
    for (Section& s : c.sections) s.axial_damping = s.bending_damping = {};
    c.velocity = c.angular_velocity = Vec3::Zero();
  }
  for (Winch& w : scene.winches) {
    w.brake.emplace();
    w.brake->torque = std::numeric_limits<double>::infinity();
  }
  for (Input& input : scene.inputs) input.feedback.reset();
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
  to.bends = from.bends;
  to.activity = from.activity;
  to.multipliers = from.multipliers;
  to.contacts = from.contacts;
}

void stop(State& s) {
  std::fill(s.v.begin(), s.v.end(), 0);
  std::fill(s.a.begin(), s.a.end(), 0);
  std::fill(s.a_true.begin(), s.a_true.end(), 0);
  s.q_before = s.q;
  s.v_before = s.v;
  s.h_before = 0;
  s.axial_force_valid = false;
  s.factored.cq = 0;
}

}  // namespace

/// The scene let go, with the guests and on the mesh of the model; null: the start does not fit
/// what holds it at that time. Guests that depend on time go on in it.
std::shared_ptr<const ModelData> StaticSearch::let_go_model() {
  try {
    return compile(let_go(model.scene, start_.now()), model.guests, &model.mesh);
  } catch (const Error& error) {
    outcome = error.what();
    return nullptr;
  }
}

/// The same with cables as soft as they are now.
std::shared_ptr<const ModelData> StaticSearch::as_soft(const ModelData& other) const {
  std::vector<double> EA;
  for (const Fields* part : model.fields) EA.push_back(part->run.EA);
  auto out = std::make_shared<ModelData>(other);
  change_stiffness(*out, EA);
  return out;
}

/// Turns of cables and bodies, and speeds by the size of the scene [1/s].
double StaticSearch::motion_of(const State& state) const {
  double most = system.turn(state.v);
  for (int node = 0; node < model.nodes; ++node)
    most = std::max(most, state.velocity(node).norm() / size_);
  return most;
}

/// Steps of one length; false where one fails or may lead through a surface that a cable touches.
/// The state is then the last sound one.
bool StaticSearch::take_round(Integrator& integrator, State& s) {
  for (int i = 0; i < steps_a_round; ++i) {
    if (model.facts.remembers) before_step_ = s;
    if (integrator.step(s) != Status::ok) {
      outcome = "in relaxation, it " + integrator.failure().message();
      return false;
    }
    if (!model.facts.remembers) continue;
    take_shape(s, system.state);
    if (system.leap_from(before_step_) <= 1) continue;
    s = before_step_;
    outcome = "in relaxation, it moves too fast past what it touches";
    return false;
  }
  return true;
}

bool StaticSearch::fall(double quiet, double step) {
  const std::shared_ptr<const ModelData> alive = let_go_model();
  if (!alive) return false;
  const Model handle(as_soft(*alive));
  const double time = 1 / std::sqrt(usual_);
  SolveOptions options;
  options.scheme = Scheme::backward_euler;
  options.energy_guard = 0;
  options.step = step > 0 ? std::min(step, first_step * time) : first_step * time;
  const double shortest = least_step * options.step;
  const double until = start_.t + growing * step;
  State s = start_;
  for (auto* past : {&s.viscous, &s.viscous_force, &s.viscous_moment, &s.viscous_couple,
                     &s.material_axes, &s.memory, &s.memory_times})
    past->clear();
  s.books = Accounts(handle.data()).blank();
  take_shape(system.state, s);
  for (int steps = 0; steps < most_motion_steps && motion_steps_ < options_.relaxation_iterations;
       steps += steps_a_round) {
    stop(s);  // what spins freely would do so for ever
    Integrator integrator(handle, options);
    integrator.resume(s);
    const bool sound = take_round(integrator, s);
    motion_steps_ += static_cast<int>(integrator.counters().steps);
    take_shape(s, system.state);
    system.axial = s.axial_force;
    calm_ = system.state;
    if (!sound) {  // the state is the last sound one: shorter steps from there
      options.step /= growth * growth * growth;
      if (options.step < shortest) return false;
      continue;
    }
    const double moving = motion_of(s) * time;
    if (moving < quiet && s.t >= until) return true;
    outcome = "in relaxation, it does not come to rest";
    if (moved() > beyond_reach * reach()) {
      away = s.q;
      for (size_t i = 0; i < away.size(); ++i) away[i] -= start_.q[i];
      return false;
    }
    if (moving * options.step < most_turning * time) options.step *= growth;
  }
  return false;
}

}  // namespace hawser
