// A YAML file as a tree of nodes that know where they stand.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scene/problems.h"

namespace hawser {

/// What a file may hold at most, so that no input exhausts memory or time.
struct DocumentLimits {
  size_t bytes = 4u << 20;   ///< of all files together; with aliases texts may double
  int depth = 32;            ///< of nesting
  size_t nodes = 1'500'000;  ///< values, aliases counted as often as they are used
  int include_depth = 8;     ///< of files that include files
  int includes = 64;         ///< in all
};

struct Node {
  enum class Kind { null, scalar, list, map } kind = Kind::null;
  std::string text;  ///< of a scalar
  Mark at;
  std::vector<Node> items;  ///< of a list
  struct Entry;
  std::vector<Entry> entries;  ///< of a map, in order; keys are scalars

  /// By looking at every entry.
  [[nodiscard]] const Node* find(const std::string& key) const;
  [[nodiscard]] Node* find(const std::string& key);
  /// The entries by name, for looking up many; as many as `more` can be added without moving them.
  [[nodiscard]] std::unordered_map<std::string, Node*> index_with_room(size_t more);
  [[nodiscard]] size_t count() const;  ///< this node, its keys and all below
  /// "a list", "a map", "nothing", or the text in quotes.
  [[nodiscard]] std::string described() const;
};

struct Node::Entry {
  Node key, value;
};

/// Reads YAML text. What is wrong goes to `problems`; the tree holds what could be read.
Node parse_document(const std::shared_ptr<const SourceText>& source, Problems& problems,
                    const DocumentLimits& limits);

/// Text of a file, or why there is none.
struct Loaded {
  bool found = false;
  std::string text;   ///< of the file
  std::string cause;  ///< why it cannot be read
};
using FileLoader = std::function<Loaded(const std::string& path)>;
/// Editors of Windows put one before UTF-8.
std::string without_byte_order_mark(const std::string& text);

/// From the disk; refuses what is larger than the limit.
FileLoader disk_loader(const DocumentLimits& limits);

}  // namespace hawser
