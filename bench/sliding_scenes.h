// Bodies that slide along cables with mass, with known answers (docs/theory/sliding.md): what
// `hawser bench contact` and the tests run.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "constants.h"
#include "constraints/cable_curve.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"

namespace hawser::sliding {

using constants::g;

inline Support support(const std::string& name, const Vec3& position) {
  Support out;
  out.name = name;
  out.position = position;
  return out;
}

inline Body bead(double mass, const Vec3& position) {
  Body out;
  out.name = "bead";
  out.mass = mass;
  out.shape = {Solid::Kind::sphere, {0.05, 0, 0}};
  out.inertia = out.shape.inertia(mass);
  out.position = position;
  return out;
}

inline SlidingJoint on_rope(double friction = 0) {
  SlidingJoint out;
  out.name = "slide";
  out.cable = "rope";
  out.body = "bead";
  out.friction = friction;
  return out;
}

/// The scene with its bead on the curve of the np-fem cable, at the node nearest to it: that curve
/// rounds the corners of the cable.
inline Scene on_curve(Scene scene) {
  Scene bare = scene;
  bare.sliding_joints.clear();
  const Model model(bare);
  const State state = Integrator(model, {}).start();
  CableCurve curve;
  curve.s = model.mesh().s[0];
  curve.curved = false;
  const Vec3 at = scene.bodies[0].position;
  size_t nearest = 0;
  const auto gap = [&](size_t node) {
    return (state.position(static_cast<int>(node)) - at).norm();
  };
  for (size_t i = 1; i < curve.s.size(); ++i)
    if (gap(i) < gap(nearest)) nearest = i;
  scene.bodies[0].position = CableCurve::point(curve.weights(curve.s[nearest]), state.q.data()).r;
  return scene;
}

/// A rider of 80 kg on a light np-fem rope of 40.8 m between supports at (0, 0) and (40, -4),
/// released at x = 2: on a massless inextensible rope the path is an ellipse.
inline Scene zip_line(int elements) {
  Scene scene;
  scene.supports = {support("start", {0, 0, 0}), support("end", {40, 0, -4})};
  scene.bodies = {bead(80, {2, 0, -1.873672})};
  Cable rope;
  rope.name = "rope";
  rope.model = CableModel::np_fem;
  rope.sections = {Section{1e7, 0, 0.4 / 40.8}};
  rope.route = {Stop::hold("start"), {2, 0, -1.873672}, Stop::hold("end")};
  // stretched by the tension of the rider as it is let go: mass g p_z/|p|^2, p the pull of both
  // sides by unit of tension
  const Vec3 at(2, 0, -1.873672);
  const Vec3 pull = (Vec3(40, 0, -4) - at).normalized() - at.normalized();
  const double tension = 80 * g * pull.z() / pull.squaredNorm();
  rope.length = 40.8 / (1 + tension / rope.sections[0].EA);
  rope.elements = elements;
  scene.cables = {rope};
  scene.sliding_joints = {on_rope()};
  return on_curve(std::move(scene));
}
struct ZipLinePoint {
  double t, x, z, tension;
};
/// Motion on the ellipse, integrated apart to 6 digits.
inline constexpr std::array<ZipLinePoint, 5> zip_line_path{{{1, 3.731130, -2.517169, 1429.64},
                                                            {2, 8.472713, -3.765659, 1984.16},
                                                            {3, 15.367442, -4.961968, 2348.45},
                                                            {4, 23.662513, -5.801954, 2404.09},
                                                            {5, 32.612766, -5.969799, 2048.87}}};

/// 10 kg at rest on a rope of 10.5 m over a span of 10 m, the second support higher by `rise`.
/// Where a ring comes to rest, a rope without bending stiffness has a ripple of its elements'
/// length in which it is caught: EI resolves the bend under it.
inline Scene resting_ring(CableModel model, int elements, double rise, double EI = 0) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports = {support("low", {0, 0, 0}), support("high", {10, 0, rise})};
  scene.bodies = {bead(10, {4, 0, -1})};
  Cable rope;
  rope.name = "rope";
  rope.model = model;
  rope.sections = {Section{1e5, EI, 0.5}};
  rope.route = {Stop::hold("low"), Stop::hold("high")};
  rope.length = 10.5;
  rope.elements = elements;
  scene.cables = {rope};
  scene.sliding_joints = {on_rope()};
  return scene;
}

/// A bead of 0.1 kg on a wire that is taut by 10 kN, 10 m long and inclined by `angle`, released in
/// its upper part.
inline Scene inclined_wire(CableModel model, double angle, double friction) {
  Scene scene;
  const Vec3 down(std::cos(angle), 0, -std::sin(angle));
  scene.supports = {support("top", Vec3::Zero()), support("bottom", 10 * down)};
  scene.bodies = {bead(0.1, 1.03 * down)};
  Cable rope;
  rope.name = "rope";
  rope.model = model;
  rope.sections = {Section{1e6, 0, 0.01}};
  rope.route = {Stop::hold("top"), Stop::hold("bottom")};
  rope.length = 10 / 1.01;
  rope.elements = 16;
  scene.cables = {rope};
  scene.sliding_joints = {on_rope(friction)};
  return scene;
}

struct SlideRun {
  Model model;
  Integrator integrator;
  State state;

  SlideRun(const Scene& scene, const SolveOptions& options)
      : model(scene), integrator(model, options), state(integrator.start()) {}

  Status to(double t) { return integrator.advance(state, t); }
  [[nodiscard]] Vec3 bead() const { return state.position(model.nodes() - 1); }
  /// Its place on the cable [m] and the rate of that.
  [[nodiscard]] double place() const {
    return state.q[static_cast<size_t>(model.coordinates() - 1)];
  }
  [[nodiscard]] double speed() const {
    return state.v[static_cast<size_t>(model.coordinates() - 1)];
  }
  [[nodiscard]] double tension() const {
    return reaction(model, state, Place::start("rope")).force.norm();
  }
};

}  // namespace hawser::sliding
