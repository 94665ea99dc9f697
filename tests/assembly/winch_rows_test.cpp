// The rows of cables on drums: G against differences of Phi, at random poses and where layers
// change, for winches on the ground and on bodies and at either end of a cable.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "assembly/constraint_set.h"
#include "hawser/integrator.h"
#include "machines.h"
#include "model/state_table.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;

Winch winch(const std::string& name, const std::string& on, const Vec3& axis, double wound) {
  Winch w;
  w.name = name;
  w.on = on;
  w.axis = axis;
  w.drum.radius = 0.2;
  w.drum.cable = 0.03;
  w.drum.width = 0.32;
  w.drum.pitch = 0.04;
  w.drum.layers = 4;
  w.inertia = 0.5;
  w.wound = wound;
  return w;
}

/// A cable from one winch on a body over a pulley to another on a body or the ground.
Scene two_winches(std::mt19937& random, double wound) {
  std::uniform_real_distribution<double> in(-1, 1);
  const auto vec = [&](double size) {
    return Vec3(size * Vec3(in(random), in(random), in(random)));
  };
  Scene scene;
  for (const char* name : {"a", "b", "c"}) {
    Body b = ball(name, 100, vec(0.3) + Vec3(static_cast<double>(scene.bodies.size()) * 4, 0, 0));
    b.inertia = 100 * Eigen::Matrix3d::Identity();
    b.orientation = Eigen::Quaterniond(1, in(random), in(random), in(random)).normalized();
    scene.bodies.push_back(b);
  }
  scene.frames = {frame("fa", "a", vec(0.4)), frame("fb", "b", vec(0.4))};
  scene.supports = {ground("s", Vec3(8, 0.2, 2) + vec(0.2))};
  scene.winches = {winch("first", "fa", Vec3(0.2 * in(random), 1, 0.2 * in(random)), wound),
                   winch("last", in(random) > 0 ? "c" : "s",
                         Vec3(0.2 * in(random), in(random) > 0 ? 1 : -1, 0.1), wound)};
  scene.winches[1].drum.left_hand = true;
  Cable cable = massless("rope", 1e6, 0, {"fb", "fb", "fb"});
  cable.route = {Stop::wind("first"), Stop::over("fb", 0.3, {0.1, -1, 0.1}), Stop::wind("last")};
  scene.cables = {cable};
  return scene;
}

double phi_at(ConstraintSet& set, const State& s, const std::vector<double>& q, size_t row) {
  EXPECT_TRUE(set.evaluate(q.data(), s.t, s)) << set.fault;
  return set.phi[row];
}

TEST(WinchRows, GradientAtRandomPoses) {
  std::mt19937 random(7);
  // Eight turns a layer: 8 2 pi W is the first flange.
  const Winding winding(winch("", "", Vec3::UnitY(), 0).drum);
  for (int i = 0; i < 60; ++i) {
    const double flange = 8 * 2 * pi * (1 + i % 3);
    const double W = flange + (i % 2 ? 1.0 : 0.0) * (-1.7 + 3.4 * i / 60.0) + (i % 2 ? 0.0 : 9.0);
    const Model model(two_winches(random, winding.length(W)));
    const ModelData& data = model.data();
    ConstraintSet set(data);
    State s = start_pose(data);
    for (const WinchData& w : data.mechanism.winches)
      s.q[static_cast<size_t>(w.coordinate())] = 0.3 * (i % 5 - 2);
    ASSERT_TRUE(set.evaluate(s.q.data(), 0, s)) << set.fault;
    s.wrap = set.wrap;
    const size_t row = static_cast<size_t>(data.mechanism.routes[0].runs[0].row);
    const std::vector<double> G(set.G.begin() + data.rows[row].first_entry,
                                set.G.begin() + data.rows[row].first_entry +
                                    static_cast<long>(data.rows[row].coordinates.size()));
    for (size_t k = 0; k < G.size(); ++k) {
      const auto c = static_cast<size_t>(data.rows[row].coordinates[k]);
      const double h = 1e-4;
      double f[4];
      int at = 0;
      for (const double step : {-2 * h, -h, h, 2 * h}) {
        std::vector<double> q = s.q;
        q[c] += step;
        f[at++] = phi_at(set, s, q, row);
      }
      const double slope = (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h);
      EXPECT_NEAR(G[k], slope, 2e-9) << "case " << i << ", coordinate " << c;
    }
  }
}

/// The end of a cable with mass: all its rows.
TEST(WinchRows, GradientOfACableWithMass) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> in(-1, 1);
  const Winding winding(winch("", "", Vec3::UnitY(), 0).drum);
  for (int i = 0; i < 30; ++i) {
    Scene scene =
        two_winches(random, winding.length(8 * 2 * pi * (1 + i % 3) - 1.7 + 3.4 * i / 30));
    scene.winches.pop_back();
    Cable& cable = scene.cables[0];
    cable.model = CableModel::ancf;
    cable.sections[0].mass = 1;
    cable.route = {Stop::wind("first"), Stop::hold("fb")};
    cable.elements = 3;
    const Model model(scene);
    const ModelData& data = model.data();
    ConstraintSet set(data);
    State s = start_pose(data);
    const DrumEndData& end = data.mechanism.drum_ends[0];
    ASSERT_TRUE(set.evaluate(s.q.data(), 0, s)) << set.fault;
    for (int r = 0; r < DrumEndData::rows; ++r)
      EXPECT_NEAR(set.phi[static_cast<size_t>(end.row + r)], 0, 1e-12) << "row " << r;
    for (const int c : data.rows[static_cast<size_t>(end.row)].coordinates)
      if (c < node_size * end.centre.node || c >= node_size * (end.centre.node + 1))
        s.q[static_cast<size_t>(c)] += 0.05 * in(random);
    for (size_t row = static_cast<size_t>(end.row); row <= static_cast<size_t>(end.supply_row());
         ++row) {
      phi_at(set, s, s.q, row);
      const RowInfo& info = data.rows[row];
      const std::vector<double> G(
          set.G.begin() + info.first_entry,
          set.G.begin() + info.first_entry + static_cast<long>(info.coordinates.size()));
      for (size_t k = 0; k < G.size(); ++k) {
        double f[4];
        int at = 0;
        constexpr double h = 1e-4;
        for (const double step : {-2 * h, -h, h, 2 * h}) {
          std::vector<double> q = s.q;
          q[static_cast<size_t>(info.coordinates[k])] += step;
          f[at++] = phi_at(set, s, q, row);
        }
        EXPECT_NEAR(G[k], (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h), 1e-8)
            << "case " << i << ", row " << row - static_cast<size_t>(end.row) << ", entry " << k;
      }
    }
  }
}

TEST(WinchRows, TurningPaysOutTheLengthOfTheLayers) {
  Scene scene;
  scene.bodies = {ball("load", 1, {0.2, 0, -5})};
  scene.supports = {ground("pedestal", Vec3::Zero())};
  const Winding winding(winch("", "", Vec3::UnitY(), 0).drum);
  scene.winches = {winch("main", "pedestal", Vec3::UnitY(), winding.length(140))};
  Cable cable = massless("rope", 1e6, 0, {"load", "load"});
  cable.route.front() = Stop::wind("main");
  scene.cables = {cable};
  const Model model(scene);
  const ModelData& data = model.data();
  ConstraintSet set(data);
  State s = start_pose(data);
  const auto turn = static_cast<size_t>(data.mechanism.winches[0].coordinate());
  ASSERT_TRUE(set.evaluate(s.q.data(), 0, s));
  EXPECT_NEAR(set.phi[0], 0, 1e-12);
  for (double th = 0; th < 130; th += 0.5) {
    s.q[turn] = th;
    ASSERT_TRUE(set.evaluate(s.q.data(), 0, s)) << set.fault;
    s.wrap = set.wrap;
    EXPECT_NEAR(set.off_drums[0], winding.length(140) - winding.length(140 - th), 1e-9);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
