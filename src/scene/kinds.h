// The kinds of values that fields of a scene file hold. A field table (fields.h) names for every
// field its key, its help, its member and its kind; visitors do the rest: the reader reads it, the
// writer writes it back, the schema and the reference page describe it.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hawser/scene.h"
#include "hawser/signal.h"
#include "hawser/units.h"
#include "scene/problems.h"

namespace hawser {

/// A value of the file: its default, or what the file says and where.
template <class T>
struct Given {
  Given() = default;
  Given(T v)
      : value(std::move(v)) {}  // NOLINT(google-explicit-constructor): defaults read as values
  std::optional<T> value;
  Mark at;
  bool given = false;

  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
};

/// Entries under names of their own, in the order of the file.
template <class T>
struct Named {
  struct Entry {
    std::string name;
    Mark at;
    T value;
  };
  std::vector<Entry> entries;

  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> out;
    for (const Entry& e : entries) out.insert(e.name);
    return out;
  }
};

/// Key and help of a field.
struct Field {
  const char* key;
  const char* help;
  bool required = false;
  /// The first sentence of the help, as what an error expects: "`section`: what it is made of".
  [[nodiscard]] std::string help_line() const;
};

// --- kinds; the member's type in brackets ---

enum class Sign { any, not_negative, positive };

/// What a quantity may be at most [SI]: its square and those of its rates can be computed with.
inline constexpr double largest_quantity = 1e30;

/// A quantity with a unit [Given<double>, SI].
struct QuantityKind {
  QuantityType type;
  Sign sign = Sign::any;
  double largest = largest_quantity;
  double smallest = 1 / largest_quantity;  ///< of a positive one
};
/// A quantity of any dimension [Given<FreeQuantity>].
struct FreeQuantityKind {};
struct FreeQuantity {
  double value = 0;  ///< SI
  std::string unit;  ///< SI; empty: a bare number
};
/// A whole number [Given<int>].
struct CountKind {
  int smallest, largest;
};
/// true or false [Given<bool>].
struct FlagKind {};
/// A line of text [Given<std::string>].
struct TextKind {};
/// The name of an entry of a group, such as "sections" [Given<std::string>].
struct NameKind {
  const char* group;
};
/// The name of a section, or several with their lengths along a cable
/// [Given<std::vector<SectionUse>>].
struct SectionsKind {};
struct SectionUse {
  std::string name;
  double length = 0;  ///< [m]; 0: all of the cable, or `rest`
};
/// The name of a section of the library [Given<std::string>].
struct LibraryKind {};
/// At most eight things, known when the program is compiled.
template <class T>
class ShortList {
 public:
  constexpr ShortList(std::initializer_list<T> items) {
    for (const T& item : items) items_[size_++] = item;
  }
  [[nodiscard]] constexpr const T* begin() const { return items_.data(); }
  [[nodiscard]] constexpr const T* end() const { return items_.data() + size_; }
  [[nodiscard]] constexpr size_t size() const { return size_; }
  constexpr const T& operator[](size_t i) const { return items_[i]; }

 private:
  std::array<T, 8> items_{};
  size_t size_ = 0;
};

/// One of a few words [Given<E>].
template <class E>
struct WordKind {
  struct Word {
    const char* word;
    E value;
    const char* help;
  };
  ShortList<Word> words;
};
/// Three quantities [Given<Eigen::Vector3d>].
struct VectorKind {
  QuantityType type;
  Sign sign = Sign::any;
};
/// x, y, z or a vector [Given<Eigen::Vector3d>, unit].
struct DirectionKind {};
/// Two quantities [Given<std::array<double, 2>>].
struct PairKind {
  QuantityType type;
  const char* first = "before";
  const char* second = "after";
  Sign sign = Sign::any;
};
/// Two whole numbers [Given<std::array<int, 2>>].
struct CountPairKind {
  int smallest, largest;
};
/// Three or six quantities: xx, yy, zz, or these and xy, xz, yz [Given<std::vector<double>>].
struct TensorKind {
  QuantityType type;
};
/// w, x, y, z, of any length but zero [Given<Eigen::Quaterniond>, of length one].
struct QuaternionKind {};
/// Places under names of their own [Given<std::vector<NamedPoint>>].
struct PointsKind {};
struct NamedPoint {
  std::string name;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< [m]
};
/// A quantity above zero, or the word `straight` [Given<double>, 0 for straight].
struct LengthKind {};
/// A time of zero or more, or the word `automatic` [Given<double>, -1 for automatic].
struct SettlingKind {};
/// A time above zero, or the word `full` [Given<double>, 0 for full].
struct MemoryKind {};
/// A number between 0 and 1, neither of them [Given<double>].
struct OrderKind {};
/// A function of time [Given<TimeFunction>].
struct FunctionKind {
  QuantityType type;
  bool moves = false;  ///< prescribes a motion: its rate must be known everywhere
  bool along = false;  ///< may depend on s, the arc length along a cable
};
struct TimeFunction {
  Signal signal;
  std::string text;  ///< as YAML that reads back, SI
  Profile along{};   ///< by arc length; none: `signal` everywhere
};
/// Three functions of time [Given<std::array<TimeFunction, 3>>].
struct VectorFunctionKind {
  QuantityType type;
  bool along = false;  ///< may depend on s
};
/// What the rows of a table give values for.
enum class Over { time, arc_length, turn_rate };
/// Rows of time, arc length or turn rate, and value, or a file of such [Given<TableRows>].
struct TableKind {
  QuantityType type;
  Over over = Over::time;
};
struct TableRows {
  std::vector<double> at, values;  ///< times [s], arc lengths [m] or turn rates [rad/s]
};
/// A file of a closed surface, or its points and faces [Given<Polyhedron>].
struct MeshKind {};
/// The name of a support, a body or a frame of a body: `load.hook` [Given<std::string>].
struct FrameKind {};
/// Two of them [Given<std::array<std::string, 2>>].
struct FramePairKind {};
/// A place on a cable: `tether@end` [Given<PlaceOn>].
struct PlaceKind {
  bool on_bodies = false;  ///< a body or a frame of one will do: `load.hook`
};
/// Two places on cables [Given<std::array<PlaceOn, 2>>].
struct PlacePairKind {};
struct PlaceOn {
  std::string cable;    ///< empty: on a body
  std::string frame;    ///< on a body: its name or that of its frame
  double fraction = 0;  ///< of the cable's length, or
  double length = -1;   ///< arc length [m] when not negative
  std::string text;
};
/// Where a cable goes [Given<std::vector<Stop>>].
struct RouteKind {
  size_t exactly = 0;  ///< so many stops; 0: two or more
};
/// Names for channels [Given<std::vector<NamedChannel>>].
struct ChannelsKind {};
struct NamedChannel {
  std::string name, channel;
};
/// Lines of text [Given<std::vector<Line>>].
struct LinesKind {
  const char* of;  ///< "channels"
};
struct Line {
  std::string text;
  Mark at;
};
/// Other fields below this one [T].
struct ObjectKind {};
/// An object, or one made by default [Given<T>].
struct OptionalObjectKind {};
/// Objects in a list [std::vector<T>].
struct ListKind {};
/// Entries with names of their own [Named<T>].
struct GroupKind {
  const char* one;  ///< "A cable"
};
/// Named amounts that expressions may use; read before everything else [no member].
struct VariablesKind {};
/// Files whose entries are part of this one; read before everything else [no member].
struct IncludeKind {};

}  // namespace hawser
