// Terms that the library does not know, with unknowns of their own: a scalar that several elements
// share, a mass that depends on the coordinates, forces that depend on velocities with an
// unsymmetric tangent, a point whose place follows from a scalar by a Jacobian. Every method must
// integrate them with its order, against Runge-Kutta on the same Lagrangian.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>
#include <limits>

#include "../bench/routes.h"
#include "assembly/energy.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/statics.h"
#include "model/model_data.h"

namespace hawser::HAWSER_FILE {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// T = v . M(q) v/2, Q(q, v) over nodes of three coordinates and then scalars.
struct Lagrangian {
  int nodes = 0, scalars = 0;
  VectorXd q0, v0;

  virtual ~Lagrangian() = default;
  [[nodiscard]] virtual MatrixXd mass(const VectorXd& q) const = 0;
  /// M a = force.
  [[nodiscard]] virtual VectorXd force(const VectorXd& q, const VectorXd& v) const = 0;
  [[nodiscard]] virtual double potential(const VectorXd& q) const = 0;
  [[nodiscard]] int size() const { return 3 * nodes + scalars; }
};

const Vec3 gravity(0, 0, -9.81);

/// A chain of elements that all have the same unstretched length s, an unknown: spring energy
/// EA (d - s)^2/(2 s), mass mu s in halves at the nodes, inertia J and a spring k (s - s0)^2/2 of
/// the scalar. Its first node is held by a stiff spring at the origin.
struct Telescope : Lagrangian {
  static constexpr double EA = 60, mu = 0.7, J = 0.2, k = 40, s0 = 0.5, hold = 60;

  Telescope() {
    nodes = 4;
    scalars = 1;
    q0 = VectorXd::Zero(size());
    v0 = VectorXd::Zero(size());
    for (int i = 0; i < nodes; ++i) q0[3 * i] = 0.5 * i;
    for (int i = 1; i < nodes; ++i) v0[3 * i + 1] = 0.4 * i;
    q0[12] = 0.5;
  }
  [[nodiscard]] static Vec3 node(const VectorXd& q, int i) { return q.segment<3>(3 * i); }
  [[nodiscard]] double share(int i) const { return mu * (i == 0 || i == nodes - 1 ? 0.5 : 1); }
  [[nodiscard]] MatrixXd mass(const VectorXd& q) const override {
    MatrixXd M = MatrixXd::Zero(size(), size());
    for (int i = 0; i < 3 * nodes; ++i) M(i, i) = share(i / 3) * q[12];
    M(12, 12) = J;
    return M;
  }
  [[nodiscard]] double potential(const VectorXd& q) const override {
    const double s = q[12];
    double V = k * (s - s0) * (s - s0) / 2 + hold * node(q, 0).squaredNorm() / 2;
    for (int i = 0; i < nodes; ++i) V -= share(i) * s * gravity.dot(node(q, i));
    for (int i = 0; i + 1 < nodes; ++i) {
      const double stretch = (node(q, i + 1) - node(q, i)).norm() - s;
      V += EA * stretch * stretch / (2 * s);
    }
    return V;
  }
  [[nodiscard]] VectorXd force(const VectorXd& q, const VectorXd& v) const override {
    const double s = q[12];
    VectorXd Q = VectorXd::Zero(size());
    Q.segment<3>(0) -= hold * node(q, 0);
    Q[12] -= k * (s - s0);
    for (int i = 0; i + 1 < nodes; ++i) {
      const Vec3 d = node(q, i + 1) - node(q, i);
      const double stretch = d.norm() - s;
      const Vec3 pull = EA * stretch / s * d.normalized();
      Q.segment<3>(3 * i) += pull;
      Q.segment<3>(3 * i + 3) -= pull;
      Q[12] += EA * stretch / s + EA * stretch * stretch / (2 * s * s);
    }
    for (int i = 0; i < nodes; ++i) {  // of the mass that changes: -M' v + (dT/dq)
      Q.segment<3>(3 * i) += share(i) * (s * gravity - v[12] * node(v, i));
      Q[12] += share(i) * (gravity.dot(node(q, i)) + node(v, i).squaredNorm() / 2);
    }
    return Q;
  }
};

/// A point on a circle, r = R (cos phi, 0, sin phi), with a mass, and a spring from it to a node:
/// the element's coordinates follow from phi by J = dr/dphi.
struct OnACircle : Lagrangian {
  static constexpr double R = 0.8, m = 1.2, M = 0.6, k = 300, rest = 0.5;

  OnACircle() {
    nodes = scalars = 1;
    q0 = v0 = VectorXd::Zero(size());
    q0 << 1.2, 0.1, -0.2, -0.3;
    v0 << 0, 0.5, 0, 0.7;
  }
  static Vec3 point(double phi) { return {R * std::cos(phi), 0, R * std::sin(phi)}; }
  static Vec3 jacobian(double phi) { return {-R * std::sin(phi), 0, R * std::cos(phi)}; }
  [[nodiscard]] MatrixXd mass(const VectorXd&) const override {
    return Eigen::Vector4d(M, M, M, m * R * R).asDiagonal();
  }
  [[nodiscard]] double potential(const VectorXd& q) const override {
    const Vec3 d = q.head<3>() - point(q[3]);
    const double stretch = d.norm() - rest;
    return k * stretch * stretch / 2 - M * gravity.dot(q.head<3>()) - m * gravity.dot(point(q[3]));
  }
  [[nodiscard]] VectorXd force(const VectorXd& q, const VectorXd&) const override {
    const Vec3 d = q.head<3>() - point(q[3]), pull = k * (d.norm() - rest) * d.normalized();
    VectorXd Q(4);
    Q << M * gravity - pull, jacobian(q[3]).dot(pull + m * gravity);
    return Q;
  }
};

/// A Lagrangian as a term; its tangents by central differences.
class ToyTerm final : public Term {
 public:
  ToyTerm(const Lagrangian& of, const ModelData& model, int first_node, int first_scalar)
      : of_(of), structure_(model.structure) {
    for (int i = 0; i < 3 * of.nodes; ++i)
      coordinate_.push_back(node_size * (first_node + i / 3) + i % 3);
    for (int i = 0; i < of.scalars; ++i)
      coordinate_.push_back(model.structure.scalar(first_scalar + i));
  }

  [[nodiscard]] Facts facts() const override {
    Facts out;
    out.by_velocity = out.ahead = true;
    out.constant_mass = false;
    return out;
  }

  /// What is quadratic in velocities or has them times coordinates is taken ahead: a step whose
  /// base is the current state has velocities v there that are far from those of any motion.
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override {
    const VectorXd q = local(at.q), b = local(wanted.b), q_ahead = local(at.q_ahead),
                   v_ahead = local(at.v_ahead);
    const MatrixXd C = by_velocity(q, v_ahead);
    scatter(of_.force(q, v_ahead) + C * (local(at.v) - v_ahead), sums.force);
    scatter(of_.mass(q_ahead) * b, sums.inertia);
    if (!wanted.matrix()) return;
    add_matrix(wanted.mass_weight * of_.mass(q_ahead) - wanted.damping_weight * C -
                   wanted.stiffness_weight * by_position(q, v_ahead, b, at.q == at.q_ahead),
               sums.sink);
  }
  void add_mass_times(const double* q, const double* b, double* out) const override {
    scatter(of_.mass(local(q)) * local(b), out);
  }
  void add_energy(const EnergyState& at, EnergyParts& out) const override {
    const VectorXd v = local(at.v);
    out.kinetic += v.dot(of_.mass(local(at.q)) * v) / 2;
    out.gravity += of_.potential(local(at.q));
  }

 private:
  [[nodiscard]] VectorXd local(const double* a) const {
    VectorXd out(of_.size());
    for (int i = 0; i < of_.size(); ++i) out[i] = a[coordinate_[static_cast<size_t>(i)]];
    return out;
  }
  void scatter(const VectorXd& x, double* out) const {
    for (int i = 0; i < of_.size(); ++i) out[coordinate_[static_cast<size_t>(i)]] += x[i];
  }

  /// dQ/dv.
  [[nodiscard]] MatrixXd by_velocity(const VectorXd& q, const VectorXd& v) const {
    return differences([&](const VectorXd& e) -> VectorXd { return of_.force(q, v + e); });
  }
  /// dQ/dq and, with the mass, d(Q - M b)/dq.
  [[nodiscard]] MatrixXd by_position(const VectorXd& q, const VectorXd& v, const VectorXd& b,
                                     bool with_mass) const {
    return differences([&](const VectorXd& e) -> VectorXd {
      VectorXd out = of_.force(q + e, v);
      if (with_mass) out -= of_.mass(q + e) * b;
      return out;
    });
  }
  template <class Function>
  [[nodiscard]] MatrixXd differences(const Function& f) const {
    constexpr double step = 1e-6;
    const int n = of_.size();
    MatrixXd out(n, n);
    for (int j = 0; j < n; ++j) {
      const VectorXd e = step * VectorXd::Unit(n, j);
      out.col(j) = (f(e) - f(-e)) / (2 * step);
    }
    return out;
  }

  void add_matrix(const MatrixXd& H, const MatrixSink& sink) const {
    const int nodes = 3 * of_.nodes;
    const auto node_of = [&](int i) { return coordinate_[static_cast<size_t>(3 * i)] / node_size; };
    for (int a = 0; a < of_.nodes; ++a)
      for (int c = 0; c <= a; ++c) {
        Eigen::Matrix<double, 6, 6> block = Eigen::Matrix<double, 6, 6>::Zero();
        block.topLeftCorner<3, 3>() = H.block<3, 3>(3 * a, 3 * c);
        if (a == c) {
          add_node_block(sink, node_of(a), block.data());
          continue;
        }
        const std::pair pair(node_of(c), node_of(a));
        const auto found = std::lower_bound(structure_.pairs.begin(), structure_.pairs.end(), pair);
        add_pair_block(sink, static_cast<int>(found - structure_.pairs.begin()), block.data());
      }
    for (int s = 0; s < of_.scalars; ++s) {
      const int scalar = coordinate_[static_cast<size_t>(nodes + s)] - structure_.scalar(0);
      for (int i = 0; i < nodes; ++i)
        add_border(sink, scalar, coordinate_[static_cast<size_t>(i)], H(i, nodes + s),
                   H(nodes + s, i));
      for (int t = 0; t < of_.scalars; ++t)
        add_corner(sink, scalar, scalar - s + t, H(nodes + s, nodes + t));
    }
  }

  const Lagrangian& of_;
  const SystemStructure& structure_;
  std::vector<int> coordinate_;
};

class ToyGuest final : public Guest {
 public:
  explicit ToyGuest(const Lagrangian& of) : of_(of) {}
  void declare(ModelData& model) override {
    first_node_ = model.nodes;
    first_scalar_ = model.structure.scalars;
    for (int i = 0; i < of_.nodes; ++i) add_node(model, true);
    for (int i = 0; i < of_.scalars; ++i) add_scalar(model);
    for (int a = 0; a < of_.nodes; ++a)
      for (int b = 0; b < a; ++b) couple(model, first_node_ + a, first_node_ + b);
  }
  void start(ModelData& model) const override {
    for (int i = 0; i < of_.size(); ++i) {
      model.q0[place(model, i)] = of_.q0[i];
      model.v0[place(model, i)] = of_.v0[i];
    }
  }
  [[nodiscard]] std::shared_ptr<const Term> term(const ModelData& model) const override {
    return std::make_shared<ToyTerm>(of_, model, first_node_, first_scalar_);
  }
  [[nodiscard]] size_t place(const ModelData& model, int i) const {
    return static_cast<size_t>(i < 3 * of_.nodes
                                   ? node_size * (first_node_ + i / 3) + i % 3
                                   : model.structure.scalar(first_scalar_ + i - 3 * of_.nodes));
  }

 private:
  const Lagrangian& of_;
  int first_node_ = 0, first_scalar_ = 0;
};

/// Runge-Kutta of fourth order on the Lagrangian.
VectorXd reference(const Lagrangian& of, double until, int steps) {
  VectorXd q = of.q0, v = of.v0;
  const auto a = [&](const VectorXd& x, const VectorXd& u) -> VectorXd {
    return of.mass(x).ldlt().solve(of.force(x, u));
  };
  const double h = until / steps;
  for (int i = 0; i < steps; ++i) {
    const VectorXd k1 = a(q, v), v2 = v + h / 2 * k1;
    const VectorXd k2 = a(q + h / 2 * v, v2), v3 = v + h / 2 * k2;
    const VectorXd k3 = a(q + h / 2 * v2, v3), v4 = v + h * k3;
    const VectorXd k4 = a(q + h * v3, v4);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return q;
}

/// A cable that hangs beside the guest, and a body: all kinds in one system.
Scene surroundings_scene() {
  Scene scene;
  Cable c;
  c.name = "cable";
  c.sections = {Section{1000, 0.1, 0.4}};
  c.route.front() = {5, 0, 0};
  c.route.back() = {5, 0, -1};
  c.elements = 3;
  scene.cables = {c};
  hold(scene, "cable", 0);
  Body b;
  b.name = "body";
  b.mass = 2;
  b.inertia = Vec3(0.1, 0.2, 0.3).asDiagonal();
  b.position = {9, 0, 0};
  scene.bodies = {b};
  return scene;
}

struct Result {
  VectorXd q;
  double energy_change;
};

Result integrate(const Lagrangian& of, SolveOptions options, double until) {
  const auto guest = std::make_shared<ToyGuest>(of);
  const Model model(compile(surroundings_scene(), {guest}));
  Integrator integrator(model, options);
  State state = integrator.start();
  const double before = energy_of(model.data(), state).total();
  EXPECT_EQ(integrator.advance(state, until), Status::ok) << integrator.failure().message();
  Result out;
  out.q.resize(of.size());
  for (int i = 0; i < of.size(); ++i) out.q[i] = state.q[guest->place(model.data(), i)];
  out.energy_change = energy_of(model.data(), state).total() - before;
  return out;
}

constexpr double until = 0.8;

/// Errors at 4 ms and 2 ms.
std::array<double, 2> errors(const Lagrangian& of, const VectorXd& exact, Method method,
                             Scheme scheme) {
  std::array<double, 2> out{};
  for (const size_t i : {0u, 1u}) {
    SolveOptions options;
    options.method = method;
    options.scheme = scheme;
    options.step = i ? 2e-3 : 4e-3;
    out[i] = (integrate(of, options, until).q - exact).norm();
  }
  return out;
}

void expect_second_order(const Lagrangian& of) {
  const VectorXd exact = reference(of, until, 4000);
  EXPECT_LT((exact - reference(of, until, 2000)).norm(), 1e-8);
  for (const Method method : {Method::linearized, Method::mixed, Method::newton})
    for (const Scheme scheme :
         {Scheme::bdf2, Scheme::newmark, Scheme::hht, Scheme::generalized_alpha}) {
      SCOPED_TRACE(
          fmt::format("method {}, scheme {}", static_cast<int>(method), static_cast<int>(scheme)));
      const auto [coarse, fine] = errors(of, exact, method, scheme);
      EXPECT_LT(fine, 2e-2);
      EXPECT_NEAR(std::log2(coarse / fine), 2, 0.35) << coarse << ", " << fine;
    }
}

TEST(Guest, ElementsShareTheirLengthAndItsMass) { expect_second_order(Telescope()); }

TEST(Guest, APointFollowsFromAScalarByAJacobian) { expect_second_order(OnACircle()); }

TEST(Guest, EnergyIsKept) {
  SolveOptions options;
  options.scheme = Scheme::newmark;
  options.step = 1e-3;
  const Telescope toy;
  EXPECT_LT(std::abs(integrate(toy, options, 5).energy_change), 0.02);
}

TEST(Guest, GoesOnToTheSameBits) {
  const Telescope toy;
  const Model model(compile(surroundings_scene(), {std::make_shared<ToyGuest>(toy)}));
  SolveOptions options;
  options.step = 5e-3;
  Integrator first(model, options);
  State whole = first.start(), half = whole;
  for (int i = 0; i < 40; ++i) first.step(whole);
  Integrator before(model, options), after(model, options);
  half = before.start();
  for (int i = 0; i < 20; ++i) before.step(half);
  after.resume(half);
  for (int i = 0; i < 20; ++i) after.step(half);
  EXPECT_EQ(whole.q, half.q);
  EXPECT_EQ(whole.v, half.v);
}

/// A mass on a spring at the end of a cable: its coordinate is a scalar in the border of a chain.
struct Hanger final : Guest {
  static constexpr double mass = 0.3, k = 50;
  int node = 0;

  struct Sprung final : Term {
    int coordinate, scalar_coordinate;
    [[nodiscard]] Facts facts() const override { return {}; }
    void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override {
      const double force = k * (at.q[scalar_coordinate] - at.q[coordinate]);  // on the cable
      sums.force[coordinate] += force;
      sums.force[scalar_coordinate] += mass * gravity.z() - force;
      add_mass_times(at.q, wanted.b, sums.inertia);
      if (!wanted.matrix()) return;
      const double K = wanted.stiffness_weight * k;
      double block[36] = {};
      block[14] = K;  // z by z
      add_node_block(sums.sink, coordinate / node_size, block);
      add_border(sums.sink, 0, coordinate, -K, -K);
      add_corner(sums.sink, 0, 0, K + wanted.mass_weight * mass);
    }
    void add_mass_times(const double*, const double* b, double* out) const override {
      out[scalar_coordinate] += mass * b[scalar_coordinate];
    }
    void add_energy(const EnergyState& at, EnergyParts& out) const override {
      const double stretch = at.q[scalar_coordinate] - at.q[coordinate],
                   v = at.v[scalar_coordinate];
      out.kinetic += mass * v * v / 2;
      out.gravity += k * stretch * stretch / 2 - mass * gravity.z() * at.q[scalar_coordinate];
    }
  };

  void declare(ModelData& model) override {
    node = model.nodes - 1;
    add_scalar(model);
  }
  void start(ModelData& model) const override {
    model.q0[static_cast<size_t>(model.structure.scalar(0))] = -1;
  }
  [[nodiscard]] std::shared_ptr<const Term> term(const ModelData& model) const override {
    auto out = std::make_shared<Sprung>();
    out->coordinate = node_size * node + 2;
    out->scalar_coordinate = model.structure.scalar(0);
    return out;
  }
};

TEST(Guest, ABorderAroundAChainAgreesWithTheSparseSolver) {
  Scene scene = surroundings_scene();
  scene.bodies.clear();
  const Model model(compile(scene, {std::make_shared<Hanger>()}));
  std::vector<double> end[2];
  for (const int i : {0, 1}) {
    SolveOptions options;
    options.step = 2e-3;
    options.backend = i ? LinearBackend::sparse : LinearBackend::chain;
    Integrator integrator(model, options);
    State state = integrator.start();
    EXPECT_EQ(integrator.advance(state, 0.24), Status::ok);
    end[i] = state.q;
    EXPECT_STREQ(integrator.linear_solver(),
                 i ? "sparse LDL^T, bordered" : "block-tridiagonal, bordered");
  }
  for (int c = 0; c < model.coordinates(); ++c)
    EXPECT_NEAR(end[0][static_cast<size_t>(c)], end[1][static_cast<size_t>(c)], 1e-9);
  const auto scalar = static_cast<size_t>(model.data().structure.scalar(0));
  EXPECT_LT(end[0][scalar], -1.05) << "half a period: it is lowest, 2 m g/k below its start";
}

/// A cable that stands on its foot with a guest at its top falls over: statics lets the scene move,
/// with the guest in it. At rest the spring carries m g, and the cable its own weight besides.
TEST(Guest, IsKeptWhileStaticsLetsTheSceneFall) {
  Scene scene = surroundings_scene();
  scene.bodies.clear();
  scene.cables[0].route.back() = {5, 0, 1};
  const Model model(compile(scene, {std::make_shared<Hanger>()}));
  State state = Integrator(model, {}).start();
  const StaticReport report = equilibrium(model, state);
  ASSERT_TRUE(report.converged) << report.message;
  EXPECT_EQ(report.attempts.back().way, StaticWay::relaxation);
  const double end = state.position(model.nodes() - 1).z();
  EXPECT_LT(end, -1);
  const double drop = Hanger::mass * 9.81 / Hanger::k;
  EXPECT_NEAR(state.q[static_cast<size_t>(model.data().structure.scalar(0))], end - drop, 1e-9);
  EXPECT_NEAR(reaction(model, state, Place::start("cable")).force.z(), (0.4 + Hanger::mass) * 9.81,
              1e-8);
}

/// Unknowns of its own come to rest too: the point at the bottom of its circle, the node below it.
TEST(Guest, ComesToStaticEquilibrium) {
  const StaticWay all[] = {StaticWay::newton, StaticWay::continuation, StaticWay::relaxation};
  for (const size_t first : {0U, 2U}) {
    const OnACircle toy;
    Scene scene = surroundings_scene();
    scene.bodies.clear();
    const auto guest = std::make_shared<ToyGuest>(toy);
    const Model model(compile(scene, {guest}));
    State state = Integrator(model, {}).start();
    StaticOptions options;
    options.ways.assign(all + first, std::end(all));
    const StaticReport report = equilibrium(model, state, options);
    ASSERT_TRUE(report.converged) << report.message;
    const auto q = [&](int i) { return state.q[guest->place(model.data(), i)]; };
    EXPECT_NEAR(q(2), -(OnACircle::R + OnACircle::rest + OnACircle::M * 9.81 / OnACircle::k), 1e-9);
    EXPECT_NEAR(std::sin(q(3)), -1, 1e-12);
  }
}

/// A model on another mesh than the scene's own falls on that mesh.
TEST(Guest, AndAMeshOfItsOwnAreKeptTogether) {
  Scene scene = surroundings_scene();
  scene.bodies.clear();
  scene.cables[0].route.back() = {5, 0, 1};
  Mesh mesh = default_mesh(scene);
  mesh.s[0].insert(mesh.s[0].begin() + 1, mesh.s[0][1] / 2);
  const Model model(compile(scene, {std::make_shared<Hanger>()}, &mesh));
  State state = Integrator(model, {}).start();
  const StaticReport report = equilibrium(model, state);
  ASSERT_TRUE(report.converged) << report.message;
  EXPECT_LT(state.position(model.nodes() - 1).z(), -1);
}

/// Where steps evaluate forces, subnormal numbers are zero (base/subnormals.h): a term notes it.
class ModeTerm final : public Term {
 public:
  [[nodiscard]] Facts facts() const override { return {}; }
  void add(const Configuration&, const Wanted&, const Sums&) const override {
    volatile double x = std::numeric_limits<double>::min();
    x = x / 2;
    ++(x == 0 ? flushed : kept);
  }
  mutable int flushed = 0, kept = 0;
};
class ModeGuest final : public Guest {
 public:
  void declare(ModelData&) override {}
  void start(ModelData&) const override {}
  [[nodiscard]] std::shared_ptr<const Term> term(const ModelData&) const override { return mode; }
  std::shared_ptr<ModeTerm> mode = std::make_shared<ModeTerm>();
};

#if defined(__SSE2__)
TEST(Guest, StepsFlushSubnormalsToZero) {
  const auto guest = std::make_shared<ModeGuest>();
  const Model model(compile(surroundings_scene(), {guest}));
  Integrator integrator(model, SolveOptions());
  State state = integrator.start();
  const int before = guest->mode->flushed;
  EXPECT_GT(before, 0);
  EXPECT_EQ(integrator.step(state), Status::ok);
  EXPECT_GT(guest->mode->flushed, before);
  EXPECT_EQ(guest->mode->kept, 0);
  EXPECT_GT(std::numeric_limits<double>::min() / 2, 0) << "not for the caller";
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE
