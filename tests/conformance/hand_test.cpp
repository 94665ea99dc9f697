// The spring of the hand: its force, and its tangents against differences of it.
#include "conformance/assembly_reference.h"  // first: the kernels need its sqrt

#include <gtest/gtest.h>

#include "assembly/assembler.h"

namespace hawser::conformance::HAWSER_FILE {
namespace {

struct Pulled {
  Pulled(double on, const Vec3& at) {
    Scene scene = scene_of({cable_of(3)});
    Body body;
    body.name = "load";
    body.mass = 2;
    body.inertia = Vec3(1, 2, 3).asDiagonal();
    body.position = {0.3, -0.2, 0.5};
    body.orientation = Eigen::Quaterniond(0.8, 0.1, -0.5, 0.3).normalized();
    scene.bodies = {body};
    scene.gravity.setZero();
    without = compile(scene);
    add_hand(scene);
    model = compile(scene);
    inputs = model->inputs;
    const double values[] = {on, at.x(), at.y(), at.z(), 1.5, 0.7, -0.4, 50, 7};
    for (size_t k = 0; k < hand_inputs; ++k) inputs[k] = InputMotion::at_rest(values[k]);
    q = model->q0;
    v = model->v0;
    for (size_t i = 0; i < v.size(); ++i) v[i] = 0.1 * std::sin(static_cast<double>(i));
    const Eigen::Quaterniond& o = model->mechanism.orientation[0];
    orientation = {o.w(), o.x(), o.y(), o.z()};
  }

  /// What the hand adds to the force, and to the matrix if asked for.
  VectorXd force(const std::vector<double>& at, const std::vector<double>& rates) const {
    return run(*model, at, rates, nullptr) - run(*without, at, rates, nullptr);
  }
  MatrixXd matrix(double stiffness, double damping) const {
    DenseSink with(model->structure, true), none(model->structure, true);
    weights = {stiffness, damping};
    run(*model, q, v, &with);
    run(*without, q, v, &none);
    return with.H - none.H;
  }
  VectorXd run(const ModelData& of, const std::vector<double>& at, const std::vector<double>& rates,
               DenseSink* sink) const {
    Assembler assembler(of);
    Wanted wanted;
    wanted.b = of.v0.data();
    wanted.mass_weight = 0;
    wanted.stiffness_weight = weights.first;
    wanted.damping_weight = weights.second;
    wanted.tangent = sink != nullptr ? Tangent::own : Tangent::none;
    assembler.keep_points(wanted);
    assembler.run({{0, inputs}, at.data(), rates.data(), orientation.data()}, wanted,
                  sink != nullptr ? sink->sink : MatrixSink{});
    return head(assembler.force, of.structure.coordinates());
  }
  /// Differences of the force over coordinates or velocities.
  MatrixXd slopes(bool by_velocity) const {
    const auto n = static_cast<Eigen::Index>(model->structure.coordinates());
    MatrixXd out(n, n);
    constexpr double step = 1e-5;
    for (Eigen::Index j = 0; j < n; ++j) {
      VectorXd sides[2];
      for (const int side : {0, 1}) {
        std::vector<double> x = q, rate = v;
        (by_velocity ? rate : x)[static_cast<size_t>(j)] += side != 0 ? step : -step;
        sides[side] = force(x, rate);
      }
      out.col(j) = (sides[0] - sides[1]) / (2 * step);
    }
    return out;
  }

  std::shared_ptr<const ModelData> model, without;
  std::vector<InputMotion> inputs;
  std::vector<double> q, v, orientation;
  mutable std::pair<double, double> weights{1, 0};
};

TEST(Hand, HoldsNothingAtFirst) {
  const Pulled p(0, Vec3::Zero());
  EXPECT_EQ(p.force(p.q, p.v).norm(), 0);
  EXPECT_EQ(p.matrix(1, 1).norm(), 0);
}

TEST(Hand, PullsAtTheNearestNode) {
  const Pulled p(-1, {1.05 * element_length, 0, 0});
  const Vec3 x(p.q.data() + 6), v(p.v.data() + 6), target(1.5, 0.7, -0.4);
  VectorXd expected = VectorXd::Zero(p.model->structure.coordinates());
  expected.segment<3>(6) = 50 * (target - x) - 7 * v;
  expect_near(p.force(p.q, p.v), expected, 1e-12 * largest(expected), "force");
  expect_near(p.matrix(1, 0), p.slopes(false), 1e-6, "stiffness");
  expect_near(p.matrix(0, 1), p.slopes(true), 1e-6, "damping");
}

TEST(Hand, PullsAtAPointOfABody) {
  Pulled p(1, {0.2, -0.3, 0.6});
  const VectorXd f = p.force(p.q, p.v);
  expect_near(p.matrix(0, 1), p.slopes(true), 1e-6, "damping");
  p.v.assign(p.v.size(), 0);  // the arm turns the velocity too: small, and left out
  const MatrixXd K = p.slopes(false);
  // Turns are taken about the body's own axes: the difference of torques has a part that is not
  // symmetric.
  expect_near(p.matrix(1, 0), (K + K.transpose()) / 2, 1e-6, "stiffness");
  const int c = 6 * p.model->mechanism.bodies[0].node;
  const Eigen::Matrix3d R = p.model->mechanism.orientation[0].toRotationMatrix();
  const Vec3 arm(0.2, -0.3, 0.6), F = f.segment<3>(c);
  expect_near(f.segment<3>(c + 3), arm.cross(R.transpose() * F), 1e-12, "torque");
}

}  // namespace
}  // namespace hawser::conformance::HAWSER_FILE
