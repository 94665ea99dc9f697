#include "sections/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include "hawser/error.h"

namespace hawser {

using std::numbers::pi;

namespace {

std::vector<LibrarySection> all_sections() {
  std::vector<LibrarySection> all;
  for (std::vector<LibrarySection> family :
       {wire_rope_sections(), chain_sections(), fibre_rope_sections(), conductor_sections(),
        wire_sections(), belt_sections()})
    std::move(family.begin(), family.end(), std::back_inserter(all));
  return all;
}

/// A Section's one diameter is that of the volume it displaces, so that buoyancy is right; drag is
/// carried over to it.
SectionProperties with_fluid(SectionProperties p) {
  Section& s = p.section;
  s.diameter = std::sqrt(4 * p.volume / pi);
  s.drag = p.drag_normal * p.hydrodynamic_diameter / s.diameter;
  s.tangential_drag = p.drag_axial * p.hydrodynamic_diameter / s.diameter;
  return p;
}

}  // namespace

SectionProperties properties_of(const Family& family, double diameter) {
  const double d = diameter;
  const double s = std::min(family.threads.share * d, family.threads.thickest);
  SectionProperties out;
  out.section.mass = family.mass.at(d);
  out.section.EA = family.EA.at(d);
  out.section.breaking_load = family.breaking_load.at(d);
  out.section.EI = family.threads.EA.at(d) * s * s / 16;
  out.section.GJ = out.section.EI / (1 + family.threads.poisson);  // J = 2 I, G = E/(2 + 2 nu)
  out.EI_bonded = family.threads.share > 0 ? family.threads.EA.at(d) * d * d / 16 : 0;
  out.diameter = d;
  out.volume = out.section.mass / family.density;
  out.damping_ratio = family.damping_ratio;
  out.hydrodynamic_diameter = family.by_volume ? std::sqrt(4 * out.volume / pi) : d;
  const double scale = d / out.hydrodynamic_diameter;  // the same forces on another diameter
  out.drag_normal = family.drag.normal * scale;
  out.drag_axial = family.drag.axial * scale / pi;
  out.added_mass_normal = family.drag.added_mass_normal;
  out.added_mass_axial = family.drag.added_mass_axial;
  return out;
}

double wire_share(double metal_factor, int wires) {
  return std::sqrt(4 * metal_factor / (pi * wires));
}

LibrarySection family_entry(std::string name, std::string title, double smallest_mm,
                            double largest_mm, double typical_mm, const Family& family,
                            SectionSources sources) {
  LibrarySection out;
  out.name = std::move(name);
  out.title = std::move(title);
  out.size = "nominal diameter";
  out.smallest = smallest_mm / 1000;
  out.largest = largest_mm / 1000;
  out.standard = typical_mm / 1000;
  out.sources = std::move(sources);
  out.formulas = [family](double diameter) { return properties_of(family, diameter); };
  return out;
}

const std::vector<LibrarySection>& section_library() {
  static const std::vector<LibrarySection> library = all_sections();
  return library;
}

const LibrarySection* find_library_section(const std::string& name) {
  const std::vector<LibrarySection>& all = section_library();
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const LibrarySection& entry) { return entry.name == name; });
  return at == all.end() ? nullptr : &*at;
}

SectionProperties library_properties(const LibrarySection& section, double diameter) {
  // A table's diameter is rounded, and so are millimetres turned into metres.
  const double slack = section.fixed() ? 0.01 : 1e-9;
  if (diameter >= section.smallest * (1 - slack) && diameter <= section.largest * (1 + slack))
    return with_fluid(section.formulas(std::clamp(diameter, section.smallest, section.largest)));
  const std::string where = fmt::format("section '{}', diameter", section.name);
  const std::string found = fmt::format("{:g} mm", 1000 * diameter);
  if (section.fixed())
    throw Error(where, found, fmt::format("{:g} mm, the only size", 1000 * section.standard),
                "Omit the diameter.");
  throw Error(where, found,
              fmt::format("{:g} to {:g} mm", 1000 * section.smallest, 1000 * section.largest),
              "The formulas are valid only in this range: use another section (`hawser sections` "
              "lists them) or give EA, EI and mass.");
}

}  // namespace hawser
