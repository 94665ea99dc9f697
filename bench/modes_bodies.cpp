// Natural frequencies of pendulums, and damping ratios, against closed forms.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "at_rest.h"
#include "bench/constants.h"
#include "bench/modes_cases.h"
#include "bench/routes.h"
#include "hawser/modes.h"

namespace hawser {
namespace {

using std::numbers::pi;

ModesReport modes_with(const Scene& scene, const ModeOptions& options) {
  const Model model(scene);
  return modes(model, at_rest(model), options);
}

/// A bob with an eye above its centre, below a hook at the origin.
Scene bob(double below, double eye) {
  Scene scene;
  Body body;
  body.name = "bob";
  body.mass = 40;
  body.inertia = Vec3(3, 4, 5).asDiagonal();
  body.position = {0, 0, -below - eye};
  scene.bodies.push_back(body);
  scene.supports.emplace_back().name = "hook";
  Frame on_bob;
  on_bob.name = "eye";
  on_bob.body = "bob";
  on_bob.position = {0, 0, eye};
  scene.frames = {on_bob};
  return scene;
}

void add_compound_pendulum(BenchReport& report) {
  Scene scene = bob(0, 0.8);
  Joint hinge;
  hinge.name = "hinge";
  hinge.kind = JointKind::hinge;
  hinge.first = "hook";
  hinge.second = "eye";
  hinge.axis = Vec3::UnitY();
  scene.joints.push_back(hinge);
  add_frequency(report, "compound pendulum", "swing", modes_with(scene, {}).modes.at(0).omega,
                std::sqrt(40 * constants::g * 0.8 / (4 + 40 * 0.8 * 0.8)),
                "sqrt(m g a/(I + m a^2))");
}

/// About y: angles of cable and bob, [m L^2, m L b; m L b, I + m b^2] and diag(m g L, m g b).
void add_double_pendulum(BenchReport& report) {
  using constants::g;
  const double L = 2.5, b = 0.6, m = 40, I = 4;
  Scene scene = bob(L, b);
  Cable rope;
  rope.name = "rope";
  rope.model = CableModel::massless;
  rope.sections[0].EA = 1e9;
  rope.route = {Stop::hold("hook"), Stop::hold("eye")};
  scene.cables.push_back(rope);
  Eigen::Matrix2d M, K;
  M << m * L * L, m * L * b, m * L * b, I + m * b * b;
  K << m * g * L, 0, 0, m * g * b;
  const Eigen::VectorXd squares =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>(K, M).eigenvalues();
  const ModesReport found = modes_with(scene, {});
  for (int k = 0; k < 2; ++k) {  // those in which the bob turns about y, not about x
    double best = HUGE_VAL;
    const double wanted = std::sqrt(squares[k]);
    for (const Mode& mode : found.modes)
      if (std::abs(mode.shape[4]) > std::abs(mode.shape[3]) &&
          std::abs(mode.omega - wanted) < std::abs(best - wanted))
        best = mode.omega;
    add_frequency(report, "bob on a massless cable", k == 0 ? "slow swing" : "fast swing", best,
                  wanted, "double pendulum");
  }
}

/// A bob on a heavy cable: y = A J0(z) + B Y0(z), z = 2 w sqrt((s + m/mu)/g), s from the bob up;
/// y' = -w^2/g y at the bob, y = 0 at the hook.
void add_heavy_pendulum(BenchReport& report) {
  using constants::g;
  const double L = 6, mass = 10, mu = 2;
  Section section;
  section.EA = 1e8;
  section.mass = mu;
  Scene scene = straight_cable(section, {0, 0, -L * (1 + 1e-6)}, L, 80);
  scene.gravity = {0, 0, -g};
  scene.cables[0].model = CableModel::np_fem;
  hold(scene, "cable", 0);
  scene.point_masses = {{Place::end("cable"), mass}};
  const auto top = [&](double w) {
    const auto z = [&](double s) { return 2 * w * std::sqrt((s + mass / mu) / g); };
    const double z0 = z(0), rate = 2 * w * w / (g * z0);  // dz/ds at the bob
    const double j = -rate * std::cyl_bessel_j(1.0, z0) + w * w / g * std::cyl_bessel_j(0.0, z0);
    const double y = -rate * std::cyl_neumann(1.0, z0) + w * w / g * std::cyl_neumann(0.0, z0);
    return y * std::cyl_bessel_j(0.0, z(L)) - j * std::cyl_neumann(0.0, z(L));
  };
  const ModesReport found = modes_with(scene, {6, {}});
  double low = 0.05;
  for (int n = 1; n <= 3; ++n) {
    while ((top(low) < 0) == (top(low + 0.05) < 0)) low += 0.05;
    add_frequency(report, "bob on an np-fem cable", "mode " + std::to_string(n),
                  found.modes.at(static_cast<size_t>(2 * n - 2)).omega,
                  bisect(top, low, low + 0.05), "Bessel functions, bob at the end");
    low += 0.05;
  }
}

void add_ratio(BenchReport& report, const std::string& name, double ours, double reference,
               const std::string& source) {
  BenchRow row;
  row.name = name;
  row.quantity = "damping ratio, mode 1";
  row.unit = "-";
  row.ours = ours;
  row.reference = reference;
  row.source = source;
  row.tolerance = 1e-3;
  report.add(row);
}

/// Roots of x^n + c[n-1] x^(n-1) + ... + c[0], as eigenvalues of the companion matrix.
Eigen::VectorXcd roots(const std::vector<double>& c) {
  const auto n = static_cast<Eigen::Index>(c.size());
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(n, n);
  companion.diagonal(-1).setOnes();
  for (Eigen::Index i = 0; i < n; ++i) companion(i, n - 1) = -c[static_cast<size_t>(i)];
  return Eigen::EigenSolver<Eigen::MatrixXd>(companion).eigenvalues();
}

double ratio_of(std::complex<double> lambda) { return -lambda.real() / std::abs(lambda); }

struct Beam {
  double omega;
  Scene scene;
};

Beam pinned_beam() {
  Section section;
  section.EA = 1e7;
  section.EI = 50;
  section.mass = 2;
  Beam beam{std::pow(pi / 5, 2) * 5, straight_cable(section, {5, 0, 0}, 5, 20)};
  hold(beam.scene, "cable", 0);
  hold(beam.scene, "cable", -1);
  return beam;
}

double beam_ratio(const Beam& beam, const Damping& law, double alpha) {
  Scene scene = beam.scene;
  scene.cables[0].sections[0].bending_damping = law;
  scene.cables[0].sections[0].mass_damping = alpha;
  return modes_with(scene, {2, {}}).modes.at(0).damping_ratio;
}

}  // namespace

void add_bodies(BenchReport& report) {
  add_compound_pendulum(report);
  add_double_pendulum(report);
  add_heavy_pendulum(report);
}

void add_damping(BenchReport& report) {
  const Beam beam = pinned_beam();
  const double w = beam.omega, w2 = w * w;
  Damping law;
  law.viscosity = 0.1;
  add_ratio(report, "pinned beam, Kelvin-Voigt", beam_ratio(beam, law, 0), law.viscosity * w / 2,
            "viscosity w/2");
  add_ratio(report, "pinned beam, mass damping", beam_ratio(beam, {}, 0.3), 0.3 / (2 * w),
            "alpha/(2 w)");
  law = {};
  law.relaxations = {{0.4, 0.7}};
  const double share = 0.4, time = 0.7;
  for (const auto& root : roots({w2 / time, w2 * (1 + share), 1 / time}))
    if (root.imag() > 0)
      add_ratio(report, "pinned beam, relaxation", beam_ratio(beam, law, 0), ratio_of(root),
                "cubic of the Maxwell arm");
  law = {};
  law.fractional.order = 0.5;
  law.fractional.tau = 0.2;
  for (const auto& p : roots({w2, w2 * law.fractional.tau, 0, 0}))  // p = lambda^(1/2)
    if (p.real() > 0 && p.imag() > 0)
      add_ratio(report, "pinned beam, fractional 1/2", beam_ratio(beam, law, 0), ratio_of(p * p),
                "quartic of sqrt(lambda)");
  // A taut string strains lengthwise only where it moves lengthwise: its first axial mode.
  Section section;
  section.EA = 1e4;
  section.mass = 1;
  section.axial_damping.viscosity = 1e-3;
  Scene scene = straight_cable(section, {10 * (1 + 1e-4), 0, 0}, 10, 40);
  hold(scene, "cable", 0);
  hold(scene, "cable", -1);
  scene.cables[0].strain = StrainMeasure::engineering;
  const double axial = pi / 10 * std::sqrt(section.EA / section.mass);
  const ModesReport found = modes_with(scene, {1, axial / (2 * pi)});
  add_frequency(report, "taut string, lengthwise", "mode 1", found.modes.at(0).omega, axial,
                "1/(2 L) sqrt(EA/m)");
  add_ratio(report, "taut string, Kelvin-Voigt, lengthwise", found.modes.at(0).damping_ratio,
            section.axial_damping.viscosity * axial / 2, "viscosity w/2");
}

}  // namespace hawser
