// Cables that touch each other, with known answers (docs/theory/contact.md): what `hawser bench
// contact` and the tests run.
#pragma once

#include "contact_scenes.h"

namespace hawser::touching {

/// Cables that touch each other.
inline Contact among_cables(const std::vector<std::string>& cables, double friction,
                            double stiffness = 0) {
  Contact out;
  out.name = "meet";
  out.cables = cables;
  out.friction = friction;
  out.stiffness = stiffness;
  return out;
}

struct TautString {
  double tension = 100, EA = 1e5, half = 0.5;
};

/// Two strings at right angles, of 10 mm each, that touch in their middles; the supports of the
/// second one then press it down by W. Each carries F = 2 N w/sqrt(a^2 + w^2) with
/// N = EA (L/L0 - 1), w1 + w2 = W.
inline Scene crossed_strings(const TautString& first, const TautString& second, double W,
                             CableModel model, int elements, double stiffness) {
  constexpr double d = 0.01;
  Scene scene;
  scene.gravity.setZero();
  const auto add = [&](const std::string& name, const TautString& s, const Vec3& along, double z) {
    Cable rope;
    rope.name = name;
    rope.model = model;
    rope.sections = {Section{s.EA, 0, 0.1}};
    rope.sections[0].diameter = d;
    rope.elements = elements;
    rope.initial = Initial::points;
    const std::string ends[2] = {name + "-a", name + "-b"};
    scene.supports.push_back(at(ends[0], Vec3(-s.half * along + Vec3(0, 0, z))));
    scene.supports.push_back(at(ends[1], Vec3(s.half * along + Vec3(0, 0, z))));
    rope.route = {Stop::hold(ends[0]), Stop::hold(ends[1])};
    rope.length = 2 * s.half / (1 + s.tension / s.EA);
    scene.cables.push_back(rope);
  };
  add("lower", first, Vec3::UnitX(), 0);
  add("upper", second, Vec3::UnitY(), d);
  for (size_t i = 2; i < 4; ++i)
    scene.supports[i].motion[2] = Signal::function([W](double t) {
      const double e = std::exp(-t / 0.05);
      return Signal::Sample{-W * (1 - e), -W / 0.05 * e, W / 0.0025 * e};
    });
  scene.contacts = {among_cables({"lower", "upper"}, 0, stiffness)};
  return scene;
}

/// A slack cable of 5 mm that flies at a speed across a taut string, from a height above it.
inline Scene thrown_across(double height, double speed, double friction) {
  Scene scene;
  scene.gravity.setZero();
  Cable taut;
  taut.name = "string";
  taut.sections = {Section{1e5, 0, 0.1}};
  taut.sections[0].diameter = 0.005;
  taut.elements = 20;
  scene.supports = {at("a", {-0.5, 0, 0}), at("b", {0.5, 0, 0})};
  taut.route = {Stop::hold("a"), Stop::hold("b")};
  taut.length = 1 / (1 + 100 / 1e5);
  Cable flies = taut;
  flies.name = "flies";
  flies.sections[0].EI = 1e-3;
  flies.elements = 10;
  flies.length = 0;
  flies.route = {{0.013, -0.27, height}, {0.013, 0.23, height}};
  flies.velocity = {0, 0, -speed};
  scene.cables = {taut, flies};
  scene.contacts = {among_cables({"string", "flies"}, friction)};
  return scene;
}

/// A stiff sleeper on two taut rails that slides along them: it comes to rest after v^2/(2 mu g).
inline Scene sleeper_on_rails(double speed, double friction) {
  constexpr double d = 0.01;
  Scene scene;
  for (const int side : {-1, 1}) {
    const std::string name = side < 0 ? "left" : "right";
    const double y = 0.05 * side;
    Cable rail;
    rail.name = name;
    rail.sections = {Section{1e7, 100, 0.5}};
    rail.sections[0].diameter = d;
    rail.elements = 8;
    scene.supports.push_back(at(name + "-a", {-0.2, y, 0}));
    scene.supports.push_back(at(name + "-b", {0.6, y, 0}));
    rail.route = {Stop::clamp(name + "-a"), Stop::clamp(name + "-b")};
    rail.length = 0.8 / (1 + 1e4 / 1e7);
    scene.cables.push_back(rail);
  }
  Cable sleeper;
  sleeper.name = "sleeper";
  sleeper.sections = {Section{1e6, 10, 1}};
  sleeper.sections[0].diameter = d;
  sleeper.elements = 4;
  sleeper.route = {{0, -0.08, d}, {0, 0.08, d}};
  sleeper.velocity = {speed, 0, 0};
  scene.cables.push_back(sleeper);
  scene.contacts = {among_cables({"left", "sleeper"}, friction),
                    among_cables({"right", "sleeper"}, friction)};
  scene.contacts[1].name = "meet right";
  return scene;
}

/// A pile of `layers` of ropes of 0.5 m and 10 mm, `across` in each, crosswise, dropped on the
/// ground.
inline Scene rope_heap(int layers, int across, int elements, CableModel model) {
  constexpr double d = 0.01, length = 0.5;
  Scene scene;
  scene.ground = Ground{};
  std::vector<std::string> names;
  for (int layer = 0; layer < layers; ++layer)
    for (int i = 0; i < across; ++i) {
      Cable rope;
      rope.name = "rope" + std::to_string(names.size());
      rope.model = model;
      rope.sections = {Section{1e4, 1e-3, 0.08}};
      rope.sections[0].diameter = d;
      rope.elements = elements;
      // No two ropes lie exactly above each other.
      const double aside = length * ((i + 0.5) / across - 0.5) + 0.007 * std::sin(3.1 * layer + i);
      const double z = 0.03 + 2.5 * d * layer, shift = 0.05 * std::sin(1.7 * layer + 2.3 * i);
      const Vec3 along = layer % 2 == 0 ? Vec3::UnitX() : Vec3::UnitY(),
                 side = layer % 2 == 0 ? Vec3::UnitY() : Vec3::UnitX();
      const Vec3 middle = aside * side + shift * along + z * Vec3::UnitZ();
      rope.route = {Vec3(middle - length / 2 * along), Vec3(middle + length / 2 * along)};
      names.push_back(rope.name);
      scene.cables.push_back(rope);
    }
  Contact ground = among_cables(names, 0.4);
  ground.name = "ground";
  ground.shapes = {"ground"};
  scene.contacts = {ground, among_cables(names, 0.4)};
  return scene;
}

}  // namespace hawser::touching
