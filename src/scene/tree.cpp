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

  Node read(const std::string& text, const std::string& name) {
    const auto source = std::make_shared<SourceText>(name, without_byte_order_mark(text));
    Node root = parse_document(source, problems_, limits_);
    limits_.bytes -= std::min(limits_.bytes, source->text().size());
    limits_.nodes -= std::min(limits_.nodes, root.count());
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
    open_.push_back(std::filesystem::path(name).lexically_normal().string());
    merge_includes(root, name);
    open_.pop_back();
    return root;
  }

 private:
  void merge_includes(Node& root, const std::string& name) {
    const Node* include = root.find("include");
    if (!include || include->kind == Node::Kind::null) return;
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
      if (static_cast<int>(open_.size()) > limits_.include_depth ||
          ++included_ > limits_.includes) {
        problems_.add(file.at, "include", file.described() + ", too many files",
                      fmt::format("at most {} in all, nested at most {} deep", limits_.includes,
                                  limits_.include_depth));
        return;
      }
      merge_file(root, file, std::filesystem::path(name).parent_path() / file.text);
    }
  }

  void merge_file(Node& root, const Node& file, const std::filesystem::path& path) {
    if (std::find(open_.begin(), open_.end(), path.lexically_normal().string()) != open_.end()) {
      problems_.add(file.at, "include", file.described() + ", which includes this file",
                    "files without circular includes");
      return;
    }
    const Loaded loaded = load_(path.string());
    if (loaded.found)
      merge(root, read(loaded.text, path.string()));
    else
      problems_.add(file.at, "include",
                    fmt::format("{}: {}", in_quotes(path.string()), loaded.cause),
                    "a scene file, relative to this one");
  }

  /// What `into` says overrides `from`; groups are joined, and a name must not be in both but for
  /// variables.
  void merge(Node& into, Node from) {
    const auto mine = into.index_with_room(from.entries.size());
    for (auto& [key, value] : from.entries) {
      if (key.text == "include") continue;
      const auto found = mine.find(key.text);
      if (found == mine.end())
        into.entries.push_back({std::move(key), std::move(value)});
      else if (found->second->kind == Node::Kind::null)
        *found->second = std::move(value);
      else if (found->second->kind == Node::Kind::map && value.kind == Node::Kind::map)
        join(*found->second, std::move(value), key.text);
    }
  }
  void join(Node& mine, Node theirs, const std::string& group) {
    const bool settings = group == "variables" || group == "solve" || group == "record";
    const auto known = mine.index_with_room(theirs.entries.size());
    for (auto& [key, value] : theirs.entries) {
      const auto found = known.find(key.text);
      if (found == known.end())
        mine.entries.push_back({std::move(key), std::move(value)});
      else if (!settings)
        problems_.add(key.at, group,
                      fmt::format("{}, which is also in {}:{}", key.described(),
                                  found->second->at.source->name(), found->second->at.line),
                      "a unique name", "Rename one of them.");
    }
  }

  const FileLoader& load_;
  Problems& problems_;
  DocumentLimits limits_;  // what is left of them
  int included_ = 0;
  std::vector<std::string> open_;  // files being read, each included by the one before
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
      size_t index = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
      if (error != std::errc() || end != part.data() + part.size() || index >= node->items.size()) {
        problems.add(at, path, fmt::format("the index {}", in_quotes(part)),
                     node->items.empty() ? "a list that is not empty"
                                         : fmt::format("0 to {}", node->items.size() - 1));
        return nullptr;
      }
      node = &node->items[index];
    } else if (node->kind == Node::Kind::map) {
      Node* next = node->find(part);
      if (!next && path == "variables") {  // a new one would change nothing
        std::vector<std::string> known;
        for (const auto& [key, value] : node->entries) known.push_back(key.text);
        problems.add(at, path, fmt::format("{}, an unknown variable", in_quotes(part)),
                     known.empty() ? "a scene with variables" : any_of(known),
                     did_you_mean(part, known));
        return nullptr;
      }
      if (!next) {
        Node key, empty;
        key.kind = Node::Kind::scalar;
        key.text = part;
        key.at = empty.at = at;
        node->entries.push_back({std::move(key), std::move(empty)});
        next = &node->entries.back().value;
      }
      node = next;
    } else {
      problems.add(at, path, fmt::format("{} below {}", in_quotes(part), node->described()),
                   "a path to a field");
      return nullptr;
    }
    path += (path.empty() ? "" : ".") + part;
  }
  return node;
}

void apply_set(Node& root, const std::string& set, Problems& problems,
               const DocumentLimits& limits) {
  const auto source = std::make_shared<SourceText>("--set", set);
  const size_t equals = set.find('=');
  const std::vector<std::string> parts = path_parts(set.substr(0, equals));
  if (equals == std::string::npos || parts.empty() ||
      parts.size() > static_cast<size_t>(limits.depth)) {
    problems.add({source, 1, 1}, "", in_quotes(set),
                 "path=value, such as solve.step=5 ms or variables.span=20 m");
    return;
  }
  // The value where it stands, so that marks fit.
  const auto padded =
      std::make_shared<SourceText>("--set", std::string(equals + 1, ' ') + set.substr(equals + 1));
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
  Node root = TreeAssembler(load, problems, limits).read(text, name);
  for (const std::string& set : sets) apply_set(root, set, problems, limits);
  return root;
}

namespace {

/// Evaluates variables depth first. What hangs on one that has a problem has none of its own.
class VariableReader {
 public:
  VariableReader(ReadContext& context, const Node& variables) : c_(context) {
    for (const auto& [key, value] : variables.entries) entries_[key.text] = {&key, &value};
  }

  void run() {
    for (auto& [name, entry] : entries_) evaluate(entry, 0);
    for (const auto& [name, entry] : entries_)
      if (!c_.variables.contains(name)) c_.broken_variables.insert(name);
  }

 private:
  struct Entry {
    const Node *key = nullptr, *value = nullptr;
    enum class State { untouched, open, done } state = State::untouched;
  };

  void evaluate(Entry& entry, int depth) {
    if (entry.state == Entry::State::done) return;
    const std::string path = "variables." + entry.key->text;
    constexpr int deepest = 100;
    if (entry.state == Entry::State::open || depth > deepest) {
      c_.problems.add(entry.key->at, path,
                      depth > deepest ? fmt::format("a chain of more than {} variables", deepest)
                                      : "a variable that uses itself",
                      "variables without circular references");
      entry.state = Entry::State::done;
      return;
    }
    entry.state = Entry::State::open;
    bool ready = true;
    if (entry.value->kind == Node::Kind::scalar)
      for (const std::string& word : words_of(entry.value->text)) {
        const auto other = entries_.find(word);
        if (other == entries_.end()) continue;
        evaluate(other->second, depth + 1);
        ready = ready && c_.variables.contains(word);
      }
    Amount amount;
    if (ready && read_amount(c_, {*entry.value, path}, amount))
      c_.variables[entry.key->text] = amount;
    entry.state = Entry::State::done;
  }

  ReadContext& c_;
  std::map<std::string, Entry> entries_;
};

}  // namespace

void read_variables(ReadContext& c, const Node& root) {
  const Node* variables = root.find("variables");
  if (!variables || variables->kind == Node::Kind::null) return;
  if (variables->kind != Node::Kind::map) {
    c.problems.add(variables->at, "variables", variables->described(),
                   "names with quantities, such as {span: 20 m}");
    return;
  }
  for (const auto& [key, value] : variables->entries)
    if (check_name(c, key, "variables")) check_symbol(c, key, "variables");
  VariableReader(c, *variables).run();
}

}  // namespace hawser
