// Columns of numbers under a header with units: `t [s],x [mm]`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "base/expression.h"
#include "hawser/error.h"
#include "hawser/fit.h"

namespace hawser {
namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\"");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find(',', at), line.size());
    out.push_back(trimmed(line.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

/// "x [mm]" as a name and the factor to SI.
struct Heading {
  std::string name, unit;  ///< SI; empty: none
  double factor = 1;
  Dimension dimension;
};

Heading heading_of(const std::string& cell, const std::string& where) {
  const size_t open = cell.find('[');
  if (open == std::string::npos || cell.back() != ']') return {cell, {}, 1, {}};
  Heading out{trimmed(cell.substr(0, open)), {}, 1, {}};
  const std::string unit = trimmed(cell.substr(open + 1, cell.size() - open - 2));
  if (unit.empty() || unit == "-") return out;
  try {
    // "1/s" is written so in headings, but no expression after a number.
    const Expression e = Expression::parse(unit.starts_with("1/") ? unit : "1 " + unit, {});
    out.factor = e.value();
    out.dimension = e.dimension();
    out.unit = unit_of(e.dimension());
  } catch (const ExpressionError&) {
    throw Error(where, fmt::format("the unknown unit '{}'", unit),
                "a unit such as s, ms, m, mm, Hz, Pa, GPa, N");
  }
  return out;
}

class TableFile {
 public:
  explicit TableFile(const std::string& path) : path_(path), file_(path) {
    std::string line;
    if (!file_) throw Error(path, "no readable file", "a CSV file");
    if (!next(line)) throw Error(path, "an empty file", "a header and rows of numbers");
    const std::vector<std::string> cells = cells_of(line);
    for (size_t k = 0; k < cells.size(); ++k) {
      double number = 0;
      if (parse(cells[k], number))
        throw Error(where(k), fmt::format("the number {}", cells[k]), "a header: `t [s],x [m]`",
                    "Name the columns in the first line, with their units.");
      headings_.push_back(heading_of(cells[k], where(k)));
    }
  }

  [[nodiscard]] const std::vector<Heading>& headings() const { return headings_; }

  /// The column of that name, or an Error that lists those there are.
  [[nodiscard]] size_t find(const std::string& name) const {
    std::string known;
    for (size_t k = 0; k < headings_.size(); ++k) {
      if (headings_[k].name == name) return k;
      known += (known.empty() ? "" : ", ") + headings_[k].name;
    }
    throw Error(path_ + ", --column", fmt::format("unknown column '{}'", name), "one of: " + known);
  }

  /// An Error unless the column has no unit or one of that type.
  void require(size_t column, const QuantityType& type, const char* remedy) const {
    const Heading& h = headings_[column];
    if (h.unit.empty() || same_kind(h.dimension, type.dimension)) return;
    throw Error(fmt::format("{}:1: column {} ('{}')", path_, column + 1, h.name),
                describe(h.dimension), such_as(type), remedy);
  }

  void require_columns(size_t least, const char* what) const {
    if (headings_.size() < least)
      throw Error(
          path_ + ":1",
          fmt::format("{} {}", headings_.size(), headings_.size() == 1 ? "column" : "columns"),
          what, "Separate columns by commas.");
  }

  /// Those columns of all rows, in SI.
  [[nodiscard]] std::vector<std::vector<double>> read(const std::vector<size_t>& columns) {
    std::vector<std::vector<double>> out(columns.size());
    for (std::string line; next(line);) {
      const std::vector<std::string> cells = cells_of(line);
      if (cells.size() != headings_.size())
        throw Error(fmt::format("{}:{}", path_, line_), fmt::format("{} columns", cells.size()),
                    fmt::format("{}, as in the header", headings_.size()));
      for (size_t k = 0; k < columns.size(); ++k) {
        double number = 0;
        if (!parse(cells[columns[k]], number) || !std::isfinite(number))
          throw Error(where(columns[k]), fmt::format("'{}'", cells[columns[k]]), "a finite number");
        out[k].push_back(number * headings_[columns[k]].factor);
      }
    }
    return out;
  }

 private:
  /// The next line that is neither empty nor a comment.
  bool next(std::string& line) {
    while (std::getline(file_, line)) {
      ++line_;
      const std::string text = trimmed(line);
      if (!text.empty() && text[0] != '#') return true;
    }
    return false;
  }
  static bool parse(const std::string& text, double& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  }
  [[nodiscard]] std::string where(size_t column) const {
    const std::string name = column < headings_.size() ? " ('" + headings_[column].name + "')" : "";
    return fmt::format("{}:{}: column {}{}", path_, line_, column + 1, name);
  }

  std::string path_;
  std::ifstream file_;
  std::vector<Heading> headings_;
  int line_ = 0;
};

}  // namespace

Decay read_decay(const std::string& path, const std::string& column) {
  TableFile file(path);
  file.require_columns(2, "two or more: time and displacement");
  file.require(0, quantity::time, "Use --modulus to read a table of moduli versus frequency.");
  const size_t value = column.empty() ? 1 : file.find(column);
  auto columns = file.read({0, value});
  return {path, std::move(columns[0]), std::move(columns[1]), file.headings()[value].unit};
}

ModulusTable read_modulus(const std::string& path) {
  TableFile file(path);
  file.require_columns(3, "three or more: frequency, storage and loss modulus");
  file.require(0, quantity::frequency, "Omit --modulus to read a free decay versus time.");
  const Heading &storage = file.headings()[1], &loss = file.headings()[2];
  if (!same_kind(storage.dimension, loss.dimension))
    throw Error(
        path + ":1",
        fmt::format("a storage modulus in {} and a loss modulus in {}", storage.unit, loss.unit),
        "one unit for both");
  auto columns = file.read({0, 1, 2});
  return {path, std::move(columns[0]), std::move(columns[1]), std::move(columns[2]), storage.unit};
}

}  // namespace hawser
