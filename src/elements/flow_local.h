// What the files of FlowElements read of an element.
#pragma once

#include "elements/flow_elements.h"

namespace hawser {

/// An element's part of q or v: e, and p of both ends or their rates.
struct FlowElements::Local {
  const double* e;
  double p[2];
  [[nodiscard]] double length() const { return p[1] - p[0]; }

  Local(const FlowElements& term, int element, const double* a, bool rates)
      : e(a + term.first(element)) {
    for (int i = 0; i < 2; ++i)
      p[i] = rates ? term.rate(a, element + i) : term.material(a, element + i);
  }
};

/// An element's axial points: where they are in arrays by point, and what those hold.
struct FlowElements::Points {
  double force[max_gauss_points];                                         ///< Wanted::axial
  double past_force[max_gauss_points], moment[3 * max_gauss_points + 1];  ///< what viscosity adds
  ViscousPoints<double> viscous;

  /// Moments are those of the unit element, whose curvature is that of the element times l.
  Points(const FlowElements& term, int element, const double* axial, const ViscousTerms* damping,
         double l)
      : has_force_(axial != nullptr) {
    const AncfBatch& b = term.batch_.ancf;
    const int axial_points = b.parameters.axial_points, bending = b.parameters.bending_points;
    first_ = b.point_offset + 4 * axial_points * (element / 4);
    lane_ = element % 4;
    for (int g = 0; axial && g < axial_points; ++g) force[g] = axial[at(g)];
    if (!damping) return;
    viscous.axial_factor = damping->axial_factor[term.number_];
    viscous.bending_factor = damping->bending_factor[term.number_];
    for (int g = 0; g < axial_points; ++g)
      past_force[g] = damping->force[static_cast<size_t>(at(g))];
    viscous.force = past_force;
    if (damping->moment.empty()) return;
    const int from = b.bending_offset + 12 * bending * (element / 4) + lane_;
    for (int k = 0; k < 3 * bending; ++k)
      moment[k] = l * damping->moment[static_cast<size_t>(from + 4 * k)];
    viscous.moment = moment;
  }
  Points(const Points&) = delete;  // it points at itself
  Points& operator=(const Points&) = delete;

  [[nodiscard]] int at(int g) const { return first_ + 4 * g + lane_; }
  /// Component i of eps_r'.
  [[nodiscard]] int slope_at(int g, int i) const { return 3 * (first_ + 4 * g) + 4 * i + lane_; }
  [[nodiscard]] const double* carried() const { return has_force_ ? force : nullptr; }

 private:
  int first_, lane_;
  bool has_force_;
};

}  // namespace hawser
