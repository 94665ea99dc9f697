// Convex meshes as shapes that cables and bodies touch: a box as a mesh is a box, a sphere of many
// facets nearly a sphere.
#include <gtest/gtest.h>

#include <random>

#include "../bench/body_scenes.h"
#include "contact/convex.h"
#include "contact/meshes.h"
#include "contact/refusal.h"

namespace hawser {
namespace {

using namespace touching;
using Kind = Solid::Kind;

Vec3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  const double x = number(random), y = number(random);
  return {x, y, number(random)};
}

TEST(MeshSurface, OfABoxHasTheDistancesOfTheBox) {
  const Vec3 size(1, 0.6, 0.4);
  const Surface box = *surface_of(Solid{Kind::box, size}), mesh = *surface_of(box_mesh(size));
  EXPECT_NEAR(mesh.half_thickness(), box.half_thickness(), 1e-15);
  EXPECT_NEAR(mesh.wrap_radius(), 0.2, 1e-15);
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 y = random_vector(random, 0.9);
    const Nearest a = nearest(box, y, 0), b = nearest(mesh, y, 0);
    EXPECT_NEAR(a.distance, b.distance, 1e-14) << y.transpose();
    EXPECT_LT((a.normal - b.normal).norm(), 1e-12) << y.transpose();
    // Of a point that went deeper than half of the box the mesh knows the side, too.
    const Nearest touched = nearest(mesh, Vec3(0.1, 0.05, 0.19), 0),
                  deep = nearest(mesh, Vec3(0.1, 0.05, -0.01), touched.face);
    EXPECT_EQ(touched.normal, Vec3::UnitZ());
    EXPECT_EQ(deep.normal, Vec3::UnitZ());
    EXPECT_NEAR(deep.distance, -0.21, 1e-15);
  }
}

TEST(MeshSurface, OfASphereIsWithinItsFacets) {
  const double radius = 0.5;
  const Surface mesh = *surface_of(sphere_mesh(radius, 4));  // 2048 facets, edges of 0.05 to 0.09 R
  const double sag = 0.004 * radius;  // R (1 - cos(0.09)), the largest circle of a facet
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    const Vec3 y = random_vector(random, 1);
    if (y.norm() < 0.1) continue;
    const Nearest near = nearest(mesh, y, 0);
    EXPECT_GE(near.distance, y.norm() - radius - 1e-12);
    EXPECT_LE(near.distance, y.norm() - radius + sag);
    if (y.norm() < 0.45) continue;
    EXPECT_GT(near.normal.dot(y.normalized()), std::cos(0.09)) << i;
  }
}

/// A point that touches goes on from facet to facet: the depth does not grow beyond each edge.
TEST(MeshSurface, APointInsideSlidesOverFacets) {
  const Surface mesh = *surface_of(sphere_mesh(0.5, 3));
  int face = 0;
  for (double angle = 0; angle < 1.5; angle += 0.01) {
    const Vec3 y(0.495 * std::cos(angle), 0.495 * std::sin(angle), 0);
    const Nearest near = nearest(mesh, y, face);
    face = near.face;
    EXPECT_NEAR(near.distance, -0.003, 0.0035) << angle;
  }
}

TEST(MeshManifold, OfABoxIsThatOfTheBox) {
  std::mt19937 random(11);
  const Vec3 size(0.5, 0.4, 0.3);
  const ConvexShape box(*surface_of(Solid{Kind::box, size})), mesh(*surface_of(box_mesh(size)));
  const ConvexShape others[] = {ConvexShape(*surface_of(Solid{Kind::box, {0.4, 0.4, 0.2}})),
                                ConvexShape(*surface_of(Solid{Kind::cylinder, {0.2, 0.4, 0}})),
                                ConvexShape(Surface{})};
  int touching = 0, same = 0;
  for (const ConvexShape& other : others)
    for (int i = 0; i < 300; ++i) {
      Eigen::Quaterniond turn(1, 0, 0, 0);
      turn.coeffs() << random_vector(random, 1), 0.3;
      turn.normalize();
      const RelativePose at{turn.toRotationMatrix(), random_vector(random, 0.45)};
      const Manifold a = manifold(box, other, at, {}), b = manifold(mesh, other, at, {});
      same += a.count == b.count;  // of points on one line rounding decides
      touching += a.count > 0;
      ASSERT_EQ(a.count > 0, b.count > 0) << i;
      if (a.count == 0) continue;
      const auto deepest = [](const Manifold& m) {
        return *std::max_element(m.points.begin(), m.points.begin() + m.count,
                                 [](const auto& p, const auto& q) { return p.depth < q.depth; });
      };
      EXPECT_NEAR(deepest(a).depth, deepest(b).depth, 1e-13) << i;
      EXPECT_LT((deepest(a).normal - deepest(b).normal).norm(), 1e-12) << i;
    }
  EXPECT_GT(touching, 400);
  EXPECT_GT(same, 0.99 * 900);
}

Body with_mesh(Body body, const Solid& mesh) {
  body.shape = mesh;
  body.inertia = mesh.inertia(body.mass);
  return body;
}

/// Sliding, tipping and stacked: the same motion as that of boxes.
TEST(MeshBody, ABoxMovesAsABox) {
  const Vec3 size(0.4, 0.3, 0.2);
  Body block = solid("block", Kind::box, size, {0, 0, 0.12});
  block.angular_velocity = {0.1, 0.4, 0.2};
  const Body mesh = with_mesh(block, box_mesh(size));
  EXPECT_LT((mesh.inertia - block.inertia).norm(), 1e-14 * block.inertia.norm());
  for (const double h : {1e-3, 4e-3}) {
    TouchRun a(on_slope(block, 0.6, 0.5), by(h)), b(on_slope(mesh, 0.6, 0.5), by(h));
    ASSERT_EQ(a.to(0.5), Status::ok) << a.integrator.failure().message();
    ASSERT_EQ(b.to(0.5), Status::ok) << b.integrator.failure().message();
    EXPECT_LT((place_of(a, 0) - place_of(b, 0)).norm(), 1e-9) << h;
    EXPECT_GT(place_of(a, 0).x(), 0.1) << "it slides";
  }
  Scene boxes = stack(3), meshes = boxes;
  for (Body& body : meshes.bodies) body = with_mesh(body, box_mesh({0.4, 0.4, 0.4}));
  TouchRun a(boxes, by(2e-3)), b(meshes, by(2e-3));
  ASSERT_EQ(a.to(0.5), Status::ok);
  ASSERT_EQ(b.to(0.5), Status::ok) << b.integrator.failure().message();
  for (size_t i = 0; i < 3; ++i) EXPECT_LT((place_of(a, i) - place_of(b, i)).norm(), 1e-9) << i;
}

/// It comes to rest on a facet: its centre is within the sag of one below the radius.
TEST(MeshBody, ASphereOfFacetsRestsAsASphere) {
  const double radius = 0.1;
  const Body ball = solid("ball", Kind::sphere, {radius, 0, 0}, {0, 0, 0.15});
  const Body mesh = with_mesh(ball, sphere_mesh(radius, 2));  // 128 facets: sag 0.061 R at most
  EXPECT_NEAR(mesh.inertia(0, 0), ball.inertia(0, 0), 0.1 * ball.inertia(0, 0));
  TouchRun run(on_slope(mesh, 0, 0.5), by(1e-3));
  const double at_first = energy(run.model, run.state).total();
  ASSERT_EQ(run.to(2), Status::ok) << run.integrator.failure().message();
  EXPECT_LE(place_of(run, 0).z(), radius);
  EXPECT_GT(place_of(run, 0).z(), (1 - 0.061) * radius - 1e-4);
  EXPECT_LT(energy(run.model, run.state).total(), at_first);
}

/// A rope that is let fall across a beam, as a box and as a mesh.
TEST(MeshCable, FallsOverABoxAsOverAMesh) {
  const Vec3 size(0.1, 1, 0.1);
  for (const double h : {1e-3, 4e-3}) {
    Vec3 end[2];
    for (const bool mesh : {false, true}) {
      Scene scene = dropped_rope(0.3, 0, 0.3, 0.1);
      scene.ground.reset();
      Support beam = at("beam", {0.45, 0, 0.1});
      beam.shape = mesh ? box_mesh(size) : Solid{Kind::box, size};
      scene.supports = {beam};
      scene.contacts = {between("beam", 0.3, 1e6)};  // the rule knows a radius of the mesh alone
      TouchRun run(scene, by(h));
      ASSERT_EQ(run.to(0.4), Status::ok) << run.integrator.failure().message();
      end[mesh] = run.state.position(0);
    }
    EXPECT_LT(end[0].z(), 0.1) << "it hangs down";
    EXPECT_LT((end[0] - end[1]).norm(), 1e-6) << h;
  }
}

/// A taut string that a sphere presses up by 5 mm. Where a corner of the mesh is on top, the string
/// touches 2.7 mm beside it, where facets are 0.1 mm below the sphere: 3 % of the force. Where it
/// is turned they are by 0.4 mm at the most.
TEST(MeshCable, LiesOnASphereOfFacets) {
  const auto force = [](const Solid& shape, double turned) {
    Scene scene = string_on_bar(0.5);
    scene.supports[0].shape = shape;
    scene.supports[0].position.z() = -0.095;
    scene.supports[0].orientation = Eigen::AngleAxisd(turned, Vec3(1, 2, 3).normalized());
    scene.cables[0].route[1] = Stop(Vec3(0, 0, 0.0055));
    TouchRun run(scene, by(1e-3));
    EXPECT_EQ(run.to(0.01), Status::ok) << run.integrator.failure().message();
    return std::abs(reaction(run.model, run.state, Place::start("rope")).force.z());
  };
  const double round = force({Kind::sphere, {0.1, 0, 0}}, 0);
  EXPECT_GT(round, 0.8);  // 100 N by 0.01
  const Solid mesh = sphere_mesh(0.1, 4);
  EXPECT_NEAR(force(mesh, 0), round, 0.03 * round);
  const double turned = force(mesh, 0.4);
  EXPECT_LT(turned, 1.01 * round);
  EXPECT_GT(turned, (1 - 0.4 / 5 - 0.02) * round);
}

TEST(MeshBody, RefusesWhatWouldTakeTooLong) {
  Scene scene = stack(2);
  for (Body& body : scene.bodies) body = with_mesh(body, sphere_mesh(0.19, 4));
  expect_refused(scene, "directions of edges");
}

}  // namespace
}  // namespace hawser
