#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands.h"
#include "hawser/error.h"
#include "hawser/section_library.h"
#include "hawser/units.h"

namespace hawser {
namespace {

constexpr size_t page_width = 100;

/// 16160000, "N" as "16.16 MN"; units other than N and N m^2 are left alone.
std::string written(double value, const std::string& unit) {
  if (unit.empty()) return fmt::format("{:.4g}", value);
  if (unit[0] == 'N' && value >= 1e6) return fmt::format("{:.4g} M{}", value / 1e6, unit);
  if (unit[0] == 'N' && value >= 1e3) return fmt::format("{:.4g} k{}", value / 1e3, unit);
  return fmt::format("{:.4g} {}", value, unit);
}

/// The words of a text in lines that start with an indent.
std::string wrapped(const std::string& text, size_t indent) {
  std::string out, line(indent, ' '), word;
  std::istringstream in(text);
  while (in >> word) {
    if (line.size() + word.size() + 1 > page_width) {
      out += line + "\n";
      line.assign(indent, ' ');
    }
    line += (line.size() > indent ? " " : "") + word;
  }
  return out + line + "\n";
}

std::string sizes_of(const LibrarySection& s) {
  return s.fixed() ? fmt::format("{:.4g}", 1000 * s.standard)
                   : fmt::format("{:g} to {:g}", 1000 * s.smallest, 1000 * s.largest);
}

/// A value and where it comes from.
struct Row {
  const char* name;
  double value;
  const char* unit;
  std::string source;
};

std::array<Row, 13> rows_of(const LibrarySection& s, const SectionProperties& p) {
  const SectionSources& from = s.sources;
  return {{{"mass", p.section.mass, "kg/m", from.mass},
           {"EA", p.section.EA, "N", from.EA},
           {"EI", p.section.EI, "N m^2", from.EI},
           {"EI_bonded", p.EI_bonded, "N m^2", ""},
           {"GJ", p.section.GJ, "N m^2", from.GJ},
           {"breaking_load", p.section.breaking_load, "N", from.breaking_load},
           {"volume", p.volume, "m^3/m", ""},
           {"damping_ratio", p.damping_ratio, "", from.damping},
           {"hydrodynamic_diameter", p.hydrodynamic_diameter, "m", from.hydrodynamics},
           {"drag_normal", p.drag_normal, "", ""},
           {"drag_axial", p.drag_axial, "", ""},
           {"added_mass_normal", p.added_mass_normal, "", ""},
           {"added_mass_axial", p.added_mass_axial, "", ""}}};
}

nlohmann::ordered_json json_of(const LibrarySection& s, double diameter) {
  const SectionProperties p = library_properties(s, diameter);
  nlohmann::ordered_json values, sources;
  for (const Row& row : rows_of(s, p)) {
    values[row.name] = row.value;
    if (!row.source.empty()) sources[row.name] = row.source;
  }
  return {{"name", s.name},         {"title", s.title},     {"size", s.size},
          {"smallest", s.smallest}, {"largest", s.largest}, {"standard", s.standard},
          {"diameter", p.diameter}, {"properties", values}, {"sources", sources}};
}

std::string text_of(const LibrarySection& s, double diameter) {
  const SectionProperties p = library_properties(s, diameter);
  std::string out =
      fmt::format("{}: {}\n{} {:.4g} mm; {}\n\n", s.name, s.title, s.size, 1000 * p.diameter,
                  s.fixed() ? "the only size" : "available from " + sizes_of(s) + " mm");
  for (const Row& row : rows_of(s, p)) {
    out += fmt::format("{:<22} {}\n", row.name, written(row.value, row.unit));
    if (!row.source.empty()) out += wrapped(row.source, 4);
  }
  return out +
         "\nEI assumes full slip between wires; EI_bonded is the upper bound. Estimates are "
         "marked.\n"
         "Prefer the data sheet of the manufacturer.\n";
}

std::string table() {
  std::string out = fmt::format("{:<26} {:>13} {:>8} {:>9} {:>10} {:>10}  {}\n", "name",
                                "size [mm]", "at [mm]", "kg/m", "EA", "breaks at", "description");
  for (const LibrarySection& s : section_library()) {
    const Section p = library_properties(s, s.standard).section;
    out += fmt::format("{:<26} {:>13} {:>8.4g} {:>9.4g} {:>10} {:>10}  {}\n", s.name, sizes_of(s),
                       1000 * s.standard, p.mass, written(p.EA, "N"), written(p.breaking_load, "N"),
                       s.title);
  }
  return out +
         "\n`hawser sections NAME --diameter \"20 mm\"` prints all properties, with the source of "
         "each number.\n";
}

struct SectionsOptions {
  std::string name, diameter;
  bool json = false;
};

std::string did_you_mean(const std::string& name) {
  std::vector<std::string> names;
  for (const LibrarySection& s : section_library()) names.push_back(s.name);
  const std::string near = nearest_name(name, names);
  return near.empty() ? "" : "Did you mean '" + near + "'? ";
}

std::string answer(const SectionsOptions& o) {
  if (o.name.empty()) {
    if (!o.diameter.empty())
      throw Error("sections, --diameter", "no section name", "hawser sections NAME --diameter",
                  "`hawser sections` lists the names.");
    if (!o.json) return table();
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const LibrarySection& s : section_library()) all.push_back(json_of(s, s.standard));
    return all.dump(1) + "\n";
  }
  const LibrarySection* s = find_library_section(o.name);
  if (s == nullptr)
    throw Error("sections", "unknown section '" + o.name + "'", "a name in the library",
                did_you_mean(o.name) + "`hawser sections` lists all of them.");
  const double diameter =
      o.diameter.empty() ? s->standard
                         : parse_quantity(o.diameter, quantity::length, "sections, --diameter");
  return o.json ? json_of(*s, diameter).dump(1) + "\n" : text_of(*s, diameter);
}

}  // namespace

void add_sections_command(Command& program) {
  Command& sections =
      program.add("sections", "List library sections: ropes, chains, conductors, wires and belts");
  const auto o = std::make_shared<SectionsOptions>();
  sections.option("name", &o->name, "Print one section with sources; default: list all");
  sections.option("--diameter", &o->diameter,
                  "Diameter, such as \"20 mm\"; default: a typical one");
  sections.option("--json", &o->json, "Print JSON, SI units");
  sections.footer(
      "A scene can use a library section and a diameter instead of EA, EI and mass. Values are for "
      "new lines; estimates are marked.");
  sections.does([o] {
    std::fputs(answer(*o).c_str(), stdout);
    return exit_ok;
  });
}

}  // namespace hawser
