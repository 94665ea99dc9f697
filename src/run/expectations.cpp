#include "run/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "run/compile.h"

namespace hawser {

Expectations::Expectations(const SceneFile& file, const Model& model)
    : slack_(file.solve.error_control ? 0 : file.solve.step / 2) {
  for (size_t i = 0; i < file.expect.size(); ++i)
    with_source(file, fmt::format("expect[{}]", i), [&] {
      const Expectation& e = file.expect[i];
      channels_.emplace_back(model, file.supports, std::vector<std::string>{e.channel});
      const std::vector<Column>& columns = channels_.back().columns();
      if (columns.size() != 1)
        throw Error(fmt::format("expectation '{}', channel '{}'", e.name, e.channel),
                    fmt::format("{} columns", columns.size()), "one",
                    fmt::format("Name one of them, such as '{}'.", columns.front().name));
      ExpectationReport report;
      report.expected = e;
      report.unit = columns.front().unit;
      reports_.push_back(report);
    });
  find_next();
}

void Expectations::restore(const std::vector<ExpectationReport>& reports) {
  assert(reports.size() == reports_.size());
  reports_ = reports;
  find_next();
}

void Expectations::find_next() {
  next_ = std::numeric_limits<double>::infinity();
  for (const ExpectationReport& r : reports_)
    if (!r.reached && r.expected.time >= 0) next_ = std::min(next_, r.expected.time);
}

double Expectations::next_time() const { return next_; }

void Expectations::measure(size_t i, const State& state) {
  ExpectationReport& r = reports_[i];
  channels_[i].sample(state, {&r.measured, 1});
  r.reached = true;
  r.met = std::abs(r.measured - r.expected.value) <= r.expected.within;  // false for NaN
}

void Expectations::look(const State& state) {
  if (state.t < next_ - slack_) return;
  for (size_t i = 0; i < reports_.size(); ++i) {
    const ExpectationReport& r = reports_[i];
    if (!r.reached && r.expected.time >= 0 && state.t >= r.expected.time - slack_)
      measure(i, state);
  }
  find_next();
}

void Expectations::finish(const State& state) {
  for (size_t i = 0; i < reports_.size(); ++i)
    if (reports_[i].expected.time < 0) measure(i, state);
}

}  // namespace hawser
