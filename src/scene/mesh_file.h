// Surfaces in STL and OBJ files.
#pragma once

#include <string>

#include "hawser/polyhedron.h"

namespace hawser {

/// The facets of a file, by the end of its name: `.stl`, binary or ASCII, or `.obj`. Throws Error
/// with the line or facet that cannot be read.
Facets read_facets(const std::string& bytes, const std::string& path);

}  // namespace hawser
