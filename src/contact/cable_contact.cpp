#include "contact/cable_contact.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "contact/hull.h"
#include "contact/settling.h"
#include "contact/shape_pose.h"
#include "contact/touched_element.h"
#include "math/rotation.h"

namespace hawser {
namespace {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using ElementBlock = Eigen::Matrix<double, 2 * node_size, 2 * node_size>;
using ShapeBlock = Eigen::Matrix<double, node_size, node_size>;

/// How far a node has moved since the step began.
double way_of(const double* q, const double* q_start, int c) {
  return q_start == nullptr
             ? 0
             : (Map<const Vector3d>(q + c) - Map<const Vector3d>(q_start + c)).norm();
}

/// Of an element, an upper bound of what its slopes add to its reach.
double reach_of_slopes(const TouchingRun& run, int element, const double* q, int c) {
  if (run.points.front().n[1] == 0) return 0;
  const double l = run.growth(q, element) * run.spacing * static_cast<double>(run.points.size());
  return l * (Map<const Vector3d>(q + c + 3).norm() + Map<const Vector3d>(q + c + 9).norm());
}

/// No point of an element is farther from its chord's middle than this, nor was on its way: a
/// coarse, cheap test.
bool far_away(const TouchingRun& run, const TouchedShape& shape, const ShapePose& pose,
              const double* q, const double* q_start, int element) {
  const int c = node_size * (run.first_node + element);
  const Map<const Vector3d> a(q + c), b(q + c + node_size);
  double reach =
      (b - a).norm() / 2 + std::max(way_of(q, q_start, c), way_of(q, q_start, c + node_size));
  if (shape.node >= 0) reach += way_of(q, q_start, node_size * shape.node);
  reach += reach_of_slopes(run, element, q, c);
  const Vector3d y = pose.axes.transpose() * ((a + b) / 2 - pose.centre);
  if (shape.surface.hull && y.norm() - shape.surface.hull->reach > reach + run.radius) return true;
  return nearest(shape.surface, y, 0).distance > reach + run.radius;
}

/// An element and a shape that may touch.
struct TouchSpot {
  const TouchingPair& pair;
  const TouchingRun& run;
  const TouchedShape& shape;
  int memory;  ///< of its first point, in State::contacts
  const ShapePose &pose, &pose_ahead;
  const TouchedElement element, ahead;  ///< at Configuration::q, at Configuration::q_ahead

  [[nodiscard]] ContactMotion motion(const TouchPoint& p, const Configuration& at) const {
    return seen(pose, element, p, at);
  }
  [[nodiscard]] ContactMotion motion_ahead(const TouchPoint& p, const Configuration& at) const {
    return seen(pose_ahead, ahead, p, at);
  }
  /// Adds a force per metre on the cable at a point, in axes of the shape, and the opposite on the
  /// body.
  void spread(const TouchPoint& p, const Vector3d& local, double* force) const {
    const double w = element.weight();
    const Vector3d F = w * (pose.axes * local), x = element.place(p);
    element.spread(p, F, force);
    if (shape.node < 0) return;
    Map<Vector3d>(force + node_size * shape.node) -= F;
    Map<Vector3d>(force + node_size * shape.node + 3) -= w * pose.place(x).cross(local);
  }

 private:
  static ContactMotion seen(const ShapePose& pose, const TouchedElement& element,
                            const TouchPoint& p, const Configuration& at) {
    ContactMotion out = pose.motion(element.place(p), element.velocity(p));
    out.run_past = pose.axes.transpose() * element.run_past(p, at.q_start);
    return out;
  }
};

/// What a point remembers; nothing where the configuration does not.
struct Remembered {
  Bristle bristle;
  bool any = false;

  Remembered(const Configuration& at, int memory) : any(at.contacts != nullptr) {
    if (any) bristle = Bristle::read(at.contacts + memory);
  }
  [[nodiscard]] const Bristle* get() const { return any ? &bristle : nullptr; }
};

/// As a pass finds it that is linear about (q_ahead, v_ahead).
Contact3 used_contact(const TouchSpot& spot, const TouchPoint& p, const Configuration& at,
                      const Remembered& before) {
  return touch(spot.shape.surface, spot.run.radius, spot.pair.law, spot.motion_ahead(p, at),
               before.get(), limit_of(at));
}

/// At (q, v), with the friction limit of that pass.
Contact3 found_contact(const TouchSpot& spot, const TouchPoint& p, const Configuration& at,
                       const Remembered& before) {
  FrictionLimit limit = limit_of(at);
  if ((!at.predicted || spot.pair.law.transition_speed > 0) && at.q != at.q_ahead) {
    const Contact3 used = used_contact(spot, p, at, before);
    if (!at.predicted) limit.push = used.push;
    limit.speed = used.speed;
  }
  return touch(spot.shape.surface, spot.run.radius, spot.pair.law, spot.motion(p, at), before.get(),
               limit);
}

/// The matrix of an element against a shape.
struct TouchBlocks {
  ElementBlock cable = ElementBlock::Zero();
  ShapeBlock body = ShapeBlock::Zero();
  ShapeBlock between[2] = {ShapeBlock::Zero(), ShapeBlock::Zero()};  ///< body by node

  /// K: resistance of a point, in world axes, times its weight.
  void add(const TouchSpot& spot, const TouchPoint& p, const Matrix3d& K) {
    double n[4];
    for (int i = 0; i < 4; ++i) n[i] = spot.element.share(p, i);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) cable.block<3, 3>(3 * i, 3 * j) += n[i] * n[j] * K;
    if (spot.shape.node < 0) return;
    Eigen::Matrix<double, 3, node_size> J;
    J << Matrix3d::Identity(), -spot.pose.axes * skew(spot.pose.place(spot.element.place(p)));
    const Eigen::Matrix<double, node_size, 3> JK = J.transpose() * K;
    body += JK * J;
    for (int j = 0; j < 4; ++j) between[j / 2].block<node_size, 3>(0, 3 * (j % 2)) -= n[j] * JK;
  }
  void write(const TouchSpot& spot, const MatrixSink& sink) const {
    spot.element.add_block(cable.data(), sink);
    if (spot.shape.node < 0) return;
    add_node_block(sink, spot.shape.node, body.data());
    const size_t first = static_cast<size_t>(spot.element.number());
    for (size_t i = 0; i < 2; ++i)
      add_pair_block(sink, spot.pair.pairs[first + i], between[i].data());
    spot.element.add_flows_by_body({between[0].data(), between[1].data()}, spot.shape.node, sink);
  }
};

/// More than its diameter, and than a twentieth of the shape's middle: a cable should lie on it
/// [m].
double too_deep(const TouchingRun& run, const Surface& surface) {
  const double middle = surface.half_thickness();
  return std::max(2 * run.radius, std::isfinite(middle) ? middle / 20 : run.spacing);
}

}  // namespace

CableContact::CableContact(Touching touching) : touching_(std::move(touching)) {
  size_ = Tally::size;
  for (const TouchingPair& pair : touching_.pairs) {
    offset_.push_back(size_);
    const TouchingRun& run = touching_.runs[static_cast<size_t>(pair.run)];
    size_ += Bristle::size * run.elements * static_cast<int>(run.points.size());
  }
}

Facts CableContact::facts() const {
  Facts out;
  out.ahead = out.kinked = out.by_velocity = out.lossy = out.remembers = true;
  return out;
}

/// Of all elements and shapes; with `near` those alone that may touch at q or at q_ahead.
template <class Call>
void CableContact::for_spots(const Configuration& at, bool near, const Call& call) const {
  for (size_t i = 0; i < touching_.pairs.size(); ++i) {
    const TouchingPair& pair = touching_.pairs[i];
    const TouchingRun& run = touching_.runs[static_cast<size_t>(pair.run)];
    const TouchedShape& shape = touching_.shapes[static_cast<size_t>(pair.shape)];
    const bool moved = at.q != at.q_ahead || at.v != at.v_ahead;
    const ShapePose pose(shape, at, at.q, at.v),
        ahead = moved ? ShapePose(shape, at, at.q_ahead, at.v_ahead) : pose;
    const int memory = Bristle::size * static_cast<int>(run.points.size());
    for (int e = 0; e < run.elements; ++e) {
      if (near && far_away(run, shape, pose, at.q, at.q_start, e) &&
          (!moved || far_away(run, shape, ahead, at.q_ahead, at.q_start, e)))
        continue;
      call(TouchSpot{pair, run, shape, offset_[i] + e * memory, pose, ahead,
                     TouchedElement(run, e, at.q, at.v),
                     TouchedElement(run, e, at.q_ahead, at.v_ahead)});
    }
  }
}

void CableContact::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const bool matrix =
      wanted.matrix() && (wanted.stiffness_weight != 0 || wanted.damping_weight != 0);
  for_spots(at, true, [&](const TouchSpot& spot) {
    TouchBlocks blocks;
    bool touches = false;
    int memory = spot.memory;
    for (const TouchPoint& p : spot.run.points) {
      const Remembered before(at, memory);
      memory += Bristle::size;
      const Contact3 found = found_contact(spot, p, at, before);
      if (found.grip == Grip::open) continue;
      touches = true;
      spot.spread(p, found.force(), sums.force);
      if (!matrix) continue;
      const Matrix3d local =
          wanted.stiffness_weight * found.stiffness + wanted.damping_weight * found.damping();
      blocks.add(spot, p,
                 spot.element.weight() * spot.pose.axes * local * spot.pose.axes.transpose());
    }
    if (touches && matrix) blocks.write(spot, sums.sink);
  });
}

/// Friction, and of the normal force what the depth does not store. A shape that is driven changes
/// the depth, too: all that it pushes with counts as work.
void CableContact::add_lossy(const Configuration& at, double*, double* out) const {
  for_spots(at, true, [&](const TouchSpot& spot) {
    int memory = spot.memory;
    for (const TouchPoint& p : spot.run.points) {
      const Remembered before(at, memory);
      memory += Bristle::size;
      const Contact3 found = found_contact(spot, p, at, before);
      if (!(found.depth > 0)) continue;
      const double stored = spot.shape.driven ? 0 : spot.pair.law.normal.stiffness * found.depth;
      spot.spread(p, found.force() - stored * found.normal, out);
    }
  });
}

void CableContact::add_energy(const EnergyState& at, EnergyParts& out) const {
  const Configuration there(at, at.q, at.v, at.orientation);
  for_spots(there, true, [&](const TouchSpot& spot) {
    if (spot.shape.driven) return;
    for (const TouchPoint& p : spot.run.points) {
      const ContactMotion motion = spot.motion(p, there);
      const double depth = spot.run.radius - nearest(spot.shape.surface, motion.y, 0).distance;
      if (depth > 0)
        out.gravity += spot.element.weight() * spot.pair.law.normal.stiffness * depth * depth / 2;
    }
  });
}

double CableContact::left_out(const Configuration& at) const {
  Settling settling;
  for_spots(at, true, [&](const TouchSpot& spot) {
    int memory = spot.memory;
    for (const TouchPoint& p : spot.run.points) {
      const Remembered before(at, memory);
      memory += Bristle::size;
      const Contact3 used = used_contact(spot, p, at, before);
      const Contact3 now = touch(spot.shape.surface, spot.run.radius, spot.pair.law,
                                 spot.motion(p, at), before.get(), own_limit(at));
      if (now.passed) settling.reject();
      if (used.grip == Grip::open && now.grip == Grip::open) continue;
      const double limit = at.predicted && before.any ? before.bristle.push : used.push;
      const ContactMotion from = spot.motion_ahead(p, at), to = spot.motion(p, at);
      const Vector3d way = to.y + to.run_past - from.y - from.run_past;
      settling.add(used, now, limit, spot.element.weight(), spot.pair.law.static_friction > 0,
                   {way, to.rate - from.rate});
    }
  });
  return settling.left_out();
}

void CableContact::remember(const Configuration& at, double* contacts) const {
  Tally tally = Tally::read(contacts);
  for_spots(at, false, [&](const TouchSpot& spot) {
    const double weight = spot.element.weight();
    int memory = spot.memory;
    for (const TouchPoint& p : spot.run.points) {
      const Remembered before(at, memory);
      const Contact3 found = found_contact(spot, p, at, before);
      Bristle next;
      next.at = spot.motion(p, at).y;
      if (found.grip != Grip::open) {
        next.traction = found.elastic;
        next.push = found.push;
        next.grip = before.any ? found.grip : Grip::sticks;
        next.slid = found.slid;
        next.calm = before.any ? found.calm : true;
        next.face = found.face;
        tally.deepest = std::max(tally.deepest, found.depth);
        tally.sunk = std::max(tally.sunk, found.depth / too_deep(spot.run, spot.shape.surface));
        tally.friction_work -= weight * found.traction.dot(found.slide);
        tally.courant = std::max(tally.courant, found.slide.norm() / weight);
      }
      next.write(contacts + memory);
      memory += Bristle::size;
    }
  });
  tally.write(contacts);
}

Vector3d CableContact::force_on(int contact, const std::string& shape,
                                const Configuration& at) const {
  Vector3d sum = Vector3d::Zero();
  for_spots(at, true, [&](const TouchSpot& spot) {
    if (spot.pair.contact != contact || spot.shape.name != shape) return;
    int memory = spot.memory;
    for (const TouchPoint& p : spot.run.points) {
      const Remembered before(at, memory);
      memory += Bristle::size;
      sum -= spot.element.weight() * (spot.pose.axes * found_contact(spot, p, at, before).force());
    }
  });
  return sum;
}

}  // namespace hawser
