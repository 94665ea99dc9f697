#include "contact/shape_pose.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace hawser {

ShapePose::ShapePose(const TouchedShape& shape, const Configuration& at, const double* q,
                     const double* v) {
  if (shape.node >= 0) {
    const int c = node_size * shape.node;
    Configuration there = at;
    there.q = q;
    axes = there.rotation(shape.body, c + 3);
    centre = Eigen::Map<const Eigen::Vector3d>(q + c);
    velocity = Eigen::Map<const Eigen::Vector3d>(v + c);
    spin = axes * Eigen::Map<const Eigen::Vector3d>(v + c + 3);
    return;
  }
  centre = shape.origin;
  velocity.setZero();
  for (int k = 0; k < 3; ++k) {
    const Signal::Sample s = shape.motion[static_cast<size_t>(k)].at(at);
    centre[k] += s.value;
    velocity[k] = s.rate;
  }
  const Signal::Sample turn = shape.turn.at(at);
  axes = Eigen::AngleAxisd(turn.value, shape.turn_axis) * shape.axes;
  spin = turn.rate * shape.turn_axis;
}

}  // namespace hawser
