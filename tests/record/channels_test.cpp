// Channels against closed forms and against other code.
#include "allocations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "hawser/error.h"
#include "hawser/record.h"
#include "hawser/statics.h"
#include "record/cable_reference.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

Cable rope(const std::string& name, const Vec3& start, const Vec3& end, int elements) {
  Cable cable;
  cable.name = name;
  cable.sections = {Section{1e4, 0.5, 0.4}};
  cable.route.front() = start;
  cable.route.back() = end;
  cable.elements = elements;
  return cable;
}

/// Two ropes from one hook: one of 6 elements straight down, one of 5 to a clamp beside.
Scene two_ropes() {
  Scene scene;
  scene.cables.push_back(rope("drop", {0, 0, 0}, {0, 0, -2.001}, 6));
  scene.cables[0].length = 2;
  scene.cables[0].strain = StrainMeasure::engineering;
  scene.cables[0].curvature = CurvatureMeasure::material;
  scene.cables[0].sections[0].breaking_load = 50;
  scene.cables.push_back(rope("side", {0, 0, 0}, {3, 0, 0}, 5));
  scene.supports.resize(2);
  scene.supports[0].name = "hook";
  scene.supports[1].name = "wall";
  scene.supports[1].position = {3, 0, 0};
  attach(scene.cables[0], 0, "hook");
  attach(scene.cables[1], 0, "hook");
  attach(scene.cables[1], -1, "wall", true);
  return scene;
}

/// The columns of some channels at a state.
struct Sampled {
  std::vector<Column> columns;
  std::vector<double> values;
  double operator[](const std::string& name) const {
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name == name) return values[i];
    ADD_FAILURE() << "no column " << name;
    return 0;
  }
  [[nodiscard]] Vec3 vec(const std::string& owner, const std::string& place = "") const {
    return {(*this)[owner + ".x" + place], (*this)[owner + ".y" + place],
            (*this)[owner + ".z" + place]};
  }
};

Sampled sampled(const Model& model, const State& state, const std::vector<std::string>& names) {
  Channels channels(model, names);
  Sampled out{channels.columns(), std::vector<double>(channels.columns().size(), -7e77)};
  channels.sample(state, out.values);
  return out;
}

std::string refusal(const std::string& name) {
  const Model model(two_ropes());
  try {
    Channels(model, {name});
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Channels, HangingRopeCarriesWhatHangsBelowEverywhere) {
  const Model model(two_ropes());
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  const Sampled s =
      sampled(model, state,
              {"drop.tension@start", "drop.tension@end", "drop.tension@0.25", "drop.tension@0.5",
               "drop.tension@1.7 m", "drop.strain@1.7 m", "drop.utilisation@0.25",
               "drop.curvature@0.3", "drop.length", "hook.force"});
  const double weight = 0.4 * 9.81;  // of a metre [N]
  EXPECT_NEAR(s["drop.tension@start"], 2 * weight, 1e-9);
  EXPECT_NEAR(s["drop.tension@end"], 0, 1e-9);
  EXPECT_NEAR(s["drop.tension@0.25"], 1.5 * weight, 1e-9);  // inside an element
  EXPECT_NEAR(s["drop.tension@0.5"], 1.0 * weight, 1e-9);   // at a node
  EXPECT_NEAR(s["drop.tension@1.7 m"], 0.3 * weight, 1e-9);
  EXPECT_NEAR(s["drop.strain@1.7 m"], 0.3 * weight / 1e4, 1e-13);
  EXPECT_NEAR(s["drop.utilisation@0.25"], 1.5 * weight / 50, 1e-11);
  EXPECT_NEAR(s["drop.curvature@0.3"], 0, 1e-9);
  EXPECT_NEAR(s["drop.length"], 2 + weight * 2 * 2 / 2 / 1e4, 1e-12);  // w L^2 / (2 EA)
}

TEST(Channels, NoPlaceIsBeyondTheExtremes) {
  const Model model(two_ropes());
  Integrator integrator(model, {});
  State hanging = integrator.start();
  ASSERT_TRUE(equilibrium(model, hanging).converged);
  State shaken = reference::shaken(model, integrator.start(), 3);
  shaken.axial_force_valid = false;
  State moving = integrator.start();
  ASSERT_EQ(integrator.advance(moving, 0.1), Status::ok);
  for (const State& state : {hanging, shaken, moving})
    for (const std::string cable : {"drop", "side"})
      for (const std::string quantity : {"tension", "strain", "curvature", "moment"}) {
        const std::string channel = cable + "." + quantity + "@";
        const Sampled s = sampled(model, state, {channel + "min", channel + "max"});
        for (int i = 0; i <= 60; ++i) {  // nodes of either cable among them
          const std::string place = channel + (i == 0    ? "start"
                                               : i == 60 ? "end"
                                                         : fmt::format("{:.17g}", i / 60.0));
          const double there = sampled(model, state, {place}).values[0];
          const double rounding = 1e-12 * std::abs(there);
          EXPECT_GE(s[channel + "max"], there - rounding) << place;
          if (quantity == "tension" || quantity == "strain") {  // others may vanish in an element
            EXPECT_LE(s[channel + "min"], there + rounding) << place;
          }
        }
      }
  EXPECT_NEAR(sampled(model, hanging, {"drop.tension@max"}).values[0], 2 * 0.4 * 9.81, 1e-9);
}

TEST(Channels, SupportsAddUpWhatTheyDoToTheCables) {
  const Model model(two_ropes());
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  const Sampled s =
      sampled(model, state, {"reactions", "hook.position", "wall.position.x", "hook.moment.y"});
  EXPECT_NEAR(s["hook.force.z"] + s["wall.force.z"], (2 + 3) * 0.4 * 9.81, 1e-7);
  EXPECT_NEAR(s["hook.force.x"] + s["wall.force.x"], 0, 1e-7);
  EXPECT_LT(s["hook.force.x"], -1);  // it pulls the side rope away from the wall
  const Reaction drop = reaction(model, state, Place::start("drop"));
  const Reaction side = reaction(model, state, Place::start("side"));
  const Reaction wall = reaction(model, state, Place::end("side"));
  EXPECT_LT((s.vec("hook.force") - drop.force - side.force).norm(), 1e-12);
  EXPECT_LT((s.vec("wall.moment") - wall.moment).norm(), 1e-12);
  EXPECT_GT(wall.moment.norm(), 0.1) << "the clamp is meant to bend the rope";
  EXPECT_EQ(s["hook.moment.y"], 0);
  EXPECT_EQ(s.vec("hook.position"), Vec3(0, 0, 0));
  EXPECT_EQ(s["wall.position.x"], 3);
  EXPECT_EQ(s.columns.size(), 3U + 3 + 3 + 3 + 1 + 1);  // the hook does not clamp
}

TEST(Channels, InterpolateAsBezierCurvesDo) {
  const Model model(two_ropes());
  const State state = reference::shaken(model, Integrator(model, {}).start(), 1);
  const Sampled s = sampled(model, state,
                            {"side.position@0.7", "side.velocity@0.7", "side.direction@0.7",
                             "side.curvature@0.7", "side.moment@0.7", "drop.curvature@0.7"});
  const int side = model.node(Place::start("side"));
  const double l = 3.0 / 5;  // 0.7 of 5 elements: element 3 at xi = 0.5
  const reference::Curve q = reference::curve_at(state.q, side + 3, l, 0.5);
  EXPECT_LT((s.vec("side.position", "@0.7") - q.r).norm(), 1e-12);
  EXPECT_LT(
      (s.vec("side.velocity", "@0.7") - reference::curve_at(state.v, side + 3, l, 0.5).r).norm(),
      1e-12);
  EXPECT_LT((s.vec("side.direction", "@0.7") - q.r1.normalized()).norm(), 1e-12);
  EXPECT_NEAR(s["side.curvature@0.7"], q.r2.norm(), 1e-10);  // this cable's measure
  EXPECT_NEAR(s["side.moment@0.7"], 0.5 * q.r2.norm(), 1e-10);
  const reference::Curve d = reference::curve_at(state.q, 4, 2.0 / 6, 0.2);  // 4.2 elements
  EXPECT_NEAR(s["drop.curvature@0.7"], d.r1.cross(d.r2).norm() / d.r1.squaredNorm(), 1e-10);
}

TEST(Channels, TakeTheMeanOfBothSidesAtANode) {
  const Model model(two_ropes());
  const State state = reference::shaken(model, Integrator(model, {}).start(), 2);
  const Sampled s =
      sampled(model, state, {"side.curvature@0.4", "side.tension@0.4", "side.strain@1.2 m"});
  const int node = model.node(nth("side", 2, 5));
  const reference::Curve before = reference::curve_at(state.q, node - 1, 0.6, 1);
  const reference::Curve after = reference::curve_at(state.q, node, 0.6, 0);
  EXPECT_NEAR(s["side.curvature@0.4"], (before.r2.norm() + after.r2.norm()) / 2, 1e-10);
  EXPECT_GT(std::abs(before.r2.norm() - after.r2.norm()), 0.1);
  const auto points = profile(model, state, 1);
  const auto mean = [&](double CablePoint::*quantity) {
    return (reference::fitted(points, 5, 1, 1, quantity) +
            reference::fitted(points, 5, 2, 0, quantity)) /
           2;
  };
  EXPECT_NEAR(s["side.tension@0.4"], mean(&CablePoint::tension), 1e-8);
  EXPECT_NEAR(s["side.strain@1.2 m"], mean(&CablePoint::strain), 1e-12);
}

TEST(Channels, UseTheAxialForceThatIsAState) {
  const Model model(two_ropes());
  State state = Integrator(model, {}).start();
  state.axial_force.assign(state.axial_force.size(), 12);
  state.axial_force_valid = true;
  const Sampled s = sampled(model, state, {"drop.tension@0.3", "drop.strain@0.3"});
  EXPECT_NEAR(s["drop.tension@0.3"], 12, 1e-12);
  EXPECT_NEAR(s["drop.strain@0.3"], 12e-4, 1e-15);
  state.axial_force_valid = false;
  EXPECT_NEAR(sampled(model, state, {"drop.tension@0.3"})["drop.tension@0.3"], 1e4 * 0.001 / 2,
              1e-8);
}

TEST(Channels, FindExtremesOverTheProfile) {
  const Model model(two_ropes());
  const State state = reference::shaken(model, Integrator(model, {}).start(), 3);
  const Sampled s = sampled(model, state,
                            {"side.tension@min", "side.tension@max", "side.strain@max",
                             "side.curvature@max", "side.moment@min", "drop.utilisation@max"});
  const auto extremes = [&](int cable, double CablePoint::*quantity) {
    std::pair<double, double> out{1e300, -1e300};
    for (const CablePoint& p : profile(model, state, cable))
      out = {std::min(out.first, p.*quantity), std::max(out.second, p.*quantity)};
    return out;
  };
  EXPECT_DOUBLE_EQ(s["side.tension@min"], extremes(1, &CablePoint::tension).first);
  EXPECT_DOUBLE_EQ(s["side.tension@max"], extremes(1, &CablePoint::tension).second);
  EXPECT_DOUBLE_EQ(s["side.strain@max"], extremes(1, &CablePoint::strain).second);
  double most = extremes(1, &CablePoint::curvature).second;
  for (int node = 0; node <= 5; ++node)  // the ends of the elements, of either side
    for (const double at : {node / 5.0 - 2e-9, node / 5.0 + 2e-9})
      if (at > 0 && at < 1) {
        const std::string place = fmt::format("side.curvature@{:.17g}", at);
        most = std::max(most, sampled(model, state, {place}).values[0]);
      }
  EXPECT_NEAR(s["side.curvature@max"], most, 1e-7);
  EXPECT_NEAR(s["side.moment@min"], extremes(1, &CablePoint::moment).first, 1e-10);
  EXPECT_DOUBLE_EQ(s["drop.utilisation@max"], extremes(0, &CablePoint::tension).second / 50);
}

TEST(Channels, AnExtremeOverNanIsNan) {
  const Model model(two_ropes());
  State state = Integrator(model, {}).start();
  state.axial_force_valid = false;
  state.q[6] = std::nan("");  // of the second node of six
  EXPECT_TRUE(std::isnan(sampled(model, state, {"drop.tension@max"}).values[0]));
  EXPECT_TRUE(std::isnan(sampled(model, state, {"drop.tension@min"}).values[0]));
}

TEST(Channels, EnergyAndMomentumAreThoseOfMeasure) {
  const Model model(two_ropes());
  State state = reference::shaken(model, Integrator(model, {}).start(), 4);
  state.books.work = 3;
  const Sampled s = sampled(model, state, {"energy.work", "momentum", "energy"});
  const Energy e = energy(model, state);
  const Momentum m = momentum(model, state);
  EXPECT_EQ(s["energy.kinetic"], e.kinetic);
  EXPECT_EQ(s["energy.axial"], e.axial);
  EXPECT_EQ(s["energy.bending"], e.bending);
  EXPECT_EQ(s["energy.potential"], e.potential);
  EXPECT_EQ(s["energy.work"], 3);
  EXPECT_EQ(s["energy.balance"], e.balance());
  EXPECT_EQ(s.vec("momentum.linear"), m.linear);
  EXPECT_EQ(s.vec("momentum.angular"), m.angular);
  EXPECT_GT(m.angular.norm(), 0);
}

TEST(Channels, NameColumnsWithUnitsAndGiveEachOnce) {
  const Model model(two_ropes());
  const Channels channels(
      model, {"drop.position@end", "drop.position.z@end", "side.direction.y@3.0 m", "hook.force.z",
              "momentum.angular.x", "energy.axial", "drop.length"});
  std::string all;
  for (const Column& c : channels.columns()) all += c.name + " [" + c.unit + "]\n";
  EXPECT_EQ(all,
            "drop.position.x@end [m]\ndrop.position.y@end [m]\ndrop.position.z@end [m]\n"
            "side.direction.y@3.0 m []\nhook.force.z [N]\nmomentum.angular.x [kg m^2/s]\n"
            "energy.axial [J]\ndrop.length [m]\n");
}

TEST(Channels, OwnersMayHaveDots) {
  Scene scene;
  scene.cables.push_back(rope("a", {0, 0, 0}, {1, 0, 0}, 2));
  scene.cables.push_back(rope("a.b", {5, 0, 0}, {7, 0, 0}, 2));
  hold(scene, "a", 0);
  const Model model(scene);
  Channels channels(model, {"a.position.x@end", "a.start.position.x", "a.b.position.x@end"});
  std::vector<double> out(3);
  channels.sample(Integrator(model, {}).start(), out);
  EXPECT_EQ(out, (std::vector<double>{1, 0, 7}));
}

TEST(Channels, DefaultsWatchFreeEndsTensionsAndSupports) {
  const Model model(two_ropes());
  EXPECT_EQ(
      default_channels(model),
      (std::vector<std::string>{"drop.position@end", "drop.tension@start", "drop.tension@end",
                                "drop.tension@max", "drop.utilisation@max", "side.tension@start",
                                "side.tension@end", "side.tension@max", "reactions", "energy"}));
  EXPECT_EQ(Channels(model, default_channels(model)).columns().size(), 3U + 7 + 9 + 8);
}

TEST(Channels, SayWhatIsWrongWithAName) {
  const auto expect_parts = [](const std::string& name, const std::vector<std::string>& parts) {
    const std::string text = refusal(name);
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  };
  expect_parts("dorp.tension@end", {"channel 'dorp.tension@end'", "'dorp'", "drop, side, hook",
                                    "Did you mean 'drop'?"});
  expect_parts("drop.tensoin@end", {"'tensoin'", "velocity", "Did you mean 'tension'?"});
  expect_parts("drop.tension@edn", {"'edn'", "a fraction", "2 m", "Did you mean 'end'?"});
  expect_parts("hook.farce", {"'farce'", "force, moment, position", "Did you mean 'force'?"});
  expect_parts("energy.kinetik", {"'kinetik'", "Did you mean 'kinetic'?"});
  expect_parts("drop.position.w@end", {"component 'w'", "x, y, z"});
  expect_parts("drop.tension.x@end", {"component 'x'", "'tension' without a component"});
  expect_parts("drop.tension", {"no point", "'drop.tension@end'"});
  expect_parts("drop.tension@", {"no point"});
  expect_parts("hook.force@end", {"a point ('@end')", "'hook.force'"});
  expect_parts("drop.position@max", {"'max' of position", "scalar"});
  expect_parts("drop.tension@1.25", {"'1.25'", "2 m long"});
  expect_parts("drop.tension@-0.1 m", {"'-0.1 m'"});
  expect_parts("drop.tension@2.5 m", {"'2.5 m'", "2 m long"});
  expect_parts("drop.tension@nan", {"'nan'"});
  expect_parts("drop.tension@0.5 ft", {"'0.5 ft'", "a length"});
  expect_parts("side.utilisation@max", {"'side' without a breaking load", "breaking load"});
  expect_parts("reaction", {"'reaction'", "Did you mean 'reactions'?"});
  expect_parts("", {"channel ''"});
}

TEST(Channels, RefuseTooLittleRoom) {
  const Model model(two_ropes());
  Channels channels(model, {"energy"});
  std::vector<double> out(5);
  EXPECT_THROW(channels.sample(Integrator(model, {}).start(), out), Error);
}

#ifdef COUNTS_ALLOCATIONS
TEST(Channels, SampleWithoutAllocating) {
  const Model model(two_ropes());
  const State state = Integrator(model, {}).start();
  std::vector<std::string> names = default_channels(model);
  for (const char* name : {"momentum", "drop.length", "side.position@0.3", "side.curvature@0.4",
                           "side.moment@max", "side.direction@0.1"})
    names.emplace_back(name);
  Channels channels(model, names);
  std::vector<double> out(channels.columns().size());
  const long before = allocations;
  channels.sample(state, out);
  EXPECT_EQ(allocations - before, 0);
}
#endif

/// A spare support is no reason to refuse a scene; its force is one when it is asked for.
TEST(Channels, LeaveOutASupportThatHoldsNothing) {
  Scene scene = two_ropes();
  const size_t columns = Channels(Model(scene), default_channels(Model(scene))).columns().size();
  scene.supports.emplace_back().name = "spare";
  const Model model(scene);
  EXPECT_EQ(Channels(model, default_channels(model)).columns().size(), columns);
  EXPECT_THROW(Channels(model, {"spare.force"}), Error);
}

/// A rope with a load, that runs over a pulley: places of the material and places in space.
Scene hoist(CableModel model) {
  Scene scene;
  scene.supports.resize(2);
  scene.supports[0].name = "winch";
  scene.supports[0].position = {-4, 0, 0.2};
  scene.supports[1].name = "head";
  Body load;
  load.name = "load";
  load.mass = 50;
  load.inertia = 0.5 * Eigen::Matrix3d::Identity();
  load.position = {0.2, 0, -6};
  scene.bodies = {load};
  Cable c = rope("rope", {}, {}, 12);
  c.sections = {Section{1e5, 1e-2, 1}};
  c.sections[0].axial_damping.viscosity = 2e-2;
  c.model = model;
  c.route = {Stop::hold("winch"), Stop::over("head", 0.2, Vec3::UnitY()), Stop::hold("load")};
  c.payout = Signal::smooth(0, -3, 0, 3);
  scene.cables = {c};
  scene.initial = Initial::rest;
  return scene;
}

TEST(Channels, PlacesInSpaceAndOfTheMaterialOfCableThatFlows) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    Model model(hoist(kind));
    SolveOptions options;
    options.step = 5e-3;
    Integrator integrator(model, options);
    State state = integrator.start();
    const std::vector<std::string> names = {"rope.position@1.5 m after head",
                                            "rope.position@1 m before head",
                                            "rope.position@2 m before end",
                                            "rope.position@1 m after start",
                                            "rope.position@8 m",
                                            "rope.tension@1.5 m after head",
                                            "rope.position@2.5 m",
                                            "rope.position@5 m after head"};
    EXPECT_TRUE(Channels(model, names).off_cable(state).empty());
    while (state.t < 7) {
      ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
      const auto mesh = renewed_mesh(model, state);
      if (!mesh) continue;
      model = Model(model.scene(), *mesh);
      integrator.change_mesh(model, state);
    }
    const Sampled s = sampled(model, state, names);
    // The load hangs 3 m below the pulley, and the rope sags little before it.
    EXPECT_NEAR(s.vec("rope.position", "@1.5 m after head").z(), -1.5, 2e-3);
    EXPECT_NEAR(s.vec("rope.position", "@1.5 m after head").x(), 0.2, 2e-3);
    EXPECT_NEAR(s.vec("rope.position", "@1 m before head").x(), -1, 0.02);
    EXPECT_NEAR(s.vec("rope.position", "@1 m after start").x(), -3, 2e-3);
    const double load = s.vec("rope.position", "@2 m before end").z();
    EXPECT_NEAR(load, -3 + 2, 0.05);
    EXPECT_NEAR(s["rope.tension@1.5 m after head"], (50 + 1.5) * 9.81,
                kind == CableModel::ancf ? 1 : 8);  // np-fem: of the middle of the element
    // 10.3 m at first: what was 8 m from its start is as far from the load as then, unstretched.
    const double end = model.mesh().s[0].back();
    EXPECT_NEAR(s.vec("rope.position", "@8 m").z() - load, (end - 8) * 1.005 - 2, 5e-3);
    // Reeled in, and not there any more.
    const std::vector<std::string> off = Channels(model, names).off_cable(state);
    ASSERT_EQ(off.size(), 2u);
    EXPECT_EQ(off[0], "rope.position@2.5 m");
    EXPECT_EQ(off[1], "rope.position@5 m after head");
  }
}

TEST(Channels, RefusesPlacesInSpaceThatAreNone) {
  const Model model(hoist(CableModel::ancf));
  const auto why = [&](const std::string& place) -> std::string {
    try {
      Channels(model, {"rope.tension@" + place});
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(why("1 m after head"), "accepted");
  EXPECT_NE(why("1 m after haed").find("Did you mean 'head'"), std::string::npos);
  EXPECT_NE(why("1 m before start").find("expected one of end, head"), std::string::npos);
  EXPECT_NE(why("1 after head").find("'1.5 m'"), std::string::npos);
  EXPECT_NE(why("-1 m after head").find("0 m or more"), std::string::npos);
  EXPECT_NE(refusal("drop.tension@3 m after start").find("2 m long"), std::string::npos);
  EXPECT_EQ(refusal("drop.tension@1 m after start"), "accepted");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
