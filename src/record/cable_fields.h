// What a cable is like at any place: the one evaluation behind profiles, channels and shapes.
//
// Position and velocity are the cubic Hermite interpolation, of np-fem the linear one; slope r' and
// r'' its derivatives. The axial force is best known at the axial Gauss points. Inside an element
// it and the tension are the straight line nearest to those points, in the sense of their weights
// (the L2 projection): a cable hanging at rest then has the tension that it should have everywhere.
// Where two elements meet, what jumps (tension, strain, curvature) is the mean of both sides.
#pragma once

#include <array>
#include <span>

#include "hawser/state.h"
#include "model/model_data.h"

namespace hawser {

/// Unstretched length of a cable [m].
double length_of(std::span<const AncfBatch> batches);

/// Interpolation at one xi of an element.
struct Interpolant {
  double xi = 0;                     ///< 0 to 1
  std::array<double, 4> position{};  ///< of (r1, l r1', r2, l r2')
  HermitePoint derivative{};         ///< of (d, r1', r2') for r' and l r''
  Interpolant(const AncfBatch& batch, double at);
};

/// r (from State::q) or its rate (from State::v) in an element.
Vec3 position_at(const AncfBatch& batch, const double* a, int element, const Interpolant& at);
/// r' in an element.
Vec3 slope_at(const AncfBatch& batch, const double* q, int element, const HermitePoint& at);

/// Four elements side by side, as State::axial_force keeps them. Lanes past the end of a batch hold
/// numbers without meaning.
using Lanes = Eigen::Array4d;

struct ElementPack {
  Lanes x[9];  ///< (d, r1', r2')
};
ElementPack element_pack(const AncfBatch& batch, const double* q, int pack);

/// Curvature in the cable's measure [1/m].
Lanes curvature(const AncfBatch& batch, const ElementPack& elements, const HermitePoint& at);

/// By axial Gauss point.
struct AxialPack {
  Lanes force[max_gauss_points];    ///< N: the state of a mixed solve, else EA eps(q) [N]
  Lanes strain[max_gauss_points];   ///< that the elastic part of N means; 0 where slack
  Lanes tension[max_gauss_points];  ///< force along the tangent [N]
  Lanes stretch[max_gauss_points];  ///< |r'|
};
void evaluate(const AncfBatch& batch, const State& state, int pack, const ElementPack& elements,
              AxialPack& out);

/// A quantity that varies linearly over each element.
struct LinePack {
  Lanes start, end;
  [[nodiscard]] Lanes at(double xi) const { return start + xi * (end - start); }
};
/// The straight line nearest to the Gauss points; `values` is a member of an AxialPack.
LinePack nearest_line(const AncfBatch& batch, const Lanes* values);

}  // namespace hawser
