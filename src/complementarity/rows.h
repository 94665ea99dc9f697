// The rows of constraints in a step: which of them act, how they are discretized, and what their
// multipliers come to.
//
// A position row is met at the end of the step, Phi(q*) + G cq x + eps lambda = 0, a velocity row
// as G (v* + cv x) + Phi_t + xi lambda = 0; x is the correction of the acceleration. Lacoursiere's
// form of a position row (Spook) filters its error instead, with the damping time tau:
//
//     G v+ + Sigma h lambda = -(4/h) U Phi_n + U (G v- - D) + D,     D = -(change of Phi by time)/h
//     Sigma = 4 eps/(h^2 (1 + 4 tau/h)),   U = 1/(1 + 4 tau/h)
//
// One-sided rows push, lambda >= 0, or are switched off: they are tried until all signs agree. A
// cable that rubs over a stop sticks there, each side with a tension of its own, as long as their
// ratio is below e^(mu angle); else it slips and one row holds both sides, whose tensions keep that
// ratio: a change of rank one of the symmetric matrix, met by one more solve. Cable with mass that
// runs faster than its waves, T < m v^2, presses outwards, on the other side of an eyelet: its
// multipliers T - m v^2 are below zero, and friction makes them smaller on the way.
//
// A limited row (a brake, a motor of limited torque) holds its rate as long as |lambda| is within
// its limit. Beyond it slips: lambda is the limit, against the motion, until that comes to an end.
// At a stop that acts on the same coordinate, which has no freedom left, the stop holds alone and
// lambda is 0.
#pragma once

#include <vector>

#include "assembly/constraint_set.h"
#include "hawser/options.h"
#include "linear/linear_solver.h"
#include "schemes/scheme.h"
#include "terms/viscous_terms.h"

namespace hawser {

class Rows {
 public:
  explicit Rows(const ModelData& model);

  [[nodiscard]] bool any() const { return !model_.rows.empty(); }
  [[nodiscard]] size_t size() const { return model_.rows.size(); }
  /// G does not depend on q in any of them: a factorization serves as long as without them.
  [[nodiscard]] bool constant() const { return constant_; }
  /// Rows that may be switched, by the sign of their force or by friction.
  [[nodiscard]] bool switching() const { return switching_; }

  ConstraintSet set;
  std::vector<int> activity;              ///< as State::activity, during a step
  std::vector<double> lambda;             ///< by row, as last solved
  const ViscousTerms* viscous = nullptr;  ///< what damping makes of cables; null: nothing

  /// A step begins: what acts is what acted.
  void begin(const State& state);
  /// Compliance of a row [m/N].
  [[nodiscard]] double compliance(size_t row, const Instant& now) const {
    return facts_[row].steady ? facts_[row].compliance
                              : model_.rows[row].compliance_at(now, set.off_drums[row]);
  }
  /// True where a row holds a position and its G depends on q.
  [[nodiscard]] bool yields(size_t row) const {
    return !facts_[row].velocity && !facts_[row].constant;
  }
  /// True where a row holds a position.
  [[nodiscard]] bool holds_position(size_t row) const { return !facts_[row].velocity; }
  /// False where a row holds a position exactly, in both directions and at all times.
  [[nodiscard]] bool can_move(size_t row) const {
    const Fact& fact = facts_[row];
    return fact.velocity || fact.one_sided || fact.limit >= 0 || !fact.steady ||
           (!fact.constant && fact.compliance > 0);
  }
  /// True where a row yields to nothing: it holds a position or a rate exactly.
  [[nodiscard]] bool rigid(size_t row, const Instant& now) const;

  /// True where a cable sticks that slipped at the state, or slips that stuck or slipped the other
  /// way.
  [[nodiscard]] bool rubs_switched(const State& state) const;
  /// True where a drive that slips acts.
  [[nodiscard]] bool slipping(const std::vector<int>& acting, const Instant& now) const;

  /// How a row enters the system: G x - E mu = c, with mu = -lambda.
  struct Entry {
    bool on = false;
    double E = 1, c = 0;
  };
  std::vector<Entry> plan;

  /// The step under way leaves this share of the errors of rigid positions, as last evaluated, to
  /// the steps after it: a very short one that put them right at once would throw what they hold.
  void keep_errors(double share, const Instant& now);
  /// What a row stands for acts as it does.
  void follow_masters();
  /// Forces of slipping sides in the ratio they must have.
  void align(double* carried);
  /// `carried`: force already in the right-hand side, by row (lambda).
  void plan_step(const SchemeWeights& w, const Instant& end, const double* v_base,
                 const double* carried);
  void plan_spook(const SolveOptions& options, const State& state, double h, const double* v_back,
                  const double* v_base);
  /// Baumgarte's feedback of rows with a constant G: their accelerations are what it asks of the
  /// errors that note_start() has found.
  void note_start(const State& state);
  void plan_feedback(const SolveOptions& options, const SchemeWeights& w, const State& state,
                     const double* a_base);
  /// Rates: G dv = -(G v + Phi_t) for rigid rows. `slipping`: by row, force with which rows that
  /// slip start, or null.
  void plan_velocities(const State& state, const double* slipping);
  /// Accelerations: G a = -second rate, as found, for rigid rows; lambda becomes the force of the
  /// others, which follows from where they are.
  void plan_accelerations(const State& state);
  /// Finds the second rates of all rows at a state, without G a: the rate of G v + Phi_t along the
  /// motion. Functions of time count with their rates of rate_time, rates that jump with those
  /// after it; the rest is a difference. Leaves the rows evaluated at the state, and limited ones
  /// that move slipping.
  void find_second_rates(const State& state, double rate_time);
  /// Of a group, as last found.
  [[nodiscard]] double second_rate(size_t master) const;

  /// The plan into the solver's rows.
  void write(const MatrixSink& sink) const;
  /// The plan into the right-hand side.
  void fill(double* c) const;
  /// After a solve: the change of rank one of slipping cables. Solves again as often as needed.
  void slip(LinearSolver& solver, std::vector<double>& x);
  /// lambda from the solution's multipliers; those of the members of a group from their master.
  void take(const double* mu, const double* carried);
  /// Switches what disagrees with the solution x of a step that ends then; false when all agrees.
  bool switch_rows(const SchemeWeights& w, const Instant& end, const double* x);
  /// The same for accelerations, which know the signs of forces only.
  bool switch_forces();
  /// One-sided rows stay as they are; what rubs may still slip.
  bool held = false;
  /// Nothing moves: limited rows hold, whatever the force.
  bool at_rest = false;

  /// A row or the group that it stands for, at the last evaluation, with velocities v.
  struct Stretch {
    double phi, rate;   ///< Phi [m], its rate [m/s]
    double compliance;  ///< [m/N]
    double yields;      ///< the same in the step under way, where damping stiffens [m/N]; slip of
                        ///< what has a rate [m/(s N)]
    double rest;        ///< stretch at which what is damped pulls with nothing [m]
  };
  [[nodiscard]] Stretch stretch(size_t master, const double* v, const Instant& now) const;
  /// Rate by which a row stretches with velocities v, of what slips its share of that of the group
  /// [m/s].
  [[nodiscard]] double stretch_rate(size_t row, const double* v, const Instant& now) const;
  /// G^T of a group with the ratios of its forces, added to out; what G of the group makes of v.
  void add_direction(size_t master, double* out) const;
  [[nodiscard]] double along(size_t master, const double* v) const;
  [[nodiscard]] bool is_master(size_t row) const { return master_[row] == static_cast<int>(row); }

  /// The new values into the state: twist, lengths, angles, activity. `correction` since the last
  /// evaluation; `mean` by row: force over the step [N]. Returns the work of friction [J].
  double accept(State& state, const double* correction, const double* mean);
  /// The force of spook is a mean over the ends of two steps: rows that it does not damp get that
  /// of their stretch, so that forces and energies are those of the state's time.
  void take_forces_of_stretch(const SolveOptions& options, State& state, double h);

 private:
  /// Calls use(row) for a row and those that it stands for.
  template <class Use>
  void for_group(size_t master, const Use& use) const {
    for (int member = static_cast<int>(master); member >= 0;
         member = next_[static_cast<size_t>(member)])
      use(static_cast<size_t>(member));
  }
  [[nodiscard]] Yield yield(size_t row, const Instant& now) const;
  [[nodiscard]] double spook_damping(const SolveOptions& options, const State& state, size_t row,
                                     double h) const;
  /// Stretch at which a damped row pulls with nothing: what is left of its past [m].
  [[nodiscard]] double rest(size_t row) const;
  void merge_groups();
  bool flip(size_t at, int to);
  bool switch_rubs();
  bool stick_rubs(double cq, const Instant& end, const double* x);
  bool switch_limits(double cr, const double* x);
  /// True where a limited row does not hold; its force then [N, N m].
  [[nodiscard]] bool slips(size_t row) const;
  [[nodiscard]] bool at_stop(size_t row) const;
  [[nodiscard]] double slipping_force(size_t row) const;
  void find_slips(const State& state);
  /// Of a limited row, in `activity`: 0 while it holds, else the sign of its force.
  [[nodiscard]] size_t limit_at(size_t row) const {
    return size() + model_.rubs.size() + static_cast<size_t>(facts_[row].limit);
  }

  const ModelData& model_;
  /// Of RowInfo, side by side: loops over all rows read little else.
  struct Fact {
    double compliance;  ///< while `steady` [m/N]
    bool velocity, constant, one_sided;
    bool steady;  ///< its compliance does not change
    bool plain;   ///< holds a position exactly, by a G that depends on q
    int limit;    ///< of a limited row: which one; else -1
  };
  std::vector<Fact> facts_;
  bool switching_ = false, rubbing_ = false, constant_ = true;
  bool merged_ = false;                                        ///< groups have been found
  std::vector<double> start_phi_, start_rate_, start_second_;  ///< by row, as the step began
  std::vector<double> second_;                                 ///< by row: second rates
  std::vector<double> ahead_;                                  ///< by coordinate: scratch
  std::vector<double> kept_;  ///< by row: error that the step leaves [m]
  /// By row: G x below which it would push if it acted. Spook takes the stretch as a mean over the
  /// ends of two steps, and a row of it that begins to act as soon as it is shorter than nothing at
  /// the end of one would pull first; of other methods' rows nothing is asked.
  std::vector<double> wanted_;
  std::vector<double> limited_rate_;  ///< by limited row: its rate where the step is planned
  std::vector<double> ratio_;         ///< by row: its lambda over its master's
  std::vector<int> master_;           ///< by row: itself, or the row that stands for it
  std::vector<int> next_;             ///< by row: the next that its master stands for, or -1
  std::vector<int> flips_;            ///< by row and rub, in this step
  struct Slip {
    int row;                ///< the master of a group
    std::vector<double> z;  ///< solution for its change of rank one
  };
  std::vector<Slip> slips_;
};

}  // namespace hawser
