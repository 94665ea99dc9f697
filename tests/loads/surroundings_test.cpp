// Ground and drag on an element against their definitions on dual numbers, and in the assembler.
#include "conformance/assembly_reference.h"  // first: the kernels need its sqrt

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "../bench/routes.h"
#include "assembly/assembler.h"
#include "assembly/energy.h"
#include "loads/added_mass.h"
#include "loads/surroundings_term.h"

namespace hawser::conformance::HAWSER_FILE {
namespace {

Surroundings both(double length, bool slopes) {
  Surroundings s(length, slopes);
  Ground ground;
  ground.normal = {0.2, -0.1, 1};
  ground.height = 0.1;
  ground.stiffness = 40;
  ground.damping = 0.03;
  s.set_ground(ground);
  Eigen::Map<Vector3d>(s.flow) = Vector3d(0.7, -0.4, 0.3);
  s.drag = {1.7, 0.2};
  return s;
}

/// r at xi of an element, or r' (derivative), from the cubic or the straight line itself.
template <class T>
void place(const T* x, double l, bool slopes, double xi, bool derivative, T out[3]) {
  for (int i = 0; i < 3; ++i) {
    const T a = x[i], b = x[6 + i], chord = b - a;
    if (!slopes) {
      out[i] = derivative ? chord / T(l) : a + T(xi) * chord;
      continue;
    }
    const T c = x[3 + i] * T(l), c3 = c + x[9 + i] * T(l) - T(2) * chord,
            c2 = chord - c - c3;  // a + c xi + c2 xi^2 + c3 xi^3
    out[i] = derivative ? (c + T(2 * xi) * c2 + T(3 * xi * xi) * c3) / T(l)
                        : a + T(xi) * (c + T(xi) * (c2 + T(xi) * c3));
  }
}

/// Force per metre by the words of the definition: u_n = t x (u x t). Drag, push of the ground, or
/// both.
template <class T>
void force_per_metre(const Surroundings& s, const T r[3], const T d[3], const T v[3], bool drags,
                     bool pushes, T f[3]) {
  const auto cross = [](const T a[3], const T b[3], T out[3]) {
    for (int i = 0; i < 3; ++i)
      out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  };
  const auto norm = [](const T a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); };
  T t[3], u[3], turned[3], across[3], depth(s.height), sinking(0);
  for (int i = 0; i < 3; ++i) {
    t[i] = d[i] / norm(d);
    u[i] = T(s.flow[i]) - v[i];
    depth -= T(s.normal[i]) * r[i];
    sinking -= T(s.normal[i]) * v[i];
  }
  cross(u, t, turned);
  cross(t, turned, across);
  const T along = t[0] * u[0] + t[1] * u[1] + t[2] * u[2], size = sqrt(along * along);
  T push(0);
  if (pushes && Dual(depth).value > 0) {
    T viscous = T(s.ground.damping) * sinking;
    if (Dual(viscous).value > Dual(depth).value) viscous = depth;
    if (Dual(viscous).value < -Dual(depth).value) viscous = -depth;
    push = T(s.ground.stiffness) * (depth + viscous);
  }
  for (int i = 0; i < 3; ++i)
    f[i] = T(drags ? s.drag.across : 0) * norm(across) * across[i] +
           T(drags ? s.drag.along : 0) * size * along * t[i] + push * T(s.normal[i]);
}

/// Drag on straight elements at three points, all else at five.
template <class T>
std::vector<T> force_of(const Surroundings& s, double l, bool slopes, const std::vector<T>& q,
                        const std::vector<T>& v) {
  std::vector<T> out(12, T(0));
  const auto add = [&](int points, bool drags, bool pushes) {
    for (const GaussPoint& g : gauss_rule(points)) {
      T r[3], d[3], w[3], f[3];
      place(q.data(), l, slopes, g.x, false, r);
      place(q.data(), l, slopes, g.x, true, d);
      place(v.data(), l, slopes, g.x, false, w);
      force_per_metre(s, r, d, w, drags, pushes, f);
      const std::array<double, 4> h = hermite_position(g.x);
      const double n[4] = {slopes ? h[0] : 1 - g.x, slopes ? l * h[1] : 0, slopes ? h[2] : g.x,
                           slopes ? l * h[3] : 0};
      for (size_t k = 0; k < 12; ++k) out[k] += T(g.w * l * n[k / 3]) * f[k % 3];
    }
  };
  add(5, slopes, true);
  if (!slopes) add(3, true, false);
  return out;
}

struct Sample {
  std::vector<double> q, v;
};

/// Elements about the ground's height, moving either way.
void for_samples(
    const std::function<void(const Surroundings&, bool slopes, const Sample&)>& check) {
  Random random(11);
  int touching = 0;
  for (const bool slopes : {true, false})
    for (int i = 0; i < 40; ++i) {
      const Surroundings s = both(element_length, slopes);
      Sample sample{std::vector<double>(12), std::vector<double>(12)};
      for (double& x : sample.q) x = 0.2 * random();
      for (double& x : sample.v) x = 4 * random();
      sample.q[6] += element_length;
      if (slopes)
        sample.q[3] += 1, sample.q[9] += 1;
      else
        for (const size_t k : {3, 4, 5, 9, 10, 11}) sample.q[k] = sample.v[k] = 0;
      touching += ground_energy(s, sample.q.data()) > 0;
      check(s, slopes, sample);
    }
  EXPECT_GT(touching, 20);
}

ElementMotion motion_of(const Sample& s) {
  return {s.q.data(), s.v.data(), s.q.data(), s.v.data()};
}

VectorXd kernel_force(const Surroundings& s, const ElementMotion& at) {
  VectorXd out = VectorXd::Zero(12);
  EXPECT_FALSE(add_surroundings(s, at, {}, out.data(), nullptr));
  return out;
}

MatrixXd kernel_matrix(const Surroundings& s, const ElementMotion& at,
                       const SurroundingsWeights& weights) {
  MatrixXd out = MatrixXd::Zero(12, 12);
  VectorXd force = VectorXd::Zero(12);
  add_surroundings(s, at, weights, force.data(), out.data());
  return out;
}

TEST(Surroundings, ForceIsThatOfItsDefinition) {
  for_samples([](const Surroundings& s, bool slopes, const Sample& x) {
    const std::vector<double> expected = force_of(s, element_length, slopes, x.q, x.v);
    expect_near(kernel_force(s, motion_of(x)), head(expected, 12),
                1e-12 * largest(head(expected, 12)), "force");
  });
}

TEST(Surroundings, TangentsAgreeWithDualNumbers) {
  for_samples([](const Surroundings& s, bool slopes, const Sample& x) {
    MatrixXd by_position(12, 12), by_velocity(12, 12);
    const std::vector<Dual> q(x.q.begin(), x.q.end()), v(x.v.begin(), x.v.end());
    for (size_t j = 0; j < 12; ++j)
      for (const bool moved : {true, false}) {
        std::vector<Dual> dq = q, dv = v;
        (moved ? dq : dv)[j].slope = 1;
        const std::vector<Dual> f = force_of(s, element_length, slopes, dq, dv);
        for (size_t i = 0; i < 12; ++i)
          (moved ? by_position : by_velocity)(static_cast<int>(i), static_cast<int>(j)) =
              -f[i].slope;
      }
    expect_near(kernel_matrix(s, motion_of(x), {1, 0, 1, true}), by_position,
                derivative_tolerance * largest(by_position), "by position and slope");
    expect_near(kernel_matrix(s, motion_of(x), {0, 1, 1, false}), by_velocity,
                derivative_tolerance * largest(by_velocity), "by velocity");
    Surroundings still = s;
    still.drag = {};
    expect_near(kernel_matrix(s, motion_of(x), {1, 0.3, 1, false}),
                kernel_matrix(still, motion_of(x), {1, 0, 1, false}) + 0.3 * by_velocity,
                derivative_tolerance * largest(by_velocity),
                "a step's matrix leaves the slopes out");
  });
}

TEST(Surroundings, WhatAStepTakesIsSymmetricAndNotNegative) {
  for_samples([](const Surroundings& s, bool, const Sample& x) {
    const MatrixXd K = kernel_matrix(s, motion_of(x), {0.3, 0.7, 1, false});
    expect_near(K, K.transpose(), 1e-14 * largest(K), "symmetry");
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatrixXd>(K).eigenvalues().minCoeff(),
              -1e-13 * largest(K));
  });
}

/// About another place the force is the line through that place's force.
TEST(Surroundings, IsLinearAboutWhatIsPredicted) {
  for_samples([](const Surroundings& s, bool slopes, const Sample& x) {
    Sample base = x;
    Random random(3);
    for (size_t i = 0; i < 12; ++i)
      if (slopes || i % 6 < 3) base.q[i] += 0.1 * random(), base.v[i] += random();
    const ElementMotion at{base.q.data(), base.v.data(), x.q.data(), x.v.data()};
    const VectorXd dq = head(base.q, 12) - head(x.q, 12), dv = head(base.v, 12) - head(x.v, 12);
    const VectorXd expected = kernel_force(s, motion_of(x)) -
                              kernel_matrix(s, at, {1, 0, 1, false}) * dq -
                              kernel_matrix(s, at, {0, 1, 1, false}) * dv;
    expect_near(kernel_force(s, at), expected, 1e-12 * (1 + largest(expected)), "linear force");
  });
}

TEST(Surroundings, GroundStoresWhatItPushesWith) {
  for_samples([](const Surroundings& s, bool, const Sample& x) {
    Surroundings spring = s;
    spring.drag = {};
    spring.ground.damping = 0;
    const VectorXd force = kernel_force(spring, motion_of(x));
    const double step = 1e-6;
    for (size_t i = 0; i < 12; ++i) {
      Sample up = x, down = x;
      up.q[i] += step;
      down.q[i] -= step;
      EXPECT_NEAR(force[static_cast<int>(i)],
                  (ground_energy(s, down.q.data()) - ground_energy(s, up.q.data())) / (2 * step),
                  1e-4);
    }
  });
}

TEST(Surroundings, OnlyTakeEnergyFromACableInStillFluid) {
  for_samples([](const Surroundings& s, bool, const Sample& x) {
    Surroundings still = s;
    std::fill_n(still.flow, 3, 0);
    VectorXd lossy = VectorXd::Zero(12);
    add_lossy_force(still, {x.q.data(), x.v.data(), x.q.data(), x.v.data()}, lossy.data());
    EXPECT_LT(lossy.dot(head(x.v, 12)), 0);
    still.ground.damping = 0;
    still.drag = {};
    VectorXd all = kernel_force(s, motion_of(x)), part = VectorXd::Zero(12);
    add_lossy_force(s, {x.q.data(), x.v.data(), x.q.data(), x.v.data()}, part.data());
    expect_near(all, part + kernel_force(still, motion_of(x)), 1e-12 * (1 + largest(all)),
                "the rest is what the ground stores");
  });
}

/// Runs that end within a pack, in one array, against one element after the other.
TEST(Surroundings, OfRunsAreTheSumsOfTheirElements) {
  for (const bool slopes : {true, false}) {
    Surroundings s = both(element_length, slopes);
    s.height = 0.5;
    const std::vector<SurroundedElements> runs{{0, 6, 0, s}, {7, 4, 6, s}, {12, 9, 10, s}};
    constexpr int nodes = 22, n = 6 * nodes;
    Random random(5);
    std::vector<double> q(n + padding), v(q), q_ahead(q), v_ahead(q);
    for (size_t i = 0; i < n; ++i) {
      if (!slopes && i % 6 > 2) continue;
      q[i] = random() + (i % 6 == 0 ? element_length * static_cast<double>(i / 6) : 0);
      v[i] = 4 * random();
      q_ahead[i] = q[i] + 0.1 * random();
      v_ahead[i] = v[i] + random();
    }
    for (size_t i = n; i < q.size(); ++i)
      q[i] = v[i] = q_ahead[i] = v_ahead[i] = std::nan("");  // must not be looked at
    Wanted wanted;
    wanted.tangent = Tangent::own;
    wanted.stiffness_weight = 0.4;
    wanted.damping_weight = 0.6;
    wanted.load_factor = 0.9;
    const SurroundingsWeights weights{0.4, 0.6, 0.9, false};
    for (const bool moved : {false, true}) {
      Configuration at({0, {}}, q.data(), v.data(), nullptr);
      if (moved) at.q_ahead = q_ahead.data(), at.v_ahead = v_ahead.data();
      VectorXd force = VectorXd::Zero(n), lossy = force;
      MatrixXd matrix = MatrixXd::Zero(n, n);
      double energy = 0;
      for (const SurroundedElements& run : runs)
        for (int e = 0; e < run.elements; ++e) {
          const int c = 6 * (run.first_node + e);
          const ElementMotion motion{at.q + c, at.v + c, at.q_ahead + c, at.v_ahead + c};
          MatrixXd block = MatrixXd::Zero(12, 12);
          add_surroundings(s, motion, weights, force.data() + c, block.data());
          add_lossy_force(s, motion, lossy.data() + c);
          matrix.block(c, c, 12, 12) += block;
          energy += ground_energy(s, at.q + c);
        }
      const SurroundingsTerm term(runs);
      PanelSink panels(nodes);
      std::fill(panels.panels.begin(), panels.panels.end(), 0);
      std::vector<double> sum(n, 0), lossy_sum(n, 0);  // not padded: nothing is written past it
      term.add(at, wanted, {sum.data(), nullptr, panels.sink});
      term.add_lossy(at, nullptr, lossy_sum.data());
      EnergyParts parts;
      term.add_energy({{0, {}}, q.data(), v.data(), nullptr, nullptr}, parts);
      expect_near(head(sum, n), force, 1e-13 * largest(force), "force");
      expect_near(head(lossy_sum, n), lossy, 1e-13 * largest(lossy), "lossy force");
      expect_near(panels.lower(), lower_of(matrix), 1e-13 * largest(matrix), "matrix");
      EXPECT_NEAR(parts.gravity, energy, 1e-13 * energy);
    }
  }
}

/// Force left out by a linearization on the other side of a kink, as a share of the largest.
TEST(Surroundings, TellOfKinksOfTheGround) {
  for (const bool slopes : {true, false}) {
    Surroundings s(element_length, slopes);
    Ground ground;
    ground.stiffness = 1000;
    ground.damping = 0.1;
    s.set_ground(ground);
    const SurroundingsTerm term({{0, 6, 0, s}});
    EXPECT_TRUE(term.facts().kinked);
    /// Level, at that height and rising at that speed; the last node is held at a depth of 0.2 m.
    struct Level {
      std::vector<double> q, v;
      Level(double height, double speed, bool held) : q(7 * 6 + padding), v(q) {
        for (size_t node = 0; node < 7; ++node) {
          q[6 * node] = element_length * static_cast<double>(node);
          q[6 * node + 2] = height;
          v[6 * node + 2] = speed;
        }
        if (held) q[38] = -0.2, v[38] = 0;
      }
    };
    const auto left_out = [&](const Level& now, const Level& ahead) {
      Configuration at({0, {}}, now.q.data(), now.v.data(), nullptr);
      at.q_ahead = ahead.q.data();
      at.v_ahead = ahead.v.data();
      return term.left_out(at);
    };
    const Level above(0.1, 0, false), below(-0.1, 0, false), sinking(-0.1, -0.5, false),
        plunging(-0.1, -2, false), leaving(-0.1, 2, false), higher(0.3, 0, false);
    EXPECT_EQ(left_out(above, higher), 0);
    EXPECT_EQ(left_out(below, below), 0);
    EXPECT_EQ(left_out(below, sinking), 0) << "carried in both";
    EXPECT_DOUBLE_EQ(left_out(below, above), 1);
    EXPECT_DOUBLE_EQ(left_out(above, below), 1);
    EXPECT_DOUBLE_EQ(left_out(below, plunging), 0.5) << "twice the push";
    EXPECT_DOUBLE_EQ(left_out(below, leaving), 1);
    EXPECT_DOUBLE_EQ(left_out(above, leaving), 1) << "no push in both, but the ground had stored";
    const Level touch(-0.001, 0, true), off(0.001, 0, true);
    EXPECT_GT(left_out(touch, off), 0);
    EXPECT_LT(left_out(touch, off), 0.02) << "less than others are pushed by";
  }
  EXPECT_FALSE(SurroundingsTerm({{0, 6, 0, Surroundings(1, true)}}).facts().kinked);
}

TEST(Ground, PushesWithoutPullingAndWithoutAJump) {
  const GroundLaw law{1000, 0.1};
  const auto push = [&](double depth, double sinking) {
    return footing(law, depth, sinking).push(depth, sinking);
  };
  EXPECT_EQ(push(-0.1, 5), 0);
  EXPECT_EQ(push(0, 5), 0);
  EXPECT_DOUBLE_EQ(push(0.2, 0), 200);
  EXPECT_DOUBLE_EQ(push(0.2, 1), 300);
  EXPECT_DOUBLE_EQ(push(0.2, -1), 100);
  EXPECT_DOUBLE_EQ(push(0.2, 50), 400);
  EXPECT_EQ(push(0.2, -50), 0);
  for (const double sinking : {-3.0, -1.0, 0.0, 1.0, 3.0})
    for (double depth = -0.2; depth < 0.5; depth += 1e-3) {
      EXPECT_GE(push(depth, sinking), 0);
      EXPECT_LE(std::abs(push(depth + 1e-3, sinking) - push(depth, sinking)), 2 * 1000 * 1.001e-3);
    }
}

// --- added mass ---

/// int m_a |v - t (t . v)|^2/2 by the words of the definition.
double added_energy(const Surroundings& s, bool slopes, const std::vector<double>& q,
                    const std::vector<double>& v) {
  double sum = 0;
  for (const GaussPoint& g : gauss_rule(5)) {
    Vector3d d, w;
    place(q.data(), element_length, slopes, g.x, true, d.data());
    place(v.data(), element_length, slopes, g.x, false, w.data());
    sum += g.w * element_length * s.added_mass / 2 * (w - d * (d.dot(w) / d.dot(d))).squaredNorm();
  }
  return sum;
}

TEST(AddedMass, IsTheMatrixOfTheEnergyOfMotionAcross) {
  for_samples([](Surroundings s, bool slopes, const Sample& x) {
    s.added_mass = 0.7;
    VectorXd product = VectorXd::Zero(12);
    MatrixXd M = MatrixXd::Zero(12, 12);
    add_added_mass(s, x.q.data(), x.v.data(), 1, product.data(), M.data());
    const double twice = 2 * added_energy(s, slopes, x.q, x.v);
    EXPECT_NEAR(product.dot(head(x.v, 12)), twice, 1e-12 * twice);
    expect_near(M * head(x.v, 12), product, 1e-12 * largest(product), "matrix times velocity");
    expect_near(M, M.transpose(), 1e-14 * largest(M), "symmetry");
  });
}

/// v . M_a' v/2: what the energy changes by as the cable turns at the same velocities.
TEST(AddedMass, TellsWhatTurningChanges) {
  for_samples([](Surroundings s, bool slopes, const Sample& x) {
    s.added_mass = 0.7;
    VectorXd turning = VectorXd::Zero(12);
    add_turning_mass(s, x.q.data(), x.v.data(), turning.data());
    const double step = 1e-6;
    double change = 0;
    for (const double side : {step, -step}) {
      std::vector<double> q = x.q;
      for (size_t i = 0; i < 12; ++i) q[i] += side * x.v[i];
      change += added_energy(s, slopes, q, x.v) / (2 * side);
    }
    EXPECT_NEAR(turning.dot(head(x.v, 12)), change, 1e-6 * (1 + std::abs(change)));
  });
}

/// Runs that end within a pack, in one array, against one element after the other.
TEST(AddedMass, OfRunsIsTheSumOfItsElements) {
  for (const bool slopes : {true, false}) {
    Surroundings s(element_length, slopes);
    s.added_mass = 0.7;
    const std::vector<SurroundedElements> runs{{0, 6, 0, s}, {7, 4, 6, s}, {12, 9, 10, s}};
    constexpr int nodes = 22, n = 6 * nodes;
    Random random(5);
    std::vector<double> q(n + padding), b(q);
    for (size_t i = 0; i < n; ++i) {
      if (!slopes && i % 6 > 2) continue;
      q[i] = random() + (i % 6 == 0 ? element_length * static_cast<double>(i / 6) : 0);
      b[i] = 4 * random();
    }
    for (size_t i = n; i < q.size(); ++i) q[i] = b[i] = std::nan("");  // must not be looked at
    VectorXd product = VectorXd::Zero(n);
    MatrixXd matrix = MatrixXd::Zero(n, n);
    for (const SurroundedElements& run : runs)
      for (int e = 0; e < run.elements; ++e) {
        const int c = 6 * (run.first_node + e);
        MatrixXd block = MatrixXd::Zero(12, 12);
        add_added_mass(s, q.data() + c, b.data() + c, 0.4, product.data() + c, block.data());
        matrix.block(c, c, 12, 12) += block;
      }
    Wanted wanted;
    wanted.b = b.data();
    wanted.tangent = Tangent::own;
    wanted.mass_weight = 0.4;
    const AddedMass term(runs);
    PanelSink panels(nodes);
    std::fill(panels.panels.begin(), panels.panels.end(), 0);
    std::vector<double> force(n, 0), inertia(n, 0), times(n, 0);
    term.add({{0, {}}, q.data(), b.data(), nullptr}, wanted,
             {force.data(), inertia.data(), panels.sink});
    term.add_mass_times(q.data(), b.data(), times.data());
    expect_near(head(inertia, n), product, 1e-13 * largest(product), "inertia");
    expect_near(head(times, n), product, 1e-13 * largest(product), "product");
    expect_near(panels.lower(), lower_of(matrix), 1e-13 * largest(matrix), "matrix");
    EXPECT_EQ(force, std::vector<double>(n, 0));
    EnergyParts parts;
    term.add_energy({{0, {}}, q.data(), b.data(), nullptr, nullptr}, parts);
    EXPECT_NEAR(parts.kinetic, product.dot(head(b, n)) / 2, 1e-12 * parts.kinetic);
  }
}

// --- in the assembler ---

Scene immersed(std::vector<Cable> cables) {
  Scene scene = scene_of(std::move(cables));
  for (Cable& c : scene.cables) c.sections[0].diameter = 0.05;
  scene.ground.emplace();
  scene.ground->normal = {0.3, 0, 2};
  scene.ground->height = 0.4;
  scene.ground->stiffness = 30;
  scene.ground->damping = 0.02;
  scene.fluid.emplace();
  scene.fluid->density = 900;
  scene.fluid->velocity = {0.5, 1, -0.2};
  return scene;
}

Wanted wanted_of(const Inputs& in) {
  Wanted wanted;
  wanted.b = in.b.data();
  wanted.tangent = Tangent::own;
  wanted.mass_weight = 1.3;
  wanted.stiffness_weight = 0.4;
  wanted.damping_weight = 0.6;
  return wanted;
}

Configuration moving(const std::vector<double>& q, const std::vector<double>& v) {
  return {{0, {}}, q.data(), v.data(), nullptr};
}

TEST(SurroundingsAssembly, EverySinkGetsTheSameMatrix) {
  Cable led = cable_of(7);
  lead_through(led, {{0.9, 0.2, 0}, {2, 1, 0.5}});
  const Model model(immersed({cable_of(3), led, np_fem_cable(5, true, false)}));
  const Inputs in(model.data());
  Assembler assembler(model.data());
  DenseSink whole(model.data().structure, true), half(model.data().structure, false);
  PanelSink panels(model.nodes());
  for (const MatrixSink* sink : {&whole.sink, &half.sink, &panels.sink})
    assembler.run(moving(in.q, in.b), wanted_of(in), *sink);
  const double tolerance = 1e-13 * largest(whole.H);
  expect_near(whole.H, whole.H.transpose(), tolerance, "symmetry");
  expect_near(half.H, lower_of(whole.H), tolerance, "lower triangle");
  expect_near(panels.lower(), lower_of(whole.H), tolerance, "panels");
}

/// Central differences through the whole assembly, by position and by velocity.
TEST(SurroundingsAssembly, TangentIsTheGradientOfTheForce) {
  const Model model(immersed({cable_of(3), np_fem_cable(2, false, false)}));
  const Inputs in(model.data());
  Assembler assembler(model.data());
  Wanted wanted = wanted_of(in);
  wanted.mass_weight = 0;
  wanted.full_tangent = true;
  wanted.load_factor = 0.8;
  DenseSink sink(model.data().structure, true);
  assembler.run(moving(in.q, in.b), wanted, sink.sink);
  wanted.tangent = Tangent::none;
  const int n = model.coordinates();
  MatrixXd slopes = MatrixXd::Zero(n, n);
  const double step = 1e-6;
  for (int j = 0; j < n; ++j)
    for (const bool moved : {true, false})
      for (const double side : {step, -step}) {
        std::vector<double> q = in.q, v = in.b;
        (moved ? q : v)[static_cast<size_t>(j)] += side;
        assembler.run(moving(q, v), wanted, {});
        slopes.col(j) -= (moved ? 0.4 : 0.6) / (2 * side) * head(assembler.force, n);
      }
  expect_near(sink.H, slopes, 1e-6 * largest(slopes), "tangent of all forces");
}

TEST(SurroundingsAssembly, BuoyancyIsTheWeightOfWhatIsDisplaced) {
  Scene scene = immersed({cable_of(4), np_fem_cable(3, true, false)});
  scene.gravity = {0, 0, -9.81};
  const Model model(scene);
  std::vector<double> loads(model.data().padded(), 0), supplied = loads;
  const Configuration start = moving(model.data().q0, model.data().v0);
  Assembler(model.data()).add_loads(start, 1, loads.data());
  Assembler(model.data()).add_supplied_loads(start, 1, supplied.data());
  Vector3d load = Vector3d::Zero();
  for (int node = 0; node < model.nodes(); ++node)
    load += Eigen::Map<const Vector3d>(loads.data() + 6 * node);
  const double length = 7 * element_length, area = std::numbers::pi * 0.05 * 0.05 / 4;
  expect_near(load, Vector3d(0, 0, -9.81 * length * (mass_per_metre - 900 * area)), 1e-12,
              "weight less buoyancy");
  EXPECT_EQ(supplied, std::vector<double>(loads.size(), 0)) << "its potential is energy";
}

TEST(SurroundingsAssembly, NothingIsKeptWhereThereIsNeither) {
  const Model model(scene_of({cable_of(3)}));
  EXPECT_EQ(model.data().terms.size(), 2u) << "elements and gravity";
  EXPECT_FALSE(model.data().facts.ahead);
  EXPECT_FALSE(model.data().facts.by_velocity);
}

}  // namespace
}  // namespace hawser::conformance::HAWSER_FILE
