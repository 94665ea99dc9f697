// A constraint that the library does not know, with a scalar unknown in it: a bead on a hoop, whose
// angle phi is a scalar,
//
//     Phi = r - R (cos phi, 0, sin phi) = 0,     G = [ I, -c'(phi) ],     Phi_phi,phi = -c''
//
// with a mass m at the node r and an inertia J of phi. It is a pendulum,
// (m R^2 + J) phi'' = -m g R cos phi, and the hoop's force on the bead is m (r'' - g).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "hawser/integrator.h"
#include "model/model_data.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double R = 0.8, m = 1.3, J = 0.4, g = 9.81;

Vec3 on_hoop(double phi) { return {R * std::cos(phi), 0, R * std::sin(phi)}; }
Vec3 along_hoop(double phi) { return {-R * std::sin(phi), 0, R * std::cos(phi)}; }

class BeadTerm final : public Term {
 public:
  BeadTerm(int node, int scalar, int coordinate)
      : node_(node), scalar_(scalar), coordinate_(coordinate) {}

  [[nodiscard]] Facts facts() const override {
    Facts out;
    out.load = true;
    return out;
  }
  void add(const Configuration&, const Wanted& wanted, const Sums& sums) const override {
    sums.force[node_size * node_ + 2] -= wanted.load_factor * m * g;
    if (sums.inertia && wanted.b) add_mass_times(nullptr, wanted.b, sums.inertia);
    if (!wanted.matrix()) return;
    Eigen::Matrix<double, 6, 6> block = Eigen::Matrix<double, 6, 6>::Zero();
    block.diagonal().head<3>().setConstant(wanted.mass_weight * m);
    add_node_block(sums.sink, node_, block.data());
    add_corner(sums.sink, scalar_, scalar_, wanted.mass_weight * J);
  }
  void add_mass_times(const double*, const double* b, double* out) const override {
    for (int k = 0; k < 3; ++k) out[node_size * node_ + k] += m * b[node_size * node_ + k];
    out[coordinate_] += J * b[coordinate_];
  }
  void add_energy(const EnergyState& at, EnergyParts& out) const override {
    for (int k = 0; k < 3; ++k) out.kinetic += m * std::pow(at.v[node_size * node_ + k], 2) / 2;
    out.kinetic += J * std::pow(at.v[coordinate_], 2) / 2;
    out.gravity += m * g * at.q[node_size * node_ + 2];
  }

 private:
  int node_, scalar_, coordinate_;
};

class HoopRows final : public Constraint {
 public:
  HoopRows(int first_row, int node, int scalar, int coordinate)
      : first_row_(first_row), node_(node), scalar_(scalar), coordinate_(coordinate) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<HoopRows>(*this);
  }
  bool evaluate(const RowsAt& at, RowValues& out) override {
    const double phi = at.q[coordinate_];
    const Vec3 place = on_hoop(phi), tangent = along_hoop(phi);
    for (int k = 0; k < 3; ++k) {
      const auto row = static_cast<size_t>(first_row_ + k);
      double* G = out.G.data() + at.rows[row].first_entry;
      out.phi[row] = at.q[node_size * node_ + k] - place[k];
      out.rate[row] = 0;
      G[0] = 1;
      G[1] = -tangent[k];
    }
    return true;
  }
  void add_curvature(const double* q, const Poses&, const double* lambda, double weight,
                     const MatrixSink& sink) const override {
    double sum = 0;  // -c'' = c
    for (int k = 0; k < 3; ++k) sum += lambda[first_row_ + k] * on_hoop(q[coordinate_])[k];
    add_corner(sink, scalar_, scalar_, weight * sum);
  }

 private:
  int first_row_, node_, scalar_, coordinate_;
};

class Bead final : public Guest {
 public:
  explicit Bead(double phi) : phi_(phi) {}

  void declare(ModelData& model) override {
    node_ = add_node(model, true);
    scalar_ = add_scalar(model);
  }
  void start(ModelData& model) const override {
    for (int k = 0; k < 3; ++k)
      model.q0[static_cast<size_t>(node_size * node_ + k)] = on_hoop(phi_)[k];
    model.q0[static_cast<size_t>(angle(model))] = phi_;
  }
  [[nodiscard]] std::shared_ptr<const Term> term(const ModelData& model) const override {
    return std::make_shared<BeadTerm>(node_, scalar_, angle(model));
  }
  [[nodiscard]] std::shared_ptr<const Constraint> constrain(ModelData& model) const override {
    const int first = static_cast<int>(model.rows.size());
    for (int k = 0; k < 3; ++k) {
      RowInfo info;
      info.owner = "the hoop";
      add_row(model, info, {node_size * node_ + k, angle(model)});
    }
    return std::make_shared<HoopRows>(first, node_, scalar_, angle(model));
  }

  [[nodiscard]] int node() const { return node_; }
  [[nodiscard]] int angle(const ModelData& model) const { return model.structure.scalar(scalar_); }

 private:
  double phi_;
  int node_ = 0, scalar_ = 0;
};

/// A hinged arm beside the bead: rows of the scene and rows of a guest in one system.
Scene beside() {
  Scene scene;
  Body b;
  b.name = "arm";
  b.mass = 2;
  b.inertia = Vec3(0.1, 0.2, 0.3).asDiagonal();
  b.position = {5, 0, 0};
  scene.bodies = {b};
  Support pivot;
  pivot.name = "pivot";
  pivot.position = {5.5, 0, 0};
  scene.supports = {pivot};
  scene.frames = {{"end", "arm", Vec3(0.5, 0, 0)}};
  Joint j;
  j.name = "hinge";
  j.kind = JointKind::hinge;
  j.first = "pivot";
  j.second = "end";
  j.axis = Vec3::UnitY();
  scene.joints = {j};
  return scene;
}

double angular_acceleration(double phi) { return -m * g * R * std::cos(phi) / (m * R * R + J); }

/// Angle and its rate by Runge-Kutta of fourth order.
std::array<double, 2> pendulum(double phi, double until) {
  constexpr int steps = 20000;
  const double h = until / steps;
  double x = phi, v = 0;
  for (int i = 0; i < steps; ++i) {
    const double k1 = angular_acceleration(x), v2 = v + h / 2 * k1,
                 k2 = angular_acceleration(x + h / 2 * v), v3 = v + h / 2 * k2,
                 k3 = angular_acceleration(x + h / 2 * v2), v4 = v + h * k3,
                 k4 = angular_acceleration(x + h * v3);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {x, v};
}

TEST(GuestConstraint, WithAScalarIsAPendulum) {
  constexpr double start = -0.4, until = 0.8;
  const auto [phi, rate] = pendulum(start, until);
  for (const Method method : {Method::linearized, Method::mixed, Method::newton, Method::mixed3}) {
    double error[2] = {0, 0};
    for (const int half : {0, 1}) {
      SolveOptions options;
      options.method = method;
      options.step = half ? 2e-3 : 4e-3;
      const auto bead = std::make_shared<Bead>(start);
      const Model model(compile(beside(), {bead}));
      Integrator integrator(model, options);
      State s = integrator.start();
      ASSERT_EQ(integrator.advance(s, until), Status::ok) << integrator.failure().message();
      const auto at = static_cast<size_t>(bead->angle(model.data()));
      error[half] = std::abs(s.q[at] - phi);
      const double gap = (s.position(bead->node()) - on_hoop(s.q[at])).norm();
      EXPECT_LT(gap, 4 * options.step * options.step) << static_cast<int>(method);
      if (half == 0) continue;
      const Vec3 force = Eigen::Map<const Vec3>(s.multipliers.data() + s.multipliers.size() - 3);
      const Vec3 expected = m * (angular_acceleration(phi) * along_hoop(phi) -
                                 rate * rate * on_hoop(phi) + Vec3(0, 0, g));
      EXPECT_LT((force - expected).norm(), 1e-2 * expected.norm()) << static_cast<int>(method);
    }
    EXPECT_LT(error[0], 1e-3) << static_cast<int>(method);
    EXPECT_GT(error[0] / error[1], 3.3) << static_cast<int>(method);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
