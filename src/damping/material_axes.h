// Axes that turn with the material of a cable, in which its past curvatures are remembered.
//
// A cable without torsion does not twist: at any time its axes follow from those at its first point
// by the smallest turns from tangent to tangent (Bishop 1975). Those at the first point go from
// step to step by the smallest turn of the tangent there, and spin about it: not where the cable's
// direction is held, else by as much as the curvatures as a whole have turned, so that bending
// resists no rigid motion.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hawser/state.h"
#include "model/model_data.h"

namespace hawser {

class MaterialAxes {
 public:
  /// Of one cable that has bending points.
  MaterialAxes(const ModelData& model, int cable);

  static constexpr int state_size = 6;  ///< across and tangent at the first point

  /// Any axes that suit a shape; `tangent` as Fields::strains leaves it.
  void start(const double* tangent, double* state) const;
  /// Turns `state` to a new shape. `before`: curvatures in material axes at the old one. Out:
  /// `curvature` from world to material axes, and the axes, by point.
  void follow(const double* tangent, const double* before, double* curvature, double* state);
  /// Vectors by bending point, from material to world axes.
  void to_world(double* vectors) const;

 private:
  struct Point {
    int at;         ///< of its first component in arrays by bending point; the others 4 apart
    double weight;  ///< EI times length [N m^3]
  };
  std::vector<Point> points_;  ///< in order
  std::vector<Eigen::Matrix3d> axes_;
  bool spins_ = true;
};

}  // namespace hawser
