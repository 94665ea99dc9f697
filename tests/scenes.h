// Scenes the tests share, and builders that say what they add.
//
// Constraints and loads are added one by one: g++ 12 sees uninitialized strings in a braced list of
// them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../bench/routes.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/model.h"

namespace hawser {

inline void add_condition(Scene& scene, const std::string& name,
                          std::vector<LinearCondition::Term> terms, Signal value = 0.0) {
  LinearCondition c;
  c.name = name;
  c.terms = std::move(terms);
  c.value = std::move(value);
  scene.conditions.push_back(std::move(c));
}

inline void add_force(Scene& scene, Place at, const Vec3& force, Signal strength = 1.0) {
  PointForce f;
  f.at = std::move(at);
  f.force = force;
  f.strength = std::move(strength);
  scene.point_forces.push_back(std::move(f));
}

inline void add_distributed_force(Scene& scene, const std::string& cable, const Vec3& force,
                                  Signal strength = 1.0) {
  DistributedForce f;
  f.cable = cable;
  f.force = force;
  f.strength = std::move(strength);
  scene.distributed_forces.push_back(std::move(f));
}

inline void add_moment(Scene& scene, Place at, const Vec3& moment, Signal strength = 1.0,
                       Stiffness stiffness = Stiffness::stiff) {
  Moment m;
  m.at = std::move(at);
  m.moment = moment;
  m.strength = std::move(strength);
  m.stiffness = stiffness;
  scene.moments.push_back(std::move(m));
}

/// The cable of Westin & Irani: 1 m, d = 0.01 m, 5000 kg/m^3, EI = E 1e-8, 10 elements along x.
inline Cable westin_irani_cable(double youngs_modulus) {
  Cable c;
  c.name = "pendulum";
  c.sections = {Section::round(0.01, youngs_modulus, 5000)};
  c.sections[0].EI = youngs_modulus * 1e-8;
  c.strain = StrainMeasure::green;
  return c;
}

/// Their pendulum: pinned at the start, released at rest along x.
inline Scene pendulum(double youngs_modulus) {
  Scene scene;
  scene.cables = {westin_irani_cable(youngs_modulus)};
  hold(scene, "pendulum", 0);
  return scene;
}

inline SolveOptions solve_options(Method solve, double step, Scheme scheme = Scheme::hht) {
  SolveOptions options;
  options.method = solve;
  options.scheme = scheme;
  options.step = step;
  return options;
}

inline constexpr Method all_solves[] = {Method::linearized, Method::mixed, Method::mixed3,
                                        Method::newton};
inline constexpr Scheme all_schemes[] = {Scheme::backward_euler, Scheme::bdf2, Scheme::newmark,
                                         Scheme::hht, Scheme::generalized_alpha};

inline std::string name_of(Method solve) {
  constexpr const char* names[] = {"linearized", "mixed", "mixed3", "newton", "spook"};
  return names[static_cast<int>(solve)];
}

inline std::string name_of(Scheme scheme) {
  constexpr const char* names[] = {"backward_euler", "bdf2", "newmark", "hht", "generalized_alpha"};
  return names[static_cast<int>(scheme)];
}

inline std::string name_of(const SolveOptions& options) {
  return options.method == Method::mixed3 ? name_of(options.method)
                                          : name_of(options.method) + " " + name_of(options.scheme);
}

/// Every scheme with every solve that takes one, and mixed3 once.
inline std::vector<SolveOptions> all_methods(double step) {
  std::vector<SolveOptions> out;
  for (const Method solve : all_solves)
    for (const Scheme scheme : all_schemes)
      if (solve != Method::mixed3 || scheme == Scheme::hht)
        out.push_back(solve_options(solve, step, scheme));
  return out;
}

/// The largest difference of the coordinates of two states [m].
inline double distance(const State& a, const State& b) {
  double largest = 0;
  for (size_t i = 0; i < a.q.size(); ++i) {
    const double d = std::abs(a.q[i] - b.q[i]);
    if (!(d <= largest)) largest = d;  // NaN stays
  }
  return largest;
}

}  // namespace hawser
