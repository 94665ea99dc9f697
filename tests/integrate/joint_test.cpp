// Joints: what they hold and what they leave free, their forces, drives, limits and compliance;
// closed loops; cables that carry bodies; runs that are gone on with.
#include "allocations.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <numbers>

#include "hawser/error.h"
#include "hawser/measure.h"
#include "machines.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;
using Matrix3 = Eigen::Matrix3d;

struct Pose {
  Vec3 x;
  Matrix3 R;
};

Pose pose(const Model& model, const State& state, int body) {
  const double* o = state.orientation.data() + 4 * body;
  return {body_at(model, state, body),
          Eigen::Quaterniond(o[0], o[1], o[2], o[3]).toRotationMatrix()};
}

/// Frame of a body at a place in the world.
Frame frame_at(const std::string& name, const Body& body, const Vec3& world) {
  return frame(name, body.name, body.orientation.conjugate() * (world - body.position));
}

Body bar(const std::string& name, double mass, const Vec3& at, const Vec3& inertia) {
  Body b = ball(name, mass, at);
  b.inertia = inertia.asDiagonal();
  return b;
}

SolveOptions options(double step, Method method = Method::mixed, Scheme scheme = Scheme::hht) {
  return solve_options(method, step, scheme);
}

Status run(Integrator& integrator, State& state, double until) {
  const Status status = integrator.advance(state, until);
  EXPECT_EQ(status, Status::ok) << integrator.failure().message();
  return status;
}

// --- schemes that rigid joints can be solved with ---

/// A pendulum of 1 kg and 1 m on one pin, released from the side.
Scene pinned_bob(double compliance = 0) {
  Scene scene;
  scene.bodies = {ball("bob", 1, {1, 0, 0})};
  scene.supports = {ground("o", {0, 0, 0})};
  scene.frames = {frame("bob.eye", "bob", {-1, 0, 0})};
  scene.joints = {joint("pin", JointKind::pin, "o", "bob.eye")};
  scene.joints[0].compliance = compliance;
  return scene;
}

std::string refusal(const Scene& scene, const SolveOptions& options) {
  try {
    const Integrator integrator(Model(scene), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

SolveOptions scheme(Scheme scheme, double alpha = -0.2, double rho = 0.8) {
  SolveOptions o = options(0.02, Method::mixed, scheme);
  o.hht_alpha = alpha;
  o.rho_infinity = rho;
  return o;
}

/// Undamped, the forces of rigid rows swing and grow (Cardona & Geradin 1989).
TEST(RigidRows, RefuseSchemesThatDoNotDamp) {
  const std::string rest =
      " % of unresolved oscillations, with joint 'pin', which is rigid; expected a scheme that "
      "damps: hht with hht_alpha -0.05 or below, or generalized-alpha with rho_infinity 0.9 or "
      "below. Without damping the forces of rigid joints oscillate and grow, with shorter steps "
      "too.";
  EXPECT_EQ(refusal(pinned_bob(), scheme(Scheme::newmark)),
            "solve options, scheme: found one that preserves 100" + rest);
  EXPECT_EQ(refusal(pinned_bob(), scheme(Scheme::generalized_alpha, 0, 0.95)),
            "solve options, scheme: found one that preserves 95" + rest);
  for (SolveOptions o :
       {scheme(Scheme::generalized_alpha, 0, 0.91), scheme(Scheme::generalized_alpha, 0, 0.98),
        scheme(Scheme::hht, -0.02), scheme(Scheme::hht, -0.04), scheme(Scheme::hht, 0)}) {
    EXPECT_NE(refusal(pinned_bob(), o), "none");
    o.method = Method::newton;
    EXPECT_NE(refusal(pinned_bob(), o), "none");
    o.method = Method::mixed3;
    EXPECT_EQ(refusal(pinned_bob(), o), "none") << "a scheme of its own";
  }
}

TEST(RigidRows, TakeSchemesThatDamp) {
  SolveOptions damped = scheme(Scheme::newmark);
  damped.newmark_gamma = 0.6;
  damped.newmark_beta = 0.3025;  // (gamma + 1/2)^2/4: keeps 82 %
  for (const SolveOptions& o :
       {scheme(Scheme::generalized_alpha, 0, 0.9), scheme(Scheme::hht, -0.05),
        scheme(Scheme::hht, -0.2), scheme(Scheme::bdf2), scheme(Scheme::backward_euler), damped})
    EXPECT_EQ(refusal(pinned_bob(), o), "none") << name_of(o);
  const Model model(pinned_bob());
  for (const SolveOptions& o :
       {scheme(Scheme::generalized_alpha, 0, 0.9), scheme(Scheme::hht, -0.05), damped}) {
    Integrator integrator(model, o);
    State state = integrator.start();
    ASSERT_EQ(run(integrator, state, 20), Status::ok);
    const double lost = -energy(model, state).balance();
    EXPECT_LT(std::abs(lost), name_of(o).find("newmark") == std::string::npos ? 0.05 : 5) << lost;
  }
}

/// Spook took 88 % of the energy of a swinging rope in 3 s: forces of elements are Backward Euler's
/// in its step.
TEST(Spook, RefusesCablesWithElements) {
  const std::string rest =
      ", which has elements; expected a method for elements: mixed, mixed3 or newton. Spook steps "
      "bodies, joints and massless cables; it would damp a cable with elements like Backward "
      "Euler. `model: massless` makes the cable a constraint.";
  Scene scene = pinned_bob();
  EXPECT_EQ(refusal(scene, options(0.01, Method::spook)), "none");
  scene.cables = {massless("line", 1e6, 2, {"o", "bob"})};
  EXPECT_EQ(refusal(scene, options(0.01, Method::spook)), "none");
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    Cable rope = westin_irani_cable(1e8);
    rope.model = model;
    scene.cables = {massless("line", 1e6, 2, {"o", "bob"}), rope};
    EXPECT_EQ(refusal(scene, options(0.01, Method::spook)),
              "solve options, method: found spook with the cable 'pendulum'" + rest);
  }
}

/// What is eliminated or gives way is no rigid row.
TEST(RigidRows, AreJointsDrivesAndAttachmentsOnly) {
  const SolveOptions newmark = scheme(Scheme::newmark);
  Scene free = pinned_bob();
  free.joints.clear();
  EXPECT_EQ(refusal(free, newmark), "none");
  EXPECT_EQ(refusal(pinned_bob(1e-6), newmark), "none");
  EXPECT_EQ(refusal(pendulum(1e8), newmark), "none") << "a pin eliminates coordinates";
  Scene attached = free;
  attached.cables = {westin_irani_cable(1e8)};
  attach(attached.cables[0], -1, "bob");
  EXPECT_NE(refusal(attached, newmark), "none");
  Scene winch = free;
  winch.cables = {massless("rope", 1e6, 0, {"o", "bob"})};
  EXPECT_EQ(refusal(winch, newmark), "none");
  winch.cables[0].drive = {Drive::Kind::velocity, 0.1, 0.0};
  EXPECT_NE(refusal(winch, newmark), "none");
  winch.cables[0].drive.slip = 1e-4;
  EXPECT_EQ(refusal(winch, newmark), "none");
}

/// Baumgarte's feedback is that of supports and conditions; it must not be asked for in vain.
TEST(RigidRows, RefuseBaumgarte) {
  SolveOptions o = options(1e-3);
  o.constraints = ConstraintLevel::baumgarte;
  const std::string rest =
      "; expected position. Joints, attachments, rotating clamps and massless cables are satisfied "
      "at "
      "the end of every step; Baumgarte stabilization applies to supports and conditions only.";
  EXPECT_EQ(refusal(pinned_bob(), o),
            "solve options, constraints: found baumgarte with joint 'pin'" + rest);
  Scene hung = pinned_bob();
  hung.joints.clear();
  hung.cables = {massless("rope", 1e6, 0, {"o", "bob"})};
  EXPECT_EQ(refusal(hung, o),
            "solve options, constraints: found baumgarte with cable 'rope'" + rest);
  hung.cables.clear();
  EXPECT_EQ(refusal(hung, o), "none");
}

// --- what a joint holds ---

/// Two bodies that fall, tumble and are held together, each at a pose and a speed of its own.
struct Couple {
  static inline const Vec3 axis = Vec3(1, 2, 2) / 3, second = Vec3(2, 1, -2) / 3;
  static inline const Vec3 at{0.6, 0.1, 0.2}, beyond{1.0, 0.1, 0.2};
  Scene scene;

  explicit Couple(JointKind kind) {
    Body a = bar("a", 1.5, {0, 0, 0}, {0.06, 0.08, 0.05}),
         b = bar("b", 1, {1.4, 0.3, 0.1}, {0.03, 0.05, 0.04});
    a.orientation = Eigen::AngleAxisd(0.8, Vec3(1, 0.4, 0).normalized());
    b.orientation = Eigen::AngleAxisd(-1.1, Vec3(0, 1, 0.7).normalized());
    a.velocity = {0.3, -0.2, 0.5};
    b.velocity = {-0.4, 0.6, 0.9};
    a.angular_velocity = {1.2, -0.5, 0.7};
    b.angular_velocity = {-1, 2, 1.5};
    scene.bodies = {a, b};
    scene.frames = {frame_at("fa", a, at),
                    frame_at("fb", b, kind == JointKind::distance ? beyond : at)};
    Joint j = joint("joint", kind, "fa", "fb", axis);
    j.second_axis = second;
    scene.joints = {j};
  }
};

/// The second body as the first sees it, in world axes of the start.
struct Relative {
  Vec3 e;     ///< from frame to frame [m]
  Matrix3 Q;  ///< turned since the start
};

Relative relative(const Model& model, const State& state) {
  const Pose a = pose(model, state, 0), b = pose(model, state, 1);
  const Scene& s = model.scene();
  const Matrix3 back = s.bodies[0].orientation * a.R.transpose();
  return {back * (b.x + b.R * s.frames[1].position - a.x - a.R * s.frames[0].position),
          back * b.R * s.bodies[1].orientation.conjugate()};
}

/// What a kind of joint keeps at zero, and what it leaves free.
struct Freedoms {
  Eigen::VectorXd held, free;
};

Freedoms freedoms(JointKind kind, const Relative& r) {
  const Vec3 z = Couple::axis, x = z.unitOrthogonal(), y = z.cross(x), w = Couple::second;
  const Eigen::AngleAxisd turned(r.Q);
  const Vec3 turn = turned.angle() * turned.axis();
  const Vec3 swing = r.Q * z - z, wobble = r.Q * w - w;
  Eigen::VectorXd held(6), free(6);
  switch (kind) {
    case JointKind::pin:
      return {r.e, turn};
    case JointKind::weld:
      return {(held << r.e, turn).finished(), {}};
    case JointKind::hinge:
      return {(held << r.e, swing).finished(), Eigen::VectorXd::Constant(1, z.dot(turn))};
    case JointKind::slider:
      return {(Eigen::VectorXd(5) << x.dot(r.e), y.dot(r.e), turn).finished(),
              Eigen::VectorXd::Constant(1, z.dot(r.e))};
    case JointKind::cylinder:
      return {(Eigen::VectorXd(5) << x.dot(r.e), y.dot(r.e), swing).finished(),
              (Eigen::VectorXd(2) << z.dot(r.e), z.dot(turn)).finished()};
    case JointKind::universal:
      return {(Eigen::VectorXd(4) << r.e, z.dot(r.Q * w)).finished(),
              (Eigen::VectorXd(2) << swing.norm(), wobble.norm()).finished()};
    case JointKind::distance:
      return {Eigen::VectorXd::Constant(1, r.e.norm() - (Couple::beyond - Couple::at).norm()),
              (free << r.e - (Couple::beyond - Couple::at), turn).finished()};
  }
  return {};
}

constexpr JointKind all_kinds[] = {JointKind::pin,     JointKind::weld,     JointKind::hinge,
                                   JointKind::slider,  JointKind::cylinder, JointKind::universal,
                                   JointKind::distance};

TEST(Joint, HoldsWhatItMustAndNothingElse) {
  for (const JointKind kind : all_kinds)
    for (const Method method :
         {Method::mixed, Method::newton, Method::linearized, Method::mixed3}) {
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", " + name_of(method));
      const Model model(Couple(kind).scene);
      Integrator integrator(model, options(1e-3, method));
      State state = integrator.start();
      const Momentum start = momentum(model, state);
      double held = 0;
      Eigen::VectorXd free = freedoms(kind, relative(model, state)).free.cwiseAbs();
      while (state.t < 1) {
        ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
        const Freedoms now = freedoms(kind, relative(model, state));
        held = std::max(held, now.held.lpNorm<Eigen::Infinity>());
        free = free.cwiseMax(now.free.cwiseAbs());
      }
      // linearized has the joints' directions of the start of the step
      EXPECT_LT(held, method == Method::linearized ? 5e-6 : 1e-6);
      EXPECT_TRUE(free.size() == 0 || free.minCoeff() > 0.05) << free.transpose();
      const Vec3 fallen = start.linear + 2.5 * model.scene().gravity * state.t;
      EXPECT_LT((momentum(model, state).linear - fallen).norm(), 1e-9) << "forces cancel";
    }
}

// --- forces ---

TEST(Joint, CarriesTheWeightAtRest) {
  for (const JointKind kind : {JointKind::pin, JointKind::weld, JointKind::hinge, JointKind::slider,
                               JointKind::universal, JointKind::distance}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Scene scene;
    scene.bodies = {ball("load", 3, {0, 0, -1})};
    const bool apart = kind == JointKind::distance;
    scene.supports = {ground("hook", apart ? Vec3(0, 0, 0) : Vec3(0, 0, -0.4))};
    scene.frames = {frame("eye", "load", {0, 0, 0.6})};
    scene.joints = {joint("joint", kind, "hook", "eye", Vec3::UnitX())};
    scene.joints[0].second_axis = Vec3::UnitY();
    const Model model(scene);
    for (const Method method : {Method::mixed, Method::spook}) {
      Integrator integrator(model, options(1e-3, method));
      State state = integrator.start();
      for (const double until : {0.0, 0.5}) {
        ASSERT_EQ(run(integrator, state, until), Status::ok);
        const Wrench w = joint_force(model, state, "joint");
        EXPECT_LT((w.force - Vec3(0, 0, 3 * g)).norm(), 1e-8) << until;
        EXPECT_LT(w.torque.norm(), 1e-8) << until;
      }
    }
  }
}

/// A welded arm: the moment m g L about its root; the whole is at rest.
TEST(Joint, WeldCarriesTheMomentOfACantilever) {
  constexpr double mass = 2, L = 1.5;
  Scene scene;
  scene.bodies = {ball("arm", mass, {L, 0, 0})};
  scene.supports = {ground("wall", Vec3::Zero())};
  scene.frames = {frame("root", "arm", {-L, 0, 0})};
  scene.joints = {joint("weld", JointKind::weld, "wall", "root")};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::spook}) {
    Integrator integrator(model, options(1e-2, method));
    State state = integrator.start();
    for (const double until : {0.0, 1.0}) {
      ASSERT_EQ(run(integrator, state, until), Status::ok);
      const Wrench w = joint_force(model, state, "weld");
      // Rows that might repeat each other yield a ten-millionth part.
      EXPECT_LT((w.force - Vec3(0, 0, mass * g)).norm(), 3e-6);
      EXPECT_LT((w.torque - Vec3(0, -mass * g * L, 0)).norm(), 3e-6);
    }
    EXPECT_LT((body_at(model, state, 0) - Vec3(L, 0, 0)).norm(), 1e-9);
  }
}

// --- drives ---

/// An arm on a hinge about y, level at the start, its centre 0.4 m out.
Scene driven_arm(const Drive& drive) {
  Scene scene;
  scene.bodies = {bar("arm", 2, {0.4, 0, 0}, {0.02, 0.1, 0.1})};
  scene.supports = {ground("axle", Vec3::Zero())};
  scene.frames = {frame("hub", "arm", {-0.4, 0, 0})};
  scene.joints = {joint("hinge", JointKind::hinge, "axle", "hub", Vec3::UnitY())};
  scene.joints[0].turn = drive;
  return scene;
}

/// Turned about y since the start, counted step by step [rad].
double step_counting(Integrator& integrator, State& state, double until) {
  const Model& model = integrator.model();
  double angle = 0, before = 0;
  while (state.t < until - 1e-9) {
    const Status status = integrator.step(state);
    EXPECT_EQ(status, Status::ok) << integrator.failure().message();
    if (status != Status::ok) break;
    const Vec3 x = body_at(model, state, 0);
    const double now = std::atan2(-x.z(), x.x());
    angle += std::remainder(now - before, 2 * pi);
    before = now;
  }
  return angle;
}

TEST(Joint, HingeTurnsTenTurnsByAngleAndByRate) {
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::mixed3}) {
    SCOPED_TRACE(name_of(method));
    const Model by_angle(
        driven_arm({Drive::Kind::position, Signal::smooth(0, 20 * pi, 0, 4), 0.0}));
    Integrator one(by_angle, options(1e-3, method));
    State state = one.start();
    EXPECT_NEAR(step_counting(one, state, 4), 20 * pi, 1e-6);
    EXPECT_NEAR(state.wrap.at(0), 20 * pi, 1e-6);
    // The drive's work, of 180 J in motion. The forces of mixed3, of first order, are no use here.
    if (method != Method::mixed3) {
      EXPECT_NEAR(energy(by_angle, state).balance(), 0, method == Method::linearized ? 0.2 : 0.02);
    }

    const Model by_rate(driven_arm({Drive::Kind::velocity, 5 * pi, 0.0}));
    Integrator two(by_rate, options(1e-3, method));
    state = two.start();
    EXPECT_NEAR(state.v[4], 5 * pi, 1e-7) << "the start gives it its speed";
    EXPECT_NEAR(step_counting(two, state, 4), 20 * pi, 1e-4);
    EXPECT_NEAR(state.v[4], 5 * pi, 1e-6);
  }
}

/// A lone arm that begins to turn slowly: the work of the drive is found to second order, and the
/// guard on energy must not take the rest for a gain.
TEST(Joint, ASlowDriveIsNoGainOfEnergy) {
  const Model model(driven_arm({Drive::Kind::position, Signal::smooth(0, 0.4 * pi, 0, 4), 0.0}));
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::mixed3}) {
    SCOPED_TRACE(name_of(method));
    Integrator integrator(model, options(1e-3, method));
    State state = integrator.start();
    EXPECT_NEAR(step_counting(integrator, state, 4), 0.4 * pi, 1e-6);
  }
}

/// The torque of the drive: J alpha less the weight's, with J about the axle.
TEST(Joint, DriveTurnsWithTheTorqueThatItTakes) {
  const Signal turn = Signal::sine(0.8, 0.5);
  const Model model(driven_arm({Drive::Kind::position, turn, 0.0}));
  Integrator integrator(model, options(1e-3, Method::newton, Scheme::generalized_alpha));
  State state = integrator.start();
  ASSERT_EQ(run(integrator, state, 1.3), Status::ok);
  const Signal::Sample now = turn.at(state.now());
  const double expected = (0.1 + 2 * 0.16) * now.acceleration - 2 * g * 0.4 * std::cos(now.value);
  EXPECT_NEAR(joint_force(model, state, "hinge").torque.y(), expected, 1e-2);
}

TEST(Joint, SliderAndDistanceFollowTheirDrives) {
  const Signal way = Signal::sine(0.3, 0.7);
  Scene slide, rod;
  slide.bodies = {ball("cart", 1, {0.2, 0, 0})};
  slide.supports = {ground("rail", Vec3::Zero())};
  slide.frames = {frame("foot", "cart", {-0.2, 0, 0})};
  slide.joints = {joint("joint", JointKind::slider, "rail", "foot", {1, 0, 1})};
  slide.joints[0].travel = {Drive::Kind::position, way, 0.0};
  rod.bodies = {ball("cart", 1, {1, 0, 0})};
  rod.supports = {ground("rail", Vec3::Zero())};
  rod.joints = {joint("joint", JointKind::distance, "rail", "cart")};
  rod.joints[0].travel = {Drive::Kind::position, Signal::sine(0.3, 0.7, 0, 1), 0.0};
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::mixed3}) {
    SCOPED_TRACE(name_of(method));
    const Model a(slide), b(rod);
    Integrator one(a, options(1e-3, method)), two(b, options(1e-3, method));
    State sa = one.start(), sb = two.start();
    for (const double until : {0.5, 1.0, 2.0}) {
      ASSERT_EQ(run(one, sa, until), Status::ok);
      ASSERT_EQ(run(two, sb, until), Status::ok);
      const Vec3 expected = Vec3(0.2, 0, 0) + way.at(sa.now()).value * Vec3(1, 0, 1).normalized();
      EXPECT_LT((body_at(a, sa, 0) - expected).norm(), 1e-8);
      EXPECT_NEAR(body_at(b, sb, 0).norm(), 1 + way.at(sb.now()).value,
                  method == Method::linearized ? 5e-5 : 1e-6);
    }
    EXPECT_NEAR(energy(b, sb).balance(), 0, method == Method::mixed3 ? 5e-3 : 1e-3);
  }
}

/// With slip xi the drive loses xi times its torque: it turns a load torque M at w - xi M.
TEST(Joint, RateDriveSlipsUnderLoad) {
  constexpr double w = 6, slip = 0.2, load = 5;
  Scene scene;
  scene.gravity = Vec3::Zero();
  scene.bodies = {bar("rotor", 2, {0, 0, 0}, {0.2, 0.3, 0.25})};
  scene.supports = {ground("bearing", Vec3::Zero())};
  scene.joints = {joint("shaft", JointKind::hinge, "bearing", "rotor", Vec3::UnitY())};
  scene.joints[0].turn = {Drive::Kind::velocity, w, slip};
  BodyForce f;
  f.frame = "rotor";
  f.moment = {0, -load, 0};
  scene.body_forces = {f};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::spook}) {
    SCOPED_TRACE(static_cast<int>(method));
    Integrator integrator(model, options(1e-3, method));
    State state = integrator.start();
    EXPECT_NEAR(state.v[4], 0, 1e-12) << "what slips needs no jolt";
    ASSERT_EQ(run(integrator, state, 0.06), Status::ok);  // the time constant: J xi
    EXPECT_NEAR(state.v[4], (w - slip * load) * (1 - std::exp(-1.0)), 2e-2);
    ASSERT_EQ(run(integrator, state, 2), Status::ok);
    EXPECT_NEAR(state.v[4], w - slip * load, 1e-6);
    EXPECT_NEAR(joint_force(model, state, "shaft").torque.y(), load, 1e-6);
  }
}

// --- limits and compliance ---

/// A weight on a vertical slider, 0.5 m above its lower limit.
Scene dropped(double compliance) {
  Scene scene;
  scene.bodies = {ball("weight", 2, {0, 0, 0})};
  scene.supports = {ground("mast", Vec3::Zero())};
  scene.joints = {joint("slider", JointKind::slider, "mast", "weight", Vec3::UnitZ())};
  scene.joints[0].travel_limits.lowest = -0.5;
  scene.joints[0].compliance = compliance;
  return scene;
}

TEST(Joint, RigidLimitStopsWithoutGainOfEnergy) {
  const Model model(dropped(0));
  for (const Method method :
       {Method::mixed, Method::newton, Method::linearized, Method::mixed3, Method::spook}) {
    SCOPED_TRACE(static_cast<int>(method));
    Integrator integrator(model, options(1e-3, method));
    State state = integrator.start();
    double most = -1e9, lowest = 0;
    while (state.t < 1) {
      ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
      most = std::max(most, energy(model, state).total());
      lowest = std::min(lowest, body_at(model, state, 0).z());
    }
    EXPECT_LT(most, 1e-9);
    EXPECT_GT(lowest, -0.5 - 4e-3) << "no more than a step's way beyond";
    EXPECT_NEAR(body_at(model, state, 0).z(), -0.5, 1e-6);
    EXPECT_NEAR(body_velocity(model, state, 0).z(), 0, 1e-6);
    EXPECT_NEAR(joint_force(model, state, "slider").force.z(), 2 * g, 1e-4);
    EXPECT_LE(integrator.counters().switched, 10);
  }
}

/// A limit that yields throws it back: a period of fall, half an oscillation and rise.
TEST(Joint, CompliantLimitBouncesAndKeepsEnergy) {
  constexpr double eps = 1e-4;
  const Model model(dropped(eps));
  for (const Method method : {Method::mixed, Method::newton}) {
    SCOPED_TRACE(name_of(method));
    Integrator integrator(model, options(1e-4, method));
    State state = integrator.start();
    double top = 0, lowest = 0, v = 0;
    while (top == 0 && state.t < 1) {
      ASSERT_EQ(integrator.step(state), Status::ok);
      lowest = std::min(lowest, body_at(model, state, 0).z());
      const double now = body_velocity(model, state, 0).z();
      if (v > 0 && now <= 0) top = state.t;
      v = now;
      EXPECT_NEAR(energy(model, state).total(), 0, 1e-3 * 2 * g * 0.5) << state.t;
    }
    // Deepest where m g (0.5 + d) = d^2/(2 eps); w d'' = g - d/(m eps).
    const double w = 1 / std::sqrt(2 * eps), rest = 2 * g * eps,
                 swing = std::hypot(rest, std::sqrt(2 * g * 0.5) / w);
    EXPECT_NEAR(-0.5 - lowest, rest + swing, 1e-5);
    const double contact = 2 / w * (pi - std::acos(rest / swing));
    EXPECT_NEAR(top, 2 * std::sqrt(2 * 0.5 / g) + contact, 3e-4);
    EXPECT_NEAR(body_at(model, state, 0).z(), 0, 1e-3);
  }
}

/// A pendulum between two stops, ten seconds: it comes to rest in its range, and rows are switched
/// a few times an impact at most.
TEST(Joint, SwitchesOfLimitsAreBounded) {
  Scene scene = driven_arm({});
  scene.joints[0].turn_limits = {-0.2, 0.3};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::spook}) {
    SCOPED_TRACE(static_cast<int>(method));
    Integrator integrator(model, options(2e-3, method));
    State state = integrator.start();
    ASSERT_EQ(run(integrator, state, 10), Status::ok);
    EXPECT_LE(integrator.counters().switched, 10);
    const Vec3 x = body_at(model, state, 0);
    EXPECT_NEAR(std::atan2(-x.z(), x.x()), 0.3, 1e-6);
    EXPECT_NEAR(joint_force(model, state, "hinge").torque.y(), -2 * g * 0.4 * std::cos(0.3), 1e-3);
  }
}

/// What yields does so by force times compliance. The oscillation about it is beyond the step and
/// damped away.
TEST(Joint, YieldsByForceTimesCompliance) {
  constexpr double eps = 1e-6, angular = 1e-6, mass = 2, L = 0.5;
  Scene scene;
  scene.bodies = {ball("arm", mass, {L, 0, 0})};
  scene.supports = {ground("wall", Vec3::Zero())};
  scene.frames = {frame("root", "arm", {-L, 0, 0})};
  scene.joints = {joint("weld", JointKind::weld, "wall", "root", {1, 2, 3})};
  scene.joints[0].compliance = eps;
  scene.joints[0].angular_compliance = angular;
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton, Method::spook}) {
    SCOPED_TRACE(static_cast<int>(method));
    Integrator integrator(model, options(2e-2, method));
    State state = integrator.start();
    ASSERT_EQ(run(integrator, state, 10), Status::ok);
    const Pose p = pose(model, state, 0);
    const Vec3 root = p.x - p.R * Vec3(L, 0, 0);
    EXPECT_LT((root - Vec3(0, 0, -mass * g * eps)).norm(), 1e-3 * mass * g * eps);
    const Eigen::AngleAxisd turned(p.R);
    EXPECT_NEAR(turned.angle() * turned.axis().y(), mass * g * L * angular,
                1e-3 * mass * g * L * angular);
  }
}

/// A bar on a weld that yields by tens of degrees: m g L cos(turn) = turn/compliance, whatever the
/// way it points.
TEST(Joint, CompliantWeldIsASpringOfAnyAngle) {
  constexpr double eps = 0.15, mass = 2, L = 0.5;
  double angle = 0;
  for (int i = 0; i < 50; ++i) {
    const double f = angle - eps * mass * g * L * std::cos(angle);
    angle -= f / (1 + eps * mass * g * L * std::sin(angle));
  }
  ASSERT_GT(angle, 0.8);
  for (const JointKind kind : {JointKind::weld, JointKind::slider})
    for (const double azimuth : {0.0, 0.5, 1.1, pi / 2, 2.9}) {
      SCOPED_TRACE(azimuth);
      const Vec3 out(std::cos(azimuth), std::sin(azimuth), 0), across(-out.y(), out.x(), 0);
      Scene scene;
      scene.bodies = {bar("arm", mass, L * out, {0.01, 0.2, 0.2})};
      scene.bodies[0].orientation = Eigen::AngleAxisd(azimuth, Vec3::UnitZ());
      scene.supports = {ground("wall", Vec3::Zero())};
      scene.frames = {frame("root", "arm", {-L, 0, 0})};
      scene.joints = {joint("weld", kind, "wall", "root", across)};  // nothing pushes a slider
      scene.joints[0].angular_compliance = eps;
      scene.initial = Initial::rest;
      const Model model(scene);
      const State state = Integrator(model, options(1e-3)).start();
      const Pose p = pose(model, state, 0);
      const Vec3 tip = p.R * Vec3::UnitX();
      EXPECT_LT((tip - std::cos(angle) * out + std::sin(angle) * Vec3::UnitZ()).norm(), 1e-8);
      EXPECT_LT((joint_force(model, state, "weld").torque + angle / eps * across).norm(), 1e-7);
    }
}

/// Two bars in a row on such welds, twisted and bent at once: turned about the vertical with all of
/// it, they move the same.
TEST(Joint, CompliantWeldsMoveTheSameInAllDirections) {
  const auto tip_after = [](double azimuth, Method method) {
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(azimuth, Vec3::UnitZ()));
    Scene scene;
    scene.bodies = {bar("a", 0.5, turned * Vec3(0.3, 0, 0), {0.01, 0.02, 0.02}),
                    bar("b", 0.5, turned * Vec3(0.6, 0.3, 0), {0.02, 0.01, 0.02})};
    for (Body& b : scene.bodies) b.orientation = turned;
    scene.supports = {ground("wall", Vec3::Zero())};
    scene.frames = {frame("root", "a", {-0.3, 0, 0}), frame("end", "a", {0.3, 0, 0}),
                    frame("foot", "b", {0, -0.3, 0})};
    scene.joints = {joint("w1", JointKind::weld, "wall", "root", turned * Vec3(1, 2, 3)),
                    joint("w2", JointKind::weld, "end", "foot", turned * Vec3(1, 2, 3))};
    for (Joint& j : scene.joints) j.angular_compliance = 0.05;
    const Model model(scene);
    Integrator integrator(model, options(1e-3, method));
    State state = integrator.start();
    run(integrator, state, 0.4);
    return Vec3(turned.conjugate() * body_at(model, state, 1));
  };
  for (const Method method : {Method::mixed, Method::newton, Method::spook}) {
    SCOPED_TRACE(static_cast<int>(method));
    const Vec3 straight = tip_after(0, method);
    EXPECT_LT(straight.z(), -0.1);
    for (const double azimuth : {0.5, 1.1, 2.9})
      EXPECT_LT((tip_after(azimuth, method) - straight).norm(), 1e-7) << azimuth;
  }
}

// --- closed loops ---

/// A parallelogram of three bars on four hinges: three of its rows say what others say. Its coupler
/// keeps level: a pendulum of one freedom.
struct FourBar {
  static constexpr double L = 1, crank = 0.5, coupler = 2, J = crank * L * L / 12, start = 0.7;
  Scene scene;

  FourBar() {
    const Vec3 arm(L * std::sin(start), 0, -L * std::cos(start)), apart(1.5, 0, 0);
    Body left = bar("left", crank, arm / 2, {J, J, 1e-3}), right = left, beam = left;
    right.name = "right";
    right.position = apart + arm / 2;
    beam = bar("beam", coupler, arm + apart / 2, {0.01, 0.4, 0.4});
    scene.bodies = {left, beam, right};
    scene.supports = {ground("g1", Vec3::Zero()), ground("g2", apart)};
    scene.frames = {frame_at("l1", left, Vec3::Zero()), frame_at("l2", left, arm),
                    frame_at("b1", beam, arm),          frame_at("b2", beam, arm + apart),
                    frame_at("r1", right, apart),       frame_at("r2", right, arm + apart)};
    const auto hinge = [&](const char* a, const char* b) {
      scene.joints.push_back(joint(std::string(a) + b, JointKind::hinge, a, b, Vec3::UnitY()));
    };
    hinge("g1", "l1"), hinge("l2", "b1"), hinge("b2", "r2"), hinge("g2", "r1");
  }

  /// Its angle at a time, by Runge and Kutta's method: (2 J0 + M L^2) theta'' = -(m + M) g L sin.
  static double angle(double until) {
    constexpr double inertia = 2 * (J + crank * L * L / 4) + coupler * L * L;
    const auto f = [](double theta) {
      return -(crank + coupler) * g * L / inertia * std::sin(theta);
    };
    double theta = start, rate = 0;
    constexpr int steps = 20000;
    const double h = until / steps;
    for (int i = 0; i < steps; ++i) {
      const double k1 = f(theta), k2 = f(theta + h / 2 * rate),
                   k3 = f(theta + h / 2 * rate + h * h / 4 * k1),
                   k4 = f(theta + h * rate + h * h / 2 * k2);
      theta += h * rate + h * h / 6 * (k1 + k2 + k3);
      rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return theta;
  }
};

TEST(ClosedLoop, FourBarSwingsAsAPendulum) {
  const Model model(FourBar().scene);
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::mixed3}) {
    SCOPED_TRACE(name_of(method));
    Integrator integrator(model, options(1e-3, method, Scheme::generalized_alpha));
    State state = integrator.start();
    ASSERT_EQ(run(integrator, state, 3), Status::ok);
    const Vec3 x = body_at(model, state, 1) - Vec3(0.75, 0, 0);
    EXPECT_NEAR(std::atan2(x.x(), -x.z()), FourBar::angle(3), 1e-4);
    EXPECT_NEAR(x.norm(), FourBar::L, 1e-6);
    EXPECT_NEAR(energy(model, state).total(), state.books.start, 1e-4);
    EXPECT_LT((pose(model, state, 1).R - Matrix3::Identity()).norm(), 1e-6) << "level";
  }
}

/// Two bodies welded twice move as one.
TEST(ClosedLoop, TwoWeldsAreAsGoodAsOne) {
  Scene once = Couple(JointKind::weld).scene, twice = once;
  twice.frames.push_back(frame_at("ga", once.bodies[0], {0.9, 0.3, 0}));
  twice.frames.push_back(frame_at("gb", once.bodies[1], {0.9, 0.3, 0}));
  twice.joints.push_back(joint("again", JointKind::weld, "ga", "gb"));
  const Model a(once), b(twice);
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::mixed3}) {
    SCOPED_TRACE(name_of(method));
    Integrator one(a, options(1e-3, method)), two(b, options(1e-3, method));
    State sa = one.start(), sb = two.start();
    ASSERT_EQ(run(one, sa, 1), Status::ok);
    ASSERT_EQ(run(two, sb, 1), Status::ok);
    EXPECT_LT((body_at(a, sa, 1) - body_at(b, sb, 1)).norm(), 1e-6);
    EXPECT_NEAR(energy(b, sb).total(), sb.books.start, 1e-3);
    const Wrench whole = joint_force(a, sa, "joint");
    const Wrench first = joint_force(b, sb, "joint"), second = joint_force(b, sb, "again");
    EXPECT_LT((first.force + second.force - whole.force).norm(), 1e-3 * (1 + whole.force.norm()));
  }
}

// --- bodies on cables ---

/// A beam clamped to the ground with a body clamped to its end: weight W = m g at the end and the
/// moment W c of the centre that lies c beyond. Small loads: w(L) = W L^3/3EI + W c L^2/2EI.
TEST(CableAndBody, ClampTransmitsTheMoment) {
  constexpr double EI = 200, L = 1, c = 0.4, mass = 0.02;
  Scene scene;
  Cable beam;
  beam.name = "beam";
  beam.sections = {Section{1e5, EI, 1e-3}};
  beam.elements = 8;
  scene.cables = {beam};
  clamp(scene, "beam", 0);
  scene.bodies = {bar("tip", mass, {L + c, 0, 0}, {1e-4, 1e-4, 1e-4})};
  scene.frames = {frame("end", "tip", {-c, 0, 0})};
  attach(scene.cables[0], -1, "end", true);
  const Model model(scene);
  Integrator integrator(model, options(0.05, Method::newton, Scheme::backward_euler));
  State state = integrator.start();
  ASSERT_EQ(run(integrator, state, 5), Status::ok);
  const double W = mass * g, own = 1e-3 * g;  // the beam's own weight a metre
  const double sag =
      W * L * L * L / (3 * EI) + W * c * L * L / (2 * EI) + own * L * L * L * L / (8 * EI);
  EXPECT_NEAR(-state.position(8).z(), sag, 1e-4 * sag);
  const double slope = W * L * L / (2 * EI) + W * c * L / EI + own * L * L * L / (6 * EI);
  EXPECT_NEAR(-(body_at(model, state, 0).z() - state.position(8).z()), slope * c, 1e-3 * slope * c);
  const Reaction wall = reaction(model, state, Place::start("beam"));
  EXPECT_NEAR(wall.force.z(), W + own * L, 1e-8);
  EXPECT_NEAR(wall.moment.y(), -(W * (L + c) + own * L * L / 2), 1e-5);
  const Reaction held = reaction(model, state, Place::end("beam"));
  EXPECT_NEAR(held.force.z(), -W, 1e-8);
  EXPECT_NEAR(held.moment.y(), W * c, 1e-5);
}

/// Time of the second passage through the vertical, of a body that starts on the side x > 0: three
/// quarters of the period.
double three_quarters(const Model& model, const SolveOptions& how) {
  Integrator integrator(model, how);
  State state = integrator.start();
  double before = body_at(model, state, 0).x();
  int passed = 0;
  while (state.t < 5) {
    const Status status = integrator.step(state);
    EXPECT_EQ(status, Status::ok) << integrator.failure().message();
    if (status != Status::ok) break;
    const double x = body_at(model, state, 0).x();
    if ((x > 0) != (before > 0) && ++passed == 2) return state.t - how.step * x / (x - before);
    before = x;
  }
  return 0;
}

/// The rod and body of Tonin & Braun, sect. 4.3, `angle` from the vertical, the body turned by
/// `body_angle`.
Scene rod_and_body(CableModel kind, bool direction, double angle, double body_angle) {
  constexpr double l = 1.713, mu = 3.215 * 1.962e-4, E = 5.3e10, A = 1.962e-4;
  constexpr double r = 1.763295 - l;
  Scene scene;
  Cable rod;
  rod.name = "rod";
  rod.model = kind;
  rod.sections = {Section{E * A, kind == CableModel::ancf ? E * A * A / 12 : 0, mu}};
  rod.route.back() = l * Vec3(std::sin(angle), 0, -std::cos(angle));
  rod.elements = kind == CableModel::ancf ? 4 : 1;
  scene.cables = {rod};
  hold(scene, "rod", 0);
  const Vec3 down(std::sin(body_angle), 0, -std::cos(body_angle));
  Body b = bar("body", 0.01, rod.route.back().point + r * down, Vec3::Constant(1.698e-5));
  scene.bodies = {b};
  scene.frames = {frame_at("eye", b, rod.route.back().point)};
  attach(scene.cables[0], -1, "eye", direction);
  return scene;
}

/// With the body held in line the whole is a compound pendulum.
TEST(CableAndBody, CompoundPendulumOfToninAndBraun) {
  const double angle = 4 * pi / 180;
  const Model model(rod_and_body(CableModel::ancf, true, angle, angle));
  for (const Method method : {Method::mixed, Method::newton})
    EXPECT_NEAR(three_quarters(model, options(1e-3, method)) * 4 / 3, 2.641833, 2e-4)
        << name_of(method);
}

/// With the body free to turn at the end it is a double pendulum: the slow mode of M x'' = -K x
/// over the angles of rod and body, started in that mode.
TEST(CableAndBody, DoublePendulumOfRodAndBody) {
  constexpr double l = 1.713, r = 1.763295 - l, m = 0.01, I = 1.698e-5, rod = 3.215 * 1.962e-4 * l;
  Eigen::Matrix2d M, K;
  M << rod * l * l / 3 + m * l * l, m * l * r, m * l * r, I + m * r * r;
  K << (rod / 2 + m) * g * l, 0, 0, m * g * r;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> modes(K, M);
  const double period = 2 * pi / std::sqrt(modes.eigenvalues()[0]);
  const Eigen::Vector2d mode = modes.eigenvectors().col(0);
  constexpr double angle = 0.005;
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf}) {
    const Model model(rod_and_body(kind, false, angle, angle * mode[1] / mode[0]));
    EXPECT_NEAR(three_quarters(model, options(1e-3)) * 4 / 3, period, 2e-4)
        << static_cast<int>(kind);
  }
}

// --- runs ---

/// Bodies, joints with drives and limits, a rope that rubs over a bar and grips a sheave, twist,
/// and a cable that a body carries, unless the method is spook's, which takes none with elements.
Scene everything(Method method) {
  Scene scene;
  scene.bodies = {ball("a", 3, {-0.5, 0, -2}), ball("b", 1, {0.5, 0, -2}),
                  bar("arm", 2, {2.4, 0, 0}, {0.02, 0.1, 0.1}), ball("load", 0.5, {4, 0, -1}),
                  ball("sheave", 2, {7, 0, 0})};
  scene.supports = {ground("bar", Vec3::Zero()), ground("axle", {2, 0, 0}),
                    ground("post", {4, 0.5, 0}), ground("housing", {7, 0, 0}),
                    ground("left", {6.7, 0, -2})};
  scene.frames = {frame("hub", "arm", {-0.4, 0, 0}), frame("out", "arm", {0.4, 0, 0})};
  scene.supports[2].motion[2] = Signal::sine(0.02, 2);
  scene.joints = {joint("hinge", JointKind::hinge, "axle", "hub", Vec3::UnitY()),
                  joint("tie", JointKind::distance, "post", "load"),
                  joint("bearing", JointKind::hinge, "housing", "sheave", Vec3::UnitY())};
  scene.joints[0].turn_limits = {-0.5, 0.02};
  scene.joints[1].travel_limits.highest = 1.2;
  scene.joints[2].turn = {Drive::Kind::velocity, Signal::sine(3, 1), 0.05};
  Cable rubbing = massless("rubbing", 1e5, 0, {"a", "bar", "b"});
  rubbing.route[1].radius = 0.5;
  rubbing.route[1].axis = Vec3::UnitY();
  rubbing.route[1].friction = 0.2;
  rubbing.sections[0].GJ = 10;
  Cable hoist = massless("hoist", 1e5, 0, {"left", "sheave", "load"});
  hoist.route[1].radius = 0.3;
  hoist.route[1].axis = Vec3::UnitY();
  hoist.route[1].grip = true;
  Cable whip;
  whip.name = "whip";
  whip.sections = {Section{2000, 0.02, 0.1}};
  whip.route = {Stop::clamp("out"), {2.8, 0, -0.8}};
  whip.elements = 3;
  scene.cables = {rubbing, hoist};
  if (method == Method::spook) return scene;
  scene.cables.push_back(whip);
  return scene;
}

/// Every scheme that damps with every method, and spook.
std::vector<std::pair<std::string, SolveOptions>> methods(double step) {
  std::vector<std::pair<std::string, SolveOptions>> out;
  for (const SolveOptions& o : all_methods(step))
    if (o.scheme != Scheme::newmark) out.emplace_back(name_of(o), o);
  out.emplace_back("spook", options(step, Method::spook));
  return out;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool same(const State& a, const State& b) {
  return same(a.q, b.q) && same(a.v, b.v) && same(a.a, b.a) && same(a.a_true, b.a_true) &&
         same(a.axial_force, b.axial_force) && same(a.multipliers, b.multipliers) &&
         same(a.fixed_reaction, b.fixed_reaction) && same(a.orientation, b.orientation) &&
         same(a.twist, b.twist) && same(a.run_length, b.run_length) && same(a.wrap, b.wrap) &&
         same(a.activity, b.activity) && same(a.q_before, b.q_before) &&
         same(a.v_before, b.v_before) && same(a.books.force, b.books.force) &&
         same(a.books.share, b.books.share) && same(a.books.impulse, b.books.impulse) &&
         same(a.books.drift, b.books.drift) &&
         same<double>({a.t, a.h_before, a.books.work, a.books.balance, a.books.scale},
                      {b.t, b.h_before, b.books.work, b.books.balance, b.books.scale}) &&
         a.steps == b.steps;
}

/// Each snapshot leads to the bits of the next one, so the first leads to those of the last.
TEST(Machine, GoesOnToTheSameBits) {
  for (const auto& [name, how] : methods(2e-3)) {
    SCOPED_TRACE(name);
    const Model model(everything(how.method));
    Integrator integrator(model, how);
    State state = integrator.start();
    std::vector<State> snapshots;
    for (int i = 1; i <= 100; ++i) {
      ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
      if (i == 1 || i == 37 || i == 64 || i == 100) snapshots.push_back(state);
    }
    EXPECT_GT(integrator.counters().switched, 0) << "something is meant to be switched";
    for (size_t i = 0; i + 1 < snapshots.size(); ++i) {
      Integrator other(Model(everything(how.method)), how);
      State again = snapshots[i];
      other.resume(again);
      while (again.steps < snapshots[i + 1].steps) ASSERT_EQ(other.step(again), Status::ok);
      EXPECT_TRUE(same(again, snapshots[i + 1])) << "from step " << snapshots[i].steps;
    }
  }
}

#ifdef COUNTS_ALLOCATIONS
TEST(Machine, StepsDoNotAllocate) {
  for (const auto& [name, how] : methods(2e-3)) {
    const Model model(everything(how.method));
    Integrator integrator(model, how);
    State state = integrator.start();
    ASSERT_EQ(integrator.step(state), Status::ok) << name;
    const long before = allocations;
    Status status = Status::ok;
    for (int i = 0; i < 100 && status == Status::ok; ++i) status = integrator.step(state);
    const long during = allocations - before;
    EXPECT_EQ(status, Status::ok) << name;
    EXPECT_EQ(during, 0) << name;
  }
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE
