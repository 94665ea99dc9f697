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
  return in_quotes(text);
}

std::unordered_map<std::string, Node*> Node::index_with_room(size_t more) {
  entries.reserve(entries.size() + more);
  std::unordered_map<std::string, Node*> out;
  for (auto& [key, value] : entries) out.emplace(key.text, &value);
  return out;
}

size_t Node::count() const {
  size_t n = 1;
  for (const Node& item : items) n += item.count();
  for (const auto& [key, value] : entries) n += key.count() + value.count();
  return n;
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
    if (found == anchors_.end()) {  // it stands for what it is part of
      problems_.add(place(mark), "", "an alias inside its own anchor", "an alias after the anchor");
      add(make(Node::Kind::null, mark), 0);
      return;
    }
    count(found->second);  // before copying: no copy may be too large
    Node node = found->second;
    node.at = place(mark);
    add(std::move(node), 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = make(Node::Kind::scalar, mark);
    node.text = value;
    count_text(node);
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
    std::unordered_map<std::string, int> lines;  // of the names there are
  };

  [[nodiscard]] Mark place(const YAML::Mark& mark) const {
    return {source_, mark.line + 1, mark.column + 1};
  }
  Node make(Node::Kind kind, const YAML::Mark& mark) {
    Node node;
    node.kind = kind;
    node.at = place(mark);
    count_node(node);
    return node;
  }
  void count_node(const Node& node) {
    if (++nodes_ > limits_.nodes)
      throw TooMuch{node.at, "more values than a scene can hold", "a smaller scene"};
  }
  void count_text(const Node& node) {
    if ((bytes_ += node.text.size()) > 2 * limits_.bytes)
      throw TooMuch{node.at, "more text than a scene can hold", "a smaller scene"};
  }
  void count(const Node& node) {  // of an alias, which repeats a whole tree
    count_node(node);
    count_text(node);
    for (const Node& item : node.items) count(item);
    for (const auto& [key, value] : node.entries) count(key), count(value);
  }
  void open(Node node, YAML::anchor_t anchor) {
    if (static_cast<int>(levels_.size()) >= limits_.depth)
      throw TooMuch{node.at, fmt::format("values nested deeper than {}", limits_.depth),
                    "a flatter scene"};
    levels_.push_back({std::move(node), anchor, {}, false, {}});
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
    const auto [before, added] = level.lines.emplace(level.key.text, level.key.at.line);
    if (!added) {
      problems_.add(level.key.at, "", level.key.described() + " twice",
                    fmt::format("each name once (the first is in line {})", before->second));
      return;
    }
    level.node.entries.push_back({std::move(level.key), std::move(value)});
  }

  const std::shared_ptr<const SourceText>& source_;
  Problems& problems_;
  const DocumentLimits& limits_;
  size_t nodes_ = 0, bytes_ = 0;
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, Node> anchors_;
};

/// Text in UTF-8 without control characters. yaml-cpp would take byte 4 for the end of the file
/// and guess at other encodings, in which columns would not fit; results are written as JSON,
/// which must be UTF-8.
bool check_characters(const std::shared_ptr<const SourceText>& source, Problems& problems) {
  const std::string& text = source->text();
  int line = 1;
  size_t start = 0;
  for (size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    const size_t size = letter_size(text, at);
    const bool control = (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 127;
    if (size == 0 || control) {
      problems.add({source, line, static_cast<int>(at - start) + 1}, "",
                   fmt::format("the byte 0x{:02x}, which is not text", c), "text in UTF-8",
                   "Save the file as UTF-8.");
      return false;
    }
    at += size;
    if (c == '\n') ++line, start = at;
  }
  return true;
}

/// yaml-cpp's words for the mistakes that people make most, in theirs.
void add_syntax_problem(const std::shared_ptr<const SourceText>& source,
                        const YAML::Exception& error, Problems& problems) {
  const Mark at{source, std::max(error.mark.line + 1, 0), std::max(error.mark.column + 1, 0)};
  const size_t start = source->line_start(at.line);
  const size_t first = source->text().find_first_not_of(" \t", start);
  if (source->text().substr(start, first - start).find('\t') != std::string::npos) {
    problems.add(at, "", "a tab before the first word", "spaces", "YAML indents with spaces only.");
    return;
  }
  struct Words {
    const char *theirs, *found, *expected, *remedy;
  };
  const char* const colon =
      "Put a space after the ':' of a field, and quote values that contain ': '.";
  const Words known[] = {
      {"end of sequence flow not found", "a list that is not closed", "']'",
       "The '[' may be some lines above."},
      {"end of map flow not found", "a map that is not closed", "'}'",
       "The '{' may be some lines above."},
      {"end of map not found", "a line that does not continue the fields above",
       "`name: value` with the same indentation", ""},
      {"end of sequence not found", "a line that does not continue the list above",
       "`- value` with the same indentation", ""},
      {"illegal map value", "an unexpected ':'", "fields as `name: value`", colon}};
  for (const Words& words : known)
    if (error.msg == words.theirs) {
      problems.add(at, "", words.found, words.expected, words.remedy);
      return;
    }
  problems.add(at, "", "invalid YAML (" + error.msg + ")", "fields as `name: value`", colon);
}

}  // namespace

Node parse_document(const std::shared_ptr<const SourceText>& source, Problems& problems,
                    const DocumentLimits& limits) {
  TreeBuilder builder(source, problems, limits);
  if (source->text().size() > limits.bytes) {
    problems.add({source, 0, 0}, "", fmt::format("{} bytes of text", source->text().size()),
                 fmt::format("at most {} in all files of a scene", limits.bytes));
    return {};
  }
  if (!check_characters(source, problems)) return {};
  try {
    std::istringstream stream(source->text());
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (Node first = std::move(builder.root); parser.HandleNextDocument(builder)) {
      problems.add(builder.root.at, "", "a second document after '---'", "one scene per file");
      builder.root = std::move(first);
    } else {
      builder.root = std::move(first);
    }
  } catch (const TooMuch& much) {
    problems.add(much.at, "", much.found, much.expected);
  } catch (const YAML::Exception& error) {
    add_syntax_problem(source, error, problems);
  }
  return std::move(builder.root);
}

std::string without_byte_order_mark(const std::string& text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

FileLoader disk_loader(const DocumentLimits& limits) {
  return [limits](const std::string& path) -> Loaded {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) return {false, {}, "it is a directory"};
    // Opening a pipe waits for whoever writes to it, reading a device may never end.
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      return {false, {}, "it is a pipe, a socket or a device, not a file"};
    std::ifstream in(path, std::ios::binary);
    if (!in) return {false, {}, "the file does not exist or cannot be read"};
    std::string text(limits.bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) return {false, {}, "reading it failed"};
    text.resize(static_cast<size_t>(in.gcount()));
    if (text.size() > limits.bytes)
      return {false, {}, fmt::format("it is larger than {} bytes", limits.bytes)};
    return {true, std::move(text), {}};
  };
}

}  // namespace hawser
