// np-fem cable that flows, after a change of mesh. The chord of two straight elements that meet at
// an angle is shorter than they are, and a stiff cable would go slack by the difference. So a node
// beside an element that replaces others moves across the cable, to where both elements that meet
// in it are as long as the cable between their ends was:
//
//     |r - r_a| = lambda_a l_a,   |r - r_b| = lambda_b l_b
//
// with its neighbours a and b, unstretched lengths l and the mean stretches lambda of the old mesh.
// It stays in the plane of the bend. Nodes that others hold, and those of hand-overs, do not move.
#pragma once

#include <vector>

#include "model/model_data.h"

namespace hawser {

/// By node of a cable: 1 where nothing but its elements is.
std::vector<char> loose_nodes(const ModelData& model, size_t cable);

class KeptLengths {
 public:
  /// `q`: positions of the old model, whose mesh has hand-overs where they are.
  KeptLengths(const ModelData& from, const double* q, const ModelData& to);

  [[nodiscard]] bool any() const { return !nodes_.empty(); }
  /// Moves nodes of the new model.
  void keep(double* q) const;

 private:
  struct Node {
    size_t cable;
    int node;           ///< of the cable
    double stretch[2];  ///< of the elements before and after it
  };
  void add_cable(const ModelData& from, const double* q, size_t cable);

  const ModelData& to_;
  std::vector<Node> nodes_;
};

}  // namespace hawser
