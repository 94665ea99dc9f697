// Units against their definitions; dimensions; quantities as texts.
#include "hawser/units.h"

#include <gtest/gtest.h>

#include <numbers>

#include "hawser/error.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;

struct Definition {
  const char* name;
  double factor;
  const char* si;  ///< a unit of the same kind with factor 1
};

// The International System of Units (2019); international yard and pound (1959); 1 tf and 1 kgf by
// standard gravity (1901); the nautical mile (1929).
const Definition definitions[] = {
    {"m", 1, "m"},
    {"km", 1000, "m"},
    {"cm", 0.01, "m"},
    {"mm", 0.001, "m"},
    {"um", 1e-6, "m"},
    {"in", 0.0254, "m"},
    {"ft", 0.3048, "m"},
    {"nmi", 1852, "m"},
    {"s", 1, "s"},
    {"ms", 0.001, "s"},
    {"us", 1e-6, "s"},
    {"min", 60, "s"},
    {"h", 3600, "s"},
    {"kg", 1, "kg"},
    {"g", 0.001, "kg"},
    {"t", 1000, "kg"},
    {"lb", 0.45359237, "kg"},
    {"N", 1, "kg m/s^2"},
    {"mN", 0.001, "N"},
    {"kN", 1000, "N"},
    {"MN", 1e6, "N"},
    {"GN", 1e9, "N"},
    {"kgf", 9.80665, "N"},
    {"tf", 9806.65, "N"},
    {"lbf", 4.4482216152605, "N"},
    {"Pa", 1, "N/m^2"},
    {"kPa", 1000, "Pa"},
    {"MPa", 1e6, "Pa"},
    {"GPa", 1e9, "Pa"},
    {"bar", 1e5, "Pa"},
    {"psi", 6894.757293168361, "Pa"},
    {"J", 1, "N m"},
    {"kJ", 1000, "N m"},
    {"MJ", 1e6, "N m"},
    {"W", 1, "J/s"},
    {"kW", 1000, "W"},
    {"rad", 1, ""},
    {"deg", pi / 180, "rad"},
    {"rev", 2 * pi, "rad"},
    {"rpm", pi / 30, "rad/s"},
    {"Hz", 1, "s^-1"},
    {"kHz", 1000, "Hz"},
    {"knot", 1852.0 / 3600, "m/s"},
    {"%", 0.01, ""},
};

TEST(Units, AreWhatTheirDefinitionsSay) {
  for (const Definition& d : definitions) {
    SCOPED_TRACE(d.name);
    const Unit unit = find_unit(d.name);
    EXPECT_DOUBLE_EQ(unit.factor, d.factor);
    EXPECT_TRUE(same_kind(unit.dimension, dimension_of(d.si)));
  }
}

TEST(Units, OthersAreUnknown) {
  for (const char* name : {"", "M", "Kg", "KN", "mm2", "furlong", "m^2", " m", "N m"})
    EXPECT_EQ(find_unit(name).factor, 0) << name;
}

TEST(Units, NamesOfDimensionsReadBack) {
  for (const char* unit :
       {"",      "m",   "kg",     "s",        "rad",      "Hz",          "m/s",
        "m/s^2", "N",   "N/m",    "N m",      "N m^2",    "Pa",          "kg/m^3",
        "kg/m",  "1/m", "kg m/s", "kg m^2/s", "rad s^-1", "kg m^2 s^-3", "kg^0.5 m^0.25"})
    EXPECT_EQ(unit_of(dimension_of(unit)), unit);
}

TEST(Units, ThirdsOfDimensionsReadBack) {
  const Dimension third = power({1, 0, -2, 0}, 1.0 / 3);
  EXPECT_TRUE(same_kind(third, dimension_of(unit_of(third))));
  const Dimension whole = power(third, 3);
  EXPECT_EQ(whole.m, 1);
  EXPECT_EQ(whole.s, -2);
}

TEST(Units, AreDescribedInWords) {
  EXPECT_EQ(describe({}), "a pure number");
  EXPECT_EQ(describe({0, 0, 0, 1}), "an angle");
  EXPECT_EQ(describe({0, 0, -1, 1}), "an angular velocity");
  EXPECT_EQ(describe({0, 0, -1, 0}), "a frequency");
  EXPECT_EQ(describe({1, 0, -2, 0}), "an acceleration");
  EXPECT_EQ(describe({2, 1, -2, 0}), "a moment");
  EXPECT_EQ(describe({0, 1, -1, 0}), "a quantity in kg s^-1");
}

TEST(Units, DimensionOfAnUnknownUnitIsAnError) {
  try {
    dimension_of("furlong");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "unit");
    EXPECT_EQ(error.found(), "'furlong', where 'furlong' is not a unit");
  }
}

TEST(Quantities, AreReadInSi) {
  EXPECT_DOUBLE_EQ(parse_quantity("20 mm", quantity::length, "x"), 0.02);
  EXPECT_DOUBLE_EQ(parse_quantity("20mm", quantity::length, "x"), 0.02);
  EXPECT_DOUBLE_EQ(parse_quantity("0.5", quantity::length, "x"), 0.5);
  EXPECT_DOUBLE_EQ(parse_quantity("-1.5e3 kN", quantity::force, "x"), -1.5e6);
  EXPECT_DOUBLE_EQ(parse_quantity("7.85 g / cm^3", quantity::density, "x"), 7850);
  EXPECT_DOUBLE_EQ(parse_quantity("60 rpm", quantity::angular_velocity, "x"), 2 * pi);
  EXPECT_DOUBLE_EQ(parse_quantity("60 rpm", quantity::frequency, "x"), 1);
  EXPECT_DOUBLE_EQ(parse_quantity("3 kN m", quantity::moment, "x"), 3000);
  EXPECT_DOUBLE_EQ(parse_quantity("3 kJ", quantity::moment, "x"), 3000);
  EXPECT_DOUBLE_EQ(parse_quantity("5 %", quantity::number, "x"), 0.05);
  EXPECT_DOUBLE_EQ(parse_quantity("1 m / 2", quantity::length, "x"), 0.5);
}

void expect_error(const char* text, const QuantityType& type, const char* message) {
  try {
    parse_quantity(text, type, "the thing");
    ADD_FAILURE() << text << " reads";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), message);
  }
}

TEST(Quantities, OfAnotherKindAreErrors) {
  expect_error("5 kg", quantity::length,
               "the thing: found '5 kg', which is a mass; expected a length, such as 10 mm.");
  expect_error("5 m", quantity::angle,
               "the thing: found '5 m', which is a length; expected an angle, such as 30 deg.");
  expect_error("2 Hz", quantity::angular_velocity,
               "the thing: found '2 Hz', which is a frequency; expected an angular velocity, such "
               "as 120 rpm. 1 Hz is 60 rpm.");
  expect_error("5 furlong", quantity::length,
               "the thing: found '5 furlong', where 'furlong' is not a unit; expected a unit such "
               "as m, mm, kg, kN, GPa, deg, Hz, rpm. Write units as in `7850 kg/m^3`, `1.5 kN m`.");
  expect_error("", quantity::length,
               "the thing: found '', which is empty; expected a number, a variable or an "
               "expression.");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
