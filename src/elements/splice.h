// What keeps a cable's direction where its stretch jumps. Two nodes L and R share their position
// there and have a slope each; a stiff spring between them hands the bending moment on:
//
//     U = k (1 - t_L . t_R),   t = r'/|r'|
//
// With P = I - t t^T, of each node, and c = t_L . t_R:
//
//     dU/dr'_L           = -k P_L t_R/|r'_L|
//     d2U/dr'_L dr'_L    =  k (c P_L + t_L (P_L t_R)^T + (P_L t_R) t_L^T)/|r'_L|^2
//     d2U/dr'_R dr'_L    = -k P_R P_L/(|r'_R| |r'_L|)
//
// and the same with L and R exchanged. Aligned slopes turn together or stretch without any force.
#pragma once

#include <utility>
#include <vector>

#include "terms/term.h"

namespace hawser {

struct Splice {
  int node = 0;          ///< L; R is the next one
  int element = 0;       ///< of SystemStructure::elements, that couples them
  double stiffness = 0;  ///< k [N m]
};

/// A section beside a splice, and the length of its elements.
struct SplicedSide {
  double EA = 0, EI = 0, length = 0;  ///< [N], [N m^2], [m]
};

/// k [N m]; 0 where one of both sides does not resist bending, else the smaller one of both of
///
///     k = 100 EA l, but at least 1e4 EI/l and at most 1e6 EI/l
///
/// The spring adds the flexibility of EI/(k l) of an element. 100 EA l is as stiff as steps of one
/// linear solve take well: in a step that turns the cable by theta and stretches both sides by
/// strains that differ by e, the linear step leaves them apart by theta e, and the energy
/// k (theta e)^2/2 of that stays below EA l e^2/2 up to theta = 0.1 (docs/theory/element.md).
double splice_stiffness(const SplicedSide& first, const SplicedSide& second);

class Splices final : public Term {
 public:
  explicit Splices(std::vector<Splice> splices) : splices_(std::move(splices)) {}

  [[nodiscard]] Facts facts() const override { return {}; }
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;

 private:
  std::vector<Splice> splices_;
};

}  // namespace hawser
