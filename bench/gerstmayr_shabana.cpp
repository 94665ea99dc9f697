// Bending to a semicircle and the soft pendulum in space (Wu et al. 2022, examples 1 and 2, after
// Gerstmayr 2008 and Gerstmayr & Shabana 2006), and frequencies of the straight cable.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench/benches.h"
#include "bench/cases.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/statics.h"

namespace hawser {
namespace {

void add_semicircle(BenchReport& report) {
  struct Tip {
    int elements;
    double x, y;
  };
  const Tip tips[] = {{4, .001726, .638032}, {8, 9.8e-5, .636703}, {16, 6.1e-6, .636625}};
  double before = 0;
  for (const Tip& tip : tips) {
    const Model model(semicircle(tip.elements));
    State state = Integrator(model, {}).start();
    const bool found = equilibrium(model, state).converged;
    const Vec3 r = state.position(model.node(Place::end("strip")));
    const double tip_at[2] = {r.x(), -r.z()};  // a moment about y bends downwards
    for (int i = 0; i < 2; ++i) {
      BenchRow row;
      row.name = fmt::format("semicircle, {} elements", tip.elements);
      row.quantity = i == 0 ? "tip x (exact 0)" : "tip -z (exact 2/pi)";
      row.unit = "m";
      if (found) row.ours = tip_at[i];
      row.reference = i == 0 ? tip.x : tip.y;
      row.tolerance = i == 0 ? (tip.elements == 16 ? 5e-8 : 5e-7) : 5e-7;
      row.kind = Tolerance::absolute;
      row.source = "independent prototype";
      report.add(row);
    }
    const double error = std::hypot(tip_at[0], tip_at[1] - 2 / std::numbers::pi);
    if (before > 0) {
      BenchRow row;
      row.name = fmt::format("semicircle, {} to {} elements", tip.elements / 2, tip.elements);
      row.quantity = "order of the tip's error";
      row.unit = "-";
      row.ours = std::log2(before / error);
      row.reference = 4;
      row.tolerance = 0.25;
      row.kind = Tolerance::absolute;
      row.source = "cubic Hermite elements";
      report.add(row);
    }
    before = error;
    if (tip.elements != 16) continue;
    BenchRow row;
    row.name = "semicircle, 16 elements";
    row.quantity = "elastic energy";
    row.unit = "J";
    row.ours = energy(model, state).axial + energy(model, state).bending;
    row.reference = 4.934802;
    row.tolerance = 2e-5;
    row.source = "closed form, pi^2/2";
    report.add(row);
  }
}

void add_space_pendulum(BenchReport& report) {
  struct Height {
    double t, y;
  };
  // To the end of Fig. 6. From 1.25 s on: another prototype, 32 elements, explicit to 1e-8.
  const Height heights[] = {{.2, -.18575},  {.5, -.37237},   {1, -.10836}, {1.25, -.29512},
                            {1.5, -.27947}, {1.75, -.07343}, {2, -.17068}};
  for (const int elements : {4, 32}) {
    const Model model(gerstmayr_shabana_pendulum(elements));
    SolveOptions o;
    o.method = Method::mixed3;
    o.step = 1e-4;
    Integrator integrator(model, o);
    State state = integrator.start();
    for (const Height& height : heights) {
      BenchRow row;
      row.name = fmt::format("space pendulum, {} elements", elements);
      row.quantity = fmt::format("mid-point Y at {:g} s", height.t);
      row.unit = "m";
      if (integrator.advance(state, height.t) == Status::ok)
        row.ours = state.position(model.node(Place::fraction("rope", 0.5))).y();
      row.reference = height.y;
      row.tolerance = elements == 32 ? 3e-5 : height.t > 1 ? 4e-3 : 3e-3;
      row.kind = Tolerance::absolute;
      row.source = "converged, independent prototype (Wu et al. 2022, Fig. 6)";
      report.add(row);
    }
  }
}

}  // namespace

BenchReport bench_gerstmayr_shabana() {
  BenchReport report("gerstmayr-shabana", "hawser bench gerstmayr-shabana",
                     "An end moment bends a strip into a semicircle; a soft pendulum swings in "
                     "space (engineering strain, material curvature).");
  add_semicircle(report);
  add_space_pendulum(report);
  return report;
}

}  // namespace hawser
