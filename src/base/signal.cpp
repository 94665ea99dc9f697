#include "hawser/signal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hawser {

Signal::Signal(double value) : kind_(Constant{value}) {}
Signal::Signal(Kind kind, std::vector<double> kinks)
    : kind_(std::move(kind)), kinks_(std::move(kinks)) {}

Signal Signal::ramp(double from, double to, double t0, double t1) {
  return Signal(Step{from, to, t0, t1, false}, {t0, t1});
}

Signal Signal::smooth(double from, double to, double t0, double t1) {
  return Signal(Step{from, to, t0, t1, true});
}

Signal Signal::sine(double amplitude, double frequency, double phase, double offset) {
  return Signal(Sine{amplitude, 2 * std::numbers::pi * frequency, phase, offset});
}

Signal Signal::table(std::vector<double> times, std::vector<double> values) {
  std::vector<double> kinks = times;
  return Signal(Table{std::move(times), std::move(values)}, std::move(kinks));
}

Signal Signal::function(std::function<Sample(double)> f, std::vector<double> kinks) {
  std::sort(kinks.begin(), kinks.end());
  return Signal(Custom{std::move(f)}, std::move(kinks));
}

Signal::Sample Signal::at(double t) const {
  return std::visit([t](const auto& s) { return sample(s, t); }, kind_);
}

bool Signal::is_constant() const { return std::holds_alternative<Constant>(kind_); }

bool Signal::same_as(const Signal& other) const { return kind_ == other.kind_; }

std::string Signal::fault() const {
  const auto finite = [](std::initializer_list<double> values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  if (const auto* c = std::get_if<Constant>(&kind_); c && !finite({c->value}))
    return "a value that is not finite";
  if (const auto* s = std::get_if<Step>(&kind_)) {
    if (!finite({s->from, s->to, s->t0, s->t1})) return "a parameter that is not finite";
    if (!(s->t1 > s->t0)) return "an end time that is not after the start time";
  }
  if (const auto* s = std::get_if<Sine>(&kind_);
      s && !finite({s->amplitude, s->omega, s->phase, s->offset}))
    return "a parameter that is not finite";
  if (const auto* s = std::get_if<Table>(&kind_)) {
    if (s->times.size() != s->values.size()) return "as many times as values are needed";
    if (s->times.size() < 2) return "a table of fewer than two points";
    for (size_t i = 0; i < s->times.size(); ++i) {
      if (!finite({s->times[i], s->values[i]})) return "an entry that is not finite";
      if (i > 0 && !(s->times[i] > s->times[i - 1])) return "times that do not increase";
    }
  }
  if (const auto* s = std::get_if<Custom>(&kind_); s && !s->f) return "an empty function";
  return {};
}

Signal::Sample Signal::sample(const Constant& s, double) { return {s.value, 0, 0}; }

Signal::Sample Signal::sample(const Step& s, double t) {
  if (t < s.t0) return {s.from, 0, 0};
  if (t >= s.t1) return {s.to, 0, 0};
  const double T = s.t1 - s.t0, d = s.to - s.from, x = (t - s.t0) / T;
  if (!s.smooth) return {s.from + d * x, d / T, 0};
  return {s.from + d * x * x * x * (10 + x * (-15 + 6 * x)),
          d / T * 30 * x * x * (1 + x * (-2 + x)), d / (T * T) * 60 * x * (1 + x * (-3 + 2 * x))};
}

Signal::Sample Signal::sample(const Sine& s, double t) {
  const double c = std::cos(s.omega * t + s.phase), n = std::sin(s.omega * t + s.phase);
  return {s.offset + s.amplitude * n, s.amplitude * s.omega * c,
          -s.amplitude * s.omega * s.omega * n};
}

Signal::Sample Signal::sample(const Table& s, double t) {
  if (t < s.times.front()) return {s.values.front(), 0, 0};
  if (t >= s.times.back()) return {s.values.back(), 0, 0};
  const auto after = std::upper_bound(s.times.begin(), s.times.end(), t);
  const auto i = static_cast<size_t>(after - s.times.begin());
  const double slope = (s.values[i] - s.values[i - 1]) / (s.times[i] - s.times[i - 1]);
  return {s.values[i - 1] + slope * (t - s.times[i - 1]), slope, 0};
}

Signal::Sample Signal::sample(const Custom& s, double t) { return s.f(t); }

}  // namespace hawser
