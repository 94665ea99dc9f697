// Elements through which cable flows, as a term of the equation of motion. The material coordinates
// of an element's ends are constants or follow a flow, a scalar unknown in the border of the
// matrix: p = base + s. An end on a node of the material has no flow; at an eyelet the two elements
// beside it have the same one.
//
// Where an end has a flow, its equation is either that of the energies and Lagrange, which two
// elements at a frictionless hand-over share, or that of virtual work at fixed p, for ends beyond
// which the cable is not modelled (flow.h, docs/theory/flow.md):
//
//     virtual work on p1 = Lagrange's + (EA eps^2 + EI K^2)/2 - m grav . r at 1, less the terms (5); on p2 with - .
//
// Forces that depend on velocities are taken where a step is predicted to end, and their tangent is
// left out: pay-out stays stable while the flow is slower than waves (docs/theory/flow.md).
#pragma once

#include <vector>

#include "elements/flow.h"
#include "hawser/section.h"
#include "terms/term.h"

namespace hawser {

/// One end of a flowing element.
struct FlowEnd {
  double base = 0;    ///< p where the flow is 0 [m]
  int scalar = -1;    ///< the flow among the scalars; -1: none, p = base
  bool open = false;  ///< the cable beyond is not modelled: virtual work
};

struct FlowElement {
  int node = 0;     ///< its first; the second follows it
  int element = 0;  ///< in SystemStructure::elements
  FlowEnd end[2];
};

/// What all elements of a term share.
struct FlowBatch {
  FlowParameters parameters;
  StrainMeasure strain = StrainMeasure::engineering;
  std::vector<FlowElement> elements;
  int point_offset = 0;     ///< of its axial points in arrays by point: element by element
  int first_scalar_at = 0;  ///< coordinate of scalar 0

  [[nodiscard]] int point_size() const {
    return static_cast<int>(elements.size()) * parameters.unit.axial_points;
  }
};

class FlowElements final : public Term {
 public:
  explicit FlowElements(FlowBatch batch) : batch_(std::move(batch)) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_mass_times(const double* q, const double* b, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  void update_axial(AxialUpdate& update) const override;
  void set_scales(double* arm, double* size) const override;
  [[nodiscard]] double turn(const double* q, const double* motion) const override;

  [[nodiscard]] const FlowBatch& batch() const { return batch_; }
  /// Unstretched length of an element [m].
  [[nodiscard]] double length(const double* q, size_t element) const;

 private:
  struct Local;
  [[nodiscard]] double flow(const double* a, const FlowEnd& end) const {
    return end.scalar < 0 ? 0 : a[batch_.first_scalar_at + end.scalar];
  }
  void elastic(const Local& at, const double* force_n, Tangent tangent,
               FlowElastic<double>& out) const;
  void add_forces(const FlowElement& element, const Local& at, const FlowElastic<double>& elastic,
                  double load_factor, double* force) const;
  [[nodiscard]] double density(const Local& at, int end, double load_factor) const;
  void add_convection(const FlowElement& element, const Local& at, const Local& rates,
                      double* force) const;
  void add_inertia(const FlowElement& element, const Local& at, const Local& b, double* out) const;
  void add_matrix(const FlowElement& element, const Local& at, const Local& ahead,
                  const FlowElastic<double>& elastic, const Wanted& wanted,
                  const MatrixSink& sink) const;
  void scatter(const FlowElement& element, const double on_e[12], const double on_p[2],
               double* out) const;

  FlowBatch batch_;
};

}  // namespace hawser
