#include "bench/cases.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "scenes_command.h"

namespace hawser {

SceneFile shipped(const std::string& name, const std::vector<std::string>& sets) {
  return read_scene(find_scene(name), sets);
}

Scene westin_irani_pendulum(double E, int elements) {
  return shipped("pendulum-westin-irani", {fmt::format("variables.E={} Pa", E),
                                           fmt::format("cables.tether.elements={}", elements)})
      .scene;
}

Scene westin_irani_submerged(double speed, bool explicit_drag) {
  return shipped("submerged-westin-irani", {fmt::format("variables.speed={} m/s", speed),
                                            fmt::format("fluid.non_stiff={}", explicit_drag)})
      .scene;
}

Scene semicircle(int elements) {
  return shipped("roll-up", {"loads.roll.moment=[0, full / 2, 0]",
                             fmt::format("cables.strip.elements={}", elements)})
      .scene;
}

Scene gerstmayr_shabana_pendulum(int elements) {
  return shipped("pendulum-wu", {fmt::format("cables.rope.elements={}", elements)}).scene;
}

Scene hoist_model(const std::string& model) {
  return shipped("hoist-models", {"cables.fall.model=" + model}).scene;
}

Scene two_boxes(const TwoBoxes& b) {
  return shipped("two-boxes", {fmt::format("variables.c_s={} N/m", b.stiffness),
                               fmt::format("variables.c_t={} N m", b.twist_stiffness),
                               fmt::format("variables.speed={} m/s", b.speed),
                               fmt::format("variables.spin={} rad/s", b.spin),
                               fmt::format("variables.inclination={} rad", b.inclination)})
      .scene;
}

/// Link k pulls along (H, w (s_k - L/2)), s_k its middle. The paper does not print the span.
std::vector<Vec3> tonin_braun_chain(int elements, double& H) {
  constexpr double length = 1.713, w = 7800 * 1.962e-5 * 9.81;  // [m], [N/m]
  const double l = length / elements;
  std::vector<Vec3> nodes;
  double low = 0.01, high = 10;  // [N]
  for (int i = 0; i < 100; ++i) {
    H = (low + high) / 2;
    nodes = {Vec3::Zero()};
    for (int k = 0; k < elements; ++k)
      nodes.push_back(nodes.back() + l * Vec3(H, 0, w * (l * (k + 0.5) - length / 2)).normalized());
    (nodes.back().x() < 1 ? low : high) = H;
  }
  return nodes;
}

Scene tonin_braun_fall(int elements) {
  constexpr const char* name = "free-fall-tonin-braun";
  if (elements == 24) return shipped(name).scene;
  double H = 0;
  std::string route = "pin";
  for (const Vec3& node : tonin_braun_chain(elements, H))
    if (node.x() > 0) route += fmt::format(", [{:.15f}, 0, {:.15f}]", node.x(), node.z());
  return shipped(name, {fmt::format("cables.cable.elements={}", elements),
                        fmt::format("cables.cable.route=[{}]", route)})
      .scene;
}

Scene tonin_braun_cone(double reach, double velocity, int elements) {
  return shipped("pendulum-tonin-braun", {fmt::format("variables.reach={} m", reach),
                                          fmt::format("variables.v={} m/s", velocity),
                                          fmt::format("cables.cord.elements={}", elements)})
      .scene;
}

}  // namespace hawser
