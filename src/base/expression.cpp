#include "base/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include "hawser/error.h"

namespace hawser {
namespace {

constexpr int max_depth = 48;            ///< of parentheses and signs
constexpr size_t max_length = 100'000;   ///< of a text [bytes]
constexpr size_t max_operations = 1000;  ///< left when constants are worked out
constexpr double max_exponent = 12;      ///< of a metre, kilogram, second or radian

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_pure(const Dimension& d) { return same_kind(d, {}); }

/// A word that may be very long, for a message.
std::string cut(const std::string& word) {
  constexpr size_t longest = 40;
  return word.size() > longest ? word.substr(0, longest) + "..." : word;
}

/// The unit of a number in an expression's text; reads back.
std::string amount_text(double value, const Dimension& d) {
  std::string unit = unit_of(d);
  if (unit.starts_with("1/")) unit = unit.substr(2) + "^-1";
  return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

}  // namespace

std::string with_article(const std::string& noun) {
  const bool vowel = std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + noun;
}

std::string such_as(const QuantityType& type) {
  return fmt::format("{}, such as {}", with_article(type.name), type.example);
}

class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, const Expression::Variables& variables, bool with_time,
                   const std::vector<Symbol>& symbols)
      : text_(text), variables_(variables), symbols_(symbols), with_time_(with_time) {}

  Expression run() {
    if (text_.size() > max_length)
      fail_at(0, fmt::format("which is {} characters long", text_.size()),
              fmt::format("at most {}", max_length));
    skip_space();
    if (at_ == text_.size()) fail_at(0, "which is empty", "a number, a variable or an expression");
    Piece all = sum();
    if (at_ < text_.size()) fail(rest(), "an operator (+ - * / ^) or the end");
    out_.dimension_ = all.dimension;
    out_.constant_ = all.constant;
    out_.text_ = std::move(all.text);
    std::sort(out_.kinks_.begin(), out_.kinks_.end());
    out_.kinks_.erase(std::unique(out_.kinks_.begin(), out_.kinks_.end()), out_.kinks_.end());
    std::sort(out_.inputs_.begin(), out_.inputs_.end());
    out_.inputs_.erase(std::unique(out_.inputs_.begin(), out_.inputs_.end()), out_.inputs_.end());
    return std::move(out_);
  }

 private:
  using Op = Expression::Op;
  /// How strongly the parts of a text hold together; a weaker part needs parentheses.
  enum Binding { in_sum, in_product, in_sign, in_power, whole };
  /// A part that has been read; its code is at the end of out_.code_.
  struct Piece {
    Dimension dimension;
    bool constant = true;
    double value = 0;  ///< of a constant
    std::string text;
    size_t start = 0;  ///< in the text
    Binding binding = whole;
  };

  [[noreturn]] void fail_at(size_t offset, std::string problem, std::string expected,
                            std::string remedy = {}) const {
    throw ExpressionError{std::move(problem), std::move(expected), offset, std::move(remedy)};
  }
  [[noreturn]] void fail(const std::string& found, const std::string& expected,
                         const std::string& remedy = {}) const {
    fail_at(at_, found == "the end" ? "which ends too early" : "with an unexpected " + found,
            expected, remedy);
  }

  [[nodiscard]] std::string rest() const {
    if (at_ >= text_.size()) return "the end";
    size_t end = at_;
    if (is_letter(text_[end]))
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    else
      ++end;
    return "'" + cut(text_.substr(at_, end - at_)) + "'";
  }
  [[nodiscard]] size_t after_space(size_t at) const {
    return std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
  }
  void skip_space() { at_ = after_space(at_); }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_space();
    return true;
  }
  void expect(char c) {
    if (take(c)) return;
    const bool cut = at_ >= text_.size();
    fail(rest(), fmt::format("'{}'", c),
         cut ? "A comma ends a value inside braces or brackets: quote the value." : "");
  }
  /// The word at a place of the text; '%' counts as one.
  [[nodiscard]] std::string word_at(size_t at) const {
    size_t end = at;
    if (end < text_.size() && text_[end] == '%') return "%";
    if (end >= text_.size() || !is_letter(text_[end])) return {};
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(at, end - at);
  }

  void emit(Op op, double number = 0, size_t input = 0) {
    const bool pushes = op == Op::number || op == Op::time || op == Op::input;
    const bool two = op == Op::add || op == Op::subtract || op == Op::multiply ||
                     op == Op::divide || op == Op::power || op == Op::min || op == Op::max ||
                     op == Op::smooth || op == Op::ramp;
    stack_ += pushes ? 1 : two ? -1 : 0;
    if (stack_ > Expression::max_stack)
      fail_at(at_, "which is nested too deeply", "a simpler expression");
    if (out_.code_.size() >= max_operations)
      fail_at(at_, fmt::format("which has more than {} operations", max_operations),
              "a simpler expression, or a table");
    out_.code_.push_back({op, number, input});
  }
  /// Replaces the code of a constant by its value.
  Piece fold(Piece p, size_t code_start) {
    const Dimension& d = p.dimension;
    for (const double exponent : {d.m, d.kg, d.s, d.rad})
      if (!(std::abs(exponent) <= max_exponent))
        fail_at(p.start, "where a unit has too large an exponent",
                fmt::format("exponents of at most {:g}", max_exponent));
    if (!p.constant) return p;
    p.value = evaluate_from(code_start);
    if (!std::isfinite(p.value))
      fail_at(p.start, "which is not a finite number", "a finite number");
    out_.code_.resize(code_start);
    out_.code_.push_back({Op::number, p.value, 0});
    set_text(p);
    return p;
  }
  /// The text of a constant.
  static void set_text(Piece& p) {
    p.text = amount_text(p.value, p.dimension);
    p.binding = std::signbit(p.value) ? in_sign : whole;
  }
  [[nodiscard]] double evaluate_from(size_t code_start) const {
    Expression part;
    part.code_.assign(out_.code_.begin() + static_cast<std::ptrdiff_t>(code_start),
                      out_.code_.end());
    return part.value();
  }
  static std::string wrapped(const Piece& p, Binding weakest) {
    return p.binding >= weakest ? p.text : "(" + p.text + ")";
  }

  /// a op b. Chains are read from the left: only on the right do equals need parentheses.
  Piece binary(const Piece& a, const Piece& b, const Dimension& d, char symbol, Op op,
               size_t code_start) {
    emit(op);
    Piece p;
    p.dimension = d;
    p.constant = a.constant && b.constant;
    p.binding = op == Op::power ? in_power : symbol == '*' || symbol == '/' ? in_product : in_sum;
    if (!p.constant)
      p.text = fmt::format("{} {} {}", wrapped(a, op == Op::power ? whole : p.binding), symbol,
                           wrapped(b, p.binding == in_sum ? in_product : in_sign));
    p.start = a.start;
    return fold(std::move(p), code_start);
  }

  Piece sum() {
    const size_t code_start = out_.code_.size();
    Piece a = term();
    while (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
      const char c = text_[at_];
      const size_t where = at_;
      take(c);
      const Piece b = term();
      if (!same_kind(a.dimension, b.dimension))
        fail_at(where,
                fmt::format("where '{}' combines {} and {}", c, describe(a.dimension),
                            describe(b.dimension)),
                "two quantities of the same dimension",
                is_pure(a.dimension) || is_pure(b.dimension) ? "Add a unit to the number." : "");
      a = binary(a, b, a.dimension, c, c == '+' ? Op::add : Op::subtract, code_start);
    }
    return a;
  }

  Piece term() {
    const size_t code_start = out_.code_.size();
    Piece a = sign();
    while (at_ < text_.size() && (text_[at_] == '*' || text_[at_] == '/')) {
      const bool times = text_[at_] == '*';
      take(text_[at_]);
      const Piece b = sign();
      a = binary(a, b, times ? a.dimension * b.dimension : a.dimension / b.dimension,
                 times ? '*' : '/', times ? Op::multiply : Op::divide, code_start);
    }
    return a;
  }

  struct Deeper {  // guards the recursion
    explicit Deeper(ExpressionParser& p) : parser(p) {
      if (++parser.depth_ > max_depth)
        parser.fail_at(parser.at_, fmt::format("with parentheses nested deeper than {}", max_depth),
                       "fewer parentheses");
    }
    ~Deeper() { --parser.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ExpressionParser& parser;
  };

  Piece sign() {
    const Deeper deeper(*this);
    const size_t code_start = out_.code_.size(), where = at_;
    if (take('+')) return sign();
    if (!take('-')) return raised();
    Piece a = sign();
    emit(Op::negate);
    a.text = "-" + wrapped(a, in_sign);
    a.start = where;
    a.binding = in_sign;
    return fold(std::move(a), code_start);
  }

  Piece raised() {
    const size_t code_start = out_.code_.size();
    Piece a = primary();
    if (at_ >= text_.size() || text_[at_] != '^') return a;
    const size_t where = at_;
    take('^');
    const Piece b = sign();
    if (!b.constant || !is_pure(b.dimension))
      fail_at(where, "where the exponent is not a constant pure number",
              "a number, such as ^2 or ^0.5");
    return binary(a, b, power(a.dimension, b.value), '^', Op::power, code_start);
  }

  Piece primary() {
    const size_t start = at_;
    if (take('(')) {
      Piece p = sum();
      expect(')');
      p.start = start;
      return p;
    }
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    const std::string word = word_at(at_);
    if (word.empty() || word == "%") fail(rest(), "a number, a variable or '('");
    at_ += word.size();
    skip_space();
    if (take('(')) return call(word, start);
    return name(word, start);
  }

  Piece number() {
    Piece p;
    p.start = at_;
    const char* first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), p.value);
    if (error != std::errc()) {
      if (error == std::errc::result_out_of_range)
        fail_at(at_, "where a number is too large or too small",
                "a number from about 1e-307 to 1e308");
      fail(rest(), "a number");
    }
    at_ += static_cast<size_t>(end - first);
    skip_space();
    read_unit(p);
    const size_t code_start = out_.code_.size();
    emit(Op::number, p.value);
    return fold(std::move(p), code_start);
  }

  /// The unit after a number: "m", "kg/m^3", "N m", "kN*m". After an operator only a word that is
  /// a unit and no t (the time) continues it, after `*` none that is a symbol either.
  void read_unit(Piece& p) {
    bool first = true;
    for (;;) {
      size_t at = at_;
      bool inverted = false;
      const bool has_operator =
          !first && at < text_.size() && (text_[at] == '*' || text_[at] == '/');
      if (has_operator) {
        inverted = text_[at] == '/';
        at = after_space(at + 1);
      }
      const std::string word = word_at(at);
      const size_t after = at + word.size();
      if (word.empty() || (has_operator && word == "t")) return;
      if (has_operator && !inverted && find_symbol(word) < symbols_.size()) return;
      const Unit unit = find_unit(word);
      const size_t next = after_space(after);
      const bool is_call = next < text_.size() && text_[next] == '(';
      if (unit.factor == 0 || is_call) {
        if (first && !is_call && !variables_.contains(word) && find_symbol(word) == symbols_.size())
          fail_at(at, fmt::format("where '{}' is not a unit", cut(word)),
                  "a unit such as m, mm, kg, kN, GPa, deg, Hz, rpm",
                  "Write units as in `7850 kg/m^3`, `1.5 kN m`.");
        return;
      }
      at_ = after;
      double exponent = unit_exponent();
      if (inverted) exponent = -exponent;
      p.value *= exponent == 1 ? unit.factor : std::pow(unit.factor, exponent);
      p.dimension = p.dimension * power(unit.dimension, exponent);
      skip_space();
      first = false;
    }
  }

  /// `^` after a unit belongs to the unit: 2 m^2 is two square metres.
  double unit_exponent() {
    const size_t sign = after_space(at_);
    if (sign >= text_.size() || text_[sign] != '^') return 1;
    double exponent = 0;
    const char* first = text_.data() + after_space(sign + 1);
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), exponent);
    if (error != std::errc() || !(std::abs(exponent) <= max_exponent))
      fail_at(sign, "where the exponent of a unit is not a small number",
              "an exponent such as ^2 or ^-1");
    at_ = static_cast<size_t>(end - text_.data());
    const size_t next = after_space(at_);
    if (next < text_.size() && text_[next] == '^')
      fail_at(next, "where a unit has a second exponent", "one exponent, such as ^2 or ^-1",
              "To raise a quantity to a power, use parentheses: (2 m)^2.");
    return exponent;
  }

  Piece name(const std::string& word, size_t start) {
    Piece p;
    p.start = start;
    if (word == "t" && with_time_) {
      p.dimension = quantity::time.dimension;
      p.constant = false;
      p.text = "t";
      emit(Op::time);
      return p;
    }
    if (const size_t symbol = find_symbol(word); symbol < symbols_.size() && with_time_) {
      p.dimension = symbols_[symbol].dimension;
      p.constant = false;
      p.text = word;
      out_.inputs_.push_back(symbol);
      emit(Op::input, 0, symbol);
      return p;
    }
    if (word == "pi") {
      p.value = std::numbers::pi;
    } else if (const auto found = variables_.find(word); found != variables_.end()) {
      p.value = found->second.value;
      p.dimension = found->second.dimension;
    } else {
      unknown(word, start);
    }
    emit(Op::number, p.value);
    set_text(p);
    return p;
  }

  /// Its index, or their number when there is none of that name.
  [[nodiscard]] size_t find_symbol(const std::string& word) const {
    const auto at = std::find_if(symbols_.begin(), symbols_.end(),
                                 [&](const Symbol& symbol) { return symbol.name == word; });
    return static_cast<size_t>(at - symbols_.begin());
  }

  [[noreturn]] void unknown(const std::string& word, size_t start) const {
    constexpr size_t named = 12;  // as many as a message can bear
    constexpr size_t looked_at = 1000;
    std::vector<std::string> known;
    for (const auto& [variable, amount] : variables_)
      if (known.size() < looked_at) known.push_back(variable);
    if (with_time_)
      for (const Symbol& symbol : symbols_) known.push_back(symbol.name);
    std::string expected = known.empty()                     ? "a number"
                           : symbols_.empty() || !with_time_ ? "a number or a variable: "
                                                             : "a number, a variable or an input: ";
    for (size_t i = 0; i < std::min(known.size(), named); ++i)
      expected += (i == 0 ? "" : ", ") + known[i];
    if (known.size() > named) expected += ", ...";
    std::string remedy;
    if (word == "t")
      remedy = "The time t can be used only where a function of time is expected.";
    else if (find_symbol(word) < symbols_.size())
      remedy =
          fmt::format("The input {} can be used only where a function of time is expected.", word);
    else if (find_unit(word).factor != 0)
      remedy = fmt::format("A unit must follow a number: `1 {}`.", word);
    else if (const std::string near = nearest_name(cut(word), known); !near.empty())
      remedy = fmt::format("Did you mean '{}'?", near);
    fail_at(start, fmt::format("where '{}' is not a variable", cut(word)), expected, remedy);
  }

  Piece call(const std::string& word, size_t start) {
    if (word == "smooth" || word == "ramp") return step(word, start);
    const size_t code_start = out_.code_.size();
    struct Function {
      const char* name;
      Op op;
      int arguments;
    };
    static constexpr std::array functions{
        Function{"sin", Op::sin, 1},   Function{"cos", Op::cos, 1},   Function{"tan", Op::tan, 1},
        Function{"asin", Op::asin, 1}, Function{"acos", Op::acos, 1}, Function{"atan", Op::atan, 1},
        Function{"sqrt", Op::sqrt, 1}, Function{"exp", Op::exp, 1},   Function{"log", Op::log, 1},
        Function{"abs", Op::abs, 1},   Function{"min", Op::min, 2},   Function{"max", Op::max, 2}};
    const auto f = std::find_if(functions.begin(), functions.end(),
                                [&](const Function& x) { return word == x.name; });
    if (f == functions.end())
      fail_at(
          start, fmt::format("where '{}' is not a function", cut(word)),
          "one of sin, cos, tan, asin, acos, atan, sqrt, exp, log, abs, min, max, smooth, ramp");
    const Deeper deeper(*this);
    Piece a = sum();
    Piece p;
    p.text = word + "(" + a.text;
    p.constant = a.constant;
    if (f->arguments == 2) {
      expect(',');
      const Piece b = sum();
      if (!same_kind(a.dimension, b.dimension))
        fail_at(start,
                fmt::format("where the arguments of {} are {} and {}", word, describe(a.dimension),
                            describe(b.dimension)),
                "two quantities of the same dimension");
      p.text += ", " + b.text;
      p.constant = p.constant && b.constant;
    }
    expect(')');
    p.text += ")";
    p.start = start;
    p.dimension = dimension_of_call(f->op, a, word, start);
    if (!p.constant && (f->op == Op::abs || f->op == Op::min || f->op == Op::max))
      out_.smooth_ = false;
    emit(f->op);
    p.binding = whole;
    return fold(std::move(p), code_start);
  }

  Dimension dimension_of_call(Op op, const Piece& a, const std::string& word, size_t start) const {
    if (op == Op::abs || op == Op::min || op == Op::max) return a.dimension;
    if (op == Op::sqrt) return power(a.dimension, 0.5);
    if (!is_pure(a.dimension))
      fail_at(start, fmt::format("where the argument of {} is {}", word, describe(a.dimension)),
              "an angle or a pure number",
              same_kind(a.dimension, quantity::time.dimension)
                  ? "Add the unit to the factor of t: sin(2*pi * 2 Hz * t)."
                  : "");
    const bool angle = op == Op::asin || op == Op::acos || op == Op::atan;
    return angle ? quantity::angle.dimension : Dimension{};
  }

  /// smooth(t, t0, t1) and ramp(t, t0, t1).
  Piece step(const std::string& word, size_t start) {
    if (!with_time_ || word_at(at_) != "t")
      fail_at(start, fmt::format("where the first argument of {} is not t", word),
              fmt::format("{}(t, 1 s, 3 s), a function of time", word));
    at_ += 1;
    skip_space();
    double times[2];
    std::string text = word + "(t";
    for (double& time : times) {
      expect(',');
      const size_t where = at_;
      const Piece p = sum();
      if (!p.constant ||
          (!is_pure(p.dimension) && !same_kind(p.dimension, quantity::time.dimension)))
        fail_at(where, "where the argument is not a constant time", "a time, such as 2 s");
      time = p.value;
      text += ", " + p.text;
    }
    expect(')');
    if (!(times[1] > times[0]))
      fail_at(start,
              fmt::format("where {} ends at {} s, not after its start at {} s", word, times[1],
                          times[0]),
              "an end after the start");
    emit(word == "smooth" ? Op::smooth : Op::ramp);
    if (word == "ramp") out_.kinks_.insert(out_.kinks_.end(), {times[0], times[1]});
    Piece p;
    p.constant = false;
    p.text = text + ")";
    p.start = start;
    return p;
  }

  const std::string& text_;
  const Expression::Variables& variables_;
  const std::vector<Symbol>& symbols_;
  const bool with_time_;
  size_t at_ = 0;
  int depth_ = 0, stack_ = 0;
  Expression out_;
};

Expression Expression::parse(const std::string& text, const Variables& variables, bool with_time,
                             const std::vector<Symbol>& symbols) {
  return ExpressionParser(text, variables, with_time, symbols).run();
}

std::string with_variables(const std::string& text, const Expression::Variables& variables) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || (end > at && is_digit(text[end])))) ++end;
    if (end == at) {
      // A number, whose exponent is no word.
      while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
      const bool exponent =
          end > at && end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E') &&
          (is_digit(text[end + 1]) || text[end + 1] == '-' || text[end + 1] == '+');
      end += end == at ? 1 : exponent ? 2 : 0;
      out += text.substr(at, end - at);
    } else {
      const std::string word = text.substr(at, end - at);
      const size_t next = text.find_first_not_of(' ', end);
      const bool call = next != std::string::npos && text[next] == '(';
      const auto found = variables.find(word);
      out += call || found == variables.end()
                 ? word
                 : "(" + amount_text(found->second.value, found->second.dimension) + ")";
    }
    at = end;
  }
  return out;
}

double Expression::factor_to(const QuantityType& type) const {
  const bool number = same_kind(dimension_, {}) && dimension_.rad == 0;
  if (number) return 1;
  if (!same_kind(dimension_, type.dimension))
    throw ExpressionError{"which is " + describe(dimension_), such_as(type), 0, {}};
  const bool rate = same_kind(dimension_, quantity::frequency.dimension);
  if (rate && type.dimension.rad == 0 && dimension_.rad == 1) return 0.5 / std::numbers::pi;
  if (rate && type.dimension.rad == 1 && dimension_.rad == 0)
    throw ExpressionError{"which is a frequency", such_as(type), 0, "1 Hz is 60 rpm."};
  return 1;
}

double Expression::constant_in(const QuantityType& type) const {
  if (!constant_)
    throw ExpressionError{
        "which is a function of time", fmt::format("a constant {}", type.name), 0, {}};
  return value() * factor_to(type);
}

}  // namespace hawser
