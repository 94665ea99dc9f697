#include "model/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "elements/hermite.h"
#include "hawser/error.h"
#include "math/band.h"
#include "math/quadrature.h"

namespace hawser {
namespace {

/// Legendre's polynomials of degree below n at x in [0, 1], scaled to int P_k^2 dx = 1.
std::vector<double> legendre(int n, double x) {
  std::vector<double> p = {1, 2 * x - 1};
  for (int k = 1; k + 1 < n; ++k)
    p.push_back(((2 * k + 1) * (2 * x - 1) * p[static_cast<size_t>(k)] -
                 k * p[static_cast<size_t>(k) - 1]) /
                (k + 1));
  p.resize(static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) p[static_cast<size_t>(k)] *= std::sqrt(2.0 * k + 1);
  return p;
}

/// Lagrange's polynomial of point j of a rule at x.
double lagrange(const std::vector<GaussPoint>& rule, size_t j, double x) {
  double out = 1;
  for (size_t i = 0; i < rule.size(); ++i)
    if (i != j) out *= (x - rule[i].x) / (rule[j].x - rule[i].x);
  return out;
}

[[noreturn]] void refuse_other_scene(const std::string& found) {
  throw Error("change of mesh", found, "a model of the same scene",
              "Compile the new model with Model(model.scene(), mesh).");
}

void check_same_scene(const ModelData& from, const ModelData& to) {
  const auto &a = from.scene.cables, &b = to.scene.cables;
  if (a.size() != b.size())
    refuse_other_scene(fmt::format("{} cables after {}", b.size(), a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    const bool changes = a[i].when_slack && b[i].when_slack;  // between massless and elements
    if (a[i].name != b[i].name || (a[i].model != b[i].model && !changes))
      refuse_other_scene(fmt::format("cable '{}' in place of '{}'", b[i].name, a[i].name));
    if (a[i].model == b[i].model && from.own_mesh.s[i] != to.own_mesh.s[i])
      refuse_other_scene(fmt::format("another route or length of cable '{}'", a[i].name));
  }
  const auto others = [](const ModelData& model) { return node_size * model.nodes - model.stored; };
  const bool same_fidelity = !differ_in_fidelity(from, to);
  if (others(from) != others(to) || from.mechanism.bodies.size() != to.mechanism.bodies.size() ||
      (same_fidelity &&
       (from.rows.size() != to.rows.size() || from.structure.scalars != to.structure.scalars)))
    refuse_other_scene("other supports, conditions, bodies or joints");
}

/// Before anything is looked up in them.
StateNumbers checked(const ModelData& from, const ModelData& to) {
  check_same_scene(from, to);
  return {from, to};
}

}  // namespace

MeshTransfer::MeshTransfer(const ModelData& from, const ModelData& to)
    : from_(from), to_(to), numbers_(checked(from, to)) {
  if (!differ_in_fidelity(from, to)) find_held_before();
  for (size_t i = 0; i < from.cables.size(); ++i) add_cable(from, to, static_cast<int>(i));
  hold(to);
}

void MeshTransfer::add_cable(const ModelData& from, const ModelData& to, int cable) {
  CableMaps& maps = cables_.emplace_back();
  const auto c = static_cast<size_t>(cable);
  if (from.mesh.s[c].empty() || to.mesh.s[c].empty()) return;
  const auto chain = [&](const ModelData& model) {
    Chain out;
    out.s = &model.mesh.s[c];
    out.first_node = model.cables[c].first_node;
    for (const Fields* part : model.fields_of(cable)) {
      if (part->run.first_node - out.first_node > static_cast<int>(out.parts.size()))
        out.parts.push_back(nullptr);
      out.parts.insert(out.parts.end(), static_cast<size_t>(part->run.elements), part);
    }
    return out;
  };
  maps.from = chain(from);
  maps.to = chain(to);
  maps.changes = *maps.from.s != *maps.to.s;
  maps.joint = *maps.from.s;
  for (const double s : *maps.to.s)
    if (!locate(*maps.from.s, s).on_node()) maps.joint.push_back(s);
  std::sort(maps.joint.begin(), maps.joint.end());
  maps.in_from = locate_nodes(*maps.from.s, maps.joint);
  maps.in_to = locate_nodes(*maps.to.s, maps.joint);
  for (const MeshSpot& spot : maps.in_to) maps.drops |= !spot.on_node();
  for (size_t i = 0; i + 1 < maps.joint.size(); ++i)  // two nodes that become one
    maps.drops |= maps.joint[i] == maps.joint[i + 1] && maps.in_to[i].on_node() &&
                  maps.in_to[i].node() == maps.in_to[i + 1].node();
  maps.held.assign(static_cast<size_t>(node_size * maps.to.nodes()), 0);
  add_points(maps, cable, false);
  add_points(maps, cable, true);
}

void MeshTransfer::find_held_before() {
  const std::vector<int>& fixed = from_.structure.fixed;
  for (size_t k = 0; k < fixed.size(); ++k) {
    bool lost = false;
    for (size_t i = 0; i < from_.hand_overs.size(); ++i)
      lost |= from_.hand_overs[i].here() && !to_.hand_overs[i].here() &&
              fixed[k] / node_size == from_.hand_overs[i].node;
    if (!lost) held_before_.push_back(k);
  }
  if (held_before_.size() != to_.structure.fixed.size())
    refuse_other_scene("other supports, conditions, bodies or joints");
}

/// Nodes that constraints, masses and terms of other kinds refer to keep their velocities, so that
/// these remain consistent. Cable may turn about what holds a point of it only.
void MeshTransfer::hold(const ModelData& to) {
  const auto coordinate = [&](int c) {
    for (CableMaps& maps : cables_) {
      const int at = c - node_size * maps.to.first_node;
      if (at >= 0 && at < static_cast<int>(maps.held.size()))
        maps.held[static_cast<size_t>(at)] = 1;
    }
  };
  const auto turns = [&](int n) {
    return std::any_of(to.holds.begin(), to.holds.end(),
                       [n](const Hold& h) { return h.node == n && !h.direction; });
  };
  const auto node = [&](int n) {
    for (int k = 0; k < (turns(n) ? 3 : node_size); ++k) coordinate(node_size * n + k);
  };
  for (const int c : to.structure.fixed) coordinate(c);
  for (const auto& [follower, leader] : to.structure.shared)
    coordinate(follower), coordinate(leader);
  for (const RowInfo& row : to.rows)
    for (const int c : row.coordinates)
      if (c % node_size < 3 || !turns(c / node_size)) coordinate(c);
  for (const auto& [a, b] : to.structure.pairs) node(a), node(b);
  for (const SplitNode& split : to.splits) {
    if (!split.flows) node(split.node), node(split.node + 1);
    for (int k = 0; k < 3; ++k)
      coordinate(node_size * split.node + k), coordinate(node_size * (split.node + 1) + k);
  }
  for (const PointMass& mass : to.scene.point_masses) node(find_node(to, mass.at, "point mass"));
}

// --- points ---

MeshTransfer::Point MeshTransfer::point_at(const ModelData& model, const Chain& chain, int element,
                                           size_t point, bool bending) {
  const Fields* part = &chain.part(element);
  const ElementRun& run = part->run;
  const int e = chain.first_node + element - run.first_node, g = static_cast<int>(point);
  const int at =
      bending ? run.bending_offset + run.bending_point(e, g) : run.point_offset + run.point(e, g);
  const auto number = std::find(model.fields.begin(), model.fields.end(), part);
  return {static_cast<size_t>(number - model.fields.begin()), static_cast<size_t>(at)};
}

void MeshTransfer::add_points(const CableMaps& maps, int cable, bool bending) {
  const ElementRun& first = maps.from.parts.front()->run;
  const int n = bending ? first.bending_points : first.axial_points;
  if (n == 0) return;
  const std::vector<GaussPoint> rule = gauss_rule(n);
  const std::vector<double>&old = *maps.from.s, &next = *maps.to.s, &joint = maps.joint;
  const auto row_of = [&](int e, size_t g) {
    PointRow row;
    const double a = next[static_cast<size_t>(e)], b = next[static_cast<size_t>(e) + 1];
    row.to = point_at(to_, maps.to, e, g, bending);
    row.s = a + (b - a) * rule[g].x;
    row.cable = cable;
    return row;
  };
  const auto source = [&](int e, size_t j, double weight) {
    return Source{point_at(from_, maps.from, e, j, bending), weight};
  };
  std::vector<PointRow>& out = bending ? bending_ : axial_;
  for (size_t i = 0; i + 1 < joint.size();) {
    if (maps.gap_after(i)) {
      ++i;
      continue;
    }
    const int e = maps.in_to[i].element;
    size_t end = i + 1;  // the parts of the new element are i ... end - 1
    while (end + 1 < joint.size() && maps.in_to[end].element == e) ++end;
    const bool whole =
        end == i + 1 && !maps.gap(i) && maps.in_from[i].on_node() && maps.in_from[end].on_node();
    for (size_t g = 0; g < rule.size(); ++g) {
      PointRow row = row_of(e, g);
      if (whole) row.from.push_back(source(maps.in_from[i].element, g, 1));
      const std::vector<double> here = legendre(n, rule[g].x);
      const double a = next[static_cast<size_t>(e)], l = next[static_cast<size_t>(e) + 1] - a;
      for (size_t part = i; part < end && !whole; ++part) {
        if (maps.gap(part)) continue;
        const int from = maps.in_from[part].element;
        const double b = old[static_cast<size_t>(from)], k = old[static_cast<size_t>(from) + 1] - b;
        const double length = joint[part + 1] - joint[part];
        for (size_t j = 0; j < rule.size(); ++j) {
          double weight = 0;
          for (const GaussPoint& p : rule) {
            const double s = joint[part] + length * p.x;
            const std::vector<double> there = legendre(n, (s - a) / l);
            double both = 0;
            for (int m = 0; m < n; ++m)
              both += here[static_cast<size_t>(m)] * there[static_cast<size_t>(m)];
            weight += p.w * length / l * both * lagrange(rule, j, (s - b) / k);
          }
          row.from.push_back(source(from, j, weight));
        }
      }
      out.push_back(std::move(row));
    }
    i = end;
  }
}

Vec3 MeshTransfer::old_slope(int cable, const double* q, double s, Side side) const {
  const Chain& chain = cables_[static_cast<size_t>(cable)].from;
  MeshSpot spot = locate(*chain.s, s);
  if (side == Side::before && spot.xi == 0 && spot.element > 0) {
    --spot.element;
    spot.xi = 1;
  }
  if (!chain.has_part(spot.element)) {  // on a pulley, or between two nodes at a place
    spot.element += side == Side::before ? -1 : 1;
    spot.xi = side == Side::before ? 1 : 0;
  }
  const Fields& part = chain.part(spot.element);
  return part.slope(q, chain.first_node + spot.element - part.run.first_node, spot.xi);
}

}  // namespace hawser
