// A YAML file as a tree of nodes that know where they stand.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scene/problems.h"

namespace hawser {

/// What a file may hold at most, so that no input exhausts memory or time.
struct DocumentLimits {
  size_t bytes = 4u << 20;  ///< of one file
  int depth = 32;           ///< of nesting
  size_t nodes = 200'000;   ///< of one file, aliases counted as often as they are used
  int include_depth = 8;    ///< of files that include files
  int includes = 64;        ///< in all
};

struct Node {
  enum class Kind { null, scalar, list, map } kind = Kind::null;
  std::string text;  ///< of a scalar
  Mark at;
  std::vector<Node> items;                     ///< of a list
  std::vector<std::pair<Node, Node>> entries;  ///< of a map, in order; keys are scalars

  [[nodiscard]] const Node* find(const std::string& key) const;
  [[nodiscard]] Node* find(const std::string& key);
  /// "a list", "a map", "nothing", or the text in quotes.
  [[nodiscard]] std::string described() const;
};

/// Reads YAML text. What is wrong goes to `problems`; the tree holds what could be read.
Node parse_document(const std::shared_ptr<const SourceText>& source, Problems& problems,
                    const DocumentLimits& limits);

/// Text of a file, or why there is none (starting with "!").
struct Loaded {
  bool found = false;
  std::string text;   ///< of the file
  std::string cause;  ///< why it cannot be read
};
using FileLoader = std::function<Loaded(const std::string& path)>;
/// From the disk; refuses what is larger than the limit.
FileLoader disk_loader(const DocumentLimits& limits);

}  // namespace hawser
