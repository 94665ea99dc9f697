#include "run/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "hawser/units.h"
#include "run/compile.h"

namespace hawser {

Expectations::Expectations(const SceneFile& file, const Model& model)
    : slack_(file.solve.error_control ? 0 : file.solve.step / 2) {
  LateErrors errors(file);
  for (const Expectation& e : file.expect)
    errors.attempt("expect." + e.name, [&] { add(e, model); });
  errors.throw_if_any();
  find_next();
}

void Expectations::add(const Expectation& e, const Model& model) {
  Channels channels(model, {e.channel});
  const std::vector<Column>& columns = channels.columns();
  const std::string where = fmt::format("expectation '{}', channel '{}'", e.name, e.channel);
  if (columns.size() != 1)
    throw Error(where, fmt::format("{} columns", columns.size()), "one",
                fmt::format("Use one of them, such as '{}'.", columns.front().name));
  const std::string unit = columns.front().unit;
  if (!e.unit.empty() && !same_kind(dimension_of(e.unit), dimension_of(unit)))
    throw Error(where, "a value in " + e.unit,
                unit.empty() ? "a pure number" : "a value in " + unit);
  ExpectationReport report;
  report.expected = e;
  report.unit = unit;
  reports_.push_back(report);
  channels_.push_back(std::move(channels));
}

void Expectations::change_mesh(const Model& model) {
  for (size_t i = 0; i < channels_.size(); ++i)
    channels_[i] = Channels(model, {reports_[i].expected.channel});
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
