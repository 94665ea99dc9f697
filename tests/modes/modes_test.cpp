// Modes against closed forms and against motion in time.
#include "hawser/modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../bench/routes.h"
#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/statics.h"

namespace hawser::HAWSER_FILE {
namespace {

using std::numbers::pi;
constexpr double g = 9.81;

Scene cable_scene(double EA, double EI, double mass, double length, double strain, int elements) {
  Scene scene;
  scene.gravity.setZero();
  Cable cable;
  cable.name = "c";
  cable.sections[0].EA = EA;
  cable.sections[0].EI = EI;
  cable.sections[0].mass = mass;
  cable.length = length;
  cable.route.back() = {length * (1 + strain), 0, 0};
  cable.strain = StrainMeasure::engineering;
  cable.elements = elements;
  scene.cables.push_back(cable);
  return scene;
}

void pin_both(Scene& scene) {
  hold(scene, "c", 0);
  hold(scene, "c", -1);
}

/// Scenes that are in balance as they start.
ModesReport at_start(const Scene& scene, const ModeOptions& options = {}) {
  const Model model(scene);
  return modes(model, Integrator(model, {}).start(), options);
}

Scene pendulum(JointKind kind, double arm) {
  Scene scene;
  Body body;
  body.name = "bob";
  body.mass = 2;
  body.inertia = Vec3(0.1, 0.2, 0.3).asDiagonal();
  body.position = {0, 0, -arm};
  scene.bodies.push_back(body);
  scene.supports.emplace_back().name = "hook";
  Frame eye;
  eye.name = "eye";
  eye.body = "bob";
  eye.position = {0, 0, arm};
  scene.frames = {eye};
  Joint joint;
  joint.name = "joint";
  joint.kind = kind;
  joint.first = "hook";
  joint.second = "eye";
  joint.axis = Vec3::UnitY();
  scene.joints.push_back(joint);
  return scene;
}

TEST(Modes, AllModesOfALumpedString) {
  constexpr int n = 8;
  const double EA = 1e5, strain = 1e-3, mass = 0.7, length = 4, l = length / n;
  Scene scene = cable_scene(EA, 0, mass, length, strain, n);
  scene.cables[0].model = CableModel::np_fem;
  scene.cables[0].lumped_mass = true;
  pin_both(scene);
  const ModesReport report = at_start(scene, {1000, {}});
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.motions, 3 * (n - 1));  // idle slopes and supports give none
  ASSERT_EQ(report.modes.size(), 3U * (n - 1));
  const double across = 4 * EA * strain / (1 + strain) / (mass * l * l),
               along = 4 * EA / (mass * l * l);
  double moved[3] = {0, 0, 0};
  for (int k = 1; k < n; ++k) {
    const double s = std::pow(std::sin(k * pi / (2 * n)), 2);
    const auto i = static_cast<size_t>(k);
    EXPECT_NEAR(report.modes[2 * i - 2].omega_squared, across * s, 1e-9 * across);
    EXPECT_NEAR(report.modes[2 * i - 1].omega_squared, across * s, 1e-9 * across);
    EXPECT_NEAR(report.modes[2 * n - 3 + i].omega_squared, along * s, 1e-9 * along);
  }
  for (const Mode& mode : report.modes) {
    EXPECT_EQ(mode.kind, ModeKind::oscillates);
    EXPECT_NEAR(mode.frequency * mode.period, 1, 1e-12);
    EXPECT_NEAR(mode.shares.at(0), 1, 1e-9);
    EXPECT_LT(mode.residual, 1e-8);
    double norm = 0;
    for (size_t j = 0; j < mode.shape.size(); ++j)
      norm += j % 6 < 3 ? mass * l * mode.shape[j] * mode.shape[j] : std::abs(mode.shape[j]);
    EXPECT_NEAR(norm, 1, 1e-9);
    for (size_t axis = 0; axis < 3; ++axis) moved[axis] += mode.effective_mass[axis];
  }
  for (const double m : moved) EXPECT_NEAR(m, mass * l * (n - 1), 1e-9);
}

TEST(Modes, TautBeamBothPlanes) {
  const double EA = 1e6, EI = 20, mass = 1.5, length = 6, strain = 1e-5;
  Scene scene = cable_scene(EA, EI, mass, length, strain, 16);
  pin_both(scene);
  const ModesReport report = at_start(scene, {6, {}});
  EXPECT_TRUE(report.complete);
  for (int k = 0; k < 6; ++k) {
    const double w = (k / 2 + 1) * pi / length;
    const double expected = w * std::sqrt((EA * strain + EI * w * w) / mass);
    EXPECT_NEAR(report.modes.at(static_cast<size_t>(k)).omega, expected, 2e-4 * expected) << k;
  }
}

TEST(Modes, NearestToAFrequency) {
  Scene scene = cable_scene(1e6, 0, 1, 10, 1e-3, 40);
  pin_both(scene);
  const double first = pi / 10 * std::sqrt(1e3 / 1.001);
  const ModesReport report = at_start(scene, {4, 7.1 * first / (2 * pi)});
  EXPECT_TRUE(report.complete);
  ASSERT_EQ(report.modes.size(), 4U);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(report.modes[i].omega / first, i < 2 ? 7 : 8, 1e-3) << i;
  const ModesReport hit = at_start(scene, {2, 3 * first / (2 * pi)});
  for (const Mode& mode : hit.modes) EXPECT_NEAR(mode.omega / first, 3, 1e-3);
}

TEST(Modes, FreeMotionsAreZero) {
  const ModesReport report = at_start(cable_scene(1e6, 10, 1, 10, 0, 20), {7, {}});
  EXPECT_TRUE(report.complete);
  for (size_t i = 0; i < 5; ++i) {  // a line has no turn about itself
    EXPECT_EQ(report.modes.at(i).kind, ModeKind::free);
    EXPECT_EQ(report.modes.at(i).omega, 0);
  }
  const double expected = std::pow(4.730040745 / 10, 2) * std::sqrt(10.0);
  EXPECT_NEAR(report.modes.at(5).omega, expected, 1e-5 * expected);
  EXPECT_NEAR(report.modes.at(6).omega, expected, 1e-5 * expected);

  Scene body = pendulum(JointKind::pin, 1);
  body.joints.clear();
  const ModesReport drifting = at_start(body);
  EXPECT_EQ(drifting.motions, 6);
  ASSERT_EQ(drifting.modes.size(), 6U);
  for (const Mode& mode : drifting.modes) EXPECT_EQ(mode.kind, ModeKind::free);
  EXPECT_NEAR(drifting.unbalanced, 2 * g, 1e-9);
}

TEST(Modes, HangingChain) {
  const double length = 5;
  Scene scene = cable_scene(1e8, 0, 2, length, 0, 40);
  scene.gravity = {0, 0, -g};
  scene.cables[0].route.back() = {0, 0, -length * (1 + 1e-6)};
  hold(scene, "c", 0);
  const Model model(scene);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  const ModesReport report = modes(model, state, {6, {}});
  const double zeros[3] = {2.404825558, 5.520078110, 8.653727913};  // of J0
  for (size_t i = 0; i < 6; ++i) {
    const double expected = zeros[i / 2] / 2 * std::sqrt(g / length);
    EXPECT_NEAR(report.modes.at(i).omega, expected, 5e-4 * expected) << i;
  }
}

TEST(Modes, CompoundPendulum) {
  const double squared = 2 * g / (0.2 + 2);
  const ModesReport hanging = at_start(pendulum(JointKind::hinge, 1));
  EXPECT_TRUE(hanging.complete);
  EXPECT_EQ(hanging.motions, 1);
  ASSERT_EQ(hanging.modes.size(), 1U);
  const Mode& swing = hanging.modes[0];
  EXPECT_NEAR(swing.omega_squared, squared, 1e-6 * squared);
  // It turns about y by theta: centre -theta along x, M = (m + I) theta^2.
  EXPECT_NEAR(std::abs(swing.shape.at(4)), 1 / std::sqrt(2.2), 1e-6);
  EXPECT_NEAR(swing.shape.at(0), -swing.shape.at(4), 1e-6);
  EXPECT_NEAR(swing.effective_mass[0], 4 / 2.2, 1e-6);
  EXPECT_EQ(hanging.parts, std::vector<std::string>{"bob"});

  const ModesReport standing = at_start(pendulum(JointKind::hinge, -1));
  EXPECT_TRUE(standing.complete);
  EXPECT_EQ(standing.modes.at(0).kind, ModeKind::unstable);
  EXPECT_NEAR(standing.modes.at(0).omega_squared, -squared, 1e-6 * squared);
}

TEST(Modes, RowsThatRepeatEachOther) {
  Scene scene = pendulum(JointKind::hinge, 1);
  scene.supports.push_back(scene.supports[0]);
  scene.supports[1].name = "hook2";
  scene.supports[1].position.y() = 0.5;
  scene.frames.push_back(scene.frames[0]);
  scene.frames[1].name = "eye2";
  scene.frames[1].position.y() = 0.5;
  scene.joints.push_back(scene.joints[0]);
  scene.joints[1].name = "second";
  scene.joints[1].first = "hook2";
  scene.joints[1].second = "eye2";
  const ModesReport report = at_start(scene);
  EXPECT_EQ(report.motions, 1);
  EXPECT_NEAR(report.modes.at(0).omega_squared, 2 * g / 2.2, 1e-5);
}

/// Bob on a massless cable: it swings as a double pendulum, and bounces.
TEST(Modes, BobOnAMasslessCable) {
  const double L = 3, b = 0.5, m = 2, EA = 2e4;
  Scene scene = pendulum(JointKind::pin, b);
  scene.joints.clear();
  const double stretched = L * (1 + m * g / EA);
  scene.bodies[0].position = {0, 0, -stretched - b};
  Cable rope;
  rope.name = "rope";
  rope.model = CableModel::massless;
  rope.sections[0].EA = EA;
  rope.sections[0].axial_damping.viscosity = 1e-3;
  rope.length = L;
  rope.route = {Stop::hold("hook"), Stop::hold("eye")};
  scene.cables.push_back(rope);
  const ModesReport report = at_start(scene);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.motions, 6);
  EXPECT_LT(report.unbalanced, 1e-6);
  EXPECT_EQ(report.modes.at(0).kind, ModeKind::free);  // turns about the cable
  // Angles of cable and bob: [m S^2, m S b; m S b, I + m b^2] and m g diag(S, b), S stretched.
  std::vector<double> expected;
  for (const double I : {0.1, 0.2}) {
    const double A = m * stretched * stretched, B = m * stretched * b, C = I + m * b * b,
                 k1 = m * g * stretched, k2 = m * g * b;
    const double p = A * k2 + C * k1, d = A * C - B * B;
    const double root = std::sqrt(p * p - 4 * d * k1 * k2);
    expected.push_back((p - root) / (2 * d));
    expected.push_back((p + root) / (2 * d));
  }
  const double bounce = EA / L / m;
  expected.push_back(bounce);
  std::sort(expected.begin(), expected.end());
  for (size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(report.modes.at(i + 1).omega_squared, expected[i], 1e-6 * expected[i]) << i;
  EXPECT_NEAR(report.modes.back().damping_ratio, 1e-3 * std::sqrt(bounce) / 2, 1e-7);
  EXPECT_NEAR(report.modes[1].damping_ratio, 0, 1e-9);
  EXPECT_TRUE(report.damped);
}

/// A body held at its centre by a cable's end does what a point mass does, and turns freely.
TEST(Modes, AttachedBodyIsAPointMass) {
  Scene lump = cable_scene(1e6, 5, 1, 4, 1e-4, 12);
  pin_both(lump);
  Scene tied = lump;
  lump.point_masses = {{Place::fraction("c", 0.5), 3}};
  Body body;
  body.name = "bob";
  body.mass = 3;
  body.inertia = Vec3(0.1, 0.2, 0.3).asDiagonal();
  body.position = lump.cables[0].route.back().point / 2;
  tied.bodies.push_back(body);
  tied.cables[0].route.insert(tied.cables[0].route.begin() + 1, Stop::hold("bob"));
  const ModesReport a = at_start(lump, {6, {}}), b = at_start(tied, {9, {}});
  EXPECT_EQ(b.motions, a.motions + 3);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(b.modes.at(i).kind, ModeKind::free);
  for (size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(b.modes.at(i + 3).omega, a.modes.at(i).omega, 1e-7 * a.modes.at(i).omega) << i;
  double bob = 0;
  for (const double share : {b.modes[3].shares.at(0), b.modes[3].shares.at(1)}) bob += share;
  EXPECT_NEAR(bob, 1, 1e-9);
  EXPECT_GT(b.modes[3].shares[1], 0.4);
}

TEST(Modes, ConditionsHoldLikePins) {
  Scene pinned = cable_scene(1e6, 5, 1, 4, 1e-4, 12);
  pin_both(pinned);
  Scene tied = pinned;
  release(tied, "c", -1);
  for (const Coordinate axis : {Coordinate::x, Coordinate::y, Coordinate::z}) {
    LinearCondition condition;
    condition.name = "tie";
    condition.terms = {{Place::end("c"), axis, 2.0}};
    condition.value = axis == Coordinate::x ? 2 * pinned.cables[0].route.back().point.x() : 0.0;
    tied.conditions.push_back(condition);
  }
  const ModesReport a = at_start(pinned, {8, {}}), b = at_start(tied, {8, {}});
  EXPECT_EQ(a.motions, b.motions);
  for (size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(a.modes.at(i).omega, b.modes.at(i).omega, 1e-8 * a.modes.at(i).omega);
}

/// A moment along the cable turns nothing at first order: all its tangent is antisymmetric.
TEST(Modes, SymmetricPartOfAMoment) {
  Scene scene = cable_scene(1e6, 10, 1, 2, 0, 8);
  clamp(scene, "c", 0);
  const ModesReport without = at_start(scene, {4, {}});
  for (const Stiffness stiffness : {Stiffness::stiff, Stiffness::non_stiff}) {
    scene.moments = {{Place::end("c"), Vec3(4, 0, 0), 1.0, stiffness}};
    const ModesReport with = at_start(scene, {4, {}});
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(with.modes.at(i).omega, without.modes.at(i).omega, 1e-7);
  }
}

/// A sagging cable let go from a mode's shape comes back as its negative after half a period.
TEST(Modes, MotionInTime) {
  Scene scene = cable_scene(2e4, 3, 1.2, 10, 0, 12);
  scene.gravity = {0, 0, -g};
  scene.cables[0].route.back() = {9, 0, 1};
  lead_through(scene.cables[0], {{4.5, 0, -1}});
  scene.cables[0].curvature = CurvatureMeasure::material;
  pin_both(scene);
  const Model model(scene);
  State rest = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, rest).converged);
  const ModesReport report = modes(model, rest, {5, {}});
  ASSERT_TRUE(report.complete);
  EXPECT_LT(report.unbalanced, 1e-6);
  for (const size_t k : {0U, 1U, 4U}) {
    const Mode& mode = report.modes.at(k);
    SolveOptions options;
    options.scheme = Scheme::newmark;
    options.method = Method::newton;
    options.newton_tolerance = 1e-12;
    options.step = mode.period / 400;
    Integrator integrator(model, options);
    State state = integrator.start();
    state.q = rest.q;
    constexpr double amplitude = 1e-4;
    for (size_t i = 0; i < mode.shape.size(); ++i) state.q[i] += amplitude * mode.shape[i];
    std::fill(state.v.begin(), state.v.end(), 0);
    // In balance but for the mode: M a = -omega^2 amplitude M x.
    for (size_t i = 0; i < mode.shape.size(); ++i)
      state.a[i] = -mode.omega_squared * amplitude * mode.shape[i];
    state.axial_force_valid = false;
    integrator.resume(state);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
    double along = 0, norm = 0;
    for (size_t i = 0; i < mode.shape.size(); ++i) {
      along += mode.shape[i] * (state.q[i] - rest.q[i]);
      norm += mode.shape[i] * mode.shape[i];
    }
    EXPECT_NEAR(along / norm / amplitude, -1, 2e-3) << k;
  }
}

TEST(Modes, DampingOfABeam) {
  Scene scene = cable_scene(1e7, 50, 2, 5, 0, 12);
  pin_both(scene);
  const double omega = std::pow(pi / 5, 2) * 5;
  scene.cables[0].sections[0].bending_damping.viscosity = 0.05;
  scene.cables[0].sections[0].mass_damping = 0.2;
  const ModesReport report = at_start(scene, {2, {}});
  const double ratio = (0.05 * omega + 0.2 / omega) / 2;
  EXPECT_NEAR(report.modes.at(0).damping_ratio, ratio, 1e-4 * ratio);
  EXPECT_NEAR(report.modes.at(0).damped_frequency, omega * std::sqrt(1 - ratio * ratio) / (2 * pi),
              1e-4);
  scene.cables[0].sections[0].bending_damping.viscosity = 2;
  const Mode creeping = at_start(scene, {2, {}}).modes.at(0);
  EXPECT_TRUE(creeping.overdamped);
  EXPECT_EQ(creeping.damping_ratio, 1);
  EXPECT_EQ(creeping.damped_frequency, 0);
}

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Modes, Errors) {
  Scene scene = cable_scene(1e6, 0, 1, 1, 1e-3, 2);
  pin_both(scene);
  EXPECT_NE(error_of([&] { at_start(scene, {0, {}}); }).find("count"), std::string::npos);
  EXPECT_NE(error_of([&] { at_start(scene, {3, -1.0}); }).find("near"), std::string::npos);
  const Model model(scene);
  EXPECT_NE(error_of([&] { modes(model, State(), {}); }).find("state.q"), std::string::npos);
  scene.cables[0].model = CableModel::np_fem;
  scene.cables[0].elements = 1;
  EXPECT_NE(error_of([&] { at_start(scene); }).find("without degrees of freedom"),
            std::string::npos);
}

/// A taut string has its modes in pairs, f = n c/(2 L).
TEST(Modes, SaysWhichTheMeshIsTooCoarseFor) {
  const double EA = 1e7, strain = 1e-3, mass = 0.7, length = 4;
  constexpr int elements = 24;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    const bool bars = model == CableModel::np_fem;
    Scene scene = cable_scene(EA, 0, mass, length, strain, elements);
    scene.cables[0].model = model;
    pin_both(scene);
    const ModesReport report = at_start(scene, {2 * elements - 4, {}});
    const double speed = std::sqrt(EA * strain * (1 + strain) / mass) / (1 + strain);
    int resolved = 0;
    for (size_t i = 0; i < report.modes.size(); ++i) {
      const double n = static_cast<double>(i / 2 + 1), exact = n * speed / (2 * length);
      const Mode& mode = report.modes[i];
      EXPECT_NEAR(mode.elements_per_wave, 2 * elements / n, bars ? 0.2 : 0.1 + 0.3 * n / elements)
          << n;
      EXPECT_EQ(mode.resolved, mode.elements_per_wave >= (bars ? 8 : 4) * (1 - 1e-9));
      if (!mode.resolved) continue;
      ++resolved;
      EXPECT_NEAR(mode.frequency, exact, (bars ? 0.03 : 0.01) * exact) << n;
    }
    EXPECT_NEAR(resolved, 2 * (bars ? elements / 4 : elements / 2), 2);
    EXPECT_NE(report.message.find(bars ? "too few elements for the waves of modes 13, 14,"
                                       : "too few elements for the waves of modes 23, 24,"),
              std::string::npos)
        << report.message;
    EXPECT_TRUE(report.complete);
    EXPECT_TRUE(at_start(scene, {4, {}}).message.empty());
  }
}

/// The added mass moves with a string across and not along.
TEST(Modes, StringInAFluid) {
  const double EA = 1e5, strain = 1e-3, mass = 0.7, length = 4, d = 0.03;
  Scene scene = cable_scene(EA, 0, mass, length, strain, 12);
  scene.cables[0].sections[0].diameter = d;
  scene.cables[0].sections[0].added_mass = 1;
  scene.fluid = Fluid{1000, Vec3::Zero()};
  pin_both(scene);
  const ModesReport report = at_start(scene, {200, {}});
  const double tension = EA * strain, stretched = length * (1 + strain),
               added = 1000 * pi * d * d / 4;
  const double across = pi / stretched * std::sqrt(tension * (1 + strain) / (mass + added)),
               along = pi / length * std::sqrt(EA / mass);
  EXPECT_NEAR(report.modes[0].omega, across, 1e-4 * across);
  EXPECT_NEAR(report.modes[1].omega, across, 1e-4 * across);
  const bool found = std::any_of(report.modes.begin(), report.modes.end(), [&](const Mode& mode) {
    return std::abs(mode.omega - along) < 1e-3 * along;
  });
  EXPECT_TRUE(found);
}

/// A string drawn through an eyelet: either side swings by itself, and waves along it pass.
Scene through_an_eyelet(double EA, double strain, double mass) {
  Scene scene = cable_scene(EA, 0, mass, 5, strain, 20);
  for (const char* name : {"left", "ring", "right"}) scene.supports.emplace_back().name = name;
  scene.supports[1].position = {2 * (1 + strain), 0, 0};
  scene.supports[2].position = {5 * (1 + strain), 0, 0};
  scene.cables[0].route = {Stop::hold("left"), Stop::over("ring"), Stop::hold("right")};
  return scene;
}

TEST(Modes, StringThroughAnEyelet) {
  const double EA = 1e5, strain = 1e-3, mass = 0.7;
  const ModesReport report = at_start(through_an_eyelet(EA, strain, mass), {400, {}});
  EXPECT_TRUE(report.complete);
  const double c = std::sqrt(EA * strain * (1 + strain) / mass) / (1 + strain);
  const double sides[] = {pi * c / 3, pi * c / 3, pi * c / 2, pi * c / 2};
  for (const size_t i : {0u, 1u, 2u, 3u})
    EXPECT_NEAR(report.modes[i].omega, sides[i], 1e-4 * sides[i]) << i;
  const double along = pi / 5 * std::sqrt(EA / mass);
  const auto mode = std::find_if(report.modes.begin(), report.modes.end(), [&](const Mode& m) {
    return std::abs(m.omega - along) < 1e-3 * along;
  });
  ASSERT_NE(mode, report.modes.end()) << "a wave along the whole of it";
  EXPECT_NEAR(mode->shares.at(0), 1, 1e-9);
  EXPECT_LT(mode->residual, 1e-6);
}

/// Two equal loads on a heavy rope over a pulley: unstable, x'' = k^2 x with
/// k^2 = 2 m g/(2 M + m L + I/R^2).
TEST(Modes, HeavyAtwoodMachineInBalance) {
  const double M = 10, m = 1, free = 20, R = 0.1, I = 0.05;
  Scene scene;
  scene.supports.emplace_back().name = "axle";
  for (const double side : {-1.0, 1.0}) {
    Body body;
    body.name = side < 0 ? "a" : "b";
    body.mass = M;
    body.inertia = 0.01 * Eigen::Matrix3d::Identity();
    body.position = {side * R, 0, -free / 2};
    scene.bodies.push_back(body);
  }
  Cable c;
  c.name = "rope";
  c.sections[0].EA = 1e8;
  c.sections[0].mass = m;
  c.route = {Stop::hold("a"), Stop::over("axle", R, Vec3::UnitY()), Stop::hold("b")};
  c.route[1].inertia = I;
  c.elements = 20;
  c.length = (free + pi * R) / (1 + (M + m * free / 4) * g / c.sections[0].EA);
  scene.cables = {c};
  const ModesReport report = at_start(scene, {4, {}});
  const double k2 = 2 * m * g / (2 * M + m * (free + pi * R) + I / (R * R));
  EXPECT_EQ(report.modes[0].kind, ModeKind::unstable);
  EXPECT_NEAR(-report.modes[0].omega_squared, k2, 2e-3 * k2);
}

/// A load on a cable from a winch, by payout or by speed: as if the cable were tied there.
TEST(Modes, WinchesAreLocked) {
  const double M = 100, m = 1, l = 5, EA = 1e6;
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports.emplace_back().name = "winch";
  Body body;
  body.name = "load";
  body.mass = M;
  body.inertia = Eigen::Matrix3d::Identity();
  body.position = {0, 0, -l};
  scene.bodies = {body};
  Cable c;
  c.name = "rope";
  c.sections[0].EA = EA;
  c.sections[0].mass = m;
  c.length = l;
  c.route = {Stop::hold("winch"), Stop::hold("load")};
  c.elements = 5;
  std::vector<double> bounce;
  for (const int kind : {0, 1, 2}) {
    Cable& rope = (scene.cables = {c})[0];
    if (kind == 1) rope.payout = Signal::smooth(0, 1, 1, 2);
    if (kind == 2) rope.drive = {Drive::Kind::velocity, Signal::smooth(0, 1, 1, 2), Signal(0.0)};
    const ModesReport report = at_start(scene, {40, {}});
    for (const Mode& mode : report.modes)
      if (mode.effective_mass[2] > 0.9 * M) bounce.push_back(mode.omega);
    ASSERT_EQ(bounce.size(), static_cast<size_t>(kind) + 1);
    EXPECT_NEAR(bounce.back(), std::sqrt(EA / (l * (M + m * l / 3))), 1e-3 * bounce.back());
    EXPECT_NEAR(bounce.back(), bounce.front(), 1e-6 * bounce.back());
  }
}

/// Cable that runs has no modes of a state at rest.
TEST(Modes, RefuseCableThatFlows) {
  const Model model(through_an_eyelet(1e5, 1e-3, 0.7));
  State state = Integrator(model, {}).start();
  state.v.at(static_cast<size_t>(model.coordinates()) - 1) = 0.5;
  EXPECT_THROW((void)modes(model, state, {}), Error);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
