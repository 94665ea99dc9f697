// The smooth curve r(s) of a cable with elements, by unstretched arc length s, for what slides
// along it: r = sum N_i(s) c_i over a few vectors c_i of the coordinates of its nodes.
//
//     ancf     the cubic of the elements, over (r1, r1', r2, r2'). r' is continuous.
//     np-fem   straight elements have corners, at which what slides would jump. The curve touches
//              each element in its middle and rounds the corners between: from the middle of one
//              element to the middle of the next it is the cubic with
//                  r = (x_{i-1} + x_i)/2, (x_i + x_{i+1})/2     at its ends,
//                  r' = (x_i - x_{i-1})/l_{i-1}, (x_{i+1} - x_i)/l_i
//              so that r' is continuous and a straight cable is met exactly. Before the first middle
//              and after the last it is straight.
//
// Beyond the ends the first and the last cubic go on.
#pragma once

#include <array>
#include <vector>

#include "hawser/scene.h"

namespace hawser {

/// A few consecutive nodes of one cable, between which its slope does not jump.
struct CableCurve {
  int first_node = 0;
  std::vector<double> s;  ///< by node: arc length, increasing [m]
  bool curved = true;     ///< nodes have slopes: ancf

  struct Weight {
    int coordinate;    ///< of the first component of the vector
    double n, n1, n2;  ///< N, N' [1/m], N'' [1/m^2]; of slopes times a length
  };
  /// The weights at s; unused ones are zero, at the coordinates of some node.
  using Weights = std::array<Weight, 4>;
  [[nodiscard]] Weights weights(double at) const;

  struct Point {
    Vec3 r, r1, r2;  ///< r, r', r''
  };
  [[nodiscard]] static Point point(const Weights& weights, const double* q);
};

}  // namespace hawser
