// channels.csv: a line of names and units, then a line a row (RFC 4180, lines end with LF).
#pragma once

#include <optional>

#include "record/file.h"
#include "record/sink.h"

namespace hawser {

/// Numbers are written in the shortest form that reads back as the same double.
class CsvSink final : public Sink {
 public:
  /// `from`: go on after so many rows of the file that is there.
  CsvSink(const std::string& directory, const ResultLayout& layout,
          std::optional<SinkPosition> from = std::nullopt);
  ~CsvSink() override;

  [[nodiscard]] bool takes_frames() const override { return false; }
  void row(double t, std::span<const double> values) override;
  void frame(double /*t*/, const std::vector<Shape>& /*shapes*/,
             const std::vector<BodyPose>& /*bodies*/) override {}
  void flush() override;

 private:
  File file_;
  std::string buffer_;  ///< whole lines
};

}  // namespace hawser
