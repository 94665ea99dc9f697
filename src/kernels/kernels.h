// The hot loops, compiled once for each instruction set and chosen at run time: of elements
// (elements/kernel_io.h), of what surrounds them (loads/), of joints (constraints/) and of matrices
// (linear/).
#pragma once

namespace hawser {

struct ElementKernels;
struct JointKernels;
struct LoadKernels;
struct ArmsIo;
struct CombineIo;
struct CorrectIo;
struct StageIo;
struct TurnIo;
struct LdltShape;
struct LdltNumbers;
struct LdltPart;
struct RunNumbers;
struct TreeNumbers;
struct TreeResidual;
struct ChainLuNumbers;
struct ChainLuPivots;
struct ChainLuResidual;

/// One instruction set's kernels.
struct Kernels {
  const char* name;
  const ElementKernels* elements;  ///< of cables (elements/kernel_io.h)
  const LoadKernels* loads;        ///< on cables (loads/surroundings.h)
  const JointKernels* joints;      ///< their rows (constraints/joint_packs.h)
  /// sum = sum of decay * state.
  void (*sum_arms)(const ArmsIo&);
  /// state = decay * state + gain * change, and then the sum.
  void (*relax_arms)(const ArmsIo&);
  void (*combine)(const CombineIo&);
  /// Returns the largest |slope component| of the correction; NaN when a number is not finite.
  double (*correct)(const CorrectIo&);
  void (*stage)(const StageIo&);
  /// x of every node by the inverse of its rotation, which is found; then by the rotation itself.
  void (*turn_back)(const TurnIo&);
  void (*turn_forth)(const TurnIo&);
  /// Factors the panels of a set of chains, and one spare panel, in place (linear/chain_kernels.h).
  struct Pivots {
    double smallest, largest;  ///< by size
    int node;                  ///< of the smallest
    int negative;              ///< how many are
    bool finite;               ///< all are finite, and none is zero
  };
  void (*factor_chain)(double* panels, int nodes, Pivots& pivots);
  void (*solve_chain)(const double* panels, int nodes, double* x);
  /// Its three parts: to the middle, at every node, and back. `from`: the first of the pairs of
  /// nodes, one from each end, at which x is not zero.
  void (*solve_chain_down)(const double* panels, int nodes, int from, double* x);
  void (*solve_chain_middle)(const double* panels, int nodes, int from, double* x);
  void (*solve_chain_up)(const double* panels, int nodes, double* x);
  /// Of a chain that is not symmetric (linear/chain_lu_kernels.h).
  void (*factor_chain_lu)(const ChainLuNumbers&, ChainLuPivots&);
  void (*solve_chain_lu)(const ChainLuNumbers&, double* x);
  ChainLuResidual (*chain_lu_residual)(const ChainLuNumbers&, const double* b, const double* x,
                                       double* out);
  /// Of a run (linear/run_kernels.h); `pivots` goes on from those of other runs.
  void (*factor_run)(const RunNumbers&, int nodes, bool left, Pivots& pivots);
  void (*solve_run_down)(const RunNumbers&, int nodes, bool left, double* x, double* x_left);
  void (*solve_run_up)(const RunNumbers&, int nodes, bool left, double* x, const double* x_left);
  /// Of trees of bodies (linear/joint_tree_kernels.h).
  void (*factor_tree)(const TreeNumbers&, Pivots& pivots);
  void (*solve_tree_down)(const TreeNumbers&, double* y);
  /// And r -= A x.
  void (*solve_tree_up)(const TreeNumbers&, double* x, double* r, TreeResidual& sizes);
  /// r -= A x.
  void (*tree_residual)(const TreeNumbers&, const double* x, double* r, TreeResidual& sizes);
  /// Of some panels of a sparse factorization (linear/ldlt_kernels.h).
  void (*factor_ldlt)(const LdltShape&, const LdltNumbers&, const LdltPart&);
  void (*solve_ldlt_down)(const LdltShape&, const LdltNumbers&, const LdltPart&, double* x);
  void (*solve_ldlt_up)(const LdltShape&, const LdltNumbers&, const LdltPart&, double* x);
};

/// The widest set this machine runs: "x86-64-v3" or "baseline". HAWSER_ISA=baseline in the
/// environment forces the latter.
const Kernels& kernels();

}  // namespace hawser
