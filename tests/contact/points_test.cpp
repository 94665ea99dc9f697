// The number of points at which an element touches: the answer does not depend on it.
#include <gtest/gtest.h>

#include "../bench/meeting_scenes.h"
#include "contact/meshes.h"

namespace hawser {
namespace {

using namespace touching;
using Kind = Solid::Kind;

/// A rope of 40 elements falls across a beam along y; where its middle and its end are after that.
std::pair<Vec3, Vec3> after_fall(const Solid& shape, CableModel model, int points) {
  Scene scene = dropped_rope(0.2, 0, 0.4, 0.05);
  scene.ground.reset();
  Support beam = at("beam", {0.5, 0, 0.1});
  beam.shape = shape;
  if (shape.kind == Kind::cylinder || shape.kind == Kind::capsule)
    beam.orientation = Eigen::AngleAxisd(pi / 2, Vec3::UnitX());
  scene.supports = {beam};
  scene.cables[0].model = model;
  scene.cables[0].elements = 40;
  scene.contacts = {between("beam", 0.4, 1e6)};
  scene.contacts[0].points = points;
  TouchRun run(scene, by(1e-3));
  EXPECT_EQ(run.to(0.3), Status::ok) << points << run.integrator.failure().message();
  return {run.middle(), run.state.position(0)};
}

TEST(ContactPoints, OfEveryShapeAndModel) {
  for (const Solid& shape :
       {Solid{Kind::cylinder, {0.1, 1, 0}}, Solid{Kind::capsule, {0.1, 1, 0}},
        Solid{Kind::sphere, {0.1, 0, 0}}, Solid{Kind::box, {0.2, 1, 0.2}}, box_mesh({0.2, 1, 0.2})})
    for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
      const auto [middle, end] = after_fall(shape, model, 3);
      EXPECT_GT(middle.z(), 0.195) << "it lies on the beam";
      // Elements are 25 mm long. At a sharp edge a rope lies between two points as it likes.
      const bool sharp = shape.kind == Kind::box || shape.kind == Kind::mesh;
      for (const int points : {1, 2, 16}) {
        const auto [other, its_end] = after_fall(shape, model, points);
        EXPECT_LT((other - middle).norm(), sharp ? 0.025 / std::min(points, 3) : 5e-3) << points;
        EXPECT_LT((its_end - end).norm(), 3e-2) << points;  // it swings by 0.2 m and more
      }
    }
}

/// 4.799760 N in closed form (docs/theory/contact.md), with the tolerances of CablePairs.
TEST(ContactPoints, OfCrossedCables) {
  SolveOptions to_rest = by(5e-3);
  to_rest.scheme = Scheme::backward_euler;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const int points : {1, 5, 16}) {
      const bool straight = model == CableModel::np_fem;
      Scene scene = crossed_strings({}, {}, 0.02, model, straight ? 12 : 48, 1e9);
      scene.contacts[0].points = points;
      TouchRun run(scene, to_rest);
      ASSERT_EQ(run.to(1.5), Status::ok) << points << run.integrator.failure().message();
      const double half = reaction(run.model, run.state, Place::start("lower")).force.z();
      EXPECT_NEAR(2 * std::abs(half), 4.799760, (straight ? 1e-3 : 1e-2) * 4.799760) << points;
    }
}

}  // namespace
}  // namespace hawser
