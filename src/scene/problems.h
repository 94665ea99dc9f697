// Problems of a scene file, each with its place.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace hawser {

/// How many bytes the UTF-8 letter at a place takes; 0: it is none (Unicode 15, table 3-7).
size_t letter_size(const std::string& text, size_t at);

/// A text with its name: a file, or an option of the command line.
class SourceText {
 public:
  SourceText(std::string name, std::string text);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The n-th line (from 1) without its end, tabs and control characters as spaces, what
  /// is no UTF-8 as '?'; at most `longest` bytes of it.
  [[nodiscard]] std::string line(int n, size_t longest) const;
  /// Where the n-th line starts; the end of the text when there is none.
  [[nodiscard]] size_t line_start(int n) const;

 private:
  std::string name_, text_;
  std::vector<size_t> starts_;  // of the lines
};

/// A place in a text.
struct Mark {
  std::shared_ptr<const SourceText> source;
  int line = 0, column = 0;  ///< from 1; 0: unknown
};

/// Thrown when there are so many problems that looking for more helps nobody.
struct TooManyProblems {};

/// Collects what is wrong. Each problem reads
///
///     file:line:column: path: found X; expected Y.
///       12 |     elemnts: 20
///          |     ^
///       Did you mean 'elements'?
class Problems {
 public:
  static constexpr size_t most = 50;

  /// Throws TooManyProblems after the last one there is room for.
  void add(const Mark& at, const std::string& path, const std::string& found,
           const std::string& expected, const std::string& remedy = {});
  [[nodiscard]] bool any() const { return !texts_.empty(); }
  [[nodiscard]] size_t count() const { return texts_.size(); }
  /// By place: files in the order in which they were met, then line and column.
  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  struct Entry {
    size_t file;  // index of files_
    int line, column;
    std::string text;
  };
  std::vector<std::string> files_;
  std::vector<Entry> texts_;
};

/// "found X; expected Y." with the place, the line and the remedy.
std::string format_problem(const Mark& at, const std::string& path, const std::string& found,
                           const std::string& expected, const std::string& remedy);
/// The same with `text`, the line or its beginning.
std::string format_problem(const std::string& file, int line, int column, const std::string& text,
                           const std::string& path, const std::string& found,
                           const std::string& expected, const std::string& remedy);

/// A text in quotes, cut where it is too long for a message.
std::string in_quotes(const std::string& text);

/// "Did you mean 'elements'?", or nothing when no known name is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// "a, b or c"; of many only the first.
std::string any_of(const std::vector<std::string>& words);

}  // namespace hawser
