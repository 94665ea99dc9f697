// One shape for every benchmark: rows of ours against a reference, for people and as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hawser {

enum class Tolerance { relative, absolute };

/// What a row tells other programs beside the columns of the table.
using BenchValue =
    std::variant<std::nullptr_t, bool, long, double, std::string, std::vector<std::string>>;
using BenchExtras = std::vector<std::pair<std::string, BenchValue>>;

struct BenchRow {
  std::string name, quantity, unit;
  std::optional<double> ours, reference;
  std::string source;
  std::optional<double> tolerance;  ///< none: shown, nothing claimed
  Tolerance kind = Tolerance::relative;
  bool ok = true;
  BenchExtras extra;

  [[nodiscard]] bool has_extra(const std::string& key) const;
};

/// A row that holds a trend: `claim` counts what speaks against it, and must be 0.
BenchRow trend_row(std::string name, std::string claim, int exceptions, std::string source);

class BenchReport {
 public:
  explicit BenchReport(std::string name, std::string command, std::string about)
      : name_(std::move(name)), command_(std::move(command)), about_(std::move(about)) {}

  /// Judges the row: within the tolerance where there is one. A value absent on both sides agrees
  /// (both unstable); on one side alone it does not, where a tolerance is set.
  BenchRow& add(BenchRow row);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& command() const { return command_; }
  /// The command without "hawser bench".
  [[nodiscard]] std::string title() const { return command_.substr(13); }
  [[nodiscard]] const std::string& about() const { return about_; }
  [[nodiscard]] const std::vector<BenchRow>& rows() const { return rows_; }
  [[nodiscard]] bool ok() const;
  [[nodiscard]] std::string json() const;  ///< {"bench": ..., "rows": [...]}
  [[nodiscard]] std::string table() const;

 private:
  std::string name_, command_, about_;
  std::vector<BenchRow> rows_;
};

/// A number of a row as people read it: four digits, or one more than an absolute tolerance asks.
std::string bench_number(const BenchRow& row, const std::optional<double>& value,
                         const char* absent = "-");
std::string bench_tolerance(const BenchRow& row);

}  // namespace hawser
