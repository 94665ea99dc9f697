#include "constraints/drum_ends.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace hawser {
namespace {

/// The node on its drum.
struct DrumPlace {
  Vec3 axis, n, tau, across;  ///< across: rho n
  double z, rho, leave;

  DrumPlace(const DrumEndData& end, const RowsAt& at) {
    axis = at.poses.direction(end.axis, at.q).value;
    const Vec3 y = Eigen::Map<const Vec3>(at.q + node_size * end.node) -
                   at.poses.point(end.centre, at.q).value,
               start = at.poses.direction(end.start, at.q).value;
    z = axis.dot(y);
    across = y - z * axis;
    rho = across.norm();
    n = across / rho;
    tau = axis.cross(n);
    constexpr double turn = 2 * std::numbers::pi;
    const double turned = std::atan2(axis.cross(start).dot(n), start.dot(n));
    const double near = at.state.wrap[static_cast<size_t>(end.wrap)];
    leave = turned + turn * std::round((near - turned) / turn);
  }
};

/// A row as its gradients are: over r and g of the node, the flow and the turn of the drum.
struct DrumGradient {
  Vec3 r = Vec3::Zero(), g = Vec3::Zero();
  double flow = 0, turn = 0;
};

void put_drum_row(const DrumEndData& end, const RowsAt& at, int number, double phi,
                  const DrumGradient& by, RowValues& out) {
  const auto row = static_cast<size_t>(end.row + number);
  out.phi[row] = phi;
  double* g = out.G.data() + at.rows[row].first_entry;
  const bool straight = end.beside >= 0;
  const Vec3 chord = straight ? Vec3(by.g / end.length) : Vec3(Vec3::Zero());
  for (int i = 0; i < 3; ++i) *g++ = by.r[i] - chord[i];
  for (int i = 0; i < 3; ++i) *g++ = straight ? chord[i] : by.g[i];
  *g++ = by.flow;
  *g++ = by.turn;
  if (end.centre.node < 0) return;
  using Vector = Eigen::Map<const Vec3>;
  const Vec3 arm = Vector(at.q + node_size * end.node) - Vector(at.q + node_size * end.centre.node),
             torque = at.poses.rotation[static_cast<size_t>(end.centre.body)].transpose() *
                      (arm.cross(by.r) + end.slope(at.q).cross(by.g));
  for (int i = 0; i < 3; ++i) *g++ = -by.r[i];
  for (int i = 0; i < 3; ++i) *g++ = -torque[i];
}

}  // namespace

bool DrumEnds::evaluate(const RowsAt& at, RowValues& out) {
  for (const DrumEndData& end : ends_) {
    const DrumPlace place(end, at);
    const double angle = end.drum.start + place.leave - at.q[end.drum.coordinate];
    const Winding::At on = end.drum.winding->at(angle);
    const Vec3 slope = end.slope(at.q), turning = place.tau / place.rho;
    out.wrap[static_cast<size_t>(end.wrap)] = place.leave;
    put_drum_row(end, at, 0, place.z - on.shift,
                 {place.axis - on.shift_slope * turning, Vec3::Zero(), 0, on.shift_slope}, out);
    put_drum_row(end, at, 1, place.rho - on.radius,
                 {place.n - on.radius_slope * turning, Vec3::Zero(), 0, on.radius_slope}, out);
    put_drum_row(end, at, 2, place.across.dot(slope),
                 {slope - place.axis.dot(slope) * place.axis, place.across, 0, 0}, out);
    put_drum_row(end, at, 3, at.q[end.flow] - (on.length - end.drum.length),
                 {-on.rate * turning, Vec3::Zero(), 1, on.rate}, out);
  }
  return true;
}

}  // namespace hawser
