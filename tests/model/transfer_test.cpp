// Fields of a cable on another mesh.
#include "model/transfer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "assembly/assembler.h"
#include "hawser/error.h"
#include "math/quadrature.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

Scene one_cable(CableModel model, bool lumped = false) {
  Scene scene;
  scene.gravity.setZero();
  scene.cables = {westin_irani_cable(1e8)};
  scene.cables[0].model = model;
  if (model == CableModel::np_fem) scene.cables[0].strain = StrainMeasure::engineering;
  scene.cables[0].lumped_mass = lumped;
  scene.cables[0].elements = 6;
  return scene;
}

/// A field r(s) and its derivative at the nodes of a model with one cable; np-fem has no slopes.
template <class Field, class Slope>
std::vector<double> at_nodes(const Model& model, const Field& field, const Slope& slope) {
  std::vector<double> out(model.data().padded(), 0);
  const bool cubic = model.scene().cables[0].model == CableModel::ancf;
  for (size_t n = 0; n < model.mesh().s[0].size(); ++n) {
    Vec3::Map(&out[6 * n]) = field(model.mesh().s[0][n]);
    if (cubic) Vec3::Map(&out[6 * n + 3]) = slope(model.mesh().s[0][n]);
  }
  return out;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double out = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

const std::vector<std::vector<double>> meshes = {
    {0, 0.25, 0.5, 1},                                       // coarser and elsewhere
    {0, 0.1, 0.2, 0.3, 0.7, 0.9, 1},                         // finer and coarser
    {0, 1},                                                  // one element
    {0, 1.0 / 6, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 5.0 / 6, 1}};  // one node more

/// A cubic is in the space of every mesh: nothing of it is lost, whatever way it goes.
TEST(MeshTransfer, KeepsCubics) {
  const Scene scene = one_cable(CableModel::ancf);
  const Model model(scene);
  const auto field = [](double s) { return Vec3(1 + s, s * s - 2 * s * s * s, 3 - s * s * s); };
  const auto slope = [](double s) { return Vec3(1, 2 * s - 6 * s * s, -3 * s * s); };
  const std::vector<double> before = at_nodes(model, field, slope);
  for (const auto& s : meshes) {
    const Model next(scene, Mesh{{s}});
    const MeshTransfer map(model.data(), next.data());
    const std::vector<double> expected = at_nodes(next, field, slope);
    EXPECT_LT(largest_difference(map.positions(before), expected), 1e-14);
    EXPECT_LT(largest_difference(map.velocities(before), expected), 1e-12);
  }
}

TEST(MeshTransfer, KeepsStraightLinesOfNpFem) {
  for (const bool lumped : {false, true}) {
    const Scene scene = one_cable(CableModel::np_fem, lumped);
    const Model model(scene);
    const auto field = [](double s) { return Vec3(1 + s, 2 - 3 * s, 4); };
    const std::vector<double> before = at_nodes(model, field, field);
    for (const auto& s : meshes) {
      const Model next(scene, Mesh{{s}});
      const MeshTransfer map(model.data(), next.data());
      const std::vector<double> expected = at_nodes(next, field, field);
      EXPECT_LT(largest_difference(map.positions(before), expected), 1e-14);
      // A lumped mass is not that of the straight line: the projection is not exact, its momentum
      // is.
      if (lumped) continue;
      EXPECT_LT(largest_difference(map.velocities(before), expected), 1e-13);
    }
  }
}

/// A velocity that no coarser mesh can follow keeps its momentum and gains no energy.
TEST(MeshTransfer, ProjectionKeepsMomentumAndLosesEnergy) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    const Scene scene = one_cable(kind);
    const Model model(scene);
    const auto field = [](double s) { return Vec3(std::sin(30 * s), std::cos(17 * s), s > 0.4); };
    const auto slope = [](double s) { return Vec3(30 * std::cos(30 * s), -s, 2); };
    State state;
    state.q = model.data().q0;
    state.v = at_nodes(model, field, slope);
    const Momentum before = momentum(model, state);
    const double kinetic = energy(model, state).kinetic;
    for (const auto& s : meshes) {
      const Model next(scene, Mesh{{s}});
      const MeshTransfer map(model.data(), next.data());
      State after;
      after.q = map.positions(state.q);
      after.v = map.velocities(state.v);
      EXPECT_LT((momentum(next, after).linear - before.linear).norm(),
                1e-15 * before.linear.norm() + 1e-15);
      EXPECT_LT((momentum(next, after).angular - before.angular).norm(), 1e-14);  // it is straight
      EXPECT_LE(energy(next, after).kinetic, kinetic * (1 + 1e-14));
    }
  }
}

/// Nodes that are held keep their velocity to the last bit, and the momentum is kept all the same.
TEST(MeshTransfer, HeldNodesKeepTheirVelocity) {
  Scene scene = one_cable(CableModel::ancf);
  Cable& cable = scene.cables[0];
  lead_through(cable, {(cable.route.front().point + cable.route.back().point) / 2});
  hold(scene, "pendulum", 0);
  hold(scene, "pendulum", 1).slides = Vec3::UnitX();
  scene.point_masses.push_back({Place::end("pendulum"), 3.0});
  const Model model(scene);
  const auto field = [](double s) { return Vec3(std::sin(30 * s), s * std::cos(17 * s), s); };
  const auto slope = [](double s) { return Vec3(30 * std::cos(30 * s), -s, 2); };
  State state, after;
  state.q = model.data().q0;
  state.v = at_nodes(model, field, slope);
  const Model next(scene, Mesh{{{0, 0.5, 1}}});
  const MeshTransfer map(model.data(), next.data());
  after.q = map.positions(state.q);
  after.v = map.velocities(state.v);
  EXPECT_EQ(after.velocity(0), state.velocity(0));
  EXPECT_EQ(after.velocity(1).y(), state.velocity(3).y());
  EXPECT_NE(after.velocity(1).x(), state.velocity(3).x());
  EXPECT_EQ(after.velocity(2), state.velocity(6));
  EXPECT_LT((momentum(next, after).linear - momentum(model, state).linear).norm(), 1e-14);
}

/// Nodal forces of a load per length that is a cubic become those of the same load.
TEST(MeshTransfer, ForcesAreThoseOfTheSameLoad) {
  const Scene scene = one_cable(CableModel::ancf);
  const Model model(scene);
  const auto load = [](double s) { return Vec3(1 + s, s * s - s * s * s, 2); };
  const auto slope = [](double s) { return Vec3(1, 2 * s - 3 * s * s, 0); };
  const auto nodal = [&](const Model& m) {  // M times a field: mass is 1 kg per length, scaled
    Assembler assembler(m.data());
    const std::vector<double> field = at_nodes(m, load, slope);
    assembler.mass_times(m.data().q0.data(), field.data());
    return assembler.inertia;
  };
  const std::vector<double> before = nodal(model);
  for (const auto& s : meshes) {
    const Model next(scene, Mesh{{s}});
    std::vector<double> after(static_cast<size_t>(next.coordinates()), 0);
    MeshTransfer(model.data(), next.data()).forces(before.data(), after.data());
    const std::vector<double> expected = nodal(next);
    for (size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(after[i], expected[i], 1e-14);
  }
}

/// Values at Gauss points: polynomials of the degree that the points determine are reproduced, and
/// the integral of anything is kept.
TEST(MeshTransfer, PointsKeepPolynomialsAndIntegrals) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    const Scene scene = one_cable(kind);
    const Model model(scene);
    const int points = model.data().fields[0]->run.axial_points;
    const auto rule = gauss_rule(points);
    const auto polynomial = [&](double s) {
      return points == 1 ? 7.0 : 1 - s + 3 * s * s - 2 * std::pow(s, 3) + 5 * std::pow(s, 4);
    };
    for (const auto& s : meshes) {
      const Model next(scene, Mesh{{s}});
      const MeshTransfer map(model.data(), next.data());
      const MeshTransfer back(model.data(), model.data());  // says where the old points are
      std::vector<double> smooth(static_cast<size_t>(model.data().point_size), 0), rough = smooth;
      double integral = 0;
      for (size_t i = 0; i < back.axial().size(); ++i) {
        const MeshTransfer::PointRow& row = back.axial()[i];
        EXPECT_TRUE(row.kept());
        smooth[row.to.at] = polynomial(row.s);
        rough[row.to.at] = std::sin(100.0 * static_cast<double>(i));
        integral += rule[i % rule.size()].w / 6 * rough[row.to.at];
      }
      double after = 0;
      for (size_t i = 0; i < map.axial().size(); ++i) {
        const MeshTransfer::PointRow& row = map.axial()[i];
        double value = 0, other = 0;
        for (const MeshTransfer::Source& source : row.from) {
          value += source.weight * smooth[source.point.at];
          other += source.weight * rough[source.point.at];
        }
        EXPECT_NEAR(value, polynomial(row.s), 1e-12);
        const size_t element = i / rule.size();
        after += (s[element + 1] - s[element]) * rule[i % rule.size()].w * other;
      }
      EXPECT_NEAR(after, integral, 1e-13);
    }
  }
}

TEST(MeshTransfer, RefusesAnotherScene) {
  const Scene scene = one_cable(CableModel::ancf);
  const Model model(scene);
  const auto refused = [&](const std::string& found, const auto& change) {
    Scene other = scene;
    change(other);
    const Model next(other);
    try {
      const MeshTransfer map(model.data(), next.data());
      ADD_FAILURE() << "no error, expected: " << found;
    } catch (const Error& e) {
      EXPECT_EQ(e.found(), found);
    }
  };
  refused("2 cables after 1", [](Scene& s) {
    s.cables.push_back(s.cables[0]);
    s.cables[1].name = "other";
  });
  refused("cable 'other' in place of 'pendulum'", [](Scene& s) { s.cables[0].name = "other"; });
  refused("another route or length of cable 'pendulum'", [](Scene& s) { s.cables[0].length = 2; });
  refused("other supports, conditions, bodies or joints", [](Scene& s) { hold(s, "pendulum", 0); });
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
