// A scene as nodes and lines: supports, bodies, joints, pulleys and winches, and the routes of
// cables between them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hawser/scene.h"

namespace hawser {

/// "nodes" and "lines" as docs/theory/live.md describes them.
nlohmann::json diagram_of(const Scene& scene);

/// Cable is paid out or reeled in at its start.
bool has_winch(const Cable& cable);

/// "pin", "hinge", ...
const char* joint_word(JointKind kind);

}  // namespace hawser
