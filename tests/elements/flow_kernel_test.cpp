// The kernel of flowing elements against the formulas that conformance tests check (flow.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "elements/flow_io.h"
#include "elements/kernel_io.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double gravity[3] = {0.3, -0.2, -9.81};

enum class Kind { green, engineering, straight, lumped, tension_only };

FlowParameters parameters(Kind kind) {
  if (kind == Kind::green || kind == Kind::engineering)
    return flow_parameters({1200.0, 1.5}, 0.7, gravity, 5, 3);
  return straight_flow_parameters(1200.0, 0.7, gravity, kind == Kind::lumped,
                                  kind == Kind::tension_only);
}

void elastic(Kind kind, const FlowElementIn& in, FlowElastic<double>& out) {
  const auto by = [&](auto strain, auto law) {
    using S = decltype(strain);
    using L = decltype(law);
    using C = SecondDerivativeCurvature;
    const FlowParameters& par = *in.parameters;
    if (in.tangent == Tangent::none)
      flow_elastic<S, C, Tangent::none, L>(par, in.e, in.length, in.force_n, out, in.viscous);
    else if (in.tangent == Tangent::own)
      flow_elastic<S, C, Tangent::own, L>(par, in.e, in.length, in.force_n, out, in.viscous);
    else
      flow_elastic<S, C, Tangent::mixed, L>(par, in.e, in.length, in.force_n, out, in.viscous);
  };
  if (kind == Kind::tension_only)
    by(EngineeringStrain(), TensionOnly());
  else if (kind == Kind::green)
    by(GreenStrain(), LinearElastic());
  else
    by(EngineeringStrain(), LinearElastic());
}

/// Numbers of an element that moves and through which cable flows.
struct Case {
  FlowParameters par;
  double e[16], ahead[16], rates[16], b[16], carried[max_gauss_points], past[max_gauss_points],
      moment[3 * max_gauss_points + 1];
  FlowElementIn in;

  Case(Kind kind, Tangent tangent, bool damped, unsigned seed) : par(parameters(kind)) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> random(-1, 1);
    const bool slopes = par.unit.slopes;
    const double stretch = seed % 2 == 0 ? 1.05 : 0.9;  // taut or not
    in.length = 0.8 + 0.1 * random(engine);
    in.ahead_length = in.length + 0.01 * random(engine);
    for (double* field : {e, ahead})
      for (int i = 0; i < 12; ++i) {
        const double straight = i == 6 ? stretch * in.length : i % 6 == 3 ? stretch : 0;
        field[i] = i % 6 < 3 || slopes ? straight + 0.05 * random(engine) : 0;
      }
    for (double* field : {rates, b})
      for (int i = 0; i < 12; ++i) field[i] = i % 6 < 3 || slopes ? random(engine) : 0;
    for (double* field : {e, ahead, rates, b}) std::fill(field + 12, field + 16, 1e3);
    for (double& x : carried) x = 50 * random(engine);
    for (double& x : past) x = 20 * random(engine);
    for (double& x : moment) x = random(engine);
    in.parameters = &par;
    in.green = kind == Kind::green;
    in.tangent = tangent;
    if (tangent == Tangent::mixed) in.force_n = carried;
    if (damped) in.viscous = {1.3, 1.6, past, slopes ? moment : nullptr};
    in.e = e, in.ahead = ahead, in.rates = rates, in.b = b;
    for (int i = 0; i < 2; ++i) in.rate[i] = random(engine), in.b_flow[i] = random(engine);
    in.mass_weight = 1.7;
    in.stiffness_weight = 0.4;
    in.load_factor = 0.9;
    in.crosses_p[0] = in.crosses_p[1] = in.crosses_r[1] = true;
  }
};

void expect_near(double ours, double expected, double scale, const char* what) {
  EXPECT_NEAR(ours, expected, 1e-12 * (1 + scale)) << what;
}

/// Forces, by the functions of flow.h one after the other.
void expect_forces(const FlowElementIn& in, const FlowElastic<double>& elastic,
                   const FlowElementOut& out) {
  const FlowParameters& par = *in.parameters;
  double energy, weight[flow_size], f[12], c[12], mass[10], D[2][12], on_p[2];
  flow_weight(par, in.e, in.length, energy, weight, static_cast<double*>(nullptr));
  const double by_length = elastic.gradient[12] + in.load_factor * weight[12];
  flow_convection(par, in.ahead, in.rates, in.ahead_length, in.rate[0], in.rate[1], c);
  flow_mass(par, in.ahead_length, mass);
  flow_mass_times(mass, c, f);
  flow_columns(par, in.ahead, in.ahead_length, D[0], D[1]);
  for (int end = 0; end < 2; ++end) {
    on_p[end] = end == 0 ? by_length : -by_length;
    for (int i = 0; i < 12; ++i) on_p[end] -= D[end][i] * f[i];
  }
  for (int i = 0; i < 12; ++i) f[i] = -f[i] - elastic.gradient[i] - in.load_factor * weight[i];
  if (par.lumped()) {
    double on_r[3], more;
    flow_lumping(par, in.ahead, in.rates, in.ahead_length, in.rate[0], in.rate[1], on_r, more);
    on_p[0] += more, on_p[1] -= more;
    for (int i = 0; i < 3; ++i) f[i] += on_r[i], f[6 + i] -= on_r[i];
  }
  for (int end = 0; end < 2; ++end) {
    double on_r[3], crossing;
    flow_crossing(par, end, in.ahead, in.rates, in.ahead_length, in.rate[end], on_r, crossing);
    on_p[end] -= crossing;
    for (int i = 0; i < 3 && in.crosses_r[end]; ++i) f[6 * end + i] -= on_r[i];
  }
  const double scale = 1200;
  for (int i = 0; i < 12; ++i) expect_near(out.force[i], f[i], scale, "force");
  for (int end = 0; end < 2; ++end) expect_near(out.force_p[end], on_p[end], scale, "on p");
  double w[12];
  for (int i = 0; i < 12; ++i) w[i] = in.b[i] + in.b_flow[0] * D[0][i] + in.b_flow[1] * D[1][i];
  flow_mass_times(mass, w, f);
  for (int i = 0; i < 12; ++i) expect_near(out.inertia[i], f[i], 1, "inertia");
  for (int end = 0; end < 2; ++end) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += D[end][i] * f[i];
    expect_near(out.inertia_p[end], sum, 1, "inertia of p");
  }
}

void expect_matrix(const FlowElementIn& in, const FlowElastic<double>& elastic,
                   const FlowElementOut& out) {
  const FlowParameters& par = *in.parameters;
  double energy, weight[flow_size], by_length[flow_size], mass[10], D[2][12], MD[2][12];
  flow_weight(par, in.e, in.length, energy, weight, by_length);
  flow_mass(par, in.ahead_length, mass);
  flow_columns(par, in.ahead, in.ahead_length, D[0], D[1]);
  for (int end = 0; end < 2; ++end) flow_mass_times(mass, D[end], MD[end]);
  const double scale = 1e4, sign[2] = {-1, 1};
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 12; ++i) {
      double entry = in.stiffness_weight * elastic.hessian[flow_size * j + i];
      if (i % 3 == j % 3) entry += in.mass_weight * mass[flow_pair[i / 3][j / 3]];
      expect_near(out.block[12 * j + i], entry, scale, "block");
    }
  const double* column = elastic.hessian + flow_size * 12;
  for (int end = 0; end < 2; ++end) {
    for (int i = 0; i < 12; ++i)
      expect_near(out.border[end][i],
                  in.mass_weight * MD[end][i] +
                      in.stiffness_weight * sign[end] * (column[i] + in.load_factor * by_length[i]),
                  scale, "border");
    for (int other = 0; other < 2; ++other) {
      double entry = in.stiffness_weight * sign[end] * sign[other] *
                     (column[12] + in.load_factor * by_length[12]);
      for (int i = 0; i < 12; ++i) entry += in.mass_weight * D[end][i] * MD[other][i];
      expect_near(out.corner[end][other], entry, scale, "corner");
    }
  }
}

TEST(FlowKernel, IsWhatTheFormulasSay) {
  for (const Kind kind :
       {Kind::green, Kind::engineering, Kind::straight, Kind::lumped, Kind::tension_only})
    for (const Tangent tangent : {Tangent::none, Tangent::own, Tangent::mixed})
      for (const bool damped : {false, true})
        for (unsigned seed = 1; seed <= 4; ++seed) {
          SCOPED_TRACE(testing::Message()
                       << "kind " << static_cast<int>(kind) << ", tangent "
                       << static_cast<int>(tangent) << ", damped " << damped << ", seed " << seed);
          const Case one(kind, tangent, damped, seed);
          FlowElementOut out;
          kernels().elements->assemble_flow(one.in, out);
          FlowElastic<double> expected;
          elastic(kind, one.in, expected);
          for (int g = 0; g < one.par.unit.axial_points; ++g) {
            expect_near(out.axial[g], expected.force[g], 1200, "axial force");
            for (int i = 0; i < 3; ++i)
              expect_near(out.strain_r[g][i], expected.strain_r[g][i], 1, "eps_r'");
          }
          expect_forces(one.in, expected, out);
          if (tangent != Tangent::none) expect_matrix(one.in, expected, out);
        }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
