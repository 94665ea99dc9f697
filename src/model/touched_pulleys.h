// Pulleys that cables with elements meet by contact (Cable::pulleys). The cable is laid along its
// way over the pulleys, by points on it, and each pulley is a cylinder of a contact: its surface is
// by the radius of the cable below the groove, so that the centre line lies on the groove. A
// cylinder guides the cable in the plane of the pulley only as far as nothing pulls it aside.
#pragma once

#include "hawser/scene.h"

namespace hawser {

/// Throws Error where a cable cannot meet its pulleys so.
void validate_touched_pulleys(const Scene& scene, const Cable& cable);

/// The same scene with points and contacts for these pulleys; what has none is left as it is.
Scene with_touched_pulleys(Scene scene);

/// Width of such a cylinder, by its radius.
inline constexpr double touched_width = 4;

}  // namespace hawser
