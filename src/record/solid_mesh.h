// What bodies look like, as points and faces: coarse, for pictures.
#pragma once

#include <string>
#include <vector>

#include "hawser/scene.h"

namespace hawser {

/// "box", "cylinder"; "none" for a body without a shape.
const char* name_of(Solid::Kind kind);
/// The kind of that name; none where there is no such.
Solid::Kind solid_kind(const std::string& name);

/// Arms of the cross that stands for a body without a shape, by the extent of the scene.
inline constexpr double cross_size = 0.01;

/// Body axes, the centre of mass at the origin [m].
struct SolidMesh {
  std::vector<Vec3> points;
  std::vector<std::vector<int>> faces;  ///< seen from outside they turn by the right hand
  std::vector<std::vector<int>> lines;  ///< of a body without a shape: a cross along its axes

  /// `cross`: length of the cross's arms [m].
  SolidMesh(const Solid& solid, double cross);
};

}  // namespace hawser
