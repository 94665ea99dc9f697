#include "loads/surroundings.h"

#include <algorithm>

#include "elements/element_block.h"
#include "elements/hermite.h"
#include "math/quadrature.h"

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int point_count = Surroundings::point_count;

Vector3d interpolate(const double shape[4], const double* x) {
  Vector3d out;
  for (int i = 0; i < 3; ++i)
    out[i] = shape[0] * x[i] + shape[1] * x[3 + i] + shape[2] * x[6 + i] + shape[3] * x[9 + i];
  return out;
}

/// Components along the normal of the four vectors of an element.
struct Upward {
  double x[4];

  Upward(const Surroundings& s, const double* of) {
    for (int k = 0; k < 4; ++k) x[k] = s.normal.dot(Eigen::Map<const Vector3d>(of + 3 * k));
  }
  [[nodiscard]] double at(const ShapePoint& p) const {
    return p.n[0] * x[0] + p.n[1] * x[1] + p.n[2] * x[2] + p.n[3] * x[3];
  }
};

/// Depth and speed of sinking at the points of an element.
struct Standing {
  const Surroundings& s;
  Upward position, velocity;

  Standing(const Surroundings& of, const double* q, const double* v)
      : s(of), position(of, q), velocity(of, v) {}
  [[nodiscard]] double depth(const ShapePoint& p) const { return s.height - position.at(p); }
  [[nodiscard]] double sinking(const ShapePoint& p) const { return -velocity.at(p); }
  [[nodiscard]] Footing footing(const ShapePoint& p) const {
    return hawser::footing(s.ground, depth(p), sinking(p));
  }
  [[nodiscard]] double push(const ShapePoint& p, Footing on) const {
    return ground_push(s.ground, on, depth(p), sinking(p));
  }
};

Stream stream_at(const Surroundings& s, const ShapePoint& p, const double* q, const double* v) {
  return stream_past(interpolate(p.dn, q), s.flow - interpolate(p.n, v));
}

void add(const ShapePoint& p, const Vector3d& per_metre, double force[12]) {
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) force[3 * k + i] += p.w * p.n[k] * per_metre[i];
}

/// block(i, j) = sum over the points of w n_i n_j K, by 3 x 3 blocks.
void spread(const Surroundings& s, const Matrix3d K[], double* block) {
  Eigen::Map<Eigen::Matrix<double, 12, 12>> out(block);
  for (int j = 0; j < 4; ++j)
    for (int i = j; i < 4; ++i) {
      Matrix3d sum = Matrix3d::Zero();
      for (int g = 0; g < point_count; ++g) {
        const ShapePoint& p = s.points[static_cast<size_t>(g)];
        sum += p.w * p.n[i] * p.n[j] * K[g];
      }
      out.block<3, 3>(3 * i, 3 * j) = sum;
      if (i > j) out.block<3, 3>(3 * j, 3 * i) = sum;  // each K is symmetric
    }
}

void add_turning(const ShapePoint& p, const Matrix3d& turning, double* block) {
  Eigen::Map<Eigen::Matrix<double, 12, 12>> out(block);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) out.block<3, 3>(3 * i, 3 * j) -= p.w * p.n[i] * p.dn[j] * turning;
}

/// Drag at (q_ahead, v_ahead), and its change with the velocity up to v.
Vector3d linear_drag(const Surroundings& s, const ShapePoint& p, const ElementMotion& at) {
  const Stream stream = stream_at(s, p, at.q_ahead, at.v_ahead);
  Vector3d f = drag_force(s.drag, stream);
  if (at.v != at.v_ahead)
    f -= drag_by_velocity(s.drag, stream) * (interpolate(p.n, at.v) - interpolate(p.n, at.v_ahead));
  return f;
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

bool add_surroundings(const Surroundings& s, const ElementMotion& at,
                      const SurroundingsWeights& weights, double force[12], double* block) {
  const Standing now(s, at.q, at.v), ahead(s, at.q_ahead, at.v_ahead);
  const bool drags = s.drag.any();
  bool any = drags;
  Matrix3d K[point_count];
  Stream streams[point_count];
  for (int g = 0; g < point_count; ++g) {
    const ShapePoint& p = s.points[static_cast<size_t>(g)];
    const Footing on = s.ground.stiffness > 0 ? ahead.footing(p) : Footing::clear;
    Vector3d f = Vector3d::Zero();
    K[g].setZero();
    if (drags) {
      streams[g] = stream_at(s, p, at.q_ahead, at.v_ahead);
      const Matrix3d D = drag_by_velocity(s.drag, streams[g]);
      f = weights.drag * drag_force(s.drag, streams[g]);
      if (at.v != at.v_ahead)
        f -= weights.drag * (D * (interpolate(p.n, at.v) - interpolate(p.n, at.v_ahead)));
      K[g] = weights.drag * weights.velocity * D;
    }
    if (on != Footing::clear) {
      any = true;
      f += now.push(p, on) * s.normal;
      K[g] += (weights.position * ground_stiffness(s.ground, on) +
               weights.velocity * ground_viscosity(s.ground, on)) *
              s.normal * s.normal.transpose();
    }
    add(p, f, force);
  }
  if (!block || !any) return false;
  spread(s, K, block);
  if (drags && weights.by_slope)
    for (int g = 0; g < point_count; ++g)
      add_turning(s.points[static_cast<size_t>(g)],
                  weights.drag * weights.position * drag_by_slope(s.drag, streams[g]), block);
  return true;
}

void add_lossy_force(const Surroundings& s, const ElementMotion& at, double force[12]) {
  const Standing now(s, at.q, at.v), ahead(s, at.q_ahead, at.v_ahead);
  for (const ShapePoint& p : s.points) {
    Vector3d f = Vector3d::Zero();
    if (s.drag.any()) f = linear_drag(s, p, at);
    if (s.ground.damping > 0 && ahead.depth(p) > 0)
      f += (now.push(p, ahead.footing(p)) - s.ground.stiffness * now.depth(p)) * s.normal;
    add(p, f, force);
  }
}

double ground_energy(const Surroundings& s, const double* q) {
  const Upward position(s, q);
  double sum = 0;
  for (const ShapePoint& p : s.points) {
    const double depth = std::max(s.height - position.at(p), 0.0);
    sum += p.w * s.ground.stiffness * depth * depth / 2;
  }
  return sum;
}

namespace {

/// Calls f with the surroundings of every element, its number and its first coordinate.
template <class Function>
void for_elements(const std::vector<SurroundedElements>& runs, const Function& f) {
  for (const SurroundedElements& run : runs)
    for (int e = 0; e < run.elements; ++e)
      f(run.surroundings, run.first_element + e, node_size * (run.first_node + e));
}

ElementMotion motion_at(const Configuration& at, int c) {
  return {at.q + c, at.v + c, at.q_ahead + c, at.v_ahead + c};
}

}  // namespace

Facts SurroundingsTerm::facts() const {
  Facts out;
  out.ahead = true;
  out.by_velocity = std::any_of(runs_.begin(), runs_.end(), [](const SurroundedElements& run) {
    return run.surroundings.drag.any() || run.surroundings.ground.damping > 0;
  });
  return out;
}

void SurroundingsTerm::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const SurroundingsWeights weights{wanted.stiffness_weight, wanted.damping_weight,
                                    wanted.load_factor, wanted.full_tangent};
  const bool matrix =
      wanted.matrix() && (wanted.stiffness_weight != 0 || wanted.damping_weight != 0);
  for_elements(runs_, [&](const Surroundings& s, int element, int c) {
    double block[144];
    if (add_surroundings(s, motion_at(at, c), weights, sums.force + c, matrix ? block : nullptr))
      add_element_block(sums.sink, element, c / node_size, block);
  });
}

void SurroundingsTerm::add_lossy(const Configuration& at, double*, double* out) const {
  for_elements(runs_, [&](const Surroundings& s, int, int c) {
    add_lossy_force(s, motion_at(at, c), out + c);
  });
}

void SurroundingsTerm::add_energy(const EnergyState& at, EnergyParts& out) const {
  for_elements(runs_, [&](const Surroundings& s, int, int c) {
    if (s.ground.stiffness > 0) out.gravity += ground_energy(s, at.q + c);
  });
}

}  // namespace hawser
