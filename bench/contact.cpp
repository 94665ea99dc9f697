// Cables that touch things, against closed forms: docs/theory/contact.md.
#include <fmt/format.h>

#include "bench/benches.h"
#include "bench/contact_belts.h"
#include "bench/contact_bodies.h"
#include "bench/contact_cables.h"
#include "bench/contact_cases.h"
#include "bench/contact_scenes.h"
#include "bench/flow_scenes.h"

namespace hawser {

BenchRow touch_row(std::string name, std::string quantity, std::string unit, double ours,
                   double reference, double tolerance, Tolerance kind, std::string source) {
  BenchRow row;
  row.name = std::move(name);
  row.quantity = std::move(quantity);
  row.unit = std::move(unit);
  if (std::isfinite(ours)) row.ours = ours;
  row.reference = reference;
  row.tolerance = tolerance;
  row.kind = kind;
  row.source = std::move(source);
  return row;
}

namespace touching {
namespace {

/// Tension ratio of a capstan that slips, or NaN.
double ratio_of(const Capstan& c, double h) {
  TouchRun run(capstan(c), by(h));
  if (run.to(2) != Status::ok) return std::nan("");
  return run.mean_pull(3) / c.T2;
}

void add_capstans(BenchReport& report) {
  struct Case {
    double friction, half_turns;
  };
  for (const Case& c : {Case{0.2, 1}, Case{0.3, 1}, Case{0.15, 3}}) {
    Capstan drum;
    drum.friction = c.friction;
    drum.angle = c.half_turns * pi;
    for (const double h : {1e-3, 1e-2})
      report.add(touch_row(fmt::format("capstan, mu = {:g}, {:g} pi, l = R/5, h = {:g} s",
                                       c.friction, c.half_turns, h),
                           "T1/T2", "", ratio_of(drum, h), std::exp(c.friction * c.half_turns * pi),
                           2e-3, Tolerance::relative, "exp(mu theta)"));
  }
  struct Bent {
    double EI, T1, stiffness;
  };
  for (const auto& [EI, T1, stiffness] : {Bent{0.01, 187.0089, 2e7}, Bent{0.01, 187.0089, 1e8},
                                          Bent{0.1, 183.4658, 2e7}, Bent{0.1, 183.4658, 1e8}}) {
    Capstan drum;
    drum.EI = EI;
    drum.on_half_turn = 32;
    drum.stiffness = stiffness;
    report.add(
        touch_row(fmt::format("capstan with EI = {:g} N m^2, k = {:g} N/m^2, l = R/10, h = 0.001 s",
                              EI, stiffness),
                  "T1", "N", drum.T2 * ratio_of(drum, 1e-3), T1, 1e-3, Tolerance::relative,
                  "closed form with lift-off angles"));
  }
}

/// Mean of the tension at the winch over that at the other end, or NaN.
double ratio_at_winch(const Capstan& c, CableModel model, double h) {
  flowing::FlowRun run(capstan_of_winch(c, model), by(h));
  double sum = 0;
  int steps = 0;
  if (run.to(1) != Status::ok) return std::nan("");
  for (; run.state.t < 2; ++steps) {
    if (run.step() != Status::ok) return std::nan("");
    sum += run.read("rope.tension@start");
  }
  return sum / steps / c.T2;
}

void add_winches(BenchReport& report) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double way : {1.0, -1.0})
      for (const double h : {1e-3, 1e-2}) {
        Capstan drum;
        drum.speed *= way;
        report.add(touch_row(fmt::format("{} drawn {} a winch, mu = 0.2, pi, l = R/5, h = {:g} s",
                                         model == CableModel::ancf ? "ancf" : "np-fem",
                                         way > 0 ? "in by" : "out of", h),
                             "T1/T2", "", ratio_at_winch(drum, model, h),
                             std::exp(way * drum.friction * pi), 5e-3, Tolerance::relative,
                             "exp(+-mu theta)"));
      }
}

/// Two loads over a bar that friction holds: how far the top of the rope creeps from 1 s to 60 s.
void add_hold(BenchReport& report) {
  for (const double share : {0.5, 0.9})
    for (const double h : {1e-3, 1e-2}) {
      TouchRun run(held_load(share), by(h));
      double creep = std::nan("");
      if (run.to(1) == Status::ok) {
        const Vec3 before = run.middle();
        if (run.to(60) == Status::ok) creep = 1e3 * (run.middle() - before).norm();
      }
      report.add(touch_row(
          fmt::format("load held over a bar, {:g} % of capacity, h = {:g} s", 100 * share, h),
          "creep from 1 s to 60 s", "mm", creep, 0, 1e-3, Tolerance::absolute, "rest"));
    }
}

void add_drops(BenchReport& report) {
  const double H = 0.05, v = 2, mu = 0.4, u = v - mu * std::sqrt(2 * g * H);
  const double slides = v * std::sqrt(2 * H / g) + u * u / (2 * mu * g);
  struct Case {
    const char* name;
    double height, speed, slant;
  };
  for (const Case& c :
       {Case{"rope dropped flat at 2 m/s", H, v, 0}, Case{"rope dropped aslant", 0.02, 0, 0.3}})
    for (const double h : {1e-3, 1e-2}) {
      TouchRun run(dropped_rope(c.height, c.speed, mu, c.slant), by(h));
      const double start = energy(run.model, run.state).total();
      double most = start;
      bool sound = true;
      while (sound && run.state.t < 1) {
        sound = run.integrator.step(run.state) == Status::ok;
        most = std::max(most, energy(run.model, run.state).total());
      }
      const std::string name = fmt::format("{}, h = {:g} s", c.name, h);
      if (c.slant == 0)
        report.add(touch_row(name, "slides", "m", sound ? run.state.q[0] : std::nan(""), slides,
                             1e-2, Tolerance::relative, "plastic impact, Coulomb friction"));
      report.add(touch_row(name, "largest gain of energy over the start", "",
                           sound ? std::max(0.0, most / start - 1) : std::nan(""), 0, 1e-3,
                           Tolerance::absolute, "none"));
    }
}

/// A link's momentum is 1.3 % of what the ground has carried by 0.4 s, by a hundred links.
void add_falling_chain(BenchReport& report) {
  struct Case {
    int links;
    double step;
  };
  for (const auto& [links, step] : {Case{50, 1e-3}, Case{100, 5e-4}, Case{100, 1e-4}}) {
    TouchRun run(falling_chain(links), by(step));
    const double reading = run.to(0.3) == Status::ok ? run.mean_reading(0.44) : std::nan("");
    report.add(touch_row(fmt::format("chain of {} links falls on a scale, h = {:g} s", links, step),
                         "reading over the weight lying", "", reading, 3, 2e-2, Tolerance::relative,
                         "weight, and momentum of what lands"));
  }
}

}  // namespace
}  // namespace touching

BenchReport bench_contact() {
  using namespace touching;
  BenchReport report("contact", "hawser bench contact",
                     "Cables that touch drums, bars and the ground, with friction; `mixed` with "
                     "generalized-alpha, rho_infinity 0.");
  add_capstans(report);
  add_winches(report);
  add_hold(report);
  add_drops(report);
  add_falling_chain(report);
  add_contact_statics(report);
  add_edge_rows(report);
  add_belt_rows(report);
  add_zip_line(report);
  add_touching_bodies(report);
  add_cable_rows(report);
  return report;
}

}  // namespace hawser
