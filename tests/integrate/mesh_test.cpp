// A simulation that goes on with another mesh.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "hawser/error.h"
#include "hawser/record.h"
#include "model/model_data.h"
#include "model/state_table.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double h = 1e-3;

/// Straight, stretched by a tenth, flying: released it swings along itself.
Scene flying(CableModel model) {
  Scene scene;
  scene.gravity.setZero();
  scene.cables = {westin_irani_cable(1e6)};
  Cable& c = scene.cables[0];
  c.model = model;
  if (model == CableModel::np_fem) c.strain = StrainMeasure::engineering;
  c.route.back() = {0.8, 0.6, 0};
  c.length = 1 / 1.1;
  c.elements = 8;
  c.velocity = {3, -1, 2};
  return scene;
}

/// A pendulum of two materials' worth of bends: it falls from aslant with a mass at its end.
Scene swinging(CableModel model, double modulus = 1e8) {
  Scene scene = pendulum(modulus);
  Cable& c = scene.cables[0];
  c.model = model;
  c.strain = StrainMeasure::engineering;
  c.elements = 12;
  scene.point_masses.push_back({Place::end("pendulum"), 0.2});
  return scene;
}

/// A node in the middle of each of these elements.
Mesh divided(Mesh mesh, std::vector<int> elements) {
  std::vector<double>& s = mesh.s[0];
  for (auto e = elements.rbegin(); e != elements.rend(); ++e) {
    const auto i = static_cast<size_t>(*e);
    s.insert(s.begin() + *e + 1, (s[i] + s[i + 1]) / 2);
  }
  return mesh;
}

Mesh without(Mesh mesh, std::vector<int> nodes) {
  for (auto n = nodes.rbegin(); n != nodes.rend(); ++n) mesh.s[0].erase(mesh.s[0].begin() + *n);
  return mesh;
}

MeshChange change(Integrator& integrator, State& state, const Mesh& mesh) {
  return integrator.change_mesh(Model(integrator.model().scene(), mesh), state);
}

void go(Integrator& integrator, State& state, int steps) {
  for (int i = 0; i < steps; ++i)
    ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
}

double sampled(const Model& model, const State& state, const std::string& channel) {
  Channels channels(model, {channel});
  double out = 0;
  channels.sample(state, {&out, 1});
  return out;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// Members that differ in any bit.
std::string difference(const State& a, const State& b) {
  std::vector<std::pair<std::string, std::vector<double>>> of_a, of_b;
  const auto list = [](const State& state, auto& out) {
    visit_state(state, [&]<class Member>(const StateMember& member, const Member& value) {
      if constexpr (std::is_arithmetic_v<Member>)
        out.push_back({member.name, {static_cast<double>(value)}});
      else if constexpr (requires { value.data(); })
        if constexpr (std::is_same_v<std::decay_t<decltype(value[0])>, double>)
          out.push_back({member.name, value});
    });
    const Books& k = state.books;
    out.push_back({"books", {k.work, k.start, k.balance, k.by_steps, k.by_mesh, k.scale}});
    out.push_back({"books.force", k.force});
    out.push_back({"books.share", k.share});
    out.push_back({"books.impulse", k.impulse});
    out.push_back({"factored.q", state.factored.q});
  };
  list(a, of_a);
  list(b, of_b);
  std::string out;
  for (size_t i = 0; i < of_a.size(); ++i)
    if (!same_bits(of_a[i].second, of_b[i].second)) out += " " + of_a[i].first;
  return out;
}

/// Divides and merges elements of a straight, stretched, flying cable twice while it swings along
/// itself. Length, mass and momentum stay to rounding error.
TEST(ChangeOfMesh, KeepsLengthMassAndMomentumOfAStraightCable) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem})
    for (const SolveOptions& options : all_methods(h)) {
      SCOPED_TRACE(name_of(options) + (kind == CableModel::ancf ? ", ancf" : ", np-fem"));
      Integrator integrator(Model(flying(kind)), options);
      State state = integrator.start();
      const Momentum start = momentum(integrator.model(), state);
      const double mass = integrator.model().data().total_mass;
      EXPECT_NEAR(start.linear.norm(), mass * std::sqrt(14.0), 1e-14);
      double stretch = 0;
      const auto to = [&](const Mesh& mesh) {
        go(integrator, state, 7);
        const double length = sampled(integrator.model(), state, "pendulum.length");
        stretch = std::max(stretch, std::abs(length - 1));
        const State before = state;
        const MeshChange c = change(integrator, state, mesh);
        EXPECT_NEAR(sampled(integrator.model(), state, "pendulum.length"), length, 4e-15);
        EXPECT_NEAR(integrator.model().data().total_mass, mass, 4e-16);
        EXPECT_LT(c.momentum.norm(), 4e-15);
        EXPECT_LT((momentum(integrator.model(), state).linear - start.linear).norm(), 1e-13);
        EXPECT_LT(c.angular_momentum.norm(), 2e-3 * start.angular.norm());  // 0 if divided
        EXPECT_EQ(state.position(0), before.position(0));
        EXPECT_EQ(integrator.model().mesh(), mesh);
        return c;
      };
      const Mesh own = integrator.model().mesh();
      const Mesh fine = divided(divided(own, {0, 3, 7}), {4});
      const MeshChange split = to(fine);
      EXPECT_LT(std::abs(split.energy), 1e-12);
      EXPECT_LT(split.axial_force, 1e-9);
      EXPECT_LT(split.angular_momentum.norm(), 4e-15);
      to(without(fine, {2, 5, 7, 9}));
      to(divided(own, {0, 1, 2, 3, 4, 5, 6, 7}));
      to(own);
      go(integrator, state, 20);
      EXPECT_GT(stretch, 1e-3);  // it does swing
      EXPECT_LT((momentum(integrator.model(), state).linear - start.linear).norm(), 1e-13);
      EXPECT_EQ(integrator.counters().mesh_changes, 4);
    }
}

/// A snapshot is the mesh and the state: who goes on from it takes the same steps.
TEST(ChangeOfMesh, ResumesToTheSameBits) {
  Scene scene = swinging(CableModel::ancf);
  scene.cables[0].sections[0].mass_damping = 0.4;
  scene.cables[0].sections[0].axial_damping.viscosity = 1e-4;
  scene.cables[0].sections[0].bending_damping.relaxations = {{0.5, 0.01}};
  scene.cables[0].sections[0].bending_damping.fractional = {0.4, 0.02, 0, FractionalForm::direct};
  for (const SolveOptions& options : all_methods(h)) {
    if (options.method == Method::mixed3) continue;  // takes no damping
    SCOPED_TRACE(name_of(options));
    Integrator integrator(Model(scene), options);
    State state = integrator.start();
    go(integrator, state, 5);
    change(integrator, state, divided(integrator.model().mesh(), {1, 2, 11}));
    go(integrator, state, 5);
    change(integrator, state, without(integrator.model().mesh(), {2, 8, 9}));
    const Mesh mesh = integrator.model().mesh();
    State other = state;
    go(integrator, state, 10);
    Integrator again(Model(scene, mesh), options);
    again.resume(other);
    go(again, other, 10);
    EXPECT_EQ(difference(state, other), "");
  }
}

/// Divided elements represent the same motion, whatever its shape.
TEST(ChangeOfMesh, DividingChangesNothing) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem})
    for (const SolveOptions& options : all_methods(h)) {
      SCOPED_TRACE(name_of(options) + (kind == CableModel::ancf ? ", ancf" : ", np-fem"));
      Integrator integrator(Model(swinging(kind)), options);
      State state = integrator.start();
      go(integrator, state, 200);
      const State before = state;
      const double length = sampled(integrator.model(), state, "pendulum.length"),
                   tension = sampled(integrator.model(), state, "pendulum.tension@0.49");
      const MeshChange c =
          change(integrator, state, divided(integrator.model().mesh(), {0, 5, 11}));
      EXPECT_GT(energy(integrator.model(), state).kinetic, 0.1);
      EXPECT_LT(std::abs(c.energy), 1e-10);
      EXPECT_LT(std::abs(c.kinetic), 1e-14);
      EXPECT_LT(c.momentum.norm(), 1e-15);
      EXPECT_LT(c.angular_momentum.norm(), 1e-15);
      EXPECT_LT(c.axial_force, 1e-8);
      EXPECT_EQ(state.position(13), before.position(11));
      EXPECT_EQ(state.velocity(13), before.velocity(11));
      EXPECT_EQ(state.slope(13), before.slope(11));
      EXPECT_NEAR(sampled(integrator.model(), state, "pendulum.length"), length, 1e-9);
      EXPECT_NEAR(sampled(integrator.model(), state, "pendulum.tension@0.49"), tension,
                  1e-3 * tension);
    }
}

/// Merging loses what the coarser mesh cannot represent: little, and the books show it.
TEST(ChangeOfMesh, MergingCostsLittleOnASwingingCable) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem})
    for (const SolveOptions& options : all_methods(h)) {
      SCOPED_TRACE(name_of(options) + (kind == CableModel::ancf ? ", ancf" : ", np-fem"));
      const Scene scene = swinging(kind, 1e7);
      Integrator plain(Model(scene), options), integrator(Model(scene), options);
      State straight = plain.start(), state = integrator.start();
      go(plain, straight, 400);
      go(integrator, state, 200);
      change(integrator, state, divided(integrator.model().mesh(), {2, 3, 4, 5}));
      go(integrator, state, 100);
      const double tension = sampled(integrator.model(), state, "pendulum.tension@start"),
                   balance = energy(integrator.model(), state).balance();
      const MeshChange c = change(integrator, state, plain.model().mesh());
      const Energy after = energy(integrator.model(), state);
      EXPECT_LT(c.momentum.norm(), 1e-14);
      // Straight elements lose what the chord is shorter than the arc.
      const bool cubic = kind == CableModel::ancf;
      EXPECT_LT(std::abs(c.energy), (cubic ? 1e-5 : 4e-4) * after.kinetic);
      EXPECT_LT(c.axial_force, (cubic ? 0.01 : 0.08) * tension);
      EXPECT_NEAR(state.books.by_mesh, c.energy, 1e-9);
      EXPECT_NEAR(after.balance() - balance, c.energy, 1e-12);
      go(integrator, state, 100);
      EXPECT_NEAR((state.position(12) - straight.position(12)).norm(), 0, 2e-3);
    }
}

/// Supports that move, a body at the end, a mass inside: what holds them is as before.
TEST(ChangeOfMesh, ConstraintsStayMet) {
  Scene scene = pendulum(1e8);
  scene.cables[0].elements = 6;
  hold(scene, "pendulum", 0).motion[0] = Signal::sine(0.01, 3);
  const auto at = [](int node) { return nth("pendulum", node, 6); };
  add_condition(scene, "guide", {{at(3), Coordinate::y, 1.0}, {at(3), Coordinate::x, 0.1}}, 0.05);
  scene.point_masses.push_back({at(4), 0.1});
  Body body;
  body.name = "load";
  body.mass = 2;
  body.inertia.diagonal().setConstant(0.01);
  body.position = {1.05, 0, 0};
  scene.bodies = {body};
  scene.frames = {{"hook", "load", {-0.05, 0, 0}}};
  attach(scene.cables[0], -1, "hook", true);
  for (const Method method : {Method::linearized, Method::mixed, Method::newton}) {
    SCOPED_TRACE(name_of(method));
    Integrator integrator(Model(scene), solve_options(method, h));
    State state = integrator.start();
    go(integrator, state, 100);
    const State before = state;
    const MeshChange c =
        change(integrator, state, without(divided(integrator.model().mesh(), {0, 5}), {2, 7}));
    EXPECT_LT(c.momentum.norm(), 1e-14);
    const Model& model = integrator.model();
    const auto kept = [&](const Place& place, int was) {
      const int node = model.node(place);
      EXPECT_EQ(state.position(node), before.position(was));
      EXPECT_EQ(state.slope(node), before.slope(was));
      EXPECT_EQ(state.velocity(node).y(), before.velocity(was).y());
    };
    for (const int node : {0, 3, 6}) kept(at(node), node);
    EXPECT_EQ(state.velocity(model.node(at(4))), before.velocity(4));
    EXPECT_EQ(state.multipliers, before.multipliers);
    EXPECT_EQ(state.fixed_reaction, before.fixed_reaction);
    EXPECT_EQ(state.orientation, before.orientation);
    Integrator plain(Model(scene), solve_options(method, h));
    State reference = before;
    plain.resume(reference);
    go(plain, reference, 1);
    go(integrator, state, 1);
    const Vec3 force = reaction(plain.model(), reference, Place::start("pendulum")).force;
    EXPECT_LT((reaction(model, state, Place::start("pendulum")).force - force).norm(),
              0.02 * force.norm());
    go(integrator, state, 100);
    EXPECT_LT(std::abs(state.position(3).y() + 0.1 * state.position(3).x() - 0.05), 1e-9);
  }
}

/// Every law of damping goes on: the decay is that of a mesh that stays as it is.
TEST(ChangeOfMesh, DampingGoesOn) {
  using Set = void (*)(Section&);
  const std::pair<const char*, Set> laws[] = {
      {"mass", [](Section& s) { s.mass_damping = 3; }},
      {"viscosity", [](Section& s) { s.axial_damping.viscosity = 1e-3; }},
      {"relaxation",
       [](Section& s) {
         s.axial_damping.relaxations = {{0.5, 0.01}};
       }},
      {"fractional, arms",
       [](Section& s) {
         s.axial_damping.fractional = {0.5, 1e-2, 0, FractionalForm::constant_cost};
       }},
      {"fractional, direct",
       [](Section& s) {
         s.axial_damping.fractional = {0.5, 1e-2, 0, FractionalForm::direct};
       }},
      {"bending", [](Section& s) {
         s.bending_damping.viscosity = 1e-2;
         s.bending_damping.relaxations = {{0.5, 0.02}};
       }}};
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem})
    for (const auto& [name, set] : laws)
      for (const Method method : {Method::linearized, Method::mixed, Method::newton}) {
        SCOPED_TRACE(std::string(name) + ", " + name_of(method) +
                     (kind == CableModel::ancf ? ", ancf" : ", np-fem"));
        Scene scene = swinging(kind, 1e7);
        set(scene.cables[0].sections[0]);
        if (kind == CableModel::np_fem && scene.cables[0].sections[0].bending_damping.any())
          continue;
        const SolveOptions options = solve_options(method, h);
        Integrator plain(Model(scene), options), integrator(Model(scene), options);
        State reference = plain.start(), state = integrator.start();
        const Mesh own = plain.model().mesh();
        go(plain, reference, 300);
        go(integrator, state, 100);
        change(integrator, state, divided(own, {3, 8}));
        go(integrator, state, 100);
        const double force =
            reaction(integrator.model(), state, Place::start("pendulum")).force.norm();
        change(integrator, state, own);
        go(integrator, state, 1);
        EXPECT_NEAR(reaction(integrator.model(), state, Place::start("pendulum")).force.norm(),
                    force, 0.05 * force);
        go(integrator, state, 99);
        const double work = energy(plain.model(), reference).work;
        EXPECT_LT(work, -1e-4);
        EXPECT_NEAR(energy(integrator.model(), state).work, work, 0.05 * std::abs(work));
        EXPECT_NEAR((state.position(12) - reference.position(12)).norm(), 0, 3e-3);
      }
}

TEST(ChangeOfMesh, BadOnesChangeNothing) {
  const Scene scene = swinging(CableModel::ancf);
  Integrator integrator(Model(scene), solve_options(Method::mixed, h));
  State state = integrator.start();
  go(integrator, state, 3);
  const State before = state;
  Scene other = scene;
  other.cables[0].name = "other";
  other.point_masses[0].at.cable = "other";
  EXPECT_THROW(integrator.change_mesh(Model(other), state), Error);
  State small = state;
  small.q.pop_back();
  EXPECT_THROW(integrator.change_mesh(Model(scene), small), Error);
  EXPECT_EQ(difference(state, before), "");
  EXPECT_EQ(integrator.counters().mesh_changes, 0);
  go(integrator, state, 1);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
