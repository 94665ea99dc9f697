// A change of mesh where joints of sections of different EA pass hand-overs
// (model/section_joints.h). Cable beside the hand-over then counts as another section, whose strain
// is another at the same tension. Where a joint gets its node, between a hand-over and the next
// node, that node is put to where the tension T is the same on both sides,
//
//     T (l1/EA1 + l2/EA2) = e (l1 + l2),     e: strain of the element that is divided
//
// and slopes are scaled with the strain. Where it goes without a node, the slope at the hand-over
// is scaled to the strain of the element that takes the place of both.
//
// At a pulley, whose arc has what is missing, the tension stays as it is: the flow there is put to
// where the element has the strain T/EA of its section. Over the whole pulley that is
//
//     pA moves by l1 T (1/EA1 - 1/EA2) as the compliance of the arc changes by l1 (1/EA1 - 1/EA2)
//
// With friction each of its two rows takes half of that, and the place M of the groove moves along.
#pragma once

#include <vector>

#include "model/model_data.h"

namespace hawser {

class JointPassages {
 public:
  /// `from`: with hand-overs where they are.
  JointPassages(const ModelData& from, const ModelData& to);

  /// Puts the nodes beside such hand-overs right, and flows at pulleys.
  void place(State& state) const;

 private:
  struct Passage {
    int end;           ///< node of the hand-over
    int direction;     ///< from there along its element
    bool put_in;       ///< else taken out
    double length[2];  ///< unstretched, up to the joint and beyond it [m]
    double EA[2];      ///< of these parts [N]
    bool straight;     ///< np-fem
    int flow = -1;     ///< coordinate of a flow at a pulley; -1: it is none
    int run = -1;      ///< of a pulley with friction, in State::run_length; else -1
  };
  static void move_flow(const Passage& p, double strain, State& state);
  std::vector<Passage> passages_;
};

}  // namespace hawser
