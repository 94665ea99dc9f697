// Where np-fem cables reach a pulley and leave it. Their nodes have no slope: a node on the circle
// is where the straight element from its neighbour touches it, as seen along the axis. With
// y = r - c from the centre to the node, r_b its neighbour, and L the length of the element when
// the mesh was made:
//
//     Phi = y . (r_b - r)/L = 0
//     G: (r_b - r - y)/L on r, y/L on r_b, -(r_b - r)/L on the centre
//
// That y is in the plane of the groove is another row's condition. The force of this row is that of
// moving the node along the groove with the cable held, which changes nothing but how the mass
// between node and neighbour is divided: it is small, and its curvature is left out.
#pragma once

#include "constraints/constraint.h"

namespace hawser {

/// A row over the node, its neighbour and, if the pulley is on a body, that: three, three and six
/// coordinates.
struct ChordTangent {
  int row = 0;
  int node = 0, beside = 0;
  double length = 0;  ///< L [m]
  PointOn centre;
};

class ChordTangents final : public Constraint {
 public:
  explicit ChordTangents(std::vector<ChordTangent> all) : all_(std::move(all)) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<ChordTangents>(*this);
  }
  bool evaluate(const RowsAt& at, RowValues& out) override;

 private:
  std::vector<ChordTangent> all_;
};

}  // namespace hawser
