#include "record/csv_sink.h"

#include <fmt/format.h>

#include <charconv>

#include "hawser/error.h"

namespace hawser {
namespace {

constexpr size_t buffer_size = 1 << 16;  ///< [bytes] after which lines are written

std::string header(const std::vector<Column>& columns) {
  std::string line = "time [s]";
  for (const Column& c : columns)
    line += c.unit.empty() ? "," + c.name : fmt::format(",{} [{}]", c.name, c.unit);
  return line + "\n";
}

void add_number(std::string& line, double x) {
  char digits[32];  // the longest double takes 24
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), x);
  line.append(digits, end);
}

/// Where the line after the first `lines` starts.
size_t end_of_lines(const File& file, long lines) {
  constexpr size_t block = 1 << 20;
  size_t offset = 0;
  long found = 0;
  for (std::string text; !(text = file.read_at(offset, block)).empty(); offset += text.size())
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      if (++found == lines) return offset + at + 1;
  throw Error(file.path(), fmt::format("{} rows", found - 1),
              fmt::format("the {} rows written by the run", lines - 1),
              "The results were changed: start the run again.");
}

}  // namespace

CsvSink::CsvSink(const std::string& directory, const ResultLayout& layout,
                 std::optional<SinkPosition> from)
    : file_(directory + "/channels.csv", from ? File::Mode::change : File::Mode::create) {
  const std::string names = header(layout.columns);
  buffer_.reserve(2 * buffer_size);
  if (!from) {
    buffer_ = names;
    flush();
  } else {
    if (file_.read_at(0, names.size()) != names)
      throw Error(file_.path(), "other columns", "those of the run: " + names,
                  "The results were changed: start the run again.");
    file_.cut(end_of_lines(file_, from->rows + 1));
  }
}

CsvSink::~CsvSink() {
  try {
    flush();
  } catch (const Error&) {  // whoever must know has called flush
  }
}

void CsvSink::row(double t, std::span<const double> values) {
  add_number(buffer_, t);
  for (const double x : values) {
    buffer_ += ',';
    add_number(buffer_, x);
  }
  buffer_ += '\n';
  if (buffer_.size() >= buffer_size) flush();
}

/// Where the disk fills up, the file ends with a whole line.
void CsvSink::flush() {
  const size_t before = file_.size();
  try {
    file_.append(buffer_);
  } catch (const WriteError&) {
    const size_t whole = std::string_view(buffer_).substr(0, file_.size() - before).rfind('\n') + 1;
    if (file_.size() > before + whole) file_.cut(before + whole);
    buffer_.erase(0, whole);
    throw;
  }
  buffer_.clear();
}

}  // namespace hawser
