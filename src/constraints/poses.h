// Where bodies, moving places of the ground and turning directions of the world are.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "constraints/row_data.h"
#include "elements/rigid_body.h"

namespace hawser {

using GroundMotion = std::array<Signal, 3>;  ///< displacement of a place on the ground [m]

class Poses {
 public:
  Poses(std::span<const BodyData> bodies, std::span<const GroundMotion> motions,
        std::span<const WorldTurn> turns);

  /// At q, which lies within a step that began with these orientations. `ahead`: functions of time
  /// are those of now, extrapolated by that long [s] as if nothing jumped.
  void update(const double* q, const Instant& now, double ahead,
              const std::vector<double>& orientation);

  std::vector<Eigen::Matrix3d> rotation;  ///< by body

  [[nodiscard]] Operand point(const PointOn& at, const double* q) const;
  [[nodiscard]] Operand direction(const DirectionOn& at, const double* q) const;
  /// Displacement and velocity of a place on the ground; zero where it does not move.
  [[nodiscard]] Vec3 displacement(const PointOn& at) const;
  [[nodiscard]] Vec3 velocity(const PointOn& at) const;
  /// Angular velocity of a direction of the world.
  [[nodiscard]] Vec3 spin(const DirectionOn& at) const;
  /// Of a body; of what is not on one the identity.
  [[nodiscard]] Eigen::Matrix3d axes(const PointOn& at) const;
  /// A function of time, as update() takes it.
  [[nodiscard]] Signal::Sample sample(const Signal& signal, const Instant& now) const;

 private:
  std::span<const BodyData> bodies_;
  std::span<const GroundMotion> motions_;
  std::span<const WorldTurn> turns_;
  double ahead_ = 0;
  struct Ground {
    Vec3 displacement = Vec3::Zero(), velocity = Vec3::Zero();
  };
  std::vector<Ground> ground_;  ///< by motion
  struct Turned {
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    Vec3 rate = Vec3::Zero();  ///< angular velocity
  };
  std::vector<Turned> turned_;  ///< by turn
};

}  // namespace hawser
