// ancf cables of sections of different EA: two nodes where the slope jumps, a spring that keeps the
// direction, closed forms, meshes, states that go on.
#include "elements/splice.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "hawser/error.h"
#include "hawser/inspect.h"
#include "hawser/modes.h"
#include "hawser/record.h"
#include "hawser/scene_file.h"
#include "hawser/statics.h"
#include "machines.h"
#include "math/catenary.h"
#include "model/model_data.h"
#include "scenes.h"
#include "source_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double g = 9.81;

/// A straight cable of two sections along x, from 0 to 1.3 m to 2 m.
constexpr double first_length = 1.3, second_length = 0.7;
Scene two_sections(const Section& first, const Section& second, int elements) {
  Scene scene;
  scene.gravity.setZero();
  Cable c;
  c.name = "line";
  c.sections = {{first, first_length}, {second, second_length}};
  c.curvature = CurvatureMeasure::material;
  c.route.back() = {first_length + second_length, 0, 0};
  c.elements = elements;
  scene.cables = {c};
  return scene;
}

State at_rest(const Model& model) {
  State state = Integrator(model, {}).start();
  const StaticReport report = equilibrium(model, state);
  EXPECT_TRUE(report.converged) << report.message;
  return state;
}

double read(const Model& model, const State& state, const std::string& channel) {
  Channels channels(model, {channel});
  std::vector<double> out(channels.columns().size());
  channels.sample(state, out);
  return out.at(0);
}

// --- the term ---

/// Forces and matrix of one splice at slopes l and r, as sums of a small system.
struct SpliceSums {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(12 + padding);
  Eigen::Matrix<double, 12, 12> matrix = Eigen::Matrix<double, 12, 12>::Zero();
  double energy = 0;

  explicit SpliceSums(const Eigen::VectorXd& q) {
    const Splices term({{0, 0, 7.0}});
    std::vector<double> values(78, 0), inertia(12 + padding, 0), zero(12 + padding, 0);
    std::vector<int> positions(element_positions_size, -1);
    for (int i = 0; i < 78; ++i) positions[static_cast<size_t>(i)] = i;
    Sums sums{force.data(), inertia.data(), {}};
    sums.sink.values = values.data();
    sums.sink.element_positions = positions.data();
    Wanted wanted;
    wanted.b = zero.data();
    wanted.tangent = Tangent::own;
    wanted.stiffness_weight = 1;
    term.add(Configuration({0, {}}, q.data(), zero.data(), nullptr), wanted, sums);
    for (int j = 0, k = 0; j < 12; ++j)
      for (int i = j; i < 12; ++i) matrix(i, j) = matrix(j, i) = values[static_cast<size_t>(k++)];
    EnergyParts parts;
    term.add_energy({{0, {}}, q.data(), zero.data(), nullptr, nullptr}, parts);
    energy = parts.bending;
  }
};

TEST(Splices, HaveTheForceAndTheMatrixOfTheirEnergy) {
  for (const double apart : {0.0, 0.4, 1.5}) {
    Eigen::VectorXd q = Eigen::VectorXd::Zero(12 + padding);
    q.segment<3>(3) = 1.02 * Vec3(0.3, -0.5, 0.8).normalized();
    q.segment<3>(9) = 1.3 * Vec3(0.3 + apart, -0.5, 0.8 - apart).normalized();
    const SpliceSums at(q);
    EXPECT_EQ(at.force.head<3>(), Vec3::Zero());
    EXPECT_EQ(at.force.segment<3>(6), Vec3::Zero());
    constexpr double h = 1e-5;
    for (int i = 0; i < 12; ++i) {
      Eigen::VectorXd more = q, less = q;
      more[i] += h;
      less[i] -= h;
      const SpliceSums above(more), below(less);
      EXPECT_NEAR(at.force[i], -(above.energy - below.energy) / (2 * h), 1e-8) << i;
      const Eigen::VectorXd column = -(above.force - below.force).head(12) / (2 * h);
      EXPECT_LT((at.matrix.col(i) - column).norm(), 1e-7) << i;
    }
    if (apart == 0) {
      EXPECT_LT(at.energy, 1e-30);
      EXPECT_LT(at.force.norm(), 1e-14);
    }
    // turned as a whole: no moment
    const Vec3 moment = Vec3(q.segment<3>(3)).cross(Vec3(at.force.segment<3>(3))) +
                        Vec3(q.segment<3>(9)).cross(Vec3(at.force.segment<3>(9)));
    EXPECT_LT(moment.norm(), 1e-14);
  }
}

// --- the model ---

TEST(Splices, AreTwoNodesAtOnePlace) {
  const Model model(two_sections({2e5, 3, 1}, {1e4, 0.2, 2}, 8));
  const std::vector<double>& s = model.mesh().s[0];
  ASSERT_EQ(s.size(), 10U);
  EXPECT_EQ(model.elements(), 8);
  EXPECT_EQ(model.nodes(), 10);
  const ModelData& data = model.data();
  ASSERT_EQ(data.splits.size(), 1U);
  const int node = data.splits[0].node;
  EXPECT_EQ(s[static_cast<size_t>(node)], s[static_cast<size_t>(node) + 1]);
  EXPECT_NEAR(s[static_cast<size_t>(node)], first_length, 1e-12);
  EXPECT_EQ(model.node(Place::at("line", first_length)), node);
  EXPECT_EQ(data.structure.shared.size(), 3U);
  EXPECT_EQ(inspect(model).coordinates, 9 * 6 + 3);
  EXPECT_EQ(inspect(model).cables[0].coordinates, 9 * 6 + 3);
  EXPECT_NEAR(inspect(model).cables[0].length, 2, 1e-12);
  EXPECT_NEAR(data.fields[1]->run.arc_start, first_length, 1e-12);
  const Model same(two_sections({2e5, 3, 1}, {2e5, 0.2, 2}, 8));
  EXPECT_EQ(same.nodes(), 9) << "EA goes on";
  EXPECT_TRUE(same.data().splits.empty());
}

/// T(s) = the load and what hangs below; each section is stretched by its mean tension.
TEST(Splices, HangingCableHasTheTensionAndStretchOfTheClosedForm) {
  const Section chain{3e5, 0, 9}, rope{2e4, 0, 1.5};
  for (const double EI : {0.0, 4.0})
    for (const StrainMeasure strain : {StrainMeasure::engineering, StrainMeasure::green}) {
      Scene scene = two_sections(chain, rope, 7);
      scene.cables[0].sections[0].EI = scene.cables[0].sections[1].EI = EI;
      scene.cables[0].strain = strain;
      scene.cables[0].axial_points = 7;
      scene.gravity = {0, 0, -g};
      scene.cables[0].route.back() = {0, 0, -2};
      hold(scene, "line", 0);
      add_force(scene, Place::end("line"), {0, 0, -300});
      const Model model(scene);
      const State state = at_rest(model);
      const double middle = 300 + rope.mass * second_length * g,
                   top = middle + chain.mass * first_length * g;
      const double upper = first_length * AxialLaw{chain.EA, strain}.mean_stretch(middle, top),
                   lower = second_length * AxialLaw{rope.EA, strain}.mean_stretch(300, middle);
      // An element's |r'| is a quadratic at most: Green's stretch is not, to its fourth order.
      const double exact = strain == StrainMeasure::engineering ? 1e-11 : 1e-9;
      EXPECT_NEAR(state.position(model.node(Place::at("line", first_length))).z(), -upper,
                  exact * upper);
      EXPECT_NEAR(state.position(model.node(Place::end("line"))).z(), -upper - lower,
                  exact * (upper + lower));
      EXPECT_NEAR(reaction(model, state, Place::start("line")).force.z(), top, 1e-10 * top);
      EXPECT_NEAR(read(model, state, "line.tension@1.3 m"), middle, 1e-9 * middle);
      EXPECT_NEAR(read(model, state, "line.tension@start"), top, 1e-9 * top);
      const int node = model.data().splits[0].node;
      EXPECT_NEAR(state.slope(node).norm(), (AxialLaw{chain.EA, strain}.stretch(middle)), 1e-9);
      EXPECT_NEAR(state.slope(node + 1).norm(), (AxialLaw{rope.EA, strain}.stretch(middle)), 1e-9);
      EXPECT_NEAR(read(model, state, "line.strain@1.3 m") * 2, middle / chain.EA + middle / rope.EA,
                  strain == StrainMeasure::green ? 1e-3 : 1e-9)
          << "the mean of both sides";
    }
}

/// Chain, rope and chain over 10 m.
Scene sagging(int elements, double EI = 0) {
  Scene scene;
  Cable c;
  c.name = "line";
  c.sections = {{Section{3e5, EI, 9}, 3}, {Section{2e4, EI, 1.5}, 7}, {Section{3e5, EI, 6}, 2}};
  c.curvature = CurvatureMeasure::material;
  c.length = 12;
  c.route = {{0, 0, 0}, {10, 0, 1}};
  c.elements = elements;
  scene.cables = {c};
  scene.initial = Initial::catenary;
  hold(scene, "line", 0);
  hold(scene, "line", -1);
  return scene;
}

Catenary catenary_of(const Scene& scene) {
  CatenaryProblem p;
  p.to = {10, 0, 1};
  p.length = 12;
  p.weight = scene.gravity;
  for (const SectionPart& s : scene.cables[0].sections)
    p.sections.push_back({s.length, s.mass * g, {s.EA, StrainMeasure::engineering}});
  return solve_catenary(p);
}

TEST(Splices, SagAsTheCatenaryOfTheirSections) {
  const Catenary catenary = catenary_of(sagging(12));
  const auto error = [&](int elements) {
    const Model model(sagging(elements));
    const State state = at_rest(model);
    double most = 0;
    for (size_t n = 0; n < model.mesh().s[0].size(); ++n)
      most = std::max(
          most,
          (state.position(static_cast<int>(n)) - catenary.position(model.mesh().s[0][n])).norm());
    return most;
  };
  const double coarse = error(48), fine = error(96);
  RecordProperty("error", std::to_string(fine));
  EXPECT_LT(fine, 2e-5);
  EXPECT_GT(std::log2(coarse / fine), 3);
}

/// The catenary start is in balance already, also with the ground below.
TEST(Splices, StartInBalance) {
  for (const bool ground : {false, true}) {
    Scene scene = sagging(48);
    if (ground) {
      scene.ground.emplace();
      scene.ground->height = -1.5;
      scene.ground->stiffness = 1e4;
    }
    const Model model(scene);
    const State start = Integrator(model, {}).start(), state = at_rest(model);
    double most = 0;
    for (int n = 0; n < model.nodes(); ++n)
      most = std::max(most, (state.position(n) - start.position(n)).norm());
    EXPECT_LT(most, 1e-7);
  }
}

TEST(Splices, StartWithTheTensionOfEachSideAndOneDirection) {
  for (const Initial initial : {Initial::straight, Initial::catenary, Initial::points}) {
    Scene scene = sagging(96, 5);
    scene.initial = initial;
    if (initial != Initial::catenary) scene.cables[0].length = 0;
    if (initial != Initial::catenary) scene.cables[0].sections[1].length = 0;
    const Model model(scene);
    ASSERT_EQ(model.data().splits.size(), 2U);
    const State start = Integrator(model, {}).start();
    for (const SplitNode& split : model.data().splits) {
      const Vec3 a = start.slope(split.node), b = start.slope(split.node + 1);
      EXPECT_LT(a.normalized().cross(b.normalized()).norm(), 1e-14);
      EXPECT_EQ(start.position(split.node), start.position(split.node + 1));
      if (initial != Initial::catenary) continue;
      const double stiff = split.node == model.data().splits[0].node ? a.norm() : b.norm(),
                   soft = split.node == model.data().splits[0].node ? b.norm() : a.norm();
      EXPECT_NEAR(3e5 * (stiff - 1), 2e4 * (soft - 1), 0.05 * 2e4 * (soft - 1));
    }
  }
}

// --- bending ---

/// A cantilever of two sections with a load at its tip:
/// w = P (l2^3/(3 EI2) + (l1^3/3 + l1^2 l2 + l1 l2^2)/EI1 + l2^2/k), whose last part is the
/// spring's.
TEST(Splices, HandTheBendingMomentOn) {
  constexpr double P = 1e-4, a = first_length, b = second_length;
  for (const double ratio : {0.1, 1.0, 50.0}) {
    const Section first{1e6, 20, 1}, second{4e6 * ratio, 20 * ratio, 1};
    Scene scene = two_sections(first, second, 6);
    clamp(scene, "line", 0);
    add_force(scene, Place::end("line"), {0, P, 0});
    const Model model(scene);
    const State state = at_rest(model);
    const double exact = P / 20 * (b * b * b / (3 * ratio) + a * a * a / 3 + a * a * b + a * b * b);
    const double k = splice_stiffness({first.EA, first.EI, model.data().fields[0]->run.length},
                                      {second.EA, second.EI, model.data().fields[1]->run.length});
    const double tip = state.position(model.node(Place::end("line"))).y();
    EXPECT_NEAR(tip, exact + P * b * b / k, 1e-9 * exact) << ratio;
    EXPECT_NEAR(tip, exact, 1e-5 * exact) << ratio;
    EXPECT_NEAR(read(model, state, "line.moment@1.3 m"), P * b, 1e-8 * P * b);
    EXPECT_NEAR(reaction(model, state, Place::start("line")).moment.z(), -P * (a + b), 1e-8 * P);
  }
}

/// A clamped strip that hangs far down: that its elements may stretch apart changes far less than
/// the number of elements does.
TEST(Splices, BendFarAsOneBeam) {
  const auto tip = [](double EA, int elements) {
    Scene scene = two_sections({1e7, 2, 1}, {EA, 0.5, 1}, elements);
    scene.gravity = {0, 0, -g};
    clamp(scene, "line", 0);
    const Model model(scene);
    const State state = at_rest(model);
    return state.position(model.node(Place::end("line")));
  };
  const Vec3 one = tip(1e7, 20), two = tip(0.999e7, 20), finer = tip(1e7, 40);
  EXPECT_LT(one.z(), -1);
  EXPECT_GT((one - finer).norm(), 1e-4);
  EXPECT_LT((one - two).norm(), 0.01 * (one - finer).norm());
}

/// Natural frequencies of a clamped-clamped beam of two sections. From each end
/// y = A (cosh - cos)(p x) + B (sinh - sin)(p x), p^4 = m w^2/EI; where they meet y, EI y'' and
/// EI y''' go on, with the signs of the other direction, and y' grows by EI y''/k in a spring.
double beam_determinant(double w, const Section& first, const Section& second, double give) {
  Eigen::Matrix4d m;
  const auto fill = [&](const Section& s, double length, double sign, double factor, int column) {
    const double p = std::pow(s.mass * w * w / s.EI, 0.25), x = p * length;
    const double ch = std::cosh(x), sh = std::sinh(x), c = std::cos(x), n = std::sin(x);
    m.col(column) << ch - c, sign * p * (sh + n), s.EI * p * p * (ch + c),
        sign * s.EI * p * p * p * (sh - n);
    m.col(column + 1) << sh - n, sign * p * (ch - c), s.EI * p * p * (sh + n),
        sign * s.EI * p * p * p * (ch + c);
    m.middleCols(column, 2) *= factor * std::exp(-x);
  };
  fill(first, first_length, 1, 1, 0);
  fill(second, second_length, -1, -1, 2);
  m.block<1, 2>(1, 0) += give * m.block<1, 2>(2, 0);
  return m.determinant();
}

std::vector<double> beam_frequencies(const Section& first, const Section& second, double give,
                                     size_t count) {
  std::vector<double> out;
  const auto f = [&](double w) { return beam_determinant(w, first, second, give); };
  const double step = 0.1;
  for (double w = step; out.size() < count; w += step) {
    double a = w, b = w + step;
    if (f(a) * f(b) > 0) continue;
    for (int i = 0; i < 80; ++i) {
      const double middle = (a + b) / 2;
      (f(a) * f(middle) > 0 ? a : b) = middle;
    }
    out.push_back(a);
  }
  return out;
}

/// To the fourth order towards those of the beam with the spring, which are off by less than 20
/// elements are.
TEST(Splices, ClampedBeamHasTheFrequenciesOfItsSections) {
  const Section first{1e8, 20, 1}, second{2e6, 3, 0.4};
  struct Errors {
    std::vector<double> beam, spring;  // of the beam, of the beam with the spring
  };
  const auto errors = [&](int elements) {
    Scene scene = two_sections(first, second, elements);
    clamp(scene, "line", 0);
    clamp(scene, "line", -1);
    const Model model(scene);
    const State state = Integrator(model, {}).start();
    ModeOptions options;
    options.count = 6;
    const ModesReport report = modes(model, state, options);
    const double k = splice_stiffness({first.EA, first.EI, model.data().fields[0]->run.length},
                                      {second.EA, second.EI, model.data().fields[1]->run.length});
    const std::vector<double> beam = beam_frequencies(first, second, 0, 3),
                              spring = beam_frequencies(first, second, 1 / k, 3);
    Errors out;
    for (size_t i = 0; i < 3; ++i) {
      out.beam.push_back(report.modes.at(2 * i).omega / beam[i] - 1);
      out.spring.push_back(report.modes.at(2 * i).omega / spring[i] - 1);
      EXPECT_NEAR(report.modes.at(2 * i + 1).omega, report.modes.at(2 * i).omega, 1e-6) << "planes";
    }
    return out;
  };
  const Errors coarse = errors(20), fine = errors(40);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_LT(std::abs(coarse.beam[i]), 1e-4) << i;
    EXPECT_LT(std::abs(fine.beam[i] - fine.spring[i]), std::abs(coarse.spring[i])) << i;
    EXPECT_NEAR(std::log2(coarse.spring[i] / fine.spring[i]), 4, 0.1) << i;
  }
}

/// Where one side does not resist bending, the other one turns freely.
TEST(Splices, AreHingesWithoutBendingStiffness) {
  Scene scene = two_sections({1e6, 20, 1}, {1e4, 0, 1}, 8);
  scene.gravity = {0, 0, -g};
  clamp(scene, "line", 0);
  const Model model(scene);
  EXPECT_EQ(model.data().structure.elements.size(), 8U) << "nothing couples the slopes";
  const State state = at_rest(model);
  const Vec3 knot = state.position(model.node(Place::at("line", first_length))),
             end = state.position(model.node(Place::end("line")));
  EXPECT_NEAR((end - knot).head<2>().norm(), 0, 1e-6) << "it hangs down";
  EXPECT_NEAR(reaction(model, state, Place::start("line")).force.z(), 2 * g, 1e-8);
}

/// A moment and a clamp act on the side that bends.
TEST(Splices, AreTurnedOnTheSideThatBends) {
  for (const bool first_bends : {false, true}) {
    Scene scene =
        two_sections({1e6, first_bends ? 20.0 : 0.0, 1}, {1e4, first_bends ? 0.0 : 20.0, 1}, 8);
    const Place knot = Place::at("line", first_length);
    scene.supports = {ground("hook", {first_length, 0, 0})};
    scene.cables[0].route = {{0, 0, 0}, Stop::clamp("hook"), {2, 0, 0}};
    add_force(scene, first_bends ? Place::start("line") : Place::end("line"), {0, 1e-3, 0});
    add_force(scene, first_bends ? Place::end("line") : Place::start("line"),
              {first_bends ? 10.0 : -10.0, 0, 0});
    const Model model(scene);
    ASSERT_EQ(model.data().splits.size(), 1U);
    const State state = at_rest(model);
    const double l = first_bends ? first_length : second_length;
    EXPECT_NEAR(std::abs(reaction(model, state, knot).moment.z()), 1e-3 * l, 1e-7);
    EXPECT_NEAR(
        state.position(model.node(first_bends ? Place::start("line") : Place::end("line"))).y(),
        1e-3 * l * l * l / (3 * 20), 1e-9);
  }
}

// --- motion ---

/// Thrown and spinning, without loads: momentum stays, and so does the energy.
TEST(Splices, KeepMomentumAndEnergy) {
  Scene scene = two_sections({1e5, 2, 1}, {5e3, 0.3, 0.4}, 16);
  scene.cables[0].velocity = {1, -2, 0.5};
  scene.cables[0].angular_velocity = {0, 3, 8};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton, Method::mixed3}) {
    Integrator integrator(model, solve_options(method, 1e-3));
    State state = integrator.start();
    const Momentum before = momentum(model, state);
    const double energy_before = energy(model, state).total();
    ASSERT_EQ(integrator.advance(state, 1), Status::ok) << integrator.failure().message();
    const Momentum after = momentum(model, state);
    // the stages of mixed3 turn nodes, but not those that share a position
    EXPECT_LT((after.linear - before.linear).norm(),
              (method == Method::mixed3 ? 1e-6 : 1e-10) * before.linear.norm());
    EXPECT_LT((after.angular - before.angular).norm(), 1e-4 * before.angular.norm())
        << name_of(method);
    EXPECT_NEAR(energy(model, state).total(), energy_before, 5e-4 * energy_before)
        << name_of(method);
    const int node = model.data().splits[0].node;
    EXPECT_EQ(state.position(node), state.position(node + 1));
    EXPECT_LT(state.slope(node).normalized().cross(state.slope(node + 1).normalized()).norm(), 1e-4)
        << name_of(method);
  }
}

/// The motion is that of a cable of one section when EA hardly differs.
TEST(Splices, MoveAsOneCable) {
  const auto run = [](double EA, Method method) {
    Scene scene = two_sections({1e5, 2, 1}, {EA, 2, 1}, 20);
    scene.gravity = {0, 0, -g};
    hold(scene, "line", 0);
    const Model model(scene);
    Integrator integrator(model, solve_options(method, 1e-3));
    State state = integrator.start();
    EXPECT_EQ(integrator.advance(state, 0.8), Status::ok) << integrator.failure().message();
    return state.position(model.node(Place::end("line")));
  };
  for (const Method method : all_solves) {
    const Vec3 one = run(1e5, method), two = run(1e5 * (1 + 1e-9), method);
    EXPECT_LT((one - two).norm(), 2e-4) << name_of(method);
  }
}

TEST(Splices, GoOnOnAnotherMesh) {
  Scene scene = two_sections({1e5, 2, 1}, {5e3, 0.3, 0.4}, 10);
  scene.gravity = {0, 0, -g};
  hold(scene, "line", 0);
  scene.cables[0].strain = StrainMeasure::green;  // energies that the points integrate exactly
  scene.cables[0].curvature = CurvatureMeasure::second_derivative;
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::mixed, 1e-3));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 0.2), Status::ok);
  const State old = state;
  Mesh finer = model.mesh();
  std::vector<double>& s = finer.s[0];
  const auto knot = static_cast<size_t>(model.data().splits[0].node);
  s.insert(s.begin() + static_cast<long>(knot) + 2, (s[knot + 1] + s[knot + 2]) / 2);
  s.insert(s.begin() + static_cast<long>(knot), (s[knot] + s[knot - 1]) / 2);
  const Model next(scene, finer);
  ASSERT_EQ(next.nodes(), model.nodes() + 2);
  const MeshChange change = integrator.change_mesh(next, state);
  EXPECT_LT(std::abs(change.energy), 1e-11);
  EXPECT_LT(change.momentum.norm(), 1e-13);
  EXPECT_LT(change.angular_momentum.norm(), 1e-12);
  const int there = next.data().splits[0].node;
  EXPECT_EQ(state.slope(there), old.slope(static_cast<int>(knot)));
  EXPECT_EQ(state.slope(there + 1), old.slope(static_cast<int>(knot) + 1));
  ASSERT_EQ(integrator.advance(state, 0.4), Status::ok);
  const MeshChange back = integrator.change_mesh(model, state);
  EXPECT_LT(back.momentum.norm(), 1e-12);
  EXPECT_EQ(state.position(static_cast<int>(knot)), state.position(static_cast<int>(knot) + 1));
  ASSERT_EQ(integrator.advance(state, 0.6), Status::ok) << integrator.failure().message();

  Integrator same(model, solve_options(Method::mixed, 1e-3));
  State whole = same.start();
  ASSERT_EQ(same.advance(whole, 0.6), Status::ok);
  EXPECT_LT(distance(whole, state), 2e-2);
}

TEST(Splices, MeshesSayWhatIsWrong) {
  const Scene scene = two_sections({1e5, 2, 1}, {5e3, 0.3, 0.4}, 10);
  const Model model(scene);
  const auto refused = [&](const std::vector<double>& s) {
    try {
      (void)Model(scene, Mesh{{s}});
      return std::string("none");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const auto knot = static_cast<long>(model.data().splits[0].node);
  std::vector<double> one = model.mesh().s[0], three = one, elsewhere = one;
  one.erase(one.begin() + knot);
  EXPECT_NE(refused(one).find("no two nodes at"), std::string::npos) << refused(one);
  three.insert(three.begin() + knot, three[static_cast<size_t>(knot)]);
  EXPECT_NE(refused(three).find("increasing arc lengths"), std::string::npos) << refused(three);
  elsewhere.insert(elsewhere.begin() + 2, elsewhere[2]);
  EXPECT_NE(refused(elsewhere).find("increasing arc lengths"), std::string::npos);
  EXPECT_EQ(refused(model.mesh().s[0]), "none");
}

TEST(Splices, ResumeWithTheSameBits) {
  Scene scene = two_sections({1e5, 2, 1}, {5e3, 0.3, 0.4}, 12);
  scene.gravity = {0, 0, -g};
  hold(scene, "line", 0);
  const Model model(scene);
  for (const SolveOptions& options : all_methods(1e-3)) {
    Integrator whole(model, options), first(model, options), rest(model, options);
    State a = whole.start(), b = first.start();
    ASSERT_EQ(whole.advance(a, 0.1), Status::ok);
    ASSERT_EQ(first.advance(b, 0.05), Status::ok);
    rest.resume(b);
    ASSERT_EQ(rest.advance(b, 0.1), Status::ok);
    EXPECT_EQ(a.q, b.q) << name_of(options);
    EXPECT_EQ(a.v, b.v) << name_of(options);
  }
}

/// The word of the model is swapped; a heavy load hides the weight that a massless cable lacks.
TEST(Splices, HaveTheTensionOfTheOtherModels) {
  for (const CableModel kind : {CableModel::massless, CableModel::np_fem, CableModel::ancf}) {
    Scene scene;
    scene.supports = {ground("hook", Vec3::Zero())};
    scene.bodies = {ball("load", 500, {0, 0, -8.001})};
    Cable c;
    c.name = "line";
    c.model = kind;
    c.sections = {
        {Section{3e6, 0, 1e-6}, 2}, {Section{2e5, 0, 1e-6}, 5}, {Section{3e6, 0, 1e-6}, 1}};
    c.route = {Stop::hold("hook"), Stop::hold("load")};
    scene.cables = {c};
    const Model model(scene);
    const State state = at_rest(model);
    EXPECT_NEAR(read(model, state, "line.tension@start"), 500 * g, 1e-6 * 500 * g);
    EXPECT_NEAR(body_at(model, state, 0).z(), -8 - 500 * g * (3 / 3e6 + 5 / 2e5), 1e-8);
  }
}

/// The shipped mooring line as an ancf cable starts in balance: it pulls as its catenaries do.
TEST(Splices, MoorAsTheShippedScene) {
  const SceneFile file =
      read_scene(source_path("scenes/mooring-sections.yaml"),
                 std::vector<std::string>{"cables.line.model=ancf", "cables.line.elements=41"});
  const Model model(file.scene);
  ASSERT_EQ(model.data().splits.size(), 2U);
  Integrator integrator(model, file.solve);
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 0.5), Status::ok) << integrator.failure().message();
  EXPECT_NEAR(read(model, state, "fairlead.force.x"), 50e3, 1);
  EXPECT_NEAR(read(model, state, "anchor.force.z"), -5e3, 1);
}

/// Shapes have one point where the nodes are two, with the mean of both sides.
TEST(Splices, AreOnePointOfShapes) {
  Scene scene = sagging(24);
  const Model model(scene);
  const State state = at_rest(model);
  Shapes shapes(model, 1);
  shapes.sample(state);
  const Shape& shape = shapes.cables()[0];
  ASSERT_EQ(shape.s.size(), 25U);
  const Catenary catenary = catenary_of(scene);
  for (size_t i = 1; i < shape.s.size(); ++i) {
    EXPECT_GT(shape.s[i], shape.s[i - 1]);
    EXPECT_NEAR(shape.tension[i], catenary.tension(shape.s[i]), 0.02 * catenary.tension(0)) << i;
    const Vec3 r = Vec3::Map(&shape.position[3 * i]);
    EXPECT_LT((r - catenary.position(shape.s[i])).norm(), 5e-3) << i;
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
