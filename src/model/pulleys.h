// Pulleys under cables with mass: the terms of the cable that lies on them, and where it comes off
// and lands again.
//
// The cable comes off where the angle over which it lies on the pulley has shrunk to zero, or would
// in the middle of the next step, and falls on: both nodes of the pulley become one node of the
// material. It lands where it comes nearer to the axis than the radius: two nodes at the nearest
// point, with nothing between them. A cable that lands has been a little inside of the circle, so
// that it does not come off and land in turns.
#pragma once

#include <optional>
#include <vector>

#include "elements/pulley_arc.h"
#include "hawser/mesh.h"

namespace hawser {

struct ModelData;
struct State;

/// Each couples its nodes as an element does.
std::vector<PulleyArc> pulley_arcs(ModelData& model);

/// The mesh of cables that have come off pulleys or landed on them; nothing if none has.
std::optional<Mesh> mesh_off_pulleys(const ModelData& model, const State& state);

}  // namespace hawser
