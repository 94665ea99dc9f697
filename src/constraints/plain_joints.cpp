#include "constraints/plain_joints.h"

#include <Eigen/Geometry>

#include "linear/turn_blocks.h"

namespace hawser {
namespace {

/// The entry of a row at which the six coordinates of a node begin, side by side; -1: they do not.
int six_entries(const RowInfo& row, int node) {
  const auto& c = row.coordinates;
  for (size_t i = 0; i + node_size <= c.size(); ++i) {
    int k = 0;
    while (k < node_size && c[i + static_cast<size_t>(k)] == node_size * node + k) ++k;
    if (k == node_size) return row.first_entry + static_cast<int>(i);
  }
  return -1;
}

bool fixed_direction(const DirectionOn& d) { return d.turn < 0 && (d.node < 0 || d.body >= 0); }

int unit_axis(const Vec3& n) {
  for (int k = 0; k < 3; ++k)
    if (n == Vec3::Unit(k)) return k;
  return -1;
}

/// Symmetric, of which the lower triangle is kept, columns first.
struct Turns {
  double m[6] = {0, 0, 0, 0, 0, 0};

  /// Adds c(s, d).
  void add(const Vec3& s, const Vec3& d) {
    const double xx = s[0] * d[0], yy = s[1] * d[1], zz = s[2] * d[2];
    m[0] -= yy + zz;
    m[1] += 0.5 * (s[1] * d[0] + s[0] * d[1]);
    m[2] += 0.5 * (s[2] * d[0] + s[0] * d[2]);
    m[3] -= xx + zz;
    m[4] += 0.5 * (s[2] * d[1] + s[1] * d[2]);
    m[5] -= xx + yy;
  }
  void add_to(const MatrixSink& sink, int node) const {
    const double block[9] = {m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]};
    add_turn_block(sink, node, block);
  }
};

/// out -= [u]x M [w]x: rows of M times [w]x are their cross products with w.
void subtract_coupling(const Vec3& u, const Matrix3& M, const Vec3& w, Matrix3& out) {
  Matrix3 A;
  for (int i = 0; i < 3; ++i) {
    A(i, 0) = M(i, 1) * w[2] - M(i, 2) * w[1];
    A(i, 1) = M(i, 2) * w[0] - M(i, 0) * w[2];
    A(i, 2) = M(i, 0) * w[1] - M(i, 1) * w[0];
  }
  for (int j = 0; j < 3; ++j) {
    out(0, j) -= u[1] * A(2, j) - u[2] * A(1, j);
    out(1, j) -= u[2] * A(0, j) - u[0] * A(2, j);
    out(2, j) -= u[0] * A(1, j) - u[1] * A(0, j);
  }
}

void put(double* to, double sign, const Vec3& moving, const Vec3& turning) {
  for (int k = 0; k < 3; ++k) {
    to[k] = sign * moving[k];
    to[3 + k] = sign * turning[k];
  }
}

}  // namespace

bool PlainJoints::fits(const PartRow& part, const RowInfo& row) {
  const bool plain = part.kind == PartRow::Kind::along ? part.u.node < 0 && part.u.turn < 0
                     : part.kind == PartRow::Kind::dot
                         ? fixed_direction(part.u) && fixed_direction(part.w)
                         : false;
  const int a = part.pa.node, b = part.pb.node;
  const size_t nodes = (a >= 0 ? 1 : 0) + (b >= 0 ? 1 : 0);
  return plain && a != b && row.coordinates.size() == node_size * nodes &&
         (a < 0 || six_entries(row, a) >= 0) && (b < 0 || six_entries(row, b) >= 0);
}

void PlainJoints::add(const PartRow& part, const RowInfo& info, int pair) {
  const bool along = part.kind == PartRow::Kind::along;
  const PointOn &a = part.pa, &b = part.pb;
  const auto same_body = [](const PointOn& p, const PointOn& q) {
    return p.node == q.node && p.body == q.body;
  };
  const auto same_point = [&](const PointOn& p, const PointOn& q) {
    return same_body(p, q) && p.position == q.position && p.motion == q.motion;
  };
  const bool goes_on =
      !joints_.empty() &&
      (along ? same_point(a, joints_.back().a) && same_point(b, joints_.back().b) &&
                   joints_.back().dots[0] == joints_.back().dots[1]
             : same_body(a, joints_.back().a) && same_body(b, joints_.back().b));
  if (!goes_on) {
    const int alongs = static_cast<int>(alongs_.size()), dots = static_cast<int>(dots_.size());
    joints_.push_back({a, b, pair, {alongs, alongs}, {dots, dots}, Matrix3::Identity()});
  }
  Joint& joint = joints_.back();
  Row row{part.row,
          a.node < 0 ? -1 : six_entries(info, a.node),
          b.node < 0 ? -1 : six_entries(info, b.node),
          along ? unit_axis(part.u.vector) : -1,
          info.velocity,
          part.sign,
          0,
          &part.value,
          part.u.vector,
          part.w.vector,
          false};
  if (part.value.is_constant()) {
    row.value = part.value.at({}).value;
    row.changing = nullptr;
  }
  row.same_w = !along && joint.dots[1] > joint.dots[0] && dots_.back().w == row.w;
  (along ? alongs_ : dots_).push_back(row);
  ++(along ? joint.alongs : joint.dots)[1];
}

void PlainJoints::set_value(const Row& row, double part, double moved, const RowsAt& at,
                            RowValues& out) {
  const auto r = static_cast<size_t>(row.row);
  if (!row.changing) {
    out.phi[r] = row.sign * (part - row.value);
    out.rate[r] = row.sign * (row.velocity ? moved - row.value : moved);
    return;
  }
  const Signal::Sample value = at.poses.sample(*row.changing, at);
  out.phi[r] = row.sign * (part - value.value);
  out.rate[r] = row.sign * (moved - (row.velocity ? value.value : value.rate));
}

/// A point, and [s]x R^T, which makes of n how the point's body turns by it.
struct PlainJoints::Turning {
  Vec3 point;
  Matrix3 arm;

  Turning(const PointOn& at, const double* q, const Poses& poses) {
    point = at.position;
    if (at.node < 0) {
      if (at.motion >= 0) point += poses.displacement(at);
      return;
    }
    const Eigen::Map<const Vec3> x(q + static_cast<ptrdiff_t>(node_size) * at.node);
    if (at.body < 0) {
      point = x;
      arm.setZero();
      return;
    }
    const Matrix3& R = poses.rotation[static_cast<size_t>(at.body)];
    point = x + R * at.position;
    const Vec3& s = at.position;
    arm.row(0) = s.y() * R.col(2).transpose() - s.z() * R.col(1).transpose();
    arm.row(1) = s.z() * R.col(0).transpose() - s.x() * R.col(2).transpose();
    arm.row(2) = s.x() * R.col(1).transpose() - s.y() * R.col(0).transpose();
  }
};

void PlainJoints::evaluate_alongs(const Joint& joint, const RowsAt& at, RowValues& out) const {
  const Turning a(joint.a, at.q, at.poses), b(joint.b, at.q, at.poses);
  const Vec3 e = b.point - a.point;
  const bool drifts = joint.a.motion >= 0 || joint.b.motion >= 0;
  const Vec3 drift =
      drifts ? Vec3(at.poses.velocity(joint.b) - at.poses.velocity(joint.a)) : Vec3(Vec3::Zero());
  for (int i = joint.alongs[0]; i < joint.alongs[1]; ++i) {
    const Row& row = alongs_[static_cast<size_t>(i)];
    set_value(row, row.axis >= 0 ? e[row.axis] : row.n.dot(e), drifts ? row.n.dot(drift) : 0, at,
              out);
    double* G = out.G.data();
    if (row.axis >= 0) {
      if (row.a >= 0) put(G + row.a, -row.sign, row.n, a.arm.col(row.axis));
      if (row.b >= 0) put(G + row.b, row.sign, row.n, b.arm.col(row.axis));
    } else {
      if (row.a >= 0) put(G + row.a, -row.sign, row.n, a.arm * row.n);
      if (row.b >= 0) put(G + row.b, row.sign, row.n, b.arm * row.n);
    }
  }
}

void PlainJoints::evaluate_dots(Joint& joint, const RowsAt& at, RowValues& out) const {
  const auto rotation = [&](const PointOn& p) {
    return p.body < 0 ? nullptr : &at.poses.rotation[static_cast<size_t>(p.body)];
  };
  const Matrix3 *Ra = rotation(joint.a), *Rb = rotation(joint.b);
  Matrix3& M = joint.relative;
  if (Ra && Rb)
    M.noalias() = Ra->transpose() * *Rb;
  else if (Rb)
    M = *Rb;
  else
    M = Ra->transpose();
  const Vec3 none = Vec3::Zero();
  Vec3 w = none;  // in the axes of a
  double* G = out.G.data();
  for (int i = joint.dots[0]; i < joint.dots[1]; ++i) {
    const Row& row = dots_[static_cast<size_t>(i)];
    if (!row.same_w) w.noalias() = M * row.w;
    set_value(row, row.n.dot(w), 0, at, out);
    if (row.a >= 0) put(G + row.a, row.sign, none, row.n.cross(w));
    if (row.b >= 0) put(G + row.b, row.sign, none, row.w.cross(M.transpose() * row.n));
  }
}

void PlainJoints::evaluate(const RowsAt& at, RowValues& out) {
  for (Joint& joint : joints_) {
    if (joint.alongs[0] < joint.alongs[1]) evaluate_alongs(joint, at, out);
    if (joint.dots[0] < joint.dots[1]) evaluate_dots(joint, at, out);
  }
}

void PlainJoints::add_curvature(const Poses& poses, const double* lambda, double weight,
                                const MatrixSink& sink) const {
  const auto rotation = [&](const PointOn& p) {
    return p.body < 0 ? nullptr : &poses.rotation[static_cast<size_t>(p.body)];
  };
  for (const Joint& joint : joints_) {
    const Matrix3 *Ra = rotation(joint.a), *Rb = rotation(joint.b);
    Turns aa, bb;
    Matrix3 ab = Matrix3::Zero();
    Vec3 f = Vec3::Zero();
    for (int i = joint.alongs[0]; i < joint.alongs[1]; ++i) {
      const Row& row = alongs_[static_cast<size_t>(i)];
      f += weight * lambda[row.row] * row.sign * row.n;
    }
    if (Ra) aa.add(joint.a.position, -(Ra->transpose() * f));
    if (Rb) bb.add(joint.b.position, Rb->transpose() * f);
    for (int i = joint.dots[0]; i < joint.dots[1];) {
      const Vec3& w = dots_[static_cast<size_t>(i)].w;
      Vec3 u = Vec3::Zero();
      do {
        const Row& row = dots_[static_cast<size_t>(i)];
        u += weight * lambda[row.row] * row.sign * row.n;
      } while (++i < joint.dots[1] && dots_[static_cast<size_t>(i)].same_w);
      const Matrix3& M = joint.relative;
      if (Ra) aa.add(u, M * w);
      if (Rb) bb.add(w, M.transpose() * u);
      if (Ra && Rb) subtract_coupling(u, M, w, ab);
    }
    if (Ra) aa.add_to(sink, joint.a.node);
    if (Rb) bb.add_to(sink, joint.b.node);
    if (joint.pair < 0 || joint.dots[0] == joint.dots[1] || !Ra || !Rb) continue;
    if (joint.a.node < joint.b.node) ab.transposeInPlace();  // rows of the larger node
    add_turn_pair(sink, joint.pair, ab.data());
  }
}

}  // namespace hawser
