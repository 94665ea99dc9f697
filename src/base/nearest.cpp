#include <algorithm>
#include <array>

#include "hawser/error.h"

namespace hawser {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Optimal string alignment distance: Levenshtein's recursion (1966) over the prefixes of both
/// words, with Damerau's swap of neighbours (1964). Three rows of the table are alive.
size_t slips(const std::string& a, const std::string& b) {
  std::array<std::vector<size_t>, 3> rows;
  for (auto& row : rows) row.resize(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    auto &row = rows[i % 3], &above = rows[(i + 2) % 3], &two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  size_t fewest = 0;
  for (const std::string& candidate : known) {
    const size_t n = slips(name, candidate);
    if (n > (std::max(name.size(), candidate.size()) + 2) / 3) continue;
    if (best.empty() || n < fewest) best = candidate, fewest = n;
  }
  return best;
}

}  // namespace hawser
