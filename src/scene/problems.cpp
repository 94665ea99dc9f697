#include "scene/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "hawser/error.h"

namespace hawser {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }  // a UTF-8 letter

/// The start of the letter that holds a byte.
size_t letter_start(const std::string& text, size_t at) {
  while (at > 0 && at < text.size() && continues(text[at])) --at;
  return std::min(at, text.size());
}

/// The line and a caret below the column; of a long line the part around it.
std::string excerpt(int number, const std::string& line, int column) {
  constexpr size_t width = 120, before = 60;
  const auto at = static_cast<size_t>(std::max(column - 1, 0));
  const size_t start = line.size() <= width || at < before ? 0 : letter_start(line, at - before);
  const size_t end = line.size() - start <= width ? line.size() : letter_start(line, start + width);
  std::string shown = line.substr(start, end - start);
  if (start > 0) shown = "..." + shown;
  if (end < line.size()) shown += "...";
  std::string out = fmt::format("\n{:6} | {}", number, shown);
  if (at > line.size()) return out;
  const auto letters = std::count_if(line.begin() + static_cast<std::ptrdiff_t>(start),
                                     line.begin() + static_cast<std::ptrdiff_t>(at),
                                     [](char c) { return !continues(c); });
  return out + fmt::format("\n{:6} | {:>{}}", "", "^", letters + (start > 0 ? 4 : 1));
}

}  // namespace

size_t letter_size(const std::string& text, size_t at) {
  const auto byte = [&](size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
  };
  const unsigned first = byte(0);
  const size_t size = first < 0x80                     ? 1
                      : first >= 0xC2 && first < 0xE0  ? 2
                      : first >= 0xE0 && first < 0xF0  ? 3
                      : first >= 0xF0 && first <= 0xF4 ? 4
                                                       : 0;
  for (size_t k = 1; k < size; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool no_letter = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
  return overlong || no_letter ? 0 : size;
}

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), starts_{0} {
  for (size_t at = 0; (at = text_.find('\n', at)) != std::string::npos;) starts_.push_back(++at);
}

size_t SourceText::line_start(int n) const {
  return n < 1 || static_cast<size_t>(n) > starts_.size() ? text_.size()
                                                          : starts_[static_cast<size_t>(n - 1)];
}

std::string SourceText::line(int n, size_t longest) const {
  const size_t start = line_start(n);
  size_t end = std::min(text_.find('\n', start), text_.size());
  if (end > start && text_[end - 1] == '\r') --end;
  if (end - start > longest) end = letter_start(text_, start + longest);
  std::string out = text_.substr(start, end - start);
  for (size_t at = 0, size = 0; at < out.size(); at += std::max<size_t>(size, 1)) {
    size = letter_size(out, at);
    const bool control = static_cast<unsigned char>(out[at]) < ' ' || out[at] == 127;
    if (size == 0 || control) out[at] = size == 0 ? '?' : ' ';  // tabs: the caret must fit
  }
  return out;
}

std::string format_problem(const Mark& at, const std::string& path, const std::string& found,
                           const std::string& expected, const std::string& remedy) {
  if (!at.source) return format_problem("scene", 0, 0, "", path, found, expected, remedy);
  return format_problem(at.source->name(), at.line, at.column,
                        at.source->line(at.line, std::string::npos), path, found, expected, remedy);
}

std::string format_problem(const std::string& file, int line, int column, const std::string& text,
                           const std::string& path, const std::string& found,
                           const std::string& expected, const std::string& remedy) {
  std::string out = file;
  if (line > 0) out += fmt::format(":{}:{}", line, column);
  out += ": ";
  constexpr size_t longest = 200;  // names that are too long are a problem of their own
  const bool cut = path.size() > longest;
  if (!path.empty()) out += path.substr(0, letter_start(path, longest)) + (cut ? "...: " : ": ");
  out += "found " + found;
  if (!expected.empty()) out += "; expected " + expected;
  out += ".";
  if (!text.empty()) out += excerpt(line, text, column);
  if (!remedy.empty()) out += "\n         " + remedy;
  return out;
}

std::string in_quotes(const std::string& text) {
  constexpr size_t longest = 60;
  std::string out = text.substr(0, letter_start(text, longest));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  return "'" + out + (text.size() > longest ? "...'" : "'");
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  constexpr size_t longest = 64, largest = 1000;  // of a name, of a group worth comparing with
  if (word.size() > longest || known.size() > largest) return {};
  const std::string near = nearest_name(word, known);
  return near.empty() ? "" : fmt::format("Did you mean '{}'?", near);
}

std::string any_of(const std::vector<std::string>& words) {
  constexpr size_t most = 24;  // more than the fields of any entry
  const size_t shown = std::min(words.size(), most);
  std::string out;
  for (size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return shown < words.size() ? fmt::format("{} or one of {} more", out, words.size() - shown)
                              : out;
}

void Problems::add(const Mark& at, const std::string& path, const std::string& found,
                   const std::string& expected, const std::string& remedy) {
  const std::string file = at.source ? at.source->name() : "";
  const auto known = std::find(files_.begin(), files_.end(), file);
  const auto index = static_cast<size_t>(known - files_.begin());
  if (known == files_.end()) files_.push_back(file);
  texts_.push_back({index, at.line, at.column, format_problem(at, path, found, expected, remedy)});
  if (texts_.size() >= most) throw TooManyProblems{};
}

std::vector<std::string> Problems::texts() const {
  std::vector<Entry> sorted = texts_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  std::vector<std::string> out;
  for (Entry& e : sorted) out.push_back(std::move(e.text));
  if (out.size() >= most) out.push_back(fmt::format("Only the first {} errors are listed.", most));
  return out;
}

}  // namespace hawser
