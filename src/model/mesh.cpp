#include "model/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/hermite.h"
#include "hawser/error.h"
#include "hawser/mesh.h"
#include "model/model_data.h"
#include "model/route.h"

namespace hawser {
namespace {

constexpr double same_node = 1e-9;         ///< of the cable's length
constexpr double same_length = 1e-9;       ///< of the cable's length
constexpr double shortest_element = 1e-6;  ///< of the cable's length

/// Elements of one section that differ in length by no more than rounding share a run.
bool continues_run(const std::vector<MeshRun>& runs, const MeshRun& next) {
  return !runs.empty() && !next.split && next.section == runs.back().section &&
         std::abs(next.element_length - runs.back().element_length) <= 1e-12 * next.element_length;
}

void add_run(std::vector<MeshRun>& runs, const MeshRun& run) {
  if (!continues_run(runs, run)) {
    runs.push_back(run);
    return;
  }
  runs.back().elements += run.elements;
  runs.back().length += run.length;
}

/// Where there are two nodes.
std::vector<double> split_places(const std::vector<double>& s) {
  std::vector<double> out;
  for (size_t i = 1; i < s.size(); ++i)
    if (s[i] == s[i - 1]) out.push_back(s[i]);
  return out;
}

void check_nodes(const Cable& cable, const CableMesh& own, const std::vector<double>& s) {
  const ErrorObject who = ErrorObject("cable", cable.name).at("mesh");
  if (cable.model == CableModel::massless) {
    if (!s.empty())
      throw Error(who, fmt::format("{} nodes", s.size()), "none: a massless cable has no nodes");
    return;
  }
  if (s.size() < 2) throw Error(who, fmt::format("{} nodes", s.size()), "2 or more");
  const double length = own.s.back();
  for (size_t i = 0; i < s.size(); ++i)
    if (!std::isfinite(s[i]))
      throw Error(who, fmt::format("node {} at {} m", i, s[i]), "a finite arc length");
  if (s.front() != 0 || std::abs(s.back() - length) > same_length * length)
    throw Error(who, fmt::format("nodes from {:.17g} m to {:.17g} m", s.front(), s.back()),
                fmt::format("nodes from 0 to {:.17g} m, the length of the cable", length),
                "Start from Model::mesh() and insert or erase nodes between its ends.");
  const std::vector<double> twice = split_places(own.s);
  for (size_t i = 1; i < s.size(); ++i) {
    const bool second = s[i] == s[i - 1] && !(i > 1 && s[i - 2] == s[i]) &&
                        std::binary_search(twice.begin(), twice.end(), s[i]);
    if (!second && !(s[i] - s[i - 1] >= shortest_element * length))
      throw Error(
          who,
          fmt::format("node {} at {:.9g} m after node {} at {:.9g} m", i, s[i], i - 1, s[i - 1]),
          fmt::format("increasing arc lengths, at least {:.3g} m apart",
                      shortest_element * length));
  }
}

/// Slopes that jump have two nodes in every mesh, so that states can be carried over.
void check_splits(const Cable& cable, const CableMesh& own, const std::vector<double>& s) {
  const std::vector<double> have = split_places(s);
  for (const double at : split_places(own.s))
    if (!std::binary_search(have.begin(), have.end(), at))
      throw Error(ErrorObject("cable", cable.name).at("mesh"),
                  fmt::format("no two nodes at {:.17g} m, where the slope of the cable jumps", at),
                  "two nodes there, as in Model::mesh()",
                  "Insert and erase nodes between such places.");
}

/// Sections change at nodes.
void check_sections(const Cable& cable, const CableMesh& own, const std::vector<double>& s) {
  double at = 0;
  for (size_t k = 0; k + 1 < own.runs.size(); ++k) {
    at += own.runs[k].length;
    if (own.runs[k].section == own.runs[k + 1].section || locate(s, at).on_node()) continue;
    throw Error(ErrorObject("cable", cable.name).at("mesh"),
                fmt::format("no node at {:.9g} m, where the section changes", at),
                "a node where sections change", "Insert a node there in the mesh.");
  }
}

}  // namespace

CableMesh own_mesh(const Route& route) {
  CableMesh out;
  if (route.empty()) return out;
  out.s = node_arcs(route);
  for (const RouteSpan& span : route)
    for (const RoutePiece& piece : span.pieces)
      add_run(out.runs,
              {piece.elements, piece.element_length(), piece.length, piece.section, piece.split});
  return out;
}

CableMesh given_mesh(const Cable& cable, const CableMesh& own, const std::vector<double>& s) {
  check_nodes(cable, own, s);
  if (s == own.s) return own;
  CableMesh out{s, {}};
  check_sections(cable, own, s);
  check_splits(cable, own, s);
  std::vector<double> lengths;  // of the elements of `own`, by their first nodes
  std::vector<int> sections;
  for (const MeshRun& run : own.runs) {
    if (run.split) lengths.push_back(0), sections.push_back(run.section);
    lengths.insert(lengths.end(), static_cast<size_t>(run.elements), run.element_length);
    sections.insert(sections.end(), static_cast<size_t>(run.elements), run.section);
  }
  for (size_t i = 0; i + 1 < s.size(); ++i) {
    if (s[i] == s[i + 1]) continue;
    const auto after = std::upper_bound(own.s.begin(), own.s.end(), s[i]);  // s[0] is in both
    const bool kept = *(after - 1) == s[i] && after != own.s.end() && *after == s[i + 1];
    const double length =
        kept ? lengths[static_cast<size_t>(after - 1 - own.s.begin())] : s[i + 1] - s[i];
    const int inside = locate(own.s, (s[i] + s[i + 1]) / 2).element;
    add_run(out.runs,
            {1, length, length, sections[static_cast<size_t>(inside)], i > 0 && s[i - 1] == s[i]});
  }
  return out;
}

MeshSpot locate(const std::vector<double>& s, double at) {
  const auto after = std::upper_bound(s.begin() + 1, s.end() - 1, at);  // the end of its element
  const int element = static_cast<int>(after - s.begin()) - 1;
  const double from = *(after - 1), to = *after, near = same_node * s.back();
  if (at - from <= near) return {element, 0};
  if (to - at <= near) {
    if (after + 1 == s.end()) return {element, 1};
    return {element + (*(after + 1) == to ? 2 : 1), 0};
  }
  return {element, (at - from) / (to - from)};
}

std::vector<MeshSpot> locate_nodes(const std::vector<double>& s, const std::vector<double>& nodes) {
  std::vector<MeshSpot> out;
  for (size_t i = 0; i < nodes.size(); ++i) {
    out.push_back(locate(s, nodes[i]));
    if (i + 1 < nodes.size() && nodes[i] == nodes[i + 1]) --out.back().element;
  }
  return out;
}

std::vector<NodeStart> lay_on(const std::vector<NodeStart>& nodes, const std::vector<double>& own,
                              const std::vector<double>& s, bool cubic) {
  std::vector<NodeStart> out;
  for (const MeshSpot& spot : locate_nodes(own, s)) {
    if (spot.on_node()) {
      out.push_back(nodes[static_cast<size_t>(spot.node())]);
      continue;
    }
    const auto e = static_cast<size_t>(spot.element);
    const NodeStart &a = nodes[e], &b = nodes[e + 1];
    const double l = own[e + 1] - own[e];
    const Vec3 chord = (b.position - a.position) / l;
    if (!cubic) {
      out.push_back({a.position + (spot.xi * l) * chord, chord});
      continue;
    }
    const auto p = hermite_position(spot.xi);
    const HermitePoint d = hermite_point(spot.xi, 0);
    out.push_back({p[0] * a.position + l * p[1] * a.slope + p[2] * b.position + l * p[3] * b.slope,
                   d.c[0] * chord + d.c[1] * a.slope + d.c[2] * b.slope});
  }
  return out;
}

Mesh default_mesh(const Scene& scene) {
  validate(scene);
  Mesh out;
  for (const Route& route : routes_of(scene)) out.s.push_back(own_mesh(route).s);
  return out;
}

}  // namespace hawser
