// Elements of one kind, stepped together.
#pragma once

#include "base/inline.h"
#include "elements/ancf.h"
#include "hawser/section.h"

namespace hawser {

/// A run of equal elements on consecutive nodes of one cable.
struct AncfBatch {
  AncfParameters parameters;
  StrainMeasure strain = StrainMeasure::engineering;
  CurvatureMeasure curvature = CurvatureMeasure::second_derivative;
  int first_node = 0;
  int elements = 0;
  int first_element = 0;   ///< number of its first element among all
  double arc_start = 0;    ///< unstretched arc length from the cable's start to its first node [m]
  int point_offset = 0;    ///< where its axial points start in arrays by point
  int bending_offset = 0;  ///< where its bending points start in arrays by bending point
  bool continues = false;  ///< its first node is the last one of the batch before it
  /// Whole packs are stored, past the last node too; true: what stands there is kept.
  bool guards = false;
  int cable = 0;
  int section = 0;  ///< of the cable's

  [[nodiscard]] HAWSER_INLINE int packs() const { return (elements + 3) / 4; }
  /// Size of an array with one double for every axial point (four elements side by side).
  [[nodiscard]] int point_size() const { return packs() * parameters.axial_points * 4; }
  /// Size of an array with three doubles for every bending point: four elements side by side,
  /// component after component.
  [[nodiscard]] int bending_size() const { return packs() * parameters.bending_points * 12; }
};

}  // namespace hawser
