// Elements through which cable flows, as a term of the equation of motion. The material coordinates
// of their nodes are constants or follow flows, scalar unknowns in the border of the matrix:
// p = base + s. A node of the material has no flow; at an eyelet the two elements beside it have
// the same one. Where cable runs through a span, the nodes in it follow the flows at both of its
// ends, in proportion: p = base + share s + other_share s_other.
//
// Where a node has a flow, its equation is that of the energies and Lagrange, which two elements at
// a frictionless hand-over share; or, where the cable beyond is not modelled, that of virtual work
// at fixed p (flow.h, docs/theory/flow.md):
//
//     virtual work on p1 = Lagrange's + (EA eps^2 + EI K^2)/2 - m grav . r at 1, less the terms (5); on p2 with - .
//
// A drive prescribes its flow. Its equation, of which only the reaction remains, is Lagrange's: the
// reaction times the rate is then the power that the drive supplies, with the energy of the cable
// that enters. On the position of its node it acts by virtual work: cable enters at its own speed.
//
// Forces that depend on velocities are taken where a step is predicted to end, and their tangent is
// left out: pay-out stays stable while the flow is slower than waves. Where cable runs through a
// span the tangent of what acts on e by e and e. is in the matrix, which is unsymmetric: without it
// waves grow (docs/theory/flow.md).
//
// As elements of a cable they store the sums of their nodes, as CableElements do; as a guest's they
// add.
#pragma once

#include <vector>

#include "elements/batch.h"
#include "elements/flow_io.h"
#include "terms/term.h"

namespace hawser {

/// A node of a run of flowing elements.
struct FlowNode {
  enum class Beyond {
    cable,  ///< another element, with the same flow
    drive,  ///< cable that a drive supplies
    open    ///< cable that is not modelled
  };
  double base = 0;         ///< p where the flows are 0 [m]
  int scalar = -1;         ///< the flow among the scalars; -1: none, p = base
  double share = 1;        ///< dp/ds of it
  int other = -1;          ///< another, of a node between two hand-overs
  double other_share = 0;  ///< dp/ds of that
  Beyond beyond = Beyond::cable;
  bool inner = false;  ///< it is no hand-over: cable runs through it
  /// A joint of sections is at an eyelet: the cable beyond is of another section, and so should be
  /// what is between the node and this material coordinate [m], which is counted in energies.
  bool joined = false;
  double joint = 0;
};

/// A run of consecutive elements.
struct FlowBatch {
  /// Nodes, points and measures. Its lengths are those of the mesh that the model is compiled with.
  AncfBatch ancf;
  FlowParameters parameters;
  std::vector<FlowNode> nodes;  ///< one more than elements
  int first_scalar_at = 0;      ///< coordinate of scalar 0
  bool stores = false;
  bool running = false;  ///< cable runs through all of them
};

/// Calls `call(scalar, dp/ds)` for the flows that a node of a batch follows.
template <class Call>
void for_flows(const FlowBatch& batch, int node, const Call& call) {
  const FlowNode& of = batch.nodes[static_cast<size_t>(node)];
  if (of.scalar >= 0) call(of.scalar, of.share);
  if (of.other >= 0) call(of.other, of.other_share);
}

/// What a node of a batch follows of its flows: p less its base, or its rate; `a` by coordinate.
inline double flow_of(const FlowBatch& batch, int node, const double* a) {
  double sum = 0;
  for_flows(batch, node,
            [&](int scalar, double share) { sum += share * a[batch.first_scalar_at + scalar]; });
  return sum;
}

class FlowElements final : public Term, public Fields {
 public:
  /// `number` of the run among all that viscosity knows.
  explicit FlowElements(FlowBatch batch, size_t number = 0);

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_mass_times(const double* q, const double* b, double* out) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  void update_axial(AxialUpdate& update) const override;
  void set_scales(double* arm, double* size) const override;
  [[nodiscard]] double turn(const double* q, const double* motion) const override;
  [[nodiscard]] const Fields* fields() const override { return batch_.stores ? this : nullptr; }

  [[nodiscard]] double length(const double* q, int element) const override;
  [[nodiscard]] double arc(const double* q, int element, double xi) const override;
  [[nodiscard]] Eigen::Vector3d position(const double* q, int element, double xi) const override;
  [[nodiscard]] Eigen::Vector3d velocity(const double* q, const double* v, int element,
                                         double xi) const override;
  [[nodiscard]] Eigen::Vector3d slope(const double* q, int element, double xi) const override;
  [[nodiscard]] std::array<double, 4> weights(double xi, bool derivative) const override;
  [[nodiscard]] double mass(double length, int i, int j) const override;
  [[nodiscard]] double strain(const Eigen::Vector3d& slope) const override;
  [[nodiscard]] Lanes curvature(const double* q, int pack, double xi) const override;
  void axial(const State& state, int pack, AxialPack& out) const override;
  void strains(const double* q, const StrainsOut& out) const override;
  [[nodiscard]] StiffnessParts stiffness(const double* q, const double* x) const override;
  [[nodiscard]] double energy(const double* q, const double* v, int element) const override;
  [[nodiscard]] std::shared_ptr<const Term> with_stiffness(double EA) const override;
  void add_convected(const FlowRates& rates, double sign, double* out) const override;

  [[nodiscard]] const FlowBatch& batch() const { return batch_; }
  /// Of a node [m], and its rate [m/s].
  [[nodiscard]] double material(const double* q, int node) const {
    return batch_.nodes[static_cast<size_t>(node)].base + flow_of(batch_, node, q);
  }
  [[nodiscard]] double rate(const double* v, int node) const { return flow_of(batch_, node, v); }
  /// Where the last elements of this run and those of the next one of its cable fit in a pack, as
  /// the two beside an eyelet, does from now on what a step asks of both runs, those side by side;
  /// the next one does nothing. Both are terms of the same model.
  void take_along(FlowElements& next);
  /// What the equation of the first flow by virtual work has beside that of a drive [N].
  [[nodiscard]] double beside_drive(const double* q, const double* v, double load_factor) const;
  /// |r'| at the start of the first element.
  [[nodiscard]] double stretch_at_start(const double* q) const;

 private:
  struct Local;
  /// Where its first axial point is, the next ones 4 further.
  [[nodiscard]] int point(int element) const {
    const AncfBatch& b = batch_.ancf;
    return b.point_offset + 4 * b.parameters.axial_points * (element / 4) + element % 4;
  }
  [[nodiscard]] int first(int element) const {
    return node_size * (batch_.ancf.first_node + element);
  }
  void elastic(const Local& at, FlowElastic<double>& out) const;
  void clear(const Wanted& wanted, const Sums& sums) const;
  void clear_nodes(double* out) const;
  [[nodiscard]] bool lay(int element, FlowPack& pack) const;
  /// The run that has the element of a lane.
  [[nodiscard]] const FlowElements& owner(const FlowPack& pack, int lane) const {
    return along_ && pack.first[lane] >= first(batch_.ancf.elements) ? *along_ : *this;
  }
  /// Calls `call(pack)` for all elements, and those of the run that it takes along. `apart`: not
  /// for these together with its own.
  template <class Call>
  void for_packs(bool apart, const Call& call) const;
  /// Calls `call(run, element, lane)` for those of a pack.
  template <class Call>
  void for_lanes(const FlowPack& pack, const Call& call) const;
  [[nodiscard]] bool differs(const ViscousTerms* viscous) const;
  void add_pack(const FlowPack& pack, const Configuration& at, const Wanted& wanted,
                const Sums& sums) const;
  void add_beside(int element, const Configuration& at, const Wanted& wanted,
                  const Sums& sums) const;
  [[nodiscard]] double density(const Local& at, int end, double load_factor) const;
  void add_strained_energy(const EnergyState& at, EnergyParts& out) const;
  void add_all_joined(const EnergyState& at, EnergyParts& out) const;
  /// Of what a joint at an eyelet leaves out at the ends of an element, or counts too much.
  void add_joined(int element, const Local& at, const Local& rates, EnergyParts& out) const;
  /// How the force of cable that runs through differs at (q, v) from that at (q_ahead, v_ahead).
  void add_running(int element, const Configuration& at, double* force) const;
  /// factor T^T M12 T b.
  void add_inertia(int element, const Local& at, const Local& b, double factor, double* out) const;
  void scatter(int element, const double on_e[12], const double on_p[2], double* out) const;
  [[nodiscard]] double kinetic(const Local& at, const Local& rates) const;

  FlowBatch batch_;
  size_t number_;
  std::vector<FlowPack> packs_;
  const FlowElements* along_ = nullptr;  ///< a run that is taken along
  bool taken_ = false;                   ///< by the one before
  FlowPack pair_;                        ///< its last pack and that of the run that it takes along
  bool open_ = false;                    ///< one of its nodes is
};

}  // namespace hawser
