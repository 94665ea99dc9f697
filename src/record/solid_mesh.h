// Names and sizes of the shapes of bodies in results.
#pragma once

#include <string>

#include "hawser/draw.h"

namespace hawser {

/// "box", "cylinder"; "none" for a body without a shape.
const char* name_of(Solid::Kind kind);
/// The kind of that name; none where there is no such.
Solid::Kind solid_kind(const std::string& name);

/// Arms of the cross that stands for a body without a shape, by the extent of the scene.
inline constexpr double cross_size = 0.01;

}  // namespace hawser
