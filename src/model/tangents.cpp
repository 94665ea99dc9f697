#include "model/tangents.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "constraints/segment.h"
#include "elements/winding.h"
#include "hawser/error.h"
#include "model/frames.h"

namespace hawser {
namespace {

Groove groove_at_start(const Scene& scene, const Stop& stop, const ErrorObject& who) {
  Groove out;
  out.center = frame_start(scene, find_stop(scene, stop, who));
  out.radius = stop.radius;
  out.axis = stop.axis;
  if (stop.kind == Stop::Kind::wind) {
    const Winch& winch = scene.winches[static_cast<size_t>(find_winch(scene, stop.on, who))];
    const Winding winding(winch.drum);
    const Winding::At on = winding.at(winding.angle(winch.wound));
    out.radius = on.radius;
    out.axis = winch.axis;
    out.center += on.shift * winch.axis.normalized();
  }
  if (!(out.radius > 0)) return out;
  out.axis.normalize();
  out.e1 = out.axis.unitOrthogonal();
  out.e2 = out.axis.cross(out.e1);
  return out;
}

}  // namespace

std::vector<TangentSpan> tangent_spans(const Scene& scene, const Cable& cable) {
  constexpr double turn = 2 * std::numbers::pi;
  const ErrorObject who("cable", cable.name);
  std::vector<Segment> segments(cable.route.size() - 1);
  for (size_t k = 0; k < segments.size(); ++k)
    if (span_segment(groove_at_start(scene, cable.route[k], who),
                     groove_at_start(scene, cable.route[k + 1], who), 0, 0,
                     segments[k]) != SegmentStatus::ok)
      throw Error(who.at(fmt::format("route points {} and {}", k + 1, k + 2)),
                  "two points that no cable can connect: they coincide, or one lies inside the "
                  "pulley of the other",
                  "distinct points", "Move one of them, or reduce the radius of the pulley.");
  std::vector<TangentSpan> out;
  for (size_t k = 0; k < segments.size(); ++k) {
    TangentSpan span{segments[k].from, segments[k].to, 0};
    if (const double radius = cable.route[k + 1].radius; radius > 0 && k + 1 < segments.size()) {
      const double angle = segments[k + 1].leave - segments[k].reach;
      span.arc = radius * (angle - turn * std::floor(angle / turn));
    }
    out.push_back(span);
  }
  return out;
}

}  // namespace hawser
