#include "bench/machines_scenes.h"

#include <fmt/format.h>

#include <cmath>

namespace hawser {
namespace {

constexpr const char* solve_part = "solve: {until: 1 s, step: 1 ms}\n";

// What is recorded is near the supports: the rest of a net or chain falls freely for long.

/// Nylon cord of 6 mm in meshes of 25 cm, held at its corners and released from its plane.
std::string net(int meshes) {
  const double side = 0.25 * meshes;
  return fmt::format(
             "title: Net of {0} x {0} meshes\n"
             "sections:\n  cord: {{EA: 11.3 kN, mass: 23.3 g/m}}\n"
             "supports:\n"
             "  a: {{position: [0, 0, 0]}}\n"
             "  b: {{position: [{1}, 0, 0]}}\n"
             "  c: {{position: [{1}, {1}, 0]}}\n"
             "  d: {{position: [0, {1}, 0]}}\n"
             "nets:\n  net: {{section: cord, corners: [a, b, c, d], meshes: [{0}, {0}]}}\n"
             "record: {{channels: [net-row-2.position@{2}]}}\n",
             meshes, side, 2.0 / meshes) +
         solve_part;
}

/// Links of 0.5 m and 1 kg from a hook, level at the start. Of pins they swing about the vertical,
/// too.
std::string links(int count, bool pins) {
  constexpr double spin = 0.5;  // [rad/s]
  std::string bodies, joints;
  for (int i = 0; i < count; ++i) {
    const double x = 0.5 * i + 0.25;
    bodies += fmt::format(
        "  link{}: {{shape: {{box: [0.5 m, 0.05 m, 0.05 m]}}, mass: 1 kg, position: [{}, 0, 0], "
        "frames: {{near: [-0.25 m, 0, 0], far: [0.25 m, 0, 0]}}{}}}\n",
        i, x,
        pins ? fmt::format(", velocity: [0, {}, 0], angular_velocity: [0, 0, {}]", spin * x, spin)
             : "");
    joints += fmt::format("  joint{0}: {{kind: {1}, between: [{2}, link{0}.near]{3}}}\n", i,
                          pins ? "pin" : "hinge", i > 0 ? fmt::format("link{}.far", i - 1) : "hook",
                          pins ? "" : ", axis: y");
  }
  return fmt::format(
             "title: Chain of {} {}\n"
             "supports:\n  hook: {{position: [0, 0, 0]}}\n"
             "bodies:\n{}joints:\n{}"
             "record: {{channels: [link3.position]}}\n",
             count, pins ? "ball joints" : "hinges", bodies, joints) +
         solve_part;
}

/// The hoist rope of a tower crane, from the winch over two sheaves of the trolley and one of the
/// block to the tip of the jib. The trolley rolls freely, the load swings.
std::string reeving() {
  return std::string(
             "title: Reeving of a tower crane\n"
             "variables: {R: 25 cm, jib: 45 m, low: 30 m, below: 1.5 m, EA: 7.55 MN, load: 3 t, "
             "pull: load * 9.81 m/s^2 / 2}\n"
             "sections:\n  rope: {EA: EA, mass: 1 kg/m}\n"
             "supports:\n"
             "  winch: {position: [0, 0, jib + R]}\n"
             "  tip: {position: [50 m, 0, jib + R]}\n"
             "  rails: {position: [25 m, 0, jib]}\n"
             "bodies:\n"
             "  trolley: {shape: {box: [1.6 m, 1.2 m, 0.4 m]}, mass: 250 kg, position: [25 m, 0, "
             "jib], frames: {inner: [-2 * R, 0, 0], outer: [2 * R, 0, 0]}}\n"
             "  load: {shape: {box: [2 m, 2 m, 2 m]}, mass: load, position: [25 m, 0, jib - low - "
             "below], velocity: [1 m/s, 0, 0], frames: {sheave: [0, 0, below]}}\n"
             "joints:\n  rail: {kind: slider, between: [rails, trolley], axis: x}\n"
             "cables:\n"
             "  hoist:\n"
             "    section: rope\n"
             "    model: massless\n"
             "    route:\n"
             "      - winch\n"
             "      - {over: trolley.inner, radius: R, axis: y}\n"
             "      - {over: load.sheave, radius: R, axis: [0, -1, 0]}\n"
             "      - {over: trolley.outer, radius: R, axis: y}\n"
             "      - tip\n"
             "    length: (50 m - 4 * R + 2 * low + 2 * pi * R) / (1 + pull / EA)\n"
             "record: {channels: [load.position]}\n") +
         solve_part;
}

/// The cable of Westin & Irani's pendulum, a tenth of a metre an element. It ends at a ball of
/// 1 kg, or is made of two that are joined in the middle.
std::string soft_cable(int elements, bool ball) {
  const double length = 0.1 * elements;
  const std::string common = "section: soft, strain: green, curvature: second-derivative";
  std::string text =
      "title: Soft cable\n"
      "variables: {E: 100 MPa, d: 10 mm, area: pi * d^2 / 4}\n"
      "sections:\n  soft: {EA: E * area, EI: E * (1e-8 m^4), mass: 5000 kg/m^3 * area}\n"
      "supports:\n  pivot: {position: [0, 0, 0]}\n";
  if (ball)
    text += fmt::format(
        "bodies:\n  ball: {{shape: {{sphere: 5 cm}}, mass: 1 kg, position: [{0}, 0, 0]}}\n"
        "cables:\n  rope: {{{1}, route: [pivot, ball], elements: {2}}}\n"
        "record: {{channels: [ball.position]}}\n",
        length, common, elements);
  else
    text += fmt::format(
        "cables:\n"
        "  upper: {{{1}, route: [pivot, [{2}, 0, 0]], elements: {3}}}\n"
        "  lower: {{{1}, route: [[{2}, 0, 0], [{0}, 0, 0]], elements: {3}}}\n"
        "junctions:\n  middle: {{of: [upper@end, lower@start]}}\n"
        "record: {{channels: [lower.position@end]}}\n",
        length, common, length / 2, elements / 2);
  return text + solve_part;
}

/// scenes/mooring-line.yaml with a fairlead that surges by half a metre in 10 s.
std::string mooring(bool fluid) {
  return fmt::format(
             "title: Mooring line {}\n"
             "initial: static\n"
             "ground: {{stiffness: 50 kN/m^2, damping: 50 ms}}\n"
             "{}"
             "sections:\n  chain: {{library: chain-studless-r3, diameter: 50 mm}}\n"
             "supports:\n"
             "  anchor: {{position: [0, 0, 0]}}\n"
             "  fairlead: {{position: [187 m, 0, 48 m]}}\n"
             "motions:\n  surge: {{of: fairlead, x: \"0.5 m * (1 - cos(2 * pi * t / 10 s))\"}}\n"
             "cables:\n  line: {{section: chain, model: np-fem, route: [anchor, fairlead], "
             "length: 200 m, elements: 100}}\n"
             "record: {{channels: [line.position@0.75]}}\n",
             fluid ? "in water" : "in air", fluid ? "fluid: {density: 1025 kg/m^3}\n" : "") +
         solve_part;
}

}  // namespace

std::string festoon(int blocks, bool rope) {
  // The rope starts with the tension of its load: a length without it would let the blocks fall by
  // what the rope stretches, and bounce.
  constexpr double EA = 10e6, weight = 100 * 9.81, across = 1, down = 1.75;  // [N], [N], [m], [m]
  const double part = std::hypot(across, down), tension = weight * part / (2 * down);
  const double length = 2 * blocks * part / (1 + tension / EA);
  std::string supports, bodies, route;
  for (int i = 0; i <= blocks; ++i) {
    supports += fmt::format("  hook{}: {{position: [{}, 0, 0]}}\n", i, 2 * i);
    route += fmt::format("{}hook{}", i > 0 ? ", " : "", i);
    if (i == blocks) break;
    bodies += fmt::format(
        "  block{}: {{shape: {{box: [0.4 m, 0.3 m, 0.5 m]}}, mass: 100 kg, position: [{}, 0, -2 "
        "m], velocity: [{}, 0.2, 0], frames: {{eye: [0, 0, 0.25 m]}}}}\n",
        i, 2 * i + 1, i % 2 > 0 ? -0.5 : 0.5);
    route += fmt::format(", block{}.eye", i);
  }
  std::string text = fmt::format(
      "title: {} blocks in the bights of a rope\n"
      "supports:\n{}bodies:\n{}record: {{channels: [block0.position]}}\n",
      blocks, supports, bodies);
  if (rope)
    text += fmt::format(
        "sections:\n  rope: {{EA: {} N, mass: 1 kg/m}}\n"
        "cables:\n  rope: {{section: rope, model: massless, route: [{}], length: {:.17g} m}}\n",
        EA, route, length);
  return text + solve_part;
}

std::vector<TimedMachine> timed_machines() {
  std::vector<TimedMachine> out;
  const auto add_net = [&](int n, long steps, double goal) -> TimedMachine& {
    out.push_back({"net", n, fmt::format("net of {0} x {0} meshes", n), net(n), (n + 1) * (n + 1),
                   true, steps, goal});
    return out.back();
  };
  add_net(10, 300, 120);
  add_net(20, 100, 700);
  add_net(40, 30, 6000).start_goal = 0.05;
  add_net(80, 10, 50000);
  const std::pair<int, double> hinges[] = {{10, 7}, {50, 35}, {200, 140}};
  for (const auto& [n, goal] : hinges)
    out.push_back({"hinges", n, fmt::format("chain of {} hinges", n), links(n, false), n, false,
                   n > 50 ? 200 : 500, goal});
  out.push_back(
      {"balls", 200, "chain of 200 ball joints", links(200, true), 200, false, 200, 140.0});
  out.push_back({"reeving", 1, "reeving of a tower crane", reeving(), 1, false, 2000, 2.5});
  const std::pair<int, double> blocks[] = {{8, 5}, {128, 80}};
  for (const auto& [n, goal] : blocks)
    out.push_back({"blocks", n, fmt::format("{} blocks on one massless rope", n), festoon(n, true),
                   n, false, n > 8 ? 300 : 1000, goal});
  const std::pair<int, double> elements[] = {{10, 0.30}, {1000, 0.22}};  // goal: an element's
  for (const bool ball : {true, false})
    for (const auto& [n, goal] : elements)
      out.push_back({ball ? "cable-and-body" : "two-cables", n,
                     fmt::format("{}, {} elements",
                                 ball ? "ancf cable with a body at its end"
                                      : "two ancf cables joined at their ends",
                                 n),
                     soft_cable(n, ball), n, true, n > 10 ? 40 : 1000, goal * n});
  for (const bool fluid : {false, true})
    out.push_back({fluid ? "mooring-wet" : "mooring-dry", 100,
                   fmt::format("mooring line {}", fluid ? "in water" : "in air"), mooring(fluid),
                   100, true, 3000, std::nullopt});
  return out;
}

}  // namespace hawser
