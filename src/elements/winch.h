// The drums of winches. The turn theta of a drum relative to what it is mounted on is the first
// coordinate of a node of its own; the others are held. With the cable that lies on it, of m per
// metre, as a rigid part of the drum, W being the angle over which it is wound (winding.h),
//
//     J theta'' = M(theta', t) - T ds/dW,     J = J_d + m I(W)
//
// The cable leaves with the speed of the rim: there is no term J' theta'. What it takes along of
// the kinetic energy J theta'^2/2 is an account (Term::add_lossy), as is the motor's torque M. T,
// the brake, the stops and a given rate are rows (route_rows.h, winch_rows.h).
//
// On a body with the angular velocity omega, whose inertia contains the drum as if it did not turn,
// and with the unit vector a of the axis, both in body axes, the kinetic energy has J theta' a .
// omega besides:
//
//     J (theta'' + a . omega') = ...,     I omega' + J a theta'' = ... - omega x J theta' a
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "elements/winding.h"
#include "terms/term.h"

namespace hawser {

struct WinchData {
  std::string name;
  int node = 0;
  double inertia = 0;  ///< J_d [kg m^2]
  double mass = 0;     ///< m [kg/m]
  /// Sections beyond the first that are reeled in: the angle W at which each begins [rad], and its
  /// m less that of the section below it [kg/m].
  struct Section {
    double from = 0, heavier = 0;
  };
  std::vector<Section> sections;
  std::shared_ptr<const Winding> winding;  ///< null: a pulley, which has no motor either
  double radius = 1;                       ///< of a pulley [m]
  double start = 0;                        ///< W at the start [rad]
  Motor motor;
  size_t power = 0, brake = 0;                     ///< its inputs (winch_rows.h)
  int body_node = -1;                              ///< of what it is on; -1: the ground
  int pair = -1;                                   ///< of both nodes (SystemStructure::pairs)
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< a

  [[nodiscard]] int coordinate() const { return node_size * node; }
  /// J and dJ/d theta.
  struct Inertia {
    double value, slope;
  };
  [[nodiscard]] Inertia inertia_at(const double* q) const;
  /// M and dM/d theta' at a turn rate.
  struct Torque {
    double value, slope;
  };
  [[nodiscard]] Torque torque_at(double rate, const Instant& now) const;
};

class Winches final : public Term {
 public:
  explicit Winches(std::vector<WinchData> winches) : winches_(std::move(winches)) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_mass_times(const double* q, const double* b, double* out) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  void set_scales(double* arm, double* size) const override;

 private:
  static void add_matrix(const WinchData& winch, double J, double damping, const Wanted& wanted,
                         const MatrixSink& sink);

  std::vector<WinchData> winches_;
};

}  // namespace hawser
