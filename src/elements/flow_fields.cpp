// What elements through which cable flows tell of it: of a cable element of the length that they
// have.
#include <algorithm>
#include <cassert>

#include "elements/cable_elements.h"
#include "elements/flow_local.h"

namespace hawser {
namespace {

/// Elements with the length that the first of them has; those of a run are equal.
CableElements sized(const FlowElements& term, const double* q, size_t number) {
  AncfBatch batch = term.batch().ancf;
  batch.parameters = with_length(batch.parameters, term.length(q, 0));
  return {batch, number};
}

}  // namespace

FlowElements::FlowElements(FlowBatch batch, size_t number)
    : batch_(std::move(batch)), number_(number) {
  run = CableElements(batch_.ancf, number).run;
  for (const FlowNode& node : batch_.nodes) run.flows |= node.scalar >= 0;
  for (const FlowNode& node : batch_.nodes) open_ |= node.beyond == FlowNode::Beyond::open;
  for (int e = 0; e < batch_.ancf.elements; e += flow_lanes) {
    FlowPack& pack = packs_.emplace_back();
    for (int i = e; i < std::min(e + flow_lanes, batch_.ancf.elements); ++i) {
      [[maybe_unused]] const bool fits = lay(i, pack);
      assert(fits);  // an element follows flows at the ends of its span
    }
  }
}

double FlowElements::length(const double* q, int element) const {
  return Local(*this, element, q, false).length();
}

double FlowElements::arc(const double* q, int element, double xi) const {
  const Local at(*this, element, q, false);
  return at.p[0] + xi * at.length();
}

Eigen::Vector3d FlowElements::position(const double* q, int element, double xi) const {
  return sized(*this, q, number_).position(q, element, xi);
}

/// Of the material: S(xi) w.
Eigen::Vector3d FlowElements::velocity(const double* q, const double* v, int element,
                                       double xi) const {
  const Local at(*this, element, q, false), rates(*this, element, v, true);
  double D[2][12];
  flow_columns(batch_.parameters, at.e, at.length(), D[0], D[1]);
  const std::array<double, 4> shape = sized(*this, q, number_).weights(xi, false);
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  for (int i = 0; i < 12; ++i)
    out[i % 3] += shape[static_cast<size_t>(i / 3)] *
                  (rates.e[i] + rates.p[0] * D[0][i] + rates.p[1] * D[1][i]);
  return out;
}

Eigen::Vector3d FlowElements::slope(const double* q, int element, double xi) const {
  return sized(*this, q, number_).slope(q, element, xi);
}

std::array<double, 4> FlowElements::weights(double xi, bool derivative) const {
  return CableElements(batch_.ancf, number_).weights(xi, derivative);
}

double FlowElements::mass(double length, int i, int j) const {
  return CableElements(batch_.ancf, number_).mass(length, i, j);
}

double FlowElements::strain(const Eigen::Vector3d& slope) const {
  return batch_.ancf.strain == StrainMeasure::green ? (slope.squaredNorm() - 1) / 2
                                                    : slope.norm() - 1;
}

Lanes FlowElements::curvature(const double* q, int pack, double xi) const {
  return sized(*this, q, number_).curvature(q, pack, xi);
}

void FlowElements::axial(const State& state, int pack, AxialPack& out) const {
  sized(*this, state.q.data(), number_).axial(state, pack, out);
}

void FlowElements::strains(const double* q, const StrainsOut& out) const {
  sized(*this, q, number_).strains(q, out);
}

StiffnessParts FlowElements::stiffness(const double* q, const double* x) const {
  return sized(*this, q, number_).stiffness(q, x);
}

double FlowElements::energy(const double* q, const double* v, int element) const {
  const Local at(*this, element, q, false);
  FlowElastic<double> result;
  elastic(at, result);
  return kinetic(at, Local(*this, element, v, true)) + result.axial + result.bending;
}

std::shared_ptr<const Term> FlowElements::with_stiffness(double EA) const {
  FlowBatch other = batch_;
  other.ancf.parameters.law.EA = EA;
  other.parameters.unit.law.EA = EA;
  return std::make_shared<FlowElements>(std::move(other), number_);
}

/// At the nodes with a flow. Those without have nothing of it: their columns are zero. Between two
/// elements through which cable runs, the mean of both: they differ in r''.
void FlowElements::add_convected(const FlowRates& rates, double sign, double* out) const {
  for (int e = 0; e < batch_.ancf.elements; ++e) {
    const Local at(*this, e, rates.q, false), b(*this, e, rates.b, true);
    double D[2][12], c[12] = {};
    flow_columns(batch_.parameters, at.e, at.length(), D[0], D[1]);
    if (rates.v) {
      const Local v(*this, e, rates.v, true);
      flow_convection(batch_.parameters, at.e, v.e, at.length(), v.p[0], v.p[1], c);
    }
    for (int end = 0; end < 2; ++end) {
      const FlowNode& node = batch_.nodes[static_cast<size_t>(e + end)];
      if (node.scalar < 0) continue;
      const double part = node.inner ? 0.5 : 1;
      for (int i = 6 * end; i < 6 * end + 6; ++i)
        out[first(e) + i] += sign * part * (b.p[end] * D[end][i] + c[i]);
    }
  }
}

}  // namespace hawser
