// A run that is stopped, written down and gone on with gives the same bits as one that is not.
#include "allocations.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "hawser/error.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double step = 1e-3;

/// A chain with a moving support whose speed jumps at 0.02 s and 0.0405 s, loads and a mass.
Scene moved() {
  Scene scene;
  scene.cables = {westin_irani_cable(1e8)};
  scene.cables[0].elements = 7;
  lead_through(scene.cables[0], {{0.3, 0, 0}});
  hold(scene, "pendulum", 0).motion = {Signal::sine(0.01, 3), 0.0,
                                       Signal::table({0, 0.02, 0.0405}, {0, 0.01, 0.005})};
  add_force(scene, Place::end("pendulum"), {0, 0.1, 0}, Signal::smooth(0, 1, 0, 0.02));
  add_moment(scene, Place::at("pendulum", 0.72), {0, 1e-4, 0}, 1.0, Stiffness::non_stiff);
  scene.point_masses.push_back({Place::end("pendulum"), 0.05});
  return scene;
}

/// General conditions, one of them moving with a jump: the sparse solver.
Scene tied() {
  Scene scene = pendulum(1e8);
  scene.cables[0].elements = 4;
  add_condition(
      scene, "tie",
      {{nth("pendulum", 2, 4), Coordinate::y, 1.0}, {nth("pendulum", 3, 4), Coordinate::y, -0.5}});
  add_condition(scene, "lift",
                {{nth("pendulum", 4, 4), Coordinate::z, 1.0},
                 {nth("pendulum", 3, 4), Coordinate::slope_z, 0.1}},
                Signal::table({0, 0.02, 0.05}, {0, 0.004, -0.01}));
  return scene;
}

/// A stiff moment: an unsymmetric matrix, which goes to the LU.
Scene twisted() {
  Scene scene = tied();
  add_moment(scene, Place::end("pendulum"), {0, 2e-3, 1e-3}, Signal::smooth(0, 1, 0, 0.03));
  return scene;
}

/// A clamp aslant (conditions) and a second cable, in both measures that are not the default.
Scene clamped() {
  Scene scene;
  scene.cables = {westin_irani_cable(1e8), westin_irani_cable(1e7)};
  scene.cables[0].route.back() = {0.8, 0.1, 0.6};
  scene.cables[0].elements = 3;
  scene.cables[1].elements = 5;
  scene.cables[0].strain = StrainMeasure::engineering;
  scene.cables[0].curvature = CurvatureMeasure::material;
  scene.cables[1].name = "other";
  scene.cables[1].angular_velocity = {0, 2, 1};
  clamp(scene, "pendulum", 0);
  hold(scene, "other", 0);
  return scene;
}

/// Every law of damping, axial and in bending, with a support that jumps and an end that is free to
/// spin.
Scene damped() {
  Scene scene = moved();
  Section& section = scene.cables[0].sections[0];
  section.mass_damping = 0.4;
  section.axial_damping.viscosity = 1e-4;
  section.axial_damping.relaxations = {{0.3, 1e-3}, {0.1, 0.05}};
  section.axial_damping.fractional = {0.5, 1e-3, 0, FractionalForm::direct};
  section.bending_damping.viscosity = 1e-3;
  section.bending_damping.relaxations = {{0.5, 0.01}};
  section.bending_damping.fractional = {0.4, 0.02, 0, FractionalForm::constant_cost};
  return scene;
}

/// Conditions that are nearly the same: now and then the LU takes over during a solve.
Scene nearly_dependent() {
  Scene scene = tied();
  add_condition(scene, "almost the tie",
                {{nth("pendulum", 2, 4), Coordinate::y, 1.0},
                 {nth("pendulum", 3, 4), Coordinate::y, -0.5},
                 {nth("pendulum", 4, 4), Coordinate::z, 1e-3}});
  return scene;
}

const std::pair<const char*, Scene (*)()> scenes[] = {
    {"moved", moved},     {"tied", tied},     {"twisted", twisted},
    {"clamped", clamped}, {"damped", damped}, {"nearly dependent", nearly_dependent}};

/// Every scheme with every solve, Newton with error control too; Baumgarte's constraints with HHT.
std::vector<std::pair<std::string, SolveOptions>> methods() {
  std::vector<std::pair<std::string, SolveOptions>> out;
  for (const SolveOptions& options : all_methods(step)) {
    out.emplace_back(name_of(options), options);
    if (options.method != Method::mixed3 && options.scheme == Scheme::hht) {
      out.emplace_back(out.back().first + ", baumgarte", options);
      out.back().second.constraints = ConstraintLevel::baumgarte;
    }
    if (options.method == Method::newton) {
      out.emplace_back(name_of(options) + ", error control", options);
      out.back().second.error_control = true;
      out.back().second.tolerance = 1e-5;
    }
  }
  return out;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size() || a.empty()) return a.size() == b.size();
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Which members differ in any bit; empty when none.
std::string difference(const State& a, const State& b) {
  const std::pair<const char*, bool> members[] = {
      {"q", same(a.q, b.q)},
      {"v", same(a.v, b.v)},
      {"a", same(a.a, b.a)},
      {"a_true", same(a.a_true, b.a_true)},
      {"axial_force", same(a.axial_force, b.axial_force)},
      {"multipliers", same(a.multipliers, b.multipliers)},
      {"fixed_reaction", same(a.fixed_reaction, b.fixed_reaction)},
      {"viscous", same(a.viscous, b.viscous)},
      {"viscous_force", same(a.viscous_force, b.viscous_force)},
      {"viscous_moment", same(a.viscous_moment, b.viscous_moment)},
      {"viscous_couple", same(a.viscous_couple, b.viscous_couple)},
      {"material_axes", same(a.material_axes, b.material_axes)},
      {"contacts", same(a.contacts, b.contacts)},
      {"memory", same(a.memory, b.memory) && same(a.memory_times, b.memory_times)},
      {"q_before", same(a.q_before, b.q_before)},
      {"v_before", same(a.v_before, b.v_before)},
      {"factored.q", same(a.factored.q, b.factored.q)},
      {"factored.axial", same(a.factored.axial, b.factored.axial)},
      {"numbers", same({a.t, a.h_before, a.h_next, a.factored.t, a.factored.cM, a.factored.cq,
                        a.books.work, a.books.start, a.books.scale, a.books.balance},
                       {b.t, b.h_before, b.h_next, b.factored.t, b.factored.cM, b.factored.cq,
                        b.books.work, b.books.start, b.books.scale, b.books.balance})},
      {"books", same(a.books.force, b.books.force) && same(a.books.share, b.books.share) &&
                    same(a.books.impulse, b.books.impulse)},
      {"steps", a.steps == b.steps},
      {"flags",
       a.axial_force_valid == b.axial_force_valid && a.factored.by_lu == b.factored.by_lu}};
  std::string out;
  for (const auto& [name, equal] : members)
    if (!equal) out += std::string(out.empty() ? "" : ", ") + name;
  return out;
}

void steps(Integrator& integrator, State& state, int count) {
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
}

TEST(Resume, GoesOnToTheSameBits) {
  constexpr int all = 60;
  int old_matrices = 0, by_lu = 0;
  for (const auto& [scene_name, scene] : scenes)
    for (const auto& [name, options] : methods()) {
      if (scene == damped && options.method == Method::mixed3) continue;  // has no damping
      SCOPED_TRACE(std::string(scene_name) + ", " + name);
      const Model model(scene());
      Integrator integrator(model, options);
      State state = integrator.start();
      std::vector<State> snapshots;
      for (const int at : {1, 20, 21, 42, all}) {  // supports change speed at 20 and 40.5
        steps(integrator, state, at - static_cast<int>(state.steps));
        if (at < all) snapshots.push_back(state);
      }
      for (const State& snapshot : snapshots) {
        Integrator other(Model(scene()), options);
        State again = snapshot;
        other.resume(again);
        steps(other, again, all - static_cast<int>(snapshot.steps));
        EXPECT_EQ(difference(again, state), "") << "from step " << snapshot.steps;
        const Linearization& matrix = snapshot.factored;
        old_matrices += matrix.cq > 0 && matrix.t < snapshot.t - snapshot.h_before / 2;
        by_lu += matrix.cq > 0 && matrix.by_lu;
      }
    }
  EXPECT_GT(old_matrices, 20) << "newton is meant to go on with matrices of earlier steps";
  EXPECT_GT(by_lu, 5) << "an LU is meant to have taken over";
}

/// Controlled steps end on the time asked for.
TEST(Resume, GoesOnToATimeToTheSameBits) {
  for (const auto& [scene_name, scene] : scenes)
    for (const auto& [name, options] : methods()) {
      if (scene == damped && options.method == Method::mixed3) continue;  // has no damping
      if (!options.error_control) continue;
      SCOPED_TRACE(std::string(scene_name) + ", " + name);
      const Model model(scene());
      Integrator integrator(model, options);
      State state = integrator.start();
      ASSERT_EQ(integrator.advance(state, 0.03), Status::ok);
      State again = state;
      ASSERT_EQ(integrator.advance(state, 0.1), Status::ok);
      Integrator other(Model(scene()), options);
      other.resume(again);
      ASSERT_EQ(other.advance(again, 0.1), Status::ok);
      EXPECT_EQ(difference(again, state), "");
    }
}

TEST(Resume, GoesOnWhereStepsFallBack) {
  constexpr int steps_taken = 100;
  using enum ConstraintLevel;  // steps are not divided with Baumgarte's constraints
  for (const auto& [solve, level] : {std::pair(Method::mixed, position),
                                     {Method::mixed3, position},
                                     {Method::mixed, baumgarte}}) {
    const Model model(pendulum(1e6));
    SolveOptions options = solve_options(solve, 0.05);
    options.constraints = level;
    Integrator integrator(model, options);
    State state = integrator.start();
    std::vector<State> snapshots;
    for (int i = 0; i < steps_taken; ++i) {
      snapshots.push_back(state);
      steps(integrator, state, 1);
    }
    const Counters& work = integrator.counters();
    const bool falls_back = level == baumgarte || solve == Method::mixed3;
    EXPECT_TRUE(!falls_back || work.fallbacks > 0) << "the scene is meant to need the fallback";
    EXPECT_TRUE(level == baumgarte || work.divided > 0) << "the scene is meant to need division";
    for (size_t i = 0; i < snapshots.size(); i += 7) {
      Integrator other(model, integrator.options());
      other.resume(snapshots[i]);
      steps(other, snapshots[i], steps_taken - static_cast<int>(i));
      EXPECT_EQ(difference(snapshots[i], state), "") << "from step " << i;
    }
  }
}

/// An integrator may step several states by turns: what it keeps of one never shows in another.
TEST(Resume, StatesSteppedByTurnsDoNotMeet) {
  for (const auto& [name, options] : methods()) {
    SCOPED_TRACE(name);
    const Model model(moved());
    Integrator one(model, options), turns(model, options);
    State alone = one.start(), a = turns.start(), b = a;
    for (int node = 1; node < model.nodes(); ++node)
      b.v[static_cast<size_t>(6 * node + 1)] = 0.002 * node;
    steps(one, alone, 50);
    for (int i = 0; i < 50; ++i) {
      steps(turns, a, 1);
      steps(turns, b, 1);
    }
    EXPECT_EQ(difference(a, alone), "");
    EXPECT_GT(distance(a, b), 1e-6);
  }
}

/// The pendulum after 120 steps, the state changed by `change` after 100.
State changed_run(const SolveOptions& options, const std::function<void(State&)>& change) {
  Integrator integrator(Model(pendulum(1e8)), options);
  State state = integrator.start();
  steps(integrator, state, 100);
  change(state);
  steps(integrator, state, 20);
  return state;
}

/// What the tests above rest on: newton's matrix is old, and a run without it is another run.
TEST(Resume, NewtonNeedsItsMatrix) {
  const SolveOptions options = solve_options(Method::newton, 1e-4);
  const State whole = changed_run(options, [&options](State& s) {
    EXPECT_LT(s.factored.t, s.t - 5 * options.step) << "assembled many steps ago";
  });
  const State other = changed_run(options, [](State& s) { s.factored.cq = 0; });
  EXPECT_NE(difference(other, whole), "");
}

TEST(Resume, ErrorControlNeedsTheNextLength) {
  SolveOptions options = solve_options(Method::newton, 1e-4);
  options.error_control = true;
  const State whole = changed_run(options, [](State&) {});
  const State other = changed_run(options, [](State& s) { s.h_next = 0; });
  EXPECT_NE(difference(other, whole), "");
}

TEST(Resume, CountsOnFromWhatItIsGiven) {
  const Model model(moved());
  for (const auto& [name, options] : methods()) {
    SCOPED_TRACE(name);
    Integrator integrator(model, options);
    State state = integrator.start();
    steps(integrator, state, 30);
    Integrator fresh(model, options), other(model, options);
    State a = state, b = state;
    fresh.resume(a);
    EXPECT_EQ(fresh.counters().steps, 0);
    other.resume(b, integrator.counters());
    steps(other, b, 20);
    steps(integrator, state, 20);
    const Counters &got = other.counters(), &expected = integrator.counters();
    EXPECT_EQ(got.steps, 50);
    EXPECT_EQ(got.assemblies, expected.assemblies);
    EXPECT_EQ(got.factorizations, expected.factorizations) << "the old matrix is not counted twice";
    EXPECT_EQ(got.solves, expected.solves);
    EXPECT_EQ(got.restarts, expected.restarts);
    EXPECT_EQ(got.rejected, expected.rejected);
    EXPECT_EQ(got.relinearized, expected.relinearized);
    EXPECT_EQ(got.fallbacks, expected.fallbacks);
  }
}

TEST(Resume, RefusesStatesOfAnotherModel) {
  const Model model(tied());
  Integrator integrator(model, {});
  const State sound = integrator.start();
  EXPECT_NO_THROW(integrator.resume(sound));
  const auto expect_refused = [&](const char* what, std::vector<double> State::*array) {
    State state = sound;
    (state.*array).push_back(0);
    const size_t size = (sound.*array).size();
    try {
      integrator.resume(state);
      ADD_FAILURE() << "no error for " << what;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()), "state to resume from, " + std::string(what) + ": found " +
                                           std::to_string(size + 1) + " numbers; expected " +
                                           std::to_string(size) +
                                           ", the size of the model. Resume with the scene that "
                                           "produced the state.");
    }
  };
  expect_refused("q", &State::q);
  expect_refused("v", &State::v);
  expect_refused("a", &State::a);
  expect_refused("a_true", &State::a_true);
  expect_refused("axial_force", &State::axial_force);
  expect_refused("multipliers", &State::multipliers);
  expect_refused("fixed_reaction", &State::fixed_reaction);
  expect_refused("q_before", &State::q_before);
  expect_refused("v_before", &State::v_before);
  State state = sound;
  state.factored.q.clear();
  EXPECT_THROW(integrator.resume(state), Error);
}

#ifdef COUNTS_ALLOCATIONS
TEST(Resume, StepsAfterItDoNotAllocate) {
  const Model model(moved());
  for (const auto& [name, options] : methods()) {
    Integrator integrator(model, options);
    State state = integrator.start();
    steps(integrator, state, 30);
    Integrator other(model, options);
    other.resume(state);
    const long before = allocations;
    Status status = Status::ok;
    for (int i = 0; i < 40 && status == Status::ok; ++i) status = other.step(state);
    const long during = allocations - before;
    EXPECT_EQ(status, Status::ok) << name;
    EXPECT_EQ(during, 0) << name;
  }
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE
