// Arithmetic with units, variables, the time t and inputs: "height - 30 m",
// "0.2 m * sin(2*pi * 2 Hz * t) + lift".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hawser/signal.h"
#include "hawser/units.h"

namespace hawser {

/// What is wrong with an expression, and where in its text.
struct ExpressionError {
  std::string problem;   ///< after the text in quotes: "which is a mass", "where 'x' stands"
  std::string expected;  ///< may be empty
  size_t offset = 0;     ///< byte of the text
  std::string remedy;    ///< may be empty
};

/// "a length", "an angle"
std::string with_article(const std::string& noun);
/// "a length, such as 10 mm"
std::string such_as(const QuantityType& type);

/// A number with its dimension.
struct Amount {
  double value = 0;  ///< SI
  Dimension dimension;
};

/// A value that is known only when an expression is evaluated: that of an input.
struct Symbol {
  std::string name;
  Dimension dimension;
};

/// A parsed expression. Numbers, units, + - * / ^, parentheses, variables, pi, the functions sin,
/// cos, tan, asin, acos, atan, sqrt, exp, log, abs, min, max, and of time smooth(t, t0, t1) and
/// ramp(t, t0, t1), which go from 0 to 1.
class Expression {
 public:
  using Variables = std::map<std::string, Amount>;

  /// Throws ExpressionError. `with_time`: t and the symbols may be used.
  static Expression parse(const std::string& text, const Variables& variables,
                          bool with_time = false, const std::vector<Symbol>& symbols = {});

  [[nodiscard]] const Dimension& dimension() const { return dimension_; }
  [[nodiscard]] bool is_constant() const { return constant_; }
  /// True when its rate never jumps unknown to kinks(): no abs, min or max of something with t or
  /// symbols.
  [[nodiscard]] bool is_smooth() const { return smooth_; }
  /// The value of a constant [SI].
  [[nodiscard]] double value() const { return at({0, {}}).value; }
  /// The value of a constant as a quantity of a type [SI]; throws ExpressionError when the
  /// dimension is another. A pure number counts as SI.
  [[nodiscard]] double constant_in(const QuantityType& type) const;
  /// 1, or what turns the value into the type's: rad/s to Hz.
  [[nodiscard]] double factor_to(const QuantityType& type) const;

  /// Value and rates; the symbols are the inputs of the instant. Does not allocate.
  [[nodiscard]] Signal::Sample at(const Instant& now) const;
  /// The same with a value for one of the symbols.
  [[nodiscard]] Expression with(size_t symbol, double value) const;
  /// Indices of the symbols it uses, increasing.
  [[nodiscard]] const std::vector<size_t>& inputs() const { return inputs_; }
  /// Times at which the rate jumps.
  [[nodiscard]] const std::vector<double>& kinks() const { return kinks_; }
  /// The expression with variables filled in, SI: reads back to the same numbers.
  [[nodiscard]] const std::string& text() const { return text_; }

  /// What a code does.
  enum class Op : unsigned char {
    number,
    time,
    input,
    add,
    subtract,
    multiply,
    divide,
    negate,
    power,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sqrt,
    exp,
    log,
    abs,
    min,
    max,
    smooth,
    ramp
  };

 private:
  friend class ExpressionParser;
  struct Code {
    Op op;
    double number = 0;
    size_t input = 0;  // of Op::input: index of the symbol
  };
  static constexpr int max_stack = 64;

  std::vector<Code> code_;  // postfix
  Dimension dimension_;
  bool constant_ = true, smooth_ = true;
  std::vector<double> kinks_;
  std::vector<size_t> inputs_;
  std::string text_;
};

/// The text of an expression with variables replaced by their values.
std::string with_variables(const std::string& text, const Expression::Variables& variables);

}  // namespace hawser
