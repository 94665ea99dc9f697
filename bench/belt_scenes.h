// A belt over two pulleys by contact, and its creep theory (docs/theory/contact.md): what `hawser
// bench contact`, `hawser bench wu` and the tests run.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact_scenes.h"

namespace hawser::belts {

using std::numbers::pi;

/// Both pulleys have the radius to the centre line of the belt; the driver is at the origin, the
/// other at (centres, 0, 0). Axes along y.
struct Belt {
  double radius = 0.1, centres = 0.1 * pi;        ///< [m]
  double EA = 8000, EI = 0, mass = 0.8288;        ///< [N], [N m^2], [kg/m]
  double prestrain = 0.05;                        ///< where the belt lies on the radius
  double friction = 0.5, rate = 12, torque = 25;  ///< of the driver [rad/s]; load [N m]
  double stiffness = 5e7;                         ///< [N/m^2]
  int elements = 60;

  [[nodiscard]] double length() const { return 2 * pi * radius + 2 * centres; }
  /// Along the belt, clockwise as seen from -y, from the middle of the upper span.
  [[nodiscard]] Vec3 point(double s) const {
    const double arc = pi * radius;
    s = std::fmod(s, length());
    if (s < centres / 2) return {centres / 2 + s, 0, radius};
    s -= centres / 2;
    if (s < arc) return Vec3(centres, 0, 0) + turned(s);
    s -= arc;
    if (s < centres) return {centres - s, 0, -radius};
    s -= centres;
    if (s < arc) return -turned(s);
    return {s - arc, 0, radius};
  }
  [[nodiscard]] Vec3 turned(double s) const {
    return radius * Vec3(std::sin(s / radius), 0, std::cos(s / radius));
  }
};

inline Solid pulley_shape(const Belt& belt) {
  return {Solid::Kind::cylinder, {belt.radius, 0.05, 0}};
}
inline Eigen::Quaterniond along_y() {
  return Eigen::Quaterniond(Eigen::AngleAxisd(pi / 2, Vec3::UnitX()));
}

inline Cable belt_cable(const Belt& belt) {
  Cable out;
  out.name = "rope";
  out.closed = true;
  out.sections = {Section{belt.EA, belt.EI, belt.mass}};
  out.initial = Initial::points;
  out.elements = belt.elements;
  out.route.clear();
  for (int i = 0; i < belt.elements; ++i)
    out.route.emplace_back(belt.point(belt.length() * i / belt.elements));
  out.route.emplace_back(belt.point(0));
  out.length = belt.length() / (1 + belt.prestrain);
  return out;
}

/// The driver turns at its rate, the load brakes the other pulley; both begin gently.
inline Scene belt_drive(const Belt& belt) {
  Scene scene;
  scene.gravity.setZero();
  Support driver = touching::at("driver", Vec3::Zero());
  driver.shape = pulley_shape(belt);
  driver.orientation = along_y();
  Support::Turn turn;
  turn.axis = Vec3::UnitY();
  turn.angle = touching::speeding(belt.rate, 0.1);
  driver.turn = turn;
  Body driven;
  driven.name = "driven";
  driven.mass = 2;
  driven.inertia = Vec3(0.01, 0.01, 0.01).asDiagonal();
  driven.position = {belt.centres, 0, 0};
  driven.orientation = along_y();
  driven.shape = pulley_shape(belt);
  scene.supports = {driver, touching::at("axle", driven.position)};
  scene.bodies = {driven};
  Joint hinge;
  hinge.name = "bearing";
  hinge.kind = JointKind::hinge;
  hinge.first = "axle";
  hinge.second = "driven";
  hinge.axis = Vec3::UnitY();
  scene.joints = {hinge};
  scene.cables = {belt_cable(belt)};
  BodyForce load;
  load.frame = "driven";
  load.moment = {0, -belt.torque, 0};
  load.strength = Signal::function([](double t) {
    const double tau = 0.3, e = std::exp(-t / tau);
    return Signal::Sample{1 - e, e / tau, -e / (tau * tau)};
  });
  scene.body_forces = {load};
  Contact contact = touching::between("driver", belt.friction, belt.stiffness);
  contact.shapes = {"driver", "driven"};
  scene.contacts = {contact};
  return scene;
}

/// Tensions of the tight and of the slack span, and what follows from them.
struct BeltState {
  double T1 = 0, T2 = 0;
  double slip = 0;     ///< arc [rad]
  double ratio = 0;    ///< of the turn rates
  double bearing = 0;  ///< force on it [N]
};

/// Creep theory: on each pulley the belt sticks where it arrives and slips where it leaves, by
/// X1/X2 = exp(mu slip), X = T - m V^2 (1 + e) with the rate V of material. T = EA e, and the
/// unstretched length of all parts is that of the belt.
/// `sunk`: how deep the belt lies in the pulleys at the mean tension [m].
inline BeltState belt_theory(const Belt& belt, double sunk = 0) {
  const double R = belt.radius - sunk, L0 = belt.length() / (1 + belt.prestrain);
  const auto strain = [&](double T) { return T / belt.EA; };
  const auto centrifugal = [&](const BeltState& b) {  // m V^2
    const double V = belt.rate * R / (1 + strain(b.T1));
    return belt.mass * V * V;
  };
  const auto find = [&](double T2) {
    BeltState out;
    out.T2 = T2;
    out.T1 = T2 + belt.torque / R;
    const double flung = centrifugal(out);
    const auto X = [&](double T) { return T - flung * (1 + strain(T)); };
    out.slip = std::log(X(out.T1) / X(out.T2)) / belt.friction;
    out.ratio = (1 + strain(out.T2)) / (1 + strain(out.T1));
    out.bearing = X(out.T1) + X(out.T2);
    return out;
  };
  const auto unstretched = [&](const BeltState& b) {
    const double e1 = strain(b.T1), e2 = strain(b.T2), still = pi - b.slip;
    double sum = (belt.centres + R * still) * (1 / (1 + e1) + 1 / (1 + e2));
    constexpr int parts = 200;  // of a slip arc, along which X grows exponentially
    const double flung = centrifugal(b), own = 1 - strain(flung);  // X = own T - flung
    for (int i = 0; i < parts; ++i) {
      const double X = (own * b.T2 - flung) * std::exp(belt.friction * b.slip * (i + 0.5) / parts);
      const double T = (X + flung) / own;
      sum += 2 * R * b.slip / parts / (1 + strain(T));
    }
    return sum;
  };
  double low = 1e-3 * belt.EA * belt.prestrain, high = 2 * belt.EA * belt.prestrain;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (unstretched(find(middle)) > L0 ? low : high) = middle;
  }
  return find((low + high) / 2);
}

/// The torque at which the belt slips on the whole arc [N m].
inline double belt_capacity(Belt belt, double sunk = 0) {
  double low = 0, high = 2 * belt.EA * belt.prestrain * belt.radius;
  for (int i = 0; i < 60; ++i) {
    belt.torque = (low + high) / 2;
    (belt_theory(belt, sunk).slip < pi ? low : high) = belt.torque;
  }
  return low;
}

struct BeltRun : touching::TouchRun {
  BeltRun(const Belt& belt, double step)
      : TouchRun(belt_drive(belt), touching::by(step)), belt_(belt) {}

  /// Mean tension in the middle part of the upper or the lower span [N].
  [[nodiscard]] double tension(bool upper) const {
    double sum = 0;
    int count = 0;
    for (const CablePoint& p : profile(model, state, 0)) {
      if ((p.position.z() > 0) != upper) continue;
      if (std::abs(p.position.x() - belt_.centres / 2) > 0.4 * belt_.centres) continue;
      sum += p.tension;
      ++count;
    }
    return count > 0 ? sum / count : std::nan("");
  }
  /// Turn rate of the driven pulley [rad/s]: its axis is its own z.
  [[nodiscard]] double driven_rate() const {
    return state.v[static_cast<size_t>(6 * (model.nodes() - 1) + 5)];
  }
  /// Means over a time; the ratio is that of the rates.
  BeltState mean(double until) {
    BeltState sum;
    int count = 0;
    while (state.t < until - 1e-9) {
      if (integrator.step(state) != Status::ok) return {std::nan(""), 0, 0, 0, 0};
      sum.T1 += std::max(tension(true), tension(false));
      sum.T2 += std::min(tension(true), tension(false));
      sum.ratio += std::abs(driven_rate()) / belt_.rate;
      sum.bearing += joint_force(model, state, "bearing").force.norm();
      ++count;
    }
    return {sum.T1 / count, sum.T2 / count, 0, sum.ratio / count, sum.bearing / count};
  }

 private:
  Belt belt_;
};

}  // namespace hawser::belts
