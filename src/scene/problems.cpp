#include "scene/problems.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace hawser {

std::string SourceText::line(int n) const {
  size_t start = 0;
  for (int i = 1; i < n; ++i) {
    start = text.find('\n', start);
    if (start == std::string::npos) return {};
    ++start;
  }
  std::string out = text.substr(start, std::min<size_t>(text.find('\n', start) - start, 240));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';  // tabs: the caret must fit
  return out;
}

std::string format_problem(const Mark& at, const std::string& path, const std::string& found,
                           const std::string& expected, const std::string& remedy) {
  std::string out = at.source ? at.source->name : "scene";
  if (at.line > 0) out += fmt::format(":{}:{}", at.line, at.column);
  out += ": ";
  if (!path.empty()) out += path + ": ";
  out += "found " + found;
  if (!expected.empty()) out += "; expected " + expected;
  out += ".";
  const std::string line = at.source && at.line > 0 ? at.source->line(at.line) : "";
  if (!line.empty()) {
    out += fmt::format("\n{:6} | {}\n{:6} | {:>{}}", at.line, line, "", "^", at.column);
  }
  if (!remedy.empty()) out += "\n         " + remedy;
  return out;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  return near.empty() ? "" : fmt::format("Did you mean '{}'?", near);
}

std::string any_of(const std::vector<std::string>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

void Problems::add(const Mark& at, const std::string& path, const std::string& found,
                   const std::string& expected, const std::string& remedy) {
  if (texts_.size() >= most) {
    ++dropped_;
    return;
  }
  texts_.push_back({at.source ? at.source->name : "", at.line, at.column,
                    format_problem(at, path, found, expected, remedy)});
}

std::vector<std::string> Problems::texts() const {
  std::vector<Entry> sorted = texts_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
    return a.file == b.file && std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  std::vector<std::string> out;
  for (Entry& e : sorted) out.push_back(std::move(e.text));
  if (dropped_ > 0) out.push_back(fmt::format("... and {} more.", dropped_));
  return out;
}

}  // namespace hawser
