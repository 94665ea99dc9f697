#include "constraints/joint_rows.h"

#include <cmath>
#include <numbers>

namespace hawser {
namespace {

/// The angle that differs from `angle` by whole turns and is nearest to `hint`.
double nearest_turn(double angle, double hint) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((hint - angle) / turn);
}

/// What the body of a direction turns about that direction by a rotation vector in d.
double turned_about(const DirectionOn& axis, const double* d) {
  return axis.body < 0 ? 0 : axis.vector.dot(Eigen::Map<const Vec3>(d + node_size * axis.node + 3));
}

/// Within a turn.
double angle_of(const AngleData& angle, const Poses& poses) {
  const auto rotation = [&](const DirectionOn& d) {
    return d.body < 0 ? nullptr : &poses.rotation[static_cast<size_t>(d.body)];
  };
  const Matrix3 *Ra = rotation(angle.xa), *Rb = rotation(angle.xb);
  Vec3 now = angle.xb.vector;  // in the axes of the first body
  if (Rb) now = *Rb * now;
  if (Ra) now = Ra->transpose() * now;
  const Vec3 &x = angle.xa.vector, y = angle.axis.vector.cross(x);
  return std::atan2(now.dot(y), now.dot(x));
}

}  // namespace

std::unique_ptr<Constraint> JointRows::copy(const NodePairs& pairs) const {
  auto out = std::make_unique<JointRows>(*this);
  out->pair_.clear();
  for (const PartRow& p : parts_) out->pair_.push_back(pair_of(pairs, p.pa.node, p.pb.node));
  return out;
}

void JointRows::prepare(std::span<const RowInfo> rows) {
  plain_ = {};
  others_.clear();
  for (size_t i = 0; i < parts_.size(); ++i) {
    const RowInfo& row = rows[static_cast<size_t>(parts_[i].row)];
    if (PlainJoints::fits(parts_[i], row))
      plain_.add(parts_[i], row, pair_[i]);
    else
      others_.push_back(i);
  }
  plain_.put_side_by_side();
  find_in_rows();
  find_same_points();
  find_on_nodes();
}

void JointRows::find_in_rows() {
  in_rows_.assign(angles_.size(), 0);
  for (const PartRow& part : parts_)
    if (part.kind == PartRow::Kind::angle) in_rows_[static_cast<size_t>(part.angle)] = 1;
}

void JointRows::find_on_nodes() {
  on_node_.clear();
  for (const size_t i : others_) {
    const PartRow& p = parts_[i];
    const PointOn& own = p.pa.node >= 0 ? p.pa : p.pb;
    const bool one = (p.pa.node < 0) != (p.pb.node < 0) && own.body < 0;
    const bool along_slope = p.kind == PartRow::Kind::along && p.u.node == own.node && p.u.body < 0;
    on_node_.push_back(one && (p.kind == PartRow::Kind::distance || along_slope) ? own.node : -1);
  }
}

void JointRows::find_same_points() {
  same_points_.clear();
  const auto same = [](const PointOn& a, const PointOn& b) {
    return a.node == b.node && a.body == b.body && a.position == b.position && a.motion == b.motion;
  };
  for (size_t i = 0; i < others_.size(); ++i)
    same_points_.push_back(i > 0 && same(parts_[others_[i]].pa, parts_[others_[i - 1]].pa) &&
                           same(parts_[others_[i]].pb, parts_[others_[i - 1]].pb));
}

void JointRows::Points::find(const PartRow& part, const double* q, const Poses& poses) {
  a = poses.point(part.pa, q);
  b = poses.point(part.pb, q);
  drift = poses.velocity(part.pb) - poses.velocity(part.pa);
}

bool JointRows::evaluate(const RowsAt& at, RowValues& out) {
  evaluate_angles(at, out);
  plain_.evaluate(at, out);
  Points points;
  for (size_t i = 0; i < others_.size(); ++i) {
    const PartRow& part = parts_[others_[i]];
    if (!same_points_[i]) points.find(part, at.q, at.poses);
    evaluate_part(part, points, at, out);
  }
  return true;
}

/// Within a step an angle that no row depends on serves to count turns: what the bodies have turned
/// about the axis since the state will do, and now and then, not for all in the same step, the rest
/// that the axis turns by itself.
void JointRows::evaluate_angles(const RowsAt& at, RowValues& out) const {
  constexpr size_t anew = 16;  // steps
  for (size_t k = 0; k < angles_.size(); ++k) {
    const AngleData& angle = angles_[k];
    const auto i = static_cast<size_t>(angle.wrap);
    const double hint =
        at.state.wrap[i] + turned_about(angle.axis_b, at.q) - turned_about(angle.axis, at.q);
    const bool due = (static_cast<size_t>(at.state.steps) + k) % anew == 0;
    out.wrap[i] = in_rows_[k] || due || at.of_the_state()
                      ? nearest_turn(angle_of(angle, at.poses), hint)
                      : hint;
  }
}

/// Both ends of the axis stay together: turns about it count, others are held.
PartResult JointRows::evaluate_turn(const PartRow& part, const RowsAt& at,
                                    const RowValues& out) const {
  const AngleData& angle = angles_[static_cast<size_t>(part.angle)];
  const Vec3 z = at.poses.direction(angle.axis, at.q).value;
  PartResult r;
  r.value = out.wrap[static_cast<size_t>(angle.wrap)];
  if (part.pa.node >= 0) r.a.tail<3>() = -at.poses.axes(part.pa).transpose() * z;
  if (part.pb.node >= 0) r.b.tail<3>() = at.poses.axes(part.pb).transpose() * z;
  return r;
}

void JointRows::evaluate_part(const PartRow& part, const Points& points, const RowsAt& at,
                              RowValues& out) const {
  const Poses& poses = at.poses;
  const auto row = static_cast<size_t>(part.row);
  const RowInfo& info = at.rows[row];
  PartResult r;
  double moved = 0;  // rate of the part by the motion of the ground and turns of the world
  if (part.kind == PartRow::Kind::dot) {
    const Operand u = poses.direction(part.u, at.q), w = poses.direction(part.w, at.q);
    r = dot(u, w);
    if (part.u.turn >= 0) moved = poses.spin(part.u).cross(u.value).dot(w.value);
  } else if (part.kind == PartRow::Kind::angle) {
    r = evaluate_turn(part, at, out);
  } else if (part.kind == PartRow::Kind::along) {
    const Operand n = poses.direction(part.u, at.q);
    r = along(n, points.a, points.b);
    moved = n.value.dot(points.drift);
  } else {
    r = distance(points.a, points.b);
    moved = (points.b.value - points.a.value).normalized().dot(points.drift);
  }
  const Signal::Sample value = poses.sample(part.value, at);
  out.phi[row] = part.sign * (r.value - value.value);
  out.rate[row] = part.sign * (moved - (info.velocity ? value.value : value.rate));
  double* g = out.G.data() + info.first_entry;
  for (const int c : info.coordinates)
    *g++ = part.sign * (c / node_size == part.pa.node ? r.a : r.b)[c % node_size];
}

double JointRows::accept(const TakenStep& step, State& state) const {
  for (const AngleData& angle : angles_)
    state.wrap[static_cast<size_t>(angle.wrap)] +=
        turned_about(angle.axis_b, step.correction) - turned_about(angle.axis, step.correction);
  return 0;
}

/// The curvature of the parts on one node that follow each other from `first` on; returns the one
/// after them. With d from the ground to the node: |d| has (I - n n^T)/|d|, n = d/|d|, and g . d
/// has I between r and g.
size_t JointRows::add_on_node(size_t first, const double* q, const Poses& poses,
                              const double* lambda, double weight, const MatrixSink& sink) const {
  const int node = on_node_[first];
  double block[36] = {};
  size_t i = first;
  for (; i < others_.size() && on_node_[i] == node; ++i) {
    const PartRow& p = parts_[others_[i]];
    const double w = weight * lambda[p.row] * p.sign;
    const bool second = p.pb.node == node;
    if (p.kind == PartRow::Kind::along) {
      for (int k = 0; k < 3; ++k) {
        block[node_size * k + 3 + k] += second ? w : -w;
        block[node_size * (3 + k) + k] += second ? w : -w;
      }
      continue;
    }
    const PointOn& ground = second ? p.pa : p.pb;
    const Vec3 d =
        Eigen::Map<const Vec3>(q + node_size * node) - ground.position - poses.displacement(ground);
    const double inverse = 1 / d.norm();
    const Vec3 n = inverse * d;
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        block[node_size * k + j] += w * inverse * ((j == k ? 1 : 0) - n[j] * n[k]);
  }
  add_node_block(sink, node, block);
  return i;
}

void JointRows::add_curvature(const double* q, const Poses& poses, const double* lambda,
                              double weight, const MatrixSink& sink) const {
  plain_.add_curvature(poses, lambda, weight, sink);
  Points points;
  for (size_t i = 0; i < others_.size();) {
    if (on_node_[i] >= 0) {
      i = add_on_node(i, q, poses, lambda, weight, sink);
      continue;
    }
    const size_t first = others_[i];
    points.find(parts_[first], q, poses);
    PartCurvature k;  // of all parts with these points
    bool any = false;
    do {
      const PartRow& p = parts_[others_[i]];
      const double w = weight * lambda[p.row] * p.sign;
      if (w == 0 || p.kind == PartRow::Kind::angle) continue;
      any = true;
      if (p.kind == PartRow::Kind::dot)
        add_dot(poses.direction(p.u, q), poses.direction(p.w, q), w, k);
      else if (p.kind == PartRow::Kind::along)
        add_along(poses.direction(p.u, q), points.a, points.b, w, k);
      else
        add_distance(points.a, points.b, w, k);
    } while (++i < others_.size() && same_points_[i]);
    if (any) add_blocks(parts_[first].pa.node, parts_[first].pb.node, pair_[first], k, sink);
  }
}

}  // namespace hawser
