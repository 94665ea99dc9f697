// General linear conditions,
//
//     Phi = sum_i f_i q_i - b(t),     Phi_t = -b',     Phi_tt = -b'',     G = f, no curvature
//
// over any coordinates: positions [m], slopes [-], scalars. The factors f are those of the rows
// (RowInfo::factors); lambda is the force on the condition [N], and f_i lambda that on q_i. They
// hold two cables together, a slope across a direction, a point on a plane.
#pragma once

#include "constraints/constraint.h"

namespace hawser {

class LinearRows final : public Constraint {
 public:
  struct Row {
    int row;
    Signal value;
  };
  explicit LinearRows(std::vector<Row> rows) : rows_(std::move(rows)) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<LinearRows>(*this);
  }
  void visit_signals(const std::function<void(const Signal&)>& use) const override {
    for (const Row& r : rows_) use(r.value);
  }
  bool evaluate(const RowsAt& at, RowValues& out) override {
    for (const Row& r : rows_) {
      const auto row = static_cast<size_t>(r.row);
      const RowInfo& info = at.rows[row];
      const Signal::Sample b = at.poses.sample(r.value, at);
      double value = 0;
      for (size_t i = 0; i < info.factors.size(); ++i) {
        value += info.factors[i] * at.q[info.coordinates[i]];
        out.G[static_cast<size_t>(info.first_entry) + i] = info.factors[i];
      }
      out.phi[row] = value - b.value;
      out.rate[row] = -b.rate;
      out.second[row] = -b.acceleration;
    }
    return true;
  }

 private:
  std::vector<Row> rows_;
};

}  // namespace hawser
