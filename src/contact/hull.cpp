#include "contact/hull.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/polygon.h"

namespace hawser {
namespace {

using Eigen::Vector3d;

/// The nearest point of a face to a point in front of it. True where that is not on its rim.
bool foot_on_face(const Hull& hull, const Hull::Face& face, const Vector3d& y, Vector3d& foot) {
  double least = HUGE_VAL;
  for (size_t i = 0; i < face.corners.size(); ++i) {
    const Vector3d& from = hull.corners[static_cast<size_t>(face.corners[i])];
    const Vector3d& to =
        hull.corners[static_cast<size_t>(face.corners[(i + 1) % face.corners.size()])];
    const Vector3d along = to - from, off = y - from;
    if (along.cross(face.normal).dot(off) <= 0) continue;
    const double s = std::clamp(along.dot(off) / along.squaredNorm(), 0.0, 1.0);
    const Vector3d at = from + s * along;
    if (const double square = (y - at).squaredNorm(); square < least) {
      least = square;
      foot = at;
    }
  }
  return least == HUGE_VAL;
}

}  // namespace

Hull::Hull(const Polyhedron& of) : corners(of.corners), half_thickness(HUGE_VAL) {
  for (const Vector3d& corner : corners) reach = std::max(reach, corner.norm());
  for (const std::vector<int>& polygon : of.faces) {
    Face face{twice_area(corners, polygon).normalized(), 0, Vector3d::Zero(), 0, polygon};
    for (const int i : polygon)
      face.centre += corners[static_cast<size_t>(i)] / static_cast<double>(polygon.size());
    face.offset = face.normal.dot(face.centre);
    for (const int i : polygon)
      face.radius = std::max(face.radius, (corners[static_cast<size_t>(i)] - face.centre).norm());
    half_thickness = std::min(half_thickness, face.offset);
    faces.push_back(std::move(face));
  }
}

Nearest Hull::nearest(const Vector3d& y, int kept) const {
  constexpr double same_side = 0.1;  // cosine of the normals
  const auto nearest_face = [&](const Vector3d* side) {
    Nearest out{-HUGE_VAL, Vector3d::UnitZ(), 0};
    for (size_t i = 0; i < faces.size(); ++i) {
      const double u = faces[i].normal.dot(y) - faces[i].offset;
      if (u <= out.distance || (side != nullptr && side->dot(faces[i].normal) < same_side))
        continue;
      out = {u, faces[i].normal, static_cast<int>(i) + 1};
    }
    return out;
  };
  Nearest out = nearest_face(nullptr);
  if (out.distance <= 0)
    return kept > 0 ? nearest_face(&faces[static_cast<size_t>(kept) - 1].normal) : out;
  Vector3d foot, best;
  if (foot_on_face(*this, faces[static_cast<size_t>(out.face) - 1], y, best)) return out;
  double least = (y - best).norm();
  for (const Face& face : faces) {
    if (face.normal.dot(y) <= face.offset || (y - face.centre).norm() - face.radius >= least)
      continue;
    if (foot_on_face(*this, face, y, foot)) {
      const double u = face.normal.dot(y) - face.offset;
      return {u, face.normal, static_cast<int>(&face - faces.data()) + 1};
    }
    if (const double away = (y - foot).norm(); away < least) {
      least = away;
      best = foot;
    }
  }
  if (!(least > 1e-12 * reach)) return out;  // on the edge itself
  return {least, (y - best) / least, out.face};
}

}  // namespace hawser
