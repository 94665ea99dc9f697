// The np-fem cable element through the suites every element must pass.
#include "conformance/conformance.h"

#include "conformance/np_fem_adapter.h"

namespace hawser::conformance::HAWSER_FILE {
namespace {

constexpr double length = 0.8, EA = 12.0;

struct LawNames {
  template <class Law>
  static std::string GetName(int /*index*/) {
    return Law::one_sided ? "TensionOnly" : "LinearElastic";
  }
};

template <class Law>
class NpFem : public ::testing::Test {
 protected:
  /// An element of this length over its unstretched one, anywhere.
  VectorXd shape(double stretch) {
    VectorXd x(6);
    x.head<3>() = random.vector();
    x.tail<3>() = x.head<3>() + length * stretch * random.direction();
    return x;
  }

  template <class Check>
  void everywhere(Check&& check) {
    for (const double stretch : {0.4, 0.9, 1.001, 1.2, 1.8})
      for (int i = 0; i < 4; ++i) {
        SCOPED_TRACE("stretch " + std::to_string(stretch));
        check(shape(stretch), stretch);
      }
  }

  /// [N]
  static double force_at(double stretch) {
    return Law::one_sided && stretch < 1 ? 0 : EA * (stretch - 1);
  }

  NpFemAdapter<Law> element{length, EA};
  Random random{20250301};
};
using Laws = ::testing::Types<LinearElastic, TensionOnly>;
TYPED_TEST_SUITE(NpFem, Laws, LawNames);

TYPED_TEST(NpFem, ForceIsTheGradientOfTheEnergy) {
  this->everywhere(
      [this](const VectorXd& x, double) { expect_force_from_energy(this->element, x); });
}

TYPED_TEST(NpFem, TangentIsTheGradientOfTheForce) {
  this->everywhere([this](const VectorXd& x, double) {
    expect_tangent_from_force(this->element, x);
    expect_symmetric(this->element.tangent(x));
  });
}

TYPED_TEST(NpFem, RigidMotionTurnsTheForceAndKeepsTheEnergy) {
  this->everywhere([this](const VectorXd& x, double) {
    expect_rigid_invariance(this->element, x, this->random.rotation(), 10 * this->random.vector());
  });
}

TYPED_TEST(NpFem, UniformlyStretchedChainIsInBalance) {
  for (const double stretch : {0.7, 1.0, 1.1, 1.6})
    expect_patch(this->element, length, 5, this->random.direction(), stretch,
                 this->force_at(stretch));
}

/// EA/l t t^T + N/L (I - t t^T): Tonin & Braun eq. 10 with L0, and the part they leave out.
TYPED_TEST(NpFem, TangentIsThatOfABar) {
  this->everywhere([this](const VectorXd& x, double stretch) {
    const double N = this->force_at(stretch);
    const Vector3d t = (x.tail<3>() - x.head<3>()).normalized();
    const Matrix3d along = t * t.transpose(), across = Matrix3d::Identity() - along;
    const double stiff = TypeParam::one_sided && N == 0 ? 0 : EA / length;
    const Matrix3d K = stiff * along + N / (length * stretch) * across;
    MatrixXd expected(6, 6);
    expected << K, -K, -K, K;
    expect_near(this->element.tangent(x), expected, 1e-12 * EA / length, "tangent of a bar");
  });
}

TYPED_TEST(NpFem, MixedTangentTakesItsGeometricStiffnessFromTheGivenForce) {
  this->everywhere([this](const VectorXd& x, double stretch) {
    const Vector3d t = (x.tail<3>() - x.head<3>()).normalized();
    for (const double N : {3.0, 0.5}) {
      const Matrix3d along = t * t.transpose(), across = Matrix3d::Identity() - along;
      const Matrix3d K = EA / length * along + N / (length * stretch) * across;
      MatrixXd expected(6, 6);
      expected << K, -K, -K, K;
      expect_near(this->element.mixed_tangent(x, &N), expected, 1e-12 * EA / length,
                  "taut when the step began");
    }
  });
}

TEST(NpFemTensionOnly, StaysSlackInAMixedStepOnlyWhereItWas) {
  const NpFemAdapter<TensionOnly> element(length, EA);
  VectorXd x = VectorXd::Zero(6);
  for (const double stretch : {0.9, 1.1})
    for (const double before : {0.0, 2.0}) {
      x[3] = length * stretch;
      const auto result = element.evaluate<Tangent::mixed, double>(x.data(), &before);
      const bool taut = stretch > 1 || before > 0;
      EXPECT_NEAR(result.force[0], taut ? EA * (stretch - 1) : 0, 1e-14);
      EXPECT_EQ(result.strain_r[0][0], taut ? 1 : 0);
      EXPECT_EQ(result.strain_r[0][1], 0);
    }
}

TEST(NpFemTensionOnly, DoesNotHideWhatIsNoNumber) {
  const NpFemAdapter<TensionOnly> element(length, EA);
  VectorXd x = VectorXd::Zero(6);
  x[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(gradient_of(element, x).hasNaN());
  EXPECT_TRUE(element.tangent(x).hasNaN());
}

/// Of (r1, r2): rigid motions have their mass, and the consistent one is int S^T S.
TEST(NpFemMass, IsThatOfAStraightRod) {
  constexpr double mass = 0.7;
  for (const bool lumped : {false, true}) {
    const AncfParameters par = np_fem_parameters(length, EA, mass, lumped, false);
    const double own1 = par.mass[0], shared = par.mass[2], own2 = par.mass[7];
    EXPECT_NEAR(own1 + 2 * shared + own2, mass * length, 1e-15) << "translation";
    // Ends that turn about the middle: m l^2/12 of a rod, of two halves at its ends m l^2/4.
    const double inertia = (own1 - 2 * shared + own2) * length * length / 4;
    EXPECT_NEAR(inertia, mass * length * length * length / (lumped ? 4 : 12), 1e-15);
    for (const int slope : {1, 3, 5, 6, 8})
      EXPECT_EQ(par.mass[slope], 0) << "idle slopes are coupled to nothing";
    EXPECT_GT(par.mass[4], 0);
    EXPECT_GT(par.mass[9], 0);
  }
}

}  // namespace
}  // namespace hawser::conformance::HAWSER_FILE
