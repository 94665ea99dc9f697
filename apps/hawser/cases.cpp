#include "cases.h"

#include <fmt/format.h>

#include "hawser/scene_file.h"
#include "scenes_command.h"

namespace hawser {
namespace {

Scene shipped(const std::string& name, const std::vector<std::string>& sets) {
  return read_scene(find_scene(name), sets).scene;
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

}  // namespace hawser
