// What pages draw of a scene beside its cables and bodies, as JSON: the same for reports and for
// the live view.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "hawser/scene_file.h"

namespace hawser {

nlohmann::json vector_json(const Vec3& v);

/// "shape" and "size" of a solid, and of a mesh its "points" and "faces".
nlohmann::json solid_json(const Solid& solid);

/// Frame and position of a place that a route or a joint names.
struct Anchor {
  std::string body;                                    ///< empty: the ground
  Vec3 position = Vec3::Zero(), axis = Vec3::UnitZ();  ///< in the axes of the body
};
/// `axis` in world axes at the start.
Anchor anchor_of(const Scene& scene, const std::string& name, const Vec3& axis);

/// "up", "supports", "joints", "pulleys", "winches", "ground" (null where there is none) and
/// "diagram", as docs/theory/live.md describes them.
nlohmann::json drawing_of(const Scene& scene);

/// Against gravity; z where there is none.
Vec3 upwards(const Scene& scene);

/// Numbers of the points after which a cable is cut, by the arc length of its points: there are two
/// at the same place.
template <class Lengths>
std::vector<int> breaks_of(const Lengths& s) {
  std::vector<int> out;
  for (size_t i = 0; i + 1 < s.size(); ++i)
    if (s[i] == s[i + 1]) out.push_back(static_cast<int>(i));
  return out;
}

/// Sections may change along a cable: the thickest is shown [m], the weakest breaks [N].
std::pair<double, double> diameter_and_strength(const Cable& cable);

/// "mixed hht, steps of 1 ms".
std::string solve_text(const SolveOptions& solve);

}  // namespace hawser
