// The solver for everything that is not a chain: sparse L D L^T of the whole system
//
//     [ H   G^T ]      E: compliance of the rows
//     [ G   -E  ]
//
// ordered by approximate minimum degree, with every condition placed after enough of the
// coordinates it couples: its pivot is then of the size of the Schur complement -E - g H^-1 g^T, so
// that a factorization without pivoting exists for H > 0 (a quasi-definite matrix has one in any
// order, Vanderbei 1995; E = 0 is its limit). Where a row without compliance leaves no pivot above
// rounding, -delta stands in for it, and iterative refinement against the true matrix removes what
// that did. Where this fails (H far from definite, or singular without the conditions; conditions
// nearly dependent) an LU with pivoting takes over until the next factorization. An unsymmetric H
// goes to the LU straight away.
//
// Rows that may repeat each other (SystemStructure::sharing) have a compliance besides E that stays
// in the true matrix: with it the force is shared out, and the L D L^T serves.
#pragma once

#include <Eigen/SparseLU>
#include <algorithm>

#include "linear/ldlt.h"
#include "linear/linear_solver.h"
#include "linear/sparse_pattern.h"

namespace hawser {

/// clear, factor and solve do not allocate while the L D L^T serves. factor() reads rows and
/// compliance anew: it may be called again for the same H when they alone have changed.
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
  const LinearReport& solve(std::span<double> b) override;
  void change_to_lu() override;
  /// Of the matrix now in the sink.
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override {
    return pattern_.symmetric ? "sparse LDL^T" : "sparse LU";
  }

  [[nodiscard]] size_t factor_entries() const override {
    return ldlt_.entries() - static_cast<size_t>(pattern_.open);
  }

  [[nodiscard]] double shared_work() const override { return ldlt_.branches().work(); }

 private:
  using Sparse = Eigen::SparseMatrix<double>;

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
    [[nodiscard]] bool within(const Size& o) const {
      return coordinates <= o.coordinates && conditions <= o.conditions;
    }
  };

  void place_conditions();
  [[nodiscard]] bool is_finite() const;
  bool factor_ldlt();
  bool factor_lu();
  bool probe_lu();
  void report_lu_pivots();
  [[nodiscard]] int node_of(int row) const;

  void start(std::span<const double> b);
  bool refine();
  void invert(Eigen::VectorXd& v);
  template <class Product>
  void add_products(const Product& product, Eigen::VectorXd& out) const;
  template <class Product>
  void add_columns(int first, int last, const Product& product, double* y) const;
  void find_residual();
  void find_terms();
  [[nodiscard]] Size diagonal_terms() const;
  [[nodiscard]] Size allowed(const Size& terms) const;
  [[nodiscard]] Size size_of(const Eigen::VectorXd& v) const;

  const SparsePattern pattern_;
  const std::vector<char> sharing_;        ///< by condition
  std::vector<double> rows_, compliance_;  ///< see MatrixSink
  Sparse matrix_;                          ///< H as assembled; G and E by factor()
  Ldlt ldlt_;
  Lu lu_;
  Method method_ = Method::none;
  std::vector<double> schur_;             ///< diagonal estimate of G H^-1 G^T
  std::vector<double> inverse_diagonal_;  ///< of H, by diagonal that conditions touch
  Eigen::VectorXd b_, x_;                 ///< by row, of those that are not fixed
  Eigen::VectorXd r_, terms_;             ///< by row: residual, |A| |x|
  Size rhs_;                              ///< of the right-hand side
};

}  // namespace hawser
