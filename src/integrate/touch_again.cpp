#include "integrate/touch_again.h"

#include <Eigen/LU>
#include <algorithm>

namespace hawser {

TouchAgain::TouchAgain(const ModelData& model, ConstraintSet& rows) : model_(model), rows_(rows) {
  const auto end = [](int first_row, int last_row, int node, int flow, double share, int wrap) {
    const int r = node_size * node;
    return End{
        {first_row, first_row + 1, first_row + 2, last_row}, {r, r + 1, r + 2, flow}, share, wrap};
  };
  const std::vector<ArcData>& arcs = model.mechanism.arcs;
  for (const ArcData& arc : arcs)
    for (const int i : {0, 1}) {
      if (arc.off() || !(arc.radius > 0) || arc.beside[i] < 0) continue;
      const int first = arc.row - arc.rows_before();
      ends_.push_back(end(first + 3 * i, arc.rub < 0 ? arc.row : arc.row + i, arc.nodes[i],
                          arc.flows[i], arc.rub < 0 ? 0.5 : 1, arc.wrap + i));
      ends_.back().arc = static_cast<int>(&arc - arcs.data());
    }
  for (const DrumEndData& drum : model.mechanism.drum_ends)
    if (drum.beside >= 0)
      ends_.push_back(end(drum.row, drum.supply_row(), drum.node, drum.flow, 1, drum.wrap));
}

TouchAgain::Four TouchAgain::change(const End& end, const Four& by) const {
  Eigen::Matrix4d G = Eigen::Matrix4d::Zero();
  for (int k = 0; k < 4; ++k) {
    const RowInfo& info = model_.rows[static_cast<size_t>(end.rows[static_cast<size_t>(k)])];
    for (size_t i = 0; i < info.coordinates.size(); ++i)
      for (int j = 0; j < 4; ++j)
        if (info.coordinates[i] == end.coordinates[static_cast<size_t>(j)])
          G(k, j) += rows_.G[static_cast<size_t>(info.first_entry) + i];
  }
  return G.partialPivLu().solve(by);
}

void TouchAgain::place(State& state) {
  constexpr int most = 30;
  constexpr double enough = 1e-12;  // of the extent of the model
  std::vector<double> kept;         // value of the last row of each end
  for (int i = 0; !ends_.empty() && i < most; ++i) {
    if (!rows_.evaluate(state.q.data(), state.t, state)) return;
    double largest = 0;
    std::vector<Four> changes;
    for (size_t k = 0; k < ends_.size(); ++k) {
      const End& end = ends_[k];
      const auto phi = [&](size_t row) { return rows_.phi[static_cast<size_t>(end.rows[row])]; };
      if (i == 0) kept.push_back(phi(3));
      const Four by(-phi(0), -phi(1), -phi(2), end.share * (kept[k] - phi(3)));
      largest = std::max(largest, by.cwiseAbs().maxCoeff());
      changes.push_back(change(end, by));
      const auto wrap = static_cast<size_t>(end.wrap);
      state.wrap[wrap] = rows_.wrap[wrap];
    }
    if (largest < enough * model_.extent) return;
    for (size_t k = 0; k < ends_.size(); ++k)
      for (size_t j = 0; j < 4; ++j)
        state.q[static_cast<size_t>(ends_[k].coordinates[j])] += changes[k][static_cast<int>(j)];
  }
}

void TouchAgain::move(State& state, const PulleyChanges* pulleys) {
  if (ends_.empty() || !rows_.evaluate(state.q.data(), state.t, state)) return;
  for (const End& end : ends_) {
    if (end.arc >= 0 && pulleys != nullptr && pulleys->lands_on(static_cast<size_t>(end.arc)))
      continue;
    const auto rate = [&](size_t row) {
      return rows_.rate_of(static_cast<size_t>(end.rows[row]), state.v.data());
    };
    const Four by = change(end, {-rate(0), -rate(1), -rate(2), 0});
    for (size_t j = 0; j < 4; ++j)
      state.v[static_cast<size_t>(end.coordinates[j])] += by[static_cast<int>(j)];
  }
}

}  // namespace hawser
