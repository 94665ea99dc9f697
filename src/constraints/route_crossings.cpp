// Massless cables that lie on each other: crossings.h.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/route_rows.h"

namespace hawser {
namespace {

constexpr double rounded = 3e-8;  ///< c of crossings.h, by the unstretched length

int local_index(const std::vector<int>& all, int one) {
  const auto at = std::find(all.begin(), all.end(), one);
  return at == all.end() ? -1 : static_cast<int>(at - all.begin());
}

/// d2 l/dp2 of a straight part [1/m].
Matrix3 across(const Segment& s) {
  return (Matrix3::Identity() - s.tangent * s.tangent.transpose()) / s.straight;
}

}  // namespace

void RouteRows::join_groups() {
  for (const CrossingGroup& group : groups_) {
    CrossedGroup& joined = joined_.emplace_back();
    const auto np = static_cast<Eigen::Index>(3 * group.crossings.size()),
               nq = static_cast<Eigen::Index>(node_size * static_cast<int>(group.nodes.size()));
    joined.pull = joined.step = joined.drift = Eigen::VectorXd::Zero(np);
    joined.V_pp = Eigen::MatrixXd::Zero(np, np);
    joined.solver = Eigen::LDLT<Eigen::MatrixXd>(np);
    joined.V_pq = joined.P = Eigen::MatrixXd::Zero(np, nq);
    joined.S = Eigen::MatrixXd::Zero(nq + np, nq + np);
    joined.SP = Eigen::MatrixXd::Zero(nq + np, nq);
    joined.K = Eigen::MatrixXd::Zero(nq, nq);
    for (const int r : group.routes) {
      const auto number = static_cast<size_t>(r);
      const RouteData& route = routes_[number];
      for (size_t k = 0; k < route.runs.size(); ++k) {
        CrossedRun run{number, k, {}, Eigen::VectorXd::Zero(np)};
        for (int i = route.runs[k].first_stop; i < route.runs[k].last_stop; ++i) {
          const auto stop = static_cast<size_t>(i);
          const StopData &from = route.stops[stop], &to = route.stops[stop + 1];
          if (from.crossing < 0 && to.crossing < 0) continue;
          run.parts.push_back({first_segment_[number] + stop,
                               first_segment_[number] + number + stop, &from, &to,
                               local_index(group.crossings, from.crossing),
                               local_index(group.crossings, to.crossing),
                               from.crossing < 0 ? local_index(group.nodes, from.at.node) : -1,
                               to.crossing < 0 ? local_index(group.nodes, to.at.node) : -1});
        }
        if (!run.parts.empty()) joined.runs.push_back(std::move(run));
      }
    }
  }
}

double RouteRows::length_of(size_t number, const RunData& run) const {
  double length = 0;
  for (int i = run.first_stop; i < run.last_stop; ++i) {
    const auto stop = static_cast<size_t>(i);
    length += segments_[first_segment_[number] + stop].length;
    if (routes_[number].stops[stop].bend.any()) length += bent(number, stop).bend.length;
  }
  return length;
}

/// Lengths, tensions and their slopes with the crossings of a group where they are; false: a cable
/// has no way.
bool RouteRows::look(const CrossingGroup& group, CrossedGroup& joined, const RowsAt& at,
                     RowValues& out) {
  constexpr double few = 4;
  for (const int route : group.routes)
    if (!span_route(static_cast<size_t>(route), at, out)) return false;
  joined.pull.setZero();
  joined.rounding = 0;
  for (CrossedRun& run : joined.runs) {
    const RouteData& route = routes_[run.route];
    const RunData& data = route.runs[run.run];
    const RowInfo& info = at.rows[static_cast<size_t>(data.row)];
    double left = at.state.run_length[static_cast<size_t>(route.first_run) + run.run];
    if (run.run == 0) left += at.poses.sample(route.payout, at).value;
    const double eps = info.compliance_at(at, 0), x = length_of(run.route, data) - left;
    const double c = rounded * std::abs(left), root = std::sqrt(x * x + 4 * c * c);
    const double stretched = x > 0 ? (x + root) / 2 : 2 * c * c / (root - x);
    run.tension = stretched / eps;
    run.slope = stretched / root / eps;
    run.g.setZero();
    for (const CrossedPart& part : run.parts) {
      const Segment& s = segments_[part.segment];
      if (part.crossing_a >= 0) run.g.segment<3>(3L * part.crossing_a) += s.force_a;
      if (part.crossing_b >= 0) run.g.segment<3>(3L * part.crossing_b) += s.force_b;
    }
    joined.pull += run.tension * run.g;
    joined.rounding += few * std::numeric_limits<double>::epsilon() * run.tension *
                       static_cast<double>(run.parts.size());
  }
  return std::isfinite(joined.pull.squaredNorm());
}

/// T l_pp of all runs.
void RouteRows::add_kinks(CrossedGroup& joined) const {
  for (const CrossedRun& run : joined.runs)
    for (const CrossedPart& part : run.parts) {
      const Matrix3 k = run.tension * across(segments_[part.segment]);
      const Eigen::Index a = 3L * part.crossing_a, b = 3L * part.crossing_b;
      if (a >= 0) joined.V_pp.block<3, 3>(a, a) += k;
      if (b >= 0) joined.V_pp.block<3, 3>(b, b) += k;
      if (a < 0 || b < 0) continue;
      joined.V_pp.block<3, 3>(a, b) -= k;
      joined.V_pp.block<3, 3>(b, a) -= k;
    }
}

/// (1) by Newton's method. A step goes no farther than where the pull along it has turned back by
/// half: V is convex.
bool RouteRows::settle(size_t number, const RowsAt& at, RowValues& out) {
  constexpr int most_rounds = 100, most_halvings = 60;
  constexpr double settled = 1e-14, nearly = 1e-9;
  const CrossingGroup& group = groups_[number];
  CrossedGroup& joined = joined_[number];
  double scale = 1;
  const auto move = [&](double share) {
    for (size_t c = 0; c < group.crossings.size(); ++c)
      crossed_[static_cast<size_t>(group.crossings[c])].place +=
          share * joined.step.segment<3>(3L * static_cast<long>(c));
  };
  for (const int c : group.crossings) {
    Crossed& crossed = crossed_[static_cast<size_t>(c)];
    const double* kept = at.state.bends.data() + crossings_[static_cast<size_t>(c)].memory;
    crossed.place = Vec3::Map(kept);
    scale = std::max(scale, crossed.place.norm());
  }
  if (!look(group, joined, at, out)) return false;
  double change = HUGE_VAL;
  for (int round = 0; round < most_rounds; ++round) {
    if (joined.pull.norm() <= joined.rounding) return true;
    joined.V_pp.setZero();
    for (const CrossedRun& run : joined.runs)
      joined.V_pp.noalias() += run.slope * run.g * run.g.transpose();
    add_kinks(joined);
    joined.solver.compute(joined.V_pp);
    joined.step = joined.solver.solve(joined.pull);
    joined.step *= -1;
    change = joined.step.norm();
    if (!std::isfinite(change)) break;
    if (change <= settled * scale) return true;
    const double before = joined.pull.dot(joined.step);
    double share = 1, moved = 0;
    for (int halving = 0; halving < most_halvings; ++halving, share /= 2) {
      move(share - moved);
      moved = share;
      if (look(group, joined, at, out) && joined.pull.dot(joined.step) <= -before / 2) break;
    }
    if (share < 1 && change <= nearly * scale) return true;  // round-off
  }
  if (change <= nearly * scale) return true;
  const CrossingData& first = crossings_[static_cast<size_t>(group.crossings.front())];
  out.fault = fmt::format(
      "cables '{}' and '{}': the place where they cross has not been found. Use shorter steps",
      routes_[static_cast<size_t>(first.route[0])].name,
      routes_[static_cast<size_t>(first.route[1])].name);
  return false;
}

/// What crossings remember: where they are, and on which side.
void RouteRows::note_sides(const RowsAt& at, RowValues& out) {
  constexpr double seen = 1e-6, aslant = 1e-3;  // [rad]
  for (size_t c = 0; c < crossings_.size(); ++c) {
    const CrossingData& data = crossings_[c];
    Crossed& crossed = crossed_[c];
    Vec3 pull[2], way[2];
    for (size_t k = 0; k < 2; ++k) {
      const size_t before = first_segment_[static_cast<size_t>(data.route[k])] +
                            static_cast<size_t>(data.stop[k]) - 1;
      const Vec3 &in = segments_[before].tangent, &go = segments_[before + 1].tangent;
      crossed.along[k][0] = in;
      crossed.along[k][1] = go;
      pull[k] = go - in;
      way[k] = in + go;
    }
    crossed.kink = (pull[1] - pull[0]) / 2;
    const Vec3 old = Vec3::Map(at.state.bends.data() + data.memory + 3);
    crossed.normal = old;
    const Vec3 straight = way[0].cross(way[1]) / 4;
    if (crossed.kink.norm() > seen && crossed.kink.dot(old) > 0)
      crossed.normal = crossed.kink.normalized();
    else if (straight.norm() > aslant)
      crossed.normal = std::copysign(1 / straight.norm(), straight.dot(old)) * straight;
    double* kept = out.bends.data() + data.memory;
    Vec3::Map(kept) = crossed.place;
    Vec3::Map(kept + 3) = crossed.normal;
  }
}

/// From rows with p held to those of (2).
void RouteRows::share_out(size_t number, const RowsAt& at, RowValues& out) {
  const CrossingGroup& group = groups_[number];
  CrossedGroup& joined = joined_[number];
  const Matrix3 fixed = Matrix3::Identity();
  joined.V_pp.setZero();
  joined.V_pq.setZero();
  joined.drift.setZero();
  add_kinks(joined);
  for (CrossedRun& run : joined.runs) {
    const RouteData& route = routes_[run.route];
    const auto row = static_cast<size_t>(route.runs[run.run].row);
    const RowInfo& info = at.rows[row];
    const Eigen::Map<const Eigen::VectorXd> G(out.G.data() + info.first_entry, joined.P.cols());
    const double paying = run.run == 0 ? at.poses.sample(route.payout, at).rate : 0;
    const double softer =
        paying / (info.parts.empty() ? info.EA : info.parts.front().EA) / info.compliance_at(at, 0);
    joined.V_pp.noalias() += run.slope * run.g * run.g.transpose();
    for (Eigen::Index j = 0; j < G.size(); ++j) joined.V_pq.col(j) -= run.slope * G[j] * run.g;
    joined.drift -= (run.slope * out.rate[row] + run.tension * softer) * run.g;
    for (const CrossedPart& part : run.parts) {
      const Segment& s = segments_[part.segment];
      const auto axes = [&](int node, const StopData& stop) {
        if (stop.crossing >= 0) return &fixed;
        return node < 0 ? nullptr : &at.poses.rotation[static_cast<size_t>(stop.at.body)];
      };
      PartCurvature k;
      segment_curvature(leaving(*part.from, part.stop), grooves_[part.stop + 1], s, run.tension,
                        axes(part.node_a, *part.from), axes(part.node_b, *part.to), k);
      const Eigen::Index a = 3L * part.crossing_a, b = 3L * part.crossing_b;
      if (a >= 0 && part.node_b >= 0)
        joined.V_pq.block<3, 6>(a, 6L * part.node_b) += k.ab.topRows<3>();
      if (b >= 0 && part.node_a >= 0)
        joined.V_pq.block<3, 6>(b, 6L * part.node_a) += k.ab.leftCols<3>().transpose();
      const auto moved = [&](const StopData& stop) {
        return Vec3(run.tension * (across(s) * at.poses.velocity(stop.at)));
      };
      if (a >= 0 && part.to->at.motion >= 0) joined.drift.segment<3>(a) -= moved(*part.to);
      if (b >= 0 && part.from->at.motion >= 0) joined.drift.segment<3>(b) -= moved(*part.from);
    }
  }
  joined.solver.compute(joined.V_pp);
  for (Eigen::Index j = 0; j < joined.P.cols(); ++j)  // all at once allocates
    joined.P.col(j) = joined.solver.solve(joined.V_pq.col(j));
  joined.P *= -1;
  joined.step = joined.solver.solve(joined.drift);
  joined.step *= -1;
  for (size_t c = 0; c < group.crossings.size(); ++c)
    crossed_[static_cast<size_t>(group.crossings[c])].velocity =
        joined.step.segment<3>(3L * static_cast<long>(c));
  for (const CrossedRun& run : joined.runs) {
    const auto row = static_cast<size_t>(routes_[run.route].runs[run.run].row);
    Eigen::Map<Eigen::VectorXd> G(out.G.data() + at.rows[row].first_entry, joined.P.cols());
    for (Eigen::Index j = 0; j < G.size(); ++j) G[j] -= joined.P.col(j).dot(run.g);
    out.rate[row] -= run.g.dot(joined.step);
  }
}

/// By a small motion of all coordinates, or their velocities.
Vec3 RouteRows::moved_crossing(size_t crossing, const double* d) const {
  Vec3 out = Vec3::Zero();
  for (size_t n = 0; n < groups_.size(); ++n) {
    const int at = local_index(groups_[n].crossings, static_cast<int>(crossing));
    if (at < 0) continue;
    for (size_t k = 0; k < groups_[n].nodes.size(); ++k)
      out += joined_[n].P.block<3, 6>(3L * at, 6L * static_cast<long>(k)) *
             Vec6::Map(d + static_cast<long>(node_size) * groups_[n].nodes[k]);
  }
  return out;
}

/// (3)
void RouteRows::add_crossing_curvature(size_t number, const Poses& poses, const double* lambda,
                                       double weight, const MatrixSink& sink) const {
  const CrossingGroup& group = groups_[number];
  const CrossedGroup& joined = joined_[number];
  const Matrix3 fixed = Matrix3::Identity();
  const Eigen::Index nq = joined.P.cols(), np = joined.P.rows();
  Eigen::MatrixXd &S = joined.S, &K = joined.K;
  S.setZero();
  for (const CrossedRun& run : joined.runs) {
    const double w = -weight * lambda[routes_[run.route].runs[run.run].row];  // Phi = L - l
    if (w == 0) continue;
    for (const CrossedPart& part : run.parts) {
      const auto axes = [&](int node, const StopData& stop) {
        if (stop.crossing >= 0) return &fixed;
        return node < 0 ? nullptr : &poses.rotation[static_cast<size_t>(stop.at.body)];
      };
      PartCurvature k;
      segment_curvature(leaving(*part.from, part.stop), grooves_[part.stop + 1],
                        segments_[part.segment], w, axes(part.node_a, *part.from),
                        axes(part.node_b, *part.to), k);
      const auto place = [&](int crossing, int node) {
        return crossing >= 0 ? nq + 3L * crossing : 6L * node;
      };
      const Eigen::Index a = place(part.crossing_a, part.node_a),
                         b = place(part.crossing_b, part.node_b);
      const Eigen::Index na = part.crossing_a >= 0 ? 3 : 6, nb = part.crossing_b >= 0 ? 3 : 6;
      if (a >= 0) S.block(a, a, na, na) += k.aa.topLeftCorner(na, na);
      if (b >= 0) S.block(b, b, nb, nb) += k.bb.topLeftCorner(nb, nb);
      if (a < 0 || b < 0) continue;
      S.block(a, b, na, nb) += k.ab.topLeftCorner(na, nb);
      S.block(b, a, nb, na) += k.ab.topLeftCorner(na, nb).transpose();
    }
  }
  joined.SP = S.rightCols(np).lazyProduct(joined.P);  // these do not allocate
  K = S.topLeftCorner(nq, nq) + joined.SP.topRows(nq);
  for (Eigen::Index i = 0; i < nq; ++i) K.col(i) += joined.SP.row(i).transpose();
  K += joined.P.transpose().lazyProduct(joined.SP.bottomRows(np));
  size_t pair = 0;
  for (size_t i = 0; i < group.nodes.size(); ++i) {
    const Eigen::Index at = 6L * static_cast<long>(i);
    const Block66 own = K.block<6, 6>(at, at);
    add_node_block(sink, group.nodes[i], own.data());
    for (size_t j = i + 1; j < group.nodes.size(); ++j, ++pair) {
      if (joined.pairs[pair] < 0) continue;
      const Block66 coupling = K.block<6, 6>(6L * static_cast<long>(j), at);
      add_pair_block(sink, joined.pairs[pair], coupling.data());
    }
  }
}

std::string RouteRows::crossing_ends(const RouteData& route, size_t stop) const {
  const bool first = route.stops[stop].crossing >= 0;
  const StopData &crossing = route.stops[first ? stop : stop + 1],
                 &other = route.stops[first ? stop + 1 : stop];
  const Vec3& at = crossed_[static_cast<size_t>(crossing.crossing)].place;
  return fmt::format(
      "cable '{}': {} has slid to {}, at [{:.4g}, {:.4g}, {:.4g}]. How massless cables go on there "
      "is not modelled. Move what they lead to, or use `model: np-fem` for both",
      route.name, crossing.name,
      other.crossing >= 0 ? other.name : "its route point '" + other.name + "'", at.x(), at.y(),
      at.z());
}

/// Two cables at a crossing go the same way: they would go through each other there.
std::string RouteRows::winding_crossing() const {
  constexpr double side_by_side = 1e-3;  // [rad]
  for (size_t c = 0; c < crossings_.size(); ++c)
    for (size_t i = 0; i < 2; ++i)
      for (size_t j = 0; j < 2; ++j) {
        const Vec3 a = i == 0 ? Vec3(-crossed_[c].along[0][0]) : crossed_[c].along[0][1],
                   b = j == 0 ? Vec3(-crossed_[c].along[1][0]) : crossed_[c].along[1][1];
        if (!((a - b).norm() < side_by_side)) continue;
        return fmt::format(
            "cables '{}' and '{}' lie side by side where they cross, at [{:.4g}, {:.4g}, {:.4g}]. "
            "How they wind around each other is not modelled. Use `model: np-fem` for both",
            routes_[static_cast<size_t>(crossings_[c].route[0])].name,
            routes_[static_cast<size_t>(crossings_[c].route[1])].name, crossed_[c].place.x(),
            crossed_[c].place.y(), crossed_[c].place.z());
      }
  return {};
}

}  // namespace hawser
