// Two massless cables that lie on each other: a point p that both go through, which slides along
// both without friction. It has neither mass nor unknowns of its own. With the lengths l of the
// runs, what they stretch by, x = l - L, and the tension of a row, T = x/eps,
//
//     p(q, t) minimizes  V = sum E(l(q, p) - L),   dE/dx = T                                   (1)
//
// over all crossings of a group of cables together. Then sum T g = 0 with g = dl/dp: what both
// cables pull at p is in equilibrium. l is convex in p, and so is V: there is one minimum. The rows
// go on as Phi = L - l(q, p(q)), with the whole derivative
//
//     dl/dq = l_q + P^T g,   P = dp/dq = -V_pp^-1 V_pq                                         (2)
//     V_pp = sum T' g g^T + T l_pp,   V_pq = sum T' g l_q^T + T l_pq
//
// and as sum lambda g = 0 with the geometric stiffness sum lambda of
//
//     (1 P^T) l_(q,p)(q,p) (1 P^T)^T                                                           (3)
//
// Where the cables only just touch, both are straight and g = 0: rows, forces and lengths begin
// and end without a jump. To keep p unique where a cable is slack, (1) takes a tension that is
// never zero, T = (x + sqrt(x^2 + 4 c^2))/(2 eps) with c = 3e-8 L. Derivation:
// docs/theory/routes.md.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "constraints/row_data.h"

namespace hawser {

/// How two cables lie on each other, at the last evaluation.
struct Crossed {
  Vec3 place = Vec3::Zero();     ///< [m]
  Vec3 normal = Vec3::Zero();    ///< from the second cable to the first
  Vec3 kink = Vec3::Zero();      ///< direction of the force on the first, by half of the kink
  Vec3 along[2][2];              ///< per cable: its directions before and after it
  Vec3 velocity = Vec3::Zero();  ///< by the motion of the ground and what is paid out alone [m/s]
};

/// A straight part of a cable with a crossing at one of its ends or at both.
struct CrossedPart {
  size_t segment = 0, stop = 0;  ///< among all segments, and all stops: where it begins
  const StopData *from = nullptr, *to = nullptr;
  int crossing_a = -1, crossing_b = -1;  ///< of the group; -1: a stop
  int node_a = -1, node_b = -1;          ///< of the group; -1: a crossing, or the ground
};

/// A run that goes through crossings.
struct CrossedRun {
  size_t route = 0, run = 0;
  std::vector<CrossedPart> parts;
  Eigen::VectorXd g;              ///< dl/dp [-]
  double tension = 0, slope = 0;  ///< of (1), and its derivative [N], [N/m]
};

/// Crossings that depend on each other.
struct CrossedGroup {
  std::vector<CrossedRun> runs;
  std::vector<int> pairs;  ///< of nodes a < b of the group, in order
  Eigen::VectorXd pull, step, drift;
  double rounding = 0;  ///< of the pull [N]
  Eigen::MatrixXd V_pp, V_pq, P;
  mutable Eigen::MatrixXd S, SP, K;  ///< of (3): l_(q,p)(q,p), its part times P, the result
  Eigen::LDLT<Eigen::MatrixXd> solver;
};

}  // namespace hawser
