// The shape in which a cable with nodes starts.
#pragma once

#include <vector>

#include "hawser/scene.h"
#include "model/route.h"

namespace hawser {

struct NodeStart {
  Vec3 position = Vec3::Zero();  ///< r [m]
  Vec3 slope = Vec3::Zero();     ///< r' by unstretched arc length [-]
};

/// Throws Error when a cable with a sound route cannot hang as it is asked to.
void validate_shape(const Scene& scene, const Cable& cable);

/// The nodes of a sound cable along its route at the start, as its `initial` or the scene's says:
///
/// straight: from point to point of the route, stretched evenly.
/// catenary: every span hangs by itself, on the ground where it reaches it, in balance as elements:
///   np-fem as a chain of straight ones (math/chain.h); ancf and, where several sections sink into
///   the ground by depths of their own, np-fem settled (model/settle.h). Where something holds the
///   direction of the cable it is that of the route, stretched as that or, if slack, not at all.
/// points: the smooth curve through the points, stretched evenly.
/// rest: as catenary; straight where nodes between the points are tied to something that is
///   elsewhere, over ground that is not level, and of cables that may touch others.
///
/// At a point between spans r' is halfway between their directions, stretched as they are on
/// average. Where it jumps (RoutePiece::split) there are two nodes, each stretched as its own side,
/// with one direction if both sides resist bending.
std::vector<NodeStart> lay_cable(const Scene& scene, const Cable& cable, const Route& route);

/// What a cable that starts as a catenary stores by its tension, as the catenary itself would [J].
double catenary_energy(const Scene& scene, const Cable& cable, const Route& route);

}  // namespace hawser
