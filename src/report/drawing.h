// What pages draw of a scene beside its cables and bodies, as JSON: the same for reports and for
// the live view.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "hawser/scene_file.h"

namespace hawser {

nlohmann::json vector_json(const Vec3& v);

/// Frame and position of a place that a route or a joint names.
struct Anchor {
  std::string body;                                    ///< empty: the ground
  Vec3 position = Vec3::Zero(), axis = Vec3::UnitZ();  ///< in the axes of the body
};
/// `axis` in world axes at the start.
Anchor anchor_of(const Scene& scene, const std::string& name, const Vec3& axis);

/// "supports", "pulleys" and "ground", which is null where there is none.
nlohmann::json drawing_of(const Scene& scene);

/// Sections may change along a cable: the thickest is shown [m], the weakest breaks [N].
std::pair<double, double> diameter_and_strength(const Cable& cable);

/// Of Hawser.
const char* program_version();

/// "mixed hht, steps of 1 ms".
std::string solve_text(const SolveOptions& solve);

}  // namespace hawser
