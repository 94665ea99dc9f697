#include "scene/section_of.h"

#include <fmt/format.h>

#include "hawser/error.h"
#include "hawser/section_library.h"

namespace hawser {
namespace {

void fill(Given<double>& field, double value) {
  if (!field.value) field.value = value;
}

void fill(SectionText& s, const Section& from) {
  fill(s.EA, from.EA);
  fill(s.EI, from.EI);
  s.own_GJ = s.GJ.given && *s.GJ != from.GJ;
  fill(s.GJ, from.GJ);
  fill(s.mass, from.mass);
  if (from.breaking_load > 0) fill(s.breaking_load, from.breaking_load);
  s.displaced = from.diameter;
  const double scale = from.diameter / *s.diameter;
  fill(s.drag, from.drag * scale);
  fill(s.tangential_drag, from.tangential_drag * scale);
  fill(s.added_mass, from.added_mass);
}

}  // namespace

void section_of(ReadContext& c, const MaterialText* material, const std::string& path,
                const Mark& at, SectionText& s) {
  if (s.library.value && material) {
    c.problems.add(s.material.at, path, "both `library` and `material`", "one of them");
    return;
  }
  if (s.library.value) {
    const LibrarySection& entry = *find_library_section(*s.library);
    if (!s.diameter.value && entry.fixed()) s.diameter.value = entry.standard;
    if (!s.diameter.value) {
      c.problems.add(at, path, "no `diameter`",
                     fmt::format("a diameter from {:g} mm to {:g} mm for {}", 1e3 * entry.smallest,
                                 1e3 * entry.largest, entry.name));
      return;
    }
    try {
      fill(s, library_properties(entry, *s.diameter).section);
    } catch (const Error& error) {
      c.problems.add(s.diameter.at, path + ".diameter", error.found(), error.expected(),
                     error.remedy());
    }
    return;
  }
  if (material) {
    if (!s.diameter.value)
      c.problems.add(at, path, "no `diameter`", "the diameter of the solid round bar");
    else
      fill(s, Section::round(*s.diameter, *material->youngs_modulus, *material->density));
    return;
  }
  if (!s.EA.value || !s.mass.value)
    c.problems.add(at, path,
                   !s.EA.value && !s.mass.value ? "no `EA` and no `mass`"
                   : !s.EA.value                ? "no `EA`"
                                                : "no `mass`",
                   "`EA` and `mass`, or `library` or `material` with a `diameter`");
  s.own_GJ = s.GJ.given;
  fill(s.EI, 0);
  fill(s.GJ, 0);
  fill(s.drag, Section{}.drag);
  fill(s.tangential_drag, Section{}.tangential_drag);
  fill(s.added_mass, Section{}.added_mass);
  s.displaced = s.diameter.value.value_or(0);
}

}  // namespace hawser
