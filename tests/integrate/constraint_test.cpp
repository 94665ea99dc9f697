// Supports: the same however they are written, their reactions, prescribed motion and its work.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "elements/hermite.h"
#include "hawser/error.h"
#include "hawser/statics.h"
#include "model/model_data.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

const Place top = Place::start("pendulum");
constexpr double pi = std::numbers::pi;

/// Takes the support of the pendulum away and says the same with conditions.
Scene pins_as_conditions(Scene scene) {
  release(scene, "pendulum", 0);
  for (const Coordinate c : {Coordinate::x, Coordinate::y, Coordinate::z})
    add_condition(scene, "pin " + std::to_string(static_cast<int>(c)), {{top, c, 1.0}});
  return scene;
}

Cable hanging_cable(double youngs_modulus) {
  Cable c = westin_irani_cable(youngs_modulus);
  c.route.back() = {0, 0, -1};
  return c;
}

/// A hanging cable whose upper end moves sideways.
Scene moved_support(double youngs_modulus, const Signal& x) {
  Scene scene;
  scene.cables = {hanging_cable(youngs_modulus)};
  hold(scene, "pendulum", 0).motion[0] = x;
  return scene;
}

/// 0.2 sin(2 pi 2 t).
Signal shaking() { return Signal::sine(0.2, 2); }
double shaken(double t) { return 0.2 * std::sin(4 * pi * t); }

// --- one support, several ways to write it ---

/// mixed3 turns the corrections of nodes that no condition holds, so that it gives two answers, as
/// far apart as the method is from the truth.
double agreement(const SolveOptions& options) {
  return options.method == Method::mixed3 ? 1e-4 : 1e-10;
}

TEST(Constraints, APinIsTheSameEliminatedAndAsConditions) {
  const Model eliminated(pendulum(1e7)), conditions(pins_as_conditions(pendulum(1e7)));
  ASSERT_EQ(conditions.data().structure.conditions, 3);
  for (const SolveOptions& options : all_methods(1e-3)) {
    SCOPED_TRACE(name_of(options));
    Integrator a(eliminated, options), b(conditions, options);
    State sa = a.start(), sb = b.start();
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(a.step(sa), Status::ok);
      ASSERT_EQ(b.step(sb), Status::ok);
      ASSERT_LE(distance(sa, sb), agreement(options)) << "step " << i;
      const Vec3 ra = reaction(eliminated, sa, top).force, rb = reaction(conditions, sb, top).force;
      ASSERT_LE((ra - rb).norm(), agreement(options) * std::max(1.0, ra.norm())) << "step " << i;
    }
  }
}

TEST(Constraints, TheChainAndTheSparseSolverGiveTheSame) {
  for (const double E : {1e7, 1e9}) {
    Scene scene = pendulum(E);
    scene.point_masses.push_back({Place::end("pendulum"), 0.3});
    const Model model(scene);
    for (SolveOptions options : all_methods(1e-3)) {
      SCOPED_TRACE(name_of(options));
      Integrator chain(model, options);
      options.backend = LinearBackend::sparse;
      Integrator sparse(model, options);
      ASSERT_STRNE(chain.linear_solver(), sparse.linear_solver());
      State a = chain.start(), b = sparse.start();
      for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(chain.step(a), Status::ok);
        ASSERT_EQ(sparse.step(b), Status::ok);
      }
      EXPECT_LE(distance(a, b), 1e-9);
      const Vec3 ra = reaction(model, a, top).force, rb = reaction(model, b, top).force;
      EXPECT_LE((ra - rb).norm(), 1e-8 * ra.norm());
    }
  }
}

// --- clamps ---

/// A clamped cable turned by `turn`, and the same along x with gravity turned back.
void expect_turned_clamp(const Eigen::AngleAxisd& turn, int conditions) {
  Scene aligned;
  aligned.cables = {westin_irani_cable(1e7)};
  clamp(aligned, "pendulum", 0);
  add_force(aligned, Place::end("pendulum"), {0.1, 0.4, 0.2}, Signal::sine(1, 4));
  Scene oblique = aligned;
  oblique.cables[0].route.back() = turn * Vec3(1, 0, 0);
  oblique.point_forces[0].force = turn * aligned.point_forces[0].force;
  aligned.gravity = turn.inverse() * oblique.gravity;
  const Model straight(aligned), turned(oblique);
  ASSERT_EQ(straight.data().structure.conditions, 0);
  ASSERT_EQ(turned.data().structure.conditions, conditions);
  const Vec3 direction = oblique.cables[0].route.back().point;
  for (SolveOptions options : all_methods(1e-3)) {
    SCOPED_TRACE(name_of(options));
    options.newton_tolerance =
        1e-12;  // it is measured by component, and ends elsewhere when turned
    Integrator a(straight, options), b(turned, options);
    State sa = a.start(), sb = b.start();
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(a.step(sa), Status::ok);
      ASSERT_EQ(b.step(sb), Status::ok);
      ASSERT_LE(sb.slope(0).cross(direction).norm(), 1e-10);
      ASSERT_LE(sb.position(0).norm(), 1e-12);
    }
    for (int n = 0; n <= 10; ++n) {
      EXPECT_LE((turn * sa.position(n) - sb.position(n)).norm(), 1e-8) << n;
      EXPECT_LE((turn * sa.slope(n) - sb.slope(n)).norm(), 1e-8) << n;
    }
    const Reaction ra = reaction(straight, sa, top), rb = reaction(turned, sb, top);
    EXPECT_LE((turn * ra.force - rb.force).norm(), 1e-6 * ra.force.norm());
    EXPECT_LE((turn * ra.moment - rb.moment).norm(), 1e-6 * ra.moment.norm());
    EXPECT_GT(ra.moment.norm(), 1e-3) << "a clamp holds the cable's direction";
    EXPECT_GT((sa.position(10) - Vec3(1, 0, 0)).norm(), 0.01) << "the cable moves";
  }
}

TEST(Clamp, AtThirtyDegreesIsTheAlignedOneTurned) {
  expect_turned_clamp(Eigen::AngleAxisd(-pi / 6, Vec3::UnitY()), 1);
}

TEST(Clamp, InAnyDirectionIsTheAlignedOneTurned) {
  expect_turned_clamp(Eigen::AngleAxisd(2, Vec3(1, -2, 3).normalized()), 2);
}

/// A soft cable that hangs from a clamp which could turn stretches as from one that could not:
/// L (1 + P/EA) + w L^2/(2 EA), with any number of elements.
TEST(Clamp, ThatTurnsLeavesTheLengthOfTheSlopeFree) {
  constexpr double L = 10, EA = 1000, w = 9.81, P = 100;
  const Signal still = 0.0, later = Signal::smooth(0, 1, 5, 6);
  for (const Signal& turn : {still, later})
    for (const int elements : {2, 4, 16}) {
      Cable c;
      c.name = "line";
      c.sections = {Section{EA, 1, 1}};
      c.route.back() = {0, 0, -L};
      c.elements = elements;
      c.strain = StrainMeasure::engineering;
      c.curvature = CurvatureMeasure::material;
      Scene scene;
      scene.cables = {c};
      clamp(scene, "line", 0).turn = {Vec3::UnitY(), turn};
      add_force(scene, Place::end("line"), {0, 0, -P});
      const Model model(scene);
      State state = Integrator(model, {}).start();
      const StaticReport report = equilibrium(model, state);
      ASSERT_TRUE(report.converged) << report.message;
      EXPECT_NEAR(state.position(elements).z(), -(L * (1 + P / EA) + w * L * L / (2 * EA)), 1e-9);
      EXPECT_NEAR(state.slope(0).norm(), 1 + (P + w * L) / EA, 1e-9);
    }
}

/// The direction follows the turn to round-off, the slope stretches, and what the clamp does is
/// what the cable gains.
TEST(Clamp, TurnsTheDirectionAndDoesItsWork) {
  Scene scene = pendulum(1e7);
  clamp(scene, "pendulum", 0).turn = {Vec3(0, 1, 1), Signal::smooth(0, 3, 0, 0.5)};
  const Model model(scene);
  const Vec3 start = scene.cables[0].route.back().point - scene.cables[0].route.front().point;
  State reference;
  for (const Method method : {Method::newton, Method::mixed, Method::linearized, Method::mixed3}) {
    SCOPED_TRACE(name_of(method));
    Integrator integrator(model, solve_options(method, 1e-4));
    State state = integrator.start();
    double stretched = 0, work = 0, unbalanced = 0;
    while (state.t < 0.6) {
      ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
      const double angle = scene.supports[0].turn->angle.at(state.now()).value;
      const Vec3 expected = Eigen::AngleAxisd(angle, Vec3(0, 1, 1).normalized()) * start;
      ASSERT_LE(state.slope(0).cross(expected.normalized()).norm(), 1e-9);
      ASSERT_LE(state.position(0).norm(), 1e-12);
      stretched = std::max(stretched, std::abs(state.slope(0).norm() - 1));
      const Energy e = energy(model, state);
      work = std::max(work, std::abs(e.work));
      unbalanced = std::max(unbalanced, std::abs(e.balance()));
    }
    EXPECT_GT(stretched, 1e-5);
    EXPECT_GT(work, 0.01);
    if (method == Method::newton || method == Method::mixed) {
      EXPECT_LE(unbalanced, 5e-3 * work);
    }
    if (method == Method::newton) reference = state;
    EXPECT_LE(distance(state, reference), 5e-3);
    EXPECT_GT(reaction(model, state, top).moment.norm(), 1e-6);
  }
}

// --- reactions ---

/// Hung from a little stretched: unstressed, nothing but weight keeps it from turning.
Scene hung(double youngs_modulus, StrainMeasure strain) {
  Scene scene;
  Cable c = hanging_cable(youngs_modulus);
  c.length = 1;
  c.route.back() = {0, 0, -1.0001};
  c.strain = strain;
  c.curvature = CurvatureMeasure::material;  // |r''| would see the stretch that grows upwards
  scene.cables = {c};
  hold(scene, "pendulum", 0);
  return scene;
}

TEST(Equilibrium, AHangingCableStretchesUnderItsWeight) {
  for (const double E : {1e7, 1e9}) {
    const Model model(hung(E, StrainMeasure::engineering));
    State state = Integrator(model, {}).start();
    const StaticReport report = equilibrium(model, state);
    ASSERT_TRUE(report.converged) << report.message;
    EXPECT_LT(report.residual, 1e-8);
    // r(s) = s + (w/EA)(L s - s^2/2): a parabola, which the element holds exactly.
    const Section& section = model.scene().cables[0].sections[0];
    const double w = section.mass * 9.81;
    for (int n = 0; n <= 10; ++n) {
      const double s = 0.1 * n, r = s + w / section.EA * (s - s * s / 2);
      EXPECT_LE((state.position(n) - Vec3(0, 0, -r)).norm(), 1e-12);
      EXPECT_NEAR(-state.slope(n).z(), 1 + w / section.EA * (1 - s), 1e-11);
    }
    for (const CablePoint& p : profile(model, state, 0))
      EXPECT_NEAR(p.tension, w * (1 - p.s), 1e-9 * w);
  }
}

/// A rubber rope hangs the same whatever its model: L (1 + P/EA) + w L^2/(2 EA).
TEST(Equilibrium, TheModelIsAWordThatDoesNotChangeTheLaw) {
  constexpr double L = 10, EA = 500, w = 9.81, P = 100;
  Scene scene;
  Support hook;
  hook.name = "hook";
  scene.supports = {hook};
  Body load;
  load.name = "load";
  load.mass = P / 9.81;
  load.inertia = Eigen::Matrix3d::Identity();
  load.position = {0, 0, -L};
  scene.bodies = {load};
  Cable c;
  c.name = "rope";
  c.sections = {Section{EA, 0, 1}};
  c.route = {Stop::hold("hook"), Stop::hold("load")};
  c.length = L;
  scene.cables = {c};
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem, CableModel::massless}) {
    const bool massless = model == CableModel::massless;
    scene.cables[0].model = model;
    const Model compiled(scene);
    State state = Integrator(compiled, {}).start();
    const StaticReport report = equilibrium(compiled, state);
    ASSERT_TRUE(report.converged) << report.message;
    EXPECT_NEAR(state.position(compiled.nodes() - 1).z(),
                -L * (1 + P / EA) - (massless ? 0 : w * L * L / (2 * EA)), 1e-6)
        << static_cast<int>(model);
  }
}

TEST(Reactions, AHangingCableAtRestCarriesItsWeight) {
  for (const StrainMeasure strain : {StrainMeasure::green, StrainMeasure::engineering})
    for (const bool as_conditions : {false, true}) {
      const Scene scene = hung(1e8, strain);
      const Model model(as_conditions ? pins_as_conditions(scene) : scene);
      const Vec3 weight(0, 0, model.scene().cables[0].sections[0].mass * 9.81);
      for (const SolveOptions& options : all_methods(1e-3)) {
        SCOPED_TRACE(name_of(options));
        Integrator integrator(model, options);
        State state = integrator.start();
        ASSERT_TRUE(equilibrium(model, state).converged);
        const State rest = state;
        EXPECT_LE((reaction(model, state, top).force - weight).norm(), 1e-9 * weight.norm());
        for (int i = 0; i < 50; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
        EXPECT_LE((reaction(model, state, top).force - weight).norm(), 1e-9 * weight.norm());
        EXPECT_LE(distance(state, rest), 1e-11) << "it stays at rest";
      }
    }
}

/// Forces and moments on the whole cable add up to the change of its momentum.
TEST(Reactions, GiveTheMomentumItsRate) {
  Scene scene = pendulum(1e7);
  add_force(scene, Place::end("pendulum"), {0, 0.5, 0});
  const Model model(scene);
  for (const Method solve : {Method::mixed, Method::newton}) {
    const double h = 1e-4;
    Integrator integrator(model, solve_options(solve, h, Scheme::newmark));
    State state = integrator.start();
    Vec3 impulse = Vec3::Zero();
    for (int i = 0; i < 1000; ++i) {
      const Vec3 before = reaction(model, state, top).force;
      ASSERT_EQ(integrator.step(state), Status::ok);
      impulse += h / 2 * (before + reaction(model, state, top).force);
    }
    const double weight = model.scene().cables[0].sections[0].mass * 9.81;
    const Vec3 expected = impulse + 0.1 * Vec3(0, 0.5, -weight);
    // Newmark is the trapezoidal rule of M a = F: the sum is exact but for Newton's tolerance.
    EXPECT_LE((momentum(model, state).linear - expected).norm(), 1e-6 * expected.norm());
  }
}

/// A run may start from a loaded equilibrium: the energy stored there is no false gain.
TEST(Equilibrium, IsWhereARunMayStart) {
  Scene scene = pendulum(1e8);
  scene.gravity = Vec3::Zero();
  clamp(scene, "pendulum", 0);
  add_force(scene, Place::end("pendulum"), {50, 0, 0});
  const Model model(scene);
  for (const SolveOptions& options : all_methods(1e-3)) {
    Integrator integrator(model, options);
    State state = integrator.start();
    ASSERT_TRUE(equilibrium(model, state).converged);
    const State rest = state;
    EXPECT_GT(energy(model, state).axial, 0.1);
    EXPECT_EQ(integrator.advance(state, 0.1), Status::ok)
        << name_of(options) << " " << integrator.failure().message();
    EXPECT_LE(distance(state, rest), 1e-11);
  }
}

// --- prescribed motion ---

TEST(Motion, HoldsToRoundOffAtThePositionLevel) {
  Scene tied = moved_support(1e8, 0.0);
  tied.supports[0].slides = Vec3::UnitX();
  add_condition(tied, "shaking", {{top, Coordinate::x, 2.0}}, Signal::sine(0.4, 2));
  const Model eliminated(moved_support(1e8, shaking())), condition(tied);
  for (const Model& model : {eliminated, condition})
    for (const SolveOptions& options : all_methods(1e-3)) {
      SCOPED_TRACE(name_of(options));
      Integrator integrator(model, options);
      State state = integrator.start();
      for (int i = 0; i < 300; ++i) {
        ASSERT_EQ(integrator.step(state), Status::ok);
        ASSERT_LE(std::abs(state.q[0] - shaken(state.t)), 1e-12);
        ASSERT_LE(std::hypot(state.q[1], state.q[2]), 1e-12);
      }
    }
}

TEST(Motion, WorkOfTheSupportIsTheEnergyGained) {
  const Model model(moved_support(1e7, shaking()));
  SolveOptions options = solve_options(Method::newton, 1e-4, Scheme::newmark);
  Integrator integrator(model, options);
  State state = integrator.start();
  double largest = 0, work = 0;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(integrator.step(state), Status::ok);
    const Energy e = energy(model, state);
    largest = std::max(largest, std::abs(e.balance()));
    work = std::max(work, std::abs(e.work));
  }
  EXPECT_GT(work, 0.1);
  EXPECT_LE(largest, 1e-4 * work);
}

/// mixed3 turns nodes by fours: the forces behind the last of them must stay as they are, however
/// many there are. The second cable hangs on the first one's support by a junction.
TEST(Constraints, Mixed3HasTheReactionsOfJunctionsForAnyNumberOfNodes) {
  for (const int elements : {2, 3, 4, 5}) {
    SCOPED_TRACE(elements);
    Scene scene = pendulum(1e7);
    scene.cables.push_back(scene.cables[0]);
    scene.cables[0].elements = 3;
    scene.cables[1].name = "second";
    scene.cables[1].elements = elements;
    scene.cables[1].route.front() = Stop(0, 0, 0);
    scene.junctions.push_back({top, Place::start("second")});
    const Model model(scene);
    Integrator third(model, solve_options(Method::mixed3, 1e-3)),
        second(model, solve_options(Method::mixed, 1e-3));
    State a = third.start(), b = second.start();
    ASSERT_EQ(third.advance(a, 0.1), Status::ok);
    ASSERT_EQ(second.advance(b, 0.1), Status::ok);
    const Vec3 force = reaction(model, b, top).force;
    EXPECT_GT(force.z(), 1);
    EXPECT_LT((reaction(model, a, top).force - force).norm(), 0.1 * force.norm());
  }
}

/// mixed3 accepts a step by its energy: what supports put in must not make it fall back.
TEST(Motion, DoesNotMakeMixed3FallBack) {
  const Model model(moved_support(1e7, shaking()));
  Integrator integrator(model, solve_options(Method::mixed3, 1e-3));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 2), Status::ok);
  EXPECT_LE(integrator.counters().fallbacks, integrator.counters().steps / 50);
}

/// Theory, with the gain g = a h: the scheme's error of b'' is held by a^2 times the drift.
/// Backward Euler: h^2 b''/g; the others less than h^3 b'''/g^2.
TEST(Motion, BaumgarteKeepsASupportNear) {
  const double h = 1e-3, gain = 0.4, w = 4 * pi;
  for (const bool as_condition : {false, true}) {
    Scene scene = moved_support(1e7, shaking());
    if (as_condition) {
      scene.supports[0].motion[0] = 0.0;
      scene.supports[0].slides = Vec3::UnitX();
      add_condition(scene, "shaking", {{top, Coordinate::x, 1.0}}, shaking());
    }
    const Model model(scene);
    for (SolveOptions options : all_methods(h)) {
      SCOPED_TRACE(name_of(options));
      if (options.method == Method::mixed3) continue;  // knows position level alone
      options.constraints = ConstraintLevel::baumgarte;
      options.baumgarte_gain = gain;
      Integrator integrator(model, options);
      State state = integrator.start();
      double drift = 0;
      for (int i = 0; i < 500; ++i) {
        ASSERT_EQ(integrator.step(state), Status::ok);
        drift = std::max(drift, std::abs(state.q[0] - shaken(state.t)));
      }
      const bool first_order = options.scheme == Scheme::backward_euler;
      EXPECT_LE(drift, first_order ? 1.05 * h * h * 0.2 * w * w / gain : 1e-6);
    }
  }
}

/// The gains are Baumgarte's: a support 1 mm off comes back as C'' + 2 a1 C' + a2^2 C = 0.
TEST(Motion, BaumgarteHasTwoGains) {
  const double h = 1e-4, a1 = 300, a2 = 500, w = std::sqrt(a2 * a2 - a1 * a1);
  Scene scene = moved_support(1e7, 0.0);
  scene.gravity = Vec3::Zero();
  const Model model(scene);
  SolveOptions options = solve_options(Method::newton, h);
  options.constraints = ConstraintLevel::baumgarte;
  options.baumgarte_gain = a2 * h;
  options.baumgarte_rate_gain = a1 * h;
  options.energy_guard = 0;  // the cable is set in motion by the error alone
  Integrator integrator(model, options);
  State state = integrator.start();
  for (int n = 0; n <= 10; ++n) state.q[static_cast<size_t>(6 * n)] += 1e-3;  // as a whole
  integrator.resume(state);
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
    const double t = state.t;
    const double exact = 1e-3 * std::exp(-a1 * t) * (std::cos(w * t) + a1 / w * std::sin(w * t));
    worst = std::max(worst, std::abs(state.q[0] - exact));
  }
  EXPECT_LT(worst, 1.5e-3 * a2 * h) << "lagged by a step";
}

// --- a motion whose rate jumps ---

/// What the end of a free cable weighs in an impact: 1/(M^-1)_xx at its first node.
double struck_mass(const Cable& c, double length) {
  const int n = c.elements + 1;
  const double l = length / c.elements;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(2 * n, 2 * n);  // r and l r' of one direction
  for (int e = 0; e < c.elements; ++e)
    for (int i = 0, k = 0; i < 4; ++i)
      for (int j = i; j < 4; ++j, ++k) {
        M(2 * e + i, 2 * e + j) += c.sections[0].mass * l * hermite_mass[k];
        if (i != j) M(2 * e + j, 2 * e + i) += c.sections[0].mass * l * hermite_mass[k];
      }
  return 1 / M.inverse()(0, 0);
}

TEST(RateJump, IsAnImpulseThatKeepsMomentum) {
  // Kinks on a step's end, just before it and just after it, met by the step or by the next one.
  for (const double offset : {0.0, -0.3, 0.3}) {
    const double h = 1e-6, kink = (20 + offset) * h, speed = 5;
    const Model model(moved_support(1e8, Signal::ramp(0, speed, kink, kink + 1)));
    const double expected = struck_mass(model.scene().cables[0], 1) * speed;
    for (const SolveOptions& options : all_methods(h)) {
      SCOPED_TRACE(name_of(options) + ", offset " + std::to_string(offset));
      Integrator integrator(model, options);
      State state = integrator.start();
      for (int i = 0; i < 22; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
      EXPECT_EQ(integrator.counters().restarts, 1);
      EXPECT_NEAR(state.velocity(0).x(), speed, 1e-9);
      const double jump = momentum(model, state).linear.x();
      EXPECT_NEAR(jump, expected, 0.01 * expected);
      const Energy e = energy(model, state);
      EXPECT_NEAR(e.kinetic, expected * speed / 2, 0.02 * expected * speed / 2);
    }
  }
}

TEST(RateJump, KeepsTheEnergyBalance) {
  Scene scene = moved_support(1e8, Signal::ramp(0, 1.5, 0.05, 0.35));
  for (const double mass : {0.0, 5.0}) {
    if (mass > 0) scene.point_masses.push_back({top, mass});
    const Model model(scene);
    Integrator integrator(model, solve_options(Method::newton, 1e-4, Scheme::newmark));
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 0.2), Status::ok) << integrator.failure().message();
    const Energy e = energy(model, state);
    EXPECT_EQ(integrator.counters().restarts, 1);
    EXPECT_GT(e.work, 1);
    EXPECT_NEAR(e.balance(), 0, 1e-4 * e.work);
  }
}

TEST(RateJump, IsTakenByEveryMethod) {
  Scene scene = moved_support(1e8, Signal::ramp(0, 1.5, 0.05, 0.35));
  scene.point_masses.push_back({top, 2.0});
  const Model model(scene);
  for (const SolveOptions& options : all_methods(1e-3)) {
    SCOPED_TRACE(name_of(options));
    Integrator integrator(model, options);
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 0.5), Status::ok) << integrator.failure().message();
    EXPECT_EQ(integrator.counters().restarts, 2);
    const Energy e = energy(model, state);
    EXPECT_LE(e.balance(), 0.01 * std::abs(e.work)) << "no energy from nowhere";
  }
}

TEST(RateJump, IsMetByControlledSteps) {
  const Model model(moved_support(1e8, Signal::ramp(0, 0.3, 0.0503, 0.3503)));
  SolveOptions options = solve_options(Method::newton, 1e-3);
  options.error_control = true;
  options.tolerance = 1e-5;
  Integrator integrator(model, options);
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 0.0503), Status::ok);
  EXPECT_EQ(state.t, 0.0503);
  EXPECT_NEAR(state.velocity(0).x(), 0, 1e-12) << "the jump belongs to the step that follows";
  ASSERT_EQ(integrator.advance(state, 0.5), Status::ok) << integrator.failure().message();
  EXPECT_EQ(state.t, 0.5);
  EXPECT_EQ(integrator.counters().restarts, 2);
  EXPECT_NEAR(state.q[0], 0.3, 1e-12);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
