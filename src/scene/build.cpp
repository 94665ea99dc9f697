#include "scene/build.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "scene/section_of.h"

namespace hawser {
namespace {

/// Where a support is at a time, and how its clamps turn.
struct SupportMotion {
  Vec3 position = Vec3::Zero();              ///< without motion
  const TimeFunction* displacement[3] = {};  ///< null: none
  const TurnText* turn = nullptr;
  Mark at;  ///< of the motion

  [[nodiscard]] bool moves() const {
    return displacement[0] || displacement[1] || displacement[2] || turn;
  }
  /// position + displacement along one axis.
  [[nodiscard]] Signal along(int axis) const {
    const double base = position[axis];
    if (!displacement[axis]) return base;
    const Signal& d = displacement[axis]->signal;
    if (d.is_constant()) return base + d.at(0).value;
    return Signal::function(
        [base, d](double t) {
          Signal::Sample s = d.at(t);
          s.value += base;
          return s;
        },
        d.kinks());
  }
  [[nodiscard]] Vec3 start() const {
    return {along(0).at(0).value, along(1).at(0).value, along(2).at(0).value};
  }
};

/// One component of a unit direction d that turns about an axis: d'' follows from the angle.
Signal turned(const TurnText& turn, const Vec3& slope, int component) {
  const Vec3 axis = *turn.axis;
  const Signal angle = turn.angle->signal;
  const double parallel = axis[component] * axis.dot(slope);
  const double along = slope[component] - parallel, across = axis.cross(slope)[component];
  return Signal::function(
      [=](double t) {  // Rodrigues: along cos a + across sin a + parallel
        const Signal::Sample a = angle.at(t);
        const double c = std::cos(a.value), s = std::sin(a.value);
        const double first = across * c - along * s, second = -along * c - across * s;
        return Signal::Sample{along * c + across * s + parallel, first * a.rate,
                              second * a.rate * a.rate + first * a.acceleration};
      },
      angle.kinks());
}

class Builder {
 public:
  Builder(ReadContext& context, SceneText& text, SceneFile& out)
      : c_(context), text_(text), out_(out) {}

  void run() {
    check_references();
    check_names();
    collect_motions();
    if (c_.problems.any()) return;  // what follows builds on sound names
    out_.scene.gravity = *text_.gravity;
    for (auto& entry : text_.sections.entries)
      section_of(c_, text_.materials, "sections." + entry.name, entry.at, entry.value);
    for (const auto& entry : text_.supports.entries)
      out_.supports.push_back({entry.name, {}, false});
    if (c_.problems.any()) return;
    for (auto& entry : text_.cables.entries) add_cable(entry);
    for (auto& entry : text_.loads.entries) add_load(entry);
    for (auto& entry : text_.conditions.entries) add_condition(entry);
    set_solve();
    check_functions();
    check_unused();
  }

 private:
  void check_references() {
    const std::map<std::string, std::vector<std::string>> groups{
        {"materials", text_.materials.names()},
        {"sections", text_.sections.names()},
        {"supports", text_.supports.names()},
        {"cables", text_.cables.names()}};
    for (const auto& r : c_.references) {
      const std::vector<std::string>& known = groups.at(r.group);
      if (std::find(known.begin(), known.end(), r.name) != known.end()) continue;
      std::string expected = known.empty() ? fmt::format("a name of `{}`, which is empty", r.group)
                                           : fmt::format("one of `{}`: {}", r.group, any_of(known));
      c_.problems.add(r.at, r.path, fmt::format("'{}', which is not there", r.name), expected,
                      did_you_mean(r.name, known));
    }
  }

  void check_names() {
    static constexpr std::array reserved{"energy", "momentum", "reactions", "time", "ground"};
    const auto check = [&](const std::string& name, const Mark& at, const std::string& group) {
      if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
        c_.problems.add(at, group, fmt::format("the name '{}'", name),
                        "another one: channels use it for something else");
    };
    for (const auto& e : text_.cables.entries) check(e.name, e.at, "cables");
    for (const auto& e : text_.supports.entries) {
      check(e.name, e.at, "supports");
      if (text_.cables.find(e.name))
        c_.problems.add(e.at, "supports", fmt::format("'{}', which is a cable too", e.name),
                        "a name of its own", "Channels tell them apart by name.");
    }
    if (text_.cables.entries.empty() && !c_.problems.any())
      c_.problems.add(c_.places.contains("cables") ? c_.places.at("cables") : Mark{}, "cables",
                      "no cable", "at least one");
  }

  void collect_motions() {
    for (const auto& s : text_.supports.entries)
      if (s.value.position.value) motions_[s.name].position = *s.value.position;
    for (const auto& m : text_.motions.entries) {
      if (!m.value.of.value || !motions_.contains(*m.value.of)) continue;
      SupportMotion& motion = motions_[*m.value.of];
      const SupportText& support = text_.supports.find(*m.value.of)->value;
      motion.at = m.at;
      const Given<TimeFunction>* parts[] = {&m.value.x, &m.value.y, &m.value.z};
      for (int k = 0; k < 3; ++k) {
        if (!parts[k]->given) continue;
        if (motion.displacement[k])
          c_.problems.add(parts[k]->at, "motions." + m.name, "a second motion of the same support",
                          "one along each axis");
        if (support.slides.value && std::abs((*support.slides)[k]) > 1e-12)
          c_.problems.add(parts[k]->at, "motions." + m.name,
                          "a motion along which the support slides freely",
                          "a motion across the direction of `slides`");
        motion.displacement[k] = &**parts[k];
      }
      if (m.value.turn.given) motion.turn = &*m.value.turn;
      if (!m.value.turn.given && !m.value.x.given && !m.value.y.given && !m.value.z.given)
        c_.problems.add(m.at, "motions." + m.name, "nothing that moves", "x, y, z or turn");
    }
  }

  void add_cable(Named<CableText>::Entry& entry) {
    CableText& t = entry.value;
    Cable cable;
    cable.name = entry.name;
    const SectionText& s = text_.sections.find(*t.section)->value;
    cable.section = {*s.EA, *s.EI, *s.mass, *s.GJ, s.breaking_load.value.value_or(0)};
    cable.length = *t.length;
    cable.elements = *t.elements;
    cable.strain = *t.strain;
    cable.curvature = *t.curvature;
    cable.axial_points = *t.axial_points;
    cable.bending_points = *t.bending_points;
    cable.velocity = *t.velocity;
    cable.angular_velocity = *t.angular_velocity;
    std::vector<Vec3> points;
    for (const Stop& stop : *t.route)
      points.push_back(stop.kind == Stop::Kind::point ? stop.point
                                                      : motions_.at(stop.name).start());
    cable.start = points.front();
    cable.end = points.back();
    cable.via.assign(points.begin() + 1, points.end() - 1);
    std::vector<int> spans;
    try {
      spans = span_elements(cable);
    } catch (const Error& error) {
      c_.problems.add(t.route.at, "cables." + entry.name, error.found(), error.expected(),
                      error.remedy());
      return;
    }
    warn_of_length(entry, points, cable.length);
    int node = 0;
    for (size_t k = 0; k < points.size(); ++k) {
      if ((*t.route)[k].kind != Stop::Kind::point) attach(entry, cable, points, k, node);
      if (k < spans.size()) node += spans[k];
    }
    out_.scene.cables.push_back(std::move(cable));
  }

  void warn_of_length(const Named<CableText>::Entry& entry, const std::vector<Vec3>& points,
                      double length) {
    double route = 0;
    for (size_t k = 1; k < points.size(); ++k) route += (points[k] - points[k - 1]).norm();
    const double strain = length > 0 ? route / length - 1 : 0;
    if (strain < -1e-3)
      out_.warnings.push_back(fmt::format(
          "cable '{}' is {:g} m long on a route of {:g} m: it starts compressed by {:.3g} % and "
          "will buckle",
          entry.name, length, route, -100 * strain));
    if (strain > 0.05)
      out_.warnings.push_back(fmt::format(
          "cable '{}' is {:g} m long on a route of {:g} m: it starts stretched by {:.3g} %",
          entry.name, length, route, 100 * strain));
  }

  void attach(const Named<CableText>::Entry& entry, const Cable& cable,
              const std::vector<Vec3>& points, size_t k, int node) {
    const Stop& stop = (*entry.value.route)[k];
    const SupportMotion& motion = motions_.at(stop.name);
    const SupportText& support = text_.supports.find(stop.name)->value;
    const Place place{cable.name, node};
    const bool clamp = stop.kind == Stop::Kind::clamp;
    Support& named = *std::find_if(out_.supports.begin(), out_.supports.end(),
                                   [&](const Support& s) { return s.name == stop.name; });
    named.places.push_back(place);
    named.holds_direction = named.holds_direction || clamp;
    if (support.slides.value)
      slide(stop, place, motion, *support.slides);
    else
      hold(place, motion);
    if (motion.turn && !clamp && !std::exchange(turn_named_[stop.name], true))
      c_.problems.add(stop.at, "cables." + entry.name,
                      fmt::format("a cable that may turn freely at '{}'", stop.name),
                      fmt::format("{{clamp: {}}}, for the motion's turn to act on it", stop.name));
    if (!clamp) return;
    if (!motion.turn) {
      out_.scene.clamps.push_back({place, false});
      return;
    }
    const Vec3 slope = slope_at(cable, points, k);
    for (int i = 0; i < 3; ++i)
      out_.scene.motions.push_back(
          {place, static_cast<Coordinate>(3 + i), turned(*motion.turn, slope, i)});
  }

  /// The slope r' that the model gives the node at a stop: of the spans on either side.
  static Vec3 slope_at(const Cable& cable, const std::vector<Vec3>& points, size_t k) {
    double route = 0;
    for (size_t i = 1; i < points.size(); ++i) route += (points[i] - points[i - 1]).norm();
    const double stretch = cable.length > 0 ? route / cable.length : 1;
    Vec3 direction = Vec3::Zero();
    if (k > 0) direction += (points[k] - points[k - 1]).normalized();
    if (k + 1 < points.size()) direction += (points[k + 1] - points[k]).normalized();
    return stretch * direction.normalized();
  }

  void hold(const Place& place, const SupportMotion& motion) {
    if (!motion.moves()) {
      out_.scene.pins.push_back({place});
      return;
    }
    for (int k = 0; k < 3; ++k)
      out_.scene.motions.push_back({place, static_cast<Coordinate>(k), motion.along(k)});
  }

  /// Held across a direction only: two coordinates, or two conditions n . r = n . position.
  void slide(const Stop& stop, const Place& place, const SupportMotion& motion, const Vec3& d) {
    for (int axis = 0; axis < 3; ++axis)
      if (std::abs(std::abs(d[axis]) - 1) < 1e-12) {
        for (int k = 0; k < 3; ++k)
          if (k != axis)
            out_.scene.motions.push_back({place, static_cast<Coordinate>(k), motion.along(k)});
        return;
      }
    const Vec3 n1 = d.unitOrthogonal(), n2 = d.cross(n1);
    int number = 0;
    for (const Vec3& n : {n1, n2}) {
      LinearCondition condition;
      condition.name = fmt::format("{} of {}, {}", stop.name, place.cable, ++number);
      std::array<Signal, 3> along;
      std::vector<double> kinks;
      bool constant = true;
      for (int k = 0; k < 3; ++k) {
        condition.terms.push_back({place, static_cast<Coordinate>(k), n[k]});
        along[static_cast<size_t>(k)] = motion.along(k);
        const Signal& s = along[static_cast<size_t>(k)];
        constant = constant && s.is_constant();
        kinks.insert(kinks.end(), s.kinks().begin(), s.kinks().end());
      }
      const auto sum = [n, along](double t) {
        Signal::Sample out{0, 0, 0};
        for (int k = 0; k < 3; ++k) {
          const Signal::Sample s = along[static_cast<size_t>(k)].at(t);
          out.value += n[k] * s.value;
          out.rate += n[k] * s.rate;
          out.acceleration += n[k] * s.acceleration;
        }
        return out;
      };
      condition.value = constant ? Signal(sum(0).value) : Signal::function(sum, kinks);
      out_.scene.conditions.push_back(std::move(condition));
    }
  }

  /// The node a place means; -1 with a problem when it lies between nodes.
  int node_of(const PlaceOn& place, const Mark& at, const std::string& path) {
    const auto cable = std::find_if(out_.scene.cables.begin(), out_.scene.cables.end(),
                                    [&](const Cable& c) { return c.name == place.cable; });
    if (cable == out_.scene.cables.end()) return -1;  // its own problem has been told
    const std::vector<double> s = node_lengths(*cable);
    const double wanted = place.length >= 0 ? place.length : place.fraction * s.back();
    size_t best = 0;
    for (size_t n = 0; n < s.size(); ++n)
      if (std::abs(s[n] - wanted) < std::abs(s[best] - wanted)) best = n;
    if (std::abs(s[best] - wanted) <= 1e-6 * s.back()) return static_cast<int>(best);
    c_.problems.add(
        at, path, fmt::format("'{}', which is {:g} m along, between nodes", place.text, wanted),
        "a node",
        fmt::format("The nearest is at {:g} m ({}@{:.6g}); or choose `elements` so that "
                    "a node falls there.",
                    s[best], place.cable, s[best] / s.back()));
    return -1;
  }

  /// Unstretched arc length of every node.
  static std::vector<double> node_lengths(const Cable& cable) {
    std::vector<Vec3> points{cable.start};
    points.insert(points.end(), cable.via.begin(), cable.via.end());
    points.push_back(cable.end);
    double route = 0;
    for (size_t k = 1; k < points.size(); ++k) route += (points[k] - points[k - 1]).norm();
    const double scale = cable.length > 0 ? cable.length / route : 1;
    const std::vector<int> spans = span_elements(cable);
    std::vector<double> s{0};
    for (size_t k = 0; k < spans.size(); ++k) {
      const double before = s.back(), span = scale * (points[k + 1] - points[k]).norm();
      for (int e = 1; e <= spans[k]; ++e) s.push_back(before + span * e / spans[k]);
    }
    return s;
  }

  void add_load(Named<LoadText>::Entry& entry) {
    LoadText& l = entry.value;
    const std::string path = "loads." + entry.name;
    const int kinds = l.force.given + l.force_per_length.given + l.moment.given + l.mass.given;
    if (kinds != 1) {
      c_.problems.add(entry.at, path, kinds == 0 ? "no load" : "more than one load",
                      "exactly one of force, force_per_length, moment, mass");
      return;
    }
    const bool whole = l.force_per_length.given;
    if (l.at.given == whole || l.on.given != whole) {
      c_.problems.add(entry.at, path, whole ? "no `on`, or an `at`" : "no `at`, or an `on`",
                      whole ? "`on: CABLE` with force_per_length"
                            : "`at: CABLE@PLACE` with force, moment or mass");
      return;
    }
    if (whole) {
      for_components(*l.force_per_length, [&](const Vec3& f, const Signal& strength) {
        out_.scene.distributed_forces.push_back({*l.on, f, strength});
      });
      return;
    }
    const int node = node_of(*l.at, l.at.at, path + ".at");
    if (node < 0) return;
    const Place place{l.at->cable, node};
    if (l.mass.given) out_.scene.point_masses.push_back({place, *l.mass});
    if (l.force.given)
      for_components(*l.force, [&](const Vec3& f, const Signal& strength) {
        out_.scene.point_forces.push_back({place, f, strength});
      });
    if (l.moment.given)
      for_components(*l.moment, [&](const Vec3& m, const Signal& strength) {
        out_.scene.moments.push_back({place, m, strength, *l.stiffness});
      });
  }

  /// Constant components together, each other one with its function of time.
  template <class Add>
  static void for_components(const std::array<TimeFunction, 3>& parts, const Add& add) {
    Vec3 constant = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Signal& s = parts[static_cast<size_t>(k)].signal;
      if (s.is_constant())
        constant[k] = s.at(0).value;
      else
        add(Vec3::Unit(k), s);
    }
    if (constant != Vec3::Zero()) add(constant, Signal(1.0));
  }

  void add_condition(Named<ConditionText>::Entry& entry) {
    LinearCondition condition;
    condition.name = entry.name;
    condition.value = entry.value.value->signal;
    for (size_t i = 0; i < entry.value.terms.size(); ++i) {
      const TermText& t = entry.value.terms[i];
      const std::string path = fmt::format("conditions.{}.terms[{}].at", entry.name, i);
      const int node = node_of(*t.at, t.at.at, path);
      if (node < 0) return;
      condition.terms.push_back({{t.at->cable, node}, *t.coordinate, *t.factor});
    }
    out_.scene.conditions.push_back(std::move(condition));
  }

  void set_solve() {
    const SolveText& s = text_.solve;
    SolveOptions& o = out_.solve;
    out_.until = *s.until;
    o.step = *s.step;
    o.scheme = *s.scheme;
    o.solve = *s.method;
    o.hht_alpha = *s.hht_alpha;
    o.rho_infinity = *s.rho_infinity;
    o.constraints = *s.constraints;
    o.baumgarte_gain = *s.baumgarte_gain;
    o.error_control = *s.error_control;
    o.tolerance = *s.tolerance;
    o.newton_tolerance = *s.newton_tolerance;
    o.newton_iterations = *s.newton_iterations;
    o.factorization_cap = *s.factorization_cap;
    o.energy_guard = *s.energy_guard;
    o.backend = *s.backend;
    const std::string path = "solve";
    const auto at = [&](const char* key) {
      const auto found = c_.places.find(path + "." + key);
      return found == c_.places.end() ? Mark{} : found->second;
    };
    if (*s.step > *s.until)
      c_.problems.add(at("step").source ? at("step") : at("until"), "solve.step",
                      fmt::format("a step of {:g} s in a run of {:g} s", *s.step, *s.until),
                      "a step shorter than the run");
    if (*s.hht_alpha < -1.0 / 3 || *s.hht_alpha > 0)
      c_.problems.add(at("hht_alpha"), "solve.hht_alpha", fmt::format("{:g}", *s.hht_alpha),
                      "a number from -1/3 to 0");
    if (*s.baumgarte_gain >= 0.76)
      c_.problems.add(at("baumgarte_gain"), "solve.baumgarte_gain",
                      fmt::format("{:g}", *s.baumgarte_gain),
                      "a number from 0 to below 0.76, the limit of stability");
    if (*s.error_control && *s.method != Solve::newton)
      c_.problems.add(
          at("error_control"), "solve.error_control",
          fmt::format("true with the method {}", value_of_method()), "`method: newton`",
          "The one-solve methods take constant steps; their cost is what they are for.");
    if (*s.method == Solve::mixed3 && *s.constraints == ConstraintLevel::baumgarte)
      c_.problems.add(at("constraints"), "solve.constraints", "baumgarte with mixed3", "position",
                      "Every stage of mixed3 meets its constraints exactly.");
    set_record();
  }
  [[nodiscard]] std::string value_of_method() const {
    for (const auto& w : method_words.words)
      if (w.value == *text_.solve.method) return w.word;
    return {};
  }

  void set_record() {
    RecordText& r = text_.record;
    if (!r.every.value) r.every.value = std::max(out_.until / 1000, out_.solve.step);
    if (!r.shapes.value) r.shapes.value = std::max({0.04, out_.until / 1000, out_.solve.step});
    out_.record.every = *r.every;
    out_.record.shapes_every = *r.shapes;
    out_.record.points = *r.points;
    if (r.channels.value)
      for (const Line& line : *r.channels) out_.record.channels.push_back(line.text);
    for (const auto& e : text_.expect.entries) {
      Expectation x;
      x.name = e.name;
      x.channel = *e.value.channel;
      x.time = e.value.at.value.value_or(-1);
      x.value = e.value.value->value;
      x.unit = e.value.value->unit;
      x.within = e.value.within->value;
      x.source = *e.value.source;
      const bool same = e.value.value->unit == e.value.within->unit ||
                        e.value.within->unit.empty() || e.value.value->unit.empty();
      if (!same || !(x.within >= 0))
        c_.problems.add(
            e.value.within.at, "expect." + e.name + ".within",
            fmt::format("{:g} {}", x.within, e.value.within->unit),
            fmt::format("zero or more, in {}", x.unit.empty() ? "the same unit" : x.unit));
      if (x.time > out_.until)
        c_.problems.add(e.value.at.at, "expect." + e.name + ".at", fmt::format("{:g} s", x.time),
                        fmt::format("a time within the run, which ends at {:g} s", out_.until));
      out_.expect.push_back(std::move(x));
    }
  }

  /// Functions of time must have finite values over the run.
  void check_functions() {
    const auto check = [&](const Given<TimeFunction>& f, const std::string& path) {
      if (f.given) check_signal(f->signal, f.at, path);
    };
    for (const auto& m : text_.motions.entries) {
      check(m.value.x, "motions." + m.name + ".x");
      check(m.value.y, "motions." + m.name + ".y");
      check(m.value.z, "motions." + m.name + ".z");
      if (m.value.turn.given) check(m.value.turn->angle, "motions." + m.name + ".turn.angle");
    }
    for (const auto& l : text_.loads.entries)
      for (const auto* f : {&l.value.force, &l.value.force_per_length, &l.value.moment})
        if (f->given)
          for (const TimeFunction& part : **f) check_signal(part.signal, f->at, "loads." + l.name);
    for (const auto& x : text_.conditions.entries)
      check(x.value.value, "conditions." + x.name + ".value");
  }
  void check_signal(const Signal& signal, const Mark& at, const std::string& path) {
    constexpr int looks = 500;
    for (int i = 0; i <= looks; ++i) {
      const double t = out_.until * i / looks;
      const Signal::Sample s = signal.at(t);
      if (std::isfinite(s.value) && std::isfinite(s.rate) && std::isfinite(s.acceleration))
        continue;
      c_.problems.add(at, path, fmt::format("a function that is not finite at t = {:g} s", t),
                      "a finite value and rate throughout the run");
      return;
    }
  }

  void check_unused() {
    for (const Support& s : out_.supports)
      if (s.places.empty())
        out_.warnings.push_back(
            fmt::format("support '{}' holds nothing: no route names it", s.name));
  }

  ReadContext& c_;
  SceneText& text_;
  SceneFile& out_;
  std::map<std::string, SupportMotion> motions_;
  std::map<std::string, bool> turn_named_;
};

}  // namespace

void build_scene(ReadContext& context, SceneText& text, SceneFile& out) {
  Builder(context, text, out).run();
}

}  // namespace hawser
