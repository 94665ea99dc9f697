#include "model/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/route.h"

namespace hawser {

double stated_length(const Cable& cable) {
  if (cable.length > 0) return cable.length;
  double sum = 0;
  for (const SectionPart& part : cable.sections) {
    if (!(part.length > 0)) return 0;
    sum += part.length;
  }
  return sum;
}

std::vector<double> section_ends(const Cable& cable, double length) {
  double rest = length;
  for (const SectionPart& part : cable.sections) rest -= part.length;
  std::vector<double> ends;
  double s = 0;
  for (const SectionPart& part : cable.sections)
    ends.push_back(s += part.length > 0 ? part.length : rest);
  ends.back() = length;
  return ends;
}

void validate_section_lengths(const Cable& cable, double length) {
  double sum = 0;
  size_t rests = 0;
  for (const SectionPart& part : cable.sections) {
    sum += part.length;
    rests += part.length == 0;
  }
  const ErrorObject who = ErrorObject("cable", cable.name).at("sections");
  if (rests > 1)
    throw Error(who, fmt::format("{} sections without a length", rests), "at most one",
                "It takes what the others leave.");
  if (rests == 1 && !(sum < length))
    throw Error(who, fmt::format("{:g} m of sections", sum),
                fmt::format("less than {:g} m, the cable's length", length),
                "Nothing is left for the section without a length.");
  if (rests == 0 && !(std::abs(sum - length) <= same_place * length))
    throw Error(who, fmt::format("{:g} m of sections", sum),
                fmt::format("{:g} m, the cable's length", length),
                "Give one of them no length: it takes what the others leave.");
}

Section mean_section(const Cable& cable, double length) {
  Section mean = cable.sections[0];
  if (cable.sections.size() == 1) return mean;
  const std::vector<double> ends = section_ends(cable, length);
  double stretch = 0, bend = 0, twist = 0, mass = 0, area = 0, before = 0;
  for (size_t k = 0; k < ends.size(); ++k) {
    const Section& s = cable.sections[k];
    const double share = (ends[k] - before) / length;
    stretch += share / s.EA;
    bend += share / s.EI;  // infinite where it does not resist
    twist += share / s.GJ;
    mass += share * s.mass;
    area += share * s.diameter * s.diameter;
    before = ends[k];
  }
  mean.EA = 1 / stretch;
  mean.EI = 1 / bend;
  mean.GJ = 1 / twist;
  mean.mass = mass;
  mean.diameter = std::sqrt(area);
  mean.breaking_load = common_breaking_load(cable);
  return mean;
}

double common_breaking_load(const Cable& cable) {
  const double load = cable.sections[0].breaking_load;
  const bool same = std::all_of(cable.sections.begin(), cable.sections.end(),
                                [&](const Section& s) { return s.breaking_load == load; });
  return same ? load : 0;
}

}  // namespace hawser
