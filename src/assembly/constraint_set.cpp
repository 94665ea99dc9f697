#include "assembly/constraint_set.h"

#include <algorithm>

namespace hawser {

ConstraintSet::ConstraintSet(const ModelData& model)
    : poses(model.mechanism.bodies, model.mechanism.motions, model.mechanism.turns),
      model_(model),
      joints_(model.mechanism.rows, model.mechanism.parts, model.mechanism.angles,
              model.structure.pairs),
      routes_(model.scene, model.mechanism.rows, model.mechanism.routes, model.structure.pairs),
      constraints_{&joints_, &routes_} {
  const Mechanism& m = model.mechanism;
  phi.assign(m.rows.size(), 0);
  rate = phi;
  G.assign(static_cast<size_t>(m.entries), 0);
  wrap = m.wrap;
  twist.assign(m.routes.size(), 0);
  run_span = run_left = m.run_length;
  wrap_angle.assign(static_cast<size_t>(m.rubs), 0);
}

bool ConstraintSet::evaluate(const double* q, double t, const State& state, double ahead) {
  fault.clear();
  const RowsAt at{state.at(t), q, state, poses};
  poses.update(q, at, ahead, state.orientation);
  return std::all_of(constraints_.begin(), constraints_.end(),
                     [&](Constraint* constraint) { return constraint->evaluate(at, *this); });
}

void ConstraintSet::add_curvature(const double* q, const double* lambda, double weight,
                                  const MatrixSink& sink) const {
  for (const Constraint* constraint : constraints_)
    constraint->add_curvature(q, poses, lambda, weight, sink);
}

void ConstraintSet::turn_angles(const double* d, std::vector<double>& wrap_of) const {
  for (const Constraint* constraint : constraints_) constraint->turn_angles(d, wrap_of);
}

double ConstraintSet::turned(const double* d) const {
  double most = 0;
  for (const Constraint* constraint : constraints_) most = std::max(most, constraint->turned(d));
  return most;
}

bool ConstraintSet::ending(const double* v, double h) {
  for (const Constraint* constraint : constraints_) {
    fault = constraint->ending(v, h, poses);
    if (!fault.empty()) return true;
  }
  return false;
}

double ConstraintSet::times(int row, const double* v) const {
  const RowInfo& info = model_.mechanism.rows[static_cast<size_t>(row)];
  const double* g = G.data() + info.first_entry;
  double sum = 0;
  for (const int node : info.nodes)
    for (int k = 0; k < node_size; ++k) sum += *g++ * v[node_size * node + k];
  return sum;
}

void ConstraintSet::add_force(const double* lambda, double factor, double* out) const {
  const auto& rows = model_.mechanism.rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    const double s = factor * lambda[r];
    if (s == 0) continue;
    const double* g = G.data() + rows[r].first_entry;
    for (const int node : rows[r].nodes)
      for (int k = 0; k < node_size; ++k) out[node_size * node + k] += s * *g++;
  }
}

}  // namespace hawser
