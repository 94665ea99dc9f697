#include "loads/flow_surroundings.h"

#include <algorithm>

#include "loads/flow_state.h"

namespace hawser {
namespace {

Surroundings sized(const Surroundings& like, double length) {
  Surroundings out(length, like.slopes);
  std::copy_n(like.normal, 3, out.normal);
  out.height = like.height;
  out.ground = like.ground;
  std::copy_n(like.flow, 3, out.flow);
  out.drag = like.drag;
  out.added_mass = like.added_mass;
  return out;
}

}  // namespace

Facts FlowSurroundings::facts() const {
  Facts out;
  out.by_velocity = out.lossy = true;
  out.stiff = out.ahead = stiff_;
  return out;
}

void FlowSurroundings::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const SurroundingsWeights weights{wanted.stiffness_weight, wanted.damping_weight,
                                    wanted.load_factor, false};
  const bool matrix =
      wanted.matrix() && (wanted.stiffness_weight != 0 || wanted.damping_weight != 0);
  for (const SurroundedFlow& run : runs_) {
    const FlowBatch& batch = run.elements->batch();
    for (int e = 0; e < batch.ancf.elements; ++e) {
      const FlowState now(batch, e, at.q, at.v), ahead(batch, e, at.q_ahead, at.v_ahead);
      double force[12] = {}, block[144] = {};
      const bool any =
          add_surroundings(sized(run.surroundings, now.length), {now.e, now.w, ahead.e, ahead.w},
                           weights, force, matrix ? block : nullptr);
      spread_flow(batch, e, now, force, sums.force);
      if (matrix && any) add_flow_block(batch, e, now, block, sums.sink);
    }
  }
}

void FlowSurroundings::add_lossy(const Configuration& at, double*, double* out) const {
  for (const SurroundedFlow& run : runs_) {
    const FlowBatch& batch = run.elements->batch();
    for (int e = 0; e < batch.ancf.elements; ++e) {
      const FlowState now(batch, e, at.q, at.v), ahead(batch, e, at.q_ahead, at.v_ahead);
      double force[12] = {};
      add_lossy_force(sized(run.surroundings, now.length), {now.e, now.w, ahead.e, ahead.w}, force);
      spread_flow(batch, e, now, force, out);
    }
  }
}

void FlowSurroundings::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const SurroundedFlow& run : runs_) {
    if (!(run.surroundings.ground.stiffness > 0)) continue;
    const FlowBatch& batch = run.elements->batch();
    for (int e = 0; e < batch.ancf.elements; ++e) {
      const FlowState now(batch, e, at.q, at.v);
      out.gravity += ground_energy(sized(run.surroundings, now.length), now.e);
    }
  }
}

/// The accelerations that the rates bring about are on the side of the forces.
void FlowAddedMass::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const bool matrix = wanted.matrix() && wanted.mass_weight != 0;
  for (const SurroundedFlow& run : runs_) {
    const FlowBatch& batch = run.elements->batch();
    for (int e = 0; e < batch.ancf.elements; ++e) {
      const FlowState here(batch, e, at.q_ahead, at.v_ahead);
      const Surroundings s = sized(run.surroundings, here.length);
      double c[12], on_c[12] = {}, block[144];
      flow_convection(batch.parameters, here.e, here.v, here.length, here.rate[0], here.rate[1], c);
      add_added_mass(s, here.e, c, wanted.mass_weight, on_c, matrix ? block : nullptr);
      for (double& f : on_c) f = -f;
      spread_flow(batch, e, here, on_c, sums.force);
      if (matrix) add_flow_block(batch, e, here, block, sums.sink);
    }
  }
  if (wanted.b) add_mass_times(at.q_ahead, wanted.b, sums.inertia);
}

void FlowAddedMass::add_mass_times(const double* q, const double* b, double* out) const {
  for (const SurroundedFlow& run : runs_) {
    const FlowBatch& batch = run.elements->batch();
    for (int e = 0; e < batch.ancf.elements; ++e) {
      const FlowState here(batch, e, q, b);
      double product[12] = {};
      add_added_mass(sized(run.surroundings, here.length), here.e, here.w, 0, product, nullptr);
      spread_flow(batch, e, here, product, out);
    }
  }
}

/// With the kinetic energy per metre of the added mass that enters and leaves at the ends.
void FlowAddedMass::add_lossy(const Configuration& at, double*, double* out) const {
  for (const SurroundedFlow& run : runs_) {
    const FlowBatch& batch = run.elements->batch();
    for (int e = 0; e < batch.ancf.elements; ++e) {
      const FlowState here(batch, e, at.q, at.v);
      double turning[12] = {};
      add_turning_mass(sized(run.surroundings, here.length), here.e, here.w, turning);
      spread_flow(batch, e, here, turning, out);
      for (const int end : {0, 1}) {
        double slope[3];
        flow_slope(batch.parameters, end, here.e, here.length, slope);
        const Stream<double> moving = stream_past(course_of(slope), here.w + 6 * end);
        const double crossing = run.surroundings.added_mass * moving.across * moving.across / 2;
        for_flows(batch, e + end, [&](int scalar, double share) {
          out[batch.first_scalar_at + scalar] += (end == 0 ? -share : share) * crossing;
        });
      }
    }
  }
}

void FlowAddedMass::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const SurroundedFlow& run : runs_) {
    const FlowBatch& batch = run.elements->batch();
    for (int e = 0; e < batch.ancf.elements; ++e) {
      const FlowState here(batch, e, at.q, at.v);
      double product[12] = {};
      add_added_mass(sized(run.surroundings, here.length), here.e, here.w, 0, product, nullptr);
      out.kinetic += inner12(here.w, product) / 2;
    }
  }
}

}  // namespace hawser
