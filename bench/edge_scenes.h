// A rope on a table that hangs over its edge: what `hawser bench contact` and the tests run.
#pragma once

#include "contact_scenes.h"

namespace hawser::touching {

/// The edge is a quarter of a circle, with the friction of the table or without. Over it
///
///     dT/da = mu (T + w R cos a) - w R sin a,    T(0) = mu w l,   T(pi/2) = w h
///
/// as the rope begins to slide; l lies on the table, h hangs below the middle of the circle. R ->
/// 0: mu/(1 + mu) of the rope hangs over a smooth edge, mu/(mu + exp(-mu pi/2)) over a rounded one.
struct EdgeRope {
  double friction = 0.3;
  bool edge_rubs = false;
  double radius = 0.05, length = 1;
  double hangs = 0.2;   ///< h [m]
  double EI = 0;        ///< [N m^2]
  bool at_rest = true;  ///< starts in static equilibrium; else laid down and let go

  [[nodiscard]] double limit() const {
    return friction / (friction + (edge_rubs ? std::exp(-friction * pi / 2) : 1));
  }
  /// h that friction can just hold [m].
  [[nodiscard]] double critical() const {
    const auto held = [&](double lies) {
      constexpr int parts = 2000;
      const double mu = edge_rubs ? friction : 0, da = pi / 2 / parts;
      const auto slope = [&](double a, double T) {
        return mu * (T + radius * std::cos(a)) - radius * std::sin(a);
      };
      double T = friction * lies;  // over w
      for (int i = 0; i < parts; ++i) {
        const double a = i * da, middle = T + da / 2 * slope(a, T);
        T += da * slope(a + da / 2, middle);
      }
      return T;
    };
    const double beside = length - pi / 2 * radius;
    double low = 0, high = beside;
    for (int i = 0; i < 60; ++i) {
      const double h = (low + high) / 2;
      (held(beside - h) > h ? low : high) = h;
    }
    return low;
  }
};

/// The rope lies along x.
inline Scene rope_on_edge(const EdgeRope& c) {
  constexpr double thick = 0.2, mass = 0.1;
  Scene scene;
  const double lies = c.length - pi / 2 * c.radius - c.hangs;
  Support table = at("table", {-lies, 0, -c.radius - thick / 2});
  table.shape = {Solid::Kind::box, {2 * lies, 1, thick}};
  table.position.z() += c.radius;
  Support edge = bar(c.radius);
  edge.name = "edge";
  edge.position.z() = -c.radius;
  scene.supports = {table, edge};
  const int elements = static_cast<int>(std::lround(6 * c.length / c.radius));
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e4, c.EI, mass}};
  rope.initial = Initial::points;
  rope.elements = elements;
  rope.route.clear();
  for (int i = 0; i <= elements; ++i) {
    const double s = c.length * i / elements - lies, a = std::clamp(s / c.radius, 0.0, pi / 2);
    const double below = std::max(0.0, s - pi / 2 * c.radius);
    rope.route.emplace_back(s < 0 ? s : c.radius * std::sin(a), 0.0,
                            c.radius * (std::cos(a) - 1) - below);
  }
  rope.length = c.length;
  scene.cables = {rope};
  if (c.at_rest) scene.initial = Initial::rest;
  scene.contacts = {between("table", c.friction, 0),
                    between("edge", c.edge_rubs ? c.friction : 0, 0)};
  scene.contacts[1].name = "edge";
  return scene;
}

}  // namespace hawser::touching
