// Features that must not notice each other: a scene with one feature moves as it does with a second
// one that has no effect, in every method.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A stretched cable and a body in free flight, side by side.
Scene flight() {
  Scene scene;
  scene.gravity = {0, 0, -1};
  Cable c;
  c.name = "rope";
  c.sections = {Section{100, 0.02, 1.0}};
  c.sections[0].diameter = 0.02;
  c.route.back() = {2, 0, 0};
  c.length = 1.98;
  c.elements = 3;
  c.velocity = {1, 0.3, 0};
  scene.cables = {c};
  Body b;
  b.name = "crate";
  b.mass = 2;
  b.inertia = Vec3(0.1, 0.2, 0.3).asDiagonal();
  b.position = {0, 3, 0};
  b.angular_velocity = {0.5, 0, 1};
  scene.bodies = {b};
  scene.frames.push_back({"corner", "crate", {0.3, 0.2, 0.1}});
  return scene;
}

/// What a scene may have, as it acts, and so that it has no effect.
struct Feature {
  std::string name;
  std::function<void(Scene&)> acting, idle;
};

Section& section_of(Scene& scene) { return scene.cables[0].sections[0]; }

void add_ground(Scene& scene, double height) {
  scene.ground.emplace();
  scene.ground->height = height;
}

void add_fluid(Scene& scene, double density) {
  scene.fluid.emplace();
  scene.fluid->density = density;
}

void add_body_force(Scene& scene, const Vec3& force) {
  BodyForce f;
  f.frame = "corner";
  f.force = force;
  scene.body_forces.push_back(f);
}

void add_relaxation(Scene& scene, double share) {
  section_of(scene).axial_damping.relaxations = {{share, 0.05}};
  section_of(scene).bending_damping.relaxations = {{share, 0.05}};
}

std::vector<Feature> features() {
  return {
      {"mass damping", [](Scene& s) { section_of(s).mass_damping = 2; },
       [](Scene& s) { section_of(s).mass_damping = 1e-14; }},
      {"viscosity", [](Scene& s) { section_of(s).axial_damping.viscosity = 1e-2; },
       [](Scene& s) { section_of(s).axial_damping.viscosity = 1e-16; }},
      {"relaxation", [](Scene& s) { add_relaxation(s, 0.5); },
       [](Scene& s) { add_relaxation(s, 1e-14); }},
      {"ground", [](Scene& s) { add_ground(s, 0.01); }, [](Scene& s) { add_ground(s, -10); }},
      {"fluid", [](Scene& s) { add_fluid(s, 500); }, [](Scene& s) { add_fluid(s, 1e-13); }},
      {"body force",
       [](Scene& s) {
         add_body_force(s, {3, 0, 1});
       },
       [](Scene& s) { add_body_force(s, Vec3::Zero()); }},
      {"moment",
       [](Scene& s) {
         add_moment(s, Place::start("rope"), {0, 0.05, 0});
       },
       [](Scene& s) { add_moment(s, Place::start("rope"), Vec3::Zero()); }},
      {"non-stiff moment",
       [](Scene& s) {
         add_moment(s, Place::end("rope"), {0, 0, 0.05}, 1.0, Stiffness::non_stiff);
       },
       [](Scene& s) {
         add_moment(s, Place::end("rope"), Vec3::Zero(), 1.0, Stiffness::non_stiff);
       }},
  };
}

State after(const Scene& scene, SolveOptions options, int steps) {
  options.newton_tolerance = 1e-11;
  Integrator integrator(Model(scene), options);
  State state = integrator.start();
  for (int i = 0; i < steps; ++i)
    EXPECT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
  return state;
}

bool has_memory(const Feature& feature) {
  return feature.name == "viscosity" || feature.name == "relaxation";
}

/// How far the second scene is from the first after 0.1 s, in steps of 4 ms over `divisor`.
double apart(const Scene& a, const Scene& b, Method method, int divisor) {
  const SolveOptions options = solve_options(method, 4e-3 / divisor);
  return distance(after(a, options, 25 * divisor), after(b, options, 25 * divisor));
}

/// Rates of strain begin with shorter steps, so that a law without effect still changes the error
/// of the steps: there the difference goes with the step, elsewhere it is rounding.
TEST(Pairs, AFeatureActsTheSameBesideOneWithoutEffect) {
  constexpr double rounding = 1e-8;  // [m]
  for (const Method method : all_solves)
    for (const Feature& feature : features()) {
      if (method == Method::mixed3 && has_memory(feature)) continue;  // refused
      Scene alone = flight();
      feature.acting(alone);
      EXPECT_GT(apart(alone, flight(), method, 1), 1e-5) << feature.name << " is meant to act";
      for (const Feature& partner : features()) {
        if (partner.name == feature.name || (method == Method::mixed3 && has_memory(partner)))
          continue;
        Scene both = flight();
        feature.acting(both);
        partner.idle(both);
        const double coarse = apart(both, alone, method, 1);
        const double allowed = has_memory(partner) ? coarse / 2.5 + rounding : rounding;
        EXPECT_LT(has_memory(partner) ? apart(both, alone, method, 4) : coarse, allowed)
            << feature.name << " beside " << partner.name << ", " << name_of(method);
      }
    }
}

/// Rayleigh's mass damping alone: v = v0 exp(-alpha t), with a ground out of reach or without.
TEST(Pairs, MassDampingSlowsAFreeCable) {
  for (const bool ground : {false, true})
    for (const SolveOptions& options : all_methods(1e-2)) {
      Scene scene = flight();
      scene.gravity = Vec3::Zero();
      section_of(scene).mass_damping = 2;
      scene.cables[0].velocity = {1, 0, 0};
      scene.cables[0].length = 0;  // unstretched
      if (ground) add_ground(scene, -10);
      const State state = after(scene, options, 100);
      EXPECT_NEAR(state.v[0], std::exp(-2.0),
                  options.scheme == Scheme::backward_euler ? 3e-3 : 1e-4)
          << name_of(options) << (ground ? ", above a ground" : "");
    }
}

/// A body that carries a force and has no joint: newton begins with a matrix it does not hold.
TEST(Pairs, ABodyForceGoesOnToTheSameBits) {
  Scene scene = flight();
  add_body_force(scene, {3, 0, 1});
  for (const SolveOptions& options : all_methods(4e-3)) {
    Integrator integrator(Model(scene), options);
    State state = integrator.start();
    for (int i = 0; i < 5; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
    Integrator other(Model(scene), options);
    State again = state;
    other.resume(again);
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(integrator.step(state), Status::ok);
      ASSERT_EQ(other.step(again), Status::ok);
    }
    EXPECT_EQ(again.q, state.q) << name_of(options);
    EXPECT_EQ(again.orientation, state.orientation) << name_of(options);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
