// The ways to a static equilibrium, each from the shape given.
#pragma once

#include <vector>

#include "hawser/statics.h"
#include "integrate/static_system.h"

namespace hawser {

/// A motion of the whole scene and what resists it.
struct StaticMode {
  std::vector<double> motion;  ///< by coordinate, of mass norm 1
  double stiffness = 0;        ///< x^T K x/x^T M x, the square of an angular frequency [1/s^2]
};

class StaticSearch {
 public:
  StaticSearch(const ModelData& model, const State& from, const StaticOptions& options);

  /// Follows a way; the system is left where it led.
  StaticAttempt follow(StaticWay way);

  /// Where the forces pull what is not in balance: the system's correction. False: not to be had.
  bool pull();
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
  /// By the scene's own motion (static_motion.cpp); true when it led to a stable equilibrium.
  bool fall();
  bool newton_to(int iterations, double until, std::string& why);
  bool newton_step(std::string& why);
  bool relax_step(double& shift);
  bool meet_rows(double left);
  bool relax(double until, int most, std::string& why);
  enum class Softness { none, mild, slack };
  void soften(double most, Softness softness);
  [[nodiscard]] double load_sum() const;
  bool stiffen(double EA, double stiffest, int most, std::string& why);
  bool aim(double& shift);
  bool aim(StaticTangent tangent, double& shift, int tries);
  bool settle();
  void polish(double least, double shift);
  Ending end();
  bool stand(double& shift);
  bool find_unstable(StaticMode& out);
  void restart();
  [[nodiscard]] double moved() const;

  const std::vector<AncfBatch> batches_;  ///< as they are
  const StaticOptions options_;
  const State start_;
  const std::vector<double> axial_start_;
  int motion_steps_ = 0;    ///< taken by fall()
  double usual_ = 1;        ///< a usual square of a frequency: weight over mass and size [1/s^2]
  double soft_ = 0;         ///< what counts as no stiffness [1/s^2]
  double shift_ = 0;        ///< the least that keeps the matrix regular [1/s^2]
  double turned_ = 0;       ///< by the last correction [rad]
  double share_ = 1;        ///< of it that was taken
  double shift_taken_ = 0;  ///< in the last step of the relaxation [1/s^2]
};

}  // namespace hawser
