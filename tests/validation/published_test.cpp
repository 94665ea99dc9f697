// Published numbers and closed forms. What `hawser bench` prints is checked by `hawser bench
// validation`; here are the cases that need the inside of the engine, and the shape of the output.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "../bench/routes.h"
#include "assembly/assembler.h"
#include "bench/benches.h"
#include "bench/cases.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "linear/block_tridiagonal.h"

namespace hawser::HAWSER_FILE {
namespace {

using std::numbers::pi;

/// wM M + wK K at the start, without the fixed coordinates.
Eigen::MatrixXd matrix_at_start(const ModelData& model, double wM, double wK) {
  BlockTridiagonal solver(model.structure);
  Assembler assembler(model);
  std::vector<double> zero(model.padded(), 0);
  Wanted wanted;
  wanted.b = zero.data();
  wanted.tangent = Tangent::own;
  wanted.mass_weight = wM;
  wanted.stiffness_weight = wK;
  assembler.run({{0, {}}, model.q0.data(), zero.data(), nullptr}, wanted, solver.sink());
  const int n = model.structure.coordinates();
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(n, n);
  for (int node = 0; node < model.nodes; ++node)
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < panel_rows; ++i) {
        const int row = node_size * node + i, col = node_size * node + j;
        if (row < n && row >= col)
          full(row, col) = full(col, row) =
              solver.sink().panels[panel_size * node + panel_rows * j + i];
      }
  std::vector<int> free;
  for (int i = 0; i < n; ++i)
    if (!std::binary_search(model.structure.fixed.begin(), model.structure.fixed.end(), i))
      free.push_back(i);
  return full(free, free);
}

/// Natural frequencies [Hz] about the straight, unloaded cable, each once, rigid motion left out.
std::vector<double> frequencies(const Scene& scene) {
  const Model model(scene);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      matrix_at_start(model.data(), 0, 1), matrix_at_start(model.data(), 1, 0),
      Eigen::EigenvaluesOnly);
  std::vector<double> out;
  for (const double lambda : eigen.eigenvalues()) {
    const double f = std::sqrt(std::max(lambda, 0.0)) / (2 * pi);
    if (f > 1e-2 && (out.empty() || f > out.back() * (1 + 1e-9))) out.push_back(f);
  }
  return out;
}

TEST(Frequencies, PinnedFreeCableOfTenElements) {
  const std::vector<double> f = frequencies(westin_irani_pendulum(1e8));
  // Prototype values for 10 elements, physics page of Westin & Irani's case.
  EXPECT_NEAR(f[0], 3.915895, 2e-6);
  EXPECT_NEAR(f[1], 12.691929, 2e-6);
  EXPECT_NEAR(f[2], 26.495097, 2e-6);
}

TEST(Frequencies, ApproachTheExactBeamAtFourthOrder) {
  const double exact[3] = {3.915832, 12.689803, 26.476261};
  const std::vector<double> coarse = frequencies(westin_irani_pendulum(1e8, 10));
  const std::vector<double> fine = frequencies(westin_irani_pendulum(1e8, 20));
  for (size_t i = 1; i < 3; ++i) {
    const double order = std::log2((coarse[i] - exact[i]) / (fine[i] - exact[i]));
    EXPECT_NEAR(order, 4, 0.3) << "mode " << i;
  }
}

TEST(Frequencies, Cantilever) {
  Scene scene = westin_irani_pendulum(1e8, 20);
  clamp(scene, "tether", 0);
  const Section& s = scene.cables[0].sections[0];
  const double beta[3] = {1.8751040687, 4.6940911330, 7.8547574382};
  const std::vector<double> f = frequencies(scene);
  for (size_t i = 0; i < 3; ++i) {
    const double exact = beta[i] * beta[i] / (2 * pi) * std::sqrt(s.EI / s.mass);
    EXPECT_NEAR(f[i] / exact, 1, 5e-5) << "mode " << i;
  }
}

/// Largest |energy - start| over 10 s of newton Newmark, as a share of the largest kinetic energy.
double energy_drift(double E, double h) {
  const Model model(westin_irani_pendulum(E));
  SolveOptions o;
  o.method = Method::newton;
  o.scheme = Scheme::newmark;
  o.step = h;
  o.newton_tolerance = 1e-10;
  Integrator integrator(model, o);
  State state = integrator.start();
  double worst = 0, scale = 0;
  while (state.t < 10 - h / 2) {
    if (integrator.step(state) != Status::ok) return 1e300;
    const Energy e = energy(model, state);
    worst = std::max(worst, std::abs(e.balance()));
    scale = std::max(scale, e.kinetic);
  }
  return worst / scale;
}

TEST(Energy, NewtonNewmarkKeepsItToSecondOrder) {
  // Not E = 1e7 Pa: its whip-like tip is not resolved by h = 1e-4 s, and the balance shows it.
  for (const double E : {1e8, 1e9}) {
    const double coarse = energy_drift(E, 2e-4), fine = energy_drift(E, 1e-4);
    EXPECT_LT(fine, 1e-5) << "E = " << E;
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << "E = " << E;
  }
}

TEST(LongCable, ThousandElementsRunOneSecond) {
  for (const Method solve : {Method::mixed, Method::linearized, Method::mixed3}) {
    Scene scene = westin_irani_pendulum(1e8, 1000);
    scene.cables[0].route.back() = {100, 0, 0};
    const Model model(scene);
    SolveOptions o;
    o.method = solve;
    o.step = 1e-3;
    Integrator integrator(model, o);
    State state = integrator.start();
    EXPECT_EQ(integrator.advance(state, 1), Status::ok) << integrator.failure().message();
    // The free end has fallen by g t^2/2: the wave from the pin has not come that far.
    EXPECT_NEAR(state.position(model.node(Place::end("tether"))).z(), -9.81 / 2, 1e-3);
  }
}

TEST(Bench, JsonHasTheAgreedShape) {
  const BenchReport report = bench_gerstmayr_shabana();
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(report.json());
  EXPECT_EQ(json["bench"], "gerstmayr-shabana");
  ASSERT_FALSE(json["rows"].empty());
  for (const auto& row : json["rows"])
    for (const char* key :
         {"case", "quantity", "unit", "ours", "reference", "source", "tolerance", "ok"})
      EXPECT_TRUE(row.contains(key)) << key;
  EXPECT_TRUE(report.ok());
}

BenchRow cell(const char* method, double h, bool stable) {
  BenchRow row;
  row.name = method;
  row.extra = {{"table", 5L}, {"E", 1e9}, {"h", h}, {"method", method}, {"stable", stable}};
  if (stable) row.ours = 1;
  return row;
}

/// `hawser bench validation` asks this of the tables that it has run.
TEST(Bench, FaultsOfTablesAreKeysAndUnstableCells) {
  using Faults = std::vector<std::string>;
  const auto faults = [](const std::vector<BenchRow>& rows, const char* command) {
    BenchReport report("westin-irani", command, "");
    for (const BenchRow& row : rows) report.add(row);
    return faults_of_table(report);
  };
  const char* table = "hawser bench westin-irani --table 5";
  const BenchRow sound = cell("hht", 1e-2, true), unstable = cell("newmark", 1e-2, false);
  EXPECT_EQ(faults({sound, unstable}, table), Faults{});
  EXPECT_EQ(faults({sound}, table), Faults{"0 unstable cells, not 1"});
  EXPECT_EQ(faults({unstable, unstable}, table), Faults{"2 unstable cells, not 1"});
  EXPECT_EQ(faults({cell("hht", 1e-2, false)}, table), Faults{"hht: unstable"});
  EXPECT_EQ(faults({cell("newmark", 1e-3, false)}, table), Faults{"newmark: unstable"});
  BenchRow valued = unstable;
  valued.ours = 1;
  EXPECT_EQ(faults({sound, valued}, table), Faults{"newmark: unstable, with a value"});
  for (size_t key = 0; key < sound.extra.size(); ++key) {
    BenchRow lacking = sound;
    lacking.extra.erase(lacking.extra.begin() + static_cast<ptrdiff_t>(key));
    EXPECT_EQ(faults({unstable, lacking}, table),
              Faults{"hht: no key '" + sound.extra[key].first + "'"});
  }
  EXPECT_EQ(faults({BenchRow()}, "hawser bench gu"), Faults{});
}

TEST(Bench, RowsOutsideTheirToleranceAreNotOk) {
  BenchReport report("x", "hawser bench x", "");
  BenchRow row;
  row.ours = 1.03;
  row.reference = 1;
  row.tolerance = 0.02;
  EXPECT_FALSE(report.add(row).ok);
  row.tolerance = 0.04;
  EXPECT_TRUE(report.add(row).ok);
  row.ours.reset();
  EXPECT_FALSE(report.add(row).ok) << "unstable here, stable in the reference";
  row.reference.reset();
  EXPECT_TRUE(report.add(row).ok);
  EXPECT_FALSE(report.ok());
}

TEST(Stability, TheDefaultGainsNoEnergyWhereTheLinearizedSolveDoes) {
  const BenchReport report = bench_stability(60, 7, true);
  EXPECT_TRUE(report.ok());
  for (const BenchRow& row : report.rows()) {
    if (row.name == "mixed hht (default)") {
      EXPECT_EQ(*row.ours, 0);
    }
    if (row.name == "linearized hht") {
      EXPECT_GT(*row.ours, 10);
    }
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
