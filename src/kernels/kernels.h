// The hot loops, compiled once for each instruction set and chosen at run time: of elements
// (elements/kernel_io.h) and of matrices (linear/).
#pragma once

namespace hawser {

struct ElementKernels;
struct ArmsIo;
struct CorrectIo;
struct TurnIo;
struct LdltShape;
struct LdltNumbers;

/// One instruction set's kernels.
struct Kernels {
  const char* name;
  const ElementKernels* elements;  ///< of cables (elements/kernel_io.h)
  /// sum = sum of decay * state.
  void (*sum_arms)(const ArmsIo&);
  /// state = decay * state + gain * change, and then the sum.
  void (*relax_arms)(const ArmsIo&);
  /// Returns the largest |slope component| of the correction; NaN when a number is not finite.
  double (*correct)(const CorrectIo&);
  void (*turn_nodes)(const TurnIo&);
  /// Factors the panels of a set of chains in place; inv_pivots: 6 a node. Returns through
  /// `pivots` the smallest and largest |pivot|, the node of the smallest and the number negative.
  struct Pivots {
    double smallest, largest;
    int node, negative;
  };
  void (*factor_chain)(double* panels, double* inv_pivots, int nodes, Pivots& pivots);
  void (*solve_chain)(const double* panels, const double* inv_pivots, int nodes, double* x);
  void (*factor_ldlt)(const LdltShape&, const LdltNumbers&);
  void (*solve_ldlt)(const LdltShape&, const LdltNumbers&, double* x);
};

/// The widest set this machine runs: "x86-64-v3" or "baseline". HAWSER_ISA=baseline in the
/// environment forces the latter.
const Kernels& kernels();

}  // namespace hawser
