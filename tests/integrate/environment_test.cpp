// Cables on the ground and in a fluid against closed forms.
#include "allocations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "hawser/error.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi, gravity = 9.81;

/// A rope of 1 kg/m, 4 m long, in water where asked.
Scene rope(CableModel model, const Vec3& end, bool water) {
  Scene scene;
  Cable c;
  c.name = "rope";
  c.model = model;
  c.sections = {Section{2e4, model == CableModel::ancf ? 0.05 : 0, 1.0}};
  c.sections[0].diameter = 0.02;
  c.sections[0].drag = 1.5;
  c.sections[0].tangential_drag = 0.03;
  c.sections[0].added_mass = 1;
  c.route.back() = end;
  c.elements = 6;
  scene.cables = {c};
  if (water) {
    scene.fluid.emplace();
    scene.fluid->density = 1000;
  }
  return scene;
}

/// Mean of a coordinate over the nodes.
double mean(const Model& model, const std::vector<double>& a, int coordinate) {
  double sum = 0;
  for (int n = 0; n < model.nodes(); ++n) sum += a[static_cast<size_t>(6 * n + coordinate)];
  return sum / model.nodes();
}

// --- fluid ---

/// A body that falls in a fluid: m v' = w - A v^2, v = v_t tanh(w t/(m v_t)), v_t = sqrt(w/A); it
/// has come m v_t^2/w ln cosh(w t/(m v_t)) down. Across the cable the added mass is part of m.
struct Fall {
  double terminal, rate;
  explicit Fall(const Section& s, bool along) {
    const double displaced = 1000 * pi * s.diameter * s.diameter / 4;
    const double w = gravity * (s.mass - displaced);
    const double A = 500 * s.diameter * (along ? pi * s.tangential_drag : s.drag);
    terminal = std::sqrt(w / A);
    rate = w / ((s.mass + (along ? 0 : s.added_mass * displaced)) * terminal);
  }
  [[nodiscard]] double speed(double t) const { return terminal * std::tanh(rate * t); }
  [[nodiscard]] double way(double t) const {
    return terminal / rate * std::log(std::cosh(rate * t));
  }
};

TEST(Fluid, AFallingRopeReachesItsTerminalSpeed) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem})
    for (const bool along : {false, true}) {
      const Scene scene = rope(kind, along ? Vec3(0, 0, -4) : Vec3(4, 0, 0), true);
      const Model model(scene);
      const Fall fall(scene.cables[0].sections[0], along);
      for (const SolveOptions& options : all_methods(0.02)) {
        SCOPED_TRACE(name_of(options) + (along ? ", along" : ", across"));
        Integrator integrator(model, options);
        State state = integrator.start();
        ASSERT_EQ(integrator.advance(state, 8 / fall.rate), Status::ok)
            << integrator.failure().message();
        EXPECT_NEAR(-mean(model, state.v, 2), fall.terminal, 2e-5 * fall.terminal);
        EXPECT_NEAR(mean(model, state.v, 0), 0, 1e-9);
        EXPECT_EQ(integrator.counters().fallbacks, 0);
      }
    }
}

/// The same on the way there: drag leaves every scheme its order, in every solve.
TEST(Fluid, DragKeepsTheOrder) {
  const Scene scene = rope(CableModel::ancf, {4, 0, 0}, true);
  const Model model(scene);
  const Fall fall(scene.cables[0].sections[0], false);
  const double end = 1.5 / fall.rate;
  for (SolveOptions options : all_methods(0)) {
    options.newton_tolerance = 1e-12;
    double error[2];
    for (const int i : {0, 1}) {
      options.step = end / (i ? 160 : 80);
      Integrator integrator(model, options);
      State state = integrator.start();
      ASSERT_EQ(integrator.advance(state, end), Status::ok);
      error[i] = std::abs(-mean(model, state.q, 2) - fall.way(end)) +
                 std::abs(-mean(model, state.v, 2) - fall.speed(end));
    }
    const double order = std::log2(error[0] / error[1]);
    EXPECT_GE(order, options.scheme == Scheme::backward_euler ? 0.85 : 1.75) << name_of(options);
    EXPECT_LE(error[1], options.scheme == Scheme::backward_euler ? 2e-2 : 5e-4) << name_of(options);
  }
}

/// Drag that is not stiff: explicit in `linearized`, which has order 1 by it, taken at the
/// prediction elsewhere.
TEST(Fluid, ExplicitDrag) {
  Scene scene = rope(CableModel::ancf, {4, 0, 0}, true);
  scene.fluid->non_stiff = true;
  const Model model(scene);
  const Fall fall(scene.cables[0].sections[0], false);
  const double end = 1.5 / fall.rate;
  for (SolveOptions options : all_methods(0)) {
    if (options.method == Method::mixed3 || options.scheme == Scheme::backward_euler) continue;
    double error[2];
    for (const int i : {0, 1}) {
      options.step = end / (i ? 160 : 80);
      Integrator integrator(model, options);
      State state = integrator.start();
      ASSERT_EQ(integrator.advance(state, end), Status::ok);
      error[i] = std::abs(-mean(model, state.v, 2) - fall.speed(end));
      EXPECT_NEAR(state.books.balance, 0, 0.02 * state.books.scale) << name_of(options);
    }
    const double order = std::log2(error[0] / error[1]);
    const bool first = options.method == Method::linearized || options.method == Method::spook;
    EXPECT_GE(order, first ? 0.85 : 1.75) << name_of(options);
    EXPECT_LE(order, first ? 1.2 : 3) << name_of(options);
  }
}

/// A cable pinned at one end in a fluid without drag: energy is that of cable and fluid.
TEST(Fluid, AddedMassKeepsTheBalance) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene = rope(kind, {4, 0, 0}, true);
    scene.cables[0].sections[0].drag = scene.cables[0].sections[0].tangential_drag = 0;
    hold(scene, "rope", 0);
    const Model model(scene);
    double off[2];
    for (const int i : {0, 1}) {
      SolveOptions options;
      options.step = i ? 2.5e-3 : 5e-3;
      options.method = Method::newton;
      options.scheme = Scheme::newmark;
      Integrator integrator(model, options);
      State state = integrator.start();
      ASSERT_EQ(integrator.advance(state, 1.2), Status::ok) << integrator.failure().message();
      off[i] = std::abs(state.books.balance) / state.books.scale;
    }
    EXPECT_LT(off[1], 2e-3);
    EXPECT_LT(off[1], off[0] / 2);
  }
}

/// A cable that swings and turns: where it points changes in a step. Against a fine run.
TEST(Fluid, DragOnASwingingCableKeepsTheOrder) {
  Scene scene = rope(CableModel::ancf, {4, 0, 0}, true);
  scene.cables[0].sections[0].EA = 400;
  scene.fluid->velocity = {0.3, 0.8, 0};
  hold(scene, "rope", 0);
  scene.gravity = Vec3::Zero();
  add_distributed_force(scene, "rope", {0, 0, -9}, Signal::smooth(0, 1, 0, 0.4));
  const Model model(scene);
  const auto run = [&](SolveOptions options, int steps) {
    options.step = 0.8 / steps;
    options.newton_tolerance = 1e-12;
    Integrator integrator(model, options);
    State state = integrator.start();
    EXPECT_EQ(integrator.advance(state, 0.8), Status::ok) << integrator.failure().message();
    return state;
  };
  const State truth = run(solve_options(Method::newton, 0, Scheme::newmark), 6400);
  EXPECT_GT((truth.position(6) - Vec3(4, 0, 0)).norm(), 0.5) << "it swings";
  for (const SolveOptions& options : all_methods(0)) {
    const double coarse = distance(run(options, 200), truth),
                 fine = distance(run(options, 400), truth);
    EXPECT_GE(std::log2(coarse / fine), options.scheme == Scheme::backward_euler ? 0.8 : 1.6)
        << name_of(options) << ": " << coarse << ", " << fine;
  }
}

/// All that the fluid takes is counted: total - work stays.
TEST(Fluid, EnergyLostToTheFluidIsItsWork) {
  Scene scene = rope(CableModel::ancf, {4, 0, 0}, true);
  scene.fluid->velocity = {0.5, 0, 0};
  hold(scene, "rope", 0);
  const Model model(scene);
  for (const SolveOptions& options : all_methods(2e-3)) {
    if (options.scheme == Scheme::backward_euler) continue;  // takes energy itself
    Integrator integrator(model, options);
    State state = integrator.start();
    const double start = energy(model, state).balance();
    ASSERT_EQ(integrator.advance(state, 1.2), Status::ok) << integrator.failure().message();
    const Energy now = energy(model, state);
    EXPECT_LT(now.work, -15) << "drag takes much";
    EXPECT_NEAR(now.balance(), start, 0.02 * std::abs(now.work)) << name_of(options);
  }
}

/// A cable towed at speed U, free at its end, is straight: w cos phi = 1/2 rho d C U^2 sin^2 phi
/// (the critical angle: Glauert 1930; Pode 1951), and its tension grows evenly.
TEST(Fluid, ATowedCableTakesItsCriticalAngle) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene = rope(kind, {4, 0, 0}, true);
    scene.cables[0].sections[0].EI = 0;
    const double speed = 0.9;
    scene.fluid->velocity = {speed, 0, 0};
    hold(scene, "rope", 0);
    const Section& s = scene.cables[0].sections[0];
    const double w = gravity * (s.mass - 1000 * pi * 1e-4), A = 500 * s.diameter * s.drag;
    const double k = w / (A * speed * speed);  // k cos = sin^2 = 1 - cos^2
    const double cosine = (std::sqrt(k * k + 4) - k) / 2, sine = std::sqrt(1 - cosine * cosine);
    const double pull =
        4 * (w * sine + 500 * pi * s.diameter * s.tangential_drag * std::pow(speed * cosine, 2));
    const Model model(scene);
    Integrator integrator(model, solve_options(Method::mixed, 0.05, Scheme::backward_euler));
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 60), Status::ok) << integrator.failure().message();
    for (int n = 1; n <= 6; ++n) {
      const Vec3 t = state.position(n).normalized();
      EXPECT_NEAR(t.x(), cosine, 1e-4);
      EXPECT_NEAR(t.z(), -sine, 1e-4);
    }
    const Vec3 held = reaction(model, state, Place::start("rope")).force;
    EXPECT_NEAR(held.norm(), pull, 2e-3 * pull);
  }
}

TEST(Fluid, NewtonConvergesWithoutTheTangentBySlope) {
  Scene scene = rope(CableModel::ancf, {4, 0, 0}, true);
  scene.fluid->velocity = {0.5, 0.3, 0};
  hold(scene, "rope", 0);
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::newton, 5e-3));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 2), Status::ok) << integrator.failure().message();
  EXPECT_LE(integrator.counters().solves, 6 * integrator.counters().steps);
}

// --- ground ---

Scene grounded(CableModel kind, double height, double damping) {
  Scene scene = rope(kind, {4, 0, 0}, false);
  scene.cables[0].route.front().point.z() = scene.cables[0].route.back().point.z() = height;
  scene.ground.emplace();
  scene.ground->stiffness = 2000;
  scene.ground->damping = damping;
  return scene;
}

TEST(Ground, ADroppedRopeComesToRestAtItsWeightOverStiffness) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    const Model model(grounded(kind, 0.3, 0.02));
    for (const SolveOptions& options : all_methods(2e-3)) {
      Integrator integrator(model, options);
      State state = integrator.start();
      const double start = energy(model, state).balance();
      ASSERT_EQ(integrator.advance(state, 2), Status::ok)
          << name_of(options) << ": " << integrator.failure().message();
      for (int n = 0; n < model.nodes(); ++n) {
        EXPECT_NEAR(state.position(n).z(), -gravity / 2000, 1e-6) << name_of(options);
        EXPECT_NEAR(state.velocity(n).norm(), 0, 1e-4) << name_of(options);
      }
      // Most of the fall of 4 kg over 0.3 m went into the ground, and is counted.
      if (options.scheme != Scheme::backward_euler) {
        EXPECT_NEAR(energy(model, state).work, -4 * gravity * 0.3, 1.2) << name_of(options);
        EXPECT_NEAR(energy(model, state).balance(), start, 0.1 * 4 * gravity * 0.3)
            << name_of(options);
      }
    }
  }
}

/// Down sqrt(2 h/g), in the ground 2 (pi - atan(v omega/g))/omega with omega^2 = k/m, and up again.
TEST(Ground, ABounceWithoutDampingKeepsTheEnergy) {
  const double h = 0.2, omega = std::sqrt(2000.0), v = std::sqrt(2 * gravity * h);
  const double apex =
      2 * std::sqrt(2 * h / gravity) + 2 * (pi - std::atan(v * omega / gravity)) / omega;
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    const Model model(grounded(kind, h, 0));
    for (const SolveOptions& options : all_methods(5e-4)) {
      if (options.scheme == Scheme::backward_euler) continue;
      SCOPED_TRACE(name_of(options));
      Integrator integrator(model, options);
      State state = integrator.start();
      const double start = energy(model, state).total();
      ASSERT_EQ(integrator.advance(state, apex / 2), Status::ok) << integrator.failure().message();
      EXPECT_NEAR(mean(model, state.v, 2), 0, 0.03 * v) << "deepest";
      EXPECT_NEAR(energy(model, state).total(), start, 0.01 * 4 * gravity * h);
      ASSERT_EQ(integrator.advance(state, apex), Status::ok) << integrator.failure().message();
      EXPECT_EQ(state.books.work, 0);
      EXPECT_NEAR(energy(model, state).total(), start, 0.01 * 4 * gravity * h);
      EXPECT_NEAR(mean(model, state.q, 2), h, 0.01 * h);
      EXPECT_NEAR(mean(model, state.v, 2), 0, 0.02 * v);
    }
  }
}

/// An inclined ground pushes along its normal alone: the rope slides down without friction.
TEST(Ground, HasNoFriction) {
  Scene scene = grounded(CableModel::np_fem, -gravity * 0.8 / 2000, 0.02);
  scene.ground->normal = {0, 0.6, 0.8};
  for (Vec3* end : {&scene.cables[0].route.front().point, &scene.cables[0].route.back().point}) {
    end->y() = 0.6 * -gravity * 0.8 / 2000;
    end->z() = 0.8 * -gravity * 0.8 / 2000;
  }
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::mixed, 2e-3));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 1), Status::ok);
  const double way = gravity * 0.6 / 2;  // g sin/2 t^2
  EXPECT_NEAR(mean(model, state.q, 1), -gravity * 0.8 / 2000 * 0.6 + way * 0.8, 1e-3);
  EXPECT_NEAR(mean(model, state.q, 2), -gravity * 0.8 / 2000 * 0.8 - way * 0.6, 1e-3);
}

/// A mooring line, part of it on the seabed. Elastic catenary, unstretched length s lifted off the
/// ground without friction (Jonkman 2007, eqs. 2-37 and 2-38 with C_B = 0):
///     X = L - s + (H/w) asinh(w s/H) + H L/EA
///     Z = (H/w) (sqrt(1 + (w s/H)^2) - 1) + w s^2/(2 EA)
TEST(Ground, AMooringLineLiesAndHangsAsItsCatenary) {
  const double EA = 1e6, d = 0.05, mass = 12, L = 100, H = 900;
  const double w = gravity * (mass - 1025 * pi * d * d / 4), s = 55, k = 20e3;
  const double X = L - s + H / w * std::asinh(w * s / H) + H * L / EA;
  const double Z = H / w * (std::sqrt(1 + std::pow(w * s / H, 2)) - 1) + w * s * s / (2 * EA);
  Scene scene;
  Cable c;
  c.name = "line";
  c.model = CableModel::np_fem;
  c.sections = {Section{EA, 0, mass}};
  c.sections[0].diameter = d;
  lead_through(c, {{L - s, 0, 0}});
  c.route.back() = {X, 0, Z};
  c.length = L;
  c.elements = 100;
  scene.cables = {c};
  hold(scene, "line", 0);
  hold(scene, "line", -1);
  scene.ground.emplace();
  scene.ground->height = w / k;  // the line lies at z = 0
  scene.ground->stiffness = k;
  scene.ground->damping = 0.05;
  scene.fluid.emplace();
  scene.fluid->density = 1025;
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::mixed, 0.05, Scheme::backward_euler));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 150), Status::ok) << integrator.failure().message();
  const Vec3 top = reaction(model, state, Place::end("line")).force;
  const Vec3 anchor = reaction(model, state, Place::start("line")).force;
  EXPECT_NEAR(top.x(), H, 2e-3 * H);
  EXPECT_NEAR(anchor.x(), -H, 2e-3 * H);
  EXPECT_NEAR(top.z(), w * s, 1e-3 * w * s) << "what is lifted: the touchdown length";
  int lying = 0;
  for (int n = 1; n <= 100; ++n) lying += state.position(n).z() < 1e-3;
  EXPECT_NEAR(lying, L - s, 2);
}

// --- steps ---

/// Everything at once: a rope in a current that falls on sloping ground.
Scene busy(bool tied) {
  Scene scene = rope(CableModel::ancf, {4, 0, 0}, true);
  scene.fluid->velocity = {0.4, 0.2, 0};
  scene.ground.emplace();
  scene.ground->height = -0.05;
  scene.ground->normal = {0.1, 0, 1};
  scene.ground->stiffness = 3000;
  scene.ground->damping = 0.01;
  hold(scene, "rope", 0);
  if (tied)
    add_condition(
        scene, "tie",
        {{nth("rope", 2, 6), Coordinate::y, 1.0}, {nth("rope", 4, 6), Coordinate::y, -0.5}});
  return scene;
}

#ifdef COUNTS_ALLOCATIONS
TEST(Environment, StepsDoNotAllocate) {
  for (const bool tied : {false, true}) {
    const Model model(busy(tied));
    for (const SolveOptions& options : all_methods(2e-3)) {
      Integrator integrator(model, options);
      State state = integrator.start();
      for (int i = 0; i < 3; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
      const long before = allocations;
      Status status = Status::ok;
      for (int i = 0; i < 200 && status == Status::ok; ++i) status = integrator.step(state);
      EXPECT_EQ(allocations - before, 0) << name_of(options);
      EXPECT_EQ(status, Status::ok) << name_of(options);
    }
  }
}
#endif

TEST(Environment, ChainAndSparseSolverAgree) {
  const Model model(busy(false));
  for (SolveOptions options : all_methods(2e-3)) {
    State end[2];
    for (const LinearBackend backend : {LinearBackend::chain, LinearBackend::sparse}) {
      options.backend = backend;
      Integrator integrator(model, options);
      State& state = end[backend == LinearBackend::sparse];
      state = integrator.start();
      ASSERT_EQ(integrator.advance(state, 0.2), Status::ok) << name_of(options);
    }
    EXPECT_LE(distance(end[0], end[1]), 1e-7) << name_of(options);
  }
}

TEST(Environment, AResumedRunGivesTheSameBits) {
  const Model model(busy(false));
  for (const SolveOptions& options : all_methods(2e-3)) {
    Integrator whole(model, options);
    State state = whole.start(), kept;
    for (int i = 0; i < 150; ++i) {
      if (i == 100) kept = state;
      ASSERT_EQ(whole.step(state), Status::ok) << name_of(options);
    }
    Integrator other(model, options);
    other.resume(kept);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(other.step(kept), Status::ok);
    EXPECT_EQ(std::memcmp(state.q.data(), kept.q.data(), 8 * state.q.size()), 0)
        << name_of(options);
    EXPECT_EQ(state.books.work, kept.books.work) << name_of(options);
  }
}

TEST(Environment, SaysWhatIsWrong) {
  const auto expect_error = [](const std::function<void(Scene&)>& spoil, const std::string& part) {
    Scene scene = busy(false);
    spoil(scene);
    try {
      const Model model(scene);
      ADD_FAILURE() << "accepted: " << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect_error([](Scene& s) { s.cables[0].sections[0].diameter = 0; }, "cable 'rope', diameter");
  expect_error([](Scene& s) { s.cables[0].sections[0].drag = -1; }, "cable 'rope', drag");
  expect_error([](Scene& s) { s.cables[0].sections[0].tangential_drag = -1; }, "tangential drag");
  expect_error([](Scene& s) { s.fluid->density = 0; }, "fluid, density");
  expect_error([](Scene& s) { s.fluid->velocity.x() = NAN; }, "fluid, velocity");
  expect_error([](Scene& s) { s.ground->stiffness = 0; }, "ground, stiffness");
  expect_error([](Scene& s) { s.ground->damping = -1; }, "ground, damping");
  expect_error([](Scene& s) { s.ground->normal.setZero(); }, "ground, normal");
  expect_error([](Scene& s) { s.ground->height = NAN; }, "ground, height");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
