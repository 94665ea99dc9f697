#include "bench/cases.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "hawser/scene_file.h"
#include "scenes_command.h"

namespace hawser {
namespace {

Scene shipped(const std::string& name, const std::vector<std::string>& sets) {
  return read_scene(find_scene(name), sets).scene;
}

constexpr double fall_length = 1.713;                     // Tonin & Braun 4.1 [m]
constexpr double fall_mass = 7800 * 1.962e-5;             // [kg/m]
constexpr double fall_EA = 53e9 * 1.962e-5;               // [N]
constexpr double rod_length = 2, rod_EA = 78, bob = 0.3;  // 7.8 MPa on 1e-5 m^2 [m], [N], [kg]

Cable np_fem(const std::string& name, double EA, double mass, double length, int elements) {
  Cable c;
  c.name = name;
  c.model = CableModel::np_fem;
  c.section.EA = EA;
  c.section.mass = mass;
  c.length = length;
  c.elements = elements;
  return c;
}

}  // namespace

Scene westin_irani_pendulum(double E, int elements) {
  return shipped("pendulum-westin-irani", {fmt::format("variables.E={} Pa", E),
                                           fmt::format("cables.tether.elements={}", elements)});
}

Scene semicircle(int elements) {
  return shipped("roll-up", {"loads.roll.moment=[0, full / 2, 0]",
                             fmt::format("cables.strip.elements={}", elements)});
}

Scene gerstmayr_shabana_pendulum(int elements) {
  return shipped("pendulum-wu", {fmt::format("cables.rope.elements={}", elements)});
}

Scene hoist_model(const std::string& model) {
  return shipped("hoist-models", {"cables.fall.model=" + model});
}

Scene two_boxes(const TwoBoxes& b) {
  return shipped("two-boxes", {fmt::format("variables.c_s={} N/m", b.stiffness),
                               fmt::format("variables.c_t={} N m", b.twist_stiffness),
                               fmt::format("variables.speed={} m/s", b.speed),
                               fmt::format("variables.spin={} rad/s", b.spin),
                               fmt::format("variables.inclination={} rad", b.inclination)});
}

/// Link k pulls along (H, w (s_k - L/2)), s_k its middle. The paper does not print the span.
std::vector<Vec3> tonin_braun_chain(int elements, double& H) {
  const double l = fall_length / elements, w = fall_mass * 9.81;
  std::vector<Vec3> nodes;
  double low = 0.01, high = 10;  // [N]
  for (int i = 0; i < 100; ++i) {
    H = (low + high) / 2;
    nodes = {Vec3::Zero()};
    for (int k = 0; k < elements; ++k)
      nodes.push_back(nodes.back() +
                      l * Vec3(H, 0, w * (l * (k + 0.5) - fall_length / 2)).normalized());
    (nodes.back().x() < 1 ? low : high) = H;
  }
  return nodes;
}

Scene tonin_braun_fall(int elements) {
  double H = 0;
  const std::vector<Vec3> nodes = tonin_braun_chain(elements, H);
  Scene scene;
  Cable c = np_fem("cable", fall_EA, fall_mass, fall_length, elements);
  c.end = nodes.back();
  c.via.assign(nodes.begin() + 1, nodes.end() - 1);
  scene.cables = {c};
  scene.pins.push_back({{"cable", 0}});
  return scene;
}

Scene tonin_braun_cone(double r, double z, double velocity, int elements) {
  Scene scene;
  scene.gravity = {0, 0, -9.8};
  Cable c = np_fem("rod", rod_EA, 1e-5, rod_length, elements);
  c.end = {0, r, z};
  c.angular_velocity = Vec3(0, r, z).cross(Vec3(velocity, 0, 0)) / (r * r + z * z);
  scene.cables = {c};
  scene.pins.push_back({{"rod", 0}});
  PointMass m;
  m.at = {"rod", -1};
  m.mass = bob;
  scene.point_masses.push_back(m);
  return scene;
}

}  // namespace hawser
