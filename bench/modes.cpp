// Natural frequencies of cables against closed forms.
#include "hawser/modes.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "at_rest.h"
#include "base/clock.h"
#include "bench/benches.h"
#include "bench/modes_cases.h"
#include "bench/routes.h"
#include "hawser/measure.h"

namespace hawser {

using std::numbers::pi;

void add_frequency(BenchReport& report, const std::string& name, const std::string& quantity,
                   double omega, double reference, const std::string& source) {
  BenchRow row;
  row.name = name;
  row.quantity = quantity;
  row.unit = "Hz";
  row.ours = omega / (2 * pi);
  row.reference = reference / (2 * pi);
  row.source = source;
  row.tolerance = 1e-3;
  report.add(row);
}

double bisect(const std::function<double(double)>& f, double low, double high) {
  const bool rises = f(low) < 0;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < 0) == rises ? low = middle : high = middle;
  }
  return (low + high) / 2;
}

Scene straight_cable(const Section& section, const Vec3& end, double length, int elements) {
  Scene scene;
  scene.gravity.setZero();
  Cable cable;
  cable.name = "cable";
  cable.sections = {section};
  cable.route.back() = end;
  cable.length = length;
  cable.elements = elements;
  cable.strain = StrainMeasure::green;
  scene.cables.push_back(cable);
  return scene;
}

namespace {

ModesReport modes_of(const Scene& scene, int count) {
  const Model model(scene);
  return modes(model, at_rest(model), {count, {}});
}

/// Modes of a straight cable come in pairs, one in each plane.
double pair(const ModesReport& report, int number) {
  return report.modes.at(static_cast<size_t>(2 * number - 2)).omega;
}

void add_string(BenchReport& report, CableModel kind) {
  Section section;
  section.EA = 1e6;
  section.mass = 0.5;
  const double length = 10, strain = 1e-4;
  Scene scene = straight_cable(section, {length * (1 + strain), 0, 0}, length, 150);
  scene.cables[0].model = kind;
  scene.cables[0].strain = StrainMeasure::engineering;
  hold(scene, "cable", 0);
  hold(scene, "cable", -1);
  const double T = section.EA * strain, stretched = length * (1 + strain),
               mass = section.mass / (1 + strain);
  const ModesReport found = modes_of(scene, 12);
  for (const int n : {1, 2, 5})
    add_frequency(report, kind == CableModel::ancf ? "taut string, ancf" : "taut string, np-fem",
                  fmt::format("mode {}", n), pair(found, n),
                  n * pi / stretched * std::sqrt(T / mass), "n/(2 L) sqrt(T/m)");
}

void add_beams(BenchReport& report) {
  Section section;
  section.EA = 1e7;
  section.EI = 50;
  section.mass = 2;
  const double length = 5, speed = std::sqrt(section.EI / section.mass);
  Scene scene = straight_cable(section, {length, 0, 0}, length, 20);
  hold(scene, "cable", 0);
  hold(scene, "cable", -1);
  const ModesReport pinned = modes_of(scene, 8);
  for (const int n : {1, 2, 4})
    add_frequency(report, "pinned beam", fmt::format("mode {}", n), pair(pinned, n),
                  std::pow(n * pi / length, 2) * speed, "(n pi/L)^2 sqrt(EI/m)");
  Scene clamped = scene;
  release(clamped, "cable", -1);
  clamp(clamped, "cable", 0);
  const ModesReport free_end = modes_of(clamped, 6);
  for (const int n : {1, 2, 3}) {
    const double guess = (n - 0.5) * pi;
    const double root =
        bisect([](double x) { return std::cos(x) + 1 / std::cosh(x); }, guess - 0.4, guess + 0.4);
    add_frequency(report, "clamped beam, free end", fmt::format("mode {}", n), pair(free_end, n),
                  root * root / (length * length) * speed, "cos b cosh b = -1");
  }
  const double strain = 1e-5, T = section.EA * strain;
  scene.cables[0].route.back().point.x() = length * (1 + strain);
  hold(scene, "cable", -1);
  const ModesReport taut = modes_of(scene, 8);
  for (const int n : {1, 2, 4}) {
    const double k = n * pi / length;
    add_frequency(report, "pinned beam under tension", fmt::format("mode {}", n), pair(taut, n),
                  k * std::sqrt((T + section.EI * k * k) / section.mass),
                  "k sqrt((T + EI k^2)/m), k = n pi/L");
  }
}

void add_hanging_chain(BenchReport& report) {
  Section section;
  section.EA = 1e8;
  section.mass = 3;
  const double length = 8;
  Scene scene = straight_cable(section, {0, 0, -length * (1 + 1e-6)}, length, 60);
  scene.gravity = {0, 0, -9.81};
  hold(scene, "cable", 0);
  const ModesReport found = modes_of(scene, 8);
  for (const int n : {1, 2, 3}) {
    const double guess = (n - 0.25) * pi;
    const double zero =
        bisect([](double x) { return std::cyl_bessel_j(0.0, x); }, guess - 0.5, guess + 0.5);
    add_frequency(report, "hanging chain", fmt::format("mode {}", n), pair(found, n),
                  zero / 2 * std::sqrt(9.81 / length), "Bernoulli: J0(2 w sqrt(L/g)) = 0");
  }
}

/// Share of the motion's squared displacement across the plane of the sag.
double out_of_plane(const Mode& mode) {
  double y = 0, all = 0;
  for (size_t i = 0; i < mode.shape.size(); i += 6) {
    y += std::pow(mode.shape[i + 1], 2);
    all += std::pow(mode.shape[i], 2) + std::pow(mode.shape[i + 1], 2) +
           std::pow(mode.shape[i + 2], 2);
  }
  return y / all;
}

double nearest_frequency(const ModesReport& report, double omega, bool across) {
  double best = HUGE_VAL;
  for (const Mode& mode : report.modes)
    if ((out_of_plane(mode) > 0.5) == across &&
        std::abs(mode.omega - omega) < std::abs(best - omega))
      best = mode.omega;
  return best;
}

/// Irvine & Caughey 1974: shallow parabola; tension H along the span, mass m a metre.
void add_sagging(BenchReport& report, double lambda_squared) {
  constexpr double g = 9.81, span = 100, sag = span / 250;
  Section section;
  section.mass = 1.5;
  const double weight = section.mass * g, H = weight * span * span / (8 * sag),
               slope = weight * span / H;
  section.EA = lambda_squared * H * (1 + slope * slope / 8) / (slope * slope);
  const double length = span * (1 + slope * slope / 24) / (1 + H / section.EA);
  Scene scene = straight_cable(section, {span, 0, 0}, length, 60);
  scene.gravity = {0, 0, -g};
  hold(scene, "cable", 0);
  hold(scene, "cable", -1);
  std::vector<Vec3> points;
  for (int i = 1; i < 20; ++i) {  // from the sag: a straight start would be slack
    const double x = i / 20.0;
    points.emplace_back(x * span, 0, -4 * sag * x * (1 - x));
  }
  lead_through(scene.cables[0], points);
  const Model model(scene);
  const State state = at_rest(model);
  const double pull = std::abs(reaction(model, state, Place::start("cable")).force.x());
  const double ratio = weight * span / pull;
  const double irvine = ratio * ratio * section.EA / (pull * (1 + ratio * ratio / 8));
  const double unit = std::sqrt(pull / section.mass) / span;
  const ModesReport found = modes(model, state, {8, {}});
  const std::string name = fmt::format("sagging cable, lambda^2 = {:.4g}", irvine);
  const char* source = "Irvine & Caughey 1974";
  add_frequency(report, name, "out of plane 1", nearest_frequency(found, pi * unit, true),
                pi * unit, source);
  const double odd = 2 * pi * unit;
  add_frequency(report, name, "antisymmetric 1", nearest_frequency(found, odd, false), odd, source);
  // tan x = x - 4 x^3/lambda^2 with x = w/2: the first root lies between pi/2 and 3 pi/2.
  const double x =
      bisect([&](double u) { return std::sin(u) - std::cos(u) * (u - 4 * u * u * u / irvine); },
             pi / 2, 3 * pi / 2);
  add_frequency(report, name, "symmetric 1", nearest_frequency(found, 2 * x * unit, false),
                2 * x * unit, source);
}

/// A square net of lines in both directions, tied where they cross.
Scene square_net(int meshes, double strain) {
  Scene scene;
  scene.gravity.setZero();
  const auto add = [&](const std::string& name, const Vec3& start, const Vec3& end) {
    Cable line;
    line.name = name;
    line.model = CableModel::np_fem;
    line.lumped_mass = true;
    line.sections[0].EA = 1e6;
    line.sections[0].mass = 1;
    line.route.front() = start;
    line.route.back() = end;
    line.length = meshes;
    line.elements = meshes;
    scene.cables.push_back(line);
    hold(scene, name, 0);
    hold(scene, name, -1);
  };
  const double mesh = 1 + strain, side = meshes * mesh;
  for (int i = 1; i < meshes; ++i) {
    add(fmt::format("x{}", i), {0, i * mesh, 0}, {side, i * mesh, 0});
    add(fmt::format("y{}", i), {i * mesh, 0, 0}, {i * mesh, side, 0});
  }
  for (int i = 1; i < meshes; ++i)
    for (int j = 1; j < meshes; ++j)
      scene.junctions.push_back(
          {nth(fmt::format("x{}", i), j, meshes), nth(fmt::format("y{}", j), i, meshes)});
  return scene;
}

/// Lumped masses 2 m h on lines of tension: w^2 = 2 N/(m h^2) (sin^2(i pi/2n) + sin^2(j pi/2n)),
/// h = 1 m, N the tension over the stretch.
void add_net(BenchReport& report, bool timed) {
  constexpr int meshes = 42;
  constexpr double strain = 1e-3;
  const Scene scene = square_net(meshes, strain);
  const Model model(scene);
  const State state = at_rest(model);
  const double start = cpu_seconds();
  const ModesReport found = modes(model, state, {10, {}});
  const double seconds = cpu_seconds() - start;
  const double N = 1e6 * strain / (1 + strain);
  const auto omega = [&](int i, int j) {
    return std::sqrt(
        2 * N *
        (std::pow(std::sin(i * pi / 2 / meshes), 2) + std::pow(std::sin(j * pi / 2 / meshes), 2)));
  };
  const std::string name = fmt::format("net of {} motions", found.motions);
  const char* source = "lumped net, closed form";
  add_frequency(report, name, "mode 1", found.modes.at(0).omega, omega(1, 1), source);
  add_frequency(report, name, "mode 2", found.modes.at(1).omega, omega(1, 2), source);
  add_frequency(report, name, "mode 3", found.modes.at(2).omega, omega(2, 1), source);
  add_frequency(report, name, "mode 4", found.modes.at(3).omega, omega(2, 2), source);
  add_frequency(report, name, "mode 10", found.modes.at(9).omega, omega(4, 1), source);
  if (!timed) return;
  BenchRow row;
  row.name = name;
  row.quantity = "CPU time of 10 modes";
  row.unit = "s";
  row.ours = seconds;
  row.reference = 2;
  row.source = "goal: at most";
  row.extra = {{"cpu_seconds", seconds}};
  report.add(row);
}

}  // namespace

BenchReport bench_modes(bool timed) {
  BenchReport report(
      "modes", "hawser bench modes",
      "Natural frequencies about equilibrium and damping ratios, against closed forms.");
  add_string(report, CableModel::ancf);
  add_string(report, CableModel::np_fem);
  add_beams(report);
  add_hanging_chain(report);
  for (const double lambda_squared : {1.0, 10.0, 4 * pi * pi, 100.0, 1000.0})
    add_sagging(report, lambda_squared);
  add_bodies(report);
  add_damping(report);
  add_net(report, timed);
  return report;
}

}  // namespace hawser
