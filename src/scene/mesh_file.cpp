#include "scene/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "hawser/error.h"
#include "scene/values.h"

namespace hawser {
namespace {

constexpr size_t stl_header = 84, stl_facet = 50;  // bytes of a binary file
constexpr size_t most_of_a_line = 60;              // in messages

/// The lines of a text, each as its words.
class WordLines {
 public:
  WordLines(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  /// False at the end. Empty lines are left out.
  bool next() {
    words.clear();
    while (words.empty() && start_ < text_.size()) {
      const size_t end = std::min(text_.find('\n', start_), text_.size());
      line_ = std::string_view(text_).substr(start_, end - start_);
      start_ = end + 1;
      ++number_;
      size_t at = 0;
      while ((at = line_.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
        const size_t stop = std::min(line_.find_first_of(" \t\r", at), line_.size());
        words.push_back(line_.substr(at, stop - at));
        at = stop;
      }
    }
    return !words.empty();
  }
  [[noreturn]] void refuse(const std::string& expected) const {
    throw Error(name_,
                fmt::format("line {}: '{}'", number_, printable(line_.substr(0, most_of_a_line))),
                expected);
  }
  /// Three numbers from a word on.
  [[nodiscard]] Vec3 point_from(size_t first) const {
    Vec3 out;
    for (size_t k = 0; k < 3; ++k) {
      const std::string_view word = first + k < words.size() ? words[first + k] : "";
      const char* const begin = word.data() + (word.starts_with('+') ? 1 : 0);
      const auto [end, error] =
          std::from_chars(begin, word.data() + word.size(), out[static_cast<Eigen::Index>(k)]);
      if (word.empty() || error != std::errc() || end != word.data() + word.size())
        refuse("three coordinates");
    }
    return out;
  }

  std::vector<std::string_view> words;

 private:
  static std::string printable(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) out += c >= ' ' && c < 127 ? c : '?';
    return out;
  }

  const std::string &text_, &name_;
  std::string_view line_;
  size_t start_ = 0;
  int number_ = 0;
};

Facets read_binary_stl(const std::string& bytes) {
  Facets out;
  for (size_t at = stl_header; at + stl_facet <= bytes.size(); at += stl_facet) {
    std::array<float, 12> numbers{};  // normal, corners
    std::memcpy(numbers.data(), bytes.data() + at, sizeof(numbers));
    auto& polygon = out.polygons.emplace_back();
    for (size_t k = 3; k < numbers.size(); k += 3) {
      polygon.push_back(static_cast<int>(out.points.size()));
      out.points.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
    }
  }
  return out;
}

/// `solid`, then for each facet `facet normal x y z`, `outer loop`, three of `vertex x y z`,
/// `endloop`, `endfacet`.
Facets read_ascii_stl(const std::string& text, const std::string& name) {
  Facets out;
  WordLines lines(text, name);
  bool open = false;
  while (lines.next()) {
    const std::string_view word = lines.words[0];
    if (word == "facet") {
      if (open) lines.refuse("`endfacet` before the next facet");
      open = true;
      out.polygons.emplace_back();
    } else if (word == "vertex") {
      if (!open) lines.refuse("`facet` before its vertices");
      out.polygons.back().push_back(static_cast<int>(out.points.size()));
      out.points.push_back(lines.point_from(1));
    } else if (word == "endfacet") {
      if (!open || out.polygons.back().size() != 3) lines.refuse("three vertices in a facet");
      open = false;
    } else if (word != "solid" && word != "outer" && word != "endloop" && word != "endsolid") {
      lines.refuse("solid, facet, outer loop, vertex, endloop, endfacet or endsolid");
    }
  }
  if (open)
    throw Error(name, "the end of the file within a facet", "`endfacet` and `endsolid`",
                "The file is cut off: write it again.");
  return out;
}

Facets read_stl(const std::string& bytes, const std::string& name) {
  uint32_t count = 0;
  if (bytes.size() >= stl_header) {
    std::memcpy(&count, bytes.data() + stl_header - sizeof(count), sizeof(count));
    if (bytes.size() == stl_header + stl_facet * count) return read_binary_stl(bytes);
  }
  if (bytes.starts_with("solid")) return read_ascii_stl(bytes, name);
  throw Error(name,
              bytes.size() < stl_header
                  ? fmt::format("{} bytes without the word `solid`", bytes.size())
                  : fmt::format("{} bytes for {} facets", bytes.size(), count),
              "an STL file: binary with 84 bytes and 50 for each facet, or ASCII from `solid` on",
              "The file is cut off or of another format: write it again.");
}

/// `v x y z` and `f a b c ...`: numbers of points from 1, or back from the last one, each perhaps
/// with those of texture and normal behind a slash.
Facets read_obj(const std::string& text, const std::string& name) {
  Facets out;
  WordLines lines(text, name);
  while (lines.next()) {
    if (lines.words[0] == "v") out.points.push_back(lines.point_from(1));
    if (lines.words[0] != "f") continue;
    auto& polygon = out.polygons.emplace_back();
    for (size_t k = 1; k < lines.words.size(); ++k) {
      const std::string_view word = lines.words[k].substr(0, lines.words[k].find('/'));
      const int known = static_cast<int>(out.points.size());
      int number = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      const int index = number < 0 ? known + number : number - 1;
      if (error != std::errc() || end != word.data() + word.size() || index < 0 || index >= known)
        lines.refuse(fmt::format("points from 1 to {}, as `f 1 2 3`", known));
      polygon.push_back(index);
    }
  }
  return out;
}

bool ends_with(const std::string& name, const std::string& end) {
  const auto same = [](char small, char any) { return small == (any | 0x20); };
  return name.size() > end.size() &&
         std::equal(end.begin() + 1, end.end(), name.end() - static_cast<long>(end.size()) + 1,
                    same) &&
         name[name.size() - end.size()] == '.';
}

}  // namespace

Facets read_facets(const std::string& bytes, const std::string& path) {
  const std::string name = fmt::format("the file {}", in_quotes(path));
  if (ends_with(path, ".stl")) return read_stl(bytes, name);
  if (ends_with(path, ".obj")) return read_obj(bytes, name);
  throw Error(name, "a file of another kind", "a name that ends with .stl or .obj");
}

namespace {

/// The facets of the map `{points: ..., faces: ...}`; none where one is wrong.
std::optional<Facets> facets_in(ReadContext& c, Found f) {
  const std::string expected =
      "an STL or OBJ file, or {points: [[x, y, z], ...], faces: [[0, 2, "
      "1], ...]}";
  Facets out;
  for (const std::string key : {"points", "faces"}) {
    const Node* list = f.node.kind == Node::Kind::map ? f.node.find(key) : nullptr;
    if (list == nullptr || list->kind != Node::Kind::list || f.node.entries.size() != 2) {
      c.problems.add(f.node.at, f.path, f.node.described(), expected);
      return std::nullopt;
    }
    const size_t problems = c.problems.count();
    for (size_t i = 0; i < list->items.size() && c.problems.count() == problems; ++i) {
      const std::string path = fmt::format("{}.{}[{}]", f.path, key, i);
      const Found item{list->items[i], path};
      if (key == "points") {
        Given<Eigen::Vector3d> point;
        read_value(c, item, point, VectorKind{quantity::number});
        out.points.push_back(point.value.value_or(Vec3::Zero()));
        continue;
      }
      auto& polygon = out.polygons.emplace_back();
      if (item.node.kind != Node::Kind::list)
        c.problems.add(item.node.at, path, item.node.described(), "numbers of points from 0 on");
      for (const Node& number : item.node.items) {
        Given<int> corner;
        read_value(c, {number, path}, corner, CountKind{0, 1 << 30});
        polygon.push_back(corner.value.value_or(0));
      }
    }
    if (c.problems.count() > problems) return std::nullopt;
  }
  return out;
}

}  // namespace

void read_value(ReadContext& c, Found f, Given<Polyhedron>& out, const MeshKind&) {
  try {
    if (f.node.kind != Node::Kind::scalar) {
      if (const auto facets = facets_in(c, f))
        set(out, f.node, joined_facets(*facets, "the surface"));
      return;
    }
    const std::filesystem::path beside =
        std::filesystem::path(f.node.at.source->name()).parent_path() / f.node.text;
    const Loaded loaded = c.load(beside.string());
    if (!loaded.found) {
      c.problems.add(f.node.at, f.path,
                     fmt::format("the file {}: {}", in_quotes(beside.string()), loaded.cause),
                     "an STL or OBJ file, relative to the scene");
      return;
    }
    const std::string name = fmt::format("the file {}", in_quotes(beside.string()));
    set(out, f.node, joined_facets(read_facets(loaded.text, beside.string()), name));
  } catch (const Error& error) {
    c.problems.add(f.node.at, f.path, fmt::format("{}: {}", error.where(), error.found()),
                   error.expected(), error.remedy());
  }
}

}  // namespace hawser
