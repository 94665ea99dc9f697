// Sections by name: ropes, chains, conductors, wires and belts with the source of every number.
// SI units. What the numbers mean and how far they hold: docs/theory/sections.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hawser/section.h"

namespace hawser {

/// A section of a given size. Per metre of line in a fluid of density rho that passes at v:
/// drag 1/2 rho drag_normal D v^2 across it and 1/2 rho drag_axial pi D v^2 along it, added mass
/// rho added_mass pi D^2/4, with D the hydrodynamic diameter.
struct SectionProperties {
  Section section;           ///< EI is that of full slip, the lower bound
  double EI_bonded = 0;      ///< upper bound of EI: no wire or yarn slips [N m^2]
  double diameter = 0;       ///< nominal [m]
  double volume = 0;         ///< of material per metre: what a submerged line displaces [m^3/m]
  double damping_ratio = 0;  ///< structural, of the lowest modes, by critical damping [-]
  double hydrodynamic_diameter = 0;                    ///< D [m]
  double drag_normal = 0, drag_axial = 0;              ///< [-]
  double added_mass_normal = 0, added_mass_axial = 0;  ///< [-]
};

/// Where each number comes from: a standard, manual or paper, or the words "Estimate: ...".
struct SectionSources {
  std::string mass, EA, EI, GJ, breaking_load, damping, hydrodynamics;
};

/// An entry of the library.
struct LibrarySection {
  std::string name;                  ///< "wire-rope-6x19"
  std::string title;                 ///< what it is, grade included
  std::string size;                  ///< what the diameter measures: "nominal diameter"
  double smallest = 0, largest = 0;  ///< diameters the formulas hold for [m]
  double standard = 0;               ///< the only diameter, or a typical one [m]
  SectionSources sources;
  /// The formulas, for diameters in range; library_properties() checks that.
  std::function<SectionProperties(double diameter)> formulas;

  /// True when there is one size only.
  [[nodiscard]] bool fixed() const { return smallest == largest; }
};

/// All entries, families together.
const std::vector<LibrarySection>& section_library();

/// The entry of that name; null when there is none.
const LibrarySection* find_library_section(const std::string& name);

/// The properties at a diameter [m]; throws Error when it is out of range. A fixed section takes
/// its own diameter, given to 1 %.
SectionProperties library_properties(const LibrarySection& section, double diameter);

}  // namespace hawser
