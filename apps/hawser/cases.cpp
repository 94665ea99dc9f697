#include "cases.h"

#include <numbers>

namespace hawser {

using std::numbers::pi;

Scene westin_irani_pendulum(double E, int elements) {
  const double area = pi * 0.01 * 0.01 / 4;
  Cable tether;
  tether.name = "tether";
  tether.section = {E * area, E * 1e-8, 5000 * area};
  tether.elements = elements;
  Scene scene;
  scene.cables = {tether};
  scene.pins = {{{"tether", 0}}};
  return scene;
}

Scene semicircle(int elements) {
  Cable strip;
  strip.name = "strip";
  strip.section = {1e4, 1, 1};
  strip.elements = elements;
  strip.strain = StrainMeasure::engineering;
  strip.curvature = CurvatureMeasure::material;
  Scene scene;
  scene.gravity = Vec3::Zero();
  scene.cables = {strip};
  scene.clamps = {{{"strip", 0}}};
  Moment moment;
  moment.at = {"strip", -1};
  moment.moment = {0, 0, pi};
  scene.moments = {moment};
  return scene;
}

Scene gerstmayr_shabana_pendulum(int elements) {
  const double f = 5, area = 1e-6 * f * f, E = 1e9 / (f * f * f * f), density = 8000 / (f * f);
  Cable rope;
  rope.name = "rope";
  rope.section = {E * area, E * area * area / 12, density * area};
  rope.elements = elements;
  rope.strain = StrainMeasure::engineering;
  rope.curvature = CurvatureMeasure::material;
  rope.angular_velocity = {0, 4, 0};
  Scene scene;
  scene.gravity = {0, -9.81, 0};
  scene.cables = {rope};
  scene.pins = {{{"rope", 0}}};
  return scene;
}

std::vector<NamedCase> named_cases() {
  std::vector<NamedCase> cases;
  cases.push_back({"pendulum",
                   "Flexible pendulum of Westin & Irani, E = 1e8 Pa",
                   westin_irani_pendulum(1e8),
                   {},
                   10});
  NamedCase shaken{"shaken",
                   "The same cable hanging, its support shaken 0.2 m at 2 Hz",
                   westin_irani_pendulum(1e8),
                   {},
                   10};
  shaken.scene.cables[0].end = {0, 0, -1};
  shaken.scene.pins.clear();
  shaken.scene.motions = {{{"tether", 0}, Coordinate::x, Signal::sine(0.2, 2)},
                          {{"tether", 0}, Coordinate::y, 0.0},
                          {{"tether", 0}, Coordinate::z, 0.0}};
  cases.push_back(shaken);
  NamedCase spinning{"spinning-rope",
                     "Soft pendulum in space of Gerstmayr & Shabana",
                     gerstmayr_shabana_pendulum(16),
                     {},
                     2};
  cases.push_back(spinning);
  NamedCase loaded{"loaded",
                   "The pendulum with 5 kg at its tip, E = 1e9 Pa",
                   westin_irani_pendulum(1e9),
                   {},
                   10};
  loaded.scene.point_masses = {{{"tether", -1}, 5}};
  cases.push_back(loaded);
  return cases;
}

}  // namespace hawser
