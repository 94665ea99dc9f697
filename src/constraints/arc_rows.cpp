#include "constraints/arc_rows.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace hawser {

ArcPlace::ArcPlace(const ArcData& arc, const double* q, const Poses& poses,
                   const std::vector<double>& wrap)
    : centre(poses.point(arc.centre, q)), angle(arc.angle) {
  const Vec3 axis = poses.direction(arc.axis, q).value;
  for (const size_t i : {0u, 1u}) {
    const Vec3 from = Eigen::Map<const Vec3>(q + node_size * arc.nodes[i]) - centre.value;
    outward[i] = (from - axis.dot(from) * axis).normalized();
    along[i] = axis.cross(outward[i]);
    const Vec3 start = poses.direction(arc.start[i], q).value;
    const double turned = std::atan2(axis.cross(start).dot(outward[i]), start.dot(outward[i]));
    constexpr double turn = 2 * std::numbers::pi;
    const double near = wrap[static_cast<size_t>(arc.wrap) + i];
    moved[i] = turned + turn * std::round((near - turned) / turn);
    angle += i == 0 ? -moved[i] : moved[i];
  }
}

bool ArcRows::evaluate(const RowsAt& at, RowValues& out) {
  for (size_t k = 0; k < arcs_.size(); ++k) {
    const ArcData& arc = arcs_[k];
    const ArcPlace place(arc, at.q, at.poses, at.state.wrap);
    angles_[k] = place.angle;
    for (const size_t i : {0u, 1u}) out.wrap[static_cast<size_t>(arc.wrap) + i] = place.moved[i];
    const auto row = static_cast<size_t>(arc.row);
    const RowInfo& info = at.rows[row];
    const Vec3 turned = place.along[1] - place.along[0];
    out.phi[row] = at.q[arc.flows[1]] - at.q[arc.flows[0]] - arc.radius * place.angle;
    out.rate[row] = turned.dot(at.poses.velocity(arc.centre));
    double* g = out.G.data() + info.first_entry;
    for (int i = 0; i < 3; ++i) *g++ = place.along[0][i];
    for (int i = 0; i < 3; ++i) *g++ = -place.along[1][i];
    *g++ = -1;
    *g++ = 1;
    if (arc.centre.node < 0) continue;
    const Vec6 on_body = place.centre.gradient(turned);
    for (int i = 0; i < node_size; ++i) *g++ = on_body[i];
  }
  return true;
}

std::string ArcRows::ending(const double*, const double*, double, const Poses&) const {
  for (size_t k = 0; k < arcs_.size(); ++k)
    if (angles_[k] <= 0)
      return fmt::format(
          "{} comes off: it no longer bends around the pulley. Cables with mass cannot leave a "
          "pulley. Use the model massless, or a route without it",
          arcs_[k].owner);
  return {};
}

}  // namespace hawser
