// Quantities with units: "20 mm", "1.5 kN", "120 rpm". Internally, everything is SI.
#pragma once

#include <string>

namespace hawser {

/// Exponents of metre, kilogram, second and radian. Angles are dimensionless; the exponent of the
/// radian only distinguishes a frequency [Hz] from an angular velocity [rad/s].
struct Dimension {
  double m = 0, kg = 0, s = 0, rad = 0;
};

/// Equal except for the radian.
bool same_kind(const Dimension& a, const Dimension& b);
Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& a, double exponent);

/// A physical quantity, as expected by a field of a scene.
struct QuantityType {
  const char* name;     ///< "length"
  const char* unit;     ///< SI: "m"
  const char* example;  ///< "10 mm"
  Dimension dimension;
};

namespace quantity {
inline constexpr QuantityType number{"pure number", "", "0.5", {}};
inline constexpr QuantityType length{"length", "m", "10 mm", {1, 0, 0, 0}};
inline constexpr QuantityType mass{"mass", "kg", "5 kg", {0, 1, 0, 0}};
inline constexpr QuantityType time{"time", "s", "10 ms", {0, 0, 1, 0}};
inline constexpr QuantityType angle{"angle", "rad", "30 deg", {0, 0, 0, 1}};
inline constexpr QuantityType frequency{"frequency", "Hz", "2 Hz", {0, 0, -1, 0}};
inline constexpr QuantityType velocity{"velocity", "m/s", "2 m/s", {1, 0, -1, 0}};
inline constexpr QuantityType angular_velocity{
    "angular velocity", "rad/s", "120 rpm", {0, 0, -1, 1}};
inline constexpr QuantityType acceleration{"acceleration", "m/s^2", "-9.81 m/s^2", {1, 0, -2, 0}};
inline constexpr QuantityType force{"force", "N", "1.5 kN", {1, 1, -2, 0}};
inline constexpr QuantityType force_per_length{"force per length", "N/m", "5 N/m", {0, 1, -2, 0}};
inline constexpr QuantityType moment{"moment", "N m", "3 N m", {2, 1, -2, 0}};
inline constexpr QuantityType energy{"energy", "J", "10 kJ", {2, 1, -2, 0}};
inline constexpr QuantityType stiffness{
    "bending or torsional stiffness", "N m^2", "100 N m^2", {3, 1, -2, 0}};
inline constexpr QuantityType pressure{"pressure", "Pa", "200 GPa", {-1, 1, -2, 0}};
inline constexpr QuantityType ground_stiffness{
    "force per length and depth", "N/m^2", "10 kN/m^2", {-1, 1, -2, 0}};
inline constexpr QuantityType density{"density", "kg/m^3", "7850 kg/m^3", {-3, 1, 0, 0}};
inline constexpr QuantityType mass_per_length{"mass per length", "kg/m", "2.5 kg/m", {-1, 1, 0, 0}};
inline constexpr QuantityType mass_per_area{"mass per area", "kg/m^2", "80 kg/m^2", {-2, 1, 0, 0}};
inline constexpr QuantityType moment_of_inertia{
    "moment of inertia", "kg m^2", "5 kg m^2", {2, 1, 0, 0}};
inline constexpr QuantityType compliance{"compliance", "m/N", "1e-9 m/N", {0, -1, 2, 0}};
inline constexpr QuantityType angular_compliance{
    "angular compliance", "rad/N/m", "1e-9 rad/N/m", {-2, -1, 2, 1}};
inline constexpr QuantityType slip{"slip", "m/s/N", "1e-6 m/s/N", {0, -1, 1, 0}};
inline constexpr QuantityType angular_slip{
    "angular slip", "rad/s/N/m", "1e-6 rad/s/N/m", {-2, -1, 1, 1}};
inline constexpr QuantityType curvature{"curvature", "1/m", "0.5 m^-1", {-1, 0, 0, 0}};
inline constexpr QuantityType momentum{"momentum", "kg m/s", "3 kg m/s", {1, 1, -1, 0}};
inline constexpr QuantityType angular_momentum{
    "angular momentum", "kg m^2/s", "3 kg m^2/s", {2, 1, -1, 0}};
}  // namespace quantity

/// "a length", "an angle", or for a dimension without a name: "a quantity in kg/s".
std::string describe(const Dimension& dimension);
/// SI unit of a dimension: "kg/m^3"; empty if dimensionless.
std::string unit_of(const Dimension& dimension);
/// The dimension of a unit as in column labels ("N m^2"). Throws Error if unknown.
Dimension dimension_of(const std::string& unit);

/// One unit: "mm" is 1e-3 m. Factor 0: unknown.
struct Unit {
  double factor = 0;
  Dimension dimension;
};
/// The unit of that name; factor 0 if there is none.
Unit find_unit(const std::string& name);

/// Reads "20 mm" or "0.5 / 2 m"; a bare number is SI. Returns SI. `where` names the object in the
/// Error thrown if the text is not such a quantity.
double parse_quantity(const std::string& text, const QuantityType& type, const std::string& where);

}  // namespace hawser
