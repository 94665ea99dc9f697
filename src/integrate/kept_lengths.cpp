#include "integrate/kept_lengths.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "model/mesh.h"
#include "model/route.h"

namespace hawser {
namespace {

using ConstPoint = Eigen::Map<const Vec3>;

/// The straight elements of a cable.
struct Polyline {
  const std::vector<double>& s;
  const double* r;  ///< of its first node

  [[nodiscard]] Vec3 node(size_t i) const { return ConstPoint(r + node_size * i); }
  [[nodiscard]] Vec3 at(double place) const {
    const MeshSpot spot = locate(s, place);
    const auto e = static_cast<size_t>(spot.element);
    return (1 - spot.xi) * node(e) + spot.xi * node(e + 1);
  }
  /// Between two places of a span, along the elements.
  [[nodiscard]] double length(double from, double to) const {
    double sum = 0;
    Vec3 before = at(from);
    for (size_t i = 0; i < s.size(); ++i) {
      if (!(s[i] > from) || !(s[i] < to)) continue;
      sum += (node(i) - before).norm();
      before = node(i);
    }
    return sum + (at(to) - before).norm();
  }
};

}  // namespace

std::vector<char> loose_nodes(const ModelData& model, size_t cable) {
  const std::vector<double>& s = model.mesh.s[cable];
  const int first = model.cables[cable].first_node;
  std::vector<char> out(s.size(), 1);
  out.front() = out.back() = 0;
  const auto hold = [&](int node) {
    if (node >= first && node < first + static_cast<int>(s.size()))
      out[static_cast<size_t>(node - first)] = 0;
  };
  for (const HandOver& h : model.hand_overs)
    if (h.here()) {
      hold(h.node);
      if (h.kind != HandOver::Kind::supply) hold(h.node + 1);
    }
  for (const Hold& held : model.holds) hold(held.node);
  for (size_t i = 1; i < s.size(); ++i)  // joints of sections, and cuts
    if (s[i] == s[i - 1]) out[i] = out[i - 1] = 0;
  for (const auto& shared : model.structure.shared)
    hold(shared.follower / node_size), hold(shared.leader / node_size);
  const auto places = named_places(model.scene);
  if (const auto own = places.find(model.scene.cables[cable].name); own != places.end())
    for (const Place& place : own->second.all)
      for (size_t i = 0; i < s.size(); ++i)
        if (std::abs(s[i] - arc_of(place, s.back())) <= 2 * same_place * s.back()) out[i] = 0;
  return out;
}

KeptLengths::KeptLengths(const ModelData& from, const double* q, const ModelData& to) : to_(to) {
  for (size_t c = 0; c < to.cables.size(); ++c)
    if (to.scene.cables[c].model == CableModel::np_fem && flows(to.scene.cables[c]) &&
        from.mesh.s[c] != to.mesh.s[c])
      add_cable(from, q, c);
}

void KeptLengths::add_cable(const ModelData& from, const double* q, size_t cable) {
  const std::vector<double>&s = to_.mesh.s[cable], &old = from.mesh.s[cable];
  const Polyline was{old, q + node_size * from.cables[cable].first_node};
  const std::vector<char> loose = loose_nodes(to_, cable);
  const auto bent = [&](size_t i) {  // old nodes are within the element after node i
    return std::any_of(old.begin(), old.end(), [&](double at) {
      const double margin = 1e-9 * (s[i + 1] - s[i]);
      return at > s[i] + margin && at < s[i + 1] - margin;
    });
  };
  for (size_t i = 1; i + 1 < s.size(); ++i) {
    if (!loose[i] || (!bent(i - 1) && !bent(i))) continue;
    nodes_.push_back({cable,
                      static_cast<int>(i),
                      {was.length(s[i - 1], s[i]) / (s[i] - s[i - 1]),
                       was.length(s[i], s[i + 1]) / (s[i + 1] - s[i])}});
  }
}

void KeptLengths::keep(double* q) const {
  constexpr double none = 1e-12;  // of a length: its direction is rounding
  for (const Node& n : nodes_) {
    const auto p = [&](int node) { return material_coordinate(to_, n.cable, node, q); };
    double* r = q + node_size * (to_.cables[n.cable].first_node + n.node);
    const ConstPoint a(r - node_size), b(r + node_size);
    const double before = n.stretch[0] * (p(n.node) - p(n.node - 1)),
                 after = n.stretch[1] * (p(n.node + 1) - p(n.node)), apart = (b - a).norm();
    const Vec3 along = (b - a) / apart, to = ConstPoint(r) - a, aside = to - along.dot(to) * along;
    if (!(aside.norm() > none * apart)) continue;  // straight
    const double x = (apart * apart + before * before - after * after) / (2 * apart),
                 square = before * before - x * x;
    // Where both are too short, they share what is missing.
    const Vec3 moved = square >= 0 ? Vec3(a + x * along + std::sqrt(square) * aside.normalized())
                                   : Vec3(a + apart * before / (before + after) * along + aside);
    Eigen::Map<Vec3>{r} = moved;
  }
}

}  // namespace hawser
