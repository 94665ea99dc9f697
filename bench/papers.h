// The five papers Hawser is built on, item by item: what shows each, and how well it agrees.
#pragma once

#include <string>
#include <vector>

#include "bench/report.h"

namespace hawser {

/// Rows of a benchmark: those whose case and quantity begin so.
struct RowsOf {
  const char* bench;  ///< its title: "gu", "westin-irani --table 4"; empty: none
  const char* name = "";
  const char* quantity = "";
};

/// A group of equations, an example, a table, a figure or future work of a paper.
struct PaperItem {
  const char* item;
  const char* shown;      ///< the command that shows it; or a page, or "not yet"
  RowsOf rows = {""};     ///< which tell how well it agrees
  const char* note = "";  ///< misprints and what else to know
};

struct Paper {
  const char* title;
  const char* about;
  std::vector<PaperItem> items;
};

/// The papers, in the order of docs/papers.md.
const std::vector<Paper>& papers();

/// How well the rows agree: how many, how many within their tolerance, and the one that is worst by
/// its tolerance. Throws when there is no such row.
std::string agreement(const std::vector<BenchReport>& reports, const RowsOf& rows);

/// docs/papers.md.
std::string papers_page(const std::vector<BenchReport>& reports);

}  // namespace hawser
