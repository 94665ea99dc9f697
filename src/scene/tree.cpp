#include "scene/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "scene/fields.h"

namespace hawser {
namespace {

class TreeAssembler {
 public:
  TreeAssembler(const FileLoader& load, Problems& problems, const DocumentLimits& limits)
      : load_(load), problems_(problems), limits_(limits) {}

  Node read(const std::string& text, const std::string& name, int depth) {
    const auto source = std::make_shared<SourceText>(SourceText{name, text});
    Node root = parse_document(source, problems_, limits_);
    if (root.kind == Node::Kind::null) {
      if (!problems_.any())
        problems_.add({source, 1, 1}, "", "an empty file", "a scene: at least sections and cables");
      root.kind = Node::Kind::map;
      root.at = {source, 1, 1};
    }
    if (root.kind != Node::Kind::map) {
      problems_.add(root.at, "", root.described(), "fields, such as `cables:` and `solve:`");
      root = Node{};
      root.kind = Node::Kind::map;
      root.at = {source, 1, 1};
    }
    merge_includes(root, name, depth);
    return root;
  }

 private:
  void merge_includes(Node& root, const std::string& name, int depth) {
    Node* include = root.find("include");
    if (!include) return;
    std::vector<Node> files;
    if (include->kind == Node::Kind::scalar) files = {*include};
    if (include->kind == Node::Kind::list) files = include->items;
    if (files.empty())
      problems_.add(include->at, "include", include->described(), "the name of a file, or a list");
    for (const Node& file : files) {
      if (file.kind != Node::Kind::scalar) {
        problems_.add(file.at, "include", file.described(), "the name of a file");
        continue;
      }
      if (depth >= limits_.include_depth || ++included_ > limits_.includes) {
        problems_.add(file.at, "include", file.described() + ", one file too many",
                      fmt::format("at most {} in all, nested at most {} deep", limits_.includes,
                                  limits_.include_depth),
                      "Does a file include itself?");
        return;
      }
      const std::string path = (std::filesystem::path(name).parent_path() / file.text).string();
      const Loaded loaded = load_(path);
      if (!loaded.found) {
        problems_.add(file.at, "include", fmt::format("'{}': {}", path, loaded.cause),
                      "a scene file, named from where this one stands");
        continue;
      }
      merge(root, read(loaded.text, path, depth + 1));
    }
  }

  /// What `into` says goes before; groups are joined, and a name must not be in both but for
  /// variables.
  void merge(Node& into, Node from) {
    for (auto& [key, value] : from.entries) {
      if (key.text == "include") continue;
      Node* mine = into.find(key.text);
      if (!mine) {
        into.entries.emplace_back(std::move(key), std::move(value));
      } else if (mine->kind == Node::Kind::map && value.kind == Node::Kind::map) {
        join(*mine, std::move(value), key.text);
      }
    }
  }
  void join(Node& mine, Node theirs, const std::string& group) {
    const bool settings = group == "variables" || group == "solve" || group == "record";
    for (auto& [key, value] : theirs.entries) {
      const Node* before = mine.find(key.text);
      if (!before)
        mine.entries.emplace_back(std::move(key), std::move(value));
      else if (!settings)
        problems_.add(key.at, group,
                      fmt::format("'{}', which {}:{} has too", key.text, before->at.source->name,
                                  before->at.line),
                      "a name of its own", "Rename one of them.");
    }
  }

  const FileLoader& load_;
  Problems& problems_;
  const DocumentLimits& limits_;
  int included_ = 0;
};

/// "cables.tether.route[1]" as keys and indices.
std::vector<std::string> path_parts(const std::string& path) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : path) {
    if (c == '.' || c == '[') {
      if (!part.empty()) parts.push_back(part);
      part.clear();
    } else if (c != ']') {
      part += c;
    }
  }
  if (!part.empty()) parts.push_back(part);
  return parts;
}

/// The node at the end of a path, made where it is missing; null with a problem.
Node* reach(Node& root, const std::vector<std::string>& parts, const Mark& at, Problems& problems) {
  Node* node = &root;
  std::string path;
  for (const std::string& part : parts) {
    if (node->kind == Node::Kind::null) {
      node->kind = Node::Kind::map;
      node->at = at;
    }
    if (node->kind == Node::Kind::list) {
      size_t index = node->items.size();
      std::from_chars(part.data(), part.data() + part.size(), index);
      if (index >= node->items.size()) {
        problems.add(at, path, fmt::format("the index '{}'", part),
                     fmt::format("0 to {}", static_cast<long>(node->items.size()) - 1));
        return nullptr;
      }
      node = &node->items[index];
    } else if (node->kind == Node::Kind::map) {
      Node* next = node->find(part);
      if (!next) {
        Node key, empty;
        key.kind = Node::Kind::scalar;
        key.text = part;
        key.at = empty.at = at;
        node->entries.emplace_back(std::move(key), std::move(empty));
        next = &node->entries.back().second;
      }
      node = next;
    } else {
      problems.add(at, path, fmt::format("'{}' below {}", part, node->described()),
                   "a path to a field");
      return nullptr;
    }
    path += (path.empty() ? "" : ".") + part;
  }
  return node;
}

void apply_set(Node& root, const std::string& set, Problems& problems,
               const DocumentLimits& limits) {
  const auto source = std::make_shared<SourceText>(SourceText{"--set", set});
  const size_t equals = set.find('=');
  const std::vector<std::string> parts = path_parts(set.substr(0, equals));
  if (equals == std::string::npos || parts.empty() ||
      parts.size() > static_cast<size_t>(limits.depth)) {
    problems.add({source, 1, 1}, "", "'" + set + "'",
                 "path=value, such as solve.step=5 ms or variables.span=20 m");
    return;
  }
  // The value where it stands, so that marks fit.
  const auto padded = std::make_shared<SourceText>(
      SourceText{"--set", std::string(equals + 1, ' ') + set.substr(equals + 1)});
  Node value = parse_document(padded, problems, limits);
  const auto remark = [&](auto& self, Node& node) -> void {
    node.at.source = source;
    for (Node& item : node.items) self(self, item);
    for (auto& [key, item] : node.entries) self(self, key), self(self, item);
  };
  remark(remark, value);
  if (Node* node = reach(root, parts, {source, 1, 1}, problems)) *node = std::move(value);
}

}  // namespace

Node assemble_tree(const std::string& text, const std::string& name,
                   const std::vector<std::string>& sets, const FileLoader& load, Problems& problems,
                   const DocumentLimits& limits) {
  Node root = TreeAssembler(load, problems, limits).read(text, name, 0);
  for (const std::string& set : sets) apply_set(root, set, problems, limits);
  return root;
}

namespace {

/// Words of an expression that are variables of the scene.
std::set<std::string> words_of(const std::string& text, const Node& variables) {
  std::set<std::string> out;
  std::string word;
  for (const char c : text + " ") {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (letter || (!word.empty() && c >= '0' && c <= '9')) {
      word += c;
    } else {
      if (!word.empty() && variables.find(word)) out.insert(word);
      word.clear();
    }
  }
  return out;
}

/// Evaluates variables depth first; `state` is 1 while one is being evaluated, 2 when done.
class VariableReader {
 public:
  VariableReader(ReadContext& context, const Node& variables)
      : c_(context), variables_(variables) {}

  void evaluate(const Node& key, const Node& value, int depth) {
    int& state = states_[key.text];
    if (state == 2) return;
    const std::string path = "variables." + key.text;
    constexpr int deepest = 100;
    if (state == 1 || depth > deepest) {
      c_.problems.add(key.at, path, state == 1 ? "a variable that uses itself" : "too long a chain",
                      "variables that build on each other");
      states_[key.text] = 2;
      return;
    }
    state = 1;
    if (value.kind == Node::Kind::scalar)
      for (const std::string& word : words_of(value.text, variables_))
        for (const auto& [other, other_value] : variables_.entries)
          if (other.text == word) evaluate(other, other_value, depth + 1);
    if (states_[key.text] == 1) {
      Amount amount;
      if (read_amount(c_, {value, path}, amount)) c_.variables[key.text] = amount;
    }
    states_[key.text] = 2;
  }

 private:
  ReadContext& c_;
  const Node& variables_;
  std::map<std::string, int> states_;
};

}  // namespace

void read_variables(ReadContext& c, const Node& root) {
  const Node* variables = root.find("variables");
  if (!variables || variables->kind == Node::Kind::null) return;
  if (variables->kind != Node::Kind::map) {
    c.problems.add(variables->at, "variables", variables->described(),
                   "names with amounts, such as {span: 20 m}");
    return;
  }
  for (const auto& [key, value] : variables->entries) {
    if (!check_name(c, key, "variables")) continue;
    const bool dash = key.text.find('-') != std::string::npos;
    if (dash || key.text == "t" || key.text == "pi" || find_unit(key.text).factor != 0)
      c.problems.add(key.at, "variables", fmt::format("the name '{}'", key.text),
                     dash ? "one without '-', which would read as minus"
                          : "one that is no unit and not t or pi");
  }
  VariableReader reader(c, *variables);
  for (const auto& [key, value] : variables->entries) reader.evaluate(key, value, 0);
}

}  // namespace hawser
