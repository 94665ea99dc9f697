// A system with scalar unknowns s beside those of nodes and conditions,
//
//     [ A  B ] [ x ]   [ r ]      A: nodes and conditions, held by another solver
//     [ C  F ] [ s ] = [ c ]      (F - C A^-1 B) s = c - C A^-1 r,   x = A^-1 r - A^-1 B s
//
// With A^-1 = U M D (LinearSolver::down, middle, up) only D C^T and M D B are kept, as far as they
// reach: C A^-1 r = (D C^T) . M D r and x = U (M D r - (M D B) s). For a chain a scalar costs a
// substitution from its nodes to the middle and none back. C need not be the transpose of B, nor F
// symmetric. Conditions on scalars alone would be empty rows of A. They are switched off there, and
// their multipliers are solved with s.
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
  /// A condition on scalars alone.
  struct Lonely {
    int row = 0;
    double compliance = 0;
  };
  void find_lonely(int conditions);
  /// A coordinate whose motion is given: itself fixed, or following one that is.
  struct Known {
    int coordinate, leader;
    int place;     ///< of the leader among the fixed coordinates
    double value;  ///< of the solution under way
  };
  void find_known(const SystemStructure& structure);
  void place_conditions();
  void factor_border();
  void load_column(const Eigen::MatrixXd& border, size_t j, Eigen::MatrixXd& out);
  void fill_small();
  [[nodiscard]] int negative_eigenvalues();
  void split(std::span<const double> b);
  void start(std::span<double> x);
  void solve_middle(std::span<double> b, CoordinateRange reach);
  [[nodiscard]] bool has_conditions() const { return B_.rows() > nodes_size_; }

  int nodes_size_, scalars_;  ///< coordinates of nodes; scalars
  std::vector<int> free_;     ///< scalars that are not fixed
  std::vector<int> fixed_;    ///< scalars that are
  size_t fixed_nodes_ = 0;    ///< how many coordinates of nodes are
  std::vector<Known> known_;
  std::vector<Lonely> lonely_;
  std::vector<SystemStructure::Entry> entries_;  ///< of the conditions
  std::unique_ptr<LinearSolver> inner_;
  std::string name_;
  std::vector<double> rows_;    ///< MatrixSink::rows, those on scalars among them
  Eigen::MatrixXd B_, Ct_, F_;  ///< by scalar: column of B, row of C, as assembled
  CoordinateRange filled_;      ///< where B_ and Ct_ have entries, or had
  CoordinateRange reach_;       ///< of these, in A
  Eigen::MatrixXd Z_;           ///< M D B of the free scalars
  Eigen::MatrixXd Y_;           ///< D C^T of them
  Eigen::MatrixXd schur_;       ///< of the free scalars and the multipliers solved with them
  Eigen::MatrixXd lu_, signs_;  ///< of schur_; scratch of its eigenvalues
  std::vector<int> exchanges_;  ///< of lu_
  Eigen::VectorXd eigenvalues_;
  Eigen::VectorXd s_, c_;  ///< by scalar; by unknown of schur_
  std::vector<double> x_;  ///< by unknown of A
};

}  // namespace hawser
