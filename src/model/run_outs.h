// Free ends of cables that run out of eyelets and off pulleys: when what is left before a hand-over
// has shrunk to next to nothing, the flow ends. The cable goes on as one that is not handed over
// there, and its end is free (docs/theory/flow.md).
#pragma once

#include <optional>

#include "hawser/mesh.h"

namespace hawser {

struct HandOver;
struct ModelData;
struct State;

/// The shortest that an element beside a hand-over may be, by the length of an element. One with a
/// free end has run out at the second: slopes of shorter ones have next to no inertia and
/// stiffness.
inline constexpr double shortest_beside = 1e-3, shortest_rest = 1e-2;

/// What an end has left to run out of a hand-over: the nodes of the cable from its end to the
/// hand-over, or from that to its end.
struct Rest {
  int first = 0, last = 0;  ///< numbers of the model
};
/// On one side of a hand-over; nothing where no free end is between it and the next one.
std::optional<Rest> rest_beside(const ModelData& model, const HandOver& h, bool after);

/// The mesh of cables whose ends have run out of hand-overs; nothing if none has.
std::optional<Mesh> mesh_run_out(const ModelData& model, const State& state);

}  // namespace hawser
