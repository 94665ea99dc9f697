#include "loads/surroundings.h"

#include <algorithm>

#include "elements/hermite.h"
#include "math/quadrature.h"

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d interpolate(const double shape[4], const double* x) {
  Vector3d out = Vector3d::Zero();
  for (int k = 0; k < 4; ++k) out += shape[k] * Eigen::Map<const Vector3d>(x + 3 * k);
  return out;
}

double depth_of(const Surroundings& s, const ShapePoint& point, const double* q) {
  return s.height - s.normal.dot(interpolate(point.n, q));
}
double sinking_of(const Surroundings& s, const ShapePoint& point, const double* v) {
  return -s.normal.dot(interpolate(point.n, v));
}

Footing footing_at(const Surroundings& s, const ShapePoint& point, const double* q,
                   const double* v) {
  return footing(s.ground, depth_of(s, point, q), sinking_of(s, point, v));
}

DragPoint drag_at(const Surroundings& s, const ShapePoint& point, const double* q,
                  const double* v) {
  return drag_point(s.drag, interpolate(point.dn, q), s.flow - interpolate(point.n, v));
}

void add(const ShapePoint& point, const Vector3d& per_metre, double force[12]) {
  for (int k = 0; k < 4; ++k)
    Eigen::Map<Vector3d>(force + 3 * k) += point.w * point.n[k] * per_metre;
}

}  // namespace

std::array<ShapePoint, Surroundings::point_count> shape_points(double length, bool slopes) {
  std::array<ShapePoint, Surroundings::point_count> out{};
  const std::vector<GaussPoint> rule = gauss_rule(Surroundings::point_count);
  for (size_t g = 0; g < out.size(); ++g) {
    const double x = rule[g].x;
    out[g] = {length * rule[g].w, {1 - x, 0, x, 0}, {-1 / length, 0, 1 / length, 0}};
    if (!slopes) continue;
    const std::array<double, 4> n = hermite_position(x);
    const HermitePoint d = hermite_point(x, 0);
    for (size_t k = 0; k < 4; ++k) out[g].n[k] = n[k] * (k % 2 ? length : 1);
    out[g].dn[0] = -d.c[0] / length;
    out[g].dn[1] = d.c[1];
    out[g].dn[2] = d.c[0] / length;
    out[g].dn[3] = d.c[2];
  }
  return out;
}

void add_surroundings_force(const Surroundings& s, const ElementMotion& at, double factor,
                            double force[12]) {
  for (const ShapePoint& point : s.points) {
    Vector3d f = Vector3d::Zero();
    if (s.drag.any()) {
      const DragPoint drag = drag_at(s, point, at.q_ahead, at.v_ahead);
      const Vector3d beyond = interpolate(point.n, at.v) - interpolate(point.n, at.v_ahead);
      f += factor * (drag.force - drag.by_velocity * beyond);
    }
    if (s.ground.stiffness > 0) {
      const Footing on = footing_at(s, point, at.q_ahead, at.v_ahead);
      if (on != Footing::clear)
        f += ground_push(s.ground, on, depth_of(s, point, at.q), sinking_of(s, point, at.v)) *
             s.normal;
    }
    add(point, f, force);
  }
}

void add_lossy_force(const Surroundings& s, const double* q, const double* v, double factor,
                     double force[12]) {
  for (const ShapePoint& point : s.points) {
    Vector3d f = Vector3d::Zero();
    if (s.drag.any()) f += drag_at(s, point, q, v).force;
    if (s.ground.damping > 0) {
      const double depth = depth_of(s, point, q);
      const double push =
          ground_push(s.ground, footing_at(s, point, q, v), depth, sinking_of(s, point, v));
      f += (push - s.ground.stiffness * std::max(depth, 0.0)) * s.normal;
    }
    add(point, factor * f, force);
  }
}

bool surroundings_matrix(const Surroundings& s, const ElementMotion& at,
                         const SurroundingsWeights& weights, double block[144]) {
  bool any = s.drag.any();
  std::array<Footing, Surroundings::point_count> on{};
  for (size_t g = 0; g < on.size(); ++g) {
    on[g] = s.ground.stiffness > 0 ? footing_at(s, s.points[g], at.q_ahead, at.v_ahead)
                                   : Footing::clear;
    any = any || on[g] != Footing::clear;
  }
  if (!any) return false;
  Eigen::Map<Eigen::Matrix<double, 12, 12>> sum(block);
  sum.setZero();
  const Matrix3d upward = s.normal * s.normal.transpose();
  for (size_t g = 0; g < on.size(); ++g) {
    const ShapePoint& point = s.points[g];
    Matrix3d K = (weights.position * ground_stiffness(s.ground, on[g]) +
                  weights.velocity * ground_viscosity(s.ground, on[g])) *
                 upward;
    Matrix3d turning = Matrix3d::Zero();
    if (s.drag.any()) {
      const DragPoint drag = drag_at(s, point, at.q_ahead, at.v_ahead);
      K += weights.drag * weights.velocity * drag.by_velocity;
      turning = -weights.drag * weights.position * drag.by_slope;
    }
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i) {
        auto part = sum.block<3, 3>(3 * i, 3 * j);
        part += point.w * point.n[i] * point.n[j] * K;
        if (weights.by_slope) part += point.w * point.n[i] * point.dn[j] * turning;
      }
  }
  return true;
}

double ground_energy(const Surroundings& s, const double* q) {
  double sum = 0;
  for (const ShapePoint& point : s.points) {
    const double depth = std::max(depth_of(s, point, q), 0.0);
    sum += point.w * s.ground.stiffness * depth * depth / 2;
  }
  return sum;
}

}  // namespace hawser
