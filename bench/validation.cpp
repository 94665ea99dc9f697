#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <vector>

#include "bench/benches.h"
#include "hawser/error.h"

namespace hawser {
namespace {

std::string section(const BenchReport& report) {
  std::string out = fmt::format("## {}\n\n{}\n\nReproduce: `build/{}`\n\n", report.title(),
                                report.about(), report.command());
  out += "| case | quantity | measured | reference | unit | tolerance | source |\n";
  out += "|---|---|---|---|---|---|---|\n";
  for (const BenchRow& r : report.rows()) {
    const char* absent = r.has_extra("stable") ? "unstable" : "-";
    out += fmt::format("| {} | {} | {}{} | {} | {} | {} | {} |\n", r.name, r.quantity,
                       bench_number(r, r.ours, absent), r.ok ? "" : " **outside**",
                       bench_number(r, r.reference, r.tolerance ? absent : "-"), r.unit,
                       bench_tolerance(r), r.source);
  }
  return out + "\n";
}

}  // namespace

bool write_validation(const std::string& path) {
  const std::string partial = path + ".part";  // a run that is cut short leaves the old page alone
  std::ofstream file(partial);
  if (!file)
    throw Error("bench validation, --write", "'" + path + "'", "a file that can be written");
  std::string text =
      "# Validation\n\nEvery case Hawser is held to. Written by `build/hawser bench "
      "validation --write docs/validation.md`;\ndo not edit. Times are not here: they depend on "
      "the "
      "machine; `build/hawser bench step` and `build/hawser bench\nwestin-irani --table 2` print "
      "them. Where the tolerance is `-` the numbers are shown and nothing is claimed: the\n"
      "motion is chaotic (E = 1e7 Pa over 10 s), or the published value is limited by its own "
      "reference.\n\n";
  // The reports know nothing of each other: one thread each.
  std::vector<std::future<BenchReport>> reports;
  for (const int table : {converged_rows, 3, 4, 5})
    reports.push_back(std::async(std::launch::async, bench_westin_irani, table));
  reports.push_back(std::async(std::launch::async, bench_westin_irani_figures));
  reports.push_back(std::async(std::launch::async, bench_gerstmayr_shabana));
  reports.push_back(std::async(std::launch::async, bench_catenary));
  reports.push_back(std::async(std::launch::async, bench_servin_lacoursiere));
  reports.push_back(std::async(std::launch::async, bench_tonin_braun));
  reports.push_back(std::async(std::launch::async, bench_gu));
  reports.push_back(std::async(std::launch::async, bench_damping, std::string()));
  reports.push_back(std::async(std::launch::async, bench_modes, false));
  reports.push_back(std::async(std::launch::async, bench_scenes));
  reports.push_back(std::async(std::launch::async, bench_stability, 420, 1U));
  bool ok = true;
  for (std::future<BenchReport>& coming : reports) {
    const BenchReport report = coming.get();
    std::fputs(fmt::format("{}: {} rows, {}\n", report.title(), report.rows().size(),
                           report.ok() ? "all within tolerance" : "SOME OUTSIDE")
                   .c_str(),
               stderr);
    ok &= report.ok();
    text += section(report);
  }
  file << text;
  file.close();
  if (!file) throw Error("bench validation, --write", "'" + path + "'", "room on the disk");
  std::filesystem::rename(partial, path);
  return ok;
}

}  // namespace hawser
