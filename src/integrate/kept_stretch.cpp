#include "integrate/kept_stretch.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "elements/hermite.h"
#include "integrate/kept_lengths.h"
#include "math/quadrature.h"
#include "model/flows.h"
#include "model/mesh.h"
#include "model/route.h"
#include "model/section_joints.h"

namespace hawser {
namespace {

using StretchPoint = Eigen::Map<const Vec3>;
using TwoNodes = Eigen::Matrix<double, 12, 1>;

constexpr int points_looked_at = 4;  ///< of an element
/// An element gets another shape for a strain energy of that share of its weight times its length.
constexpr double worth_it = 1e-3;

/// r' of an element of that length at a point, `e`: its nodes.
Vec3 slope_of_cubic(const double* e, double l, const HermitePoint& at) {
  const Vec3 chord = (StretchPoint(e + 6) - StretchPoint(e)) / l;
  return at.c[0] * chord + at.c[1] * StretchPoint(e + 3) + at.c[2] * StretchPoint(e + 9);
}

/// Its points, weights add up to 1.
std::vector<HermitePoint> stretch_points() {
  std::vector<HermitePoint> out;
  for (const GaussPoint& p : gauss_rule(points_looked_at)) out.push_back(hermite_point(p.x, p.w));
  return out;
}

/// Mean of |r'| between two places of an element, from 0 to 1.
double mean_stretch(const double* e, double l, double from, double to) {
  double sum = 0;
  for (const GaussPoint& p : gauss_rule(points_looked_at))
    sum += p.w * slope_of_cubic(e, l, hermite_point(from + (to - from) * p.x, 0)).norm();
  return sum;
}

/// One element in a sum of squares over the coordinates of two consecutive nodes.
struct StretchSum {
  Eigen::Matrix<double, 12, 12> matrix = Eigen::Matrix<double, 12, 12>::Zero();
  TwoNodes right = TwoNodes::Zero();
  double value = 0, largest = 0;

  /// `from`: place of its first node among both, -1: the one before them. `wanted`: by point.
  void add(const double* e, double l, int from, const double* wanted,
           const std::vector<HermitePoint>& points) {
    for (size_t i = 0; i < points.size(); ++i) {
      const HermitePoint& at = points[i];
      const Vec3 slope = slope_of_cubic(e, l, at);
      const double g = slope.norm(), miss = g - wanted[i];
      const double by[4] = {-at.c[0] / l, at.c[1], at.c[0] / l, at.c[2]};
      TwoNodes row = TwoNodes::Zero();
      for (int k = 0; k < 4; ++k) {
        const int block = 2 * from + k;
        if (block >= 0 && block < 4) row.segment<3>(3 * block) = by[k] / g * slope;
      }
      matrix += l * at.w * row * row.transpose();
      right -= l * at.w * miss * row;
      value += l * at.w * miss * miss;
      largest = std::max(largest, std::abs(miss));
    }
  }
};

}  // namespace

KeptStretch::KeptStretch(const ModelData& from, const double* q, const ModelData& to,
                         const PulleyChanges& pulleys, const double* q_before)
    : to_(to) {
  for (size_t c = 0; c < to.cables.size(); ++c)
    if (to.scene.cables[c].model == CableModel::ancf && flows(to.scene.cables[c]) &&
        to.scene.cables[c].mesh == FlowMesh::material && from.mesh.s[c] != to.mesh.s[c])
      add_cable(from, q, c);
  for (const ArcData* arc : pulleys.joined_arcs())
    if (arc->beside[0] < 0) add_joined(from, *arc, q, q_before);
}

/// Of the new mesh: nodes that nothing holds.
KeptStretch::Loose KeptStretch::loose(size_t cable) const {
  const std::vector<double>& s = to_.mesh.s[cable];
  const int first = to_.cables[cable].first_node;
  std::vector<char> moves = loose_nodes(to_, cable);
  const Cable& c = to_.scene.cables[cable];
  const auto places = named_places(to_.scene);
  const auto own = places.find(c.name);
  const auto is_free = [&](const Stop& stop, double at) {
    return stop.kind == Stop::Kind::free && c.route.size() > 1 &&
           (own == places.end() ||
            std::none_of(own->second.all.begin(), own->second.all.end(), [&](const Place& place) {
              return std::abs(arc_of(place, s.back()) - at) <= 2 * same_place * s.back();
            }));
  };
  if (is_free(c.route.front(), s.front())) moves.front() = 1;
  if (is_free(c.route.back(), s.back())) moves.back() = 1;
  std::vector<char> turns = moves;  // also the slopes of eyelets, and of winches without a drum
  for (const HandOver& h : to_.hand_overs) {
    if (h.cable != static_cast<int>(cable) || !h.here() || h.kind == HandOver::Kind::pulley)
      continue;
    if (h.kind == HandOver::Kind::supply && is_wound(c)) continue;
    turns[static_cast<size_t>(h.node - first)] = 1;
    if (h.kind == HandOver::Kind::eyelet) turns[static_cast<size_t>(h.node - first) + 1] = 1;
  }
  for (const Hold& hold : to_.holds)
    if (hold.cable == static_cast<int>(cable) && hold.direction && hold.slope >= first)
      turns[static_cast<size_t>(hold.slope - first)] = 0;
  return {moves, turns};
}

/// Element i of the new mesh and those beside it.
KeptStretch::Merged KeptStretch::element(size_t cable, const Loose& what, size_t i) const {
  const std::vector<double>& s = to_.mesh.s[cable];
  const Cable& c = to_.scene.cables[cable];
  const double l = s[i + 1] - s[i];
  Merged out;
  out.first = to_.cables[cable].first_node + static_cast<int>(i);
  const Section& section =
      c.sections[static_cast<size_t>(section_along(c, s.back(), (s[i] + s[i + 1]) / 2))];
  out.least = 2 * worth_it * section.mass * to_.scene.gravity.norm() * l * l / section.EA;
  out.length[1] = l;
  for (const size_t end : {0u, 1u}) {
    out.moves[end] = what.moves[i + end] != 0;
    out.turns[end] = what.turns[i + end] != 0;
  }
  if (out.moves[0] && i > 0) out.length[0] = s[i] - s[i - 1];
  if (out.moves[1] && i + 2 < s.size()) out.length[2] = s[i + 2] - s[i + 1];
  return out;
}

void KeptStretch::add_cable(const ModelData& from, const double* q, size_t cable) {
  const std::vector<double>&s = to_.mesh.s[cable], &old = from.mesh.s[cable];
  const Loose what = loose(cable);
  for (size_t i = 0; i + 1 < s.size(); ++i) {
    const double l = s[i + 1] - s[i], margin = 1e-9 * l;
    const bool bent = std::any_of(old.begin(), old.end(), [&](double at) {
      return at > s[i] + margin && at < s[i + 1] - margin;
    });
    if (!bent) continue;
    double way = 0;  // of the old cable
    for (size_t k = 0; k + 1 < old.size(); ++k) {
      const double a = std::max(old[k], s[i]), b = std::min(old[k + 1], s[i + 1]);
      const double whole = old[k + 1] - old[k];
      if (!(b - a > margin)) continue;
      const double* e = q + node_size * (from.cables[cable].first_node + static_cast<int>(k));
      way += (b - a) * mean_stretch(e, whole, (a - old[k]) / whole, (b - old[k]) / whole);
    }
    merged_.push_back(element(cable, what, i));
    merged_.back().stretch[1] = way / l;
  }
}

/// The elements on both sides of the node that is left of a pulley are stretched as before.
void KeptStretch::add_joined(const ModelData& from, const ArcData& arc, const double* q,
                             const double* before) {
  const auto cable = static_cast<size_t>(arc.cable);
  const std::vector<double>& s = to_.mesh.s[cable];
  const int first = from.cables[cable].first_node, a = arc.nodes[0], b = arc.nodes[1];
  const double place = material_coordinate(from, cable, a - first, q);
  const auto at = std::find_if(
      s.begin(), s.end(), [&](double x) { return std::abs(x - place) <= same_place * s.back(); });
  if (at == s.begin() || s.end() - at < 2) return;  // another element is there by now
  const auto length = [&](int node) {
    return material_coordinate(from, cable, node + 1 - first, before) -
           material_coordinate(from, cable, node - first, before);
  };
  Merged out = element(cable, loose(cable), static_cast<size_t>(at - s.begin()) - 1);
  if (!out.moves[1]) return;
  out.stretch[1] = mean_stretch(before + node_size * (a - 1), length(a - 1), 0, 1);
  out.stretch[2] = mean_stretch(before + node_size * b, length(b), 0, 1);
  merged_.push_back(out);
}

void KeptStretch::keep(double* q) const {
  constexpr int most = 20;
  constexpr double little = 0.05;  // of the strain of a taut cable
  constexpr double none = 1e-7;    // of a length
  const std::vector<HermitePoint> points = stretch_points();
  for (const Merged& merged : merged_) {
    double* e = q + node_size * merged.first;
    double wanted[3][points_looked_at];
    for (size_t k = 0; k < points.size(); ++k) {
      wanted[1][k] = merged.stretch[1];
      for (const int side : {0, 2})
        if (merged.length[side] > 0)
          wanted[side][k] =
              merged.stretch[side] > 0
                  ? merged.stretch[side]
                  : slope_of_cubic(e + node_size * (side - 1), merged.length[side], points[k])
                        .norm();
    }
    const auto sum = [&] {
      StretchSum out;
      for (const int k : {0, 1, 2})
        if (merged.length[k] > 0)
          out.add(e + node_size * (k - 1), merged.length[k], k - 1, wanted[k], points);
      return out;
    };
    StretchSum now = sum();
    if (now.value < merged.least ||
        now.largest < std::max(little * std::abs(merged.stretch[1] - 1), none))
      continue;
    const TwoNodes start = Eigen::Map<TwoNodes>(e);
    const double before = now.value, l = merged.length[1], soft = 1e-6 * l;
    for (int i = 0; i < most; ++i) {
      Eigen::Matrix<double, 12, 12> matrix = now.matrix;
      for (int c = 0; c < 12; ++c) {
        const bool slope = c % 6 >= 3;
        const int end = c / 6;
        matrix(c, c) += slope ? soft : soft / (l * l);
        if (slope ? merged.turns[end] : merged.moves[end]) continue;
        matrix.row(c).setZero();
        matrix.col(c).setZero();
        matrix(c, c) = 1;
        now.right[c] = 0;
      }
      const TwoNodes change = matrix.ldlt().solve(now.right);
      Eigen::Map<TwoNodes>{e} += change;
      now = sum();
      if (now.largest < none) break;
    }
    if (!(now.value < before)) Eigen::Map<TwoNodes>{e} = start;
  }
}

}  // namespace hawser
