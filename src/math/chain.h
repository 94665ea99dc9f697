// A chain of straight elastic elements that hangs by its weight: the catenary as position elements
// can take it. docs/theory/catenary.md has the formulas.
#pragma once

#include <vector>

#include "math/catenary.h"

namespace hawser {

/// The nodes of a chain of elements of these lengths [m], in sum that of the problem, between its
/// ends: one more than there are elements.
/// Every element is as long as its tension makes it, half of its weight is at each of its ends, and
/// the chain is in balance, on the floor where it reaches it. Length without tension to hold it
/// straight is laid out in bends of unstretched elements; only a single element that is too long
/// for its chord is shortened.
std::vector<Eigen::Vector3d> solve_chain(const CatenaryProblem& problem,
                                         const std::vector<double>& lengths);
/// Of equal elements.
std::vector<Eigen::Vector3d> solve_chain(const CatenaryProblem& problem, int elements);

}  // namespace hawser
