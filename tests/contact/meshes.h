// Surfaces of known solids as facets.
#pragma once

#include "hawser/polyhedron.h"

namespace hawser::touching {

/// Twelve triangles.
inline Facets box_facets(const Vec3& size) {
  Facets out;
  for (int i = 0; i < 8; ++i)
    out.points.push_back(
        Vec3((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5)
            .cwiseProduct(size));
  for (const std::vector<int>& f : std::vector<std::vector<int>>{
           {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
    out.polygons.push_back({f[0], f[1], f[2]});
    out.polygons.push_back({f[0], f[2], f[3]});
  }
  return out;
}

/// An octahedron whose triangles are divided by four so often, with all points on the sphere.
inline Facets sphere_facets(double radius, int times) {
  Facets out;
  for (const double side : {1.0, -1.0})
    for (int k = 0; k < 3; ++k) out.points.emplace_back(side * Vec3::Unit(k));
  out.polygons = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                  {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
  const auto middle = [&](int a, int b) {
    out.points.push_back(
        (out.points[static_cast<size_t>(a)] + out.points[static_cast<size_t>(b)]).normalized());
    return static_cast<int>(out.points.size()) - 1;
  };
  for (int i = 0; i < times; ++i) {
    std::vector<std::vector<int>> smaller;
    for (const auto& f : out.polygons) {
      const int a = middle(f[0], f[1]), b = middle(f[1], f[2]), c = middle(f[2], f[0]);
      for (const std::vector<int>& part :
           {std::vector<int>{f[0], a, c}, {a, f[1], b}, {c, b, f[2]}, {a, b, c}})
        smaller.push_back(part);
    }
    out.polygons = smaller;
  }
  for (Vec3& p : out.points) p *= radius;
  return out;
}

inline Solid box_mesh(const Vec3& size) {
  return solid_of(joined_facets(box_facets(size), "box"), 1);
}
inline Solid sphere_mesh(double radius, int times) {
  return solid_of(joined_facets(sphere_facets(radius, times), "sphere"), 1);
}

}  // namespace hawser::touching
