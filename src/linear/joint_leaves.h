// Which bodies a tree solver eliminates, from the leaves on (linear/joint_tree.h).
#pragma once

#include <vector>

#include "linear/structure.h"

namespace hawser {

struct JointLeaf {
  int node = -1;
  int above = -1;         ///< the node that its rows join it to; -1: the ground
  int hangs_on = -1;      ///< a row that stays and has a part of its own on the node; -1: none
  std::vector<int> rows;  ///< that are eliminated with it
};

/// In the order of elimination.
std::vector<JointLeaf> find_joint_leaves(const SystemStructure& structure);

}  // namespace hawser
