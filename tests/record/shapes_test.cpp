// Shapes against Bezier curves and against channels at the same places.
#include "allocations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "batches.h"
#include "hawser/record.h"
#include "record/cable_reference.h"
#include "record/probes.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

Scene two_cables(int first, int second) {
  Scene scene;
  scene.cables = {westin_irani_cable(1e7), westin_irani_cable(1e7)};
  scene.cables[0].elements = first;
  scene.cables[1].elements = second;
  scene.cables[1].name = "other";
  scene.cables[1].route.front() = {0, 1, 0};
  scene.cables[1].route.back() = {2, 1, 0};
  scene.cables[1].strain = StrainMeasure::engineering;
  scene.cables[1].curvature = CurvatureMeasure::geometric;
  return scene;
}

TEST(Shapes, ArePointsEvenlyOverEveryElement) {
  const Model model(two_cables(3, 7));
  const Shapes shapes(model, 4);
  ASSERT_EQ(shapes.cables().size(), 2U);
  const Shape &a = shapes.cables()[0], &b = shapes.cables()[1];
  ASSERT_EQ(a.points(), 3 * 4 + 1);
  ASSERT_EQ(b.points(), 7 * 4 + 1);
  for (int i = 0; i < b.points(); ++i)
    EXPECT_NEAR(b.s[static_cast<size_t>(i)], 2.0 * i / 28, 1e-14);
}

TEST(Shapes, TakeOnePointAnElementWhereElementsAreManyAndMoreWhereFew) {
  const Model model(two_cables(100, 10));
  const Shapes shapes(model, 0);
  EXPECT_EQ(shapes.cables()[0].points(), 101);
  EXPECT_EQ(shapes.cables()[1].points(), 101);
  EXPECT_EQ(Shapes(Model(two_cables(150, 1)), 0).cables()[0].points(), 151);
  EXPECT_EQ(Shapes(Model(two_cables(150, 1)), 0).cables()[1].points(), 11);
}

TEST(Shapes, FollowTheCurve) {
  const Model model(two_cables(3, 5));
  const State state = reference::shaken(model, Integrator(model, {}).start(), 5);
  Shapes shapes(model, 3);
  shapes.sample(state);
  const Shape& shape = shapes.cables()[1];
  const double l = 2.0 / 5;
  for (int i = 0; i < shape.points(); ++i) {
    const int e = std::min(i / 3, 4);
    const double xi = i / 3.0 - e;
    const int node = model.first_node(1) + e;
    const Vec3 r = reference::curve_at(state.q, node, l, xi).r;
    const Vec3 v = reference::curve_at(state.v, node, l, xi).r;
    const auto at = 3 * static_cast<size_t>(i);
    EXPECT_LT((Eigen::Map<const Vec3>(&shape.position[at]) - r).norm(), 1e-12) << i;
    EXPECT_LT((Eigen::Map<const Vec3>(&shape.velocity[at]) - v).norm(), 1e-12) << i;
  }
}

TEST(Shapes, AgreeWithChannelsAtTheSamePlaces) {
  for (const bool forces : {false, true}) {
    const Model model(two_cables(3, 5));
    State state = reference::shaken(model, Integrator(model, {}).start(), 6);
    state.axial_force_valid = forces;
    Shapes shapes(model, 2);
    shapes.sample(state);
    for (size_t cable = 0; cable < 2; ++cable) {
      const Shape& shape = shapes.cables()[cable];
      const std::string name = model.scene().cables[cable].name;
      for (int i = 0; i < shape.points(); ++i) {
        const std::string place = fmt::format("@{} m", shape.s[static_cast<size_t>(i)]);
        Channels channels(model, {name + ".tension" + place, name + ".strain" + place,
                                  name + ".curvature" + place});
        std::vector<double> out(3);
        channels.sample(state, out);
        const auto k = static_cast<size_t>(i);
        EXPECT_NEAR(shape.tension[k], out[0], 1e-8 * std::abs(out[0])) << place;
        EXPECT_NEAR(shape.strain[k], out[1], 1e-8 * std::abs(out[1])) << place;
        EXPECT_NEAR(shape.curvature[k], out[2], 1e-8 * out[2]) << place;
      }
    }
  }
}

/// A cable of two runs, 3 elements then 5, and one of a single run.
ModelData parted(const Model& model) {
  ModelData data = model.data();
  AncfBatch head = batch_of(data, 0), tail = head;
  head.elements = 3;
  tail.elements = 5;
  tail.first_node += 3;
  tail.arc_start = 3 * head.parameters.length;
  tail.continues = true;
  data.terms[0] = std::make_shared<CableElements>(head, 0);
  data.terms.insert(data.terms.begin() + 1, std::make_shared<CableElements>(tail, 1));
  data.fields.clear();
  for (size_t i = 0; i < 3; ++i) data.fields.push_back(data.terms[i]->fields());
  data.cables[0].runs = 2;
  data.cables[1].first_run = 2;
  return data;
}

TEST(FieldsOfACable, AreFollowedToItsEnd) {
  const Model model(two_cables(8, 4));
  const ModelData data = parted(model);
  const CableFields fields = data.fields_of(0);
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(data.fields_of(1).size(), 1U);
  const double* q = model.data().q0.data();
  EXPECT_NEAR(length_of(fields, q), 1, 1e-14);
  const auto expect_sides = [&](double s, std::vector<std::pair<size_t, int>> sides, double xi) {
    const Spot spot = spot_at(fields, q, s);
    ASSERT_EQ(spot.all().size(), sides.size()) << s;
    for (size_t i = 0; i < sides.size(); ++i) {
      EXPECT_EQ(spot.sides[i].part, fields[sides[i].first]) << s;
      EXPECT_EQ(spot.sides[i].element, sides[i].second) << s;
    }
    EXPECT_NEAR(spot.all().back().xi, xi, 1e-12) << s;
  };
  expect_sides(0, {{0, 0}}, 0);
  expect_sides(2.5 / 8, {{0, 2}}, 0.5);
  expect_sides(3.0 / 8, {{0, 2}, {1, 0}}, 0);  // where the runs meet
  expect_sides(3.25 / 8, {{1, 0}}, 0.25);
  expect_sides(6.0 / 8, {{1, 2}, {1, 3}}, 0);
  expect_sides(1, {{1, 4}}, 1);
}

TEST(FieldsOfACable, EvaluateAlikeWhereverTheyAreParted) {
  const Model model(two_cables(8, 4));
  const ModelData data = parted(model);
  State state = reference::shaken(model, Integrator(model, {}).start(), 7);
  state.axial_force_valid = false;  // arrays by point are laid out by run
  AxialPack whole, part;
  data.fields[1]->axial(state, 0, part);
  model.data().fields[0]->axial(state, 0, whole);
  for (int g = 0; g < 5; ++g) EXPECT_EQ(part.tension[g][0], whole.tension[g][3]);
}

#ifdef COUNTS_ALLOCATIONS
TEST(Shapes, SampleWithoutAllocating) {
  const Model model(two_cables(12, 9));
  const State state = Integrator(model, {}).start();
  Shapes shapes(model, 3);
  const long before = allocations;
  shapes.sample(state);
  EXPECT_EQ(allocations - before, 0);
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE
