// The route of a cable with elements at the start: spans from stop to stop, and their elements.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "hawser/error.h"
#include "hawser/scene.h"

namespace hawser {

/// Equal elements one after the other.
struct RoutePiece {
  double length = 0;  ///< unstretched [m]
  int elements = 0;
  int section = 0;         ///< of the cable's
  bool split = false;      ///< r' jumps where it starts: two nodes there
  int flow[2] = {-1, -1};  ///< flows (model/flows.h) where it starts and ends; -1: none
  double arc = 0;          ///< of a split: unstretched length on a pulley before it [m]

  [[nodiscard]] double element_length() const { return length / elements; }
};

/// The way between two neighbouring stops of a route.
struct RouteSpan {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< [m]
  double length = 0;                            ///< unstretched [m]
  int elements = 0;                             ///< in all pieces
  std::vector<RoutePiece> pieces;               ///< one, unless sections change or places divide it

  /// r' along it when it is straight.
  [[nodiscard]] Vec3 slope() const { return (to - from) / length; }
  /// Unstretched arc length from `from` to its nodes, from 0 to `length`, where r' jumps twice [m].
  [[nodiscard]] std::vector<double> arcs() const;
  /// The same as fractions of `length`.
  [[nodiscard]] std::vector<double> fractions() const;
};
using Route = std::vector<RouteSpan>;

/// Two places of a cable are the same node, or a place is at a node, if they are no further apart
/// than this fraction of its length.
inline constexpr double same_place = 1e-6;

/// Throws Error when the stops make no route or the elements do not suffice for it.
void validate_route(const Scene& scene, const Cable& cable);

/// The stops of a cable at t = 0 [m].
std::vector<Vec3> route_points(const Scene& scene, const Cable& cable);

/// Number of elements in each span of the route of a sound cable.
std::vector<int> span_elements(const Scene& scene, const Cable& cable);

/// Unstretched length of a sound cable with elements [m].
double route_length(const Scene& scene, const Cable& cable);

/// Places of a cable.
struct NamedPlaces {
  std::vector<Place> all;
  std::vector<Place> pulled;  ///< those where a force acts on the cable
};

/// The spans of a sound cable, from start to end, with nodes at all `places`, which are on it, and
/// where sections change. They share out its length as those of its route, of `points` as those of
/// the curve. Where all places of a span are nodes of equal elements it has these; otherwise it is
/// divided at its places. Throws Error when there are too few elements for that. Nodes of an ancf
/// cable have a slope each: there are two where EA changes and, between sections without bending
/// stiffness, where the cable is pulled or held: it kinks there.
Route route_of(const Scene& scene, const Cable& cable, const NamedPlaces& places = {});

/// The places that loads, masses, junctions and conditions name, by cable.
std::unordered_map<std::string, NamedPlaces> named_places(const Scene& scene);
/// The routes of all cables of a sound scene, with nodes at these; of massless cables empty.
std::vector<Route> routes_of(const Scene& scene);

/// Unstretched arc length at the nodes of a cable, where r' jumps twice [m].
std::vector<double> node_arcs(const Route& route);
/// The nodes at the stops of a route, of two the first.
std::vector<int> stop_nodes(const Route& route);
/// Unstretched arc length at a place of a cable of that length [m].
double arc_of(const Place& place, double length);
/// The node at a place, of nodes at these arc lengths, of two the first; -1: there is none.
int node_at(const std::vector<double>& arcs, const Place& place);

}  // namespace hawser
