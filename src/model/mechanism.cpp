// Compiles bodies, joints, attachments and pulleys of cables with mass into nodes and rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "constraints/arc_rows.h"
#include "constraints/chord_tangents.h"
#include "constraints/joint_rows.h"
#include "constraints/turn_rows.h"
#include "hawser/error.h"
#include "model/mechanism_parts.h"
#include "model/mesh.h"
#include "model/section_joints.h"
#include "model/sections.h"
#include "model/tangents.h"

namespace hawser {
namespace {

class MechanismBuilder : MechanismParts {
 public:
  using MechanismParts::MechanismParts;

  void run() {
    for (const Hold& held : model_.holds) attach(held);
    for (const Joint& j : model_.scene.joints) join(j);
    for (const HandOver& h : model_.hand_overs)
      if (h.kind != HandOver::Kind::supply && stop_of(h).radius > 0)
        wrap(h);
      else if (h.leaving != h.scalar)
        thread(h);
    for (const Hold& held : model_.holds)
      if (held.direction && held.at.support >= 0) clamp(held);
    if (!parts_.empty() || !m_.angles.empty())
      model_.constraints.push_back(std::make_shared<JointRows>(std::move(parts_), m_.angles));
    if (!turns_.empty())
      model_.constraints.push_back(std::make_shared<TurnRows>(std::move(turns_)));
    if (!chords_.empty())
      model_.constraints.push_back(std::make_shared<ChordTangents>(std::move(chords_)));
    lay_routes(model_);
    if (!m_.arcs.empty()) model_.constraints.push_back(std::make_shared<ArcRows>(m_.arcs));
    constrain_winches(model_);
    constrain_wheels(model_);
  }

 private:
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

  /// All axes of two bodies, with compliance.
  void hold_turn(const PointOn& pa, const PointOn& pb, const RowInfo& info) {
    TurnData t{next_row(), pa, pb,
               (orientation(pb.body).conjugate() * orientation(pa.body)).toRotationMatrix()};
    for (int k = 0; k < 3; ++k) add_row(info, {pa.node, pb.node});
    couple_nodes(pa.node, pb.node);
    turns_.push_back(t);
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
    const auto hold_axes = [&] {
      if (j.angular_compliance > 0)
        hold_turn(pa, pb, angle_info);
      else
        hold_direction(x, y), hold_direction(y, z), hold_direction(z, x);
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
        hold_axes();
        break;
      case JointKind::hinge:
        meet(pa, pb, point_info, gap);
        hold_direction(x, z), hold_direction(y, z);
        turn(j, owner, fa, fb, pa, pb, z, x);
        break;
      case JointKind::slider:
        hold_along(x), hold_along(y);
        hold_axes();
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
    m_.run_length.insert(m_.run_length.end(), {middle, -middle, 0});
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

  std::vector<PartRow> parts_;
  std::vector<TurnData> turns_;
  std::vector<ChordTangent> chords_;
};

}  // namespace

void lay_bodies(ModelData& model) {
  Mechanism& m = model.mechanism;
  for (const Body& b : model.scene.bodies) {
    m.bodies.push_back({add_node(model, false), b.mass, (b.inertia + b.inertia.transpose()) / 2});
    m.orientation.push_back(b.orientation.normalized());
    model.total_mass += b.mass;
    model.body_extent = std::max(model.body_extent, 2 * std::sqrt(b.inertia.trace() / 2 / b.mass));
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
