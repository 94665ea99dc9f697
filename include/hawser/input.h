// Inputs: named values of a scene that are set while it runs, and the instants at which functions
// of time and inputs are evaluated.
#pragma once

#include <span>

namespace hawser {

/// A function of time at one instant.
struct SignalSample {
  double value;         ///< f(t)
  double rate;          ///< f'(t)  [1/s]
  double acceleration;  ///< f''(t) [1/s^2]
};

/// How an input moves after it was set. Without smoothing its value is the setting u. With a
/// smoothing time T it follows u through the critically damped filter
///
///     (1 + T/3 d/dt)^3 x = u,
///
/// so that value, rate and acceleration are continuous whenever it is set. The filter has a closed
/// form between settings: with w = 3/T, e = x - u and the time s since the setting,
///
///     e(s) = exp(-w s) (c0 + c1 s + c2 s^2),
///     c0 = e(0),  c1 = e'(0) + w c0,  c2 = (e''(0) + 2 w c1 - w^2 c0)/2.
///
/// Its impulse response is positive: the value stays within the range of the settings. A steadily
/// changing setting is followed with a lag of T; a step is followed to 58 % after T, 94 % after 2 T
/// and 99.4 % after 3 T.
struct InputMotion {
  double since = 0;         ///< when it was last set [s]
  double setting = 0;       ///< u [SI]
  double smoothing = 0;     ///< T [s]; 0: none
  double value = 0;         ///< x at `since` [SI]
  double rate = 0;          ///< x' at `since`
  double acceleration = 0;  ///< x'' at `since`

  /// An input that has always had this value.
  static InputMotion at_rest(double value, double smoothing = 0) {
    return {0, value, smoothing, value, 0, 0};
  }
  /// At a time not before `since`.
  [[nodiscard]] SignalSample at(double t) const;
  /// Sets it at a time not before `since`.
  void set(double t, double new_setting);
};

/// When a function of time is evaluated, and the inputs it may use.
struct Instant {
  double t;                             ///< [s]
  std::span<const InputMotion> inputs;  ///< in the order of Scene::inputs
};

}  // namespace hawser
