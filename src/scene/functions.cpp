// Functions of time written as maps, and the text that reads back.
#include <algorithm>
#include <cmath>

#include "scene/object_reader.h"
#include "scene/writer.h"

namespace hawser {
namespace {

/// Reads a function's fields, makes the function and writes it back.
template <class Text, class Make>
void read_as(ReadContext& c, Found f, Given<TimeFunction>& out, Text text, const Make& make) {
  const size_t before = c.problems.count();
  read_object(c, f, text);
  if (c.problems.count() > before) return;
  TimeFunction function = make(text);
  const std::string fault = function.along ? function.along.fault() : function.signal.fault();
  if (!fault.empty()) {
    c.problems.add(f.node.at, f.path, fault,
                   function.along ? "a valid function of s" : "a valid function of time");
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
  const auto& [rows, values] = *table.table;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  double beyond = 0.05 * (*high - *low), worst = 0, at = 0;
  for (size_t i = 1; i < rows.size(); ++i)
    for (int k = 1; k < looks; ++k) {
      const double x = rows[i - 1] + (rows[i] - rows[i - 1]) * k / looks;
      const double value = signal.at({x, {}}).value, off = std::max(value - *high, *low - value);
      if (off <= beyond) continue;
      beyond = off, worst = value, at = x;
    }
  if (at == 0) return;
  c.warnings.push_back(fmt::format(
      "{}: the smooth curve overshoots its table, to {} at {} = {:.4g} {}. Add rows where it "
      "should be flat, or use `interpolation: linear`",
      f.path, quantity_text(std::round(worst * 1e4) / 1e4, table.type.unit),
      *table.over == Over::time ? "t" : "s", at, *table.over == Over::time ? "s" : "m"));
}

TimeFunction table_function(ReadContext& c, Found f, const TableText& text) {
  const auto& [rows, values] = *text.table;
  TimeFunction out;
  out.signal = Signal::table(rows, values, *text.interpolation);
  warn_of_overshoot(c, f, text, out.signal);
  if (*text.over == Over::arc_length) {
    out.along = Profile::table(rows, values, *text.interpolation);
    out.signal = 0.0;
  }
  return out;
}

/// Whether the first row of a table starts with a length.
bool starts_with_length(const ReadContext& c, const Node& table) {
  if (table.kind != Node::Kind::list || table.items.empty()) return false;
  const Node& row = table.items.front();
  if (row.kind != Node::Kind::list || row.items.empty()) return false;
  try {
    const Expression e = Expression::parse(row.items.front().text, c.variables, false, c.symbols);
    return same_kind(e.dimension(), quantity::length.dimension);
  } catch (const ExpressionError&) {
    return false;  // its own problem is told when it is read
  }
}

}  // namespace

void read_function_map(ReadContext& c, Found f, Given<TimeFunction>& out,
                       const FunctionKind& kind) {
  const auto has = [&](const char* key) { return f.node.find(key) != nullptr; };
  if (has("sine"))
    read_as(c, f, out, SineText{kind.type, {}, {}}, [](const SineText& s) {
      return TimeFunction{Signal::sine(*s.sine, *s.frequency, *s.phase, *s.offset), {}};
    });
  else if (has("smooth"))
    read_as(c, f, out, SmoothText{kind.type, {}, {}, {}}, [](const SmoothText& s) {
      return TimeFunction{Signal::smooth((*s.smooth)[0], (*s.smooth)[1], *s.from, *s.to), {}};
    });
  else if (has("ramp"))
    read_as(c, f, out, RampText{kind.type, {}, {}, {}}, [](const RampText& s) {
      return TimeFunction{Signal::ramp((*s.ramp)[0], (*s.ramp)[1], *s.from, *s.to), {}};
    });
  else if (kind.along && !has("over") && has("table") &&
           starts_with_length(c, *f.node.find("table")))
    c.problems.add(f.node.at, f.path, "a table whose rows start with a length",
                   "`over: s` for a table over the arc length",
                   "Write {over: s, table: [[0 m, ...], ...]}.");
  else if (has("table"))
    read_as(c, f, out, TableText{kind.type, kind.along},
            [&](const TableText& s) { return table_function(c, f, s); });
  else
    c.problems.add(f.node.at, f.path, f.node.described() + " without sine, smooth, ramp or table",
                   "a function of time, such as {sine: 1 m, frequency: 2 Hz}");
}

}  // namespace hawser
