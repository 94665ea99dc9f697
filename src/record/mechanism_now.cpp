#include "record/mechanism_now.h"

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "math/orientation.h"

namespace hawser {
namespace {

Eigen::Map<const Vec3> part(const std::vector<double>& a, int at) {
  return Eigen::Map<const Vec3>(a.data() + at);
}

}  // namespace

MechanismNow::MechanismNow(const ModelData& model)
    : model_(model), set_(model), routes_(set_.find<RouteRows>()) {
  const Mechanism& m = model.mechanism;
  for (size_t j = 0; j < model.scene.joints.size(); ++j) {
    const Joint& joint = model.scene.joints[j];
    JointView& view = joints_.emplace_back();
    view.first = find_frame(model.scene, joint.first, joint.name);
    view.second = find_frame(model.scene, joint.second, joint.name);
    view.axis = joint.axis.normalized();
    if (const int body = view.first.body; body >= 0)
      view.axis = m.orientation[static_cast<size_t>(body)].conjugate() * view.axis;
  }
  for (const AngleData& a : m.angles) joints_[static_cast<size_t>(a.joint)].angle = a.wrap;
}

void MechanismNow::look(const State& state) {
  state_ = &state;
  if (!set_.evaluate(state.q.data(), state.t, state))
    throw Error("a state", set_.fault, "distinct route points");
}

/// What the runs before the stop lose is what those after it get, the mean of both. A run that the
/// cable slips out of at its other end, too, counts with what is beyond.
double MechanismNow::slip(size_t rub) const {
  const std::vector<RubInfo>& rubs = model_.rubs;
  const auto rate = [&](int row) {
    return set_.rate_of(static_cast<size_t>(row), state_->v.data());
  };
  const auto slips = [&](size_t i) { return state_->activity[model_.rows.size() + i] != 0; };
  double flow = rate(rubs[rub].before) - rate(rubs[rub].after);
  for (size_t i = rub; i > 0 && rubs[i - 1].after == rubs[i].before && slips(i - 1); --i)
    flow += rate(rubs[i - 1].before);
  for (size_t i = rub + 1; i < rubs.size() && rubs[i].before == rubs[i - 1].after && slips(i); ++i)
    flow -= rate(rubs[i].after);
  return flow / 2;
}

Eigen::Quaterniond MechanismNow::orientation(int body) const {
  return orientation_at(state_->orientation.data() + 4 * body);
}

Matrix3 MechanismNow::rotation(int body) const {
  return body < 0 ? Matrix3(Matrix3::Identity()) : set_.poses.rotation[static_cast<size_t>(body)];
}

Vec3 MechanismNow::angular_velocity(int body) const {
  const int node = model_.mechanism.bodies[static_cast<size_t>(body)].node;
  return rotation(body) * part(state_->v, node_size * node + 3);
}

Vec3 MechanismNow::position(const FrameRef& frame) const {
  if (frame.body >= 0) {
    const int node = model_.mechanism.bodies[static_cast<size_t>(frame.body)].node;
    return state_->position(node) + rotation(frame.body) * frame.position;
  }
  Vec3 at = frame.position;
  if (frame.support < 0) return at;
  const auto& motion = model_.scene.supports[static_cast<size_t>(frame.support)].motion;
  for (int k = 0; k < 3; ++k) at[k] += motion[static_cast<size_t>(k)].at(state_->now()).value;
  return at;
}

Vec3 MechanismNow::velocity(const FrameRef& frame) const {
  return velocity(frame, position(frame));
}

Vec3 MechanismNow::velocity(const FrameRef& frame, const Vec3& at) const {
  if (frame.body >= 0) {
    const int node = model_.mechanism.bodies[static_cast<size_t>(frame.body)].node;
    return state_->velocity(node) + angular_velocity(frame.body).cross(at - state_->position(node));
  }
  Vec3 rate = Vec3::Zero();
  if (frame.support < 0) return rate;
  const auto& motion = model_.scene.supports[static_cast<size_t>(frame.support)].motion;
  for (int k = 0; k < 3; ++k) rate[k] = motion[static_cast<size_t>(k)].at(state_->now()).rate;
  return rate;
}

double MechanismNow::lambda(int row) const { return state_->multipliers[static_cast<size_t>(row)]; }

void MechanismNow::add_force(int node, int row, Vec6& sum) const {
  const RowInfo& info = model_.rows[static_cast<size_t>(row)];
  const double* g = set_.G.data() + info.first_entry;
  for (const int c : info.coordinates) {
    if (c / node_size == node) sum[c % node_size] += lambda(row) * *g;
    ++g;
  }
}

Vec6 MechanismNow::force_on(int node, const RowRange& rows) const {
  Vec6 sum = Vec6::Zero();
  for (int r = rows.first; r < rows.first + rows.count; ++r) add_force(node, r, sum);
  return sum;
}

Wrench MechanismNow::wrench_on(int body, const RowRange& rows, const Vec3& about) const {
  const int node = model_.mechanism.bodies[static_cast<size_t>(body)].node;
  const Vec6 f = force_on(node, rows);  // its torque about the centre of mass, body axes
  const Vec3 force = f.head<3>();
  return {force, rotation(body) * f.tail<3>() + (state_->position(node) - about).cross(force)};
}

Wrench MechanismNow::joint(size_t joint) const {
  const JointView& view = joints_[joint];
  const RowRange& rows = model_.mechanism.joints[joint];
  const Vec3 about = position(view.second);
  if (view.second.body >= 0) return wrench_on(view.second.body, rows, about);
  if (view.first.body < 0) return {};
  const Wrench back = wrench_on(view.first.body, rows, about);
  return {-back.force, -back.torque};
}

double MechanismNow::turn(size_t joint) const {
  return set_.wrap[static_cast<size_t>(joints_[joint].angle)];
}

double MechanismNow::travel(size_t joint) const {
  const JointView& view = joints_[joint];
  const Vec3 between = position(view.second) - position(view.first);
  return model_.scene.joints[joint].kind == JointKind::distance
             ? between.norm()
             : between.dot(rotation(view.first.body) * view.axis);
}

size_t MechanismNow::number(const RouteData& route) const {
  return static_cast<size_t>(&route - model_.mechanism.routes.data());
}

double MechanismNow::tension(const RouteData& route, size_t run) const {
  return lambda(route.runs[run].row);
}

/// From the lengths: the tension also has what the section damps.
double MechanismNow::strain(const RouteData& route, size_t run) const {
  if (route.driven) return tension(route, run) / route.EA;
  return std::max(0.0, span(route, run) / rest_length(route, run) - 1);
}

double MechanismNow::span(const RouteData& route, size_t run) const {
  return set_.run_span[static_cast<size_t>(route.first_run) + run];
}

/// Of a cable whose rate is given, what its tension has not stretched.
double MechanismNow::rest_length(const RouteData& route, size_t run) const {
  const double length = state_->run_length[static_cast<size_t>(route.first_run) + run];
  if (route.driven) return length / (1 + tension(route, run) / route.EA);
  const RowInfo& row = model_.rows[static_cast<size_t>(route.runs[run].row)];
  return length + row.off_drums(state_->q.data()) +
         (run == 0 ? route.payout.at(state_->now()).value : 0);
}

double MechanismNow::rest_length(const RouteData& route) const {
  double sum = 0;
  for (size_t r = 0; r < route.runs.size(); ++r) sum += rest_length(route, r);
  return sum;
}

double MechanismNow::twist(const RouteData& route) const { return state_->twist[number(route)]; }

double MechanismNow::torque(const RouteData& route) const {
  return route.twist_row < 0 ? 0 : -lambda(route.twist_row);
}

std::span<const Segment> MechanismNow::segments(const RouteData& route) const {
  return routes_->segments(number(route));
}

const RouteRows::Bent& MechanismNow::bent(const RouteData& route, size_t stop) const {
  return routes_->bent(number(route), stop);
}

Groove MechanismNow::groove(const StopData& stop) const {
  Groove g;
  Groove::Wound wound{};
  const auto wrap = static_cast<size_t>(stop.wrap + (stop.sense > 0 ? 1 : 0));
  const double angle = stop.drum.winding ? state_->wrap[wrap] : 0;
  RouteRows::lay(stop, state_->q.data(), set_.poses, angle, g, wound);
  g.wound = nullptr;
  return g;
}

// --- the ground ---

GroundHold::GroundHold(const ModelData& model, const std::string& support)
    : frame_(find_frame(model.scene, support, ErrorObject("support", support))) {
  const Scene& scene = model.scene;
  const Mechanism& m = model.mechanism;
  for (size_t j = 0; j < scene.joints.size(); ++j) {
    const Joint& joint = scene.joints[j];
    if (joint.first != support && joint.second != support) continue;
    const std::string& other = joint.first == support ? joint.second : joint.first;
    if (const int body = find_frame(scene, other, joint.name).body; body >= 0)
      bodies_.emplace_back(m.joints[j], body);
  }
  for (const RouteData& route : m.routes) {
    const std::vector<Stop>& stops = scene.cables[static_cast<size_t>(route.cable)].route;
    const auto mount = [&](const StopData& stop) {
      if (stop.number < 0) return stop.name;
      return mount_of(scene, stops[static_cast<size_t>(stop.number)], route.name);
    };
    for (size_t k = 0; k < route.stops.size(); ++k)
      if (mount(route.stops[k]) == support) stops_.emplace_back(&route, k);
  }
  for (size_t i = 0; i < m.arcs.size(); ++i) {
    const ArcData& arc = m.arcs[i];
    const Cable& cable = scene.cables[static_cast<size_t>(arc.cable)];
    if (arc.off() || cable.route[static_cast<size_t>(arc.stop)].on != support) continue;
    for (const int node : {arc.nodes[0], arc.nodes[1], arc.beside[0], arc.beside[1]})
      if (node >= 0) nodes_.emplace_back(node, m.pulleys[i]);
  }
  for (const DrumEndData& end : m.drum_ends)
    for (size_t w = 0; w < m.winches.size(); ++w)
      if (m.winches[w].coordinate() == end.drum.coordinate && scene.winches[w].on == support)
        for (const int node : {end.node, end.beside})
          if (node >= 0) nodes_.emplace_back(node, RowRange{end.row, DrumEndData::rows});
}

/// A run of tension T pulls at a stop with -T times the gradient of its length; the stop pulls
/// back.
Wrench GroundHold::on_cable(const MechanismNow& now, const RouteData& route, size_t stop) const {
  const std::span<const Segment> segments = now.segments(route);
  Wrench sum;
  if (stop < segments.size()) {
    const double T = now.tension(route, run_of(route, stop));
    sum.force += T * segments[stop].force_a;
    sum.torque += T * segments[stop].torque_a;
  }
  if (stop > 0) {
    const double T = now.tension(route, run_of(route, stop - 1));
    sum.force += T * segments[stop - 1].force_b;
    sum.torque += T * segments[stop - 1].torque_b;
  }
  if (stop == 0) sum.torque -= now.torque(route) * segments.front().tangent;
  if (stop == segments.size()) sum.torque += now.torque(route) * segments.back().tangent;
  return sum;
}

Wrench GroundHold::at(const MechanismNow& now) const {
  Wrench sum;
  const auto add = [&](const Wrench& w) {
    sum.force += w.force;
    sum.torque += w.torque;
  };
  for (const auto& [rows, body] : bodies_) add(now.wrench_on(body, rows, now.position(frame_)));
  for (const auto& [route, stop] : stops_) add(on_cable(now, *route, stop));
  for (const auto& [node, rows] : nodes_) {
    const Vec6 f = now.force_on(node, rows);
    const State& s = now.state();
    const Vec3 force = f.head<3>(), at = s.position(node) - now.position(frame_);
    add({force, at.cross(force) + s.slope(node).cross(Vec3(f.tail<3>()))});
  }
  return sum;
}

const RouteData* route_of_cable(const ModelData& model, int cable) {
  for (const RouteData& route : model.mechanism.routes)
    if (route.cable == cable) return &route;
  return nullptr;
}

size_t run_of(const RouteData& route, size_t segment) {
  size_t run = 0;
  while (static_cast<int>(segment) >= route.runs[run].last_stop) ++run;
  return run;
}

}  // namespace hawser
