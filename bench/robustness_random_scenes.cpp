#include "bench/robustness_random_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bench/constants.h"
#include "bench/sheet.h"

namespace hawser {
namespace {

enum class Of { ancf, np_fem, massless };

/// A section with its numbers.
struct Stuff {
  double EA = 0, mass = 0;
};

/// A scene under way, with what its families need to know of method and models.
struct Draft : Sheet {
  using Sheet::Sheet;
  bool massless_only = false;  ///< the method is for bodies and massless cables
  bool rigid = false;          ///< has rows without compliance, which newmark is refused with
  bool undamped = false;       ///< the method takes no damping of sections
  double lowest = 0;           ///< of all places of routes [m]

  Of model() {
    if (massless_only) return Of::massless;
    const double kind = draw.uniform(0, 1);
    return kind < 0.4 ? Of::ancf : kind < 0.75 ? Of::np_fem : Of::massless;
  }
  Of model_with_elements() { return draw.chance(0.55) ? Of::ancf : Of::np_fem; }

  std::string damping(Of of) {
    const double kind = draw.uniform(0, 1);
    if (kind < 0.6 || undamped) return "";
    if (kind < 0.85 || of == Of::massless)
      return fmt::format(", damping: {{axial: {{viscosity: {:.3g}}}}}", draw.decades(1e-4, 2e-2));
    return fmt::format(", damping: {{rayleigh: {{mass: {:.3g}, stiffness: {:.3g}}}}}",
                       draw.decades(0.05, 2), draw.decades(1e-4, 1e-2));
  }

  /// From a soft cord to steel: Young's modulus, diameter and density of a bar, up to 10 MN.
  Stuff section(const std::string& name, Of of) {
    const double d = draw.decades(2e-3, 40e-3), E = draw.decades(1e7, 1e11);
    const double area = std::numbers::pi * d * d / 4;
    const Stuff stuff{std::min(1e7, E * area), draw.uniform(900, 7850) * area};
    const double EI =
        of == Of::ancf && draw.chance(0.8) ? draw.decades(1e-3, 1) * stuff.EA * d * d / 16 : 0;
    add("sections", name,
        fmt::format("EA: {:.6g}, EI: {:.4g}, mass: {:.5g}, diameter: {:.4g}{}", stuff.EA, EI,
                    stuff.mass, d, damping(of)));
    return stuff;
  }

  /// `route` of a length, straight or as it hangs where it is longer than the way.
  void cable(const std::string& name, Of of, const std::string& route, double length, double way,
             const std::string& rest = "") {
    std::string more = fmt::format("section: {}, route: [{}], length: {:.8g}", name, route, length);
    if (of == Of::massless) {
      more += ", model: massless";
    } else {
      elements = true;
      more += fmt::format(", elements: {}", 2 * draw.integer(1, 10));
      if (of == Of::np_fem) {
        more += ", model: np-fem";
        if (draw.chance(0.5)) more += ", tension_only: true";
        if (draw.chance(0.3)) more += ", lumped_mass: true";
      } else if (draw.chance(0.3)) {
        more += ", strain: green";
      }
      if (length > 1.001 * way) more += ", initial: catenary";
    }
    add("cables", name, more + (rest.empty() ? "" : ", " + rest));
  }

  /// A mass that a cable of this section carries with a strain of at most `most`.
  double load(const Stuff& stuff, double length, double most) {
    const double cable = stuff.mass * length;
    const double heavy = std::max(2 * cable, most * stuff.EA / constants::g);
    return std::min(heavy, cable * draw.decades(0.05, 1000));
  }

  void move_support(const std::string& name, double size) {
    const char* axis = draw.chance(0.5) ? "x" : "z";
    if (draw.chance(0.5)) {
      const double way = draw.uniform(-0.5, 0.5) * size;
      add("motions", "motion", fmt::format("of: {}, {}", name, moved(draw, axis, way, until)));
      return;
    }
    const double frequency = draw.decades(0.2, 10);
    add("motions", "motion",
        fmt::format("of: {}, {}: {{sine: {:.4g}, frequency: {:.4g}}}", name, axis,
                    draw.uniform(0, 0.2) * size / std::max(1.0, frequency), frequency));
  }
};

std::string turning(Draw& draw, double most) {
  return "angular_velocity: " + at(draw.uniform(0, most) * draw.direction());
}

/// The place on a body that its cable holds: its centre, or one beside it.
std::string eye(Draw& draw, double most) {
  const double away = draw.chance(0.5) ? draw.uniform(0, most) : 0;
  return fmt::format("frames: {{eye: {}}}, ", at(away * draw.direction()));
}

// --- families ---

/// A cable let go in any direction, with nothing, a lump or a body at its end.
void swing(Draft& s) {
  Draw& draw = s.draw;
  const Of of = s.model();
  const Stuff stuff = s.section("rope", of);
  const double length = draw.decades(0.5, 30), slack = draw.chance(0.4) ? draw.decades(1e-3, 1) : 0;
  const Vec3 end = length * draw.direction();
  s.lowest = std::min(0.0, end.z() - length / 10);
  s.support("top", Vec3::Zero());
  if (draw.chance(0.3)) s.move_support("top", length);
  const double kind = draw.uniform(0, 1), mass = s.load(stuff, length, 0.05);
  if (of == Of::massless || kind < 0.4) {
    s.rigid |= of != Of::massless;
    s.box("load", mass, end, Vec3::Ones() * std::min(0.3, length / 5),
          eye(draw, length / 10) + thrown(draw, 10) + ", " + turning(draw, 5));
    s.cable("rope", of, "top, load.eye", length * (1 + slack), length);
    return;
  }
  const std::string clamped = draw.chance(0.2) ? "{clamp: top}" : "top";
  s.cable("rope", of, clamped + ", " + at(end), length, length,
          draw.chance(0.5) ? turning(draw, 10) : "");
  if (kind < 0.7) s.add("loads", "lump", fmt::format("at: rope@end, mass: {:.5g}", mass));
}

/// A cable between two supports, taut or hanging, with a lump, a force or a motion.
void span(Draft& s) {
  Draw& draw = s.draw;
  const Of of = s.model_with_elements();
  const Stuff stuff = s.section("rope", of);
  const double way = draw.decades(1, 50);
  const double ratio = draw.chance(0.4) ? 1 - draw.decades(1e-5, 3e-3) : 1 + draw.decades(2e-3, 1);
  s.support("near", Vec3::Zero());
  const Vec3 far = way * Vec3(1, 0, draw.uniform(-0.5, 0.5)).normalized();
  s.lowest = std::min(0.0, far.z());
  s.support("far", far);
  s.cable("rope", of, "near, far", way * ratio, way);
  const double mass = s.load(stuff, way, 2e-3);
  if (draw.chance(0.4)) s.add("loads", "lump", fmt::format("at: rope@0.5, mass: {:.5g}", mass));
  if (draw.chance(0.4)) {
    const double from = draw.uniform(0, 0.5) * s.until;
    s.add("loads", "pull",
          fmt::format("at: rope@0.5, force: [0, {:.5g}, {{ramp: [0, {:.5g}], from: {:.4g}, to: "
                      "{:.4g}}}]",
                      draw.uniform(-0.5, 0.5) * mass * constants::g,
                      draw.uniform(-5, 3) * mass * constants::g, from,
                      from + draw.uniform(0.01, 0.4) * s.until));
  }
  if (draw.chance(0.4)) s.move_support("far", way);
}

/// A body on two to four cables of one model or several.
void sling(Draft& s) {
  Draw& draw = s.draw;
  const int legs = draw.integer(2, 4);
  const double height = draw.decades(1, 15);
  const Vec3 centre(0, 0, -height);
  s.lowest = -height;
  std::string frames;
  std::array<Vec3, 4> eyes, tops;
  for (int i = 0; i < legs; ++i) {
    const auto k = static_cast<size_t>(i);
    const double angle = 2 * std::numbers::pi * i / legs;
    const Vec3 out(std::cos(angle), std::sin(angle), 0);
    eyes[k] = 0.1 * height * out;
    tops[k] = height * draw.uniform(0.05, 0.6) * out;
    frames += fmt::format("{}e{}: {}", i > 0 ? ", " : "", i, at(eyes[k]));
    s.support(fmt::format("top{}", i), tops[k]);
  }
  if (draw.chance(0.3)) s.move_support("top0", height);
  double carried = HUGE_VAL;
  for (int i = 0; i < legs; ++i) {
    const auto k = static_cast<size_t>(i);
    const Of of = s.model();
    const std::string name = fmt::format("leg{}", i);
    const Stuff stuff = s.section(name, of);
    const double way = (centre + eyes[k] - tops[k]).norm();
    const double ratio = draw.chance(0.5) ? 1.0 : 1 + draw.decades(1e-4, 0.3);
    carried = std::min(carried, s.load(stuff, way, 0.02));
    s.rigid |= of != Of::massless;
    s.cable(name, of, fmt::format("top{0}, load.e{0}", i), way * ratio, way);
  }
  s.box("load", carried, centre, 0.2 * height * Vec3::Ones(),
        fmt::format("frames: {{{}}}, {}", frames, thrown(draw, 5)));
}

/// A load falls onto its slack cable.
void fall(Draft& s) {
  Draw& draw = s.draw;
  const Of of = s.model();
  const Stuff stuff = s.section("rope", of);
  const double length = draw.decades(0.5, 20), drop = draw.decades(1e-3, 0.9) * length;
  s.rigid |= of != Of::massless;
  s.lowest = drop - length;
  s.support("top", Vec3::Zero());
  s.ball("load", s.load(stuff, length, 0.02), 0.02 * length,
         Vec3(draw.uniform(0, 0.3) * (length - drop), 0, drop - length), thrown(draw, 5));
  s.cable("rope", of, "top, load", length, length - drop);
}

/// Bodies in a row, each on a cable of its own.
void row(Draft& s) {
  Draw& draw = s.draw;
  const int count = draw.integer(2, 4);
  const Vec3 along = (Vec3(0, 0, -1) + draw.direction()).normalized();
  s.support("top", Vec3::Zero());
  Vec3 place = Vec3::Zero();
  std::string from = "top";
  for (int i = 0; i < count; ++i) {
    const Of of = s.model();
    const std::string name = fmt::format("rope{}", i), body = fmt::format("b{}", i);
    const Stuff stuff = s.section(name, of);
    const double way = draw.uniform(0.5, 5),
                 ratio = draw.chance(0.6) ? 1 : 1 + draw.decades(1e-3, 0.5);
    place += way * along;
    s.lowest = std::min(s.lowest, place.z());
    s.rigid |= of != Of::massless;
    s.ball(body, s.load(stuff, way, 0.01), 0.1, place, thrown(draw, 5));
    s.cable(name, of, from + ", " + body, way * ratio, way);
    from = body;
  }
}

/// A cable without any support, thrown and turning.
void flight(Draft& s) {
  Draw& draw = s.draw;
  const Of of = s.model_with_elements();
  const Stuff stuff = s.section("rope", of);
  const double length = draw.decades(0.5, 20);
  const Vec3 end = length * draw.direction();
  s.lowest = std::min(0.0, end.z());
  s.cable("rope", of, "[0, 0, 0], " + at(end), length, length,
          thrown(draw, 10) + ", " + turning(draw, 10));
  if (draw.chance(0.3))
    s.add("loads", "lump",
          fmt::format("at: rope@start, mass: {:.5g}", s.load(stuff, length, 0.02)));
}

/// Ground and fluid, which act on cables with elements.
void surround(Draft& s) {
  Draw& draw = s.draw;
  if (draw.chance(0.2))
    s.set("ground", fmt::format("height: {:.5g}, stiffness: {:.4g}, damping: {:.3g}",
                                s.lowest - draw.decades(0.01, 3), draw.decades(1e3, 1e6),
                                draw.chance(0.5) ? draw.decades(1e-3, 0.1) : 0));
  if (draw.chance(0.2))
    s.set("fluid",
          fmt::format("density: {:.5g}, velocity: [{:.3g}, {:.3g}, 0]",
                      draw.chance(0.5) ? 1.2 : 1025.0, draw.uniform(-2, 2), draw.uniform(-1, 1)));
}

using RandomFamily = std::pair<const char*, void (*)(Draft&)>;
constexpr std::array<RandomFamily, 6> random_families = {{{"swing", swing},
                                                          {"sling", sling},
                                                          {"fall", fall},
                                                          {"row", row},
                                                          {"span", span},
                                                          {"flight", flight}}};
constexpr int families_with_bodies = 4;  ///< the first of them can do without elements

constexpr std::array schemes = {"hht", "generalized-alpha", "bdf2", "backward-euler", "newmark"};

}  // namespace

RandomScene draw_random_scene(unsigned seed, int number) {
  std::seed_seq both{seed, static_cast<unsigned>(number)};
  std::mt19937_64 random(both);
  Draw draw(random);
  RandomScene out;
  const auto n = static_cast<size_t>(number);
  out.method = random_scene_methods[n % random_scene_methods.size()];
  out.scheme = schemes[n / random_scene_methods.size() % schemes.size()];
  out.step = 1e-5 * std::round(1e5 * draw.decades(0.5e-3, 20e-3));
  out.steps = draw.integer(150, 600);
  Draft s(draw);
  s.until = static_cast<double>(out.steps) * out.step;
  s.massless_only = out.method == "spook";
  s.undamped = out.method == "mixed3";
  const int last =
      s.massless_only ? families_with_bodies : static_cast<int>(random_families.size());
  const auto& [name, build] = random_families[static_cast<size_t>(draw.integer(0, last - 1))];
  build(s);
  if (s.elements) surround(s);
  out.family = name;
  if (s.rigid && out.scheme == "newmark") out.scheme = "hht";  // newmark is refused there
  out.text = s.text(fmt::format("Random scene {}, {}", number, name),
                    fmt::format("until: {:.10g}, step: {:.10g}, method: {}, scheme: {}", s.until,
                                out.step, out.method, out.scheme));
  return out;
}

}  // namespace hawser
