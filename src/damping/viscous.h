// Damping of sections in a step. Every law (sections/viscosity.h) comes to
//
//     force over stiffness at the end of the step = factor eps + what the past gives
//
// | part        | at the end of a step of h, eps_n -> eps                                        |
// | spring      | spring (eps - eps_0)                                                           |
// | dashpot     | dashpot times the rate of eps by BDF2, in the first step by Backward Euler     |
// | Maxwell arm | s = e^(-h/T) s_n + share T/h (1 - e^(-h/T)) (eps - eps_n): exact for a strain   |
// |             | that is straight in a step                                                     |
// | direct      | tau sum of weights (eps_j - eps_0) over what is remembered (fractional.h)      |
//
// A rate is taken of the strain, never of the coordinates: no rigid motion is damped. Bending
// remembers the curvature as a vector in axes that turn with the material (material_axes.h); as a
// step begins they are predicted, so that the tangent of the step stays exact and symmetric.
// Massless cables do the same with their strain over the whole length: what a winch pays out is no
// rate of strain.
#pragma once

#include <span>
#include <vector>

#include "assembly/constraint_set.h"
#include "assembly/energy.h"
#include "damping/material_axes.h"
#include "hawser/options.h"
#include "hawser/state.h"
#include "model/transfer.h"
#include "sections/viscosity.h"
#include "terms/viscous_terms.h"

namespace hawser {

class Viscous {
 public:
  /// Throws Error where a method cannot take the damping of a section.
  Viscous(const ModelData& model, const SolveOptions& options);

  /// A damping as steps of these options take it: which times its fractional part resolves.
  static ViscousLaw law_of(const Damping& damping, const SolveOptions& options);

  [[nodiscard]] bool any() const { return !parts_.empty(); }
  /// Any in elements: their force jumps with the velocities.
  [[nodiscard]] bool has_dashpots() const;
  /// Any whose stiffness follows the length of the step: `form: gu-eq21`.
  [[nodiscard]] bool follows_step() const { return follows_step_; }
  ViscousTerms terms;  ///< of the step, or of the moment

  /// A state that has no past: its strains are those that do not creep. Rows as last evaluated.
  void start(State& s, const ConstraintSet& rows);
  /// Terms of a step of length h.
  void begin(const State& s, double h);
  /// For a solve that is linear at s: adds to the forces what strains change by in second order,
  /// predicted. A strain is then right to third order in h, and its rate to second.
  void add_second_order(const State& s, double h);
  /// Terms of the moment, with the rates of s.v; the state's viscous forces become those. Rows as
  /// last evaluated.
  void renew(State& s, const ConstraintSet& rows);
  /// The tensions of massless cables have jumped: what of them is viscous.
  void take_tensions(State& s) const;
  /// Terms of the moment, as the state has them.
  void recall(const State& s);
  /// The step has been taken and the state is the new one: remembers its strains. Fills its axial
  /// force where the step did not find one, and its viscous forces. Returns the work [J] of the
  /// viscous forces, those of the end of the step with the weight `end` in their mean.
  double accept(State& s, double h, double end);

  /// What the state of another mesh remembers, on this one's. `s` has its coordinates already.
  void take_over(Viscous& from, const State& old, const MeshTransfer& map, State& s);
  /// What the state of a model remembers in which other cables are massless. `s` is one without a
  /// past, from start().
  void take_over(const Viscous& from, const State& old, const StateNumbers& numbers, State& s);

  /// Of State::viscous: 0 where nothing damps.
  [[nodiscard]] size_t state_size() const { return any() ? state_size_ : 0; }

 private:
  enum class Kind { axial, bending, stretch };
  /// One damping: of the axial or bending points of a run of elements, or of a run of a massless
  /// cable.
  struct Part {
    Kind kind = Kind::axial;
    size_t index = 0;      ///< run of elements or row
    int size = 0;          ///< numbers, a multiple of four
    size_t offset = 0;     ///< of its numbers in arrays by point
    double stiffness = 1;  ///< EA, EI; of a stretch 1, the row knows it
    ViscousLaw law;
    Fractional direct;     ///< tau > 0: a sum over what is remembered
    size_t at = 0;         ///< in State::viscous
    size_t memory_at = 0;  ///< in a row of State::memory
    std::vector<double> decay, gain;
    double factor = 1, h = 0;  ///< of the step that decay and gain are for

    // in State::viscous, one after the other, `size` numbers each but the arms'
    [[nodiscard]] size_t now() const { return at; }
    [[nodiscard]] size_t before() const { return at + static_cast<size_t>(size); }
    [[nodiscard]] size_t reference() const { return at + 2 * static_cast<size_t>(size); }
    [[nodiscard]] size_t sum() const { return at + 3 * static_cast<size_t>(size); }
    [[nodiscard]] size_t arms() const { return at + 4 * static_cast<size_t>(size); }
  };
  struct Bent {
    MaterialAxes axes;
    std::vector<size_t> parts;
    std::vector<double> before;  ///< curvatures in material axes, by bending point of the model
  };

  void add(Kind kind, size_t index, int size, size_t offset, double stiffness,
           const Damping& damping, const SolveOptions& options);
  void add_cable(int cable, const SolveOptions& options);
  void add_row(size_t row, const SolveOptions& options);
  [[nodiscard]] double* strains_of(const Part& part);
  void measure(const double* q, bool axial);
  void predict(const State& s, double h, double share);
  void bend(const State& s, double* axes_state);
  void prepare(Part& part, double h) const;
  double add_direct(const Part& part, const State& s, double t, double* sum);
  void add_remembered(const Part& part, const State& s, std::span<const double> weights,
                      size_t first, bool from_reference, double* sum) const;
  /// `h`: of the step at whose end it is, predicted from the state.
  void hand_over(const Part& part, double factor, const double* past, const State& s, double h);
  /// Unstretched length of the cable of a row at a time, with what drums have paid out at q [m].
  [[nodiscard]] double length_of(size_t row, const Instant& now, double off_drums) const;
  [[nodiscard]] double compliance_of(size_t row, const State& s) const {
    return model_.rows[row].compliance_at(s.now(), model_.rows[row].off_drums(s.q.data()));
  }
  [[nodiscard]] double length_of(size_t row, const State& s) const {
    return length_of(row, s.now(), model_.rows[row].off_drums(s.q.data()));
  }
  void to_world();
  void find_forces(State& s);
  [[nodiscard]] double work_of(const Part& part, const State& s, const double* strain, double end);
  double stretch(const Part& part, State& s, double h, double end);
  void remember(Part& part, State& s, const double* strain);
  void remember_row(State& s);
  void find_held(State& s, double h) const;
  template <class Use>
  void for_each_number(const Part& part, const Use& use) const;
  [[nodiscard]] const Part* find(Kind kind, size_t index) const;
  [[nodiscard]] const Part* same_part(const Viscous& from, const Part& part,
                                      const StateNumbers& numbers) const;
  void take_axes(const Viscous& from, const State& old, State& s) const;
  void take_points(Kind kind, Viscous& from, const State& old, const MeshTransfer& map, State& s);
  void take_stretches(const Viscous& from, const State& old, State& s) const;

  const ModelData& model_;
  std::vector<Part> parts_;
  std::vector<Bent> bent_;
  /// State::viscous begins with the time from `before` to `now`, the length of the step for which
  /// `sum` is what the arms will have left, and what springs of the damping hold (energy.cpp).
  static constexpr size_t header = 4;
  size_t state_size_ = header, memory_width_ = 0;
  bool slackens_ = false;  ///< some elements go slack
  bool follows_step_ = false;
  double step_ = 0;                             ///< of the options [s]
  double longest_memory_ = 0;                   ///< [s]; infinite where all is remembered
  std::vector<double> strain_;                  ///< by axial point
  std::vector<double> curvature_, tangent_;     ///< by bending point
  std::vector<double> stretch_;                 ///< by row, four numbers each: strain
  std::vector<double> past_, rate_, rates_;     ///< scratch of a part
  std::vector<double> force_before_;            ///< State::viscous_force as a step began
  std::vector<double> couple_, couple_before_;  ///< terms.moment of a step and
                                                ///< State::viscous_couple before, in material axes
  std::vector<double> q_, axes_;                ///< scratch
  std::vector<double> second_order_;            ///< in terms.force, by axial point [N]; empty: none
  std::vector<double> weights_, times_, grunwald_;
  double grunwald_order_ = 0;
};

}  // namespace hawser
