#include "model/fidelity.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "hawser/error.h"
#include "math/catenary.h"
#include "math/quadrature.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/route.h"
#include "model/tangents.h"
#include "terms/fields.h"

namespace hawser {
namespace {

using ConstMap = Eigen::Map<const Vec3>;

/// Supports, bodies and frames where they are in a state: what routes refer to.
Scene places_now(const ModelData& model, const State& state) {
  Scene out;
  out.supports = model.scene.supports;
  out.bodies = model.scene.bodies;
  out.frames = model.scene.frames;
  out.winches = model.scene.winches;
  for (Support& support : out.supports)
    for (size_t k = 0; k < 3; ++k) {
      support.position[static_cast<int>(k)] += support.motion[k].at(state.now()).value;
      support.motion[k] = 0.0;
    }
  for (size_t i = 0; i < out.bodies.size(); ++i) {
    const double* o = state.orientation.data() + 4 * i;
    out.bodies[i].position = ConstMap(state.q.data() + node_size * model.mechanism.bodies[i].node);
    out.bodies[i].orientation = Eigen::Quaterniond(o[0], o[1], o[2], o[3]);
  }
  return out;
}

/// A direction that is fixed in what carries a frame, given as it is at the start.
Vec3 turned(const ModelData& model, const Scene& now, const FrameRef& frame, const Vec3& start) {
  if (frame.body < 0) return start;
  const auto b = static_cast<size_t>(frame.body);
  return now.bodies[b].orientation *
         (model.scene.bodies[b].orientation.normalized().conjugate() * start);
}

/// The cable, and the winches of the scene, with their axes as they are.
Cable turned(const ModelData& model, Scene& now, Cable cable) {
  const auto frame = [&](const Stop& stop) {
    return find_stop(model.scene, stop, ErrorObject("cable", cable.name));
  };
  for (Stop& stop : cable.route) {
    if (stop.radius > 0) stop.axis = turned(model, now, frame(stop), stop.axis);
    if (stop.kind != Stop::Kind::wind) continue;
    const int winch = find_winch(model.scene, stop.on, ErrorObject("cable", cable.name));
    Vec3& axis = now.winches[static_cast<size_t>(winch)].axis;
    axis = turned(model, now, frame(stop), axis);
  }
  return cable;
}

/// Of a point of what carries a stop.
Vec3 velocity_at(const ModelData& model, const State& state, const FrameRef& frame,
                 const Vec3& point) {
  if (frame.body >= 0) {
    const auto b = static_cast<size_t>(frame.body);
    const double* node = state.q.data() + node_size * model.mechanism.bodies[b].node;
    const double* rate = state.v.data() + node_size * model.mechanism.bodies[b].node;
    const double* o = state.orientation.data() + 4 * b;
    const Vec3 omega = Eigen::Quaterniond(o[0], o[1], o[2], o[3]) * Vec3(ConstMap(rate + 3));
    return ConstMap(rate) + omega.cross(point - ConstMap(node));
  }
  Vec3 out = Vec3::Zero();
  if (frame.support >= 0)
    for (size_t k = 0; k < 3; ++k)
      out[static_cast<int>(k)] =
          model.scene.supports[static_cast<size_t>(frame.support)].motion[k].at(state.now()).rate;
  return out;
}

const RouteData* route_of(const ModelData& model, size_t cable) {
  for (const RouteData& route : model.mechanism.routes)
    if (route.cable == static_cast<int>(cable)) return &route;
  return nullptr;
}

/// Length that a winch has paid out since the start [m], and its rate.
struct Paid {
  double value = 0, rate = 0;
};

/// Cable that leaves the drum of a winch at its start, as things are: W = W0 + leave - theta of
/// elements/winding.h, which depends on where it leaves.
class DrumNow {
 public:
  DrumNow(const ModelData& model, const State& state, const Cable& cable, Scene& now)
      : model_(model), state_(state), now_(now) {
    const ErrorObject who("cable", cable.name);
    const auto number = static_cast<size_t>(find_winch(now, cable.route.front().on, who));
    winch_ = &model.mechanism.winches[number];
    frame_ = find_stop(model.scene, cable.route.front(), who);
    axis_ = now.winches[number].axis.normalized();
    const Vec3 start =
        tangent_spans(model.scene, as_slack(model.scene.cables[number_of(cable)])).front().from -
        frame_start(model.scene, frame_);
    const Vec3 outward = across(turned(model, now, frame_, start));
    leave_ = remembered();
    constexpr int rounds = 20;
    for (int i = 0; i < rounds; ++i) {
      now.winches[number].wound = winch_->winding->length(angle());
      const Vec3 here =
          across(tangent_spans(now, cable).front().from - frame_start(now, frame_now(cable)));
      const double turn = std::atan2(axis_.dot(outward.cross(here)), outward.dot(here)),
                   whole = 2 * std::numbers::pi,
                   next = turn + whole * std::round((leave_ - turn) / whole),
                   change = std::abs(next - leave_);
      leave_ = next;
      if (change < 1e-14) break;
    }
  }

  /// `part`: the one that leaves it, with the velocity of the mount at its start, which becomes
  /// that of the place where the cable leaves the drum.
  [[nodiscard]] Paid paid(WayPart& part) const {
    const Winding::At on = winch_->winding->at(angle());
    const Vec3 t = part.direction();
    double spin = 0;
    if (frame_.body >= 0) {
      const double* rate =
          state_.v.data() +
          node_size * model_.mechanism.bodies[static_cast<size_t>(frame_.body)].node;
      spin = axis_.dot(now_.bodies[static_cast<size_t>(frame_.body)].orientation *
                       Vec3(ConstMap(rate + 3)));
    }
    const double leaving =
        axis_.dot(t.cross(part.to_velocity - part.from_velocity)) / part.chord() - spin;
    part.from_velocity += on.radius * leaving * t;
    const double turning = state_.v[static_cast<size_t>(winch_->coordinate())];
    return {winch_->winding->length(winch_->start) - on.length, on.rate * (turning - leaving)};
  }

 private:
  [[nodiscard]] size_t number_of(const Cable& cable) const {
    return static_cast<size_t>(find_cable(model_.scene, cable.name, "cable"));
  }
  [[nodiscard]] FrameRef frame_now(const Cable& cable) const {
    return find_stop(now_, cable.route.front(), ErrorObject("cable", cable.name));
  }
  [[nodiscard]] double angle() const {
    return winch_->start + leave_ - state_.q[static_cast<size_t>(winch_->coordinate())];
  }
  [[nodiscard]] Vec3 across(const Vec3& from) const {
    return (from - axis_.dot(from) * axis_).normalized();
  }
  /// `leave` as the state has it.
  [[nodiscard]] double remembered() const {
    const int turn = winch_->coordinate();
    for (const DrumEndData& end : model_.mechanism.drum_ends)
      if (end.drum.coordinate == turn) return state_.wrap[static_cast<size_t>(end.wrap)];
    for (const RouteData& route : model_.mechanism.routes)
      if (const StopData& stop = route.stops.front(); stop.drum.winding)
        if (stop.drum.coordinate == turn) return state_.wrap[static_cast<size_t>(stop.wrap) + 1];
    return 0;
  }

  const ModelData& model_;
  const State& state_;
  Scene& now_;
  const WinchData* winch_;
  FrameRef frame_;
  Vec3 axis_;
  double leave_ = 0;
};

bool is_cut(const ModelData& model, size_t cable) { return !cuts_of(model.mesh, cable).empty(); }

/// Nodes of n straight elements of that length in all, on an arc: alpha is the turn from one to
/// the next, sin(n alpha/2)/(n sin(alpha/2)) the chord over the length.
std::vector<Vec3> polygon(const Vec3& from, const Vec3& to, double length, int n, Vec3 side) {
  const Vec3 chord = to - from, along = chord.normalized();
  side -= along.dot(side) * along;
  side = side.norm() > 1e-9 ? side.normalized() : Vec3(along.unitOrthogonal());
  const double share = chord.norm() / length, l = length / n;
  double low = 0, high = 2 * std::numbers::pi / n;
  for (int i = 0; i < 200 && high > low; ++i) {
    const double a = (low + high) / 2;
    if (a == low || a == high) break;
    (std::sin(n * a / 2) / (n * std::sin(a / 2)) > share ? low : high) = a;
  }
  std::vector<Vec3> out{from};
  for (int i = 0; i < n; ++i) {
    const double angle = low * ((n - 1) / 2.0 - i);
    out.push_back(out.back() + l * (std::cos(angle) * along + std::sin(angle) * side));
  }
  out.back() = to;
  return out;
}

/// To where slack cable bows: down, or off the ground.
Vec3 bow_of(const Scene& scene) {
  if (scene.ground) return scene.ground->normal.normalized();
  return scene.gravity.norm() > 0 ? Vec3(scene.gravity.normalized()) : Vec3(-Vec3::UnitZ());
}

/// The nodes of a part, from its start to its end.
std::vector<NodeStart> lay_part(const Scene& scene, const Cable& cable, const WayPart& part,
                                int elements) {
  const Vec3 side = bow_of(scene);
  std::vector<NodeStart> out;
  if (cable.model == CableModel::np_fem) {
    for (const Vec3& at : polygon(part.from, part.to, part.length, elements, side))
      out.push_back({at, Vec3::Zero()});
    return out;
  }
  CatenaryProblem p;
  p.from = part.from;
  p.to = part.to;
  p.length = part.length;
  p.law = {cable.sections[0].EA, cable.strain};
  p.side = side;
  const Catenary arc = solve_catenary(p);
  for (int i = 0; i <= elements; ++i) {
    const double s = part.length * i / elements;
    out.push_back({arc.position(s), arc.slope(s)});
  }
  out.front().position = part.from;
  out.back().position = part.to;
  return out;
}

/// Whether a massless cable has gone slack by more than its limit.
bool has_slackened(const ModelData& model, const State& state, size_t cable) {
  const RouteData& route = *route_of(model, cable);
  if (state.multipliers[static_cast<size_t>(route.runs.front().row)] > 0) return false;
  const CableWay way(model, state, cable);
  return way.length - way.span() > model.scene.cables[cable].when_slack->limit * way.length;
}

/// What a cable with elements is like beside the straight way between the same points.
struct Tautness {
  double chords = 0, curves = 0, arcs = 0;  ///< straight, along the cable, on pulleys [m]
  double length = 0;                        ///< unstretched [m]
  double kinetic = 0;                       ///< of motion beside one that is linear in parts [J]
  double mean = 0, least = HUGE_VAL, most = -HUGE_VAL;  ///< axial force [N]
};

/// The parts of a cable, which hand-overs divide: [first, last) of its runs.
std::vector<std::pair<size_t, size_t>> parts_of(CableFields fields) {
  std::vector<std::pair<size_t, size_t>> out{{0, 1}};
  for (size_t r = 1; r < fields.size(); ++r) {
    const ElementRun &before = fields[r - 1]->run, &run = fields[r]->run;
    if (run.first_node == before.first_node + before.elements)
      out.back().second = r + 1;
    else
      out.emplace_back(r, r + 1);
  }
  return out;
}

void add_part(CableFields fields, const State& state, double mass, Tautness& out) {
  static const std::vector<GaussPoint> rule = gauss_rule(3);
  const double *q = state.q.data(), *v = state.v.data();
  const Fields &first = *fields.front(), &last = *fields.back();
  const int end = last.run.elements - 1;
  const double from = first.arc(q, 0, 0), to = last.arc(q, end, 1);
  const Vec3 va = first.velocity(q, v, 0, 0), vb = last.velocity(q, v, end, 1);
  out.chords += (last.position(q, end, 1) - first.position(q, 0, 0)).norm();
  out.length += to - from;
  for (const Fields* part : fields)
    for (int e = 0; e < part->run.elements; ++e) {
      const double l = part->length(q, e);
      for (const GaussPoint& g : rule) {
        const double share = (part->arc(q, e, g.x) - from) / (to - from);
        const Vec3 beside = part->velocity(q, v, e, g.x) - ((1 - share) * va + share * vb);
        out.curves += l * g.w * part->slope(q, e, g.x).norm();
        out.kinetic += mass * l * g.w * beside.squaredNorm() / 2;
      }
    }
  AxialPack pack;
  for (const Fields* part : fields)
    for (int e = 0; e < part->run.elements; ++e) {
      if (e % 4 == 0) part->axial(state, e / 4, pack);
      for (int g = 0; g < part->run.axial_points; ++g) {
        const double force = pack.force[g][e % 4];
        out.mean += part->length(q, e) * force * part->run.axial_weight[g] / part->run.length;
        out.least = std::min(out.least, force);
        out.most = std::max(out.most, force);
      }
    }
}

/// Whether a cable with elements has come taut: stretched along its straight way by a force that is
/// about the same everywhere, with little motion beside.
bool has_tautened(const ModelData& model, const State& state, size_t cable) {
  constexpr double uneven = 0.5;  // of the mean force
  constexpr double share = 0.02;  // of the energy of stretch, in bends and motion
  const std::vector<int>& wraps = model.mesh.wraps[cable];
  if (std::any_of(wraps.begin(), wraps.end(), [](int node) { return node < 0; })) return false;
  const CableFields fields = model.fields_of(static_cast<int>(cable));
  const Cable& c = model.scene.cables[cable];
  Tautness t;
  double end = 0;
  for (const auto& [first, last] : parts_of(fields)) {
    const double start = fields[first]->arc(state.q.data(), 0, 0);
    if (first > 0) t.arcs += start - end;
    add_part(fields.subspan(first, last - first), state, c.sections[0].mass, t);
    const Fields& part = *fields[last - 1];
    end = part.arc(state.q.data(), part.run.elements - 1, 1);
  }
  t.mean /= t.length;
  if (!(t.mean > 0) || !(t.chords > t.length) || t.least < (1 - uneven) * t.mean ||
      t.most > (1 + uneven) * t.mean)
    return false;
  const double length = t.length + t.arcs, EA = c.sections[0].EA;
  const double taken_up = (t.curves - t.chords) / length + t.kinetic / (t.mean * length);
  return taken_up < std::min(c.when_slack->limit, share * t.mean / EA) / 2;
}

}  // namespace

Cable as_slack(Cable cable) {
  cable.model = cable.when_slack->model;
  cable.initial = Initial::straight;
  for (size_t k = 1; k + 1 < cable.route.size(); ++k)
    if (cable.route[k].kind == Stop::Kind::hold) cable.route[k].kind = Stop::Kind::over;
  return cable;
}

Cable as_taut(Cable cable) {
  cable.model = CableModel::massless;
  cable.initial.reset();
  return cable;
}

Scene at_fidelity(Scene scene, const Mesh* mesh) {
  for (size_t i = 0; i < scene.cables.size(); ++i) {
    Cable& cable = scene.cables[i];
    if (!cable.when_slack) continue;
    const bool slack = mesh != nullptr && i < mesh->s.size() && !mesh->s[i].empty();
    cable = slack ? as_slack(std::move(cable)) : as_taut(std::move(cable));
  }
  return scene;
}

Mesh slack_mesh(const Scene& scene) {
  Scene slack = scene;
  for (Cable& cable : slack.cables)
    if (cable.when_slack) {
      cable = as_slack(std::move(cable));
      cable.when_slack.reset();
    }
  return default_mesh(slack);
}

CableWay::CableWay(const ModelData& model, const State& state, size_t cable) {
  Scene now = places_now(model, state);
  const Cable c = turned(model, now, as_slack(model.scene.cables[cable]));
  std::optional<DrumNow> drum;
  if (is_wound(c)) drum.emplace(model, state, c, now);
  double chords = 0, opening = 0, arcs = 0;  // opening: rate of the chords
  for (const TangentSpan& span : tangent_spans(now, c)) {
    WayPart& part = parts.emplace_back();
    const ErrorObject who("cable", c.name);
    const size_t k = parts.size();
    part.from = span.from, part.to = span.to, part.arc = span.arc;
    part.from_velocity = velocity_at(model, state, find_stop(now, c.route[k - 1], who), part.from);
    part.to_velocity = velocity_at(model, state, find_stop(now, c.route[k], who), part.to);
    arcs += part.arc;
    chords += part.chord();
    opening += part.direction().dot(part.to_velocity - part.from_velocity);
  }
  const Signal::Sample payout = c.payout.at(state.now());
  const Paid paid = drum ? drum->paid(parts.front()) : Paid{payout.value, payout.rate};
  length = unpaid(model, cable) + paid.value;
  const double free = length - arcs;
  double at = -paid.value, rate = -paid.rate;
  for (WayPart& part : parts) {
    const double share = part.chord() / chords,
                 opens = part.direction().dot(part.to_velocity - part.from_velocity);
    part.length = free * share;
    part.start = at;
    part.start_rate = rate;
    rate += paid.rate * share + free * (opens - share * opening) / chords;
    part.end_rate = rate;
    at += part.length + part.arc;
  }
  parts.back().end_rate = 0;
}

double CableWay::unpaid(const ModelData& model, size_t cable) {
  if (const RouteData* route = route_of(model, cable))
    return model.rows[static_cast<size_t>(route->runs.front().row)].unpaid;
  return model.own_mesh.s[cable].back();
}

double CableWay::span() const {
  return std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const WayPart& part) {
    return sum + part.chord() + part.arc;
  });
}

double CableWay::energy(const Scene& scene, const Section& section) const {
  const Vec3 gravity = flow_gravity(scene, section);
  double sum = 0;
  for (const WayPart& part : parts) {
    const Vec3 a = part.first_velocity(), b = part.last_velocity();
    sum +=
        part.length * ((a.dot(a) + a.dot(b) + b.dot(b)) / 6 - gravity.dot(part.from + part.to) / 2);
    sum += part.arc * (part.end_rate * part.end_rate / 2 - gravity.dot(part.to));
  }
  return section.mass * sum;
}

SlackShape slack_shape(const ModelData& model, const State& state, size_t cable) {
  const Cable c = as_slack(model.scene.cables[cable]);
  const CableWay way(model, state, cable);
  const double nominal =
      c.element_length > 0 ? c.element_length : CableWay::unpaid(model, cable) / c.elements;
  const bool supplied = is_supplied(c);
  SlackShape out;
  for (size_t k = 0; k < way.parts.size(); ++k) {
    const WayPart& part = way.parts[k];
    const double whole = flows(c) ? part.length / nominal : c.elements;
    const int elements = std::max(1, static_cast<int>(std::lround(whole)));
    if (k > 0) {
      const WayPart& before = way.parts[k - 1];
      const Stop& stop = c.route[k];
      out.flows.push_back(out.s.back());
      out.flow_rates.push_back(before.end_rate);
      if (stop.radius > 0) out.wraps.push_back(static_cast<int>(out.s.size()) - 1);
      if (has_two_flows(stop)) {
        out.flows.push_back(part.start);
        out.flow_rates.push_back(part.start_rate);
      }
    } else if (supplied) {
      out.flows.push_back(part.start);
      out.flow_rates.push_back(part.start_rate);
    }
    std::vector<NodeStart> nodes = lay_part(model.scene, c, part, elements);
    if (c.model == CableModel::ancf) {  // tangent to pulleys and drums
      if (k == 0 ? is_wound(c) : c.route[k].radius > 0) nodes.front().slope = part.direction();
      if (c.route[k + 1].radius > 0) nodes.back().slope = part.direction();
    }
    const Vec3 a = part.first_velocity(), b = part.last_velocity();
    for (int i = 0; i <= elements; ++i) {
      const double share = static_cast<double>(i) / elements;
      out.s.push_back(part.start + share * part.length);
      out.rates.push_back({(1 - share) * a + share * b, (b - a) / part.length});
    }
    if (k > 0 && !(c.route[k].radius > 0))
      out.s[out.s.size() - static_cast<size_t>(elements) - 1] =
          out.s[out.s.size() - static_cast<size_t>(elements) - 2];
    out.nodes.insert(out.nodes.end(), nodes.begin(), nodes.end());
  }
  if (!supplied) out.s.front() = 0;
  out.s.back() = CableWay::unpaid(model, cable);
  return out;
}

std::optional<Mesh> mesh_at_fidelity(const ModelData& model, const State& state) {
  std::optional<Mesh> out;
  const auto change = [&]() -> Mesh& {
    if (!out) out = mesh_at(model, state.q.data());
    return *out;
  };
  for (size_t c = 0; c < model.scene.cables.size(); ++c) {
    if (!model.scene.cables[c].when_slack || is_cut(model, c)) continue;
    if (model.mesh.s[c].empty() ? !has_slackened(model, state, c) : !has_tautened(model, state, c))
      continue;
    Mesh& mesh = change();
    SlackShape shape;
    if (model.mesh.s[c].empty()) shape = slack_shape(model, state, c);
    mesh.s[c] = std::move(shape.s);
    mesh.wraps[c] = std::move(shape.wraps);
  }
  return out;
}

bool differ_in_fidelity(const ModelData& a, const ModelData& b) {
  for (size_t c = 0; c < a.mesh.s.size() && c < b.mesh.s.size(); ++c)
    if (a.mesh.s[c].empty() != b.mesh.s[c].empty()) return true;
  return false;
}

}  // namespace hawser
