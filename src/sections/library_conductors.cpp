// Overhead conductors (ACSR) and single wires.
#include <fmt/format.h>

#include <array>
#include <numbers>
#include <utility>

#include "sections/library.h"

namespace hawser {

using std::numbers::pi;

namespace {

constexpr double inch_of_wire = 0.0254, pound_force = 4.4482216;
constexpr double pound_per_1000_ft = 0.45359237 / 304.8;  // [kg/m]

/// An ACSR conductor with a core of 1 + 6 steel wires, in the units of its table.
struct Acsr {
  const char *name, *code;
  double kcmil;
  int aluminium;          // wires: 26 = 10 + 16, 54 = 12 + 18 + 24
  double wire, steel;     // wire diameters [in]
  double diameter;        // [in]
  double weight;          // [lb/1000 ft]
  double rated_strength;  // [lbf]
};

/// Bending stiffness of wires in layers about a core wire: each about its own axis (full slip),
/// and all as one section (Papailiou 1997, his EI_min and EI_max without the helix' cosine).
struct Layers {
  double radius = 0, last_wire = 0;  // of the last layer's wire axes, of its wires [m]
  double EI = 0, EI_bonded = 0;      // [N m^2]

  void add(int wires, double wire, double modulus) {
    if (last_wire > 0) radius += (last_wire + wire) / 2;
    last_wire = wire;
    const double area = pi * wire * wire / 4, own = modulus * area * wire * wire / 16;
    EI += wires * own;
    EI_bonded += wires * (own + modulus * area * radius * radius / 2);
  }
};

SectionProperties acsr_properties(const Acsr& c) {
  constexpr double aluminium = 68e9, steel = 207e9;  // single wires [Pa]
  const double wire = c.wire * inch_of_wire, core = c.steel * inch_of_wire;
  const double A_al = c.aluminium * pi * wire * wire / 4, A_st = 7 * pi * core * core / 4;
  Layers layers;
  layers.add(1, core, steel);
  layers.add(6, core, steel);
  for (int left = c.aluminium, n = c.aluminium == 26 ? 10 : 12; left > 0; left -= n, n += 6)
    layers.add(n, wire, aluminium);
  SectionProperties p;
  p.section.mass = c.weight * pound_per_1000_ft;
  p.section.EA = 55e9 * A_al + 190e9 * A_st;
  p.section.breaking_load = c.rated_strength * pound_force;
  p.section.EI = layers.EI;
  p.section.GJ = layers.EI / 1.3;
  p.EI_bonded = layers.EI_bonded;
  p.diameter = p.hydrodynamic_diameter = c.diameter * inch_of_wire;
  p.volume = A_al + A_st;
  p.damping_ratio = 0.0032;
  p.drag_normal = smooth_cylinder.normal;
  p.drag_axial = smooth_cylinder.axial / pi;
  p.added_mass_normal = smooth_cylinder.added_mass_normal;
  return p;
}

LibrarySection acsr(const Acsr& c) {
  LibrarySection out;
  out.name = c.name;
  out.title = fmt::format("ACSR conductor {}, {:g} kcmil, {}/7", c.code, c.kcmil, c.aluminium);
  out.size = "diameter over the outer wires";
  out.smallest = out.largest = out.standard = c.diameter * inch_of_wire;
  SectionSources& s = out.sources;
  const char* table = "ASTM B232, class AA, in tables of US manufacturers";
  s.mass = fmt::format("{:g} lb/1000 ft: {}", c.weight, table);
  s.EA = fmt::format(
      "IEC 61597 (1995): 55 GPa on the aluminium, 190 GPa on the steel; {} wires of {:.4f} in, 7 "
      "of {:.4f} in",
      c.aluminium, c.wire, c.steel);
  s.EI =
      "Estimate: full slip, the sum of the wires (68 and 207 GPa); bonded: all wires as one "
      "section (Papailiou 1997)";
  s.GJ = "Estimate: the wires alone, EI/1.3, a lower bound";
  s.breaking_load = fmt::format("Rated strength {:g} lbf: {}", c.rated_strength, table);
  s.damping =
      "Estimate: as spiral cables, EN 1991-1-4:2005, Table F.2; measured self-damping depends on "
      "tension and amplitude";
  s.hydrodynamics = smooth_cylinder_source;
  out.formulas = [c](double) { return acsr_properties(c); };
  return out;
}

struct WireMaterial {
  const char *name, *title;
  double smallest, largest, typical;  // [mm]
  double density, modulus, poisson;
  Growth strength;  // times pi d^2/4: strength at d = 0 [Pa], its slope [Pa/m]
  const char *mass, *EA, *breaking_load;
};

LibrarySection solid_wire(const WireMaterial& w) {
  const double area = pi / 4;
  Family f;
  f.mass = {w.density * area};
  f.EA = {w.modulus * area};
  f.breaking_load = {w.strength.c2 * area, w.strength.c3 * area};
  f.threads = {f.EA, 1, 1, w.poisson};
  f.density = w.density;
  f.damping_ratio = 0.001;
  f.drag = smooth_cylinder;
  SectionSources s{w.mass,
                   w.EA,
                   "Solid round bar, EA d^2/16",
                   fmt::format("Solid round bar, EI/(1 + {:g})", w.poisson),
                   w.breaking_load,
                   "Estimate: as parallel wires, logarithmic decrement 0.006, EN 1991-1-4:2005, "
                   "Table F.2",
                   smooth_cylinder_source};
  return family_entry(w.name, w.title, w.smallest, w.largest, w.typical, f, std::move(s));
}

}  // namespace

std::vector<LibrarySection> conductor_sections() {
  constexpr std::array<Acsr, 7> conductors{{
      {"acsr-partridge", "Partridge", 266.8, 26, 0.1013, 0.0788, 0.642, 367, 11300},
      {"acsr-linnet", "Linnet", 336.4, 26, 0.1137, 0.0884, 0.720, 462, 14100},
      {"acsr-ibis", "Ibis", 397.5, 26, 0.1236, 0.0961, 0.783, 546, 16300},
      {"acsr-hawk", "Hawk", 477, 26, 0.1354, 0.1053, 0.858, 656, 19500},
      {"acsr-drake", "Drake", 795, 26, 0.1749, 0.1360, 1.108, 1094, 31500},
      {"acsr-condor", "Condor", 795, 54, 0.1213, 0.1213, 1.092, 1023, 28200},
      {"acsr-cardinal", "Cardinal", 954, 54, 0.1329, 0.1329, 1.196, 1229, 33800},
  }};
  std::vector<LibrarySection> out;
  out.reserve(conductors.size());
  for (const Acsr& c : conductors) out.push_back(acsr(c));
  return out;
}

std::vector<LibrarySection> wire_sections() {
  return {solid_wire({"wire-steel",
                      "cold-drawn steel wire, grade 1770",
                      0.2,
                      7,
                      3,
                      7850,
                      200e9,
                      0.3,
                      {1770e6},
                      "7850 kg/m^3: steel, typical value",
                      "E = 200 GPa: cold-drawn wire, typical value",
                      "1770 N/mm^2: nominal strength of the grade, ISO 2232"}),
          solid_wire({"wire-copper",
                      "hard-drawn copper wire",
                      2,
                      5.2,
                      4,
                      8890,
                      117e9,
                      0.34,
                      {478.2e6, -12.3e9},
                      "8890 kg/m^3: ASTM B1",
                      "E = 117 GPa (17e6 psi): hard-drawn copper, typical value",
                      "(478.2 - 12.3 d/mm) N/mm^2: fit to the minimum strengths of ASTM B1 in "
                      "California GO 95, Tables 17 and 18"})};
}

}  // namespace hawser
