// The numbers of a run of nodes that is eliminated: plain data, which the kernels of every
// instruction set read (linear/run_kernels.h).
#pragma once

#include "linear/sink.h"

namespace hawser {

inline constexpr int spike_rows = 8;  ///< of a column: six, and two spare ones
inline constexpr int spike_size = spike_rows * node_size;

struct RunNumbers {
  double* panels;   ///< of its nodes and of the node on the right
  double* inverse;  ///< of the pivots, 6 a node
  double* spikes;   ///< by node: rows of the node on the left; then those of the node on the right
  double* corner;   ///< what the run adds to the block of the node on the left
  int first_node;   ///< for the report
  bool right;       ///< there is a node on the right
};

}  // namespace hawser
