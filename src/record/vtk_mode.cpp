#include <algorithm>
#include <cassert>
#include <span>

#include "hawser/modes.h"
#include "hawser/record.h"
#include "model/model_data.h"
#include "record/solid_mesh.h"
#include "record/vtk_image.h"

namespace hawser {
namespace {

constexpr double largest_displacement = 0.1;  ///< by the extent of the scene

/// Points with their displacements, and the cells over them.
struct Drawing {
  std::vector<double> points, displacements;  ///< x, y, z point after point
  struct Cells {
    std::vector<int64_t> points, ends;
    std::vector<int32_t> parts;
  } lines, faces;

  [[nodiscard]] size_t size() const { return points.size() / 3; }
  void add(const Vec3& point, const Vec3& displacement) {
    points.insert(points.end(), point.begin(), point.end());
    displacements.insert(displacements.end(), displacement.begin(), displacement.end());
  }
  template <class Numbers>
  static void add_cell(Cells& cells, size_t first, const Numbers& of, int part) {
    for (const auto p : of) cells.points.push_back(static_cast<int64_t>(first) + p);
    cells.ends.push_back(static_cast<int64_t>(cells.points.size()));
    cells.parts.push_back(part);
  }
};

/// A shape sampled with the mode as its velocity is displaced by that.
Drawing draw(const Model& model, const State& at, std::span<const double> shape) {
  State moving = at;
  std::copy(shape.begin(), shape.end(), moving.v.begin());
  Shapes shapes(model, 0);
  shapes.sample(moving);
  Drawing out;
  int part = 0;
  for (const Shape& cable : shapes.cables()) {
    std::vector<int> line(static_cast<size_t>(cable.points()));
    for (size_t i = 0; i < line.size(); ++i) line[i] = static_cast<int>(i);
    Drawing::add_cell(out.lines, out.size(), line, part++);
    for (size_t i = 0; i < line.size(); ++i)
      out.add(Vec3::Map(&cable.position[3 * i]), Vec3::Map(&cable.velocity[3 * i]));
  }
  for (size_t i = 0; i < shapes.bodies().size(); ++i, ++part) {
    const SolidMesh mesh =
        mesh_of(model.scene().bodies[i].shape, cross_size * model.data().extent / 2);
    for (const auto& line : mesh.lines) Drawing::add_cell(out.lines, out.size(), line, part);
    for (const auto& face : mesh.faces) Drawing::add_cell(out.faces, out.size(), face, part);
    const BodyPose& pose = shapes.bodies()[i];
    const int c = node_size * model.data().mechanism.bodies[i].node;
    const Eigen::Map<const Vec3> moved(shape.data() + c), turned(shape.data() + c + 3);
    for (const Vec3& p : mesh.points)
      out.add(pose.position + pose.orientation * p, moved + pose.orientation * turned.cross(p));
  }
  return out;
}

std::vector<float> singles(const std::vector<double>& values, double factor) {
  std::vector<float> out;
  out.reserve(values.size());
  for (const double x : values) out.push_back(static_cast<float>(factor * x));
  return out;
}

std::string element(VtkBlocks& blocks, const char* name, const Drawing::Cells& cells) {
  return fmt::format("<{0}>\n{1}{2}</{0}>\n", name,
                     blocks.add("Int64", "connectivity", 1, cells.points),
                     blocks.add("Int64", "offsets", 1, cells.ends));
}

}  // namespace

std::string mode_vtk(const Model& model, const State& at, const Mode& mode) {
  assert(mode.shape.size() <= at.v.size());
  const Drawing drawing = draw(model, at, mode.shape);
  double largest = 0;
  for (size_t i = 0; i < drawing.size(); ++i)
    largest = std::max(largest, Vec3::Map(&drawing.displacements[3 * i]).norm());
  const double wanted = largest_displacement * std::max(model.data().extent, 1e-3);
  const double factor = largest > 0 ? wanted / largest : 1;
  std::vector<int32_t> parts = drawing.lines.parts;  // VTK's order of cells
  parts.insert(parts.end(), drawing.faces.parts.begin(), drawing.faces.parts.end());
  VtkBlocks blocks;
  size_t time = 0;
  std::string text = vtk_opening(blocks, drawing.size(), drawing.lines.ends.size(),
                                 drawing.faces.ends.size(), &time);
  text += "<PointData Vectors=\"displacement\">\n";
  text += blocks.add("Float32", "displacement", 3, singles(drawing.displacements, factor));
  text += "</PointData>\n<CellData Scalars=\"part\">\n" + blocks.add("Int32", "part", 1, parts);
  text += "</CellData>\n<Points>\n";
  text += blocks.add("Float32", "Points", 3, singles(drawing.points, 1));
  text += "</Points>\n" + element(blocks, "Lines", drawing.lines) +
          element(blocks, "Polys", drawing.faces);
  text += vtk_data_opening;
  time += text.size();
  std::string image = text + blocks.bytes() + std::string(vtk_closing);
  std::memcpy(image.data() + time, &mode.frequency, sizeof mode.frequency);
  return image;
}

}  // namespace hawser
