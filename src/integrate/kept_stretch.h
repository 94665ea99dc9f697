// ancf cable that flows, after a change of mesh. Where a node is dropped the cable between its
// neighbours becomes one cubic with the slopes that it had at both ends: where it was bent, as a
// slack rope is, that has another length. Its strain is small against the change, so a stiff rope
// would push with a hundred times its weight. So slopes and places of the nodes at both ends move a
// little, to where the element is stretched as the cable there was on the whole, and the elements
// beyond them as they were: with g = |r'| at Gauss points and x what moves,
//
//     min  sum w l (g(x) - g_before)^2 + mu |x|^2          (Gauss-Newton)
//
// Only the slope moves at an eyelet or a winch without a drum, and nothing where others hold a
// node, or where it touches a pulley or a drum. Taut elements, whose strain changes by little,
// stay. The same is done where a cable comes off a pulley on which it had a bend out of the plane
// of the groove: the slope of the node that is left there is between those of both sides.
#pragma once

#include <vector>

#include "integrate/pulley_changes.h"
#include "model/model_data.h"

namespace hawser {

class KeptStretch {
 public:
  /// `q`: positions of the old model, whose mesh has hand-overs where they are, with pulleys that
  /// the cable comes off joined; `q_before`: as they were.
  KeptStretch(const ModelData& from, const double* q, const ModelData& to,
              const PulleyChanges& pulleys, const double* q_before);
  /// Moves nodes of the new model.
  void keep(double* q) const;

 private:
  struct Merged {
    int first = 0;                   ///< node of the model
    double length[3] = {0, 0, 0};    ///< of the element before it, of it, of the one after it;
                                     ///< 0: there is none, or its node does not move [m]
    double least = 0;                ///< of the sum, for which the shape changes [m]
    double stretch[3] = {0, 0, 0};   ///< of the cable there; 0: as it is at each point
    bool moves[2] = {false, false};  ///< either end, with its slope
    bool turns[2] = {false, false};  ///< the slope of either end
  };
  void add_cable(const ModelData& from, const double* q, size_t cable);
  void add_joined(const ModelData& from, const ArcData& arc, const double* q, const double* before);
  struct Loose {
    std::vector<char> moves, turns;  ///< by node of a cable: its place, its slope
  };
  [[nodiscard]] Loose loose(size_t cable) const;
  [[nodiscard]] Merged element(size_t cable, const Loose& what, size_t i) const;

  const ModelData& to_;
  std::vector<Merged> merged_;
};

}  // namespace hawser
