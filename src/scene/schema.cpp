// The visitor that describes to editors: JSON Schema, draft 7, which YAML language servers read.
#include <nlohmann/json.hpp>

#include "hawser/scene_file.h"
#include "hawser/section_library.h"
#include "scene/writer.h"

namespace hawser {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json object_schema(T object);

Json number_or_text() { return {{"type", Json::array({"number", "string"})}}; }

Json three(const Json& item) {
  return {{"type", "array"}, {"items", item}, {"minItems", 3}, {"maxItems", 3}};
}

Json kind_schema(const QuantityKind&) { return number_or_text(); }
Json kind_schema(const FreeQuantityKind&) { return number_or_text(); }
Json kind_schema(const CountKind& k) {
  return {{"anyOf",
           {{{"type", "integer"}, {"minimum", k.smallest}, {"maximum", k.largest}},
            {{"type", "string"}}}}};
}
Json kind_schema(const FlagKind&) { return {{"type", "boolean"}}; }
Json kind_schema(const TextKind&) { return {{"type", "string"}}; }
Json kind_schema(const NameKind&) { return {{"type", "string"}}; }
Json kind_schema(const LibraryKind&) {
  Json names = Json::array();
  for (const LibrarySection& s : section_library()) names.push_back(s.name);
  return {{"enum", names}};
}
template <class E>
Json kind_schema(const WordKind<E>& kind) {
  Json words = Json::array();
  for (const auto& w : kind.words) words.push_back(w.word);
  return {{"enum", words}};
}
Json kind_schema(const VectorKind&) { return three(number_or_text()); }
Json kind_schema(const DirectionKind&) {
  return {{"anyOf", {{{"enum", {"x", "y", "z"}}}, three(number_or_text())}}};
}
Json kind_schema(const PairKind&) {
  return {{"type", "array"}, {"items", number_or_text()}, {"minItems", 2}, {"maxItems", 2}};
}
Json kind_schema(const CountPairKind& k) {
  Json count = kind_schema(CountKind{k.smallest, k.largest});
  return {{"type", "array"}, {"items", count}, {"minItems", 2}, {"maxItems", 2}};
}
Json kind_schema(const TensorKind&) {
  return {{"type", "array"}, {"items", number_or_text()}, {"minItems", 3}, {"maxItems", 6}};
}
Json kind_schema(const QuaternionKind&) {
  return {{"type", "array"}, {"items", number_or_text()}, {"minItems", 4}, {"maxItems", 4}};
}
Json kind_schema(const PointsKind&) {
  return {{"type", "object"}, {"additionalProperties", three(number_or_text())}};
}
Json kind_schema(const LengthKind&) { return number_or_text(); }
Json kind_schema(const SettlingKind&) { return number_or_text(); }
Json kind_schema(const MemoryKind&) { return number_or_text(); }
Json kind_schema(const OrderKind&) { return number_or_text(); }
Json kind_schema(const TableKind&) {
  Json row = kind_schema(PairKind{quantity::number});
  return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", row}}}}};
}
Json kind_schema(const MeshKind&) {
  const Json face = {{"type", "array"}, {"items", {{"type", "integer"}}}, {"minItems", 3}};
  const Json surface = {{"type", "object"},
                        {"properties",
                         {{"points", {{"type", "array"}, {"items", three({{"type", "number"}})}}},
                          {"faces", {{"type", "array"}, {"items", face}}}}},
                        {"required", {"points", "faces"}},
                        {"additionalProperties", false}};
  return {{"anyOf", {{{"type", "string"}}, surface}}};
}
Json kind_schema(const FunctionKind& k) {
  return {
      {"anyOf",
       {number_or_text(), object_schema(SineText{k.type, {}, {}}),
        object_schema(SmoothText{k.type, {}, {}, {}}), object_schema(RampText{k.type, {}, {}, {}}),
        object_schema(TableText{k.type, k.along})}}};
}
Json kind_schema(const VectorFunctionKind& k) {
  return three(kind_schema(FunctionKind{k.type, false, k.along}));
}
Json kind_schema(const FrameKind&) { return {{"type", "string"}}; }
Json kind_schema(const FramePairKind&) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 2}, {"maxItems", 2}};
}
Json kind_schema(const PlaceKind& k) {
  Json place = {{"type", "string"}};
  if (!k.on_bodies) place["pattern"] = "^[^@]+@.+$";
  return place;
}
Json kind_schema(const PlacePairKind&) {
  return {{"type", "array"}, {"items", kind_schema(PlaceKind{})}, {"minItems", 2}, {"maxItems", 2}};
}
Json kind_schema(const RouteKind& k) {
  Json stop = {{"anyOf", {{{"type", "string"}}, three(number_or_text())}}};
  if (!k.exactly) {
    stop["anyOf"].push_back(object_schema(ClampText{}));
    stop["anyOf"].push_back(object_schema(OverText{}));
    stop["anyOf"].push_back(object_schema(ThroughText{}));
    stop["anyOf"].push_back(object_schema(AlongText{}));
  }
  Json out = {{"type", "array"}, {"minItems", k.exactly ? k.exactly : 2}, {"items", stop}};
  if (k.exactly) out["maxItems"] = k.exactly;
  return out;
}
Json kind_schema(const SectionsKind&) {
  const Json use = {{"type", "array"},
                    {"prefixItems", {{{"type", "string"}}, number_or_text()}},
                    {"minItems", 2},
                    {"maxItems", 2}};
  return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", use}, {"minItems", 1}}}}};
}
Json kind_schema(const LinesKind&) { return {{"type", "array"}, {"items", {{"type", "string"}}}}; }
Json kind_schema(const ChannelsKind&) {
  return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
}
Json kind_schema(const VariablesKind&) {
  return {{"type", "object"}, {"additionalProperties", number_or_text()}};
}
Json kind_schema(const IncludeKind&) {
  return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}}};
}

class SchemaWriter {
 public:
  Json properties = Json::object();
  Json required = Json::array();

  template <class T, class Kind>
  void operator()(const Field& field, Given<T>& member, const Kind& kind) {
    Json s = kind_schema(kind);
    if (member.value) s["default"] = value_text(*member.value, kind);
    put(field, std::move(s));
  }
  template <class T>
  void operator()(const Field& field, Given<T>&, const OptionalObjectKind&) {
    put(field, object_schema(T{}));
  }
  template <class T>
  void operator()(const Field& field, std::vector<T>&, const ListKind&) {
    put(field, {{"type", "array"}, {"items", object_schema(T{})}, {"minItems", 1}});
  }
  template <class T>
  void operator()(const Field& field, T&, const ObjectKind&) {
    put(field, object_schema(T{}));
  }
  template <class T>
  void operator()(const Field& field, Named<T>&, const GroupKind&) {
    put(field, {{"type", "object"}, {"additionalProperties", object_schema(T{})}});
  }
  template <class Kind>
  void operator()(const Field& field, const Kind& kind) {
    put(field, kind_schema(kind));
  }

 private:
  void put(const Field& field, Json schema) {
    schema["description"] = field.help;
    properties[field.key] = std::move(schema);
    if (field.required) required.push_back(field.key);
  }
};

template <class T>
Json object_schema(T object) {
  SchemaWriter writer;
  describe(writer, object);
  Json out = {{"type", "object"}, {"properties", writer.properties}};
  if (!writer.required.empty()) out["required"] = writer.required;
  out["additionalProperties"] = false;
  return out;
}

}  // namespace

std::string scene_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Hawser scene"}};
  schema.update(object_schema(SceneText{}));
  schema["anyOf"] = Json::array();  // something must be there to simulate
  for (const char* group : {"cables", "bodies", "nets"})
    schema["anyOf"].push_back({{"required", {group}}});
  return schema.dump(2) + "\n";
}

}  // namespace hawser
