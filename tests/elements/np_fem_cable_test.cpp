// Cables of the model np-fem: at rest, small motions, slackness, what is refused, and how they are
// recorded.
#include "conformance/assembly_reference.h"  // first: the kernels need its sqrt

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "assembly/assembler.h"
#include "hawser/error.h"
#include "hawser/inspect.h"
#include "hawser/record.h"
#include "hawser/statics.h"
#include "run/tension_watch.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

const Place first = Place::start("cable"), last = Place::end("cable");

Cable straight_cable(int elements, const Section& section) {
  Cable c;
  c.name = "cable";
  c.model = CableModel::np_fem;
  c.sections = {section};
  c.elements = elements;
  return c;
}

// --- at rest ---

/// A cable of weight w with P at its end: z(s) = s + (P s + w (L s - s^2/2))/EA, at the nodes
/// exactly, and in every element the tension of its middle.
TEST(NpFemCable, HangsStretchedByItsWeight) {
  constexpr double EA = 500, mass = 2, L = 3, P = 40;
  for (const int elements : {1, 2, 5, 9}) {
    Scene scene;
    Cable c = straight_cable(elements, {EA, 7, mass});
    c.route.back() = {0, 0, -1.2 * L};  // taut at the start: a slack line has no stiffness across
    c.length = L;
    scene.cables = {c};
    hold(scene, "cable", 0);
    add_force(scene, last, {0, 0, -P});
    const Model model(scene);
    State state = Integrator(model, {}).start();
    const StaticReport report = equilibrium(model, state);
    ASSERT_TRUE(report.converged) << report.message;
    const double w = mass * 9.81;
    for (int k = 0; k <= elements; ++k) {
      const double s = L * k / elements;
      const Vec3 expected(0, 0, -(s + (P * s + w * (L * s - s * s / 2)) / EA));
      EXPECT_NEAR((state.position(k) - expected).norm(), 0, 1e-12);
      EXPECT_EQ(state.slope(k), Vec3::Zero());
    }
    for (const CablePoint& p : profile(model, state, 0))
      EXPECT_NEAR(p.tension, P + w * (L - p.s), 1e-10);
    EXPECT_NEAR(reaction(model, state, first).force.z(), P + w * L, 1e-10);
    EXPECT_EQ(energy(model, state).bending, 0) << "EI counts for nothing";
  }
}

// --- small motions ---

/// The lowest frequency across of a taut string of unit length, by the assembled matrices.
double string_frequency(int elements, bool lumped) {
  constexpr double stretch = 1.25;
  Scene scene;
  scene.gravity = Vec3::Zero();
  Cable c = straight_cable(elements, {40, 0, 0.3});
  c.route.back() = {stretch, 0, 0};
  c.length = 1;
  c.lumped_mass = lumped;
  scene.cables = {c};
  const Model model(scene);
  const int n = elements - 1;
  Eigen::MatrixXd matrix[2];
  for (const int which : {0, 1}) {
    conformance::DenseSink sink(model.data().structure, true);
    Assembler assembler(model.data());
    Wanted wanted;
    wanted.b = model.data().q0.data();
    wanted.tangent = Tangent::own;
    wanted.mass_weight = which ? 0 : 1;
    wanted.stiffness_weight = which ? 1 : 0;
    assembler.run({{0, {}}, wanted.b, wanted.b, nullptr}, wanted, sink.sink);
    matrix[which].resize(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) matrix[which](i, j) = sink.H(6 * (i + 1) + 1, 6 * (j + 1) + 1);
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(matrix[1], matrix[0]);
  return std::sqrt(modes.eigenvalues()[0]);
}

/// Waves across run at sqrt(N/(m stretch)) by unstretched length: frequency pi sqrt(...)/L. The
/// chain has 4/l^2 sin^2(k l/2) for k^2, over (2 + cos k l)/3 with the consistent mass.
TEST(NpFemCable, TautStringHasItsFrequencyToSecondOrder) {
  const double pi = std::numbers::pi, c = std::sqrt(40 * 0.25 / (0.3 * 1.25));
  for (const bool lumped : {false, true}) {
    double error[2];
    for (const int i : {0, 1}) {
      const int elements = i ? 16 : 8;
      const double l = 1.0 / elements, found = string_frequency(elements, lumped);
      const double spring = 2 * std::sin(pi * l / 2) / l;
      const double weight = lumped ? 1 : (2 + std::cos(pi * l)) / 3;
      EXPECT_NEAR(found, c * spring / std::sqrt(weight), 1e-10 * found);
      error[i] = std::abs(found - pi * c);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.02);
  }
}

TEST(NpFemCable, InspectionKnowsItsHighestFrequency) {
  for (const bool lumped : {false, true}) {
    Scene scene;
    Cable c = straight_cable(6, {40, 5, 0.3});
    c.lumped_mass = lumped;
    scene.cables = {c};
    hold(scene, "cable", 0);
    const Model model(scene);
    const CableInspection found = inspect(model).cables[0];
    const double l = 1.0 / 6, omega = std::sqrt((lumped ? 4 : 12) * 40 / (0.3 * l * l));
    EXPECT_NEAR(found.axial_period, 2 * std::numbers::pi / omega, 1e-12);
    EXPECT_EQ(found.bending_period, std::numeric_limits<double>::infinity());
    EXPECT_EQ(found.coordinates, 21);
    EXPECT_EQ(found.fixed_coordinates, 3);
    EXPECT_EQ(inspect(model).coordinates, 21);
  }
}

// --- energy and momentum ---

TEST(NpFemCable, KeepsItsEnergyWithNewtonAndNewmark) {
  for (const bool lumped : {false, true}) {
    Scene scene;
    Cable c = straight_cable(8, {2000, 0, 0.4});
    c.lumped_mass = lumped;
    c.angular_velocity = {0, 0.5, 2};
    scene.cables = {c};
    hold(scene, "cable", 0);
    const Model model(scene);
    double drift[2];
    for (const int i : {0, 1}) {
      Integrator integrator(model, solve_options(Method::newton, i ? 5e-4 : 1e-3, Scheme::newmark));
      State state = integrator.start();
      const Energy start = energy(model, state);
      drift[i] = 0;
      while (state.t < 0.5) {
        ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
        drift[i] = std::max(drift[i], std::abs(energy(model, state).total() - start.total()));
      }
      EXPECT_GT(std::abs(energy(model, state).potential - start.potential), 0.5) << "it falls";
    }
    EXPECT_LT(drift[0], 5e-3);
    EXPECT_LT(drift[1], drift[0] / 3);
  }
}

/// What a mixed solve carries from step to step is the force of the shape it ends in, but for what
/// is quadratic in the correction.
TEST(NpFemCable, CarriedForceIsThatOfTheShape) {
  Scene scene;
  scene.cables = {straight_cable(8, {2000, 0, 0.4})};
  scene.cables[0].angular_velocity = {0, 0.5, 2};
  hold(scene, "cable", 0);
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::mixed3}) {
    Integrator integrator(model, solve_options(method, 1e-3));
    State state = integrator.start();
    for (const double t : {0.1, 0.2, 0.3}) {
      ASSERT_EQ(integrator.advance(state, t), Status::ok);
      State shape = state;
      shape.axial_force_valid = false;
      const std::vector<CablePoint> carried = profile(model, state, 0),
                                    own = profile(model, shape, 0);
      EXPECT_GT(own[0].tension, 1);
      for (size_t i = 0; i < own.size(); ++i)
        EXPECT_NEAR(carried[i].tension, own[i].tension, 1e-3) << name_of(method) << ", " << t;
    }
  }
}

TEST(NpFemCable, KeepsItsMomentumInFlight) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  Cable c = straight_cable(5, {2000, 0, 0.4});
  c.velocity = {1, 2, 3};
  c.angular_velocity = {0.4, 3, -2};
  scene.cables = {c};
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::newton, 1e-3, Scheme::newmark));
  State state = integrator.start();
  const Momentum start = momentum(model, state);
  EXPECT_NEAR(
      (start.linear - 0.4 * (Vec3(1, 2, 3) + c.angular_velocity.cross(Vec3(0.5, 0, 0)))).norm(), 0,
      1e-12);
  // About its start, where it begins: m/2 e_x x v + m/3 e_x x (omega x e_x).
  const Vec3 x = Vec3::UnitX();
  EXPECT_NEAR(
      (start.angular - 0.4 * (x.cross(c.velocity) / 2 + x.cross(c.angular_velocity.cross(x)) / 3))
          .norm(),
      0, 1e-12);
  ASSERT_EQ(integrator.advance(state, 0.3), Status::ok);
  EXPECT_NEAR((momentum(model, state).linear - start.linear).norm(), 0, 1e-9);
  EXPECT_NEAR((momentum(model, state).angular - start.angular).norm(), 0, 1e-4);
}

// --- slackness ---

struct Drop {
  double fallen;   ///< below the support [m]
  double tension;  ///< [N]
};

/// A mass on a slack tether of length L and stiffness k falls from half of it, is caught and thrown
/// up again.
class DroppedMass {
 public:
  static constexpr double L = 1, EA = 400, mass = 3, g = 9.81, cable_mass = 0.02;

  [[nodiscard]] static Scene scene() {
    Scene out;
    Cable c = straight_cable(1, {EA, 0, cable_mass});
    c.route.back() = {0, 0, -0.5 * L};
    c.length = L;
    c.lumped_mass = c.tension_only = true;
    out.cables = {c};
    hold(out, "cable", 0);
    PointMass m;
    m.at = last;
    m.mass = mass;
    out.point_masses.push_back(m);
    return out;
  }

  [[nodiscard]] static Drop at(double t) {
    const double m = mass + cable_mass / 2, k = EA / L;
    const double caught = std::sqrt(L / g), speed = g * caught;  // fallen by L/2
    if (t < caught) return {0.5 * L + g * t * t / 2, 0};
    const double omega = std::sqrt(k / m), rest = m * g / k;
    const double held = (2 * std::numbers::pi - 2 * std::atan2(speed / omega, rest)) / omega;
    const auto stretch = [&](double u) {
      return rest + speed / omega * std::sin(omega * u) - rest * std::cos(omega * u);
    };
    if (t < caught + held) return {L + stretch(t - caught), k * stretch(t - caught)};
    const double u = t - caught - held;
    return {L - speed * u + g * u * u / 2, 0};
  }
};

TEST(NpFemTensionOnly, CatchesAFallingMassAndLetsGo) {
  const Model model(DroppedMass::scene());
  for (const Method method : all_solves) {
    SolveOptions options = solve_options(method, 1e-4, Scheme::newmark);
    Integrator integrator(model, options);
    State state = integrator.start();
    bool caught = false;
    for (const double t : {0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9}) {
      ASSERT_EQ(integrator.advance(state, t), Status::ok)
          << name_of(method) << ": " << integrator.failure().message();
      const Drop expected = DroppedMass::at(state.t);
      caught |= expected.tension > 100;
      EXPECT_NEAR(-state.position(1).z(), expected.fallen, 2e-4) << name_of(method) << ", " << t;
      const double tension = profile(model, state, 0)[0].tension;
      EXPECT_NEAR(tension, expected.tension, 0.2) << name_of(method) << ", " << t;
      EXPECT_GE(tension, 0);
    }
    EXPECT_TRUE(caught);
  }
}

/// Shorter than its length between two points at one height: elastic, it would push; slack, its
/// nodes fall freely.
TEST(NpFemTensionOnly, ASlackSpanFallsFreely) {
  for (const bool tension_only : {false, true}) {
    Scene scene;
    Cable c = straight_cable(6, {1000, 0, 0.5});
    c.length = 1.5;
    c.lumped_mass = true;
    c.tension_only = tension_only;
    scene.cables = {c};
    hold(scene, "cable", 0);
    hold(scene, "cable", -1);
    const Model model(scene);
    Integrator integrator(model, solve_options(Method::mixed, 1e-3));
    State state = integrator.start();
    EXPECT_EQ(profile(model, state, 0)[2].tension < 0, !tension_only);
    EXPECT_NEAR(energy(model, state).axial, tension_only ? 0 : 1.5 * 1000 / 18.0, 1e-9);
    if (!tension_only) continue;
    ASSERT_EQ(integrator.advance(state, 0.1), Status::ok);
    for (int node = 2; node <= 4; ++node)  // those beside the supports are caught earlier
      EXPECT_NEAR((state.position(node) - Vec3(node / 6.0, 0, -9.81 * 0.005)).norm(), 0, 1e-9);
  }
}

/// A heavy slack line between two points, dropped into its span: impacts of a stiff line, five
/// axial periods of an element a step. It stays sound, never pushes and gains no energy.
TEST(NpFemTensionOnly, AStiffSlackLineIsCaughtByItsEnds) {
  Scene scene;
  Cable c = straight_cable(40, {1e7, 0, 10});
  c.route.back() = {100, 0, 0};
  c.length = 102;
  c.lumped_mass = c.tension_only = true;
  scene.cables = {c};
  hold(scene, "cable", 0);
  hold(scene, "cable", -1);
  const Model model(scene);
  for (const Scheme scheme : {Scheme::hht, Scheme::bdf2, Scheme::backward_euler}) {
    Integrator integrator(model, solve_options(Method::mixed, 1e-2, scheme));
    State state = integrator.start();
    const double start = energy(model, state).total();
    double pulled = 0;
    while (state.t < 5) {
      ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
      for (const double N : state.axial_force) {
        ASSERT_GE(N, 0);
        pulled = std::max(pulled, N);
      }
    }
    EXPECT_GT(pulled, 10 * 102 * 9.81) << "it was caught";
    EXPECT_LT(energy(model, state).total(), start);
  }
}

// --- what is refused, and what is held ---

void expect_refusal(const Scene& scene, const std::string& part) {
  try {
    const Model model(scene);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("np-fem"), std::string::npos) << e.what();
  }
}

Scene plain_scene() {
  Scene scene;
  scene.cables = {straight_cable(4, {40, 0, 0.3})};
  return scene;
}

TEST(NpFemCable, HasNoDirectionToHoldOrLoad) {
  Scene moment = plain_scene();
  add_moment(moment, last, {0, 1, 0});
  expect_refusal(moment, "moment");
  Scene condition = plain_scene();
  add_condition(condition, "tie", {{nth("cable", 2, 4), Coordinate::slope_x, 1.0}});
  expect_refusal(condition, "tie");
}

TEST(NpFemCable, AClampHoldsThePosition) {
  Scene clamped = plain_scene(), pinned = clamped;
  clamp(clamped, "cable", 0);
  hold(pinned, "cable", 0);
  const Model a(clamped), b(pinned);
  EXPECT_EQ(a.data().structure.fixed, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(a.data().rows.size(), 0U);
  Integrator ia(a, {}), ib(b, {});
  State sa = ia.start(), sb = ib.start();
  ASSERT_EQ(ia.advance(sa, 0.2), Status::ok);
  ASSERT_EQ(ib.advance(sb, 0.2), Status::ok);
  EXPECT_EQ(sa.q, sb.q);
}

/// Whatever the solve, the idle slopes do not move by a bit.
TEST(NpFemCable, IdleSlopesStayZero) {
  Scene scene = plain_scene();
  hold(scene, "cable", 0);
  scene.cables[0].angular_velocity = {1, 2, 3};
  add_distributed_force(scene, "cable", {1, 2, 3});
  const Model model(scene);
  for (const SolveOptions& options : all_methods(1e-3)) {
    Integrator integrator(model, options);
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 0.1), Status::ok) << integrator.failure().message();
    for (int node = 0; node < model.nodes(); ++node)
      for (const auto* array : {&state.q, &state.v, &state.a, &state.a_true})
        for (size_t i = 3; i < 6; ++i)
          EXPECT_EQ((*array)[6 * static_cast<size_t>(node) + i], 0) << name_of(options);
  }
}

// --- how it is recorded ---

/// Three elements with a corner at node 1, the second stretched.
struct Bent {
  Bent() : model(scene()), state(Integrator(model, {}).start()) {
    const double q[4][3] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0, -0.6}, {0.5, 0.5, -0.6}};
    for (int node = 0; node < 4; ++node)
      for (int i = 0; i < 3; ++i) {
        const auto at = static_cast<size_t>(6 * node + i);
        state.q[at] = q[node][i];
        state.v[at] = node + 10 * i;
      }
    state.axial_force_valid = false;
  }
  static Scene scene() {
    Scene out;
    Cable c = straight_cable(3, {100, 9, 0.2});
    c.route.back() = {1.5, 0, 0};
    out.cables = {c};
    return out;
  }
  double sample(const std::string& channel) {
    Channels channels(model, {channel});
    std::vector<double> row(channels.columns().size());
    channels.sample(state, row);
    return row.at(0);
  }
  Model model;
  State state;
};

TEST(NpFemRecord, ChannelsFollowTheStraightElements) {
  Bent bent;
  EXPECT_NEAR(bent.sample("cable.position.z@0.5"), -0.3, 1e-15);
  EXPECT_NEAR(bent.sample("cable.velocity.y@0.5"), 11.5, 1e-14);
  EXPECT_NEAR(bent.sample("cable.direction.z@0.5"), -1, 1e-15);
  EXPECT_NEAR(bent.sample("cable.direction.x@start"), 1, 1e-15);
  EXPECT_NEAR(bent.sample("cable.direction.z@0.5 m"), -std::sqrt(0.5), 1e-15) << "a corner";
  EXPECT_NEAR(bent.sample("cable.tension@0.5"), 100 * 0.2, 1e-12);
  EXPECT_NEAR(bent.sample("cable.tension@start"), 0, 1e-12);
  EXPECT_NEAR(bent.sample("cable.tension@0.5 m"), 10, 1e-12) << "the mean of both sides";
  EXPECT_NEAR(bent.sample("cable.tension@max"), 20, 1e-12);
  EXPECT_NEAR(bent.sample("cable.tension@min"), 0, 1e-12);
  EXPECT_NEAR(bent.sample("cable.strain@0.5"), 0.2, 1e-14);
  EXPECT_EQ(bent.sample("cable.curvature@max"), 0);
  EXPECT_EQ(bent.sample("cable.moment@0.4"), 0);
  EXPECT_NEAR(bent.sample("cable.length"), 1.6, 1e-14);
}

TEST(NpFemRecord, ShapesAndProfileFollowTheStraightElements) {
  Bent bent;
  Shapes shapes(bent.model, 2);
  shapes.sample(bent.state);
  const Shape& shape = shapes.cables()[0];
  ASSERT_EQ(shape.points(), 7);
  EXPECT_NEAR(shape.s[3], 0.75, 1e-15);
  EXPECT_NEAR(shape.position[3 * 3 + 2], -0.3, 1e-15);
  EXPECT_NEAR(shape.velocity[3 * 3], 1.5, 1e-15);
  EXPECT_NEAR(shape.tension[3], 20, 1e-12);
  for (const double k : shape.curvature) EXPECT_EQ(k, 0);
  EXPECT_EQ(Shapes(bent.model, 0).cables()[0].points(), 4) << "straight: the nodes are enough";
  const std::vector<CablePoint> points = profile(bent.model, bent.state, 0);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_NEAR(points[1].s, 0.75, 1e-15);
  EXPECT_NEAR((points[1].position - Vec3(0.5, 0, -0.3)).norm(), 0, 1e-15);
  EXPECT_NEAR(points[1].strain, 0.2, 1e-15);
  EXPECT_NEAR(points[1].tension, 20, 1e-12);
  EXPECT_EQ(points[1].moment, 0);
  TensionWatch watch(bent.model);
  watch.look(bent.state);
  EXPECT_NEAR(watch.seen()[0].largest.tension, 20, 1e-12);
  EXPECT_NEAR(watch.seen()[0].largest.s, 0.75, 1e-15);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
