// The element through which cable flows: its energies, weight and inertia against their
// definitions.
#include "conformance/conformance.h"

#include "conformance/ancf_adapter.h"
#include "elements/flow.h"

namespace hawser::conformance::HAWSER_FILE {
namespace {

constexpr double EA = 12.0, EI = 1.5, mass = 0.7;
constexpr double gravity[3] = {0.3, -0.2, -9.81};

/// Over (r1, g1, r2, g2, l), elastic energy.
template <class Strain, class Curvature>
class FlowAdapter {
 public:
  FlowAdapter(int axial_points, int bending_points)
      : par(flow_parameters({EA, EI}, mass, gravity, axial_points, bending_points)) {}

  [[nodiscard]] std::vector<Block> blocks() const {
    return {Block::position, Block::direction, Block::position, Block::direction, Block::scalar};
  }
  template <class T>
  T energy(const T* y) const {
    const T l = y[12];
    T sum(0.0);
    for (const GaussPoint& g : gauss_rule(par.unit.axial_points)) {
      T a[3], b[3];
      derivatives(y, g.x, a, b);
      sum += T(EA / 2 * g.w) * l * square(strain_of<Strain>(a));
    }
    for (const GaussPoint& g : gauss_rule(par.unit.bending_points)) {
      T a[3], b[3];
      derivatives(y, g.x, a, b);
      sum += T(EI / 2 * g.w) * l * curvature_squared<Curvature>(a, b);
    }
    return sum;
  }
  template <class T>
  void gradient(const T* y, T* g) const {
    FlowElastic<T> out;
    flow_elastic<Strain, Curvature, Tangent::none>(par, y, y[12], static_cast<const T*>(nullptr),
                                                   out);
    std::copy_n(out.gradient, flow_size, g);
  }
  [[nodiscard]] MatrixXd tangent(const VectorXd& y) const {
    FlowElastic<double> out;
    flow_elastic<Strain, Curvature, Tangent::own>(par, y.data(), y[12],
                                                  static_cast<const double*>(nullptr), out);
    EXPECT_NEAR(out.axial + out.bending, energy(y.data()), 1e-12 * (1 + energy(y.data())));
    return Eigen::Map<MatrixXd>(out.hessian, flow_size, flow_size);
  }

  FlowParameters par;

 private:
  /// r' and r'' of the cubic through the ends with their slopes, on a length that is a coordinate.
  template <class T>
  static void derivatives(const T* y, double xi, T a[3], T b[3]) {
    const T l = y[12];
    for (int i = 0; i < 3; ++i) {
      const T d = y[6 + i] - y[i];
      a[i] = T(6 * xi - 6 * xi * xi) * d / l + T(1 - 4 * xi + 3 * xi * xi) * y[3 + i] +
             T(3 * xi * xi - 2 * xi) * y[9 + i];
      b[i] = (T(6 - 12 * xi) * d / l + T(6 * xi - 4) * y[3 + i] + T(6 * xi - 2) * y[9 + i]) / l;
    }
  }
};

/// np-fem, over (r1, r2, l): its idle slopes are no coordinates.
template <class Strain, class Law>
class StraightFlow {
 public:
  StraightFlow() : par(straight_flow_parameters(EA, mass, gravity, false, Law::one_sided)) {}

  [[nodiscard]] std::vector<Block> blocks() const {
    return {Block::position, Block::position, Block::scalar};
  }
  template <class T>
  T energy(const T* y) const {
    T d[3];
    for (int i = 0; i < 3; ++i) d[i] = (y[3 + i] - y[i]) / y[6];
    const T eps = strain_of<Strain>(d);
    return unless_slack(Law::one_sided ? eps : T(1.0), T(EA / 2) * y[6] * square(eps));
  }
  template <class T>
  void gradient(const T* y, T* g) const {
    FlowElastic<T> out;
    at<Tangent::none>(y, static_cast<const T*>(nullptr), out);
    for (int i = 0; i < 7; ++i) g[i] = out.gradient[place(i)];
  }
  [[nodiscard]] MatrixXd tangent(const VectorXd& y) const {
    FlowElastic<double> out;
    at<Tangent::own>(y.data(), static_cast<const double*>(nullptr), out);
    EXPECT_NEAR(out.axial + out.bending, energy(y.data()), 1e-12 * (1 + energy(y.data())));
    return reduced(out);
  }
  template <Tangent kind, class T>
  void at(const T* y, const T* force, FlowElastic<T>& out) const {
    T e[12];
    for (int i = 0; i < 12; ++i) e[i] = i / 3 % 2 ? T(0.0) : y[i < 3 ? i : i - 3];
    flow_elastic<Strain, SecondDerivativeCurvature, kind, Law>(par, e, y[6], force, out);
  }
  static MatrixXd reduced(const FlowElastic<double>& out) {
    MatrixXd H(7, 7);
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j) H(i, j) = out.hessian[flow_size * place(j) + place(i)];
    return H;
  }

  FlowParameters par;

 private:
  static int place(int i) { return i < 3 ? i : i < 6 ? i + 3 : 12; }
};

template <class Check>
void on_straight_elements(Check&& check) {
  Random random(11);
  for (const double l : {0.05, 0.8, 7.0})
    for (int i = 0; i < 6; ++i) {
      const Vector3d r = random.vector();
      VectorXd y(7);
      y << r, r + l * (random.direction() * 1.2 + 0.1 * random.vector()), l;
      check(StraightFlow<GreenStrain, LinearElastic>(), y);
      check(StraightFlow<EngineeringStrain, LinearElastic>(), y);
      check(StraightFlow<EngineeringStrain, TensionOnly>(), y);
    }
}

TEST(StraightFlow, ForceTangentAndRigidMotion) {
  Random random(12);
  on_straight_elements([&](const auto& element, const VectorXd& y) {
    expect_force_from_energy(element, y);
    expect_tangent_from_force(element, y);
    expect_symmetric(element.tangent(y));
    expect_rigid_invariance(element, y, random.rotation(), random.vector());
  });
}

/// Slack it has no force; a mixed solve of a cable that was taut pushes.
TEST(StraightFlow, GoesSlack) {
  const StraightFlow<EngineeringStrain, TensionOnly> element;
  VectorXd y(7);
  y << 0, 0, 0, 0.5, 0, 0, 1;
  FlowElastic<double> out;
  element.at<Tangent::own>(y.data(), static_cast<const double*>(nullptr), out);
  EXPECT_EQ(out.force[0], 0);
  EXPECT_EQ(element.reduced(out).norm(), 0);
  const double taut = 3;
  element.at<Tangent::mixed>(y.data(), &taut, out);
  EXPECT_NEAR(out.force[0], -EA / 2, 1e-14 * EA);
}

TEST(StraightFlow, MixedTangentTakesTheForceThatItIsGiven) {
  on_straight_elements([](const auto& element, const VectorXd& y) {
    FlowElastic<double> own, mixed, more, most;
    element.template at<Tangent::own>(y.data(), static_cast<const double*>(nullptr), own);
    element.template at<Tangent::mixed>(y.data(), own.force, mixed);
    const double once = own.force[0] + 3, twice = once + 3;
    element.template at<Tangent::mixed>(y.data(), &once, more);
    element.template at<Tangent::mixed>(y.data(), &twice, most);
    const MatrixXd H = element.reduced(own), step = element.reduced(more) - H;
    expect_near(element.reduced(mixed), H, 1e-13 * largest(H), "mixed against own");
    EXPECT_GT(step.norm(), 0.1);
    expect_near(element.reduced(most) - element.reduced(more), step, 1e-12 * largest(H),
                "change with the force");
  });
}

VectorXd random_flow(Random& random, double l) {
  const Vector3d t = random.direction();
  VectorXd y(13);
  y.segment<3>(0) = random.vector();
  y.segment<3>(3) = t + 0.3 * random.vector();
  y.segment<3>(6) = y.segment<3>(0) + l * (t + 0.3 * random.vector());
  y.segment<3>(9) = t + 0.3 * random.vector();
  y[12] = l;
  return y;
}

template <class M>
class FlowElement : public ::testing::Test {
 protected:
  using Adapter = FlowAdapter<typename M::first_type, typename M::second_type>;
  template <class Check>
  void everywhere(Check&& check) {
    for (const int axial : {3, 5})
      for (const int bending : {2, 3})
        for (const double l : {0.05, 0.8, 7.0})
          for (int i = 0; i < 4; ++i) check(Adapter(axial, bending), random_flow(random, l));
  }
  Random random{20261117};
};
using FlowMeasures = ::testing::Types<std::pair<GreenStrain, SecondDerivativeCurvature>,
                                      std::pair<GreenStrain, MaterialCurvature>,
                                      std::pair<EngineeringStrain, SecondDerivativeCurvature>,
                                      std::pair<EngineeringStrain, GeometricCurvature>>;
TYPED_TEST_SUITE(FlowElement, FlowMeasures);

TYPED_TEST(FlowElement, ForceIsTheGradientOfTheEnergy) {
  this->everywhere(
      [](const auto& element, const VectorXd& y) { expect_force_from_energy(element, y); });
}
TYPED_TEST(FlowElement, TangentIsTheGradientOfTheForce) {
  this->everywhere([](const auto& element, const VectorXd& y) {
    expect_tangent_from_force(element, y);
    expect_symmetric(element.tangent(y));
  });
}
TYPED_TEST(FlowElement, RigidMotionTurnsTheForceAndKeepsTheEnergy) {
  this->everywhere([this](const auto& element, const VectorXd& y) {
    expect_rigid_invariance(element, y, this->random.rotation(), this->random.vector());
  });
}

/// With the forces of the configuration itself the mixed tangent is the own one; it is linear in
/// them.
TYPED_TEST(FlowElement, MixedTangentTakesTheForcesThatItIsGiven) {
  this->everywhere([this](const auto& element, const VectorXd& y) {
    using Strain = typename TypeParam::first_type;
    using Curvature = typename TypeParam::second_type;
    FlowElastic<double> own, mixed, more;
    const double* none = nullptr;
    flow_elastic<Strain, Curvature, Tangent::own>(element.par, y.data(), y[12], none, own);
    flow_elastic<Strain, Curvature, Tangent::mixed>(element.par, y.data(), y[12], own.force, mixed);
    const auto matrix = [](FlowElastic<double>& of) {
      return Eigen::Map<MatrixXd>(of.hessian, 13, 13);
    };
    expect_near(matrix(mixed), matrix(own), 1e-13 * largest(matrix(own)), "mixed against own");
    double once[max_gauss_points], twice[max_gauss_points];
    for (int g = 0; g < element.par.unit.axial_points; ++g) {
      const double change = EA * this->random();
      once[g] = own.force[g] + change;
      twice[g] = once[g] + change;
    }
    flow_elastic<Strain, Curvature, Tangent::mixed>(element.par, y.data(), y[12], once, more);
    flow_elastic<Strain, Curvature, Tangent::mixed>(element.par, y.data(), y[12], twice, mixed);
    EXPECT_GT((matrix(more) - matrix(own)).norm(), 0.1);
    expect_near(matrix(mixed) - matrix(more), matrix(more) - matrix(own),
                1e-12 * largest(matrix(own)), "change with the forces");
    expect_symmetric(matrix(more));
    for (int i = 0; i < flow_size; ++i) EXPECT_EQ(more.gradient[i], own.gradient[i]);
  });
}

TEST(Flow, WeightIsTheGradientOfItsEnergy) {
  Random random(3);
  const FlowParameters par = flow_parameters({EA, EI}, mass, gravity, 5, 3);
  const VectorXd y = random_flow(random, 0.6);
  double energy, gradient[flow_size], by_length[flow_size];
  flow_weight(par, y.data(), y[12], energy, gradient, by_length);
  for (Eigen::Index i = 0; i < flow_size; ++i) {
    const std::vector<Dual> at = along(y, i);
    Dual dual, slopes[flow_size];
    flow_weight(par, at.data(), at[12], dual, slopes, static_cast<Dual*>(nullptr));
    EXPECT_NEAR(dual.slope, gradient[i], 1e-13) << i;
    for (int j = 0; j < flow_size; ++j)
      EXPECT_NEAR(slopes[j].slope, j == 12 ? by_length[i] : i == 12 ? by_length[j] : 0, 1e-13);
  }
  const FlowParameters straight = straight_flow_parameters(EA, mass, gravity, false, false);
  double chord, on_chord[flow_size];
  flow_weight(straight, y.data(), y[12], chord, on_chord, static_cast<double*>(nullptr));
  double half = 0;
  for (int i = 0; i < 3; ++i) half -= y[12] * mass * gravity[i] * (y[i] + y[6 + i]) / 2;
  EXPECT_NEAR(chord, half, 1e-13 * std::abs(half));
  // -m grav . int r dp by quadrature of the cubic.
  double sum = 0;
  for (const GaussPoint& g : gauss_rule(5)) {
    const auto S = hermite_position(g.x);
    for (int i = 0; i < 3; ++i)
      sum -= g.w * y[12] * mass * gravity[i] *
             (S[0] * y[i] + y[12] * S[1] * y[3 + i] + S[2] * y[6 + i] + y[12] * S[3] * y[9 + i]);
  }
  EXPECT_NEAR(energy, sum, 1e-13 * std::abs(sum));
}

/// Coordinates (e, p1, p2) with velocities and accelerations.
struct Motion {
  VectorXd q, v, a;
  Motion(Random& random, bool straight) : q(14), v(14), a(14) {
    q.head<12>() = random_flow(random, 0.9).head<12>();
    q[12] = 0.4, q[13] = 1.3;
    for (int i = 0; i < 14; ++i) v[i] = random(), a[i] = random();
    for (const int slope : {3, 9})
      if (straight)
        for (VectorXd* of : {&q, &v, &a}) of->segment<3>(slope).setZero();
  }
  [[nodiscard]] double length() const { return q[13] - q[12]; }
};

/// ancf, np-fem, and np-fem with a lumped mass.
std::vector<FlowParameters> flow_kinds() {
  return {flow_parameters({EA, EI}, mass, gravity, 5, 3),
          straight_flow_parameters(EA, mass, gravity, false, false),
          straight_flow_parameters(EA, mass, gravity, true, false)};
}

std::array<double, 4> shape(const FlowParameters& par, double xi) {
  return par.unit.slopes ? hermite_position(xi) : std::array<double, 4>{1 - xi, 0, xi, 0};
}

/// r at the material coordinate p and time t.
Vector3d place(const FlowParameters& par, const Motion& m, double p, double t) {
  const VectorXd q = m.q + t * m.v + t * t / 2 * m.a;
  const double l = q[13] - q[12];
  const auto S = shape(par, (p - q[12]) / l);
  return S[0] * q.segment<3>(0) + l * S[1] * q.segment<3>(3) + S[2] * q.segment<3>(6) +
         l * S[3] * q.segment<3>(9);
}

/// The field S (w) of velocities and S (e.. + p.. D e + c) of accelerations are those of the
/// material.
TEST(Flow, MaterialVelocityAndAcceleration) {
  Random random(5);
  for (const FlowParameters& par : flow_kinds())
    for (int trial = 0; trial < 10; ++trial) {
      const Motion m(random, !par.unit.slopes);
      const double l = m.length(), h = 1e-3;
      double D1[12], D2[12], c[12];
      flow_columns(par, m.q.data(), l, D1, D2);
      flow_convection(par, m.q.data(), m.v.data(), l, m.v[12], m.v[13], c);
      for (const double xi : {0.1, 0.5, 0.83}) {
        const double p = m.q[12] + xi * l;
        const auto at = [&](int k) { return place(par, m, p, k * h); };
        const Vector3d velocity = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
        const Vector3d acceleration =
            (16 * (at(1) + at(-1)) - (at(2) + at(-2)) - 30 * at(0)) / (12 * h * h);
        const auto S = shape(par, xi);
        Vector3d v = Vector3d::Zero(), a = v;
        for (int k = 0; k < 4; ++k)
          for (int i = 0; i < 3; ++i) {
            const int n = 3 * k + i;
            const double s = S[static_cast<size_t>(k)] * (k % 2 ? l : 1);
            v[i] += s * (m.v[n] + m.v[12] * D1[n] + m.v[13] * D2[n]);
            a[i] += s * (m.a[n] + m.a[12] * D1[n] + m.a[13] * D2[n] + c[n]);
          }
        EXPECT_LT((v - velocity).norm(), 1e-9);
        EXPECT_LT((a - acceleration).norm(), 1e-6);
      }
    }
}

/// Kinetic energy (3) and its derivatives by velocities: T_q. = (M w, D1 e . M w, D2 e . M w).
template <class T>
T kinetic(const FlowParameters& par, const T* q, const T* v, T* momentum) {
  const T l = q[13] - q[12];
  T m[10], D1[12], D2[12], w[12];
  flow_mass(par, l, m);
  flow_columns(par, q, l, D1, D2);
  for (int i = 0; i < 12; ++i) w[i] = v[i] + v[12] * D1[i] + v[13] * D2[i];
  flow_mass_times(m, w, momentum);
  T sum(0.0);
  momentum[12] = momentum[13] = T(0.0);
  for (int i = 0; i < 12; ++i) {
    sum += T(0.5) * w[i] * momentum[i];
    momentum[12] += D1[i] * momentum[i];
    momentum[13] += D2[i] * momentum[i];
  }
  return sum;
}

/// Lagrange's equations of the kinetic energy, by dual numbers.
VectorXd lagrange_of(const FlowParameters& par, const Motion& m) {
  std::vector<Dual> q(14), v(14), momentum(14);
  for (int i = 0; i < 14; ++i) {
    q[static_cast<size_t>(i)] = {m.q[i], m.v[i]};
    v[static_cast<size_t>(i)] = {m.v[i], m.a[i]};
  }
  kinetic(par, q.data(), v.data(), momentum.data());
  VectorXd out(14);
  for (int i = 0; i < 14; ++i) {
    std::vector<Dual> at(m.q.begin(), m.q.end()), rate(m.v.begin(), m.v.end()), scratch(14);
    at[static_cast<size_t>(i)].slope = 1;
    out[i] = momentum[static_cast<size_t>(i)].slope -
             kinetic(par, at.data(), rate.data(), scratch.data()).slope;
  }
  return out;
}

/// They are d'Alembert's with the terms of the boundaries, and with those of a lumped mass.
TEST(Flow, LagrangeIsDAlembertWithBoundaryTerms) {
  Random random(7);
  for (const FlowParameters& par : flow_kinds())
    for (int trial = 0; trial < 10; ++trial) {
      const Motion m(random, !par.unit.slopes);
      const double l = m.length();
      const VectorXd lagrange = lagrange_of(par, m);
      double D1[12], D2[12], c[12], mass12[10], f[12], on_r[3], on_p;
      flow_columns(par, m.q.data(), l, D1, D2);
      flow_convection(par, m.q.data(), m.v.data(), l, m.v[12], m.v[13], c);
      for (int i = 0; i < 12; ++i) c[i] += m.a[i] + m.a[12] * D1[i] + m.a[13] * D2[i];
      flow_mass(par, l, mass12);
      flow_mass_times(mass12, c, f);
      VectorXd expected = VectorXd::Zero(14);
      for (int i = 0; i < 12; ++i) {
        expected[i] = f[i];
        expected[12] += D1[i] * f[i];
        expected[13] += D2[i] * f[i];
      }
      for (const int end : {0, 1}) {
        flow_crossing(par, end, m.q.data(), m.v.data(), l, m.v[12 + end], on_r, on_p);
        for (int i = 0; i < 3; ++i) expected[6 * end + i] += on_r[i];
        expected[12 + end] += on_p;
      }
      if (par.lumped()) {
        flow_lumping(par, m.q.data(), m.v.data(), l, m.v[12], m.v[13], on_r, on_p);
        for (int i = 0; i < 3; ++i) expected[i] -= on_r[i], expected[6 + i] += on_r[i];
        expected[12] -= on_p;
        expected[13] += on_p;
      }
      EXPECT_LT((lagrange - expected).norm(), 1e-12 * lagrange.norm());
    }
}

/// 2 A and B are what the accelerations of flow_convection() are made of.
TEST(Flow, ConvectionMatrices) {
  const FlowParameters par = flow_parameters({EA, EI}, mass, gravity, 5, 3);
  Random random(31);
  for (int n = 0; n < 20; ++n) {
    const double l = 0.6, rate1 = random.vector().x(), rate2 = random.vector().x();
    const VectorXd e = random_flow(random, l), v = random_flow(random, l);
    double c[12], A2[16], B[16];
    flow_convection(par, e.data(), v.data(), l, rate1, rate2, c);
    flow_convection_matrices(l, rate1, rate2, A2, B);
    for (int i = 0; i < 12; ++i) {
      double sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += A2[4 * (i / 3) + k] * v[3 * k + i % 3] + B[4 * (i / 3) + k] * e[3 * k + i % 3];
      EXPECT_NEAR(sum, c[i], 1e-12 * (1 + std::abs(c[i])));
    }
  }
}

}  // namespace
}  // namespace hawser::conformance::HAWSER_FILE
