// Rebounds by damping, and friction by speed.
#include "contact/restitution.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../bench/body_scenes.h"
#include "contact/cable_contact.h"
#include "contact/refusal.h"

namespace hawser {
namespace {

using namespace touching;
using Kind = Solid::Kind;

/// e of the law as it is, by small steps.
double integrated(double b) {
  double d = 0, v = 1;
  const auto a = [&](double at, double speed) { return -std::clamp(at + b * speed, 0.0, 2 * at); };
  constexpr double h = 1e-4;
  while (v > 0 || d + b * v > 0) {  // the midpoint rule
    const double middle = d + h / 2 * v, speed = v + h / 2 * a(d, v);
    d += h * speed;
    v += h * a(middle, speed);
  }
  return -v;
}

TEST(Restitution, FollowsFromTheDamping) {
  EXPECT_EQ(restitution_of(0), 1);
  for (const double b : {0.05, 0.3, 1.0, 1.9, 2.0, 2.1, 5.0, 30.0})
    EXPECT_NEAR(restitution_of(b), integrated(b), 1e-4) << b;
  for (const double e : {0.01, 0.1, 0.3, 0.5, 0.8, 0.99, 1.0})
    EXPECT_NEAR(restitution_of(damping_of(e)), e, 1e-12) << e;
}

struct Rebound {
  double height = 0;  ///< that the speed after the impact reaches, over e^2 times that of the fall
  double gain = 0;    ///< largest energy above the start, over that of the fall
};

/// Falls over a small gap at a speed, and rises. `height`: over the surface, and its rate.
template <class Height>
Rebound rebound(Scene scene, double e, double v, double h, const Height& height) {
  scene.contacts[0].restitution = e;
  TouchRun run(scene, by(h));
  const double fall = v * v / 2 + scene.gravity.norm() * height(run).first;
  const double start = energy(run.model, run.state).total();
  double rate = -v, most = start, mass = 0;
  for (const Body& b : scene.bodies) mass += b.mass;
  for (const Cable& c : scene.cables) mass += c.sections[0].mass;  // 1 m of it
  while (run.state.t < 0.1 && !(rate > 0 && height(run).first > 0)) {
    EXPECT_EQ(run.integrator.step(run.state), Status::ok) << run.integrator.failure().message();
    rate = height(run).second;
    most = std::max(most, energy(run.model, run.state).total());
  }
  return {(rate * rate / 2 + scene.gravity.norm() * height(run).first) / (e * e * fall),
          (most - start) / (mass * fall)};
}

/// Of the body's lowest point.
auto height_of_body(double half) {
  return [half](const TouchRun& run) {
    const int node = run.model.data().mechanism.bodies[0].node;
    return std::pair(place_of(run, 0).z() - half, run.state.v[static_cast<size_t>(6 * node) + 2]);
  };
}

/// Written down before the first run: 3 % of the height at 0.1 rad a step, 0.5 % at a sixteenth of
/// it; energy never above the start by more than 1e-3 of the fall.
void expect_rebound(const Rebound& found, bool fine, double by_weight, const std::string& what) {
  EXPECT_NEAR(found.height, 1, (fine ? 5e-3 : 3e-2) + by_weight) << what;
  EXPECT_LT(found.gain, 1e-3) << what;
}

/// Without weight, where e is exact, and dropped by 1 m. There the contact ends b e v/w deep, which
/// is 2 g b/(e v w) of the height of the rebound, and the weight takes as much again at the most.
TEST(Restitution, BodiesRiseByItsSquare) {
  for (const double e : {0.3, 0.6, 0.9, 1.0})
    for (const bool fine : {false, true})
      for (const bool falls : {false, true}) {
        const double v = falls ? std::sqrt(2 * g) : 2;
        const double w = std::sqrt(2.0) * 20 * v / 0.1;  // sqrt(k/m) of the rule [rad/s]
        const double by_weight = falls ? 2 * 2 * g * damping_of(e) / (e * v * w) : 0;
        Body ball = solid("ball", Kind::sphere, {0.1, 0, 0}, {0, 0, 0.101});
        Body box = solid("box", Kind::box, {0.3, 0.3, 0.2}, {0, 0, 0.101});
        for (Body* body : {&ball, &box}) {
          body->velocity.z() = -v;
          Scene scene = on_slope(*body, 0, 0.3);
          if (!falls) scene.gravity.setZero();
          const double h = 0.1 / w / (fine ? 16 : 1);
          expect_rebound(rebound(scene, e, v, h, height_of_body(0.1)), fine, by_weight,
                         fmt::format("{} {} {} {}", body->name, e, fine, falls));
        }
      }
}

/// Whatever number of its points touches: one, two, three or four.
TEST(Restitution, OfEveryShape) {
  const Eigen::Quaterniond lies(Eigen::AngleAxisd(pi / 2, Vec3::UnitX()));
  Body ball = solid("ball", Kind::sphere, {0.1, 0, 0}, {0, 0, 0.101}),
       box = solid("box", Kind::box, {0.3, 0.3, 0.2}, {0, 0, 0.101}),
       cylinder = solid("cylinder", Kind::cylinder, {0.15, 0.2, 0}, {0, 0, 0.101}),
       lying = solid("lying cylinder", Kind::cylinder, {0.1, 0.4, 0}, {0, 0, 0.101}),
       capsule = solid("capsule", Kind::capsule, {0.05, 0.1, 0}, {0, 0, 0.101}),
       lying_capsule = solid("lying capsule", Kind::capsule, {0.1, 0.2, 0}, {0, 0, 0.101});
  lying.orientation = lying_capsule.orientation = lies;
  for (Body* body : {&ball, &box, &cylinder, &lying, &capsule, &lying_capsule})
    for (const double e : {0.3, 0.7}) {
      body->velocity.z() = -2;
      Scene scene = on_slope(*body, 0, 0.3);
      scene.gravity.setZero();
      const Rebound found = rebound(scene, e, 2, 1e-5, height_of_body(0.1));
      EXPECT_NEAR(found.height, 1, 1e-2) << body->name << " " << e;
    }
}

TEST(Restitution, OfTwoBodiesInTheirCommonMotion) {
  // A ball of 1 kg hits one of 3 kg at rest: relative speed -e v, momentum kept.
  for (const double e : {0.5, 1.0}) {
    Scene scene;
    scene.gravity.setZero();
    scene.bodies = {solid("a", Kind::sphere, {0.1, 0, 0}, {0, 0, 0}, 1),
                    solid("b", Kind::sphere, {0.1, 0, 0}, {0.201, 0, 0}, 3)};
    scene.bodies[0].velocity.x() = 2;
    scene.contacts = {among({"a", "b"}, 0.3)};
    scene.contacts[0].restitution = e;
    TouchRun run(scene, by(1e-5));
    ASSERT_EQ(run.to(0.05), Status::ok) << run.integrator.failure().message();
    const auto speed = [&](size_t i) {
      return run.state.v[static_cast<size_t>(6 * run.model.data().mechanism.bodies[i].node)];
    };
    EXPECT_NEAR(speed(1) - speed(0), 2 * e, 0.02 * 2 * e) << e;
    EXPECT_NEAR(speed(0) + 3 * speed(1), 2, 1e-9) << e;
  }
}

TEST(Restitution, RopesRiseByItsSquare) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double e : {0.5, 1.0})
      for (const bool fine : {false, true}) {
        Scene scene = dropped_rope(0.001, 0, 0.3, 0);
        scene.cables[0].model = model;
        scene.cables[0].velocity = {0, 0, -2};
        scene.contacts[0].stiffness = 1e5;  // 1000 rad/s
        const auto height = [](const TouchRun& run) {
          const int node = (run.model.nodes() - 1) / 2;
          return std::pair(run.state.position(node).z() - 0.005,
                           run.state.v[static_cast<size_t>(6 * node) + 2]);
        };
        // Points stand for parts of an element, so the matrix of the contact is not that of the
        // mass times a factor: 5 % more.
        const Rebound found = rebound(scene, e, 2, fine ? 1e-4 / 16 : 1e-4, height);
        EXPECT_NEAR(found.height, 1, fine ? 5.5e-2 : 8e-2) << static_cast<int>(model) << " " << e;
        EXPECT_LT(found.gain, 1e-3) << e;
      }
}

TEST(Restitution, Refuses) {
  Scene scene = on_slope(solid("ball", Kind::sphere, {0.1, 0, 0}, {0, 0, 0.2}), 0, 0.3);
  scene.contacts[0].restitution = 1.5;
  expect_refused(scene, "restitution");
  scene.contacts[0].restitution = 0;
  scene.contacts[0].friction_law = FrictionLaw::hollars;
  scene.contacts[0].transition_speed = 0;
  expect_refused(scene, "transition speed");
}

/// A half turn at share of what friction holds creeps at that share of the transition speed: the
/// tension grows by exp(mu(v) angle). 34.09 mm from 1 to 60 s in an independent program, where the
/// heavier load is 1 + 0.5 (exp(mu pi) - 1) times the lighter one: share 0.57728, 34.06 mm.
TEST(FrictionBySpeed, CreepsUnderALoad) {
  const double share = std::log(1 + 0.5 * (std::exp(0.2 * pi) - 1)) / (0.2 * pi);
  EXPECT_NEAR(share * 59, 34.06, 0.01);
  for (const double h : {1e-3, 1e-2}) {
    Scene scene = held_load(share);
    scene.contacts[0].friction_law = FrictionLaw::hollars;
    scene.contacts[0].transition_speed = 1e-3;
    TouchRun run(scene, by(h));
    ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
    const double from = run.state.position(0).z();
    ASSERT_EQ(run.to(3), Status::ok) << run.integrator.failure().message();
    EXPECT_NEAR(run.state.position(0).z() - from, 2 * 34.09e-3 / 59, 0.01 * 2 * 34.09e-3 / 59) << h;
  }
}

/// Faster than the transition it is Coulomb friction with the kinetic coefficient.
TEST(FrictionBySpeed, SlidesAsByCoulomb) {
  Body block = solid("block", Kind::box, {0.4, 0.3, 0.2}, {0, 0, 0.1});
  const double angle = 0.6, slides = g * (std::sin(angle) - 0.5 * std::cos(angle)) / 2;
  for (const double h : {1e-3, 1e-2}) {
    Scene scene = on_slope(block, angle, 0.5);
    scene.contacts[0].friction_law = FrictionLaw::hollars;
    TouchRun run(scene, by(h));
    ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
    EXPECT_NEAR(place_of(run, 0).x(), slides, 1e-2 * slides) << h;
  }
}

}  // namespace
}  // namespace hawser
