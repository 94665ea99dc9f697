#include "integrate/pulley_changes.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace hawser {

PulleyChanges::PulleyChanges(const ModelData& from, const ModelData& to) : to_(to) {
  for (size_t i = 0; i < to.mechanism.arcs.size(); ++i) {
    const ArcData &was = from.mechanism.arcs[i], &is = to.mechanism.arcs[i];
    if (is.off() && !was.off()) off_.push_back({&was, &is});
    if (was.off() && !is.off()) landed_.push_back({&was, &is});
  }
}

bool PulleyChanges::lands_on(size_t arc) const {
  return std::any_of(landed_.begin(), landed_.end(),
                     [&](const Change& change) { return change.is == &to_.mechanism.arcs[arc]; });
}

std::vector<const ArcData*> PulleyChanges::joined_arcs() const {
  std::vector<const ArcData*> out;
  for (const Change& change : off_)
    if (!change.is->out) out.push_back(change.was);
  return out;
}

/// With pB - pA = 2 d, which is below zero where the step went too far, the cable at the mean of pA
/// and pB is at r_A + d g_A and, from the other side, at r_B - d g_B.
std::vector<double> PulleyChanges::joined(std::vector<double> q) const {
  using Map = Eigen::Map<Vec3>;
  for (const ArcData* joined_arc : joined_arcs()) {
    const ArcData& arc = *joined_arc;
    double &pA = q[static_cast<size_t>(arc.flows[0])], &pB = q[static_cast<size_t>(arc.flows[1])];
    const double d = (pB - pA) / 2;
    pA = pB = (pA + pB) / 2;
    double *a = q.data() + node_size * arc.nodes[0], *b = q.data() + node_size * arc.nodes[1];
    Map rA(a), rB(b);
    const bool straight = arc.beside[0] >= 0;
    const auto slope = [&](size_t end) {
      const Vec3 along = arc.direction(end, q.data());
      return straight ? Vec3(along.normalized()) : along;
    };
    const Vec3 gA = slope(0), gB = slope(1), r = (rA + rB + d * (gA - gB)) / 2;
    rA = rB = r;
    if (straight) continue;
    Map(a + 3) = (gA.norm() + gB.norm()) / 2 * (gA + gB).normalized();
    Map(b + 3) = Map(a + 3);
  }
  return q;
}

void PulleyChanges::stop_flows(std::vector<double>& rates) const {
  for (const auto* changes : {&off_, &landed_})
    for (const Change& change : *changes)
      for (const int flow : change.is->flows) rates[static_cast<size_t>(flow)] = 0;
}

void PulleyChanges::start_flows(std::vector<double>& q) const {
  for (const Change& change : landed_)
    for (const int flow : change.is->flows)
      q[static_cast<size_t>(flow)] = to_.q0[static_cast<size_t>(flow)];
}

void PulleyChanges::land(const ArcData& arc, const Poses& poses, State& state) const {
  using Map = Eigen::Map<Vec3>;
  const Vec3 centre = poses.point(arc.centre, state.q.data()).value,
             axis = poses.direction(arc.axis, state.q.data()).value;
  for (const int node : arc.nodes) {
    Map r(state.q.data() + node_size * node), g(state.q.data() + node_size * node + 3);
    const Vec3 from = r - centre, n = (from - axis.dot(from) * axis).normalized();
    const double stretch = g.norm();
    r = centre + arc.radius * n;
    if (arc.beside[0] < 0) g = stretch * (g - n.dot(g) * n).normalized();
  }
  double* moved = state.wrap.data() + arc.wrap;
  moved[0] = ArcPlace(arc, state.q.data(), poses, state.wrap).moved[0];
  moved[1] = moved[0] - arc.angle;  // theta = 0
  if (arc.rub < 0) return;
  const double at = state.q[static_cast<size_t>(arc.flows[0])];
  const double turned = arc.turn < 0 ? 0 : state.q[static_cast<size_t>(arc.turn)];
  const double middle = at + arc.radius * (arc.angle / 2 - moved[0] + turned);
  state.run_length[static_cast<size_t>(arc.run)] = middle;
  state.run_length[static_cast<size_t>(arc.run) + 1] = -middle;
  state.run_length[static_cast<size_t>(arc.run) + 2] = 0;
}

void PulleyChanges::land(const Poses& poses, State& state) const {
  for (const Change& change : landed_) land(*change.is, poses, state);
}

void PulleyChanges::finish(State& state) const {
  if (!any()) return;
  const auto begin_row = [&](size_t row, int activity) {
    state.multipliers[row] = state.row_rates[row] = state.row_largest[row] = 0;
    state.row_omega[row] = 0;
    state.activity[row] = activity;
    state.impacts[row] = {};
    state.oscillations[row] = {};
  };
  for (const auto* changes : {&off_, &landed_})
    for (const Change& change : *changes) {
      const ArcData& arc = *change.is;
      for (int r = arc.row - arc.rows_before(); r < arc.row + arc.rows(); ++r)
        begin_row(static_cast<size_t>(r), arc.off() ? 0 : 1);
      if (arc.rub >= 0) state.activity[to_.rows.size() + static_cast<size_t>(arc.rub)] = 0;
    }
  state.rates_jumped = true;
}

}  // namespace hawser
