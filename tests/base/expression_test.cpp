// Expressions: arithmetic with units, rates in time, the text that reads back, every error.
#include "base/expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>
#include <random>

#include "allocations.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;

const Expression::Variables variables = {
    {"span", {20, {1, 0, 0, 0}}}, {"n", {3, {}}}, {"drop", {-4, {1, 0, 0, 0}}}};

double value(const std::string& text) { return Expression::parse(text, variables).value(); }
Dimension dimension(const std::string& text) {
  return Expression::parse(text, variables).dimension();
}

TEST(Expression, FollowsTheOrderOfOperations) {
  EXPECT_EQ(value("2 + 3 * 4"), 14);
  EXPECT_EQ(value("(2 + 3) * 4"), 20);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("24 / 4 / 3"), 2);
  EXPECT_EQ(value("2 * 3 ^ 2"), 18);
  EXPECT_EQ(value("-3 ^ 2"), -9);
  EXPECT_EQ(value("(-3) ^ 2"), 9);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("- - 2"), 2);
  EXPECT_EQ(value("+2 - +3"), -1);
  EXPECT_EQ(value("1e3 + .5 + 5."), 1005.5);
}

TEST(Expression, KnowsItsFunctions) {
  EXPECT_DOUBLE_EQ(value("sin(30 deg)"), 0.5);
  EXPECT_DOUBLE_EQ(value("cos(pi)"), -1);
  EXPECT_DOUBLE_EQ(value("tan(45 deg)"), 1);
  EXPECT_DOUBLE_EQ(value("asin(0.5)"), pi / 6);
  EXPECT_DOUBLE_EQ(value("acos(0.5)"), pi / 3);
  EXPECT_DOUBLE_EQ(value("atan(1)"), pi / 4);
  EXPECT_DOUBLE_EQ(value("sqrt(9 m^2)"), 3);
  EXPECT_DOUBLE_EQ(value("exp(1)"), std::numbers::e);
  EXPECT_DOUBLE_EQ(value("log(exp(2))"), 2);
  EXPECT_EQ(value("abs(drop)"), 4);
  EXPECT_EQ(value("min(3 m, 2 m)"), 2);
  EXPECT_EQ(value("max(3 m, 200 cm)"), 3);
}

TEST(Expression, ReadsUnits) {
  EXPECT_EQ(value("2 m^2"), 2);
  EXPECT_EQ(value("2 m ^2"), 2);  // spaces change nothing
  EXPECT_EQ(value("2 m ^ 2"), 2);
  EXPECT_EQ(value("(2 m)^2"), 4);
  EXPECT_DOUBLE_EQ(value("36 km/h"), 10);
  EXPECT_DOUBLE_EQ(value("36 km / h"), 10);
  EXPECT_DOUBLE_EQ(value("3 N / 2 m"), 1.5);
  EXPECT_DOUBLE_EQ(value("2 kN m"), 2000);
  EXPECT_DOUBLE_EQ(value("2 kN*m"), 2000);
  EXPECT_DOUBLE_EQ(value("5 t"), 5000);
  EXPECT_DOUBLE_EQ(value("2 min"), 120);
  EXPECT_DOUBLE_EQ(value("2 * min(3, 4)"), 6);
  EXPECT_DOUBLE_EQ(value("50 %"), 0.5);
  EXPECT_TRUE(same_kind(dimension("2 kN m^-1 s"), {0, 1, -1, 0}));
  EXPECT_TRUE(same_kind(dimension("span * span / 1 s"), {2, 0, -1, 0}));
  EXPECT_TRUE(same_kind(dimension("sqrt(span)"), {0.5, 0, 0, 0}));
  EXPECT_TRUE(same_kind(dimension("(8 m^3)^(1/3)"), {1, 0, 0, 0}));
  EXPECT_EQ(dimension("30 deg").rad, 1);
  EXPECT_EQ(dimension("atan(1)").rad, 1);
}

TEST(Expression, UsesVariables) {
  EXPECT_EQ(value("span / 2 - 30 cm"), 9.7);
  EXPECT_EQ(value("drop + span"), 16);
  EXPECT_EQ(value("drop ^ 2"), 16);
  EXPECT_EQ(value("n * span"), 60);
}

TEST(Expression, TurnsRatesIntoFrequenciesButNotBack) {
  EXPECT_DOUBLE_EQ(Expression::parse("1 rad/s", {}).constant_in(quantity::frequency), 0.5 / pi);
  EXPECT_EQ(Expression::parse("2", {}).constant_in(quantity::angular_velocity), 2);
  EXPECT_EQ(Expression::parse("2 rad/s", {}).constant_in(quantity::angular_velocity), 2);
  EXPECT_EQ(Expression::parse("2 Hz", {}).factor_to(quantity::frequency), 1);
}

// --- rates ---

struct Timed {
  const char* text;
  std::function<Signal::Sample(double)> expected;
};

/// Closed forms, written down by hand.
const Timed timed[] = {
    {"t",
     [](double t) {
       return Signal::Sample{t, 1, 0};
     }},
    {"t^1",
     [](double t) {
       return Signal::Sample{t, 1, 0};
     }},
    {"t^0 * 1 s",
     [](double) {
       return Signal::Sample{1, 0, 0};
     }},
    {"t^2 / 1 s",
     [](double t) {
       return Signal::Sample{t * t, 2 * t, 2};
     }},
    {"(t + 1 s)^-1.5",
     [](double t) {
       const double u = t + 1;
       return Signal::Sample{std::pow(u, -1.5), -1.5 * std::pow(u, -2.5), 3.75 * std::pow(u, -3.5)};
     }},
    {"3 s - 2 * t",
     [](double t) {
       return Signal::Sample{3 - 2 * t, -2, 0};
     }},
    {"-t",
     [](double t) {
       return Signal::Sample{-t, -1, 0};
     }},
    {"1 / (t + 2 s)",
     [](double t) {
       const double u = t + 2;
       return Signal::Sample{1 / u, -1 / (u * u), 2 / (u * u * u)};
     }},
    {"sin(3 Hz * t)",
     [](double t) {
       return Signal::Sample{std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)};
     }},
    {"cos(3 Hz * t)",
     [](double t) {
       return Signal::Sample{std::cos(3 * t), -3 * std::sin(3 * t), -9 * std::cos(3 * t)};
     }},
    {"tan(t * 0.1 Hz)",
     [](double t) {
       const double f = std::tan(0.1 * t), d = 1 / std::pow(std::cos(0.1 * t), 2);
       return Signal::Sample{f, 0.1 * d, 0.02 * f * d};
     }},
    {"asin(t / 10 s)",
     [](double t) {
       const double r = std::sqrt(100 - t * t);
       return Signal::Sample{std::asin(t / 10), 1 / r, t / (r * r * r)};
     }},
    {"acos(t / 10 s)",
     [](double t) {
       const double r = std::sqrt(100 - t * t);
       return Signal::Sample{std::acos(t / 10), -1 / r, -t / (r * r * r)};
     }},
    {"atan(t * 1 Hz)",
     [](double t) {
       const double d = 1 + t * t;
       return Signal::Sample{std::atan(t), 1 / d, -2 * t / (d * d)};
     }},
    {"sqrt(t * 1 s + 1 s^2)",
     [](double t) {
       const double r = std::sqrt(t + 1);
       return Signal::Sample{r, 0.5 / r, -0.25 / (r * r * r)};
     }},
    {"exp(-t / 2 s)",
     [](double t) {
       const double f = std::exp(-t / 2);
       return Signal::Sample{f, -f / 2, f / 4};
     }},
    {"log(t / 1 s + 1)",
     [](double t) {
       return Signal::Sample{std::log(t + 1), 1 / (t + 1), -1 / ((t + 1) * (t + 1))};
     }},
    {"abs(t - 1 s)",
     [](double t) {
       return Signal::Sample{std::abs(t - 1), t < 1 ? -1.0 : 1.0, 0};
     }},
    {"min(t, 2 s - t)",
     [](double t) {
       return t <= 1 ? Signal::Sample{t, 1, 0} : Signal::Sample{2 - t, -1, 0};
     }},
    {"max(t, 2 s - t)",
     [](double t) {
       return t < 1 ? Signal::Sample{2 - t, -1, 0} : Signal::Sample{t, 1, 0};
     }},
    {"sin(t * 1 Hz) * exp(t * 1 Hz)",  // (e^t sin t)'' = 2 e^t cos t
     [](double t) {
       const double e = std::exp(t), s = std::sin(t), c = std::cos(t);
       return Signal::Sample{e * s, e * (s + c), 2 * e * c};
     }},
    {"ramp(t, 1 s, 3 s)",
     [](double t) {
       return t < 1    ? Signal::Sample{0, 0, 0}
              : t >= 3 ? Signal::Sample{1, 0, 0}
                       : Signal::Sample{(t - 1) / 2, 0.5, 0};
     }},
    {"smooth(t, 1 s, 3 s)",  // the quintic 10 x^3 - 15 x^4 + 6 x^5
     [](double t) {
       if (t < 1) return Signal::Sample{0, 0, 0};
       if (t >= 3) return Signal::Sample{1, 0, 0};
       const double x = (t - 1) / 2;
       return Signal::Sample{x * x * x * (10 - 15 * x + 6 * x * x),
                             15 * x * x * (1 - 2 * x + x * x), 15 * x * (1 - 3 * x + 2 * x * x)};
     }},
};

TEST(Expression, RatesAreThoseOfClosedForms) {
  for (const Timed& f : timed) {
    const Expression e = Expression::parse(f.text, {}, true);
    EXPECT_FALSE(e.is_constant());
    for (const double t : {0.0, 0.3, 1.0, 1.7, 2.9, 3.0, 7.5}) {
      SCOPED_TRACE(fmt::format("{} at t = {}", f.text, t));
      const Signal::Sample s = e.at({t, {}}), x = f.expected(t);
      EXPECT_NEAR(s.value, x.value, 1e-12 * (1 + std::abs(x.value)));
      EXPECT_NEAR(s.rate, x.rate, 1e-12 * (1 + std::abs(x.rate)));
      EXPECT_NEAR(s.acceleration, x.acceleration, 1e-12 * (1 + std::abs(x.acceleration)));
    }
  }
}

TEST(Expression, KinksAreThoseOfRamps) {
  const Expression e = Expression::parse(
      "1 m * ramp(t, 2 s, 3 s) + 2 m * ramp(t, 1 s, 2 s) + 1 m * smooth(t, 4 s, 5 s)", {}, true);
  EXPECT_EQ(e.kinks(), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(e.is_smooth());
  EXPECT_FALSE(Expression::parse("abs(t)", {}, true).is_smooth());
  EXPECT_FALSE(Expression::parse("min(t, 1 s)", {}, true).is_smooth());
  EXPECT_TRUE(Expression::parse("t * max(1, 2)", {}, true).is_smooth());
}

// --- inputs ---

const std::vector<Symbol> symbols = {{"lift", {1, 0, 0, 0}}, {"gain", {}}};

TEST(Expression, UsesInputsWithTheirRates) {
  InputMotion lift = InputMotion::at_rest(1, 0.5);
  lift.set(0, 3);
  const std::vector<InputMotion> inputs = {lift, InputMotion::at_rest(2)};
  const Expression e = Expression::parse("gain * lift * sin(1 rad/s * t) + 1 m", {}, true, symbols);
  EXPECT_FALSE(e.is_constant());
  EXPECT_TRUE(e.is_smooth());
  EXPECT_TRUE(e.kinks().empty());
  EXPECT_EQ(e.inputs(), (std::vector<size_t>{0, 1}));
  EXPECT_TRUE(same_kind(e.dimension(), quantity::length.dimension));
  EXPECT_EQ(e.text(), "gain * lift * sin(1 rad s^-1 * t) + 1 m");
  const double t = 0.7, s = std::sin(t), c = std::cos(t);
  const Signal::Sample x = lift.at(t), y = e.at({t, inputs});
  EXPECT_DOUBLE_EQ(y.value, 2 * x.value * s + 1);
  EXPECT_DOUBLE_EQ(y.rate, 2 * (x.rate * s + x.value * c));
  EXPECT_DOUBLE_EQ(y.acceleration, 2 * (x.acceleration * s + 2 * x.rate * c - x.value * s));
  EXPECT_FALSE(Expression::parse("abs(lift)", {}, true, symbols).is_smooth());
}

TEST(Expression, ChecksTheUnitsOfInputs) {
  const auto problem = [](const std::string& text, bool with_time) -> std::string {
    try {
      Expression::parse(text, {}, with_time, symbols);
    } catch (const ExpressionError& e) {
      return e.problem + " | " + e.remedy;
    }
    return "none";
  };
  EXPECT_EQ(problem("lift + 1 s", true), "where '+' combines a length and a time | ");
  EXPECT_EQ(problem("lift ^ gain", true), "where the exponent is not a constant pure number | ");
  EXPECT_EQ(problem("2 * lift", false),
            "where 'lift' is not a variable | The input lift can be used only where a function of "
            "time is expected.");
  EXPECT_EQ(problem("2 * lfit", true), "where 'lfit' is not a variable | Did you mean 'lift'?");
}

TEST(Expression, FillsInVariables) {
  const Expression::Variables all = {{"span", {20, {1, 0, 0, 0}}},
                                     {"drop", {-4, {1, 0, 0, 0}}},
                                     {"k", {0.5, {0, 0, -1, 0}}},
                                     {"e3", {7, {}}}};
  EXPECT_EQ(with_variables("k * (span - z)", all), "(0.5 Hz) * ((20 m) - z)");
  EXPECT_EQ(with_variables("span2 + spa + 2 m*drop", all), "span2 + spa + 2 m*(-4 m)");
  EXPECT_EQ(with_variables("1e3 + 2e-3 - e3", all), "1e3 + 2e-3 - (7)");
  EXPECT_EQ(with_variables("", all), "");
}

TEST(Expression, DoesNotAllocateWhenEvaluated) {
#ifdef COUNTS_ALLOCATIONS
  const Expression e = Expression::parse(
      "0.2 m * sin(2*pi * 2 Hz * t) * smooth(t, 0 s, 1 s) + max(1 m * ramp(t, 1 s, 2 s), 0 m)", {},
      true);
  const long before = allocations;
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += e.at({0.03 * i, {}}).acceleration;
  EXPECT_EQ(allocations, before);
  EXPECT_NE(sum, 0);
#else
  GTEST_SKIP() << "the sanitizers have their own allocator";
#endif
}

// --- the text reads back ---

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void expect_reads_back(const std::string& text) {
  SCOPED_TRACE(text);
  const Expression once = Expression::parse(text, variables, true);
  SCOPED_TRACE(once.text());
  const Expression twice = Expression::parse(once.text(), {}, true);
  EXPECT_EQ(twice.text(), once.text());
  EXPECT_TRUE(same_kind(twice.dimension(), once.dimension()));
  EXPECT_EQ(twice.is_constant(), once.is_constant());
  EXPECT_EQ(twice.kinks(), once.kinks());
  for (const double t : {0.0, 0.37, 1.5, 12.25}) {
    const Signal::Sample a = once.at({t, {}}), b = twice.at({t, {}});
    const bool undefined = std::isnan(a.value) && std::isnan(b.value);
    EXPECT_TRUE(undefined || same_bits(a.value, b.value)) << a.value << " and " << b.value;
  }
}

/// An expression with a value everywhere, of a length or a pure number.
std::string random_expression(std::mt19937& random, int depth, bool length) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto inner = [&](bool of_length) {
    return random_expression(random, depth - 1, of_length);
  };
  if (depth == 0) {
    const double number = std::ldexp(static_cast<double>(random()), pick(40) - 40);
    const char* const lengths[] = {"span", "drop", "(t * 2 m/s)", "3 ft", "7 mm"};
    if (pick(2)) return length ? lengths[pick(5)] : pick(2) ? "n" : "(t / 3 s)";
    return fmt::format("{}{}{}", pick(4) ? "" : "-", number, length ? " cm" : "");
  }
  switch (pick(9)) {
    case 0:
      return inner(length) + " + " + inner(length);
    case 1:
      return inner(length) + " - (" + inner(length) + ")";
    case 2:
      return "(" + inner(length) + ") * (" + inner(false) + ")";
    case 3:
      return "(" + inner(length) + ") / (2 + abs(" + inner(false) + "))";
    case 4:
      return "-(" + inner(length) + ")";
    case 5:
      return fmt::format("max({}, {})", inner(length), inner(length));
    case 6:
      return fmt::format("({}) * smooth(t, {} s, {} s)", inner(length), pick(3), 3 + pick(3));
    case 7:
      return length ? fmt::format("sqrt(({})^2)", inner(true)) : "sin(" + inner(false) + ")";
    default:
      return fmt::format("({}) * ramp(t, {} s, 9 s)", inner(length), pick(3));
  }
}

TEST(Expression, TextsReadBackToTheSameBits) {
  for (const char* text : {"1 / 3",
                           "span",
                           "drop",
                           "-0.0",
                           "t",
                           "-t",
                           "-t^2",
                           "(-t)^2",
                           "t - (t - 1 s)",
                           "t / (t / 2)",
                           "t / 2 s * t",
                           "2 m * t",
                           "t * -3 m",
                           "5 rpm * t",
                           "1 / 3 m * t",
                           "(2 m)^0.3333 * t",
                           "drop * t * drop",
                           "2 min * sin(t * 1 Hz)",
                           "(t - 1 s) * (t - 2 s)",
                           "4 % * t",
                           "atan(t * 1 Hz) * 1 kg m rad s^-3",
                           "smooth(t, 1/3, 2/3)"})
    expect_reads_back(text);
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) expect_reads_back(random_expression(random, i % 6, i % 2 == 0));
}

TEST(Expression, LongSumsReadBack) {
  std::string text = "0 m";
  for (int i = 1; i < 140; ++i) text += fmt::format(" + 1 mm / {} * sin({} Hz * t)", i, i);
  expect_reads_back(text);
}

// --- errors ---

struct Wrong {
  const char* text;
  size_t offset;
  const char* problem;
  const char* expected;
  const char* remedy = "";
};

const char* const numbers_or = "a number or a variable: drop, n, span";

const Wrong wrong[] = {
    {"", 0, "which is empty", "a number, a variable or an expression"},
    {"   ", 0, "which is empty", "a number, a variable or an expression"},
    {"1 m + 2", 4, "where '+' combines a length and a pure number",
     "two quantities of the same dimension", "Add a unit to the number."},
    {"1 m - 2 kg", 4, "where '-' combines a length and a mass",
     "two quantities of the same dimension"},
    {"2 *", 3, "which ends too early", "a number, a variable or '('"},
    {"(2 + 3", 6, "which ends too early", "')'",
     "A comma ends a value inside braces or brackets: quote the value."},
    {"(2 3)", 3, "with an unexpected '3'", "')'"},
    {"2 ) 3", 2, "with an unexpected ')'", "an operator (+ - * / ^) or the end"},
    {"2 3", 2, "with an unexpected '3'", "an operator (+ - * / ^) or the end"},
    {"2 span", 2, "with an unexpected 'span'", "an operator (+ - * / ^) or the end"},
    {"* 2", 0, "with an unexpected '*'", "a number, a variable or '('"},
    {"1,5 m", 1, "with an unexpected ','", "an operator (+ - * / ^) or the end"},
    {".", 0, "with an unexpected '.'", "a number"},
    {"1e400", 0, "where a number is too large or too small", "a number from about 1e-307 to 1e308"},
    {"2 m^2^2", 5, "where a unit has a second exponent", "one exponent, such as ^2 or ^-1",
     "To raise a quantity to a power, use parentheses: (2 m)^2."},
    {"2 m^x", 3, "where the exponent of a unit is not a small number",
     "an exponent such as ^2 or ^-1"},
    {"2 m^99", 3, "where the exponent of a unit is not a small number",
     "an exponent such as ^2 or ^-1"},
    {"(2 m)^99", 0, "where a unit has too large an exponent", "exponents of at most 12"},
    {"0x10", 1, "where 'x10' is not a unit", "a unit such as m, mm, kg, kN, GPa, deg, Hz, rpm",
     "Write units as in `7850 kg/m^3`, `1.5 kN m`."},
    {"5 metres", 2, "where 'metres' is not a unit",
     "a unit such as m, mm, kg, kN, GPa, deg, Hz, rpm",
     "Write units as in `7850 kg/m^3`, `1.5 kN m`."},
    {"nan", 0, "where 'nan' is not a variable", numbers_or, "Did you mean 'span'?"},
    {"2 * spam", 4, "where 'spam' is not a variable", numbers_or, "Did you mean 'span'?"},
    {"mm", 0, "where 'mm' is not a variable", numbers_or, "A unit must follow a number: `1 mm`."},
    {"2 * t", 4, "where 't' is not a variable", numbers_or,
     "The time t can be used only where a function of time is expected."},
    {"sinh(2)", 0, "where 'sinh' is not a function",
     "one of sin, cos, tan, asin, acos, atan, sqrt, exp, log, abs, min, max, smooth, ramp"},
    {"sin(2 m)", 0, "where the argument of sin is a length", "an angle or a pure number"},
    {"sin(2 s)", 0, "where the argument of sin is a time", "an angle or a pure number",
     "Add the unit to the factor of t: sin(2*pi * 2 Hz * t)."},
    {"min(2)", 5, "with an unexpected ')'", "','"},
    {"min(2 m, 3 kg)", 0, "where the arguments of min are a length and a mass",
     "two quantities of the same dimension"},
    {"2 ^ (3 m)", 2, "where the exponent is not a constant pure number",
     "a number, such as ^2 or ^0.5"},
    {"1 + 1 / 0", 4, "which is not a finite number", "a finite number"},
    {"sqrt(-1)", 0, "which is not a finite number", "a finite number"},
    {"1e308 km", 0, "which is not a finite number", "a finite number"},
    {"smooth(t, 1 s, 2 s)", 0, "where the first argument of smooth is not t",
     "smooth(t, 1 s, 3 s), a function of time"},
};

void expect_wrong(const Wrong& w, bool with_time) {
  SCOPED_TRACE(w.text);
  try {
    Expression::parse(w.text, variables, with_time);
    ADD_FAILURE() << "it reads";
  } catch (const ExpressionError& e) {
    EXPECT_EQ(e.problem, w.problem);
    EXPECT_EQ(e.expected, w.expected);
    EXPECT_EQ(e.offset, w.offset);
    EXPECT_EQ(e.remedy, w.remedy);
  }
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  for (const Wrong& w : wrong) expect_wrong(w, false);
}

TEST(Expression, SaysWhatIsWrongWithFunctionsOfTime) {
  const Wrong cases[] = {
      {"smooth(2 s, 1 s, 2 s)", 0, "where the first argument of smooth is not t",
       "smooth(t, 1 s, 3 s), a function of time"},
      {"ramp(t, 2 s, 1 s)", 0, "where ramp ends at 1 s, not after its start at 2 s",
       "an end after the start"},
      {"ramp(t, t, 1 s)", 8, "where the argument is not a constant time", "a time, such as 2 s"},
      {"ramp(t, 1 m, 2 m)", 8, "where the argument is not a constant time", "a time, such as 2 s"},
      {"2 ^ t", 2, "where the exponent is not a constant pure number",
       "a number, such as ^2 or ^0.5"},
      {"t * (1 / 0)", 5, "which is not a finite number", "a finite number"},
      {"smooth(t", 8, "which ends too early", "','",
       "A comma ends a value inside braces or brackets: quote the value."}};
  for (const Wrong& w : cases) expect_wrong(w, true);
}

std::string problem_of(const std::string& text) {
  try {
    Expression::parse(text, {}, true);
    return "none";
  } catch (const ExpressionError& e) {
    return e.problem;
  }
}

TEST(Expression, RefusesWhatIsTooMuch) {
  const std::string deep = std::string(60, '(') + "1" + std::string(60, ')');
  EXPECT_EQ(problem_of(deep), "with parentheses nested deeper than 48");
  EXPECT_EQ(problem_of(std::string(100'000, '-')), "with parentheses nested deeper than 48");
  EXPECT_EQ(problem_of(std::string(200'000, '1')), "which is 200000 characters long");
  std::string sum = "t", open = "t";
  for (int i = 0; i < 600; ++i) sum += "+t";
  EXPECT_EQ(problem_of(sum), "which has more than 1000 operations");
  for (int i = 0; i < 40; ++i) open = "t + t * (" + open + ")";
  EXPECT_EQ(problem_of(open), "which is nested too deeply");
}

TEST(Expression, ConstantsAreAskedFor) {
  try {
    FAIL() << Expression::parse("t", {}, true).constant_in(quantity::time);
  } catch (const ExpressionError& e) {
    EXPECT_EQ(e.problem, "which is a function of time");
    EXPECT_EQ(e.expected, "a constant time");
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
