// Fibre ropes and belts.
#include <fmt/format.h>

#include <numbers>
#include <utility>

#include "sections/library.h"

namespace hawser {

using std::numbers::pi;

namespace {

struct FibreRope {
  const char *name, *title;
  double smallest, largest, typical;  // [mm]
  double mass;                        // by d^2 [kg/m^3]
  double strength, strength_slope;    // breaking load by d^2 and d^3 [N/m^2, N/m^3]
  double stiffness;                   // EA by breaking load [-]
  double density;                     // of the fibre [kg/m^3]
  double damping_ratio;
  double yarn;  // that slips as one [m]
  std::string mass_source, EA_source, breaking_source;
};

LibrarySection fibre_rope(const FibreRope& r) {
  Family f;
  f.mass = {r.mass};
  f.breaking_load = {r.strength, r.strength_slope};
  f.EA = {r.stiffness * r.strength, r.stiffness * r.strength_slope};
  f.threads = {f.EA, 0.2, r.yarn};
  f.density = r.density;
  f.damping_ratio = r.damping_ratio;
  f.drag = {1.6, smooth_cylinder.axial, 1.0, 0.0};
  SectionSources s;
  s.mass = r.mass_source;
  s.EA = r.EA_source;
  s.EI = fmt::format(
      "Estimate, order of magnitude: yarns of {:g} mm (d/5 in thin ropes) slip on each other, EA "
      "({:g} mm)^2/16; bonded: EA d^2/16",
      1000 * r.yarn, 1000 * r.yarn);
  s.GJ = "Estimate, order of magnitude: EI/1.3";
  s.breaking_load = r.breaking_source;
  s.damping = fmt::format("Estimate: half of a loss factor of {:g}; more in large load cycles",
                          2 * r.damping_ratio);
  s.hydrodynamics =
      "Drag 1.6, fibre rope, DNV-OS-E301 (2013); added mass 1, circular cylinder, DNV-RP-C205. "
      "Estimate: 0.008 along the surface";
  return family_entry(r.name, r.title, r.smallest, r.largest, r.typical, f, std::move(s));
}

/// Gent 1958: Young's modulus [Pa] of rubber from its hardness, Shore A.
double gent_modulus(double shore) {
  return 1e6 * 0.0981 * (56 + 7.62336 * shore) / (0.137505 * (254 - 2.54 * shore));
}

LibrarySection round_belt() {
  const double area = pi / 4, modulus = gent_modulus(85);
  Family f;
  f.mass = {1120 * area};
  f.EA = {modulus * area};
  f.breaking_load = {29.0e6 * area};
  f.threads = {f.EA, 1, 1, 0.5};
  f.density = 1120;
  f.damping_ratio = 0.05;
  f.drag = smooth_cylinder;
  SectionSources s;
  s.mass = "1120 kg/m^3, Pellethane 2363-80A (85 Shore A), ASTM D792";
  s.EA =
      "Estimate: E = 13.2 MPa from 85 Shore A (Gent 1958); the data sheet gives 4.8 MPa at 50 % "
      "strain. A belt at rest loses a third or more of its tension over time";
  s.EI = "Solid round bar, EA d^2/16";
  s.GJ = "Solid round bar, incompressible: EI/1.5";
  s.breaking_load =
      "29.0 MPa (4200 psi), Pellethane 2363-80A, ASTM D412, at 650 % strain; a welded joint is "
      "weaker";
  s.damping = "Estimate: half of a loss factor of 0.1";
  s.hydrodynamics = smooth_cylinder_source;
  return family_entry("round-belt-polyurethane", "solid round drive belt, polyurethane 85 Shore A",
                      1.5, 12.5, 8, f, std::move(s));
}

/// Steel cord conveyor belt ST 1000 as in Sempertrans' data sheet 010DS1301 (2014): 1200 mm wide,
/// covers 12 + 6 mm; cords 3.85 mm (DIN 22131).
SectionProperties st1000() {
  const double width = 1.2, cord = 0.00385, thickness = 0.012 + 0.006 + cord;
  const double rubber = gent_modulus(63) * width * thickness * thickness * thickness / 12;
  SectionProperties p;
  p.section.mass = 33.1;
  p.section.EA = 72e6 * width;
  p.section.breaking_load = 1e6 * width;
  p.section.EI = rubber;
  p.section.GJ = 4 * rubber / 3;
  p.EI_bonded = rubber + p.section.EA * cord * cord / 16;
  p.diameter = thickness;
  p.volume = width * thickness;
  p.damping_ratio = 0.05;
  p.hydrodynamic_diameter = width;
  p.drag_normal = 2.0;
  p.drag_axial = smooth_cylinder.axial / pi;
  p.added_mass_normal = 1.0;
  return p;
}

LibrarySection conveyor_belt() {
  LibrarySection out;
  out.name = "conveyor-belt-st1000";
  out.title = "steel cord conveyor belt ST 1000, 1200 mm wide, covers 12 + 6 mm";
  out.size = "thickness";
  out.smallest = out.largest = out.standard = st1000().diameter;
  SectionSources& s = out.sources;
  const char* sheet = "Sempertrans, belt data sheet 010DS1301 (2014)";
  s.mass = fmt::format("33.1 kg/m: {}", sheet);
  s.EA = fmt::format("72 kN/mm of width: {} (\"kg/mm2\" is a misprint of N/mm)", sheet);
  s.EI =
      "Estimate: across the thickness, rubber of 63 Shore A (E = 4.1 MPa, Gent 1958) as a solid "
      "strip with cords in the middle; bonded: cords of 3.85 mm as solid bars";
  s.GJ = "Estimate: the same strip, G w t^3/3, incompressible";
  s.breaking_load = fmt::format("1000 N/mm of width: {}", sheet);
  s.damping = "Estimate: half of a loss factor of 0.1";
  s.hydrodynamics =
      "Estimate: flat plate of the width of the belt, normal flow (DNV-RP-C205: drag 2, "
      "added mass 1); 0.008 along it";
  out.formulas = [](double) { return st1000(); };
  return out;
}

}  // namespace

std::vector<LibrarySection> fibre_rope_sections() {
  const std::string fit =
      ": MoorPy property library (NREL, 9ce6c90), fit to manufacturers' catalogues";
  const std::string orcina = ": Orcina, OrcaFlex line type wizard, as in WISDEM's MoorProps (2021)";
  std::vector<LibrarySection> out;
  for (const FibreRope& r :
       {FibreRope{"polyester", "polyester rope, laid or plaited", 6, 96, 40, 797.8, 170.466e6, 0,
                  1.09e9 / 170.466e6, 1380, 0.02, 0.002, "797.8 d^2 kg/m" + orcina,
                  "1.09e9 d^2 N" + orcina, "170.466e6 d^2 N" + orcina},
        FibreRope{"polyester-deepwater", "polyester mooring rope, parallel strands in a cover", 100,
                  300, 200, 679, 308e6, 0, 14, 1380, 0.02, 0.002, "679 d^2 kg/m" + fit,
                  "14 times the breaking load, quasi-static (13 to 15)" + fit, "308e6 d^2 N" + fit},
        FibreRope{"nylon", "nylon (polyamide) rope, laid or plaited, dry", 5, 96, 40, 647.6,
                  163.95e6, 0, 5, 1140, 0.05, 0.002, "647.6 d^2 kg/m" + orcina,
                  "5 times the breaking load, quasi-static (1 to 10)" + fit,
                  "163.95e6 d^2 N, dry; wet 15 % less" + orcina},
        FibreRope{"polypropylene", "polypropylene rope, laid or plaited", 6, 96, 40, 452.6,
                  105.99e6, 0, 1.06e9 / 105.99e6, 910, 0.03, 0.002, "452.6 d^2 kg/m" + orcina,
                  "1.06e9 d^2 N" + orcina,
                  "105.99e6 d^2 N" + orcina + "; less for laid rope of the Cordage Institute"},
        FibreRope{"hmpe", "HMPE (Dyneema, Spectra) rope for mooring and towing", 20, 200, 40, 496,
                  580e6, 651e6, 56, 975, 0.01, 0.0005, "496 d^2 kg/m" + fit,
                  "56 times the breaking load, quasi-static" + fit,
                  "(580 + 651 d/m) 1e6 d^2 N" + fit +
                      ", including the cover; a bare 12-strand rope is stronger"}})
    out.push_back(fibre_rope(r));
  return out;
}

std::vector<LibrarySection> belt_sections() { return {round_belt(), conveyor_belt()}; }

}  // namespace hawser
