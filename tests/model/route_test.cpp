// Cables led over points: how elements, nodes and mass are shared out, and that spans of different
// elements make one cable.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstring>
#include <numeric>

#include "assembly/energy.h"
#include "hawser/error.h"
#include "hawser/statics.h"
#include "model/model_data.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

Cable led(std::vector<Vec3> via, const Vec3& end, int elements) {
  Cable c;
  c.name = "rope";
  c.sections = {Section{1e4, 0.02, 0.5}};
  lead_through(c, std::move(via));
  c.route.back() = end;
  c.elements = elements;
  return c;
}

Scene scene_of(Cable cable) {
  Scene scene;
  scene.cables = {std::move(cable)};
  return scene;
}

/// Elements by span of a route along x whose spans have these lengths.
std::vector<int> shares(const std::vector<double>& lengths, int elements) {
  std::vector<Vec3> points;
  double x = 0;
  for (const double length : lengths) points.emplace_back(x += length, 0, 0);
  const Vec3 end = points.back();
  points.pop_back();
  return span_elements({}, led(points, end, elements));
}

TEST(SpanElements, FollowTheLengthsOfTheSpans) {
  using Shares = std::vector<int>;
  EXPECT_EQ(shares({1}, 7), (Shares{7}));
  EXPECT_EQ(shares({1, 3}, 8), (Shares{2, 6}));
  EXPECT_EQ(shares({2.4, 3.5, 4.1}, 10), (Shares{2, 4, 4})) << "the largest remainder is 0.5";
  EXPECT_EQ(shares({1, 1, 1}, 4), (Shares{2, 1, 1})) << "ties go to the start";
  EXPECT_EQ(shares({0.01, 5, 0.01, 5}, 6), (Shares{1, 2, 1, 2})) << "no span goes without";
  EXPECT_EQ(shares({1e-6, 1, 1e-6}, 3), (Shares{1, 1, 1}));
}

TEST(SpanElements, AlwaysAddUpAndAreNeverBelowOne) {
  unsigned seed = 1;
  const auto random = [&seed] { return (seed = seed * 1664525u + 1013904223u) / 4294967296.0; };
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> lengths(1 + static_cast<size_t>(8 * random()));
    for (double& l : lengths) l = std::exp(8 * random() - 4);
    const int spans = static_cast<int>(lengths.size());
    const int elements = spans + static_cast<int>(40 * random());
    const std::vector<int> got = shares(lengths, elements);
    ASSERT_EQ(got.size(), lengths.size());
    EXPECT_EQ(std::accumulate(got.begin(), got.end(), 0), elements);
    for (size_t k = 0; k < got.size(); ++k) EXPECT_GE(got[k], 1);
  }
}

TEST(SpanElements, RefuseWhatIsNoRoute) {
  EXPECT_THROW(validate_route({}, led({{0, 0, 0}}, {1, 0, 0}, 4)), Error);
  EXPECT_THROW(validate_route({}, led({{0, std::nan(""), 0}}, {1, 0, 0}, 4)), Error);
  EXPECT_THROW(validate_route({}, led({{0, 1, 0}}, {1, 0, 0}, 1)), Error);
}

// --- nodes at places ---

std::vector<double> nodes_of(const std::vector<Place>& places, int elements = 10) {
  return node_arcs(route_of({}, led({}, {1, 0, 0}, elements), {places, {}}));
}

TEST(Places, OnEqualElementsLeaveThemAlone) {
  const std::vector<double> even = nodes_of({});
  EXPECT_EQ(nodes_of({Place::at("rope", 0.3), Place::fraction("rope", 0.7), Place::end("rope")}),
            even);
  EXPECT_EQ(nodes_of({Place::at("rope", 0.3 + 1e-7)}), even) << "to a millionth of the length";
}

TEST(Places, BetweenNodesDivideTheSpan) {
  const std::vector<double> nodes = nodes_of({Place::at("rope", 0.33), Place::at("rope", 0.5)});
  ASSERT_EQ(nodes.size(), 11U) << "as many elements as before";
  EXPECT_EQ(node_at(nodes, Place::at("rope", 0.33)), 3);
  EXPECT_EQ(node_at(nodes, Place::fraction("rope", 0.5)), 5);
  EXPECT_NEAR(nodes[1], 0.11, 1e-15);
  EXPECT_NEAR(nodes[4], 0.415, 1e-15);
  EXPECT_NEAR(nodes[6], 0.6, 1e-15);
  EXPECT_EQ(node_at(nodes, Place::at("rope", 0.4)), -1);
}

TEST(Places, DivideOnlyTheirOwnSpan) {
  const Cable c = led({{1, 0, 0}}, {3, 0, 0}, 12);  // 4 elements of 0.25 m, 8 of 0.25 m
  const std::vector<double> nodes = node_arcs(route_of({}, c, {{Place::at("rope", 0.6)}, {}}));
  ASSERT_EQ(nodes.size(), 13U);
  EXPECT_NEAR(nodes[2], 0.6, 1e-15);
  EXPECT_NEAR(nodes[3], 0.8, 1e-15);
  for (int n = 0; n <= 8; ++n) EXPECT_NEAR(nodes[static_cast<size_t>(4 + n)], 1 + 0.25 * n, 1e-15);
}

TEST(Places, NeedAnElementEach) {
  EXPECT_EQ(nodes_of({Place::at("rope", 0.001), Place::at("rope", 0.999)}, 3),
            (std::vector<double>{0, 0.001, 0.999, 1}));
  EXPECT_THROW(nodes_of({Place::at("rope", 0.001), Place::at("rope", 0.999)}, 2), Error);
}

/// A mass anywhere on a taut line that weighs nothing: EA (x/l1 - 1) - EA ((2 - x)/l2 - 1) = m g.
TEST(Places, CarryTheirLoadWhereTheyAre) {
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf}) {
    Cable c = led({}, {0, 0, -2}, 7);
    c.model = kind;
    c.sections = {Section{1e5, 0, 1e-6}};
    c.length = 1.9;
    Scene scene = scene_of(c);
    hold(scene, "rope", 0);
    hold(scene, "rope", -1);
    scene.point_masses.push_back({Place::at("rope", 0.613), 50});
    const Model model(scene);
    State state = Integrator(model, {}).start();
    ASSERT_TRUE(equilibrium(model, state).converged);
    const double l1 = 0.613, l2 = 1.9 - l1, x = (50 * 9.81 / 1e5 + 2 / l2) / (1 / l1 + 1 / l2);
    EXPECT_NEAR(state.position(model.node(Place::at("rope", l1))).z(), -x, 1e-9);
  }
}

/// A force anywhere across a taut line without bending stiffness: straight on both sides, where
/// EA (d_i/l_i - 1) t_i add up to it. The line kinks at the force, and where it is held.
TEST(Places, KinkWhereAForceActs) {
  const double EA = 1e5, l1 = 0.613, l2 = 1.9 - l1;
  const Vec3 force(30, 0, -400);
  const auto pull = [&](const Vec3& r) {
    const Vec3 a = Vec3::Zero() - r, b = Vec3(2, 0, 0) - r;
    return Vec3(EA * (a.norm() / l1 - 1) * a.normalized() +
                EA * (b.norm() / l2 - 1) * b.normalized() + force);
  };
  Vec3 r(0.65, 0, -0.02);
  for (int i = 0; i < 50; ++i) {  // Newton in the plane
    const double h = 1e-6;
    const Vec3 f = pull(r), fx = (pull(r + Vec3(h, 0, 0)) - pull(r - Vec3(h, 0, 0))) / (2 * h),
               fz = (pull(r + Vec3(0, 0, h)) - pull(r - Vec3(0, 0, h))) / (2 * h);
    const double det = fx.x() * fz.z() - fz.x() * fx.z();
    r -= Vec3((fz.z() * f.x() - fz.x() * f.z()) / det, 0, (fx.x() * f.z() - fx.z() * f.x()) / det);
  }
  ASSERT_LT(pull(r).norm(), 1e-8);
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf})
    for (const int elements : {2, 7}) {
      Cable c = led({}, {2, 0, 0}, elements);
      c.model = kind;
      c.sections = {Section{EA, 0, 1e-6}};
      c.length = 1.9;
      Scene scene = scene_of(c);
      scene.gravity.setZero();
      hold(scene, "rope", 0);
      hold(scene, "rope", -1);
      add_force(scene, Place::at("rope", l1), force);
      const Model model(scene);
      EXPECT_EQ(model.nodes(), elements + (kind == CableModel::ancf ? 2 : 1));
      State state = Integrator(model, {}).start();
      ASSERT_TRUE(equilibrium(model, state).converged);
      EXPECT_LT((state.position(model.node(Place::at("rope", l1))) - r).norm(), 1e-9);
      for (const CablePoint& at : profile(model, state, 0)) {
        const double T =
            at.s < l1 ? EA * (r.norm() / l1 - 1) : EA * ((Vec3(2, 0, 0) - r).norm() / l2 - 1);
        EXPECT_NEAR(at.tension, T, 1e-5 * T) << at.s;
      }
    }
}

/// Held between its ends, a line without bending stiffness kinks there.
TEST(Places, KinkWhereTheCableIsHeld) {
  Cable c = led({{1, 0, -0.5}}, {2, 0, 0}, 6);
  c.sections = {Section{1e5, 0, 1e-6}};
  c.length = 2;
  Scene scene = scene_of(c);
  scene.gravity.setZero();
  for (const int stop : {0, 1, 2}) hold(scene, "rope", stop);
  const Model model(scene);
  EXPECT_EQ(model.nodes(), 8);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  const double d = std::hypot(1, 0.5), T = 1e5 * (d - 1);
  for (const CablePoint& at : profile(model, state, 0)) EXPECT_NEAR(at.tension, T, 1e-8 * T);
  EXPECT_NEAR(reaction(model, state, Place::at("rope", 1)).force.z(), -2 * T * 0.5 / d, 1e-8 * T);
}

/// With bending stiffness the kink is a layer as wide as 1/k, k^2 = T/EI. A taut beam with hinged
/// ends yields w = F/(2 T) (L/2 - tanh(k L/2)/k) under a small force in its middle. One slope at
/// the node is right then: elements that resolve the layer come to it with order 4, k l = 2.5, 1.25
/// and 0.63; without bending stiffness it would be F L/(4 T), 8 % more.
TEST(Places, AreBentAsATautBeam) {
  const double EA = 1e6, strain = 1e-3, L = 2, F = 1e-3, T = EA * strain, k = 25,
               EI = T / (k * k) / (1 + strain);  // per unstretched length
  const double exact = F / (2 * T) * (L / 2 - std::tanh(k * L / 2) / k);
  const auto error = [&](int elements) {
    Cable c = led({}, {L, 0, 0}, elements);
    c.sections = {Section{EA, EI, 1}};
    c.curvature = CurvatureMeasure::material;
    c.length = L / (1 + strain);
    Scene scene = scene_of(c);
    scene.gravity.setZero();
    hold(scene, "rope", 0);
    hold(scene, "rope", -1);
    add_force(scene, Place::fraction("rope", 0.5), {0, 0, F});
    const Model model(scene);
    EXPECT_EQ(model.nodes(), elements + 1) << "one slope";
    State state = Integrator(model, {}).start();
    EXPECT_TRUE(equilibrium(model, state).converged);
    return state.position(model.node(Place::fraction("rope", 0.5))).z() / exact - 1;
  };
  const double coarse = error(20), middle = error(40), fine = error(80);
  EXPECT_LT(std::abs(coarse), 0.01);
  EXPECT_GT(std::log2(coarse / middle), 3) << coarse;
  EXPECT_NEAR(std::log2(middle / fine), 4, 0.4) << middle << ", " << fine;
}

/// With bending stiffness a node at a load has one slope, and so one strain, for both sides: a
/// mass on a taut line that weighs nothing (as above) misses by 0.059 times the jump m g/EA of the
/// strain and the length of an element, an error of the first order.
TEST(Places, HaveOneStrainWhereACableBends) {
  const double EA = 1e5, l1 = 1.9 * 0.375, l2 = 1.9 - l1, jump = 50 * 9.81 / EA,
               x = (jump + 2 / l2) / (1 / l1 + 1 / l2);
  const auto error = [&](int elements, double EI) {
    Cable c = led({}, {0, 0, -2}, elements);
    c.sections = {Section{EA, EI, 1e-6}};
    c.curvature = CurvatureMeasure::material;
    c.length = 1.9;
    Scene scene = scene_of(c);
    hold(scene, "rope", 0);
    hold(scene, "rope", -1);
    scene.point_masses.push_back({Place::at("rope", l1), 50});
    const Model model(scene);
    State state = Integrator(model, {}).start();
    EXPECT_TRUE(equilibrium(model, state).converged);
    return state.position(model.node(Place::at("rope", l1))).z() + x;
  };
  for (const int elements : {8, 16, 32})
    EXPECT_NEAR(error(elements, 10), 0.0589 * jump * 1.9 / elements, 1e-3 * jump * 1.9 / elements);
  EXPECT_NEAR(error(8, 0), 0, 1e-9) << "two slopes";
}

TEST(Route, LeadsThroughItsPoints) {
  Cable c = led({{0, 3, 0}, {0.1, 3, 6.3}}, {5, 3, 7}, 12);
  c.length = 7;
  const std::vector<int> elements = span_elements({}, c);
  const Model model(scene_of(c));
  const std::vector<double>& q = model.data().q0;
  const auto vec = [&q](int node, int offset) {
    return Vec3(Eigen::Map<const Vec3>(q.data() + 6 * node + offset));
  };
  const Vec3 points[4] = {c.route[0].point, c.route[1].point, c.route[2].point, c.route[3].point};
  double total = 0;
  for (int k = 0; k < 3; ++k) total += (points[k + 1] - points[k]).norm();
  int node = 0;
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(vec(node, 0), points[k]);
    const Vec3 way = points[k + 1] - points[k], slope = way.normalized() * (total / 7);
    const int n = elements[static_cast<size_t>(k)];
    for (int i = 1; i < n; ++i) {
      EXPECT_LT((vec(node + i, 0) - points[k] - way * i / n).norm(), 1e-14);
      EXPECT_LT((vec(node + i, 3) - slope).norm(), 1e-14);
    }
    node += n;
    const ElementRun& run = model.data().fields[static_cast<size_t>(k)]->run;
    EXPECT_NEAR(run.length, 7 * way.norm() / total / n, 1e-15);
    EXPECT_EQ(run.first_node, node - n);
  }
  EXPECT_LT((vec(node, 0) - c.route.back().point).norm(), 1e-15);
  // At a right angle the slope lies at 45 degrees, as long as those beside it.
  const Vec3 corner = Vec3(0, 1, 0) + (points[2] - points[1]).normalized();
  EXPECT_LT((vec(elements[0], 3) - corner.normalized() * (total / 7)).norm(), 1e-14);
}

TEST(Route, TurnsAboutItsStart) {
  Cable c = led({{1, 3, 1}}, {5, 3, 1}, 4);
  c.route.front() = {1, 1, 1};
  c.velocity = {0, 0, 2};
  c.angular_velocity = {0, 0, 3};
  const Model model(scene_of(c));
  const State state = Integrator(model, {}).start();
  EXPECT_LT((state.velocity(4) - Vec3(-6, 12, 2)).norm(), 1e-13) << state.velocity(4);
  EXPECT_LT((state.velocity(span_elements({}, c)[0]) - Vec3(-6, 0, 2)).norm(), 1e-13);
}

TEST(Route, SpansOfEqualElementsAreStraightCables) {
  Scene scene = scene_of(led({}, {2, 0, 0}, 8));
  hold(scene, "rope", 0);
  Scene via = scene;
  lead_through(via.cables[0], {{0.5, 0, 0}});  // all numbers exact in binary: the same nodes
  const Model straight(scene), led_on(via);
  ASSERT_EQ(led_on.data().fields.size(), 1U);
  Integrator a(straight, {}), b(led_on, {});
  State s = a.start(), t = b.start();
  ASSERT_EQ(a.advance(s, 0.2), Status::ok);
  ASSERT_EQ(b.advance(t, 0.2), Status::ok);
  ASSERT_EQ(s.q.size(), t.q.size());
  EXPECT_EQ(std::memcmp(s.q.data(), t.q.data(), s.q.size() * sizeof(double)), 0);
}

/// The cubic of an element takes the slope at a corner from s to s_via: the first moment of its
/// mass gains m l^2/12 (s_via - s) in the element after the corner and loses it in the one before.
TEST(Route, HasTheMassAndMomentumOfItsSpans) {
  Cable c = led({{0, 3, 0}}, {5, 3, 0}, 5);  // 2 elements of 1.5 m, 3 of 5/3 m
  c.velocity = {1, -2, 3};
  c.angular_velocity = {0.3, -0.2, 0.7};
  const Model model(scene_of(c));
  EXPECT_NEAR(model.data().total_mass, 0.5 * 8, 1e-13);
  EXPECT_NEAR(model.data().total_length, 8, 1e-13);
  ASSERT_EQ(model.data().fields.size(), 2U);
  const Vec3 s1(0, 1, 0), s2(1, 0, 0), s_via = (s1 + s2).normalized();
  const double l1 = 1.5, l2 = 5.0 / 3;
  const Vec3 moment = 0.5 * (3 * Vec3(0, 1.5, 0) + 5 * Vec3(2.5, 3, 0) -
                             l1 * l1 / 12 * (s_via - s1) + l2 * l2 / 12 * (s_via - s2));
  const State state = Integrator(model, {}).start();
  const Vec3 expected = 4 * c.velocity + c.angular_velocity.cross(moment);
  EXPECT_LT((momentum(model, state).linear - expected).norm(), 1e-12);
}

TEST(Route, HangsWithTheTensionOfWhatHangsBelow) {
  Cable c = led({{0, 0, -0.3}, {0, 0, -1.4}}, {0, 0, -2.001}, 7);  // a little stretched
  c.length = 2;
  c.strain = StrainMeasure::engineering;
  c.curvature = CurvatureMeasure::material;  // |r''| would see the strain's gradient
  Scene scene = scene_of(c);
  hold(scene, "rope", 0);
  const Model model(scene);
  ASSERT_EQ(model.data().fields.size(), 3U);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  double before = 0;
  for (const CablePoint& p : profile(model, state, 0)) {
    EXPECT_GT(p.s, before);
    before = p.s;
    EXPECT_NEAR(p.tension, 0.5 * 9.81 * (2 - p.s), 1e-9) << "s = " << p.s;
    EXPECT_NEAR(p.curvature, 0, 1e-9);
    // r = s + int T/EA, from the pin down
    EXPECT_NEAR(p.position.z(), -p.s - 0.5 * 9.81 * (2 * p.s - p.s * p.s / 2) / 1e4, 1e-12);
  }
  EXPECT_GT(before, 1.9);
  EXPECT_NEAR(reaction(model, state, Place::start("rope")).force.z(), 9.81, 1e-9);
}

/// Along x, in all six coordinates.
void hold_fast(Scene& scene, const std::string& cable, int stop, const Place& at) {
  clamp(scene, cable, stop);
  add_condition(scene, "slope of " + cable, {{at, Coordinate::slope_x, 1.0}}, 1.0);
}

/// Held in all six coordinates where two spans meet, each moves as a cable of its own.
TEST(Route, SpansHeldApartMoveAsTwoCables) {
  Scene one = scene_of(led({{1, 0, 0}}, {4, 0, 0}, 9));  // 2 elements of 0.5 m, 7 of 3/7 m
  hold_fast(one, "rope", 1, Place::at("rope", 1));
  Scene two = scene_of(led({}, {1, 0, 0}, 2));
  two.cables.push_back(led({}, {4, 0, 0}, 7));
  two.cables[1].name = "line";
  two.cables[1].route.front() = {1, 0, 0};
  hold_fast(two, "rope", -1, Place::end("rope"));
  hold_fast(two, "line", 0, Place::start("line"));
  const Model joined(one), apart(two);
  ASSERT_EQ(joined.data().fields.size(), 2U);
  for (const SolveOptions& options : all_methods(1e-3)) {
    SCOPED_TRACE(name_of(options));
    Integrator a(joined, options), b(apart, options);
    State s = a.start(), t = b.start();
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(a.step(s), Status::ok);
      ASSERT_EQ(b.step(t), Status::ok);
    }
    ASSERT_GT((s.position(9) - Vec3(4, 0, 0)).norm(), 0.02) << "it falls";
    const double tolerance = options.method == Method::newton ? 1e-8 : 1e-11;
    for (int n = 0; n <= 9; ++n) {
      const int m = n <= 2 ? n : n + 1;  // the second cable has a node of its own there
      EXPECT_LT((s.position(n) - t.position(m)).norm(), tolerance) << "node " << n;
      EXPECT_LT((s.velocity(n) - t.velocity(m)).norm(), 1e3 * tolerance) << "node " << n;
    }
    const Energy whole = energy(joined, s), parts = energy(apart, t);
    EXPECT_NEAR(whole.kinetic, parts.kinetic, 1e-7 * parts.kinetic);
    EXPECT_NEAR(whole.potential, parts.potential, 1e-7);
  }
}

TEST(Route, AFailureNamesTheElementOfTheCable) {
  Scene scene = scene_of(led({}, {1, 0, 0}, 3));
  Cable second = led({{0, 1, 2}}, {5, 1, 2}, 6);
  second.name = "line";
  second.route.front() = {0, 0, 2};
  scene.cables.push_back(second);
  scene.cables[1].angular_velocity = {0, 0, 50};
  const Model model(scene);
  SolveOptions options = solve_options(Method::linearized, 1e-2, Scheme::newmark);
  options.constraints = ConstraintLevel::baumgarte;  // leaves unstable steps alone
  Integrator integrator(model, options);
  State state = integrator.start();
  Status status = Status::ok;
  for (int i = 0; i < 1000 && status == Status::ok; ++i) status = integrator.step(state);
  ASSERT_NE(status, Status::ok);
  EXPECT_EQ(integrator.failure().cable, "line");
  EXPECT_EQ(integrator.failure().element,
            most_energetic_element(model.data(), state.q.data(), state.v.data()) - 3)
      << "counted from the start of its cable";
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
