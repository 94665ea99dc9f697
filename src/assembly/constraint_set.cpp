#include "assembly/constraint_set.h"

#include <Eigen/Core>
#include <algorithm>

namespace hawser {
namespace {

/// See ConstraintSet::sixes_.
std::pair<int, int> sixes(const std::vector<int>& coordinates) {
  const size_t n = coordinates.size();
  if (n != node_size && n != 2 * node_size) return {-2, -2};
  for (size_t i = 0; i < n; ++i)
    if (coordinates[i] != coordinates[i - i % node_size] + static_cast<int>(i % node_size))
      return {-2, -2};
  return {coordinates[0], n > node_size ? coordinates[node_size] : -1};
}

double six_products(const double* a, const double* b) {
  using Six = Eigen::Map<const Eigen::Matrix<double, node_size, 1>>;
  return Six(a).dot(Six(b));
}

}  // namespace

ConstraintSet::ConstraintSet(const ModelData& model)
    : poses(model.mechanism.bodies, model.mechanism.motions, model.mechanism.turns), model_(model) {
  for (const auto& constraint : model.constraints) {
    constraints_.push_back(constraint->copy(model.structure.pairs));
    constraints_.back()->prepare(model.rows);
    const auto prescribed = constraint->held();
    held.insert(held.end(), prescribed.begin(), prescribed.end());
  }
  std::sort(held.begin(), held.end(), [](const HeldCoordinate& a, const HeldCoordinate& b) {
    return a.coordinate < b.coordinate;
  });
  for (const RowInfo& row : model.rows) {
    first_entry_.push_back(static_cast<int>(coordinate_.size()));
    coordinate_.insert(coordinate_.end(), row.coordinates.begin(), row.coordinates.end());
    const auto six = sixes(row.coordinates);
    sixes_.insert(sixes_.end(), {six.first, six.second});
  }
  first_entry_.push_back(static_cast<int>(coordinate_.size()));
  const Mechanism& m = model.mechanism;
  phi.assign(model.rows.size(), 0);
  rate = second = phi;
  G.assign(static_cast<size_t>(model.entries), 0);
  wrap = m.wrap;
  bends = m.bends;
  twist.assign(m.routes.size(), 0);
  run_span = run_left = m.run_length;
  off_drums = limit = phi;
  wrap_angle.assign(model.rubs.size(), 0);
}

bool ConstraintSet::evaluate(const double* q, double t, const State& state, double ahead) {
  fault.clear();
  began = state.t;
  const RowsAt at{state.at(t), q, state, poses, model_.rows};
  poses.update(q, at, ahead, state.orientation);
  return std::all_of(constraints_.begin(), constraints_.end(),
                     [&](const auto& constraint) { return constraint->evaluate(at, *this); });
}

void ConstraintSet::add_curvature(const double* q, const double* lambda, double weight,
                                  const MatrixSink& sink) const {
  for (const auto& constraint : constraints_)
    constraint->add_curvature(q, poses, lambda, weight, sink);
}

void ConstraintSet::clear_held(std::vector<double>& by_coordinate) const {
  for (const HeldCoordinate& c : held) by_coordinate[static_cast<size_t>(c.coordinate)] = 0;
}

double ConstraintSet::jump_after(const State& state, double time) const {
  double first = HUGE_VAL;
  for (const auto& constraint : constraints_)
    first = std::min(first, constraint->jump_after(state, time));
  return first;
}

void ConstraintSet::start(State& state) const {
  for (const auto& constraint : constraints_) constraint->start(*this, state);
}

double ConstraintSet::accept(const TakenStep& step, State& state) const {
  state.wrap = wrap;
  double work = 0;
  for (const auto& constraint : constraints_) work += constraint->accept(step, state);
  return work;
}

double ConstraintSet::turned(const double* d) const {
  double most = 0;
  for (const auto& constraint : constraints_) most = std::max(most, constraint->turned(d));
  return most;
}

double ConstraintSet::time_left(const State& state) const {
  double first = HUGE_VAL;
  for (const auto& constraint : constraints_) first = std::min(first, constraint->time_left(state));
  return first;
}

bool ConstraintSet::ending(const double* q, const double* v, double h) {
  for (const auto& constraint : constraints_) {
    fault = constraint->ending(q, v, h, poses);
    if (!fault.empty()) return true;
  }
  return false;
}

double ConstraintSet::times(int row, const double* v) const {
  const auto [first, last] = entries(static_cast<size_t>(row));
  const int* six = sixes_.data() + 2L * row;
  if (six[0] >= 0) {
    const double* g = G.data() + first;
    const double one = six_products(g, v + six[0]);
    return six[1] < 0 ? one : one + six_products(g + node_size, v + six[1]);
  }
  double sum = 0;
  for (int i = first; i < last; ++i)
    sum += G[static_cast<size_t>(i)] * v[coordinate_[static_cast<size_t>(i)]];
  return sum;
}

void ConstraintSet::add_row(int row, double factor, double* out) const {
  const auto [first, last] = entries(static_cast<size_t>(row));
  const int* six = sixes_.data() + 2L * row;
  if (six[0] >= 0) {
    const double* g = G.data() + first;
    for (int k = 0; k < node_size; ++k) out[six[0] + k] += factor * g[k];
    if (six[1] < 0) return;
    for (int k = 0; k < node_size; ++k) out[six[1] + k] += factor * g[node_size + k];
    return;
  }
  for (int i = first; i < last; ++i)
    out[coordinate_[static_cast<size_t>(i)]] += factor * G[static_cast<size_t>(i)];
}

void ConstraintSet::add_force(const double* lambda, double factor, double* out) const {
  for (size_t r = 0; r < phi.size(); ++r)
    if (const double s = factor * lambda[r]; s != 0) add_row(static_cast<int>(r), s, out);
}

}  // namespace hawser
