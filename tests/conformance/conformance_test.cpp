// The ANCF cable element through the suites every element must pass.
#include "conformance/conformance.h"

#include "conformance/ancf_adapter.h"

namespace hawser::conformance::HAWSER_FILE {
namespace {

// Axial and bending stiffness of one size: an error in either shows.
constexpr double length = 0.8, EA = 12.0, EI = 1.5;

template <class S, class C>
struct Measures {
  using Strain = S;
  using Curvature = C;
};

struct MeasureNames {
  template <class M>
  static std::string GetName(int /*index*/) {
    using Curvature = typename M::Curvature;
    const std::string strain =
        std::is_same_v<typename M::Strain, GreenStrain> ? "Green" : "Engineering";
    if (std::is_same_v<Curvature, SecondDerivativeCurvature>) return strain + "SecondDerivative";
    return strain + (std::is_same_v<Curvature, MaterialCurvature> ? "Material" : "Geometric");
  }
};

using AllMeasures = ::testing::Types<Measures<GreenStrain, SecondDerivativeCurvature>,
                                     Measures<GreenStrain, MaterialCurvature>,
                                     Measures<GreenStrain, GeometricCurvature>,
                                     Measures<EngineeringStrain, SecondDerivativeCurvature>,
                                     Measures<EngineeringStrain, MaterialCurvature>,
                                     Measures<EngineeringStrain, GeometricCurvature>>;

/// A cable element bent, sheared and stretched by up to a third.
VectorXd random_shape(Random& random) {
  const Vector3d t = random.direction();
  VectorXd x(12);
  x.segment<3>(0) = random.vector();
  x.segment<3>(3) = t + 0.3 * random.vector();
  x.segment<3>(6) = x.segment<3>(0) + length * (t + 0.3 * random.vector());
  x.segment<3>(9) = t + 0.3 * random.vector();
  return x;
}

VectorXd straight_shape(Random& random, double stretch) {
  const Vector3d t = random.direction();
  VectorXd x(12);
  x.segment<3>(0) = random.vector();
  x.segment<3>(3) = stretch * t;
  x.segment<3>(6) = x.segment<3>(0) + length * stretch * t;
  x.segment<3>(9) = stretch * t;
  return x;
}

template <class M>
class Ancf : public ::testing::Test {
 protected:
  using Adapter = AncfAdapter<typename M::Strain, typename M::Curvature>;

  /// Runs a check with every quadrature, at random and at straight shapes.
  template <class Check>
  void everywhere(Check&& check) {
    for (int axial = 3; axial <= max_gauss_points; ++axial)
      for (int bending = 2; bending <= 5; ++bending) {
        SCOPED_TRACE(std::to_string(axial) + " axial, " + std::to_string(bending) + " bending");
        const Adapter element(length, EA, EI, axial, bending);
        for (int i = 0; i < 4; ++i) check(element, random_shape(random));
        for (const double stretch : {1.0, 1.25, 0.8})
          check(element, straight_shape(random, stretch));
        if (this->HasFailure()) return;
      }
  }

  Random random{20240607};
};
TYPED_TEST_SUITE(Ancf, AllMeasures, MeasureNames);

TYPED_TEST(Ancf, ForceIsTheGradientOfTheEnergy) {
  this->everywhere(
      [](const auto& element, const VectorXd& x) { expect_force_from_energy(element, x); });
}

TYPED_TEST(Ancf, TangentIsTheGradientOfTheForce) {
  this->everywhere(
      [](const auto& element, const VectorXd& x) { expect_tangent_from_force(element, x); });
}

TYPED_TEST(Ancf, TangentsAreSymmetric) {
  this->everywhere([this](const auto& element, const VectorXd& x) {
    expect_symmetric(element.tangent(x));
    double force[max_gauss_points];
    for (double& N : force) N = EA * this->random();
    expect_symmetric(element.mixed_tangent(x, force));
  });
}

/// What damping makes of an element in a step has the same tangent by dual numbers.
TYPED_TEST(Ancf, DampedForceAndTangentAreThoseOfItsPotential) {
  this->everywhere([this](const auto& plain, const VectorXd& x) {
    auto element = plain;
    element.axial_factor = 1.7;
    element.bending_factor = 2.3;
    for (int g = 0; g < element.parameters.axial_points; ++g)
      element.force.push_back(EA * this->random());
    for (int g = 0; g < 3 * element.parameters.bending_points; ++g)
      element.moment.push_back(EI * this->random());
    expect_force_from_energy(element, x);
    expect_tangent_from_force(element, x);
    expect_symmetric(element.tangent(x));
  });
}

TYPED_TEST(Ancf, RigidMotionTurnsTheForceAndKeepsTheEnergy) {
  this->everywhere([this](const auto& element, const VectorXd& x) {
    expect_rigid_invariance(element, x, this->random.rotation(), 10 * this->random.vector());
  });
}

TYPED_TEST(Ancf, UniformlyStretchedChainIsInBalance) {
  constexpr bool green = std::is_same_v<typename TypeParam::Strain, GreenStrain>;
  for (int axial = 3; axial <= max_gauss_points; ++axial)
    for (int bending = 2; bending <= 5; ++bending)
      for (const double stretch : {1.0, 1.1, 1.6, 0.7}) {
        const typename TestFixture::Adapter element(length, EA, EI, axial, bending);
        const double strain = green ? (stretch * stretch - 1) / 2 : stretch - 1;
        const double force = EA * strain * (green ? stretch : 1.0);  // N eps_r'
        expect_patch(element, length, 5, this->random.direction(), stretch, force);
      }
}

TYPED_TEST(Ancf, StraightCableHasNoBendingForceAndAFiniteStiffness) {
  for (int bending = 2; bending <= 5; ++bending) {
    const typename TestFixture::Adapter element(length, EA, EI, 5, bending);
    const VectorXd x = straight_shape(this->random, 1.0);
    const VectorXd g = gradient_of(element, x);
    expect_near(g, VectorXd::Zero(12), 10 * gradient_floor(element, x),
                "force of a straight cable");
    const MatrixXd K = element.tangent(x);
    ASSERT_TRUE(K.allFinite());
    // Beam theory: slopes +-1 about a normal bend the element to the curvature 2/l.
    VectorXd bend = VectorXd::Zero(12);
    bend.segment<3>(3) = x.segment<3>(3).unitOrthogonal();
    bend.segment<3>(9) = -bend.segment<3>(3);
    EXPECT_NEAR(bend.dot(K * bend), 4 * EI / length, 1e-12 * largest(K));
  }
}

TYPED_TEST(Ancf, StrainGradientIsThatOfTheAxialForce) {
  this->everywhere([](const auto& element, const VectorXd& x) {
    const int n = element.parameters.axial_points;
    const MatrixXd slopes = dual_jacobian(x, n, [&](const Dual* at, Dual* out) {
      const auto result = element.template evaluate<Tangent::none, Dual>(at, nullptr);
      std::copy(result.force, result.force + n, out);
    });
    const auto result = element.template evaluate<Tangent::none, double>(x.data(), nullptr);
    MatrixXd expected(n, 12);
    for (int g = 0; g < n; ++g) {
      double reduced[9], row[12];
      for (int k = 0; k < 9; ++k)
        reduced[k] = EA * element.parameters.axial[g].c[k / 3] * result.strain_r[g][k % 3];
      element.expand(reduced, row);
      for (int k = 0; k < 12; ++k) expected(g, k) = row[k];
    }
    expect_near(expected, slopes, derivative_tolerance * largest(slopes), "EA strain gradient");
  });
}

/// The mixed tangent is the Jacobian of a force whose axial part starts at N_n and grows with EA:
/// G(x) = g(x) + sum_g w_g (N_n - N(x0)) eps_x(x).
TYPED_TEST(Ancf, MixedTangentTakesItsGeometricStiffnessFromTheGivenForce) {
  this->everywhere([this](const auto& element, const VectorXd& x) {
    const int n = element.parameters.axial_points;
    double force_n[max_gauss_points], extra[max_gauss_points];
    const auto here = element.template evaluate<Tangent::none, double>(x.data(), nullptr);
    for (int g = 0; g < n; ++g) {
      force_n[g] = EA * this->random();
      extra[g] = force_n[g] - here.force[g];
    }
    const MatrixXd slopes = dual_jacobian(x, 12, [&](const Dual* at, Dual* out) {
      auto result = element.template evaluate<Tangent::none, Dual>(at, nullptr);
      for (int g = 0; g < n; ++g)
        for (int k = 0; k < 9; ++k)
          result.gradient[k] += Dual(element.parameters.axial[g].w *
                                     element.parameters.axial[g].c[k / 3] * extra[g]) *
                                result.strain_r[g][k % 3];
      element.expand(result.gradient, out);
    });
    expect_near(element.mixed_tangent(x, force_n), slopes, derivative_tolerance * largest(slopes),
                "mixed tangent");
    expect_near(element.mixed_tangent(x, here.force), element.tangent(x), 1e-13 * largest(slopes),
                "mixed tangent with the element's own force");
  });
}

TEST(AncfGreen, IsRegularWhereTheSlopeVanishes) {
  const AncfAdapter<GreenStrain, SecondDerivativeCurvature> element(length, EA, EI, 5, 3);
  const VectorXd x = VectorXd::Zero(12);
  EXPECT_EQ(gradient_of(element, x), VectorXd::Zero(12));
  expect_tangent_from_force(element, x);
}

}  // namespace
}  // namespace hawser::conformance::HAWSER_FILE
