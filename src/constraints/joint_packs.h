// Joints four side by side: plain data, which the kernels of every instruction set read
// (constraints/joint_kernels.h).
#pragma once

namespace hawser {

/// A row of each of four joints.
struct JointRowPack {
  double n[3][4];            ///< n of `along`, u of `dot`
  double w[3][4];            ///< of `dot`
  double sign[4], value[4];  ///< Phi = sign (part - value)
  double rate[4];            ///< Phi_t
  int row[4];                ///< among the constraints' rows
  int entry[2][4];           ///< where its entries over each node begin in G; -1: the ground
};

/// Four joints with as many rows of each kind. Where there are fewer than four, the others repeat
/// the last one.
struct JointPack {
  int count;      ///< how many there are
  int first_row;  ///< of the rows `along`, which those of `dot` follow
  int alongs, dots;
  double arm[2][3][4];  ///< s: of the points in body axes, of the ground in world axes
  int position[2][4];   ///< coordinate of the node's position; -1: the ground
  int rotation[2][4];   ///< of its body among the rotations; -1: it does not turn
};

inline constexpr int turn_curvature = 21;  ///< numbers of a joint: K_aa and K_bb (lower triangles,
                                           ///< columns first), K_ab (columns first)

struct JointNumbers {
  const JointPack* packs;
  int count;
  const JointRowPack* rows;
  const double* q;
  const double* rotations;  ///< nine numbers each, columns first
  double *phi, *rate, *G;   ///< RowValues
};

/// Of one pack: the curvature over turns, `turn_curvature` numbers of four joints each.
struct JointCurvature {
  const double* lambda;  ///< by row
  double weight;
  double* out;
};

struct JointKernels {
  /// Phi, Phi_t and G of all packs.
  void (*evaluate)(const JointNumbers&);
  void (*curvature)(const JointNumbers&, const JointPack&, const JointCurvature&);
};

}  // namespace hawser
