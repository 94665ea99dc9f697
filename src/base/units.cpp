#include "hawser/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "base/expression.h"
#include "hawser/error.h"

namespace hawser {
namespace {

constexpr double inch = 0.0254, pound = 0.45359237, standard_gravity = 9.80665;
constexpr Dimension none{}, metre{1, 0, 0, 0}, kilogram{0, 1, 0, 0}, second{0, 0, 1, 0},
    radian{0, 0, 0, 1}, newton{1, 1, -2, 0}, pascal{-1, 1, -2, 0}, joule{2, 1, -2, 0},
    watt{2, 1, -3, 0}, hertz{0, 0, -1, 0}, speed{1, 0, -1, 0}, turning{0, 0, -1, 1};

struct NamedUnit {
  std::string_view name;
  double factor;
  Dimension dimension;
};

// Factors: The International System of Units, 9th edition (2019), tables 4, 7 and 8; inch and pound
// as agreed in 1959; force units by standard gravity 9.80665 m/s^2.
constexpr std::array units{
    NamedUnit{"m", 1, metre},
    NamedUnit{"km", 1e3, metre},
    NamedUnit{"cm", 1e-2, metre},
    NamedUnit{"mm", 1e-3, metre},
    NamedUnit{"um", 1e-6, metre},
    NamedUnit{"in", inch, metre},
    NamedUnit{"ft", 12 * inch, metre},
    NamedUnit{"nmi", 1852, metre},
    NamedUnit{"s", 1, second},
    NamedUnit{"ms", 1e-3, second},
    NamedUnit{"us", 1e-6, second},
    NamedUnit{"min", 60, second},
    NamedUnit{"h", 3600, second},
    NamedUnit{"kg", 1, kilogram},
    NamedUnit{"g", 1e-3, kilogram},
    NamedUnit{"t", 1e3, kilogram},
    NamedUnit{"lb", pound, kilogram},
    NamedUnit{"N", 1, newton},
    NamedUnit{"mN", 1e-3, newton},
    NamedUnit{"kN", 1e3, newton},
    NamedUnit{"MN", 1e6, newton},
    NamedUnit{"GN", 1e9, newton},
    NamedUnit{"kgf", standard_gravity, newton},
    NamedUnit{"tf", 1e3 * standard_gravity, newton},
    NamedUnit{"lbf", pound* standard_gravity, newton},
    NamedUnit{"Pa", 1, pascal},
    NamedUnit{"kPa", 1e3, pascal},
    NamedUnit{"MPa", 1e6, pascal},
    NamedUnit{"GPa", 1e9, pascal},
    NamedUnit{"bar", 1e5, pascal},
    NamedUnit{"psi", pound* standard_gravity / (inch * inch), pascal},
    NamedUnit{"J", 1, joule},
    NamedUnit{"kJ", 1e3, joule},
    NamedUnit{"MJ", 1e6, joule},
    NamedUnit{"W", 1, watt},
    NamedUnit{"kW", 1e3, watt},
    NamedUnit{"rad", 1, radian},
    NamedUnit{"deg", std::numbers::pi / 180, radian},
    NamedUnit{"rev", 2 * std::numbers::pi, radian},
    NamedUnit{"rpm", 2 * std::numbers::pi / 60, turning},
    NamedUnit{"Hz", 1, hertz},
    NamedUnit{"kHz", 1e3, hertz},
    NamedUnit{"knot", 1852.0 / 3600, speed},
    NamedUnit{"%", 0.01, none},
};

constexpr std::array known_types{quantity::length,
                                 quantity::mass,
                                 quantity::time,
                                 quantity::angle,
                                 quantity::frequency,
                                 quantity::velocity,
                                 quantity::acceleration,
                                 quantity::force,
                                 quantity::force_per_length,
                                 quantity::moment,
                                 quantity::stiffness,
                                 quantity::pressure,
                                 quantity::density,
                                 quantity::curvature,
                                 quantity::mass_per_length,
                                 quantity::momentum,
                                 quantity::angular_momentum};

bool same(double a, double b) { return std::abs(a - b) < 1e-9; }

/// 3 * (1/3) is 1: exponents that are whole but for rounding become so.
double snapped(double x) { return same(x, std::round(x)) ? std::round(x) : x; }

}  // namespace

bool same_kind(const Dimension& a, const Dimension& b) {
  return same(a.m, b.m) && same(a.kg, b.kg) && same(a.s, b.s);
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  return {snapped(a.m + b.m), snapped(a.kg + b.kg), snapped(a.s + b.s), snapped(a.rad + b.rad)};
}
Dimension operator/(const Dimension& a, const Dimension& b) { return a * power(b, -1); }
Dimension power(const Dimension& a, double n) {
  return {snapped(n * a.m), snapped(n * a.kg), snapped(n * a.s), snapped(n * a.rad)};
}

std::string unit_of(const Dimension& d) {
  for (const QuantityType& type : known_types)
    if (same_kind(type.dimension, d) && same(type.dimension.rad, d.rad)) return type.unit;
  const std::pair<const char*, double> parts[] = {
      {"kg", d.kg}, {"m", d.m}, {"rad", d.rad}, {"s", d.s}};
  std::string text;
  for (const auto& [name, exponent] : parts) {
    if (same(exponent, 0)) continue;
    if (!text.empty()) text += " ";
    text += name;
    if (!same(exponent, 1)) text += fmt::format("^{}", exponent);
  }
  return text;
}

std::string describe(const Dimension& d) {
  if (same_kind(d, {})) return same(d.rad, 0) ? "a pure number" : "an angle";
  if (same_kind(d, hertz) && same(d.rad, 1)) return "an angular velocity";
  for (const QuantityType& type : known_types)
    if (same_kind(type.dimension, d)) return with_article(type.name);
  return fmt::format("a quantity in {}", unit_of(d));
}

Unit find_unit(const std::string& name) {
  for (const NamedUnit& unit : units)
    if (unit.name == name) return {unit.factor, unit.dimension};
  return {};
}

Dimension dimension_of(const std::string& unit) {
  if (unit.empty()) return {};
  const bool inverse = unit.starts_with("1/");
  try {
    return Expression::parse(inverse ? "1 / (1 " + unit.substr(2) + ")" : "1 " + unit, {})
        .dimension();
  } catch (const ExpressionError& error) {
    throw Error("unit", fmt::format("'{}', {}", unit, error.problem), error.expected, error.remedy);
  }
}

double parse_quantity(const std::string& text, const QuantityType& type, const std::string& where) {
  try {
    const Expression expression = Expression::parse(text, {});
    return expression.constant_in(type);
  } catch (const ExpressionError& error) {
    throw Error(where, fmt::format("'{}', {}", text, error.problem),
                error.expected.empty() ? such_as(type) : error.expected, error.remedy);
  }
}

}  // namespace hawser
