// Where two convex polyhedra touch: separating axes and clipping (convex.h).
#pragma once

#include "contact/convex.h"

namespace hawser {

Manifold of_polyhedra(const ConvexShape& a, const ConvexShape& b, const RelativePose& at,
                      KeptAxis kept);

}  // namespace hawser
