// The linear system of one step of a scene, and what our solver makes of it. All that the
// benchmarks know of src/linear is in linear_system.cpp.
#pragma once

#include <Eigen/SparseCore>
#include <functional>
#include <string>
#include <vector>

#include "hawser/scene_file.h"

namespace hawser {

/// What a solver does with a system. CPU times are the least over windows.
struct LinearCost {
  std::string solver;
  double analysis = 0, factor = 0, solve = 0;  ///< CPU time [s]
  long entries = 0;                            ///< of L, below its diagonal
  Eigen::VectorXd x;
  std::string failure;  ///< why there are no numbers; empty: there are
};

/// [H G^T; G -E], both triangles, without the coordinates that are prescribed.
struct LinearSystem {
  Eigen::SparseMatrix<double> matrix;
  Eigen::VectorXd b;
  /// By row: what a factorization without pivoting takes from the diagonal so that it exists, 0 at
  /// coordinates and at rows with compliance (matrices that are quasi-definite, Vanderbei 1995).
  Eigen::VectorXd regularization;
  int conditions = 0;  ///< rows of G, the last
  LinearCost ours;

  /// max |b - A x| / max (|A| |x| + |b|), over coordinates or over conditions, the larger: their
  /// units differ.
  [[nodiscard]] double residual(const Eigen::VectorXd& x) const;
};

/// Of the step after `steps` steps by `mixed`. Throws std::runtime_error where it does not get
/// there, or where its matrix is not symmetric.
LinearSystem linear_system_of(SceneFile file, long steps);

/// The least CPU time of `work` over windows [s].
double least_seconds(const std::function<void()>& work);

}  // namespace hawser
