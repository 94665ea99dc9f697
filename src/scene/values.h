// Reads the values of fields: a node and a kind in, a member out. What is wrong becomes a problem,
// and the member keeps its default.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/expression.h"
#include "scene/document.h"
#include "scene/kinds.h"

namespace hawser {

/// What all readers share.
struct ReadContext {
  Problems& problems;
  const FileLoader& load;
  Expression::Variables variables;
  std::vector<Symbol> symbols;  ///< the inputs
  /// Variables that have a problem; expressions that use one are not told of it again.
  std::set<std::string> broken_variables;
  /// Names met, to be checked when all groups are known.
  struct Reference {
    std::string group, name, path;
    Mark at;
  };
  std::vector<Reference> references;
  /// Where every part of the scene stands, by path.
  std::map<std::string, Mark> places;
  std::vector<InputMotion> inputs;    ///< their motions, by symbol: at the initial values
  Mark start;                         ///< of the scene
  std::vector<std::string> warnings;  ///< what reads oddly but can be run

  /// t = 0 with the inputs at their initial values.
  [[nodiscard]] Instant start_of_run() const { return {0, inputs}; }
};

/// A node with its path: "cables.tether.elements".
struct Found {
  const Node& node;
  const std::string& path;
};

/// The value that a node gives.
template <class T>
void set(Given<T>& out, const Node& node, T value) {
  out.value = std::move(value);
  out.at = node.at;
  out.given = true;
}

void read_value(ReadContext& c, Found f, Given<double>& out, const QuantityKind& kind);
void read_value(ReadContext& c, Found f, Given<FreeQuantity>& out, const FreeQuantityKind& kind);
void read_value(ReadContext& c, Found f, Given<int>& out, const CountKind& kind);
void read_value(ReadContext& c, Found f, Given<bool>& out, const FlagKind& kind);
void read_value(ReadContext& c, Found f, Given<std::string>& out, const TextKind& kind);
void read_value(ReadContext& c, Found f, Given<std::string>& out, const NameKind& kind);
void read_value(ReadContext& c, Found f, Given<std::string>& out, const LibraryKind& kind);
void read_value(ReadContext& c, Found f, Given<Eigen::Vector3d>& out, const VectorKind& kind);
void read_value(ReadContext& c, Found f, Given<Eigen::Vector3d>& out, const DirectionKind& kind);
void read_value(ReadContext& c, Found f, Given<std::array<double, 2>>& out, const PairKind& kind);
void read_value(ReadContext& c, Found f, Given<std::array<int, 2>>& out, const CountPairKind& kind);
void read_value(ReadContext& c, Found f, Given<std::vector<double>>& out, const TensorKind& kind);
void read_value(ReadContext& c, Found f, Given<Eigen::Quaterniond>& out,
                const QuaternionKind& kind);
void read_value(ReadContext& c, Found f, Given<double>& out, const LengthKind& kind);
void read_value(ReadContext& c, Found f, Given<double>& out, const SettlingKind& kind);
void read_value(ReadContext& c, Found f, Given<double>& out, const MemoryKind& kind);
void read_value(ReadContext& c, Found f, Given<double>& out, const OrderKind& kind);
void read_value(ReadContext& c, Found f, Given<TimeFunction>& out, const FunctionKind& kind);
void read_value(ReadContext& c, Found f, Given<std::array<TimeFunction, 3>>& out,
                const VectorFunctionKind& kind);
void read_value(ReadContext& c, Found f, Given<TableRows>& out, const TableKind& kind);
void read_value(ReadContext& c, Found f, Given<PlaceOn>& out, const PlaceKind& kind);
// mesh_file.cpp
void read_value(ReadContext& c, Found f, Given<Polyhedron>& out, const MeshKind& kind);
// places.cpp
void read_value(ReadContext& c, Found f, Given<std::string>& out, const FrameKind& kind);
void read_value(ReadContext& c, Found f, Given<std::array<std::string, 2>>& out,
                const FramePairKind& kind);
void read_value(ReadContext& c, Found f, Given<std::array<PlaceOn, 2>>& out,
                const PlacePairKind& kind);
void read_value(ReadContext& c, Found f, Given<std::vector<NamedPoint>>& out,
                const PointsKind& kind);
void read_value(ReadContext& c, Found f, Given<std::vector<Stop>>& out, const RouteKind& kind);
void read_value(ReadContext& c, Found f, Given<std::vector<SectionUse>>& out,
                const SectionsKind& kind);

void read_value(ReadContext& c, Found f, Given<std::vector<Line>>& out, const LinesKind& kind);
void read_value(ReadContext& c, Found f, Given<std::vector<NamedChannel>>& out,
                const ChannelsKind& kind);

/// The word's value, or a problem that names the words there are.
template <class E>
void read_value(ReadContext& c, Found f, Given<E>& out, const WordKind<E>& kind) {
  std::vector<std::string> words;
  for (const auto& w : kind.words) {
    words.emplace_back(w.word);
    if (f.node.kind == Node::Kind::scalar && f.node.text == w.word) {
      out.value = w.value;
      out.at = f.node.at;
      out.given = true;
      return;
    }
  }
  c.problems.add(f.node.at, f.path, f.node.described(), any_of(words),
                 did_you_mean(f.node.text, words));
}

/// An amount of any dimension; false when there is a problem.
bool read_amount(ReadContext& c, Found f, Amount& out);

/// The words of an expression: variables, functions and units.
std::set<std::string> words_of(const std::string& text);

/// Whether a name may be given to an entry; if not, there is a problem.
bool check_name(ReadContext& c, const Node& key, const std::string& path);

/// The same for what such a name means in expressions.
bool check_symbol(ReadContext& c, const Node& key, const std::string& path);

/// A function of time written as a map, such as `{sine: 2 m, frequency: 1 Hz}` (functions.cpp).
void read_function_map(ReadContext& c, Found f, Given<TimeFunction>& out, const FunctionKind& kind);

}  // namespace hawser
