#include "scene/winches.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hawser {
namespace {

class WinchBuilder {
 public:
  WinchBuilder(ReadContext& context, const SceneText& text, const Named<WinchText>::Entry& entry)
      : c_(context), text_(text), t_(entry.value), at_(entry.at), path_("winches." + entry.name) {
    winch_.name = entry.name;
  }

  Winch build(const Scene& scene) {
    winch_.on = *t_.at;
    check_still(c_, scene, winch_.on, {t_.at.at, path_ + ".at"});
    winch_.axis = *t_.axis;
    winch_.inertia = *t_.inertia;
    winch_.wound = *t_.wound;
    winch_.turns_kept = *t_.turns_kept;
    winch_.slack_switch = *t_.slack_switch;
    set_drum();
    if (t_.motor.given) set_motor();
    if (t_.brake.given)
      winch_.brake = Brake{*t_.brake->torque, t_.brake->on->signal, *t_.brake->delay,
                           *t_.brake->release_delay};
    return winch_;
  }

 private:
  /// Diameter of the section at the end of the cable on this winch; 0: not known.
  [[nodiscard]] double cable_diameter() const {
    for (const auto& cable : text_.cables.entries) {
      if (!cable.value.route.given || !cable.value.section.given) continue;
      const std::vector<Stop>& route = *cable.value.route;
      const std::vector<SectionUse>& uses = *cable.value.section;
      if (route.empty() || uses.empty()) continue;
      const bool first = route.front().on == winch_.name, last = route.back().on == winch_.name;
      if (!first && !last) continue;
      for (const auto& section : text_.sections.entries)
        if (section.name == (first ? uses.front() : uses.back()).name)
          return section.value.diameter.value.value_or(0);
    }
    return 0;
  }

  void set_drum() {
    const DrumText& d = *t_.drum;
    Drum& drum = winch_.drum;
    drum.radius = *d.radius;
    drum.cable = d.cable.given ? *d.cable : cable_diameter();
    if (d.width.given) drum.width = *d.width;
    drum.pitch = d.pitch.value.value_or(0);
    drum.layers = *d.layers;
    drum.nested = *d.nested;
    drum.left_hand = *d.left_hand;
    if (drum.layers > 1 && !d.width.given)
      c_.problems.add(d.layers.at, path_ + ".drum.layers",
                      fmt::format("{} layers without a width", drum.layers),
                      "`width`, at which a layer ends");
    const bool needs_diameter = drum.layers > 1 || (d.width.given && !d.pitch.given);
    if (needs_diameter && !(drum.cable > 0))
      c_.problems.add(t_.drum.at, path_ + ".drum", "no diameter of the cable",
                      "`cable: ...`, or a section with a diameter");
  }

  void set_motor() {
    const MotorText& m = *t_.motor;
    Motor& motor = winch_.motor;
    const int kinds = m.torque.given + m.turn_rate.given + m.stall_torque.given + m.curve.given;
    if (kinds != 1)
      problem(t_.motor.at, kinds == 0 ? "no torque, rate or curve" : "several drives in one",
              "exactly one of torque, turn_rate, stall_torque, curve");
    if (m.most_torque.given && !m.turn_rate.given)
      problem(m.most_torque.at, "`most_torque` without `turn_rate`", "both of them");
    if (m.command.given && !m.stall_torque.given && !m.curve.given)
      problem(m.command.at, "`command` without `stall_torque` or `curve`", "one of them with it");
    if (m.stall_torque.given != m.no_load_rate.given)
      problem(t_.motor.at, "one of `stall_torque` and `no_load_rate`", "both of them");
    if (m.torque.given) motor.kind = Motor::Kind::torque, motor.value = m.torque->signal;
    if (m.turn_rate.given) motor.kind = Motor::Kind::rate, motor.value = m.turn_rate->signal;
    if (m.most_torque.given) motor.most_torque = *m.most_torque;
    if (m.stall_torque.given || m.curve.given) {
      motor.kind = Motor::Kind::curve;
      motor.value = m.command.given ? m.command->signal : Signal(1.0);
    }
    if (m.stall_torque.given && m.no_load_rate.given) {
      motor.curve = {{0, *m.stall_torque}, {*m.no_load_rate, 0}};
      motor.extends = true;
    }
    if (!m.curve.given) return;
    for (size_t i = 0; i < m.curve->at.size(); ++i)
      motor.curve.push_back({m.curve->at[i], m.curve->values[i]});
    const bool rises = std::adjacent_find(m.curve->at.begin(), m.curve->at.end(),
                                          std::greater_equal<>()) == m.curve->at.end();
    if (motor.curve.size() < 2 || !rises)
      problem(m.curve.at, "rows whose turn rates do not increase, or less than two",
              "two or more rows of increasing turn rate");
  }
  void problem(const Mark& at, const std::string& found, const std::string& expected) {
    c_.problems.add(at, path_ + ".motor", found, expected);
  }

  ReadContext& c_;
  const SceneText& text_;
  const WinchText& t_;
  Mark at_;
  std::string path_;
  Winch winch_;
};

}  // namespace

void add_winches(ReadContext& c, const SceneText& text, Scene& scene) {
  for (const auto& entry : text.winches.entries)
    scene.winches.push_back(WinchBuilder(c, text, entry).build(scene));
}

}  // namespace hawser
