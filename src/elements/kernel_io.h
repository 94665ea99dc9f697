// What the hot loops of elements read and write.
#pragma once

#include "elements/batch.h"
#include "kernels/kernels.h"
#include "linear/sink.h"

namespace hawser {

/// What an assembly reads and writes; arrays by node are node-major, 6 a node, and padded by
/// `padding` doubles so that whole packs can be read past the end.
struct AssemblyIo {
  const double* q = nullptr;  ///< configuration
  const double* b = nullptr;  ///< multiplied by the mass matrix
  double* force = nullptr;    ///< out: elastic force -dU/dq
  double* inertia = nullptr;  ///< out: M b
  /// Mixed: axial force of the geometric stiffness, by point. It also says which tension-only
  /// elements were taut; for that it may be given with Tangent::none.
  const double* force_n = nullptr;
  double* force_star = nullptr;  ///< out, unless null: EA eps(q), by point
  double* strain_r = nullptr;    ///< out, with force_star: eps_r' by point, zero where slack
  double mass_weight = 1, stiffness_weight = 0;
  const double* v = nullptr;  ///< velocities, for mass damping; null: at rest
  double damping_weight = 0;  ///< of mass damping, beside mass_weight
  /// What viscosity makes of the batch (ViscousPoints); the forces by axial point, the moments by
  /// component and bending point, of all batches.
  double axial_factor = 1, bending_factor = 1;
  const double *viscous_force = nullptr, *viscous_moment = nullptr;
  MatrixSink sink;
};

/// The linear update of the axial force after a mixed solve: N = N* + factor EA eps_r' . (S' d).
struct AxialUpdateIo {
  const double* d = nullptr;  ///< correction of the coordinates
  const double* force_star = nullptr;
  const double* strain_r = nullptr;
  double* force = nullptr;  ///< out: axial force by point
  double factor = 1;        ///< AssemblyIo::axial_factor
};

/// What a correction did to the elements of a batch.
struct AxialChange {
  double turned = 0;    ///< largest |component| by which it turns an element that has no slopes
  bool pushes = false;  ///< it leaves a tension-only element compressed, which then goes slack
  double missing = 0;   ///< largest EA |S' d across the cable|^2/2: force that the linear update
                        ///< leaves out [N]
  double largest = 0;   ///< |axial force| [N]
};

struct EnergyIo {
  const double *q = nullptr, *v = nullptr;
  const double* axial_force = nullptr;    ///< by point, or null to take it from q
  const double* viscous_force = nullptr;  ///< the part of it that is not elastic; null: none
};
struct BatchEnergy {
  double kinetic, axial, bending;  ///< [J]
};

/// Strains at the points of a batch; zero in lanes without an element. Null: not asked for.
struct StrainIo {
  const double* q = nullptr;
  double* strain = nullptr;     ///< by axial point
  double* curvature = nullptr;  ///< as a vector in world axes, by component and bending point [1/m]
  double* tangent = nullptr;    ///< r'/|r'|, by component and bending point
};

/// Of one pack of a batch at its axial points, four numbers a point: AxialPack (terms/fields.h).
struct AxialPointsIo {
  int pack = 0;
  const double* q = nullptr;
  const double* force_n = nullptr;  ///< by point of all batches; null: taken from q
  const double* viscous = nullptr;  ///< the part of it that is not elastic; null: none
  double *force = nullptr, *strain = nullptr, *tension = nullptr, *stretch = nullptr;  ///< out
};

/// The axial force of the elements of a batch, as it goes on from look to look.
struct ForceWatchIo {
  int elements = 0, points = 0;   ///< of the batch; axial points of an element
  const double* force = nullptr;  ///< by point
  /// In and out, by four points: their force at the last look and its first three differences
  /// there.
  double* past = nullptr;
};
struct ForceSeen {
  double smallest, largest;  ///< [N]
  double squares;            ///< sum over the points of the squares of its fourth differences [N^2]
};

struct FlowPack;
struct FlowAssembly;
struct FlowEnergyIo;
struct FlowEnergy;
struct FlowAxialUpdateIo;
struct FlowAxialChange;

/// Of cable elements, batch by batch.
struct ElementKernels {
  void (*assemble)(const AncfBatch&, const AssemblyIo&, Tangent);
  AxialChange (*axial_update)(const AncfBatch&, const AxialUpdateIo&);
  void (*mass_times)(const AncfBatch&, const double* b, double* out);
  void (*energy)(const AncfBatch&, const EnergyIo&, BatchEnergy&);
  void (*strains)(const AncfBatch&, const StrainIo&);
  void (*axial_points)(const AncfBatch&, const AxialPointsIo&);
  ForceSeen (*watch_force)(const ForceWatchIo&);
  /// Of up to four flowing elements (flow_io.h).
  void (*assemble_flow)(const FlowPack&, const FlowAssembly&);
  void (*flow_energy)(const FlowPack&, const FlowEnergyIo&, FlowEnergy&);
  void (*flow_axial_update)(const FlowPack&, const FlowAxialUpdateIo&, FlowAxialChange&);
};

/// Maxwell arms of `size` numbers (a multiple of four): four numbers side by side, arm after arm.
struct ArmsIo {
  int size = 0, arms = 0;
  const double* decay = nullptr;   ///< by arm: what is left of it after a step
  const double* gain = nullptr;    ///< by arm: what it takes of a change
  const double* change = nullptr;  ///< of the strain, by number
  double* state = nullptr;         ///< arms * size
  double* sum = nullptr;           ///< out, by number: sum of decay * state, as the step leaves it
};

/// out = sum of c x over `n` numbers, 1 to 3 terms.
struct CombineIo {
  int n = 0, terms = 0;
  double* out = nullptr;
  double c[3];
  const double* x[3];
};

/// The end of a solve, over `n` coordinates (a whole number of nodes; arrays padded):
/// correction = cq x, q_new = q_base + correction, a_new = a_base + x, v_new = v_tilde + cv a_new.
struct CorrectIo {
  int n = 0;
  double cq = 0, cv = 0;
  const double *x = nullptr, *q_base = nullptr, *a_base = nullptr, *v_tilde = nullptr;
  double *correction = nullptr, *q_new = nullptr, *a_new = nullptr, *v_new = nullptr;
};

/// A stage of mixed3, over `n` coordinates and up to a whole pack (arrays padded):
/// v~ = V0 + sum a A,  q~ = q + sum a V + gh v~,  q* = q + w0 V0 + w1 v_before + w2 v_last,
/// a* = (q* - q~) inv_cq.
struct StageIo {
  int n = 0;
  double a[3], w[3], gh, inv_cq;
  const double *q, *A[3], *V[3], *v_before, *v_last;
  double *v_tilde, *q_base, *a_base;
};

/// Turns the two vectors of every node of x by the smallest rotation from the node's slope in
/// `from` to that in `to`, or back. `turns`: 1 or 0 (not) a node. `rotation`: 16 numbers for four
/// nodes, kept from the way back for the way forth.
struct TurnIo {
  int nodes = 0;
  const double *from = nullptr, *to = nullptr, *turns = nullptr;
  double *rotation = nullptr, *x = nullptr;
};

}  // namespace hawser
