#include "constraints/poses.h"

#include "linear/structure.h"
#include "math/rotation.h"

namespace hawser {
namespace {

Eigen::Map<const Vec3> vector_at(const double* a, int at) { return Eigen::Map<const Vec3>(a + at); }

}  // namespace

Poses::Poses(std::span<const BodyData> bodies, std::span<const GroundMotion> motions,
             std::span<const WorldTurn> turns)
    : rotation(bodies.size(), Matrix3::Identity()),
      bodies_(bodies),
      motions_(motions),
      turns_(turns),
      ground_(motions.size()),
      turned_(turns.size()) {}

void Poses::update(const double* q, const Instant& now, double ahead,
                   const std::vector<double>& orientation) {
  ahead_ = ahead;
  for (size_t i = 0; i < bodies_.size(); ++i) {
    const double* o = orientation.data() + 4 * i;
    const Vec3 theta = vector_at(q, node_size * bodies_[i].node + 3);
    rotation[i] = (Eigen::Quaterniond(o[0], o[1], o[2], o[3]) * turn_by(theta)).toRotationMatrix();
  }
  for (size_t i = 0; i < motions_.size(); ++i)
    for (size_t k = 0; k < 3; ++k) {
      const Signal::Sample s = sample(motions_[i][k], now);
      ground_[i].displacement[static_cast<Eigen::Index>(k)] = s.value;
      ground_[i].velocity[static_cast<Eigen::Index>(k)] = s.rate;
    }
  for (size_t i = 0; i < turns_.size(); ++i) {
    const Signal::Sample angle = turns_[i].angle.at(now);
    turned_[i].rotation = Eigen::AngleAxisd(angle.value, turns_[i].axis).toRotationMatrix();
    turned_[i].rate = angle.rate * turns_[i].axis;
  }
}

Operand Poses::point(const PointOn& at, const double* q) const {
  Operand out;
  if (at.node < 0) {
    out.value = at.position + displacement(at);
    return out;
  }
  out.value = vector_at(q, node_size * at.node);
  out.moves = true;
  if (at.body < 0) return out;
  out.rotation = &rotation[static_cast<size_t>(at.body)];
  out.arm = at.position;
  out.value += *out.rotation * at.position;
  return out;
}

Operand Poses::direction(const DirectionOn& at, const double* q) const {
  Operand out;
  out.value = at.vector;
  if (at.turn >= 0) out.value = turned_[static_cast<size_t>(at.turn)].rotation * at.vector;
  if (at.node < 0) return out;
  if (at.body < 0) {
    out.value = vector_at(q, node_size * at.node + 3);
    out.slope = true;
    return out;
  }
  out.rotation = &rotation[static_cast<size_t>(at.body)];
  out.arm = at.vector;
  out.value = *out.rotation * at.vector;
  return out;
}

Vec3 Poses::displacement(const PointOn& at) const {
  return at.motion < 0 ? Vec3(Vec3::Zero()) : ground_[static_cast<size_t>(at.motion)].displacement;
}

Vec3 Poses::velocity(const PointOn& at) const {
  return at.motion < 0 ? Vec3(Vec3::Zero()) : ground_[static_cast<size_t>(at.motion)].velocity;
}

Vec3 Poses::spin(const DirectionOn& at) const {
  return at.turn < 0 ? Vec3(Vec3::Zero()) : turned_[static_cast<size_t>(at.turn)].rate;
}

Matrix3 Poses::axes(const PointOn& at) const {
  return at.body < 0 ? Matrix3(Matrix3::Identity()) : rotation[static_cast<size_t>(at.body)];
}

Signal::Sample Poses::sample(const Signal& signal, const Instant& now) const {
  Signal::Sample s = signal.at(now);
  if (ahead_ == 0) return s;
  s.value += ahead_ * (s.rate + ahead_ / 2 * s.acceleration);
  s.rate += ahead_ * s.acceleration;
  return s;
}

}  // namespace hawser
