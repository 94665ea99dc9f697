// What the kernels of flowing elements read and write: up to four elements side by side, in lanes.
#pragma once

#include "elements/flow.h"

namespace hawser {

inline constexpr int flow_lanes = 4;
inline constexpr int most_lane_flows = 2;  ///< that the elements of a pack follow

/// A number of each lane.
struct FlowLaneNumbers {
  double at[flow_lanes] = {0, 0, 0, 0};
};

/// Elements side by side, which are the same in every step. Lanes without an element repeat the
/// first one, and nothing is written of them. Ends of an element are counted 0 and 1.
struct FlowPack {
  int count = 0;  ///< lanes that hold an element
  /// Each element is the one after that in the lane before: they share a node, and their numbers by
  /// point stand side by side.
  bool together = true;
  long first[flow_lanes];  ///< the first of the 12 coordinates e
  /// Places of the first axial point, of the first component of eps_r' there, and of the first
  /// bending point. The next one is 4, 12 and 12 further.
  int point[flow_lanes], slope[flow_lanes], bending[flow_lanes];
  int flows = 0;                                                    ///< that the ends follow
  int scalar[most_lane_flows] = {}, flow_at[most_lane_flows] = {};  ///< as scalars, as coordinates
  FlowLaneNumbers base[2], share[most_lane_flows][2];               ///< of p of the ends (FlowNode)
  FlowLaneNumbers crosses_p[2];  ///< 1 where what crosses an end acts on p (flow.h, (5)), else 0
  FlowLaneNumbers crosses_r[2];  ///< the same on r
};

/// Forces, M b and, unless the tangent is none, the matrix. Arrays by coordinate or point; what is
/// written is added, but for what is by point.
struct FlowAssembly {
  const FlowParameters* parameters = nullptr;
  bool green = false;  ///< strain; else engineering strain
  Tangent tangent = Tangent::none;
  /// Cable runs through the elements: the tangent of -M12 (2 A e. + B e) is in the matrix.
  bool running = false;
  const double* force_n = nullptr;              ///< by point, as for ancf_elastic(); null: none
  double axial_factor = 1, bending_factor = 1;  ///< ViscousPoints
  const double *past_force = nullptr, *moment = nullptr;  ///< its force, its moment over l
  const double *q = nullptr, *ahead = nullptr;  ///< where forces, and where inertia are taken
  const double* v = nullptr;                    ///< rates there
  const double* b = nullptr;                    ///< multiplied by the mass; null: not asked for
  double mass_weight = 1, stiffness_weight = 0, load_factor = 1;
  double convection_weight = 0;  ///< running: of what forces change by with e.

  // --- out ---
  double *force = nullptr, *inertia = nullptr;        ///< inertia with b
  double *axial_star = nullptr, *strain_r = nullptr;  ///< N, eps_r'; null: not asked for
  double *border_columns = nullptr, *border_rows = nullptr, *corner = nullptr;  ///< MatrixSink
  int border_length = 0, scalars = 0;
  double *panels = nullptr, *skew = nullptr;  ///< MatrixSink; panels null: it goes to `block`
  double (*block)[144] = nullptr;             ///< by lane, by columns
};

struct FlowEnergyIo {
  const FlowParameters* parameters = nullptr;
  const double *q = nullptr, *v = nullptr;
  const double *axial_force = nullptr, *past_force = nullptr;  ///< the latter may be null
};
struct FlowEnergy {
  double kinetic = 0, axial = 0, bending = 0, gravity = 0;  ///< [J]
};

/// The linear update of the axial force (AxialUpdateIo).
struct FlowAxialUpdateIo {
  const FlowParameters* parameters = nullptr;
  const double *q = nullptr, *d = nullptr;  ///< coordinates, their correction
  const double *axial_star = nullptr, *strain_r = nullptr;
  double* axial = nullptr;  ///< out
  double factor = 1;        ///< ViscousPoints
};
/// As AxialChange.
struct FlowAxialChange {
  double turned = 0;
  bool pushes = false;
  FlowLaneNumbers missing, largest;
};

}  // namespace hawser
