#include "model/meetings.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "constraints/poses.h"
#include "constraints/route_rows.h"
#include "contact/hull.h"
#include "hawser/error.h"
#include "hawser/state.h"
#include "math/orientation.h"
#include "model/contacts.h"
#include "model/met_cables.h"
#include "model/model_data.h"

namespace hawser {
namespace {

/// Depth below which a cable does not count as in a shape, by the thickness of the shape.
constexpr double touching = 1e-7;

std::vector<std::array<Vec3, 2>> edges_of(const Surface& surface) {
  std::vector<std::array<Vec3, 2>> out;
  if (surface.kind == Surface::Kind::box) {
    const Vec3 half = surface.size / 2;
    for (int k = 0; k < 3; ++k)
      for (const double u : {-1.0, 1.0})
        for (const double w : {-1.0, 1.0}) {
          Vec3 from = -half;
          from[(k + 1) % 3] = u * half[(k + 1) % 3];
          from[(k + 2) % 3] = w * half[(k + 2) % 3];
          Vec3 to = from;
          to[k] = half[k];
          out.push_back({from, to});
        }
  }
  if (surface.kind == Surface::Kind::mesh)
    for (const Hull::Face& face : surface.hull->faces)
      for (size_t i = 0; i < face.corners.size(); ++i) {
        const int from = face.corners[i], to = face.corners[(i + 1) % face.corners.size()];
        if (from < to)  // the other face has it the other way round
          out.push_back({surface.hull->corners[static_cast<size_t>(from)],
                         surface.hull->corners[static_cast<size_t>(to)]});
      }
  return out;
}

double radius_of(const Cable& cable) {
  double most = 0;
  for (const Section& section : cable.sections) most = std::max(most, section.diameter / 2);
  return most;
}

/// Where a shape is in a state.
struct ShapeAt {
  Vec3 centre;
  Eigen::Matrix3d axes;

  [[nodiscard]] Vec3 place(const Vec3& x) const { return axes.transpose() * (x - centre); }
};

ShapeAt shape_at(const ModelData& model, const MetShape& shape, const State& state) {
  if (shape.at.body >= 0) {
    const auto body = static_cast<size_t>(shape.at.body);
    return {state.position(model.mechanism.bodies[body].node),
            orientation_at(state.orientation.data() + 4 * body).toRotationMatrix()};
  }
  Vec3 centre = shape.at.position;
  const Support& support = model.scene.supports[static_cast<size_t>(shape.at.support)];
  for (int k = 0; k < 3; ++k)
    centre[k] += support.motion[static_cast<size_t>(k)].at(state.now()).value;
  return {centre, shape.axes};
}

/// The ways of all massless cables at an instant; `state`: with the poses of then.
struct WaysAt {
  const State& state;
  Poses poses;
  RouteRows rows;
  RowValues values;
  bool found = false;

  WaysAt(const ModelData& model, const State& at)
      : state(at),
        poses(model.mechanism.bodies, model.mechanism.motions, model.mechanism.turns),
        rows(model.mechanism.routes, model.mechanism.crossings, model.mechanism.crossing_groups) {
    values.wrap = state.wrap;
    values.bends = state.bends;
    poses.update(state.q.data(), state.now(), 0, state.orientation);
    found = rows.span_all(RowsAt{state.now(), state.q.data(), state, poses, model.rows}, values);
  }
};

/// As the last step began, as far as the ways of massless cables go.
State began(const Mechanism& m, const State& state) {
  State out;
  out.t = state.bends[0];
  out.inputs = state.inputs;
  out.q = state.q;
  out.orientation = state.orientation;
  out.wrap = state.wrap;
  out.bends = state.bends;
  out.run_length = state.run_length;
  const double* from = state.bends.data() + 1;
  for (size_t i = 0; i < m.bodies.size(); ++i, from += 7) {
    std::copy_n(from, 3, out.q.data() + node_size * m.bodies[i].node);
    std::copy_n(from + 3, 4, out.orientation.data() + 4 * i);
  }
  return out;
}

/// What a straight part of a cable does in a step, in the axes of a shape.
struct MovingLine {
  Vec3 a0, b0, a1, b1;

  [[nodiscard]] Vec3 a(double share) const { return a0 + share * (a1 - a0); }
  [[nodiscard]] Vec3 b(double share) const { return b0 + share * (b1 - b0); }
  /// The farthest that a point of it moves [m].
  [[nodiscard]] double way() const { return std::max((a1 - a0).norm(), (b1 - b0).norm()); }
};

/// Just before a line enters a shape: the line and where it is nearest.
struct Entry {
  Vec3 a, b;
  NearestOnLine nearest;
};

/// How deep a line may be to count as outside: distance from the surface [m].
double least_distance(const MetShape& shape) {
  return shape.cable - touching * shape.surface.half_thickness();
}

/// A line that ends where the cable lies on the shape already, and turns about it: only what it is
/// in at last counts. Round shapes have nothing else to be met.
std::optional<Entry> entry_beside_bend(const MetShape& shape, const MovingLine& line) {
  if (shape.edges.empty()) return std::nullopt;
  const NearestOnLine at = nearest_on_line(shape.surface, line.a1, line.b1);
  if (!(at.distance < least_distance(shape))) return std::nullopt;
  return Entry{line.a1, line.b1, at};
}

/// Nothing: it stays outside in the whole step.
std::optional<Entry> entry_of(const MetShape& shape, const MovingLine& line) {
  constexpr double stride = 0.25;  // by the thickness from surface to middle
  constexpr int most = 1000;
  const double thickness = shape.surface.half_thickness();
  const double inside = least_distance(shape), way = line.way();
  Entry before{line.a0, line.b0, nearest_on_line(shape.surface, line.a0, line.b0)};
  if (before.nearest.distance - way > inside) return std::nullopt;
  const int parts = std::clamp(static_cast<int>(std::ceil(way / (stride * thickness))), 1, most);
  for (int i = 1; i <= parts; ++i) {
    const double share = static_cast<double>(i) / parts;
    const Vec3 a = line.a(share), b = line.b(share);
    const NearestOnLine now = nearest_on_line(shape.surface, a, b);
    if (now.distance < inside) return before;
    before = {a, b, now};
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const Cable& cable, const MetShape& shape, double t, const char* what) {
  throw Error(ErrorObject("cable", cable.name),
              fmt::format("a massless cable that {} '{}' at t = {:.4g} s", what, shape.name, t),
              "one that meets spheres, round sides of cylinders and capsules, or edges",
              "Move the shape, make it longer, or use `model: np-fem` for the cable.");
}

/// The bends by which a cable that enters a shape lies on it; `a`, `b`: its ends after the step.
std::vector<Mesh::Bend> bends_on(const Cable& cable, const MetShape& shape, const Entry& entry,
                                 const Vec3& a, const Vec3& b, double t) {
  const Surface& surface = shape.surface;
  const Vec3 &at = entry.nearest.at, &normal = entry.nearest.normal;
  const auto bend = [](int part, double sense, const Vec3& where) {
    return Mesh::Bend{0, 0, part, sense, {where.x(), where.y(), where.z()}};
  };
  if (surface.kind == Surface::Kind::sphere) return {bend(-1, 0, surface.size.x() * normal)};
  const double half = surface.size.y() / 2;
  if (surface.kind == Surface::Kind::capsule && std::abs(at.z()) >= half)
    return {bend(at.z() > 0 ? 1 : 0, 0,
                 std::copysign(half, at.z()) * Vec3::UnitZ() + surface.size.x() * normal)};
  if (surface.kind == Surface::Kind::capsule || surface.kind == Surface::Kind::cylinder) {
    if (std::abs(at.z()) > half) refuse(cable, shape, t, "meets the flat end of");
    const double turn = Vec3::UnitZ().dot(entry.a.cross(entry.b));
    return {bend(-1, turn < 0 ? -1 : 1, Vec3(at.x(), at.y(), at.z()))};
  }
  std::vector<Mesh::Bend> out;
  for (const EdgeCrossing& c : edges_between(shape.edges, a, b, normal, shape.cable))
    out.push_back(bend(c.edge, c.sense, c.at));
  if (out.empty()) refuse(cable, shape, t, "is led through a face of");
  return out;
}

/// What a massless cable is led over, in order.
struct WayItem {
  enum class Kind { stop, bend, crossing } kind = Kind::stop;
  Mesh::Bend bend{};
  size_t crossing = 0;  ///< among all that there are then
};

/// A crossing that comes, in a straight part of a cable.
struct ComingCrossing {
  size_t part = 0, crossing = 0;
  double share = 0;  ///< along the part
};

/// What comes and goes along one cable.
class CableMeetings {
 public:
  CableMeetings(const ModelData& model, const WaysAt& then, const WaysAt& now, size_t route)
      : model_(model),
        then_(then),
        now_(now),
        number_(route),
        route_(model.mechanism.routes[route]),
        cable_(model.scene.cables[static_cast<size_t>(route_.cable)]),
        shapes_(met_shapes(model.scene, cable_)) {
    size_t next = 0;
    const auto bends = bends_of(model.mesh, static_cast<size_t>(route_.cable));
    for (const StopData& stop : route_.stops)
      lies_on_.push_back(stop.bend.any() ? bends[next++].shape : -1);
  }

  /// True where bends come or go; `out`: all that there is then. `kept`: by crossing of the mesh,
  /// its number then; -1: it goes.
  bool renew(const std::vector<int>& kept, const std::vector<ComingCrossing>& coming,
             std::vector<WayItem>& out) {
    const auto old = bends_of(model_.mesh, static_cast<size_t>(route_.cable));
    bool changed = false;
    int after = 0;
    size_t next = 0;  // of the old bends
    for (size_t i = 0; i + 1 < route_.stops.size(); ++i) {
      if (const int crossing = route_.stops[i].crossing; crossing >= 0) {
        if (const int number = kept[static_cast<size_t>(crossing)]; number >= 0)
          out.push_back({WayItem::Kind::crossing, {}, static_cast<size_t>(number)});
      } else if (i > 0 && route_.stops[i].bend.any()) {
        if (stays(i))
          out.push_back({WayItem::Kind::bend, old[next]});
        else
          changed = true;
        ++next;
      } else {
        out.push_back({});
        if (i > 0) ++after;
      }
      std::vector<std::pair<double, WayItem>> found;  // by the place along the part
      if (stays(i) && stays(i + 1)) changed |= meet(i, after, found);
      for (const ComingCrossing& c : coming)
        if (c.part == i) {
          const Segment& part = now_.rows.segments(number_)[i];
          found.emplace_back(c.share * part.straight * part.straight,
                             WayItem{WayItem::Kind::crossing, {}, c.crossing});
        }
      std::stable_sort(found.begin(), found.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [place, item] : found) out.push_back(item);
    }
    return changed;
  }

 private:
  [[nodiscard]] bool lies_on(size_t stop, size_t shape) const {
    return lies_on_[stop] == static_cast<int>(shape);
  }

  /// A stop of the scene, or a bend that still turns the cable.
  [[nodiscard]] bool stays(size_t stop) const {
    return !route_.stops[stop].bend.any() || now_.rows.bent(number_, stop).bend.angle >= 0;
  }

  /// The straight part after a stop; adds the bends of what it enters.
  bool meet(size_t part, int after, std::vector<std::pair<double, WayItem>>& found) const {
    const Segment &was = then_.rows.segments(number_)[part],
                  &is = now_.rows.segments(number_)[part];
    for (size_t k = 0; k < shapes_.size(); ++k) {
      const MetShape& shape = shapes_[k];
      const ShapeAt from = shape_at(model_, shape, then_.state),
                    to = shape_at(model_, shape, now_.state);
      const MovingLine line{from.place(was.from), from.place(was.to), to.place(is.from),
                            to.place(is.to)};
      const bool beside = lies_on(part, k) || lies_on(part + 1, k);
      const std::optional<Entry> entry =
          beside ? entry_beside_bend(shape, line) : entry_of(shape, line);
      if (!entry) continue;
      for (Mesh::Bend bend : bends_on(cable_, shape, *entry, line.a1, line.b1, now_.state.t)) {
        bend.after = after;
        bend.shape = static_cast<int>(k);
        const Vec3 along = line.b1 - line.a1;
        found.emplace_back((Eigen::Map<const Vec3>(bend.at) - line.a1).dot(along),
                           WayItem{WayItem::Kind::bend, bend});
      }
    }
    return !found.empty();
  }

  const ModelData& model_;
  const WaysAt &then_, &now_;
  size_t number_;
  const RouteData& route_;
  const Cable& cable_;
  std::vector<MetShape> shapes_;
  std::vector<int> lies_on_;  ///< by stop: the shape that it lies on there; -1: none
};

}  // namespace

std::vector<MetShape> met_shapes(const Scene& scene, const Cable& cable) {
  std::vector<MetShape> out;
  for (const Contact& contact : scene.contacts) {
    if (std::count(contact.cables.begin(), contact.cables.end(), cable.name) == 0) continue;
    for (const std::string& name : contact.shapes) {
      MetShape shape;
      shape.name = name;
      shape.contact = contact.name;
      shape.at = find_frame(scene, name, ErrorObject("contact", contact.name));
      if (shape.at.body >= 0) {
        shape.surface = *surface_of(scene.bodies[static_cast<size_t>(shape.at.body)].shape);
      } else {
        const Support& support = scene.supports[static_cast<size_t>(shape.at.support)];
        shape.surface = *surface_of(support.shape);
        shape.axes = support.orientation.normalized().toRotationMatrix();
      }
      shape.cable = radius_of(cable);
      shape.edges = edges_of(shape.surface);
      out.push_back(std::move(shape));
    }
  }
  return out;
}

const MetShape& met_shape(const Cable& cable, const std::vector<MetShape>& shapes,
                          const Mesh::Bend& bend) {
  const auto fits = [&] {
    if (bend.shape < 0 || bend.shape >= static_cast<int>(shapes.size())) return false;
    const MetShape& shape = shapes[static_cast<size_t>(bend.shape)];
    return shape.edges.empty() ||
           (bend.part >= 0 && bend.part < static_cast<int>(shape.edges.size()));
  };
  if (bend.after < 0 || bend.after + 1 >= static_cast<int>(cable.route.size()) || !fits())
    throw Error("mesh", fmt::format("a bend of cable '{}' that is not of this scene", cable.name),
                "bends between stops of the cable, on shapes that it may touch",
                "Take the mesh from renewed_mesh().");
  return shapes[static_cast<size_t>(bend.shape)];
}

std::span<const Mesh::Bend> bends_of(const Mesh& mesh, size_t cable) {
  if (cable >= mesh.bends.size()) return {};
  return mesh.bends[cable];
}

BendData bend_on(const MetShape& shape, const Mesh::Bend& bend) {
  const Surface& surface = shape.surface;
  BendData out;
  out.radius = shape.cable + (shape.edges.empty() ? surface.size.x() : 0);
  if (surface.kind == Surface::Kind::sphere || (shape.edges.empty() && bend.part >= 0)) {
    out.kind = BendData::Kind::sphere;
    if (surface.kind == Surface::Kind::sphere) return out;
    out.axis = (bend.part == 1 ? 1 : -1) * shape.axes.col(2);
    out.centre = surface.size.y() / 2 * out.axis;
    return out;
  }
  out.kind = BendData::Kind::bar;
  if (shape.edges.empty()) {
    out.axis = bend.sense * shape.axes.col(2);
    out.half = surface.size.y() / 2;
  } else {
    const auto& [from, to] = shape.edges[static_cast<size_t>(bend.part)];
    out.centre = shape.axes * (from + to) / 2;
    out.axis = bend.sense * (shape.axes * (to - from)).normalized();
    out.half = (to - from).norm() / 2;
  }
  out.e1 = out.axis.unitOrthogonal();
  out.e2 = out.axis.cross(out.e1);
  return out;
}

void require_clear(const Cable& cable, const std::vector<MetShape>& shapes, const ModelData& model,
                   std::span<const Segment> way) {
  for (const MetShape& shape : shapes) {
    ShapeAt at{shape.at.position, shape.axes};
    if (shape.at.body >= 0) {
      at.centre = model.scene.bodies[static_cast<size_t>(shape.at.body)].position;
      at.axes = model.mechanism.orientation[static_cast<size_t>(shape.at.body)].toRotationMatrix();
    } else {
      const Support& support = model.scene.supports[static_cast<size_t>(shape.at.support)];
      for (int k = 0; k < 3; ++k)
        at.centre[k] += support.motion[static_cast<size_t>(k)].at(model.start()).value;
    }
    for (const Segment& s : way) {
      const NearestOnLine nearest =
          nearest_on_line(shape.surface, at.place(s.from), at.place(s.to));
      if (!(nearest.distance < shape.cable - touching * shape.surface.half_thickness())) continue;
      const Vec3 where = at.centre + at.axes * nearest.at;
      throw Error(
          ErrorObject("contact", shape.contact),
          fmt::format("cable '{}' starts {:.3g} m deep in '{}', at [{:.4g}, {:.4g}, {:.4g}]",
                      cable.name, shape.cable - nearest.distance, shape.name, where.x(), where.y(),
                      where.z()),
          "a massless cable that starts outside of what it touches, by its own radius",
          "Move its route points, or route it over the shape by a pulley or a point.");
    }
  }
}

std::vector<double> start_poses(const Scene& scene) {
  std::vector<double> out{0};
  for (const Body& body : scene.bodies) {
    const Eigen::Quaterniond o = body.orientation.normalized();
    const Vec3& x = body.position;
    out.insert(out.end(), {x.x(), x.y(), x.z(), o.w(), o.x(), o.y(), o.z()});
  }
  return out;
}

size_t poses_size(const Scene& scene) { return 1 + 7 * scene.bodies.size(); }

void note_poses(const Mechanism& mechanism, State& state) {
  double* to = state.bends.data();
  *to++ = state.t;
  for (size_t i = 0; i < mechanism.bodies.size(); ++i, to += 7) {
    std::copy_n(state.q.data() + node_size * mechanism.bodies[i].node, 3, to);
    std::copy_n(state.orientation.data() + 4 * i, 4, to + 3);
  }
}

std::vector<double> carried_bends(const ModelData& from, const std::vector<double>& old,
                                  const ModelData& to) {
  std::vector<double> out = to.mechanism.bends;
  if (out.empty()) return out;
  const size_t poses = poses_size(to.scene);
  std::copy_n(old.begin(), poses, out.begin());
  size_t first = 0;  // of a cable, among all old bends
  size_t next = 0;
  for (size_t c = 0; c < to.scene.cables.size(); ++c) {
    const auto was = bends_of(from.mesh, c), is = bends_of(to.mesh, c);
    for (const Mesh::Bend& bend : is) {
      const auto same = static_cast<size_t>(std::find(was.begin(), was.end(), bend) - was.begin());
      constexpr size_t n = BendData::remembered;
      if (same < was.size())
        std::copy_n(old.begin() + static_cast<long>(poses + n * (first + same)), n,
                    out.begin() + static_cast<long>(poses + n * next));
      ++next;
    }
    first += was.size();
  }
  const auto &was = from.mesh.crossings, &is = to.mesh.crossings;
  for (size_t i = 0; i < is.size(); ++i) {
    const auto same =
        static_cast<size_t>(std::find_if(was.begin(), was.end(),
                                         [&](const Mesh::Crossing& c) {
                                           return std::equal(c.cable, c.cable + 2, is[i].cable) &&
                                                  std::equal(c.at, c.at + 3, is[i].at) &&
                                                  std::equal(c.normal, c.normal + 3, is[i].normal);
                                         }) -
                            was.begin());
    if (same < was.size())
      std::copy_n(old.begin() + from.mechanism.crossings[same].memory, CrossingData::remembered,
                  out.begin() + to.mechanism.crossings[i].memory);
  }
  return out;
}

std::optional<MetWays> met_ways(const ModelData& model, const State& state) {
  if (state.bends.empty()) return std::nullopt;
  const auto& routes = model.mechanism.routes;
  const State start = began(model.mechanism, state);
  const WaysAt then(model, start), now(model, state);
  if (!then.found || !now.found) return std::nullopt;  // the next step says why
  MetWays out;
  const std::vector<bool> stays = staying_crossings(model, now.rows);
  std::vector<int> kept;
  for (size_t i = 0; i < stays.size(); ++i) {
    kept.push_back(stays[i] ? static_cast<int>(out.crossings.size()) : -1);
    if (stays[i]) out.crossings.push_back(model.mesh.crossings[i]);
  }
  bool changed = out.crossings.size() != stays.size();
  std::vector<std::vector<ComingCrossing>> coming(routes.size());
  for (const FoundCrossing& found : found_crossings(model, then.rows, now.rows)) {
    for (const size_t k : {0, 1})
      coming[found.route[k]].push_back({found.part[k], out.crossings.size(), found.share[k]});
    out.crossings.push_back(found.crossing);
    changed = true;
  }
  out.bends.resize(model.scene.cables.size());
  for (size_t r = 0; r < routes.size(); ++r) {
    if (routes[r].cut) continue;
    std::vector<WayItem> items;
    changed |= CableMeetings(model, then, now, r).renew(kept, coming[r], items);
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].kind == WayItem::Kind::bend)
        out.bends[static_cast<size_t>(routes[r].cable)].push_back(items[i].bend);
      if (items[i].kind != WayItem::Kind::crossing) continue;
      Mesh::Crossing& crossing = out.crossings[items[i].crossing];
      crossing.stop[crossing.cable[0] == routes[r].cable ? 0 : 1] = static_cast<int>(i);
    }
  }
  if (!changed) return std::nullopt;
  if (std::all_of(out.bends.begin(), out.bends.end(), [](const auto& b) { return b.empty(); }))
    out.bends.clear();
  return out;
}

}  // namespace hawser
