#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hawser {

bool BenchRow::has_extra(const std::string& key) const {
  return std::any_of(extra.begin(), extra.end(), [&](const auto& e) { return e.first == key; });
}

BenchRow trend_row(std::string name, std::string claim, int exceptions, std::string source) {
  BenchRow row;
  row.name = std::move(name);
  row.quantity = std::move(claim);
  row.unit = "-";
  row.ours = exceptions;
  row.reference = 0;
  row.tolerance = 0;
  row.kind = Tolerance::absolute;
  row.source = std::move(source);
  return row;
}

BenchRow& BenchReport::add(BenchRow row) {
  if (row.ours && !std::isfinite(*row.ours)) row.ours.reset();
  if (row.tolerance) {
    if (row.ours.has_value() != row.reference.has_value()) {
      row.ok = false;
    } else if (row.ours) {
      const double scale = row.kind == Tolerance::relative ? std::abs(*row.reference) : 1;
      row.ok = std::abs(*row.ours - *row.reference) <= *row.tolerance * scale;
    }
  }
  rows_.push_back(std::move(row));
  return rows_.back();
}

bool BenchReport::ok() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const BenchRow& r) { return r.ok; });
}

std::string BenchReport::json() const {
  const auto number = [](const std::optional<double>& v) {
    return v ? nlohmann::ordered_json(*v) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json out = {{"bench", name_}, {"rows", nlohmann::ordered_json::array()}};
  for (const BenchRow& r : rows_) {
    nlohmann::ordered_json row = {{"case", r.name},
                                  {"quantity", r.quantity},
                                  {"unit", r.unit},
                                  {"ours", number(r.ours)},
                                  {"reference", number(r.reference)},
                                  {"source", r.source},
                                  {"tolerance", number(r.tolerance)},
                                  {"ok", r.ok}};
    if (r.tolerance)
      row["tolerance_kind"] = r.kind == Tolerance::relative ? "relative" : "absolute";
    for (const auto& [key, value] : r.extra)
      std::visit([&, &name = key](const auto& v) { row[name] = v; }, value);
    out["rows"].push_back(std::move(row));
  }
  return out.dump(1) + "\n";
}

std::string bench_number(const BenchRow& row, const std::optional<double>& value,
                         const char* absent) {
  if (!value) return absent;
  if (row.tolerance && row.kind == Tolerance::absolute && *row.tolerance > 0) {
    const int decimals = static_cast<int>(std::ceil(-std::log10(*row.tolerance))) + 1;
    return fmt::format("{:.{}f}", *value, std::clamp(decimals, 0, 12));
  }
  if (*value != 0 && std::abs(*value) < 1e-4) return fmt::format("{:.3e}", *value);
  if (std::abs(*value) >= 1e7) return fmt::format("{:.3e}", *value);
  if (std::abs(*value) >= 1000) return fmt::format("{:.1f}", *value);
  return fmt::format("{:.{}g}", *value, std::abs(*value) < 1 ? 4 : 5);
}

std::string bench_tolerance(const BenchRow& row) {
  if (!row.tolerance) return "-";
  if (row.kind == Tolerance::relative) return fmt::format("{:g} %", 100 * *row.tolerance);
  return fmt::format("{:g}", *row.tolerance);
}

std::string BenchReport::table() const {
  const std::vector<std::string> head = {"case", "quantity",  "ours", "reference",
                                         "unit", "tolerance", "ok",   "source"};
  std::vector<std::vector<std::string>> lines = {head};
  for (const BenchRow& r : rows_) {
    const char* absent = r.has_extra("stable") ? "unstable" : "-";
    const bool published = r.reference.has_value() || r.tolerance.has_value();
    lines.push_back({r.name, r.quantity, bench_number(r, r.ours, absent),
                     bench_number(r, r.reference, published ? absent : "-"), r.unit,
                     bench_tolerance(r), r.tolerance ? (r.ok ? "yes" : "NO") : "", r.source});
  }
  std::vector<size_t> width(head.size(), 0);
  for (const auto& line : lines)
    for (size_t i = 0; i < line.size(); ++i) width[i] = std::max(width[i], line[i].size());
  std::string out = about_ + "\n\n";
  for (const auto& line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i) {
      const bool right = i == 2 || i == 3;
      text += right ? fmt::format("{:>{}}  ", line[i], width[i])
                    : fmt::format("{:<{}}  ", line[i], width[i]);
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
  const auto claimed = std::count_if(rows_.begin(), rows_.end(),
                                     [](const BenchRow& r) { return r.tolerance.has_value(); });
  const auto missed =
      std::count_if(rows_.begin(), rows_.end(), [](const BenchRow& r) { return !r.ok; });
  if (claimed > 0)
    out +=
        fmt::format("\n{} of {} rows with a tolerance are within it.\n", claimed - missed, claimed);
  return out;
}

}  // namespace hawser
