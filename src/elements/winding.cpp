#include "elements/winding.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hawser {
namespace {

constexpr double one_turn = 2 * std::numbers::pi;
constexpr double blend = std::numbers::pi;  ///< angle over which a layer goes over to the next

}  // namespace

Winding::Winding(const Drum& drum)
    : first_radius_(drum.radius + drum.cable / 2),
      rise_(drum.nested ? std::sqrt(3.0) / 2 * drum.cable : drum.cable),
      advance_(0),
      layers_(drum.layers) {
  if (!std::isfinite(drum.width)) {
    layers_ = 1;
    return;
  }
  const double pitch = drum.pitch > 0 ? drum.pitch : drum.cable;
  const double turns = std::floor(drum.width / pitch * (1 + 1e-12));
  layer_angle_ = one_turn * turns;
  full_ = layers_ * layer_angle_;
  advance_ = (drum.left_hand ? -pitch : pitch) / one_turn;
  start_shift_ = -advance_ * layer_angle_ / 2;
}

int Winding::index(double angle) const {
  if (!(angle >= layer_angle_)) return 0;
  return std::min(static_cast<int>(angle / layer_angle_), layers_ - 1);
}

Winding::Layer Winding::layer_of(int index) const {
  const double R = first_radius_ + index * rise_, rate = std::hypot(R, advance_);
  return {R, rate, index % 2 == 0 ? advance_ : -advance_, R * R * rate};
}

Winding::At Winding::at(double angle) const {
  // In the first half of a blend the layer is the one that ends, in the second the one that began.
  int i = index(angle);
  if (i > 0 && angle < i * layer_angle_ + blend / 2) --i;
  double start = 0;  // of the layer
  At out{0, 0, 0, 0, 0, start_shift_, 0, 0, 0};
  for (int k = 0; k < i; ++k) {
    const Layer below = layer_of(k);
    out.length += below.rate * layer_angle_;
    out.shift += below.shift_slope * layer_angle_;
    out.inertia += below.inertia_slope * layer_angle_;
    start += layer_angle_;
  }
  const Layer own = layer_of(i);
  const double within = angle - start;
  out.radius = own.radius;
  out.rate = own.rate;
  out.shift_slope = own.shift_slope;
  out.inertia_slope = own.inertia_slope;
  out.length += own.rate * within;
  out.shift += own.shift_slope * within;
  out.inertia += own.inertia_slope * within;
  const double into = within - layer_angle_ + blend / 2;
  if (!(into > 0) || i + 1 >= layers_) return out;
  const Layer next = layer_of(i + 1);
  const double u = into / blend, S = u * u * (3 - 2 * u), slope = 6 * u * (1 - u) / blend,
               sum = blend * u * u * u * (1 - u / 2);  // integral of S
  out.radius += (next.radius - own.radius) * S;
  out.radius_slope = (next.radius - own.radius) * slope;
  out.rate += (next.rate - own.rate) * S;
  out.rate_slope = (next.rate - own.rate) * slope;
  out.length += (next.rate - own.rate) * sum;
  out.shift_slope += (next.shift_slope - own.shift_slope) * S;
  out.shift += (next.shift_slope - own.shift_slope) * sum;
  out.inertia_slope += (next.inertia_slope - own.inertia_slope) * S;
  out.inertia += (next.inertia_slope - own.inertia_slope) * sum;
  return out;
}

double Winding::angle(double length) const {
  double angle = length / layer_of(0).rate;
  for (int round = 0; round < 100; ++round) {  // rates differ little: it contracts
    const At here = at(angle);
    const double change = (length - here.length) / here.rate;
    angle += change;
    if (std::abs(change) <= 1e-15 * (1 + std::abs(angle))) break;
  }
  return angle;
}

}  // namespace hawser
