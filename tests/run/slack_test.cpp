// Massless cables that become cables with elements while they are slack (Cable::when_slack),
// against runs with elements all the time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "hawser/error.h"
#include "hawser/run.h"
#include "record/results.h"
#include "run/checkpoint.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A load that is set down on a platform, its lower stop, and lifted off again.
constexpr const char* set_down = R"yaml(
initial: static
sections:
  rope: {EA: 1 MN, EI: 0.5 N m^2, mass: 0.1 kg/m, damping: {rayleigh: {mass: 4 s^-1, stiffness: 1 ms}}}
supports:
  tip: {position: [0.3, 0, 4]}
  rail: {position: [0, 0, 0.1]}
bodies:
  load: {shape: {box: [0.3 m, 0.3 m, 0.3 m]}, mass: 100 kg, position: [0, 0, 0.1]}
joints:
  guide: {kind: slider, between: [rail, load], axis: z, travel_limits: [-0.1 m, 2 m]}
cables:
  hoist:
    section: rope
    model: massless
    when_slack: ancf
    elements: 12
    route: [tip, load]
    length: 3.9076 m
    payout: "0.2 m * (smooth(t, 0.1 s, 1.1 s) - smooth(t, 1.3 s, 2.3 s))"
solve: {until: 3.5 s, step: 2 ms}
record: {every: 10 ms, channels: [load.position.z, hoist.tension@start, hoist.length, tip.force, energy]}
)yaml";

SceneFile scene(const char* text, const std::vector<std::string>& sets = {}) {
  return read_scene_text(text, "slack.yaml", sets);
}

struct Seen {
  RunReport report;
  std::map<long, double> height, tension;  ///< by 10 ms
};

Seen run_of(const SceneFile& file, const RunOptions& given = {}) {
  Seen out;
  RunOptions options = given;
  options.control = [&](Control& control) {
    const long at = std::lround(control.t() / 10e-3);
    if (std::abs(control.t() - 10e-3 * static_cast<double>(at)) > 1e-9) return;
    out.height[at] = control.read("load.position.z");
    out.tension[at] = control.read("hoist.tension@start");
  };
  out.report = run(file, options);
  return out;
}

double largest_difference(const std::map<long, double>& a, const std::map<long, double>& b) {
  double out = 0;
  for (const auto& [at, value] : a) out = std::max(out, std::abs(value - b.at(at)));
  return out;
}

const std::vector<std::string> with_elements = {"cables.hoist.model=ancf",
                                                "cables.hoist.when_slack=null"};

void expect_accounts(const RunReport& report, long changes) {
  ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
  ASSERT_TRUE(report.fidelity);
  EXPECT_EQ(report.fidelity->changes, changes);
  EXPECT_EQ(report.counters.fidelity_changes, changes);
  const NumericalDamping& d = report.damping;
  EXPECT_NEAR(
      d.taken,
      d.by_steps + d.by_fallbacks + d.at_switches + d.at_mesh_changes + d.at_fidelity_changes,
      1e-9);
  EXPECT_LE(std::abs(d.at_fidelity_changes),
            static_cast<double>(changes) * report.fidelity->largest_energy + 1e-12);
}

TEST(Slack, SetDownAndLiftedAsWithElements) {
  const Seen all = run_of(scene(set_down, with_elements));
  ASSERT_EQ(all.report.end, RunEnd::finished) << all.report.failure;
  for (const char* model : {"ancf", "np-fem"}) {
    SCOPED_TRACE(model);
    const Seen seen = run_of(scene(set_down, {fmt::format("cables.hoist.when_slack={}", model)}));
    expect_accounts(seen.report, 2);
    EXPECT_NEAR(seen.height.at(120), 0, 1e-6);
    EXPECT_NEAR(seen.height.at(350), 0.1, 1e-3);
    EXPECT_LT(largest_difference(seen.height, all.height), 1.5e-3);
    // At most a hundredth of what the load has in motion.
    EXPECT_LT(seen.report.fidelity->largest_energy, 0.01 * seen.report.damping.scale + 0.05);
  }
}

TEST(Slack, StepsOfASixteenthAgree) {
  const Seen coarse = run_of(scene(set_down)),
             fine = run_of(scene(set_down, {"solve.step=0.125 ms"})),
             all = run_of(
                 scene(set_down, {"solve.step=0.125 ms", with_elements[0], with_elements[1]}));
  expect_accounts(fine.report, 2);
  ASSERT_EQ(all.report.end, RunEnd::finished) << all.report.failure;
  EXPECT_LT(largest_difference(coarse.height, fine.height), 1.5e-3);
  EXPECT_LT(largest_difference(fine.height, all.height), 1.5e-3);
}

TEST(Slack, HalfAndTwiceTheElementsAgree) {
  const Seen seen = run_of(scene(set_down));
  for (const int elements : {6, 24}) {
    const Seen other = run_of(scene(set_down, {fmt::format("cables.hoist.elements={}", elements)}));
    expect_accounts(other.report, 2);
    EXPECT_LT(largest_difference(seen.height, other.height), 1.5e-3) << elements;
  }
}

TEST(Slack, OtherMethodsAgree) {
  const Seen seen = run_of(scene(set_down));
  for (const char* method : {"newton", "linearized"}) {
    const Seen other = run_of(scene(set_down, {fmt::format("solve.method={}", method)}));
    expect_accounts(other.report, 2);
    EXPECT_LT(largest_difference(seen.height, other.height), 1.5e-3) << method;
  }
}

/// A load that falls until its rope snatches it, bounces, and is caught again.
TEST(Slack, SnatchAsWithElements) {
  constexpr const char* drop = R"(
sections:
  rope: {EA: 50 kN, EI: 0.1 N m^2, mass: 0.05 kg/m, damping: {rayleigh: {mass: 1 s^-1, stiffness: 2 ms}}}
supports:
  hook: {position: [0.5, 0, 3]}
bodies:
  load: {shape: {sphere: 0.2 m}, mass: 50 kg, position: [0, 0, 0.6]}
cables:
  hoist: {section: rope, model: massless, when_slack: ancf, elements: 12, route: [hook, load], length: 3 m}
solve: {until: 1.2 s, step: 1 ms}
)";
  const std::vector<std::string> elements = {with_elements[0], with_elements[1],
                                             "cables.hoist.initial=catenary"};
  std::vector<std::string> finer = elements;
  finer.emplace_back("solve.step=62.5 us");
  const Seen all = run_of(scene(drop, finer));
  ASSERT_EQ(all.report.end, RunEnd::finished) << all.report.failure;
  for (const char* step : {"1 ms", "62.5 us"}) {
    SCOPED_TRACE(step);
    const Seen seen = run_of(scene(drop, {fmt::format("solve.step={}", step)}));
    ASSERT_EQ(seen.report.end, RunEnd::finished) << seen.report.failure;
    EXPECT_GE(seen.report.fidelity->changes, 1);
    expect_accounts(seen.report, seen.report.fidelity->changes);
    EXPECT_LT(largest_difference(seen.height, all.height), 0.02);
    EXPECT_NEAR(seen.report.cables[0].largest.tension, all.report.cables[0].largest.tension,
                0.05 * all.report.cables[0].largest.tension);
  }
}

/// A load that is set down and lifted by a winch, over a pulley or an eyelet.
std::string led(const std::string& from, const std::string& over, const std::string& pays) {
  return fmt::format(R"yaml(
initial: static
sections:
  rope: {{EA: 1 MN, EI: 0.5 N m^2, mass: 0.1 kg/m, damping: {{rayleigh: {{mass: 4 s^-1, stiffness: 1 ms}}}}}}
supports:
  pedestal: {{position: [-3, 0, 0]}}
  head: {{position: [0, 0, 4]}}
  rail: {{position: [0.5, 0, 0.1]}}
bodies:
  load: {{shape: {{box: [0.3 m, 0.3 m, 0.3 m]}}, mass: 100 kg, position: [0.5, 0, 0.1]}}
joints:
  guide: {{kind: slider, between: [rail, load], axis: z, travel_limits: [-0.1 m, 2 m]}}
cables:
  hoist:
    section: rope
    model: massless
    when_slack: ancf
    elements: 24
    route: [{}, {{over: head, {}}}, load]
{}
solve: {{until: 3.5 s, step: 2 ms}}
record: {{every: 10 ms, channels: [load.position.z, hoist.tension@start, hoist.tension@end, head.force, energy]}}
)yaml",
                     from, over, pays);
}

constexpr const char* payout =
    R"yaml(    payout: "0.2 m * (smooth(t, 0.1 s, 1.1 s) - smooth(t, 1.3 s, 2.3 s))")yaml";
constexpr const char* drum = R"yaml(winches:
  main:
    at: pedestal
    axis: [0, -1, 0]
    drum: {radius: 0.2 m, cable: 18 mm, width: 0.1 m, pitch: 20 mm, layers: 3}
    wound: 7 m
    inertia: 2 kg m^2
    motor: {turn_rate: "1.25 rad/s * (smooth(t, 0.1 s, 0.3 s) - smooth(t, 0.9 s, 1.1 s) - smooth(t, 1.3 s, 1.5 s) + smooth(t, 2.1 s, 2.3 s))"})yaml";
const std::string pulley = "radius: 0.2 m, axis: y", eyelet = "radius: 0";

TEST(Slack, OverPulleysAndOffDrums) {
  for (const std::string& text : {led("pedestal", pulley, payout), led("pedestal", eyelet, payout),
                                  led("main", pulley, drum), led("main", eyelet, drum)}) {
    SCOPED_TRACE(text);
    const Seen all = run_of(scene(text.c_str(), with_elements));
    ASSERT_EQ(all.report.end, RunEnd::finished) << all.report.failure;
    for (const char* model : {"ancf", "np-fem"}) {
      SCOPED_TRACE(model);
      const Seen seen =
          run_of(scene(text.c_str(), {fmt::format("cables.hoist.when_slack={}", model)}));
      expect_accounts(seen.report, 2);
      EXPECT_NEAR(seen.height.at(120), 0, 1e-6);
      EXPECT_LT(largest_difference(seen.height, all.height), 2e-3);
    }
  }
}

/// A checkpoint holds the mesh, which says what the cable is: before, while and after it is slack.
TEST(Slack, ResumesToTheSameBits) {
  const TemporaryFolder folder;
  for (const std::string& text : {std::string(set_down), led("main", pulley, drum)}) {
    const std::string name = folder / fmt::format("{}", text.size());
    RunOptions options;
    options.directory = name;
    ASSERT_EQ(run(scene(text.c_str()), options).end, RunEnd::finished);
    long slack = 0;
    for (const long steps : {100L, 450L, 600L, 1000L, 1600L}) {
      SCOPED_TRACE(steps);
      RunOptions part;
      part.directory = fmt::format("{}-{}", name, steps);
      part.progress_every = 0;
      part.progress = [left = steps](const Progress&) mutable { return --left > 0; };
      ASSERT_EQ(run(scene(text.c_str()), part).end, RunEnd::stopped);
      const Checkpoint checkpoint = read_checkpoint(part.directory + "/checkpoint.bin");
      slack += checkpoint.snapshot.mesh.s[0].empty() ? 0 : 1;
      part.progress = nullptr;
      const RunReport report = resume(part);
      ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
      EXPECT_EQ(report.fidelity->changes, 2);
      EXPECT_EQ(read_text(part.directory + "/channels.csv"), read_text(name + "/channels.csv"));
      EXPECT_EQ(ResultsReader(part.directory + "/results.h5").all(),
                ResultsReader(name + "/results.h5").all());
    }
    EXPECT_GE(slack, 2);
    EXPECT_LT(slack, 5);
  }
}

/// What is beside a cable that changes goes on as it was: rows, angles, friction, flows, damping.
TEST(Slack, TheRestGoesOn) {
  constexpr const char* machine = R"(
sections:
  bare: {EA: 1 MN, mass: 0.1 kg/m}
  rope: {EA: 1 MN, EI: 0.5 N m^2, mass: 0.1 kg/m, damping: {rayleigh: {mass: 4 s^-1, stiffness: 1 ms}}}
  cord: {EA: 20 kN, EI: 0.05 N m^2, mass: 0.1 kg/m, damping: {axial: {viscosity: 1 ms}, bending: {viscosity: 1 ms}}}
  line: {EA: 20 kN, mass: 0.1 kg/m, damping: {axial: {viscosity: 1 ms}}}
supports:
  tip: {position: [0.3, 0, 4]}
  post: {position: [5, 0, 2]}
  far: {position: [9, 0, 2]}
bodies:
  arm: {mass: 3 kg, inertia: [0.1 kg m^2, 0.1 kg m^2, 0.1 kg m^2], position: [5.5, 0, 2], frames: {heel: [-0.5, 0, 0]}}
  bob: {mass: 2 kg, shape: {sphere: 0.1 m}, position: [9.1, 0, 0.5]}
  weight: {mass: 1 kg, shape: {sphere: 0.1 m}, position: [8.9, 0, 0.7]}
  load: {shape: {sphere: 0.3 m}, mass: 100 kg, position: [0.2, 0, 0.1]}
joints:
  hinge: {kind: hinge, between: [post, arm.heel], axis: y, turn_limits: [-30 deg, 60 deg]}
motions:
  drop: {of: tip, z: {smooth: [0 m, -1.5 m], from: 0.15 s, to: 0.4 s}}
cables:
  LINE
  fishing: {section: cord, route: [post, {through: far}, [9, 0, 1]], elements: 12}
  rub: {section: line, model: massless, route: [bob, {over: far, radius: 0.1 m, axis: [0, -1, 0], friction: 0.2}, weight]}
solve: {until: 0.5 s, step: 1 ms}
record: {every: 10 ms, channels: [arm.position, bob.position, weight.position, fishing.position@end, rub.tension@start, hinge.turn]}
)";
  const TemporaryFolder folder;
  const auto rows = [&](const char* name, const char* line) {
    std::string text = machine;
    text.replace(text.find("LINE"), 4, line);
    RunOptions options;
    options.directory = folder / name;
    const RunReport report = run(scene(text.c_str()), options);
    EXPECT_EQ(report.end, RunEnd::finished) << report.failure;
    EXPECT_TRUE(std::string(name) != "changes" || report.fidelity->changes >= 1);
    return ResultsReader(options.directory + "/results.h5").all();
  };
  const auto as = rows("stays", "hoist: {section: bare, model: massless, route: [tip, load]}");
  const auto is = rows("changes",
                       "hoist: {section: rope, model: massless, when_slack: ancf, elements: 12, "
                       "route: [tip, load]}");
  for (const auto& [name, set] : as) {
    if (!name.starts_with("channels/")) continue;
    const auto& other = is.at(name).values;
    ASSERT_EQ(set.values.size(), other.size()) << name;
    const double within = name.find("tension") != std::string::npos ? 0.2 : 1e-4;  // [N], [m, rad]
    for (size_t i = 0; i < other.size(); ++i)
      ASSERT_NEAR(set.values[i], other[i], within) << name << " " << i;
  }
}

/// Cut while it is taut, and while it is slack: the load stays where it falls to.
TEST(Slack, CanBeCut) {
  for (const long step : {100L, 600L}) {
    SCOPED_TRACE(step);
    RunOptions options;
    options.replay = {
        {step, 2e-3 * static_cast<double>(step), "hoist", 1.0, LoggedSetting::Event::cut}};
    const RunReport report = run(scene(set_down), options);
    ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
    EXPECT_EQ(report.fidelity->changes, step == 100 ? 0 : 1);
    EXPECT_NEAR(report.bodies[0].pose.position.z(), 0, 1e-6);
  }
}

TEST(Slack, RefusesWhatIsNotModelled) {
  const auto refuses = [](const std::vector<std::string>& sets, const char* text) {
    std::string what = "nothing was refused";
    try {
      RunOptions options;
      (void)run(scene(set_down, sets), options);
    } catch (const Error& error) {
      what = error.what();
    }
    EXPECT_NE(what.find(text), std::string::npos) << what;
  };
  refuses({"sections.rope.EI=0 N m^2"}, "without bending stiffness");
  refuses({"sections.rope={EA: 1 MN, EI: 1 N m^2}"}, "mass");
  refuses({"cables.hoist.model=ancf"}, "`when_slack` with the model ancf");
  refuses({"cables.hoist.when_slack=null", "cables.hoist.slack_limit=0.01"},
          "`slack_limit` without `when_slack`");
  refuses({"cables.hoist.slack_limit=0.5"}, "at most 0.1");
  refuses({"cables.hoist.pushes=true"}, "a cable that pushes");
  refuses({"cables.hoist.payout=null", "cables.hoist.speed=0.1 m/s"}, "`payout`, which gives");
  refuses({"cables.hoist.route=[tip, {over: rail, friction: 0.1}, load]"},
          "`friction` and `when_slack`");
  refuses({"cables.hoist.route=[tip, [0, 1, 1], load]"}, "and `when_slack`");
  refuses({"solve.method=spook"}, "spook");
  refuses({"record.channels=[hoist.twist]", "sections.rope.GJ=1 N m^2"}, "twist");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
