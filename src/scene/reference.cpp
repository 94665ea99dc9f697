// The visitor that describes to people: every field as a page of Markdown.
#include <fmt/format.h>

#include "hawser/scene_file.h"
#include "scene/writer.h"

namespace hawser {
namespace {

std::string with_unit(const QuantityType& t) {
  return *t.unit ? fmt::format("{} [{}]", t.name, t.unit) : std::string(t.name);
}

std::string with_sign(const QuantityType& t, Sign s) {
  const char* sign = s == Sign::positive       ? ", above 0"
                     : s == Sign::not_negative ? ", 0 or more"
                                               : "";
  return with_unit(t) + sign;
}

std::string kind_text(const QuantityKind& k) { return with_sign(k.type, k.sign); }
std::string kind_text(const FreeQuantityKind&) { return "quantity"; }
std::string kind_text(const CountKind& k) {
  return fmt::format("whole number, {} to {}", k.smallest, k.largest);
}
std::string kind_text(const FlagKind&) { return "true or false"; }
std::string kind_text(const TextKind&) { return "text"; }
std::string kind_text(const NameKind& k) { return fmt::format("name of `{}`", k.group); }
std::string kind_text(const LibraryKind&) { return "name in the section library"; }
template <class E>
std::string kind_text(const WordKind<E>& kind) {
  std::string out;
  for (const auto& w : kind.words)
    out += fmt::format("{}`{}` ({})", out.empty() ? "" : "; ", w.word, w.help);
  return out;
}
std::string kind_text(const VectorKind& k) {
  return "[x, y, z], each: " + with_sign(k.type, k.sign);
}
std::string kind_text(const DirectionKind&) { return "`x`, `y`, `z` or a vector"; }
std::string kind_text(const PairKind& k) {
  return fmt::format("[{}, {}], each: {}", k.first, k.second, with_sign(k.type, k.sign));
}
std::string kind_text(const CountPairKind& k) {
  return fmt::format("two whole numbers, {} to {}", k.smallest, k.largest);
}
std::string kind_text(const TensorKind& k) {
  return "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz], each: " + with_unit(k.type);
}
std::string kind_text(const QuaternionKind&) { return "[w, x, y, z]"; }
std::string kind_text(const PointsKind&) { return "names with [x, y, z], each: length [m]"; }
std::string kind_text(const SettlingKind&) { return "time [s], 0 or more, or `automatic`"; }
std::string kind_text(const MemoryKind&) { return "time [s] above 0, or `full`"; }
std::string kind_text(const OrderKind&) { return "number between 0 and 1"; }
std::string kind_text(const LengthKind&) { return "length [m] above 0, or `straight`"; }
std::string kind_text(const FunctionKind& k) { return "function of time: " + with_unit(k.type); }
std::string kind_text(const VectorFunctionKind& k) {
  return fmt::format("[x, y, z], each a function of time{}: {}", k.along ? " and `s`" : "",
                     with_unit(k.type));
}
std::string kind_text(const TableKind&) { return "rows, or a file name"; }
std::string kind_text(const MeshKind&) { return "file name, or points and faces"; }
std::string kind_text(const FrameKind&) { return "support, body or frame of a body"; }
std::string kind_text(const FramePairKind&) { return "two supports, bodies or frames of bodies"; }
std::string kind_text(const PlaceKind& k) {
  return k.on_bodies ? "point on a cable, body or frame of a body" : "point on a cable";
}
std::string kind_text(const PlacePairKind&) { return "two points on cables"; }
std::string kind_text(const RouteKind& k) {
  return k.exactly ? fmt::format("list of {} points", k.exactly) : "list of points";
}
std::string kind_text(const SectionsKind&) {
  return "name from `sections`, or a list of [name, length or `rest`]";
}
std::string kind_text(const LinesKind& k) { return fmt::format("list of {}", k.of); }
std::string kind_text(const ChannelsKind&) { return "names with channels"; }
std::string kind_text(const VariablesKind&) { return "names with quantities"; }
std::string kind_text(const IncludeKind&) { return "file name, or a list"; }

/// `|` ends a cell.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

class PageWriter {
 public:
  explicit PageWriter(std::string path) : path_(std::move(path)) {}
  std::string rows, below;

  template <class T, class Kind>
  void operator()(const Field& field, Given<T>& member, const Kind& kind) {
    std::string value = member.value ? value_text(*member.value, kind) : "";
    if (value == "\"\"") value.clear();
    row(field, kind_text(kind), value);
  }
  template <class T>
  void operator()(const Field& field, Given<T>&, const OptionalObjectKind&) {
    row(field, "fields below", "");
    section<T>(path_ + "." + field.key, {});
  }
  template <class T>
  void operator()(const Field& field, std::vector<T>&, const ListKind&) {
    row(field, "list of fields below", "");
    section<T>(path_ + "." + field.key + "[]", {});
  }
  template <class T>
  void operator()(const Field& field, T&, const ObjectKind&) {
    row(field, "fields below", "");
    section<T>(field.key, field.help);
  }
  template <class T>
  void operator()(const Field& field, Named<T>&, const GroupKind&) {
    row(field, "named entries, fields below", "");
    section<T>(fmt::format("{}.NAME", field.key), field.help);
  }
  template <class Kind>
  void operator()(const Field& field, const Kind& kind) {
    row(field, kind_text(kind), "");
  }

 private:
  void row(const Field& field, const std::string& kind, const std::string& value) {
    rows += fmt::format("| `{}` | {} | {} | {} |\n", field.key, cell(kind),
                        field.required  ? "required"
                        : value.empty() ? ""
                                        : fmt::format("`{}`", cell(value)),
                        cell(field.help));
  }
  template <class T>
  void section(const std::string& path, const std::string& help);

  std::string path_;
};

constexpr const char* table_head = "| field | value | default | meaning |\n|---|---|---|---|\n";

template <class T>
std::string page_of(const std::string& path, T object) {
  PageWriter writer(path);
  describe(writer, object);
  return table_head + writer.rows + "\n" + writer.below;
}

template <class T>
void PageWriter::section(const std::string& path, const std::string& help) {
  below +=
      fmt::format("## `{}`\n\n{}{}", path, help.empty() ? "" : help + "\n\n", page_of(path, T{}));
}

}  // namespace

std::string scene_reference() {
  std::string out =
      "# Scene file reference\n\n"
      "Generated by `hawser reference`. Quantities have units (`10 mm`, `7850 kg/m^3`, `120 rpm`); "
      "a "
      "bare number is in SI units. Any number can be an expression: `span / 2`, `height - 30 m`, "
      "with "
      "+ - * / ^, parentheses, pi, sin, cos, tan, asin, acos, atan, sqrt, exp, log, abs, min, max "
      "and "
      "the variables of the scene.\n\n"
      "## The file\n\n";
  out += page_of("", SceneText{});
  out +=
      "## Points of a route\n\n"
      "Coordinates `[x, y, z]`, the name of a support, a body or a frame of a body (`load.hook`), "
      "or "
      "one of the following.\n\n";
  out += "### `clamp`\n\n" + page_of("", ClampText{});
  out += "### `over`\n\n" + page_of("", OverText{});
  out += "### `through`\n\n" + page_of("", ThroughText{});
  out += "### `along`\n\n" + page_of("", AlongText{});
  out +=
      "## Functions of time\n\n"
      "A number, an expression in `t` (`0.2 m * sin(2*pi * 2 Hz * t) * smooth(t, 0 s, 1 s)`; "
      "`smooth` and `ramp` go from 0 to 1 between two times) that may use inputs, or one of the "
      "following.\n\n";
  const QuantityType any{"value of the field", "", "", {}};
  out += "### `sine`\n\n" + page_of("", SineText{any, {}, {}});
  out += "### `smooth`\n\n" + page_of("", SmoothText{any, {}, {}, {}});
  out += "### `ramp`\n\n" + page_of("", RampText{any, {}, {}, {}});
  out += "### `table`\n\n" + page_of("", TableText{any, true});
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace hawser
