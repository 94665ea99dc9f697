#include "scene/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "scene/bodies.h"
#include "scene/cables.h"
#include "scene/contacts.h"
#include "scene/inputs.h"
#include "scene/loads.h"
#include "scene/section_of.h"
#include "scene/sliding.h"
#include "scene/supports.h"
#include "scene/winches.h"
#include "scene/writer.h"

namespace hawser {
namespace {

class Builder {
 public:
  Builder(ReadContext& context, SceneText& text, SceneFile& out)
      : c_(context), text_(text), out_(out) {}

  void run() {
    if (!check_elements()) return;
    check_references();
    check_names();
    set_solve();
    check_functions();
    add_supports(c_, text_, out_.scene);
    if (c_.problems.any()) return;  // what follows builds on sound names and values
    out_.scene.gravity = *text_.gravity;
    set_surroundings();
    add_support_shapes(c_, text_, out_.scene);
    add_inputs(c_, text_, out_.scene);
    out_.scene.initial = *text_.initial;
    std::map<std::string, const MaterialText*> materials;
    for (const auto& entry : text_.materials.entries) materials[entry.name] = &entry.value;
    for (auto& entry : text_.sections.entries) {
      const auto& named = entry.value.material.value;
      section_of(c_, named ? materials.at(*named) : nullptr, "sections." + entry.name, entry.at,
                 entry.value);
    }
    drop_idle_elements();
    set_record();
    add_bodies(c_, text_, out_.scene);
    if (c_.problems.any()) return;
    add_winches(c_, text_, out_.scene);
    CableBuilder cables(c_, text_, out_);
    for (const auto& entry : text_.cables.entries) cables.add_cable(entry);
    for (const auto& entry : text_.nets.entries) cables.add_net(entry);
    add_joints(c_, text_, out_.scene);
    add_sliding_joints(text_, out_.scene);
    add_loads(c_, text_, out_.scene);
    add_contacts(c_, text_, out_.scene);
    for (const std::string& name : idle_supports(out_.scene))
      out_.warnings.push_back(fmt::format("support '{}' is not used by any route or joint", name));
  }

 private:
  void check_references() {
    const std::map<std::string, Group> groups = named_groups();
    for (const auto& r : c_.references) {
      const auto& [label, names] = groups.at(r.group);
      if (names.contains(r.name)) continue;
      const std::vector<std::string> known(names.begin(), names.end());
      const std::string expected = known.empty()
                                       ? fmt::format("a name of {}, but the scene has none", label)
                                       : fmt::format("one of {}: {}", label, any_of(known));
      const bool on_body = r.group == "body frames";
      if (on_body && groups.at("cables").names.contains(r.name))
        c_.problems.add(r.at, r.path, in_quotes(r.name) + ", a whole cable",
                        fmt::format("a point on it, such as {}@end", r.name));
      else if (on_body && groups.at("supports").names.contains(r.name))
        c_.problems.add(r.at, r.path, in_quotes(r.name) + ", a support", expected,
                        "A force on a support has no effect.");
      else
        c_.problems.add(r.at, r.path, "unknown name " + in_quotes(r.name), expected,
                        did_you_mean(r.name, known));
    }
  }

  /// Names that references may mean, by group, and what a message calls the group.
  struct Group {
    std::string label;
    std::set<std::string> names;
  };
  [[nodiscard]] std::map<std::string, Group> named_groups() const {
    std::set<std::string> on_bodies, cables = text_.cables.names();
    for (const auto& e : text_.bodies.entries) {
      on_bodies.insert(e.name);
      if (e.value.frames.given)
        for (const NamedPoint& p : *e.value.frames) on_bodies.insert(e.name + "." + p.name);
    }
    std::set<std::string> frames = text_.supports.names();
    frames.insert(on_bodies.begin(), on_bodies.end());
    for (const auto& e : text_.nets.entries)
      if (e.value.meshes.given)
        for (std::string& name : thread_names(e.name, e.value)) cables.insert(std::move(name));
    const bool bodies = !text_.bodies.entries.empty();
    std::set<std::string> stops = text_.winches.names();
    const bool winches = !stops.empty();
    stops.insert(frames.begin(), frames.end());
    const std::string on = bodies ? "`supports` or `bodies`" : "`supports`";
    return {{"materials", {"`materials`", text_.materials.names()}},
            {"sections", {"`sections`", text_.sections.names()}},
            {"supports", {"`supports`", text_.supports.names()}},
            {"cables", {"`cables`", std::move(cables)}},
            {"body frames", {"`bodies`", std::move(on_bodies)}},
            {"stops",
             {!winches ? on
              : bodies ? "`supports`, `bodies` or `winches`"
                       : "`supports` or `winches`",
              std::move(stops)}},
            {"frames", {on, std::move(frames)}}};
  }

  /// Memory is taken for every element before anything can be said of the run; false when there
  /// are too many.
  bool check_elements() {
    constexpr long most = 2'000'000;
    long sum = 0;
    const auto add = [&](long elements, const Mark& at, const std::string& path) {
      sum += elements;
      if (sum > most)
        c_.problems.add(at, path, fmt::format("{} elements in the cables up to here", sum),
                        fmt::format("at most {} in all cables of a scene", most));
      return sum <= most;
    };
    for (const auto& e : text_.cables.entries)
      if (*e.value.model != CableModel::massless &&
          !add(*e.value.elements, e.value.elements.given ? e.value.elements.at : e.at,
               "cables." + e.name + ".elements"))
        return false;
    for (const auto& e : text_.nets.entries)
      if (e.value.meshes.given &&
          !add(net_elements(e.value), e.value.meshes.at, "nets." + e.name + ".meshes"))
        return false;
    return true;
  }

  /// Channels tell cables, supports, bodies and joints apart by name.
  void check_names() {
    static constexpr std::array reserved{"energy", "momentum", "reactions",
                                         "time",   "ground",   "input"};
    std::map<std::string, const char*> taken;
    const auto check = [&](const std::string& name, const Mark& at, const char* group,
                           const char* one) {
      if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
        c_.problems.add(at, group, fmt::format("the name '{}'", name),
                        "another name: this one is reserved for channels");
      const auto [other, fresh] = taken.emplace(name, one);
      if (!fresh)
        c_.problems.add(at, group,
                        fmt::format("'{}', which is also the name of {}", name, other->second),
                        "a unique name", "Channels refer to objects by name.");
    };
    for (const auto& e : text_.cables.entries) check(e.name, e.at, "cables", "a cable");
    for (const auto& e : text_.supports.entries) check(e.name, e.at, "supports", "a support");
    for (const auto& e : text_.bodies.entries) check(e.name, e.at, "bodies", "a body");
    for (const auto& e : text_.joints.entries) check(e.name, e.at, "joints", "a joint");
    for (const auto& e : text_.winches.entries) check(e.name, e.at, "winches", "a winch");
    for (const auto& e : text_.sliding_joints.entries)
      check(e.name, e.at, "sliding_joints", "a sliding joint");
    for (const auto& e : text_.nets.entries) {
      check(e.name, e.at, "nets", "a net");
      if (e.value.meshes.given)
        for (const std::string& name : thread_names(e.name, e.value))
          check(name, e.at, "nets", "a thread of a net");
    }
    if (taken.size() == text_.supports.entries.size() + text_.joints.entries.size() +
                            text_.winches.entries.size() + text_.sliding_joints.entries.size() &&
        !c_.problems.any())
      c_.problems.add(c_.start, "", "no cable, net or body", "at least one");
  }

  /// The default is not one of a massless cable: it is not written back either.
  void drop_idle_elements() {
    for (auto& e : text_.cables.entries)
      if (*e.value.model == CableModel::massless && !e.value.elements.given)
        e.value.elements.value.reset();
  }

  void set_surroundings() {
    if (text_.ground.given) {
      const GroundText& g = *text_.ground;
      out_.scene.ground = Ground{*g.height, *g.normal, *g.stiffness, *g.damping, *g.non_stiff};
    }
    if (text_.fluid.given) {
      const FluidText& f = *text_.fluid;
      out_.scene.fluid = Fluid{*f.density, *f.velocity, *f.non_stiff};
    }
  }

  /// With contact the scheme that damps the most: an impact is the nearest to plastic then.
  void set_contact_scheme() {
    const auto& cables = text_.cables.entries;
    const bool by_contact = std::any_of(cables.begin(), cables.end(), [](const auto& cable) {
      return *cable.value.pulleys == PulleyMeeting::contact;
    });
    const auto is_massless = [&](const Line& name) {
      return std::any_of(cables.begin(), cables.end(), [&](const auto& cable) {
        return cable.name == name.text && *cable.value.model == CableModel::massless;
      });
    };
    const auto& contacts = text_.contact.entries;
    const bool touches = std::any_of(contacts.begin(), contacts.end(), [&](const auto& contact) {
      const auto& between = contact.value.between;  // massless cables come onto shapes smoothly
      return !between.given || std::none_of(between->begin(), between->end(), is_massless);
    });
    if ((!touches && !by_contact) || text_.solve.scheme.given) return;
    text_.solve.scheme.value = Scheme::generalized_alpha;
    if (!text_.solve.rho_infinity.given) text_.solve.rho_infinity.value = 0;
  }

  void set_solve() {
    set_contact_scheme();
    const SolveText& s = text_.solve;
    SolveOptions& o = out_.solve;
    out_.until = *s.until;
    o.step = *s.step;
    o.scheme = *s.scheme;
    o.method = *s.method;
    o.hht_alpha = *s.hht_alpha;
    o.rho_infinity = *s.rho_infinity;
    o.constraints = *s.constraints;
    o.newmark_beta = *s.newmark_beta;
    o.newmark_gamma = *s.newmark_gamma;
    o.baumgarte_gain = *s.baumgarte_gain;
    o.baumgarte_rate_gain = s.baumgarte_rate_gain.value;
    o.damping_time = *s.damping_time;
    o.error_control = *s.error_control;
    o.tolerance = *s.tolerance;
    o.newton_tolerance = *s.newton_tolerance;
    o.newton_iterations = *s.newton_iterations;
    o.factorization_cap = *s.factorization_cap;
    o.energy_guard = *s.energy_guard;
    o.backend = *s.backend;
    o.threads = *s.threads;
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
                      "a number from 0 to below 0.76, the stability limit");
    if (*s.error_control && *s.method != Method::newton)
      c_.problems.add(at("error_control"), "solve.error_control",
                      fmt::format("true with the method {}", value_of_method()), "`method: newton`",
                      "Methods with one solve per step use a constant step, for a fixed cost.");
    if (*s.method == Method::spook && *s.constraints == ConstraintLevel::baumgarte)
      c_.problems.add(at("constraints"), "solve.constraints", "baumgarte with spook", "position",
                      "spook has its own feedback: `damping_time`.");
    if (*s.method == Method::mixed3 && *s.constraints == ConstraintLevel::baumgarte)
      c_.problems.add(at("constraints"), "solve.constraints", "baumgarte with mixed3", "position",
                      "Every stage of mixed3 satisfies its constraints exactly.");
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
    for (const auto& e : text_.cables.entries) {
      check(e.value.payout, "cables." + e.name + ".payout");
      check(e.value.speed, "cables." + e.name + ".speed");
      check(e.value.slip, "cables." + e.name + ".slip");
    }
    for (const auto& e : text_.joints.entries)
      for (const auto* f : {&e.value.turn, &e.value.turn_rate, &e.value.travel,
                            &e.value.travel_rate, &e.value.slip})
        check(*f, "joints." + e.name);
    for (const auto& e : text_.winches.entries) {
      if (e.value.motor.given)
        for (const auto* f :
             {&e.value.motor->torque, &e.value.motor->turn_rate, &e.value.motor->command})
          check(*f, "winches." + e.name + ".motor");
      if (e.value.brake.given) check(e.value.brake->on, "winches." + e.name + ".brake.on");
    }
    for (const auto& x : text_.conditions.entries)
      check(x.value.value, "conditions." + x.name + ".value");
  }
  void check_signal(const Signal& signal, const Mark& at, const std::string& path) {
    constexpr int looks = 500;
    for (int i = 0; i <= looks; ++i) {
      const double t = out_.until * i / looks;
      const Signal::Sample s = signal.at({t, c_.inputs});
      const bool good = std::abs(s.value) <= largest_quantity &&
                        std::abs(s.rate) <= largest_quantity &&
                        std::abs(s.acceleration) <= largest_quantity;
      if (good) continue;
      c_.problems.add(at, path,
                      fmt::format("a function whose value or rates are infinite or exceed {:g} at "
                                  "t = {:g} s",
                                  largest_quantity, t),
                      "finite values throughout the run");
      return;
    }
  }

  ReadContext& c_;
  SceneText& text_;
  SceneFile& out_;
};

}  // namespace

void build_scene(ReadContext& context, SceneText& text, SceneFile& out) {
  Builder(context, text, out).run();
}

}  // namespace hawser
