#include "constraints/route_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

Eigen::Map<const Vec3> three(const double* a, int at) { return Eigen::Map<const Vec3>(a + at); }

}  // namespace

Vec3 RouteRows::velocity_of(const StopData& stop, const double* v, const Poses& poses) const {
  if (stop.crossing >= 0) return velocity_of_crossing(static_cast<size_t>(stop.crossing), v);
  if (stop.at.node < 0) return poses.velocity(stop.at);
  Vec3 turning = Vec3(three(v, node_size * stop.at.node + 3)).cross(stop.at.position);
  if (stop.at.body >= 0) turning = poses.rotation[static_cast<size_t>(stop.at.body)] * turning;
  return three(v, node_size * stop.at.node) + turning;
}

RouteRows::RouteRows(std::vector<RouteData> routes, std::vector<CrossingData> crossings,
                     std::vector<CrossingGroup> groups)
    : routes_(std::move(routes)),
      crossings_(std::move(crossings)),
      groups_(std::move(groups)),
      crossed_(crossings_.size()) {
  size_t segments = 0;
  for (const RouteData& route : routes_) {
    first_segment_.push_back(segments);
    segments += route.stops.size() - 1;
  }
  segments_.resize(segments);
  grooves_.resize(segments + routes_.size());
  wound_.resize(grooves_.size());
  leaving_.resize(grooves_.size());
  last_.resize(grooves_.size());
  bent_.resize(grooves_.size());
  join_groups();
}

std::unique_ptr<Constraint> RouteRows::copy(const NodePairs& pairs) const {
  auto out = std::make_unique<RouteRows>(routes_, crossings_, groups_);
  for (size_t n = 0; n < groups_.size(); ++n)
    for (size_t i = 0; i < groups_[n].nodes.size(); ++i)
      for (size_t j = i + 1; j < groups_[n].nodes.size(); ++j)
        out->joined_[n].pairs.push_back(pair_of(pairs, groups_[n].nodes[i], groups_[n].nodes[j]));
  for (const RouteData& route : routes_)
    for (size_t i = 0; i + 1 < route.stops.size(); ++i)
      out->pair_.push_back(pair_of(pairs, route.stops[i].at.node, route.stops[i + 1].at.node));
  return out;
}

void RouteRows::visit_signals(const std::function<void(const Signal&)>& use) const {
  for (const RouteData& route : routes_) use(route.payout), use(route.speed);
}

void RouteRows::start(const RowValues& values, State& s) const {
  for (const RouteData& route : routes_)
    for (size_t r = 0; route.driven && r < route.runs.size(); ++r)
      if (s.activity[static_cast<size_t>(route.runs[r].row)] != 0) {
        const size_t at = static_cast<size_t>(route.first_run) + r;
        s.run_length[at] = values.run_span[at];
      }
}

/// A cable of given speed is as long as its way while it pulls, and keeps what it is given while it
/// is slack.
void RouteRows::keep_length(const RouteData& route, const TakenStep& step, State& s) {
  for (size_t r = 0; r < route.runs.size(); ++r) {
    const int row = route.runs[r].row;
    const size_t at = static_cast<size_t>(route.first_run) + r;
    s.run_length[at] = step.activity[static_cast<size_t>(row)] == 0
                           ? step.values.run_left[at]
                           : step.values.run_span[at] - step.change(row);
  }
}

/// Returns the work of friction at the stops of a route.
double RouteRows::slip(const RouteData& route, const TakenStep& step, State& s) {
  double* length = s.run_length.data() + route.first_run;
  double work = 0;
  Slipped last{0, 0};
  for (size_t r = 0; r + 1 < route.runs.size(); ++r) {
    int& slips = step.activity[step.rows.size() + static_cast<size_t>(route.first_rub) + r];
    last =
        slip_between(step, route.runs[r].row, route.runs[r + 1].row, last.flow, slips, length + r);
    work += last.work;
  }
  return work;
}

double RouteRows::accept(const TakenStep& step, State& s) const {
  double work = 0;
  for (size_t i = 0; i < routes_.size(); ++i) {
    const RouteData& route = routes_[i];
    if (route.twist_row >= 0) s.twist[i] = step.values.twist[i] + step.change(route.twist_row);
    if (route.driven) keep_length(route, step, s);
    for (const StopData& stop : route.stops)
      if (stop.bend.any())
        std::copy_n(step.values.bends.begin() + stop.bend.memory, BendData::remembered,
                    s.bends.begin() + stop.bend.memory);
    work += slip(route, step, s);
  }
  for (const CrossingData& crossing : crossings_)
    std::copy_n(step.values.bends.begin() + crossing.memory, CrossingData::remembered,
                s.bends.begin() + crossing.memory);
  return work;
}

void RouteRows::lay(const StopData& stop, const double* q, const Poses& poses, double angle,
                    Groove& g, Groove::Wound& wound) {
  g.radius = stop.radius;
  if (stop.at.node < 0) {
    g.center = stop.at.position;
    g.arm.setZero();
    if (stop.at.motion >= 0) g.center += poses.displacement(stop.at);
  } else {
    g.arm.noalias() = poses.rotation[static_cast<size_t>(stop.at.body)] * stop.at.position;
    g.center = three(q, node_size * stop.at.node) + g.arm;
  }
  if (!(stop.radius > 0)) return;
  const Matrix3 R = poses.axes(stop.at);
  g.e1 = R * stop.e1;
  g.e2 = R * stop.e2;
  g.axis = R * stop.axis;
  g.wound = nullptr;
  if (!stop.drum.winding) return;
  const double held = stop.drum.start - q[stop.drum.coordinate];
  const Winding::At on = stop.drum.winding->at(held + stop.sense * angle);
  // Along the groove's axis, which is that of the winch where the cable starts.
  const Vec3 shift = stop.sense * on.shift * g.axis;
  g.center += shift;
  if (stop.at.node >= 0) g.arm += shift;
  g.radius = on.radius;
  wound = {on.length - stop.drum.winding->length(held), on.rate, on.radius_slope,
           stop.sense * on.shift_slope};
  g.wound = &wound;
}

/// The straight part at a drum, whose radius and place depend on the angle at which the cable
/// leaves or reaches it: little, so that a few rounds settle it.
bool RouteRows::span_drum(const StopData& from, const StopData& to, const RowsAt& at,
                          size_t segment, size_t first) {
  constexpr int most_rounds = 50;
  constexpr double settled = 1e-14;
  Segment& s = segments_[segment];
  double leave = from.wrap >= 0 ? at.state.wrap[static_cast<size_t>(from.wrap + 1)] : 0;
  double reach = to.wrap >= 0 ? at.state.wrap[static_cast<size_t>(to.wrap)] : 0;
  for (int round = 0; round < most_rounds; ++round) {
    if (!from.bend.any()) lay(from, at.q, at.poses, leave, grooves_[first], wound_[first]);
    if (!to.bend.any()) lay(to, at.q, at.poses, reach, grooves_[first + 1], wound_[first + 1]);
    if (span_segment(leaving(from, first), grooves_[first + 1], leave, reach, s) !=
        SegmentStatus::ok)
      return false;
    const double change = std::abs(s.leave - leave) + std::abs(s.reach - reach);
    leave = s.leave;
    reach = s.reach;
    if (change <= settled * (1 + std::abs(leave) + std::abs(reach))) break;
  }
  return true;
}

/// Two stops of a route leave no room for the cable between them.
std::string RouteRows::met(const RouteData& route, size_t stop) const {
  if (route.stops[stop].crossing >= 0 || route.stops[stop + 1].crossing >= 0)
    return crossing_ends(route, stop);
  const bool reeled = route.driven || !route.payout.is_constant() ||
                      route.stops.front().drum.winding || route.stops.back().drum.winding;
  return fmt::format(
      "cable '{}': route points {} and {}, '{}' and '{}', have come together and leave no cable "
      "between them. {}",
      route.name, stop + 1, stop + 2, route.stops[stop].name, route.stops[stop + 1].name,
      reeled ? "Reel in less, or stop the winch earlier"
             : "Keep them apart, for example by a `distance` joint with `travel_limits`");
}

std::string RouteRows::ending(const double* /*q*/, const double* v, double h,
                              const Poses& poses) const {
  for (size_t n = 0; n < routes_.size(); ++n) {
    const RouteData& route = routes_[n];
    if (route.cut) continue;
    Vec3 next = velocity_of(route.stops[0], v, poses);
    for (size_t i = 0; i + 1 < route.stops.size(); ++i) {
      const Segment& s = segments_[first_segment_[n] + i];
      const Vec3 own = next;
      next = velocity_of(route.stops[i + 1], v, poses);
      const Vec3 apart = next - own;
      const bool crosses = route.stops[i].crossing >= 0 || route.stops[i + 1].crossing >= 0;
      const double steps = crosses ? 2 : 1;  // a crossing comes to an end faster and faster
      if (!(s.straight + steps * h * s.tangent.dot(apart) > 0)) return met(route, i);
      if (!route.stops[i].bend.any()) continue;
      if (std::string off = off_end(route, first_segment_[n] + n + i, route.stops[i]); !off.empty())
        return off;
    }
  }
  return winding_crossing();
}

bool RouteRows::settle_all(const RowsAt& at, RowValues& out) {
  for (size_t n = 0; n < groups_.size(); ++n)
    if (!settle(n, at, out)) return false;
  if (!crossings_.empty()) note_sides(at, out);
  return true;
}

bool RouteRows::evaluate(const RowsAt& at, RowValues& out) {
  if (!settle_all(at, out)) return false;
  for (size_t i = 0; i < routes_.size(); ++i) {
    if (routes_[i].cut) {
      evaluate_cut(i, at, out);
      continue;
    }
    if (!evaluate_route(i, at, out)) return false;
    if (routes_[i].twist_row >= 0) evaluate_twist(i, at, out);
  }
  for (size_t n = 0; n < groups_.size(); ++n) share_out(n, at, out);
  return true;
}

bool RouteRows::span_all(const RowsAt& at, RowValues& out) {
  if (!settle_all(at, out)) return false;
  for (size_t i = 0; i < routes_.size(); ++i)
    if (!span_route(i, at, out)) return false;
  return true;
}

/// The straight parts of a route, and the angles at its pulleys; false when one cannot be spanned.
bool RouteRows::span_route(size_t number, const RowsAt& at, RowValues& out) {
  const RouteData& route = routes_[number];
  const size_t first = first_segment_[number] + number;
  for (size_t i = 0; i < route.stops.size(); ++i) {
    if (const int crossing = route.stops[i].crossing; crossing >= 0) {
      grooves_[first + i] = {};
      grooves_[first + i].center = crossed_[static_cast<size_t>(crossing)].place;
      continue;
    }
    lay(route.stops[i], at.q, at.poses, 0, grooves_[first + i], wound_[first + i]);
    if (route.stops[i].bend.any()) lay_bend(route.stops[i], first + i, at);
  }
  return route.bends ? span_bent(number, at, out) : span_segments(number, at, out);
}

bool RouteRows::span_segments(size_t number, const RowsAt& at, RowValues& out) {
  const RouteData& route = routes_[number];
  const size_t first = first_segment_[number] + number;
  for (size_t i = 0; i + 1 < route.stops.size(); ++i) {
    const StopData &from = route.stops[i], &to = route.stops[i + 1];
    Segment& s = segments_[first_segment_[number] + i];
    const double leave = from.wrap >= 0 ? at.state.wrap[static_cast<size_t>(from.wrap + 1)] : 0;
    const double reach = to.wrap >= 0 ? at.state.wrap[static_cast<size_t>(to.wrap)] : 0;
    const bool drum = from.drum.winding || to.drum.winding;
    if (drum ? !span_drum(from, to, at, first_segment_[number] + i, first + i)
             : span_segment(leaving(from, first + i), grooves_[first + i + 1], leave, reach, s) !=
                   SegmentStatus::ok) {
      out.fault = met(route, i);
      return false;
    }
    if (from.wrap >= 0) out.wrap[static_cast<size_t>(from.wrap + 1)] = s.leave;
    if (to.wrap >= 0) out.wrap[static_cast<size_t>(to.wrap)] = s.reach;
  }
  return true;
}

/// The centre of a bend, and as a first guess both its ends in the middle of where it was.
void RouteRows::lay_bend(const StopData& stop, size_t at, const RowsAt& state) {
  Bent& bent = bent_[at];
  Groove &in = grooves_[at], &out = leaving_[at];
  bent.axes = state.poses.axes(stop.at);
  const Vec3 arm = bent.axes * stop.bend.centre;
  bent.centre = in.center + arm;
  bent.offset = in.arm + (stop.at.node < 0 ? Vec3(Vec3::Zero()) : arm);
  in.radius = out.radius = 0;
  in.wound = out.wound = nullptr;
  bent.held = stop.at.node >= 0;
  const Eigen::Map<const Vec3> middle(state.state.bends.data() + stop.bend.memory);
  move_bend(at, middle, middle);
}

/// `in`, `out`: from the centre, in axes of the shape.
void RouteRows::move_bend(size_t at, const Vec3& in, const Vec3& out) {
  const Bent& bent = bent_[at];
  const Vec3 reach = bent.axes * in, leave = bent.axes * out;
  grooves_[at].center = bent.centre + reach;
  leaving_[at].center = bent.centre + leave;
  grooves_[at].arm = bent.held ? Vec3(bent.offset + reach) : Vec3(Vec3::Zero());
  leaving_[at].arm = bent.held ? Vec3(bent.offset + leave) : Vec3(Vec3::Zero());
}

/// Every bend of a route between where its neighbours are now; `change`: how far they moved [m].
bool RouteRows::bend_all(size_t number, const RowsAt& at, double& change) {
  const RouteData& route = routes_[number];
  const size_t first = first_segment_[number] + number;
  change = 0;
  for (size_t i = 1; i + 1 < route.stops.size(); ++i) {
    const StopData& stop = route.stops[i];
    if (!stop.bend.any()) continue;
    Bent& bent = bent_[first + i];
    const Segment *before = segments_.data() + first_segment_[number] + i - 1, *after = before + 1;
    const auto local = [&](const Vec3& x) {
      return Vec3(bent.axes.transpose() * (x - bent.centre));
    };
    const Vec3 a = local(route.stops[i - 1].bend.any() ? leaving_[first + i - 1].center
                                                       : before->from),
               b = local(route.stops[i + 1].bend.any() ? grooves_[first + i + 1].center
                                                       : after->to);
    const Vec3 in = grooves_[first + i].center, out = leaving_[first + i].center;
    if (!bend_between(stop.bend, a, b, at.state.bends.data() + stop.bend.memory, bent.bend))
      return false;
    if (!std::isfinite(bent.bend.length)) return false;
    move_bend(first + i, bent.bend.in, bent.bend.out);
    change = std::max({change, (grooves_[first + i].center - in).norm(),
                       (leaving_[first + i].center - out).norm()});
  }
  return true;
}

/// A route that lies on shapes: each bend by turns, until none moves. What bends share of each
/// other's way makes this slow where they are close together; then the rest of the way, which
/// shrinks by the same factor every time, is taken at once.
bool RouteRows::span_bent(size_t number, const RowsAt& at, RowValues& out) {
  constexpr int most_rounds = 1000, between_leaps = 8;
  constexpr double settled = 1e-13;
  const RouteData& route = routes_[number];
  const size_t first = first_segment_[number] + number, stops = route.stops.size();
  double change = HUGE_VAL, before = HUGE_VAL, scale = 0;
  for (size_t i = 0; i < stops; ++i) scale = std::max(scale, grooves_[first + i].center.norm());
  for (int round = 0; round < most_rounds; ++round) {
    if (!span_segments(number, at, out)) return false;
    if (change <= settled * (1 + scale)) break;
    const bool leaps = round % between_leaps == between_leaps - 1;
    for (size_t i = 0; leaps && i < stops; ++i)
      last_[first + i] = {grooves_[first + i].center, leaving_[first + i].center};
    before = change;
    if (!bend_all(number, at, change)) {
      out.fault = fmt::format(
          "cable '{}': one of its route points has come into a shape that it lies on, or the shape "
          "into it. Keep them apart",
          route.name);
      return false;
    }
    const double rate = change / before;
    if (!leaps || !(rate > 0.1 && rate < 0.995)) continue;
    for (size_t i = 1; i + 1 < stops; ++i) {
      if (!route.stops[i].bend.any()) continue;
      const Bent& bent = bent_[first + i];
      const auto ahead = [&](const Vec3& was, const Vec3& is) {
        return Vec3(bent.axes.transpose() * (is + (is - was) * rate / (1 - rate) - bent.centre));
      };
      move_bend(first + i, ahead(last_[first + i][0], grooves_[first + i].center),
                ahead(last_[first + i][1], leaving_[first + i].center));
    }
  }
  for (size_t i = 0; i < stops; ++i) {
    const BendData& on = route.stops[i].bend;
    if (!on.any()) continue;
    double* kept = out.bends.data() + on.memory;
    Vec3::Map(kept) = bent_[first + i].bend.point(0.5);
    kept[3] = bent_[first + i].bend.angle;
  }
  return true;
}

/// The cable has slid beyond the end of what it lies on; empty: it has not.
std::string RouteRows::off_end(const RouteData& route, size_t at, const StopData& stop) const {
  constexpr double least = 1e-6;  // [rad]
  if (!stop.bend.any() || bent_[at].bend.angle < least ||
      !(beyond_end(stop.bend, bent_[at].bend) > 0))
    return {};
  return fmt::format(
      "cable '{}' slides over the end of the part of '{}' that it lies on, at [{:.4g}, {:.4g}, "
      "{:.4g}]: a corner, a rim or the round end of a capsule. How a massless cable goes on there "
      "is not modelled. Use a longer shape, a sphere, or `model: np-fem`",
      route.name, stop.name, grooves_[at].center.x(), grooves_[at].center.y(),
      grooves_[at].center.z());
}

/// G of a run; returns its length l, and by `drift` the rate of l by the motion of the ground.
double RouteRows::evaluate_run(size_t number, const RunData& run, const RowsAt& at, double& drift,
                               RowValues& out) const {
  const RouteData& route = routes_[number];
  const Segment* segments = segments_.data() + first_segment_[number];
  const RowInfo& info = at.rows[static_cast<size_t>(run.row)];
  double* g = out.G.data() + info.first_entry;
  std::fill_n(g, info.coordinates.size(), 0.0);
  double length = 0;
  drift = 0;
  for (int i = run.first_stop; i <= run.last_stop; ++i) {  // what arrives, then what leaves
    const StopData& stop = route.stops[static_cast<size_t>(i)];
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    if (stop.drum.winding)
      g[stop.drum_slot] -= i == 0 ? segments[0].turn_a : segments[i - 1].turn_b;
    if (i > run.first_stop) {
      force += segments[i - 1].force_b;
      torque += segments[i - 1].torque_b;
    }
    if (i < run.last_stop) {
      length += segments[i].length;
      if (stop.bend.any()) length += bent(number, static_cast<size_t>(i)).bend.length;
      force += segments[i].force_a;
      torque += segments[i].torque_a;
    }
    if (stop.at.motion >= 0) drift += force.dot(at.poses.velocity(stop.at));
    if (stop.at.node < 0) continue;
    double* to = g + stop.slot;
    Eigen::Map<Vec3>(to) -= force;
    Eigen::Map<Vec3>(to + 3) -=
        at.poses.rotation[static_cast<size_t>(stop.at.body)].transpose() * torque;
  }
  return length;
}

/// Rows that never act. Where the cable would be is still known, if there is a way for it.
void RouteRows::evaluate_cut(size_t number, const RowsAt& at, RowValues& out) {
  if (!span_route(number, at, out)) out.fault.clear();
  constexpr double far_from_taut = 1e6;  // [m]
  const RouteData& route = routes_[number];
  const auto clear = [&](int row) {
    const RowInfo& info = at.rows[static_cast<size_t>(row)];
    std::fill_n(out.G.data() + info.first_entry, info.coordinates.size(), 0.0);
    out.phi[static_cast<size_t>(row)] = out.rate[static_cast<size_t>(row)] = 0;
  };
  for (size_t r = 0; r < route.runs.size(); ++r) {
    const size_t i = static_cast<size_t>(route.first_run) + r;
    clear(route.runs[r].row);
    out.phi[static_cast<size_t>(route.runs[r].row)] = far_from_taut;
    out.run_left[i] = out.run_span[i] = at.state.run_length[i];
  }
  if (route.twist_row >= 0) clear(route.twist_row);
  out.twist[number] = at.state.twist[number];
}

bool RouteRows::evaluate_route(size_t number, const RowsAt& at, RowValues& out) {
  if (!span_route(number, at, out)) return false;
  const RouteData& route = routes_[number];
  const Signal::Sample paid = at.poses.sample(route.payout, at);
  for (size_t r = 0; r < route.runs.size(); ++r) {
    const RunData& run = route.runs[r];
    const size_t i = static_cast<size_t>(route.first_run) + r, row = static_cast<size_t>(run.row);
    const bool velocity = at.rows[row].velocity;
    double drift = 0;
    const double length = evaluate_run(number, run, at, drift, out);
    out.run_span[i] = length;
    const double paid_out = r == 0 ? paid.value : 0, paying = r == 0 ? paid.rate : 0;
    const double off = out.off_drums[row] = at.rows[row].off_drums(at.q);
    double left = at.state.run_length[i] + paid_out + off;
    if (velocity)
      left += (at.t - at.state.t) *
              (route.speed.at(at.state.now()).value + route.speed.at(at).value) / 2;
    out.run_left[i] = left;
    if (!velocity && (r == 0 || !at.rows[row].drums.empty()) && !(left > 0)) {
      out.fault = fmt::format(
          "cable '{}' is fully reeled in: its payout of {:.6g} m leaves {:.3g} m of it. Reel in "
          "less",
          route.name, paid_out + off, left);
      return false;
    }
    out.phi[row] = left - length;
    out.rate[row] = (velocity ? at.poses.sample(route.speed, at).value : paying) - drift;
  }
  if (route.runs.size() > 1) find_wraps(number, out);
  return true;
}

/// The angle over which the cable lies on each stop between runs.
void RouteRows::find_wraps(size_t number, RowValues& out) const {
  const RouteData& route = routes_[number];
  const Segment* segments = segments_.data() + first_segment_[number];
  for (size_t r = 0; r + 1 < route.runs.size(); ++r) {
    const int stop = route.runs[r].last_stop;
    const Segment &in = segments[stop - 1], &leaving = segments[stop];
    out.wrap_angle[static_cast<size_t>(route.first_rub) + r] =
        route.stops[static_cast<size_t>(stop)].radius > 0
            ? std::max(0.0, leaving.leave - in.reach)
            : std::atan2(in.tangent.cross(leaving.tangent).norm(), in.tangent.dot(leaving.tangent));
  }
}

void RouteRows::evaluate_twist(size_t number, const RowsAt& at, RowValues& out) const {
  const RouteData& route = routes_[number];
  const auto row = static_cast<size_t>(route.twist_row);
  const RowInfo& info = at.rows[row];
  double* g = out.G.data() + info.first_entry;
  std::fill_n(g, info.coordinates.size(), 0.0);
  double twist = at.state.twist[number];
  const auto end = [&](const StopData& stop, const Vec3& direction) {
    if (stop.at.node < 0) return;
    const Vec3 axis = at.poses.rotation[static_cast<size_t>(stop.at.body)].transpose() * direction;
    twist += axis.dot(three(at.q, node_size * stop.at.node + 3));
    Eigen::Map<Vec3>(g + stop.slot + 3) += axis;
  };
  for (size_t i = 0; i + 1 < route.stops.size(); ++i) {
    const Vec3& tangent = segments_[first_segment_[number] + i].tangent;
    end(route.stops[i], -tangent);
    end(route.stops[i + 1], tangent);
  }
  out.twist[number] = twist;
  out.phi[row] = twist;
  out.rate[row] = 0;
}

double RouteRows::turned(const double* d) const {
  double most = 0;  // square of the largest angle
  for (size_t n = 0; n < routes_.size(); ++n) {
    const RouteData& route = routes_[n];
    if (route.cut) continue;
    const auto motion = [&](const StopData& stop) {
      if (stop.crossing >= 0) return moved_crossing(static_cast<size_t>(stop.crossing), d);
      return stop.at.node < 0 ? Vec3(Vec3::Zero()) : Vec3(three(d, node_size * stop.at.node));
    };
    Vec3 next = motion(route.stops[0]);
    for (size_t i = 0; i + 1 < route.stops.size(); ++i) {
      const Vec3 own = next;
      next = motion(route.stops[i + 1]);
      const Segment& s = segments_[first_segment_[n] + i];
      const Vec3 apart = next - own, across = apart - apart.dot(s.tangent) * s.tangent;
      most = std::max(most, across.squaredNorm() / (s.straight * s.straight));
    }
  }
  return std::sqrt(most);
}

/// All runs one after the other.
double RouteRows::reach(double force) const {
  double sum = 0;
  for (const RouteData& route : routes_)
    for (const RunData& run : route.runs) sum += run.free_length + run.compliance * force;
  return sum;
}

/// d2 l/d theta^2 = d2 s/dW2, where a layer goes over to the next.
void RouteRows::add_drum_curvature(const RouteData& route, const RunData& run, const double* q,
                                   double w, const MatrixSink& sink) {
  for (const int i : {run.first_stop, run.last_stop}) {
    const WoundOn& drum = route.stops[static_cast<size_t>(i)].drum;
    if (!drum.winding) continue;
    const double bend = w * drum.winding->at(drum.start - q[drum.coordinate]).rate_slope;
    if (bend == 0) continue;
    double block[node_size * node_size] = {bend};
    add_node_block(sink, drum.coordinate / node_size, block);
  }
}

void RouteRows::add_curvature(const double* q, const Poses& poses, const double* lambda,
                              double weight, const MatrixSink& sink) const {
  const auto axes = [&](const StopData& stop) {
    return stop.at.body < 0 ? nullptr : &poses.rotation[static_cast<size_t>(stop.at.body)];
  };
  const auto at_crossing = [&](size_t n, size_t stop) {
    return routes_[n].stops[stop].crossing >= 0 || routes_[n].stops[stop + 1].crossing >= 0;
  };
  for (size_t n = 0; n < routes_.size(); ++n)
    for (const RunData& run : routes_[n].runs) {
      const double w = -weight * lambda[run.row];  // Phi = L - l
      if (w == 0) continue;
      add_drum_curvature(routes_[n], run, q, w, sink);
      PartCurvature k;
      for (int i = run.first_stop; i < run.last_stop; ++i) {
        const auto stop = static_cast<size_t>(i), at = first_segment_[n] + stop;
        if (at_crossing(n, stop)) continue;
        const StopData &from = routes_[n].stops[stop], &to = routes_[n].stops[stop + 1];
        segment_curvature(leaving(from, at + n), grooves_[at + n + 1], segments_[at], w, axes(from),
                          axes(to), k);
        const int a = from.at.node, b = to.at.node;
        Block66 after;
        const bool goes_on = b >= 0 && i + 1 < run.last_stop &&
                             !at_crossing(n, stop + 1);  // the next segment adds to it
        if (goes_on) {
          after = k.bb;
          k.bb.setZero();
        }
        if (a >= 0 || !goes_on) add_blocks(a, b, pair_[at], k, sink);
        if (a >= 0) k.aa.setZero();
        if (a >= 0 && b >= 0) k.ab.setZero();
        if (goes_on) k.aa = after;
      }
    }
  for (size_t n = 0; n < groups_.size(); ++n)
    add_crossing_curvature(n, poses, lambda, weight, sink);
}

}  // namespace hawser
