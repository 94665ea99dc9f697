// Decisions of formulas that are templates over the scalar: of a double here, lane by lane of a
// Pack in kernels/pack.h.
#pragma once

namespace hawser {

/// `x` where `a` is larger than `b`, else `y`.
inline double choose(double a, double b, double x, double y) { return a > b ? x : y; }

/// The larger of both.
inline double larger(double a, double b) { return a > b ? a : b; }

/// True where `a` is positive, in any lane.
inline bool any_positive(double a) { return a > 0; }

}  // namespace hawser
