// Where np-fem cables touch pulleys and drums, after a change of mesh. The straight element beside
// such a point defines it (constraints/chord_tangents.h). Where the node at the other end of that
// element was dropped the element turns, and the cable touches the circle elsewhere. The end moves
// there along the circle, and the flow with it: the same cable lies on the circle, and all cable
// keeps its place and its velocity, but for what the element between the nodes that remain changes.
//
// An end has four unknowns, r and p, and four rows: plane, circle, tangent, and the one that says
// how much cable is on the circle. Of that one the value is kept, as its force is.
#pragma once

#include <array>
#include <vector>

#include "assembly/constraint_set.h"
#include "integrate/pulley_changes.h"

namespace hawser {

class TouchAgain {
 public:
  TouchAgain(const ModelData& model, ConstraintSet& rows);

  /// Positions and angles, if they are those of a new mesh.
  void place(State& state);
  /// Velocities, which positions of this mesh have; not of arcs on which the cable has just landed
  /// (`pulleys`, if any have changed): what stops it there is an impact, and does work.
  void move(State& state, const PulleyChanges* pulleys = nullptr);

 private:
  struct End {
    std::array<int, 4> rows, coordinates;
    double share;  ///< of the last row: it may be that of two ends
    int wrap;      ///< in State::wrap
    int arc = -1;  ///< of Mechanism::arcs; -1: a drum
  };
  using Four = Eigen::Vector4d;
  /// The change of the four unknowns that changes the rows by so much.
  [[nodiscard]] Four change(const End& end, const Four& by) const;

  const ModelData& model_;
  ConstraintSet& rows_;
  std::vector<End> ends_;
};

}  // namespace hawser
