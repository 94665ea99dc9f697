// When frames are due.
#pragma once

namespace hawser {

class FrameClock {
 public:
  /// From now on, one frame in every interval [s].
  void set_interval(double interval) { interval_ = interval; }
  [[nodiscard]] bool due(double wall) const { return wall >= next_; }
  /// Wall time of the next frame [s].
  [[nodiscard]] double next() const { return next_; }
  /// A frame was made. That it was late does not delay the next one, unless it was late by more
  /// than an interval: frames that were missed are not made up for.
  void made(double wall) {
    next_ += interval_;
    if (next_ < wall) next_ = wall + interval_;
  }

 private:
  double interval_ = 0, next_ = 0;
};

}  // namespace hawser
