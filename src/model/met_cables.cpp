#include "model/met_cables.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "hawser/error.h"
#include "model/model_data.h"

namespace hawser {
namespace {

/// Two straight lines, and where they are nearest to each other.
struct TwoLines {
  Vec3 a, along_a, b, along_b;
  Vec3 turn;          ///< along_a x along_b
  double volume = 0;  ///< (b - a) . turn: changes its sign where they pass
  double share_a = 0, share_b = 0;
  bool parallel = true;

  TwoLines(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
      : a(a0), along_a(a1 - a0), b(b0), along_b(b1 - b0), turn(along_a.cross(along_b)) {
    constexpr double least = 1e-9;  // sine of the angle between them
    const Vec3 apart = b - a;
    volume = apart.dot(turn);
    const double size = turn.norm();
    parallel = !(size > least * along_a.norm() * along_b.norm());
    if (parallel) return;
    share_a = apart.cross(along_b).dot(turn) / (size * size);
    share_b = apart.cross(along_a).dot(turn) / (size * size);
  }
  /// They cross between their ends.
  [[nodiscard]] bool inside() const {
    constexpr double end = 1e-9;  // of the length
    return !parallel && share_a > end && share_a < 1 - end && share_b > end && share_b < 1 - end;
  }
  [[nodiscard]] double distance() const { return std::abs(volume) / turn.norm(); }
};

TwoLines lines_at(const MovingPart& first, const MovingPart& second, double t) {
  const auto at = [t](const Vec3(&x)[2]) { return Vec3(x[0] + t * (x[1] - x[0])); };
  return {at(first.a), at(first.b), at(second.a), at(second.b)};
}

/// The zeros of the derivative of the cubic through values at 0, 1/3, 2/3 and 1 that are between 0
/// and 1, with these.
std::vector<double> monotone_parts(const std::array<double, 4>& f) {
  const double c1 = (-11 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3]) / 2,
               c2 = 9 * (2 * f[0] - 5 * f[1] + 4 * f[2] - f[3]) / 2,
               c3 = 9 * (-f[0] + 3 * f[1] - 3 * f[2] + f[3]) / 2;
  std::vector<double> out{0, 1};
  const double a = 3 * c3, b = c2, root2 = b * b - a * c1;  // a t^2 + 2 b t + c1
  if (root2 >= 0) {
    const double q = -(b + std::copysign(std::sqrt(root2), b));
    if (a != 0) out.push_back(q / a);
    if (q != 0) out.push_back(c1 / q);
  }
  std::erase_if(out, [](double t) { return !(t >= 0 && t <= 1); });
  std::sort(out.begin(), out.end());
  return out;
}

double zero_between(const MovingPart& first, const MovingPart& second, double low, double high) {
  const bool rises = lines_at(first, second, high).volume > 0;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    ((lines_at(first, second, middle).volume > 0) == rises ? high : low) = middle;
  }
  return (low + high) / 2;
}

bool may_meet(const MovingPart& first, const MovingPart& second) {
  const auto box = [](const MovingPart& p) {
    return std::pair<Vec3, Vec3>(p.a[0].cwiseMin(p.a[1]).cwiseMin(p.b[0]).cwiseMin(p.b[1]),
                                 p.a[0].cwiseMax(p.a[1]).cwiseMax(p.b[0]).cwiseMax(p.b[1]));
  };
  const auto [low, high] = box(first);
  const auto [from, to] = box(second);
  return (low.array() <= to.array()).all() && (from.array() <= high.array()).all();
}

/// They end at one place.
bool joined(const MovingPart& first, const MovingPart& second) {
  constexpr double same = 1e-9;
  const double near =
      same * ((first.b[0] - first.a[0]).norm() + (second.b[0] - second.a[0]).norm());
  const auto meet = [&](const Vec3(&x)[2], const Vec3(&y)[2]) {
    return (x[0] - y[0]).norm() < near && (x[1] - y[1]).norm() < near;
  };
  return meet(first.a, second.a) || meet(first.a, second.b) || meet(first.b, second.a) ||
         meet(first.b, second.b);
}

std::string names(const Scene& scene, int a, int b) {
  return fmt::format("cables '{}' and '{}'", scene.cables[static_cast<size_t>(a)].name,
                     scene.cables[static_cast<size_t>(b)].name);
}

}  // namespace

Passing passing(const MovingPart& first, const MovingPart& second) {
  constexpr double lies_on = 1e-6;  // by their lengths
  Passing out;
  if (!may_meet(first, second) || joined(first, second)) return out;
  std::array<double, 4> f{};
  for (size_t i = 0; i < f.size(); ++i)
    f[i] = lines_at(first, second, static_cast<double>(i) / 3).volume;
  const std::vector<double> parts = monotone_parts(f);
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const double low = parts[i], high = parts[i + 1];
    const double from = lines_at(first, second, low).volume,
                 to = lines_at(first, second, high).volume;
    if ((from > 0) == (to > 0)) continue;
    const TwoLines met = lines_at(first, second, zero_between(first, second, low, high));
    if (!met.inside() || met.distance() > lies_on * (met.along_a.norm() + met.along_b.norm()))
      continue;
    out.found = !out.found;  // and back again
    if (out.found) out.normal = (from > 0 ? -1 : 1) * met.turn.normalized();
  }
  if (!out.found) return out;
  const TwoLines now = lines_at(first, second, 1);
  constexpr double aside = 1e-3;
  out.share[0] = std::clamp(now.parallel ? 0.5 : now.share_a, aside, 1 - aside);
  out.share[1] = std::clamp(now.parallel ? 0.5 : now.share_b, aside, 1 - aside);
  return out;
}

std::vector<std::pair<int, int>> meeting_massless(const Scene& scene) {
  std::vector<std::pair<int, int>> out;
  for (const Contact& contact : scene.contacts) {
    if (!contact.shapes.empty() || !contact.pulleys.empty()) continue;
    for (size_t i = 0; i < contact.cables.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const ErrorObject who("contact", contact.name);
        const int a = find_cable(scene, contact.cables[j], who),
                  b = find_cable(scene, contact.cables[i], who);
        const auto is_massless = [&](int c) {
          return scene.cables[static_cast<size_t>(c)].model == CableModel::massless;
        };
        if (is_massless(a) && is_massless(b)) out.emplace_back(a, b);
      }
  }
  return out;
}

void require_crossings(const Scene& scene, const Mesh& mesh) {
  const std::vector<std::pair<int, int>> pairs = meeting_massless(scene);
  for (const Mesh::Crossing& c : mesh.crossings) {
    const bool known = std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return (pair.first == c.cable[0] && pair.second == c.cable[1]) ||
             (pair.first == c.cable[1] && pair.second == c.cable[0]);
    });
    if (!known)
      throw Error("mesh", "a crossing of cables that is not of this scene",
                  "massless cables that a contact names", "Take the mesh from renewed_mesh().");
  }
}

std::vector<int> joined_cables(const Mesh& mesh, int cable) {
  std::vector<int> out{cable};
  for (size_t i = 0; i < out.size(); ++i)
    for (const Mesh::Crossing& c : mesh.crossings)
      for (const size_t k : {0, 1})
        if (c.cable[k] == out[i] && std::find(out.begin(), out.end(), c.cable[1 - k]) == out.end())
          out.push_back(c.cable[1 - k]);
  std::sort(out.begin(), out.end());
  return out;
}

void require_apart(const Scene& scene, const std::vector<std::vector<Segment>>& ways) {
  constexpr double touching = 1e-9;  // by the lengths
  for (const auto& [a, b] : meeting_massless(scene))
    for (const Segment& s : ways[static_cast<size_t>(a)])
      for (const Segment& t : ways[static_cast<size_t>(b)]) {
        const MovingPart first{{s.from, s.from}, {s.to, s.to}},
            second{{t.from, t.from}, {t.to, t.to}};
        const TwoLines lines(s.from, s.to, t.from, t.to);
        if (joined(first, second) || !lines.inside() ||
            lines.distance() > touching * (s.straight + t.straight))
          continue;
        const Vec3 at = lines.a + lines.share_a * lines.along_a;
        throw Error(ErrorObject("contact", names(scene, a, b)),
                    fmt::format("cables that start in each other, at [{:.4g}, {:.4g}, {:.4g}]",
                                at.x(), at.y(), at.z()),
                    "cables that start apart: where they begin tells which of them is above",
                    "Move their route points, by as little as a millimetre.");
      }
}

std::vector<FoundCrossing> found_crossings(const ModelData& model, const RouteRows& then,
                                           const RouteRows& now) {
  std::vector<FoundCrossing> out;
  const std::vector<RouteData>& routes = model.mechanism.routes;
  const auto part = [&](size_t route, size_t i) {
    const Segment &was = then.segments(route)[i], &is = now.segments(route)[i];
    return MovingPart{{was.from, is.from}, {was.to, is.to}};
  };
  const auto crosses = [&](size_t route, size_t i, int crossing) {
    return crossing >= 0 && (routes[route].stops[i].crossing == crossing ||
                             routes[route].stops[i + 1].crossing == crossing);
  };
  for (const auto& [a, b] : meeting_massless(model.scene)) {
    const auto number = [&](int cable) {
      return static_cast<size_t>(
          std::find_if(routes.begin(), routes.end(),
                       [&](const RouteData& r) { return r.cable == cable; }) -
          routes.begin());
    };
    const size_t first = number(a), second = number(b);
    if (routes[first].cut || routes[second].cut) continue;
    for (size_t i = 0; i + 1 < routes[first].stops.size(); ++i)
      for (size_t j = 0; j + 1 < routes[second].stops.size(); ++j) {
        const auto& stops = routes[first].stops;
        if (crosses(second, j, stops[i].crossing) || crosses(second, j, stops[i + 1].crossing))
          continue;
        const MovingPart x = part(first, i), y = part(second, j);
        const Passing found = passing(x, y);
        if (!found.found) continue;
        FoundCrossing& c = out.emplace_back();
        c.crossing.cable[0] = a, c.crossing.cable[1] = b;
        c.route[0] = first, c.route[1] = second;
        c.part[0] = i, c.part[1] = j;
        std::copy_n(found.share, 2, c.share);
        const Vec3 at = (x.a[1] + found.share[0] * (x.b[1] - x.a[1]) + y.a[1] +
                         found.share[1] * (y.b[1] - y.a[1])) /
                        2;
        Vec3::Map(c.crossing.at) = at;
        Vec3::Map(c.crossing.normal) = found.normal;
      }
  }
  return out;
}

std::vector<bool> staying_crossings(const ModelData& model, const RouteRows& now) {
  constexpr double off = 1e-9;  // by half of the kink [rad]
  std::vector<bool> out;
  const Mechanism& m = model.mechanism;
  for (size_t c = 0; c < m.crossings.size(); ++c) {
    const CrossingData& data = m.crossings[c];
    const Crossed& crossed = now.crossed(c);
    out.push_back(true);
    if (!(crossed.kink.dot(crossed.normal) < -off)) continue;
    const auto chord = [&](size_t k) {
      const auto parts = now.segments(static_cast<size_t>(data.route[k]));
      const auto stop = static_cast<size_t>(data.stop[k]);
      return std::pair(parts[stop - 1].from, parts[stop].to);
    };
    const auto [a0, a1] = chord(0);
    const auto [b0, b1] = chord(1);
    const TwoLines lines(a0, a1, b0, b1);
    if (lines.parallel || !(lines.volume * lines.turn.dot(crossed.normal) < 0))
      throw Error(ErrorObject("contact", names(model.scene, model.mesh.crossings[c].cable[0],
                                               model.mesh.crossings[c].cable[1])),
                  fmt::format("cables that have turned about each other by more than a right angle "
                              "in one step, at [{:.4g}, {:.4g}, {:.4g}]",
                              crossed.place.x(), crossed.place.y(), crossed.place.z()),
                  "a side on which each of them lies", "Use shorter steps.");
    out.back() = false;
  }
  return out;
}

void drop_crossings(Mesh& mesh, size_t cable) {
  for (size_t i = 0; i < mesh.crossings.size();) {
    const Mesh::Crossing gone = mesh.crossings[i];
    if (gone.cable[0] != static_cast<int>(cable) && gone.cable[1] != static_cast<int>(cable)) {
      ++i;
      continue;
    }
    mesh.crossings.erase(mesh.crossings.begin() + static_cast<long>(i));
    for (Mesh::Crossing& other : mesh.crossings)
      for (const size_t k : {0, 1})
        for (const size_t j : {0, 1})
          if (other.cable[k] == gone.cable[j] && other.stop[k] > gone.stop[j]) --other.stop[k];
  }
}

}  // namespace hawser
