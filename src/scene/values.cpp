#include "scene/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "hawser/section_library.h"

namespace hawser {
namespace {

/// The place of a byte of a scalar's text.
Mark inside(const Node& node, size_t offset) {
  Mark at = node.at;
  const auto column = static_cast<size_t>(std::max(at.column - 1, 0));
  const std::string line = at.source ? at.source->line(at.line, column + offset + 1) : "";
  if (column >= line.size()) return at;
  const size_t quote = line[column] == '"' || line[column] == '\'' ? 1 : 0;
  if (line.compare(column + quote, offset, node.text, 0, offset) == 0)
    at.column += static_cast<int>(offset + quote);
  return at;
}

void report(ReadContext& c, Found f, const ExpressionError& e, const std::string& otherwise) {
  if (!c.broken_variables.empty())
    for (const std::string& word : words_of(f.node.text))
      if (c.broken_variables.contains(word)) return;
  c.problems.add(inside(f.node, e.offset), f.path, f.node.described() + ", " + e.problem,
                 e.expected.empty() ? otherwise : e.expected, e.remedy);
}

bool is_scalar(ReadContext& c, Found f, const std::string& expected) {
  if (f.node.kind == Node::Kind::scalar) return true;
  c.problems.add(f.node.at, f.path, f.node.described(), expected);
  return false;
}

std::string limit_text(double limit, const QuantityType& type) {
  return *type.unit ? fmt::format("{:g} {}", limit, type.unit) : fmt::format("{:g}", limit);
}

/// More than a turn without a unit: degrees are meant more often than radians. Who writes pi means
/// radians.
void warn_of_radians(ReadContext& c, Found f, const QuantityType& type, const Expression& e) {
  const bool bare = same_kind(e.dimension(), {}) && e.dimension().rad == 0;
  if (type.dimension.rad != 1 || !same_kind(type.dimension, {}) || !bare) return;
  if (!(std::abs(e.value()) > 2 * std::numbers::pi) || words_of(f.node.text).contains("pi")) return;
  c.warnings.push_back(fmt::format(
      "{}: {} is read as radians, {:.3g} turns. Write {} deg for degrees, or {} rad to avoid this "
      "warning",
      f.path, f.node.text, std::abs(e.value()) / (2 * std::numbers::pi), f.node.text, f.node.text));
}

bool read_quantity(ReadContext& c, Found f, const QuantityType& type, double& out) {
  if (!is_scalar(c, f, such_as(type))) return false;
  try {
    const Expression e = Expression::parse(f.node.text, c.variables, false, c.symbols);
    out = e.constant_in(type);
    warn_of_radians(c, f, type, e);
    if (std::abs(out) <= largest_quantity) return true;
    c.problems.add(f.node.at, f.path, f.node.described(),
                   "at most " + limit_text(largest_quantity, type));
    return false;
  } catch (const ExpressionError& e) {
    report(c, f, e, such_as(type));
    return false;
  }
}

/// The items of a list of a given length.
const std::vector<Node>* list_of(ReadContext& c, Found f, size_t size,
                                 const std::string& expected) {
  if (f.node.kind == Node::Kind::list && f.node.items.size() == size) return &f.node.items;
  const bool list = f.node.kind == Node::Kind::list;
  c.problems.add(f.node.at, f.path,
                 list ? fmt::format("a list of {}", f.node.items.size()) : f.node.described(),
                 expected,
                 list && f.node.items.size() > size ? "Write decimals with a point." : "");
  return nullptr;
}

/// What a sign asks of a quantity that does not have it; empty when it has.
std::string wrong_sign(double value, const QuantityType& type, Sign sign) {
  if (sign == Sign::positive && !(value > 0)) return with_article(type.name) + " above zero";
  if (sign == Sign::not_negative && !(value >= 0))
    return with_article(type.name) + " of zero or more";
  return {};
}

/// Quantities of a list, one after the other.
template <class Values>
bool read_items(ReadContext& c, Found f, const std::vector<Node>& items, const QuantityType& type,
                Sign sign, Values& out) {
  bool good = true;
  for (size_t k = 0; k < items.size(); ++k) {
    const std::string path = fmt::format("{}[{}]", f.path, k);
    double value = 0;
    if (!read_quantity(c, {items[k], path}, type, value)) {
      good = false;
      continue;
    }
    out[static_cast<decltype(out.size())>(k)] = value;
    const std::string expected = wrong_sign(value, type, sign);
    if (expected.empty()) continue;
    c.problems.add(items[k].at, path, items[k].described(), expected);
    good = false;
  }
  return good;
}

bool read_vector(ReadContext& c, Found f, const QuantityType& type, Eigen::Vector3d& out,
                 Sign sign = Sign::any) {
  const auto* items =
      list_of(c, f, 3, fmt::format("three components, such as [0, 0, {}]", type.example));
  return items && read_items(c, f, *items, type, sign, out);
}

bool is_number_text(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> out;
  std::string word;
  for (const char c : text + " ") {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (letter || (!word.empty() && c >= '0' && c <= '9')) {
      word += c;
    } else if (!word.empty()) {
      out.insert(word);
      word.clear();
    }
  }
  return out;
}

bool check_name(ReadContext& c, const Node& key, const std::string& path) {
  const std::string& s = key.text;
  const auto letter = [](char x) {
    return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_';
  };
  const auto other = [&](char x) { return letter(x) || (x >= '0' && x <= '9') || x == '-'; };
  const bool nothing = s == "null" || s == "Null" || s == "NULL";  // what YAML takes these for
  const bool good = !s.empty() && s.size() <= 64 && letter(s[0]) && !nothing &&
                    std::all_of(s.begin(), s.end(), other);
  if (!good)
    c.problems.add(key.at, path, fmt::format("the name {}", key.described()),
                   nothing
                       ? "another name: YAML reads it as null"
                       : "a letter followed by letters, digits, '_' or '-', at most 64 characters");
  return good;
}

bool check_symbol(ReadContext& c, const Node& key, const std::string& path) {
  const bool dash = key.text.find('-') != std::string::npos;
  const bool taken = c.variables.contains(key.text);
  if (!dash && !taken && key.text != "t" && key.text != "pi" && find_unit(key.text).factor == 0)
    return true;
  c.problems.add(key.at, path, fmt::format("the name {}", key.described()),
                 dash    ? "a name without '-', which means minus"
                 : taken ? "a name other than that of a variable"
                         : "a name other than a unit, t or pi");
  return false;
}

bool read_amount(ReadContext& c, Found f, Amount& out) {
  const std::string expected = "a quantity, such as 10 m or 0.5";
  if (!is_scalar(c, f, expected)) return false;
  try {
    const Expression e = Expression::parse(f.node.text, c.variables);
    out = {e.value(), e.dimension()};
    return true;
  } catch (const ExpressionError& e) {
    report(c, f, e, expected);
    return false;
  }
}

void read_value(ReadContext& c, Found f, Given<double>& out, const QuantityKind& kind) {
  double value = 0;
  if (!read_quantity(c, f, kind.type, value)) return;
  std::string expected = wrong_sign(value, kind.type, kind.sign);
  if (expected.empty() && kind.sign == Sign::positive && value < kind.smallest)
    expected = "at least " + limit_text(kind.smallest, kind.type);
  else if (expected.empty() && std::abs(value) > kind.largest)
    expected = "at most " + limit_text(kind.largest, kind.type);
  if (expected.empty())
    set(out, f.node, value);
  else
    c.problems.add(f.node.at, f.path, f.node.described(), expected);
}

void read_value(ReadContext& c, Found f, Given<FreeQuantity>& out, const FreeQuantityKind&) {
  Amount amount;
  if (read_amount(c, f, amount))
    set(out, f.node, FreeQuantity{amount.value, unit_of(amount.dimension)});
}

void read_value(ReadContext& c, Found f, Given<int>& out, const CountKind& kind) {
  const std::string expected =
      fmt::format("a whole number from {} to {}", kind.smallest, kind.largest);
  if (!is_scalar(c, f, expected)) return;
  try {
    const Expression e = Expression::parse(f.node.text, c.variables);
    const double value = e.constant_in(quantity::number);
    if (value == std::floor(value) && value >= kind.smallest && value <= kind.largest)
      set(out, f.node, static_cast<int>(value));
    else
      c.problems.add(f.node.at, f.path, f.node.described(), expected);
  } catch (const ExpressionError& e) {
    report(c, f, e, expected);
  }
}

void read_value(ReadContext& c, Found f, Given<bool>& out, const FlagKind&) {
  if (f.node.kind == Node::Kind::scalar && (f.node.text == "true" || f.node.text == "false"))
    set(out, f.node, f.node.text == "true");
  else
    c.problems.add(f.node.at, f.path, f.node.described(), "true or false");
}

void read_value(ReadContext& c, Found f, Given<std::string>& out, const TextKind&) {
  if (is_scalar(c, f, "a text")) set(out, f.node, f.node.text);
}

void read_value(ReadContext& c, Found f, Given<std::string>& out, const NameKind& kind) {
  if (!is_scalar(c, f, fmt::format("a name of `{}`", kind.group))) return;
  set(out, f.node, f.node.text);
  c.references.push_back({kind.group, f.node.text, f.path, f.node.at});
}

void read_value(ReadContext& c, Found f, Given<std::string>& out, const LibraryKind&) {
  if (!is_scalar(c, f, "a name in the section library")) return;
  if (find_library_section(f.node.text)) {
    set(out, f.node, f.node.text);
    return;
  }
  std::vector<std::string> known;
  for (const LibrarySection& s : section_library()) known.push_back(s.name);
  std::string remedy = did_you_mean(f.node.text, known);
  remedy += (remedy.empty() ? "" : " ");
  c.problems.add(f.node.at, f.path, f.node.described(), "a section of the library",
                 remedy + "`hawser sections` lists them.");
}

void read_value(ReadContext& c, Found f, Given<Eigen::Vector3d>& out, const VectorKind& kind) {
  Eigen::Vector3d v;
  if (read_vector(c, f, kind.type, v, kind.sign)) set(out, f.node, v);
}

void read_value(ReadContext& c, Found f, Given<Eigen::Vector3d>& out, const DirectionKind&) {
  const std::string expected = "x, y, z or a vector such as [1, 0, 1]";
  if (f.node.kind == Node::Kind::scalar) {
    if (f.node.text.size() == 1 && f.node.text[0] >= 'x' && f.node.text[0] <= 'z') {
      set<Eigen::Vector3d>(out, f.node, Eigen::Vector3d::Unit(f.node.text[0] - 'x'));
      return;
    }
    c.problems.add(f.node.at, f.path, f.node.described(), expected);
    return;
  }
  if (f.node.kind != Node::Kind::list || f.node.items.size() != 3) {
    c.problems.add(f.node.at, f.path, f.node.described(), expected);
    return;
  }
  Eigen::Vector3d v;
  if (!read_vector(c, f, quantity::number, v)) return;
  const double norm = v.norm();
  if (norm > 1e-150 && norm < 1e150)
    set<Eigen::Vector3d>(out, f.node, std::abs(norm - 1) < 1e-15 ? v : v / norm);
  else
    c.problems.add(f.node.at, f.path, "a vector without direction", expected);
}

void read_value(ReadContext& c, Found f, Given<std::array<double, 2>>& out, const PairKind& kind) {
  const auto* items =
      list_of(c, f, 2,
              fmt::format("[{}, {}], such as [0, {}]", kind.first, kind.second, kind.type.example));
  std::array<double, 2> values{};
  if (items && read_items(c, f, *items, kind.type, kind.sign, values)) set(out, f.node, values);
}

void read_value(ReadContext& c, Found f, Given<std::array<int, 2>>& out,
                const CountPairKind& kind) {
  const auto* items = list_of(c, f, 2, "two whole numbers, such as [10, 20]");
  if (!items) return;
  std::array<int, 2> counts{};
  bool good = true;
  for (size_t k = 0; k < 2; ++k) {
    Given<int> count;
    const std::string path = fmt::format("{}[{}]", f.path, k);
    read_value(c, {(*items)[k], path}, count, CountKind{kind.smallest, kind.largest});
    if (count.given) counts[k] = *count;
    good = good && count.given;
  }
  if (good) set(out, f.node, counts);
}

void read_value(ReadContext& c, Found f, Given<std::vector<double>>& out, const TensorKind& kind) {
  const bool six = f.node.kind == Node::Kind::list && f.node.items.size() == 6;
  const auto* items = list_of(c, f, six ? 6 : 3, "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz]");
  std::vector<double> values(six ? 6 : 3);
  if (items && read_items(c, f, *items, kind.type, Sign::any, values))
    set(out, f.node, std::move(values));
}

void read_value(ReadContext& c, Found f, Given<Eigen::Quaterniond>& out, const QuaternionKind&) {
  const auto* items = list_of(c, f, 4, "[w, x, y, z]");
  std::array<double, 4> q{};
  if (!items || !read_items(c, f, *items, quantity::number, Sign::any, q)) return;
  const double norm = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(norm > 1 / largest_quantity)) {
    c.problems.add(f.node.at, f.path, "a quaternion of length zero",
                   "a quaternion of nonzero length", "[1, 0, 0, 0] is no rotation.");
    return;
  }
  if (std::abs(norm - 1) > 1e-15)  // what is written back stays as it is
    for (double& x : q) x /= norm;
  set(out, f.node, Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
}

void read_value(ReadContext& c, Found f, Given<double>& out, const LengthKind&) {
  if (f.node.kind == Node::Kind::scalar && f.node.text == "straight") {
    set(out, f.node, 0.0);
    return;
  }
  double value = 0;
  if (!read_quantity(c, f, quantity::length, value)) return;
  if (value >= 1 / largest_quantity)
    set(out, f.node, value);
  else
    c.problems.add(f.node.at, f.path, f.node.described(), "a length above zero, or `straight`");
}

void read_value(ReadContext& c, Found f, Given<double>& out, const SettlingKind&) {
  if (f.node.kind == Node::Kind::scalar && f.node.text == "automatic")
    set(out, f.node, -1.0);
  else
    read_value(c, f, out, QuantityKind{quantity::time, Sign::not_negative});
}

void read_value(ReadContext& c, Found f, Given<double>& out, const MemoryKind&) {
  if (f.node.kind == Node::Kind::scalar && f.node.text == "full")
    set(out, f.node, 0.0);
  else
    read_value(c, f, out, QuantityKind{quantity::time, Sign::positive});
}

void read_value(ReadContext& c, Found f, Given<double>& out, const OrderKind&) {
  double value = 0;
  if (!read_quantity(c, f, quantity::number, value)) return;
  if (value > 0 && value < 1)
    set(out, f.node, value);
  else
    c.problems.add(f.node.at, f.path, f.node.described(), "a number between 0 and 1",
                   value == 1 ? "Order 1 is `viscosity`." : "");
}

/// factor times an expression.
static Signal signal_of(const Expression& e, double factor) {
  if (e.is_constant()) return e.value() * factor;
  return Signal::of_inputs(
      [e, factor](const Instant& now) {
        const Signal::Sample s = e.at(now);
        return Signal::Sample{factor * s.value, factor * s.rate, factor * s.acceleration};
      },
      e.inputs(), e.kinks());
}

void read_value(ReadContext& c, Found f, Given<TimeFunction>& out, const FunctionKind& kind) {
  if (f.node.kind == Node::Kind::map) {
    read_function_map(c, f, out, kind);
    return;
  }
  const std::string expected = fmt::format(
      "a {} such as {}, an expression in {}t, or one of {{sine: ...}}, {{smooth: ...}}, "
      "{{ramp: ...}}, {{table: ...}}",
      kind.type.name, kind.type.example, kind.along ? "s and " : "");
  if (!is_scalar(c, f, expected)) return;
  try {
    std::vector<Symbol> symbols = c.symbols;
    if (kind.along) symbols.push_back({"s", quantity::length.dimension});
    const Expression e = Expression::parse(f.node.text, c.variables, true, symbols);
    const double factor = e.factor_to(kind.type);
    TimeFunction function;
    function.text = e.text();
    if (kind.along && !e.inputs().empty() && e.inputs().back() == c.symbols.size()) {
      function.along = [e, factor, s = c.symbols.size()](double at) {
        return signal_of(e.with(s, at), factor);
      };
    } else if (e.is_constant()) {
      function.signal = Signal(e.value() * factor);
      warn_of_radians(c, f, kind.type, e);
    } else {
      if (kind.moves && !e.is_smooth())
        throw ExpressionError{"whose rate jumps at unknown times",
                              "a motion without abs, min or max of t", 0,
                              "Use ramp(t, t0, t1), or a table."};
      function.signal = signal_of(e, factor);
    }
    set(out, f.node, std::move(function));
  } catch (const ExpressionError& e) {
    report(c, f, e, expected);
  }
}

void read_value(ReadContext& c, Found f, Given<std::array<TimeFunction, 3>>& out,
                const VectorFunctionKind& kind) {
  const auto* items =
      list_of(c, f, 3, fmt::format("three components, such as [0, 0, {}]", kind.type.example));
  if (!items) return;
  std::array<TimeFunction, 3> functions;
  bool good = true;
  for (size_t k = 0; k < 3; ++k) {
    Given<TimeFunction> component;
    const std::string path = fmt::format("{}[{}]", f.path, k);
    read_value(c, {(*items)[k], path}, component, FunctionKind{kind.type, false, kind.along});
    if (component.given) functions[k] = *component;
    good = good && component.given;
  }
  if (good) set(out, f.node, std::move(functions));
}

void read_value(ReadContext& c, Found f, Given<PlaceOn>& out, const PlaceKind& kind) {
  const std::string expected =
      fmt::format("a point on a cable: `NAME@start`, `NAME@end`, `NAME@0.5` or `NAME@3 m`{}",
                  kind.on_bodies ? "; or `BODY` or `BODY.FRAME`" : "");
  if (!is_scalar(c, f, expected)) return;
  const size_t sign = f.node.text.find('@');
  if (sign == std::string::npos && kind.on_bodies) {
    PlaceOn place;
    place.frame = place.text = f.node.text;
    c.references.push_back({"body frames", place.frame, f.path, f.node.at});
    set(out, f.node, std::move(place));
    return;
  }
  if (sign == std::string::npos) {
    c.problems.add(f.node.at, f.path, f.node.described(), expected);
    return;
  }
  PlaceOn place;
  place.text = f.node.text;
  place.cable = f.node.text.substr(0, sign);
  const std::string where = f.node.text.substr(sign + 1);
  if (where == "end") {
    place.fraction = 1;
  } else if (where != "start") {
    try {
      const Expression e = Expression::parse(where, c.variables);
      const bool fraction = same_kind(e.dimension(), {});
      (fraction ? place.fraction : place.length) =
          e.constant_in(fraction ? quantity::number : quantity::length);
      const double value = fraction ? place.fraction : place.length;
      if (value < 0 || (fraction && value > 1)) {
        c.problems.add(f.node.at, f.path, f.node.described(),
                       "a fraction from 0 to 1, or a length from the start");
        return;
      }
    } catch (const ExpressionError& error) {
      ExpressionError shifted = error;
      shifted.offset += sign + 1;
      report(c, f, shifted, expected);
      return;
    }
  }
  c.references.push_back({"cables", place.cable, f.path, f.node.at});
  set(out, f.node, std::move(place));
}

void read_value(ReadContext& c, Found f, Given<std::vector<Line>>& out, const LinesKind& kind) {
  if (f.node.kind != Node::Kind::list) {
    c.problems.add(f.node.at, f.path, f.node.described(),
                   fmt::format("a list of {}, such as [a, b]", kind.of));
    return;
  }
  constexpr size_t most = 10'000;  // each is looked up, sampled and written
  if (f.node.items.size() > most) {
    c.problems.add(f.node.at, f.path, fmt::format("{} {}", f.node.items.size(), kind.of),
                   fmt::format("at most {}", most));
    return;
  }
  std::vector<Line> lines;
  for (size_t k = 0; k < f.node.items.size(); ++k) {
    const Node& item = f.node.items[k];
    const std::string path = fmt::format("{}[{}]", f.path, k);
    c.places[path] = item.at;
    if (is_scalar(c, {item, path}, "a text")) lines.push_back({item.text, item.at});
  }
  set(out, f.node, std::move(lines));
}

void read_value(ReadContext& c, Found f, Given<std::vector<NamedChannel>>& out,
                const ChannelsKind&) {
  if (f.node.kind != Node::Kind::map) {
    c.problems.add(f.node.at, f.path, f.node.described(),
                   "names with channels, such as {z: load.position.z}");
    return;
  }
  std::vector<NamedChannel> channels;
  for (const auto& [key, value] : f.node.entries) {
    const std::string path = f.path + "." + key.text;
    c.places[path] = value.at;
    if (check_name(c, key, f.path) && check_symbol(c, key, f.path) &&
        is_scalar(c, {value, path}, "a channel"))
      channels.push_back({key.text, value.text});
  }
  set(out, f.node, std::move(channels));
}

namespace {

/// What the first column of a table holds: its type, one of it and several.
struct FirstColumn {
  const QuantityType& type;
  const char *one, *several;
};
FirstColumn first_column(Over over) {
  switch (over) {
    case Over::time:
      return {quantity::time, "a time", "times"};
    case Over::arc_length:
      return {quantity::length, "an arc length", "arc lengths"};
    default:
      return {quantity::angular_velocity, "a turn rate", "turn rates"};
  }
}

/// Two columns, separated by commas; a first line that is not numbers is a header.
bool read_csv(ReadContext& c, Found f, const TableKind& kind, TableRows& rows) {
  const std::filesystem::path beside =
      std::filesystem::path(f.node.at.source->name()).parent_path() / f.node.text;
  const Loaded loaded = c.load(beside.string());
  const std::string text = without_byte_order_mark(loaded.text);
  const FirstColumn first = first_column(kind.over);
  if (!loaded.found) {
    c.problems.add(
        f.node.at, f.path, fmt::format("the file {}: {}", in_quotes(beside.string()), loaded.cause),
        fmt::format("a CSV file of {} and values, relative to the scene", first.several));
    return false;
  }
  size_t start = 0;
  for (int number = 1; start < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    start = end + 1;
    std::erase_if(line, [](char x) { return x == '\r' || x == ' ' || x == '\t'; });
    if (line.empty() || line[0] == '#') continue;
    const size_t comma = line.find(',');
    double at = 0, value = 0;
    const bool good = comma != std::string::npos && is_number_text(line.substr(0, comma), at) &&
                      is_number_text(line.substr(comma + 1), value);
    const bool header =
        number == 1 && line.find_first_of("0123456789") != 0 && line[0] != '-' && line[0] != '.';
    if (!good && header) continue;
    if (!good) {
      c.problems.add(
          f.node.at, f.path,
          fmt::format("line {} of {}: {}", number, in_quotes(beside.string()), in_quotes(line)),
          fmt::format("{} and a value, separated by a comma", first.one));
      return false;
    }
    rows.at.push_back(at);
    rows.values.push_back(value);
  }
  return true;
}

}  // namespace

void read_value(ReadContext& c, Found f, Given<TableRows>& out, const TableKind& kind) {
  TableRows rows;
  const FirstColumn first = first_column(kind.over);
  const std::string row = fmt::format("{} and a value, such as [2 {}, {}]", first.one,
                                      first.type.unit, kind.type.example);
  if (f.node.kind == Node::Kind::scalar) {
    if (!read_csv(c, f, kind, rows)) return;
  } else if (f.node.kind == Node::Kind::list) {
    for (size_t k = 0; k < f.node.items.size(); ++k) {
      const std::string path = fmt::format("{}[{}]", f.path, k);
      const auto* pair = list_of(c, {f.node.items[k], path}, 2, row);
      double at = 0, value = 0;
      if (!pair || !read_quantity(c, {(*pair)[0], path}, first.type, at) ||
          !read_quantity(c, {(*pair)[1], path}, kind.type, value))
        return;
      rows.at.push_back(at);
      rows.values.push_back(value);
    }
  } else {
    c.problems.add(f.node.at, f.path, f.node.described(),
                   fmt::format("rows, each {}, or a file name", row));
    return;
  }
  set(out, f.node, std::move(rows));
}

}  // namespace hawser
