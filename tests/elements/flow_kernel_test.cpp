// The kernels of flowing elements against the formulas that conformance tests check (flow.h), in
// lanes of elements that share nodes or lie apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "elements/flow_io.h"
#include "elements/kernel_io.h"
#include "linear/sink.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double gravity[3] = {0.3, -0.2, -9.81};
constexpr int points = 7;

enum class Kind { green, engineering, four_points, straight, lumped, tension_only };

FlowParameters parameters(Kind kind) {
  if (kind == Kind::green || kind == Kind::engineering || kind == Kind::four_points)
    return flow_parameters({1200.0, 1.5}, 0.7, gravity, kind == Kind::four_points ? 4 : 5, 3);
  return straight_flow_parameters(1200.0, 0.7, gravity, kind == Kind::lumped,
                                  kind == Kind::tension_only);
}

constexpr int coordinates = 50, flow_at = 48;  ///< of nodes and of two flows

/// The sums that an assembly adds to.
struct Sums {
  double force[coordinates] = {}, inertia[coordinates] = {}, border[2][coordinates] = {};
  double corner[2][2] = {};
  double axial[4 * points] = {}, strain_r[12 * points] = {};
  double panels[9 * panel_size] = {}, skew[9 * panel_size] = {}, block[4][144] = {};
};

/// Elements that move and through which cable flows.
struct Case {
  FlowParameters par;
  double q[coordinates], ahead[coordinates], v[coordinates], b[coordinates], d[coordinates],
      carried[4 * points], past[4 * points], moment[12 * points];
  FlowPack at;
  FlowAssembly io;

  Case(Kind kind, Tangent tangent, bool damped, bool running, int count, bool together,
       unsigned seed)
      : par(parameters(kind)) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> random(-1, 1);
    const bool slopes = par.unit.slopes;
    const double stretch = seed % 2 == 0 ? 1.05 : 0.9;  // taut or not
    for (int i = 0; i < 8; ++i) {
      for (double* field : {q, ahead})
        for (int k = 0; k < 6; ++k) {
          const double straight = k == 0 ? 0.8 * stretch * i : k == 3 ? stretch : 0;
          field[6 * i + k] = k < 3 || slopes ? straight + 0.05 * random(engine) : 0;
        }
      for (double* field : {v, b, d})
        for (int k = 0; k < 6; ++k) field[6 * i + k] = k < 3 || slopes ? random(engine) : 0;
    }
    for (double* field : {q, ahead, v, b, d})
      for (int k = 0; k < 2; ++k) field[flow_at + k] = 0.1 * random(engine);
    for (double& x : carried) x = 50 * random(engine);
    for (double& x : past) x = 20 * random(engine);
    for (double& x : moment) x = random(engine);
    at.count = count;
    at.together = together;
    at.flows = 2;
    for (int k = 0; k < 2; ++k) at.scalar[k] = k, at.flow_at[k] = flow_at + k;
    for (int i = 0; i < flow_lanes; ++i) {
      const int lane = i < count ? i : 0;
      at.first[i] = (together ? 6 : 12) * lane;
      at.point[i] = at.slope[i] = at.bending[i] = lane;
      for (int end = 0; end < 2; ++end) {
        at.base[end].at[i] = 0.8 * end + 0.1 * random(engine);
        at.crosses_p[end].at[i] = i != 1;
        at.crosses_r[end].at[i] = end == 1 && i != 1;
        for (auto& share : at.share) share[end].at[i] = random(engine);
      }
    }
    io.parameters = &par;
    io.green = kind == Kind::green;
    io.tangent = tangent;
    io.running = running;
    if (tangent == Tangent::mixed) io.force_n = carried;
    if (damped) io.axial_factor = 1.3, io.bending_factor = 1.6, io.past_force = past;
    if (damped && slopes) io.moment = moment;
    io.q = q, io.ahead = seed == 2 ? q : ahead, io.v = v, io.b = b;
    io.mass_weight = 1.7;
    io.stiffness_weight = 0.4;
    io.convection_weight = 0.3;
    io.load_factor = 0.9;
  }

  [[nodiscard]] double p(const double* of, int lane, int end) const {
    double sum = 0;
    for (int k = 0; k < 2; ++k) sum += at.share[k][end].at[lane] * of[flow_at + k];
    return sum;
  }
  [[nodiscard]] double length(const double* of, int lane) const {
    return at.base[1].at[lane] + p(of, lane, 1) - at.base[0].at[lane] - p(of, lane, 0);
  }

  void assemble(bool panels, Sums& out) {
    double rows[2][coordinates] = {};
    io.force = out.force;
    io.inertia = out.inertia;
    io.axial_star = out.axial;
    io.strain_r = out.strain_r;
    io.border_columns = out.border[0];
    io.border_rows = rows[0];
    io.border_length = coordinates;
    io.corner = out.corner[0];
    io.scalars = 2;
    io.panels = panels ? out.panels : nullptr;
    io.skew = out.skew;
    io.block = out.block;
    kernels().elements->assemble_flow(at, io);
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < coordinates; ++i) EXPECT_EQ(rows[k][i], out.border[k][i]);
  }
};

void elastic(Kind kind, const Case& one, int lane, FlowElastic<double>& out) {
  double carried[points], past[points], moment[3 * points + 1];
  const FlowAssembly& io = one.io;
  const double l = one.length(io.q, lane);
  ViscousPoints<double> viscous{io.axial_factor, io.bending_factor};
  for (int g = 0; g < points; ++g) carried[g] = one.carried[4 * g + lane];
  for (int g = 0; g < points; ++g) past[g] = one.past[4 * g + lane];
  for (int k = 0; k < 3 * points; ++k) moment[k] = l * one.moment[4 * k + lane];
  if (io.past_force) viscous.force = past;
  if (io.moment) viscous.moment = moment;
  const double* force_n = io.force_n ? carried : nullptr;
  const auto by = [&](auto strain, auto law) {
    using S = decltype(strain);
    using L = decltype(law);
    using C = SecondDerivativeCurvature;
    const double* e = io.q + one.at.first[lane];
    if (io.tangent == Tangent::none)
      flow_elastic<S, C, Tangent::none, L>(one.par, e, l, force_n, out, viscous);
    else if (io.tangent == Tangent::own)
      flow_elastic<S, C, Tangent::own, L>(one.par, e, l, force_n, out, viscous);
    else
      flow_elastic<S, C, Tangent::mixed, L>(one.par, e, l, force_n, out, viscous);
  };
  if (kind == Kind::tension_only)
    by(EngineeringStrain(), TensionOnly());
  else if (kind == Kind::green)
    by(GreenStrain(), LinearElastic());
  else
    by(EngineeringStrain(), LinearElastic());
}

/// Forces of a lane, by the functions of flow.h one after the other.
void add_forces(const Case& one, int lane, const FlowElastic<double>& elastic, Sums& out) {
  const FlowParameters& par = one.par;
  const FlowAssembly& io = one.io;
  const long first = one.at.first[lane];
  const double *e = io.q + first, *ahead = io.ahead + first, *rates = io.v + first,
               l = one.length(io.q, lane), ahead_length = one.length(io.ahead, lane),
               rate[2] = {one.p(io.v, lane, 0), one.p(io.v, lane, 1)};
  double energy, weight[flow_size], f[12], c[12], mass[10], D[2][12], on_p[2];
  flow_weight(par, e, l, energy, weight, static_cast<double*>(nullptr));
  const double by_length = elastic.gradient[12] + io.load_factor * weight[12];
  flow_convection(par, ahead, rates, ahead_length, rate[0], rate[1], c);
  flow_mass(par, ahead_length, mass);
  flow_mass_times(mass, c, f);
  flow_columns(par, ahead, ahead_length, D[0], D[1]);
  for (int end = 0; end < 2; ++end) {
    on_p[end] = end == 0 ? by_length : -by_length;
    for (int i = 0; i < 12; ++i) on_p[end] -= D[end][i] * f[i];
  }
  for (int i = 0; i < 12; ++i) f[i] = -f[i] - elastic.gradient[i] - io.load_factor * weight[i];
  if (par.lumped()) {
    double on_r[3], more;
    flow_lumping(par, ahead, rates, ahead_length, rate[0], rate[1], on_r, more);
    on_p[0] += more, on_p[1] -= more;
    for (int i = 0; i < 3; ++i) f[i] += on_r[i], f[6 + i] -= on_r[i];
  }
  for (int end = 0; end < 2; ++end) {
    double on_r[3], crossing;
    flow_crossing(par, end, ahead, rates, ahead_length, rate[end], on_r, crossing);
    on_p[end] -= one.at.crosses_p[end].at[lane] * crossing;
    for (int i = 0; i < 3; ++i) f[6 * end + i] -= one.at.crosses_r[end].at[lane] * on_r[i];
  }
  for (int i = 0; i < 12; ++i) out.force[first + i] += f[i];
  for (int k = 0; k < 2; ++k)
    for (int end = 0; end < 2; ++end)
      out.force[flow_at + k] += one.at.share[k][end].at[lane] * on_p[end];
  double w[12];
  for (int i = 0; i < 12; ++i)
    w[i] = io.b[first + i] + one.p(io.b, lane, 0) * D[0][i] + one.p(io.b, lane, 1) * D[1][i];
  flow_mass_times(mass, w, f);
  for (int i = 0; i < 12; ++i) out.inertia[first + i] += f[i];
  for (int end = 0; end < 2; ++end) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += D[end][i] * f[i];
    for (int k = 0; k < 2; ++k) out.inertia[flow_at + k] += one.at.share[k][end].at[lane] * sum;
  }
  for (int g = 0; g < par.unit.axial_points; ++g) {
    out.axial[4 * g + lane] = elastic.force[g];
    for (int i = 0; i < 3; ++i) out.strain_r[12 * g + 4 * i + lane] = elastic.strain_r[g][i];
  }
}

void add_matrix(const Case& one, int lane, const FlowElastic<double>& elastic, Sums& out) {
  const FlowParameters& par = one.par;
  const FlowAssembly& io = one.io;
  const long first = one.at.first[lane];
  const double *e = io.q + first, *ahead = io.ahead + first, l = one.length(io.q, lane),
               ahead_length = one.length(io.ahead, lane);
  double energy, weight[flow_size], by_length[flow_size], mass[10], D[2][12], MD[2][12], A2[16],
      B[16];
  flow_weight(par, e, l, energy, weight, by_length);
  flow_mass(par, ahead_length, mass);
  flow_columns(par, ahead, ahead_length, D[0], D[1]);
  flow_convection_matrices(ahead_length, one.p(io.v, lane, 0), one.p(io.v, lane, 1), A2, B);
  for (int end = 0; end < 2; ++end) flow_mass_times(mass, D[end], MD[end]);
  double(&block)[144] = out.block[lane];
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 12; ++i) {
      double entry = io.stiffness_weight * elastic.hessian[flow_size * j + i];
      if (i % 3 == j % 3) {
        entry += io.mass_weight * mass[flow_pair[i / 3][j / 3]];
        for (int k = 0; k < 4 && io.running; ++k)
          entry += mass[flow_pair[i / 3][k]] * (io.convection_weight * A2[4 * k + j / 3] +
                                                io.stiffness_weight * B[4 * k + j / 3]);
      }
      block[12 * j + i] = entry;
    }
  double* panels = out.panels + panel_size / 6 * first;
  double* skew = out.skew + (panels - out.panels);
  for (int j = 0; j < 12; ++j)
    for (int i = j; i < 12; ++i) {
      const int at = j < 6 ? panel_rows * j + i : panel_size + panel_rows * (j - 6) + i - 6;
      panels[at] += block[12 * j + i];
      skew[at] += block[12 * i + j] - block[12 * j + i];
    }
  const double* column = elastic.hessian + flow_size * 12;
  const double sign[2] = {-1, 1};
  for (int k = 0; k < 2; ++k)
    for (int end = 0; end < 2; ++end) {
      const double share = one.at.share[k][end].at[lane];
      for (int i = 0; i < 12; ++i)
        out.border[k][first + i] +=
            share * (io.mass_weight * MD[end][i] +
                     io.stiffness_weight * sign[end] * (column[i] + io.load_factor * by_length[i]));
      for (int m = 0; m < 2; ++m)
        for (int other = 0; other < 2; ++other) {
          double entry = io.stiffness_weight * sign[end] * sign[other] *
                         (column[12] + io.load_factor * by_length[12]);
          for (int i = 0; i < 12; ++i) entry += io.mass_weight * D[end][i] * MD[other][i];
          out.corner[k][m] += share * one.at.share[m][other].at[lane] * entry;
        }
    }
}

template <size_t n>
void expect_near(const double (&ours)[n], const double (&expected)[n], double scale,
                 const char* what) {
  for (size_t i = 0; i < n; ++i)
    EXPECT_NEAR(ours[i], expected[i], 1e-12 * (1 + scale)) << what << " " << i;
}

void expect_assembly(Kind kind, Case& one, bool panels) {
  Sums ours, expected;
  one.assemble(panels, ours);
  const bool matrix = one.io.tangent != Tangent::none;
  for (int lane = 0; lane < one.at.count; ++lane) {
    FlowElastic<double> result;
    elastic(kind, one, lane, result);
    add_forces(one, lane, result, expected);
    if (matrix) add_matrix(one, lane, result, expected);
  }
  if (one.at.together)  // lanes without an element hold anything
    for (int i = 0; i < 12 * points; ++i)
      if (i % 4 >= one.at.count) {
        ours.strain_r[i] = 0;
        if (i < 4 * points) ours.axial[i] = 0;
      }
  expect_near(ours.axial, expected.axial, 1200, "axial force");
  expect_near(ours.strain_r, expected.strain_r, 1, "eps_r'");
  expect_near(ours.force, expected.force, 4000, "force");
  expect_near(ours.inertia, expected.inertia, 4, "inertia");
  if (!matrix) return;
  for (int k = 0; k < 2; ++k) {
    expect_near(ours.border[k], expected.border[k], 2e4, "border");
    expect_near(ours.corner[k], expected.corner[k], 4e4, "corner");
  }
  if (!panels) {
    for (int lane = 0; lane < one.at.count; ++lane)
      expect_near(ours.block[lane], expected.block[lane], 1e4, "block");
    return;
  }
  for (int at = 0; at < 9 * panel_size; ++at) {  // what is above the diagonal is not looked at
    if (at % panel_rows < at % panel_size / panel_rows) continue;
    EXPECT_NEAR(ours.panels[at], expected.panels[at], 2e-8) << "panel " << at;
    EXPECT_NEAR(ours.skew[at], expected.skew[at], 2e-8) << "skew " << at;
  }
}

TEST(FlowKernel, IsWhatTheFormulasSay) {
  for (const Kind kind : {Kind::green, Kind::engineering, Kind::four_points, Kind::straight,
                          Kind::lumped, Kind::tension_only})
    for (const Tangent tangent : {Tangent::none, Tangent::own, Tangent::mixed})
      for (const bool damped : {false, true})
        for (const bool together : {false, true})
          for (int count = 1; count <= flow_lanes; ++count) {
            SCOPED_TRACE(testing::Message()
                         << "kind " << static_cast<int>(kind) << ", tangent "
                         << static_cast<int>(tangent) << ", damped " << damped << ", together "
                         << together << ", " << count << " elements");
            const bool running = parameters(kind).unit.slopes && count % 2 == 0;
            for (unsigned seed = 1; seed <= 2; ++seed)
              for (const bool panels : {false, true}) {
                Case one(kind, tangent, damped, running, count, together, seed);
                expect_assembly(kind, one, panels);
              }
          }
}

TEST(FlowKernel, EnergyIsThatOfTheForcesGiven) {
  for (const Kind kind : {Kind::green, Kind::four_points, Kind::straight, Kind::lumped})
    for (const bool together : {false, true})
      for (int count = 1; count <= flow_lanes; ++count) {
        const Case one(kind, Tangent::mixed, true, false, count, together, 3);
        const AncfParameters& unit = one.par.unit;
        FlowEnergyIo io{&one.par, one.q, one.v, one.carried, one.past};
        FlowEnergy ours, expected;
        kernels().elements->flow_energy(one.at, io, ours);
        for (int lane = 0; lane < count; ++lane) {
          const long first = one.at.first[lane];
          const double *e = one.q + first, l = one.length(one.q, lane);
          double energy, weight[flow_size], mass[10], D[2][12], w[12], f[12], x[9];
          flow_weight(one.par, e, l, energy, weight, static_cast<double*>(nullptr));
          flow_mass(one.par, l, mass);
          flow_columns(one.par, e, l, D[0], D[1]);
          for (int i = 0; i < 12; ++i)
            w[i] = one.v[first + i] + one.p(one.v, lane, 0) * D[0][i] +
                   one.p(one.v, lane, 1) * D[1][i];
          flow_mass_times(mass, w, f);
          for (int i = 0; i < 12; ++i) expected.kinetic += w[i] * f[i] / 2;
          detail::flow_reduce(e, l, x);
          expected.bending += detail::flow_bending<SecondDerivativeCurvature>(unit, x) / l;
          expected.gravity += energy;
          for (int g = 0; g < unit.axial_points; ++g) {
            const double N = one.carried[4 * g + lane] - one.past[4 * g + lane];
            expected.axial += l * unit.axial[g].w * N * N / (2 * unit.law.EA);
          }
        }
        EXPECT_NEAR(ours.kinetic, expected.kinetic, 1e-12 * (1 + expected.kinetic));
        EXPECT_NEAR(ours.axial, expected.axial, 1e-12 * (1 + expected.axial));
        EXPECT_NEAR(ours.bending, expected.bending, 1e-12 * (1 + expected.bending));
        EXPECT_NEAR(ours.gravity, expected.gravity, 1e-12 * (1 + std::abs(expected.gravity)));
      }
}

/// The update is what the force changes by along a correction, to first order.
TEST(FlowKernel, AxialUpdateIsTheDerivative) {
  for (const Kind kind : {Kind::green, Kind::engineering, Kind::four_points, Kind::straight})
    for (const bool together : {false, true})
      for (int count = 1; count <= flow_lanes; ++count) {
        const double small = 1e-5;
        Case one(kind, Tangent::none, false, false, count, together, 4);
        Sums sums;
        one.assemble(false, sums);
        double axial[4 * points] = {}, d[coordinates], turned = 0;
        for (int i = 0; i < coordinates; ++i) d[i] = small * one.d[i];
        FlowAxialUpdateIo io{&one.par, one.q, d, sums.axial, sums.strain_r, axial};
        FlowAxialChange change;
        kernels().elements->flow_axial_update(one.at, io, change);
        for (int lane = 0; lane < count; ++lane) {
          const double l = one.length(one.q, lane), by = one.p(d, lane, 1) - one.p(d, lane, 0);
          turned = std::max(turned, std::abs(by) / l);
          double force[2][points];
          for (const int side : {0, 1}) {
            double e[12];
            const double sign = side == 0 ? -1 : 1;
            const long first = one.at.first[lane];
            for (int i = 0; i < 12; ++i) e[i] = one.q[first + i] + sign * d[first + i];
            FlowElastic<double> out;
            const double* none = nullptr;
            if (kind == Kind::green)
              flow_elastic<GreenStrain, SecondDerivativeCurvature, Tangent::none>(
                  one.par, e, l + sign * by, none, out);
            else
              flow_elastic<EngineeringStrain, SecondDerivativeCurvature, Tangent::none>(
                  one.par, e, l + sign * by, none, out);
            std::copy_n(out.force, one.par.unit.axial_points, force[side]);
          }
          for (int g = 0; g < one.par.unit.axial_points; ++g)
            EXPECT_NEAR(axial[4 * g + lane] - sums.axial[4 * g + lane],
                        (force[1][g] - force[0][g]) / 2, 1e-6 * 1200 * small);
        }
        if (one.par.unit.slopes) EXPECT_NEAR(change.turned, turned, 1e-12);
        EXPECT_FALSE(change.pushes);
      }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
