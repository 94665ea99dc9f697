// Scenes that once were wrong, most of them without a word: each must now be right, or be refused
// with the cause. What each got wrong stands in its file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>

#include "hawser/run.h"
#include "source_folder.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A run of a case: its report, its table and what the energy did at its steps.
struct Ran {
  RunReport report;
  std::map<std::string, std::vector<double>> columns;  ///< by name, without the unit
  double gain = 0, loss = 0;                           ///< of the balance of energy [J]

  [[nodiscard]] const CableReport& cable(const std::string& name) const {
    return *std::find_if(report.cables.begin(), report.cables.end(),
                         [&](const CableReport& c) { return c.cable == name; });
  }
};

std::map<std::string, std::vector<double>> read_columns(const std::string& path) {
  std::istringstream text(read_text(path));
  std::string line, cell;
  std::getline(text, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');)
    names.push_back(cell.substr(0, cell.find(" [")));
  std::map<std::string, std::vector<double>> out;
  while (std::getline(text, line)) {
    size_t i = 0;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      out[names[i++]].push_back(std::stod(cell));
  }
  return out;
}

Ran run_case(const std::string& name, const std::vector<std::string>& sets) {
  const TemporaryFolder folder;
  Ran out;
  RunOptions options;
  options.directory = folder / "results";
  options.hdf5 = false;
  options.progress_every = 0;
  std::vector<double> balances;
  options.progress = [&](const Progress& p) {
    balances.push_back(p.energy.balance());
    return true;
  };
  out.report =
      run(read_scene(source_path(fmt::format("tests/cases/{}.yaml", name)), sets), options);
  for (const double b : balances) {
    out.gain = std::max(out.gain, b);
    out.loss = std::max(out.loss, -b);
  }
  out.columns = read_columns(folder / "results/channels.csv");
  return out;
}

using Value = std::function<double(const Ran&)>;

/// What must lie between two bounds.
struct Claim {
  std::string what;
  Value value;
  double low, high;
};

Claim near(std::string what, Value value, double expected, double share) {
  const double off = share * std::abs(expected);
  return {std::move(what), std::move(value), expected - off, expected + off};
}
Claim most(std::string what, Value value, double high) {
  return {std::move(what), std::move(value), -HUGE_VAL, high};
}

Value largest(const std::string& cable) {
  return [=](const Ran& r) { return r.cable(cable).largest.tension; };
}
Value smallest(const std::string& cable) {
  return [=](const Ran& r) { return r.cable(cable).smallest.tension; };
}
Value highest(const std::string& column) {
  return [=](const Ran& r) {
    const std::vector<double>& values = r.columns.at(column);
    return *std::max_element(values.begin(), values.end());
  };
}
Value lowest(const std::string& column) {
  return [=](const Ran& r) {
    const std::vector<double>& values = r.columns.at(column);
    return *std::min_element(values.begin(), values.end());
  };
}
Value first(const std::string& column) {
  return [=](const Ran& r) { return r.columns.at(column).front(); };
}
Value last(const std::string& column) {
  return [=](const Ran& r) { return r.columns.at(column).back(); };
}
/// The value of a column in the row of time t.
Value at(const std::string& column, double t) {
  return [=](const Ran& r) {
    const std::vector<double>& times = r.columns.at("time");
    const auto row = std::lower_bound(times.begin(), times.end(), t - 1e-9) - times.begin();
    return r.columns.at(column)[static_cast<size_t>(row)];
  };
}
/// 1 where a warning holds the text.
Value warns(const std::string& text) {
  return [=](const Ran& r) {
    return std::any_of(r.report.warnings.begin(), r.report.warnings.end(),
                       [&](const std::string& w) { return w.find(text) != std::string::npos; })
               ? 1
               : 0;
  };
}

/// 1 where the balance of energy never lacks more than that [J], or a warning says what steps took
/// or added.
Value little_or_said(double most) {
  return [=](const Ran& r) {
    return r.loss <= most || warns("numerical damping has dissipated")(r) > 0 ||
                   warns("the steps have added")(r) > 0
               ? 1
               : 0;
  };
}
const Value gain = [](const Ran& r) { return r.gain; };
const Value loss = [](const Ran& r) { return r.loss; };
const Value fallbacks = [](const Ran& r) { return r.report.counters.fallbacks; };

/// A case with one or more settings of it, and what must hold in each.
struct Case {
  std::string scene;
  std::vector<std::vector<std::string>> sets;
  std::vector<Claim> claims;
  std::string refused{};  ///< not empty: it cannot be run, and the error says this
  std::string fails{};    ///< not empty: it does not reach its end, and the failure says this
};

/// Each step [ms], with the settings beside it.
std::vector<std::vector<std::string>> steps(const std::vector<double>& milliseconds,
                                            const std::vector<std::string>& beside = {}) {
  std::vector<std::vector<std::string>> out;
  for (const double ms : milliseconds) {
    out.push_back(beside);
    out.back().push_back(fmt::format("solve.step={:g} ms", ms));
  }
  return out;
}

std::vector<std::vector<std::string>> schemes_and_steps(const std::vector<std::string>& beside) {
  std::vector<std::vector<std::string>> out;
  for (const char* scheme : {"hht", "bdf2", "generalized-alpha"})
    for (std::vector<std::string> sets : steps({1, 1.3, 7, 10}, beside)) {
      sets.push_back(fmt::format("solve.scheme={}", scheme));
      out.push_back(sets);
    }
  return out;
}

std::vector<Case> impacts() {
  const double snatch = 109.34e3;
  return {
      {"A-snatch",
       steps({1, 5, 10, 20, 50}, {"solve.until=0.6 s"}),
       {near("peak", largest("fall"), snatch, 0.02), most("gain", gain, 9.81)}},
      {"A-snatch-block",
       steps({1, 5, 20, 50}, {"solve.until=0.6 s"}),
       {near("peak", largest("fall"), snatch, 0.02), most("gain", gain, 9.81)}},
      {"A-snatch-block",
       steps({5, 20}, {"solve.until=0.6 s", "bodies.block.mass=1 kg", "bodies.load.mass=999 kg"}),
       {near("peak", largest("fall"), snatch, 0.02), most("gain", gain, 9.81)}},
      {"A-emergency-stop",
       steps({5, 6, 10, 20}, {"solve.until=5.2 s"}),
       {near("peak", largest("hoist"), 146.9e3, 0.01)}},
      {"chatter",
       {{}},
       {near("peak", largest("a"), 7071, 0.02), near("peak", largest("b"), 7071, 0.02),
        most("gain", gain, 5e-3)}},
      {"rub",
       steps({5, 10, 15, 20}, {"solve.until=0.6 s"}),
       {near("peak", largest("fall"), 94.96e3, 0.02)}},
      {"kink-sling",
       steps({10, 5}, {"solve.until=1.2 s"}),
       {{"peak", largest("rope"), 0.9 * 203.44e3, 1.05 * 203.44e3},
        {"z at 0.25 s", at("load.position.z", 0.25), -12.258777 - 0.025, -12.258777 + 0.025},
        {"z at 0.5 s", at("load.position.z", 0.5), -12.506533 - 0.025, -12.506533 + 0.025},
        {"z at 1 s", at("load.position.z", 1), -12.001814 - 0.025, -12.001814 + 0.025}}},
      {"weak-mass-ratio-kink",
       {{"sections.rope.EA=10 MN"}},
       {{"peak", largest("upper"), 0.9 * 208.6e3, 1.05 * 208.6e3}}},
      {"weak-mass-ratio-kink", {{}}, {{"peak", largest("upper"), 0.8 * 454e3, 1.2 * 454e3}}},
  };
}

std::vector<Case> starts() {
  const double leg = 500 * 9.81 / 4 * std::sqrt(3.5 * 3.5 + 5) / 3.5;
  return {
      {"D-pretension",
       steps({0.2, 1, 10}, {"solve.until=0.2 s"}),
       {near("upper", largest("upper"), 5054.055, 2e-7),
        near("upper", smallest("upper"), 5054.055, 2e-7),
        near("lower", largest("lower"), 4955.955, 2e-7),
        near("lower", smallest("lower"), 4955.955, 2e-7), most("fallbacks", fallbacks, 0)}},
      {"D-pretension-silent",
       {{}},
       {{"a", largest("a"), 4900, 5110},
        {"a", smallest("a"), 4900, 5110},
        {"b", largest("b"), 4900, 5110},
        {"b", smallest("b"), 4900, 5110}}},
      {"D-cdpr",
       steps({1, 10}, {"solve.until=0.1 s"}),
       {near("c1", first("c1.tension@start"), 92.48, 1e-3),
        near("c4", first("c4.tension@start"), 92.48, 1e-3),
        most("c5", first("c5.tension@start"), 1e-3), most("c8", first("c8.tension@start"), 1e-3)}},
      {"D-cdpr",
       steps({1, 10}, {"solve.until=0.5 s", "initial=straight"}),
       {most("gain", gain, 1)}},
      {"massless-prestressed-start", steps({10, 1}), {most("gain", gain, 1)}},
      {"massless-winch-on-held-body",
       steps({10, 1}),
       {near("peak", largest("rope"), 100e3 * 0.1 / 0.9, 0.01)}},
      {"driven-cable-goes-taut",
       steps({10, 2}),
       {near("peak", largest("rope"), 100e3 * 0.1 / 1.1, 0.01)}},
      {"nan-four-leg-sling", steps({10, 1}), {most("gain", gain, 1)}},
      {"nan-four-leg-sling",
       {{"supports.hook.position=[0, 0, 4 m]", "initial=static", "solve.until=0.1 s"}},
       {near("a", first("a.tension@start"), leg, 1e-3),
        near("b", first("b.tension@start"), leg, 1e-3),
        near("c", first("c.tension@start"), leg, 1e-3),
        near("d", first("d.tension@start"), leg, 1e-3)}},
      {"nan-massless-between-supports",
       {{}},
       {},
       "a winch whose cable is not attached to any body"},
      {"nan-massless-between-supports",
       {{"cables.dead.speed="}, {"cables.dead.speed=", "solve.method=newton"}},
       {}},
      {"npfem-catenary",
       {{}},
       {{"smallest", smallest("line"), 1400, 1600}, {"largest", largest("line"), 1400, 1600}}},
      {"catenary-start-stressed",
       {{"solve.until=0.3 s"}},
       {{"smallest", smallest("rope"), 25, 30}, {"largest", largest("rope"), 37, 45}}},
      {"catenary-start-stressed",
       {{"solve.until=0.3 s", "cables.rope.model=ancf"}},
       {{"smallest", smallest("rope"), 5, 30}, {"largest", largest("rope"), 37, 60}}},
      {"catenary-fold-explodes",
       {{"solve.until=0.2 s"}},
       {{"smallest", smallest("line"), -100, 0}, {"largest", largest("line"), 0, 500}}},
      {"turning-clamp", {{}, {"cables.line.elements=16"}}, {}},
      {"static-sling-refused",
       {{"solve.until=0.02 s"},
        {"solve.until=0.02 s", "cables.a.model=ancf", "cables.b.model=ancf"}},
       {near("a", first("a.tension@end"), 500 * 9.81 / 2 * std::sqrt(3.5 * 3.5 + 5) / 3.5, 0.1),
        near("b", first("b.tension@end"), 500 * 9.81 / 2 * std::sqrt(3.5 * 3.5 + 5) / 3.5, 0.1)}},
      {"support-that-holds-nothing", {{}}, {{"warns", warns("support 'spare' is not used"), 1, 1}}},
  };
}

std::vector<Case> drives() {
  return {
      {"A-start-of-hoist",
       schemes_and_steps({"solve.until=1.9 s"}),
       {{"largest", largest("fall"), 11809, 11811}, {"least", smallest("fall"), 9809, 9811}}},
      {"drive-joint",
       schemes_and_steps({"solve.until=1.9 s"}),
       {{"largest", highest("lift.force.z"), 11809, 11811},
        {"least", lowest("lift.force.z"), 9809, 9811}}},
      {"drive-joint-pos",
       schemes_and_steps({"solve.until=1.9 s"}),
       {{"largest", highest("lift.force.z"), 11809, 11811},
        {"least", lowest("lift.force.z"), 9809, 9811}}},
      {"D-winch-viscosity", {{"solve.until=9.1 s"}}, {}},
      {"A-into-the-sheave",
       {{}},
       {},
       "",
       "route points 2 and 3, 'top' and 'load', have come together"},
      {"C-lowering",
       {{"solve.until=1 s"}},
       {{"ground", warns("the ground acts only on cables with elements"), 1, 1},
        {"fluid", warns("the fluid acts only on cables with elements"), 1, 1}}},
      {"gantry-two-ropes", {{"solve.until=8 s"}}, {most("gain", gain, 100)}},
      {"gantry-two-blocking", {{}}, {}, "", "cable 'left' is fully reeled in"},
      {"free-wheel", {{}}, {}},
      {"weak-twist-of-bent-route", {{}}, {}},
  };
}

std::vector<Case> methods() {
  const std::vector<std::vector<std::string>> undamped = {
      {"solve.scheme=newmark"},
      {"solve.scheme=generalized-alpha", "solve.rho_infinity=0.95"},
      {"solve.scheme=hht", "solve.hht_alpha=-0.02"}};
  return {
      {"pend", undamped, {}, "expected a scheme that damps"},
      {"pend",
       {{"solve.step=20 ms"},
        {"solve.step=20 ms", "solve.scheme=generalized-alpha", "solve.rho_infinity=0.9"}},
       {{"balance at the end", [](const Ran& r) { return r.report.energy_end.balance(); }, -0.05,
         0.05}}},
      {"newmark-damps", {{}}, {}, "expected a scheme that damps"},
      {"newmark-damps",
       {{"solve.scheme=hht", "solve.until=100 s"}},
       {{"swing", lowest("w.position.x"), -1.001, -2 * std::sin(29.5 * M_PI / 180)}}},
      {"newton-everyday-rope",
       {{}, {"solve.step=1 ms", "solve.until=2.4 s"}},
       {most("gain", gain, 1)}},
      {"weak-newton-snapping-npfem",
       steps({10, 1}, {"solve.until=0.6 s"}),
       {most("gain", gain, 10)}},
      {"error-control-tiny-step",
       {{}, {"solve.until=1.8 s"}, {"solve.until=4.2 s", "record.every=0.7 s"}},
       {{"rows apart",
         [](const Ran& r) {
           const std::vector<double>& t = r.columns.at("time");
           return t.back() - t[t.size() - 2];
         },
         0.29, 0.71},
        {"force", last("a.force.z"), -100, 100}}},
      {"error-control-far-from-origin",
       {{"variables.X=0 m"}, {"variables.X=1 km"}, {}},
       {most("gain", gain, 0.05), most("loss", loss, 0.05)}},
      {"drag-work-false-gain",
       steps({10, 5}),
       {most("gain", gain, 0.35), most("loss", loss, 0.35)}},
      {"spook-with-elements", {{}}, {}, "spook"},
      {"spook-transient-gigajoule", {{}}, {}, "spook"},
      // The motion is chaotic: when gravity changes by 1e-8 of itself, newmark loses 3 to 121 J, by
      // up to four steps that fall back, and hht some 40 J, of which it may return most.
      {"tension-only-loses-energy",
       steps({5, 2}, {"solve.scheme=newmark"}),
       {most("gain", gain, 10), {"loses little or says so", little_or_said(20), 1, 1}}},
      {"tension-only-loses-energy",
       steps({5, 2}),
       {most("gain", gain, 10), {"loses little or says so", little_or_said(20), 1, 1}}},
      {"weak-net-slack-heavy", {{}}, {most("gain", gain, 10)}},
      {"weak-compliant-limit-spook",
       steps({20, 10}),
       {near("returns with", lowest("car.velocity.x"), -2, 0.02),
        near("and again", highest("car.velocity.x"), 2, 0.02),
        most("gain on the way", gain, 10),
        {"gain at the end", last("energy.balance"), -2, 2}}},
      {"weak-bending-damping-momentum",
       {{"solve.until=0.5 s"}},
       {{"linear",
         [](const Ran& r) {
           return highest("momentum.linear.x")(r) - lowest("momentum.linear.x")(r);
         },
         0, 1e-9},
        {"spread",
         [](const Ran& r) {
           return highest("momentum.angular.y")(r) / lowest("momentum.angular.y")(r);
         },
         0.999, 1.001}}},
  };
}

class Cases : public testing::TestWithParam<Case> {};

TEST_P(Cases, AreRightOrRefused) {
  for (const std::vector<std::string>& sets : GetParam().sets) {
    SCOPED_TRACE(fmt::format("{} {}", GetParam().scene, fmt::join(sets, ", ")));
    if (!GetParam().refused.empty()) {
      const std::string said = error_of([&] { run_case(GetParam().scene, sets); });
      EXPECT_NE(said.find(GetParam().refused), std::string::npos) << said;
      continue;
    }
    Ran ran;
    ASSERT_EQ(error_of([&] { ran = run_case(GetParam().scene, sets); }), "no error");
    EXPECT_EQ(ran.report.end == RunEnd::finished, GetParam().fails.empty()) << ran.report.failure;
    EXPECT_NE(ran.report.failure.find(GetParam().fails), std::string::npos) << ran.report.failure;
    for (const ExpectationReport& e : ran.report.expectations)
      EXPECT_TRUE(e.met || !e.reached) << e.expected.name << " is " << e.measured;
    for (const Claim& claim : GetParam().claims) {
      const double value = claim.value(ran);
      EXPECT_GE(value, claim.low) << claim.what;
      EXPECT_LE(value, claim.high) << claim.what;
    }
  }
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.scene + "_" + std::to_string(info.index);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Impacts, Cases, testing::ValuesIn(impacts()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Starts, Cases, testing::ValuesIn(starts()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Drives, Cases, testing::ValuesIn(drives()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Methods, Cases, testing::ValuesIn(methods()), name_of_case);

}  // namespace
}  // namespace hawser::HAWSER_FILE
