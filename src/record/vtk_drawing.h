// A scene as VTKHDF files draw it: cables as lines, bodies as the faces of their solids.
#pragma once

#include "hawser/draw.h"
#include "record/vtk_file.h"

namespace hawser {

/// Points of all cables, then those of all bodies. A body without a shape is a cross of lines along
/// its axes.
class VtkDrawing {
 public:
  /// `extent` of the scene [m]: crosses are a hundredth of it.
  VtkDrawing(const std::vector<Solid>& solids, double extent);

  /// To be called with each frame: its points may change in number.
  void set_cells(const std::vector<Shape>& cables, VtkFile& file);
  [[nodiscard]] size_t body_points() const { return body_points_; }
  [[nodiscard]] const std::vector<SolidMesh>& solids() const { return solids_; }

 private:
  std::vector<SolidMesh> solids_;  ///< by body
  size_t body_points_ = 0;
  std::vector<size_t> cable_points_;  ///< by cable, that the cells are for
  bool set_ = false;
};

}  // namespace hawser
