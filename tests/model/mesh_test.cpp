// Models with another mesh than the scene's own.
#include "model/mesh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hawser/error.h"
#include "model/model_data.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

/// Two cables with nodes of different kinds and one without; a support and a load between the ends.
Scene three_cables() {
  Scene scene;
  scene.cables.resize(3);
  scene.cables[0] = westin_irani_cable(1e8);
  scene.cables[0].elements = 4;
  scene.cables[0].route = {{0, 0, 0}, {0.5, 0, 0}, {2, 0, 0}};
  scene.cables[0].angular_velocity = {0, 0, 1};
  scene.cables[1] = scene.cables[0];
  scene.cables[1].name = "net";
  scene.cables[1].model = CableModel::np_fem;
  scene.cables[1].strain = StrainMeasure::engineering;
  scene.cables[1].route = {{0, 0, 0}, {2.0 / 3, 0, 0}, {2, 0, 0}};
  scene.cables[1].elements = 3;
  scene.cables[2].name = "massless";
  scene.cables[2].model = CableModel::massless;
  scene.cables[2].sections = {Section{1e4, 0, 0}};
  scene.cables[2].route = {{0, 1, 0}, {1, 1, 0}};
  hold(scene, "massless", 0);
  hold(scene, "massless", -1);
  hold(scene, "pendulum", 0);
  hold(scene, "net", 1);
  add_force(scene, Place::at("pendulum", 1.5), {0, 0, 1});
  return scene;
}

template <class Make>
void expect_refusal(const std::string& text, Make&& make) {
  try {
    make();
    ADD_FAILURE() << "no error, expected: " << text;
  } catch (const Error& e) {
    EXPECT_EQ(e.what(), text);
  }
}

TEST(Mesh, OwnMeshFollowsTheRoute) {
  const Scene scene = three_cables();
  const Mesh mesh = default_mesh(scene);
  ASSERT_EQ(mesh.s.size(), 3u);
  EXPECT_EQ(mesh.s[0], (std::vector<double>{0, 0.5, 1, 1.5, 2}));
  ASSERT_EQ(mesh.s[1].size(), 4u);
  EXPECT_DOUBLE_EQ(mesh.s[1][1], 2.0 / 3);
  EXPECT_TRUE(mesh.s[2].empty());
  EXPECT_EQ(Model(scene).mesh(), mesh);
}

/// The own mesh, handed back, gives the same model to the last bit; lengths that do not divide
/// evenly show it.
TEST(Mesh, OwnMeshGivenBackChangesNothing) {
  Scene scene = three_cables();
  scene.cables[0].length = 2.1;
  scene.cables[0].elements = 7;
  scene.cables[1].length = 1.9;
  const Model own(scene), given(scene, own.mesh());
  ASSERT_EQ(own.data().fields.size(), given.data().fields.size());
  for (size_t i = 0; i < own.data().fields.size(); ++i) {
    EXPECT_EQ(own.data().fields[i]->run.length, given.data().fields[i]->run.length);
    EXPECT_EQ(own.data().fields[i]->run.elements, given.data().fields[i]->run.elements);
  }
  EXPECT_EQ(own.data().q0, given.data().q0);
  EXPECT_EQ(own.data().v0, given.data().v0);
}

TEST(Mesh, InsertedNodesLieOnTheInitialShape) {
  const Scene scene = three_cables();
  Mesh mesh = default_mesh(scene);
  mesh.s[0].insert(mesh.s[0].begin() + 2, 0.8);
  mesh.s[1].insert(mesh.s[1].begin() + 1, 0.25);
  const Model model(scene, mesh);
  EXPECT_EQ(model.nodes(), 11);
  EXPECT_EQ(model.elements(), 9);
  const State start = Integrator(model, solve_options(Method::mixed, 1e-3)).start();
  EXPECT_NEAR((start.position(2) - Vec3(0.8, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((start.slope(2) - Vec3(1, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((Vec3::Map(&model.data().v0[12]) - Vec3(0, 0.8, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((start.position(7) - Vec3(0.25, 0, 0)).norm(), 0, 1e-15);
  // Places of the scene are where they were.
  EXPECT_EQ(model.node(Place::at("pendulum", 1.5)), 4);
  EXPECT_EQ(model.node(Place::fraction("net", 1.0 / 3)), 8);
  EXPECT_EQ(model.data().holds[1].node, 8);
  EXPECT_EQ(model.node(Place::end("net")), 10);
}

/// Elements of equal length share a batch; those of the own mesh keep their length.
TEST(Mesh, ElementsOfOneLengthShareABatch) {
  Scene scene = pendulum(1e8);
  scene.cables[0].length = 0.7;
  scene.cables[0].elements = 7;
  Mesh mesh = default_mesh(scene);
  mesh.s[0].insert(mesh.s[0].begin() + 4, (mesh.s[0][3] + mesh.s[0][4]) / 2);
  const Model own(scene), model(scene, mesh);
  const auto& fields = model.data().fields;
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0]->run.elements, 3);
  EXPECT_EQ(fields[1]->run.elements, 2);
  EXPECT_EQ(fields[2]->run.elements, 3);
  const double length = own.data().fields[0]->run.length;
  EXPECT_EQ(fields[0]->run.length, length);
  EXPECT_EQ(fields[2]->run.length, length);
  EXPECT_NEAR(fields[1]->run.length, length / 2, 1e-16);
  EXPECT_NEAR(model.data().total_mass, own.data().total_mass, 1e-15);
}

/// On the cubic of a hanging cable, not on its chord.
TEST(Mesh, InitialShapeIsInterpolatedByTheElement) {
  Scene scene = pendulum(1e8);
  scene.cables[0].length = 1.2;
  scene.cables[0].elements = 4;
  scene.initial = Initial::catenary;
  hold(scene, "pendulum", -1);
  Mesh mesh = default_mesh(scene);
  mesh.s[0].insert(mesh.s[0].begin() + 1, 0.1);
  const Model own(scene), model(scene, mesh);
  const auto vec = [](const Model& m, int at) { return Vec3(Vec3::Map(&m.data().q0[at])); };
  const Vec3 r1 = vec(own, 0), g1 = vec(own, 3), r2 = vec(own, 6), g2 = vec(own, 9);
  const double l = 0.3, x = 1.0 / 3;
  const Vec3 r = (1 - 3 * x * x + 2 * x * x * x) * r1 + l * (x - 2 * x * x + x * x * x) * g1 +
                 (3 * x * x - 2 * x * x * x) * r2 + l * (x * x * x - x * x) * g2;
  const Vec3 g =
      6 * x * (1 - x) / l * (r2 - r1) + (1 - 4 * x + 3 * x * x) * g1 + (3 * x * x - 2 * x) * g2;
  EXPECT_GT((r - (r1 + x * (r2 - r1))).norm(), 1e-3);
  EXPECT_NEAR((vec(model, 6) - r).norm(), 0, 1e-14);
  EXPECT_NEAR((vec(model, 9) - g).norm(), 0, 1e-14);
  EXPECT_EQ(vec(model, 12), r2);
  EXPECT_EQ(vec(model, 15), g2);
}

TEST(Mesh, BadMeshesAreRefused) {
  const Scene scene = three_cables();
  const Mesh own = default_mesh(scene);
  const auto refused = [&](const std::string& text, const auto& change) {
    Mesh mesh = own;
    change(mesh.s);
    expect_refusal(text, [&] { const Model model(scene, mesh); });
  };
  using Nodes = std::vector<std::vector<double>>;
  refused("mesh: found 2 cables; expected 3, as in the scene.", [](Nodes& s) { s.pop_back(); });
  refused("cable 'massless', mesh: found 2 nodes; expected none: a massless cable has no nodes.",
          [](Nodes& s) {
            s[2] = {0, 1};
          });
  refused("cable 'net', mesh: found 1 nodes; expected 2 or more.", [](Nodes& s) { s[1] = {0}; });
  refused("cable 'pendulum', mesh: found node 1 at nan m; expected a finite arc length.",
          [](Nodes& s) { s[0][1] = std::nan(""); });
  refused(
      "cable 'pendulum', mesh: found nodes from 0 m to 1.5 m; expected nodes from 0 to 2 m, the "
      "length of the cable. Start from Model::mesh() and insert or erase nodes between its ends.",
      [](Nodes& s) { s[0].pop_back(); });
  refused(
      "cable 'pendulum', mesh: found node 2 at 0.5 m after node 1 at 1 m; expected increasing arc "
      "lengths, at least 2e-06 m apart.",
      [](Nodes& s) { std::swap(s[0][1], s[0][2]); });
  refused(
      "cable 'net': found no node of the mesh at 0.666666667 m of cable 'net'; expected a node at "
      "every "
      "place that the scene names. Insert a node there in the mesh.",
      [](Nodes& s) { s[1].erase(s[1].begin() + 1); });
  refused(
      "point force: found no node of the mesh at 1.5 m of cable 'pendulum'; expected a node at "
      "every place that the scene names. Insert a node there in the mesh.",
      [](Nodes& s) { s[0].erase(s[0].begin() + 3); });
}

TEST(Mesh, SectionsChangeAtNodes) {
  Scene scene = pendulum(1e8);
  const Section section = scene.cables[0].sections[0];
  scene.cables[0].sections = {{section, 0.35}, {section, 0}};
  scene.cables[0].sections[1].mass *= 2;
  Mesh mesh = default_mesh(scene);
  const Model own(scene);
  mesh.s[0].insert(mesh.s[0].begin() + 1, mesh.s[0][1] / 2);
  EXPECT_NEAR(Model(scene, mesh).data().total_mass, own.data().total_mass, 1e-14);
  const auto change = std::find_if(mesh.s[0].begin(), mesh.s[0].end(),
                                   [](double s) { return std::abs(s - 0.35) < 1e-9; });
  ASSERT_NE(change, mesh.s[0].end());
  mesh.s[0].erase(change);
  expect_refusal(
      "cable 'pendulum', mesh: found no node at 0.35 m, where the section changes; expected a node "
      "where sections change. Insert a node there in the mesh.",
      [&] { const Model model(scene, mesh); });
}

TEST(Mesh, CoordinatesAreFoundInAMesh) {
  const std::vector<double> s = {0, 1, 3, 4};
  EXPECT_EQ(locate(s, 0).node(), 0);
  EXPECT_TRUE(locate(s, 0).on_node());
  EXPECT_EQ(locate(s, 3).node(), 2);
  EXPECT_EQ(locate(s, 3 - 1e-10).node(), 2);
  EXPECT_EQ(locate(s, 4).node(), 3);
  EXPECT_TRUE(locate(s, 4).on_node());
  EXPECT_EQ(locate(s, 1.5).element, 1);
  EXPECT_EQ(locate(s, 1.5).xi, 0.25);
  EXPECT_FALSE(locate(s, 1.5).on_node());
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
