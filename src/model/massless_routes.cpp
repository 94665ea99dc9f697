// Compiles massless cables into rows: stops, runs, the shapes that they lie on, and their
// crossings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "constraints/route_rows.h"
#include "hawser/error.h"
#include "model/mechanism_parts.h"
#include "model/meetings.h"
#include "model/mesh.h"
#include "model/met_cables.h"
#include "model/sections.h"

namespace hawser {
namespace {

class RouteBuilder : MechanismParts {
 public:
  using MechanismParts::MechanismParts;

  void run() {
    require_crossings(scene(), model_.mesh);
    for (size_t i = 0; i < scene().cables.size(); ++i)
      if (scene().cables[i].model == CableModel::massless) lead(static_cast<int>(i));
    cross_routes();
    if (!m_.routes.empty())
      model_.constraints.push_back(
          std::make_shared<RouteRows>(m_.routes, m_.crossings, m_.crossing_groups));
  }

 private:
  /// `first`: the cable starts there.
  StopData stop(const Cable& cable, const Stop& given, const ErrorObject& who, bool first) {
    StopData s;
    const FrameRef frame = find_stop(scene(), given, who);
    s.name = given.text();
    s.at = point(frame);
    s.radius = given.radius;
    s.friction = given.friction;
    s.grip = given.grip;
    Vec3 axis = given.axis;
    if (given.kind == Stop::Kind::wind) {
      const auto winch = static_cast<size_t>(find_winch(scene(), given.on, who));
      WinchData& data = m_.winches[winch];
      data.mass = (first ? cable.sections.front() : cable.sections.back()).mass;
      s.sense = first ? 1 : -1;
      s.drum = {data.winding, data.coordinate(), data.start, scene().winches[winch].wound};
      s.radius = data.winding->at(data.start).radius;
      axis = s.sense * scene().winches[winch].axis;
    }
    if (s.radius > 0) {
      s.axis = orientation(frame.body).conjugate() * axis.normalized();
      s.e1 = s.axis.unitOrthogonal();
      s.e2 = s.axis.cross(s.e1);
      s.wrap = static_cast<int>(m_.wrap.size());
      m_.wrap.insert(m_.wrap.end(), {0, 0});
    }
    return s;
  }

  /// At the start, when drums have the angle zero.
  Groove groove(const StopData& s, const Stop& given, Groove::Wound& wound) const {
    Groove g;
    const FrameRef frame = find_stop(scene(), given, "");
    const Matrix3 R = orientation(frame.body).toRotationMatrix();
    g.center = frame_start(scene(), frame);
    g.arm = frame.body >= 0 ? Vec3(R * frame.position) : Vec3(Vec3::Zero());
    g.radius = s.radius;
    g.e1 = R * s.e1, g.e2 = R * s.e2, g.axis = R * s.axis;
    if (!s.drum.winding) return g;
    const Winding::At on = s.drum.winding->at(s.drum.start);
    g.center += s.sense * on.shift * g.axis;
    wound = {0, on.rate, on.radius_slope, s.sense * on.shift_slope};
    g.wound = &wound;
    return g;
  }

  /// Segments at the start; the angle at which a cable reaches a pulley becomes zero by turning
  /// the pulley's marks, that of leaving it is within a turn. Where runs meet, both are as far from
  /// the marks.
  std::vector<Segment> lay_out(const Cable& c, RouteData& route) {
    const auto fail = [&](size_t i) {
      throw Error(
          ErrorObject("cable", c.name).at(fmt::format("route points {} and {}", i + 1, i + 2)),
          "two points that no cable can connect: they coincide, or one lies inside "
          "the pulley of the other",
          "distinct points", "Move one of them, or reduce the radius of the pulley.");
    };
    std::vector<Segment> segments(route.stops.size() - 1);
    const auto span = [&] {
      for (size_t i = 0; i < segments.size(); ++i) {
        const StopData &from = route.stops[i], &to = route.stops[i + 1];
        const double leave = from.wrap >= 0 ? m_.wrap[static_cast<size_t>(from.wrap + 1)] : 0;
        const double reach = to.wrap >= 0 ? m_.wrap[static_cast<size_t>(to.wrap)] : 0;
        Groove::Wound a{}, b{};
        if (span_segment(groove(from, c.route[i], a), groove(to, c.route[i + 1], b), leave, reach,
                         segments[i]) != SegmentStatus::ok)
          fail(i);
      }
    };
    const auto turn_marks = [](StopData& s, double angle) {
      const Vec3 e1 = s.e1, e2 = s.e2;
      s.e1 = std::cos(angle) * e1 + std::sin(angle) * e2;
      s.e2 = std::cos(angle) * e2 - std::sin(angle) * e1;
    };
    span();
    if (StopData& drum = route.stops.front(); drum.drum.winding)
      turn_marks(drum, segments.front().leave);
    for (size_t i = 0; i < segments.size(); ++i) {
      StopData& to = route.stops[i + 1];
      if (to.wrap < 0) continue;
      turn_marks(to, segments[i].reach);
      m_.wrap[static_cast<size_t>(to.wrap)] = 0;
      m_.wrap[static_cast<size_t>(to.wrap + 1)] = std::numbers::pi;  // nearest: within a turn
    }
    span();
    for (size_t i = 0; i < segments.size(); ++i)
      if (const int w = route.stops[i].wrap; w >= 0)
        m_.wrap[static_cast<size_t>(w + 1)] = segments[i].leave;
    if (share_arcs(route, turn_marks)) span();
    return segments;
  }

  /// Between two runs the marks are in the middle of the pulley, so that each has half of the arc.
  template <class TurnMarks>
  bool share_arcs(RouteData& route, const TurnMarks& turn_marks) {
    bool any = false;
    for (size_t i = 1; i + 1 < route.stops.size(); ++i) {
      StopData& s = route.stops[i];
      if (s.wrap < 0 || !parts_runs(s)) continue;
      double *reach = m_.wrap.data() + s.wrap, *leave = reach + 1;
      const double middle = (*reach + *leave) / 2;
      turn_marks(s, middle);
      *reach -= middle;
      *leave -= middle;
      any = true;
    }
    return any;
  }

  /// A stop that rubs or holds the cable is between two runs of it.
  static bool parts_runs(const StopData& stop) { return stop.friction > 0 || stop.grip; }

  static bool is_ground(int node) { return node < 0; }

  /// Where a node's entries stand in a row over these nodes.
  static int slot_of(int node, std::vector<int> nodes) {
    nodes = distinct(std::move(nodes));
    return node_size *
           static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
  }

  /// A winch whose speed yields to the force.
  bool slips_by_itself(const Cable& c) const {
    return c.drive.slip.is_constant() && c.drive.slip.at(model_.start()).value > 0;
  }

  /// The sections of a cable of that length without what is paid out: compliances add up.
  static void set_parts(const Cable& c, double length, double paid, RouteData& route) {
    validate_section_lengths(c, length);
    const std::vector<double> ends = section_ends(c, length);
    double before = 0, stretch = 0;
    for (size_t k = 0; k < ends.size(); ++k) {
      route.parts.push_back({ends[k] - before, c.sections[k].EA, c.sections[k].GJ});
      stretch += (ends[k] - before + (k == 0 ? paid : 0)) / c.sections[k].EA;
      before = ends[k];
    }
    route.EA = ends.size() == 1 ? c.sections[0].EA : (length + paid) / stretch;
  }

  /// [rad/(N m)]; infinite where a section does not resist twist.
  static double twist_compliance(const RouteData& route, double length) {
    if (route.parts.size() == 1) return length / route.parts[0].GJ;
    double sum = 0, left = length;
    for (const RoutePart& part : route.parts) left -= part.length;
    for (const RoutePart& part : route.parts) {
      sum += (part.length + left) / part.GJ;  // what is paid out is of the first
      left = 0;
    }
    return sum;
  }

  /// The runs of a route between stops that hold the cable, and their rows. Returns the unstretched
  /// length of the cable.
  double add_runs(const Cable& c, const std::string& owner, const std::vector<int>& nodes,
                  const std::vector<int>& drums, const std::vector<Segment>& segments,
                  RouteData& route) {
    double total = 0;
    for (const Segment& s : segments) total += s.length;
    const double paid = c.payout.at(model_.start()).value;
    const double stated = stated_length(c), length = stated > 0 ? stated + paid : total;
    set_parts(c, length - paid, paid, route);
    RunData run;
    double span = 0;
    for (size_t i = 0; i < segments.size(); ++i) {
      span += segments[i].length;
      const StopData& next = route.stops[i + 1];
      const bool last = i + 1 == segments.size();
      if (!last && !parts_runs(next)) continue;
      run.last_stop = static_cast<int>(i) + 1;
      run.free_length = length * (span / total);
      run.compliance = run.free_length / route.EA;
      RowInfo info;
      info.owner = owner;
      info.role = RowInfo::Role::stretch;
      if (route.runs.empty() && !route.driven) info.payout = c.payout;
      const WoundOn &first = route.stops.front().drum, &end = route.stops.back().drum;
      if (first.winding && route.runs.empty()) info.drums.push_back(first);
      if (end.winding && last) info.drums.push_back(end);
      info.EA = route.EA;
      info.damping = c.sections[0].axial_damping;  // the same in all
      if (route.parts.size() > 1) info.parts = route.parts;
      info.unpaid = run.free_length - (route.runs.empty() ? paid : 0);
      info.one_sided = !c.pushes || route.cut;
      info.velocity = route.driven;
      info.compliance = run.compliance;
      info.viscosity = c.sections[0].axial_damping.viscosity;
      info.slip = c.drive.slip;
      info.sharing = route.driven && !slips_by_itself(c);
      run.row = add_row(info, nodes, drums);
      m_.run_length.push_back(model_.rows.back().unpaid);
      route.runs.push_back(run);
      run.first_stop = run.last_stop;
      span = 0;
    }
    return length;
  }

  // --- shapes that massless cables lie on ---

  /// The bends of the mesh, in order; `number`: the stop that they are after.
  std::vector<StopData> lay_bends(int cable, const std::vector<MetShape>& shapes) {
    std::vector<StopData> out;
    const Cable& c = scene().cables[static_cast<size_t>(cable)];
    for (const Mesh::Bend& bend : bends_of(model_.mesh, static_cast<size_t>(cable))) {
      const MetShape& shape = met_shape(c, shapes, bend);
      StopData s;
      s.name = shape.name;
      s.at = point(shape.at);
      s.bend = bend_on(shape, bend);
      s.bend.memory = static_cast<int>(m_.bends.size());
      const Vec3 at = Eigen::Map<const Vec3>(bend.at);
      const Vec3 from = shape.axes * at - s.bend.centre;
      m_.bends.insert(m_.bends.end(), {from.x(), from.y(), from.z(), 0});
      s.number = bend.after;
      out.push_back(std::move(s));
    }
    return out;
  }

  /// Between the stops of a route, and in the runs that they are in.
  static void insert_bends(const std::vector<StopData>& bends, const std::vector<int>& nodes,
                           RouteData& route) {
    for (auto bend = bends.rbegin(); bend != bends.rend(); ++bend) {
      const int before = bend->number;
      StopData s = *bend;
      s.number = -1;
      s.slot = slot_of(s.at.node, nodes);
      route.stops.insert(route.stops.begin() + before + 1, std::move(s));
      for (RunData& run : route.runs) {
        if (run.first_stop > before) ++run.first_stop;
        if (run.last_stop > before) ++run.last_stop;
      }
      route.bends = true;
    }
  }

  // --- massless cables that lie on each other ---

  /// Nodes of all that a cable and those that it is joined with by crossings are led over.
  std::vector<int> joined_nodes(int cable) {
    std::vector<int> out;
    for (const int i : joined_cables(model_.mesh, cable)) {
      const Cable& c = scene().cables[static_cast<size_t>(i)];
      for (const Stop& given : c.route)
        out.push_back(node_of(find_stop(scene(), given, ErrorObject("cable", c.name)).body));
      const std::vector<MetShape> shapes = met_shapes(scene(), c);
      for (const Mesh::Bend& bend : bends_of(model_.mesh, static_cast<size_t>(i)))
        out.push_back(node_of(met_shape(c, shapes, bend).at.body));
    }
    return distinct(std::move(out));
  }

  void insert_crossings(RouteData& route) {
    std::vector<std::pair<int, int>> places;  // stop, crossing
    const auto& crossings = model_.mesh.crossings;
    for (size_t i = 0; i < crossings.size(); ++i)
      for (const size_t k : {0, 1})
        if (crossings[i].cable[k] == route.cable)
          places.emplace_back(crossings[i].stop[k], static_cast<int>(i));
    std::sort(places.begin(), places.end());
    for (const auto& [place, crossing] : places) {
      if (place < 1 || place >= static_cast<int>(route.stops.size()))
        throw Error("mesh", fmt::format("a crossing that is not on cable '{}'", route.name),
                    "a place between its ends", "Take the mesh from renewed_mesh().");
      const Mesh::Crossing& c = crossings[static_cast<size_t>(crossing)];
      const int other = c.cable[c.cable[0] == route.cable ? 1 : 0];
      StopData s;
      s.name =
          fmt::format("the crossing with '{}'", scene().cables[static_cast<size_t>(other)].name);
      s.crossing = crossing;
      route.stops.insert(route.stops.begin() + place, std::move(s));
      for (RunData& run : route.runs) {
        if (run.first_stop >= place) ++run.first_stop;
        if (run.last_stop >= place) ++run.last_stop;
      }
    }
  }

  /// Once all routes are there.
  void cross_routes() {
    if (!meeting_massless(scene()).empty()) require_apart(scene(), ways_);
    const auto number = [&](int cable) {
      return static_cast<int>(std::find_if(m_.routes.begin(), m_.routes.end(),
                                           [&](const auto& r) { return r.cable == cable; }) -
                              m_.routes.begin());
    };
    std::vector<bool> grouped(m_.routes.size(), false);
    for (const Mesh::Crossing& c : model_.mesh.crossings) {
      CrossingData data;
      for (const size_t k : {0, 1}) {
        data.route[k] = number(c.cable[k]);
        data.stop[k] = c.stop[k];
      }
      data.memory = static_cast<int>(m_.bends.size());
      m_.bends.insert(m_.bends.end(), c.at, c.at + 3);
      m_.bends.insert(m_.bends.end(), c.normal, c.normal + 3);
      m_.crossings.push_back(data);
    }
    for (const CrossingData& first : m_.crossings) {
      if (grouped[static_cast<size_t>(first.route[0])]) continue;
      CrossingGroup group;
      const int cable = m_.routes[static_cast<size_t>(first.route[0])].cable;
      group.nodes = joined_nodes(cable);
      for (const int c : joined_cables(model_.mesh, cable)) {
        group.routes.push_back(number(c));
        grouped[static_cast<size_t>(group.routes.back())] = true;
      }
      for (size_t i = 0; i < m_.crossings.size(); ++i)
        if (std::count(group.routes.begin(), group.routes.end(), m_.crossings[i].route[0]) > 0)
          group.crossings.push_back(static_cast<int>(i));
      for (const int a : group.nodes)
        for (const int b : group.nodes)
          if (a < b) couple_nodes(a, b);
      m_.crossing_groups.push_back(std::move(group));
    }
  }

  void lead(int cable) {
    const Cable& c = scene().cables[static_cast<size_t>(cable)];
    const std::string owner = fmt::format("cable '{}'", c.name);
    RouteData route;
    route.cable = cable;
    route.name = c.name;
    route.payout = c.payout;
    route.driven = c.drive.kind == Drive::Kind::velocity;
    route.speed = c.drive.value;
    route.cut = !cuts_of(model_.mesh, static_cast<size_t>(cable)).empty();
    route.first_run = static_cast<int>(m_.run_length.size());
    route.first_rub = static_cast<int>(model_.rubs.size());
    for (const Stop& given : c.route) {
      route.stops.push_back(stop(c, given, owner, &given == &c.route.front()));
      route.stops.back().number = static_cast<int>(route.stops.size()) - 1;
    }
    const std::vector<Segment> segments = lay_out(c, route);
    const std::vector<MetShape> shapes = met_shapes(scene(), c);
    const auto pairs = meeting_massless(scene());
    const bool meets = std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return pair.first == cable || pair.second == cable;
    });
    if ((meets || !shapes.empty()) && m_.bends.empty()) m_.bends = start_poses(scene());
    ways_.resize(scene().cables.size());
    ways_[static_cast<size_t>(cable)] = segments;
    require_clear(c, shapes, model_, segments);
    const std::vector<StopData> bends = lay_bends(cable, shapes);
    std::vector<int> nodes;
    for (const StopData& s : route.stops) nodes.push_back(s.at.node);
    for (const StopData& s : bends) nodes.push_back(s.at.node);
    if (joined_cables(model_.mesh, cable).size() > 1) nodes = joined_nodes(cable);
    for (StopData& s : route.stops) s.slot = slot_of(s.at.node, nodes);
    std::vector<int> drums;
    for (StopData& s : route.stops)
      if (s.drum.winding) {
        s.drum_slot =
            node_size * static_cast<int>(distinct(nodes).size()) + static_cast<int>(drums.size());
        drums.push_back(s.drum.coordinate);
      }
    if (route.driven && !slips_by_itself(c) && std::all_of(nodes.begin(), nodes.end(), is_ground))
      throw Error(ErrorObject("cable", c.name).at("its speed"),
                  "a winch whose cable is not attached to any body",
                  "a cable that can move a body at this speed",
                  "Route the cable to a body, or use `payout`, which stretches it.");
    const double length = add_runs(c, owner, nodes, drums, segments, route);
    insert_bends(bends, nodes, route);
    insert_crossings(route);
    for (size_t r = 0; r + 1 < route.runs.size(); ++r) {
      const StopData& s = route.stops[static_cast<size_t>(route.runs[r].last_stop)];
      model_.rubs.push_back({route.runs[r].row, route.runs[r + 1].row, s.friction, s.grip,
                             route.runs.front().row, route.runs.back().row});
    }
    for (size_t i = 0; i + 1 < route.stops.size(); ++i)
      couple_nodes(route.stops[i].at.node, route.stops[i + 1].at.node);
    if (const double twist = twist_compliance(route, length); std::isfinite(twist)) {
      route.twist_compliance = twist;
      RowInfo info;
      info.owner = owner;
      info.role = RowInfo::Role::twist;
      info.compliance = route.twist_compliance;
      route.twist_row = add_row(info, nodes);
    }
    m_.routes.push_back(std::move(route));
  }

  std::vector<std::vector<Segment>> ways_;  ///< by massless cable, as they start
};

}  // namespace

void lay_routes(ModelData& model) { RouteBuilder(model).run(); }

}  // namespace hawser
