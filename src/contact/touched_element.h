// An element of a cable as its contacts see it: where its points are and how the material moves
// there.
#pragma once

#include <optional>

#include "contact/cable_contact.h"
#include "loads/flow_state.h"

namespace hawser {

class TouchedElement {
 public:
  using Vec3 = Eigen::Vector3d;

  TouchedElement(const TouchingRun& run, int element, const double* q, const double* v)
      : run_(&run), element_(element), q_(q), e_(q + coordinate()), v_(v + coordinate()) {
    if (!run.flow) return;
    flow_.emplace(run.flow->batch(), element, q, v);
    growth_ = flow_->length / run.flow->run.length;
  }

  [[nodiscard]] int number() const { return element_; }  ///< in its run
  /// The first coordinate of the element.
  [[nodiscard]] int coordinate() const { return node_size * (run_->first_node + element_); }
  /// The unstretched length that a point stands for [m].
  [[nodiscard]] double weight() const { return growth_ * run_->spacing; }
  [[nodiscard]] Vec3 place(const TouchPoint& p) const { return sum(p, e_); }
  [[nodiscard]] Vec3 velocity(const TouchPoint& p) const { return sum(p, flow_ ? flow_->w : v_); }

  /// How far the cable has run past a point since the coordinates were q_start.
  [[nodiscard]] Vec3 run_past(const TouchPoint& p, const double* q_start) const {
    if (!flow_ || q_start == nullptr || q_start == q_) return Vec3::Zero();
    const double here = flow_->p[0] + p.xi * flow_->length;
    Vec3 slope = Vec3::Zero();
    for (int k = 0; k < 4; ++k)
      slope += p.dn[static_cast<size_t>(k)] / (k % 2 ? 1 : growth_) * part(e_, k);
    return (run_->arc(q_start, element_, p.xi) - here) * slope;
  }

  /// Adds a force at a point to those by coordinate.
  void spread(const TouchPoint& p, const Vec3& force, double* out) const {
    double f[2 * node_size];
    for (int k = 0; k < 4; ++k) Eigen::Map<Vec3>(f + 3 * k) = share(p, k) * force;
    if (flow_) return spread_flow(run_->flow->batch(), element_, *flow_, f, out);
    for (int i = 0; i < 2 * node_size; ++i) out[coordinate() + i] += f[i];
  }
  /// Of node k in the place of a point, of its position (even k) or its slope [-, m].
  [[nodiscard]] double share(const TouchPoint& p, int k) const {
    return p.n[static_cast<size_t>(k)] * (k % 2 ? growth_ : 1);
  }

  /// Adds a matrix over the coordinates of the element, columns first.
  void add_block(const double block[144], const MatrixSink& sink) const {
    if (flow_) return add_flow_block(run_->flow->batch(), element_, *flow_, block, sink);
    add_element_block(sink, run_->first_element + element_, run_->first_node + element_, block);
  }
  /// Adds what couples a body with the flows. `by_node`: what couples it with the nodes of the
  /// element, rows of the body, columns first.
  void add_flows_by_body(const std::array<const double*, 2>& by_node, int body_node,
                         const MatrixSink& sink) const {
    if (!flow_) return;
    const FlowBatch& batch = run_->flow->batch();
    for (const int end : {0, 1})
      for_flows(batch, element_ + end, [&](int scalar, double of_end) {
        for (int i = 0; i < node_size; ++i) {
          double entry = 0;
          for (int j = 0; j < 2 * node_size; ++j)
            entry += by_node[static_cast<size_t>(j / node_size)][node_size * (j % node_size) + i] *
                     flow_->D[end][j];
          add_border(sink, scalar, node_size * body_node + i, of_end * entry, of_end * entry);
        }
      });
  }

 private:
  static Eigen::Map<const Vec3> part(const double* of, int k) {
    return Eigen::Map<const Vec3>(of + 3 * k);
  }
  [[nodiscard]] Vec3 sum(const TouchPoint& p, const double* of) const {
    Vec3 out = Vec3::Zero();
    for (int k = 0; k < 4; ++k)
      if (p.n[static_cast<size_t>(k)] != 0) out += share(p, k) * part(of, k);
    return out;
  }

  const TouchingRun* run_;
  int element_;
  const double *q_, *e_, *v_;
  double growth_ = 1;
  std::optional<FlowState> flow_;
};

}  // namespace hawser
