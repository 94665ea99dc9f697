// Short ways to put bodies, joints and massless cables into a scene.
#pragma once

#include <string>
#include <vector>

#include "hawser/integrator.h"

namespace hawser {

/// A small ball: a point mass for most purposes.
inline Body ball(const std::string& name, double mass, const Vec3& at,
                 const Vec3& velocity = Vec3::Zero()) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.inertia = 0.01 * mass * Eigen::Matrix3d::Identity();
  body.position = at;
  body.velocity = velocity;
  return body;
}

inline Frame frame(const std::string& name, const std::string& body, const Vec3& at) {
  Frame f;
  f.name = name;
  f.body = body;
  f.position = at;
  return f;
}
inline Support ground(const std::string& name, const Vec3& at) {
  Support s;
  s.name = name;
  s.position = at;
  return s;
}

inline Joint joint(const std::string& name, JointKind kind, const std::string& first,
                   const std::string& second, const Vec3& axis = Vec3::UnitZ()) {
  Joint j;
  j.name = name;
  j.kind = kind;
  j.first = first;
  j.second = second;
  j.axis = axis;
  return j;
}

/// Held by the first and the last frame, over those between; length 0: that of the route.
inline Cable massless(const std::string& name, double EA, double length,
                      const std::vector<std::string>& frames) {
  Cable cable;
  cable.name = name;
  cable.model = CableModel::massless;
  cable.sections[0].EA = EA;
  cable.sections[0].mass = 1;
  cable.length = length;
  cable.route.clear();
  for (const std::string& f : frames) cable.route.push_back(Stop::over(f));
  if (!frames.empty()) cable.route.front().kind = cable.route.back().kind = Stop::Kind::hold;
  return cable;
}

/// Position of a body, by its number.
inline Vec3 body_at(const Model& model, const State& state, int body) {
  const int nodes = model.nodes() - static_cast<int>(model.scene().bodies.size());
  return state.position(nodes + body);
}
inline Vec3 body_velocity(const Model& model, const State& state, int body) {
  const int nodes = model.nodes() - static_cast<int>(model.scene().bodies.size());
  return state.velocity(nodes + body);
}

}  // namespace hawser
