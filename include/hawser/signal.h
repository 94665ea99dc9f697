// Functions of time, for prescribed motions and for the strength of loads.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace hawser {

/// How a table is read between its points.
enum class Interpolation {
  linear,  ///< straight lines: the rate jumps at every point
  smooth   ///< a cubic spline: rate and acceleration are continuous, and the rate is 0 at both ends
};

/// A function of time with its first two rates. At a kink the value after it is given.
class Signal {
 public:
  struct Sample {
    double value;         ///< f(t)
    double rate;          ///< f'(t)  [1/s]
    double acceleration;  ///< f''(t) [1/s^2]
  };

  /// The same value for all time.
  Signal(double value = 0.0);  // NOLINT(google-explicit-constructor): a number is a signal
  /// `from` until t0, a straight line to `to` at t1, `to` afterwards. Its rate jumps at t0 and t1.
  static Signal ramp(double from, double to, double t0, double t1);
  /// The same with a quintic between: rate and acceleration are continuous.
  static Signal smooth(double from, double to, double t0, double t1);
  /// offset + amplitude sin(2 pi frequency t + phase); frequency [Hz], phase [rad].
  static Signal sine(double amplitude, double frequency, double phase = 0.0, double offset = 0.0);
  /// Through the points (times[i], values[i]); times increase; constant outside.
  static Signal table(std::vector<double> times, std::vector<double> values,
                      Interpolation between = Interpolation::linear);
  /// Any function; `kinks` are the times at which its rate jumps.
  static Signal function(std::function<Sample(double)> f, std::vector<double> kinks = {});

  // Defined in one place: copying the parameters is much code, which every description has inside.
  Signal(const Signal& other);
  Signal(Signal&& other) noexcept;
  Signal& operator=(const Signal& other);
  Signal& operator=(Signal&& other) noexcept;
  ~Signal();

  [[nodiscard]] Sample at(double t) const;
  [[nodiscard]] bool is_constant() const;
  /// Times at which the rate jumps, increasing.
  [[nodiscard]] const std::vector<double>& kinks() const { return kinks_; }
  /// True when both are the same function by construction (custom functions never are).
  [[nodiscard]] bool same_as(const Signal& other) const;
  /// Empty when every parameter is finite and in order, else what is wrong.
  [[nodiscard]] std::string fault() const;

 private:
  struct Constant {
    double value;
    bool operator==(const Constant&) const = default;
  };
  struct Step {  // from -> to over [t0, t1]; straight or quintic
    double from, to, t0, t1;
    bool smooth;
    bool operator==(const Step&) const = default;
  };
  struct Sine {
    double amplitude, omega, phase, offset;
    bool operator==(const Sine&) const = default;
  };
  struct Table {
    std::vector<double> times, values;
    std::vector<double> rates;  // of a smooth one, at its points; else empty
    bool operator==(const Table&) const = default;
  };
  struct Custom {
    std::function<Sample(double)> f;
    bool operator==(const Custom&) const { return false; }
  };
  using Kind = std::variant<Constant, Step, Sine, Table, Custom>;
  explicit Signal(Kind kind, std::vector<double> kinks = {});

  [[nodiscard]] static Sample sample(const Constant& s, double t);
  [[nodiscard]] static Sample sample(const Step& s, double t);
  [[nodiscard]] static Sample sample(const Sine& s, double t);
  [[nodiscard]] static Sample sample(const Table& s, double t);
  [[nodiscard]] static Sample sample(const Custom& s, double t);

  Kind kind_;
  std::vector<double> kinks_;
};

}  // namespace hawser
