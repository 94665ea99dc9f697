#include "run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

std::string ending(const RunReport& r) {
  switch (r.end) {
    case RunEnd::finished:
      return fmt::format("Finished at {:g} s.", r.t);
    case RunEnd::stopped:
      return fmt::format("Stopped at {:.6g} s of {:g} s.", r.t, r.until);
    case RunEnd::failed:
      return fmt::format("FAILED at {:.6g} s of {:g} s: {}", r.t, r.until, r.failure);
  }
  return {};
}

std::string extreme(const TensionExtreme& e) {
  return fmt::format("{:>10} at {:.4g} m, {:.4g} s{}", with_prefix(e.tension, "N"), e.s, e.t,
                     e.computed ? ", computed separately" : "");
}

std::string tension_lines(const RunReport& r) {
  size_t width = 0;
  for (const CableReport& c : r.cables) width = std::max(width, c.cable.size());
  std::string out;
  for (const CableReport& c : r.cables) {
    std::string largest = fmt::format("{:<{}}  largest  {}", c.cable, width, extreme(c.largest));
    if (c.breaking_load > 0)
      largest += fmt::format(" ({:.3g} % of the breaking load)", 100 * c.utilisation);
    out += summary_line(out.empty() ? "Tension" : "", largest);
    out += summary_line("", fmt::format("{:<{}}  smallest {}", "", width, extreme(c.smallest)));
  }
  return out;
}

/// One thing that moved, in words.
struct Moved {
  std::string text;
  double distance;  ///< [m]
};

std::string place(const Vec3& p) {
  std::string out;
  for (int i = 0; i < 3; ++i)  // 1e-17 is 0 here
    out += fmt::format("{}{:.4g}", i > 0 ? ", " : "", std::abs(p[i]) < 1e-6 ? 0.0 : p[i]);
  return "(" + out + ") m";
}

std::string moved(const std::string& what, const Vec3& from, const Vec3& to) {
  const double distance = (to - from).norm();
  return distance < 1e-6
             ? fmt::format("{} stayed at {}", what, place(to))
             : fmt::format("{} moved {} to {}", what, with_prefix(distance, "m"), place(to));
}

/// What moved farthest, at most five lines.
std::string motion_lines(const RunReport& r) {
  std::vector<Moved> all;
  for (const BodyReport& b : r.bodies)
    all.push_back({moved(b.body, b.from, b.pose.position), (b.pose.position - b.from).norm()});
  for (const CableReport& c : r.cables)
    all.push_back(
        {moved(c.cable + ": start", c.from[0], c.to[0]) + ", " + moved("end", c.from[1], c.to[1]),
         std::max((c.to[0] - c.from[0]).norm(), (c.to[1] - c.from[1]).norm())});
  std::stable_sort(all.begin(), all.end(),
                   [](const Moved& a, const Moved& b) { return a.distance > b.distance; });
  constexpr size_t most = 5;
  std::string out;
  for (size_t i = 0; i < std::min(most, all.size()); ++i)
    out += summary_line(out.empty() ? "Motion" : "", all[i].text);
  if (all.size() > most)
    out += summary_line("", fmt::format("{} others moved less", all.size() - most));
  return out;
}

std::string input_lines(const RunReport& r) {
  std::string out;
  for (const InputReport& i : r.inputs) {
    std::string text = fmt::format("{}: {:.6g}{} at the end", i.input, i.value,
                                   i.unit.empty() ? "" : " " + i.unit);
    if (i.settings == 1) text += ", set once";
    if (i.settings > 1) text += fmt::format(", set {} times", i.settings);
    out += summary_line(out.empty() ? "Inputs" : "", text);
  }
  return out;
}

std::string energy_line(const RunReport& r) {
  const NumericalDamping& d = r.damping;
  return summary_line(
      "Energy", fmt::format("{} at the end, {} of work done; the steps {} {}, {:.2g} % of the "
                            "largest energy in motion",
                            with_prefix(r.energy_end.total(), "J"),
                            with_prefix(r.energy_end.work - r.energy_start.work, "J"),
                            d.taken < 0 ? "added" : "dissipated",
                            with_prefix(std::abs(d.taken), "J"), 100 * std::abs(d.share())));
}

std::string run_out_lines(const RunReport& r) {
  std::string out;
  for (const RunOutReport& o : r.run_outs)
    out += summary_line(
        out.empty() ? "Run out" : "",
        fmt::format("{}: its {} ran out of '{}' at {:.6g} s, energy changed by {}", o.cable,
                    o.start ? "start" : "end", o.stop, o.t, with_prefix(o.energy, "J")));
  return out;
}

std::string contact_line(const RunReport& r) {
  if (!r.contact) return {};
  const ContactReport& c = *r.contact;
  return summary_line("Contact",
                      fmt::format("friction took {}, deepest penetration {}, {:.3g} passes a step, "
                                  "{} fallbacks, Courant number {:.2g}",
                                  with_prefix(c.friction_work, "J"), with_prefix(c.deepest, "m"),
                                  c.passes, c.fallbacks, c.courant));
}

std::string fidelity_line(const RunReport& r) {
  if (!r.fidelity) return {};
  if (r.fidelity->changes == 0) return summary_line("Slack", "no cable has changed its model");
  return summary_line("Slack", fmt::format("cables have changed their models {} time{}, with an "
                                           "energy of at most {}",
                                           r.fidelity->changes, r.fidelity->changes == 1 ? "" : "s",
                                           with_prefix(r.fidelity->largest_energy, "J")));
}

std::string solve_line(const RunReport& r) {
  return r.solver.empty() ? "" : summary_line("Solve", r.solver);
}

std::string work_line(const RunReport& r) {
  const Counters& n = r.counters;
  std::string text =
      fmt::format("{} steps, {} factorizations ({})", n.steps, n.factorizations, r.linear_solver);
  const auto add = [&](long count, const char* what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  add(n.relinearized, "relinearized");
  add(n.divided, "divided");
  add(n.fallbacks, "fallbacks");
  add(n.capped, "limited");
  add(n.rejected, "rejected");
  return summary_line("Work", text);
}

std::string speed_line(const RunReport& r) {
  if (!(r.wall > 0)) return {};
  return summary_line("Speed", fmt::format("{:.4g} s in {:.3g} s: {:.3g} times real time", r.t,
                                           r.wall, r.t / r.wall));
}

std::string expectation_lines(const RunReport& r) {
  std::string out;
  for (const ExpectationReport& e : r.expectations) {
    const std::string unit = e.unit.empty() ? "" : " " + e.unit;
    const std::string wanted =
        fmt::format("{:.6g}{} within {:.2g}", e.expected.value, unit, e.expected.within);
    const std::string text =
        e.reached ? fmt::format("{}: {:.6g}{}, expected {}: {}", e.expected.name, e.measured, unit,
                                wanted, e.met ? "met" : "NOT MET")
                  : fmt::format("{}: expected {}: not reached", e.expected.name, wanted);
    out += summary_line(out.empty() ? "Expected" : "", text);
  }
  return out;
}

}  // namespace

std::string summary_line(const std::string& label, const std::string& text) {
  return fmt::format("{:<10}{}\n", label, text);
}

std::string with_prefix(double value, const std::string& unit) {
  if (!(std::abs(value) >= 1e-12)) return value != value ? "nan " + unit : "0 " + unit;
  struct Prefix {
    double factor;
    const char* name;
  };
  for (const Prefix p :
       {Prefix{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}})
    if (std::abs(value) >= 0.99995 * p.factor)  // 999.96 rounds to 1000
      return fmt::format("{:.4g} {}{}", value / p.factor, p.name, unit);
  return fmt::format("{:.3g} {}", value, unit);
}

std::string run_summary(const RunReport& r, const std::string& directory) {
  std::string out = r.title.empty() ? "" : r.title + "\n";
  out += ending(r) + "\n\n";
  out += motion_lines(r) + tension_lines(r) + input_lines(r) + energy_line(r) + run_out_lines(r) +
         contact_line(r) + fidelity_line(r) + solve_line(r) + work_line(r) + speed_line(r) +
         expectation_lines(r);
  for (const std::string& warning : r.warnings) out += summary_line("Warning", warning);
  if (!directory.empty())
    out += summary_line("Files", fmt::format("{}: {}", directory, fmt::join(r.files, ", ")));
  return out;
}

}  // namespace hawser
