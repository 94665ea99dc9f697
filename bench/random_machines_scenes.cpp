#include "bench/random_machines_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "bench/constants.h"
#include "bench/sheet.h"

namespace hawser {
namespace {

/// The methods by which machines run: mostly the default.
Machine finish(Sheet& sheet, const std::string& family, int number) {
  Draw& draw = sheet.draw;
  Machine m;
  m.family = family;
  m.step = 1e-5 * std::round(1e5 * draw.decades(1e-3, 20e-3));
  m.steps = std::lround(std::ceil(sheet.until / m.step));
  const double kind = draw.uniform(0, 1);
  const char* method = kind < 0.8                      ? "mixed"
                       : kind < 0.87                   ? "linearized"
                       : kind < 0.94 || sheet.elements ? "newton"
                                                       : "spook";
  const double which = draw.uniform(0, 1);
  const char* scheme = which < 0.84 ? "hht" : which < 0.92 ? "generalized-alpha" : "bdf2";
  m.method = fmt::format("{} {}", method, scheme);
  m.text = sheet.text(fmt::format("Machine {}, {}", number, family),
                      fmt::format("until: {:.10g}, step: {:.10g}, method: {}, scheme: {}",
                                  m.until(), m.step, method, scheme));
  return m;
}

/// A load, sometimes below a light block that it is pinned to; what a rope is made fast to. The
/// eye is at `eye`.
std::string load(Sheet& s, double mass, const Vec3& eye, const std::string& rest = "") {
  Draw& draw = s.draw;
  const double radius = draw.uniform(0.1, 0.5);
  if (draw.chance(0.5)) {
    s.ball("load", mass, radius, eye, rest);
    return "load";
  }
  const double block = mass * draw.decades(1e-3, 0.3);
  const double drop = draw.uniform(0.2, 1);
  s.ball("block", block, 0.5 * radius, eye, rest);
  s.ball("load", mass - block, radius, eye - Vec3(0, 0, drop),
         fmt::format("{}{}frames: {{eye: [0, 0, {:.10g}]}}", rest, rest.empty() ? "" : ", ", drop));
  s.joint("pin", draw.chance(0.7) ? "pin" : "weld", "block", "load.eye");
  return "block";
}

// --- families ---

/// A load falls onto one slack rope or two, straight or over a pulley.
void fall(Sheet& s) {
  Draw& draw = s.draw;
  const double mass = draw.decades(1, 2e4), length = draw.uniform(3, 20);
  const double drop = std::min(0.3 * length, draw.decades(0.01, 2));
  const double EA = draw.decades(1e5, 5e7);
  const double radius = draw.chance(0.3) ? draw.uniform(0.1, 0.3) : 0;
  const std::string motion = draw.chance(0.3) ? thrown(draw, 2) : "";
  const std::string eye = load(s, mass, {radius, 0, drop - length}, motion);
  s.support("hook", Vec3::Zero());
  if (radius > 0) {  // along from the winch, a quarter round the pulley, and down
    s.support("winch", {-5, 0, radius});
    const double friction = draw.chance(0.5) ? draw.uniform(0.05, 0.4) : 0;
    s.rope("fall", EA,
           fmt::format("winch, {{over: hook, radius: {:.10g}, axis: y, friction: {:.3g}}}, {}",
                       radius, friction, eye),
           with_length(length + 5 + std::numbers::pi * radius / 2));
  } else {
    s.rope("fall", EA, "hook, " + eye, with_length(length));
  }
  if (draw.chance(0.3)) {
    const Vec3 second{draw.uniform(-1, 1), draw.uniform(-1, 1), 0};
    const double other = draw.decades(1e5, 5e7), slack = draw.uniform(0.99, 1.05);
    s.support("other", second);
    s.rope("second", other, "other, " + eye, with_length(slack * (length + second.norm())));
  }
  s.until = std::min(2.0, 1.2 * std::sqrt(2 * drop / constants::g) + draw.uniform(0.2, 1));
}

/// A winch hoists or lowers, and stops.
void stop(Sheet& s) {
  Draw& draw = s.draw;
  const double mass = draw.decades(10, 2e4), length = draw.uniform(4, 30);
  s.until = draw.uniform(0.5, 2);
  const double EA = std::max(30 * mass * constants::g, draw.decades(1e5, 5e7));
  s.support("winch", Vec3::Zero());
  const std::string eye = load(s, mass, {0, 0, -length});
  const double speed = std::min(0.4 * length / s.until, draw.decades(0.05, 2));
  if (draw.chance(0.4)) s.initial = "static";
  if (draw.chance(0.35)) {
    s.rope("hoist", EA, "winch, " + eye, kinked_speed(draw, draw.uniform(-1, 1) * speed, s.until));
    return;
  }
  const double strain = draw.chance(0.6) ? mass * constants::g / EA : 0;
  s.rope("hoist", EA, "winch, " + eye,
         with_length(length / (1 + strain), kinked_payout(draw, speed, s.until)));
}

/// A boom on a hinge with its stay, a load on its tip, on a column that turns.
void crane(Sheet& s) {
  Draw& draw = s.draw;
  const double reach = draw.uniform(3, 12), angle = draw.uniform(0.1, 1.1);
  const Vec3 along(std::cos(angle), 0, std::sin(angle)), heel(0.5, 0, 1);
  const double height = draw.uniform(4, 10), boom = draw.decades(50, 5000);
  const double mass = draw.decades(10, 5000), drop = draw.uniform(1, 4);
  s.until = draw.uniform(0.5, 2);
  s.support("foot", Vec3::Zero());
  const bool slews = draw.chance(0.6);
  s.box("column", 5 * boom, {0, 0, height / 2}, {0.5, 0.5, height},
        fmt::format("frames: {{foot: [0, 0, {:.10g}], heel: {}, top: [0, 0, {:.10g}]}}",
                    -height / 2, at(heel - Vec3(0, 0, height / 2)), height / 2));
  s.joint("slew", slews ? "hinge" : "weld", "foot", "column.foot",
          slews ? "axis: z, " + moved(draw, "turn", draw.uniform(-0.6, 0.6), s.until) : "");
  s.box("boom", boom, heel + reach / 2 * along, {0.3, 0.3, 0.3},
        fmt::format("inertia: [{0:.5g}, {0:.5g}, {0:.5g}], frames: {{heel: {1}, tip: {2}}}",
                    boom * reach * reach / 12, at(-reach / 2 * along), at(reach / 2 * along)));
  s.joint("luff", "hinge", "column.heel", "boom.heel", "axis: y");
  const Vec3 tip = heel + reach * along;
  const double stay = (tip - Vec3(0, 0, height)).norm();
  const double EA = std::max(200 * (boom + mass) * constants::g, draw.decades(1e6, 1e8));
  const double speed = draw.uniform(0, 0.4);
  const double tight = taut_or_slack(draw, (boom / 2 + mass) * constants::g, EA, 5e-3);
  s.initial = draw.chance(0.5) ? "static" : "straight";
  s.rope("stay", EA, "column.top, boom.tip",
         with_length(stay * tight, perhaps_winch(draw, speed, s.until)));
  const std::string eye = load(s, mass, tip - Vec3(0, 0, drop));
  const double soft = std::max(30 * mass * constants::g, draw.decades(1e5, 1e7));
  const double slack = taut_or_slack(draw, mass * constants::g, soft, 0.05);
  s.rope("fall", soft, "boom.tip, " + eye,
         with_length(drop * slack, perhaps_winch(draw, speed, s.until)));
}

/// How the trolley moves along its rail.
std::string rail(Draw& draw, double until) {
  const double kind = draw.uniform(0, 1), way = draw.uniform(-2, 2);
  if (kind < 0.5) return "axis: x, " + moved(draw, "travel", way * until, until);
  if (kind < 0.8) return "axis: x, " + moved(draw, "travel_rate", way, until);
  return "axis: x, travel_limits: [-0.2, 0.3]";
}

/// A trolley on a rail and its load on one rope or two.
void trolley(Sheet& s) {
  Draw& draw = s.draw;
  const double mass = draw.decades(10, 1e4), drop = draw.uniform(1.5, 10);
  s.until = draw.uniform(0.6, 2);
  s.support("rail", Vec3::Zero());
  const double apart = draw.uniform(0.2, 1);
  s.box("trolley", 0.2 * mass, Vec3::Zero(), {1, 0.5, 0.2},
        fmt::format("frames: {{l: [{:.6g}, 0, 0], r: [{:.6g}, 0, 0]}}", -apart, apart));
  const std::string drive = rail(draw, s.until);
  s.joint("drive", "slider", "rail", "trolley", drive);
  const bool driven = drive.find("limits") == std::string::npos;
  const double EA = std::max(30 * mass * constants::g, draw.decades(1e5, 5e7));
  if (driven && draw.chance(0.5)) s.initial = "static";
  if (draw.chance(0.5)) {
    const std::string motion = s.initial == "static" ? "" : thrown(draw, 2);
    const std::string eye = load(s, mass, {0, 0, -drop}, motion);
    const double speed = std::min(0.5, 0.2 * drop / s.until);
    s.rope("fall", EA, "trolley, " + eye,
           with_length(drop / (1 + mass * constants::g / EA), winch(draw, speed, s.until)));
    return;
  }
  const double eyes = apart * draw.uniform(0.7, 1);
  s.box("load", mass, {0, 0, -drop}, {2, 1, 1},
        fmt::format("frames: {{l: [{:.6g}, 0, 0.5], r: [{:.6g}, 0, 0.5]}}", -eyes, eyes));
  const double length = std::hypot(drop - 0.5, apart - eyes);
  const std::string reel = winch(draw, std::min(0.4, 0.1 * drop / s.until), s.until);
  for (const char* side : {"l", "r"})
    s.rope(fmt::format("rope-{}", side), EA, fmt::format("trolley.{0}, load.{0}", side),
           with_length(length * taut_or_slack(draw, mass * constants::g / 2, EA, 0.01), reel));
}

/// A body on three to eight cables, pretensioned or slack, more than hold it.
void platform(Sheet& s) {
  Draw& draw = s.draw;
  const double mass = draw.decades(2, 2000), size = draw.uniform(2, 8);
  const int cables = draw.chance(0.4) ? 8 : draw.integer(3, 7);
  const double EA = draw.decades(1e5, 1e7), short_by = draw.decades(1e-4, 3e-3);
  const bool pretension = cables == 8 && draw.chance(0.7);
  s.until = draw.uniform(0.4, 1.2);
  std::string frames;
  const double edge = draw.uniform(0.1, 0.4);
  std::vector<Vec3> eyes, corners;
  for (int i = 0; i < cables; ++i) {
    const double sx = (i & 1) != 0 ? 1 : -1, sy = (i & 2) != 0 ? 1 : -1, sz = i < 4 ? 1 : -1;
    eyes.emplace_back(sx * edge, sy * edge, -sz * edge);
    corners.emplace_back(sx * size, sy * size * draw.uniform(0.8, 1), sz * size * 0.7);
    frames += fmt::format("{}e{}: {}", i > 0 ? ", " : "", i, at(eyes.back()));
  }
  s.box("platform", mass, Vec3::Zero(), 2 * edge * Vec3::Ones(),
        fmt::format("frames: {{{}}}{}", frames,
                    draw.chance(0.5) ? ", " + thrown(draw, draw.decades(0.01, 1)) : ""));
  for (int i = 0; i < cables; ++i) {
    const auto k = static_cast<size_t>(i);
    const double span = (corners[k] - eyes[k]).norm();
    const double ratio =
        pretension ? 1 - short_by : taut_or_slack(draw, mass * constants::g / 4, EA, 0.01);
    s.support(fmt::format("c{}", i), corners[k]);
    const std::string reel = draw.chance(0.2) ? winch(draw, 0.005 * span / s.until, s.until) : "";
    s.rope(fmt::format("cable{}", i), EA, fmt::format("c{0}, platform.e{0}", i),
           with_length(span * ratio, reel));
  }
  if (draw.chance(0.4)) {
    const double push = draw.uniform(0.2, 1) * mass * constants::g,
                 to = draw.uniform(0.4, 0.8) * s.until;
    s.add(
        "loads", "push",
        fmt::format("at: platform, force: [{{ramp: [0, {:.4g}], from: {:.4g}, to: {:.4g}}}, 0, 0]",
                    push, 0.3 * s.until, to));
  }
}

/// Links on pins and hinges, the last one on a rope that comes taut.
void chain(Sheet& s) {
  Draw& draw = s.draw;
  const int links = draw.integer(1, 3);
  s.until = draw.uniform(0.4, 1);
  Vec3 end = Vec3::Zero();
  std::string last = "anchor";
  s.support("anchor", end);
  for (int i = 0; i < links; ++i) {
    const double reach = draw.uniform(0.3, 1);
    const Vec3 half = reach * (Vec3(0, 0, -1) + 0.9 * draw.direction()).normalized();
    const std::string name = fmt::format("link{}", i);
    const double mass = draw.decades(1, 200);
    const Vec3 edges{draw.uniform(0.2, 0.6), draw.uniform(0.2, 0.6), draw.uniform(0.2, 0.6)};
    s.box(name, mass, end + half, edges,
          fmt::format("frames: {{near: {}, far: {}}}", at(-half), at(half)));
    const double kind = draw.uniform(0, 1);
    s.joint(fmt::format("joint{}", i), kind < 0.5 ? "pin" : "hinge", last, name + ".near",
            kind < 0.5 ? "" : "axis: y");
    last = name + ".far";
    end += 2 * half;
  }
  if (draw.chance(0.8)) {
    const double reach = draw.uniform(1, 3), EA = draw.decades(1e4, 1e7);
    const Vec3 post = end + reach * (Vec3(0, 0, 0.5) + draw.direction());
    s.support("post", post);
    s.rope("stay", EA, last + ", post",
           with_length((post - end).norm() * (1 + draw.decades(1e-4, 0.1))));
  }
}

/// A block in the bight of a rope, from a becket over a wheel to a winch; all its parts hang
/// straight down.
void tackle(Sheet& s) {
  Draw& draw = s.draw;
  const double radius = draw.uniform(0.1, 0.3), drop = draw.uniform(2, 8);
  const double mass = draw.decades(10, 1e4), block = mass * draw.decades(0.01, 0.3);
  s.until = draw.uniform(0.5, 2);
  s.support("becket", Vec3::Zero());
  s.support("wheel", {3 * radius, 0, 0});
  s.support("winch", {4 * radius, 0, -3});
  const double friction = draw.chance(0.4) ? draw.uniform(0.05, 0.3) : 0;
  s.ball("block", block, 0.8 * radius, {radius, 0, -drop});
  s.ball("load", mass - block, radius, {radius, 0, -drop - 1}, "frames: {eye: [0, 0, 1]}");
  s.joint("hook", "pin", "block", "load.eye");
  const double EA = std::max(30 * mass * constants::g, draw.decades(1e5, 5e7));
  const double route = 2 * drop + 2 * std::numbers::pi * radius + 3;
  const double length = draw.chance(0.5) ? route / (1 + mass * constants::g / 2 / EA)
                                         : route + draw.decades(1e-3, 0.3);
  if (draw.chance(0.5)) s.initial = "static";
  s.rope("reeving", EA,
         fmt::format("becket, {{over: block, radius: {0:.10g}, axis: [0, -1, 0], friction: "
                     "{1:.3g}}}, {{over: wheel, radius: {0:.10g}, axis: y, friction: {1:.3g}}}, "
                     "winch",
                     radius, friction),
         with_length(length, winch(draw, std::min(1.0, 0.2 * drop / s.until), s.until)));
}

/// A ball thrown between two ropes or more, with some play.
void play(Sheet& s) {
  Draw& draw = s.draw;
  const double mass = draw.decades(0.5, 500);
  const int ropes = draw.integer(2, 4);
  s.until = draw.uniform(0.2, 0.5);
  s.ball("ball", mass, 0.1, Vec3::Zero(), thrown(draw, 3));
  for (int i = 0; i < ropes; ++i) {
    const double angle = 2 * std::numbers::pi * i / ropes, reach = draw.uniform(1, 4);
    s.support(fmt::format("post{}", i), {reach * std::cos(angle), reach * std::sin(angle), 0.5});
    const double EA = draw.decades(1e4, 5e6), slack = draw.decades(1e-4, 5e-2);
    s.rope(fmt::format("rope{}", i), EA, fmt::format("post{}, ball", i),
           with_length(std::hypot(reach, 0.5) * (1 + slack)));
  }
}

/// Two loads over a pulley: fixed, or a wheel on a hinge that the rope turns, or that turns it.
void lift(Sheet& s) {
  Draw& draw = s.draw;
  const double radius = draw.uniform(0.15, 0.6), mass = draw.decades(10, 5000);
  const double left = draw.uniform(2, 10), right = draw.uniform(2, 10);
  s.until = draw.uniform(0.5, 1.5);
  s.support("top", Vec3::Zero());
  s.ball("car", mass, 0.3, {-radius, 0, -left});
  s.ball("weight", mass * draw.uniform(0.6, 1.4), 0.3, {radius, 0, -right});
  const double EA = std::max(30 * mass * constants::g, draw.decades(1e5, 5e7));
  const bool wheel = draw.chance(0.6);
  std::string over = fmt::format("over: top, radius: {:.5g}, axis: y", radius);
  if (wheel) {
    s.add("bodies", "wheel",
          fmt::format("shape: {{sphere: {:.4g}}}, mass: {:.5g}, position: [0, 0, 0]", radius,
                      mass * draw.decades(0.01, 0.5)));
    const double way = draw.uniform(-1, 1) / radius * s.until;
    s.joint("axle", "hinge", "top", "wheel",
            "axis: y" + (draw.chance(0.5) ? ", " + moved(draw, "turn_rate", way, s.until) : ""));
    over = fmt::format("over: wheel, radius: {:.5g}, axis: y, grip: true", radius);
  } else if (draw.chance(0.4)) {
    over += fmt::format(", friction: {:.3g}", draw.uniform(0.05, 0.3));
  }
  s.rope("rope", EA, fmt::format("car, {{{}}}, weight", over),
         with_length(
             (left + right + std::numbers::pi * radius) *
             (draw.chance(0.7) ? 1 - mass * constants::g / EA : 1 + draw.decades(1e-3, 5e-2))));
}

/// A light hook with two to four legs to its load.
void sling(Sheet& s) {
  Draw& draw = s.draw;
  const double mass = draw.decades(100, 2e4), length = draw.uniform(3, 20);
  const double height = draw.uniform(1, 4), ratio = draw.decades(1e-4, 0.3);
  const int legs = draw.integer(1, 4);
  s.until = draw.uniform(0.5, 1.5);
  if (draw.chance(0.4)) s.initial = "static";
  const double EA = std::max(50 * mass * constants::g, draw.decades(1e6, 5e7));
  const double aside = draw.chance(0.5) ? draw.uniform(-0.3, 0.3) : 0;
  const Vec3 hook(aside, 0, -length);
  const double wide = legs == 1 ? 0 : draw.uniform(0.3, 1.5);
  s.support("top", Vec3::Zero());
  s.ball("hook", mass * ratio, 0.1, hook);
  std::string frames;
  std::vector<Vec3> eyes;
  const Vec3 centre(0, 0, -length - height - 0.5);
  for (int i = 0; i < legs; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.5) / legs;
    eyes.emplace_back(wide * std::cos(angle), wide * std::sin(angle), 0.5);
    frames += fmt::format("{}e{}: {}", i > 0 ? ", " : "", i, at(eyes.back()));
  }
  s.box("load", mass, centre, {2, 2, 1}, fmt::format("frames: {{{}}}", frames));
  const double slack = draw.chance(0.5) ? 1 : taut_or_slack(draw, mass * constants::g, EA, 0.02);
  const double speed = std::min(0.7, 0.2 * length / s.until);
  s.rope("hoist", EA, "top, hook",
         with_length(hook.norm() * slack, perhaps_winch(draw, speed, s.until)));
  for (int i = 0; i < legs; ++i) {
    const double leg = (centre + eyes[static_cast<size_t>(i)] - hook).norm();
    const double share = draw.uniform(0.3, 1);
    s.rope(fmt::format("leg{}", i), share * EA, fmt::format("hook, load.e{}", i),
           draw.chance(0.7)
               ? ""
               : with_length(leg * taut_or_slack(draw, mass * constants::g / legs, EA, 0.01)));
  }
}

/// A body on a guide, with stops, and a rope.
void guide(Sheet& s) {
  Draw& draw = s.draw;
  const double mass = draw.decades(5, 5000), drop = draw.decades(0.02, 1);
  s.until = draw.uniform(0.5, 1.2);
  s.support("rail", Vec3::Zero());
  const Vec3 top{draw.uniform(0, 1), 0, draw.uniform(2, 6)};
  s.support("top", top);
  s.box("car", mass, Vec3::Zero(), {0.5, 0.5, 0.5}, "velocity: [0, 0, 0.5]");
  std::string rest =
      fmt::format("axis: z, travel_limits: [{:.4g}, {:.4g}]", -drop, draw.uniform(0.2, 1));
  if (draw.chance(0.6)) rest += fmt::format(", compliance: {:.3g}", draw.decades(1e-7, 1e-5));
  s.joint("guide", "slider", "rail", "car", rest);
  const double EA = std::max(20 * mass * constants::g, draw.decades(1e5, 1e7));
  const double slack = draw.chance(0.3) ? -mass * constants::g / EA : draw.decades(1e-3, 0.2);
  s.rope("rope", EA, "top, car", with_length(top.norm() * (1 + slack), winch(draw, 0.5, s.until)));
}

/// A load on a cable with elements: hung, swung, dropped, or on a taut span.
void elements(Sheet& s) {
  Draw& draw = s.draw;
  s.elements = true;
  s.until = draw.uniform(0.3, 0.8);
  const bool ancf = draw.chance(0.5);
  const double length = draw.uniform(2, 20), mass = draw.decades(0.1, 3);
  const double heavy = mass * length * draw.decades(0.5, 50);
  const double EA = std::max(30 * heavy * constants::g, draw.decades(1e4, 1e7));
  const double damping = draw.chance(0.6) ? draw.decades(3e-4, 1e-2) : 0;
  s.add(
      "sections", "rope",
      fmt::format(
          "EA: {:.5g}, EI: {:.3g}, mass: {:.4g}{}", EA, ancf ? 1e-3 * draw.decades(1, 1e3) : 0,
          mass,
          damping > 0 ? fmt::format(", damping: {{axial: {{viscosity: {:.3g}}}}}", damping) : ""));
  s.support("top", Vec3::Zero());
  const std::string model = ancf               ? "model: ancf"
                            : draw.chance(0.7) ? "model: np-fem, tension_only: true"
                                               : "model: np-fem";
  const int count = draw.integer(4, 12);
  const double kind = draw.uniform(0, 1);
  if (kind < 0.6) {  // hung, or swung
    const Vec3 along =
        kind < 0.3 ? Vec3(0, 0, -1) : (Vec3(0, 0, -1) + draw.direction()).normalized();
    s.ball("load", heavy, 0.2, length * along);
    if (kind < 0.15) s.initial = "static";
    s.add("cables", "rope",
          fmt::format("section: rope, {}, route: [top, load], elements: {}", model, count));
    if (kind < 0.15)
      s.add("loads", "pull",
            fmt::format("at: load, force: [{:.4g}, 0, 0]", 0.5 * heavy * constants::g));
    return;
  }
  s.support("far", {length, 0, draw.uniform(-1, 1)});
  s.add("cables", "rope",
        fmt::format("section: rope, {}, route: [top, far], elements: {}, length: {:.6g}, "
                    "initial: catenary",
                    model, 2 * count, length * draw.uniform(1.01, 1.1)));
  s.add("loads", "lump", fmt::format("at: rope@0.5, mass: {:.4g}", heavy));
}

}  // namespace

Machine draw_machine(unsigned seed, int number) {
  using Family = std::pair<const char*, void (*)(Sheet&)>;
  static constexpr std::array<Family, 12> families = {{{"fall", fall},
                                                       {"stop", stop},
                                                       {"crane", crane},
                                                       {"trolley", trolley},
                                                       {"platform", platform},
                                                       {"chain", chain},
                                                       {"tackle", tackle},
                                                       {"play", play},
                                                       {"lift", lift},
                                                       {"sling", sling},
                                                       {"guide", guide},
                                                       {"elements", elements}}};
  std::seed_seq both{seed, static_cast<unsigned>(number)};
  std::mt19937_64 random(both);
  Draw draw(random);
  const auto& [name, build] = families[static_cast<size_t>(draw.integer(0, 11))];
  Sheet sheet(draw);
  build(sheet);
  return finish(sheet, name, number);
}

}  // namespace hawser
