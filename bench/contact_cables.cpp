// Cables that touch each other: closed forms, fast crossings, a heap, and what the search for close
// parts costs.
#include "bench/contact_cables.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <tuple>

#include "bench/crossing.h"
#include "bench/draw.h"
#include "bench/flow_scenes.h"
#include "bench/meeting_scenes.h"
#include "contact/cable_contact.h"
#include "contact/cable_pairs.h"
#include "contact/close_grid.h"
#include "model/model_data.h"

namespace hawser {
namespace touching {
namespace {

BenchRow meeting_row(std::string name, std::string quantity, std::string unit, double ours,
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

const CablePairs& pairs_of(const Model& model) {
  for (const auto& term : model.data().terms)
    if (term->facts().meets) return dynamic_cast<const CablePairs&>(*term);
  throw std::logic_error("no cables that touch each other");
}

void add_crossed_strings(BenchReport& report) {
  struct Case {
    TautString second;
    double force;
    const char* name;
  };
  for (const Case& c : {Case{{}, 4.799760, "crossed strings, equal"},
                        Case{{300, 2e5, 0.4}, 8.418068, "crossed strings, 100 N and 300 N"}})
    for (const CableModel model : {CableModel::np_fem, CableModel::ancf}) {
      SolveOptions options = by(5e-3);
      options.scheme = Scheme::backward_euler;  // brings them to rest
      TouchRun run(crossed_strings({}, c.second, 0.02, model, 80, 1e9), options);
      double force = std::nan("");
      if (run.to(2) == Status::ok) {
        force = 0;
        const auto pairs = pairs_of(run.model).pairs(run.state.contacts.data());
        for (size_t i = 0; i < pairs.size(); i += PartPair::size)
          force += PartPair::read(pairs.data() + i).bristle.push;
      }
      report.add(
          meeting_row(fmt::format("{}, {}", c.name, model == CableModel::ancf ? "ancf" : "np-fem"),
                      "force between them", "N", force, c.force, 5e-3, Tolerance::relative,
                      "F = 2 N w/sqrt(a^2 + w^2), w1 + w2 = 20 mm"));
    }
}

/// The same strings without mass, which meet where their centre lines do: they start 1 mm apart.
void add_massless_strings(BenchReport& report) {
  constexpr double W = 0.02, apart = 1e-3;
  for (const auto& [second, force, name] :
       {std::tuple{TautString{}, 4.799760, "crossed strings, equal, massless"},
        std::tuple{TautString{300, 2e5, 0.4}, 8.418068,
                   "crossed strings, 100 N and 300 N, massless"}}) {
    Scene scene = crossed_strings({}, second, W + apart, CableModel::massless, 0, 0);
    scene.cables[0].name = scene.contacts[0].cables[0] = "rope";
    for (Cable& cable : scene.cables) {
      cable.elements = Cable{}.elements;
      cable.initial = Cable{}.initial;
      cable.sections[0].diameter = 0;
    }
    for (const size_t i : {2, 3}) scene.supports[i].position.z() = apart;
    scene.bodies = {flowing::load("aside", 1, {5, 5, 5})};
    flowing::FlowRun run(scene, by(5e-3));
    const double found =
        run.to(2) == Status::ok ? run.read("lower-a.force.z") + run.read("lower-b.force.z") : NAN;
    report.add(meeting_row(name, "force between them", "N", std::abs(found), force, 1e-5,
                           Tolerance::relative, "F = 2 N w/sqrt(a^2 + w^2), w1 + w2 = 20 mm"));
  }
}

/// A cable that comes down on a string, at random heights: how many are below it afterwards.
void add_fast_crossings(BenchReport& report) {
  constexpr int heights = 100;
  std::mt19937_64 random(1);
  Draw draw(random);
  int failed = 0, through = 0;
  double gain = 0, deepest = 0;
  for (int i = 0; i < heights; ++i) {
    TouchRun run(thrown_across(draw.uniform(0.03, 0.13), 50, 0.3), by(1e-3));
    const double start = energy(run.model, run.state).total();
    bool sound = true, crossed = false;
    Chains before = chains_of(run.model.data(), run.state);
    while (sound && run.state.t < 8e-3) {
      sound = run.integrator.step(run.state) == Status::ok;
      Chains after = chains_of(run.model.data(), run.state);
      crossed = crossed || chains_cross(before, after);
      before = std::move(after);
      gain = std::max(gain, energy(run.model, run.state).total() / start - 1);
    }
    failed += !sound;
    through += crossed;
    deepest = std::max(deepest, run.state.contacts[1]);
  }
  const std::string name =
      fmt::format("cable thrown across a string at 50 m/s, {} heights", heights);
  report.add(meeting_row(name, "pass through", "", through, 0, 0, Tolerance::absolute, "none"));
  report.add(meeting_row(name, "runs that fail", "", failed, 0, 0, Tolerance::absolute, "none"));
  report.add(meeting_row(name, "largest gain of energy over the start", "", gain, 0, 1e-3,
                         Tolerance::absolute, "none"));
  report.add(meeting_row(name, "deepest penetration", "mm", 1e3 * deepest, 0, 2.5,
                         Tolerance::absolute, "less than a radius"));
}

double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Ropes that are crumpled, each in a cube of 12 cm, which overlap: as many neighbours an element
/// whatever their number. CPU time of one search.
double search_time(int elements) {
  constexpr int per_rope = 20;
  constexpr double pitch = 0.1, cube = 0.12;
  const int ropes = elements / per_rope, side = static_cast<int>(std::ceil(std::cbrt(ropes)));
  std::mt19937_64 random(7);
  Draw draw(random);
  Meetings meetings;
  std::vector<double> q(static_cast<size_t>(6 * ropes * (per_rope + 1) + padding), 0);
  const std::vector<double> v(q.size(), 0);
  int node = 0;
  for (int r = 0; r < ropes; ++r) {
    MeetingRun run;
    run.cable = r;
    run.first_node = node;
    run.elements = per_rope;
    run.radius = 0.005;
    run.length = 0.06;
    run.ends = {{1, 0, 0, 0}, {0, 0, 1, 0}};
    meetings.runs.push_back(run);
    const Vec3 corner = pitch * Vec3(r % side, r / side % side, r / side / side);
    for (int i = 0; i <= per_rope; ++i, ++node)
      Eigen::Map<Vec3>(q.data() + 6 * node) =
          corner + cube * Vec3(draw.uniform(0, 1), draw.uniform(0, 1), draw.uniform(0, 1));
  }
  meetings.laws.push_back({{1e5, 1e-3}, 0.3, 0.3});
  meetings.law_of.assign(static_cast<size_t>(ropes) * static_cast<size_t>(ropes), 0);
  const CablePairs term(std::move(meetings));
  CloseSearch search;
  std::vector<double> contacts;
  double least = HUGE_VAL;
  const Configuration at({0, {}}, q.data(), v.data(), nullptr);
  for (int i = 0; i < 5; ++i) {
    const double start = cpu_now();
    term.find_pairs(at, 1e-3, true, search, contacts);
    least = std::min(least, cpu_now() - start);
  }
  return least;
}

void add_searches(BenchReport& report) {
  std::map<int, double> cost;
  for (const int elements : {1000, 10000, 100000}) {
    cost[elements] = search_time(elements);
    BenchRow row;
    row.name = fmt::format("search for close parts, {} elements", elements);
    row.quantity = "CPU time an element";
    row.unit = "us";
    row.ours = 1e6 * cost[elements] / elements;
    report.add(row);
  }
  const auto exponent = [&](int from, int to) {
    return std::log(cost[to] / cost[from]) / std::log(static_cast<double>(to) / from);
  };
  report.add(meeting_row("search for close parts, 10000 to 100000 elements", "growth exponent", "",
                         std::max(1.0, exponent(10000, 100000)), 1, 0.1, Tolerance::absolute,
                         "linear"));
  report.add(meeting_row("search for close parts, 1000 to 100000 elements", "growth exponent", "",
                         std::max(1.0, exponent(1000, 100000)), 1, 0.6, Tolerance::absolute,
                         "linear"));
}

void add_heap(BenchReport& report) {
  const double start = cpu_now();
  TouchRun run(rope_heap(20, 10, 20, CableModel::np_fem), by(5e-4));
  const double first = energy(run.model, run.state).total();
  double gain = 0;
  bool sound = true;
  while (sound && run.state.t < 2) {
    sound = run.integrator.step(run.state) == Status::ok;
    gain = std::max(gain, energy(run.model, run.state).total() / first - 1);
  }
  double lowest = 0;
  std::vector<double> speeds;
  for (int n = 0; n < run.model.nodes(); ++n) {
    lowest = std::min(lowest, run.state.position(n).z());
    speeds.push_back(Eigen::Map<const Vec3>(run.state.v.data() + 6 * n).norm());
  }
  std::sort(speeds.begin(), speeds.end());
  const std::string name = "200 ropes of 20 elements dropped in a heap, 2 s";
  const double none = std::nan("");
  report.add(meeting_row(name, "depth below the ground", "mm", sound ? -1e3 * lowest : none, 0, 10,
                         Tolerance::absolute, "less than a diameter"));
  report.add(meeting_row(name, "largest gain of energy over the start", "", sound ? gain : none, 0,
                         1e-3, Tolerance::absolute, "none"));
  report.add(meeting_row(name, "largest speed at the end", "m/s", sound ? speeds.back() : none, 0,
                         0.1, Tolerance::absolute, "rest"));
  report.add(meeting_row(name, "speed of 99 % of the nodes at the end", "m/s",
                         sound ? speeds[speeds.size() * 99 / 100] : none, 0, 0.02,
                         Tolerance::absolute, "rest"));
  report.add(meeting_row(name, "kinetic energy at the end over the energy at the start", "",
                         sound ? energy(run.model, run.state).kinetic / first : none, 0, 1e-4,
                         Tolerance::absolute, "rest"));
  BenchRow row;
  row.name = name;
  row.quantity = "CPU time";
  row.unit = "s";
  row.ours = cpu_now() - start;
  report.add(row);
}

}  // namespace
}  // namespace touching

void add_cable_rows(BenchReport& report) {
  using namespace touching;
  add_crossed_strings(report);
  add_massless_strings(report);
  add_fast_crossings(report);
}

BenchReport bench_contact_heap() {
  using namespace touching;
  BenchReport report("contact-heap", "hawser bench contact-heap",
                     "Many cables that touch each other: the search for close parts, and a heap.");
  add_searches(report);
  add_heap(report);
  return report;
}

}  // namespace hawser
