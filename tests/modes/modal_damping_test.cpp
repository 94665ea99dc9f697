// Roots of damped modes against polynomials; the material's stiffness against finite differences.
#include "modes/modal_damping.h"

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/energy.h"
#include "hawser/integrator.h"

namespace hawser::HAWSER_FILE {
namespace {

using Complex = std::complex<double>;

DampedRoot root_of(double omega, double stiffness, const Damping& law, double alpha = 0) {
  ModalDamping mode;
  mode.omega_squared = omega * omega;
  mode.mass_damping = alpha;
  mode.laws = {{stiffness, &law}};
  return damped_root(mode);
}

TEST(DampedRoot, KelvinVoigt) {
  const double omega = 3, k = 5;  // of omega^2 = 9, 4 is not damped
  for (const double viscosity : {1e-4, 0.1, 0.9, 1.19}) {
    Damping law;
    law.viscosity = viscosity;
    const double c = k * viscosity / 2;
    const DampedRoot root = root_of(omega, k, law);
    ASSERT_TRUE(root.found);
    EXPECT_FALSE(root.overdamped);
    EXPECT_NEAR(root.lambda.real(), -c, 1e-11);
    EXPECT_NEAR(root.lambda.imag(), std::sqrt(9 - c * c), 1e-9);
  }
  for (const double viscosity : {1.3, 4.0, 100.0}) {
    Damping law;
    law.viscosity = viscosity;
    const double c = k * viscosity / 2;
    const DampedRoot root = root_of(omega, k, law);
    ASSERT_TRUE(root.found) << viscosity;
    EXPECT_TRUE(root.overdamped);
    EXPECT_NEAR(root.lambda.real(), -9 / (c + std::sqrt(c * c - 9)), 1e-9);
    EXPECT_EQ(root.lambda.imag(), 0);
  }
}

/// (1 + s T)(s^2 + a s + w^2) + k share s T = 0.
TEST(DampedRoot, MaxwellArm) {
  Damping law;
  law.relaxations = {{0.6, 0.4}};
  const double k = 7, omega = 3, alpha = 0.2;
  const DampedRoot root = root_of(omega, k, law, alpha);
  ASSERT_TRUE(root.found);
  const Complex s = root.lambda;
  EXPECT_LT(s.real(), -0.1);
  EXPECT_GT(s.imag(), 3);  // the arm is stiff at this frequency
  const Complex left = (1.0 + 0.4 * s) * (s * s + alpha * s + 9.0) + k * 0.6 * s * 0.4;
  EXPECT_LT(std::abs(left), 1e-10);
}

/// s^2 + w^2 (1 + tau sqrt s) = 0: a quartic of p = sqrt s, whose root goes on from sqrt(i w).
TEST(DampedRoot, Fractional) {
  Damping law;
  law.fractional.order = 0.5;
  law.fractional.tau = 0.3;
  const DampedRoot root = root_of(2, 4, law);
  ASSERT_TRUE(root.found);
  const Complex p = std::sqrt(root.lambda);
  EXPECT_GT(p.real(), 0);
  EXPECT_LT(std::abs(p * p * p * p + 4.0 + 4 * 0.3 * p), 1e-10);
  EXPECT_LT(root.lambda.real(), 0);
}

/// A curved, stretched cable and a motion that bends and stretches it.
class StiffnessParts_ : public testing::TestWithParam<CurvatureMeasure> {};

TEST_P(StiffnessParts_, BendingIsTheSecondVariationOfItsEnergy) {
  Scene scene;
  Cable cable;
  cable.name = "c";
  cable.sections[0].EA = 1e4;
  cable.sections[0].EI = 7;
  cable.sections[0].mass = 1;
  cable.curvature = GetParam();
  cable.route.back() = {2, 0, 0};
  cable.elements = 6;
  scene.cables.push_back(cable);
  const Model model(scene);
  const ModelData& data = model.data();
  State state = Integrator(model, {}).start();
  std::vector<double> x(state.q.size(), 0);
  for (int i = 0; i < model.coordinates(); ++i) {
    state.q[static_cast<size_t>(i)] += 0.1 * std::sin(1.7 * i);
    x[static_cast<size_t>(i)] = std::cos(2.3 * i);
  }
  const auto bending = [&](double h) {
    std::vector<double> q = state.q;
    for (size_t i = 0; i < q.size(); ++i) q[i] += h * x[i];
    return energy_of(data, {{0, {}}, q.data(), state.v.data(), nullptr, nullptr},
                     state.multipliers.data())
        .bending;
  };
  double found = 0;
  for (const Fields* part : data.fields) found += part->stiffness(state.q.data(), x.data()).bending;
  constexpr double h = 1e-4;
  const double expected = (bending(h) - 2 * bending(0) + bending(-h)) / (h * h);
  EXPECT_NEAR(found, expected, 1e-5 * std::abs(expected));
}

INSTANTIATE_TEST_SUITE_P(Measures, StiffnessParts_,
                         testing::Values(CurvatureMeasure::second_derivative,
                                         CurvatureMeasure::material, CurvatureMeasure::geometric));

/// Where the strain is zero nothing but the material resists: d2U = EA (eps')^2. Beside it, a
/// stretched cable that moves across itself is not strained at first order.
TEST(StiffnessParts, AxialIsThatOfTheMaterial) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem})
    for (const StrainMeasure strain : {StrainMeasure::green, StrainMeasure::engineering}) {
      Scene scene;
      Cable cable;
      cable.name = "c";
      cable.model = kind;
      cable.strain = strain;
      cable.sections[0].EA = 1e3;
      cable.sections[0].mass = 1;
      cable.route.back() = {2, 0, 0};
      cable.elements = 5;
      scene.cables.push_back(cable);
      const Model model(scene);
      const ModelData& data = model.data();
      State state = Integrator(model, {}).start();
      std::vector<double> x(state.q.size(), 0);
      for (int i = 0; i < model.coordinates(); ++i)
        if (kind == CableModel::ancf || i % 6 < 3) x[static_cast<size_t>(i)] = std::cos(2.3 * i);
      const auto axial = [&](double h) {
        std::vector<double> q = state.q;
        for (size_t i = 0; i < q.size(); ++i) q[i] += h * x[i];
        return energy_of(data, {{0, {}}, q.data(), state.v.data(), nullptr, nullptr}, nullptr)
            .axial;
      };
      double found = 0, across = 0;
      for (const Fields* part : data.fields)
        found += part->stiffness(state.q.data(), x.data()).axial;
      constexpr double h = 1e-4;
      const double expected = (axial(h) - 2 * axial(0) + axial(-h)) / (h * h);
      EXPECT_NEAR(found, expected, 1e-4 * expected);
      for (size_t i = 0; i < x.size(); i += 3) {
        state.q[i] *= 1.02;
        x[i] = 0;
      }
      for (const Fields* part : data.fields)
        across += part->stiffness(state.q.data(), x.data()).axial;
      EXPECT_NEAR(across, 0, 1e-9);
    }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
