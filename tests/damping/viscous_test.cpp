// Damping of sections in motion: against closed forms, for every law and solve.
#include "allocations.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>
#include <unsupported/Eigen/MatrixFunctions>

#include "damping/material_axes.h"
#include "hawser/error.h"
#include "hawser/measure.h"
#include "hawser/scene_file.h"
#include "machines.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

using std::numbers::pi;

Damping kelvin_voigt(double time) {
  Damping d;
  d.viscosity = time;
  return d;
}
Damping maxwell(std::vector<Relaxation> arms) {
  Damping d;
  d.relaxations = std::move(arms);
  return d;
}
Damping fractional(double order, double tau, FractionalForm form, double memory = 0) {
  Damping d;
  d.fractional = {order, tau, memory, form};
  return d;
}

/// A mass on one straight element: m u'' + k (u + damping) = 0, with omega0 = sqrt(k/m).
Scene oscillator(const Damping& damping, double omega0, CableModel model) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  const double mass = 2, k = mass * omega0 * omega0, stretched = 0.01;
  if (model == CableModel::massless) {
    scene.supports = {ground("wall", {0, 0, 0})};
    scene.bodies = {ball("load", mass, {1 + stretched, 0, 0})};
    Cable c = massless("spring", k, 1, {"wall", "load"});
    c.pushes = true;
    c.sections[0].axial_damping = damping;
    scene.cables = {c};
    return scene;
  }
  Cable c;
  c.name = "spring";
  c.model = model;
  c.sections[0].EA = k;
  c.sections[0].mass = 1e-9;
  c.sections[0].axial_damping = damping;
  c.elements = 1;
  c.strain = StrainMeasure::engineering;
  c.route.back() = {1 + stretched, 0, 0};
  c.length = 1;
  scene.cables = {c};
  hold(scene, "spring", 0);
  scene.point_masses.push_back({Place::end("spring"), mass});
  return scene;
}

double place_of(const Model& model, const State& state) {
  return state.position(model.nodes() - 1).x() - 1;
}

/// Takes u, its rate and the arms of m u'' + k (u + viscosity u' + sum s_i) = 0, s_i' = share u' -
/// s_i/T, over a time h: the exponential of the matrix.
Eigen::MatrixXd propagator(const Damping& damping, double omega0, double h) {
  const auto arms = static_cast<Eigen::Index>(damping.relaxations.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 + arms, 2 + arms);
  const double k = omega0 * omega0;
  A(0, 1) = 1;
  A(1, 0) = -k;
  A(1, 1) = -k * damping.viscosity;
  for (Eigen::Index i = 0; i < arms; ++i) {
    const auto& [share, time] = damping.relaxations[static_cast<size_t>(i)];
    A(1, 2 + i) = -k;
    A(2 + i, 1) = share;
    A(2 + i, 2 + i) = -1 / time;
  }
  return (A * h).exp();
}

TEST(Viscous, MovesAsItsLawSays) {
  const std::vector<std::pair<const char*, Damping>> laws = {
      {"Kelvin-Voigt", kelvin_voigt(2e-3)}, {"Maxwell", maxwell({{0.1, 0.02}, {0.5, 0.5}})}};
  for (const auto& [law, damping] : laws)
    for (const double omega0 : {5.0, 20.0, 60.0})
      for (const Method method : {Method::mixed, Method::linearized, Method::newton})
        for (const CableModel kind : {CableModel::np_fem, CableModel::massless}) {
          SCOPED_TRACE(std::string(law) + ", omega " + std::to_string(omega0) + ", method " +
                       std::to_string(static_cast<int>(method)) + ", model " +
                       std::to_string(static_cast<int>(kind)));
          const double period = 2 * pi / omega0;
          SolveOptions options = solve_options(method, period / 800);
          options.scheme = Scheme::newmark;
          const Model model(oscillator(damping, omega0, kind));
          Integrator integrator(model, options);
          State state = integrator.start();
          const Eigen::MatrixXd over_a_step = propagator(damping, omega0, options.step);
          Eigen::VectorXd exact = Eigen::VectorXd::Zero(over_a_step.rows());
          exact[0] = 0.01;
          double worst = 0;
          while (state.t < 4 * period) {
            ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
            exact = over_a_step * exact;
            worst = std::max(worst, std::abs(place_of(model, state) - exact[0]));
          }
          EXPECT_LT(worst, 5e-4 * 0.01);
        }
}

/// The strain of a unit oscillator with a fractional law against its direct sum, and that against
/// a finer one.
TEST(Viscous, ConstantCostFollowsTheDirectSum) {
  const double omega0 = 10, h = 1e-3;
  const auto end = [&](const Damping& damping, double step) {
    SolveOptions options = solve_options(Method::newton, step);
    const Model model(oscillator(damping, omega0, CableModel::np_fem));
    Integrator integrator(model, options);
    State state = integrator.start();
    EXPECT_EQ(integrator.advance(state, 2.0), Status::ok);
    return place_of(model, state) / 0.01;
  };
  for (const double order : {0.3, 0.5, 0.75}) {
    const double tau = 0.05 * std::pow(omega0, -order);
    const double fine = end(fractional(order, tau, FractionalForm::direct), h / 4);
    const double direct = end(fractional(order, tau, FractionalForm::direct), h);
    const double cheap = end(fractional(order, tau, FractionalForm::constant_cost), h / 4);
    EXPECT_NEAR(cheap, fine, 2e-4) << "order " << order;
    EXPECT_NEAR(direct, fine, 1e-3) << "order " << order;
  }
}

/// Error-controlled steps are of many lengths: both forms must keep to the law.
TEST(Viscous, FractionalLawsAreRightWhereStepsVary) {
  const double omega0 = 10;
  for (const FractionalForm form : {FractionalForm::constant_cost, FractionalForm::direct}) {
    const Damping damping = fractional(0.5, 0.02, form);
    const auto end = [&](bool controlled) {
      SolveOptions options = solve_options(Method::newton, controlled ? 1e-3 : 2e-4);
      options.error_control = controlled;
      options.tolerance = 1e-9;
      const Model model(oscillator(damping, omega0, CableModel::np_fem));
      Integrator integrator(model, options);
      State state = integrator.start();
      EXPECT_EQ(integrator.advance(state, 1.5), Status::ok);
      EXPECT_GT(integrator.counters().steps, 50);
      return place_of(model, state) / 0.01;
    };
    EXPECT_NEAR(end(true), end(false), 2e-3);
  }
}

TEST(Viscous, OrdersNearTheEndsAreADashpotAndASpring) {
  const double omega0 = 10, tau = 0.01;
  const auto end = [&](const Damping& damping, double stiffer) {
    const Model model(oscillator(damping, omega0 * std::sqrt(stiffer), CableModel::np_fem));
    Integrator integrator(model, solve_options(Method::newton, 5e-4));
    State state = integrator.start();
    EXPECT_EQ(integrator.advance(state, 1.0), Status::ok);
    return place_of(model, state) / 0.01;
  };
  EXPECT_NEAR(end(fractional(0.999, tau, FractionalForm::constant_cost), 1),
              end(kelvin_voigt(tau), 1), 2e-3);
  // The spring holds on to the strain at the start: about its new place of rest it swings freely.
  const double rest = 0.2 / 1.2;
  EXPECT_NEAR(end(fractional(1e-3, 0.2, FractionalForm::constant_cost), 1),
              rest + (1 - rest) * end({}, 1.2), 5e-3);
}

// --- accuracy ---

Signal quartic(double amplitude) {
  return Signal::function([amplitude](double t) {
    const double x = t / 0.4;
    return Signal::Sample{amplitude * x * x * x * x, 4 * amplitude * x * x * x / 0.4,
                          12 * amplitude * x * x / 0.16};
  });
}

/// A soft cable bent and stretched in space by loads that grow smoothly.
Scene loaded(CurvatureMeasure curvature) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  Cable c;
  c.name = "cable";
  c.sections = {Section{40, 0.02, 0.4}};
  c.sections[0].axial_damping.viscosity = 0.01;
  c.sections[0].axial_damping.relaxations = {{0.5, 0.1}};
  c.sections[0].bending_damping.viscosity = 0.05;
  c.sections[0].bending_damping.relaxations = {{1, 0.2}};
  c.sections[0].mass_damping = 0.5;
  c.curvature = curvature;
  c.elements = 4;
  scene.cables = {c};
  hold(scene, "cable", 0);
  add_distributed_force(scene, "cable", {0, 0, -6}, quartic(1));
  add_force(scene, Place::end("cable"), {0, 3, 1}, quartic(1));
  return scene;
}

TEST(Viscous, IsOfSecondOrder) {
  for (const CurvatureMeasure curvature : {CurvatureMeasure::second_derivative,
                                           CurvatureMeasure::material, CurvatureMeasure::geometric})
    for (const Method method : {Method::mixed, Method::linearized, Method::newton})
      for (const Scheme scheme : {Scheme::hht, Scheme::bdf2, Scheme::generalized_alpha}) {
        // Linear at q_n, the viscous moments of curved measures are of first order.
        if (method == Method::linearized && curvature != CurvatureMeasure::second_derivative)
          continue;
        SCOPED_TRACE("method " + std::to_string(static_cast<int>(method)) + ", scheme " +
                     std::to_string(static_cast<int>(scheme)));
        const Model model(loaded(curvature));
        std::vector<Vec3> ends;
        for (const int steps : {100, 200, 400, 800}) {
          SolveOptions options = solve_options(method, 0.4 / steps);
          options.scheme = scheme;
          Integrator integrator(model, options);
          State state = integrator.start();
          EXPECT_EQ(integrator.advance(state, 0.4), Status::ok) << integrator.failure().message();
          ends.push_back(state.position(model.nodes() - 1));
        }
        const double order = std::log2((ends[1] - ends[2]).norm() / (ends[2] - ends[3]).norm());
        EXPECT_GT(order, 1.8);
        EXPECT_LT(order, 2.6);
      }
}

/// All solves go to one answer.
TEST(Viscous, SolvesAgree) {
  const Model model(loaded(CurvatureMeasure::material));
  std::vector<Vec3> ends;
  for (const Method method : {Method::mixed, Method::linearized, Method::newton}) {
    Integrator integrator(model, solve_options(method, 0.4 / 1600));
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 0.4), Status::ok);
    ends.push_back(state.position(model.nodes() - 1));
  }
  EXPECT_LT((ends[0] - ends[2]).norm(), 2e-6);
  EXPECT_LT((ends[1] - ends[2]).norm(), 2e-6);
}

// --- rigid motion ---

/// A free cable, bent at the start, flies and turns in a plane: what it loses goes with its shape,
/// and its momentum stays.
TEST(Viscous, KeepsMomentum) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  Cable c;
  c.name = "rope";
  c.sections = {Section{1e4, 2, 0.5}};
  c.sections[0].axial_damping.viscosity = 1e-3;
  c.sections[0].bending_damping.viscosity = 0.02;
  c.sections[0].bending_damping.relaxations = {{0.5, 0.1}};
  c.route.front() = {-1, 0, 0};
  c.route.back() = {0, 1, 0};
  lead_through(c, {{0, 0, 0}});
  c.elements = 12;
  c.velocity = {0.3, -0.2, 0.1};
  c.angular_velocity = {0, 0, 3};
  scene.cables = {c};
  const Model model(scene);
  SolveOptions options = solve_options(Method::newton, 2.5e-4);
  options.scheme = Scheme::newmark;
  Integrator integrator(model, options);
  State state = integrator.start();
  const Momentum before = momentum(model, state);
  const double energy_before = energy(model, state).total();
  ASSERT_EQ(integrator.advance(state, 1.0), Status::ok) << integrator.failure().message();
  const Momentum after = momentum(model, state);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-9);
  EXPECT_LT((after.angular - before.angular).norm(), 2e-3 * before.angular.norm());
  EXPECT_LT(energy(model, state).total(), energy_before);
}

/// Gu et al. 6.1 as a scene: their eq. 21 as printed holds energy in a stiffness of its own, which
/// counts, so that the guard lets the bar ring and no energy comes from nowhere.
TEST(GuEq21, RunsAsASceneWithATrueGuard) {
  const std::string bar = R"(
gravity: [0, 0, 0]
sections:
  bar: {EA: 1 kN, mass: 1 kg/m, damping: {axial: {fractional: {order: 0.5, tau: 0.1, form: gu-eq21}}}}
supports: {wall: {position: [0, 0, 0]}}
cables:
  bar: {section: bar, route: [wall, [1.01 m, 0, 0]], length: 1 m, elements: 16}
solve: {until: 0.2 s, step: 1 ms}
)";
  for (const std::string model : {"ancf", "np-fem"})
    for (const std::string method : {"mixed", "newton", "linearized"})
      for (const std::string step : {"1 ms", "0.125 ms"}) {
        SCOPED_TRACE(model + ", " + method + ", " + step);
        const SceneFile file = read_scene_text(
            bar, "bar.yaml",
            {"cables.bar.model=" + model, "solve.method=" + method, "solve.step=" + step});
        const Model compiled(file.scene);
        Integrator integrator(compiled, file.solve);
        State state = integrator.start();
        const double spring = 0.05 / std::sqrt(file.solve.step);  // tau/2 h^-order, over EA
        EXPECT_NEAR(energy(compiled, state).axial, (1 + spring) * 1000 * 1e-4 / 2, 1e-6);
        double most = 0;
        while (state.t < file.until) {
          ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
          most = std::max(most, energy(compiled, state).balance());
        }
        EXPECT_LE(most, 1e-3 * state.books.start);
      }
  const SceneFile file = read_scene_text(bar, "bar.yaml", {"solve.method=newton"});
  SolveOptions controlled = file.solve;
  controlled.error_control = true;
  EXPECT_THROW(Integrator(Model(file.scene), controlled), Error);
}

/// Curvatures in material axes stay as they are, however a bent cable is turned.
TEST(MaterialAxes, DoNotSeeRigidMotion) {
  Scene scene;
  Cable c;
  c.name = "rope";
  c.sections = {Section{100, 1, 1}};
  c.elements = 6;
  scene.cables = {c};
  const Model handle(scene);
  const ModelData& model = handle.data();
  std::vector<double> q = model.q0;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  for (double& x : q) x += uniform(random);
  MaterialAxes axes(model, 0);
  std::vector<double> tangent(static_cast<size_t>(model.bending_size)), curvature = tangent;
  const auto measure = [&](const std::vector<double>& at) {
    for (const Fields* part : model.fields)
      part->strains(at.data(), {nullptr, curvature.data(), tangent.data()});
  };
  double state[MaterialAxes::state_size];
  measure(q);
  axes.start(tangent.data(), state);
  const std::vector<double> zero(tangent.size(), 0);
  axes.follow(tangent.data(), zero.data(), curvature.data(), state);
  const std::vector<double> first = curvature;
  std::vector<double> before = first;
  for (int step = 0; step < 200; ++step) {
    const Eigen::Matrix3d R =
        Eigen::AngleAxisd(0.3, Vec3(uniform(random), uniform(random), uniform(random)).normalized())
            .toRotationMatrix();
    for (int i = 0; i < model.structure.coordinates(); i += 3) {
      Eigen::Map<Vec3> v(q.data() + i);
      v = (R * v).eval();
    }
    measure(q);
    axes.follow(tangent.data(), before.data(), curvature.data(), state);
    before = curvature;
  }
  for (size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(curvature[i], first[i], 1e-10);
}

// --- energy, slack, memory ---

TEST(Viscous, TakesEnergyAndNeverGives) {
  Scene scene = loaded(CurvatureMeasure::second_derivative);
  scene.distributed_forces.clear();
  scene.point_forces.clear();
  scene.gravity = {0, 0, -9.81};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton}) {
    Integrator integrator(model, solve_options(method, 1e-3));
    State state = integrator.start();
    double last = energy(model, state).total();
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(integrator.advance(state, 0.04 * (i + 1)), Status::ok);
      const double now = energy(model, state).total();
      EXPECT_LT(now, last + 1e-6);
      last = now;
    }
  }
}

TEST(Viscous, PrestressDoesNotCreep) {
  for (const FractionalForm form : {FractionalForm::constant_cost, FractionalForm::direct}) {
    Scene scene = oscillator(fractional(0.5, 0.3, form), 10, CableModel::np_fem);
    add_force(scene, Place::end("spring"), {2 * 100 * 0.01, 0, 0});  // holds it as it starts
    const Model model(scene);
    Integrator integrator(model, solve_options(Method::mixed, 1e-3));
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 1.0), Status::ok);
    EXPECT_NEAR(place_of(model, state), 0.01, 1e-12);
  }
}

TEST(Viscous, ForgetsWhatIsOlderThanItsMemory) {
  const double h = 1e-3;
  Scene scene =
      oscillator(fractional(0.5, 0.05, FractionalForm::direct, 0.05), 10, CableModel::np_fem);
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::newton, h));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 1.0), Status::ok);
  EXPECT_LE(state.memory_times.size(), 2 * 52u);
  EXPECT_GE(state.memory_times.size(), 50u);
}

TEST(Viscous, StepsOfConstantCostDoNotAllocate) {
#ifdef COUNTS_ALLOCATIONS
  Scene scene = loaded(CurvatureMeasure::second_derivative);
  scene.cables[0].sections[0].axial_damping.fractional = {0.5, 0.01};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::linearized, Method::newton}) {
    Integrator integrator(model, solve_options(method, 1e-3));
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 0.02), Status::ok);
    const long before = allocations;
    ASSERT_EQ(integrator.advance(state, 0.1), Status::ok);
    EXPECT_EQ(allocations, before);
  }
#else
  GTEST_SKIP() << "the sanitizers have their own allocator";
#endif
}

TEST(Viscous, MethodsThatCannotTakeItSaySo) {
  const Model model(loaded(CurvatureMeasure::material));
  try {
    const Integrator integrator(model, solve_options(Method::mixed3, 1e-3));
    FAIL() << "mixed3 took it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("mixed3"), std::string::npos);
  }
}

/// A hoist that goes slack: the rope pulls again, and never pushes.
TEST(Viscous, MasslessCableNeverPushes) {
  Scene scene;
  scene.supports = {ground("hook", {0, 0, 0})};
  scene.bodies = {ball("load", 10, {0, 0, -1}, {0, 0, 3})};
  Cable c = massless("rope", 1e5, 1, {"hook", "load"});
  c.sections[0].axial_damping = kelvin_voigt(5e-3);
  scene.cables = {c};
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::mixed, 1e-3));
  State state = integrator.start();
  double largest = 0;
  while (state.t < 3) {
    ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
    const double tension = run_tensions(model, state, "rope")[0];
    EXPECT_GE(tension, -1e-9);
    largest = std::max(largest, tension);
  }
  EXPECT_GT(largest, 1000);
  EXPECT_NEAR(run_tensions(model, state, "rope")[0], 98.1, 0.5);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
