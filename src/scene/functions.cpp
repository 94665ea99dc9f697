// Functions of time written as maps, and the text that reads back.
#include <algorithm>

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
    c.problems.add(f.node.at, f.path, fault, "a sound function of time");
    return;
  }
  function.text = flow_text(text);
  out.value = std::move(function);
  out.at = f.node.at;
  out.given = true;
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
    read_as(c, f, out, TableText{kind.type, {}}, [](const TableText& s) {
      return Signal::table(s.table->times, s.table->values, *s.interpolation);
    });
  else
    c.problems.add(f.node.at, f.path, f.node.described() + " without sine, smooth, ramp or table",
                   "a function of time, such as {sine: 1 m, frequency: 2 Hz}");
}

}  // namespace hawser
