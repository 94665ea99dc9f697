#include "constraints/plain_joints.h"

#include <algorithm>

#include "kernels/kernels.h"
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

bool same_body(const PointOn& p, const PointOn& q) { return p.node == q.node && p.body == q.body; }
bool same_point(const PointOn& p, const PointOn& q) {
  return same_body(p, q) && p.position == q.position && p.motion == q.motion;
}

bool ground_moves(const PartRow& part) {
  return part.kind == PartRow::Kind::along && (part.pa.motion >= 0 || part.pb.motion >= 0);
}

const double* rotations_of(const Poses& poses) {
  return poses.rotation.empty() ? nullptr : poses.rotation.front().data();
}

void put_lane(const Vec3& from, int lane, double (&to)[3][4]) {
  for (int k = 0; k < 3; ++k) to[k][lane] = from[k];
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
  const bool goes_on =
      !joints_.empty() &&
      (along ? same_point(a, joints_.back().at[0]) && same_point(b, joints_.back().at[1]) &&
                   joints_.back().dots.empty()
             : same_body(a, joints_.back().at[0]) && same_body(b, joints_.back().at[1]));
  if (!goes_on) joints_.push_back({{a, b}, pair, {}, {}});
  const Row row{
      &part,
      {a.node < 0 ? -1 : six_entries(info, a.node), b.node < 0 ? -1 : six_entries(info, b.node)},
      info.velocity};
  (along ? joints_.back().alongs : joints_.back().dots).push_back(row);
  if (!part.value.is_constant() || ground_moves(part)) moving_.push_back(row);
}

void PlainJoints::put_side_by_side() {
  order_.clear();
  packs_.clear();
  rows_.clear();
  std::vector<char> done(joints_.size(), 0);
  for (size_t first = 0; first < joints_.size(); ++first) {
    const Joint& of = joints_[first];
    std::vector<const Joint*> four;
    for (size_t i = first; i < joints_.size() && four.size() < 4; ++i) {
      const Joint& joint = joints_[i];
      if (done[i] || joint.alongs.size() != of.alongs.size() || joint.dots.size() != of.dots.size())
        continue;
      done[i] = 1;
      order_.push_back(static_cast<int>(i));
      four.push_back(&joint);
    }
    if (!four.empty()) pack(four);
  }
}

void PlainJoints::pack(std::span<const Joint* const> joints) {
  JointPack out{};
  out.count = static_cast<int>(joints.size());
  out.first_row = static_cast<int>(rows_.size());
  out.alongs = static_cast<int>(joints[0]->alongs.size());
  out.dots = static_cast<int>(joints[0]->dots.size());
  rows_.resize(rows_.size() + joints[0]->alongs.size() + joints[0]->dots.size());
  for (int lane = 0; lane < 4; ++lane) {
    const Joint& joint = *joints[static_cast<size_t>(std::min(lane, out.count - 1))];
    for (int side = 0; side < 2; ++side) {
      const PointOn& at = joint.at[side];
      const bool of_cable = at.node >= 0 && at.body < 0;
      put_lane(of_cable ? Vec3(Vec3::Zero()) : at.position, lane, out.arm[side]);
      out.position[side][lane] = at.node < 0 ? -1 : node_size * at.node;
      out.rotation[side][lane] = at.body;
    }
    auto to = rows_.begin() + out.first_row;
    for (const std::vector<Row>* rows : {&joint.alongs, &joint.dots})
      for (const Row& row : *rows) pack_row(row, lane, *to++);
  }
  packs_.push_back(out);
}

void PlainJoints::pack_row(const Row& row, int lane, JointRowPack& out) {
  const PartRow& part = *row.part;
  const double value = part.value.is_constant() ? part.value.at({}).value : 0;
  put_lane(part.u.vector, lane, out.n);
  put_lane(part.w.vector, lane, out.w);
  out.sign[lane] = part.sign;
  out.value[lane] = value;
  out.rate[lane] = row.velocity ? -part.sign * value : 0;
  out.row[lane] = part.row;
  for (int side = 0; side < 2; ++side) out.entry[side][lane] = row.entry[side];
}

void PlainJoints::evaluate(const RowsAt& at, RowValues& out) const {
  if (packs_.empty()) return;
  kernels().joints->evaluate({packs_.data(), static_cast<int>(packs_.size()), rows_.data(), at.q,
                              rotations_of(at.poses), out.phi.data(), out.rate.data(),
                              out.G.data()});
  add_moving(at, out);
}

/// What the packs leave out: values that change, and places of the ground that move.
void PlainJoints::add_moving(const RowsAt& at, RowValues& out) const {
  const Poses& poses = at.poses;
  for (const Row& row : moving_) {
    const PartRow& part = *row.part;
    const auto r = static_cast<size_t>(part.row);
    const Signal::Sample value = poses.sample(part.value, at);
    double shifted = 0, moved = 0;
    if (ground_moves(part)) {
      shifted = part.u.vector.dot(poses.displacement(part.pb) - poses.displacement(part.pa));
      moved = part.u.vector.dot(poses.velocity(part.pb) - poses.velocity(part.pa));
    }
    if (!part.value.is_constant()) shifted -= value.value;
    out.phi[r] += part.sign * shifted;
    out.rate[r] = part.sign * (moved - (row.velocity ? value.value : value.rate));
  }
}

/// The curvature of a joint into the matrix.
void PlainJoints::add_turns(const Joint& joint, const double (&sums)[turn_curvature][4], int lane,
                            const MatrixSink& sink) {
  for (int side = 0; side < 2; ++side) {
    if (joint.at[side].body < 0) continue;
    const auto m = [&](int k) { return sums[6 * side + k][lane]; };
    const double block[9] = {m(0), m(1), m(2), m(1), m(3), m(4), m(2), m(4), m(5)};
    add_turn_block(sink, joint.at[side].node, block);
  }
  if (joint.pair < 0 || joint.dots.empty() || joint.at[0].body < 0 || joint.at[1].body < 0) return;
  const bool turned = joint.at[0].node < joint.at[1].node;  // rows are those of the larger node
  double block[9];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) block[turned ? 3 * i + j : 3 * j + i] = sums[12 + 3 * j + i][lane];
  add_turn_pair(sink, joint.pair, block);
}

void PlainJoints::add_curvature(const Poses& poses, const double* lambda, double weight,
                                const MatrixSink& sink) const {
  double sums[turn_curvature][4];
  JointNumbers io{};
  io.rows = rows_.data();
  io.rotations = rotations_of(poses);
  const JointKernels& of = *kernels().joints;
  auto next = order_.begin();
  for (const JointPack& pack : packs_) {
    of.curvature(io, pack, {lambda, weight, sums[0]});
    for (int lane = 0; lane < pack.count; ++lane)
      add_turns(joints_[static_cast<size_t>(*next++)], sums, lane, sink);
  }
}

}  // namespace hawser
