// The tip of a cable along a run, and how far another run is from it.
#pragma once

#include <vector>

#include "hawser/integrator.h"

namespace hawser {

/// Positions of the last node of the first cable, `interval` apart from t = 0.
struct Trajectory {
  double interval = 0;
  std::vector<Vec3> tip;
};

/// By newton Newmark at h = 1e-5 s, kept every 5e-5 s.
Trajectory reference_tip(const Model& model, double until);

struct Comparison {
  bool stable = false;
  double mean_error = 0;  ///< over all steps [m]
};
/// What of the tip is compared.
enum class TipError { height, distance };
Comparison compare_tip(const Model& model, const SolveOptions& options, const Trajectory& reference,
                       double until, TipError error = TipError::height);

/// CPU seconds of a run, the least of three.
double run_seconds(const Model& model, const SolveOptions& options, double until);

}  // namespace hawser
