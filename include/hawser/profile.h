// Functions of the arc length along a cable, for distributed loads.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hawser/signal.h"

namespace hawser {

/// A function of the unstretched arc length s [m] whose value is a function of time.
class Profile {
 public:
  Profile() = default;  ///< none
  /// Any function that is smooth in s.
  template <std::invocable<double> F>
  Profile(F f)  // NOLINT(google-explicit-constructor): a function of s is a profile
      : f_(std::move(f)) {}
  /// Any function; `kinks` are the arc lengths at which it is not smooth, increasing.
  Profile(std::function<Signal(double)> f, std::vector<double> kinks)
      : f_(std::move(f)), kinks_(std::move(kinks)) {}
  /// Interpolates (arcs[i], values[i]) and is constant in time; arcs must increase and lie on the
  /// cable; constant before the first and after the last.
  static Profile table(std::vector<double> arcs, std::vector<double> values,
                       Interpolation between = Interpolation::linear);

  explicit operator bool() const { return static_cast<bool>(f_); }
  [[nodiscard]] Signal operator()(double s) const { return f_(s); }
  /// Arc lengths at which it is not smooth: those of a table. Integrals along a cable are divided
  /// there [m].
  [[nodiscard]] const std::vector<double>& kinks() const { return kinks_; }
  /// Empty if it is a valid function, otherwise a description of the fault.
  [[nodiscard]] const std::string& fault() const { return fault_; }

 private:
  std::function<Signal(double)> f_;
  std::vector<double> kinks_;
  std::string fault_;
};

}  // namespace hawser
