#include "loads/flow_surroundings.h"

#include <algorithm>

#include "elements/element_block.h"

namespace hawser {
namespace {

/// An element at q, moving with v: its coordinates, its columns and the velocities of its material.
struct FlowState {
  const double* e;
  double length, D[2][12], w[12];

  FlowState(const FlowBatch& batch, int element, const double* q, const double* v)
      : e(q + node_size * (batch.ancf.first_node + element)) {
    double p[2], rate[2];
    for (const size_t i : {0u, 1u}) {
      const FlowNode& node = batch.nodes[static_cast<size_t>(element) + i];
      const int at = batch.first_scalar_at + node.scalar;
      p[i] = node.base + (node.scalar < 0 ? 0 : q[at]);
      rate[i] = node.scalar < 0 ? 0 : v[at];
    }
    length = p[1] - p[0];
    flow_columns(e, length, D[0], D[1]);
    const double* own = v + node_size * (batch.ancf.first_node + element);
    for (int i = 0; i < 12; ++i) w[i] = own[i] + rate[0] * D[0][i] + rate[1] * D[1][i];
  }
};

double product(const double a[12], const double b[12]) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += a[i] * b[i];
  return sum;
}

void spread(const FlowBatch& batch, int element, const FlowState& at, const double f[12],
            double* out) {
  double* to = out + node_size * (batch.ancf.first_node + element);
  for (int i = 0; i < 12; ++i) to[i] += f[i];
  for (const size_t end : {0u, 1u})
    if (const int scalar = batch.nodes[static_cast<size_t>(element) + end].scalar; scalar >= 0)
      out[batch.first_scalar_at + scalar] += product(at.D[end], f);
}

void add_flow_block(const FlowBatch& batch, int element, const FlowState& at,
                    const double block[144], const MatrixSink& sink) {
  const int first = batch.ancf.first_node + element;
  add_element_block(sink, batch.ancf.first_element + element, first, block);
  for (const size_t end : {0u, 1u}) {
    const int scalar = batch.nodes[static_cast<size_t>(element) + end].scalar;
    if (scalar < 0) continue;
    double column[12] = {}, row[12];
    for (int j = 0; j < 12; ++j) {
      row[j] = product(at.D[end], block + 12 * j);
      for (int i = 0; i < 12; ++i) column[i] += block[12 * j + i] * at.D[end][j];
    }
    for (int i = 0; i < 12; ++i) add_border(sink, scalar, node_size * first + i, column[i], row[i]);
    for (const size_t other : {0u, 1u})
      if (const int beside = batch.nodes[static_cast<size_t>(element) + other].scalar; beside >= 0)
        add_corner(sink, beside, scalar, product(at.D[other], column));
  }
}

Surroundings sized(const Surroundings& like, double length) {
  Surroundings out(length, true);
  std::copy_n(like.normal, 3, out.normal);
  out.height = like.height;
  out.ground = like.ground;
  std::copy_n(like.flow, 3, out.flow);
  out.drag = like.drag;
  return out;
}

}  // namespace

Facts FlowSurroundings::facts() const {
  Facts out;
  out.ahead = out.by_velocity = true;
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
      spread(batch, e, now, force, sums.force);
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
      spread(batch, e, now, force, out);
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

}  // namespace hawser
