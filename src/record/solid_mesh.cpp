#include "record/solid_mesh.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace hawser {
namespace {

constexpr const char* kinds[] = {"none", "box", "sphere", "cylinder", "plate", "capsule", "mesh"};
constexpr int around = 24;  ///< points of a circle
constexpr int rings = 11;   ///< of a sphere, between its poles

void add_box(const Vec3& size, SolidMesh& out) {
  for (int i = 0; i < 8; ++i)
    out.points.emplace_back(((i & 1 ? 0.5 : -0.5) * size.x()), ((i & 2 ? 0.5 : -0.5) * size.y()),
                            ((i & 4 ? 0.5 : -0.5) * size.z()));
  out.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
}

void add_plate(const Vec3& size, SolidMesh& out) {
  const double x = size.x() / 2, y = size.y() / 2;
  out.points = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
  out.faces = {{0, 1, 2, 3}};
}

void add_ring(double radius, double height, SolidMesh& out) {
  for (int i = 0; i < around; ++i) {
    const double angle = 2 * std::numbers::pi * i / around;
    out.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height);
  }
}

/// Faces between a ring whose points start at `low` and the next one above it.
void add_band(int low, SolidMesh& out) {
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around;
    out.faces.push_back({low + i, low + next, low + around + next, low + around + i});
  }
}

void add_cylinder(double radius, double length, SolidMesh& out) {
  add_ring(radius, -length / 2, out);
  add_ring(radius, length / 2, out);
  add_band(0, out);
  std::vector<int> bottom, top;
  for (int i = 0; i < around; ++i) {
    bottom.push_back(around - 1 - i);
    top.push_back(around + i);
  }
  out.faces.push_back(bottom);
  out.faces.push_back(top);
}

void add_sphere(double radius, SolidMesh& out) {
  for (int k = 1; k <= rings; ++k) {
    const double angle = std::numbers::pi * k / (rings + 1);  // from the lower pole
    add_ring(radius * std::sin(angle), -radius * std::cos(angle), out);
    if (k > 1) add_band((k - 2) * around, out);
  }
  const int bottom = rings * around, top = bottom + 1, last = (rings - 1) * around;
  out.points.emplace_back(0, 0, -radius);
  out.points.emplace_back(0, 0, radius);
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around;
    out.faces.push_back({bottom, next, i});
    out.faces.push_back({top, last + i, last + next});
  }
}

void add_cross(double arm, SolidMesh& out) {
  for (int k = 0; k < 3; ++k) {
    out.points.emplace_back(-arm * Vec3::Unit(k));
    out.points.emplace_back(arm * Vec3::Unit(k));
    out.lines.push_back({2 * k, 2 * k + 1});
  }
}

}  // namespace

const char* name_of(Solid::Kind kind) { return kinds[static_cast<size_t>(kind)]; }

Solid::Kind solid_kind(const std::string& name) {
  const auto* const at = std::find(std::begin(kinds), std::end(kinds), name);
  return at == std::end(kinds) ? Solid::Kind::none : static_cast<Solid::Kind>(at - kinds);
}

SolidMesh mesh_of(const Solid& solid, double cross) {
  SolidMesh out;
  switch (solid.kind) {
    case Solid::Kind::box:
      add_box(solid.size, out);
      break;
    case Solid::Kind::sphere:
      add_sphere(solid.size.x(), out);
      break;
    case Solid::Kind::cylinder:
      add_cylinder(solid.size.x(), solid.size.y(), out);
      break;
    case Solid::Kind::capsule:
      add_sphere(solid.size.x(), out);
      for (Vec3& p : out.points)  // the ring in the middle belongs to both halves: the upper one
        p.z() += (p.z() > -1e-9 * solid.size.x() ? 0.5 : -0.5) * solid.size.y();
      break;
    case Solid::Kind::plate:
      add_plate(solid.size, out);
      break;
    case Solid::Kind::mesh:
      out.points = solid.mesh->corners;
      out.faces = solid.mesh->faces;
      break;
    case Solid::Kind::none:
      add_cross(cross, out);
      break;
  }
  return out;
}

}  // namespace hawser
