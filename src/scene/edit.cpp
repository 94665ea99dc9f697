#include "scene/edit.h"

#include <fmt/format.h>

#include <algorithm>

#include "hawser/error.h"
#include "scene/document.h"

namespace hawser {
namespace {

constexpr size_t most_fields = 4000;

/// Where a scalar ends that begins there; `from` where it is none that can be changed.
size_t scalar_end(const std::string& text, size_t from, const std::string& value) {
  if (from >= text.size()) return from;
  const char quote = text[from];
  if (quote != '"' && quote != '\'')
    return text.compare(from, value.size(), value) == 0 ? from + value.size() : from;
  for (size_t at = from + 1; at < text.size() && text[at] != '\n'; ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      const bool doubled = quote == '\'' && at + 1 < text.size() && text[at + 1] == quote;
      if (!doubled) return at + 1;
      ++at;
    }
  }
  return from;
}

class FieldCollector {
 public:
  explicit FieldCollector(const SourceText& source) : source_(source) {}

  void walk(const Node& node, const std::string& path) {
    if (out.size() >= most_fields) return;
    if (node.kind == Node::Kind::scalar) add(node, path);
    for (const auto& [key, value] : node.entries)
      walk(value, path.empty() ? key.text : path + "." + key.text);
    for (size_t i = 0; i < node.items.size(); ++i)
      walk(node.items[i], fmt::format("{}[{}]", path, i));
  }

  std::vector<SceneField> out;

 private:
  void add(const Node& node, const std::string& path) {
    if (node.at.line < 1 || node.at.column < 1 || node.text.find('\n') != std::string::npos) return;
    const size_t from = source_.line_start(node.at.line) + static_cast<size_t>(node.at.column) - 1;
    const size_t to = scalar_end(source_.text(), from, node.text);
    if (to > from) out.push_back({path, node.text, node.at.line, from, to});
  }

  const SourceText& source_;
};

Node parsed(const std::shared_ptr<const SourceText>& source, bool& good) {
  Problems problems;
  try {
    Node root = parse_document(source, problems, DocumentLimits{});
    good = !problems.any();
    return root;
  } catch (const TooManyProblems&) {
    good = false;
    return {};
  }
}

/// As YAML, in a block or between brackets.
std::string scalar_text(const std::string& value) {
  const bool plain = !value.empty() && value.front() != ' ' && value.back() != ' ' &&
                     value.front() != '-' && value.front() != '?' &&
                     value.find_first_of(",[]{}:#&*!|>'\"%@`") == std::string::npos;
  const bool negative = value.size() > 1 && value[0] == '-' && value[1] >= '0' && value[1] <= '9' &&
                        value.find_first_of(",[]{}:#&*!|>'\"%@`") == std::string::npos;
  if (plain || negative) return value;
  std::string out = "\"";
  for (const char c : value)
    out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::vector<SceneField> scene_fields(const std::string& text) {
  const auto source = std::make_shared<SourceText>("", text);
  bool good = false;
  const Node root = parsed(source, good);
  FieldCollector collector(*source);
  if (good) collector.walk(root, "");
  return std::move(collector.out);
}

std::string edit_scene(const std::string& text, const std::string& path, const std::string& value) {
  const std::vector<SceneField> fields = scene_fields(text);
  const auto at = std::find_if(fields.begin(), fields.end(),
                               [&](const SceneField& field) { return field.path == path; });
  if (at == fields.end())
    throw Error("edit", fmt::format("no value '{}' in the scene file", path),
                "the path of a single value in the file itself");
  const bool control = std::any_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (value.empty() || control)
    throw Error("edit", "an empty value, or one of several lines", "a value in one line");
  std::string out = text.substr(0, at->from) + scalar_text(value) + text.substr(at->to);
  const std::vector<SceneField> now = scene_fields(out);
  const auto same = std::find_if(now.begin(), now.end(), [&](const SceneField& field) {
    return field.path == path && field.value == value;
  });
  if (same == now.end())
    throw Error("edit",
                fmt::format("'{}', which would not be read as the value of '{}'", value, path),
                "a plain value");
  return out;
}

}  // namespace hawser
