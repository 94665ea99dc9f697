// The batched kernels of each instruction set, against each other and against the scalar kernel.
#include "conformance/assembly_reference.h"  // first: the kernels need its sqrt

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <utility>

namespace hawser {

namespace isa_baseline {
extern const Kernels table;
}
#ifdef HAWSER_WITH_V3
namespace isa_v3 {
extern const Kernels table;
}
#endif

namespace conformance::HAWSER_FILE {
namespace {

/// The instruction sets this machine runs, the baseline first.
std::vector<const Kernels*> instruction_sets() {
  std::vector<const Kernels*> sets = {&isa_baseline::table};
#ifdef HAWSER_WITH_V3
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    sets.push_back(&isa_v3::table);
#endif
  return sets;
}

/// Added to the diagonal before factoring: a cable's tangent is not definite at every shape.
constexpr double definite = 2000;

/// Everything a set's kernels give for a model.
struct KernelOutput {
  std::vector<double> force, inertia, force_star, strain_r, mass_product, axial;
  MatrixXd sparse, panels;
  std::vector<double> factored, solution;
  Kernels::Pivots pivots{};
  BatchEnergy energy{};

  KernelOutput(const Kernels& kernels, const ModelData& model, Tangent tangent)
      : force(model.padded()),
        inertia(force),
        force_star(static_cast<size_t>(model.point_size)),
        strain_r(3 * force_star.size()),
        mass_product(force),
        axial(force_star) {
    const Inputs in(model);
    AssemblyIo io;
    io.q = in.q.data();
    io.b = in.b.data();
    io.force_n = in.force_n.data();
    io.force = force.data();
    io.inertia = inertia.data();
    io.force_star = force_star.data();
    io.strain_r = strain_r.data();
    io.mass_weight = 1.3;
    io.stiffness_weight = 0.4;
    DenseSink dense(model.structure, false);
    io.sink = dense.sink;
    kernels.elements->assemble(batch_of(model, 0), io, tangent);
    sparse = dense.H;
    PanelSink chain(model.nodes);
    io.sink = chain.sink;
    kernels.elements->assemble(batch_of(model, 0), io, tangent);
    kernels.elements->mass_times(batch_of(model, 0), in.b.data(), mass_product.data());
    kernels.elements->axial_update(batch_of(model, 0),
                                   {in.b.data(), force_star.data(), strain_r.data(), axial.data()});
    kernels.elements->energy(batch_of(model, 0), {in.q.data(), in.b.data(), nullptr, nullptr},
                             energy);
    if (tangent == Tangent::none) return;
    panels = chain.lower();
    factored = chain.panels;
    for (int k = 0; k < model.nodes; ++k)
      for (int j = 0; j < node_size; ++j)
        factored[static_cast<size_t>(panel_size * k + (panel_rows + 1) * j)] += definite;
    solution = in.b;
    kernels.factor_chain(factored.data(), model.nodes, pivots);
    EXPECT_EQ(pivots.negative, 0);
    EXPECT_TRUE(pivots.finite);
    kernels.solve_chain(factored.data(), model.nodes, solution.data());
  }
};

void expect_same(const std::vector<double>& a, const std::vector<double>& b, Eigen::Index n,
                 const char* what) {
  expect_near(head(a, n), head(b, n), 1e-12 * largest(head(b, n)), what);
}

TEST(Kernels, GiveTheSameOnEveryInstructionSet) {
  const auto sets = instruction_sets();
  if (sets.size() < 2) GTEST_SKIP() << "this machine runs the baseline alone";
  for_all_models([&sets](const Model& model) {
    const ModelData& data = model.data();
    const Eigen::Index n = model.coordinates(), points = data.point_size;
    for (const Tangent tangent : all_tangents) {
      const KernelOutput a(*sets[0], data, tangent), b(*sets[1], data, tangent);
      expect_same(b.force, a.force, n, "force");
      expect_same(b.inertia, a.inertia, n, "inertia");
      expect_same(b.mass_product, a.mass_product, n, "M b");
      const auto valid = [&](const std::vector<double>& by_point) {
        return valid_points(data, head(by_point, points));
      };
      expect_near(valid(b.force_star), valid(a.force_star), 1e-12 * largest(valid(a.force_star)),
                  "axial force");
      expect_near(valid(b.axial), valid(a.axial), 1e-12 * largest(valid(a.axial)), "axial update");
      EXPECT_NEAR(b.energy.kinetic, a.energy.kinetic, 1e-12 * a.energy.kinetic);
      EXPECT_NEAR(b.energy.axial, a.energy.axial, 1e-12 * a.energy.axial);
      EXPECT_NEAR(b.energy.bending, a.energy.bending, 1e-12 * a.energy.bending);
      expect_near(b.sparse, a.sparse, 1e-12 * largest(a.sparse), "sparse matrix");
      if (tangent == Tangent::none) continue;
      expect_near(b.panels, a.panels, 1e-12 * largest(a.panels), "panels");
      EXPECT_NEAR(b.pivots.smallest, a.pivots.smallest, 1e-12 * a.pivots.smallest);
      EXPECT_NEAR(b.pivots.largest, a.pivots.largest, 1e-12 * a.pivots.largest);
      EXPECT_EQ(b.pivots.node, a.pivots.node);
      expect_same(b.solution, a.solution, n, "solution");
    }
  });
}

TEST(Kernels, FactorAndSolveTheAssembledChain) {
  for (const Kernels* kernels : instruction_sets())
    for (int elements = 1; elements <= 9; ++elements) {
      const Model model(scene_of({cable_of(elements)}));
      const KernelOutput out(*kernels, model.data(), Tangent::own);
      MatrixXd H = out.sparse.selfadjointView<Eigen::Lower>();
      H.diagonal().array() += definite;
      const VectorXd b = head(Inputs(model.data()).b, model.coordinates());
      expect_near(H * head(out.solution, b.size()), b, 1e-11 * largest(b), kernels->name);
    }
}

TEST(Kernels, AxialUpdateIsLinearInTheCorrection) {
  for (const Kernels* kernels : instruction_sets())
    for (int elements = 1; elements <= 9; ++elements) {
      const Model model(scene_of({cable_of(elements, StrainMeasure::engineering)}));
      const ModelData& data = model.data();
      const KernelOutput out(*kernels, data, Tangent::none);
      const Inputs in(data);
      const AncfParameters& par = batch_of(data, 0).parameters;
      for (int e = 0; e < elements; ++e) {
        const double* q = in.q.data() + 6 * e;
        const double* d = in.b.data() + 6 * e;
        Dual x[12];
        for (int i = 0; i < 12; ++i) x[i] = {q[i], d[i]};
        const AncfAdapter<EngineeringStrain, SecondDerivativeCurvature> element(
            par.length, par.law.EA, par.law.EI, par.axial_points, par.bending_points);
        const auto points = element.evaluate<Tangent::none, Dual>(x, nullptr);
        for (int g = 0; g < par.axial_points; ++g)
          EXPECT_NEAR(out.axial[static_cast<size_t>(point_index(batch_of(data, 0), e, g))],
                      points.force[g].value + points.force[g].slope, 1e-11 * section.EA);
      }
    }
}

/// And an np-fem element says how far it has turned, what force that leaves out of the update, and
/// whether it ends compressed where it may not.
TEST(Kernels, AxialUpdateOfNpFem) {
  for (const Kernels* kernels : instruction_sets())
    for (const bool tension_only : {false, true})
      for (int elements = 1; elements <= 9; ++elements) {
        const Model model(scene_of({np_fem_cable(elements, false, tension_only)}));
        const ModelData& data = model.data();
        const AncfBatch& batch = batch_of(data, 0);
        const KernelOutput out(*kernels, data, Tangent::mixed);
        const Inputs in(data);
        std::vector<double> force(out.axial);
        const AxialChange change = kernels->elements->axial_update(
            batch, {in.b.data(), out.force_star.data(), out.strain_r.data(), force.data()});
        AxialChange expected;
        for (int e = 0; e < elements; ++e) {
          const auto position = [e](const std::vector<double>& a, int node) {
            return Vector3d(Eigen::Map<const Vector3d>(a.data() + 6 * (e + node)));
          };
          const Vector3d d = (position(in.b, 1) - position(in.b, 0)) / element_length;
          const Vector3d chord = (position(in.q, 1) - position(in.q, 0)) / element_length;
          const auto p = static_cast<size_t>(point_index(batch, e, 0));
          double N = section.EA * (chord.norm() - 1 + chord.normalized().dot(d));
          if (tension_only && chord.norm() < 1 && in.force_n[p] <= 0) N = 0;
          const double pull = tension_only ? std::max(0.0, N) : N;
          const double across = (d - chord.normalized().dot(d) * chord.normalized()).squaredNorm();
          expected.turned = std::max(expected.turned, largest(d));
          expected.pushes |= tension_only && N < 0;
          expected.largest = std::max(expected.largest, std::abs(pull));
          if (!tension_only || N > 0)
            expected.missing = std::max(expected.missing, section.EA * across / 2);
          EXPECT_NEAR(force[p], pull, 1e-11 * section.EA);
        }
        EXPECT_NEAR(change.turned, expected.turned, 1e-14 * expected.turned);
        EXPECT_EQ(change.pushes, expected.pushes);
        EXPECT_NEAR(change.largest, expected.largest, 1e-11 * section.EA);
        EXPECT_NEAR(change.missing, expected.missing, 1e-11 * section.EA);
      }
}

/// A correction that moves nothing: what counts is whether an element ends compressed.
TEST(Kernels, AxialUpdateTellsOfATensionOnlyElementLeftInCompression) {
  const Model model(scene_of({np_fem_cable(6, false, true)}));
  const ModelData& data = model.data();
  const std::vector<double> still(data.padded(), 0), strain_r(3 * 8, 0);
  for (const Kernels* kernels : instruction_sets())
    for (int e = 0; e < 8; ++e)
      for (const double N : {1.0, -1.0}) {
        std::vector<double> star(8, 0.0), force(8, 7.0);
        star[static_cast<size_t>(e)] = N;
        const AxialChange change = kernels->elements->axial_update(
            batch_of(data, 0), {still.data(), star.data(), strain_r.data(), force.data()});
        EXPECT_EQ(change.pushes, N < 0 && e < 6) << "lane " << e;
        EXPECT_EQ(change.largest, e < 6 ? std::max(0.0, N) : 0) << "lane " << e;
        EXPECT_EQ(force[static_cast<size_t>(e)], std::max(0.0, N));
      }
}

TEST(Kernels, AxialUpdateLeavesTheTurnOfSlopesToTheCorrection) {
  const Model model(scene_of({cable_of(5)}));
  const KernelOutput out(kernels(), model.data(), Tangent::mixed);
  std::vector<double> force(out.axial);
  const Inputs in(model.data());
  const AxialChange change = kernels().elements->axial_update(
      batch_of(model.data(), 0),
      {in.b.data(), out.force_star.data(), out.strain_r.data(), force.data()});
  EXPECT_EQ(change.turned, 0);
  EXPECT_GT(change.missing, 0);
}

/// Arrays of random numbers by coordinate, padded.
struct RandomArrays {
  RandomArrays(int nodes, int count) : n(node_size * nodes) {
    Random random(11);
    arrays.resize(static_cast<size_t>(count));
    for (auto& array : arrays) {
      array.assign(static_cast<size_t>(n + padding), 0);
      for (int i = 0; i < n; ++i) array[static_cast<size_t>(i)] = random();
    }
  }
  double* operator[](int i) { return arrays[static_cast<size_t>(i)].data(); }
  VectorXd vector(int i) { return head(arrays[static_cast<size_t>(i)], n); }

  int n;
  std::vector<std::vector<double>> arrays;
};

TEST(Kernels, CorrectAddsTheSolutionToTheBase) {
  for (const Kernels* kernels : instruction_sets())
    for (int nodes = 2; nodes <= 9; ++nodes) {
      RandomArrays a(nodes, 8);
      const double cq = 0.3, cv = 0.7;
      const CorrectIo io{a.n, cq, cv, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]};
      const double turned = kernels->correct(io);
      const VectorXd x = a.vector(0), d = cq * x;
      expect_near(a.vector(4), d, 1e-15, "correction");
      expect_near(a.vector(5), a.vector(1) + d, 1e-15, "coordinates");
      expect_near(a.vector(6), a.vector(2) + x, 1e-15, "accelerations");
      expect_near(a.vector(7), a.vector(3) + cv * (a.vector(2) + x), 1e-15, "velocities");
      double largest_slope = 0;
      for (int i = 0; i < a.n; ++i)
        if (i % 6 > 2) largest_slope = std::max(largest_slope, std::abs(d[i]));
      EXPECT_EQ(turned, largest_slope);
      constexpr double inf = std::numeric_limits<double>::infinity();
      for (int i = 0; i < a.n; ++i)
        for (const double bad : {inf, -inf, std::numeric_limits<double>::quiet_NaN()}) {
          const double kept = std::exchange(a[0][i], bad);
          EXPECT_TRUE(std::isnan(kernels->correct(io))) << bad << " at coordinate " << i;
          a[0][i] = kept;
        }
    }
}

TEST(Kernels, TurnNodesByTheSmallestRotation) {
  for (const Kernels* kernels : instruction_sets())
    for (int nodes = 1; nodes <= 9; ++nodes) {
      RandomArrays a(nodes, 3);
      std::vector<double> turns(static_cast<size_t>(nodes) + 4, 1);
      if (nodes > 2) turns[1] = 0;
      const VectorXd before = a.vector(2);
      VectorXd expected = before;
      for (int n = 0; n < nodes; ++n) {
        const Vector3d from = a.vector(0).segment<3>(6 * n + 3),
                       to = a.vector(1).segment<3>(6 * n + 3);
        const Matrix3d R = Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
        for (const int at : {6 * n, 6 * n + 3})
          if (turns[static_cast<size_t>(n)] != 0)
            expected.segment<3>(at) = R.transpose() * before.segment<3>(at);
      }
      std::vector<double> rotation(4 * turns.size());
      const TurnIo io{nodes, a[0], a[1], turns.data(), rotation.data(), a[2]};
      kernels->turn_back(io);
      expect_near(a.vector(2), expected, 1e-12, "turned back");
      kernels->turn_forth(io);
      expect_near(a.vector(2), before, 1e-12, "turned");
    }
}

/// Two batches that share a node give what one batch over both gives.
TEST(Kernels, ContinueACableFromTheBatchBefore) {
  const Model whole(scene_of({cable_of(7)}));
  const ModelData& data = whole.data();
  for (const Kernels* kernels : instruction_sets())
    for (int split = 1; split < 7; ++split) {
      AncfBatch first = batch_of(data, 0), second = first;
      first.elements = split;
      second.elements = 7 - split;
      second.first_node = second.first_element = split;
      second.point_offset = first.point_size();
      second.continues = true;
      const KernelOutput expected(*kernels, data, Tangent::own);
      const Inputs in(data);
      std::vector<double> force(data.padded()), inertia(force), product(force);
      PanelSink chain(data.nodes);
      AssemblyIo io;
      io.q = in.q.data();
      io.b = in.b.data();
      io.force = force.data();
      io.inertia = inertia.data();
      io.mass_weight = 1.3;
      io.stiffness_weight = 0.4;
      io.sink = chain.sink;
      for (const AncfBatch& batch : {first, second}) {
        kernels->elements->assemble(batch, io, Tangent::own);
        kernels->elements->mass_times(batch, in.b.data(), product.data());
      }
      expect_same(force, expected.force, whole.coordinates(), "force");
      expect_same(inertia, expected.inertia, whole.coordinates(), "inertia");
      expect_same(product, expected.mass_product, whole.coordinates(), "M b");
      expect_near(chain.lower(), expected.sparse, 1e-12 * largest(expected.sparse), "panels");
    }
}

}  // namespace
}  // namespace conformance::HAWSER_FILE
}  // namespace hawser
