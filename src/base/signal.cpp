#include "hawser/signal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hawser {

Signal::Signal(double value) : kind_(Constant{value}) {}
Signal::Signal(Kind kind, std::vector<double> kinks, std::vector<size_t> inputs)
    : kind_(std::move(kind)), kinks_(std::move(kinks)), inputs_(std::move(inputs)) {}

Signal::Signal(const Signal& other) = default;
Signal::Signal(Signal&& other) noexcept = default;
Signal& Signal::operator=(const Signal& other) = default;
Signal& Signal::operator=(Signal&& other) noexcept = default;
Signal::~Signal() = default;

Signal Signal::ramp(double from, double to, double t0, double t1) {
  return Signal(Step{from, to, t0, t1, false}, {t0, t1});
}

Signal Signal::smooth(double from, double to, double t0, double t1) {
  return Signal(Step{from, to, t0, t1, true});
}

Signal Signal::sine(double amplitude, double frequency, double phase, double offset) {
  return Signal(Sine{amplitude, 2 * std::numbers::pi * frequency, phase, offset});
}

/// Rates at the points of the cubic spline with rate 0 at both ends (de Boor 1978, ch. IV, complete
/// spline): the second rate is continuous at point i where, with h and d the length and the mean
/// rate of the intervals before and after it,
///
///     r[i-1]/h_b + 2 (1/h_b + 1/h_a) r[i] + r[i+1]/h_a = 3 (d_b/h_b + d_a/h_a).
///
/// Diagonally dominant: elimination without pivoting is stable.
static std::vector<double> spline_rates(const std::vector<double>& t,
                                        const std::vector<double>& y) {
  std::vector<double> rates(t.size(), 0), upper(t.size(), 0);
  for (size_t i = 1; i + 1 < t.size(); ++i) {
    const double before = 1 / (t[i] - t[i - 1]), after = 1 / (t[i + 1] - t[i]);
    const double right =
        3 * ((y[i] - y[i - 1]) * before * before + (y[i + 1] - y[i]) * after * after);
    const double pivot = 2 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    rates[i] = (right - before * rates[i - 1]) / pivot;
  }
  for (size_t i = t.size() - 1; i-- > 1;) rates[i] -= upper[i] * rates[i + 1];
  return rates;
}

Signal Signal::table(std::vector<double> times, std::vector<double> values, Interpolation between) {
  if (between == Interpolation::linear) {
    std::vector<double> kinks = times;
    return Signal(Table{std::move(times), std::move(values), {}}, std::move(kinks));
  }
  Signal signal(Table{std::move(times), std::move(values), {}});
  if (signal.fault().empty()) {
    auto& points = std::get<Table>(signal.kind_);
    points.rates = spline_rates(points.times, points.values);
  }
  return signal;
}

Signal Signal::function(std::function<Sample(double)> f, std::vector<double> kinks) {
  if (!f) return of_inputs({}, {}, std::move(kinks));
  return of_inputs([f = std::move(f)](const Instant& now) { return f(now.t); }, {},
                   std::move(kinks));
}

Signal Signal::input(size_t index) { return Signal(Input{index}, {}, {index}); }

Signal Signal::of_inputs(std::function<Sample(const Instant&)> f, std::vector<size_t> inputs,
                         std::vector<double> kinks) {
  std::sort(kinks.begin(), kinks.end());
  return Signal(Custom{std::move(f)}, std::move(kinks), std::move(inputs));
}

Signal::Sample Signal::at(const Instant& now) const {
  return std::visit([&now](const auto& s) { return sample(s, now); }, kind_);
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
    if (s->times.size() != s->values.size()) return "different numbers of times and values";
    if (s->times.size() < 2) return "a table of fewer than two points";
    for (size_t i = 0; i < s->times.size(); ++i) {
      if (!finite({s->times[i], s->values[i]})) return "an entry that is not finite";
      if (i > 0 && !(s->times[i] > s->times[i - 1])) return "times that do not increase";
    }
  }
  if (const auto* s = std::get_if<Custom>(&kind_); s && !s->f) return "an empty function";
  return {};
}

Signal::Sample Signal::sample(const Constant& s, const Instant&) { return {s.value, 0, 0}; }

Signal::Sample Signal::sample(const Step& s, const Instant& now) {
  const double t = now.t;
  if (t < s.t0) return {s.from, 0, 0};
  if (t >= s.t1) return {s.to, 0, 0};
  const double T = s.t1 - s.t0, d = s.to - s.from, x = (t - s.t0) / T;
  if (!s.smooth) return {s.from + d * x, d / T, 0};
  return {s.from + d * x * x * x * (10 + x * (-15 + 6 * x)),
          d / T * 30 * x * x * (1 + x * (-2 + x)), d / (T * T) * 60 * x * (1 + x * (-3 + 2 * x))};
}

Signal::Sample Signal::sample(const Sine& s, const Instant& now) {
  const double t = now.t;
  const double c = std::cos(s.omega * t + s.phase), n = std::sin(s.omega * t + s.phase);
  return {s.offset + s.amplitude * n, s.amplitude * s.omega * c,
          -s.amplitude * s.omega * s.omega * n};
}

Signal::Sample Signal::sample(const Table& s, const Instant& now) {
  const double t = now.t;
  if (t < s.times.front()) return {s.values.front(), 0, 0};
  if (t >= s.times.back()) return {s.values.back(), 0, 0};
  const auto after = std::upper_bound(s.times.begin(), s.times.end(), t);
  const auto i = static_cast<size_t>(after - s.times.begin());
  const double h = s.times[i] - s.times[i - 1], u = t - s.times[i - 1];
  const double slope = (s.values[i] - s.values[i - 1]) / h;
  if (s.rates.empty()) return {s.values[i - 1] + slope * u, slope, 0};
  // Newton's form of the cubic with these values and rates: y + u (r + u (c2 + u c3))
  const double r = s.rates[i - 1], c3 = (r + s.rates[i] - 2 * slope) / (h * h);
  const double c2 = (slope - r) / h - c3 * h;
  return {s.values[i - 1] + u * (r + u * (c2 + u * c3)), r + u * (2 * c2 + 3 * u * c3),
          2 * c2 + 6 * u * c3};
}

Signal::Sample Signal::sample(const Custom& s, const Instant& now) { return s.f(now); }

Signal::Sample Signal::sample(const Input& s, const Instant& now) {
  return now.inputs[s.index].at(now.t);
}

}  // namespace hawser
