// Ropes with mass that are thrown off pulleys and laid back on them, against point masses on
// springs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../bench/flow_scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

constexpr double R = 0.1, EA = 1e4, mass = 0.2, half_span = 2, start_height = 0.1;
constexpr double tension = 100, drag = 30;  ///< at the start [N]; by the velocity and mass [1/s]

/// The pulley drops by 0.5 m and comes back, while the rope swings freely.
const Signal& pulley_motion() {
  static const Signal motion = Signal::function([](double t) {
    const Signal::Sample down = Signal::smooth(0, -0.5, 0.02, 0.06).at({t, {}}),
                         up = Signal::smooth(0, 0.5, 0.3, 0.6).at({t, {}});
    return Signal::Sample{down.value + up.value, down.rate + up.rate,
                          down.acceleration + up.acceleration};
  });
  return motion;
}

/// Length of the rope over the pulley at the start, and the angle of its spans.
struct Way {
  double angle, span, length;
  Way() {
    const double D = std::hypot(half_span, start_height);
    angle = std::atan2(start_height, half_span) + std::asin(R / D);
    span = std::sqrt(D * D - R * R);
    length = 2 * span + 2 * R * angle;
  }
};

/// A rope over a pulley, between two places of the ground, without weight.
Scene thrown_off(int elements) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  scene.supports = {at("left", {-half_span, 0, 0}), at("right", {half_span, 0, 0}),
                    at("axle", {0, 0, start_height})};
  scene.supports[2].motion[2] = pulley_motion();
  Cable c = rope({Stop::hold("left"), Stop::over("axle", R, Vec3::UnitY()), Stop::hold("right")},
                 EA, 1e-3, mass, elements);
  c.length = Way().length / (1 + tension / EA);
  c.sections[0].mass_damping = drag;
  scene.cables = {c};
  return scene;
}

/// Point masses on springs, which a circle pushes away without friction; velocity Verlet.
class Chain {
 public:
  explicit Chain(int parts) : rest_(Way().length / (1 + tension / EA) / parts) {
    const Way way;
    for (int i = 0; i <= parts; ++i) {
      const double s = way.length * i / parts, across = way.length - s;
      if (s <= way.span || across <= way.span) {
        const double x = std::min(s, across), side = s <= way.span ? -1 : 1;
        r_.push_back({side * (half_span - x * std::cos(way.angle)), x * std::sin(way.angle)});
      } else {
        const double turn = (s - way.length / 2) / R;
        r_.push_back({R * std::sin(turn), start_height + R * std::cos(turn)});
      }
    }
    v_.assign(r_.size(), {0, 0});
    a_ = v_;
    accelerate();
  }

  void to(double t) {
    const double h = 0.2 * rest_ / std::sqrt(EA / mass);
    const int steps = static_cast<int>(std::ceil((t - t_) / h));
    const double dt = (t - t_) / steps;
    for (int k = 0; k < steps; ++k) {
      for (size_t i = 1; i + 1 < r_.size(); ++i) {
        v_[i] += dt / 2 * a_[i];
        r_[i] += dt * v_[i];
      }
      t_ += dt;
      accelerate();
      for (size_t i = 1; i + 1 < r_.size(); ++i) v_[i] += dt / 2 * a_[i];
    }
    t_ = t;
  }
  /// At a share of the length.
  [[nodiscard]] Eigen::Vector2d place(double share) const {
    const double at = share * static_cast<double>(r_.size() - 1);
    const auto i = static_cast<size_t>(at);
    return r_[i] + (at - static_cast<double>(i)) * (r_[i + 1] - r_[i]);
  }

 private:
  void accelerate() {
    constexpr double stiffness = 2e7;  // of the contact, per metre of the rope [N/m^2]
    const Eigen::Vector2d centre(0, start_height + pulley_motion().at({t_, {}}).value);
    for (size_t i = 0; i < a_.size(); ++i) a_[i] = -drag * v_[i];
    const double m = mass * rest_;
    for (size_t i = 0; i + 1 < r_.size(); ++i) {
      const Eigen::Vector2d d = r_[i + 1] - r_[i];
      const double l = d.norm(), T = EA * (l / rest_ - 1);
      a_[i] += T / (m * l) * d;
      a_[i + 1] -= T / (m * l) * d;
    }
    for (size_t i = 1; i + 1 < r_.size(); ++i) {
      const Eigen::Vector2d from = r_[i] - centre;
      const double depth = R - from.norm();
      if (depth <= 0 || from.y() < 0) continue;
      a_[i] += stiffness / mass * depth * from.normalized();
    }
  }

  double rest_, t_ = 0;
  std::vector<Eigen::Vector2d> r_, v_, a_;
};

bool is_off(const FlowRun& run) { return run.model.mesh().wraps[0][0] < 0; }

Eigen::Vector2d place(const FlowRun& run, double share) {
  Channels channels(run.model, {fmt::format("rope.position@{}", share)});
  Vec3 r;
  channels.sample(run.state, {r.data(), 3});
  return {r.x(), r.z()};
}

/// The largest distance from the point masses; on the pulley none is asked for.
void compare_with_chain(const Scene& scene, const SolveOptions& options, double within) {
  Chain chain(160);
  FlowRun run(scene, options);
  std::vector<double> changes;  // when it comes off and lands
  while (run.state.t < 0.7 - options.step / 2) {
    const bool was = is_off(run);
    ASSERT_EQ(run.step(), Status::ok) << run.integrator.failure().message();
    if (is_off(run) != was) changes.push_back(run.state.t);
    if (run.state.steps % 10 != 0) continue;
    chain.to(run.state.t);
    for (const double share : {0.25, 0.5, 0.75})
      if (share != 0.5 || is_off(run)) {
        EXPECT_LT((place(run, share) - chain.place(share)).norm(), within)
            << share << " at " << run.state.t;
      }
  }
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_NEAR(changes[0], 0.0235, 2e-3);  // of 640 point masses: 0.0233 and 0.4682
  EXPECT_NEAR(changes[1], 0.4682, 1.5e-3);
}

TEST(LiftOff, ThrownOffAndLaidBack) {
  for (const Method method : {Method::mixed, Method::newton})
    compare_with_chain(thrown_off(16), by(1e-3, method), 4e-3);
}

/// Shorter steps and elements, while it swings freely.
TEST(LiftOff, Converges) {
  Chain chain(320);
  FlowRun run(thrown_off(32), by(1e-4));
  for (const double t : {0.05, 0.1, 0.2}) {
    ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
    chain.to(t);
    for (const double share : {0.25, 0.5})
      EXPECT_LT((place(run, share) - chain.place(share)).norm(), 5e-4) << share << " at " << t;
  }
}

/// Friction holds the rope on both sides of its middle, which does not slip here.
TEST(LiftOff, WithFriction) {
  Scene scene = thrown_off(16);
  scene.cables[0].route[1].friction = 0.2;
  compare_with_chain(scene, by(1e-3), 4e-3);
}

/// What comes off keeps its momentum, and loses the energy of elements that turn apart.
TEST(LiftOff, MomentumAndEnergy) {
  FlowRun run(thrown_off(32), by(1e-4));
  while (!is_off(run)) {
    ASSERT_EQ(run.integrator.step(run.state), Status::ok);
    ASSERT_LT(run.state.t, 0.03);
    const auto mesh = renewed_mesh(run.model, run.state);
    if (!mesh) continue;
    const double before = momentum(run.model, run.state).linear.norm(),
                 moving = run.read("energy.kinetic");
    run.model = Model(run.model.scene(), *mesh);
    const MeshChange change = run.integrator.change_mesh(run.model, run.state);
    EXPECT_LT(change.momentum.norm(), 5e-3 * before);
    EXPECT_LT(change.energy, 0);
    EXPECT_GT(change.energy, -0.3 * moving);
  }
}

TEST(LiftOff, GoesOnToTheSameBits) {
  FlowRun whole(thrown_off(16), by(1e-3)), part(thrown_off(16), by(1e-3));
  ASSERT_EQ(part.to(0.2), Status::ok);
  ASSERT_TRUE(is_off(part));
  FlowRun after(thrown_off(16), by(1e-3));
  after.model = Model(part.model.scene(), part.model.mesh());
  after.integrator = Integrator(after.model, by(1e-3));
  after.state = part.state;
  after.integrator.resume(after.state);
  ASSERT_EQ(whole.to(0.5), Status::ok);
  ASSERT_EQ(after.to(0.5), Status::ok);
  EXPECT_FALSE(is_off(after));
  EXPECT_EQ(whole.state.q, after.state.q);
  EXPECT_EQ(whole.state.v, after.state.v);
}

/// A pulley that turns: the rope is symmetric and does not turn it, with friction or without.
TEST(LiftOff, WithInertia) {
  for (const double friction : {0.0, 0.2}) {
    Scene scene = thrown_off(16);
    scene.cables[0].route[1].inertia = 1e-3;
    scene.cables[0].route[1].friction = friction;
    compare_with_chain(scene, by(1e-3), 4e-3);
  }
}

/// Straight elements, without slopes.
TEST(LiftOff, StraightElements) {
  Scene scene = thrown_off(64);
  scene.cables[0].model = CableModel::np_fem;
  for (const Method method : {Method::mixed, Method::newton})
    compare_with_chain(scene, by(1e-3, method), 4e-3);
}

struct SwingingMachine {
  CableModel model;
  double radius, left, right, rope_mass;
  Vec3 place;  ///< of the right load
  double stiffness, bending, friction;
};

/// The most that a change of mesh adds to the energy until t [J].
double largest_gain(const SwingingMachine& machine, double h, double t) {
  Stop pulley = Stop::over("ring", machine.radius, Vec3::UnitY());
  pulley.friction = machine.friction;
  Scene scene = atwood(machine.left, machine.right, machine.rope_mass, pulley);
  scene.bodies[0].position.x() = -machine.radius;
  scene.bodies[1].position = machine.place;
  scene.cables[0].model = machine.model;
  scene.cables[0].sections[0].EA = machine.stiffness;
  scene.cables[0].sections[0].EI = machine.bending;
  FlowRun run(scene, by(h));
  double gain = -HUGE_VAL;
  while (run.state.t < t) {
    if (run.integrator.step(run.state) != Status::ok) return NAN;
    const auto mesh = renewed_mesh(run.model, run.state);
    if (!mesh) continue;
    run.model = Model(run.model.scene(), *mesh);
    gain = std::max(gain, run.integrator.change_mesh(run.model, run.state).energy);
  }
  return gain;
}

/// A rope that comes off a pulley on which it is bent by 12 degrees out of the plane of the groove:
/// with a slope between both sides, and nothing else, its elements were stretched by 0.3 %, 1.7 J
/// of 33 J in motion.
TEST(LiftOff, BentOutOfThePlane) {
  const SwingingMachine machine{
      CableModel::ancf, 0.2119309636,   4.595445871,
      3.427893293,      0.1294019816,   {0.2193156732, 0.2894504665, -1.999545933},
      7.643776991e5,    6.308354713e-3, 0};
  EXPECT_LT(largest_gain(machine, 6.304653065e-3, 1.8), 0.05);
}

/// The last free node beside a pulley goes: the momentum that this span lacks does not set the rope
/// on the other side moving (0.19 J).
TEST(LiftOff, SpansKeepTheirEnergy) {
  const SwingingMachine machine{
      CableModel::np_fem, 0.2375431029,  5.105667894,
      2.78487666,         0.08777945964, {-0.4972210980, 0.2279118629, -1.839604618},
      8.260997293e4,      0.02497026262, 0};
  EXPECT_LT(largest_gain(machine, 1.629146584e-3, 1.25), 0.05);
}

/// A bent end turns about its load at 20 rad/s when elements beside it merge: its slope is free
/// (0.7 J with the slope as it was).
TEST(LiftOff, EndsTurnFreely) {
  const SwingingMachine machine{
      CableModel::ancf, 0.08015434183,  3.700883116,
      0.6945904875,     0.06617961477,  {1.994202283, -0.05152384741, -0.7247932618},
      9959.048552,      5.910430762e-3, 0.134};
  EXPECT_LT(largest_gain(machine, 1.619471648e-3, 0.64), 0.05);
}

/// What stops a rope where it lands is an impact of the pulley, which does work: the change of mesh
/// makes no energy. 1.5 J are in motion.
TEST(LiftOff, LandingMakesNoEnergy) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const int elements : {16, 32}) {
      Scene scene = thrown_off(elements);
      scene.cables[0].model = model;
      FlowRun run(scene, by(2e-4));
      bool landed = false;
      while (run.state.t < 0.6) {
        ASSERT_EQ(run.integrator.step(run.state), Status::ok) << run.integrator.failure().message();
        const auto mesh = renewed_mesh(run.model, run.state);
        if (!mesh) continue;
        const bool lands = is_off(run) && mesh->wraps[0][0] >= 0;
        run.model = Model(run.model.scene(), *mesh);
        const MeshChange change = run.integrator.change_mesh(run.model, run.state);
        if (lands) {
          EXPECT_LT(change.energy, 5e-3);
        }
        landed |= lands;
      }
      EXPECT_TRUE(landed);
      EXPECT_LT(run.read("energy.balance"), 0.015);
    }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
