// The sections of a cable, one after the other along it.
#pragma once

#include <vector>

#include "hawser/error.h"
#include "hawser/scene.h"

namespace hawser {

/// The unstretched length that a cable states, itself or by its sections; 0: that of the route [m].
double stated_length(const Cable& cable);

/// Arc lengths at which the sections of a cable of that length end, the last one at its end [m].
std::vector<double> section_ends(const Cable& cable, double length);

/// Throws Error when the lengths of the sections do not make up that of the cable.
void validate_section_lengths(const Cable& cable, double length);

/// One section that stretches, bends, twists and weighs as a cable of that length on the whole:
/// compliances add up, mass and displaced area are means. Its damping is that of the first.
Section mean_section(const Cable& cable, double length);

/// The breaking load of all sections; 0: unknown, or not the same in all [N].
double common_breaking_load(const Cable& cable);

}  // namespace hawser
