#include "loads/hand.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "hawser/scene.h"

namespace hawser {
namespace {

using HandBlock = Eigen::Matrix<double, node_size, node_size>;

}  // namespace

int nearest_node(const HandPlaces::Nodes& nodes, double s) {
  const auto after = std::lower_bound(nodes.s.begin() + 1, nodes.s.end() - 1, s);
  const auto nearest = s - *(after - 1) < *after - s ? after - 1 : after;
  return nodes.first +
         static_cast<int>(std::lower_bound(nodes.s.begin(), nearest, *nearest) - nodes.s.begin());
}

Facts HandPull::facts() const {
  Facts out;
  out.load = out.supplies = true;
  out.by_time = out.by_velocity = true;
  return out;
}

void HandPull::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const auto value = [&](HandInput which) {
    return at.inputs[places_.first_input + static_cast<size_t>(which)].at(at.t).value;
  };
  const auto vector = [&](HandInput first) {
    const auto k = static_cast<int>(first);
    return Eigen::Vector3d(value(first), value(HandInput(k + 1)), value(HandInput(k + 2)));
  };
  const double factor = wanted.load_factor;
  const Grip grip{vector(HandInput::to_x), factor * value(HandInput::stiffness),
                  factor * value(HandInput::damping)};
  const auto on = static_cast<long>(std::lround(value(HandInput::on)));
  if (on == 0 || !(grip.stiffness > 0)) return;
  const auto number = static_cast<size_t>(std::abs(on)) - 1;
  if (on > 0 && number < places_.bodies.size()) {
    add_body(number, vector(HandInput::at_x), grip, at, wanted, sums);
  } else if (on < 0 && number < places_.cables.size() && !places_.cables[number].s.empty()) {
    add_node(nearest_node(places_.cables[number], value(HandInput::at_x)), grip, at, wanted, sums);
  }
}

void HandPull::add_body(size_t body, const Eigen::Vector3d& arm, const Grip& grip,
                        const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const int node = places_.bodies[body], c = node_size * node;
  using Eigen::Map, Eigen::Matrix3d, Eigen::Vector3d;
  const Matrix3d R = at.rotation(body, c + 3);
  const Vector3d x = Map<const Vector3d>(at.q + c) + R * arm;
  const Vector3d v =
      Map<const Vector3d>(at.v + c) + R * Map<const Vector3d>(at.v + c + 3).cross(arm);
  const Vector3d F = grip.stiffness * (grip.target - x) - grip.damping * v;
  const Vector3d f = R.transpose() * F;
  Map<Vector3d>(sums.force + c) += F;
  Map<Vector3d>(sums.force + c + 3) += arm.cross(f);
  if (!wanted.matrix()) return;
  Eigen::Matrix<double, 3, node_size> J;
  J << Matrix3d::Identity(), -R * skew(arm);
  HandBlock block =
      (wanted.stiffness_weight * grip.stiffness + wanted.damping_weight * grip.damping) *
      (J.transpose() * J);
  block.bottomRightCorner<3, 3>() +=
      wanted.stiffness_weight *
      (arm.dot(f) * Matrix3d::Identity() - (arm * f.transpose() + f * arm.transpose()) / 2);
  add_node_block(sums.sink, node, block.data());
}

void HandPull::add_node(int node, const Grip& grip, const Configuration& at, const Wanted& wanted,
                        const Sums& sums) {
  const int c = node_size * node;
  using Eigen::Map, Eigen::Vector3d;
  Map<Vector3d>(sums.force + c) += grip.stiffness * (grip.target - Map<const Vector3d>(at.q + c)) -
                                   grip.damping * Map<const Vector3d>(at.v + c);
  if (!wanted.matrix()) return;
  HandBlock block = HandBlock::Zero();
  block.topLeftCorner<3, 3>().diagonal().setConstant(wanted.stiffness_weight * grip.stiffness +
                                                     wanted.damping_weight * grip.damping);
  add_node_block(sums.sink, node, block.data());
}

}  // namespace hawser
