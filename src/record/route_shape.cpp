#include "record/route_shape.h"

#include <cmath>

namespace hawser {

RouteShape::RouteShape(const ModelData& model, const RouteData& route, int arc)
    : route_(route), arc_(arc) {
  const Cable& cable = model.scene.cables[static_cast<size_t>(route.cable)];
  for (const Stop& stop : cable.route)
    stops_.push_back(find_stop(model.scene, stop, ErrorObject("cable", cable.name)));
}

/// The tension of a cable that rubs changes evenly along the arc, or is the mean at a point: what
/// it is between is not known while it sticks.
template <class Use>
void RouteShape::walk(const MechanismNow& now, const Use& use) const {
  const std::span<const Segment> segments = now.segments(route_);
  /// Between two runs: `share` of the way from the first to the second.
  const auto show = [&](size_t stop, const Vec3& at, size_t first, size_t second, double share,
                        double curvature) {
    use(Point{at, now.velocity(stops_[stop], at),
              std::lerp(now.tension(route_, first), now.tension(route_, second), share),
              std::lerp(now.strain(route_, first), now.strain(route_, second), share), curvature});
  };
  const size_t last = segments.size();
  show(0, segments[0].from, 0, 0, 0, 0);
  for (size_t k = 1; k < last; ++k) {
    const size_t before = run_of(route_, k - 1), after = run_of(route_, k);
    const StopData& stop = route_.stops[k];
    if (stop.radius == 0) {
      show(k, segments[k].from, before, after, 0.5, 0);
      continue;
    }
    const Groove g = now.groove(stop);
    for (int i = 0; i <= arc_; ++i) {
      const double share = static_cast<double>(i) / arc_;
      const double angle = std::lerp(segments[k - 1].reach, segments[k].leave, share);
      show(k, g.center + g.radius * (std::cos(angle) * g.e1 + std::sin(angle) * g.e2), before,
           after, share, 1 / g.radius);
    }
  }
  const size_t end = route_.runs.size() - 1;
  show(last, segments[last - 1].to, end, end, 0, 0);
}

Shape RouteShape::empty(const MechanismNow& start) const {
  Shape out;
  Vec3 before = Vec3::Zero();
  walk(start, [&](const Point& p) {
    out.s.push_back(out.s.empty() ? 0 : out.s.back() + (p.position - before).norm());
    before = p.position;
  });
  const double stretch = start.rest_length(route_) / out.s.back();
  for (double& s : out.s) s *= stretch;
  const size_t size = out.s.size();
  out.position.resize(3 * size), out.velocity.resize(3 * size);
  out.tension.resize(size), out.strain.resize(size), out.curvature.resize(size);
  return out;
}

void RouteShape::fill(const MechanismNow& now, Shape& out) const {
  size_t at = 0;
  walk(now, [&](const Point& p) {
    Vec3::Map(&out.position[3 * at]) = p.position;
    Vec3::Map(&out.velocity[3 * at]) = p.velocity;
    out.tension[at] = p.tension;
    out.strain[at] = p.strain;
    out.curvature[at] = p.curvature;
    ++at;
  });
}

}  // namespace hawser
