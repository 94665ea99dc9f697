// What of a scene nothing feels, or can hardly be meant.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "hawser/inspect.h"
#include "model/frames.h"
#include "model/sections.h"
#include "model/signals.h"
#include "record/mechanism_now.h"
#include "run/contact_warnings.h"

namespace hawser {
namespace {

using std::numbers::pi;
constexpr int run_samples = 1000;  ///< at a function of time over the run

/// "'a', 'b' and 'c'"; of many the first four and how many more.
std::string listed(const std::vector<std::string>& names) {
  constexpr size_t most = 4;
  const size_t shown = names.size() > most + 1 ? most : names.size();
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == names.size();
    out += fmt::format("{}'{}'", i == 0 ? "" : last ? " and " : ", ", names[i]);
  }
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

/// "250 ms": as many digits as tell it apart.
std::string seconds(double t) {
  return t < 0.9995e-3 ? fmt::format("{:.3g} us", 1e6 * t)
         : t < 0.9995  ? fmt::format("{:.3g} ms", 1e3 * t)
                       : fmt::format("{:.3g} s", t);
}

// --- ground and fluid ---

/// "body 'a', massless cables 'b' and 'c'".
std::string without_elements(const std::vector<std::string>& bodies,
                             const std::vector<std::string>& cables) {
  std::string who;
  const auto add = [&](const char* one, const char* many, const std::vector<std::string>& names) {
    if (names.empty()) return;
    who += fmt::format("{}{} {}", who.empty() ? "" : ", ", names.size() == 1 ? one : many,
                       listed(names));
  };
  add("body", "bodies", bodies);
  add("massless cable", "massless cables", cables);
  return who;
}

/// They act on cables with elements only; the ground also on bodies that a contact names with it.
void surroundings(const Scene& scene, std::vector<std::string>& out) {
  std::vector<std::string> bodies, unsupported, cables;
  const auto stands = [&](const std::string& body) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const Contact& c) {
      const auto names = [&](const std::string& name) {
        return std::count(c.shapes.begin(), c.shapes.end(), name) > 0;
      };
      return c.cables.empty() && names(body) && names("ground");
    });
  };
  for (const Body& b : scene.bodies) {
    bodies.push_back(b.name);
    if (!stands(b.name)) unsupported.push_back(b.name);
  }
  for (const Cable& c : scene.cables)
    if (c.model == CableModel::massless && !c.when_slack) cables.push_back(c.name);
  const std::string falls = without_elements(unsupported, cables),
                    dry = without_elements(bodies, cables);
  if (scene.ground && !falls.empty())
    out.push_back(
        fmt::format("the ground acts only on cables with elements{}; it does not support {}",
                    scene.contacts.empty() ? "" : " and on what `contact` names with it", falls));
  if (scene.fluid && !dry.empty())
    out.push_back(fmt::format(
        "the fluid acts only on cables with elements; there is no buoyancy or drag on {}", dry));
}

/// A contact with the ground has a law of its own, in place of that of the ground.
void idle_ground(const Scene& scene, std::vector<std::string>& out) {
  const Ground usual;
  if (!scene.ground ||
      (scene.ground->stiffness == usual.stiffness && scene.ground->damping == usual.damping))
    return;
  const auto named = [&](const std::string& cable) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const Contact& c) {
      return std::count(c.cables.begin(), c.cables.end(), cable) > 0 &&
             std::count(c.shapes.begin(), c.shapes.end(), "ground") > 0;
    });
  };
  bool any = false;
  for (const Cable& c : scene.cables) {
    if (c.model == CableModel::massless && !c.when_slack) continue;
    if (!named(c.name)) return;
    any = true;
  }
  if (any)
    out.emplace_back(
        "`stiffness` and `damping` of the ground have no effect: `contact` names all cables with "
        "it, and has a `stiffness` and a `damping_time` of its own. Give them there");
}

/// A plane under a part of a route carries the bodies at its ends; they do not rub.
void planes(const Scene& scene, std::vector<std::string>& out) {
  for (const Cable& c : scene.cables)
    for (size_t k = 0; k + 1 < c.route.size(); ++k) {
      if (!c.route[k].along || !(c.route[k].along->friction > 0)) continue;
      for (const size_t end : {k, k + 1}) {
        const Stop& stop = c.route[end];
        if (stop.kind != Stop::Kind::hold && stop.kind != Stop::Kind::clamp) continue;
        const FrameRef frame = find_stop(scene, stop, ErrorObject("cable", c.name));
        if (frame.body < 0) continue;
        out.push_back(fmt::format(
            "the plane '{}' carries the body '{}' at the end of cable '{}' without friction: "
            "`along` counts the cable, and masses and forces on it. Use a `contact` of the body",
            c.route[k].along->on, scene.bodies[static_cast<size_t>(frame.body)].name, c.name));
      }
    }
}

// --- massless cables ---

/// What a cable that is reeled in comes to: nothing left of it, or its load at the last place
/// that stands still.
void reeling(const MechanismNow& now, const RouteData& route, double until,
             std::vector<std::string>& out) {
  const Cable& cable = now.model().scene.cables[static_cast<size_t>(route.cable)];
  const double first = route.payout.at(now.model().start()).value, start = now.rest_length(route);
  if (std::abs(first) > 1e-9 * start)
    out.push_back(
        stated_length(cable) > 0
            ? fmt::format("cable '{}': its payout starts at {:g} m, so that the initial length is "
                          "{:g} m, not {:g} "
                          "m. Start it at 0 m",
                          cable.name, first, start, stated_length(cable))
            : fmt::format(
                  "cable '{}': its payout starts at {:g} m, but the initial length is that of the "
                  "route: only the change has an effect. Start it at 0 m",
                  cable.name, first));
  if (route.payout.is_constant() || route.driven || route.runs.size() > 1) return;
  const auto stands = [](const StopData& s) { return s.at.node < 0 && s.at.motion < 0; };
  const bool led = std::all_of(route.stops.begin(), route.stops.end() - 1, stands);
  const double needed =
      led ? now.span(route, 0) - now.segments(route).back().straight : 0;  // up to the last of them
  for (int i = 0; i <= run_samples; ++i) {
    const double t = until * i / run_samples;
    const double left = start + route.payout.at({t, now.model().inputs}).value - first;
    if (left > needed) continue;
    const size_t last = cable.route.size() - 1;
    out.push_back(
        left > 0
            ? fmt::format("cable '{}' is reeled in until '{}' reaches '{}', at about t = {:.3g} s: "
                          "its route up to there is {:.4g} m long. Reel in less",
                          cable.name, cable.route[last].text(), cable.route[last - 1].text(), t,
                          needed)
            : fmt::format("cable '{}' is reeled in by its whole length of {:.4g} m at t = {:.3g} "
                          "s. Reel in "
                          "less",
                          cable.name, start, t));
    return;
  }
}

/// Where two lines of a plane cross, as parts of their lengths from `p` and `q`; false: parallel.
bool crossing(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& w, const Vec3& axis,
              double& along_u, double& along_w) {
  const double d = axis.dot(u.cross(w));
  if (!(std::abs(d) > 1e-12 * u.norm() * w.norm())) return false;
  along_u = axis.dot((q - p).cross(w)) / d;
  along_w = axis.dot((q - p).cross(u)) / d;
  return true;
}

/// The angle round a pulley when its axis is turned round, the places before and after it kept;
/// negative: none.
double other_side(const Groove& pulley, const Vec3& before, const Vec3& after) {
  Groove turned = pulley, from, to;
  turned.axis = -pulley.axis;
  turned.e2 = -pulley.e2;
  from.center = before;
  to.center = after;
  Segment in, out;
  if (span_segment(from, turned, 0, 0, in) != SegmentStatus::ok ||
      span_segment(turned, to, 0, 0, out) != SegmentStatus::ok)
    return -1;
  const double angle = out.leave - in.reach;
  return angle - 2 * pi * std::floor(angle / (2 * pi));
}

/// A cable that crosses itself in the plane of a pulley lies on the wrong side of it.
void pulleys(const MechanismNow& now, const RouteData& route, std::vector<std::string>& out) {
  const Cable& cable = now.model().scene.cables[static_cast<size_t>(route.cable)];
  for (size_t i = 1; i + 1 < route.stops.size(); ++i) {
    if (!(route.stops[i].radius > 0)) continue;
    const Segment &in = now.segments(route)[i - 1], &leaving = now.segments(route)[i];
    const Groove pulley = now.groove(route.stops[i]);
    double a = 0, b = 0;
    if (!crossing(in.from, in.to - in.from, leaving.from, leaving.to - leaving.from, pulley.axis, a,
                  b) ||
        a < 0 || a > 1 || b < 0 || b > 1)
      continue;
    const double wrap = leaving.leave - in.reach, other = other_side(pulley, in.from, leaving.to);
    if (!(wrap > pi) || other < 0 || other >= wrap) continue;
    out.push_back(
        fmt::format("cable '{}' wraps the pulley '{}' by {:.4g} deg and crosses itself "
                    "there; on the other side the wrap angle is {:.4g} deg. Reverse its `axis`",
                    cable.name, cable.route[i].on, wrap * 180 / pi, other * 180 / pi));
  }
}

// --- functions of time ---

/// How a function of time goes over the run.
struct Course {
  double lowest = HUGE_VAL, highest = -HUGE_VAL;
  double rate = 0, acceleration = 0;  ///< the largest
  [[nodiscard]] double range() const { return highest - lowest; }
};

Course course_of(const Signal& signal, std::span<const InputMotion> inputs, double until) {
  constexpr double golden = 0.6180339887498949;  // times that no period fits
  Course c;
  for (int i = 0; i <= run_samples; ++i) {
    const Signal::Sample s = signal.at({until * (i * golden - std::floor(i * golden)), inputs});
    c.lowest = std::min(c.lowest, s.value);
    c.highest = std::max(c.highest, s.value);
    c.rate = std::max(c.rate, std::abs(s.rate));
    c.acceleration = std::max(c.acceleration, std::abs(s.acceleration));
  }
  for (const double t : signal.kinks())
    if (t >= 0 && t <= until) {
      const double value = signal.at({t, inputs}).value;
      c.lowest = std::min(c.lowest, value);
      c.highest = std::max(c.highest, value);
    }
  return c;
}

/// Steps that are too long for functions of time. Between two steps h apart a function f is off its
/// chord by up to h^2 |f''|/8: a twentieth of its amplitude for a sine of ten steps a period.
class StepWarnings {
 public:
  StepWarnings(std::span<const InputMotion> inputs, double step, double until,
               std::vector<std::string>& out)
      : inputs_(inputs), h_(step), until_(until), out_(out) {}

  void look(const Signal& signal, const std::string& what) {
    if (signal.is_constant()) return;
    const Course c = course_of(signal, inputs_, until_);
    if (!(c.range() > 0)) return;
    const double longest = std::sqrt(0.05 * 8 * c.range() / 2 / c.acceleration);
    if (h_ > longest * (1 + 1e-9))
      say(fmt::format(
          "{}: its period of {} is too short for steps of {}. Use steps of {} "
          "or less, ten per period",
          what, seconds(2 * pi * c.rate / c.acceleration), seconds(h_), seconds(longest)));
    const std::vector<double>& kinks = signal.kinks();
    for (size_t i = 1; i < kinks.size(); ++i) {
      const double gap = kinks[i] - kinks[i - 1];
      const double before = signal.at({kinks[i - 1], inputs_}).value,
                   after = signal.at({kinks[i], inputs_}).value;
      if (kinks[i] < 0 || kinks[i - 1] > until_ || !(gap < h_ * (1 - 1e-9)) ||
          !(std::abs(after - before) > 0.1 * c.range()))
        continue;
      say(fmt::format(
          "{}: it changes from {:g} to {:g} within {}, at t = {:.4g} s, which is less than a step "
          "of {}. Use a shorter step, or a longer ramp",
          what, before, after, seconds(gap), kinks[i - 1], seconds(h_)));
      break;
    }
  }

 private:
  /// Nodes of one support move alike: said once.
  void say(const std::string& text) {
    if (said_.insert(text).second) out_.push_back(text);
  }

  std::span<const InputMotion> inputs_;
  double h_, until_;
  std::vector<std::string>& out_;
  std::set<std::string> said_;
};

void steps(const ModelData& model, double step, double until, std::vector<std::string>& out) {
  const Scene& scene = model.scene;
  StepWarnings warn(model.inputs, step, until, out);
  for (const Support& s : scene.supports)
    for (const Signal& motion : s.motion) warn.look(motion, fmt::format("motion of '{}'", s.name));
  for (const LinearCondition& c : scene.conditions)
    warn.look(c.value, fmt::format("condition '{}'", c.name));
  for (const Joint& j : scene.joints) {
    warn.look(j.travel.value, fmt::format("travel of joint '{}'", j.name));
    warn.look(j.turn.value, fmt::format("turn of joint '{}'", j.name));
  }
  for (const Cable& c : scene.cables) {
    warn.look(c.payout, fmt::format("payout of cable '{}'", c.name));
    warn.look(c.drive.value, fmt::format("speed of cable '{}'", c.name));
  }
  for (const BodyForce& f : scene.body_forces)
    warn.look(f.strength, fmt::format("load on '{}'", f.frame));
  for (const PointForce& f : scene.point_forces)
    warn.look(f.strength, fmt::format("force on cable '{}'", f.at.cable));
  for (const DistributedForce& f : scene.distributed_forces)
    warn.look(f.strength, fmt::format("force on cable '{}'", f.cable));
  for (const Moment& m : scene.moments)
    warn.look(m.strength, fmt::format("moment on cable '{}'", m.at.cable));
}

// --- inputs ---

/// Inputs that nothing uses, and feedback that makes velocities jump at every step.
void idle_inputs(const ModelData& model, std::vector<std::string>& out) {
  const Scene& scene = model.scene;
  std::set<std::string> used;
  visit_signals(scene, [&](SignalUse, const Signal& signal, const auto&) {
    for (const size_t k : signal.inputs()) used.insert("input." + scene.inputs[k].name);
  });
  for (const Input& input : scene.inputs)
    if (input.feedback)
      for (const FeedbackLaw::Symbol& s : input.feedback->channels) used.insert(s.channel);
  for (size_t k = 0; k < scene.inputs.size(); ++k) {
    const Input& input = scene.inputs[k];
    if (!input.hidden && !used.contains("input." + input.name))
      out.push_back(fmt::format("input '{}' is not used by any function of time", input.name));
    if (input.feedback && input.smoothing == 0 && model.rate_inputs[k] != 0)
      out.push_back(fmt::format(
          "input '{}' prescribes a speed by feedback without smoothing: velocities jump at every "
          "step, and forces do not contain these impacts. Use `smoothing` of some steps",
          input.name));
  }
}

// --- the start ---

/// The second rate of the lengths of massless cables that are as long as their routes.
void stretch_of_routes(const ModelData& model, const State& s, double least,
                       std::vector<std::string>& names) {
  ConstraintSet set(model);
  if (!set.evaluate(s.q.data(), s.t, s)) return;
  for (const RouteData& route : model.mechanism.routes)
    for (const RunData& run : route.runs) {
      const auto row = static_cast<size_t>(run.row);
      const bool slack = set.phi[row] > 1e-9 * (1 + model.extent);
      if (model.rows[row].velocity || slack) continue;
      if (-set.times(run.row, s.a.data()) < least) continue;
      names.push_back(model.scene.cables[static_cast<size_t>(route.cable)].name);
      break;
    }
}

/// The same of a cable with elements, along its nodes; zero where it is compressed.
double stretch_of_nodes(const ModelData& model, const State& s, size_t cable) {
  const CableSpan& span = model.cables[cable];
  double stretch = 0, length = 0;
  const double free_length = length_of(model.fields_of(static_cast<int>(cable)), s.q.data());
  for (int i = span.first_node; i < span.first_node + span.nodes - 1; ++i) {
    const auto at = static_cast<Eigen::Index>(node_size * i);
    const Eigen::Map<const Vec3> a(s.a.data() + at), b(s.a.data() + at + node_size);
    const Vec3 d = s.position(i + 1) - s.position(i);
    stretch += d.normalized().dot(b - a);
    length += d.norm();
  }
  return length < free_length * (1 - 1e-6) ? 0 : stretch;
}

/// True where a row's G depends on the coordinates.
bool any_turns(const std::vector<RowInfo>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const RowInfo& row) { return !row.constant(); });
}

bool starts_with_speed(const Scene& scene) {
  const auto moves = [](const auto& x) {
    return !x.velocity.isZero() || !x.angular_velocity.isZero();
  };
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), moves) ||
         std::any_of(scene.cables.begin(), scene.cables.end(), moves);
}

}  // namespace

std::vector<std::string> warnings(const Model& model, const SolveOptions& options, double until) {
  std::vector<std::string> out;
  const Scene& scene = model.scene();
  surroundings(scene, out);
  idle_ground(scene, out);
  planes(scene, out);
  if (!model.data().mechanism.routes.empty()) {
    const State start = start_pose(model.data());
    MechanismNow now(model.data());
    now.look(start);
    for (const RouteData& route : model.data().mechanism.routes) {
      reeling(now, route, until, out);
      pulleys(now, route, out);
    }
  }
  contact_warnings(model.data(), options.step, out);
  idle_inputs(model.data(), out);
  if (!options.error_control) steps(model.data(), options.step, until, out);
  if (options.method == Method::mixed3 && any_turns(model.data().rows))
    out.emplace_back(
        "`method: mixed3` is third order only for scenes of cables with elements. With joints, "
        "drives, "
        "attachments or massless cables it is second order, with an error similar to that of "
        "`mixed` at twice the cost");
  return out;
}

std::vector<std::string> start_warnings(const Model& handle, const State& start) {
  const ModelData& model = handle.data();
  const double g = model.scene.gravity.norm();
  if (!(g > 0) || model.scene.initial == Initial::rest) return {};
  // With a tension T of the T1 that it needs, a load falls with about (1 - T/T1) g.
  const double least = g / 3;
  std::vector<std::string> names;
  stretch_of_routes(model, start, least, names);
  for (size_t i = 0; i < model.cables.size(); ++i)
    if (model.cables[i].elements > 0 && stretch_of_nodes(model, start, i) > least)
      names.push_back(model.scene.cables[i].name);
  if (names.empty()) return {};
  const bool one = names.size() == 1;
  return {fmt::format(
      "cable{} {} start{} with too little tension for {} load, which drops and overshoots. "
      "{} `length` shorter than the route by the stretch",
      one ? "" : "s", listed(names), one ? "s" : "", one ? "its" : "their",
      starts_with_speed(model.scene) ? "Use a" : "Use `initial: static`, or a")};
}

}  // namespace hawser
