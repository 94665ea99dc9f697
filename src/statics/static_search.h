// The ways to a static equilibrium, each from the shape given.
#pragma once

#include <limits>
#include <vector>

#include "hawser/integrator.h"
#include "hawser/statics.h"
#include "sections/linear_elastic.h"
#include "statics/static_system.h"

namespace hawser {

/// A motion of the whole scene and what resists it.
struct StaticMode {
  std::vector<double> motion;  ///< by coordinate, of mass norm 1
  double stiffness = 0;        ///< x^T K x/x^T M x, the square of an angular frequency [1/s^2]
};

/// Bounds of the stiffness of cables while relaxing; none, as they stand here.
struct Softening {
  double lowest = 0, highest = std::numeric_limits<double>::infinity();  ///< of EA [N]

  /// EA of a cable; what keeps it from being crushed by its own bending is not taken away.
  [[nodiscard]] double of(const LinearElastic& law, double length) const;
};

class StaticSearch {
 public:
  StaticSearch(const ModelData& model, const State& from, const StaticOptions& options);

  /// Follows a way; the system is left where it led.
  StaticAttempt follow(StaticWay way);

  /// Moves the state as little as possible to where all rows are met, if there is such a place.
  void meet_rows();
  /// From the start to where it went when let go; empty where it did not move away without end.
  std::vector<double> away;
  /// Why motion led to no rest.
  std::string outcome;
  [[nodiscard]] double size() const { return size_; }
  /// At the state: the motions of least stiffness that count as none, or below. At most `most`.
  std::vector<StaticMode> weakest(size_t most);

  /// The model but for its stiffness while relaxing.
  ModelData model;
  StaticSystem system;

 private:
  enum class Ending { stable, unstable, unsettled };
  void newton(StaticAttempt& attempt);
  void continuation(StaticAttempt& attempt);
  void relaxation(StaticAttempt& attempt);

  bool newton_to(int iterations, double until, std::string& why);
  bool newton_step(std::string& why);
  bool aim(double& shift);
  bool aim(StaticTangent tangent, double& shift, int tries);

  /// The scene's own motion from the state (static_motion.cpp), with cables as soft as they are
  /// now, until nothing turns by more than `quiet` in the time sqrt(size/g) [rad] or moves by as
  /// much of the size. After a push its first steps are no longer than `step` [s]; 0: there was
  /// none.
  bool fall(double quiet, double step);
  bool take_round(Integrator& integrator, State& state);
  std::shared_ptr<const ModelData> let_go_model();
  [[nodiscard]] std::shared_ptr<const ModelData> as_soft(const ModelData& other) const;
  /// The start with slack cables as arcs (static_start.cpp).
  [[nodiscard]] State bowed() const;
  bool rest();
  bool stiffen();
  [[nodiscard]] Softening within(double factor) const;
  void soften(const Softening& by);
  [[nodiscard]] bool changes_anything(const Softening& by) const;
  [[nodiscard]] double load_sum() const;

  bool correct(double& shift);
  bool settle();
  bool settle_held();
  bool settle_as_is();
  void polish(double least, double shift);
  /// Newton's method to the end; where that is unstable `mode` says how, and it is pushed off.
  Ending end(StaticMode& mode);
  bool stand(double& shift);
  bool measure(double shift);
  bool find_unstable(StaticMode& out);
  void restart(const State& from);
  [[nodiscard]] double moved() const;
  [[nodiscard]] double reach() const;
  [[nodiscard]] double motion_of(const State& state) const;

  std::vector<ElementRun> runs_;  ///< as they are
  const StaticOptions options_;
  const State start_;
  int motion_steps_ = 0;  ///< taken by fall(), by this way
  double size_ = 1;       ///< of the scene [m]
  double usual_ = 1;      ///< a usual square of a frequency: weight over mass and size [1/s^2]
  double soft_ = 0;       ///< what counts as no stiffness [1/s^2]
  double shift_ = 0;      ///< the least that keeps the matrix regular [1/s^2]
  double turned_ = 0;     ///< by the last correction [rad]
  double share_ = 1;      ///< of it that was taken
  Softening softening_;   ///< of the model now
  State calm_;            ///< where motion led last
  State before_step_;     ///< of motion, where something may touch
};

}  // namespace hawser
