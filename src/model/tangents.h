// The way of a cable over pulleys at the start: straight from tangent point to tangent point, with
// the geometry of massless routes (constraints/segment.h).
#pragma once

#include <vector>

#include "hawser/scene.h"

namespace hawser {

/// A straight part of a route, and the arc on the pulley at its end.
struct TangentSpan {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< [m]
  double arc = 0;                               ///< length on that pulley [m]; 0: a point
};

/// Of a cable whose stops exist. Throws Error where two of them cannot be connected.
std::vector<TangentSpan> tangent_spans(const Scene& scene, const Cable& cable);

}  // namespace hawser
