#include "damping/material_axes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

Vec3 get(const double* a, int at) { return {a[at], a[at + 4], a[at + 8]}; }

void put(const Vec3& v, double* a, int at) {
  for (int i = 0; i < 3; ++i) a[at + 4 * i] = v[i];
}

/// v by the smallest turn from one unit vector to another; half a turn has no axis and is none.
Vec3 turned(const Vec3& from, const Vec3& to, const Vec3& v) {
  const double cosine = from.dot(to);
  if (cosine < -1 + 1e-12) return v;
  const Vec3 w = from.cross(to);
  return v + w.cross(v) + w.cross(w.cross(v)) / (1 + cosine);
}

/// What lies across t.
Vec3 part_across(const Vec3& t, const Vec3& v) { return (v - v.dot(t) * t).normalized(); }

Eigen::Matrix3d axes_of(const Vec3& d, const Vec3& t) {
  Eigen::Matrix3d out;
  out << d, t.cross(d), t;
  return out;
}

}  // namespace

MaterialAxes::MaterialAxes(const ModelData& model, int cable) {
  for (const Fields* part : model.fields_of(cable)) {
    const ElementRun& run = part->run;
    for (int e = 0; e < run.elements; ++e)
      for (int g = 0; g < run.bending_points; ++g)
        points_.push_back(
            {run.bending_offset + run.bending_point(e, g), run.EI * run.bending_weight[g]});
  }
  axes_.resize(points_.size());
  const std::vector<Stop>& stops = model.scene.cables[static_cast<size_t>(cable)].route;
  const bool first_held = stops.front().kind == Stop::Kind::clamp;
  const bool last_held = stops.back().kind == Stop::Kind::clamp;
  if (!first_held && last_held)
    std::reverse(points_.begin(), points_.end());  // begin where it cannot spin
  spins_ = !first_held && !last_held;
}

void MaterialAxes::start(const double* tangent, double* state) const {
  const Vec3 t = get(tangent, points_.front().at);
  int smallest = 0;
  t.cwiseAbs().minCoeff(&smallest);
  Eigen::Map<Vec3> d(state), along(state + 3);
  d = part_across(t, Vec3::Unit(smallest));
  along = t;
}

void MaterialAxes::follow(const double* tangent, const double* before, double* curvature,
                          double* state) {
  Eigen::Map<Vec3> d(state), t(state + 3);
  Vec3 now = get(tangent, points_.front().at);
  Vec3 side = part_across(now, turned(t, now, d));
  t = now;
  double turn = 0, along = 0;
  for (size_t k = 0; k < points_.size(); ++k) {
    const Point& p = points_[k];
    const Vec3 next = get(tangent, p.at);
    side = turned(now, next, side);
    now = next;
    axes_[k] = axes_of(side, now);
    const Vec3 was = get(before, p.at), is = axes_[k].transpose() * get(curvature, p.at);
    put(is, curvature, p.at);
    turn += p.weight * (was.x() * is.y() - was.y() * is.x());
    along += p.weight * (was.x() * is.x() + was.y() * is.y());
  }
  d = axes_.front().col(0);
  if (!spins_ || !(along > 0)) return;
  const double angle = std::atan2(turn, along), c = std::cos(angle), s = std::sin(angle);
  for (size_t k = 0; k < points_.size(); ++k) {
    const Vec3 x = axes_[k].col(0), y = axes_[k].col(1);
    axes_[k].col(0) = c * x + s * y;
    axes_[k].col(1) = c * y - s * x;
    const Vec3 is = get(curvature, points_[k].at);
    put({c * is.x() + s * is.y(), c * is.y() - s * is.x(), is.z()}, curvature, points_[k].at);
  }
  d = axes_.front().col(0);
}

void MaterialAxes::to_world(double* vectors) const {
  for (size_t k = 0; k < points_.size(); ++k)
    put(axes_[k] * get(vectors, points_[k].at), vectors, points_[k].at);
}

}  // namespace hawser
