// The parts of cables with mass that lie on pulleys, between the nodes A and B where the cable
// reaches a pulley and leaves it. Their unstretched length is l = pB - pA. Half of their mass moves
// with the material at A, half with that at B:
//
//     w = r. - p. tau,   tau = g/|g|,      T = m l (|w_A|^2 + |w_B|^2)/4
//     force: -m l. w/2 + m l p. tau./2 on r,   m l. w . tau/2 + m l w . tau./2 on p,
//            -m l p. (w - tau tau . w)/(2 |g|) on g   at either end,
//            m (|w_A|^2 + |w_B|^2)/4 on pB, the opposite on pA
//
// On a pulley at rest w is along tau, and the terms with tau. are zero, or across the groove where
// rows hold the nodes: they are left out there.
//
// With u along the groove and a pulley that moves by V, w = V + u tau: this is m l u^2/2 on a
// pulley at rest and m l V^2/2 besides on one that moves. A tangent point that moves along the
// groove over cable at rest changes neither w nor T, so that the mass of the arc does not turn it.
//
// Its weight is that of a circle of radius R through both ends, with slopes there along the circle,
//
//     V = -m grav . (l (r_A + r_B)/2 + k (g_A - g_B)),   k = R^2 (1 - theta/2 cot(theta/2)),   theta = l/R
//
// which a tangent point that moves along the groove does not feel either. (k = l^2/12 + ..., as of
// a cubic. Beyond 4 rad it goes on as a parabola: at 2 pi the ends do not define a circle.)
//
// Where sections are joined on the pulley, all this is of the section at B, and every joint adds
// what is heavier before it, by dm per metre over the length l1 = p_J - pA from A: half of its mass
// moves with A, half with B, and its weight is that of a circle that begins at A and ends at B,
//
//     V = -dm grav . (a r_A + b g_A + c r_B),   c = (l1 - R sin theta1)/(1 - cos theta),  theta1 = l1/R
//                                               a = l1 - c,   b = R^2 (1 - cos theta1) - c R sin theta
//
// (from 4 rad on as if it was at the middle of A and B). A joint may be a little before A or behind
// B (section_joints.h). Elements there count as of the section at A or B, and what is wrong with
// that is added here: straight cable of dm that moves with A or B. The tangent of these weights is
// left out.
//
// A pulley that turns is a part of its own (WinchData). An np-fem cable has no slopes: tau is the
// direction of the element beside A or B, and g = tau in the weight, whose derivative by the
// direction acts on both nodes of that element (in the force; the tangent goes without), and so
// does that of T.
//
// While the cable is off a pulley, the flows of that pulley are at rest: they have a mass, and
// nothing moves them.
#pragma once

#include <Eigen/Core>

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
  double radius = 0;         ///< [m]
  bool moves = false;        ///< the pulley is on a body or moves
  FlowParameters parameters;
  /// Joints on it: their material coordinate [m], and what is heavier before each than after it,
  /// m [kg/m] and m g [N/m]. `parameters` are those at B.
  struct Joint {
    double at = 0, mass = 0;
    Eigen::Vector3d weight = Eigen::Vector3d::Zero();
  };
  std::vector<Joint> joints;
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
  static void add_motion(const PulleyArc& arc, const Motion& at, const double* v, double* force);
  static void add_mass(const PulleyArc& arc, const Motion& at, double weight,
                       const MatrixSink& sink);
  void add_weight(const PulleyArc& arc, const Motion& at, const Wanted& wanted,
                  const Sums& sums) const;

  std::vector<PulleyArc> arcs_;
  int first_scalar_at_;
};

}  // namespace hawser
