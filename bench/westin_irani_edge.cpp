// Westin & Irani 2022, benchmark 3: a cable slides from a table over an edge, Table 7.
//
// One element of 0.5 m on the table and nine on the 0.5 m that hang; at the edge the position is
// held, the material coordinate is free, and each side has a slope of its own. Virtual work at
// fixed material on both sides, as in their eqs. (12) to (15). MAE: mean |error| of the
// displacement of the first node.
//
// Their weight and friction are explicit, evaluated at the start of a step. The weight of the
// hanging part grows with the flow, so its explicit form costs accuracy: with its derivative in the
// matrix the error is about ten times less. With friction the chain leaves the table at 0.506 s:
// their run of 0.8 s cannot be this system.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

#include "bench/constants.h"
#include "bench/flow_guest.h"
#include "bench/trajectory.h"
#include "bench/westin_irani.h"
#include "loads/flow_state.h"
#include "loads/sliding_friction.h"

namespace hawser {
namespace {

using flow_guest::FlowGuest;
using flow_guest::Span;

constexpr const char* table7 = "Westin & Irani 2022, Table 7";

/// The weight of flowing elements, by virtual work at fixed material and without a tangent.
class ExplicitWeight final : public Term {
 public:
  explicit ExplicitWeight(std::vector<FlowBatch> batches) : batches_(std::move(batches)) {}
  [[nodiscard]] Facts facts() const override {
    Facts out;
    out.stiff = false;
    return out;
  }
  void add(const Configuration& at, const Wanted&, const Sums& sums) const override {
    for (const FlowBatch& batch : batches_)
      for (int e = 0; e < batch.ancf.elements; ++e) {
        const FlowState here(batch, e, at.q, at.v);
        const double l = here.length, w = -batch.parameters.mass * constants::g;
        double f[12] = {};
        f[2] = f[8] = w * l / 2;
        f[5] = w * l * l / 12;
        f[11] = -f[5];
        spread_flow(batch, e, here, f, sums.force);
      }
  }
  void add_energy(const EnergyState& at, EnergyParts& out) const override {
    for (const FlowBatch& batch : batches_)
      for (int e = 0; e < batch.ancf.elements; ++e) {
        const FlowState here(batch, e, at.q, at.v);
        const double l = here.length, *x = here.e;
        out.gravity += batch.parameters.mass * constants::g *
                       (l * (x[2] + x[8]) / 2 + l * l * (x[5] - x[11]) / 12);
      }
  }

 private:
  std::vector<FlowBatch> batches_;
};

/// A term on the elements of another guest.
class Beside final : public Guest {
 public:
  std::function<std::shared_ptr<const Term>(const ModelData&)> make;
  void declare(ModelData&) override {}
  void start(ModelData&) const override {}
  [[nodiscard]] std::shared_ptr<const Term> term(const ModelData& model) const override {
    return make(model);
  }
};

/// What is explicit.
enum class Explicit { nothing, friction, weight_and_friction };

struct Edge {
  std::shared_ptr<FlowGuest> cable = std::make_shared<FlowGuest>();
  Model model;

  Edge(double friction, Explicit what) : model(made(*this, friction, what)) {}
  /// Of the first node, from where it was [m].
  [[nodiscard]] double displacement(const State& state) const {
    return 0.5 + cable->node(state, 0, 0).x();
  }

 private:
  static Model made(Edge& edge, double friction, Explicit what);
};

Model Edge::made(Edge& edge, double friction, Explicit what) {
  const std::shared_ptr<FlowGuest> cable = edge.cable;
  constexpr double E = 1e7, area = 7.853981633974483e-5;  // [Pa], [m^2]
  cable->law = {E * area, E * 1e-8};
  cable->mass = 5000 * area;
  cable->strain = StrainMeasure::green;
  cable->weight_apart = what == Explicit::weight_and_friction;
  Span table, hanging;
  table.from = {-0.5, 0, 0};
  hanging.to = {0, 0, -0.5};
  table.p = {0, 0.5};
  hanging.p = flow_guest::nodes(0.5, 1, 9);
  table.flow[1] = hanging.flow[0] = 0;
  table.held[1] = hanging.held[0] = table.open[1] = hanging.open[0] = true;
  table.level = true;
  cable->spans = {table, hanging};
  cable->flows.resize(1);
  Guests guests = {cable};
  if (cable->weight_apart) {
    auto weight = std::make_shared<Beside>();
    weight->make = [cable](const ModelData& data) {
      return std::make_shared<ExplicitWeight>(
          std::vector<FlowBatch>{cable->elements(data, 0), cable->elements(data, 1)});
    };
    guests.push_back(weight);
  }
  if (friction > 0) {
    auto rubbing = std::make_shared<Beside>();
    rubbing->make = [cable, friction, what](const ModelData& data) {
      FlowBatch batch = cable->elements(data, 0);
      std::copy_n(flow_guest::gravity, 3, batch.parameters.gravity);
      return std::make_shared<SlidingFriction>(
          std::vector<SlidingRun>{
              {std::make_shared<FlowElements>(batch), Vec3::UnitZ(), friction, 1e-3}},
          what == Explicit::nothing);
    };
    guests.push_back(rubbing);
  }
  return Model(compile(flow_guest::beside(), guests));
}

/// x = xs + (.5 - xs) cosh(sqrt(g (1 + mu)) t), xs = mu/(1 + mu): inextensible, until all has left
/// the table.
double rigid_chain(double mu, double t) {
  const double xs = mu / (1 + mu);
  return xs + (0.5 - xs) * std::cosh(std::sqrt(constants::g * (1 + mu)) * t) - 0.5;
}

/// Displacements, `interval` apart.
struct Slide {
  double interval;
  std::vector<double> way;
};

constexpr double reference_step = 1e-5;

Slide reference_slide(double friction, double until) {
  const Edge edge(friction, Explicit::nothing);
  SolveOptions o;
  o.method = Method::newton;
  o.scheme = Scheme::newmark;
  o.step = reference_step;
  o.newton_tolerance = 1e-10;
  Integrator integrator(edge.model, o);
  State state = integrator.start();
  Slide out{5 * o.step, {0}};
  while (state.t < until - o.step / 2) {
    if (integrator.advance(state, state.t + out.interval) != Status::ok)
      throw std::runtime_error("reference run: " + integrator.failure().message());
    out.way.push_back(edge.displacement(state));
  }
  return out;
}

/// Mean |error| [m], or nothing where the run fails.
std::optional<double> slide_error(const Edge& edge, const SolveOptions& options,
                                  const Slide& reference, double until) {
  Integrator integrator(edge.model, options);
  State state = integrator.start();
  const long n = std::lround(until / options.step);
  double sum = 0;
  for (long i = 1; i <= n; ++i) {
    if (integrator.step(state) != Status::ok) return {};
    const auto at = static_cast<size_t>(
        std::lround(static_cast<double>(i) * options.step / reference.interval));
    sum += std::abs(edge.displacement(state) - reference.way.at(at));
  }
  return sum / static_cast<double>(n);
}

struct EdgeColumn {
  double friction, until;                 ///< ours [s]
  double paper_until;                     ///< theirs [s]
  double error[westin_irani_step_count];  ///< published MAE [mm]
  double time[westin_irani_step_count];   ///< published [s]
  double implicit_time;                   ///< of the fully implicit Newmark [s]
};
constexpr EdgeColumn edge_columns[] = {{0,
                                        .4,
                                        .4,
                                        {2.30, 2.34, 2.39, 2.52, 2.57, 2.16, 3.83},
                                        {17.23, 7.35, 3.47, 1.80, .79, .39, .23},
                                        931.14},
                                       {.4,
                                        .5,
                                        .8,
                                        {1.20, .82, .65, 3.03, 10.11, 13.28, 27.89},
                                        {35.53, 13.66, 7.21, 3.38, 1.47, .76, .40},
                                        1251.70}};

struct EdgeWay {
  const char* name;
  Explicit what;
  int method;  ///< of westin_irani_methods
};
constexpr EdgeWay edge_ways[] = {{"hht, explicit weight", Explicit::weight_and_friction, 1},
                                 {"hht, weight in the matrix", Explicit::friction, 1},
                                 {"mixed", Explicit::nothing, 4}};

BenchRow edge_row(const EdgeColumn& of, const char* name, double h) {
  BenchRow row;
  row.name = fmt::format("edge mu={:g} {} h={:g}", of.friction, name, h);
  row.extra = {{"table", 7}, {"E", 1e7}, {"h", h}, {"method", name}};
  return row;
}

void add_edge_errors(BenchReport& report, const EdgeColumn& of) {
  constexpr double prototype[] = {.014, .034, .068, .137, .347, .707, 1.42};
  const Slide reference = reference_slide(of.friction, of.until);
  for (const EdgeWay& way : edge_ways) {
    const Edge edge(of.friction, way.what);
    for (int i = 0; i < westin_irani_step_count; ++i) {
      const double h = westin_irani_steps[i];
      const SolveOptions options = westin_irani_options(westin_irani_methods[way.method], h);
      BenchRow row = edge_row(of, way.name, h);
      row.quantity = fmt::format("MAE of the displacement, {:g} s", of.until);
      row.unit = "mm";
      const std::optional<double> error = slide_error(edge, options, reference, of.until);
      row.extra.emplace_back("stable", error.has_value());
      if (error) row.ours = 1e3 * *error;
      if (way.what == Explicit::weight_and_friction) {
        row.reference = of.error[i];
        row.source = table7;
        report.add(row);
        if (of.friction > 0) continue;
        row.reference = prototype[i];
        row.tolerance = 0.1;
        row.source = "prototype";
      } else if (of.friction == 0 && h == 1e-2 && way.method == 1) {
        row.reference = 0;
        row.tolerance = 0.25;
        row.kind = Tolerance::absolute;
        row.source = "a tenth of that with explicit weight";
      }
      report.add(row);
    }
  }
}

void add_edge_times(BenchReport& report, const EdgeColumn& of) {
  const auto add = [&](const char* name, double h, const char* quantity, const char* unit,
                       double ours, double paper) {
    BenchRow row = edge_row(of, name, h);
    row.quantity = quantity;
    row.unit = unit;
    row.ours = ours;
    row.reference = paper;
    row.source = fmt::format("{} (MATLAB, i7-6700{})", table7,
                             of.until == of.paper_until ? "" : "; 0.8 s of motion");
    row.extra.emplace_back("stable", std::isfinite(ours));
    report.add(row);
  };
  const Edge implicit(of.friction, Explicit::nothing),
      edge(of.friction, Explicit::weight_and_friction);
  const double slow = run_seconds(implicit.model, westin_irani_implicit(1e-6), of.until);
  add("newton newmark, error control 1e-6", 0, "CPU time", "s", slow, of.implicit_time);
  for (int i = 0; i < westin_irani_step_count; ++i) {
    const double h = westin_irani_steps[i],
                 fast = run_seconds(edge.model, westin_irani_options(westin_irani_methods[1], h),
                                    of.until);
    add(edge_ways[0].name, h, "CPU time", "s", fast, of.time[i]);
    add(edge_ways[0].name, h, "CPU time of newton newmark by this", "", slow / fast,
        of.implicit_time / of.time[i]);
  }
}

}  // namespace

void add_edge_table(BenchReport& report, bool timed) {
  for (const EdgeColumn& of : edge_columns) {
    add_edge_errors(report, of);
    if (timed) add_edge_times(report, of);
  }
}

/// The converged displacement beside a reference; one row for each.
void add_edge_converged(BenchReport& report) {
  struct Known {
    double mu, t;
    std::optional<double> displacement;  ///< of the prototype [m]
  };
  constexpr Known known[] = {{0, .1, .02442964}, {0, .2, .10072873}, {0, .3, .23710607},
                             {0, .4, .44666000}, {.4, .1, {}},       {.4, .2, {}},
                             {.4, .3, {}},       {.4, .4, {}},       {.4, .5, {}}};
  std::optional<Edge> edge;
  std::optional<Integrator> integrator;
  State state;
  for (const Known& k : known) {
    if (k.t == .1) {
      edge.emplace(k.mu, Explicit::nothing);
      integrator.emplace(edge->model, westin_irani_implicit(k.mu > 0 ? 1e-9 : 2e-11));
      state = integrator->start();
    }
    const bool ok = integrator->advance(state, k.t) == Status::ok;
    BenchRow row;
    row.name = fmt::format("edge mu={:g}", k.mu);
    row.quantity = fmt::format("displacement at {:g} s, error-controlled newton", k.t);
    row.unit = "m";
    if (ok) row.ours = edge->displacement(state);
    row.kind = Tolerance::absolute;
    if (k.displacement) {
      row.reference = *k.displacement;
      row.tolerance = 1e-8;
      row.source = "converged, independent prototype";
      report.add(row);
    }
    row.reference = rigid_chain(k.mu, k.t);
    row.tolerance.reset();
    if (k.mu == 0) row.tolerance = 1e-3;
    row.source = "inextensible chain";
    report.add(row);
  }
}

}  // namespace hawser
