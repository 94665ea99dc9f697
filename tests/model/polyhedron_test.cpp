// Facets joined to polyhedra: faces, volume, inertia, and what is wrong with others.
#include "hawser/polyhedron.h"

#include <gtest/gtest.h>

#include "contact/meshes.h"
#include "hawser/error.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace touching;

std::string refusal(const Facets& facets) {
  try {
    joined_facets(facets, "mesh");
    return "none";
  } catch (const Error& error) {
    return error.what();
  }
}

#define EXPECT_REFUSED(facets, text) \
  EXPECT_NE(refusal(facets).find(text), std::string::npos) << refusal(facets)

TEST(Polyhedron, JoinsTrianglesOfABox) {
  Facets facets = box_facets({1, 2, 3});
  for (Vec3& p : facets.points) p += Vec3(10, -20, 30);
  const Polyhedron box = joined_facets(facets, "box");
  EXPECT_EQ(box.corners.size(), 8U);
  ASSERT_EQ(box.faces.size(), 6U);
  for (const auto& face : box.faces) EXPECT_EQ(face.size(), 4U);
  // What is joined stays as it is: results hold it, and are read again.
  const Polyhedron again = joined_facets({box.corners, box.faces}, "box");
  EXPECT_EQ(again.corners, box.corners);
  EXPECT_EQ(again.faces, box.faces);
  const Solid solid = solid_of(box, 1e-3), even{Solid::Kind::box, {1e-3, 2e-3, 3e-3}};
  EXPECT_NEAR(solid.volume(), even.volume(), 1e-12 * even.volume());
  EXPECT_LT((solid.inertia(5) - even.inertia(5)).norm(), 1e-12 * even.inertia(5).norm());
  EXPECT_LT((solid.size - even.size).norm(), 1e-15);
}

TEST(Polyhedron, LeavesOutPointsOfEdges) {
  Facets facets = box_facets({1, 1, 1});
  // A point in the middle of the edge of the first two faces from 0 to 2, on both its sides.
  facets.points.emplace_back(-0.5, 0, -0.5);
  facets.polygons[1] = {0, 6, 2, 8};
  for (auto& f : facets.polygons)
    if (f == std::vector<int>{0, 2, 3}) f = {0, 8, 2, 3};
  const Polyhedron box = joined_facets(facets, "box");
  EXPECT_EQ(box.corners.size(), 8U);
  EXPECT_EQ(box.faces.size(), 6U);
}

TEST(Polyhedron, HasTheInertiaOfATetrahedron) {
  // With legs a, b, c along the axes: volume abc/6, centre (a, b, c)/4, Ixx = m 3/80 (b^2 + c^2).
  const double a = 1, b = 2, c = 3;
  const Facets facets{{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}},
                      {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const Polyhedron joined = joined_facets(facets, "tetrahedron");
  EXPECT_NEAR((moments_of(joined).centre - Vec3(a, b, c) / 4).norm(), 0, 1e-15);
  const Solid solid = solid_of(joined, 1);
  EXPECT_NEAR(solid.volume(), 1, 1e-15);
  EXPECT_NEAR(solid.inertia(80)(0, 0), 3 * (b * b + c * c), 1e-12);
  EXPECT_NEAR(solid.inertia(80)(0, 1), a * b, 1e-12);  // m ab/80
}

TEST(Polyhedron, SphereOfFacetsIsNearlyASphere) {
  const Solid mesh = sphere_mesh(2, 4), sphere{Solid::Kind::sphere, {2, 0, 0}};
  EXPECT_EQ(mesh.mesh->faces.size(), 2048U);
  EXPECT_EQ(mesh.mesh->corners.size(), 1026U);
  // What is missing falls with the square of the edges, which are halved.
  const double missing = sphere.volume() - mesh.volume(),
               before = sphere.volume() - sphere_mesh(2, 3).volume();
  EXPECT_GT(missing, 0);
  EXPECT_NEAR(before / missing, 4, 0.1);
  EXPECT_LT(missing, 0.01 * sphere.volume());
  EXPECT_LT((mesh.inertia(3) - sphere.inertia(3)).norm(), 0.01 * sphere.inertia(3).norm());
}

TEST(Polyhedron, SaysWhatIsWrong) {
  const Facets good = box_facets({1, 2, 3});
  EXPECT_EQ(refusal(good), "none");

  Facets open = good;
  open.polygons.pop_back();
  EXPECT_REFUSED(open, "facet 1 alone at the edge");

  Facets inverted = good;
  for (auto& f : inverted.polygons) std::swap(f[0], f[1]);
  EXPECT_REFUSED(inverted, "clockwise seen from outside");

  Facets one = good;
  std::swap(one.polygons[3][0], one.polygons[3][1]);
  EXPECT_REFUSED(one, "in the same direction");

  Facets dented = sphere_facets(1, 1);
  dented.points[2] *= 0.3;
  EXPECT_REFUSED(dented, "a convex surface");

  Facets flat = good;
  for (Vec3& p : flat.points) p.z() = 0;
  EXPECT_REFUSED(flat, "which has no area");

  Facets sliver = good;
  sliver.points.push_back(good.points[0] + Vec3(1e-9, 0, 0));
  sliver.polygons.push_back({0, 1, 8});
  EXPECT_REFUSED(sliver, "facet 13 at");

  Facets bent = good;
  bent.polygons = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  bent.points[7] += Vec3(0.3, 0, 0);
  EXPECT_REFUSED(bent, "which is not flat");

  Facets wrong = good;
  wrong.polygons[2][1] = 8;
  EXPECT_REFUSED(wrong, "facet 3 with point 9");

  Facets nothing = good;
  nothing.points[3].y() = NAN;
  EXPECT_REFUSED(nothing, "finite");

  Facets two = good;  // apart from each other: neither is behind the facets of the other
  for (const Vec3& p : good.points) two.points.emplace_back(p + Vec3(5, 0, 0));
  for (const auto& f : good.polygons) two.polygons.push_back({f[0] + 8, f[1] + 8, f[2] + 8});
  EXPECT_REFUSED(two, "a convex surface");

  EXPECT_REFUSED((Facets{good.points, {}}), "0 facets");
  EXPECT_REFUSED(sphere_facets(1, 5), "at most 5000");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
