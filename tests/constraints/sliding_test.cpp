#include <gtest/gtest.h>

#include "../bench/sliding_scenes.h"
#include "constraints/cable_curve.h"
#include "hawser/error.h"
#include "model/model_data.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace sliding;

constexpr std::array models{CableModel::ancf, CableModel::np_fem};

SolveOptions by(double step, Method method = Method::mixed) {
  SolveOptions out;
  out.step = step;
  out.method = method;
  return out;
}

std::string why(const SlideRun& run) { return run.integrator.failure().message(); }

/// Values and derivatives over borders of elements, of both kinds of nodes, of unequal elements.
TEST(CableCurve, IsSmoothAndMeetsAStraightCable) {
  for (const bool curved : {true, false}) {
    CableCurve curve;
    curve.curved = curved;
    curve.s = {0, 1, 2.5, 3, 4.2};
    std::vector<double> q(5 * 6), line(5 * 6, 0);
    for (size_t i = 0; i < q.size(); ++i) q[i] = std::sin(3.1 * static_cast<double>(i));
    for (size_t n = 0; n < 5; ++n) {
      for (size_t k = 0; k < 3; ++k) line[6 * n + k] = 1.1 * curve.s[n] * static_cast<double>(k);
      for (size_t k = 0; k < 3; ++k) line[6 * n + 3 + k] = 1.1 * static_cast<double>(k);
    }
    const auto at = [&](double s, const std::vector<double>& of) {
      return CableCurve::point(curve.weights(s), of.data());
    };
    constexpr double d = 1e-6;
    for (double s = 0.01; s < 4.2; s += 0.0173) {
      EXPECT_LT((at(s, line).r - 1.1 * s * Vec3(0, 1, 2)).norm(), 1e-12);
      EXPECT_LT((at(s, line).r1 - 1.1 * Vec3(0, 1, 2)).norm(), 1e-12);
      const Vec3 slope = (at(s + d, q).r - at(s - d, q).r) / (2 * d);
      EXPECT_LT((at(s, q).r1 - slope).norm(), 1e-8) << s;
      const Vec3 bend = (at(s + d, q).r1 - at(s - d, q).r1) / (2 * d);
      EXPECT_LT((at(s, q).r2 - bend).norm(), 1e-7) << s;
    }
    for (const double s : {0.5, 1., 1.75, 2.5, 2.75, 3., 3.6}) {  // borders
      EXPECT_LT((at(s + 1e-12, q).r - at(s - 1e-12, q).r).norm(), 1e-10);
      EXPECT_LT((at(s + 1e-12, q).r1 - at(s - 1e-12, q).r1).norm(), 1e-10);
    }
  }
}

/// s'' = g sin a - mu g cos a, from rest. The bead first falls into the wire, by less than a
/// millimetre: friction sets in with a delay of 1/omega = 3 ms, which is mu g cos a/omega = 5 mm/s.
TEST(SlidingJoint, BeadRunsDownATautWire) {
  constexpr double angle = 0.5, until = 1.2;
  for (const CableModel model : models)
    for (const double mu : {0.0, 0.2})
      for (const Method method : {Method::mixed, Method::linearized, Method::newton}) {
        SlideRun run(inclined_wire(model, angle, mu), by(2e-3, method));
        const double start = run.place();
        ASSERT_EQ(run.to(until), Status::ok) << why(run);
        const double a = g * (std::sin(angle) - mu * std::cos(angle));
        const double stretch = 1.01;
        const double late = mu * g * std::cos(angle) / 333;
        EXPECT_NEAR((run.place() - start) * stretch, a * until * until / 2, (2e-3 + late) * until)
            << static_cast<int>(model) << ' ' << mu << ' ' << static_cast<int>(method);
        EXPECT_NEAR(run.speed() * stretch, a * until, 5e-3 + late);
      }
}

/// tan a < mu: it does not creep. It starts at rest: a bead that bounces on the wire slides
/// whenever the wire lets go of it.
TEST(SlidingJoint, FrictionHolds) {
  for (const double h : {1e-3, 1e-2}) {
    Scene scene = inclined_wire(CableModel::ancf, 0.25, 0.3);
    scene.initial = Initial::rest;
    SlideRun run(scene, by(h));
    ASSERT_EQ(run.to(1), Status::ok) << why(run);
    const double before = run.place();
    ASSERT_EQ(run.to(10), Status::ok) << why(run);
    EXPECT_NEAR(run.place(), before, 1e-9) << h;
    EXPECT_NEAR(before, 1.03 / 1.01, 1e-3) << h;
  }
}

TEST(SlidingJoint, StopsAtTheEndOfTheCableAndAtAStop) {
  Scene scene = inclined_wire(CableModel::ancf, 0.5, 0);
  SlideRun end(scene, by(5e-3));
  ASSERT_EQ(end.to(4), Status::ok) << why(end);
  EXPECT_NEAR(end.place(), 10 / 1.01, 1e-6);
  EXPECT_NEAR(end.speed(), 0, 1e-6);
  scene.sliding_joints[0].stops.highest = 4;  // the wire stretches and throws it back
  SlideRun run(scene, by(5e-3));
  double furthest = 0;
  while (run.state.t < 3) {
    ASSERT_EQ(run.integrator.step(run.state), Status::ok) << why(run);
    furthest = std::max(furthest, run.place());
  }
  EXPECT_NEAR(furthest, 4, 1e-4);
}

/// With friction it comes to rest on a stop, which carries it alone: the same place and the same
/// force as without. Pulled away, it leaves as it would start from anywhere.
TEST(SlidingJoint, FrictionDoesNotKeepItFromAStop) {
  constexpr double angle = 0.5, mass = 0.1, stretch = 1.01, from = 4, until = 5;
  const Vec3 up(-std::cos(angle), 0, std::sin(angle));
  for (const CableModel model : models)
    for (const double mu : {0.01, 0.2})
      for (const Method method : {Method::mixed, Method::linearized, Method::newton})
        for (const double h : {1e-3, 5e-3}) {
          SCOPED_TRACE(testing::Message() << static_cast<int>(model) << ' ' << mu << ' '
                                          << static_cast<int>(method) << ' ' << h);
          Scene scene = inclined_wire(model, angle, mu);
          scene.initial = Initial::rest;  // the bead does not bounce on the wire
          scene.cables[0].sections[0].axial_damping.viscosity = 2e-3;
          scene.sliding_joints[0].stops.highest = 2.5;
          const double weight = mass * g * std::sin(angle), rubs = mu * mass * g * std::cos(angle);
          const double pull = weight + rubs + 0.05;
          scene.frames = {{"hook", "bead", Vec3::Zero()}};
          scene.body_forces = {
              {"hook", pull * up, Vec3::Zero(), Signal::ramp(0, 1, from, from + 1e-6)}};
          SlideRun run(scene, by(h, method));
          ASSERT_EQ(run.to(from - h), Status::ok) << why(run);
          EXPECT_NEAR(run.place(), 2.5, 1e-9);
          EXPECT_NEAR(run.speed(), 0, 1e-6);
          EXPECT_NEAR(run.model.data().mechanism.slides[0].force(run.state).dot(up), weight,
                      1e-3 * weight);
          ASSERT_EQ(run.to(until), Status::ok) << why(run);
          const double t = until - from, way = 0.05 / mass * t * t / 2;
          EXPECT_NEAR((2.5 - run.place()) * stretch, way, 1e-2 * way);
        }
}

/// Beyond the last stop it falls freely.
TEST(SlidingJoint, LeavesTheCable) {
  Scene scene = inclined_wire(CableModel::ancf, 0.5, 0);
  scene.sliding_joints[0].stops.highest = 4;
  scene.sliding_joints[0].leaves = true;
  SlideRun run(scene, by(2e-3));
  while (run.place() <= 4) ASSERT_EQ(run.integrator.step(run.state), Status::ok) << why(run);
  const Vec3 x = run.bead();
  const Vec3 v = run.state.velocity(run.model.nodes() - 1);
  const double t = run.state.t, way = 4 * 1.01 - 1.03;
  EXPECT_NEAR(v.norm(), std::sqrt(2 * g * std::sin(0.5) * way), 2e-2);
  ASSERT_EQ(run.to(t + 0.5), Status::ok) << why(run);
  EXPECT_LT((run.bead() - (x + 0.5 * v - g / 8 * Vec3::UnitZ())).norm(), 1e-2);
  EXPECT_NEAR(run.place(), 4, 5e-2);
}

/// The ellipse is that of a massless rope that does not stretch. This one has 0.4 kg and 10 MN: it
/// is longer by (T - T0) L/EA = 5.5 mm where it pulls most, and so 14 mm deeper (L dL/(4 sag)). The
/// largest error by 80, 160, 320, 640 elements is 58, 38, 30, 14 mm at steps of 2 ms, by 160 within
/// 1 mm the same at 0.5 ms.
TEST(SlidingJoint, ZipLineFollowsItsEllipse) {
  SlideRun run(zip_line(640), by(5e-3));
  for (const ZipLinePoint& p : zip_line_path) {
    ASSERT_EQ(run.to(p.t), Status::ok) << why(run);
    EXPECT_NEAR(run.bead().x(), p.x, 0.02) << p.t;
    EXPECT_NEAR(run.bead().z(), p.z, 0.02) << p.t;
  }
}

/// Two catenaries of equal tension on either side of the ring.
TEST(SlidingJoint, RestsWhereBothSidesPullAlike) {
  const SlideRun bends(resting_ring(CableModel::ancf, 160, 1, 0.7), by(1e-3));
  EXPECT_LT((bends.bead() - Vec3(3.706964, 0, -1.121244)).norm(), 1e-2);
  for (const double rise : {0.0, 1.0}) {
    const SlideRun run(resting_ring(CableModel::np_fem, 80, rise), by(1e-3));
    const Vec3 expected = rise > 0 ? Vec3(3.706964, 0, -1.121244) : Vec3(5, 0, -1.624365);
    EXPECT_LT((run.bead() - expected).norm(), 0.1) << rise;  // a ripple of the mesh holds it
    EXPECT_NEAR(run.bead().z(), expected.z(), 0.02) << rise;
  }
}

TEST(SlidingJoint, KeepsItsEnergy) {
  for (const Method method : {Method::mixed, Method::newton}) {
    const Scene scene =
        method == Method::mixed ? zip_line(160) : inclined_wire(CableModel::ancf, 0.5, 0);
    SlideRun run(scene, by(2e-3, method));
    const double start = energy(run.model, run.state).total();
    ASSERT_EQ(run.to(1.2), Status::ok) << why(run);
    const Energy now = energy(run.model, run.state);
    EXPECT_LT(std::abs(now.total() - start), 1e-2 * now.kinetic) << static_cast<int>(method);
    EXPECT_LT(now.total() - start, 1e-3 * now.kinetic);
  }
}

TEST(SlidingJoint, ResumesToTheSameBits) {
  const Scene scene = zip_line(20);
  SlideRun whole(scene, by(5e-3)), again(scene, by(5e-3));
  ASSERT_EQ(whole.to(1), Status::ok);
  ASSERT_EQ(again.to(0.5), Status::ok);
  Integrator other(again.model, by(5e-3));
  const State kept = again.state;
  other.resume(kept);
  State state = kept;
  ASSERT_EQ(other.advance(state, 1), Status::ok);
  EXPECT_EQ(state.q, whole.state.q);
  EXPECT_EQ(state.v, whole.state.v);
}

TEST(SlidingJoint, RefusesWhatItDoesNotModel) {
  const auto message = [](const Scene& scene) -> std::string {
    try {
      Model model(scene);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  Scene scene = inclined_wire(CableModel::ancf, 0.5, 0);
  EXPECT_EQ(message(scene), "");
  scene.sliding_joints[0].friction = -1;
  EXPECT_NE(message(scene).find("friction"), std::string::npos);
  scene = inclined_wire(CableModel::ancf, 0.5, 0);
  scene.bodies[0].position.z() += 0.1;
  EXPECT_NE(message(scene).find("off cable 'rope'"), std::string::npos) << message(scene);
  scene = inclined_wire(CableModel::ancf, 0.5, 0);
  scene.sliding_joints[0].body = "top";
  EXPECT_NE(message(scene).find("the support 'top'"), std::string::npos) << message(scene);
  scene = inclined_wire(CableModel::massless, 0.5, 0);
  EXPECT_NE(message(scene).find("massless"), std::string::npos) << message(scene);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
