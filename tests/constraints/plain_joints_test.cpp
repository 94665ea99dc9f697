// Rows of joints in closed form against the parts that they are made of.
#include "constraints/plain_joints.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

namespace hawser::HAWSER_FILE {
namespace {

class Random {
 public:
  double number() { return std::normal_distribution<double>()(engine_); }
  Vec3 vector() { return {number(), number(), number()}; }

 private:
  std::mt19937 engine_{5};
};

constexpr int nodes = 3;  ///< two bodies, then a node of a cable
constexpr double weight = -1.3;

/// Two bodies, a node and the ground, somewhere; rows over them as a model has them.
struct Machine {
  Random random;
  std::vector<BodyData> bodies{{0, 1.0, Matrix3::Identity()}, {1, 1.0, Matrix3::Identity()}};
  std::vector<GroundMotion> motions{{Signal::sine(0.3, 1), 0.2, Signal::sine(0.1, 2)}};
  State state;
  std::vector<double> q, lambda;
  std::vector<RowInfo> rows;
  std::vector<PartRow> parts;
  Poses poses{bodies, motions, {}};
  RowValues values;

  Machine() {
    for (int i = 0; i < node_size * nodes; ++i) q.push_back(0.4 * random.number());
    for (int i = 0; i < 2; ++i) {
      const Eigen::Quaterniond o(Eigen::AngleAxisd(random.number(), random.vector().normalized()));
      state.orientation.insert(state.orientation.end(), {o.w(), o.x(), o.y(), o.z()});
    }
    poses.update(q.data(), {0.2, {}}, 0, state.orientation);
  }

  PointOn on_body(int body) { return {body, body, random.vector(), -1}; }
  PointOn on_ground(int motion) { return {-1, -1, random.vector(), motion}; }
  DirectionOn of(const PointOn& p) { return {p.node, p.body, random.vector(), -1}; }

  void add(PartRow part, bool velocity = false) {
    RowInfo row;
    row.velocity = velocity;
    row.first_entry =
        rows.empty() ? 0
                     : rows.back().first_entry + static_cast<int>(rows.back().coordinates.size());
    for (int n = 0; n < nodes; ++n)
      for (int k = 0; k < node_size; ++k)
        if (n == part.pa.node || n == part.pb.node) row.coordinates.push_back(node_size * n + k);
    part.row = static_cast<int>(rows.size());
    rows.push_back(row);
    parts.push_back(std::move(part));
    lambda.push_back(random.number());
  }
  void add_along(const PointOn& a, const PointOn& b, const Vec3& n, const Signal& value,
                 double sign = 1, bool velocity = false) {
    PartRow part;
    part.pa = a, part.pb = b;
    part.u.vector = n;
    part.value = value;
    part.sign = sign;
    add(part, velocity);
  }
  void add_dot(const DirectionOn& u, const DirectionOn& w, double sign = 1) {
    PartRow part;
    part.kind = PartRow::Kind::dot;
    part.pa.node = u.node, part.pa.body = u.body;
    part.pb.node = w.node, part.pb.body = w.body;
    part.u = u, part.w = w;
    part.value = 0.1;
    part.sign = sign;
    add(part);
  }
  /// Every kind of row over two ends.
  void join(const PointOn& a, const PointOn& b) {
    for (int k = 0; k < 3; ++k) add_along(a, b, Vec3::Unit(k), 0.1 * k);
    add_along(a, b, random.vector(), Signal::sine(1, 0.7), -1);
    add_along(a, b, random.vector(), 0.4, 1, true);
    if ((a.node >= 0 && a.body < 0) || (b.node >= 0 && b.body < 0)) return;
    const DirectionOn w = of(b);
    add_dot(of(a), w);
    add_dot(of(a), w, -1);
    add_dot(of(a), of(b));
  }
};

/// The matrix of all nodes, each entry in its own place.
struct Matrix {
  std::vector<double> values = std::vector<double>(18 * 18, 0);
  std::vector<int> node_positions, pair_positions;
  std::vector<std::pair<int, int>> pairs{{0, 1}, {0, 2}, {1, 2}};
  Matrix() {
    for (int n = 0; n < nodes; ++n)
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i)
          node_positions.push_back(i < j ? -1 : 18 * (6 * n + j) + 6 * n + i);
    for (const auto& [a, b] : pairs) {
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i) pair_positions.push_back(18 * (6 * a + j) + 6 * b + i);
      pair_positions.insert(pair_positions.end(), 36, -1);
    }
  }
  MatrixSink sink() {
    MatrixSink out;
    out.values = values.data();
    out.node_positions = node_positions.data();
    out.pair_positions = pair_positions.data();
    return out;
  }
  [[nodiscard]] int pair(int a, int b) const {
    for (size_t i = 0; i < pairs.size(); ++i)
      if (pairs[i] == std::pair(std::min(a, b), std::max(a, b))) return static_cast<int>(i);
    return -1;
  }
};

void add_blocks(Matrix& m, const PartRow& p, const PartCurvature& k) {
  const int a = p.pa.node, b = p.pb.node;
  const MatrixSink sink = m.sink();
  if (a >= 0) add_node_block(sink, a, k.aa.data());
  if (b >= 0) add_node_block(sink, b, k.bb.data());
  if (a < 0 || b < 0) return;
  const Block66 block = a < b ? Block66(k.ab.transpose()) : k.ab;
  add_pair_block(sink, m.pair(a, b), block.data());
}

void check(Machine& m) {
  const RowsAt at{{0.2, {}}, m.q.data(), m.state, m.poses, m.rows};
  const size_t entries =
      static_cast<size_t>(m.rows.back().first_entry) + m.rows.back().coordinates.size();
  m.values.phi.assign(m.rows.size(), NAN);
  m.values.rate = m.values.phi;
  m.values.G.assign(entries, NAN);
  Matrix found, expected;
  PlainJoints joints;
  for (const PartRow& p : m.parts) {
    const RowInfo& row = m.rows[static_cast<size_t>(p.row)];
    ASSERT_TRUE(PlainJoints::fits(p, row));
    joints.add(p, row, found.pair(p.pa.node, p.pb.node));
  }
  joints.put_side_by_side();
  joints.evaluate(at, m.values);
  joints.add_curvature(m.poses, m.lambda.data(), weight, found.sink());
  for (const PartRow& p : m.parts) {
    const auto r = static_cast<size_t>(p.row);
    SCOPED_TRACE(r);
    const RowInfo& row = m.rows[r];
    const Operand a = m.poses.point(p.pa, m.q.data()), b = m.poses.point(p.pb, m.q.data()),
                  u = m.poses.direction(p.u, m.q.data()), w = m.poses.direction(p.w, m.q.data());
    const bool is_along = p.kind == PartRow::Kind::along;
    const PartResult part = is_along ? along(u, a, b) : dot(u, w);
    const Vec3 drift = m.poses.velocity(p.pb) - m.poses.velocity(p.pa);
    const double moved = is_along ? u.value.dot(drift) : 0;
    const Signal::Sample value = p.value.at(at);
    EXPECT_NEAR(m.values.phi[r], p.sign * (part.value - value.value), 1e-14);
    EXPECT_NEAR(m.values.rate[r], p.sign * (moved - (row.velocity ? value.value : value.rate)),
                1e-14);
    for (size_t i = 0; i < row.coordinates.size(); ++i) {
      const int c = row.coordinates[i];
      const double g = (c / node_size == p.pa.node ? part.a : part.b)[c % node_size];
      EXPECT_NEAR(m.values.G[static_cast<size_t>(row.first_entry) + i], p.sign * g, 1e-14);
    }
    PartCurvature k;
    const double f = weight * m.lambda[r] * p.sign;
    is_along ? add_along(u, a, b, f, k) : add_dot(u, w, f, k);
    add_blocks(expected, p, k);
  }
  for (size_t i = 0; i < found.values.size(); ++i)
    EXPECT_NEAR(found.values[i], expected.values[i], 1e-13) << i % 18 << ' ' << i / 18;
}

TEST(PlainJoints, BetweenBodies) {
  Machine m;
  m.join(m.on_body(0), m.on_body(1));
  m.join(m.on_body(1), m.on_body(0));
  check(m);
}

TEST(PlainJoints, OnTheGround) {
  Machine m;
  m.join(m.on_ground(-1), m.on_body(1));
  m.join(m.on_body(0), m.on_ground(-1));
  m.join(m.on_ground(0), m.on_body(0));  // which moves
  m.join(m.on_body(1), m.on_ground(0));
  check(m);
}

/// More than are evaluated at once, in between one with other rows.
TEST(PlainJoints, MoreThanFour) {
  Machine m;
  for (int i = 0; i < 6; ++i) {
    m.join(m.on_body(i % 2), i % 3 == 0 ? m.on_ground(0) : m.on_body(1 - i % 2));
    if (i == 2) m.add_along(m.on_body(0), m.on_body(1), m.random.vector(), 0.3);
  }
  check(m);
}

TEST(PlainJoints, OnANodeOfACable) {
  Machine m;
  const PointOn node{2, -1, Vec3::Zero(), -1};
  m.join(m.on_body(0), node);
  m.join(node, m.on_body(1));
  check(m);
}

TEST(PlainJoints, WhatIsNoneOfThem) {
  Machine m;
  const PointOn a = m.on_body(0), b = m.on_body(1);
  m.add_along(a, b, Vec3::UnitX(), 0.0);
  const RowInfo row = m.rows[0];
  PartRow part = m.parts[0];
  EXPECT_TRUE(PlainJoints::fits(part, row));
  part.u = m.of(a);  // along an axis of the body
  EXPECT_FALSE(PlainJoints::fits(part, row));
  part = m.parts[0];
  part.kind = PartRow::Kind::distance;
  EXPECT_FALSE(PlainJoints::fits(part, row));
  part = m.parts[0];
  part.kind = PartRow::Kind::dot;
  part.u = m.of(a);
  part.w = {2, -1, Vec3::UnitX(), -1};  // the slope of a node
  EXPECT_FALSE(PlainJoints::fits(part, row));
  part = m.parts[0];
  part.pb = a;  // both ends on one body
  EXPECT_FALSE(PlainJoints::fits(part, row));
  RowInfo gaps = row;
  gaps.coordinates.pop_back();
  EXPECT_FALSE(PlainJoints::fits(m.parts[0], gaps));
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
