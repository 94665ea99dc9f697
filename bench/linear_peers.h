// Other solvers of sparse symmetric systems, for `hawser bench linear`.
#pragma once

#include "bench/linear_system.h"

namespace hawser {

/// Eigen's SimplicialLDLT with its ordering by approximate minimum degree.
LinearCost eigen_cost(const LinearSystem& system);

/// QDLDL with the same ordering, from the library that bench/fetch-qdldl.sh builds; where there is
/// none, the failure says so.
LinearCost qdldl_cost(const LinearSystem& system);

}  // namespace hawser
