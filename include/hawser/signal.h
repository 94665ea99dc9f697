// Functions of time, and of inputs, for prescribed motions and loads.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "hawser/input.h"

namespace hawser {

/// Interpolation between the points of a table.
enum class Interpolation {
  linear,  ///< piecewise linear: the rate jumps at every point
  smooth   ///< cubic spline: rate and acceleration are continuous, the rate is 0 at both ends
};

/// A function of time, and possibly of inputs, with its first two derivatives. At a kink, values
/// are those after it.
class Signal {
 public:
  using Sample = SignalSample;

  /// Constant.
  Signal(double value = 0.0);  // NOLINT(google-explicit-constructor): a number is a signal
  /// `from` until t0, linear to `to` at t1, `to` afterwards. The rate jumps at t0 and t1.
  static Signal ramp(double from, double to, double t0, double t1);
  /// The same with a quintic transition: rate and acceleration are continuous.
  static Signal smooth(double from, double to, double t0, double t1);
  /// offset + amplitude sin(2 pi frequency t + phase); frequency [Hz], phase [rad].
  static Signal sine(double amplitude, double frequency, double phase = 0.0, double offset = 0.0);
  /// Interpolates (times[i], values[i]); times must increase; constant outside.
  static Signal table(std::vector<double> times, std::vector<double> values,
                      Interpolation between = Interpolation::linear);
  /// Any function; `kinks` are the times at which its rate jumps.
  static Signal function(std::function<Sample(double)> f, std::vector<double> kinks = {});
  /// The value of an input, by its index in Scene::inputs.
  static Signal input(size_t index);
  /// Any function of time and of the inputs listed, by their indices in Scene::inputs.
  static Signal of_inputs(std::function<Sample(const Instant&)> f, std::vector<size_t> inputs,
                          std::vector<double> kinks = {});

  // Defined in the source file: copying the parameters is much code, used by every description.
  Signal(const Signal& other);
  Signal(Signal&& other) noexcept;
  Signal& operator=(const Signal& other);
  Signal& operator=(Signal&& other) noexcept;
  ~Signal();

  [[nodiscard]] Sample at(const Instant& now) const;
  [[nodiscard]] bool is_constant() const;
  /// True if it is constant with this value.
  [[nodiscard]] bool is(double value) const { return same_as(Signal(value)); }
  /// Times at which the rate jumps, increasing. A setting of an input is not among them.
  [[nodiscard]] const std::vector<double>& kinks() const { return kinks_; }
  /// Indices of the inputs it uses.
  [[nodiscard]] const std::vector<size_t>& inputs() const { return inputs_; }
  /// True if both are the same function by construction (never for custom functions).
  [[nodiscard]] bool same_as(const Signal& other) const;
  /// Empty if every parameter is finite and valid, otherwise a description of the fault.
  [[nodiscard]] std::string fault() const;

 private:
  struct Constant {
    double value;
    bool operator==(const Constant&) const = default;
  };
  struct Step {  // from -> to over [t0, t1]; linear or quintic
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
    std::vector<double> rates;  // smooth: at the points; otherwise empty
    bool operator==(const Table&) const = default;
  };
  struct Custom {
    std::function<Sample(const Instant&)> f;
    bool operator==(const Custom&) const { return false; }
  };
  struct Input {
    size_t index;
    bool operator==(const Input&) const = default;
  };
  using Kind = std::variant<Constant, Step, Sine, Table, Custom, Input>;
  explicit Signal(Kind kind, std::vector<double> kinks = {}, std::vector<size_t> inputs = {});

  [[nodiscard]] static Sample sample(const Constant& s, const Instant& now);
  [[nodiscard]] static Sample sample(const Step& s, const Instant& now);
  [[nodiscard]] static Sample sample(const Sine& s, const Instant& now);
  [[nodiscard]] static Sample sample(const Table& s, const Instant& now);
  [[nodiscard]] static Sample sample(const Custom& s, const Instant& now);
  [[nodiscard]] static Sample sample(const Input& s, const Instant& now);

  Kind kind_;
  std::vector<double> kinks_;
  std::vector<size_t> inputs_;
};

}  // namespace hawser
