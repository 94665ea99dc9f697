#include "scene/writer.h"

namespace hawser {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < ' ' || c == 127)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string quantity_text(double value, const std::string& unit) {
  if (unit.empty()) return fmt::format("{}", value);
  if (unit.starts_with("1/")) return fmt::format("{} {}^-1", value, unit.substr(2));
  return fmt::format("{} {}", value, unit);
}

namespace {

std::string vector_text(const Eigen::Vector3d& v, const std::string& unit) {
  return fmt::format("[{}, {}, {}]", quantity_text(v.x(), unit), quantity_text(v.y(), unit),
                     quantity_text(v.z(), unit));
}

/// Expressions hold commas, which end a plain text between brackets.
std::string function_text(const std::string& text) {
  return text.starts_with('{') || text.find(',') == std::string::npos ? text : quoted(text);
}

}  // namespace

std::string value_text(const double& v, const QuantityKind& kind) {
  return quantity_text(v, kind.type.unit);
}
std::string value_text(const FreeQuantity& v, const FreeQuantityKind&) {
  return quantity_text(v.value, v.unit);
}
std::string value_text(const int& v, const CountKind&) { return fmt::format("{}", v); }
std::string value_text(const bool& v, const FlagKind&) { return v ? "true" : "false"; }
std::string value_text(const std::string& v, const TextKind&) { return quoted(v); }
std::string value_text(const std::string& v, const NameKind&) { return v; }
std::string value_text(const std::string& v, const LibraryKind&) { return v; }
std::string value_text(const Eigen::Vector3d& v, const VectorKind& kind) {
  return vector_text(v, kind.type.unit);
}
std::string value_text(const Eigen::Vector3d& v, const DirectionKind&) {
  for (int k = 0; k < 3; ++k)
    if (v == Eigen::Vector3d::Unit(k)) return std::string(1, static_cast<char>('x' + k));
  return vector_text(v, "");
}
std::string value_text(const std::array<double, 2>& v, const PairKind& kind) {
  return fmt::format("[{}, {}]", quantity_text(v[0], kind.type.unit),
                     quantity_text(v[1], kind.type.unit));
}
std::string value_text(const std::array<int, 2>& v, const CountPairKind&) {
  return fmt::format("[{}, {}]", v[0], v[1]);
}
std::string value_text(const std::vector<double>& v, const TensorKind& kind) {
  std::string parts;
  for (const double x : v) parts += (parts.empty() ? "" : ", ") + quantity_text(x, kind.type.unit);
  return "[" + parts + "]";
}
std::string value_text(const Eigen::Quaterniond& v, const QuaternionKind&) {
  return fmt::format("[{}, {}, {}, {}]", v.w(), v.x(), v.y(), v.z());
}
std::string value_text(const std::vector<NamedPoint>& v, const PointsKind&) {
  std::string points;
  for (const NamedPoint& p : v)
    points +=
        fmt::format("{}{}: {}", points.empty() ? "" : ", ", p.name, vector_text(p.point, "m"));
  return "{" + points + "}";
}
std::string value_text(const double& v, const SettlingKind&) {
  return v < 0 ? "automatic" : quantity_text(v, "s");
}
std::string value_text(const double& v, const MemoryKind&) {
  return v > 0 ? quantity_text(v, "s") : "full";
}
std::string value_text(const double& v, const OrderKind&) { return quantity_text(v, ""); }
std::string value_text(const double& v, const LengthKind&) {
  return v > 0 ? quantity_text(v, "m") : "straight";
}
std::string value_text(const TimeFunction& v, const FunctionKind&) { return function_text(v.text); }
std::string value_text(const std::array<TimeFunction, 3>& v, const VectorFunctionKind&) {
  return fmt::format("[{}, {}, {}]", function_text(v[0].text), function_text(v[1].text),
                     function_text(v[2].text));
}
std::string value_text(const TableRows& v, const TableKind& kind) {
  std::string rows;
  const char* unit = kind.over == Over::time ? "s" : kind.over == Over::arc_length ? "m" : "rad/s";
  for (size_t i = 0; i < v.at.size(); ++i)
    rows += fmt::format("{}[{}, {}]", i ? ", " : "", quantity_text(v.at[i], unit),
                        quantity_text(v.values[i], kind.type.unit));
  return "[" + rows + "]";
}
std::string value_text(const Polyhedron& v, const MeshKind&) {
  std::string points, faces;
  for (const Eigen::Vector3d& p : v.corners)
    points += (points.empty() ? "" : ", ") + vector_text(p, "");
  for (const std::vector<int>& face : v.faces)
    faces += fmt::format("{}[{}]", faces.empty() ? "" : ", ", fmt::join(face, ", "));
  return fmt::format("{{points: [{}], faces: [{}]}}", points, faces);
}
std::string value_text(const std::string& v, const FrameKind&) { return v; }
std::string value_text(const std::array<std::string, 2>& v, const FramePairKind&) {
  return fmt::format("[{}, {}]", v[0], v[1]);
}
std::string value_text(const std::array<PlaceOn, 2>& v, const PlacePairKind&) {
  return fmt::format("[{}, {}]", value_text(v[0], PlaceKind{}), value_text(v[1], PlaceKind{}));
}
std::string value_text(const PlaceOn& v, const PlaceKind&) {
  if (v.cable.empty()) return v.frame;
  if (v.length >= 0) return fmt::format("{}@{} m", v.cable, v.length);
  if (v.fraction == 0) return v.cable + "@start";
  if (v.fraction == 1) return v.cable + "@end";
  return fmt::format("{}@{}", v.cable, v.fraction);
}
std::string value_text(const std::vector<Stop>& v, const RouteKind&) {
  std::string stops;
  for (const Stop& s : v) {
    stops += stops.empty() ? "" : ", ";
    if (s.kind == Stop::Kind::free) stops += vector_text(s.point, "m");
    if (s.kind == Stop::Kind::hold || s.kind == Stop::Kind::wind) stops += s.on;
    if (s.kind == Stop::Kind::clamp) stops += "{clamp: " + s.on + "}";
    if (s.kind == Stop::Kind::over) {
      OverText over{s.on, s.radius, {}, s.friction, s.inertia, s.bearing_torque, s.grip};
      if (s.axis != Eigen::Vector3d::Zero()) over.axis = s.axis;
      stops += flow_text(over);
    }
    if (!s.along) continue;
    AlongText along{s.along->on, s.along->friction, s.along->regularization};
    stops += ", " + flow_text(along);
  }
  return "[" + stops + "]";
}
std::string value_text(const std::vector<SectionUse>& v, const SectionsKind&) {
  if (v.size() == 1 && v[0].length == 0) return v[0].name;
  std::string uses;
  for (const SectionUse& use : v)
    uses += fmt::format("{}[{}, {}]", uses.empty() ? "" : ", ", use.name,
                        use.length > 0 ? quantity_text(use.length, "m") : "rest");
  return "[" + uses + "]";
}
std::string value_text(const std::vector<Line>& v, const LinesKind&) {
  std::string lines;
  for (const Line& line : v) lines += (lines.empty() ? "" : ", ") + quoted(line.text);
  return "[" + lines + "]";
}
std::string value_text(const std::vector<NamedChannel>& v, const ChannelsKind&) {
  std::string out;
  for (const NamedChannel& c : v)
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", c.name, quoted(c.channel));
  return "{" + out + "}";
}

namespace {

/// Top-level fields a line each, groups and objects as blocks.
class BlockWriter {
 public:
  explicit BlockWriter(std::string indent = {}) : indent_(std::move(indent)) {}
  std::string text;

  template <class T, class Kind>
  void operator()(const Field& field, Given<T>& member, const Kind& kind) {
    if (member.value) put(field.key, value_text(*member.value, kind));
  }
  template <class T>
  void operator()(const Field& field, Given<T>& member, const OptionalObjectKind&) {
    if (member.value) put(field.key, flow_text(*member.value));
  }
  template <class T>
  void operator()(const Field& field, std::vector<T>& member, const ListKind&) {
    std::string list;
    for (T& item : member) list += (list.empty() ? "" : ", ") + flow_text(item);
    if (!list.empty()) put(field.key, "[" + list + "]");
  }
  template <class T>
  void operator()(const Field& field, T& member, const ObjectKind&) {
    put_block(field.key, member);
  }
  template <class T>
  void operator()(const Field& field, Named<T>& member, const GroupKind&) {
    if (member.entries.empty()) return;
    text += fmt::format("{}{}:\n", indent_, field.key);
    BlockWriter inner(indent_ + "  ");
    for (auto& entry : member.entries) inner.put_block(entry.name, entry.value);
    text += inner.text;
  }
  /// Includes and variables are filled in.
  template <class Kind>
  void operator()(const Field&, const Kind&) {}

 private:
  void put(const std::string& key, const std::string& value) {
    text += fmt::format("{}{}: {}\n", indent_, key, value);
  }
  template <class T>
  void put_block(const std::string& key, T& object) {
    BlockWriter inner(indent_ + "  ");
    describe(inner, object);
    text += fmt::format("{}{}:\n{}", indent_, key, inner.text);
  }

  std::string indent_;
};

}  // namespace

std::string write_scene(SceneText& scene) {
  BlockWriter writer;
  describe(writer, scene);
  return writer.text;
}

}  // namespace hawser
