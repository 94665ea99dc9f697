// A system with scalar unknowns s beside those of nodes and conditions,
//
//     [ A  B ] [ x ]   [ r ]      A: nodes and conditions, held by another solver
//     [ C  F ] [ s ] = [ c ]      (F - C A^-1 B) s = c - C A^-1 r,   x = A^-1 r - A^-1 B s
//
// Each scalar costs one more solution with A when the matrix is factored and one product in every
// solution. C need not be the transpose of B, nor F symmetric. Conditions on scalars alone would be
// empty rows of A. They are switched off there, and their multipliers are solved with s.
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
  void place_conditions();
  void fill_small();
  void split(std::span<const double> b);
  void solve_inner(std::span<double> b);

  int nodes_size_, scalars_;      ///< coordinates of nodes; scalars
  std::vector<int> free_;         ///< scalars that are not fixed
  std::vector<int> fixed_;        ///< scalars that are
  std::vector<int> fixed_nodes_;  ///< fixed coordinates of nodes
  std::vector<Lonely> lonely_;
  std::vector<SystemStructure::Entry> entries_;  ///< of the conditions
  std::unique_ptr<LinearSolver> inner_;
  std::string name_;
  std::vector<double> rows_;    ///< MatrixSink::rows, those on scalars among them
  Eigen::MatrixXd B_, Ct_, F_;  ///< by scalar: column of B, row of C, as assembled
  Eigen::MatrixXd Z_;           ///< A^-1 B of the free scalars
  Eigen::MatrixXd schur_;       ///< of the free scalars and the multipliers solved with them
  Eigen::MatrixXd lu_, signs_;  ///< of schur_; scratch of its eigenvalues
  std::vector<int> exchanges_;  ///< of lu_
  Eigen::VectorXd eigenvalues_;
  Eigen::VectorXd s_, c_;          ///< by scalar; by unknown of schur_
  mutable std::vector<double> x_;  ///< by unknown of A
  std::vector<double> known_;      ///< by fixed coordinate of nodes
};

}  // namespace hawser
