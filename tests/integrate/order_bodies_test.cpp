// Measured order of accuracy of every scheme with every method on bodies, joints and a massless
// cable: a spherical double pendulum, pinned to the ground and hinged in the middle, held by an
// elastic cable whose oscillation the step resolves.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "hawser/measure.h"
#include "machines.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double duration = 0.8;

Scene double_pendulum() {
  Scene scene;
  Body upper = ball("upper", 1.5, {0.4, 0, -0.3}), lower = ball("lower", 1, {1.1, 0.2, -0.7});
  upper.inertia = Eigen::Vector3d(0.03, 0.05, 0.06).asDiagonal();
  lower.inertia = Eigen::Vector3d(0.02, 0.04, 0.03).asDiagonal();
  upper.orientation = Eigen::AngleAxisd(0.6, Vec3(1, 1, 0).normalized());
  lower.orientation = Eigen::AngleAxisd(-0.9, Vec3(0, 1, 2).normalized());
  upper.angular_velocity = {0.5, -1, 2};
  upper.velocity = upper.angular_velocity.cross(upper.position);
  const Vec3 elbow(0.8, 0.1, -0.5), axis = Vec3(0.3, 1, 0.2).normalized();
  lower.angular_velocity = upper.angular_velocity + 1.5 * axis;
  lower.velocity =
      upper.angular_velocity.cross(elbow) + lower.angular_velocity.cross(lower.position - elbow);
  const auto on = [](const std::string& name, const Body& b, const Vec3& world) {
    return frame(name, b.name, b.orientation.conjugate() * (world - b.position));
  };
  scene.bodies = {upper, lower};
  scene.supports = {ground("hook", Vec3::Zero()), ground("post", {3, 1, 1})};
  scene.frames = {on("shoulder", upper, Vec3::Zero()), on("elbow above", upper, elbow),
                  on("elbow below", lower, elbow), on("eye", lower, Vec3(1.3, 0.3, -0.8))};
  scene.joints = {joint("pin", JointKind::pin, "hook", "shoulder"),
                  joint("hinge", JointKind::hinge, "elbow above", "elbow below", axis)};
  scene.cables = {massless("spring", 150, 2.2, {"eye", "post"})};  // taut from the start
  return scene;
}

/// The largest difference of the bodies' places [m] and orientations [rad].
double apart(const Model& model, const State& a, const State& b) {
  double out = 0;
  for (int i = 0; i < 2; ++i) {
    out = std::max(out, (body_at(model, a, i) - body_at(model, b, i)).norm());
    const double *o = a.orientation.data() + 4 * i, *p = b.orientation.data() + 4 * i;
    out = std::max(out, Eigen::Quaterniond(o[0], o[1], o[2], o[3])
                            .angularDistance(Eigen::Quaterniond(p[0], p[1], p[2], p[3])));
  }
  return out;
}

/// The same of their velocities.
double speeds_apart(const State& a, const State& b) {
  double out = 0;
  for (size_t i = 0; i < a.v.size(); ++i) out = std::max(out, std::abs(a.v[i] - b.v[i]));
  return out;
}

State end_of(const Model& model, SolveOptions options, int steps) {
  options.step = duration / steps;
  options.newton_tolerance = 1e-12;
  Integrator integrator(model, options);
  State state = integrator.start();
  EXPECT_EQ(integrator.advance(state, duration), Status::ok) << integrator.failure().message();
  EXPECT_NEAR(state.t, duration, 1e-9);
  return state;
}

/// The force of the pin at the end [N].
Vec3 pin_force(const Model& model, const State& state) {
  return joint_force(model, state, "pin").force;
}

class OrderOfBodies : public testing::Test {
 protected:
  const Model model{double_pendulum()};
  const State truth =
      end_of(model, solve_options(Method::newton, 0, Scheme::generalized_alpha), 16000);

  struct Orders {
    double places, speeds, forces;
  };
  [[nodiscard]] Orders measure(const SolveOptions& options) const {
    constexpr int coarse = 400, fine = 800;
    const State a = end_of(model, options, coarse), b = end_of(model, options, fine);
    const Vec3 force = pin_force(model, truth);
    const Orders out = {
        std::log2(apart(model, a, truth) / apart(model, b, truth)),
        std::log2(speeds_apart(a, truth) / speeds_apart(b, truth)),
        std::log2((pin_force(model, a) - force).norm() / (pin_force(model, b) - force).norm())};
    std::printf("  %-28s places %.2f, speeds %.2f, forces %.2f\n", name(options).c_str(),
                out.places, out.speeds, out.forces);
    return out;
  }

  static std::string name(const SolveOptions& options) {
    return options.method == Method::spook ? "spook" : name_of(options);
  }

  void expect_second_order(const SolveOptions& options) const {
    SCOPED_TRACE(name(options));
    const Orders order = measure(options);
    EXPECT_NEAR(order.places, 2, 0.1);
    EXPECT_NEAR(order.speeds, 2, 0.1);
  }
};

constexpr Scheme damped_schemes[] = {Scheme::bdf2, Scheme::hht, Scheme::generalized_alpha};

TEST_F(OrderOfBodies, TheReferenceIsSound) {
  const State other = end_of(model, solve_options(Method::newton, 0, Scheme::bdf2), 16000);
  EXPECT_LT(apart(model, other, truth), 1e-6);
  const State start = Integrator(model, {}).start();
  EXPECT_GT(apart(model, start, truth), 0.5) << "it moves";
}

TEST_F(OrderOfBodies, OfMixedAndNewton) {
  for (const Method method : {Method::mixed, Method::newton})
    for (const Scheme scheme : damped_schemes)
      expect_second_order(solve_options(method, 0, scheme));
}

TEST_F(OrderOfBodies, OfLinearized) {
  for (const Scheme scheme : damped_schemes)
    expect_second_order(solve_options(Method::linearized, 0, scheme));
}

TEST_F(OrderOfBodies, OfBackwardEuler) {
  for (const Method method : {Method::linearized, Method::mixed, Method::newton}) {
    const Orders order = measure(solve_options(method, 0, Scheme::backward_euler));
    EXPECT_NEAR(order.places, 1, 0.1) << name_of(method);
    EXPECT_NEAR(order.speeds, 1, 0.1) << name_of(method);
  }
}

TEST_F(OrderOfBodies, OfSpook) { expect_second_order(solve_options(Method::spook, 0)); }

/// With joints the three stages give second order: their own order is two. Forces, two derivatives
/// away, have one (Hairer, Lubich & Roche 1989, index 3).
TEST_F(OrderOfBodies, OfMixed3) {
  const Orders order = measure(solve_options(Method::mixed3, 0));
  EXPECT_GE(order.places, 1.9);
  EXPECT_GE(order.speeds, 1.9);
  EXPECT_GE(order.forces, 0.9);
}

TEST_F(OrderOfBodies, OfForces) {
  for (const Method method : {Method::mixed, Method::newton})
    for (const Scheme scheme : {Scheme::hht, Scheme::generalized_alpha}) {
      const SolveOptions options = solve_options(method, 0, scheme);
      EXPECT_GE(measure(options).forces, 1.8) << name(options);
    }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
