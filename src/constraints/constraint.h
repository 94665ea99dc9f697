// The constraints of the equation of motion: batches of one kind that contribute rows
//
//     Phi(q, t) + eps lambda = 0       with   Phi_t at fixed q,   G = dPhi/dq over velocities
//     (world axes; angular velocities in body axes)   and   sum lambda Phi_qq
//
// or prescribe coordinates, which are eliminated. Which rows there are, their bounds, compliances
// and coordinates: RowInfo. Whoever needs rows walks the list of constraints (ConstraintSet) and
// names no kind.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "constraints/poses.h"
#include "hawser/error.h"
#include "hawser/state.h"
#include "linear/sink.h"
#include "terms/viscous_terms.h"

namespace hawser {

/// Nodes that curvature couples (SystemStructure::pairs).
using NodePairs = std::vector<std::pair<int, int>>;

/// What the rows are at a configuration.
struct RowValues {
  std::vector<double> phi, rate;   ///< by row: Phi and Phi_t
  std::vector<double> second;      ///< by row with a constant G: Phi_tt
  std::vector<double> G;           ///< by entry (RowInfo::first_entry)
  std::vector<double> wrap;        ///< angles as in State::wrap
  std::vector<double> bends;       ///< as State::bends
  std::vector<double> twist;       ///< as State::twist
  std::vector<double> run_span;    ///< by run: its length l [m]
  std::vector<double> run_left;    ///< by run: length of the cable there, unstretched [m]
  std::vector<double> off_drums;   ///< by row: RowInfo::off_drums() [m]
  std::vector<double> limit;       ///< by row that is limited: largest force over the step [N, N m]
  std::vector<double> wrap_angle;  ///< by rub: angle over which the cable lies on it [rad]
  double began = 0;                ///< when the step began that the evaluation is of [s]
  std::string fault;               ///< why an evaluation failed
};

/// Where rows are evaluated: at q and an instant within a step that began at `state`.
struct RowsAt : Instant {
  const double* q;
  const State& state;
  const Poses& poses;
  std::span<const RowInfo> rows;

  [[nodiscard]] bool of_the_state() const { return q == state.q.data(); }
};

/// A coordinate with a given motion b(t): eliminated, its multiplier recovered as a reaction.
struct HeldCoordinate {
  int coordinate;
  Signal value;
  ErrorObject owner;  ///< "the pin at node 0 of cable 'tether'"
};

/// A position row in a step: Phi + offset + compliance lambda = 0.
struct Yield {
  double compliance, offset;  ///< [m/N], [m]
};
/// What damping, unless null, makes of a row.
inline Yield yield_of(const RowInfo& info, size_t row, const Instant& now, double off_drums,
                      const ViscousTerms* viscous) {
  const double eps = info.compliance_at(now, off_drums);
  if (!viscous) return {eps, 0};
  return {eps / viscous->row_factor[row], viscous->row_offset[row] / viscous->row_factor[row]};
}

/// A step that has been taken.
struct TakenStep {
  const RowValues& values;  ///< as last evaluated
  std::span<const RowInfo> rows;
  const double* correction;     ///< of the coordinates since then
  Instant now;                  ///< its end
  const double* lambda;         ///< by row
  const double* mean;           ///< by row: force over the step [N]
  const ViscousTerms* viscous;  ///< null: nothing damps
  std::vector<int>& activity;   ///< as State::activity
  /// What a row changes by in the correction.
  [[nodiscard]] double change(int row) const {
    const RowInfo& info = rows[static_cast<size_t>(row)];
    const double* g = values.G.data() + info.first_entry;
    double sum = 0;
    for (const int c : info.coordinates) sum += *g++ * correction[c];
    return sum;
  }
};

class Constraint {
 public:
  virtual ~Constraint() = default;
  /// The same with scratch of its own; `pairs` as in the matrix.
  [[nodiscard]] virtual std::unique_ptr<Constraint> copy(const NodePairs& pairs) const = 0;
  /// Once, before the first evaluation: the rows of the model, its own among them.
  virtual void prepare(std::span<const RowInfo> /*rows*/) {}
  /// Calls use(signal) for all functions of time in it.
  virtual void visit_signals(const std::function<void(const Signal&)>& /*use*/) const {}
  /// The first time after another at which its forces jump, beside the kinks of its signals;
  /// infinity: none is known.
  [[nodiscard]] virtual double jump_after(const State& /*state*/, double /*time*/) const {
    return HUGE_VAL;
  }
  /// Coordinates that it prescribes.
  [[nodiscard]] virtual std::span<const HeldCoordinate> held() const { return {}; }
  /// False, with RowValues::fault set, where the rows have no value.
  virtual bool evaluate(const RowsAt& at, RowValues& out) = 0;
  /// Adds weight * sum lambda Phi_qq to the matrix; lambda by row. Of the last evaluation.
  virtual void add_curvature(const double* /*q*/, const Poses& /*poses*/, const double* /*lambda*/,
                             double /*weight*/, const MatrixSink& /*sink*/) const {}
  /// What it keeps in a state that begins, from the last evaluation.
  virtual void start(const RowValues& /*values*/, State& /*state*/) const {}
  /// What it keeps in the state at the end of a step, whose angles (State::wrap) are those of the
  /// last evaluation; returns the work of friction [J].
  virtual double accept(const TakenStep& /*step*/, State& /*state*/) const { return 0; }
  /// Largest angle by which a small motion d turns a part of it [rad].
  [[nodiscard]] virtual double turned(const double* /*d*/) const { return 0; }
  /// How far apart it lets the things be that it connects, under a force [m].
  [[nodiscard]] virtual double reach(double /*force*/) const { return 0; }
  /// How long it takes until a part of it is used up, at the velocities of a state; infinity: there
  /// is none, 0: one is. Steps do not go further than half of the way there.
  [[nodiscard]] virtual double time_left(const State& /*state*/) const { return HUGE_VAL; }
  /// What ends within h at q and the velocities v, seen from the last evaluation; empty: nothing.
  [[nodiscard]] virtual std::string ending(const double* /*q*/, const double* /*v*/, double /*h*/,
                                           const Poses& /*poses*/) const {
    return {};
  }

 protected:
  struct Slipped {
    double flow;  ///< of unstretched cable, from the run before to the one after [m]
    double work;  ///< of friction [J]
  };
  /// A cable that slips between the runs of two rows (RubInfo) leaves the one before at its own
  /// tension. `arrived`: what has come into that run at its other end [m]. `slips`: its activity, 0
  /// where the slip has come to an end. `lengths`: of both runs, unstretched.
  static Slipped slip_between(const TakenStep& step, int before, int after, double arrived,
                              int& slips, double* lengths);
  /// The place of two nodes among the pairs; -1: they are not there, or one is the ground.
  static int pair_of(const NodePairs& pairs, int a, int b);
  /// The curvature of a row over nodes a and b (-1: the ground).
  static void add_blocks(int a, int b, int pair, const PartCurvature& k, const MatrixSink& sink);
};

}  // namespace hawser
