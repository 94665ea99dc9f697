// Massless cables that lie on each other (Contact, docs/theory/routes.md): where straight parts of
// two of them pass through each other in a step they get a point that both go through
// (constraints/crossings.h), and lose it where it would have to pull.
#pragma once

#include <utility>
#include <vector>

#include "constraints/route_rows.h"
#include "hawser/mesh.h"
#include "model/frames.h"

namespace hawser {

struct ModelData;

/// The massless cables that may lie on each other, by two.
std::vector<std::pair<int, int>> meeting_massless(const Scene& scene);
/// Throws Error where crossings do not fit the scene.
void require_crossings(const Scene& scene, const Mesh& mesh);
/// Cables that crossings join with one, itself among them, increasing.
std::vector<int> joined_cables(const Mesh& mesh, int cable);
/// Throws Error where cables start on each other; `ways`: by cable, empty of those with elements.
void require_apart(const Scene& scene, const std::vector<std::vector<Segment>>& ways);

/// A straight part of a cable as a step begins and ends.
struct MovingPart {
  Vec3 a[2], b[2];  ///< its ends, as the step begins and ends [m]
};
/// Where two parts pass through each other: by their lengths at the end of the step, from 0 to 1,
/// and the direction from the second to the first before.
struct Passing {
  bool found = false;
  double share[2] = {0, 0};
  Vec3 normal = Vec3::Zero();
};
Passing passing(const MovingPart& first, const MovingPart& second);

/// The crossings that a step has brought about, each with the straight part of either cable that it
/// is in.
struct FoundCrossing {
  Mesh::Crossing crossing;
  size_t route[2], part[2];
  double share[2];  ///< along the part
};
std::vector<FoundCrossing> found_crossings(const ModelData& model, const RouteRows& then,
                                           const RouteRows& now);
/// Which of the crossings of a model stay. Throws Error where that cannot be told.
std::vector<bool> staying_crossings(const ModelData& model, const RouteRows& now);

/// The mesh without what a cable crosses.
void drop_crossings(Mesh& mesh, size_t cable);

}  // namespace hawser
