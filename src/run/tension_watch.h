// The largest and smallest tension of every cable, looked for at every step.
#pragma once

#include <limits>
#include <vector>

#include "hawser/model.h"
#include "hawser/run.h"
#include "hawser/state.h"

namespace hawser {

struct AncfBatch;  // src/model/batch.h

/// What one cable has seen so far. Plain data: a checkpoint keeps it.
struct TensionSeen {
  TensionExtreme largest, smallest;
  /// Axial force N there [N]. It orders the points as the tension does, since |r'| grows with it.
  double largest_force = -std::numeric_limits<double>::infinity();
  double smallest_force = std::numeric_limits<double>::infinity();
  /// Where and when the tension first passed the breaking load; time below zero: never.
  TensionExtreme overload{0, 0, -1};
  /// Where and when a cable that does not resist bending first pushed; time below zero: never.
  TensionExtreme compression{0, 0, -1};
  bool warned_of_blow = false;  ///< that the steps do not resolve

  [[nodiscard]] bool overloaded() const { return overload.t >= 0; }
};

/// Looks at the axial Gauss points, where the axial force is best known. The mixed solves keep it
/// there, so a look is one pass over an array; after other solves it follows from the coordinates.
/// Of massless cables it looks at the largest tension of every run within the step, and at the
/// peaks of blows that the steps do not resolve; where along the cable is not told.
class TensionWatch {
 public:
  explicit TensionWatch(const Model& model);

  /// True when a cable has passed its breaking load, or pushed, for the first time. Does not
  /// allocate.
  bool look(const State& state);

  /// The row of a blow on a massless cable that is over (`at_end`: or under way), that the steps
  /// did not show and that was not told of; -1: none. Told of once a cable.
  int tell_blow(const State& state, bool at_end);

  /// By cable, in the order of the scene.
  [[nodiscard]] const std::vector<TensionSeen>& seen() const { return seen_; }
  /// Goes on from what an earlier watch of the same model has seen.
  void restore(const std::vector<TensionSeen>& seen);

 private:
  void look_at_elements(size_t cable, const State& state);
  void look_at_runs(const State& state);
  struct Range {
    double smallest, largest;
  };
  static Range forces(const AncfBatch& batch, const State& state);
  static Range kept_forces(const AncfBatch& batch, const State& state);
  static TensionExtreme at_force(const AncfBatch& batch, double start, const State& state,
                                 double force);

  /// Compression that counts: a hundredth of what the cable pulls with or weighs.
  [[nodiscard]] bool pushes(size_t cable) const;

  Model model_;
  std::vector<TensionSeen> seen_;
  /// By cable: its weight [N]; negative where it resists bending or goes slack.
  std::vector<double> weight_;
};

}  // namespace hawser
