// What the kernels of the block-tridiagonal LU read and write (chain_lu_kernels.h).
#pragma once

namespace hawser {

/// What is kept of a pair of nodes: five blocks of two nodes.
inline constexpr int at_lu_N = 0, at_lu_V = 72, at_lu_inverse = 144, at_lu_P = 216, at_lu_D = 288,
                     chain_lu_pair = 360;

struct ChainLuNumbers {
  int nodes = 0;
  double *panels = nullptr, *skew = nullptr;  ///< MatrixSink; one spare panel is written to
  double* factors = nullptr;                  ///< chain_lu_pair a pair of nodes
  /// Inverts the block of a pair in place, by column and pair of rows, the one node in the first
  /// half of four numbers, the other in the last; returns the smallest pivot over the largest.
  /// Null: without row exchanges.
  double (*invert)(double* pair) = nullptr;
  double least = 0;  ///< pivot over the largest
};

struct ChainLuPivots {
  double smallest = 0;  ///< relative to the largest; with invert(): of its node
  int node = -1;        ///< of the smallest; with invert(): its pair
  int failed_node = -1;
};

struct ChainLuResidual {
  double largest;  ///< of b - A x; NaN where that is not finite
  double size;     ///< largest of b and of the products of x with the diagonal blocks
};

}  // namespace hawser
