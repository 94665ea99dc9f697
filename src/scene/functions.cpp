// Functions of time written as maps, and the text that reads back.
#include <algorithm>
#include <cmath>

#include "scene/object_reader.h"
#include "scene/writer.h"

namespace hawser {
namespace {

/// Reads a function's fields, makes its signal and writes it back.
template <class Text, class Make>
void read_as(ReadContext& c, Found f, Given<TimeFunction>& out, Text text, const Make& make) {
  const size_t before = c.problems.count();
  read_object(c, f, text);
  if (c.problems.count() > before) return;
  TimeFunction function;
  function.signal = make(text);
  if (const std::string fault = function.signal.fault(); !fault.empty()) {
    c.problems.add(f.node.at, f.path, fault, "a valid function of time");
    return;
  }
  function.text = flow_text(text);
  out.value = std::move(function);
  out.at = f.node.at;
  out.given = true;
}

/// A spline through rows far apart swings far beyond them.
void warn_of_overshoot(ReadContext& c, Found f, const TableText& table, const Signal& signal) {
  if (*table.interpolation != Interpolation::smooth || !signal.fault().empty()) return;
  constexpr int looks = 16;  // between two rows
  const auto& [times, values] = *table.table;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  double beyond = 0.05 * (*high - *low), worst = 0, at = 0;
  for (size_t i = 1; i < times.size(); ++i)
    for (int k = 1; k < looks; ++k) {
      const double t = times[i - 1] + (times[i] - times[i - 1]) * k / looks;
      const double value = signal.at({t, {}}).value, off = std::max(value - *high, *low - value);
      if (off <= beyond) continue;
      beyond = off, worst = value, at = t;
    }
  if (at == 0) return;
  c.warnings.push_back(fmt::format(
      "{}: the smooth curve overshoots its table, to {} at t = {:.4g} s. Add rows where it should "
      "be flat, or use `interpolation: linear`",
      f.path, quantity_text(std::round(worst * 1e4) / 1e4, table.type.unit), at));
}

}  // namespace

void read_function_map(ReadContext& c, Found f, Given<TimeFunction>& out,
                       const FunctionKind& kind) {
  const auto has = [&](const char* key) { return f.node.find(key) != nullptr; };
  if (has("sine"))
    read_as(c, f, out, SineText{kind.type, {}, {}}, [](const SineText& s) {
      return Signal::sine(*s.sine, *s.frequency, *s.phase, *s.offset);
    });
  else if (has("smooth"))
    read_as(c, f, out, SmoothText{kind.type, {}, {}, {}}, [](const SmoothText& s) {
      return Signal::smooth((*s.smooth)[0], (*s.smooth)[1], *s.from, *s.to);
    });
  else if (has("ramp"))
    read_as(c, f, out, RampText{kind.type, {}, {}, {}}, [](const RampText& s) {
      return Signal::ramp((*s.ramp)[0], (*s.ramp)[1], *s.from, *s.to);
    });
  else if (has("table"))
    read_as(c, f, out, TableText{kind.type, {}}, [&](const TableText& s) {
      Signal signal = Signal::table(s.table->times, s.table->values, *s.interpolation);
      warn_of_overshoot(c, f, s, signal);
      return signal;
    });
  else
    c.problems.add(f.node.at, f.path, f.node.described() + " without sine, smooth, ramp or table",
                   "a function of time, such as {sine: 1 m, frequency: 2 Hz}");
}

}  // namespace hawser
