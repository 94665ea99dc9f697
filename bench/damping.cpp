// Decays of one mode under each law of damping, stretched and bent, against the root of
// lambda^2 + omega0^2 factor(lambda) = 0.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>

#include "bench/benches.h"
#include "bench/routes.h"
#include "hawser/error.h"
#include "hawser/fit.h"
#include "hawser/integrator.h"
#include "sections/viscosity.h"
#include "svg_plot.h"

namespace hawser {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;
constexpr double frequencies[] = {2, 6, 18};  ///< without damping [Hz]

/// What is left of an amplitude after a turn: -log of it is the logarithmic decrement.
double decrement(Complex lambda) { return -2 * pi * lambda.real() / lambda.imag(); }

/// `mass_damping` adds itself to the equation: lambda^2 + mass_damping lambda.
Complex root(double omega0, const Damping& damping, double mass_damping) {
  Complex s(0, omega0);
  for (int i = 0; i < 500; ++i)
    s = Complex(0, omega0) *
        std::sqrt(complex_factor(damping, s) + mass_damping * s / (omega0 * omega0));
  return s;
}

/// A cable with one mode that matters: how it is made for a frequency, and along which axis its
/// tip moves.
struct OneModeCable {
  Scene scene;
  int axis = 0;
};

/// One straight element between a pin and a lump of half its mass.
OneModeCable np_fem_bar(double omega0) {
  Cable c;
  c.name = "bar";
  c.model = CableModel::np_fem;
  c.sections[0].EA = 1000;
  c.sections[0].mass = 2 * c.sections[0].EA / (omega0 * omega0);
  c.lumped_mass = true;
  c.elements = 1;
  c.strain = StrainMeasure::engineering;
  c.velocity = {1e-3 * omega0, 0, 0};
  OneModeCable out;
  out.scene.cables = {c};
  hold(out.scene, "bar", 0);
  return out;
}

/// A light element of ancf with a heavy tip, of which a third of its own mass (stretched) or 33/140
/// (bent, Rayleigh) is a part.
OneModeCable ancf_bar(double omega0, bool bent) {
  Cable c;
  c.name = "bar";
  c.sections[0].EA = 1000;
  c.sections[0].EI = 0.1;
  c.elements = 1;
  c.strain = StrainMeasure::engineering;
  const double stiffness = bent ? 3 * c.sections[0].EI : c.sections[0].EA,
               share = bent ? 33.0 / 140 : 1.0 / 3;
  const double moving = stiffness / (omega0 * omega0);
  c.sections[0].mass = 1e-3 * moving;
  OneModeCable out;
  out.axis = bent ? 2 : 0;
  // So small that bending does not stretch.
  c.velocity[out.axis] = (bent ? 1e-5 : 1e-3) * omega0;
  out.scene.cables = {c};
  if (bent)
    clamp(out.scene, "bar", 0);
  else
    hold(out.scene, "bar", 0);
  out.scene.point_masses = {{Place::end("bar"), moving * (1 - share * 1e-3)}};
  return out;
}

/// Of the tip, from the third turn to the twentieth; nan when the run fails.
double measured_decrement(const OneModeCable& machine, double omega0) {
  const Model model(machine.scene);
  SolveOptions options;
  const double turn = 2 * pi / omega0;
  options.step = turn / 500;
  Integrator integrator(model, options);
  State state = integrator.start();
  Decay decay{"bench damping", {}, {}, "m"};
  const int tip = machine.scene.cables[0].elements;
  while (state.t < 20 * turn) {
    if (integrator.step(state) != Status::ok) return NAN;
    if (state.t < 3 * turn) continue;
    decay.time.push_back(state.t);
    decay.value.push_back(state.position(tip)[machine.axis]);
  }
  // Whatever damps it, an oscillation of that decay is one of Kelvin and Voigt's.
  const DampingFit fit = fit_decays({decay}, {});
  const double omega = fit.parameters[1].value;
  const double rate = fit.damping.viscosity * omega * omega / 2;
  return decrement({-rate, std::sqrt(omega * omega - rate * rate)});
}

struct NamedDamping {
  const char* name;
  Damping damping;
  double mass_damping = 0;  ///< [1/s]
};

std::vector<NamedDamping> laws() {
  NamedDamping viscous{"Kelvin-Voigt", {}, 0}, prony{"Prony series", {}, 0},
      mass{"Rayleigh, mass", {}, 0.4};
  viscous.damping.viscosity = 5e-4;
  prony.damping.relaxations = {{0.05, 0.0265}, {0.02, 0.005}};
  NamedDamping constant{"fractional", {}, 0}, direct{"fractional, direct", {}, 0};
  constant.damping.fractional = {0.5, 5e-3, 0, FractionalForm::constant_cost};
  direct.damping.fractional = {0.5, 5e-3, 0, FractionalForm::direct};
  return {viscous, prony, constant, direct, mass};
}

void add_rows(BenchReport& report, const NamedDamping& law, const char* name, bool bent,
              bool np_fem) {
  for (const double frequency : frequencies) {
    const double omega0 = 2 * pi * frequency;
    OneModeCable machine = np_fem ? np_fem_bar(omega0) : ancf_bar(omega0, bent);
    machine.scene.gravity.setZero();
    Section& section = machine.scene.cables[0].sections[0];
    (bent ? section.bending_damping : section.axial_damping) = law.damping;
    section.mass_damping = law.mass_damping;
    BenchRow row;
    row.name = fmt::format("{}, {}, {} Hz", law.name, name, frequency);
    row.quantity = "logarithmic decrement";
    row.unit = "-";
    row.tolerance = 0.01;
    row.source = "complex frequency in closed form";
    row.reference = decrement(root(omega0, law.damping, law.mass_damping));
    if (const double ours = measured_decrement(machine, omega0); std::isfinite(ours))
      row.ours = ours;
    report.add(row);
  }
}

/// What each law loses in a turn against frequency: the closed form, and what runs have measured.
void draw(const BenchReport& report, const std::string& file) {
  Plot plot{"Damping per cycle", "frequency [Hz]", "logarithmic decrement [-]", true, true, {}};
  const char* dashes[] = {"", "8 3", "2 3", "", "8 3 2 3"};
  PlotLine runs{"runs", {}, false, "", false, true};
  size_t number = 0;
  for (const NamedDamping& law : laws()) {
    const char* dash = dashes[number++];
    if (law.damping.fractional.form == FractionalForm::direct) continue;  // the same law
    PlotLine line{law.name, {}, true, dash, true, false};
    for (double f = 0.5; f <= 80; f *= 1.1)
      line.points.emplace_back(f, decrement(root(2 * pi * f, law.damping, law.mass_damping)));
    plot.lines.push_back(std::move(line));
    size_t which = 0;
    for (const BenchRow& row : report.rows())
      if (row.ours && row.name.starts_with(std::string(law.name) + ", np-fem"))
        runs.points.emplace_back(frequencies[which++], *row.ours);
  }
  plot.lines.push_back(std::move(runs));
  std::ofstream out(file);
  out << plot_svg(plot);
  if (!out.flush()) throw Error("bench damping, --svg", "'" + file + "'", "a writable file");
}

}  // namespace

BenchReport bench_damping(const std::string& svg) {
  BenchReport report("damping", "hawser bench damping",
                     "One mode with each damping law at three frequencies: decay per cycle, with "
                     "500 steps per cycle.");
  for (const NamedDamping& law : laws()) {
    add_rows(report, law, "np-fem stretched", false, true);
    if (law.mass_damping > 0) continue;  // acts on the cable's own mass, which ancf's bar has not
    add_rows(report, law, "ancf stretched", false, false);
    add_rows(report, law, "ancf bent", true, false);
  }
  if (!svg.empty()) draw(report, svg);
  return report;
}

}  // namespace hawser
