// Problems of a scene file, each with its place.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace hawser {

/// A text with its name: a file, or an option of the command line.
struct SourceText {
  std::string name;
  std::string text;
  /// The n-th line (from 1) without its end; long lines are cut.
  [[nodiscard]] std::string line(int n) const;
};

/// A place in a text.
struct Mark {
  std::shared_ptr<const SourceText> source;
  int line = 0, column = 0;  ///< from 1; 0: unknown
};

/// Collects what is wrong. Each problem reads
///
///     file:line:column: path: found X; expected Y.
///       12 |     elemnts: 20
///          |     ^
///       Did you mean 'elements'?
class Problems {
 public:
  static constexpr size_t most = 50;  ///< kept; the rest is counted

  void add(const Mark& at, const std::string& path, const std::string& found,
           const std::string& expected, const std::string& remedy = {});
  [[nodiscard]] bool any() const { return !texts_.empty(); }
  [[nodiscard]] size_t count() const { return texts_.size() + dropped_; }
  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  struct Entry {
    std::string file;
    int line, column;
    std::string text;
  };
  std::vector<Entry> texts_;
  size_t dropped_ = 0;
};

/// "found X; expected Y." with the place, the line and the remedy.
std::string format_problem(const Mark& at, const std::string& path, const std::string& found,
                           const std::string& expected, const std::string& remedy);

/// "Did you mean 'elements'?", or nothing when no known name is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// "a, b or c"
std::string any_of(const std::vector<std::string>& words);

}  // namespace hawser
