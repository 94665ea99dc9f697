#include "record/vtk_bodies.h"

#include "record/vtk_image.h"

namespace hawser {
namespace {

/// Lines or faces of all bodies.
struct Cells {
  std::vector<int64_t> points, ends;
  void add(const std::vector<int>& cell, int64_t first) {
    for (const int p : cell) points.push_back(first + p);
    ends.push_back(static_cast<int64_t>(points.size()));
  }
};

std::string element(VtkBlocks& blocks, const char* name, const Cells& cells) {
  return fmt::format("<{0}>\n{1}{2}</{0}>\n", name,
                     blocks.add("Int64", "connectivity", 1, cells.points),
                     blocks.add("Int64", "offsets", 1, cells.ends));
}

}  // namespace

VtkBodies::VtkBodies(const ResultLayout& layout) {
  Cells lines, faces;
  std::vector<int32_t> of_lines, of_faces;  // bodies
  size_t points = 0;
  for (const ResultLayout::Body& body : layout.bodies) {
    const auto number = static_cast<int32_t>(meshes_.size());
    const SolidMesh& mesh =
        meshes_.emplace_back(mesh_of(body.shape, cross_size * layout.extent / 2));
    const auto first = static_cast<int64_t>(points);
    for (const auto& line : mesh.lines) lines.add(line, first), of_lines.push_back(number);
    for (const auto& face : mesh.faces) faces.add(face, first), of_faces.push_back(number);
    points += mesh.points.size();
  }
  of_lines.insert(of_lines.end(), of_faces.begin(), of_faces.end());  // VTK's order of cells
  VtkBlocks blocks;
  std::string text = vtk_opening(blocks, points, lines.ends.size(), faces.ends.size(), &time_);
  text += "<CellData Scalars=\"body\">\n" + blocks.add("Int32", "body", 1, of_lines);
  text += "</CellData>\n<Points>\n";
  text += blocks.add("Float32", "Points", 3, std::vector<float>(3 * points), &points_);
  text += "</Points>\n" + element(blocks, "Lines", lines) + element(blocks, "Polys", faces);
  text += vtk_data_opening;
  time_ += text.size();
  points_ += text.size();
  image_ = text + blocks.bytes() + std::string(vtk_closing);
}

const std::string& VtkBodies::image(double t, const std::vector<BodyPose>& bodies) {
  std::memcpy(image_.data() + time_, &t, sizeof t);
  size_t at = points_;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Eigen::Matrix3d R = bodies[i].orientation.toRotationMatrix();
    for (const Vec3& p : meshes_[i].points)
      put_floats(image_, at, Vec3(bodies[i].position + R * p));
  }
  return image_;
}

}  // namespace hawser
