// Phi, G, Phi_t and the curvature of whole scenes against differences of Phi and of G^T lambda.
//
// At the start of a step the turns in q are zero, so that dPhi/dq is G. Over rotation vectors
// d Phi/d phi = G - phi x G/2 + ..., which leaves the symmetric part of the differences of G.
#include "assembly/constraint_set.h"

#include "allocations.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "constraints/joint_rows.h"
#include "hawser/integrator.h"
#include "machines.h"

namespace hawser::HAWSER_FILE {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
constexpr double pi = std::numbers::pi;

/// A scene of bodies at any pose, joined where they are.
class Machine {
 public:
  Scene scene;

  void add_body(const std::string& name, const Vec3& at) {
    Body b = ball(name, 1 + 0.1 * static_cast<double>(scene.bodies.size()), at);
    b.inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
    const Vec3 axis(std::sin(at.x() + 1), std::cos(3 * at.x()), 0.4);
    b.orientation = Eigen::AngleAxisd(2 * at.x() + 0.3, axis.normalized());
    b.angular_velocity = Vec3(0.3, -0.2, 0.5);
    scene.bodies.push_back(b);
  }

  /// A frame at a place in the world; a support when `body` is empty.
  std::string add_frame(const std::string& body, const Vec3& world) {
    if (body.empty()) {
      scene.supports.push_back(ground("support " + std::to_string(scene.supports.size()), world));
      return scene.supports.back().name;
    }
    const std::string name = "frame " + std::to_string(scene.frames.size());
    Vec3 position = world;
    for (const Body& b : scene.bodies)
      if (b.name == body) position = b.orientation.conjugate() * (world - b.position);
    scene.frames.push_back(frame(name, body, position));
    return name;
  }

  /// A place on the ground that moves.
  std::string add_moving(const Vec3& world) {
    const std::string name = add_frame("", world);
    scene.supports.back().motion = {Signal::sine(0.05, 1), Signal::sine(0.04, 2),
                                    Signal::smooth(0, 0.1, 0, 1)};
    return name;
  }

  Joint& add_joint(JointKind kind, const std::string& first, const std::string& second,
                   const Vec3& axis) {
    const std::string name = "joint " + std::to_string(scene.joints.size());
    scene.joints.push_back(joint(name, kind, first, second, axis));
    return scene.joints.back();
  }
  Joint& add_joint(JointKind kind, const std::string& first, const std::string& second,
                   const Vec3& at, const Vec3& axis) {
    return add_joint(kind, add_frame(first, at), add_frame(second, at), axis);
  }
};

Drive position_drive(const Signal& value) { return {Drive::Kind::position, value, 0.0}; }

/// Every kind of joint in one chain, with drives, limits, a moving end and a cable.
Scene all_joints() {
  Machine m;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"})
    m.add_body(name, {static_cast<double>(m.scene.bodies.size()), 0.2, 0.1});
  m.add_joint(JointKind::hinge, "", "a", {-0.5, 0.1, 0}, {0.2, 1, 0.1}).turn =
      position_drive(Signal::sine(0.4, 1));
  Joint& slider = m.add_joint(JointKind::slider, "a", "b", {0.5, 0, 0.2}, {1, 0.3, 0});
  slider.travel = {Drive::Kind::velocity, Signal::sine(0.3, 1), 0.01};
  slider.travel_limits = {-0.2, 0.3};
  Joint& cylinder = m.add_joint(JointKind::cylinder, "b", "c", {1.5, 0.3, 0}, {0.1, 0.2, 1});
  cylinder.turn = position_drive(Signal::sine(-0.5, 1.5));
  cylinder.travel = position_drive(Signal::sine(0.1, 2));
  Joint& universal = m.add_joint(JointKind::universal, "c", "d", {2.4, 0, 0}, {0, 1, 0});
  universal.second_axis = {0.6, 0, 0.8};
  m.add_joint(JointKind::pin, "d", "e", {3.5, 0.3, 0.1}, Vec3::UnitZ());
  m.add_joint(JointKind::distance, m.add_frame("e", {4.2, 0.2, 0.3}),
              m.add_frame("f", {4.8, -0.1, 0.2}), Vec3::UnitZ())
      .compliance = 1e-4;
  m.add_joint(JointKind::weld, "e", "g", {4, 0.5, 0.3}, Vec3::UnitZ());
  m.add_joint(JointKind::hinge, "f", "h", {6, 0.2, 0}, {0, 0.3, 1}).turn_limits = {-0.4, 0.5};
  const std::string over = m.add_moving({5, 1.2, 1}), under = m.add_frame("f", {5, 0.3, 0.2});
  const double apart = Vec3(0, 0.9, 0.8).norm();
  m.add_joint(JointKind::distance, over, under, Vec3::UnitZ()).travel =
      position_drive(Signal::sine(0.1, 1, 0, apart));

  Cable c;
  c.name = "cable";
  c.sections = {Section{2000, 0.5, 0.3}};
  m.add_body("i", {8.3, 0.5, 0.4});
  c.route = {Stop::clamp(m.add_frame("h", {7, 0.4, 0.2})),
             Stop::hold(m.add_frame("i", {8, 0.4, 0.6}))};
  c.elements = 3;
  m.scene.cables = {c};
  return m.scene;
}

/// Routes over points and over pulleys, on bodies and on the ground, all in the plane y = 0 but
/// for `fleet`, the angle at which cables reach the pulleys.
Scene all_routes(double fleet) {
  Machine m;
  m.add_body("left", {-2, -2 * fleet, -3});
  m.add_body("block", {0, 0, -1.5});
  m.add_body("right", {2, 1.5 * fleet, -2.5});
  const std::string bar = m.add_frame("", {-1, 0, 1}),
                    sheave = m.add_frame("block", {0.2, 0, -1.4}),
                    post = m.add_moving({1.2, 0, 0.8});
  for (Signal& s : m.scene.supports.back().motion) s = fleet > 0 ? s : Signal(0.0);
  m.scene.supports.back().motion[0] = Signal::sine(0.05, 1);
  const auto pulley = [](Cable& c, size_t stop, double radius, double turns) {
    c.route[stop].radius = radius;
    c.route[stop].axis = turns * Vec3::UnitY();
  };
  Cable reeved = massless("reeved", 1e4, 0,
                          {m.add_frame("left", {-1.9, -2 * fleet, -2.9}), bar, sheave, post,
                           m.add_frame("right", {2.1, 0, -2.4})});
  pulley(reeved, 1, 0.3, 1);
  pulley(reeved, 2, 0.2, -1);
  pulley(reeved, 3, 0.25, 1);
  reeved.route[1].friction = 0.2;
  reeved.route[2].grip = true;
  reeved.sections[0].GJ = 5;
  reeved.payout = Signal::sine(0.1, 1);
  Cable driven =
      massless("driven", 1e4, 0,
               {m.add_frame("", {-2, 0, 2}), m.add_frame("left", {-2.1, -2 * fleet, -2.8})});
  driven.drive = {Drive::Kind::velocity, Signal::sine(0.2, 1), 0.001};
  Cable points = massless("points", 1e4, 0, {m.add_moving({-1, 0.5, -3}), "block", "right"});
  points.pushes = true;
  m.scene.cables = {reeved, driven, points};
  return m.scene;
}

/// A model, a state within a run of it and its rows there.
struct Case {
  Model model;
  State state;
  ConstraintSet set;

  explicit Case(const Scene& scene) : Case(Model(scene)) {}
  explicit Case(Model of) : model(std::move(of)), set(model.data()) {
    SolveOptions options;
    Integrator integrator(model, options);
    state = integrator.start();
  }

  /// Goes on for a while: the joints hold, and no coordinate is what it was at the start.
  void run(double until) {
    SolveOptions options;
    Integrator integrator(model, options);
    ASSERT_EQ(integrator.advance(state, until), Status::ok) << integrator.failure().message();
  }

  [[nodiscard]] const Mechanism& mechanism() const { return model.data().mechanism; }
  [[nodiscard]] const std::vector<RowInfo>& infos() const { return model.data().rows; }
  [[nodiscard]] int rows() const { return static_cast<int>(infos().size()); }

  void evaluate(int coordinate = 0, double by = 0, double later = 0) {
    std::vector<double> q = state.q;
    q[static_cast<size_t>(coordinate)] += by;
    ASSERT_TRUE(set.evaluate(q.data(), state.t + later, state)) << set.fault;
  }
  Vector phi(int coordinate, double by, double later = 0) {
    evaluate(coordinate, by, later);
    return Eigen::Map<const Vector>(set.phi.data(), rows());
  }
  /// G by rows, as it is now.
  [[nodiscard]] Matrix G() const {
    Matrix out = Matrix::Zero(rows(), model.coordinates());
    for (int r = 0; r < rows(); ++r) {
      const RowInfo& info = infos()[static_cast<size_t>(r)];
      const double* g = set.G.data() + info.first_entry;
      for (const int coordinate : info.coordinates) out(r, coordinate) = *g++;
    }
    return out;
  }
  Vector force(const Vector& lambda, int coordinate, double by) {
    evaluate(coordinate, by);
    return G().transpose() * lambda;
  }
};

/// Central difference of f at 0, of fourth order: its error is of the order of 1e-12.
template <class F>
Vector slope_at_zero(const F& f) {
  constexpr double h = 1e-3;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

void expect_gradient(Case& c, double tolerance) {
  c.evaluate();
  const Matrix G = c.G();
  for (int i = 0; i < c.model.coordinates(); ++i) {
    const Vector slope = slope_at_zero([&](double by) { return c.phi(i, by); });
    for (int r = 0; r < c.rows(); ++r)
      EXPECT_NEAR(G(r, i), slope[r], tolerance)
          << "row " << r << " of " << c.infos()[static_cast<size_t>(r)].owner << ", coordinate "
          << i;
  }
}

/// Phi_t of rows that hold a position; of driven rates it is the motion of the ground, which is
/// what Phi changes by but for its value, less the rate asked for.
void expect_rates(Case& c) {
  c.evaluate();
  const std::vector<double> rate = c.set.rate;
  const Vector slope = slope_at_zero([&](double later) { return c.phi(0, 0, later); });
  double largest = 0;
  for (int r = 0; r < c.rows(); ++r) {
    const auto at = static_cast<size_t>(r);
    if (c.infos()[at].velocity) continue;
    EXPECT_NEAR(rate[at], slope[r], 1e-8) << "row " << r << " of " << c.infos()[at].owner;
    largest = std::max(largest, std::abs(rate[at]));
  }
  EXPECT_GT(largest, 0.1) << "something is meant to move";
}

/// A matrix that add_curvature() can write to: every position is that of the dense matrix.
class DenseSink {
 public:
  explicit DenseSink(const ModelData& model) : size_(model.structure.coordinates()) {
    matrix = Matrix::Zero(size_, size_);
    for (int n = 0; n < model.nodes; ++n)
      for (int k = 0; k < 36; ++k) node_.push_back(position(n, k % 6, n, k / 6));
    for (const auto& [a, b] : model.structure.pairs) {
      for (int k = 0; k < 36; ++k) pair_.push_back(position(b, k % 6, a, k / 6));
      for (int k = 0; k < 36; ++k) pair_.push_back(position(a, k / 6, b, k % 6));
    }
  }
  MatrixSink sink() {
    MatrixSink out;
    out.values = matrix.data();
    out.node_positions = node_.data();
    out.pair_positions = pair_.data();
    return out;
  }
  Matrix matrix;

 private:
  [[nodiscard]] int position(int row_node, int i, int column_node, int j) const {
    return size_ * (node_size * column_node + j) + node_size * row_node + i;
  }
  int size_;
  std::vector<int> node_, pair_;
};

Matrix curvature(Case& c, const Vector& lambda, double weight = 1) {
  DenseSink dense(c.model.data());
  c.evaluate();
  c.set.add_curvature(c.state.q.data(), lambda.data(), weight, dense.sink());
  return dense.matrix;
}

Matrix numeric_curvature(Case& c, const Vector& lambda) {
  const int n = c.model.coordinates();
  Matrix slopes(n, n);
  for (int i = 0; i < n; ++i)
    slopes.col(i) = slope_at_zero([&](double by) { return c.force(lambda, i, by); });
  return (slopes + slopes.transpose()) / 2;
}

/// Rows whose force has no curvature in the matrix: the twist of a cable, which is no function of
/// where things are, and the turn of a hinge, whose second derivative is zero over all motions that
/// its other rows leave.
bool uncurved(const Case& c, int row) {
  if (c.infos()[static_cast<size_t>(row)].role == RowInfo::Role::twist) return true;
  const JointRows* joints = c.set.find<JointRows>();
  if (!joints) return false;
  for (const PartRow& p : joints->parts())
    if (p.row == row && p.kind == PartRow::Kind::angle) return true;
  return false;
}

Vector some_forces(const Case& c, bool curved) {
  Vector lambda(c.rows());
  for (int r = 0; r < c.rows(); ++r)
    lambda[r] = curved != uncurved(c, r) ? std::sin(1.0 + 2.3 * r) : 0;
  return lambda;
}

TEST(ConstraintSet, GradientsOfAllJoints) {
  Case c(all_joints());
  expect_gradient(c, 2e-9);
  c.run(0.15);
  expect_gradient(c, 1e-7);  // the angle of a hinge counts on an axis that is held that well
}

TEST(ConstraintSet, GradientsOfRoutes) {
  for (const double fleet : {0.0, 0.1}) {
    Case c(all_routes(fleet));
    expect_gradient(c, 2e-9);
    c.run(0.1);
    expect_gradient(c, 2e-9);
  }
}

/// A turn within the step is the same as one that the orientation has.
TEST(ConstraintSet, TurnsWithinAStepAreTurnsOfTheBody) {
  for (const Scene& scene : {all_joints(), all_routes(0.1)}) {
    Case within(scene), turned(scene);
    const auto& bodies = within.mechanism().bodies;
    for (size_t i = 0; i < bodies.size(); ++i) {
      const auto k = static_cast<double>(i);
      const Vec3 theta = 0.1 * Vec3(std::sin(k), std::cos(2 * k), std::sin(3 * k + 1));
      const auto at = static_cast<size_t>(node_size * bodies[i].node + 3);
      for (size_t j = 0; j < 3; ++j) within.state.q[at + j] = theta[static_cast<int>(j)];
      double* o = turned.state.orientation.data() + 4 * i;
      const Eigen::Quaterniond q = Eigen::Quaterniond(o[0], o[1], o[2], o[3]) *
                                   Eigen::AngleAxisd(theta.norm(), theta.normalized());
      o[0] = q.w(), o[1] = q.x(), o[2] = q.y(), o[3] = q.z();
    }
    within.evaluate();
    turned.evaluate();
    EXPECT_LT((within.G() - turned.G()).norm(), 1e-13);
    for (int r = 0; r < within.rows(); ++r) {
      const auto at = static_cast<size_t>(r);
      if (within.infos()[at].role == RowInfo::Role::twist) continue;  // goes with the step
      EXPECT_NEAR(within.set.phi[at], turned.set.phi[at], 1e-13) << r;
    }
  }
}

TEST(ConstraintSet, RatesOfDrivesAndOfMovingGround) {
  for (const Scene& scene : {all_joints(), all_routes(0.1)}) {
    Case c(scene);
    c.run(0.1);
    expect_rates(c);
  }
}

TEST(ConstraintSet, RatesOfDrivenRatesAreThoseAskedFor) {
  const auto rates = [](const Scene& scene) {
    Case c(scene);
    c.run(0.1);
    c.evaluate();
    std::vector<double> out;
    for (size_t r = 0; r < c.set.rate.size(); ++r)
      if (c.infos()[r].velocity) out.push_back(c.set.rate[r]);
    return out;
  };
  const std::vector<double> joints = rates(all_joints()), routes = rates(all_routes(0));
  ASSERT_EQ(joints.size(), 1u);
  EXPECT_NEAR(joints[0], -0.3 * std::sin(2 * pi * 0.1), 1e-12);
  ASSERT_EQ(routes.size(), 1u);
  EXPECT_NEAR(routes[0], 0.2 * std::sin(2 * pi * 0.1), 1e-12);
}

TEST(ConstraintSet, CurvatureOfAllJoints) {
  Case c(all_joints());
  for (const double until : {0.0, 0.15}) {
    if (until > 0) c.run(until);
    const Vector lambda = some_forces(c, true);
    const Matrix exact = numeric_curvature(c, lambda), found = curvature(c, lambda);
    EXPECT_GT(exact.norm(), 1);
    EXPECT_LT((found - exact).lpNorm<Eigen::Infinity>(), 1e-8);
    EXPECT_LT((found - found.transpose()).norm(), 1e-13);
    EXPECT_LT((curvature(c, lambda, -0.3) + 0.3 * found).norm(), 1e-13);
  }
}

TEST(ConstraintSet, CurvatureOfRoutesWithoutFleetAngle) {
  Case c(all_routes(0));
  const Vector lambda = some_forces(c, true);
  const Matrix exact = numeric_curvature(c, lambda), found = curvature(c, lambda);
  EXPECT_GT(exact.norm(), 0.5);
  EXPECT_LT((found - exact).lpNorm<Eigen::Infinity>(), 1e-8);
}

/// "Off by the order of the fleet angle" (segment.h).
TEST(ConstraintSet, CurvatureOfRoutesIsOffByTheOrderOfTheFleetAngle) {
  double error[2] = {};
  for (const int i : {0, 1}) {
    const double fleet = i == 0 ? 0.02 : 0.01;
    Case c(all_routes(fleet));
    const Vector lambda = some_forces(c, true);
    error[i] = (curvature(c, lambda) - numeric_curvature(c, lambda)).norm();
    EXPECT_LT(error[i], 2 * fleet * lambda.norm());
  }
  EXPECT_NEAR(error[1] / error[0], 0.5, 0.05);
}

TEST(ConstraintSet, TwistAndTurnsHaveNoCurvatureThatCounts) {
  for (const Scene& scene : {all_joints(), all_routes(0.1)}) {
    Case c(scene);
    const Vector lambda = some_forces(c, false);
    ASSERT_GT(lambda.norm(), 0);
    EXPECT_EQ(curvature(c, lambda).norm(), 0);
  }
}

/// The second derivative that is left out for a hinge's turn is zero over the motions it allows.
TEST(ConstraintSet, TheTurnOfAHingeIsStraightOverItsOwnMotions) {
  Case c(all_joints());
  c.run(0.15);
  for (int r = 0; r < c.rows(); ++r) {
    if (!uncurved(c, r)) continue;
    SCOPED_TRACE(r);
    const Matrix full = numeric_curvature(c, Vector::Unit(c.rows(), r));
    c.evaluate();
    const Matrix G = c.G();
    // Motions that no row of the same joint holds.
    Matrix held(0, G.cols());
    for (const RowRange& j : c.mechanism().joints) {
      if (r < j.first || r >= j.first + j.count) continue;
      for (int k = j.first; k < j.first + j.count; ++k)
        if (!uncurved(c, k)) {
          held.conservativeResize(held.rows() + 1, G.cols());
          held.row(held.rows() - 1) = G.row(k);
        }
    }
    const Matrix free = Eigen::FullPivLU<Matrix>(held).setThreshold(1e-9).kernel();
    EXPECT_LT((free.transpose() * full * free).norm(), 1e-5);  // as far as the hinge is held
  }
}

TEST(ConstraintSet, ForcesAreGTransposed) {
  for (const Scene& scene : {all_joints(), all_routes(0.1)}) {
    Case c(scene);
    c.evaluate();
    const Vector lambda = some_forces(c, true);
    Vector out = Vector::Ones(c.model.coordinates());
    c.set.add_force(lambda.data(), 0.5, out.data());
    const Vector expected = Vector::Ones(c.model.coordinates()) + 0.5 * c.G().transpose() * lambda;
    EXPECT_LT((out - expected).norm(), 1e-14 * expected.norm());
    const Vector rates = c.G() * Eigen::Map<const Vector>(c.state.v.data(), c.model.coordinates());
    for (int r = 0; r < c.rows(); ++r)
      EXPECT_NEAR(c.set.times(r, c.state.v.data()), rates[r], 1e-13);
  }
}

TEST(ConstraintSet, ARouteWithoutATangentIsRefusedByName) {
  Case c(all_routes(0));
  std::vector<double> q = c.state.q;
  const int block = c.model.nodes() - 2;  // onto the moving post, inside its groove
  for (int k = 0; k < 3; ++k)
    q[static_cast<size_t>(node_size * block + k)] += (Vec3(1.2, 0, 0.8) - Vec3(0.2, 0, -1.4))[k];
  EXPECT_FALSE(c.set.evaluate(q.data(), 0, c.state));
  EXPECT_NE(c.set.fault.find("'reeved'"), std::string::npos) << c.set.fault;
}

/// Three cables, one of which two others cross on the same straight part.
Model crossing_routes() {
  Machine m;
  m.add_body("one", {-1, 0.1, 0.2});
  m.add_body("two", {0.2, -1, 0.4});
  m.add_body("three", {0.5, 1, 0.1});
  const std::string left = m.add_frame("one", {-0.9, 0.1, 0.25}),
                    right = m.add_moving({1, -0.1, 0.05}),
                    near = m.add_frame("two", {0.1, -0.9, 0.4}),
                    far = m.add_frame("three", {0.4, 0.9, 0.3}),
                    post = m.add_frame("", {0.6, -1, 0.5}), over = m.add_frame("", {-1.5, 0.3, 1});
  Cable along = massless("along", 30, 0, {over, left, right}),
        across = massless("across", 20, 0, {near, far}),
        beside = massless("beside", 25, 0, {post, "three"});
  along.length = 2.8;
  along.payout = Signal::sine(0.1, 1);
  across.length = 1.7;
  beside.length = 1.9;
  m.scene.cables = {along, across, beside};
  Contact contact;
  contact.name = "meet";
  contact.cables = {"along", "across", "beside"};
  m.scene.contacts = {contact};
  Mesh mesh = default_mesh(m.scene);
  mesh.crossings = {{{0, 1}, {2, 1}, {0.2, 0, 0.2}, {0, 0, -1}},
                    {{0, 2}, {3, 1}, {0.6, 0, 0.3}, {0, 0, -1}}};
  return Model(m.scene, mesh);
}

/// Forces of cables in equilibrium where they cross: those that they are stretched by.
Vector stretch_forces(Case& c) {
  c.evaluate();
  Vector lambda(c.rows());
  for (int r = 0; r < c.rows(); ++r) {
    const auto at = static_cast<size_t>(r);
    lambda[r] = -c.set.phi[at] / c.infos()[at].compliance_at(c.state.now(), 0);
  }
  return lambda;
}

TEST(ConstraintSet, GradientsRatesAndCurvatureOfCrossings) {
  Case c(crossing_routes());
  for (const double until : {0.0, 0.1}) {
    if (until > 0) c.run(until);
    expect_gradient(c, 1e-8);
    expect_rates(c);
    const Vector lambda = stretch_forces(c);
    EXPECT_GT(lambda.minCoeff(), 0.5);
    const Matrix exact = numeric_curvature(c, lambda), found = curvature(c, lambda);
    EXPECT_GT(exact.norm(), 1);
    EXPECT_LT((found - exact).lpNorm<Eigen::Infinity>(), 1e-7);
    EXPECT_LT((found - found.transpose()).norm(), 1e-12);
  }
}

#ifdef COUNTS_ALLOCATIONS
TEST(ConstraintSet, DoesNotAllocate) {
  for (const Model& model : {Model(all_joints()), Model(all_routes(0.1)), crossing_routes()}) {
    Case c(model);
    const Vector lambda = some_forces(c, true);
    DenseSink dense(c.model.data());
    Vector out = Vector::Zero(c.model.coordinates());
    const MatrixSink sink = dense.sink();
    const long before = allocations;
    const bool sound = c.set.evaluate(c.state.q.data(), 0.1, c.state);
    c.set.add_curvature(c.state.q.data(), lambda.data(), 1, sink);
    c.set.add_force(lambda.data(), 1, out.data());
    const double turned = c.set.turned(c.state.v.data());
    const long during = allocations - before;
    EXPECT_TRUE(sound);
    EXPECT_GE(turned, 0);
    EXPECT_EQ(during, 0);
  }
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE
