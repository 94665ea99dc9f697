#include "elements/winch.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

using SpinVector = Eigen::Map<const Eigen::Vector3d>;

/// f and its slope. At a point of the curve the slope is that after it.
WinchData::Torque on_curve(const Motor& motor, double rate) {
  const auto& curve = motor.curve;
  const auto after =
      std::upper_bound(curve.begin(), curve.end(), rate,
                       [](double r, const Motor::Point& point) { return r < point.rate; });
  if (!motor.extends && after == curve.begin()) return {curve.front().torque, 0};
  if (!motor.extends && after == curve.end()) return {curve.back().torque, 0};
  const auto i = std::clamp<std::ptrdiff_t>(after - curve.begin(), 1,
                                            static_cast<std::ptrdiff_t>(curve.size()) - 1);
  const Motor::Point &a = curve[static_cast<size_t>(i - 1)], &b = curve[static_cast<size_t>(i)];
  const double slope = (b.torque - a.torque) / (b.rate - a.rate);
  return {a.torque + slope * (rate - a.rate), slope};
}

/// Linear about v_ahead.
WinchData::Torque motor_torque(const WinchData& winch, const Configuration& at) {
  const int c = winch.coordinate();
  WinchData::Torque out = winch.torque_at(at.v_ahead[c], at);
  out.value += out.slope * (at.v[c] - at.v_ahead[c]);
  return out;
}

}  // namespace

WinchData::Inertia WinchData::inertia_at(const double* q) const {
  if (!winding || (mass == 0 && sections.empty())) return {inertia, 0};
  const double angle = start - q[coordinate()];
  const Winding::At on = winding->at(angle);
  Inertia out{inertia + mass * on.inertia, -mass * on.inertia_slope};
  for (const Section& section : sections) {
    if (!(angle > section.from)) continue;
    out.value += section.heavier * (on.inertia - winding->at(section.from).inertia);
    out.slope -= section.heavier * on.inertia_slope;
  }
  return out;
}

WinchData::Torque WinchData::torque_at(double rate, const Instant& now) const {
  if (!winding || !(now.inputs[power].setting > 0)) return {0, 0};
  if (motor.kind == Motor::Kind::torque) return {motor.value.at(now).value, 0};
  if (motor.kind != Motor::Kind::curve) return {0, 0};
  const double u = motor.value.at(now).value, sense = u < 0 ? -1 : 1;
  const Torque f = on_curve(motor, sense * rate);
  return {u * f.value, std::abs(u) * f.slope};
}

Facts Winches::facts() const {
  Facts out;
  out.by_velocity = out.lossy = out.by_time = out.ahead = true;
  for (const WinchData& winch : winches_)
    out.constant_mass =
        out.constant_mass && (!winch.winding || (winch.mass == 0 && winch.sections.empty()));
  return out;
}

void Winches::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  for (const WinchData& winch : winches_) {
    const int c = winch.coordinate();
    const double J = winch.inertia_at(at.q).value;
    const WinchData::Torque torque = motor_torque(winch, at);
    sums.force[c] += torque.value;
    if (winch.body_node >= 0) {
      const int turn = node_size * winch.body_node + 3;
      Eigen::Map<Eigen::Vector3d>(sums.force + turn) -=
          SpinVector(at.v_spin + turn).cross(J * at.v_spin[c] * winch.axis);
    }
    if (wanted.matrix()) add_matrix(winch, J, -torque.slope, wanted, sums.sink);
  }
  if (wanted.b) add_mass_times(at.q, wanted.b, sums.inertia);
}

void Winches::add_matrix(const WinchData& winch, double J, double damping, const Wanted& wanted,
                         const MatrixSink& sink) {
  const double block[node_size * node_size] = {wanted.mass_weight * J +
                                               wanted.damping_weight * damping};
  add_node_block(sink, winch.node, block);
  if (winch.body_node < 0) return;
  double coupling[node_size * node_size] = {};  // rows of the body, columns of the drum
  for (int k = 0; k < 3; ++k) coupling[3 + k] = wanted.mass_weight * J * winch.axis[k];
  add_pair_block(sink, winch.pair, coupling);
}

void Winches::add_mass_times(const double* q, const double* b, double* out) const {
  for (const WinchData& winch : winches_) {
    const int c = winch.coordinate();
    const double J = winch.inertia_at(q).value;
    out[c] += J * b[c];
    if (winch.body_node < 0) continue;
    const int turn = node_size * winch.body_node + 3;
    out[c] += J * winch.axis.dot(SpinVector(b + turn));
    Eigen::Map<Eigen::Vector3d>(out + turn) += J * b[c] * winch.axis;
  }
}

void Winches::add_lossy(const Configuration& at, double*, double* out) const {
  for (const WinchData& winch : winches_) {
    const int c = winch.coordinate();
    double taken = at.v[c] / 2;  // by theta': d(J theta'^2/2 + J theta' a . omega)/dJ
    if (winch.body_node >= 0)
      taken += winch.axis.dot(SpinVector(at.v + node_size * winch.body_node + 3));
    out[c] += motor_torque(winch, at).value + winch.inertia_at(at.q).slope * at.v[c] * taken;
  }
}

void Winches::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const WinchData& winch : winches_) {
    const double rate = at.v[winch.coordinate()], J = winch.inertia_at(at.q).value;
    out.kinetic += J * rate * rate / 2;
    if (winch.body_node < 0) continue;
    out.kinetic += J * rate * winch.axis.dot(SpinVector(at.v + node_size * winch.body_node + 3));
  }
}

/// A torque by the radius of the drum is a force.
void Winches::set_scales(double* arm, double* size) const {
  for (const WinchData& winch : winches_) {
    arm[winch.coordinate()] = winch.winding ? winch.winding->at(winch.start).radius : winch.radius;
    size[winch.coordinate()] = 1;
  }
}

}  // namespace hawser
