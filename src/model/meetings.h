// Massless cables that meet shapes (Contact, docs/theory/routes.md). The straight way between two
// stops enters a shape: the cable then lies on it, on the side from which it came, and slides over
// it to be as short as it can; it leaves where it no longer turns there (constraints/bend.h).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "constraints/bend.h"
#include "constraints/segment.h"
#include "contact/surface.h"
#include "hawser/mesh.h"
#include "model/frames.h"

namespace hawser {

struct Mechanism;
struct ModelData;
struct State;

/// A shape that a massless cable may touch.
struct MetShape {
  std::string name, contact;                           ///< of the body or support, of the contact
  FrameRef at;                                         ///< its centre
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< of a support's shape, in world axes
  Surface surface;
  double cable = 0;                          ///< radius of the cable [m]
  std::vector<std::array<Vec3, 2>> edges{};  ///< of a box or mesh, axes of the shape [m]
};

/// In the order of the scene's contacts.
std::vector<MetShape> met_shapes(const Scene& scene, const Cable& cable);
/// That of a bend; throws Error where a mesh does not fit the scene.
const MetShape& met_shape(const Cable& cable, const std::vector<MetShape>& shapes,
                          const Mesh::Bend& bend);
/// The bends of a cable; none where the mesh has none at all.
std::span<const Mesh::Bend> bends_of(const Mesh& mesh, size_t cable);

/// In the axes of the body; of a support in world axes.
BendData bend_on(const MetShape& shape, const Mesh::Bend& bend);

/// Throws Error where a cable starts in a shape.
void require_clear(const Cable& cable, const std::vector<MetShape>& shapes, const ModelData& model,
                   std::span<const Segment> way);

/// Where a straight line is nearest to a shape, in its axes; below zero it is inside.
struct NearestOnLine {
  double distance = 0;  ///< [m]
  Vec3 at = Vec3::Zero(), normal = Vec3::UnitZ();
};
NearestOnLine nearest_on_line(const Surface& surface, const Vec3& a, const Vec3& b);

/// The edges over which a cable between a and b lies that came from the side of `normal`: by the
/// plane through both with that normal, those of the way around what is cut, and where. `reach`:
/// radius of the cable, by which it stays away from them.
struct EdgeCrossing {
  int edge = 0;
  double sense = 0;  ///< Mesh::Bend::sense
  Vec3 at = Vec3::Zero();
};
std::vector<EdgeCrossing> edges_between(const std::vector<std::array<Vec3, 2>>& edges,
                                        const Vec3& a, const Vec3& b, const Vec3& normal,
                                        double reach);

/// What State::bends begins with where cables may meet shapes: the time at which the last step
/// began, and position and orientation of each body then. At the start; how many numbers; those of
/// a state.
std::vector<double> start_poses(const Scene& scene);
size_t poses_size(const Scene& scene);
void note_poses(const Mechanism& mechanism, State& state);

/// State::bends on another mesh: bends that were there go on as they are, others begin as they were
/// found.
std::vector<double> carried_bends(const ModelData& from, const std::vector<double>& old,
                                  const ModelData& to);

/// The bends and crossings after the last step; nothing where none comes or goes. Throws Error
/// where a cable meets what is not modelled.
struct MetWays {
  std::vector<std::vector<Mesh::Bend>> bends;
  std::vector<Mesh::Crossing> crossings;
};
std::optional<MetWays> met_ways(const ModelData& model, const State& state);

}  // namespace hawser
