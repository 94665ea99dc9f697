// Cables with mass that flow, with known answers (docs/theory/flow.md): what `hawser bench flow`
// and the tests run.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "constants.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/record.h"

namespace hawser::flowing {

using constants::g;
using std::numbers::pi;

inline Cable rope(std::vector<Stop> route, double EA, double EI, double mass, int elements) {
  Cable out;
  out.name = "rope";
  out.sections = {Section{EA, EI, mass}};
  out.route = std::move(route);
  out.elements = elements;
  return out;
}

inline Support at(const std::string& name, const Vec3& position) {
  Support out;
  out.name = name;
  out.position = position;
  return out;
}

inline Body load(const std::string& name, double mass, const Vec3& position) {
  Body out;
  out.name = name;
  out.mass = mass;
  out.inertia = 0.01 * mass * Eigen::Matrix3d::Identity();
  out.position = position;
  return out;
}

inline SolveOptions by(double step, Method method = Method::mixed) {
  SolveOptions out;
  out.step = step;
  out.method = method;
  return out;
}

/// A run that renews its mesh after every step.
struct FlowRun {
  Model model;
  Integrator integrator;
  State state;
  int changes = 0;
  double tension_jump = 0, momentum_jump = 0;  ///< largest at a change, relative

  FlowRun(const Scene& scene, const SolveOptions& options)
      : model(scene), integrator(model, options), state(integrator.start()) {}

  Status step() {
    if (const Status status = integrator.step(state); status != Status::ok) return status;
    const auto mesh = renewed_mesh(model, state);
    if (!mesh) return Status::ok;
    ++changes;
    const double momentum_before = momentum(model, state).linear.norm() + 1e-3;
    const double T = read("rope.tension@max");
    model = Model(model.scene(), *mesh);
    const MeshChange change = integrator.change_mesh(model, state);
    tension_jump = std::max(tension_jump, change.axial_force / T);
    momentum_jump = std::max(momentum_jump, change.momentum.norm() / momentum_before);
    return Status::ok;
  }
  Status to(double t) {
    while (state.t < t - integrator.options().step / 2)
      if (const Status status = step(); status != Status::ok) return status;
    return Status::ok;
  }
  /// A channel of one column.
  [[nodiscard]] double read(const std::string& channel) const {
    Channels channels(model, {channel});
    double out = 0;
    channels.sample(state, {&out, 1});
    return out;
  }
  [[nodiscard]] Vec3 place(const std::string& body) const {
    Channels channels(model, {body + ".position"});
    Vec3 out;
    channels.sample(state, {out.data(), 3});
    return out;
  }
};

/// A load of 10 kg on a light cable that is paid out at 1 m/s, l = 10 + t, from 0.2 rad.
inline Scene paid_out_pendulum() {
  Scene scene;
  const Vec3 along(std::sin(0.2), 0, -std::cos(0.2));
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 10, 10 * along)};
  scene.bodies[0].velocity = along;
  Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e6, 1e-3, 1e-3, 4);
  c.length = 10 / (1 + 10 * g * std::cos(0.2) / 1e6);
  c.payout = Signal::ramp(0, 20, 0, 20);
  scene.cables = {c};
  return scene;
}

/// 100 kg lowered on 1 kg/m, paid out faster and faster to 1 m/s.
inline Scene deployment() {
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 100, {0, 0, -5})};
  Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e6, 0, 1, 5);
  c.length = 5;
  c.payout = Signal::function([](double t) {
    if (t > 2) return Signal::Sample{t - 1, 1, 0};
    return Signal::Sample{t / 2 - std::sin(pi * t / 2) / pi, (1 - std::cos(pi * t / 2)) / 2,
                          pi / 4 * std::sin(pi * t / 2)};
  });
  scene.cables = {c};
  return scene;
}

/// 10 kg on 0.4 kg/m drawn out of a winch that holds 0.9 of the weight.
inline Scene supply_by_tension() {
  Scene scene;
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 10, {0, 0, -10})};
  Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e6, 0, 0.4, 5);
  c.length = 10 / (1 + 123.606e-6);
  c.tension = Signal(123.606);
  scene.cables = {c};
  return scene;
}

/// Masses on a rope over something in the middle, the right one level with it.
inline Scene atwood(double left, double right, double mass, const Stop& middle) {
  Scene scene;
  scene.supports = {at("ring", Vec3::Zero())};
  scene.bodies = {load("a", left, {0, 0, -4}), load("b", right, {2, 0, 0})};
  scene.cables = {rope({Stop::hold("a"), middle, Stop::hold("b")}, 1e6, 1e-3, mass, 12)};
  return scene;
}

/// A rope of 1 kg/m over a peg with friction, 0.8 m on one side and 1.2 m on the other. Axial waves
/// are damped: it starts unstretched.
inline Scene rope_over_a_peg(double friction) {
  Scene scene;
  scene.supports = {at("peg", Vec3::Zero())};
  scene.bodies = {load("a", 1e-4, {0, 0, -0.8}), load("b", 1e-4, {0, 0, -1.2})};
  Stop peg = Stop::over("peg");
  peg.friction = friction;
  scene.cables = {rope({Stop::hold("a"), peg, Stop::hold("b")}, 1e6, 1e-4, 1, 8)};
  scene.cables[0].sections[0].axial_damping.viscosity = 1e-3;
  return scene;
}

/// 20 kg on a light rope over a pulley that does not turn, raised by 1.5 m from 0.5 s to 2.5 s and
/// lowered from 3.5 s to 5.5 s.
inline Scene hoist_with_friction(double friction, CableModel model = CableModel::ancf) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports = {at("head", Vec3::Zero()), at("winch", {-0.1, 0, -6})};
  scene.bodies = {load("load", 20, {0.1, 0, -5})};
  Stop head = Stop::over("head", 0.1, Vec3::UnitY());
  head.friction = friction;
  Cable c = rope({Stop::hold("winch"), head, Stop::hold("load")}, 1e6, 1e-3, 1e-3, 8);
  c.sections[0].axial_damping.viscosity = 5e-3;
  c.model = model;
  const Signal up = Signal::smooth(0, -1.5, 0.5, 2.5), down = Signal::smooth(0, 1.5, 3.5, 5.5);
  c.payout = Signal::function([up, down](double t) {
    const Signal::Sample a = up.at({t, {}}), b = down.at({t, {}});
    return Signal::Sample{a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
  });
  scene.cables = {c};
  return scene;
}

/// A rope of 0.1 kg/m, EA = 20 kN in Green's strain, through an eyelet.
inline Scene heavy_atwood() {
  Scene scene;
  scene.supports = {at("ring", Vec3::Zero())};
  scene.bodies = {load("a", 2.6, {0, 0, -3}),
                  load("b", 2, {2 * std::sin(0.5), 0, -2 * std::cos(0.5)})};
  scene.cables = {
      rope({Stop::hold("a"), Stop::over("ring"), Stop::hold("b")}, 20000, 1e-3, 0.1, 20)};
  scene.cables[0].strain = StrainMeasure::green;
  return scene;
}

/// 3 kg and 2 kg on a light rope over an eyelet, R = 0, or a pulley that moves by 0.2 sin(2 pi t).
inline Scene moving_atwood(double R) {
  Scene scene;
  scene.supports = {at("ring", Vec3::Zero())};
  scene.supports[0].motion[2] = Signal::sine(0.2, 1);
  const double rate = 0.4 * pi;
  scene.bodies = {load("a", 3, {-R, 0, -2}), load("b", 2, {R > 0 ? R : 1e-3, 0, -2})};
  for (Body& b : scene.bodies) b.velocity = {0, 0, rate};
  Cable c = rope({Stop::hold("a"), Stop::over("ring", R, Vec3::UnitY()), Stop::hold("b")}, 1e6,
                 1e-3, 1e-4, 8);
  c.velocity = {0, 0, rate};
  c.length = (4 + pi * R) / (1 + 2.4 * g / 1e6);
  scene.cables = {c};
  return scene;
}

/// A heavy rope on a pulley of 0.1 m and 0.05 kg m^2 between 12 kg and 10 kg.
inline Scene atwood_on_a_pulley() {
  constexpr double R = 0.1;
  Scene scene;
  scene.supports = {at("axle", Vec3::Zero())};
  scene.bodies = {load("a", 12, {-R, 0, -10}), load("b", 10, {R, 0, -10})};
  Stop pulley = Stop::over("axle", R, Vec3::UnitY());
  pulley.inertia = 0.05;
  scene.cables = {rope({Stop::hold("a"), pulley, Stop::hold("b")}, 1e7, 0, 1, 10)};
  scene.cables[0].length = (20 + pi * R) / (1 + 200.0 / 1e7);
  return scene;
}

/// The free end of a rope of length r that leaves a pulley of 0.1 m at an angle.
inline Vec3 beside_pulley(double r, double theta) {
  const Vec3 n(std::cos(theta), 0, std::sin(theta)), tau(std::sin(theta), 0, -std::cos(theta));
  return 0.1 * n + r * tau;
}

/// The swinging machine on a pulley: m = 1, M = 1.5, R = 0.1, light rope.
inline Scene swinging_on_a_pulley() {
  constexpr double R = 0.1;
  Scene scene;
  scene.supports = {at("axle", Vec3::Zero())};
  scene.bodies = {load("a", 1.5, {-R, 0, -2}), load("b", 1, beside_pulley(2, 1))};
  scene.cables = {rope({Stop::hold("a"), Stop::over("axle", R, Vec3::UnitY()), Stop::hold("b")},
                       1e6, 1e-4, 1e-4, 4)};
  return scene;
}

/// Out from 1 m to 101 m at 5 m/s and back, unattended.
inline Scene out_and_back() {
  Scene scene;
  const Vec3 along(std::sin(0.1), 0, -std::cos(0.1));
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 100, along)};
  Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e6, 10, 0.4, 1);
  c.element_length = 2;
  c.length = 1 / (1 + 100 * g * std::cos(0.1) / 1e6);
  const auto ramp = [](double x) {  // 8 s to 5 m/s, 12 s, 8 s to rest
    const auto smooth = [](double t) {
      const double s = std::clamp(t / 8, 0.0, 1.0), s2 = s * s, s3 = s2 * s;
      return Signal::Sample{40 * (s3 - s2 * s2 / 2), 5 * (3 * s2 - 2 * s3),
                            5.0 / 8 * (6 * s - 6 * s2)};
    };
    const Signal::Sample up = smooth(x), down = smooth(x - 20);
    return Signal::Sample{
        up.value + 5 * std::max(0.0, x - 8) - down.value - 5 * std::max(0.0, x - 28),
        up.rate - down.rate, up.acceleration - down.acceleration};
  };
  c.payout = Signal::function([ramp](double t) {
    const Signal::Sample out = ramp(t), back = ramp(t - 28);
    return Signal::Sample{out.value - back.value, out.rate - back.rate,
                          out.acceleration - back.acceleration};
  });
  scene.cables = {c};
  return scene;
}

/// A load on two falls, on a block with a ring, R = 0, or a pulley.
inline Scene two_falls(double R) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports = {at("winch", {-0.25, 0, 0}), at("dead", {0.25, 0, 0})};
  scene.bodies = {load("block", 100, {0, 0, -5})};
  Cable c = rope({Stop::hold("winch"), Stop::over("block", R, -Vec3::UnitY()), Stop::hold("dead")},
                 1e6, 0.1, 1e-2, 8);
  c.payout = Signal::smooth(0, 4, 0, 4);
  scene.cables = {c};
  return scene;
}

/// 10 kg and 10.5 kg on a light rope that grips a pulley on a hinge.
inline Scene gripped_pulley() {
  Scene scene;
  scene.supports = {at("head", Vec3::Zero())};
  scene.bodies = {load("sheave", 10, Vec3::Zero()), load("a", 10, {-0.1, 0, -5}),
                  load("b", 10.5, {0.1, 0, -5})};
  scene.bodies[0].inertia = 0.2 * Eigen::Matrix3d::Identity();
  Joint hinge;
  hinge.name = "pin", hinge.kind = JointKind::hinge;
  hinge.first = "head", hinge.second = "sheave", hinge.axis = Vec3::UnitY();
  scene.joints = {hinge};
  Stop middle = Stop::over("sheave", 0.1, Vec3::UnitY());
  middle.grip = true;
  Cable c = rope({Stop::hold("a"), middle, Stop::hold("b")}, 1e6, 1e-3, 1e-3, 8);
  c.length = (10 + 0.1 * pi) / (1 + 10.25 * g / 1e6);
  scene.cables = {c};
  return scene;
}

/// A load that swings in water on a cable with added mass.
inline Scene swinging_in_water(const Signal& payout) {
  Scene scene;
  scene.fluid = Fluid{1000, {0, 0.2, 0}};
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 2, {3, 0, 0})};
  Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e5, 0.1, 0.5, 6);
  c.sections[0].diameter = 0.03;  // 0.7 kg/m of water
  c.sections[0].added_mass = 1;
  c.payout = payout;
  scene.cables = {c};
  return scene;
}

/// A chain of 1 m and 1 kg/m, half of it on a table and half over its edge, with friction on both.
/// It starts with the tension of the edge.
inline Scene chain_off_a_table(double table, double edge) {
  Scene scene;
  scene.supports = {at("table", Vec3::Zero()), at("edge", Vec3::Zero())};
  scene.supports[0].normal = Vec3::UnitZ();
  Cable c = rope({Stop(-0.5, 0, 0), Stop::over("edge"), Stop(0, 0, -0.5)}, 1e6, 1e-6, 1, 8);
  c.sections[0].axial_damping.viscosity = 1e-3;
  c.route[0].along = Along{"table", table};
  c.route[1].friction = edge;
  c.length = 1 / (1 + g / 4 / 1e6);
  scene.cables = {c};
  return scene;
}

/// A string of 1 kg/m under 100 N that runs out of a winch at the origin through an eyelet 10 m
/// away with a share of the speed of its transverse waves: no weight, eight elements between them.
struct RunningString {
  static constexpr double T = 100, EA = 1e5, L = 10, lam = 1 + T / EA;
  double c = std::sqrt(T * lam), v;  ///< of waves and of the string [m/s]

  explicit RunningString(double share) : v(share * c) {}
  [[nodiscard]] double omega() const { return pi / L * c * (1 - v * v / (c * c)); }
  [[nodiscard]] Scene scene(FlowMesh mesh = FlowMesh::running, int elements = 8) const {
    Scene out;
    out.gravity.setZero();
    out.supports = {at("winch", Vec3::Zero()), at("ring", {L, 0, 0}), at("out", {1.5 * L, 0, 0})};
    Cable c1 = rope({Stop::hold("winch"), Stop::over("ring"), Stop::hold("out")}, EA, 0, 1,
                    elements * 3 / 2);
    c1.length = 1.5 * L / lam;
    c1.mesh = mesh;
    if (v > 0) {
      out.supports[2].motion[0] = Signal::ramp(0, 1e3 * v, 0, 1e3);
      c1.payout = Signal::ramp(0, 1e3 * v / lam, 0, 1e3);
      c1.velocity = {v, 0, 0};
    } else {
      c1.payout = Signal::smooth(0, 1, 1e3, 1001);
    }
    out.cables = {c1};
    return out;
  }
  /// The same beside a body that flies: no work explains the energy of pluck(), and a run that
  /// gains as much energy as it has in motion is stopped.
  [[nodiscard]] Scene beside_a_flyer() const {
    Scene out = scene();
    out.bodies = {load("flyer", 1, {0, 0, 100})};
    out.bodies[0].velocity = {10, 0, 0};
    return out;
  }
  /// The first mode, y = a sin(pi x/L) cos(omega t + pi v x/(c L)), at its start, along y.
  void pluck(const Model& model, State& state, int elements = 8) const {
    constexpr double a = 1e-3;
    for (int i = 0; i <= elements; ++i) {
      const double x = L * i / elements, k = pi / L, j = k * v / c;
      const auto q = static_cast<size_t>(6 * (model.first_node(0) + i)) + 1;
      state.q[q] += a * std::sin(k * x) * std::cos(j * x);
      state.v[q] -= a * omega() * std::sin(k * x) * std::sin(j * x);
      state.q[q + 3] +=
          lam * a * (k * std::cos(k * x) * std::cos(j * x) - j * std::sin(k * x) * std::sin(j * x));
      state.v[q + 3] -=
          lam * a * omega() *
          (k * std::cos(k * x) * std::sin(j * x) + j * std::sin(k * x) * std::cos(j * x));
    }
  }
  /// omega from the times at which the middle of the string passes its rest, and the largest |y| in
  /// the last period [m]; nothing where the run fails.
  struct Seen {
    double omega = NAN, amplitude = NAN;
  };
  [[nodiscard]] Seen watch(FlowRun& run, int half_periods, int elements = 8) const {
    std::vector<double> zeros;
    const auto y = [&] {
      return run.state.q[static_cast<size_t>(6 * (run.model.first_node(0) + elements / 2)) + 1];
    };
    double most = 0;
    while (static_cast<int>(zeros.size()) <= half_periods) {
      const double before = y(), t = run.state.t;
      if (run.step() != Status::ok || run.state.t > 1e3) return {};
      if (static_cast<int>(zeros.size()) > half_periods - 2) most = std::max(most, std::abs(y()));
      if (before * y() < 0) zeros.push_back(t + (run.state.t - t) * before / (before - y()));
      if (!(std::abs(y()) < 1)) return {};
    }
    return {pi * half_periods / (zeros.back() - zeros.front()), most};
  }
};

}  // namespace hawser::flowing
