#include "contact/polyhedra.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

using Eigen::Vector3d;

/// An edge must overlap less than faces by this share of the smaller shape, and an axis kept
/// overlaps more than the best by this at most.
constexpr double preference = 1e-3;

/// An axis along which two shapes overlap, in the axes of B.
struct OverlapAxis {
  Vector3d normal;         ///< from B to A
  double gap = -HUGE_VAL;  ///< along it; below zero where they overlap
  int code = 0;            ///< above zero: faces of A, then of B, then pairs of edge directions
};

/// Ways from points of B to points of A. Along no axis is the gap larger than one of them, so that
/// most pairs of edges need not be measured.
class WaysBetween {
 public:
  void add(const Vector3d& way) { ways_[count_++ % ways_.size()] = way; }
  /// The gap along an axis is not larger.
  [[nodiscard]] double most(const Vector3d& n) const {
    double out = HUGE_VAL;
    for (size_t i = 0; i < std::min(count_, ways_.size()); ++i)
      out = std::min(out, n.dot(ways_[i]));
    return out;
  }

 private:
  std::array<Vector3d, 8> ways_;
  size_t count_ = 0;
};

/// A polygon cut by planes; room for the rims of two prisms.
struct Polygon {
  std::array<Vector3d, 96> corners;
  size_t count = 0;

  void add(const Vector3d& corner) {
    if (count < corners.size()) corners[count++] = corner;
  }
  /// What is left where n.x <= offset.
  void cut(const Vector3d& n, double offset) {
    Polygon out;
    for (size_t i = 0; i < count; ++i) {
      const Vector3d &from = corners[i], &to = corners[(i + 1) % count];
      const double u = n.dot(from) - offset, w = n.dot(to) - offset;
      if (u <= 0) out.add(from);
      if ((u < 0 && w > 0) || (u > 0 && w < 0)) out.add(from + u / (u - w) * (to - from));
    }
    *this = out;
  }
};

/// Of many points the deepest, the farthest from it, the farthest from the line of both, and the
/// farthest from that on the other side.
void add_spread(const Polygon& points, const Vector3d& normal, const double* depth, Manifold& out) {
  const auto best = [&](const auto& measure) {
    size_t at = points.count;
    double most = 0;
    for (size_t i = 0; i < points.count; ++i)
      if (const double m = depth[i] > 0 ? measure(i) : 0; m > most) {
        most = m;
        at = i;
      }
    if (at < points.count) out.add(points.corners[at], normal, depth[at]);
    return at;
  };
  const size_t first = best([&](size_t i) { return depth[i]; });
  if (first == points.count) return;
  const Vector3d& a = points.corners[first];
  const size_t second = best([&](size_t i) { return (points.corners[i] - a).norm(); });
  if (second == points.count) return;
  const Vector3d across = normal.cross(points.corners[second] - a);
  for (const double side : {1.0, -1.0})
    best([&](size_t i) { return side * across.dot(points.corners[i] - a); });
}

class Overlap {
 public:
  Overlap(const ConvexShape& a, const ConvexShape& b, const RelativePose& at)
      : a_(a), b_(b), at_(at) {}

  /// The axis of least overlap or the one kept; a gap above zero: they are apart.
  [[nodiscard]] OverlapAxis least(KeptAxis kept) const;
  void touch(const OverlapAxis& axis, Manifold& out) const;

 private:
  [[nodiscard]] int faces_a() const { return static_cast<int>(a_.faces.size()); }
  [[nodiscard]] int faces_b() const { return static_cast<int>(b_.faces.size()); }
  [[nodiscard]] int directions_b() const { return static_cast<int>(b_.directions.size()); }
  [[nodiscard]] int pairs() const {
    return static_cast<int>(a_.directions.size()) * directions_b();
  }
  [[nodiscard]] Vector3d corner_a(int i) const {
    return at_.centre + at_.axes * a_.corners[static_cast<size_t>(i)];
  }
  [[nodiscard]] Vector3d corner(bool in_a, int i) const {
    return in_a ? corner_a(i) : b_.corners[static_cast<size_t>(i)];
  }
  [[nodiscard]] double lowest_a(const Vector3d& n) const;
  [[nodiscard]] Vector3d lowest_point_a(const Vector3d& n) const {
    return at_.centre + at_.axes * a_.farthest(-(at_.axes.transpose() * n));
  }
  [[nodiscard]] OverlapAxis direction(int code) const;
  [[nodiscard]] OverlapAxis axis(int code) const;
  void facing(bool in_a, const Vector3d& outward, Polygon& face, Polygon& line) const;
  bool touch_feet(bool in_a, const ConvexShape::Face& on, const Vector3d& outward, double offset,
                  const Vector3d& normal, Manifold& out) const;
  void touch_faces(const OverlapAxis& axis, Manifold& out) const;
  void touch_edges(const OverlapAxis& axis, Manifold& out) const;

  const ConvexShape &a_, &b_;
  const RelativePose& at_;
};

double Overlap::lowest_a(const Vector3d& n) const {
  return n.dot(at_.centre) - a_.extent(-(at_.axes.transpose() * n));
}

/// An axis without its gap; zero where two edges are parallel: faces tell.
OverlapAxis Overlap::direction(int code) const {
  OverlapAxis out;
  out.normal = Vector3d::Zero();
  out.code = code;
  int i = code - 1;
  if (i < faces_a()) {
    out.normal = -(at_.axes * a_.faces[static_cast<size_t>(i)].normal);
  } else if ((i -= faces_a()) < faces_b()) {
    out.normal = b_.faces[static_cast<size_t>(i)].normal;
  } else {
    i -= faces_b();
    const Vector3d cross = (at_.axes * a_.directions[static_cast<size_t>(i / directions_b())])
                               .cross(b_.directions[static_cast<size_t>(i % directions_b())]);
    const double size = cross.norm();
    if (size < 1e-6) return out;
    out.normal = (cross.dot(at_.centre) < 0 ? -1 : 1) / size * cross;
  }
  return out;
}

OverlapAxis Overlap::axis(int code) const {
  OverlapAxis out = direction(code);
  if (!out.normal.isZero()) out.gap = lowest_a(out.normal) - b_.extent(out.normal);
  return out;
}

OverlapAxis Overlap::least(KeptAxis kept) const {
  const double slack =
      preference * std::min(a_.surface.half_thickness(), b_.surface.half_thickness());
  OverlapAxis best;
  const int faces = faces_a() + faces_b();
  WaysBetween between;
  for (int code = 1; code <= faces + pairs(); ++code) {
    OverlapAxis found = direction(code);
    const double wanted = best.gap + (code > faces && best.code <= faces ? slack : 0);
    if (found.normal.isZero() || between.most(found.normal) <= std::min(wanted, 0.0)) continue;
    found.gap = lowest_a(found.normal) - b_.extent(found.normal);
    if (found.gap > 0) return found;
    if (found.gap > wanted) best = found;
    between.add(lowest_point_a(found.normal) - b_.farthest(found.normal));
  }
  if (kept.only) return axis(kept.axis);
  if (kept.axis > 0 && kept.axis <= faces)  // along a face an edge is one of several
    if (const OverlapAxis before = axis(kept.axis); before.gap > best.gap - slack) return before;
  return best;
}

/// What of a shape, of A or of B, faces along -outward: a face or, of a cylinder, the cap and the
/// line along its side that face there.
void Overlap::facing(bool in_a, const Vector3d& outward, Polygon& face, Polygon& line) const {
  const ConvexShape& shape = in_a ? a_ : b_;
  const Vector3d down = in_a ? Vector3d(-at_.axes.transpose() * outward) : Vector3d(-outward);
  const bool round = shape.surface.kind == Surface::Kind::cylinder;
  const ConvexShape::Face* best = nullptr;
  for (const auto& f : shape.faces) {
    if (round && f.corners.size() == 4) continue;  // a side of the prism
    if (best == nullptr || down.dot(f.normal) > down.dot(best->normal)) best = &f;
  }
  for (const int i : best->corners) face.add(corner(in_a, i));
  const double flat = std::hypot(down.x(), down.y());
  if (!round || flat < 1e-12) return;
  const double r = shape.surface.size.x() / flat, half = shape.surface.size.y() / 2;
  for (const double z : {-half, half}) {
    const Vector3d end(r * down.x(), r * down.y(), z);
    line.add(in_a ? Vector3d(at_.centre + at_.axes * end) : end);
  }
}

/// A cylinder that stands or lies within a face; false where it does not.
bool Overlap::touch_feet(bool in_a, const ConvexShape::Face& on, const Vector3d& outward,
                         double offset, const Vector3d& normal, Manifold& out) const {
  const Surface& surface = (in_a ? a_ : b_).surface;
  if (surface.kind != Surface::Kind::cylinder) return false;
  Manifold found;
  for (const Vector3d& foot :
       feet_of_cylinder(surface, in_a ? Vector3d(at_.axes.transpose() * outward) : outward)) {
    const Vector3d y = in_a ? Vector3d(at_.centre + at_.axes * foot) : foot;
    const double depth = offset - outward.dot(y);
    for (size_t i = 0; i < on.corners.size() && depth > 0; ++i) {
      const Vector3d from = corner(!in_a, on.corners[i]),
                     to = corner(!in_a, on.corners[(i + 1) % on.corners.size()]);
      if ((to - from).cross(outward).dot(y - from) > 0) return false;
    }
    found.add(y, normal, depth);
  }
  out = found;
  return true;
}

void Overlap::touch_faces(const OverlapAxis& axis, Manifold& out) const {
  const bool of_a = axis.code <= faces_a();
  const ConvexShape& own = of_a ? a_ : b_;
  const auto& face =
      own.faces[static_cast<size_t>(of_a ? axis.code - 1 : axis.code - 1 - faces_a())];
  const Vector3d outward = of_a ? Vector3d(-axis.normal) : axis.normal;
  const double offset = of_a ? -lowest_a(axis.normal) : b_.extent(outward);
  if (touch_feet(!of_a, face, outward, offset, axis.normal, out)) return;
  Polygon points, line;
  facing(!of_a, outward, points, line);
  for (size_t i = 0; i < face.corners.size(); ++i) {
    const Vector3d from = corner(of_a, face.corners[i]),
                   to = corner(of_a, face.corners[(i + 1) % face.corners.size()]);
    const Vector3d side = (to - from).cross(outward);
    points.cut(side, side.dot(from));
    line.cut(side, side.dot(from));
  }
  for (size_t i = 0; i < line.count; ++i) points.add(line.corners[i]);
  std::array<double, 96> depth{};
  for (size_t i = 0; i < points.count; ++i) depth[i] = offset - outward.dot(points.corners[i]);
  add_spread(points, axis.normal, depth.data(), out);
}

void Overlap::touch_edges(const OverlapAxis& axis, Manifold& out) const {
  const int i = axis.code - 1 - faces_a() - faces_b();
  const Vector3d& n = axis.normal;
  // Of the edges along the two directions those that face the other shape.
  Vector3d at_a = Vector3d::Zero(), at_b = at_a, along_a = at_a, along_b = at_a;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const auto& e : a_.edges) {
    const Vector3d from = corner_a(e.from), to = corner_a(e.to);
    if (const double h = n.dot(from + to); e.direction == i / directions_b() && h < low) {
      low = h;
      at_a = from;
      along_a = to - from;
    }
  }
  for (const auto& e : b_.edges) {
    const Vector3d &from = b_.corners[static_cast<size_t>(e.from)],
                   &to = b_.corners[static_cast<size_t>(e.to)];
    if (const double h = n.dot(from + to); e.direction == i % directions_b() && h > high) {
      high = h;
      at_b = from;
      along_b = to - from;
    }
  }
  // Where the two lines are nearest.
  const double aa = along_a.squaredNorm(), ab = along_a.dot(along_b), bb = along_b.squaredNorm();
  const Vector3d between = at_a - at_b;
  const double below = aa * bb - ab * ab;
  const double s = (ab * along_b.dot(between) - bb * along_a.dot(between)) / below;
  out.add(at_a + std::clamp(s, 0.0, 1.0) * along_a, n, -axis.gap);
}

void Overlap::touch(const OverlapAxis& axis, Manifold& out) const {
  if (axis.code <= faces_a() + faces_b())
    touch_faces(axis, out);
  else
    touch_edges(axis, out);
}

}  // namespace

Manifold of_polyhedra(const ConvexShape& a, const ConvexShape& b, const RelativePose& at,
                      KeptAxis kept) {
  const Overlap overlap(a, b, at);
  const OverlapAxis axis = overlap.least(kept);
  Manifold out;
  if (axis.gap >= 0) return out;
  overlap.touch(axis, out);
  out.axis = axis.code;
  return out;
}

}  // namespace hawser
