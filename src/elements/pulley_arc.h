// The parts of cables with mass that lie on pulleys, between the nodes A and B where the cable
// reaches a pulley and leaves it. Their unstretched length is l = pB - pA. Along the groove the
// cable moves with the mean of what its ends say,
//
//     u = (tau_A . r_A. - pA. + tau_B . r_B. - pB.)/2,       tau = g/|g|
//     T = m l u^2/2
//     force: m u^2/2 on pB, -m u^2/2 on pA, and -m l. u along u_v = (tau_A, -1, tau_B, -1)/2
//
// A pulley that turns is a part of its own (WinchData). An np-fem cable has no slopes: tau is the
// direction of the element beside A or B, and g = tau in the weight, whose derivative by the
// direction acts on both nodes of that element (in the force; the tangent goes without). The weight
// is that of a cubic through both ends (flow.h, (2)): a potential, of which the height of a half
// circle is 0.11 R too low. On a pulley that moves the cable also has the mass m l, moving with the
// mean of r_A and r_B. tau changes across the groove only, where rows hold the nodes: these terms
// are left out.
//
// While the cable is off a pulley, the flows of that pulley are at rest: they have a mass, and
// nothing moves them.
#pragma once

#include <utility>
#include <vector>

#include "elements/flow.h"
#include "terms/term.h"

namespace hawser {

struct PulleyArc {
  int node = -1;             ///< A; B is the next one; -1: the cable is off the pulley
  int element = 0;           ///< of SystemStructure::elements, that couples them
  int scalars[2] = {0, 0};   ///< pA, pB
  int beside[2] = {-1, -1};  ///< np-fem: the node before A and the one after B
  bool moves = false;        ///< the pulley is on a body or moves
  FlowParameters parameters;
};

class PulleyArcs final : public Term {
 public:
  PulleyArcs(std::vector<PulleyArc> arcs, int first_scalar_at)
      : arcs_(std::move(arcs)), first_scalar_at_(first_scalar_at) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_mass_times(const double* q, const double* b, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;

 private:
  struct Motion;
  void add_idle(const PulleyArc& arc, const Wanted& wanted, const Sums& sums) const;
  void add_weight(const PulleyArc& arc, const Motion& at, const Wanted& wanted,
                  const Sums& sums) const;

  std::vector<PulleyArc> arcs_;
  int first_scalar_at_;
};

}  // namespace hawser
