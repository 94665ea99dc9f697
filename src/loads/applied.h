// Forces and moments that a scene applies.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "hawser/signal.h"
#include "terms/term.h"

namespace hawser {

/// strength(t) times a constant pattern of generalized force.
struct TimedLoad {
  Signal strength;
  std::vector<std::pair<int, double>> pattern;  ///< coordinate, force
};

/// Forces on nodes and along cables.
class AppliedForces final : public Term {
 public:
  explicit AppliedForces(std::vector<TimedLoad> loads) : loads_(std::move(loads)) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;

 private:
  std::vector<TimedLoad> loads_;
};

/// moment * strength(t) on the slope of a node, world axes. It does the work
/// M . (r' x dr')/|r'|^2, so the slope feels F = (M x r')/|r'|^2.
struct MomentLoad {
  int node = 0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< [N m]
  Signal strength;
};

class AppliedMoments final : public Term {
 public:
  AppliedMoments(std::vector<MomentLoad> loads, bool stiff)
      : loads_(std::move(loads)), stiff_(stiff) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;

 private:
  std::vector<MomentLoad> loads_;
  bool stiff_;
};

/// force * strength(t) at a point of a body, moment * strength(t) on it, world axes. A force F at
/// an arm s does the work F . (dx + R (phi x s)): a torque s x R^T F in body axes. With f = R^T F
/// it has the potential -F . R exp(phi) s, whose second derivative over phi is
/// (s . f) I - (s f^T + f s^T)/2. A moment has no potential: its tangent is left out.
struct BodyLoad {
  size_t body = 0;                                ///< in Configuration::orientation
  int node = 0;                                   ///< of the body
  Eigen::Vector3d arm = Eigen::Vector3d::Zero();  ///< body axes [m]
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = force;  ///< [N], [N m]
  Signal strength;
};

class BodyForces final : public Term {
 public:
  explicit BodyForces(std::vector<BodyLoad> loads) : loads_(std::move(loads)) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;

 private:
  std::vector<BodyLoad> loads_;
};

}  // namespace hawser
