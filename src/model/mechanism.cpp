// Compiles bodies, joints, attachments and massless cables into nodes and rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "constraints/arc_rows.h"
#include "constraints/chord_tangents.h"
#include "constraints/joint_rows.h"
#include "constraints/route_rows.h"
#include "hawser/error.h"
#include "model/frames.h"
#include "model/meetings.h"
#include "model/mesh.h"
#include "model/met_cables.h"
#include "model/model_data.h"
#include "model/section_joints.h"
#include "model/sections.h"
#include "model/tangents.h"

namespace hawser {
namespace {

class MechanismBuilder {
 public:
  explicit MechanismBuilder(ModelData& model) : model_(model), m_(model.mechanism) {}

  void run() {
    require_crossings(scene(), model_.mesh);
    for (const Hold& held : model_.holds) attach(held);
    for (const Joint& j : model_.scene.joints) join(j);
    for (const HandOver& h : model_.hand_overs)
      if (h.kind != HandOver::Kind::supply && stop_of(h).radius > 0)
        wrap(h);
      else if (h.leaving != h.scalar)
        thread(h);
    for (const Hold& held : model_.holds)
      if (held.direction && held.at.support >= 0) clamp(held);
    for (size_t i = 0; i < model_.scene.cables.size(); ++i)
      if (model_.scene.cables[i].model == CableModel::massless) lead(static_cast<int>(i));
    if (!parts_.empty() || !m_.angles.empty())
      model_.constraints.push_back(std::make_shared<JointRows>(std::move(parts_), m_.angles));
    if (!chords_.empty())
      model_.constraints.push_back(std::make_shared<ChordTangents>(std::move(chords_)));
    cross_routes();
    if (!m_.routes.empty())
      model_.constraints.push_back(
          std::make_shared<RouteRows>(m_.routes, m_.crossings, m_.crossing_groups));
    if (!m_.arcs.empty()) model_.constraints.push_back(std::make_shared<ArcRows>(m_.arcs));
    constrain_winches(model_);
    constrain_wheels(model_);
  }

 private:
  const Scene& scene() const { return model_.scene; }

  Eigen::Quaterniond orientation(int body) const {
    return body < 0 ? Eigen::Quaterniond::Identity() : m_.orientation[static_cast<size_t>(body)];
  }
  int node_of(int body) const { return body < 0 ? -1 : m_.bodies[static_cast<size_t>(body)].node; }

  PointOn point(const FrameRef& frame) {
    PointOn p{node_of(frame.body), frame.body, frame.position, -1};
    if (frame.support < 0) return p;
    const auto& motion = scene().supports[static_cast<size_t>(frame.support)].motion;
    if (std::all_of(motion.begin(), motion.end(), [](const Signal& s) { return s.is(0); }))
      return p;
    p.motion = static_cast<int>(m_.motions.size());
    m_.motions.push_back(motion);
    return p;
  }

  /// A direction given in world axes at the start, fixed in a body from then on.
  DirectionOn fixed_in(int body, const Vec3& world) const {
    return {node_of(body), body, orientation(body).conjugate() * world.normalized()};
  }

  /// Nodes but the ground, each once, increasing.
  static std::vector<int> distinct(std::vector<int> nodes) {
    std::erase(nodes, -1);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  int add_row(RowInfo info, const std::vector<int>& nodes, const std::vector<int>& drums = {}) {
    std::vector<int> coordinates;
    for (const int node : distinct(nodes))
      for (int k = 0; k < node_size; ++k) coordinates.push_back(node_size * node + k);
    coordinates.insert(coordinates.end(), drums.begin(), drums.end());
    return hawser::add_row(model_, std::move(info), std::move(coordinates));
  }

  void couple_nodes(int a, int b) {
    if (a >= 0 && b >= 0 && a != b) couple(model_, a, b);
  }

  void add_part(PartRow part, RowInfo info) {
    part.row = add_row(std::move(info), {part.pa.node, part.pb.node});
    couple_nodes(part.pa.node, part.pb.node);
    parts_.push_back(std::move(part));
  }

  const Stop& stop_of(const HandOver& h) const {
    return scene().cables[static_cast<size_t>(h.cable)].route[static_cast<size_t>(h.stop)];
  }

  /// A row that never acts.
  void add_idle_row(RowInfo info) {
    info.one_sided = true;
    info.sharing = false;
    m_.idle_rows.push_back(hawser::add_row(model_, std::move(info), {}));
  }

  [[nodiscard]] int next_row() const { return static_cast<int>(model_.rows.size()); }

  RowInfo holding(const std::string& owner, double compliance) const {
    RowInfo info;
    info.owner = owner;
    info.compliance = compliance;
    info.sharing = compliance == 0;
    return info;
  }

  /// `gap`: from a to b, as they are at the start: places given with few digits meet nearly.
  void meet(const PointOn& pa, const PointOn& pb, const RowInfo& info,
            const Vec3& gap = Vec3::Zero()) {
    for (int k = 0; k < 3; ++k) {
      PartRow p;
      p.pa = pa;
      p.pb = pb;
      p.u.vector = Vec3::Unit(k);
      p.value = gap[k];
      add_part(p, info);
    }
  }

  void perpendicular(const DirectionOn& u, const DirectionOn& w, const RowInfo& info) {
    PartRow p;
    p.kind = PartRow::Kind::dot;
    p.pa.node = u.node, p.pa.body = u.body;
    p.pb.node = w.node, p.pb.body = w.body;
    p.u = u;
    p.w = w;
    add_part(p, info);
  }

  /// A cable held by a body; supports hold fixed coordinates instead.
  void attach(const Hold& held) {
    const int first = next_row(), node = held.node;
    const FrameRef& frame = held.at;
    const Cable& cable = scene().cables[static_cast<size_t>(held.cable)];
    const std::string owner = fmt::format("the attachment of cable '{}' to '{}'", cable.name,
                                          cable.route[static_cast<size_t>(held.stop)].on);
    const RowInfo info = holding(owner, 0);
    for (int k = 0; node < 0 && frame.body >= 0 && k < 3; ++k) add_idle_row(info);
    if (frame.body >= 0 && node >= 0) meet(point(frame), {node, -1, Vec3::Zero(), -1}, info);
    if (frame.body >= 0 && held.direction) {
      const auto at = static_cast<size_t>(node_size * held.slope + 3);
      const Vec3 t = Vec3(model_.q0[at], model_.q0[at + 1], model_.q0[at + 2]).normalized();
      const Vec3 n1 = t.unitOrthogonal(), n2 = t.cross(n1);
      for (const Vec3& n : {n1, n2})
        perpendicular(fixed_in(frame.body, n), {held.slope, -1, Vec3::UnitX()}, info);
    }
    m_.attachments.push_back({first, next_row() - first});
  }

  /// n(t) . r' = 0 for two directions n across the cable that turn with the clamp: the length of
  /// the slope stays free.
  void clamp(const Hold& clamped) {
    const Support& support = scene().supports[static_cast<size_t>(clamped.at.support)];
    if (!turns(support)) return;
    const int node = clamped.slope;
    const std::string owner = fmt::format("the turning clamp of cable '{}'",
                                          scene().cables[static_cast<size_t>(clamped.cable)].name);
    const Eigen::Map<const Vec3> slope(model_.q0.data() + node_size * node + 3);
    const Vec3 t = slope.normalized(), n1 = t.unitOrthogonal(), n2 = t.cross(n1);
    const int turn = static_cast<int>(m_.turns.size());
    m_.turns.push_back({support.turn->axis.normalized(), support.turn->angle});
    RowInfo info = holding(owner, 0);
    info.support = true;
    for (const Vec3& n : {n1, n2})
      perpendicular({-1, -1, n, turn}, {node, -1, Vec3::UnitX()}, info);
  }

  void join(const Joint& j) {
    const int first = next_row();
    const std::string owner = fmt::format("joint '{}'", j.name);
    const FrameRef fa = find_frame(scene(), j.first, owner),
                   fb = find_frame(scene(), j.second, owner);
    const PointOn pa = point(fa), pb = point(fb);
    const Vec3 gap = frame_start(scene(), fb) - frame_start(scene(), fa);
    const Vec3 z = j.axis.normalized(), x = z.unitOrthogonal(), y = z.cross(x);
    const RowInfo point_info = holding(owner, j.compliance),
                  angle_info = holding(owner, j.angular_compliance);
    const auto hold_direction = [&](const Vec3& u, const Vec3& w) {
      perpendicular(fixed_in(fa.body, u), fixed_in(fb.body, w), angle_info);
    };
    const auto hold_along = [&](const Vec3& n) {
      PartRow p;
      p.pa = pa, p.pb = pb;
      p.u = fixed_in(fa.body, n);
      p.value = n.dot(gap);
      add_part(p, point_info);
    };
    switch (j.kind) {
      case JointKind::pin:
        meet(pa, pb, point_info, gap);
        break;
      case JointKind::weld:
        meet(pa, pb, point_info, gap);
        hold_direction(x, y), hold_direction(y, z), hold_direction(z, x);
        break;
      case JointKind::hinge:
        meet(pa, pb, point_info, gap);
        hold_direction(x, z), hold_direction(y, z);
        turn(j, owner, fa, fb, pa, pb, z, x);
        break;
      case JointKind::slider:
        hold_along(x), hold_along(y);
        hold_direction(x, y), hold_direction(y, z), hold_direction(z, x);
        travel(j, owner, pa, pb, fixed_in(fa.body, z));
        break;
      case JointKind::cylinder:
        hold_along(x), hold_along(y);
        hold_direction(x, z), hold_direction(y, z);
        travel(j, owner, pa, pb, fixed_in(fa.body, z));
        turn(j, owner, fa, fb, pa, pb, z, x);
        break;
      case JointKind::universal:
        meet(pa, pb, point_info, gap);
        hold_direction(z, j.second_axis);
        break;
      case JointKind::distance:
        keep_distance(j, owner, pa, pb, gap.norm());
        break;
    }
    m_.joints.push_back({first, next_row() - first});
  }

  /// Drive and limits of one freedom, measured by `part`.
  void move(PartRow part, const std::string& owner, const Drive& drive, const Limits& limits,
            double compliance) {
    if (drive.kind != Drive::Kind::none) {
      RowInfo info = holding(owner, compliance);
      info.velocity = drive.kind == Drive::Kind::velocity;
      info.slip = drive.slip;
      if (info.velocity && !drive.slip.is(0)) info.sharing = false;
      part.value = drive.value;
      add_part(part, info);
    }
    for (const auto& [limit, sign] :
         {std::pair(limits.lowest, 1.0), std::pair(limits.highest, -1.0)}) {
      if (!std::isfinite(limit)) continue;
      RowInfo info = holding(owner, compliance);
      info.one_sided = true;
      PartRow p = part;
      p.value = limit;
      p.sign = sign;
      add_part(p, info);
    }
  }

  void travel(const Joint& j, const std::string& owner, const PointOn& pa, const PointOn& pb,
              const DirectionOn& n) {
    PartRow p;
    p.pa = pa, p.pb = pb;
    p.u = n;
    move(p, owner, j.travel, j.travel_limits, j.compliance);
  }

  void turn(const Joint& j, const std::string& owner, const FrameRef& fa, const FrameRef& fb,
            const PointOn& pa, const PointOn& pb, const Vec3& z, const Vec3& x) {
    PartRow p;
    p.kind = PartRow::Kind::angle;
    p.pa = pa, p.pb = pb;
    p.angle = static_cast<int>(m_.angles.size());
    m_.angles.push_back({static_cast<int>(m_.joints.size()), fixed_in(fa.body, z),
                         fixed_in(fa.body, x), fixed_in(fb.body, z), fixed_in(fb.body, x),
                         static_cast<int>(m_.wrap.size())});
    m_.wrap.push_back(0);
    move(p, owner, j.turn, j.turn_limits, j.angular_compliance);
  }

  void keep_distance(const Joint& j, const std::string& owner, const PointOn& pa, const PointOn& pb,
                     double start) {
    PartRow p;
    p.kind = PartRow::Kind::distance;
    p.pa = pa, p.pb = pb;
    const bool limited =
        std::isfinite(j.travel_limits.lowest) || std::isfinite(j.travel_limits.highest);
    Drive drive = j.travel;
    if (drive.kind == Drive::Kind::none && !limited) {
      drive.kind = Drive::Kind::position;
      drive.value = start;
    }
    move(p, owner, drive, j.travel_limits, j.compliance);
  }

  // --- pulleys under cables with mass ---

  /// Where the cable reaches the groove and leaves it: on the circle, and tangent to it as seen
  /// along the axis.
  void touch(const ArcData& arc, size_t end, const RowInfo& info) {
    const int node = arc.nodes[end];
    const PointOn& centre = arc.centre;
    const PointOn own{node, -1, Vec3::Zero(), -1};
    PartRow plane, circle, tangent;
    plane.pa = circle.pa = tangent.pb = centre;
    plane.pb = circle.pb = tangent.pa = own;
    plane.u = arc.axis;
    circle.kind = PartRow::Kind::distance;
    circle.value = arc.radius;
    tangent.u = {node, -1, Vec3::UnitX()};
    for (const PartRow& part : {plane, circle}) add_part(part, info);
    if (arc.beside[end] < 0)
      add_part(tangent, info);
    else
      touch_by_chord(arc, end, info);
  }

  void touch_by_chord(const ArcData& arc, size_t end, const RowInfo& info) {
    const auto c = static_cast<size_t>(arc.cable);
    const auto s = [&](int node) {
      return model_.mesh.s[c][static_cast<size_t>(node - model_.cables[c].first_node)];
    };
    ChordTangent t;
    t.node = arc.nodes[end];
    t.beside = arc.beside[end];
    t.length = std::abs(s(t.beside) - s(t.node));
    t.centre = arc.centre;
    std::vector<int> coordinates;
    for (const int node : {t.node, t.beside})
      for (int k = 0; k < 3; ++k) coordinates.push_back(node_size * node + k);
    for (int k = 0; t.centre.node >= 0 && k < node_size; ++k)
      coordinates.push_back(node_size * t.centre.node + k);
    t.row = hawser::add_row(model_, info, std::move(coordinates));
    chords_.push_back(std::move(t));
  }

  /// The nodes of a hand-over, and those beside them if they have no slopes.
  void find_nodes(const HandOver& h, ArcData& arc) const {
    const bool straight = scene().cables[static_cast<size_t>(h.cable)].model == CableModel::np_fem;
    for (const int i : {0, 1}) {
      arc.nodes[i] = h.node + i;
      if (straight) arc.beside[i] = h.node - 1 + 3 * i;
    }
  }

  /// EA on both sides of a hand-over.
  void take_stiffness(const HandOver& h, ArcData& arc) const {
    const Cable& cable = scene().cables[static_cast<size_t>(h.cable)];
    const SectionsBeside beside = sections_beside(model_, h);
    arc.EA[0] = cable.sections[static_cast<size_t>(beside.before)].EA;
    arc.EA[1] = cable.sections[static_cast<size_t>(beside.after)].EA;
    if (beside.before != beside.after && h.kind == HandOver::Kind::eyelet) arc.crossing = 1;
  }

  /// The length on a pulley as one of the EA at B.
  void share_stiffness(const HandOver& h, RowInfo& info) const {
    const auto c = static_cast<size_t>(h.cable);
    const Cable& cable = scene().cables[c];
    const SectionsBeside beside = sections_beside(model_, h);
    if (beside.before >= beside.after) return;
    const std::vector<double> ends = section_ends(cable, model_.mesh.s[c].back());
    const auto share = [&](int k) { return info.EA / cable.sections[static_cast<size_t>(k)].EA; };
    info.flow_share[0] = share(beside.before);
    for (int k = beside.before; k < beside.after; ++k)
      info.flow_offset += ends[static_cast<size_t>(k)] * (share(k) - share(k + 1));
  }

  void wrap(const HandOver& h) {
    const Cable& cable = scene().cables[static_cast<size_t>(h.cable)];
    const Stop& stop = cable.route[static_cast<size_t>(h.stop)];
    const FrameRef frame = find_stop(scene(), stop, ErrorObject("cable", cable.name));
    const int first = next_row();
    ArcData arc;
    arc.cable = h.cable, arc.stop = h.stop;
    arc.owner = fmt::format("cable '{}' on the pulley '{}'", cable.name, stop.on);
    arc.centre = point(frame);
    arc.axis = fixed_in(frame.body, stop.axis);
    arc.radius = stop.radius;
    arc.out = h.kind == HandOver::Kind::out;
    take_stiffness(h, arc);
    if (h.wheel >= 0) arc.turn = m_.wheels[static_cast<size_t>(h.wheel)].coordinate();
    arc.flows[0] = model_.structure.scalar(h.scalar);
    arc.flows[1] = model_.structure.scalar(h.leaving);
    arc.wrap = static_cast<int>(m_.wrap.size());
    m_.wrap.insert(m_.wrap.end(), {0, 0});
    const std::vector<TangentSpan> way = tangent_spans(scene(), cable);
    const auto before = static_cast<size_t>(h.stop) - 1;
    arc.angle = way[before].arc / stop.radius;
    const Vec3 c = frame_start(scene(), frame), n = stop.axis.normalized();
    for (const size_t i : {0u, 1u}) {
      const Vec3 from = (i == 0 ? way[before].to : way[before + 1].from) - c;
      arc.start[i] = fixed_in(frame.body, from - n.dot(from) * n);
    }
    RowInfo info = holding(arc.owner, 0);
    info.sharing = false;
    if (!h.here())
      leave(stop, info, arc);
    else
      lie_on(h, stop, info, arc);
    m_.pulleys.push_back({first, next_row() - first});
    m_.arcs.push_back(std::move(arc));
  }

  void lie_on(const HandOver& h, const Stop& stop, RowInfo info, ArcData& arc) {
    find_nodes(h, arc);
    for (const size_t end : {0u, 1u}) touch(arc, end, info);
    const auto& pieces =
        model_.routes[static_cast<size_t>(h.cable)][static_cast<size_t>(h.stop)].pieces;
    info.compliance = pieces.front().arc / arc.EA[1];
    info.EA = arc.EA[1];
    share_stiffness(h, info);
    info.flows[0] = arc.flows[0], info.flows[1] = arc.flows[1];
    std::vector<int> coordinates;
    for (const int node : arc.nodes)
      for (int k = 0; k < 3; ++k) coordinates.push_back(node_size * node + k);
    coordinates.insert(coordinates.end(), {arc.flows[0], arc.flows[1]});
    for (int k = 0; arc.centre.node >= 0 && k < node_size; ++k)
      coordinates.push_back(node_size * arc.centre.node + k);
    if (arc.turn >= 0) coordinates.push_back(arc.turn);
    add_arc_rows(stop, std::move(info), std::move(coordinates), arc);
  }

  /// The cable is off the pulley: as many rows, which never act.
  void leave(const Stop& stop, RowInfo info, ArcData& arc) {
    info.one_sided = true;
    for (int i = 0; i < arc.rows_before(); ++i) hawser::add_row(model_, info, {});
    add_arc_rows(stop, std::move(info), {}, arc);
  }

  /// One row, or where the cable sticks and slips one for either side.
  void add_arc_rows(const Stop& stop, RowInfo info, std::vector<int> coordinates, ArcData& arc) {
    if (!rubs(stop)) {
      arc.row = hawser::add_row(model_, std::move(info), std::move(coordinates));
      return;
    }
    info.compliance /= 2;
    info.EA *= 2;
    arc.row = hawser::add_row(model_, info, coordinates);
    hawser::add_row(model_, std::move(info), std::move(coordinates));
    arc.rub = static_cast<int>(model_.rubs.size());
    model_.rubs.push_back({arc.row, arc.row + 1, stop.friction, grips(stop), arc.row, arc.row + 1});
    arc.run = static_cast<int>(m_.run_length.size());
    const auto c = static_cast<size_t>(arc.cable);
    double middle = 0;
    if (!arc.off()) {
      const double* s = model_.mesh.s[c].data() + (arc.nodes[0] - model_.cables[c].first_node);
      middle = (s[0] + s[1]) / 2;
    }
    m_.run_length.insert(m_.run_length.end(), {middle, -middle});
  }

  /// An eyelet over which the cable rubs: it yields as much as a short piece of the cable.
  void thread(const HandOver& h) {
    constexpr double piece = 1e-3;  // of an element
    const auto c = static_cast<size_t>(h.cable);
    const Cable& cable = scene().cables[c];
    const Stop& stop = cable.route[static_cast<size_t>(h.stop)];
    ArcData arc;
    arc.cable = h.cable, arc.stop = h.stop;
    arc.owner = fmt::format("cable '{}' through '{}'", cable.name, stop.on);
    arc.out = !h.here();
    take_stiffness(h, arc);
    arc.flows[0] = model_.structure.scalar(h.scalar);
    arc.flows[1] = model_.structure.scalar(h.leaving);
    RowInfo info = holding(arc.owner, piece * element_length(model_, c) / arc.EA[0]);
    info.sharing = false;
    if (h.here()) {
      find_nodes(h, arc);
      add_arc_rows(stop, std::move(info), {arc.flows[0], arc.flows[1]}, arc);
    } else {
      leave(stop, std::move(info), arc);
    }
    m_.pulleys.push_back({arc.row, 2});
    m_.arcs.push_back(std::move(arc));
  }

  // --- massless cables ---

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
  /// the pulley's marks, that of leaving it is within a turn.
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
    return segments;
  }

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
      if (!last && !(next.friction > 0) && !next.grip) continue;
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

  ModelData& model_;
  Mechanism& m_;
  std::vector<PartRow> parts_;
  std::vector<ChordTangent> chords_;
  std::vector<std::vector<Segment>> ways_;  ///< by massless cable, as they start
};

}  // namespace

void lay_bodies(ModelData& model) {
  Mechanism& m = model.mechanism;
  for (const Body& b : model.scene.bodies) {
    m.bodies.push_back({add_node(model, false), b.mass, (b.inertia + b.inertia.transpose()) / 2});
    m.orientation.push_back(b.orientation.normalized());
    model.total_mass += b.mass;
  }
}

void start_bodies(ModelData& model) {
  for (size_t i = 0; i < model.mechanism.bodies.size(); ++i) {
    const Body& b = model.scene.bodies[i];
    const Vec3 omega = model.mechanism.orientation[i].conjugate() * b.angular_velocity;
    const auto at = static_cast<size_t>(node_size * model.mechanism.bodies[i].node);
    for (int k = 0; k < 3; ++k) {
      const auto j = static_cast<size_t>(k);
      model.q0[at + j] = b.position[k];
      model.v0[at + j] = b.velocity[k];
      model.v0[at + 3 + j] = omega[k];
    }
  }
}

void compile_mechanism(ModelData& model) { MechanismBuilder(model).run(); }

}  // namespace hawser
