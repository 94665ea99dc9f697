#include "record/route_shape.h"

#include <algorithm>
#include <cmath>

#include "model/meetings.h"

namespace hawser {

RouteShape::RouteShape(const ModelData& model, const RouteData& route, int arc)
    : route_(route), arc_(arc) {
  const Cable& cable = model.scene.cables[static_cast<size_t>(route.cable)];
  const std::vector<MetShape> shapes = met_shapes(model.scene, cable);
  const auto bends = bends_of(model.mesh, static_cast<size_t>(route.cable));
  size_t bend = 0;
  for (const StopData& stop : route.stops)
    stops_.push_back(stop.crossing >= 0 ? FrameRef()
                     : stop.number >= 0
                         ? find_stop(model.scene, cable.route[static_cast<size_t>(stop.number)],
                                     ErrorObject("cable", cable.name))
                         : shapes[static_cast<size_t>(bends[bend++].shape)].at);
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
    if (stop.bend.any()) {
      const RouteRows::Bent& bent = now.bent(route_, k);
      const double R = stop.bend.radius;
      for (int i = 0; i <= arc_; ++i)
        show(k, bent.point(static_cast<double>(i) / arc_), before, after, 0.5, R > 0 ? 1 / R : 0);
      continue;
    }
    if (stop.crossing >= 0) {
      use(Point{segments[k].from, now.velocity_of_crossing(stop), now.tension(route_, before),
                now.strain(route_, before), 0});
      continue;
    }
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

bool RouteShape::changes() const {
  return route_.bends || std::any_of(route_.stops.begin(), route_.stops.end(),
                                     [](const StopData& stop) { return stop.crossing >= 0; });
}

size_t RouteShape::points() const {
  size_t sum = 2;
  for (size_t k = 1; k + 1 < route_.stops.size(); ++k)
    sum += route_.stops[k].bend.any() || route_.stops[k].radius > 0 ? static_cast<size_t>(arc_) + 1
                                                                    : 1;
  return sum;
}

void RouteShape::measure(const MechanismNow& now, std::vector<double>& s) const {
  s.clear();
  Vec3 before = Vec3::Zero();
  walk(now, [&](const Point& p) {
    s.push_back(s.empty() ? 0 : s.back() + (p.position - before).norm());
    before = p.position;
  });
  const double stretch = now.rest_length(route_) / s.back();
  for (double& at : s) at *= stretch;
}

Shape RouteShape::empty(const MechanismNow& start) const {
  Shape out;
  const size_t size = points();
  if (changes())
    out.s.resize(size);
  else
    measure(start, out.s);
  out.position.resize(3 * size), out.velocity.resize(3 * size);
  out.tension.resize(size), out.strain.resize(size), out.curvature.resize(size);
  return out;
}

void RouteShape::fill(const MechanismNow& now, Shape& out) const {
  if (changes()) measure(now, out.s);
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
