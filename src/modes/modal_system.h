// The matrices of small motions about a state at rest:
//
//     [ K - sigma M   G^T ]     K: stiffness, with the curvature of constraints times their force
//     [ G             -E  ]     G, E: rows that hold; E their compliance
//
// Rows that give a rate hold still; what rubs sticks; rows that do not act are off. Flows of cable
// are scalars in a border of K and M.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "assembly/assembler.h"
#include "complementarity/rows.h"
#include "linear/linear_solver.h"
#include "linear/sparse_pattern.h"

namespace hawser {

class ModalSystem {
 public:
  /// Throws Error when the state does not fit the model.
  ModalSystem(const ModelData& model, const State& state);

  [[nodiscard]] int coordinates() const { return structure_.coordinates(); }
  [[nodiscard]] int node_coordinates() const { return structure_.node_coordinates(); }
  /// No motion of an element by itself is much quicker: of the size of the largest omega^2.
  [[nodiscard]] double scale() const { return scale_; }
  /// Largest generalized force that nothing balances at the state [N, N m].
  [[nodiscard]] double unbalanced() const { return unbalanced_; }
  [[nodiscard]] const Rows& rows() const { return rows_; }

  /// How many motions supports and rows leave: there are so many modes.
  [[nodiscard]] int motions();

  /// Factors K - sigma M, unless it is; false when it is singular.
  bool factor(double sigma);
  /// How many modes have omega^2 < sigma, by Sylvester's law of inertia; leaves another matrix
  /// factored. None where the factorization does not tell.
  std::optional<int> below(double sigma);
  /// x: what the factored matrix makes of b; the forces of the rows stay in multipliers(). False
  /// when it fails.
  bool solve(const double* b, double* x);
  [[nodiscard]] std::span<const double> multipliers() const;

  void mass_times(const double* x, double* out) const { times(mass_, x, out); }
  void stiffness_times(const double* x, double* out) const { times(stiffness_, x, out); }
  /// out += factor G^T mu; mu as multipliers().
  void add_row_forces(std::span<const double> mu, double factor, double* out) const;
  /// Zero where nothing moves: fixed coordinates and slopes that np-fem leaves idle.
  void keep_free(double* x) const;
  /// Coordinates that are not free and may have no mass: beside a flow of cable a node and the flow
  /// can move together without moving the material.
  [[nodiscard]] const std::vector<int>& weightless() const { return weightless_; }

 private:
  /// Symmetric.
  struct Matrix {
    Eigen::SparseMatrix<double> nodes;  ///< by place (SparsePattern), upper triangle
    Eigen::MatrixXd border;             ///< by coordinate of nodes and scalar
    Eigen::MatrixXd corner;             ///< of the scalars
  };
  void hold_rows(const State& state);
  void assemble(double mass_weight, double stiffness_weight, const MatrixSink& sink);
  [[nodiscard]] Matrix matrix(double mass_weight, double stiffness_weight);
  [[nodiscard]] double diagonal(const Matrix& A, int coordinate) const;
  void times(const Matrix& A, const double* x, double* out) const;
  void find_balance();
  void find_scale();

  const ModelData& model_;
  std::vector<double> contacts_;  ///< State::contacts
  CoupledNodes coupled_;          ///< in the matrices
  SystemStructure structure_;     ///< symmetric
  SparsePattern pattern_;         ///< of K and M of the nodes alone
  std::vector<double> q_, orientation_;
  double t_;
  std::vector<InputMotion> inputs_;
  std::vector<double> lambda_;    ///< of the state, by row
  std::vector<char> free_;        ///< by coordinate
  std::vector<int> weightless_;   ///< weightless()
  std::vector<double> zero_, x_;  ///< x_: coordinates, then rows
  Assembler assembler_;
  Rows rows_;
  std::unique_ptr<LinearSolver> solver_;
  Matrix stiffness_, mass_;
  std::optional<double> factored_;  ///< sigma
  double scale_ = 0, unbalanced_ = 0;
};

}  // namespace hawser
