// Bodies that touch things, with known answers (docs/theory/contact.md): what `hawser bench
// contact` and the tests run.
#pragma once

#include "contact_scenes.h"
#include "model/model_data.h"

namespace hawser::touching {

inline Body solid(const std::string& name, Solid::Kind kind, const Vec3& size, const Vec3& at,
                  double mass = 10) {
  Body out;
  out.name = name;
  out.mass = mass;
  out.shape = {kind, size};
  out.inertia = out.shape.inertia(mass);
  out.position = at;
  return out;
}

/// All of these touch each other.
inline Contact among(const std::vector<std::string>& names, double friction) {
  Contact out;
  out.name = "touch";
  out.shapes = names;
  out.friction = friction;
  return out;
}

/// A body on a plane that slopes down along x by an angle.
inline Scene on_slope(const Body& body, double angle, double friction) {
  Scene scene;
  scene.gravity = g * Vec3(std::sin(angle), 0, -std::cos(angle));
  scene.ground = Ground{};
  scene.bodies = {body};
  scene.contacts = {among({body.name, "ground"}, friction)};
  return scene;
}

/// Boxes of 0.4 m, one on the other.
inline Scene stack(int count) {
  Scene scene;
  scene.ground = Ground{};
  std::vector<std::string> names{"ground"};
  for (int i = 0; i < count; ++i) {
    names.push_back("box" + std::to_string(i));
    scene.bodies.push_back(
        solid(names.back(), Solid::Kind::box, {0.4, 0.4, 0.4}, {0.02 * (i % 2), 0, 0.2 + 0.4 * i}));
  }
  scene.contacts = {among(names, 0.5)};
  return scene;
}

inline Vec3 place_of(const TouchRun& run, size_t body) {
  return run.state.position(run.model.data().mechanism.bodies[body].node);
}

/// The largest way and turn of all bodies since the start.
struct BodyDrift {
  double way = 0, turn = 0;  ///< [m], [rad]
};
inline BodyDrift body_drift(const TouchRun& run) {
  BodyDrift out;
  const std::vector<Body>& bodies = run.model.scene().bodies;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const double* o = run.state.orientation.data() + 4 * i;
    out.way = std::max(out.way, (place_of(run, i) - bodies[i].position).norm());
    out.turn =
        std::max(out.turn,
                 bodies[i].orientation.angularDistance(Eigen::Quaterniond(o[0], o[1], o[2], o[3])));
  }
  return out;
}

}  // namespace hawser::touching
