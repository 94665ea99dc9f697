// Pulleys under cables with mass: the terms of the cable that lies on them.
#pragma once

#include <vector>

#include "elements/pulley_arc.h"

namespace hawser {

struct ModelData;

/// Each couples its nodes as an element does.
std::vector<PulleyArc> pulley_arcs(ModelData& model);

}  // namespace hawser
