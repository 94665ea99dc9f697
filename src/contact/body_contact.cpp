#include "contact/body_contact.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "contact/settling.h"
#include "contact/shape_pose.h"
#include "elements/element_block.h"
#include "math/rotation.h"

namespace hawser {
namespace {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using BodyBlock = Eigen::Matrix<double, node_size, node_size>;

constexpr int slots = Manifold::most;

/// What a pair remembers.
struct PairMemory {
  RelativePose pose{Matrix3d::Identity(), Vector3d::Zero()};
  int axis = 0;
  struct Slot {
    Bristle bristle;
    Vector3d in_a = Vector3d::Zero();  ///< its place in the axes of A
  };
  std::array<Slot, slots> slot;

  static constexpr int size = 13 + slots * (Bristle::size + 3);  ///< numbers
  static PairMemory read(const double* from) {
    PairMemory out;
    out.pose.axes = Map<const Matrix3d>(from);
    out.pose.centre = Map<const Vector3d>(from + 9);
    out.axis = static_cast<int>(from[12]);
    from += 13;
    for (Slot& s : out.slot) {
      s.bristle = Bristle::read(from);
      s.in_a = Map<const Vector3d>(from + Bristle::size);
      from += Bristle::size + 3;
    }
    return out;
  }
  void write(double* to) const {
    Map<Matrix3d>{to} = pose.axes;
    Map<Vector3d>{to + 9} = pose.centre;
    to[12] = axis;
    to += 13;
    for (const Slot& s : slot) {
      s.bristle.write(to);
      Map<Vector3d>{to + Bristle::size} = s.in_a;
      to += Bristle::size + 3;
    }
  }
};

/// Two shapes at a configuration.
struct PairPose {
  ShapePose a, b;
  RelativePose relative;

  PairPose(const SolidShape& first, const SolidShape& second, const Configuration& at,
           const double* q, const double* v)
      : a(first.placed, at, q, v),
        b(second.placed, at, q, v),
        relative{b.axes.transpose() * a.axes, b.axes.transpose() * (a.centre - b.centre)} {}

  /// A place in the axes of B as seen from A.
  [[nodiscard]] Vector3d in_a(const Vector3d& y) const {
    return relative.axes.transpose() * (y - relative.centre);
  }
  /// Velocity of A over B at a place, in the axes of B.
  [[nodiscard]] Vector3d rate(const Vector3d& y) const {
    const Vector3d arm = b.axes * y, x = b.centre + arm;
    return b.axes.transpose() *
           (a.velocity + a.spin.cross(x - a.centre) - b.velocity - b.spin.cross(arm));
  }
};

/// The points of a pair, each in the slot of the one it goes on from.
struct SolidTouch {
  int axis = 0;
  std::array<Contact3, slots> contact;
  std::array<Vector3d, slots> y;  ///< in the axes of B
};

/// The slot of a point: of those not taken the one that was nearest.
int slot_of(const PairMemory& memory, const Vector3d& y, const Vector3d& in_a, unsigned taken) {
  int best = 0;
  double least = HUGE_VAL;
  for (int i = 0; i < slots; ++i) {
    if ((taken >> i & 1U) != 0) continue;
    const PairMemory::Slot& s = memory.slot[static_cast<size_t>(i)];
    const double distance = s.bristle.grip == Grip::open
                                ? 1e100
                                : std::min((s.bristle.at - y).norm(), (s.in_a - in_a).norm());
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

/// Where friction limits come from: by slot, below zero the force itself.
using PairLimits = std::array<FrictionLimit, slots>;

SolidTouch touch_of(const TouchingSolids& all, const SolidPair& pair, const PairPose& pose,
                    const PairMemory* memory, KeptAxis kept, const PairLimits& limits) {
  SolidTouch out;
  const Manifold found =
      manifold(all.shapes[static_cast<size_t>(pair.a)].convex,
               all.shapes[static_cast<size_t>(pair.b)].convex, pose.relative, kept);
  out.axis = found.axis;
  ContactLaw law = pair.law;
  if (law.swing > 0 && found.count > 0)  // the restitution is that of the points that touch
    law.normal.damping *= std::sqrt(static_cast<double>(pair.feet) / found.count);
  unsigned taken = 0;
  for (int i = 0; i < found.count; ++i) {
    const Manifold::Point& p = found.points[static_cast<size_t>(i)];
    const Vector3d in_a = pose.in_a(p.y);
    int slot = i;
    Bristle before;
    if (memory != nullptr) {
      slot = slot_of(*memory, p.y, in_a, taken);
      before = memory->slot[static_cast<size_t>(slot)].bristle;
    }
    taken |= 1U << slot;
    const auto k = static_cast<size_t>(slot);
    // How far the material of A has moved over B.
    const Vector3d way = memory != nullptr
                             ? Vector3d(p.y - memory->pose.axes * in_a - memory->pose.centre)
                             : Vector3d(Vector3d::Zero());
    out.contact[k] = press(law, {p.normal, p.depth, pose.rate(p.y), way},
                           memory != nullptr ? &before : nullptr, limits[k]);
    out.y[k] = p.y;
  }
  return out;
}

/// A pair, and what it remembers, at Configuration::q and at q_ahead.
struct SolidSpot {
  const TouchingSolids& all;
  const SolidPair& pair;
  const Configuration& at;
  PairPose pose, ahead;
  PairMemory memory;
  bool remembers;
  int offset;

  /// As a pass finds it that is linear about (q_ahead, v_ahead).
  [[nodiscard]] SolidTouch used() const {
    PairLimits limits;
    limits.fill(limit_of(at));
    return touch_of(all, pair, ahead, known(), {memory.axis}, limits);
  }
  /// At (q, v), with the friction limit of that pass and along its axis of least overlap: one that
  /// jumps within a step would keep it from settling.
  [[nodiscard]] SolidTouch found() const {
    PairLimits limits;
    limits.fill(limit_of(at));
    if (at.q == at.q_ahead) return touch_of(all, pair, pose, known(), {memory.axis}, limits);
    const SolidTouch pass = used();
    for (size_t k = 0; k < slots; ++k) {
      if (!at.predicted) limits[k].push = pass.contact[k].push;
      limits[k].speed = pass.contact[k].speed;
    }
    return touch_of(all, pair, pose, known(), axis_of(pass), limits);
  }
  [[nodiscard]] SolidTouch as_it_is(const SolidTouch& pass) const {
    PairLimits limits;
    limits.fill(own_limit(at));
    return touch_of(all, pair, pose, known(), axis_of(pass), limits);
  }
  [[nodiscard]] KeptAxis axis_of(const SolidTouch& pass) const {
    return pass.axis > 0 ? KeptAxis{pass.axis, true} : KeptAxis{memory.axis};
  }
  /// From the surface to the middle of the thinner one.
  [[nodiscard]] double thickness() const {
    return std::min(a().surface.half_thickness(), b().surface.half_thickness());
  }
  [[nodiscard]] bool driven() const { return a().driven || b().driven; }
  [[nodiscard]] const PairMemory* known() const { return remembers ? &memory : nullptr; }
  [[nodiscard]] const TouchedShape& a() const {
    return all.shapes[static_cast<size_t>(pair.a)].placed;
  }
  [[nodiscard]] const TouchedShape& b() const {
    return all.shapes[static_cast<size_t>(pair.b)].placed;
  }

  /// A force on A at a place, in the axes of B, and the opposite on B.
  void spread(const Vector3d& y, const Vector3d& local, double* force) const {
    const Vector3d F = pose.b.axes * local;
    if (const int node = a().node; node >= 0) {
      Map<Vector3d>(force + node_size * node) += F;
      Map<Vector3d>(force + node_size * node + 3) +=
          pose.in_a(y).cross(pose.relative.axes.transpose() * local);
    }
    if (const int node = b().node; node >= 0) {
      Map<Vector3d>(force + node_size * node) -= F;
      Map<Vector3d>(force + node_size * node + 3) -= y.cross(local);
    }
  }
  /// The resistance of a point, in the axes of B.
  void resist(const Vector3d& y, const Matrix3d& local, const MatrixSink& sink) const {
    const Matrix3d K = pose.b.axes * local * pose.b.axes.transpose();
    Eigen::Matrix<double, 3, node_size> J[2];
    J[0] << Matrix3d::Identity(), -pose.a.axes * skew(pose.in_a(y));
    J[1] << Matrix3d::Identity(), -pose.b.axes * skew(y);
    const int nodes[2] = {a().node, b().node};
    for (int i = 0; i < 2; ++i) {
      if (nodes[i] < 0) continue;
      const BodyBlock own = J[i].transpose() * K * J[i];
      add_node_block(sink, nodes[i], own.data());
    }
    if (pair.pair < 0) return;
    const int second = nodes[0] > nodes[1] ? 0 : 1;
    const BodyBlock between = -J[second].transpose() * K * J[1 - second];
    add_pair_block(sink, pair.pair, between.data());
  }
};

}  // namespace

BodyContact::BodyContact(TouchingSolids touching, int first)
    : touching_(std::move(touching)), first_(first) {}

Facts BodyContact::facts() const {
  Facts out;
  out.ahead = out.kinked = out.by_velocity = out.lossy = out.remembers = true;
  return out;
}

int BodyContact::remembered() const {
  return PairMemory::size * static_cast<int>(touching_.pairs.size());
}

template <class Call>
void BodyContact::for_pairs(const Configuration& at, const Call& call) const {
  int offset = first_;
  const bool moved = at.q != at.q_ahead || at.v != at.v_ahead;
  for (const SolidPair& pair : touching_.pairs) {
    const SolidShape &a = touching_.shapes[static_cast<size_t>(pair.a)],
                     &b = touching_.shapes[static_cast<size_t>(pair.b)];
    const PairPose pose(a, b, at, at.q, at.v);
    const bool remembers = at.contacts != nullptr;
    call(SolidSpot{
        touching_, pair, at, pose, moved ? PairPose(a, b, at, at.q_ahead, at.v_ahead) : pose,
        remembers ? PairMemory::read(at.contacts + offset) : PairMemory{}, remembers, offset});
    offset += PairMemory::size;
  }
}

void BodyContact::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const bool matrix =
      wanted.matrix() && (wanted.stiffness_weight != 0 || wanted.damping_weight != 0);
  for_pairs(at, [&](const SolidSpot& spot) {
    const SolidTouch touch = spot.found();
    for (size_t k = 0; k < slots; ++k) {
      const Contact3& c = touch.contact[k];
      if (c.grip == Grip::open) continue;
      spot.spread(touch.y[k], c.force(), sums.force);
      if (!matrix) continue;
      spot.resist(touch.y[k],
                  wanted.stiffness_weight * c.stiffness + wanted.damping_weight * c.damping(),
                  sums.sink);
    }
  });
}

/// Friction, and of the normal force what the depth does not store; of driven shapes all
/// (CableContact::add_lossy).
void BodyContact::add_lossy(const Configuration& at, double*, double* out) const {
  for_pairs(at, [&](const SolidSpot& spot) {
    const SolidTouch touch = spot.found();
    for (size_t k = 0; k < slots; ++k) {
      const Contact3& c = touch.contact[k];
      if (!(c.depth > 0)) continue;
      const double stored = spot.driven() ? 0 : spot.pair.law.normal.stiffness * c.depth;
      spot.spread(touch.y[k], c.force() - stored * c.normal, out);
    }
  });
}

void BodyContact::add_energy(const EnergyState& at, EnergyParts& out) const {
  const Configuration there(at, at.q, at.v, at.orientation);
  for_pairs(there, [&](const SolidSpot& spot) {
    if (spot.driven()) return;
    for (const Contact3& c : spot.found().contact)
      if (c.depth > 0) out.gravity += spot.pair.law.normal.stiffness * c.depth * c.depth / 2;
  });
}

double BodyContact::left_out(const Configuration& at) const {
  Settling settling;
  for_pairs(at, [&](const SolidSpot& spot) {
    const SolidTouch used = spot.used(), now = spot.as_it_is(used);
    for (size_t k = 0; k < slots; ++k) {
      const Contact3 &was = used.contact[k], &is = now.contact[k];
      if (was.grip == Grip::open && is.grip == Grip::open) continue;
      const double limit =
          at.predicted && spot.remembers ? spot.memory.slot[k].bristle.push : was.push;
      // Both as seen at the place of the result, where it touches there.
      const Vector3d& y = is.grip == Grip::open ? used.y[k] : now.y[k];
      const Vector3d p = spot.pose.in_a(y);
      const Vector3d from = spot.ahead.relative.centre + spot.ahead.relative.axes * p;
      settling.add(was, is, limit, 1, spot.pair.law.static_friction > 0,
                   {y - from, spot.pose.rate(y) - spot.ahead.rate(from)});
    }
  });
  return settling.left_out();
}

void BodyContact::remember(const Configuration& at, double* contacts) const {
  Tally tally = Tally::read(contacts);
  for_pairs(at, [&](const SolidSpot& spot) {
    const SolidTouch touch = spot.found();
    PairMemory next;
    next.pose = spot.pose.relative;
    next.axis = touch.axis;
    for (size_t k = 0; k < slots; ++k) {
      const Contact3& c = touch.contact[k];
      if (c.grip == Grip::open) continue;
      PairMemory::Slot& slot = next.slot[k];
      slot.in_a = spot.pose.in_a(touch.y[k]);
      slot.bristle.at = touch.y[k];
      slot.bristle.traction = c.elastic;
      slot.bristle.push = c.push;
      slot.bristle.grip = spot.remembers ? c.grip : Grip::sticks;
      slot.bristle.slid = c.slid;
      slot.bristle.calm = spot.remembers ? c.calm : true;
      tally.deepest = std::max(tally.deepest, c.depth);
      tally.sunk = std::max(tally.sunk, 4 * c.depth / spot.thickness());
      tally.friction_work -= c.traction.dot(c.slide);
    }
    next.write(contacts + spot.offset);
  });
  tally.write(contacts);
}

/// As of cables (contact_at_rest.cpp): no point of A may move over B by more than the gap and half
/// the way to the middle.
double BodyContact::leap(const Configuration& from, const Configuration& to) const {
  double most = 0;
  for (const SolidPair& pair : touching_.pairs) {
    const SolidShape &a = touching_.shapes[static_cast<size_t>(pair.a)],
                     &b = touching_.shapes[static_cast<size_t>(pair.b)];
    if (b.convex.surface.kind == Surface::Kind::plane) continue;
    const RelativePose before = PairPose(a, b, from, from.q, from.v).relative,
                       after = PairPose(a, b, to, to.q, to.v).relative;
    const double turned = (after.axes - before.axes).norm();
    const double gap = before.centre.norm() - a.convex.reach - b.convex.reach;
    const double into = (a.convex.surface.half_thickness() + b.convex.surface.half_thickness()) / 2;
    most = std::max(most, ((after.centre - before.centre).norm() + a.convex.reach * turned) /
                              (std::max(gap, 0.0) + into));
  }
  return most;
}

void BodyContact::hold(double* contacts) const {
  for (size_t i = 0; i < touching_.pairs.size(); ++i) {
    double* at = contacts + first_ + PairMemory::size * static_cast<int>(i);
    PairMemory memory = PairMemory::read(at);
    for (PairMemory::Slot& s : memory.slot) s.bristle.hold();
    memory.write(at);
  }
}

Vector3d BodyContact::force_on(int contact, const std::string& shape,
                               const Configuration& at) const {
  Vector3d sum = Vector3d::Zero();
  for_pairs(at, [&](const SolidSpot& spot) {
    const bool on_a = spot.a().name == shape;
    if (spot.pair.contact != contact || !(on_a || spot.b().name == shape)) return;
    for (const Contact3& c : spot.found().contact)
      if (c.grip != Grip::open) sum += (on_a ? 1 : -1) * (spot.pose.b.axes * c.force());
  });
  return sum;
}

/// Bodies have no mesh.
void BodyContact::carry(const ContactTerm& from, const Remembering& old, const double*,
                        double* contacts) const {
  const auto& before = dynamic_cast<const BodyContact&>(from);
  std::copy_n(old.contacts + before.first_, remembered(), contacts + first_);
}

}  // namespace hawser
