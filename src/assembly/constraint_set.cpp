#include "assembly/constraint_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/rotation.h"

namespace hawser {
namespace {

Eigen::Map<const Vec3> vec(const double* a, int at) { return Eigen::Map<const Vec3>(a + at); }

/// The angle that differs from `angle` by whole turns and is nearest to `hint`.
double nearest_turn(double angle, double hint) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((hint - angle) / turn);
}

}  // namespace

void find_rotations(const ModelData& model, const double* q, const std::vector<double>& orientation,
                    std::vector<Matrix3>& out) {
  const auto& bodies = model.mechanism.bodies;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const double* o = orientation.data() + 4 * i;
    const Vec3 theta = vec(q, node_size * bodies[i].node + 3);
    out[i] = (Eigen::Quaterniond(o[0], o[1], o[2], o[3]) * turn_by(theta)).toRotationMatrix();
  }
}

ConstraintSet::ConstraintSet(const ModelData& model) : model_(model) {
  const Mechanism& m = model.mechanism;
  phi.assign(m.rows.size(), 0);
  rate = phi;
  G.assign(static_cast<size_t>(m.entries), 0);
  rotation.assign(m.bodies.size(), Matrix3::Identity());
  wrap = m.wrap;
  twist.assign(m.routes.size(), 0);
  run_span = run_left = m.run_length;
  wrap_angle.assign(static_cast<size_t>(m.rubs), 0);
  ground_.resize(m.motions.size());
  turns_.resize(m.turns.size());
  size_t most_stops = 0;
  for (const RouteData& route : m.routes) most_stops = std::max(most_stops, route.stops.size());
  grooves_.resize(most_stops);
  for (const PartRow& p : m.parts) part_pair_.push_back(pair(p.pa.node, p.pb.node));
  for (const RouteData& route : m.routes) {
    first_segment_.push_back(segments_.size());
    for (size_t i = 0; i + 1 < route.stops.size(); ++i) {
      segments_.emplace_back();
      segment_pair_.push_back(pair(route.stops[i].at.node, route.stops[i + 1].at.node));
    }
  }
}

int ConstraintSet::pair(int a, int b) const {
  const auto& pairs = model_.structure.pairs;
  const auto at = std::find(pairs.begin(), pairs.end(), std::pair(std::min(a, b), std::max(a, b)));
  return at == pairs.end() ? -1 : static_cast<int>(at - pairs.begin());
}

Operand ConstraintSet::point(const PointOn& at, const double* q) const {
  Operand out;
  if (at.node < 0) {
    out.value = at.position;
    if (at.motion >= 0) out.value += ground_[static_cast<size_t>(at.motion)].displacement;
    return out;
  }
  out.value = vec(q, node_size * at.node);
  out.gradient.leftCols<3>().setIdentity();
  if (at.body < 0) return out;
  out.rotation = rotation[static_cast<size_t>(at.body)];
  out.arm = at.position;
  out.value += out.rotation * at.position;
  out.gradient.rightCols<3>() = -out.rotation * skew(at.position);
  return out;
}

Operand ConstraintSet::direction(const DirectionOn& at, const double* q) const {
  Operand out;
  out.value = at.vector;
  if (at.turn >= 0) out.value = turns_[static_cast<size_t>(at.turn)].rotation * at.vector;
  if (at.node < 0) return out;
  if (at.body < 0) {
    out.value = vec(q, node_size * at.node + 3);
    out.gradient.rightCols<3>().setIdentity();
    return out;
  }
  out.rotation = rotation[static_cast<size_t>(at.body)];
  out.arm = at.vector;
  out.value = out.rotation * at.vector;
  out.gradient.rightCols<3>() = -out.rotation * skew(at.vector);
  return out;
}

Signal::Sample ConstraintSet::sample(const Signal& signal, double t) const {
  Signal::Sample s = signal.at(t);
  if (ahead_ == 0) return s;
  s.value += ahead_ * (s.rate + ahead_ / 2 * s.acceleration);
  s.rate += ahead_ * s.acceleration;
  return s;
}

bool ConstraintSet::evaluate(const double* q, double t, const State& state, double ahead) {
  const Mechanism& m = model_.mechanism;
  fault.clear();
  ahead_ = ahead;
  find_rotations(model_, q, state.orientation, rotation);
  for (size_t i = 0; i < m.motions.size(); ++i)
    for (size_t k = 0; k < 3; ++k) {
      const Signal::Sample s = sample(m.motions[i][k], t);
      ground_[i].displacement[static_cast<Eigen::Index>(k)] = s.value;
      ground_[i].velocity[static_cast<Eigen::Index>(k)] = s.rate;
    }
  for (size_t i = 0; i < m.turns.size(); ++i) {
    const Signal::Sample angle = m.turns[i].angle.at(t);
    turns_[i].rotation = Eigen::AngleAxisd(angle.value, m.turns[i].axis).toRotationMatrix();
    turns_[i].rate = angle.rate * m.turns[i].axis;
  }
  for (const AngleData& angle : m.angles) evaluate_angle(angle, q, state);
  for (const PartRow& part : m.parts) evaluate_part(part, q, t);
  for (size_t i = 0; i < m.routes.size(); ++i) {
    if (!evaluate_route(m.routes[i], q, t, state)) return false;
    if (m.routes[i].twist_row >= 0) evaluate_twist(i, m.routes[i], q, state);
  }
  return true;
}

void ConstraintSet::add_to_row(int row, int node, const Vec3& force, const Vec3& torque) {
  const RowInfo& info = model_.mechanism.rows[static_cast<size_t>(row)];
  const auto at = std::lower_bound(info.nodes.begin(), info.nodes.end(), node);
  double* g = G.data() + info.first_entry + node_size * (at - info.nodes.begin());
  for (int k = 0; k < 3; ++k) {
    g[k] += force[k];
    g[3 + k] += torque[k];
  }
}

/// What the body of a direction turns about that direction by a rotation vector in d.
static double turned_about(const DirectionOn& axis, const double* d) {
  return axis.body < 0 ? 0 : axis.vector.dot(vec(d, node_size * axis.node + 3));
}

/// The turns of the step so far say which of the whole turns it is, however far the bodies turn in
/// a step.
void ConstraintSet::evaluate_angle(const AngleData& angle, const double* q, const State& state) {
  const Vec3 z = direction(angle.axis, q).value, x = direction(angle.xa, q).value,
             now = direction(angle.xb, q).value;
  const auto at = static_cast<size_t>(angle.wrap);
  const double hint = state.wrap[at] + turned_about(angle.axis_b, q) - turned_about(angle.axis, q);
  wrap[at] = nearest_turn(std::atan2(now.dot(z.cross(x)), now.dot(x)), hint);
}

void ConstraintSet::turn_angles(const double* d, std::vector<double>& wrap_of) const {
  for (const AngleData& angle : model_.mechanism.angles)
    wrap_of[static_cast<size_t>(angle.wrap)] +=
        turned_about(angle.axis_b, d) - turned_about(angle.axis, d);
}

void ConstraintSet::evaluate_part(const PartRow& part, const double* q, double t) {
  const RowInfo& info = model_.mechanism.rows[static_cast<size_t>(part.row)];
  PartResult r;
  double moved = 0;  // rate of the part by the motion of the ground and turns of the world
  const auto velocity = [this](const PointOn& p) {
    return p.motion >= 0 ? ground_[static_cast<size_t>(p.motion)].velocity : Vec3(Vec3::Zero());
  };
  if (part.kind == PartRow::Kind::dot) {
    const Operand u = direction(part.u, q), w = direction(part.w, q);
    r = dot(u, w);
    if (part.u.turn >= 0)
      moved = turns_[static_cast<size_t>(part.u.turn)].rate.cross(u.value).dot(w.value);
  } else if (part.kind == PartRow::Kind::angle) {
    const AngleData& angle = model_.mechanism.angles[static_cast<size_t>(part.angle)];
    const Vec3 z = direction(angle.axis, q).value;
    r.value = wrap[static_cast<size_t>(angle.wrap)];
    // Both ends of the axis stay together: turns about it count, others are held.
    if (part.pa.node >= 0)
      r.a.tail<3>() = -rotation[static_cast<size_t>(part.pa.body)].transpose() * z;
    if (part.pb.node >= 0)
      r.b.tail<3>() = rotation[static_cast<size_t>(part.pb.body)].transpose() * z;
  } else {
    const Operand pa = point(part.pa, q), pb = point(part.pb, q);
    const Vec3 drift = velocity(part.pb) - velocity(part.pa);
    if (part.kind == PartRow::Kind::along) {
      const Operand n = direction(part.u, q);
      r = along(n, pa, pb);
      moved = n.value.dot(drift);
    } else {
      r = distance(pa, pb);
      moved = (pb.value - pa.value).normalized().dot(drift);
    }
  }
  const Signal::Sample value = sample(part.value, t);
  const auto row = static_cast<size_t>(part.row);
  phi[row] = part.sign * (r.value - value.value);
  rate[row] = part.sign * (moved - (info.velocity ? value.value : value.rate));
  double* g = G.data() + info.first_entry;
  for (const int node : info.nodes) {
    const Vec6& block = node == part.pa.node ? r.a : r.b;
    for (int k = 0; k < node_size; ++k) *g++ = part.sign * block[k];
  }
}

void ConstraintSet::lay(const StopData& stop, const double* q, Groove& g) const {
  g.radius = stop.radius;
  if (stop.at.node < 0) {
    g.center = stop.at.position;
    g.arm.setZero();
    if (stop.at.motion >= 0) g.center += ground_[static_cast<size_t>(stop.at.motion)].displacement;
  } else {
    g.arm.noalias() = rotation[static_cast<size_t>(stop.at.body)] * stop.at.position;
    g.center = vec(q, node_size * stop.at.node) + g.arm;
  }
  if (!(stop.radius > 0)) return;
  const Matrix3 R = stop.at.body >= 0 ? rotation[static_cast<size_t>(stop.at.body)]
                                      : Matrix3(Matrix3::Identity());
  g.e1 = R * stop.e1;
  g.e2 = R * stop.e2;
  g.axis = R * stop.axis;
}

/// Two stops of a route leave no room for the cable between them.
void ConstraintSet::say_met(const RouteData& route, size_t stop) {
  const Cable& cable = model_.scene.cables[static_cast<size_t>(route.cable)];
  const bool reeled = route.driven || !route.payout.is_constant();
  fault = fmt::format(
      "cable '{}': stops {} and {} of its route, '{}' and '{}', have come together and leave no "
      "cable between them. {}",
      cable.name, stop + 1, stop + 2, cable.contacts[stop].frame, cable.contacts[stop + 1].frame,
      reeled ? "Reel in less, or stop the winch earlier"
             : "Keep them apart, by a `distance` joint with `travel_limits` for one");
}

Vec3 ConstraintSet::velocity_of(const StopData& stop, const double* v) const {
  if (stop.at.node < 0)
    return stop.at.motion >= 0 ? ground_[static_cast<size_t>(stop.at.motion)].velocity
                               : Vec3(Vec3::Zero());
  const Vec3 spin = vec(v, node_size * stop.at.node + 3);
  return vec(v, node_size * stop.at.node) +
         rotation[static_cast<size_t>(stop.at.body)] * spin.cross(stop.at.position);
}

bool ConstraintSet::meeting(const double* v, double h) {
  const auto& routes = model_.mechanism.routes;
  for (size_t n = 0; n < routes.size(); ++n) {
    const RouteData& route = routes[n];
    for (size_t i = 0; i + 1 < route.stops.size(); ++i) {
      const Segment& s = segments_[first_segment_[n] + i];
      const Vec3 apart = velocity_of(route.stops[i + 1], v) - velocity_of(route.stops[i], v);
      if (s.straight + h * s.tangent.dot(apart) > 0) continue;
      say_met(route, i);
      return true;
    }
  }
  return false;
}

/// The straight parts of a route, and the angles at its pulleys; false when one cannot be spanned.
bool ConstraintSet::span_route(const RouteData& route, Segment* segments, const double* q,
                               const State& state) {
  for (size_t i = 0; i < route.stops.size(); ++i) lay(route.stops[i], q, grooves_[i]);
  for (size_t i = 0; i + 1 < route.stops.size(); ++i) {
    const StopData &from = route.stops[i], &to = route.stops[i + 1];
    Segment& s = segments[i];
    const double leave = from.wrap >= 0 ? state.wrap[static_cast<size_t>(from.wrap + 1)] : 0;
    const double reach = to.wrap >= 0 ? state.wrap[static_cast<size_t>(to.wrap)] : 0;
    if (span_segment(grooves_[i], grooves_[i + 1], leave, reach, s) != SegmentStatus::ok) {
      say_met(route, i);
      return false;
    }
    if (from.wrap >= 0) wrap[static_cast<size_t>(from.wrap + 1)] = s.leave;
    if (to.wrap >= 0) wrap[static_cast<size_t>(to.wrap)] = s.reach;
  }
  return true;
}

bool ConstraintSet::evaluate_route(const RouteData& route, const double* q, double t,
                                   const State& state) {
  const size_t number = static_cast<size_t>(&route - model_.mechanism.routes.data());
  Segment* segments = segments_.data() + first_segment_[number];
  if (!span_route(route, segments, q, state)) return false;
  const Signal::Sample paid = sample(route.payout, t);
  for (size_t r = 0; r < route.runs.size(); ++r) {
    const RunData& run = route.runs[r];
    const RowInfo& info = model_.mechanism.rows[static_cast<size_t>(run.row)];
    const size_t at = static_cast<size_t>(route.first_run) + r, row = static_cast<size_t>(run.row);
    double* g = G.data() + info.first_entry;
    std::fill_n(g, node_size * static_cast<int>(info.nodes.size()), 0.0);
    double length = 0, drift = 0;
    for (int i = run.first_stop; i <= run.last_stop; ++i) {  // what arrives, then what leaves
      const StopData& stop = route.stops[static_cast<size_t>(i)];
      Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
      if (i > run.first_stop) {
        force += segments[i - 1].force_b;
        torque += segments[i - 1].torque_b;
      }
      if (i < run.last_stop) {
        length += segments[i].length;
        force += segments[i].force_a;
        torque += segments[i].torque_a;
      }
      if (stop.at.motion >= 0)
        drift += force.dot(ground_[static_cast<size_t>(stop.at.motion)].velocity);
      if (stop.at.node < 0) continue;
      double* out = g + stop.slot;
      Eigen::Map<Vec3>(out) -= force;
      Eigen::Map<Vec3>(out + 3) -= rotation[static_cast<size_t>(stop.at.body)].transpose() * torque;
    }
    run_span[at] = length;
    const double paid_out = r == 0 ? paid.value : 0, paying = r == 0 ? paid.rate : 0;
    double left = state.run_length[at] + paid_out;
    if (info.velocity)
      left += (t - state.t) * (route.speed.at(state.t).value + route.speed.at(t).value) / 2;
    run_left[at] = left;
    if (!info.velocity && r == 0 && !(left > 0)) {
      fault = fmt::format(
          "cable '{}' is reeled in by all its length: its payout of {:.6g} m leaves "
          "{:.3g} m of it. Reel in less",
          model_.scene.cables[static_cast<size_t>(route.cable)].name, paid_out, left);
      return false;
    }
    phi[row] = left - length;
    rate[row] = (info.velocity ? sample(route.speed, t).value : paying) - drift;
  }
  if (route.runs.size() > 1) slide_over(number, route);
  return true;
}

/// The angle over which the cable lies on each stop between runs.
void ConstraintSet::slide_over(size_t number, const RouteData& route) {
  const Segment* segments = segments_.data() + first_segment_[number];
  for (size_t r = 0; r + 1 < route.runs.size(); ++r) {
    const int stop = route.runs[r].last_stop;
    const Segment &in = segments[stop - 1], &out = segments[stop];
    const StopData& s = route.stops[static_cast<size_t>(stop)];
    wrap_angle[static_cast<size_t>(route.first_rub) + r] =
        s.radius > 0
            ? std::max(0.0, out.leave - in.reach)
            : std::atan2(in.tangent.cross(out.tangent).norm(), in.tangent.dot(out.tangent));
  }
}

/// Omega' = sum over segments of t . (omega_to - omega_from): a stop turns the bend of the cable
/// along with its body, so that what turns as a whole is not twisted.
void ConstraintSet::evaluate_twist(size_t number, const RouteData& route, const double* q,
                                   const State& state) {
  const RowInfo& info = model_.mechanism.rows[static_cast<size_t>(route.twist_row)];
  std::fill_n(G.begin() + info.first_entry, node_size * static_cast<int>(info.nodes.size()), 0.0);
  double turned = state.twist[number];
  const auto end = [&](const StopData& stop, const Vec3& direction) {
    if (stop.at.node < 0) return;
    const Vec3 axis = rotation[static_cast<size_t>(stop.at.body)].transpose() * direction;
    turned += axis.dot(vec(q, node_size * stop.at.node + 3));
    add_to_row(route.twist_row, stop.at.node, Vec3::Zero(), axis);
  };
  for (size_t i = 0; i + 1 < route.stops.size(); ++i) {
    const Vec3& tangent = segments_[first_segment_[number] + i].tangent;
    end(route.stops[i], -tangent);
    end(route.stops[i + 1], tangent);
  }
  twist[number] = turned;
  phi[static_cast<size_t>(route.twist_row)] = turned;
  rate[static_cast<size_t>(route.twist_row)] = 0;
}

double ConstraintSet::times(int row, const double* v) const {
  const RowInfo& info = model_.mechanism.rows[static_cast<size_t>(row)];
  const double* g = G.data() + info.first_entry;
  double sum = 0;
  for (const int node : info.nodes)
    for (int k = 0; k < node_size; ++k) sum += *g++ * v[node_size * node + k];
  return sum;
}

double ConstraintSet::turned(const double* d) const {
  const auto& routes = model_.mechanism.routes;
  double most = 0;
  for (size_t n = 0; n < routes.size(); ++n)
    for (size_t i = 0; i + 1 < routes[n].stops.size(); ++i) {
      Vec3 across = Vec3::Zero();
      const int a = routes[n].stops[i].at.node, b = routes[n].stops[i + 1].at.node;
      if (a >= 0) across -= vec(d, node_size * a);
      if (b >= 0) across += vec(d, node_size * b);
      const Segment& s = segments_[first_segment_[n] + i];
      across -= across.dot(s.tangent) * s.tangent;
      most = std::max(most, across.norm() / s.straight);
    }
  return most;
}

void ConstraintSet::add_force(const double* lambda, double factor, double* out) const {
  const auto& rows = model_.mechanism.rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    const double s = factor * lambda[r];
    if (s == 0) continue;
    const double* g = G.data() + rows[r].first_entry;
    for (const int node : rows[r].nodes)
      for (int k = 0; k < node_size; ++k) out[node_size * node + k] += s * *g++;
  }
}

void ConstraintSet::add_blocks(int a, int b, int pair, const PartCurvature& k,
                               const MatrixSink& sink) {
  if (a >= 0) add_node_block(sink, a, k.aa.data());
  if (b >= 0) add_node_block(sink, b, k.bb.data());
  if (a < 0 || b < 0) return;
  if (a == b) {  // both ends on one body
    const Block66 both = k.ab + k.ab.transpose();
    add_node_block(sink, a, both.data());
    return;
  }
  if (pair < 0) return;
  const Block66 block = a < b ? Block66(k.ab.transpose()) : k.ab;  // rows of the larger node
  add_pair_block(sink, pair, block.data());
}

void ConstraintSet::add_curvature(const double* q, const double* lambda, double weight,
                                  const MatrixSink& sink) const {
  const Mechanism& m = model_.mechanism;
  for (size_t i = 0; i < m.parts.size(); ++i) {
    const PartRow& p = m.parts[i];
    const double w = weight * lambda[p.row] * p.sign;
    if (w == 0 || p.kind == PartRow::Kind::angle) continue;
    PartCurvature k;
    if (p.kind == PartRow::Kind::dot)
      add_dot(direction(p.u, q), direction(p.w, q), w, k);
    else if (p.kind == PartRow::Kind::along)
      add_along(direction(p.u, q), point(p.pa, q), point(p.pb, q), w, k);
    else
      add_distance(point(p.pa, q), point(p.pb, q), w, k);
    add_blocks(p.pa.node, p.pb.node, part_pair_[i], k, sink);
  }
  for (size_t n = 0; n < m.routes.size(); ++n) {
    const RouteData& route = m.routes[n];
    for (const RunData& run : route.runs) {
      const double w = -weight * lambda[run.row];  // Phi = L - l
      if (w == 0) continue;
      for (int i = run.first_stop; i < run.last_stop; ++i) {
        const StopData &from = route.stops[static_cast<size_t>(i)],
                       &to = route.stops[static_cast<size_t>(i) + 1];
        const size_t at = first_segment_[n] + static_cast<size_t>(i);
        Eigen::Matrix<double, 12, 12> h;
        Groove a, b;
        lay(from, q, a);
        lay(to, q, b);
        segment_curvature(a, b, segments_[at], h);
        Eigen::Matrix<double, 12, 12> T = Eigen::Matrix<double, 12, 12>::Identity();
        if (from.at.body >= 0) T.block<3, 3>(3, 3) = rotation[static_cast<size_t>(from.at.body)];
        if (to.at.body >= 0) T.block<3, 3>(9, 9) = rotation[static_cast<size_t>(to.at.body)];
        h = w * (T.transpose() * h * T);
        add_blocks(from.at.node, to.at.node, segment_pair_[at],
                   {h.topLeftCorner<6, 6>(), h.topRightCorner<6, 6>(), h.bottomRightCorner<6, 6>()},
                   sink);
      }
    }
  }
}

}  // namespace hawser
