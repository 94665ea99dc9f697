// Free ends that run out of eyelets and off pulleys: afterwards the cable falls freely.
#include <gtest/gtest.h>

#include <cmath>

#include "../bench/flow_scenes.h"
#include "model/mesh.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

/// A rope of 1 kg/m and 1.7 m that hangs over something in the middle, 1.2 m on one side.
Scene uneven_rope(CableModel model, int elements, const Stop& middle) {
  Scene scene;
  const double R = middle.radius;
  scene.supports = {at("ring", Vec3::Zero())};
  Cable c =
      rope({Stop(-R, 0, -0.5), middle, Stop(R > 0 ? R : 1e-3, 0, -1.2)}, 1e6, 1e-3, 1, elements);
  c.model = model;
  c.sections[0].axial_damping.viscosity = 1e-3;
  scene.cables = {c};
  return scene;
}

/// What a change of mesh did that let an end run out.
struct Event {
  double t = -1;
  MeshChange change;
  double momentum = 0;  ///< before it [kg m/s]
};

/// Steps until an end runs out.
Event run_out(FlowRun& run, double latest) {
  Event out;
  while (run.state.t < latest) {
    if (run.integrator.step(run.state) != Status::ok) break;
    const auto mesh = renewed_mesh(run.model, run.state);
    if (!mesh) continue;
    out.momentum = momentum(run.model, run.state).linear.norm();
    const size_t before = run_outs_of(run.model.mesh(), 0).size();
    run.model = Model(run.model.scene(), *mesh);
    out.change = run.integrator.change_mesh(run.model, run.state);
    if (run_outs_of(*mesh, 0).size() == before) continue;
    out.t = run.state.t;
    return out;
  }
  return out;
}

void falls_freely(FlowRun& run, double mass, double time) {
  const Vec3 before = momentum(run.model, run.state).linear;
  const double from = run.state.t, balance = run.read("energy.balance"),
               energy = run.read("energy.kinetic");
  ASSERT_EQ(run.to(from + time), Status::ok) << run.integrator.failure().message();
  const Vec3 change = momentum(run.model, run.state).linear - before;
  const double fell = mass * g * (run.state.t - from);
  EXPECT_NEAR(change.x(), 0, 1e-6 * fell);
  EXPECT_NEAR(change.z(), -fell, 1e-6 * fell);
  EXPECT_NEAR(run.read("energy.balance"), balance, 1e-3 * energy);
}

/// x'' = g (2 x - L)/L until all of it is on one side: at 0.45186 s, with 2.631 m/s.
TEST(RunOut, RopeFallsOutOfARing) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const int elements : {8, 16, 32})
      for (const double h : {2e-3, 1.25e-4}) {
        SCOPED_TRACE(testing::Message() << elements << " elements, step " << h);
        FlowRun run(uneven_rope(model, elements, Stop::over("ring")), by(h));
        const Event event = run_out(run, 1);
        ASSERT_GT(event.t, 0) << run.integrator.failure().message();
        const double rest = 0.01 * 1.7 / elements;  // what is let go early [m]
        EXPECT_NEAR(event.t, 0.45186, rest / 2.6 + 2e-4);
        EXPECT_LT(event.change.momentum.norm(), 1e-9 * event.momentum);
        // The rest moved the other way: at most 4 times its kinetic energy is lost, none gained.
        EXPECT_LT(event.change.energy, 1e-4);
        EXPECT_GT(event.change.energy, -2 * rest * 2.7 * 2.7);
        EXPECT_EQ(run_outs_of(run.model.mesh(), 0)[0], (Mesh::RunOut{1, true}));
        EXPECT_NEAR(run.read("rope.rest_length"), 1.701, 2e-3);
        ASSERT_NO_FATAL_FAILURE(falls_freely(run, 1.7, 0.3));
      }
}

TEST(RunOut, AnyMethod) {
  for (const Method method : {Method::linearized, Method::newton, Method::mixed3}) {
    Scene scene = uneven_rope(CableModel::ancf, 16, Stop::over("ring"));
    if (method == Method::mixed3) scene.cables[0].sections[0].axial_damping = {};
    FlowRun run(scene, by(1e-3, method));
    const Event event = run_out(run, 1);
    ASSERT_GT(event.t, 0) << run.integrator.failure().message();
    EXPECT_NEAR(event.t, 0.45186, 1e-3);
    ASSERT_NO_FATAL_FAILURE(falls_freely(run, 1.7, 0.1));
  }
}

/// Friction while the rope presses outwards, as it does when it runs faster than its waves, T <
/// v^2: with k = e^(mu pi), then 1/k, x (g - a) - v^2 = k ((L - x) (g + a) - v^2).
TEST(RunOut, FrictionOnTheOtherSideOfTheRing) {
  constexpr double mu = 0.05, L = 1.701;
  const auto acceleration = [](double x, double v) {
    const auto with = [&](double k) {
      return (g * x - k * g * (L - x) + (k - 1) * v * v) / (x + k * (L - x));
    };
    const double a = with(std::exp(mu * pi));
    return (L - x) * (g + a) > v * v ? a : with(std::exp(-mu * pi));
  };
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double h : {1e-3, 1e-3 / 16}) {
      Stop ring = Stop::over("ring");
      ring.friction = mu;
      FlowRun run(uneven_rope(model, 12, ring), by(h));
      double x = 1.2, v = 0;
      constexpr double dt = 1e-6;
      for (long i = 0; i < 470000; ++i) {
        v += dt * acceleration(x, v);
        x += dt * v;
      }
      double most = 0;
      while (run.state.t < 0.47 - h / 2) {
        ASSERT_EQ(run.step(), Status::ok) << run.integrator.failure().message();
        most = std::max(most, run.read("energy.balance"));
      }
      EXPECT_LT(most, 1e-4);  // of 3 J in motion; 0.16 J with friction that pulls
      EXPECT_NEAR(-run.read("rope.position.z@end"), x, 2e-3);
      EXPECT_LT((L - x) * g, v * v);
    }
}

/// The same with friction in the ring; a run goes on to the same bits, before and after.
TEST(RunOut, GoesOnToTheSameBits) {
  Stop ring = Stop::over("ring");
  ring.friction = 0.05;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    FlowRun whole(uneven_rope(model, 12, ring), by(1e-3));
    ASSERT_EQ(whole.to(0.4), Status::ok);
    const Mesh mesh = whole.model.mesh();
    const State state = whole.state;
    ASSERT_GT(run_out(whole, 1).t, 0.45) << whole.integrator.failure().message();
    const Mesh mesh_out = whole.model.mesh();
    const State state_out = whole.state;
    ASSERT_EQ(whole.to(0.7), Status::ok) << whole.integrator.failure().message();
    for (const bool out : {false, true}) {
      FlowRun after(whole.model.scene(), by(1e-3));
      after.model = Model(whole.model.scene(), out ? mesh_out : mesh);
      after.integrator = Integrator(after.model, by(1e-3));
      after.state = out ? state_out : state;
      after.integrator.resume(after.state);
      ASSERT_EQ(after.to(0.7), Status::ok);
      EXPECT_EQ(after.state.q, whole.state.q);
      EXPECT_EQ(after.state.v, whole.state.v);
    }
  }
}

/// What lay on the pulley goes straight behind it.
TEST(RunOut, RopeFallsOffAPulley) {
  constexpr double R = 0.1;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double h : {2e-3, 1.25e-4}) {
      FlowRun run(uneven_rope(model, 16, Stop::over("ring", R, Vec3::UnitY())), by(h));
      const Event event = run_out(run, 1);
      ASSERT_GT(event.t, 0) << run.integrator.failure().message();
      // x'' = g (2 x - 1.7)/(1.7 + pi R), from x = 1.2 to 1.7: both sides 0.5 m apart at first.
      const double L = 1.7 + pi * R, k = std::sqrt(2 * g / L);
      EXPECT_NEAR(event.t, std::acosh(0.85 / 0.35) / k, 2e-3);
      const double v = 0.35 * k * std::sinh(k * event.t);
      // The middle of a half circle is 2/pi R above the axle, that of the straight rest pi/2 R.
      EXPECT_NEAR(event.change.energy, g * pi * R * R * (pi / 2 - 2 / pi), 0.02);
      // The pulley has turned the cable on it: it was 2 R wide, and goes down now.
      EXPECT_LT(event.change.momentum.norm(), 1.3 * pi * R * v);
      EXPECT_EQ(run.model.mesh().wraps[0][0], -1);
      ASSERT_NO_FATAL_FAILURE(falls_freely(run, L, 0.3));
      EXPECT_EQ(run.model.mesh().wraps[0][0], -1);  // it does not land again
    }
}

/// A rope that moves on straight through a ring of a body: nothing feels that it has run out.
TEST(RunOut, LeavesABodyAlone) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  scene.bodies = {load("block", 1, Vec3::Zero())};
  Cable c = rope({Stop(-0.3, 0, 0), Stop::over("block"), Stop(0.7, 0, 0)}, 1e6, 1e-3, 1, 10);
  c.velocity = {2, 0, 0};
  scene.cables = {c};
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    scene.cables[0].model = model;
    FlowRun run(scene, by(1e-3));
    const Event event = run_out(run, 1);
    ASSERT_GT(event.t, 0) << run.integrator.failure().message();
    EXPECT_NEAR(event.t, 0.15, 1e-3);
    EXPECT_LT(std::abs(event.change.energy), 1e-9);
    ASSERT_EQ(run.to(0.4), Status::ok) << run.integrator.failure().message();
    EXPECT_LT(run.place("block").norm(), 1e-9);
    EXPECT_NEAR(run.read("rope.position.x@start"), -0.3 + 0.8, 1e-6);
    EXPECT_NEAR(run.read("momentum.linear.x"), 2, 1e-9);
  }
}

/// The part of a rope that was cut off runs out of its ring, out of one that moves too; and what is
/// fastened to an end holds it back.
TEST(RunOut, CutEndsRunOutAndKnotsDoNot) {
  Scene scene;
  scene.supports = {at("floor", {0, 0, -1}), at("ring", Vec3::Zero())};
  scene.supports[1].motion[2] = Signal::sine(1e-3, 1);
  scene.bodies = {load("load", 2, {1e-3, 0, -1})};
  Cable c = rope({Stop::hold("floor"), Stop::over("ring"), Stop::hold("load")}, 1e5, 1e-2, 0.2, 16);
  c.sections[0].axial_damping.viscosity = 1e-3;
  scene.cables = {c};
  FlowRun run(scene, by(1e-3));
  ASSERT_EQ(run.to(0.05), Status::ok);
  run.model = Model(run.model.scene(), with_cut(run.model, run.state, 0, 0.4));
  run.integrator.change_mesh(run.model, run.state);
  const Event event = run_out(run, 1);
  ASSERT_GT(event.t, 0.2) << run.integrator.failure().message();
  EXPECT_NEAR(event.t, 0.05 + std::sqrt(2 * 0.6 / 9.2), 0.03);  // from 9.0 to 9.8 m/s^2
  EXPECT_LT(event.change.momentum.norm(), 1e-9 * event.momentum);
  const double z = run.place("load").z(), v = run.read("load.velocity.z"), t = run.state.t;
  ASSERT_EQ(run.to(t + 0.2), Status::ok) << run.integrator.failure().message();
  const double later = run.state.t - t;
  EXPECT_NEAR(run.place("load").z(), z + v * later - g / 2 * later * later, 5e-3);

  Scene knot = uneven_rope(CableModel::ancf, 16, Stop::over("ring"));
  knot.point_masses = {{Place::start("rope"), 0.1}};
  FlowRun held(knot, by(1e-3));
  ASSERT_NE(held.to(1), Status::ok);
  EXPECT_NE(held.integrator.failure().message().find("is used up"), std::string::npos)
      << held.integrator.failure().message();
}

/// Whoever does not renew the mesh is told so.
TEST(RunOut, NeedsItsMesh) {
  FlowRun run(uneven_rope(CableModel::ancf, 4, Stop::over("ring")), by(1e-3));
  while (run.integrator.step(run.state) == Status::ok) ASSERT_LT(run.state.t, 1);
  const std::string why = run.integrator.failure().message();
  EXPECT_TRUE(why.find("renewed_mesh()") != std::string::npos ||
              why.find("longer elements") != std::string::npos)
      << why;
  EXPECT_THROW(Model(run.model.scene(),
                     [&] {
                       Mesh mesh = run.model.mesh();
                       mesh.run_outs = {{{0, true}}};
                       return mesh;
                     }()),
               std::exception);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
