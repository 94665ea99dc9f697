// Bodies, joints and massless cables as they are in a state: the one evaluation behind measures,
// channels and shapes.
#pragma once

#include <string>
#include <vector>

#include "assembly/constraint_set.h"
#include "constraints/route_rows.h"
#include "hawser/measure.h"
#include "model/frames.h"
#include "model/state_table.h"

namespace hawser {

class MechanismNow {
 public:
  explicit MechanismNow(const ModelData& model);

  /// What follows is of this state, which must live as long. Does not allocate. Throws Error where
  /// a massless cable has no way from stop to stop.
  void look(const State& state);
  [[nodiscard]] const State& state() const { return *state_; }
  [[nodiscard]] const ModelData& model() const { return model_; }

  // --- bodies and frames ---

  [[nodiscard]] Eigen::Quaterniond orientation(int body) const;
  [[nodiscard]] Vec3 angular_velocity(int body) const;  ///< world axes [rad/s]
  [[nodiscard]] Vec3 position(const FrameRef& frame) const;
  [[nodiscard]] Vec3 velocity(const FrameRef& frame) const;
  /// Velocity of what carries the frame at a point of space: it turns with the body [m/s].
  [[nodiscard]] Vec3 velocity(const FrameRef& frame, const Vec3& at) const;

  // --- joints ---

  [[nodiscard]] Wrench joint(size_t joint) const;   ///< on its second body, at its second frame
  [[nodiscard]] double turn(size_t joint) const;    ///< of hinge and cylinder [rad]
  [[nodiscard]] double travel(size_t joint) const;  ///< [m] as Joint::travel

  /// Generalized force of a row on a node, added.
  void add_force(int node, int row, Vec6& sum) const;
  /// Of some rows.
  [[nodiscard]] Vec6 force_on(int node, const RowRange& rows) const;
  /// The same of a body, the torque about a point.
  [[nodiscard]] Wrench wrench_on(int body, const RowRange& rows, const Vec3& about) const;

  // --- massless cables ---

  [[nodiscard]] double tension(const RouteData& route, size_t run) const;  ///< [N]
  /// What it is stretched by, of its unstretched length; 0 where it is slack [-].
  [[nodiscard]] double strain(const RouteData& route, size_t run) const;
  [[nodiscard]] double span(const RouteData& route, size_t run) const;         ///< its length [m]
  [[nodiscard]] double rest_length(const RouteData& route, size_t run) const;  ///< unstretched [m]
  [[nodiscard]] double rest_length(const RouteData& route) const;
  [[nodiscard]] double twist(const RouteData& route) const;  ///< [rad]
  /// That turns its ends back, of the sign of the twist [N m].
  [[nodiscard]] double torque(const RouteData& route) const;
  [[nodiscard]] std::span<const Segment> segments(const RouteData& route) const;
  [[nodiscard]] Groove groove(const StopData& stop) const;
  /// Of a stop at which it lies on another massless cable [m/s].
  [[nodiscard]] Vec3 velocity_of_crossing(const StopData& stop) const {
    return routes_->velocity_of_crossing(static_cast<size_t>(stop.crossing), state_->v.data());
  }
  /// Where it lies on a shape that it meets at a stop.
  [[nodiscard]] const RouteRows::Bent& bent(const RouteData& route, size_t stop) const;

  // --- stops that cables slide over ---

  /// How fast a cable slides over a stop, towards its end; 0 while it sticks [m/s].
  [[nodiscard]] double slip(size_t rub) const;
  /// Angle over which it lies there, of those with friction or grip [rad].
  [[nodiscard]] double wrap_angle(size_t rub) const { return set_.wrap_angle[rub]; }

  /// A cable with mass on a pulley: where it reaches it and leaves it.
  [[nodiscard]] ArcPlace arc(const ArcData& arc) const {
    return {arc, state_->q.data(), set_.poses, state_->wrap};
  }

 private:
  struct JointView {
    FrameRef first, second;
    Vec3 axis = Vec3::Zero();  ///< in the first body
    int angle = -1;            ///< in State::wrap
  };
  [[nodiscard]] Matrix3 rotation(int body) const;
  [[nodiscard]] double lambda(int row) const;
  [[nodiscard]] size_t number(const RouteData& route) const;

  const ModelData& model_;
  ConstraintSet set_;
  const RouteRows* routes_;  ///< null: there are none
  std::vector<JointView> joints_;
  const State* state_ = nullptr;
};

/// What the ground does to all that is fastened to one of its frames.
class GroundHold {
 public:
  GroundHold(const ModelData& model, const std::string& support);
  /// The torque is about the support.
  [[nodiscard]] Wrench at(const MechanismNow& now) const;

 private:
  [[nodiscard]] Wrench on_cable(const MechanismNow& now, const RouteData& route, size_t stop) const;

  FrameRef frame_;
  std::vector<std::pair<RowRange, int>> bodies_;
  std::vector<std::pair<const RouteData*, size_t>> stops_;
  std::vector<std::pair<int, RowRange>> nodes_;  ///< of cables on its pulleys and drums
};

/// The route of a massless cable, or null.
const RouteData* route_of_cable(const ModelData& model, int cable);
/// The run that a segment of a route belongs to.
size_t run_of(const RouteData& route, size_t segment);

}  // namespace hawser
