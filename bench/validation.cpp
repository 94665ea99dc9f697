#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/benches.h"
#include "bench/papers.h"
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

/// Writes a page at once: a run that is cut short leaves the old one alone.
void write_page(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path partial = path.string() + ".part";
  std::ofstream file(partial);
  file << text;
  file.close();
  if (!file)
    throw Error("bench validation, --write", "'" + path.string() + "'",
                "a file that can be written, and room on the disk");
  std::filesystem::rename(partial, path);
}

/// Every benchmark with a reference. The reports know nothing of each other: one thread each.
std::vector<BenchReport> run_all(const std::string& svg) {
  std::vector<std::future<BenchReport>> coming;
  const auto start = [&](auto&&... call) {
    coming.push_back(std::async(std::launch::async, call...));
  };
  for (const int table : {converged_rows, 3, 4, 5}) start(bench_westin_irani, table);
  start(bench_westin_irani_figures);
  start(bench_gerstmayr_shabana);
  start(bench_catenary);
  start(bench_servin_lacoursiere);
  start(bench_tonin_braun);
  start(bench_gu);
  start(bench_damping, svg);
  start(bench_modes, false);
  start(bench_scenes);
  start(bench_stability, 420, 1U, false);
  start(bench_truth);
  std::vector<BenchReport> out;
  for (std::future<BenchReport>& report : coming) {
    out.push_back(report.get());
    std::fputs(fmt::format("{}: {} rows, {}\n", out.back().title(), out.back().rows().size(),
                           out.back().ok() ? "all within tolerance" : "SOME OUTSIDE")
                   .c_str(),
               stderr);
  }
  return out;
}

}  // namespace

std::vector<std::string> faults_of_table(const BenchReport& report) {
  if (report.command().find("westin-irani --table") == std::string::npos) return {};
  std::vector<std::string> out;
  int unstable = 0;
  bool fifth = false;
  const nlohmann::json json = nlohmann::json::parse(report.json());
  for (const auto& row : json["rows"]) {
    bool whole = true;
    for (const char* key : {"table", "E", "h", "method", "stable"})
      if (!row.contains(key)) {
        whole = false;
        out.push_back(fmt::format("{}: no key '{}'", row["case"].get<std::string>(), key));
      }
    if (!whole) continue;
    fifth |= row["table"] == 5;
    if (row["stable"].get<bool>()) continue;
    ++unstable;
    if (!row["ours"].is_null())
      out.push_back(fmt::format("{}: unstable, with a value", row["case"].get<std::string>()));
    if (row["table"] == 5 && !(row["method"] == "newmark" && row["h"] == 1e-2))
      out.push_back(fmt::format("{}: unstable", row["case"].get<std::string>()));
  }
  if (fifth && unstable != 1) out.push_back(fmt::format("{} unstable cells, not 1", unstable));
  return out;
}

bool write_validation(const std::string& path, const std::string& svg) {
  const std::filesystem::path page = path;
  const std::filesystem::path beside = page.parent_path() / "papers.md";
  if (page.filename() == beside.filename())
    throw Error("bench validation, --write", "'" + path + "'",
                "another name: papers.md is written beside it");
  write_page(page.string() + ".try", "");  // before the long run
  std::filesystem::remove(page.string() + ".try");
  const std::vector<BenchReport> reports = run_all(svg);
  std::string text =
      "# Validation\n\nEvery case Hawser is held to. Written by `build/hawser bench "
      "validation --write docs/validation.md`;\ndo not edit. Times are not here: they depend on "
      "the "
      "machine; `build/hawser bench step` and `build/hawser bench\nwestin-irani --table 2` print "
      "them. Where the tolerance is `-` the numbers are shown and nothing is claimed: the\n"
      "motion is chaotic (E = 1e7 Pa over 10 s), the published value is limited by its own "
      "reference,\nor a paper's text gives no number. By paper: [papers.md](papers.md).\n\n";
  bool ok = true;
  for (const BenchReport& report : reports) {
    ok &= report.ok();
    for (const std::string& fault : faults_of_table(report)) {
      std::fputs(fmt::format("{}: {}\n", report.title(), fault).c_str(), stderr);
      ok = false;
    }
    text += section(report);
  }
  write_page(page, text);
  write_page(beside, papers_page(reports));
  return ok;
}

}  // namespace hawser
