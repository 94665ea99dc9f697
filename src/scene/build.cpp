#include "scene/build.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <map>
#include <set>

#include "scene/loads.h"
#include "scene/section_of.h"
#include "scene/supports.h"
#include "scene/writer.h"

namespace hawser {
namespace {

class Builder {
 public:
  Builder(ReadContext& context, SceneText& text, SceneFile& out)
      : c_(context), text_(text), out_(out) {}

  void run() {
    check_references();
    check_names();
    check_elements();
    set_solve();
    check_functions();
    Supports supports(c_, text_);
    if (c_.problems.any()) return;  // what follows builds on sound names and values
    out_.scene.gravity = *text_.gravity;
    std::map<std::string, const MaterialText*> materials;
    for (const auto& entry : text_.materials.entries) materials[entry.name] = &entry.value;
    for (auto& entry : text_.sections.entries) {
      const auto& named = entry.value.material.value;
      section_of(c_, named ? materials.at(*named) : nullptr, "sections." + entry.name, entry.at,
                 entry.value);
      sections_[entry.name] = &entry.value;
    }
    set_record();
    if (c_.problems.any()) return;
    for (auto& entry : text_.cables.entries) add_cable(entry, supports);
    out_.supports = supports.held();
    add_loads(c_, text_, out_.scene);
    check_unused();
  }

 private:
  void check_references() {
    const std::map<std::string, std::set<std::string>> groups{
        {"materials", text_.materials.names()},
        {"sections", text_.sections.names()},
        {"supports", text_.supports.names()},
        {"cables", text_.cables.names()}};
    for (const auto& r : c_.references) {
      const std::set<std::string>& names = groups.at(r.group);
      if (names.contains(r.name)) continue;
      const std::vector<std::string> known(names.begin(), names.end());
      std::string expected = known.empty()
                                 ? fmt::format("a name of `{}`, but the scene has none", r.group)
                                 : fmt::format("one of `{}`: {}", r.group, any_of(known));
      c_.problems.add(r.at, r.path, in_quotes(r.name) + ", which is not there", expected,
                      did_you_mean(r.name, known));
    }
  }

  /// Memory is taken for every element before anything can be said of the run.
  void check_elements() {
    constexpr long most = 2'000'000;
    long sum = 0;
    for (const auto& e : text_.cables.entries)
      if ((sum += *e.value.elements) > most) {
        c_.problems.add(e.value.elements.given ? e.value.elements.at : e.at,
                        "cables." + e.name + ".elements",
                        fmt::format("{} elements in the cables up to here", sum),
                        fmt::format("at most {} in all cables of a scene", most));
        return;
      }
  }

  void check_names() {
    static constexpr std::array reserved{"energy", "momentum", "reactions", "time", "ground"};
    const auto check = [&](const std::string& name, const Mark& at, const std::string& group) {
      if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
        c_.problems.add(at, group, fmt::format("the name '{}'", name),
                        "another one: channels use it for something else");
    };
    const std::set<std::string> cables = text_.cables.names();
    for (const auto& e : text_.cables.entries) check(e.name, e.at, "cables");
    for (const auto& e : text_.supports.entries) {
      check(e.name, e.at, "supports");
      if (cables.contains(e.name))
        c_.problems.add(e.at, "supports", fmt::format("'{}', which is a cable too", e.name),
                        "a name of its own", "Channels tell them apart by name.");
    }
    if (text_.cables.entries.empty() && !c_.problems.any())
      c_.problems.add(c_.places.contains("cables") ? c_.places.at("cables") : Mark{}, "cables",
                      "no cable", "at least one");
  }

  void add_cable(const Named<CableText>::Entry& entry, Supports& supports) {
    const CableText& t = entry.value;
    Cable cable;
    cable.name = entry.name;
    const SectionText& s = *sections_.at(*t.section);
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
      points.push_back(stop.kind == Stop::Kind::point ? stop.point : supports.start(stop.name));
    cable.start = points.front();
    cable.end = points.back();
    cable.via.assign(points.begin() + 1, points.end() - 1);
    std::vector<int> spans;
    try {
      spans = span_elements(cable);
    } catch (const Error& error) {
      c_.problems.add(t.route.at, as_in_file(error.where()), error.found(), error.expected(),
                      error.remedy());
      return;
    }
    warn_of_corners(entry.name, points);
    warn_of_length(entry, points, cable.length);
    int node = 0;
    for (size_t k = 0; k < points.size(); ++k) {
      if ((*t.route)[k].kind != Stop::Kind::point)
        supports.attach((*t.route)[k], {cable.name, node}, slope_at(cable, points, k), out_.scene);
      if (k < spans.size()) node += spans[k];
    }
    out_.scene.cables.push_back(std::move(cable));
  }

  /// "cable 'line', via[0]" as the file has it: "cable 'line', route[1]".
  static std::string as_in_file(std::string where) {
    for (size_t at = 0; (at = where.find("via[", at)) != std::string::npos;) {
      const size_t end = where.find(']', at);
      const int number = std::stoi(where.substr(at + 4, end - at - 4)) + 1;
      where.replace(at, end - at, fmt::format("route[{}", number));
    }
    return where;
  }

  /// A cable is smooth: a corner of its route is a bend of the elements beside it, and stressed.
  void warn_of_corners(const std::string& cable, const std::vector<Vec3>& points) {
    constexpr double sharp = 3.0 / 180 * std::numbers::pi;
    for (size_t k = 1; k + 1 < points.size(); ++k) {
      const Vec3 before = points[k] - points[k - 1], after = points[k + 1] - points[k];
      const double turn = std::atan2(before.cross(after).norm(), before.dot(after));
      if (turn > sharp)
        out_.warnings.push_back(
            fmt::format("cable '{}' turns by {:.3g} deg at stop {} of its route: it starts with a "
                        "tight bend there, and stressed",
                        cable, turn * 180 / std::numbers::pi, k + 1));
    }
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

  void set_solve() {
    const SolveText& s = text_.solve;
    SolveOptions& o = out_.solve;
    out_.until = *s.until;
    o.step = *s.step;
    o.scheme = *s.scheme;
    o.method = *s.method;
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
    if (*s.error_control && *s.method != Method::newton)
      c_.problems.add(
          at("error_control"), "solve.error_control",
          fmt::format("true with the method {}", value_of_method()), "`method: newton`",
          "The one-solve methods take constant steps; their cost is what they are for.");
    if (*s.method == Method::mixed3 && *s.constraints == ConstraintLevel::baumgarte)
      c_.problems.add(at("constraints"), "solve.constraints", "baumgarte with mixed3", "position",
                      "Every stage of mixed3 meets its constraints exactly.");
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
            quantity_text(x.within, e.value.within->unit),
            x.unit.empty() ? "zero or more" : fmt::format("zero or more, in {}", x.unit));
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
      const bool good = std::abs(s.value) <= largest_quantity &&
                        std::abs(s.rate) <= largest_quantity &&
                        std::abs(s.acceleration) <= largest_quantity;
      if (good) continue;
      c_.problems.add(at, path,
                      fmt::format("a function whose value or rates are infinite or beyond {:g} at "
                                  "t = {:g} s",
                                  largest_quantity, t),
                      "finite ones throughout the run");
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
  std::map<std::string, const SectionText*> sections_;
};

}  // namespace

void build_scene(ReadContext& context, SceneText& text, SceneFile& out) {
  Builder(context, text, out).run();
}

}  // namespace hawser
