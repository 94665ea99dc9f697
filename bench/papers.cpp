#include "bench/papers.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace hawser {
namespace {

bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

std::vector<const BenchRow*> find_rows(const std::vector<BenchReport>& reports,
                                       const RowsOf& wanted) {
  std::vector<const BenchRow*> out;
  for (const BenchReport& report : reports)
    if (report.title() == wanted.bench)
      for (const BenchRow& row : report.rows())
        if (begins(row.name, wanted.name) && begins(row.quantity, wanted.quantity))
          out.push_back(&row);
  if (out.empty())
    throw std::runtime_error(
        fmt::format("papers: bench '{}' has no row whose case begins with '{}' and whose quantity "
                    "begins with '{}': mend bench/papers_tables.cpp",
                    wanted.bench, wanted.name, wanted.quantity));
  return out;
}

/// Of the reference in percent where the tolerance is relative, else in the row's unit.
std::string difference_of(const BenchRow& row) {
  if (!row.ours || !row.reference) return row.ok ? "as published" : "not as published";
  const double d = std::abs(*row.ours - *row.reference);
  if (row.kind == Tolerance::relative)
    return fmt::format("{:.2g} %", 100 * d / std::abs(*row.reference));
  return row.unit == "-" ? fmt::format("{:.2g}", d) : fmt::format("{:.2g} {}", d, row.unit);
}

/// Difference by tolerance: 1 is just within.
double share_of(const BenchRow& row) {
  if (!row.ours || !row.reference) return row.ok ? 0 : INFINITY;
  const double scale = row.kind == Tolerance::relative ? std::abs(*row.reference) : 1;
  const double allowed = *row.tolerance * scale, d = std::abs(*row.ours - *row.reference);
  if (allowed > 0) return d / allowed;
  return d > 0 ? INFINITY : 0;
}

}  // namespace

std::string agreement(const std::vector<BenchReport>& reports, const RowsOf& rows) {
  const std::vector<const BenchRow*> found = find_rows(reports, rows);
  const BenchRow* worst = nullptr;
  size_t claimed = 0, within = 0;
  for (const BenchRow* row : found) {
    if (!row->tolerance) continue;
    ++claimed;
    within += row->ok;
    if (worst == nullptr || share_of(*row) > share_of(*worst)) worst = row;
  }
  const auto rows_of = [](size_t n) { return n == 1 ? "row" : "rows"; };
  if (claimed == 0)
    return fmt::format("{} {} shown, nothing claimed", found.size(), rows_of(found.size()));
  std::string out = fmt::format("{} of {} {} within tolerance", within, claimed, rows_of(claimed));
  if (share_of(*worst) > 0)
    out += fmt::format("; furthest off: {} of {} allowed", difference_of(*worst),
                       bench_tolerance(*worst));
  if (claimed < found.size()) out += fmt::format("; {} more shown", found.size() - claimed);
  return out;
}

std::string papers_page(const std::vector<BenchReport>& reports) {
  std::string out =
      "# The papers\n\n"
      "Hawser is built on five papers. Below is each of their groups of equations, examples, "
      "tables, "
      "figures and plans: what\nshows it here, how well it agrees, and where the print is wrong. "
      "`build/hawser bench validation` writes this page beside\n[validation.md](validation.md), "
      "which has "
      "every row that is counted here; do not edit. Of the figures only what the papers' texts "
      "say\n"
      "is known: where that is a trend, the trend is checked.\n\n";
  for (const Paper& paper : papers()) {
    out += fmt::format("## {}\n\n{}\n\n", paper.title, paper.about);
    out += "| in the paper | shown by | agreement | misprints and remarks |\n|---|---|---|---|\n";
    for (const PaperItem& item : paper.items)
      out += fmt::format("| {} | {} | {} | {} |\n", item.item, item.shown,
                         *item.rows.bench != '\0' ? agreement(reports, item.rows) : "-", item.note);
    out += "\n";
  }
  return out;
}

}  // namespace hawser
