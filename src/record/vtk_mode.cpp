#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <span>

#include "hawser/modes.h"
#include "hawser/record.h"
#include "model/model_data.h"
#include "record/vtk_drawing.h"

namespace hawser {
namespace {

constexpr double largest_displacement = 0.1;  ///< by the extent of the scene
constexpr int frames_a_period = 40;

/// Points with their displacements: x, y, z point after point [m].
struct Moved {
  std::vector<double> points, displacements;

  void add(const Vec3& point, const Vec3& displacement) {
    points.insert(points.end(), point.begin(), point.end());
    displacements.insert(displacements.end(), displacement.begin(), displacement.end());
  }
  /// So that the largest displacement is `wanted`.
  void scale(double wanted) {
    double most = 0;
    for (size_t i = 0; i < displacements.size(); i += 3)
      most = std::max(most, Vec3::Map(&displacements[i]).norm());
    if (most > 0)
      for (double& x : displacements) x *= wanted / most;
  }
  [[nodiscard]] std::vector<double> at(double share) const {
    std::vector<double> out = points;
    for (size_t i = 0; i < out.size(); ++i) out[i] += share * displacements[i];
    return out;
  }
};

/// Shapes sampled with the mode as the velocity, which is what displaces them.
Shapes shapes_of(const Model& model, const State& at, std::span<const double> mode) {
  State moving = at;
  std::copy(mode.begin(), mode.end(), moving.v.begin());
  Shapes shapes(model, 0);
  shapes.sample(moving);
  return shapes;
}

Moved moved_by(const ModelData& model, const Shapes& shapes, const std::vector<SolidMesh>& solids,
               std::span<const double> mode) {
  Moved out;
  for (const Shape& cable : shapes.cables())
    for (size_t i = 0; i < cable.position.size(); i += 3)
      out.add(Vec3::Map(&cable.position[i]), Vec3::Map(&cable.velocity[i]));
  for (size_t i = 0; i < solids.size(); ++i) {
    const BodyPose& pose = shapes.bodies()[i];
    const int c = node_size * model.mechanism.bodies[i].node;
    const Eigen::Map<const Vec3> moved(mode.data() + c), turned(mode.data() + c + 3);
    for (const Vec3& p : solids[i].points)
      out.add(pose.position + pose.orientation * p, moved + pose.orientation * turned.cross(p));
  }
  return out;
}

}  // namespace

void write_mode(const Model& model, const State& at, const Mode& mode, const std::string& path) {
  assert(mode.shape.size() <= at.v.size());
  const Shapes shapes = shapes_of(model, at, mode.shape);
  const double extent = model.data().extent;
  std::vector<Solid> solids;
  for (const Body& body : model.scene().bodies) solids.push_back(body.shape);
  VtkDrawing drawing(solids, extent);
  Moved moved = moved_by(model.data(), shapes, drawing.solids(), mode.shape);
  moved.scale(largest_displacement * std::max(extent, 1e-3));
  VtkFile file(path, {}, {{"displacement", "m", 3}});
  const double period = mode.kind == ModeKind::oscillates ? mode.period : 1;
  for (int i = 0; i < frames_a_period; ++i) {
    const double share = static_cast<double>(i) / frames_a_period;
    drawing.set_cells(shapes.cables(), file);
    file.set_constant(0, moved.displacements);
    file.add_points(moved.at(std::sin(2 * std::numbers::pi * share)));
    file.end_frame(period * share);
  }
  file.flush();
}

}  // namespace hawser
