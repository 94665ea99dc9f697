// Rigid bodies: nodes of six coordinates, the position of the centre of mass in world axes and the
// rotation vector since the step began in body axes. Newton and Euler:
//
//     m a = F,     J omega' = T - omega x J omega     (T, omega, J in body axes)
#pragma once

#include <Eigen/Core>
#include <vector>

#include "terms/term.h"

namespace hawser {

struct BodyData {
  int node = 0;
  double mass = 0;                                        ///< [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();  ///< body axes [kg m^2]
};

class RigidBodies final : public Term {
 public:
  explicit RigidBodies(std::vector<BodyData> bodies) : bodies_(std::move(bodies)) {}

  [[nodiscard]] Facts facts() const override { return {}; }
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_mass_times(const double* q, const double* b, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  void set_scales(double* arm, double* size) const override;
  [[nodiscard]] double turn(const double* q, const double* motion) const override;

 private:
  std::vector<BodyData> bodies_;
};

}  // namespace hawser
