// A system with scalar unknowns s beside those of nodes and conditions,
//
//     [ A  B ] [ x ]   [ r ]      A: nodes and conditions, held by another solver
//     [ C  F ] [ s ] = [ c ]      (F - C A^-1 B) s = c - C A^-1 r,   x = A^-1 r - A^-1 B s
//
// With A^-1 = U M D (LinearSolver::down, middle, up) only D C^T and M D B are kept, as far as they
// reach: C A^-1 r = (D C^T) . M D r and x = U (M D r - (M D B) s). For a chain a scalar costs a
// substitution from its nodes to the middle and none back. C need not be the transpose of B, nor F
// symmetric.
//
// Multipliers of conditions are unknowns of the border where A would lose its shape by them: those
// of conditions on scalars alone, and where the nodes form chains all but those that the solver of
// chains takes itself (node_rows.h). Their columns are G^T, and their part of F is -E.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "linear/linear_solver.h"

namespace hawser {

class Bordered final : public LinearSolver {
 public:
  Bordered(const SystemStructure& structure, LinearBackend choice);

  MatrixSink sink() override;
  void clear() override;
  FactorStatus factor() override;
  const LinearReport& solve(std::span<double> b) override;
  void change_to_lu() override;
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override { return name_.c_str(); }
  [[nodiscard]] size_t factor_entries() const override {
    return inner_->factor_entries() + static_cast<size_t>(Z_.size() + schur_.size());
  }
  [[nodiscard]] double shared_work() const override { return inner_->shared_work(); }
  void use(Workers& workers) override { inner_->use(workers); }

 private:
  /// An entry of a condition and where it goes.
  struct Place {
    enum class To {
      inner,   ///< the next entry of A's conditions
      column,  ///< of the border: a scalar in a condition of A, or a node in one of the border
      small,   ///< a free scalar in a condition of the border
      known    ///< a fixed scalar in a condition of the border
    } to = To::inner;
    int row = 0, column = 0;  ///< of B_, of schur_ or of on_fixed_
    bool again = false;       ///< an earlier entry goes there, too
  };
  /// A coordinate whose motion is given: itself fixed, or following one that is.
  struct Known {
    int coordinate, leader;
    int place;     ///< of the leader among the fixed coordinates
    double value;  ///< of the solution under way
  };
  [[nodiscard]] std::unique_ptr<LinearSolver> make_inner(const SystemStructure& structure,
                                                         LinearBackend choice);
  void find_places(const SystemStructure& structure);
  void find_known(const SystemStructure& structure);
  void write_conditions();
  void factor_border();
  void load_column(const Eigen::MatrixXd& border, size_t k, Eigen::MatrixXd& out);
  void fill_small();
  void start(std::span<const double> b, std::span<double> x);
  void solve_border(std::span<double> x);
  void take_report(const LinearReport& inner);

  int nodes_size_, scalars_;    ///< coordinates of nodes; scalars
  std::vector<int> free_;       ///< scalars that are not fixed
  std::vector<int> fixed_;      ///< scalars that are
  std::vector<int> kept_;       ///< conditions of A
  std::vector<int> bordering_;  ///< conditions of the border
  std::vector<int> empty_;      ///< conditions without entries
  bool symmetric_nodes_;        ///< A is symmetric
  size_t fixed_nodes_ = 0;      ///< how many coordinates of nodes are
  std::vector<Known> known_;
  std::vector<Place> places_;  ///< of the entries of conditions
  std::unique_ptr<LinearSolver> inner_;
  std::string name_;
  std::vector<double> rows_, compliance_;  ///< as in MatrixSink, of all conditions
  /// By scalar, then by condition of the border: column of B, row of C, as assembled, and where
  /// they have entries, or had.
  Eigen::MatrixXd B_, Ct_;
  std::vector<CoordinateRange> filled_;
  Eigen::MatrixXd F_;                   ///< of the scalars
  Eigen::MatrixXd on_fixed_;            ///< conditions of the border over the fixed scalars
  std::vector<int> columns_;            ///< by unknown of schur_: its column in B_
  std::vector<CoordinateRange> reach_;  ///< by unknown of schur_: of its column, in A
  std::vector<char> symmetric_;         ///< by unknown of schur_: B is C^T there
  Eigen::MatrixXd Z_;                   ///< M D B of the unknowns of schur_
  Eigen::MatrixXd Y_;                   ///< D C^T of them
  Eigen::MatrixXd schur_;               ///< of the free scalars and the multipliers beside them
  Eigen::VectorXd scale_;               ///< of its unknowns: multipliers have other units
  Eigen::MatrixXd lu_, signs_;          ///< of schur_; scratch of its inertia
  std::vector<int> exchanges_;          ///< of lu_
  Eigen::VectorXd s_, c_;               ///< by scalar; by unknown of schur_
  std::vector<double> x_;               ///< by unknown of A
};

}  // namespace hawser
