#include "hawser/measure.h"

#include <Eigen/Geometry>
#include <cmath>

#include "assembly/assembler.h"
#include "assembly/energy.h"

namespace hawser {
namespace {

using Vec4 = Eigen::Vector4d;

/// (r1, l r1', r2, l r2') of an element, a row a component.
Eigen::Matrix<double, 3, 4> element_coordinates(const std::vector<double>& a, int node, double l) {
  const double* p = a.data() + node_size * node;
  Eigen::Matrix<double, 3, 4> e;
  for (int i = 0; i < 3; ++i) e.row(i) << p[i], l * p[3 + i], p[6 + i], l * p[9 + i];
  return e;
}

double curvature_of(CurvatureMeasure measure, const Vec3& r1, const Vec3& r2) {
  if (measure == CurvatureMeasure::second_derivative) return r2.norm();
  const double power = measure == CurvatureMeasure::material ? 2 : 3;
  return r1.cross(r2).norm() / std::pow(r1.norm(), power);
}

CablePoint point_at(const AncfBatch& batch, const State& state, int element, int g, double xi) {
  const AncfParameters& par = batch.parameters;
  const double l = par.length;
  const int node = batch.first_node + element;
  const auto q = element_coordinates(state.q, node, l), v = element_coordinates(state.v, node, l);
  const std::array<double, 4> S = hermite_position(xi);
  const Vec4 shape(S[0], S[1], S[2], S[3]);
  CablePoint out;
  out.s = batch.arc_start + (element + xi) * l;
  out.position = q * shape;
  out.velocity = v * shape;
  const HermitePoint& p = par.axial[g];
  const Vec3 d = (q.col(2) - q.col(0)) / l, d1 = q.col(1) / l, d2 = q.col(3) / l;
  const Vec3 r1 = p.c[0] * d + p.c[1] * d1 + p.c[2] * d2;
  const Vec3 r2 = (p.c2[0] * d + p.c2[1] * d1 + p.c2[2] * d2) / l;
  const bool green = batch.strain == StrainMeasure::green;
  out.strain = green ? (r1.squaredNorm() - 1) / 2 : r1.norm() - 1;
  double N = par.law.force(out.strain);
  if (state.axial_force_valid) {
    const int at = batch.point_offset + 4 * (par.axial_points * (element / 4) + g) + element % 4;
    N = state.axial_force[static_cast<size_t>(at)];
    out.strain = N / par.law.axial_tangent();
  }
  out.tension = green ? N * r1.norm() : N;  // the force is N eps_r'
  out.curvature = curvature_of(batch.curvature, r1, r2);
  out.moment = par.law.bending() * out.curvature;
  return out;
}

}  // namespace

std::vector<CablePoint> profile(const Model& model, const State& state, int cable) {
  const CableSpan& span = model.data().cables.at(static_cast<size_t>(cable));
  std::vector<CablePoint> points;
  for (const AncfBatch& batch : model.data().batches_of(span))
    for (int e = 0; e < batch.elements; ++e)
      for (int g = 0; g < batch.parameters.axial_points; ++g) {
        const HermitePoint& point = batch.parameters.axial[g];
        const double xi = (1 + (point.c[2] - point.c[1])) / 2;  // q - p = 2 xi - 1
        points.push_back(point_at(batch, state, e, g, xi));
      }
  return points;
}

Energy energy(const Model& model, const State& state) {
  const EnergyParts parts = energy_of(model.data(), state);
  return {parts.kinetic, parts.axial, parts.bending, parts.gravity, state.work};
}

Momentum momentum(const Model& model, const State& state) {
  Assembler assembler(model.data());
  assembler.mass_times(state.v.data());
  Momentum out;
  const auto vec = [](const std::vector<double>& a, int i) {
    return Vec3(Eigen::Map<const Vec3>(a.data() + i));
  };
  for (int n = 0; n < model.nodes(); ++n) {
    const int at = node_size * n;  // translations move r alone, rotations turn r and r'
    out.linear += vec(assembler.inertia, at);
    out.angular += vec(state.q, at).cross(vec(assembler.inertia, at)) +
                   vec(state.q, at + 3).cross(vec(assembler.inertia, at + 3));
  }
  return out;
}

Reaction reaction(const Model& model, const State& state, const Place& at) {
  const ModelData& data = model.data();
  const int first = node_size * find_node(data, at, "reaction");
  Eigen::Matrix<double, 6, 1> force = Eigen::Matrix<double, 6, 1>::Zero();
  for (size_t k = 0; k < data.fixed.size(); ++k) {
    const int c = data.fixed[k].coordinate - first;
    if (c >= 0 && c < node_size) force[c] += state.fixed_reaction[k];
  }
  for (size_t r = 0; r < data.conditions.size(); ++r)
    for (const auto& [coordinate, factor] : data.conditions[r].terms) {
      const int c = coordinate - first;
      if (c >= 0 && c < node_size) force[c] += factor * state.multipliers[r];
    }
  const Vec3 slope = Eigen::Map<const Vec3>(state.q.data() + first + 3);
  return {force.head<3>(), slope.cross(Vec3(force.tail<3>()))};
}

}  // namespace hawser
