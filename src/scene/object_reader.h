// The visitor that reads: every field of a table from a map of the file.
#pragma once

#include <fmt/format.h>

#include "scene/fields.h"
#include "scene/values.h"

namespace hawser {

template <class T>
void read_object(ReadContext& c, Found f, T& out);

class ObjectReader {
 public:
  ObjectReader(ReadContext& context, Found found) : c_(context), f_(found) {}

  template <class Member, class Kind>
  void operator()(const Field& field, Member& member, const Kind& kind) {
    const Node* node = take(field);
    if (!node) return;
    const std::string path = f_.path.empty() ? field.key : f_.path + "." + field.key;
    c_.places[path] = node->at;
    read_member(*node, path, member, kind);
  }
  /// Includes and variables have been read before.
  template <class Kind>
  void operator()(const Field& field, const Kind&) {
    take(field);
  }

  /// Fields that no table knows.
  void finish() const {
    for (const auto& [key, value] : f_.node.entries) {
      if (std::find(known_.begin(), known_.end(), key.text) != known_.end()) continue;
      const bool word = key.text.find_first_of(" ()*/^,") == std::string::npos;
      const std::string hint =
          word ? did_you_mean(key.text, known_)
               : "A comma ends a value inside braces: quote a value that contains one.";
      c_.problems.add(key.at, f_.path, "the unknown field " + key.described(),
                      hint.empty() || !word ? any_of(known_) : "a known field", hint);
    }
  }

 private:
  const Node* take(const Field& field) {
    known_.emplace_back(field.key);
    const Node* node = f_.node.find(field.key);
    if (node && node->kind != Node::Kind::null) return node;
    if (field.required)
      c_.problems.add(node ? node->at : f_.node.at, f_.path, fmt::format("no `{}`", field.key),
                      field.help_line());
    return nullptr;
  }

  template <class Member, class Kind>
  void read_member(const Node& node, const std::string& path, Member& member, const Kind& kind) {
    read_value(c_, {node, path}, member, kind);
  }
  template <class T>
  void read_member(const Node& node, const std::string& path, T& member, const ObjectKind&) {
    read_object(c_, {node, path}, member);
  }
  template <class T>
  void read_member(const Node& node, const std::string& path, Given<T>& member,
                   const OptionalObjectKind&) {
    member.value.emplace();
    member.at = node.at;
    member.given = true;
    read_object(c_, {node, path}, *member.value);
  }
  template <class T>
  void read_member(const Node& node, const std::string& path, std::vector<T>& member,
                   const ListKind&) {
    if (node.kind != Node::Kind::list || node.items.empty()) {
      c_.problems.add(node.at, path, node.described(), "a list of one or more entries");
      return;
    }
    for (size_t i = 0; i < node.items.size(); ++i) {
      const std::string item = fmt::format("{}[{}]", path, i);
      read_object(c_, {node.items[i], item}, member.emplace_back());
    }
  }
  template <class T>
  void read_member(const Node& node, const std::string& path, Named<T>& member, const GroupKind&) {
    if (node.kind != Node::Kind::map) {
      c_.problems.add(node.at, path, node.described(), "named entries");
      return;
    }
    for (const auto& [key, value] : node.entries) {
      const std::string entry = path + "." + key.text;
      c_.places[entry] = key.at;
      if (!check_name(c_, key, path)) continue;
      member.entries.push_back({key.text, key.at, T{}});
      read_object(c_, {value, entry}, member.entries.back().value);
    }
  }

  ReadContext& c_;
  Found f_;
  std::vector<std::string> known_;
};

template <class T>
void read_object(ReadContext& c, Found f, T& out) {
  if (f.node.kind != Node::Kind::map) {
    c.problems.add(f.node.at, f.path, f.node.described(), "fields, such as {name: value}");
    return;
  }
  ObjectReader reader(c, f);
  describe(reader, out);
  reader.finish();
}

}  // namespace hawser
