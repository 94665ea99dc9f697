// Two loads on a rope over a fixed bar with friction, the bar met in three ways.
#pragma once

#include "contact_scenes.h"

namespace hawser::touching {

/// `massless`: a route over the bar. `flow`: the same with elements that the rope slides through.
/// `contact`: a rope whose elements lie on the bar. The scenes differ in these words alone. 30 and
/// 10 kg on 0.02 kg/m over half a turn of R = 0.1 m with mu = 0.2, 0.2 and 0.7 m below the axis at
/// the start.
inline Scene loads_over_bar(const std::string& way) {
  constexpr double mu = 0.2, heavy = 30, light = 10;
  const OverCircle path{0.1, pi, 0.2, 0.7};
  Scene scene;
  scene.supports = {at("bar", Vec3::Zero())};
  const auto load = [&](const char* name, double mass, const Vec3& where) {
    Body out;
    out.name = name;
    out.mass = mass;
    out.inertia = 0.01 * mass * Eigen::Matrix3d::Identity();
    out.position = where;
    return out;
  };
  scene.bodies = {load("heavy", heavy, path.point(0)),
                  load("light", light, path.point(path.length()))};
  Section section{1e5, 1e-4, 0.02};
  const double tension = light * g * (1 + std::exp(mu * pi)) / 2;
  Cable rope;
  rope.name = "rope";
  rope.sections = {section};
  rope.elements = 80;
  Stop over = Stop::over("bar", path.radius, Vec3::UnitY());
  over.friction = mu;
  rope.route = {Stop::hold("heavy"), over, Stop::hold("light")};
  rope.length = path.length() / (1 + tension / section.EA);
  if (way == "massless") rope.model = CableModel::massless;
  if (way == "contact") rope.pulleys = PulleyMeeting::contact;
  scene.cables = {rope};
  return scene;
}

}  // namespace hawser::touching
