// The visitor that writes an object back, every value in SI: as one line of YAML in braces, or as
// lines of a block.
#pragma once

#include <fmt/format.h>

#include "scene/fields.h"

namespace hawser {

std::string quoted(const std::string& text);
std::string quantity_text(double value, const std::string& unit);
std::string value_text(const double& v, const QuantityKind& kind);
std::string value_text(const FreeQuantity& v, const FreeQuantityKind& kind);
std::string value_text(const int& v, const CountKind& kind);
std::string value_text(const bool& v, const FlagKind& kind);
std::string value_text(const std::string& v, const TextKind& kind);
std::string value_text(const std::string& v, const NameKind& kind);
std::string value_text(const std::string& v, const LibraryKind& kind);
std::string value_text(const Eigen::Vector3d& v, const VectorKind& kind);
std::string value_text(const Eigen::Vector3d& v, const DirectionKind& kind);
std::string value_text(const std::array<double, 2>& v, const PairKind& kind);
std::string value_text(const std::array<int, 2>& v, const CountPairKind& kind);
std::string value_text(const std::vector<double>& v, const TensorKind& kind);
std::string value_text(const Eigen::Quaterniond& v, const QuaternionKind& kind);
std::string value_text(const std::vector<NamedPoint>& v, const PointsKind& kind);
std::string value_text(const double& v, const LengthKind& kind);
std::string value_text(const double& v, const SettlingKind& kind);
std::string value_text(const double& v, const MemoryKind& kind);
std::string value_text(const double& v, const OrderKind& kind);
std::string value_text(const TimeFunction& v, const FunctionKind& kind);
std::string value_text(const std::array<TimeFunction, 3>& v, const VectorFunctionKind& kind);
std::string value_text(const TableRows& v, const TableKind& kind);
std::string value_text(const Polyhedron& v, const MeshKind& kind);
std::string value_text(const std::string& v, const FrameKind& kind);
std::string value_text(const std::array<std::string, 2>& v, const FramePairKind& kind);
std::string value_text(const PlaceOn& v, const PlaceKind& kind);
std::string value_text(const std::array<PlaceOn, 2>& v, const PlacePairKind& kind);
std::string value_text(const std::vector<Stop>& v, const RouteKind& kind);
std::string value_text(const std::vector<SectionUse>& v, const SectionsKind& kind);
std::string value_text(const std::vector<Line>& v, const LinesKind& kind);
std::string value_text(const std::vector<NamedChannel>& v, const ChannelsKind& kind);

template <class E>
std::string value_text(const E& v, const WordKind<E>& kind) {
  for (const auto& w : kind.words)
    if (w.value == v) return w.word;
  return {};
}

template <class T>
std::string flow_text(T& object);

/// "key: value, key: value"
class FlowWriter {
 public:
  std::string text;

  template <class T, class Kind>
  void operator()(const Field& field, Given<T>& member, const Kind& kind) {
    if (member.value) put(field, value_text(*member.value, kind));
  }
  template <class T>
  void operator()(const Field& field, Given<T>& member, const OptionalObjectKind&) {
    if (member.value) put(field, flow_text(*member.value));
  }
  template <class T>
  void operator()(const Field& field, std::vector<T>& member, const ListKind&) {
    std::string list;
    for (T& item : member) list += (list.empty() ? "" : ", ") + flow_text(item);
    if (!list.empty()) put(field, "[" + list + "]");
  }

 private:
  void put(const Field& field, const std::string& value) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", field.key, value);
  }
};

template <class T>
std::string flow_text(T& object) {
  FlowWriter writer;
  describe(writer, object);
  return "{" + writer.text + "}";
}

/// The whole scene as YAML in blocks.
std::string write_scene(SceneText& scene);

}  // namespace hawser
