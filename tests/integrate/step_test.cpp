// What a step costs, that it repeats to the bit, and how it fails.
#include "allocations.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numbers>

#include "integrate/engine.h"
#include "machines.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The pendulum with something of everything: a moving pin, loads, a mass.
Scene busy_scene() {
  Scene scene;
  scene.cables = {westin_irani_cable(1e8)};
  hold(scene, "pendulum", 0).motion = {Signal::sine(0.01, 3), 0.0,
                                       Signal::table({0, 0.02, 0.05}, {0, 0.01, 0})};
  add_force(scene, Place::end("pendulum"), {0, 0.1, 0}, Signal::smooth(0, 1, 0, 0.02));
  add_moment(scene, nth("pendulum", 5, 10), {0, 1e-4, 0}, 1.0, Stiffness::non_stiff);
  scene.point_masses.push_back({Place::end("pendulum"), 0.05});
  return scene;
}

/// A condition between two nodes, which only the sparse solver can take.
Scene tied_scene() {
  Scene scene = pendulum(1e8);
  add_condition(scene, "tie",
                {{nth("pendulum", 4, 10), Coordinate::y, 1.0},
                 {nth("pendulum", 7, 10), Coordinate::y, -0.5}});
  return scene;
}

// --- cost ---

#ifdef COUNTS_ALLOCATIONS
void expect_no_allocation(const Scene& scene, const std::string& linear_solver) {
  const Model model(scene);
  for (const SolveOptions& options : all_methods(1e-3)) {
    Integrator integrator(model, options);
    ASSERT_EQ(std::string(integrator.linear_solver()).substr(0, linear_solver.size()),
              linear_solver);
    State state = integrator.start();
    for (int i = 0; i < 3; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
    const long before = allocations;
    Status status = Status::ok;
    for (int i = 0; i < 60 && status == Status::ok; ++i) status = integrator.step(state);
    const long during = allocations - before;
    EXPECT_EQ(status, Status::ok) << name_of(options);
    EXPECT_EQ(during, 0) << name_of(options);
  }
}

TEST(Step, DoesNotAllocateOnAChain) { expect_no_allocation(pendulum(1e8), "block-tridiagonal"); }
TEST(Step, DoesNotAllocateWithMotionsAndLoads) {
  expect_no_allocation(busy_scene(), "block-tridiagonal");
}
TEST(Step, DoesNotAllocateWhereChainsAreEliminated) {
  expect_no_allocation(tied_scene(), "chains eliminated");
}
TEST(Step, DoesNotAllocateOnTheSparseSolver) {
  Scene scene = tied_scene();
  scene.cables[0].model = CableModel::np_fem;  // its nodes are not eliminated
  expect_no_allocation(scene, "sparse");
}

TEST(Step, DoesNotAllocateWhereItIsDividedOrFallsBack) {
  // With Baumgarte's constraints steps are not divided: they fall back at once.
  for (const ConstraintLevel level : {ConstraintLevel::position, ConstraintLevel::baumgarte}) {
    const Model model(pendulum(1e6));
    SolveOptions options = solve_options(Method::mixed, 0.05);
    options.constraints = level;
    Integrator integrator(model, options);
    State state = integrator.start();
    const long& count = level == ConstraintLevel::position ? integrator.counters().divided
                                                           : integrator.counters().fallbacks;
    for (int i = 0; i < 3; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
    const long before = allocations;
    while (state.t < 5 && count < 2 && integrator.step(state) == Status::ok) {
    }
    EXPECT_EQ(allocations - before, 0);
    EXPECT_EQ(count, 2) << "the scene is meant to need it";
  }
}
#endif

/// Work of 500 steps of the pendulum, without the start's.
Counters work_of(const SolveOptions& options) {
  const Model model(pendulum(1e8));
  Integrator integrator(model, options);
  State state = integrator.start();
  const Counters start = integrator.counters();
  for (int i = 0; i < 500; ++i) EXPECT_EQ(integrator.step(state), Status::ok);
  Counters out = integrator.counters();
  out.assemblies -= start.assemblies;
  out.factorizations -= start.factorizations;
  out.solves -= start.solves;
  return out;
}

TEST(Step, LinearizedAndMixedTakeOneFactorizationAndOneSolve) {
  for (const Method solve : {Method::linearized, Method::mixed})
    for (const Scheme scheme : all_schemes) {
      SCOPED_TRACE(name_of(solve_options(solve, 1e-3, scheme)));
      const Counters work = work_of(solve_options(solve, 1e-3, scheme));
      EXPECT_EQ(work.steps, 500);
      EXPECT_EQ(work.assemblies, 500);
      EXPECT_EQ(work.factorizations, 500);
      EXPECT_EQ(work.solves, 500);
      EXPECT_EQ(work.relinearized + work.fallbacks + work.capped, 0);
    }
}

TEST(Step, Mixed3TakesOneFactorizationAndThreeSolves) {
  const Counters work = work_of(solve_options(Method::mixed3, 1e-3));
  EXPECT_EQ(work.factorizations, 500);
  EXPECT_EQ(work.solves, 1500);
  EXPECT_EQ(work.fallbacks, 0);
}

TEST(Step, NewtonUsesItsFactorizationAgain) {
  const Counters work = work_of(solve_options(Method::newton, 1e-4));
  EXPECT_LE(work.factorizations, 500 / 20);
  EXPECT_GE(work.solves, 500);
}

TEST(Step, FactorizationCapCutsStepsShortAndCountsThem) {
  const Model model(pendulum(1e7));
  const auto run = [&model](int cap) {
    SolveOptions options = solve_options(Method::mixed, 0.01);
    options.factorization_cap = cap;
    options.energy_guard = 0;
    Integrator integrator(model, options);
    State state = integrator.start();
    const long start = integrator.counters().factorizations;
    for (int i = 0; i < 100; ++i) EXPECT_EQ(integrator.step(state), Status::ok);
    Counters out = integrator.counters();
    out.factorizations -= start;
    return out;
  };
  const Counters free = run(0), one = run(1), two = run(2);
  EXPECT_GT(free.relinearized, 0) << "the scene is meant to need relinearization";
  EXPECT_EQ(free.capped, 0);
  EXPECT_GT(one.capped, 0);
  EXPECT_EQ(one.factorizations, 100);
  EXPECT_EQ(one.relinearized, 0);
  EXPECT_LE(two.factorizations, 200);
  EXPECT_EQ(two.factorizations, 100 + two.relinearized);
}

// --- the same inputs, the same bits ---

/// FNV-1a over the bits of everything a step changes.
std::uint64_t hash_of(const State& state) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&hash](double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; ++i) hash = (hash ^ ((bits >> (8 * i)) & 0xff)) * 1099511628211u;
  };
  add(state.t);
  add(state.books.work);
  for (const auto* array : {&state.q, &state.v, &state.a, &state.a_true, &state.axial_force,
                            &state.multipliers, &state.fixed_reaction})
    for (const double x : *array) add(x);
  return hash;
}

State run(const Model& model, const SolveOptions& options, int steps) {
  Integrator integrator(model, options);
  State state = integrator.start();
  for (int i = 0; i < steps; ++i) EXPECT_EQ(integrator.step(state), Status::ok);
  return state;
}

std::uint64_t hash_of_runs() {
  std::uint64_t hash = 0;
  for (const Scene& scene : {busy_scene(), tied_scene()}) {
    const Model model(scene);
    for (const SolveOptions& options : all_methods(1e-3))
      hash = hash * 31 + hash_of(run(model, options, 100));
  }
  return hash;
}

TEST(Determinism, TwoRunsGiveTheSameBits) {
  for (const Scene& scene : {busy_scene(), tied_scene()})
    for (const SolveOptions& options : all_methods(1e-3)) {
      const State a = run(Model(scene), options, 100), b = run(Model(scene), options, 100);
      EXPECT_EQ(hash_of(a), hash_of(b)) << name_of(options);
      EXPECT_EQ(distance(a, b), 0) << name_of(options);
    }
}

TEST(Determinism, StartingAgainGivesTheSameBits) {
  const Model model(busy_scene());
  for (const SolveOptions& options : all_methods(1e-3)) {
    Integrator integrator(model, options);
    std::uint64_t hash[2];
    for (std::uint64_t& h : hash) {
      State state = integrator.start();
      for (int i = 0; i < 70; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
      h = hash_of(state);
    }
    EXPECT_EQ(hash[0], hash[1]) << name_of(options);
  }
}

/// The program runs itself, with this variable set, to print the hash of its runs.
constexpr const char* print_hash = "HAWSER_TEST_PRINT_HASH";

std::string self() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : std::string();
}

TEST(Determinism, AnotherProcessGivesTheSameBits) {
  const std::string mine = std::to_string(hash_of_runs());
  if (std::getenv(print_hash)) {
    std::printf("hash=%s\n", mine.c_str());
    return;
  }
  const std::string program = self();
  if (program.empty()) GTEST_SKIP() << "no /proc/self/exe";
  const std::string command = std::string(print_hash) + "=1 '" + program +
                              "' --gtest_filter=Determinism.AnotherProcessGivesTheSameBits";
  FILE* child = popen(command.c_str(), "r");
  ASSERT_NE(child, nullptr);
  std::string output;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, child)) output += buffer;
  EXPECT_EQ(pclose(child), 0) << output;
  EXPECT_NE(output.find("hash=" + mine + "\n"), std::string::npos)
      << "this process: " << mine << ", the other:\n"
      << output;
}

// --- failures ---

bool finite(const State& s) {
  for (const auto* array : {&s.q, &s.v, &s.a, &s.a_true, &s.axial_force, &s.multipliers,
                            &s.fixed_reaction, &s.q_before, &s.v_before})
    for (const double x : *array)
      if (!std::isfinite(x)) return false;
  return std::isfinite(s.t) && std::isfinite(s.books.work) && std::isfinite(s.books.scale);
}

/// Steps until the run fails; the step that fails must leave the state alone.
Status run_to_failure(const Scene& scene, const SolveOptions& options, Failure& failure) {
  const Model model(scene);
  Integrator integrator(model, options);
  State state = integrator.start();
  EXPECT_TRUE(finite(state)) << name_of(options);
  for (int i = 0; i < 100; ++i) {
    const State before = state;
    const Status status = integrator.step(state);
    EXPECT_TRUE(finite(state)) << name_of(options) << " after step " << i;
    if (status == Status::ok) continue;
    EXPECT_EQ(hash_of(state), hash_of(before)) << name_of(options);
    failure = integrator.failure();
    return status;
  }
  return Status::ok;
}

TEST(Failure, AnAbsurdForceLeavesTheStateFinite) {
  for (const double force : {1e20, 1e150, 1e300}) {
    Scene scene = pendulum(1e8);
    add_force(scene, Place::end("pendulum"), {0, 0, force});
    for (const SolveOptions& options : all_methods(1e-3)) {
      Failure failure;
      EXPECT_EQ(run_to_failure(scene, options, failure), Status::diverged) << name_of(options);
      EXPECT_EQ(failure.status, Status::diverged);
      EXPECT_EQ(failure.cable, "pendulum");
      EXPECT_NE(failure.message().find("stopped at t = 0 s, cable 'pendulum', element "),
                std::string::npos)
          << failure.message();
    }
  }
}

TEST(Failure, ALoadOrMotionThatTurnsNanLeavesTheStateFinite) {
  const Signal bad = Signal::function([](double t) {
    return t < 0.0205 ? Signal::Sample{0, 0, 0} : Signal::Sample{nan, nan, nan};
  });
  Scene loaded = pendulum(1e8), moved = pendulum(1e8), tied = pendulum(1e8);
  add_force(loaded, Place::end("pendulum"), {0, 0, 1}, bad);
  hold(moved, "pendulum", -1).motion[1] = bad;
  add_condition(tied, "tie", {{nth("pendulum", 5, 10), Coordinate::y, 1.0}}, bad);
  for (const Scene& scene : {loaded, moved, tied})
    for (const SolveOptions& options : all_methods(1e-3)) {
      Failure failure;
      EXPECT_EQ(run_to_failure(scene, options, failure), Status::diverged) << name_of(options);
      EXPECT_NEAR(failure.time, 0.02, 1e-9) << name_of(options);
    }
}

/// Newmark's gamma above 1/2 damps by (gamma - 1/2) omega h/2 of the critical (Hughes 1987, 9.1.4);
/// the trapezoidal rule does not.
/// Of the trapezoidal rule the period error (omega h)^2/12, of Backward Euler the damping omega
/// h/2; of BDF2 (omega h)^2/3.
TEST(Scheme, OscillationErrorIsTheClosedForm) {
  const auto error = [](Scheme scheme) {
    return oscillation_error(solve_options(Method::mixed, 1, scheme));
  };
  EXPECT_NEAR(error(Scheme::newmark), 1.0 / 12, 1e-3);
  EXPECT_NEAR(error(Scheme::backward_euler), 0.5, 0.02);
  EXPECT_NEAR(error(Scheme::bdf2), 1.0 / 3, 0.02);
  EXPECT_GT(error(Scheme::hht), 1.0 / 12);
  EXPECT_LT(error(Scheme::hht), 1.0 / 3);
}

TEST(Newmark, DampsByItsGamma) {
  constexpr double omega = 50, h = 1e-3, periods = 20;
  Scene scene;
  scene.gravity = Vec3::Zero();
  Cable c;
  c.name = "spring";
  c.model = CableModel::np_fem;
  c.sections[0].EA = omega * omega;
  c.sections[0].mass = 1e-9;
  c.elements = 1;
  c.length = 1;
  c.route.back() = {1.01, 0, 0};
  scene.cables = {c};
  hold(scene, "spring", 0);
  scene.point_masses.push_back({Place::end("spring"), 1.0});
  const Model model(scene);
  for (const double gamma : {0.5, 0.6, 0.9}) {
    SolveOptions options = solve_options(Method::newton, h, Scheme::newmark);
    options.newmark_gamma = gamma;
    options.newmark_beta = (gamma + 0.5) * (gamma + 0.5) / 4;
    Integrator integrator(model, options);
    State state = integrator.start();
    const double start = energy(model, state).total(), t = periods * 2 * std::numbers::pi / omega;
    ASSERT_EQ(integrator.advance(state, t), Status::ok);
    const double zeta = (gamma - 0.5) * omega * h / 2;
    const double expected = std::exp(-2 * zeta * omega * t);
    EXPECT_NEAR(energy(model, state).total() / start, expected, 0.03) << gamma;
  }
}

/// Westin & Irani's linearized Newmark, in their own form, gains energy at E = 1e9, h = 1e-2; the
/// mixed one does not.
TEST(Failure, TheEnergyGuardStopsAnUnstableRun) {
  const Model model(pendulum(1e9));
  SolveOptions published = solve_options(Method::linearized, 0.01, Scheme::newmark);
  published.constraints = ConstraintLevel::baumgarte;
  Integrator linearized(model, published);
  State state = linearized.start();
  EXPECT_EQ(linearized.advance(state, 10), Status::energy_gain);
  const Failure& failure = linearized.failure();
  EXPECT_EQ(failure.status, Status::energy_gain);
  EXPECT_NEAR(failure.time, state.t, 0.011);
  EXPECT_EQ(failure.cable, "pendulum");
  EXPECT_GE(failure.element, 0);
  EXPECT_LT(failure.element, 10);
  const std::string message = failure.message();
  char where[80];
  std::snprintf(where, sizeof where,
                "stopped at t = %.6g s, cable 'pendulum', element %d: ", failure.time,
                failure.element);
  EXPECT_EQ(message.rfind(where, 0), 0u) << message;
  EXPECT_NE(message.find("the step of 0.01 s is unstable"), std::string::npos) << message;

  Integrator mixed(model, solve_options(Method::mixed, 0.01, Scheme::newmark));
  state = mixed.start();
  EXPECT_EQ(mixed.advance(state, 10), Status::ok) << mixed.failure().message();
  EXPECT_EQ(mixed.failure().message(), "");
}

TEST(Failure, TheEnergyGuardCanBeSwitchedOff) {
  const Model model(pendulum(1e9));
  SolveOptions options = solve_options(Method::linearized, 0.01, Scheme::newmark);
  options.constraints = ConstraintLevel::baumgarte;
  options.energy_guard = 0;
  Integrator integrator(model, options);
  State state = integrator.start();
  EXPECT_EQ(integrator.advance(state, 2), Status::ok);
}

/// Of every scheme with every method, whatever the failure: no advice names what is in use.
TEST(Failure, NeverAdvisesWhatIsInUse) {
  Scene ropes = pendulum(1e11);  // far too stiff for its step
  ropes.cables[0].elements = 3;
  Scene loads = ropes;
  add_force(loads, Place::end("pendulum"), {0, 1e9, 1e12}, 1.0);
  Scene bodies;
  bodies.bodies = {ball("b", 1, {0, 0, -1}, {1e7, 0, 0})};
  bodies.supports = {ground("g", Vec3::Zero())};
  bodies.cables = {massless("line", 1e6, 1, {"g", "b"})};
  int failures[5] = {0, 0, 0, 0, 0};
  for (const Method method :
       {Method::linearized, Method::mixed, Method::mixed3, Method::newton, Method::spook})
    for (const Scheme scheme : all_schemes) {
      SolveOptions o;
      o.method = method;
      o.scheme = scheme;
      o.step = 0.05;
      const std::string advice = steadier(o);
      EXPECT_EQ(advice.find("method = " + name_of(method)), std::string::npos) << advice;
      EXPECT_EQ(advice.find("scheme = " + name_of(scheme)), std::string::npos) << advice;
      EXPECT_EQ(advice.find("  "), std::string::npos) << advice;
      for (const Scene& scene : {ropes, loads, bodies}) {
        const Model model(scene);
        if (method == Method::spook && !model.data().fields.empty()) continue;
        Integrator integrator(model, o);
        State state = integrator.start();
        if (integrator.advance(state, 5) == Status::ok) continue;
        ++failures[static_cast<int>(method)];
        const std::string message = integrator.failure().message();
        EXPECT_EQ(message.find("method = " + name_of(method)), std::string::npos) << message;
        EXPECT_EQ(message.find("scheme = " + name_of(scheme)), std::string::npos) << message;
      }
    }
  for (const int n : failures) EXPECT_GT(n, 0);
}

TEST(Failure, TheEnergyGuardIgnoresRoundOff) {
  Scene scene = tied_scene();
  scene.gravity = Vec3::Zero();
  release(scene, "pendulum", 0);
  scene.cables[0].route.front() = {0.1, 0, 0.3};
  scene.cables[0].route.back() = {1.2, 0, 0.7};
  hold(scene, "pendulum", 0);
  const Model model(scene);
  for (const SolveOptions& options : all_methods(1e-4)) {
    Integrator integrator(model, options);
    State state = integrator.start();
    for (int i = 0; i < 200; ++i)
      ASSERT_EQ(integrator.step(state), Status::ok)
          << name_of(options) << " " << integrator.failure().message();
  }
}

TEST(Failure, TheEnergyGuardKnowsTheWorkOfLoadsAndSupports) {
  // Energy rises from nothing by what forces, moments and supports put in.
  Scene scene;
  scene.gravity = Vec3::Zero();
  scene.cables = {westin_irani_cable(1e8)};
  hold(scene, "pendulum", 0).motion[0] = Signal::smooth(0, 1, 0.1, 0.4);
  add_force(scene, Place::end("pendulum"), {0, 1, 2}, Signal::sine(1, 3));
  add_distributed_force(scene, "pendulum", {0, 0, 3});
  add_moment(scene, Place::end("pendulum"), {0, 0.02, 0}, Signal::smooth(0, 1, 0, 0.1),
             Stiffness::non_stiff);
  const Model model(scene);
  for (const SolveOptions& options : all_methods(1e-3)) {
    Integrator integrator(model, options);
    State state = integrator.start();
    EXPECT_EQ(integrator.advance(state, 0.5), Status::ok)
        << name_of(options) << " " << integrator.failure().message();
    EXPECT_GT(energy(model, state).total(), 1);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
