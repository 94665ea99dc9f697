// Bodies, joints and massless cables for the tests of what is recorded.
#pragma once

#include <string>

#include "hawser/scene.h"

namespace hawser {

inline Body solid_body(const std::string& name, double mass, const Vec3& position,
                       const Vec3& size) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.position = position;
  b.shape.kind = Solid::Kind::box;
  b.shape.size = size;
  const Vec3 s = size.cwiseProduct(size);
  b.inertia = mass / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal();
  return b;
}

/// A support where `body` is empty.
inline void add_frame(Scene& scene, const std::string& name, const std::string& body,
                      const Vec3& position) {
  if (body.empty()) {
    Support s;
    s.name = name;
    s.position = position;
    scene.supports.push_back(s);
    return;
  }
  Frame f;
  f.name = name;
  f.body = body;
  f.position = position;
  scene.frames.push_back(f);
}

inline Joint& add_joint(Scene& scene, const std::string& name, JointKind kind,
                        const std::string& first, const std::string& second,
                        const Vec3& axis = Vec3::UnitZ()) {
  Joint j;
  j.name = name;
  j.kind = kind;
  j.first = first;
  j.second = second;
  j.axis = axis;
  scene.joints.push_back(j);
  return scene.joints.back();
}

inline Cable massless(const std::string& name, double EA) {
  Cable c;
  c.name = name;
  c.model = CableModel::massless;
  c.sections[0].EA = EA;
  c.sections[0].mass = 1;  // per metre; a massless cable does not feel it
  c.route.clear();
  return c;
}

inline void add_stop(Cable& cable, const std::string& frame, double radius = 0,
                     const Vec3& axis = Vec3::Zero(), double friction = 0) {
  Stop stop = radius > 0 ? Stop::over(frame, radius, axis) : Stop::hold(frame);
  stop.friction = friction;
  cable.route.push_back(stop);
}

constexpr double hoist_EA = 2e5, hoist_mass = 30, hoist_weight = 30 * 9.81;

/// A load of 30 kg at rest on a rope that goes up from `anchor`, over a sheave of 0.2 m and down:
/// 2 m on either side and half a turn. Its pull is the weight.
inline Scene hoist(double friction = 0) {
  Scene scene;
  add_frame(scene, "anchor", "", {-0.2, 0, 0});
  add_frame(scene, "top", "", {0, 0, 2});
  scene.bodies.push_back(solid_body("load", hoist_mass, {0.2, 0, -0.5}, {0.5, 0.5, 1}));
  add_frame(scene, "load.hook", "load", {0, 0, 0.5});
  Cable rope = massless("rope", hoist_EA);
  add_stop(rope, "anchor");
  add_stop(rope, "top", 0.2, Vec3::UnitY(), friction);
  add_stop(rope, "load.hook");
  rope.length = (4 + 0.2 * 3.14159265358979324) / (1 + hoist_weight / hoist_EA);
  rope.sections[0].breaking_load = 1000;
  scene.cables.push_back(rope);
  return scene;
}

}  // namespace hawser
