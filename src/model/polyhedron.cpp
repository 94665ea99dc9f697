#include "hawser/polyhedron.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "hawser/error.h"
#include "math/polygon.h"

namespace hawser {
namespace {

constexpr size_t most_facets = 5000;
constexpr double weld = 1e-6;  ///< distances that are none, of the size of the whole

std::string text_of(const Vec3& p) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", p.x(), p.y(), p.z());
}

/// Makes one polyhedron of facets, in the order of the functions.
class FacetJoiner {
 public:
  FacetJoiner(const Facets& facets, const std::string& name) : in_(facets), name_(name) {}

  Polyhedron join() {
    check_indices();
    weld_points();
    find_planes();
    find_neighbours();
    check_side();
    group_faces();
    check_convex();
    return polygons();
  }

 private:
  using Edge = std::pair<int, int>;  ///< from, to

  [[noreturn]] void refuse(const std::string& found, const std::string& expected,
                           const std::string& remedy) const {
    throw Error(name_, found, expected, remedy);
  }
  [[nodiscard]] const Vec3& point(int i) const { return points_[static_cast<size_t>(i)]; }
  [[nodiscard]] std::string edge_text(const Edge& e) const {
    return fmt::format("from {} to {}", text_of(point(e.first)), text_of(point(e.second)));
  }

  void check_indices() const {
    if (in_.polygons.size() < 4)
      refuse(fmt::format("{} facets", in_.polygons.size()), "a closed surface: four or more", "");
    if (in_.polygons.size() > most_facets)
      refuse(fmt::format("{} facets", in_.polygons.size()), fmt::format("at most {}", most_facets),
             "Simplify the mesh: a convex shape needs few.");
    for (size_t f = 0; f < in_.polygons.size(); ++f) {
      if (in_.polygons[f].size() < 3)
        refuse(fmt::format("facet {} with {} corners", f + 1, in_.polygons[f].size()),
               "three or more", "");
      for (const int i : in_.polygons[f])
        if (i < 0 || static_cast<size_t>(i) >= in_.points.size())
          refuse(fmt::format("facet {} with point {}", f + 1, i + 1),
                 fmt::format("a point from 1 to {}", in_.points.size()), "");
    }
    for (size_t i = 0; i < in_.points.size(); ++i)
      if (!in_.points[i].allFinite())
        refuse(fmt::format("point {} at {}", i + 1, text_of(in_.points[i])), "finite numbers", "");
  }

  /// Points that are nearly the same get the number of the first of them.
  void weld_points() {
    Eigen::AlignedBox3d box;
    for (const auto& polygon : in_.polygons)
      for (const int i : polygon) box.extend(in_.points[static_cast<size_t>(i)]);
    size_ = box.diagonal().norm();
    if (!(size_ > 0) || !std::isfinite(size_ * size_ * size_))
      refuse("points that are all in one place", "a solid", "");
    std::vector<int> order(in_.points.size()), same(in_.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::iota(same.begin(), same.end(), 0);
    const auto x = [&](int i) { return in_.points[static_cast<size_t>(i)].x(); };
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return std::pair(x(a), a) < std::pair(x(b), b); });
    for (size_t k = 0; k < order.size(); ++k)
      for (size_t j = k; j-- > 0 && x(order[k]) - x(order[j]) <= weld * size_;) {
        const auto a = static_cast<size_t>(order[k]), b = static_cast<size_t>(order[j]);
        if ((in_.points[a] - in_.points[b]).norm() > weld * size_) continue;
        const int lowest = std::min(same[a], same[b]);
        same[a] = same[b] = lowest;
      }
    points_ = in_.points;
    polygons_ = in_.polygons;
    for (auto& polygon : polygons_)
      for (int& i : polygon)
        while (same[static_cast<size_t>(i)] != i) i = same[static_cast<size_t>(i)];
  }

  void find_planes() {
    for (size_t f = 0; f < polygons_.size(); ++f) {
      const auto& polygon = polygons_[f];
      const Vec3 area = twice_area(points_, polygon);
      double longest = 0;
      for (size_t i = 0; i < polygon.size(); ++i)
        longest = std::max(longest,
                           (point(polygon[(i + 1) % polygon.size()]) - point(polygon[i])).norm());
      if (!(area.norm() > weld * size_ * longest))
        refuse(fmt::format("facet {} at {}, which has no area", f + 1, text_of(point(polygon[0]))),
               "facets with an area", "Repair the mesh, for example by merging close points.");
      areas_.push_back(area);
      for (const int i : polygon)
        if (std::abs(distance(f, i)) > 10 * weld * size_)
          refuse(fmt::format("facet {} at {}, which is not flat", f + 1, text_of(point(i))),
                 "flat facets", "Divide the facet into triangles.");
    }
  }

  /// Of a point from the plane of a facet.
  [[nodiscard]] double distance(size_t facet, int i) const {
    return areas_[facet].normalized().dot(point(i) - point(polygons_[facet][0]));
  }

  void find_neighbours() {
    for (size_t f = 0; f < polygons_.size(); ++f)
      for (size_t i = 0; i < polygons_[f].size(); ++i) {
        const Edge e(polygons_[f][i], polygons_[f][(i + 1) % polygons_[f].size()]);
        const auto [at, is_new] = facet_of_.emplace(e, f);
        if (!is_new)
          refuse(fmt::format("facets {} and {}, which run along the edge {} in the same direction",
                             at->second + 1, f + 1, edge_text(e)),
                 "facets that are all counterclockwise seen from outside, two at each edge",
                 "Turn one of them round, or repair the mesh.");
      }
    for (const auto& [e, f] : facet_of_)
      if (!facet_of_.contains({e.second, e.first}))
        refuse(fmt::format("facet {} alone at the edge {}", f + 1, edge_text(e)),
               "a closed surface: two facets at each edge", "Close the hole in the mesh.");
  }

  void check_side() const {
    double six_volumes = 0;
    for (size_t f = 0; f < polygons_.size(); ++f)
      six_volumes += areas_[f].dot(point(polygons_[f][0]) - point(polygons_[0][0]));
    if (six_volumes < 0)
      refuse("facets that are clockwise seen from outside",
             "facets that are counterclockwise seen from outside",
             "Turn the normals of the mesh round: it is inside out.");
  }

  /// Neighbours in one plane are one face. Each plane is that of the largest facet in it.
  void group_faces() {
    std::vector<size_t> order(polygons_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return areas_[a].norm() > areas_[b].norm(); });
    group_.assign(polygons_.size(), polygons_.size());
    for (const size_t seed : order) {
      if (group_[seed] < polygons_.size()) continue;
      std::vector<size_t> members{seed};
      group_[seed] = seed;
      for (size_t k = 0; k < members.size(); ++k) {
        const auto& polygon = polygons_[members[k]];
        for (size_t i = 0; i < polygon.size(); ++i) {
          const size_t next = facet_of_.at({polygon[(i + 1) % polygon.size()], polygon[i]});
          if (group_[next] < polygons_.size() || areas_[next].dot(areas_[seed]) < 0) continue;
          const bool flat = std::all_of(polygons_[next].begin(), polygons_[next].end(), [&](int p) {
            return std::abs(distance(seed, p)) <= 10 * weld * size_;
          });
          if (!flat) continue;
          group_[next] = seed;
          members.push_back(next);
        }
      }
      const size_t name = *std::min_element(members.begin(), members.end());
      for (const size_t f : members) group_[f] = name;
      seed_[name] = seed;
    }
  }

  void check_convex() const {
    // Each point once, with the first facet that it is of.
    std::vector<std::pair<size_t, int>> corners;
    std::vector<bool> seen(points_.size(), false);
    for (size_t f = 0; f < polygons_.size(); ++f)
      for (const int i : polygons_[f]) {
        if (!seen[static_cast<size_t>(i)]) corners.emplace_back(f, i);
        seen[static_cast<size_t>(i)] = true;
      }
    for (const auto& [name, seed] : seed_) {
      const Vec3 normal = areas_[seed].normalized(), base = point(polygons_[seed][0]);
      for (const auto& [f, i] : corners)
        if (const double beyond = normal.dot(point(i) - base); beyond > 20 * weld * size_)
          refuse(fmt::format("facet {}, beyond which {} of facet {} stands by {:.3g}", seed + 1,
                             text_of(point(i)), f + 1, beyond),
                 "a convex surface: all of it behind each of its facets",
                 "Cut the shape into convex ones, or use its convex hull.");
    }
  }

  /// The rims of the groups. A corner of two faces alone is a point of the edge between them.
  [[nodiscard]] Polyhedron polygons() const {
    std::map<size_t, std::map<int, int>> rims;  // by group: next corner
    std::vector<int> faces_at(points_.size(), 0);
    for (const auto& [e, f] : facet_of_) {
      if (group_[f] == group_[facet_of_.at({e.second, e.first})]) continue;
      ++faces_at[static_cast<size_t>(e.first)];
      if (!rims[group_[f]].emplace(e.first, e.second).second) refuse_rim(f);
    }
    Polyhedron out;
    std::vector<int> number(points_.size(), -1);
    for (size_t i = 0; i < points_.size(); ++i)
      if (faces_at[i] > 2) {
        number[i] = static_cast<int>(out.corners.size());
        out.corners.push_back(points_[i]);
      }
    for (const auto& [name, rim] : rims) {
      auto& face = out.faces.emplace_back();
      size_t seen = 0;
      int at = rim.begin()->first;
      do {
        if (number[static_cast<size_t>(at)] >= 0) face.push_back(number[static_cast<size_t>(at)]);
        at = rim.at(at);
      } while (++seen < rim.size() && at != rim.begin()->first);
      if (seen < rim.size() || face.size() < 3) refuse_rim(name);
      std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    }
    if (out.faces.size() < 4) refuse_rim(0);
    return out;
  }
  [[noreturn]] void refuse_rim(size_t facet) const {
    refuse(fmt::format("facet {}, whose plane has no simple outline", facet + 1),
           "a convex surface with a volume", "Use the convex hull of the shape.");
  }

  const Facets& in_;
  const std::string& name_;
  double size_ = 0;
  std::vector<Vec3> points_;
  std::vector<std::vector<int>> polygons_;
  std::vector<Vec3> areas_;
  std::map<Edge, size_t> facet_of_;
  std::vector<size_t> group_;      ///< by facet: the first facet of its face
  std::map<size_t, size_t> seed_;  ///< by group: the facet whose plane it is
};

}  // namespace

Polyhedron joined_facets(const Facets& facets, const std::string& name) {
  return FacetJoiner(facets, name).join();
}

VolumeMoments moments_of(const Polyhedron& p) {
  VolumeMoments out;
  const Vec3 from = p.corners.front();  // near to it: files may be far from their origin
  for (const auto& face : p.faces)
    for (size_t i = 1; i + 1 < face.size(); ++i) {
      const auto corner = [&](size_t k) {
        return Vec3(p.corners[static_cast<size_t>(face[k])] - from);
      };
      const Vec3 a = corner(0), b = corner(i), c = corner(i + 1), sum = a + b + c;
      const double volume = a.dot(b.cross(c)) / 6;
      out.volume += volume;
      out.centre += volume / 4 * sum;
      out.second +=
          volume / 20 *
          (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  out.centre /= out.volume;
  out.second -= out.volume * out.centre * out.centre.transpose();
  out.centre += from;
  return out;
}

Solid solid_of(const Polyhedron& surface, double scale) {
  auto moved = std::make_shared<Polyhedron>(surface);
  const Vec3 centre = moments_of(surface).centre;
  Solid out;
  out.kind = Solid::Kind::mesh;
  for (Vec3& corner : moved->corners) {
    corner = scale * (corner - centre);
    out.size = out.size.cwiseMax(2 * corner.cwiseAbs());
  }
  out.mesh = std::move(moved);
  return out;
}

}  // namespace hawser
