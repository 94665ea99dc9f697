// How the entries of the section library are made: a few coefficients for each family.
#pragma once

#include <numbers>
#include <string>
#include <vector>

#include "hawser/section_library.h"

namespace hawser {

/// c2 d^2 + c3 d^3: how mass, stiffness and strength grow with the diameter d [m].
struct Growth {
  double c2 = 0, c3 = 0;
  [[nodiscard]] double at(double d) const { return (c2 + c3 * d) * d * d; }
};

/// Round threads (wires or yarns) that slip on each other. Each bends about its own axis, so that
/// a bundle of stiffness EA made of threads of diameter s has EI = EA s^2/16; the solid bar is the
/// case s = d, and EA d^2/16 bounds every bundle from above.
struct Threads {
  Growth EA;            ///< of all threads side by side [N]
  double share = 0;     ///< s/d at most [-]; 0: no bending stiffness at all
  double thickest = 1;  ///< s at most [m]
  double poisson = 0.3;
};

/// Coefficients on the nominal diameter, as the standards give them: drag per metre
/// 1/2 rho C d v^2 both across and along the line.
struct Drag {
  double normal, axial;
  double added_mass_normal, added_mass_axial;
};

/// A family whose numbers are polynomials of the diameter.
struct Family {
  Growth mass;           ///< [kg/m]
  Growth EA;             ///< [N]
  Growth breaking_load;  ///< [N]
  Threads threads;
  double density = 0;  ///< of the material, for the volume it displaces [kg/m^3]
  double damping_ratio = 0;
  Drag drag{};
  /// Drag and added mass refer to the circle of the displaced volume, not to the nominal one.
  bool by_volume = false;
};

SectionProperties properties_of(const Family& family, double diameter);

/// C d^2 of metal in n equal round wires: the diameter of a wire by that of the rope.
double wire_share(double metal_factor, int wires);

/// An entry over a range of diameters, in millimetres.
LibrarySection family_entry(std::string name, std::string title, double smallest_mm,
                            double largest_mm, double typical_mm, const Family& family,
                            SectionSources sources);

/// Of every line without coefficients of its own; along it, skin friction of 0.008.
inline constexpr Drag smooth_cylinder{1.2, 0.008 * std::numbers::pi, 1.0, 0.0};
inline constexpr const char* smooth_cylinder_source =
    "Circular cylinder below the drag crisis, DNV-RP-C205 (2010): drag 1.2, added mass 1. "
    "Estimate: 0.008 along the surface, no added mass along the line";

std::vector<LibrarySection> wire_rope_sections();
std::vector<LibrarySection> chain_sections();
std::vector<LibrarySection> fibre_rope_sections();
std::vector<LibrarySection> conductor_sections();
std::vector<LibrarySection> wire_sections();
std::vector<LibrarySection> belt_sections();

}  // namespace hawser
