// Cables that touch things, with known answers (docs/theory/contact.md): what `hawser bench
// contact` and the tests run.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "constants.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"

namespace hawser::touching {

using constants::g;
using std::numbers::pi;

inline SolveOptions by(double step) {
  SolveOptions out;
  out.step = step;
  out.scheme = Scheme::generalized_alpha;
  out.rho_infinity = 0;
  return out;
}

inline Support at(const std::string& name, const Vec3& position) {
  Support out;
  out.name = name;
  out.position = position;
  return out;
}

/// A horizontal cylinder along y that stands still.
inline Support bar(double radius) {
  Support out = at("bar", Vec3::Zero());
  out.shape = {Solid::Kind::cylinder, {radius, 1, 0}};
  out.orientation = Eigen::AngleAxisd(pi / 2, Vec3::UnitX());
  return out;
}

inline Contact between(const std::string& shape, double friction, double stiffness) {
  Contact out;
  out.name = "touch";
  out.cables = {"rope"};
  out.shapes = {shape};
  out.friction = friction;
  out.stiffness = stiffness;
  return out;
}

/// A rate that grows to `speed` within about `time`.
inline Signal speeding(double speed, double time) {
  return Signal::function([=](double t) {
    const double e = std::exp(-t / time);
    return Signal::Sample{speed * (t - time * (1 - e)), speed * (1 - e), speed / time * e};
  });
}

/// A path in the plane y = 0: straight up, over a circle about the origin clockwise, straight on.
struct OverCircle {
  double radius, angle, before, after;

  [[nodiscard]] double length() const { return before + radius * angle + after; }
  [[nodiscard]] Vec3 point(double s) const {
    const double on = (s - before) / radius;
    const double phi = pi - std::clamp(on, 0.0, angle);
    const Vec3 r(radius * std::cos(phi), 0, radius * std::sin(phi));
    const double beyond = on < 0 ? s - before : on > angle ? s - before - radius * angle : 0;
    return r + beyond * tangent(s);
  }
  [[nodiscard]] Vec3 tangent(double s) const {
    const double phi = pi - std::clamp((s - before) / radius, 0.0, angle);
    return {std::sin(phi), 0, -std::cos(phi)};
  }
};

/// A cable along a path, a node at every point.
inline Cable along(const OverCircle& path, int elements, const Section& section, double tension) {
  Cable out;
  out.name = "rope";
  out.sections = {section};
  out.initial = Initial::points;
  out.elements = elements;
  out.route.clear();
  for (int i = 0; i <= elements; ++i)
    out.route.emplace_back(path.point(path.length() * i / elements));
  out.length = path.length() / (1 + tension / section.EA);
  return out;
}

struct Capstan {
  double friction = 0.2, angle = pi, EI = 0, stiffness = 1e7;
  int on_half_turn = 16;
  double radius = 0.1, T2 = 100, speed = 0.02;
};

/// Pulled over a drum that stands still, against the force T2: T1 = T2 exp(mu angle).
inline Scene capstan(const Capstan& c) {
  Scene scene;
  scene.gravity.setZero();
  const OverCircle path{c.radius, c.angle, 0.2, 0.2};
  const int elements =
      static_cast<int>(std::lround(path.length() * c.on_half_turn / (pi * c.radius)));
  Cable rope = along(path, elements, Section{1e5, c.EI, 0.1}, c.T2);
  Support pull = at("pull", path.point(0));
  pull.motion[2] = speeding(-c.speed, 0.05);
  if (c.EI > 0) {
    pull.slides = Vec3::UnitX();  // bending shifts the straight end sideways
    scene.initial = Initial::rest;
  }
  rope.route.front() = Stop::hold("pull");
  scene.supports = {bar(c.radius), pull};
  scene.cables = {rope};
  PointForce force;
  force.at = Place::end("rope");
  force.force = c.T2 * path.tangent(path.length());
  scene.point_forces = {force};
  scene.contacts = {between("bar", c.friction, c.stiffness)};
  return scene;
}

/// The same cable, that a winch draws in over the drum at `speed`, or lets out: T1 = T2 exp(+-mu
/// angle).
inline Scene capstan_of_winch(const Capstan& c, CableModel model) {
  Scene scene = capstan(c);
  scene.supports[1].motion[2] = Signal(0.0);
  scene.cables[0].model = model;
  scene.cables[0].payout = speeding(-c.speed, 0.05);
  return scene;
}

/// Two loads over a bar, at this share of what friction can hold, mu = 0.2.
inline Scene held_load(double share) {
  constexpr double mu = 0.2, mass = 10;
  Scene scene;
  const OverCircle path{0.1, pi, 0.3, 0.3};
  Cable rope = along(path, 46, Section{1e5, 0, 0.1}, mass * g);
  scene.supports = {bar(path.radius)};
  scene.cables = {rope};
  PointMass light, heavy;
  light.at = Place::start("rope");
  light.mass = mass;
  heavy.at = Place::end("rope");
  heavy.mass = mass * std::exp(share * mu * pi);
  scene.point_masses = {light, heavy};
  scene.contacts = {between("bar", mu, 1e7)};
  return scene;
}

/// A rope of 1 m above the ground, level or aslant, as a whole in motion.
inline Scene dropped_rope(double height, double speed, double friction, double slant) {
  Scene scene;
  scene.ground = Ground{};
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e4, 1e-3, 0.1}};
  rope.sections[0].diameter = 0.01;
  rope.route = {{0, 0, height + 0.005}, {std::cos(slant), 0, height + 0.005 + std::sin(slant)}};
  rope.velocity = {speed, 0, 0};
  scene.cables = {rope};
  scene.contacts = {between("ground", friction, 1e6)};
  return scene;
}

/// A rope of 0.1 kg/m over a bar of radius R = 0.1 m with mu = 0.3, its ends l1 and l2 below the
/// axis, in static equilibrium. It slips where l2 > (l1 + c R) exp(mu pi) + c R, c = 2 mu/(1 +
/// mu^2).
inline Scene hung_rope(double shorter, double longer) {
  Scene scene;
  const OverCircle path{0.1, pi, shorter, longer};
  const int elements = static_cast<int>(std::lround(6 * path.length() / path.radius));
  scene.supports = {bar(path.radius)};
  scene.cables = {along(path, elements, Section{1e5, 0, 0.1}, 0.1 * g * longer / 2)};
  scene.initial = Initial::rest;
  scene.contacts = {between("bar", 0.3, 0)};
  return scene;
}

/// A catenary from the ground to a height: the pull along the ground is H, and what hangs is
/// s = sqrt(z^2 + 2 z a) long and a asinh(s/a) wide, a = H/w.
struct TouchedDown {
  double H = 20, mass = 1, height = 2, lies = 4;
  [[nodiscard]] double weight() const { return mass * g; }
  [[nodiscard]] double hangs() const { return std::sqrt(height * (height + 2 * H / weight())); }
  [[nodiscard]] double span() const {
    return lies + H / weight() * std::asinh(hangs() * weight() / H);
  }
};
inline Scene touched_down(const TouchedDown& c, double friction) {
  Scene scene;
  scene.ground = Ground{};
  scene.supports = {at("anchor", {0, 0, 0.01}), at("top", {c.span(), 0, c.height + 0.01})};
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e7, 1e-3, c.mass}};
  rope.sections[0].diameter = 0.02;
  rope.elements = 80;
  rope.length = c.lies + c.hangs();
  rope.route = {Stop::hold("anchor"), Stop::hold("top")};
  scene.cables = {rope};
  scene.initial = Initial::rest;
  scene.contacts = {between("ground", friction, 0)};
  return scene;
}

/// A taut string of 1 m, 0.1 kg/m and 100 N, at whose middle a bar presses it up a little.
inline Scene string_on_bar(double friction) {
  Scene scene;
  scene.gravity.setZero();
  Support pin = bar(0.02);
  pin.position.z() = -0.0195;
  scene.supports = {pin, at("left", {-0.5, 0, 0}), at("right", {0.5, 0, 0})};
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e5, 0, 0.1}};
  rope.elements = 61;
  rope.length = 1 / (1 + 100 / 1e5);
  rope.initial = Initial::points;
  rope.route = {Stop::hold("left"), Vec3(0, 0, 0.0005), Stop::hold("right")};
  scene.cables = {rope};
  scene.initial = Initial::rest;
  scene.contacts = {between("bar", friction, 1e8)};
  return scene;
}

/// A chain of masses, 1 m high and 1 kg/m, that is let go with its lower end on the ground. It
/// leans, so that its links come to lie side by side. What has landed weighs m g^2 t^2/2, and the
/// ground carries three times as much. `damping_time`: links land without a bounce.
inline Scene falling_chain(int elements) {
  Scene scene;
  scene.ground = Ground{};
  Cable chain;
  chain.name = "rope";
  chain.model = CableModel::np_fem;
  chain.lumped_mass = chain.tension_only = true;
  chain.sections = {Section{1e5, 0, 1}};
  chain.sections[0].diameter = 0.01;
  chain.elements = elements;
  chain.route = {{0, 0, 0.005}, {0.2, 0, 1.005}};
  scene.cables = {chain};
  scene.contacts = {between("ground", 0.4, 0)};
  scene.contacts[0].damping_time = 4e-3;
  return scene;
}

struct TouchRun {
  Model model;
  Integrator integrator;
  State state;

  TouchRun(const Scene& scene, const SolveOptions& options)
      : model(scene), integrator(model, options), state(integrator.start()) {}

  Status to(double t) { return integrator.advance(state, t); }
  [[nodiscard]] double pull() const {
    return reaction(model, state, Place::start("rope")).force.norm();
  }
  /// Where the middle of the rope is.
  [[nodiscard]] Vec3 middle() const { return state.position((model.nodes() - 1) / 2); }
  /// Of the falling chain, what the ground has carried so far over three times what lay on it, as a
  /// mean over a time; times 3.
  double mean_reading(double until) {
    const double M = std::hypot(1, 0.2);  // of it, over a height of 1 m
    double sum = 0;
    int count = 0;
    while (state.t < until - 1e-9) {
      if (integrator.step(state) != Status::ok) return std::nan("");
      const double t = state.t, carried = M * g * t + momentum(model, state).linear.z();
      sum += 3 * carried / (M * g * g * t * t * t / 2);
      ++count;
    }
    return sum / count;
  }
  /// The mean pull over a time.
  double mean_pull(double until) {
    double sum = 0;
    int count = 0;
    while (state.t < until - 1e-9) {
      if (integrator.step(state) != Status::ok) return std::nan("");
      sum += pull();
      ++count;
    }
    return sum / count;
  }
};

}  // namespace hawser::touching
