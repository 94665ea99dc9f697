// The solver for everything that is not a chain: sparse L D L^T of the whole system
//
//     [ H   G^T    ]      delta: a static regularization that makes the matrix quasi-definite, so
//     [ G   -delta ]      that a factorization without pivoting exists for H > 0 (Vanderbei 1995)
//
// ordered by approximate minimum degree, with every condition placed after enough of the
// coordinates it couples: its pivot is then of the size of the Schur complement -g H^-1 g^T and not
// of delta. Iterative refinement against the true matrix removes what delta did. Where that fails
// (H far from definite, or singular without the conditions; conditions nearly dependent) an LU with
// pivoting takes over until the next factorization. An unsymmetric H goes to the LU straight away.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>

#include "linear/linear_solver.h"
#include "linear/sparse_pattern.h"

namespace hawser {

/// clear, factor and solve do not allocate while the L D L^T serves and there are at most 16384
/// unknowns (past that Eigen takes its scratch from the heap).
///
/// In the report, smallest_pivot and pivot_node look at the free coordinates; negative_pivots is
/// -1 where only an LU could be had. A singular or inconsistent system that factor() could not see
/// shows in the status after solve().
class SparseKkt final : public LinearSolver {
 public:
  explicit SparseKkt(const SystemStructure& structure);

  MatrixSink sink() override;
  void clear() override;
  FactorStatus factor() override;
  /// Where no solution is found the status says so and the free unknowns become NaN.
  void solve(std::span<double> b) override;
  void change_to_lu() override;
  /// Of the matrix now in the sink.
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override {
    return pattern_.symmetric ? "sparse LDL^T" : "sparse LU";
  }

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  using Kind = SparsePattern::Kind;

  /// Eigen's L D L^T of the upper triangle of a matrix that is in order already; its public way in
  /// permutes into a new matrix every time.
  struct Ldlt : Eigen::SimplicialLDLT<Sparse, Eigen::Upper, Eigen::NaturalOrdering<int>> {
    void analyze(const Sparse& upper) { analyzePattern_preordered(upper, true); }
    void factor(const Sparse& upper) { factorize_preordered<true>(upper); }
    [[nodiscard]] const Eigen::VectorXd& pivots() const { return m_diag; }
  };
  struct Lu : Eigen::SparseLU<Sparse> {
    bool factor(const Sparse& full);
    [[nodiscard]] double pivot(Eigen::Index column) const;
    bool analyzed = false;
  };
  enum class Method { none, ldlt, lu };
  /// The largest entry of a vector over the free coordinates and over the conditions, whose units
  /// differ: accuracy is asked of each apart.
  struct Size {
    double coordinates = 0, conditions = 0;
    [[nodiscard]] double largest() const { return std::max(coordinates, conditions); }
  };

  void eliminate();
  void regularize();
  bool factor_ldlt();
  bool factor_lu();
  bool probe_lu();
  void report_lu_pivots();
  [[nodiscard]] int node_of(int row) const;

  void start(std::span<const double> b);
  bool refine();
  void improve();
  void find_residual();
  [[nodiscard]] Size size_of(const Eigen::VectorXd& v) const;

  const SparsePattern pattern_;
  Sparse matrix_;  ///< as assembled
  Sparse work_;    ///< as factored: fixed coordinates eliminated, regularized
  Ldlt ldlt_;
  Lu lu_;
  Method method_ = Method::none;
  std::vector<double> schur_;          ///< diagonal estimate of G H^-1 G^T
  Eigen::VectorXd b_, x_, r_, terms_;  ///< by row; terms_: |A| |x|
  Size rhs_;                           ///< of the right-hand side
};

}  // namespace hawser
