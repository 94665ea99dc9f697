#include "bench/everyday_scenes.h"

#include <fmt/format.h>

#include <array>

#include "bench/draw.h"

namespace hawser {
namespace {

/// Numbers and words of which an everyday scene is made, round as people choose them.
class Everyday {
 public:
  explicit Everyday(std::mt19937_64& random) : draw(random) {}

  Draw draw;
  double until = 2;  ///< [s]

  template <class T, size_t n>
  const T& one_of(const std::array<T, n>& choices) {
    return choices[static_cast<size_t>(draw.integer(0, static_cast<int>(n) - 1))];
  }
  double length(double low, double high) { return 0.5 * std::round(2 * draw.uniform(low, high)); }
  double kilograms() { return one_of(std::array{20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3}); }

  /// A rope of the library that carries so much with some reserve; a third of them damped.
  std::string rope(double kg) {
    const double load = 9.81 * kg * draw.uniform(4, 10);  // [N]
    const bool steel = draw.chance(0.6);
    const double per_square = steel ? 630e6 : draw.chance(0.5) ? 170e6 : 160e6;  // [N/m^2]
    const char* name = steel                ? one_of(std::array{"wire-rope-6x19", "wire-rope-6x36"})
                       : per_square > 165e6 ? "polyester"
                                            : "nylon";
    const double least = steel ? 8 : 6, most = 60;
    const double mm = std::clamp(2 * std::ceil(0.5e3 * std::sqrt(load / per_square)), least, most);
    const char* damping = draw.chance(0.33)
                              ? one_of(std::array{", damping: {axial: {viscosity: 0.5 ms}}",
                                                  ", damping: {axial: {viscosity: 2 ms}}",
                                                  ", damping: {rayleigh: {stiffness: 1 ms}}"})
                              : "";
    return fmt::format("sections:\n  rope: {{library: {}, diameter: {:g} mm{}}}\n", name, mm,
                       damping);
  }
  /// Of cables that no winch pays out.
  std::string model() {
    return one_of(std::array<std::string, 4>{
        "model: massless", "model: np-fem", fmt::format("elements: {}", draw.integer(4, 12)),
        fmt::format("model: np-fem, elements: {}", draw.integer(2, 12))});
  }
  std::string initial() { return draw.chance(0.5) ? "initial: static\n" : ""; }
  std::string box(double kg) {
    const double edge = std::cbrt(kg / 2000);
    return fmt::format("mass: {:g} kg, shape: {{box: [{:.2g} m, {:.2g} m, {:.2g} m]}}", kg,
                       1.5 * edge, edge, edge);
  }
  /// A function of time that ends after so much way [m].
  std::string way(double metres) {
    const double from = draw.chance(0.5) ? 0.2 : 0, to = from + draw.uniform(0.4, 0.8) * until;
    const double kind = draw.uniform(0, 1);
    if (kind < 0.4)
      return fmt::format("{{smooth: [0 m, {:.3g} m], from: {:.2g} s, to: {:.2g} s}}", metres, from,
                         to);
    if (kind < 0.7)
      return fmt::format("{{ramp: [0 m, {:.3g} m], from: {:.2g} s, to: {:.2g} s}}", metres, from,
                         to);
    return fmt::format("{{table: [[0 s, 0 m], [{:.2g} s, 0 m], [{:.2g} s, {:.3g} m]]}}", from + 0.1,
                       to, metres);
  }
};

/// A winch lifts or lowers a load; sometimes it stops at once.
std::string hoist(Everyday& e) {
  const double kg = e.kilograms(), rope = e.length(3, 20);
  const double metres = (e.draw.chance(0.6) ? -1 : 1) *
                        std::min(e.draw.uniform(0.1, 0.4) * rope, e.draw.uniform(0.2, 1) * e.until);
  const bool by_speed = e.draw.chance(0.25);
  const std::string winch =
      by_speed ? fmt::format("speed: \"{:.2g} m/s * ramp(t, 0.2 s, 0.7 s)\"", metres / e.until)
               : "payout: " + e.way(metres);
  return e.initial() + e.rope(kg) +
         fmt::format(
             "supports:\n  winch: {{position: [0, 0, {0:g} m]}}\n"
             "bodies:\n  load: {{{1}, position: [{2:g} m, 0, 0]}}\n"
             "cables:\n  hoist: {{section: rope, model: massless, route: [winch, load], "
             "{3}}}\n",
             rope, e.box(kg), e.draw.chance(0.3) ? e.length(0.5, 2) : 0.0, winch);
}

/// A load on two to four legs from one hook, let go or at rest, sometimes jerked.
std::string sling(Everyday& e) {
  const double kg = e.kilograms(), height = e.length(2, 8);
  const int legs = e.draw.integer(2, 4);
  const std::string model = e.model();
  static constexpr std::array names = {"a", "b", "c", "d"};
  std::string frames, cables;
  for (int i = 0; i < legs; ++i) {
    const double x = legs == 3 ? std::cos(2.0944 * i) : (i == 0 || i == 3 ? 1 : -1);
    const double y = legs == 2 ? 0 : legs == 3 ? std::sin(2.0944 * i) : (i < 2 ? 1 : -1);
    const char* name = names[static_cast<size_t>(i)];
    frames += fmt::format("{}{}: [{:.3g} m, {:.3g} m, 0.5 m]", i > 0 ? ", " : "", name, 1.5 * x, y);
    cables += fmt::format("  {0}: {{section: rope, {1}, route: [hook, load.{0}]}}\n", name, model);
  }
  const std::string lifted =
      e.draw.chance(0.4)
          ? fmt::format("motions:\n  lift: {{of: hook, z: {}}}\n", e.way(e.draw.uniform(0.1, 1)))
          : "";
  return e.initial() + e.rope(kg) +
         fmt::format(
             "supports:\n  hook: {{position: [0, 0, {:g} m]}}\n"
             "bodies:\n  load: {{mass: {:g} kg, shape: {{box: [3.2 m, 2.2 m, 1 m]}}, "
             "position: [0, 0, 0], frames: {{{}}}}}\ncables:\n{}{}",
             height, kg, frames, cables, lifted);
}

/// A rope between two supports, sagging or tight, bare or with a load in its middle.
std::string span(Everyday& e) {
  const double wide = e.length(5, 40), kg = 0.02 * wide * e.kilograms();
  const bool loaded = e.draw.chance(0.6), sagging = e.draw.chance(0.6);
  const double rest = sagging ? wide * e.draw.uniform(1.01, 1.15) : wide * 0.9995;
  const std::string initial =
      e.one_of(std::array<std::string, 3>{"initial: static\n", "initial: catenary\n", ""});
  const std::string elements = fmt::format("elements: {}", 2 * e.draw.integer(2, 8));
  std::string text = initial + e.rope(std::max(kg, 20.0)) +
                     fmt::format(
                         "supports:\n  left: {{position: [0, 0, 0]}}\n"
                         "  right: {{position: [{:g} m, 0, {:g} m]}}\n",
                         wide, e.draw.chance(0.3) ? e.length(0.5, 3) : 0.0);
  text += fmt::format(
      "cables:\n  line: {{section: rope, {}{}, route: [left, right], length: {:.5g} m}}\n",
      e.draw.chance(0.5) ? "model: np-fem, " : "", elements, rest);
  if (loaded) text += fmt::format("loads:\n  lump: {{at: line@0.5, mass: {:.3g} kg}}\n", kg);
  if (e.draw.chance(0.3))
    text += fmt::format(
        "motions:\n  shake: {{of: right, z: \"{:.2g} m * sin(2*pi * {:.2g} Hz * t)\""
        "}}\n",
        e.draw.uniform(0.02, 0.2), e.draw.uniform(0.2, 2));
  return text;
}

/// A winch pulls a sledge on rails, from slack or taut.
std::string sledge_winch(Everyday& e) {
  const double kg = e.kilograms(), wide = e.length(4, 15);
  const double slack = e.draw.chance(0.4) ? e.draw.uniform(0.02, 0.2) : 0;
  const bool held = e.draw.chance(0.2);  // something that does not come
  const std::string pull =
      held ? e.way(-(slack + 0.002 * wide)) : e.way(-(slack + e.draw.uniform(0.2, 1.5)));
  return e.rope(5 * kg) +
         fmt::format(
             "supports:\n  winch: {{position: [{0:g} m, 0, {1:g} m]}}\n  rail: {{position: [0, 0, "
             "0]}}\nbodies:\n  sledge: {{{2}, position: [0, 0, 0]}}\njoints:\n  track: {{kind: "
             "{3}, "
             "between: [rail, sledge]{4}}}\ncables:\n  pull: {{section: rope, model: massless, "
             "route: [winch, sledge], length: {5:.5g} m, payout: {6}}}\n",
             wide, 1.0, e.box(kg), held ? "weld" : "slider", held ? "" : ", axis: x",
             std::hypot(wide, 1.0) + slack, pull);
}

/// A load falls into its rope.
std::string drop(Everyday& e) {
  const double kg = e.kilograms(), rope = e.length(3, 15), fall = e.draw.uniform(0.05, 0.5);
  const std::string model =
      e.one_of(std::array<std::string, 3>{"model: massless", "model: massless",
                                          "model: np-fem, tension_only: true, initial: catenary"});
  return e.rope(3 * kg) +
         fmt::format(
             "supports:\n  top: {{position: [0, 0, 0]}}\n"
             "bodies:\n  load: {{{}, position: [{:g} m, 0, {:.4g} m]}}\n"
             "cables:\n  rope: {{section: rope, {}, route: [top, load], length: {:g} m}}\n",
             e.box(kg), e.draw.chance(0.3) ? 0.3 : 0.0, -(rope - fall), model, rope);
}

/// A boat or a tractor tows a body or a line.
std::string tow(Everyday& e) {
  const double kg = e.kilograms(), line = e.length(5, 30), speed = e.draw.uniform(0.5, 4);
  const bool wet = e.draw.chance(0.5);
  e.until = std::min(e.until, std::ceil(0.5 * line / speed));  // a barge that is jerked catches up
  const std::string way = e.draw.chance(0.5)
                              ? fmt::format("\"{:.2g} m/s * t\"", speed)
                              : fmt::format(
                                    "\"{:.2g} m/s * (0.5 s * ramp(t, 0 s, 1 s)^2 + 9 s * "
                                    "ramp(t, 1 s, 10 s))\"",
                                    speed);
  std::string text = (wet ? "fluid: {density: 1025 kg/m^3}\n" : "") + e.rope(5 * kg) +
                     "supports:\n  ship: {position: [0, 0, 0]}\n";
  if (e.draw.chance(0.3)) {  // a line alone, which hangs down or trails behind
    const bool down = e.draw.chance(0.5);
    return (down ? "initial: static\n" : "") + text +
           fmt::format(
               "cables:\n  line: {{section: rope, {}elements: {}, route: [ship, [{:g} m, 0, "
               "{:g} m]]}}\nmotions:\n  sail: {{of: ship, x: {}}}\n",
               e.draw.chance(0.5) ? "model: np-fem, " : "", e.draw.integer(5, 15),
               down ? 0.0 : -line, down ? -line : 0.0, way);
  }
  text += fmt::format(
      "  rail: {{position: [{0:g} m, 0, 0]}}\nbodies:\n  barge: {{{1}, position: "
      "[{0:g} m, 0, 0]}}\njoints:\n  water: {{kind: slider, between: [rail, barge], "
      "axis: x}}\n",
      -line, e.box(kg));
  const double slack = e.draw.chance(0.5) ? e.draw.uniform(0.01, 0.05) : 0;
  const std::string model = e.one_of(std::array<std::string, 3>{
      "model: massless", "model: np-fem, initial: catenary", "elements: 12, initial: catenary"});
  return text + fmt::format(
                    "cables:\n  line: {{section: rope, {}, route: [ship, barge], length: "
                    "{:.4g} m}}\nmotions:\n  sail: {{of: ship, x: {}}}\n",
                    model, line * (1 + slack), way);
}

/// A boom on a hinge, held by a pendant rope, with a load at its tip.
std::string boom(Everyday& e) {
  const double kg = e.kilograms(), reach = e.length(4, 12), mast = e.length(3, 8);
  const double hang = e.length(1, 4);
  const bool luffs = e.draw.chance(0.5);
  const std::string pendant =
      luffs ? "model: massless, payout: " + e.way((e.draw.chance(0.5) ? -1 : 1) * 0.1 * reach)
            : e.model();
  return e.initial() + e.rope(3 * kg) +
         fmt::format(
             "supports:\n  foot: {{position: [0, 0, 0]}}\n  mast: {{position: [0, 0, {1:g} m]}}\n"
             "bodies:\n  boom: {{mass: {2:g} kg, shape: {{box: [{0:g} m, 0.3 m, 0.3 m]}}, "
             "position: "
             "[{3:g} m, 0, 0], frames: {{foot: [-{3:g} m, 0, 0], tip: [{3:g} m, 0, 0]}}}}\n"
             "  load: {{{4}, position: [{0:g} m, 0, -{5:g} m]}}\n"
             "joints:\n  hinge: {{kind: hinge, between: [foot, boom.foot], axis: y}}\n"
             "cables:\n  pendant: {{section: rope, {6}, route: [mast, boom.tip]}}\n"
             "  fall: {{section: rope, {7}, route: [boom.tip, load]}}\n",
             reach, mast, 0.5 * kg, reach / 2, e.box(kg), hang, pendant, e.model());
}

/// A body between two to four ropes that are too short, pushed or moved.
std::string pretension(Everyday& e) {
  const double kg = e.kilograms(), wide = e.length(1, 5);
  const int ropes = 2 * e.draw.integer(1, 2);
  const double shorter = e.draw.decades(1e-4, 3e-3);
  const std::string model = e.model();
  const std::string where = e.draw.chance(0.3) ? "[0, 0, 0.02 m]" : "[0, 0, 0]";
  const std::string initial = e.initial();
  std::string text = initial + e.rope(5 * kg) + "supports:\n", cables = "cables:\n";
  static constexpr std::array<const char*, 4> names = {"a", "b", "c", "d"};
  for (int i = 0; i < ropes; ++i) {
    const double x = ropes == 2 ? 0 : (i % 2 == 0 ? wide : -wide);
    const double z = ropes == 2 ? (i == 0 ? wide : -wide) : (i < 2 ? wide : -wide);
    const char* name = names[static_cast<size_t>(i)];
    text += fmt::format("  {}: {{position: [{:g} m, 0, {:g} m]}}\n", name, x, z);
    cables +=
        fmt::format("  {0}{0}: {{section: rope, {1}, route: [{0}, body], length: {2:.7g} m}}\n",
                    name, model, std::hypot(x, z) * (1 - shorter));
  }
  text += fmt::format("bodies:\n  body: {{{}, position: {}{}}}\n", e.box(kg), where,
                      initial.empty() && e.draw.chance(0.6) ? ", velocity: [0, 0.5 m/s, 0]" : "");
  return text + cables;
}

/// Two loads over a pulley, or a winch that lifts over one.
std::string pulley(Everyday& e) {
  const double kg = e.kilograms(), height = e.length(3, 12), radius = 0.05 * e.draw.integer(2, 8);
  const double friction = e.draw.chance(0.4) ? 0.05 * e.draw.integer(1, 4) : 0;
  const bool two = e.draw.chance(0.5);
  if (two) e.until = std::min(e.until, 2.0);  // the lighter one goes up to the pulley
  const std::string over =
      fmt::format("{{over: pulley, radius: {:g} m, axis: y{}}}", radius,
                  friction > 0 ? fmt::format(", friction: {:g}", friction) : "");
  std::string text = (friction == 0 && !two ? e.initial() : std::string()) + e.rope(3 * kg) +
                     fmt::format("supports:\n  pulley: {{position: [0, 0, {:g} m]}}\n", height);
  if (!two) text += fmt::format("  winch: {{position: [-{:g} m, 0, 0]}}\n", e.length(2, 6));
  text += fmt::format("bodies:\n  load: {{{}, position: [{:g} m, 0, 0]}}\n", e.box(kg), radius);
  if (two)
    text +=
        fmt::format("  other: {{{}, position: [-{:g} m, 0, {:.3g} m]}}\n",
                    e.box(kg * e.draw.uniform(0.8, 1.1)), radius, e.draw.uniform(0, 0.3) * height);
  return text + fmt::format(
                    "cables:\n  rope: {{section: rope, model: massless, route: [{}, {}, load]"
                    "{}}}\n",
                    two ? "other" : "winch", over,
                    two ? "" : ", payout: " + e.way(-e.draw.uniform(0.1, 0.3) * height));
}

struct EverydayFamily {
  const char* name;
  std::string (*write)(Everyday&);
};
constexpr std::array everyday_families = {
    EverydayFamily{"hoist", hoist},  EverydayFamily{"sling", sling},
    EverydayFamily{"span", span},    EverydayFamily{"winch", sledge_winch},
    EverydayFamily{"drop", drop},    EverydayFamily{"tow", tow},
    EverydayFamily{"boom", boom},    EverydayFamily{"pretension", pretension},
    EverydayFamily{"pulley", pulley}};

}  // namespace

EverydayScene draw_everyday_scene(unsigned seed, int number) {
  std::mt19937_64 random(1'000'003ULL * seed + static_cast<unsigned>(number));
  random.discard(8);
  Everyday e(random);
  const EverydayFamily& family =
      everyday_families[static_cast<size_t>(number) % everyday_families.size()];
  EverydayScene out;
  out.family = family.name;
  out.step = e.one_of(std::array{1e-3, 2e-3, 2e-3, 5e-3, 5e-3, 10e-3});
  e.until = e.draw.integer(1, 4);
  out.text = fmt::format("title: Everyday scene {}, {}\n", number, family.name) + family.write(e) +
             fmt::format("solve: {{until: {:g} s, step: {:g} ms}}\n", e.until, 1e3 * out.step);
  return out;
}

}  // namespace hawser
