// The largest and smallest tension of every cable, looked for at every step, and whether the steps
// follow the axial force.
#pragma once

#include <limits>
#include <vector>

#include "hawser/model.h"
#include "hawser/run.h"
#include "hawser/state.h"

namespace hawser {

class Fields;  // src/terms/fields.h

/// Where and when a cable was first pressed to less than half its length.
struct Crushing {
  double stretch = 1;  ///< |r'| there
  double s = 0;        ///< arc length [m]
  double t = -1;       ///< [s]; below zero: never
};

/// What one cable has seen so far. Plain data: a checkpoint keeps it.
struct TensionSeen {
  TensionExtreme largest, smallest;
  /// Axial force N there [N]. It orders the points as the tension does, since |r'| grows with it.
  double largest_force = -std::numeric_limits<double>::infinity();
  double smallest_force = std::numeric_limits<double>::infinity();
  /// Where and when the tension first passed the breaking load; time below zero: never.
  TensionExtreme overload{0, 0, -1};
  /// Where and when a cable first pushed that does not resist bending, or one that does for longer
  /// than its elements take to buckle; time below zero: never.
  TensionExtreme compression{0, 0, -1};
  double growth = 0;  ///< ln of what a bow has grown by since the elements push beyond buckling
  double looked = 0;  ///< time of the last look [s]
  Crushing crushing;
  bool warned_of_impact = false;  ///< that the steps do not resolve
  /// Sum over the last five thousand steps or so of the root mean square over the points of the
  /// fourth difference of the axial force, N_n - 4 N_(n-1) + 6 N_(n-2) - 4 N_(n-3) + N_(n-4) [N].
  double unevenness = 0;
  double most_uneven = 0;  ///< the largest of it so far [N]
  long looks = 0;
  std::vector<double> past;  ///< what the differences need, by point [N]

  [[nodiscard]] bool overloaded() const { return overload.t >= 0; }
  /// True when the steps do not follow the axial force, so that the largest tension may be wrong.
  ///
  /// An oscillation of amplitude N has fourth differences of (omega h)^4 N, and the scheme shifts
  /// and damps it by about (omega h)^3 N a step: their sum says how far off the waves are that the
  /// steps follow badly, and hardly sees those that they follow well. The limit, as a share of the
  /// largest force, is found by experiment (docs/guide/results.md).
  [[nodiscard]] bool uneven() const {
    constexpr double limit = 0.4;
    return largest_force > 0 && most_uneven > limit * largest_force;
  }
};

/// Looks at the axial Gauss points, where the axial force is best known. The mixed solves keep it
/// there, so a look is one pass over an array; after other solves it follows from the coordinates.
/// Of massless cables it looks at the largest tension of every run within the step, and at the
/// peaks of impacts that the steps do not resolve; where along the cable is not told.
class TensionWatch {
 public:
  explicit TensionWatch(const Model& model);

  /// States are of this model from now on: the same scene on another mesh. Differences of the axial
  /// force begin anew in cables whose mesh has changed.
  void change_mesh(const Model& model);

  /// True when a cable has passed its breaking load, pushed, or been crushed, for the first time.
  /// Does not allocate.
  bool look(const State& state);

  /// The row of an impact on a massless cable that is over (`at_end`: or under way), that the steps
  /// did not show and that was not told of; -1: none. Told of once a cable.
  int tell_impact(const State& state, bool at_end);

  /// By cable, in the order of the scene.
  [[nodiscard]] const std::vector<TensionSeen>& seen() const { return seen_; }
  /// True for a cable that does not resist bending, so that any push counts.
  [[nodiscard]] bool limp(size_t cable) const { return weight_[cable] >= 0; }
  /// At which elements of the run of a cable at an arc length [m] buckle [N].
  [[nodiscard]] double buckling_load(size_t cable, double s) const;
  /// Of a cable at an arc length [m]; of a massless cable that of its weakest section; 0: unknown
  /// [N].
  [[nodiscard]] double breaking_load(size_t cable, double s) const;
  /// Goes on from what an earlier watch of the same model has seen.
  void restore(const std::vector<TensionSeen>& seen);

 private:
  void make_room(size_t cable);
  void look_at_elements(size_t cable, const State& state);
  void look_at_runs(const State& state);
  /// The axial force at the points of a run of elements, as State::axial_force has it.
  const double* forces(const Fields& part, const State& state);
  static TensionExtreme at_force(const Fields& part, const State& state, const double* forces,
                                 double force);

  /// True when a cable is crushed for the first time.
  bool look_for_crushing(size_t cable, const State& state);
  /// Compression that counts: a hundredth of what the cable pulls with or weighs.
  [[nodiscard]] bool pushes(size_t cable) const;

  Model model_;
  std::vector<TensionSeen> seen_;
  /// By cable: its weight [N]; negative where it resists bending or goes slack.
  std::vector<double> weight_;
  /// By cable: breaking load of all its sections, of a massless one of the weakest; 0: unknown, or
  /// not the same in all [N].
  std::vector<double> limit_;
  std::vector<double> scratch_;  ///< forces of a batch where the state has none
};

}  // namespace hawser
