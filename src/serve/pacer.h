// Simulated time abreast of wall time.
#pragma once

namespace hawser {

class Pacer {
 public:
  /// From now on, at a speed: simulated time / wall time.
  void start(double wall, double t, double speed) {
    wall_ = measured_wall_ = wall;
    t_ = measured_t_ = t;
    speed_ = speed;
    factor_ = 0;
    behind_ = false;
  }
  /// Simulated time that should be reached [s].
  [[nodiscard]] double due(double wall) const { return t_ + speed_ * (wall - wall_); }
  /// Wall time at which a simulated time is due [s].
  [[nodiscard]] double wall_of(double t) const { return wall_ + (t - t_) / speed_; }
  /// The simulation has come to t. What it is behind by more than a quarter of a second is given
  /// up.
  void reached(double wall, double t) {
    constexpr double slack = 0.25;  // of wall time [s]
    if (wall - wall_of(t) > slack) {
      behind_ = true;
      wall_ = wall;
      t_ = t;
    }
    if (wall - measured_wall_ < 1) return;
    factor_ = (t - measured_t_) / (wall - measured_wall_);
    if (!(factor_ < 0.95 * speed_)) behind_ = false;
    measured_wall_ = wall;
    measured_t_ = t;
  }
  /// Simulated time / wall time over the last whole second; 0: not measured yet.
  [[nodiscard]] double factor() const { return factor_; }
  [[nodiscard]] bool keeps_up() const { return !behind_; }
  [[nodiscard]] double speed() const { return speed_; }

 private:
  double wall_ = 0, t_ = 0, speed_ = 1;
  double measured_wall_ = 0, measured_t_ = 0, factor_ = 0;
  bool behind_ = false;
};

}  // namespace hawser
