// A scene as nodes and lines: supports, bodies, joints, pulleys and winches, and the routes of
// cables between them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hawser/scene.h"

namespace hawser {

/// "nodes" and "lines" as docs/theory/live.md describes them.
nlohmann::json diagram_of(const Scene& scene);

/// Cable is paid out or reeled in at a stop of its route: by a drum, or at its start by itself.
bool has_winch(const Cable& cable, size_t stop);
/// Of the drum, or of a cable that has none.
const std::string& winch_name(const Cable& cable, size_t stop);
/// The drum that a stop is wound on; null: none.
const Winch* drum_of(const Scene& scene, const Stop& stop);

/// "pin", "hinge", ...
const char* joint_word(JointKind kind);

}  // namespace hawser
