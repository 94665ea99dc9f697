// Steel wire ropes, spiral strand and chain.
#include <fmt/format.h>

#include <numbers>
#include <utility>

#include "sections/library.h"

namespace hawser {

using std::numbers::pi;

namespace {

constexpr double steel_density = 7850;     // [kg/m^3]
constexpr double wire_modulus = 200e9;     // cold-drawn steel wire [Pa]
constexpr double spiral_damping = 0.0032;  // log. decrement 0.020 / 2 pi

/// A class of stranded ropes: the factors of EN 12385-4 and how many wires share the metal.
struct RopeClass {
  const char *name, *title;
  double smallest, largest, typical;  // [mm]
  double W;                           // mass = W d^2/100 kg/m, d in mm
  double C;                           // metal = C d^2
  double K;                           // strength = K R d^2
  double R;                           // rope grade [N/mm^2]
  int wires;                          // of the commonest construction, core included
  double modulus;                     // EA = modulus C d^2 [Pa]
  std::string EA_source;
  double density;  // [kg/m^3]
  std::string note = {};
};

LibrarySection wire_rope(const RopeClass& c) {
  Family f;
  f.mass = {1e4 * c.W};
  f.EA = {c.modulus * c.C};
  f.breaking_load = {1e6 * c.K * c.R};
  f.threads = {{wire_modulus * c.C}, wire_share(c.C, c.wires)};
  f.density = c.density;
  f.damping_ratio = 0.01;
  f.drag = {1.8, smooth_cylinder.axial, 1.0, 0.0};
  const char* table = "EN 12385-4 (2002), factors as in Feyrer, Wire Ropes, Table 1.9";
  SectionSources s;
  s.mass = fmt::format("W d^2/100 kg/m, d in mm, W = {:.3f}: {}", c.W, table);
  s.EA = c.EA_source;
  s.EI = fmt::format(
      "Estimate: full slip, the sum of {} equal wires with {:.3f} d^2 of metal, E = 200 GPa; "
      "bonded: the same metal distributed over the circle (Papailiou 1997 for intermediate states)",
      c.wires, c.C);
  s.GJ =
      "Estimate: the wires alone, EI/1.3, a lower bound: a laid rope under tension is stiffer in "
      "torsion (Feyrer & Schiffner 1986)";
  s.breaking_load =
      fmt::format("K R d^2/1000 kN, d in mm, K = {:.3f}, R = {:g} N/mm^2: {}", c.K, c.R, table) +
      c.note;
  s.damping = "Estimate: three times the value of spiral cables (EN 1991-1-4:2005, Table F.2)";
  s.hydrodynamics =
      "Drag 1.8, stranded rope, DNV-OS-E301 (2013); added mass 1, circular cylinder, DNV-RP-C205. "
      "Estimate: 0.008 along the surface";
  return family_entry(c.name, c.title, c.smallest, c.largest, c.typical, f, std::move(s));
}

/// Spiral strand for mooring, in a plastic sheath.
LibrarySection spiral_strand() {
  const double C = 0.75 * pi / 4;
  Family f;
  f.mass = {5293};
  f.EA = {97.1e9};
  f.breaking_load = {1022e6};
  f.threads = {{wire_modulus * C}, 0.2, 0.005};
  f.density = 4875;
  f.damping_ratio = spiral_damping;
  f.drag = {1.2, smooth_cylinder.axial, 1.0, 0.0};
  f.by_volume = true;  // the sheath's
  SectionSources s;
  s.mass =
      "5293 d^2 kg/m with sheath: MoorPy property library (NREL, 9ce6c90), data of two "
      "manufacturers";
  s.EA =
      "97.1e9 d^2 N: same source. 150 +- 10 GPa of EN 1993-1-11 on 0.75 of the circle is 9 % less";
  s.EI =
      "Estimate: full slip of wires of 5 mm (thinner: 1x19) filling 0.75 of the circle, E = 200 "
      "GPa; bonded: the same metal distributed over the circle";
  s.GJ = "Estimate: the wires alone, EI/1.3, a lower bound";
  s.breaking_load =
      "1022e6 d^2 N: MoorPy property library (NREL, 9ce6c90), data of two manufacturers";
  s.damping = "Spiral cables, logarithmic decrement 0.020: EN 1991-1-4:2005, Table F.2";
  s.hydrodynamics =
      "Drag 1.2, spiral rope with sheath, DNV-OS-E301 (2013); added mass 1, circular cylinder, "
      "DNV-RP-C205. Estimate: 0.008 along the surface. Based on the circle of the volume";
  return family_entry("spiral-strand", "spiral strand for mooring, in a sheath", 50, 165, 90, f,
                      std::move(s));
}

/// Mooring chain: strength c d^2 (44 - 0.08 d) kN, d in mm.
LibrarySection chain(bool stud, const char* grade, double c, Growth modulus) {
  Family f;
  f.mass = {stud ? 21900.0 : 19900.0};
  f.EA = {modulus.c2 * pi / 2, modulus.c3 * pi / 2};  // on the two bars of a link
  f.breaking_load = {44e9 * c, -80e9 * c};
  f.density = steel_density;
  f.damping_ratio = 0.01;
  f.drag = stud ? Drag{2.6, 1.4, 1.0, 0.5} : Drag{2.4, 1.15, 1.0, 0.5};
  f.by_volume = true;
  SectionSources s;
  s.mass = fmt::format("{:g} d^2 t/m, d in m: Orcina, OrcaFlex help, Chain", f.mass.c2 / 1000);
  s.EA = fmt::format("E = ({:g} - {:g} d/m) GPa on the two bars of a link: DNV-OS-E301 (2013)",
                     modulus.c2 / 1e9, -modulus.c3 / 1e9);
  s.EI = "0: links rotate freely on each other";
  s.GJ = "0: a slack chain twists freely; the stiffness of a tight chain is neglected";
  s.breaking_load =
      fmt::format("{} d^2 (44 - 0.08 d) kN, d in mm: IACS UR W22, DNV-OS-E302, grade {}", c, grade);
  s.damping = "Estimate: friction between links, same value as for stranded rope";
  s.hydrodynamics = fmt::format(
      "Drag {:g} across, {:g} along, on d: DNV-OS-E301 (2013); added mass 1 and 0.5: Orcina, "
      "OrcaFlex "
      "help, Chain. Based on the circle of the displaced volume",
      f.drag.normal, f.drag.axial);
  std::string lower = grade;
  lower[0] = 'r';
  LibrarySection out = family_entry(
      fmt::format("chain-{}-{}", stud ? "studlink" : "studless", lower),
      fmt::format("{} mooring chain, grade {}", stud ? "stud-link" : "studless", grade), 34, 162,
      76, f, std::move(s));
  out.size = "bar diameter of the links";
  return out;
}

}  // namespace

std::vector<LibrarySection> wire_rope_sections() {
  // The modulus on the metal that Orcina's 40.4e9 d^2 N means for 6x19 with a steel core.
  constexpr double steel_core = 40.4e9 / 0.449, fibre_core = 36.7e9 / 0.384;
  const std::string orcina = ": Orcina, OrcaFlex line type wizard, as in WISDEM's MoorProps (2021)";
  const std::string estimate =
      "Estimate: 90 GPa on the metal, as for 6x19 with a steel core of Orcina; EN 1993-1-11: 100 "
      "+- "
      "10 GPa";
  std::vector<LibrarySection> out;
  for (const RopeClass& c :
       {RopeClass{"wire-rope-6x19", "wire rope 6x19, steel core (IWRC), grade 1770", 6, 60, 20,
                  0.400, 0.449, 0.356, 1770, 163, steel_core, "40.4e9 d^2 N" + orcina,
                  steel_density},
        RopeClass{"wire-rope-6x19-fibre-core", "wire rope 6x19, fibre core, grade 1770", 6, 60, 20,
                  0.359, 0.384, 0.330, 1770, 114, fibre_core, "36.7e9 d^2 N" + orcina, 6810},
        RopeClass{"wire-rope-6x36", "wire rope 6x36, steel core (IWRC), grade 1770", 8, 60, 24,
                  0.409, 0.460, 0.356, 1770, 265, steel_core, estimate, steel_density},
        RopeClass{"wire-rope-18x7", "rotation-resistant rope 18x7, steel core, grade 1960", 6, 40,
                  16, 0.401, 0.433, 0.328, 1960, 133, steel_core, estimate, steel_density},
        RopeClass{"wire-rope-34x7", "non-rotating rope, class 34x7, steel core, grade 1960", 10, 60,
                  20, 0.401, 0.428, 0.318, 1960, 245, steel_core, estimate, steel_density,
                  ". Ropes 35(W)x7 and compacted ones are heavier and stronger"}})
    out.push_back(wire_rope(c));
  out.push_back(spiral_strand());
  return out;
}

std::vector<LibrarySection> chain_sections() {
  return {chain(true, "R3", 0.0223, {56e9}), chain(true, "R4", 0.0274, {56e9}),
          chain(false, "R3", 0.0223, {54e9, -40e9}), chain(false, "R4", 0.0274, {54.5e9, -25e9})};
}

}  // namespace hawser
