// Cubic Hermite interpolation of a cable element and the tables the kernels need.
//
// With d = (r2 - r1)/l the slope and second derivative at xi in [0, 1] are
//
//     r'  = u d + p r1' + q r2'           u = 6 xi (1 - xi),  p = 1 - 4 xi + 3 xi^2,
//                                         q = 3 xi^2 - 2 xi   (u + p + q = 1)
//     r'' = (u_x d + p_x r1' + q_x r2')/l
//
// so the strain energy depends on the nine numbers x = (d, r1', r2') only: three 3-vectors instead
// of four, and a rigid translation leaves them untouched to the last bit.
#pragma once

#include <array>
#include <vector>

namespace hawser {

/// One quadrature point: coefficients of (d, r1', r2') and the weight (sum 1).
struct HermitePoint {
  double c[3];   ///< of r'
  double c2[3];  ///< of l r''
  double w;
};

struct HermiteTables {
  std::vector<HermitePoint> axial, bending;
};

HermiteTables hermite_tables(int axial_points, int bending_points);

/// Shape functions of (r1, l r1', r2, l r2') for r at xi.
std::array<double, 4> hermite_position(double xi);
/// Coefficients of (d, r1', r2') for r' and for l r'' at xi.
HermitePoint hermite_point(double xi, double weight);

/// Consistent mass of (r1, l r1', r2, l r2'), per unit of element mass; upper triangle by rows:
/// 00 01 02 03 11 12 13 22 23 33. (int S^T S dxi)
inline constexpr double hermite_mass[10] = {13.0 / 35,   11.0 / 210, 9.0 / 70,   -13.0 / 420,
                                            1.0 / 105,   13.0 / 420, -1.0 / 140, 13.0 / 35,
                                            -11.0 / 210, 1.0 / 105};

/// Generalized load of a uniform unit force per length on (r1, l r1', r2, l r2'), per l.
inline constexpr double hermite_load[4] = {0.5, 1.0 / 12, 0.5, -1.0 / 12};

}  // namespace hawser
