// What the kernel of flowing elements reads and writes, one element a call.
#pragma once

#include "elements/flow.h"

namespace hawser {

/// Arrays over e have 12 numbers, of which whole packs are read: four more are readable. Ends of an
/// element are counted 0 and 1.
struct FlowElementIn {
  const FlowParameters* parameters = nullptr;
  bool green = false;  ///< strain; else engineering strain
  Tangent tangent = Tangent::none;
  const double* force_n = nullptr;  ///< by axial point, as for ancf_elastic(); null: none
  ViscousPoints<double> viscous;
  const double *e = nullptr, *ahead = nullptr;  ///< where forces, and where inertia are taken
  double length = 0, ahead_length = 0;          ///< [m]
  const double* rates = nullptr;                ///< e. there
  double rate[2] = {0, 0};                      ///< p. there [m/s]
  const double* b = nullptr;                    ///< multiplied by the mass; null: not asked for
  double b_flow[2] = {0, 0};                    ///< of p
  double mass_weight = 1, stiffness_weight = 0, load_factor = 1;
  bool crosses_p[2] = {false, false};  ///< what crosses an end acts on p (flow.h, (5))
  bool crosses_r[2] = {false, false};  ///< and on r
};

struct FlowElementOut {
  double force[16], force_p[2];                    ///< on e and p
  double inertia[16], inertia_p[2];                ///< M b
  double axial[max_gauss_points];                  ///< N [N]
  double strain_r[max_gauss_points][4];            ///< eps_r'
  double block[148], border[2][16], corner[2][2];  ///< of the matrix: e by e, e by p, p by p
};

}  // namespace hawser
