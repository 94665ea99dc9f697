// Cable that lies on a plane and slides over it, in scenes: against closed forms and integrated
// equations. Tolerances are three times the errors of a prototype (26 and 36 micrometres).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "../bench/flow_scenes.h"
#include "hawser/error.h"
#include "hawser/scene_file.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

constexpr double within = 1e-4;  ///< [m]

void slide_to(FlowRun& run, double t) {
  ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
}

/// A chain of 1 m of which half hangs over the edge of a table, 0.7 m above the origin. It starts
/// with the tension m g/4 of the edge: unstretched it would bounce first.
SceneFile chain_file(double table, double edge, double regularization = 1e-3) {
  return read_scene_text(fmt::format(R"(
sections: {{chain: {{EA: 1 MN, EI: 1e-6 N m^2, mass: 1 kg/m, damping: {{axial: {{viscosity: 1 ms}}}}}}}}
supports:
  table: {{position: [-0.2 m, 0.3 m, 0.7 m], normal: z}}
  edge: {{position: [0, 0, 0.7 m]}}
cables:
  rope:
    section: chain
    route: [[-0.5 m, 0, 0.7 m], {{along: table, friction: {}, regularization: {} m/s}},
            {{through: edge, friction: {}}}, [0, 0, 0.2 m]]
    length: 1 m / (1 + 2.4525e-6)  # the tension at the edge as it begins to slide
    elements: 8
)",
                                     table, regularization, edge),
                         "s.yaml");
}

double hanging(const FlowRun& run) { return 0.7 - run.read("rope.position.z@end"); }

/// Over a guide with capstan friction: a (k (L - x) + x) = g x + (k - 1) v^2, k = e^(mu pi/2).
TEST(Along, ChainSlidesOverAnEdge) {
  struct Known {
    double friction, x[5];  ///< at 0.05 ... 0.25 s [m]
  };
  const Known known[] = {
      {0, {0.50614379, 0.52472615, 0.55620374, 0.60135012, 0.66127479}},  // 0.5 cosh(sqrt(g) t)
      {0.1, {0.50566386, 0.52281449, 0.55193703, 0.59386752, 0.64983737}},
      {0.2, {0.50518913, 0.52091562, 0.54766803, 0.58630031, 0.63809861}}};
  for (const double h : {1e-2, 1e-3})
    for (const Known& k : known) {
      FlowRun run(chain_file(0, k.friction).scene, by(h));
      // The step in which it begins to slip is taken by Backward Euler: off by a h^2.
      const double slip = k.friction > 0 ? g / 2 * h * h : 0;
      for (int i = 0; i < 5; ++i) {
        ASSERT_NO_FATAL_FAILURE(slide_to(run, 0.05 * (i + 1)));
        EXPECT_NEAR(hanging(run), k.x[i], within + slip) << "h " << h << ", mu " << k.friction;
      }
      EXPECT_GT(run.changes, 0);
      EXPECT_NEAR(run.read("energy.balance"), 0, 1e-3 + g / 2 * slip);
    }
}

/// With friction on the table: x = xs + (0.5 - xs) cosh(sqrt(g (1 + mu)) t), xs = mu/(1 + mu).
TEST(Along, FrictionOnTheTable) {
  for (const double mu : {0.2, 0.4})
    for (const Method method : {Method::mixed, Method::linearized, Method::newton})
      for (const double h : {1e-2, 1e-3}) {
        FlowRun run(chain_file(mu, 0).scene, by(h, method));
        const double xs = mu / (1 + mu), k = std::sqrt(g * (1 + mu));
        for (const double t : {0.1, 0.2, 0.3}) {
          ASSERT_NO_FATAL_FAILURE(slide_to(run, t));
          // At rest there is no friction. One solve takes the mean of the accelerations at both
          // ends of the first step, and half of the friction; others divide that step, off by a
          // h^2/2.
          const double start =
              method == Method::linearized ? mu * g * h / 4 * std::sinh(k * t) / k : g / 4 * h * h;
          EXPECT_NEAR(hanging(run), xs + (0.5 - xs) * std::cosh(k * t), within + 1.1 * start)
              << "mu " << mu << ", h " << h << ", method " << static_cast<int>(method);
        }
        EXPECT_NEAR(run.read("energy.balance"), 0, h == 1e-3 ? 2e-3 : 0.02);
      }
}

/// What friction would hold creeps at the speed at which friction balances it.
TEST(Along, CreepsWhereItWouldStick) {
  for (const double h : {1e-2, 1e-3}) {
    FlowRun run(chain_file(1.6, 0, 2e-3).scene, by(h));
    ASSERT_NO_FATAL_FAILURE(slide_to(run, 1));
    const double before = hanging(run);
    ASSERT_NO_FATAL_FAILURE(slide_to(run, 2));
    EXPECT_NEAR(hanging(run) - before, 2e-3 / 1.6, 0.05 * 2e-3 / 1.6) << h;
  }
}

/// Down an inclined plane that is not through the origin, without a hand-over, on any number of
/// elements: g (sin a - mu cos a) t^2/2.
TEST(Along, SlidesDownAnIncline) {
  const double a = pi / 6, mu = 0.3;
  for (const int elements : {1, 3, 6}) {
    Scene scene;
    Support plane = at("plane", {1, 2, 3});
    plane.normal = 2 * Vec3(std::sin(a), 0, std::cos(a));
    scene.supports = {plane};
    const Vec3 down(std::cos(a), 0, -std::sin(a));
    Cable c = rope({Stop(Vec3(1, 2, 3)), Stop(Vec3(1, 2, 3) + down)}, 1e5, 1e-3, 0.5, elements);
    c.route[0].along = Along{"plane", mu, 1e-4};
    scene.cables = {c};
    FlowRun run(scene, by(1e-2));
    ASSERT_NO_FATAL_FAILURE(slide_to(run, 1));
    Vec3 end;
    Channels(run.model, {"rope.position@start"}).sample(run.state, {end.data(), 3});
    const double way = g * (std::sin(a) - mu * std::cos(a)) / 2;
    const double start = mu * g * std::cos(a) * 1e-2 / 2;  // half of the friction of a step [m/s]
    EXPECT_LT((end - Vec3(1, 2, 3) - way * down).norm(), 1e-3 + start) << elements;
    EXPECT_NEAR((end - Vec3(1, 2, 3)).dot(plane.normal->normalized()), 0, 1e-9) << elements;
    EXPECT_NEAR(run.read("energy.balance"), 0, 2e-3) << elements;
  }
}

/// Whatever presses the rope on an inclined plane adds to its friction, and what lifts it takes
/// from it: m a = m g sin a - mu N, with N across the plane.
TEST(Along, WhatIsOnTheCableRubs) {
  constexpr double a = pi / 6, mu = 0.2, mass = 0.5, on_it = 1.5, push = 4, part = 3, half = 2;
  const Vec3 down(std::cos(a), 0, -std::sin(a)), normal(std::sin(a), 0, std::cos(a));
  const auto way = [&](const std::function<void(Scene&)>& change, int elements) {
    Scene scene;
    Support plane = at("plane", {1, 2, 3});
    plane.normal = normal;
    scene.supports = {plane};
    Cable c = rope({Stop(Vec3(1, 2, 3)), Stop(Vec3(1, 2, 3) + down)}, 1e5, 1e-3, mass, elements);
    c.route[0].along = Along{"plane", mu, 1e-4};
    scene.cables = {c};
    change(scene);
    FlowRun run(scene, by(1e-3));
    EXPECT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
    Vec3 end;
    Channels(run.model, {"rope.position@start"}).sample(run.state, {end.data(), 3});
    EXPECT_NEAR(run.read("energy.balance"), 0, 2e-3);
    return (end - Vec3(1, 2, 3)).dot(down);
  };
  const auto expected = [&](double all, double across) {
    return (g * std::sin(a) - mu * (all * g * std::cos(a) + across) / all) / 2;
  };
  for (const int elements : {4, 7}) {
    SCOPED_TRACE(elements);
    const auto lumped = [&](Scene& s) {
      s.point_masses = {{Place::at("rope", 0.3), on_it / 3}, {Place::end("rope"), on_it * 2 / 3}};
    };
    EXPECT_NEAR(way(lumped, elements), expected(mass + on_it, 0), 2e-3);
    const auto pushed = [&](Scene& s) {
      s.point_forces = {{Place::start("rope"), -push * normal, 1.0}};
    };
    EXPECT_NEAR(way(pushed, elements), expected(mass, push), 2e-3);
    const auto all = [&](Scene& s) { s.distributed_forces = {{"rope", -part * normal}}; };
    EXPECT_NEAR(way(all, elements), expected(mass, part), 2e-3);
    const auto lifted = [&](Scene& s) {
      DistributedForce f{"rope", half * normal};
      f.from = 0.25, f.to = 0.65;
      s.distributed_forces = {f};
    };
    EXPECT_NEAR(way(lifted, elements), expected(mass, -0.4 * half), 2e-3);
    const auto no_more = [&](Scene& s) {  // than there is to lift
      DistributedForce f{"rope", 100 * normal};
      f.to = 0.5;
      s.distributed_forces = {f};
    };
    EXPECT_NEAR(way(no_more, elements), expected(mass, -mass * g * std::cos(a) / 2), 2e-3);
  }
}

/// A mass M on the end of the chain: it is drawn, and it rubs, with the chain. x = xs + (0.5 - xs)
/// cosh(k t), xs = mu (m + M)/(m (1 + mu)), k^2 = m g (1 + mu)/(m + M).
TEST(Along, AMassOnAChainThatSlidesOff) {
  constexpr double mu = 0.2, M = 0.5;
  Scene scene = chain_file(mu, 0).scene;
  scene.point_masses = {{Place::start("rope"), M}};
  FlowRun run(scene, by(1e-3));
  const double xs = mu * (1 + M) / (1 + mu), k = std::sqrt(g * (1 + mu) / (1 + M));
  for (const double t : {0.1, 0.2, 0.3}) {
    ASSERT_NO_FATAL_FAILURE(slide_to(run, t));
    EXPECT_NEAR(hanging(run), xs + (0.5 - xs) * std::cosh(k * t), 2e-4) << t;
  }
}

/// Over a pulley at the edge of the table: (M + m L) x.. = (M + m x) g, with the arc on the pulley;
/// L is the rope, x what hangs.
TEST(Along, OverAPulleyAtTheEdge) {
  Scene scene;
  Support table = at("table", {0, 0, 1});
  table.normal = Vec3::UnitZ();
  scene.supports = {table, at("wheel", {0, 0, 0.9})};
  scene.bodies = {load("load", 2, {0.1, 0, 0.4})};
  Cable c = rope({Stop(-1.5, 0, 1), Stop::over("wheel", 0.1, Vec3::UnitY()), Stop::hold("load")},
                 1e6, 1e-5, 0.5, 8);
  c.sections[0].axial_damping.viscosity = 1e-3;
  c.route[0].along = Along{"table"};
  scene.cables = {c};
  FlowRun run(scene, by(2e-3));
  const double L = 1.5 + 0.05 * pi + 0.5, k = std::sqrt(0.5 * g / (2 + 0.5 * L));
  for (const double t : {0.2, 0.4}) {
    ASSERT_NO_FATAL_FAILURE(slide_to(run, t));
    // x + M/m + R grows as cosh: the arc adds the weight of R of rope
    const double x0 = 0.5 + 2 / 0.5 + 0.1;
    EXPECT_NEAR(0.4 - run.place("load").z(), x0 * (std::cosh(k * t) - 1), 1e-3) << t;
  }
}

/// At rest friction does nothing: the anchor carries what hangs.
TEST(Along, StartsInEquilibrium) {
  Scene scene = chain_file(0.4, 0).scene;
  scene.initial = Initial::rest;
  scene.supports.push_back(at("anchor", {-0.5, 0, 0.7}));
  const Along lies = *scene.cables[0].route[0].along;
  scene.cables[0].route[0] = Stop::hold("anchor");
  scene.cables[0].route[0].along = lies;
  const FlowRun run(scene, by(1e-2));
  EXPECT_NEAR(run.read("rope.tension@start"), 0.5 * g, 1e-5);
  EXPECT_NEAR(run.read("rope.position.z@0.25"), 0.7, 1e-9);
}

TEST(Along, IsReadAndWritten) {
  const SceneFile file = chain_file(0.4, 0.1, 2e-3);
  const std::vector<Stop>& route = file.scene.cables[0].route;
  ASSERT_EQ(route.size(), 3u);
  ASSERT_TRUE(route[0].along && !route[1].along && !route[2].along);
  EXPECT_EQ(route[0].along->on, "table");
  EXPECT_EQ(route[0].along->friction, 0.4);
  EXPECT_EQ(route[0].along->regularization, 2e-3);
  EXPECT_EQ(file.scene.supports[0].normal, std::optional<Vec3>(Vec3::UnitZ()));
  EXPECT_TRUE(file.warnings.empty()) << file.warnings[0];
  const SceneFile again = read_scene_text(file.resolved, "resolved.yaml");
  EXPECT_EQ(again.scene.cables[0].route[0].along->regularization, 2e-3);
  EXPECT_EQ(again.resolved, file.resolved);
}

TEST(Along, RefusesWhatCannotLie) {
  const auto expect = [](const Scene& scene, const char* text) {
    std::string message;
    try {
      Model model(scene);
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  const Scene sound = chain_file(0.4, 0).scene;
  Scene scene = sound;
  scene.supports[0].normal.reset();
  expect(scene, "which has no plane");
  scene = sound;
  scene.supports[0].position.z() = 0.6;
  expect(scene, "0.1 m above the plane");
  scene = sound;
  scene.supports[0].normal = -Vec3::UnitZ();
  expect(scene, "no weight presses");
  scene = sound;
  scene.gravity.setZero();
  expect(scene, "no weight presses");
  scene = sound;
  scene.supports[0].motion[0] = Signal::ramp(0, 1, 0, 1);
  expect(scene, "which moves");
  scene = sound;
  scene.cables[0].initial = Initial::catenary;
  expect(scene, "a curve of a cable that lies");
  scene = sound;
  scene.cables[0].route[0].along->regularization = 0;
  expect(scene, "regularization");
  scene = sound;
  scene.cables[0].route[2].along = Along{"table"};
  expect(scene, "after the last point");
  scene = sound;
  scene.cables[0].model = CableModel::massless;
  expect(scene, "massless");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
