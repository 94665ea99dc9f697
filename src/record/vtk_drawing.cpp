#include "record/vtk_drawing.h"

#include <algorithm>
#include <numeric>

#include "record/solid_mesh.h"

namespace hawser {

VtkDrawing::VtkDrawing(const std::vector<Solid>& solids, double extent) {
  for (const Solid& solid : solids) {
    solids_.push_back(mesh_of(solid, cross_size * extent / 2));
    body_points_ += solids_.back().points.size();
  }
}

void VtkDrawing::set_cells(const std::vector<Shape>& cables, VtkFile& file) {
  const auto fits = [](const Shape& shape, size_t n) { return shape.s.size() == n; };
  if (set_ &&
      std::equal(cables.begin(), cables.end(), cable_points_.begin(), cable_points_.end(), fits))
    return;
  set_ = true;
  cable_points_.clear();
  VtkCells lines, faces;
  size_t first = 0;
  for (const Shape& cable : cables) {
    std::vector<int> line(cable.s.size());
    std::iota(line.begin(), line.end(), 0);
    lines.add(line, first, static_cast<int64_t>(cable_points_.size()), -1);
    cable_points_.push_back(line.size());
    first += line.size();
  }
  for (size_t i = 0; i < solids_.size(); ++i) {
    const auto body = static_cast<int64_t>(i);
    for (const auto& line : solids_[i].lines) lines.add(line, first, -1, body);
    for (const auto& face : solids_[i].faces) faces.add(face, first, -1, body);
    first += solids_[i].points.size();
  }
  file.set_cells(first, lines, faces);
}

}  // namespace hawser
