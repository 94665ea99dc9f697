// Cable wound on a drum, by the angle W over which it lies there [rad]. Layer i has the radius R_i
// of its centre line (hawser/scene.h) and n = floor(width/pitch) turns; there it grows by
//
//     ds/dW = sqrt(R_i^2 + (p/2 pi)^2)        length, of a helix
//     dz/dW = +- p/2 pi                       shift of the departure point along the axis
//     dI/dW = R_i^2 ds/dW                     moment of inertia of a cable of 1 kg/m
//
// At the flange, where a layer ends and z turns back, R and these three rates go over to those of
// the next layer within half a turn, W = W_i -+ pi/2, by S(u) = u^2 (3 - 2 u). Since the integral
// of S over this half turn is that of the jump in its middle, the lengths of whole layers are those
// of the helices. All is once, and s, z and I are twice, continuously differentiable.
#pragma once

#include <limits>

#include "hawser/scene.h"

namespace hawser {

class Winding {
 public:
  explicit Winding(const Drum& drum);

  struct At {
    double radius, radius_slope;      ///< R [m], dR/dW
    double length, rate, rate_slope;  ///< s [m], ds/dW, d2s/dW2
    double shift, shift_slope;        ///< z [m], dz/dW
    double inertia, inertia_slope;    ///< I [m^3], dI/dW
  };
  /// Below zero and above capacity() the first and the last layer go on.
  [[nodiscard]] At at(double angle) const;
  [[nodiscard]] double length(double angle) const { return at(angle).length; }
  /// The angle of a length.
  [[nodiscard]] double angle(double length) const;
  /// Angle of the full drum; infinite without flanges.
  [[nodiscard]] double capacity() const { return full_; }
  /// The layer that is being wound, from 1.
  [[nodiscard]] int layer(double angle) const { return index(angle) + 1; }

 private:
  struct Layer {
    double radius, rate, shift_slope, inertia_slope;
  };
  [[nodiscard]] int index(double angle) const;
  [[nodiscard]] Layer layer_of(int index) const;

  double first_radius_, rise_;  ///< of layers [m]
  double advance_;              ///< p/2 pi, with its sign [m]
  double start_shift_ = 0;      ///< z at W = 0 [m]
  int layers_;
  double layer_angle_ = std::numeric_limits<double>::infinity();  ///< 2 pi n
  double full_ = layer_angle_;
};

}  // namespace hawser
