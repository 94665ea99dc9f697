#include "loads/surroundings.h"

#include <algorithm>

#include "elements/hermite.h"
#include "hawser/scene.h"
#include "loads/element_surroundings.h"
#include "math/quadrature.h"

namespace hawser {
namespace {

SurroundedMotion<double> motion_of(const ElementMotion& at) {
  const auto ends = [](const double* x) { return NodeEnds<double>{x, x + node_size}; };
  return {ends(at.q), ends(at.v), ends(at.q_ahead), ends(at.v_ahead)};
}

template <bool slopes>
bool add_of_element(const Surroundings& s, const ElementMotion& at,
                    const SurroundingsWeights& weights, double force[12],
                    SurroundedBlock<double>* block) {
  const SurroundedMotion<double> motion = motion_of(at);
  const bool drags = s.drag.any();
  if (drags) add_drag<slopes, true>(s, motion, weights, force, block);
  if (s.ground.stiffness == 0) return drags;
  double depth[Surroundings::point_count];
  ground_depths<slopes>(s, motion.q_ahead, depth);
  if (!any_in_ground(depth)) return drags;
  add_ground<slopes, false>(s, motion, depth, weights, force, block, drags);
  return true;
}

template <bool slopes>
void add_lossy_of_element(const Surroundings& s, const ElementMotion& at, double force[12]) {
  const SurroundedMotion<double> motion = motion_of(at);
  constexpr SurroundedBlock<double>* none = nullptr;
  if (s.drag.any()) add_drag<slopes, true>(s, motion, {}, force, none);
  if (s.ground.stiffness == 0 || s.ground.damping == 0) return;
  double depth[Surroundings::point_count];
  ground_depths<slopes>(s, motion.q_ahead, depth);
  add_ground<slopes, true>(s, motion, depth, {}, force, none, false);
}

}  // namespace

static ShapePoint shape_point(double length, bool slopes, const GaussPoint& at) {
  const double x = at.x, w = length * at.w;
  ShapePoint p{w, {1 - x, 0, x, 0}, {-1 / length, 0, 1 / length, 0}, {}, {}, {}};
  if (slopes) {
    const std::array<double, 4> n = hermite_position(x);
    const HermitePoint d = hermite_point(x, 0);
    for (size_t k = 0; k < 4; ++k) p.n[k] = n[k] * (k % 2 ? length : 1);
    p.dn[0] = -d.c[0] / length;
    p.dn[1] = d.c[1];
    p.dn[2] = d.c[0] / length;
    p.dn[3] = d.c[2];
  }
  for (int i = 0, pair = 0; i < 4; ++i) {
    p.load[i] = w * p.n[i];
    for (int j = 0; j <= i; ++j) p.pair[pair++] = w * p.n[i] * p.n[j];
  }
  for (int k = 0; k < 5; ++k) p.quartic[k] = w * std::pow(p.n[0], 4 - k) * std::pow(p.n[2], k);
  return p;
}

Surroundings::Surroundings(double length, bool with_slopes) : slopes(with_slopes) {
  ShapePoint* out = points;
  for (const GaussPoint& at : gauss_rule(point_count)) *out++ = shape_point(length, slopes, at);
  out = straight;
  for (const GaussPoint& at : gauss_rule(straight_count)) *out++ = shape_point(length, false, at);
}

void Surroundings::set_ground(const Ground& to) {
  Eigen::Map<Vec3> unit(normal);
  unit = to.normal.normalized();
  height = to.height;
  ground = {to.stiffness, to.damping};
}

bool add_surroundings(const Surroundings& s, const ElementMotion& at,
                      const SurroundingsWeights& weights, double force[12], double* block) {
  SurroundedBlock<double> pairs, *asked = block ? &pairs : nullptr;
  const bool any = s.slopes ? add_of_element<true>(s, at, weights, force, asked)
                            : add_of_element<false>(s, at, weights, force, asked);
  if (!any || !block) return false;
  write_whole(s, pairs, block);
  if (weights.by_slope && s.drag.any()) add_by_slope(s, motion_of(at), weights, block);
  return true;
}

void add_lossy_force(const Surroundings& s, const ElementMotion& at, double force[12]) {
  s.slopes ? add_lossy_of_element<true>(s, at, force) : add_lossy_of_element<false>(s, at, force);
}

double ground_energy(const Surroundings& s, const double* q) {
  const NodeEnds<double> ends{q, q + node_size};
  double depth[Surroundings::point_count], sum = 0;
  s.slopes ? ground_depths<true>(s, ends, depth) : ground_depths<false>(s, ends, depth);
  for (int g = 0; g < Surroundings::point_count; ++g) {
    const double within = std::max(depth[g], 0.0);
    sum += s.points[g].w * s.ground.stiffness * within * within / 2;
  }
  return sum;
}

}  // namespace hawser
