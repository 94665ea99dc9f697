#include "scene/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace hawser {

const Node* Node::find(const std::string& key) const {
  for (const auto& [name, value] : entries)
    if (name.text == key) return &value;
  return nullptr;
}

Node* Node::find(const std::string& key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

std::string Node::described() const {
  if (kind == Kind::null) return "nothing";
  if (kind == Kind::list) return items.empty() ? "an empty list" : "a list";
  if (kind == Kind::map) return entries.empty() ? "an empty map" : "a map";
  constexpr size_t longest = 60;
  return "'" + (text.size() > longest ? text.substr(0, longest) + "..." : text) + "'";
}

namespace {

/// Stops the parser where a limit is met.
struct TooMuch {
  Mark at;
  std::string found, expected;
};

/// Builds the tree from yaml-cpp's events, which come in the order of the text.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::shared_ptr<const SourceText>& source, Problems& problems,
              const DocumentLimits& limits)
      : source_(source), problems_(problems), limits_(limits) {}

  Node root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(Node::Kind::null, mark), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    Node node = found == anchors_.end() ? make(Node::Kind::null, mark) : found->second;
    node.at = place(mark);
    count(node);
    add(std::move(node), 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = make(Node::Kind::scalar, mark);
    node.text = value;
    if (tag == "?" && (value.empty() || value == "~" || value == "null"))
      node.kind = Node::Kind::null;
    add(std::move(node), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(make(Node::Kind::list, mark), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(make(Node::Kind::map, mark), anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    Node node;
    YAML::anchor_t anchor;
    Node key;
    bool has_key = false;
  };

  [[nodiscard]] Mark place(const YAML::Mark& mark) const {
    return {source_, mark.line + 1, mark.column + 1};
  }
  Node make(Node::Kind kind, const YAML::Mark& mark) {
    Node node;
    node.kind = kind;
    node.at = place(mark);
    if (++nodes_ > limits_.nodes)
      throw TooMuch{node.at, fmt::format("more than {} values", limits_.nodes), "a smaller scene"};
    return node;
  }
  void count(const Node& node) {  // of an alias, which repeats a whole tree
    if (++nodes_ > limits_.nodes)
      throw TooMuch{node.at, fmt::format("more than {} values", limits_.nodes), "a smaller scene"};
    for (const Node& item : node.items) count(item);
    for (const auto& [key, value] : node.entries) count(key), count(value);
  }
  void open(Node node, YAML::anchor_t anchor) {
    if (static_cast<int>(levels_.size()) >= limits_.depth)
      throw TooMuch{node.at, fmt::format("values nested deeper than {}", limits_.depth),
                    "a flatter scene"};
    levels_.push_back({std::move(node), anchor, {}, false});
  }
  void close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    add(std::move(level.node), level.anchor);
  }
  void add(Node node, YAML::anchor_t anchor) {
    if (anchor) {
      count(node);  // the copy kept for aliases is memory too
      anchors_[anchor] = node;
    }
    if (levels_.empty()) {
      root = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node.kind == Node::Kind::list) {
      level.node.items.push_back(std::move(node));
    } else if (!level.has_key) {
      if (node.kind != Node::Kind::scalar)
        problems_.add(node.at, "", node.described() + " as the name of a field", "a word");
      level.key = std::move(node);
      level.has_key = true;
    } else {
      add_entry(level, std::move(node));
    }
  }
  void add_entry(Level& level, Node value) {
    level.has_key = false;
    if (level.key.kind != Node::Kind::scalar) return;
    if (const Node* before = level.node.find(level.key.text)) {
      problems_.add(level.key.at, "", fmt::format("'{}' a second time", level.key.text),
                    fmt::format("each name once (the first is in line {})", before->at.line));
      return;
    }
    level.node.entries.emplace_back(std::move(level.key), std::move(value));
  }

  const std::shared_ptr<const SourceText>& source_;
  Problems& problems_;
  const DocumentLimits& limits_;
  size_t nodes_ = 0;
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, Node> anchors_;
};

}  // namespace

Node parse_document(const std::shared_ptr<const SourceText>& source, Problems& problems,
                    const DocumentLimits& limits) {
  TreeBuilder builder(source, problems, limits);
  if (source->text.size() > limits.bytes) {
    problems.add({source, 0, 0}, "", fmt::format("a file of {} bytes", source->text.size()),
                 fmt::format("at most {}", limits.bytes));
    return {};
  }
  try {
    std::istringstream stream(source->text);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (Node first = std::move(builder.root); parser.HandleNextDocument(builder)) {
      problems.add(builder.root.at, "", "a second document after '---'", "one scene in a file");
      builder.root = std::move(first);
    } else {
      builder.root = std::move(first);
    }
  } catch (const TooMuch& much) {
    problems.add(much.at, "", much.found, much.expected);
  } catch (const YAML::Exception& error) {
    const Mark at{source, std::max(error.mark.line + 1, 0), std::max(error.mark.column + 1, 0)};
    problems.add(at, "", "what is not YAML (" + error.msg + ")", "fields as `name: value`",
                 "Values that hold ': ' or start with a special character need quotes.");
  }
  return std::move(builder.root);
}

FileLoader disk_loader(const DocumentLimits& limits) {
  return [limits](const std::string& path) -> Loaded {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return {false, {}, "it is a directory"};
    std::ifstream in(path, std::ios::binary);
    if (!in) return {false, {}, "there is no such file, or it cannot be read"};
    std::string text(limits.bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) return {false, {}, "reading it failed"};
    text.resize(static_cast<size_t>(in.gcount()));
    return {true, std::move(text), {}};
  };
}

}  // namespace hawser
