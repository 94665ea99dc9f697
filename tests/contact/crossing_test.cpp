// Massless cables that lie on each other: docs/theory/routes.md.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "../bench/flow_scenes.h"
#include "assembly/constraint_set.h"
#include "constraints/route_rows.h"
#include "hawser/error.h"
#include "hawser/modes.h"
#include "hawser/statics.h"
#include "model/met_cables.h"

namespace hawser::HAWSER_FILE {
namespace {

using flowing::at;
using flowing::by;
using flowing::FlowRun;
using flowing::load;

/// Where the cables of a run lie on each other.
Vec3 place(const FlowRun& run, size_t crossing = 0) {
  ConstraintSet set(run.model.data());
  EXPECT_TRUE(set.evaluate(run.state.q.data(), run.state.t, run.state)) << set.fault;
  return set.find<RouteRows>()->crossed(crossing).place;
}

Cable string(const std::string& name, std::vector<Stop> route, double EA = 2e4) {
  Cable out;
  out.name = name;
  out.model = CableModel::massless;
  out.sections = {Section{EA, 0, 0}};
  out.route = std::move(route);
  return out;
}

void meet(Scene& scene, std::vector<std::string> cables) {
  Contact contact;
  contact.name = "meets";
  contact.cables = std::move(cables);
  scene.contacts = {contact};
}

TEST(Crossings, FindsWhatPasses) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto point = [&] { return Vec3(any(random), any(random), any(random)); };
  const auto volume = [](const MovingPart& x, const MovingPart& y, double t) {
    const auto way = [t](const Vec3(&p)[2]) { return Vec3(p[0] + t * (p[1] - p[0])); };
    const Vec3 a = way(x.a), b = way(y.a);
    return std::pair((b - a).dot((way(x.b) - a).cross(way(y.b) - b)), 0);
  };
  const auto inside = [](const MovingPart& x, const MovingPart& y, double t) {
    const auto way = [t](const Vec3(&p)[2]) { return Vec3(p[0] + t * (p[1] - p[0])); };
    const Vec3 a = way(x.a), b = way(y.a), d = way(x.b) - a, e = way(y.b) - b;
    Eigen::Matrix<double, 3, 2> A;
    A << d, -e;
    const Eigen::Vector2d share = (A.transpose() * A).ldlt().solve(A.transpose() * (b - a));
    return share.minCoeff() > 0 && share.maxCoeff() < 1;
  };
  int passes = 0;
  for (int i = 0; i < 600; ++i) {
    const Vec3 by = 0.3 * point(), with = 0.3 * point();
    MovingPart x{{point(), {}}, {point(), {}}}, y{{point(), {}}, {point(), {}}};
    x.a[1] = x.a[0] + by + 0.1 * point(), x.b[1] = x.b[0] + by + 0.1 * point();
    y.a[1] = y.a[0] + with + 0.1 * point(), y.b[1] = y.b[0] + with + 0.1 * point();
    bool passed = false;
    constexpr int samples = 100;
    for (int k = 0; k < samples; ++k) {
      const double t = static_cast<double>(k) / samples, next = t + 1.0 / samples;
      if ((volume(x, y, t).first > 0) != (volume(x, y, next).first > 0) &&
          inside(x, y, t + 0.5 / samples))
        passed = !passed;
    }
    EXPECT_EQ(passing(x, y).found, passed) << i;
    passes += passed ? 1 : 0;
  }
  EXPECT_GT(passes, 20);
}

/// A string with a weight over the end of its span, and another one across it whose ends sink.
Scene lowered() {
  Scene scene;
  scene.supports = {at("a", {-1, 0.1, 0}), at("b", {1, -0.1, 0.1}), at("c", {0.3, -1, 0.2}),
                    at("d", {0.1, 1, 0.2})};
  scene.supports[2].motion[2] = Signal::smooth(0, -0.6, 0, 1);
  scene.supports[3].motion[2] = Signal::smooth(0, -0.4, 0, 1);
  scene.bodies = {load("left", 3, {1, -0.1, -0.9}), load("right", 2, {0.1, 1, -0.8})};
  scene.cables = {string("rope", {Stop::hold("a"), Stop::over("b"), Stop::hold("left")}),
                  string("line", {Stop::hold("c"), Stop::over("d"), Stop::hold("right")})};
  for (Cable& c : scene.cables) c.sections[0].axial_damping.viscosity = 0.02;
  meet(scene, {"rope", "line"});
  return scene;
}

/// The point with the least sum of weighted distances, by the method of Weiszfeld.
Vec3 weighted_median(const std::vector<std::pair<Vec3, double>>& points) {
  Vec3 p = Vec3::Zero();
  for (const auto& [x, weight] : points) p += x / static_cast<double>(points.size());
  for (int i = 0; i < 500; ++i) {
    Vec3 sum = Vec3::Zero();
    double all = 0;
    for (const auto& [x, weight] : points) {
      const double share = weight / (x - p).norm();
      sum += share * x;
      all += share;
    }
    p = sum / all;
  }
  return p;
}

/// Weights pull both strings: where they lie on each other the sum of the lengths, each times its
/// weight, is least.
TEST(Crossings, RestWhereTheWeightedLengthsAreLeast) {
  FlowRun run(lowered(), by(2e-3));
  ASSERT_EQ(run.to(2), Status::ok) << run.integrator.failure().message();
  ASSERT_EQ(run.model.mesh().crossings.size(), 1u);
  EXPECT_EQ(run.changes, 1);
  const StaticReport report = equilibrium(run.model, run.state);
  ASSERT_TRUE(report.converged) << report.message;
  const Vec3 expected = weighted_median(
      {{{-1, 0.1, 0}, 3}, {{1, -0.1, 0.1}, 3}, {{0.3, -1, -0.4}, 2}, {{0.1, 1, -0.2}, 2}});
  EXPECT_NEAR((place(run) - expected).norm(), 0, 1e-9) << place(run).transpose();
  EXPECT_NEAR(run.read("rope.tension@start"), 3 * flowing::g, 1e-6);
  EXPECT_NEAR(run.read("line.tension@start"), 2 * flowing::g, 1e-6);
}

/// Frequencies are those of strings through a bead of next to no mass.
TEST(Crossings, VibrateAsThroughABead) {
  FlowRun run(lowered(), by(2e-3));
  ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
  ASSERT_TRUE(equilibrium(run.model, run.state).converged);
  Scene scene = lowered();
  scene.contacts.clear();
  for (Cable& c : scene.cables) {
    double length = 0;
    const auto stop = [&](size_t i) {
      for (const Support& s : lowered().supports)
        if (s.name == c.route[i].on) return s.position;
      return c.route[i].on == "left" ? lowered().bodies[0].position : lowered().bodies[1].position;
    };
    for (size_t i = 0; i + 1 < c.route.size(); ++i) length += (stop(i + 1) - stop(i)).norm();
    c.length = length;
    c.route.insert(c.route.begin() + 1, Stop::over("bead"));
  }
  for (const size_t i : {2, 3}) {
    scene.supports[i].motion[2] = 0.0;
    scene.supports[i].position.z() += i == 2 ? -0.6 : -0.4;
  }
  scene.bodies[0].position = run.place("left");
  scene.bodies[1].position = run.place("right");
  scene.bodies.push_back(load("bead", 1e-7, place(run)));
  const Model model(scene);
  State state = Integrator(model, by(2e-3)).start();
  const StaticReport report = equilibrium(model, state);
  ASSERT_TRUE(report.converged) << report.message;
  ModeOptions all;
  all.count = 15;
  const auto frequencies = [&](const Model& of, const State& rest) {
    std::vector<double> out;
    for (const Mode& mode : modes(of, rest, all).modes)
      if (mode.frequency > 0.01 && mode.residual < 1e-6) out.push_back(mode.frequency);
    return out;
  };
  const std::vector<double> found = frequencies(run.model, run.state),
                            expected = frequencies(model, state);
  ASSERT_EQ(found.size(), 5u);
  ASSERT_EQ(expected.size(), 5u);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-5 * expected[i]) << i;
}

/// And they move as through a small bead: two loads of different mass on a string that lies on
/// another one, which is aslant. They slide along both.
TEST(Crossings, MoveAsThroughABead) {
  const double down = 0.4 / 2.2, above = 1e-6;
  const auto scene = [&](bool bead) {
    Scene out;
    out.supports = {at("a", {-1, 0, 0}), at("b", {1.2, 0, -0.4})};
    out.bodies = {load("left", 1, {0.1, -0.5, -down - 0.01 + above}),
                  load("right", 1.2, {-0.1, 0.5, -down + 0.01 + above})};
    out.cables = {string("rope", {Stop::hold("a"), Stop::hold("b")}, 2000),
                  string("line", {Stop::hold("left"), Stop::hold("right")}, 2000)};
    for (Cable& c : out.cables) c.sections[0].axial_damping.viscosity = 2e-3;
    if (!bead) {
      meet(out, {"rope", "line"});
      return out;
    }
    out.bodies.push_back(load("bead", 2e-4, {0, 0, -down}));
    for (Cable& c : out.cables) c.route.insert(c.route.begin() + 1, Stop::over("bead"));
    return out;
  };
  FlowRun run(scene(false), by(1e-3)), with(scene(true), by(1e-4));
  ASSERT_EQ(run.to(0.5), Status::ok) << run.integrator.failure().message();
  ASSERT_EQ(with.to(0.5), Status::ok) << with.integrator.failure().message();
  EXPECT_GT((run.place("left") - Vec3(0.1, -0.5, -down)).norm(), 0.5);
  EXPECT_NEAR((run.place("left") - with.place("left")).norm(), 0, 5e-4);
  EXPECT_NEAR((run.place("right") - with.place("right")).norm(), 0, 5e-4);
  EXPECT_NEAR((place(run) - with.place("bead")).norm(), 0, 2e-3);
}

/// Two strings across a third one, on the same straight part of it.
TEST(Crossings, SeveralOnOnePart) {
  Scene scene = lowered();
  scene.supports.push_back(at("e", {-0.3, -1, 0.2}));
  scene.supports.push_back(at("f", {-0.5, 1, 0.25}));
  scene.supports[4].motion[2] = Signal::smooth(0, -0.5, 0, 1);
  scene.supports[5].motion[2] = Signal::smooth(0, -0.4, 0, 1);
  scene.bodies.push_back(load("third", 1.5, {-0.5, 1, -0.8}));
  scene.cables.push_back(string("other", {Stop::hold("e"), Stop::over("f"), Stop::hold("third")}));
  scene.cables[2].sections[0].axial_damping.viscosity = 0.02;
  meet(scene, {"rope", "line", "other"});
  FlowRun run(scene, by(2e-3));
  ASSERT_EQ(run.to(1.5), Status::ok) << run.integrator.failure().message();
  ASSERT_EQ(run.model.mesh().crossings.size(), 2u);
  const StaticReport report = equilibrium(run.model, run.state);
  ASSERT_TRUE(report.converged) << report.message;
  Vec3 p(0.2, 0, 0), q(-0.4, 0, 0);
  for (int i = 0; i < 60; ++i) {
    p = weighted_median({{q, 3}, {{1, -0.1, 0.1}, 3}, {{0.3, -1, -0.4}, 2}, {{0.1, 1, -0.2}, 2}});
    q = weighted_median(
        {{{-1, 0.1, 0}, 3}, {p, 3}, {{-0.3, -1, -0.3}, 1.5}, {{-0.5, 1, -0.15}, 1.5}});
  }
  const bool line_first = run.model.mesh().crossings[0].cable[1] == 1;
  EXPECT_NEAR((place(run, line_first ? 0 : 1) - p).norm(), 0, 1e-8);
  EXPECT_NEAR((place(run, line_first ? 1 : 0) - q).norm(), 0, 1e-8);
}

/// They part again where they would have to pull, and nothing of it is left.
TEST(Crossings, PartAgain) {
  Scene scene = lowered();
  for (const size_t i : {2, 3}) {
    const double deep = i == 2 ? -0.6 : -0.4;
    const Signal down = Signal::smooth(0, deep, 0, 0.6), up = Signal::smooth(0, -deep, 0.8, 1.4);
    scene.supports[i].motion[2] = Signal::function([down, up](double t) {
      const Signal::Sample a = down.at({t, {}}), b = up.at({t, {}});
      return Signal::Sample{a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
    });
  }
  FlowRun run(scene, by(2e-3));
  ASSERT_EQ(run.to(0.7), Status::ok) << run.integrator.failure().message();
  EXPECT_EQ(run.model.mesh().crossings.size(), 1u);
  ASSERT_EQ(run.to(1.6), Status::ok) << run.integrator.failure().message();
  EXPECT_TRUE(run.model.mesh().crossings.empty());
  EXPECT_LT(run.changes, 8);
}

/// Two loads on a string that falls over another one, which hangs between two supports: it is
/// caught, and the loads swing through and up.
Scene hooked() {
  Scene scene;
  scene.supports = {at("a", {-1, 0, 0}), at("b", {1, 0, 0})};
  scene.bodies = {load("left", 1, {0.1, -0.5, 0.05}), load("right", 1, {-0.1, 0.5, 0.05})};
  scene.cables = {string("rope", {Stop::hold("a"), Stop::hold("b")}),
                  string("line", {Stop::hold("left"), Stop::hold("right")})};
  scene.cables[0].length = 2.1;
  meet(scene, {"rope", "line"});
  return scene;
}

/// Energy is kept, by all methods; both strings go slack and come taut on the way.
TEST(Crossings, HookedStringsKeepEnergy) {
  struct Case {
    Method method;
    double h, apart, taken, given;  // [s], [m], [J]
  };
  FlowRun fine(hooked(), by(1e-3 / 16));
  ASSERT_EQ(fine.to(1), Status::ok) << fine.integrator.failure().message();
  const Vec3 expected = fine.place("left");
  EXPECT_GT(fine.changes, 1);
  for (const Case& c :
       {Case{Method::mixed, 1e-3, 0.01, 0.01, 1e-3},
        Case{Method::linearized, 1e-3, 0.01, 0.01, 1e-3},
        Case{Method::newton, 1e-3, 0.01, 0.01, 1e-3}, Case{Method::spook, 1e-3, 0.01, 0.01, 1e-3},
        Case{Method::mixed3, 1e-3, 0.01, 0.01, 1e-3}}) {
    FlowRun run(hooked(), by(c.h, c.method));
    const double start = energy(run.model, run.state).total();
    ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
    const double gained = energy(run.model, run.state).total() - start;
    EXPECT_LT((run.place("left") - expected).norm(), c.apart) << static_cast<int>(c.method);
    EXPECT_LT(gained, c.given) << static_cast<int>(c.method);
    EXPECT_GT(gained, -c.taken) << static_cast<int>(c.method);
  }
}

/// A string between two bodies at 50 m/s does not pass another one.
TEST(Crossings, NothingPasses) {
  for (const double h : {1e-2, 1e-3})
    for (const double offset : {0.0, 0.013, 0.21, 0.37}) {
      Scene scene;
      scene.gravity.setZero();
      scene.supports = {at("a", {0, -1, 0}), at("b", {0, 1, 0})};
      scene.bodies = {load("low", 1, {-1 - offset, 0.1, -1}), load("high", 1, {-1 - offset, 0, 1})};
      for (Body& b : scene.bodies) b.velocity = {50, 0, 0};
      scene.cables = {string("rope", {Stop::hold("a"), Stop::hold("b")}),
                      string("line", {Stop::hold("low"), Stop::hold("high")})};
      meet(scene, {"rope", "line"});
      FlowRun run(scene, by(h));
      const double start = energy(run.model, run.state).total();
      ASSERT_EQ(run.to(0.05), Status::ok) << run.integrator.failure().message();
      ASSERT_EQ(run.model.mesh().crossings.size(), 1u);
      EXPECT_LT(place(run).x(), run.place("low").x());
      EXPECT_LT(energy(run.model, run.state).total(), 1.001 * start) << h << " " << offset;
    }
}

/// From a state in which they lie on each other, another integrator goes on to the same bits.
TEST(Crossings, GoOnFromAState) {
  FlowRun run(hooked(), by(2e-3));
  ASSERT_EQ(run.to(0.6), Status::ok);
  ASSERT_FALSE(run.model.mesh().crossings.empty());
  const Model model(hooked(), run.model.mesh());
  Integrator other(model, by(2e-3));
  State state = run.state;
  other.resume(state);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(other.step(state), Status::ok);
    ASSERT_EQ(run.integrator.step(run.state), Status::ok);
  }
  EXPECT_EQ(state.q, run.state.q);
  EXPECT_EQ(state.bends, run.state.bends);
}

/// A cable that is cut lets the other one go.
TEST(Crossings, CutCablesLetGo) {
  FlowRun run(lowered(), by(2e-3));
  ASSERT_EQ(run.to(1), Status::ok);
  const Mesh cut = with_cut(run.model.scene(), run.model.mesh(), 1, 0);
  EXPECT_TRUE(cut.crossings.empty());
  run.model = Model(run.model.scene(), cut);
  run.integrator.change_mesh(run.model, run.state);
  ASSERT_EQ(run.to(1.2), Status::ok) << run.integrator.failure().message();
  EXPECT_EQ(run.read("line.tension@start"), 0);
  EXPECT_NEAR(run.read("rope.length"), Vec3(2, -0.2, 0.1).norm() + 1, 0.02);
}

TEST(Crossings, SaysWhatIsNotModelled) {
  const auto message = [](const Scene& given, const std::function<void(Scene&)>& change) {
    Scene scene = given;
    change(scene);
    try {
      FlowRun run(scene, by(2e-3));
      if (run.to(1.5) != Status::ok) return run.integrator.failure().message();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const Scene scene = lowered();
  EXPECT_EQ(message(scene, [](Scene&) {}), "");
  has(message(scene, [](Scene& s) { s.contacts[0].friction = 0.1; }), "without friction");
  has(message(scene, [](Scene& s) { s.cables[1].route[1].friction = 0.1; }), "on its route");
  has(message(scene, [](Scene& s) { s.contacts[0].cables = {"rope", "rope"}; }), "touches itself");
  has(message(scene, [](Scene& s) { s.cables[1].sections[0].GJ = 1; }), "torsional stiffness");
  has(message(scene,
              [](Scene& s) {
                s.cables[1].drive = {Drive::Kind::velocity, 0.1, 0.0};
              }),
      "speed is given");
  has(message(scene,
              [](Scene& s) {
                s.cables[1] = flowing::rope({Stop::hold("c"), Stop::hold("d")}, 1e4, 0, 0.1, 8);
                s.cables[1].name = "line";
              }),
      "cables that are all massless");
  has(message(scene,
              [](Scene& s) {
                s.supports[0].position = {-1, 0, 0.2}, s.supports[1].position = {1, 0, 0.2};
              }),
      "start in each other");
  has(message(scene,
              [](Scene& s) {  // it is drawn along the line to its end
                s.supports[0].motion[1] = s.supports[1].motion[1] =
                    Signal::smooth(0, 1.5, 0.8, 1.4);
              }),
      "has slid to");
  // A bob hangs on the other side of a string than it starts on.
  Scene swings;
  swings.supports = {at("a", {0.3, -1, 0.2}), at("b", {0.3, 1, 0.2}), at("c", {0, 0, 0.5})};
  swings.bodies = {load("bob", 1, {0.8, 0.05, 0.5})};
  swings.cables = {string("rope", {Stop::hold("a"), Stop::hold("b")}),
                   string("line", {Stop::hold("c"), Stop::hold("bob")})};
  meet(swings, {"rope", "line"});
  const Model model(swings);
  State state = Integrator(model, by(2e-3)).start();
  EXPECT_THROW(static_cast<void>(equilibrium(model, state)), Error);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
