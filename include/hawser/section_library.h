// Library of sections: ropes, chains, conductors, wires and belts, with the source of every number.
// SI units. Definitions and range of validity: docs/theory/sections.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hawser/section.h"

namespace hawser {

/// A section of a given size. Per metre of line in a fluid of density rho and relative velocity v:
/// drag 1/2 rho drag_normal D v^2 across it and 1/2 rho drag_axial pi D v^2 along it, added mass
/// rho added_mass pi D^2/4, where D is the hydrodynamic diameter.
struct SectionProperties {
  Section section;           ///< EI is the lower bound: wires slip freely
  double EI_bonded = 0;      ///< upper bound of EI: no slip between wires or yarns [N m^2]
  double diameter = 0;       ///< nominal [m]
  double volume = 0;         ///< material volume per metre, displaced when submerged [m^3/m]
  double damping_ratio = 0;  ///< structural, of the lowest modes, relative to critical [-]
  double hydrodynamic_diameter = 0;                    ///< D [m]
  double drag_normal = 0, drag_axial = 0;              ///< [-]
  double added_mass_normal = 0, added_mass_axial = 0;  ///< [-]
};

/// Source of each number: a standard, manual or paper, or "Estimate: ...".
struct SectionSources {
  std::string mass, EA, EI, GJ, breaking_load, damping, hydrodynamics;
};

/// An entry of the library.
struct LibrarySection {
  std::string name;                  ///< "wire-rope-6x19"
  std::string title;                 ///< description, including the grade
  std::string size;                  ///< meaning of the diameter: "nominal diameter"
  double smallest = 0, largest = 0;  ///< range of diameters of the formulas [m]
  double standard = 0;               ///< the only diameter, or a typical one [m]
  SectionSources sources;
  /// The formulas, for diameters in range. library_properties() checks the range.
  std::function<SectionProperties(double diameter)> formulas;

  /// True if there is only one size.
  [[nodiscard]] bool fixed() const { return smallest == largest; }
};

/// All entries, grouped by family.
const std::vector<LibrarySection>& section_library();

/// The entry of that name, or null.
const LibrarySection* find_library_section(const std::string& name);

/// The properties at a diameter [m]. Throws Error if it is out of range. A fixed section accepts
/// its own diameter within 1 %.
SectionProperties library_properties(const LibrarySection& section, double diameter);

}  // namespace hawser
