// What a run and `hawser check` say before the first step, and a run as it goes.
#include <gtest/gtest.h>

#include <algorithm>

#include "hawser/inspect.h"
#include "hawser/integrator.h"
#include "hawser/run.h"

namespace hawser::HAWSER_FILE {
namespace {

using Texts = std::vector<std::string>;

/// A load that a winch holds over a sheave.
const std::string hoist = R"(
sections: {wire: {EA: 10.6 MN, mass: 1 kg/m}}
supports: {winch: {position: [-5 m, 0, 0]}, top: {position: [0, 0, 5 m]}}
bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0.3 m, 0, 0]}}
cables:
  hoist:
    section: wire
    model: massless
    route: [winch, {over: top, radius: 0.3 m, axis: y}, load]
initial: static
solve: {until: 4 s, step: 5 ms}
)";

SceneFile read(const std::string& text, const Texts& sets = {}) {
  return read_scene_text(text, "scene.yaml", sets);
}

Texts said(const SceneFile& file) { return plan_run(file, compile(file)).warnings; }
Texts said(const std::string& text, const Texts& sets = {}) { return said(read(text, sets)); }

bool any_with(const Texts& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

testing::AssertionResult silent(const Texts& texts) {
  if (texts.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << texts.front();
}

TEST(Warnings, NothingIsSaidOfASoundHoist) { EXPECT_TRUE(silent(said(hoist))); }

TEST(Warnings, NameWhatDoesNotFeelGroundAndFluid) {
  EXPECT_EQ(said(hoist, {"ground={height: -60 m}"}),
            Texts{"the ground acts only on cables with elements; it does not support body 'load', "
                  "massless cable 'hoist'"});
  EXPECT_EQ(said(hoist, {"fluid={density: 1025 kg/m^3}"}),
            Texts{"the fluid acts only on cables with elements; there is no buoyancy or drag on "
                  "body 'load', massless cable 'hoist'"});
  const std::string line =
      "sections: {rope: {EA: 1 MN, mass: 1 kg/m, diameter: 10 mm}}\n"
      "supports: {a: {position: [0, 0, 0]}, b: {position: [10 m, 0, 0]}}\n"
      "cables: {line: {section: rope, route: [a, b], length: 12 m}}\n"
      "initial: catenary\nground: {height: -20 m}\nfluid: {density: 1025 kg/m^3}\n";
  EXPECT_TRUE(silent(said(line)));
}

TEST(Warnings, ForetellALoadReeledIntoItsSheave) {
  const auto reeled = [](const std::string& to) {
    return said(hoist, {"cables.hoist.payout={smooth: [0 m, " + to + "], from: 0 s, to: 3 s}"});
  };
  EXPECT_TRUE(silent(reeled("-4.5 m")));
  ASSERT_EQ(reeled("-6 m").size(), 1U);
  EXPECT_TRUE(any_with(
      reeled("-6 m"), "cable 'hoist' is reeled in until 'load' reaches 'top', at about t = 2.09 s"))
      << reeled("-6 m").front();
  const Texts all = said(hoist, {"cables.hoist.route=[winch, load]",
                                 "cables.hoist.payout={smooth: [0 m, -6 m], from: 0 s, to: 3 s}"});
  EXPECT_TRUE(any_with(all, "cable 'hoist' is reeled in by its whole length of 5.3 m at t = 2.2"))
      << all.front();
}

/// A string that runs between two eyelets at a share of the speed of its waves, 10 m/s.
std::string running_string(double share, const std::string& mesh) {
  const std::string v = std::to_string(10 * share) + " m/s";
  return "gravity: [0, 0, 0]\n"
         "sections: {string: {EA: 100 kN, mass: 1 kg/m}}\n"
         "supports: {feed: {position: [0, 0, 0]}, ring: {position: [10 m, 0, 0]}, out: {position: "
         "[15 m, 0, 0]}}\n"
         "motions: {drawn: {of: out, x: \"" +
         v +
         " * t\"}}\n"
         "cables:\n"
         "  string: {section: string, route: [feed, {through: ring}, out], elements: 12, mesh: " +
         mesh + ", length: 15 m / 1.001, payout: \"" + v + " * t / 1.001\", velocity: [" + v +
         ", 0, 0]}\n"
         "solve: {until: 0.8 s, step: 4 ms}\n";
}

/// On the mesh of the material above a quarter of the speed of waves, and on any mesh as fast as
/// they are.
TEST(Warnings, OfFastFlow) {
  const auto said_of = [](double share, const std::string& mesh) {
    return run(read(running_string(share, mesh)), {}).warnings;
  };
  const std::string quarter = "cable 'string' flows at",
                    waves = "cable 'string' flows as fast as its transverse waves";
  EXPECT_FALSE(any_with(said_of(0.2, "material"), "flows"));
  EXPECT_TRUE(any_with(said_of(0.4, "material"), quarter));
  EXPECT_TRUE(any_with(said_of(0.4, "material"), "mesh: running"));
  EXPECT_FALSE(any_with(said_of(0.6, "running"), "flows"));
  const Texts fast = said_of(1.1, "running");
  EXPECT_TRUE(any_with(fast, waves));
  EXPECT_EQ(std::count_if(fast.begin(), fast.end(),
                          [&](const std::string& text) { return text.starts_with(waves); }),
            1);
}

TEST(Warnings, BodiesThatAPlaneCarries) {
  const auto on_table = [](const std::string& friction, const std::string& end) {
    return said(
        read("sections: {r: {EA: 1 MN, EI: 1, mass: 1 kg/m}}\n"
             "supports: {table: {position: [0, 0, 0], normal: z}}\n"
             "bodies: {crate: {mass: 10 kg, shape: {sphere: 10 cm}, position: [1 m, 0, 0]}}\n"
             "cables: {r: {section: r, model: ancf, elements: 4, route: [[0, 0, 0], {along: "
             "table, friction: " +
             friction + "}, " + end + "]}}\n"));
  };
  EXPECT_TRUE(any_with(on_table("0.2", "crate"),
                       "the plane 'table' carries the body 'crate' at the end of cable 'r' without "
                       "friction"));
  EXPECT_FALSE(any_with(on_table("0", "crate"), "plane"));
  EXPECT_FALSE(any_with(on_table("0.2", "[1 m, 0, 0]"), "plane"));
}

TEST(Warnings, GroundWhoseStiffnessNothingFeels) {
  const auto on_ground = [](const std::string& ground, const std::string& touching) {
    return said(
        read("ground: {" + ground +
             "}\n"
             "sections: {r: {EA: 1 MN, EI: 1, mass: 1 kg/m, diameter: 1 cm}}\n"
             "cables:\n"
             "  r: {section: r, model: ancf, elements: 4, route: [[0, 0, 1 m], [1 m, 0, 1 "
             "m]]}\n"
             "  s: {section: r, model: ancf, elements: 4, route: [[0, 1 m, 1 m], [1 m, 1 m, "
             "1 m]]}\n"
             "contact: {lies: {between: [" +
             touching + ", ground]}}\n"));
  };
  const std::string idle = "of the ground have no effect";
  EXPECT_TRUE(any_with(on_ground("height: 0 m, stiffness: 50 kN/m^2", "r, s"), idle));
  EXPECT_TRUE(any_with(on_ground("height: 0 m, damping: 5 ms", "r, s"), idle));
  EXPECT_FALSE(any_with(on_ground("height: 0 m", "r, s"), idle));
  EXPECT_FALSE(any_with(on_ground("height: 0 m, stiffness: 50 kN/m^2", "r"), idle));
}

TEST(Warnings, PayoutThatDoesNotBeginAtNothing) {
  const std::string payout = "cables.hoist.payout={smooth: [1 m, 2 m], from: 0 s, to: 3 s}";
  EXPECT_TRUE(any_with(said(hoist, {payout}), "only the change has an effect"));
  EXPECT_TRUE(any_with(said(hoist, {payout, "cables.hoist.length=12 m"}),
                       "its payout starts at 1 m, so that the initial length is 13 m, not 12 m"));
}

TEST(Warnings, TheWrongSideOfAPulley) {
  const SceneFile file = read(
      hoist, {"cables.hoist.route=[winch, {over: top, radius: 0.3 m, axis: [0, -1, 0]}, load]"});
  const Texts wrong = said(file);
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0],
            "cable 'hoist' wraps the pulley 'top' by 234.3 deg and crosses itself there; on the "
            "other side the wrap angle is 137.4 deg. Reverse its `axis`");
  const Inspection inspection = inspect(Model(file.scene));
  EXPECT_EQ(inspection.cables[0].runs, 1);
  EXPECT_GT(inspection.cables[0].length, 2 * 5);
  EXPECT_EQ(inspection.cables[0].elements, 0);
  const std::vector<PulleyInspection>& pulleys = inspection.pulleys;
  ASSERT_EQ(pulleys.size(), 1U);
  EXPECT_EQ(pulleys[0].frame, "top");
  EXPECT_NEAR(pulleys[0].wrap, 234.3 / 180 * 3.14159, 1e-3);
}

TEST(Warnings, StepsThatDoNotResolveASine) {
  const auto shaken = [](const std::string& frequency) {
    return said(hoist,
                {"motions={shake: {of: winch, x: {sine: 1 cm, frequency: " + frequency + "}}}"});
  };
  EXPECT_TRUE(silent(shaken("19 Hz"))) << "10.5 steps a period";
  ASSERT_EQ(shaken("25 Hz").size(), 1U) << "8 steps a period";
  EXPECT_EQ(shaken("25 Hz")[0],
            "motion of 'winch': its period of 40 ms is too short for steps of 5 ms. Use steps of "
            "4.03 ms or less, ten per period");
  EXPECT_EQ(shaken("200 Hz").size(), 1U) << "a period of one step";
  const auto load = [](const std::string& z) {
    return said(hoist, {"loads={gust: {at: load, force: [0, 0, " + z + "]}}"});
  };
  EXPECT_TRUE(silent(load("\"1 kN*sin(2*pi*19 Hz*t)\"")));
  EXPECT_TRUE(any_with(load("\"1 kN*sin(2*pi*25 Hz*t)\""), "load on 'load': its period of"));
  EXPECT_TRUE(silent(load("{smooth: [0 N, 1 kN], from: 1 s, to: 1.03 s}"))) << "6 steps";
}

TEST(Warnings, RampsShorterThanAStep) {
  const auto load = [](const std::string& z, const Texts& more = {}) {
    Texts sets{"loads={gust: {at: load, force: [0, 0, " + z + "]}}"};
    sets.insert(sets.end(), more.begin(), more.end());
    return said(hoist, sets);
  };
  EXPECT_TRUE(silent(load("{ramp: [0 N, 1 kN], from: 1 s, to: 1.005 s}")));
  const std::string quick = "{ramp: [0 N, 1 kN], from: 1 s, to: 1.001 s}";
  EXPECT_EQ(
      load(quick),
      Texts{
          "load on 'load': it changes from 0 to 1000 within 1 ms, at t = 1 s, which is less than a "
          "step of 5 ms. Use a shorter step, or a longer ramp"});
  EXPECT_TRUE(silent(load(quick, {"solve.step=1 ms"})));
  EXPECT_TRUE(silent(load(quick, {"solve.method=newton", "solve.error_control=true"})));
}

TEST(Warnings, ACableThatStartsWithoutTheTensionOfItsLoad) {
  const Texts loose = said(hoist, {"initial=straight"});
  ASSERT_EQ(loose.size(), 1U);
  EXPECT_EQ(
      loose[0],
      "cable 'hoist' starts with too little tension for its load, which drops and overshoots. Use "
      "`initial: static`, or a `length` shorter than the route by the stretch");
  // 1 t on 12.785 m of EA = 10.6 MN
  EXPECT_TRUE(silent(said(hoist, {"initial=straight", "cables.hoist.length=12.7725 m"})));
  EXPECT_TRUE(silent(said(hoist, {"initial=straight", "cables.hoist.length=13 m"})))
      << "evidently slack";
  EXPECT_FALSE(any_with(said(hoist, {"initial=straight", "bodies.load.velocity=[1 m/s, 0, 0]"}),
                        "initial: static"))
      << "refused with a speed";
}

TEST(Warnings, ARopeWithElementsThatStartsWithoutTheTensionOfItsLoad) {
  const std::string rope =
      "sections: {rope: {EA: 1 MN, mass: 1 kg/m}}\n"
      "supports: {hook: {position: [0, 0, 0]}}\n"
      "bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0, 0, -10 m]}}\n"
      "cables: {fall: {section: rope, route: [hook, load], elements: 5}}\n";
  for (const char* model : {"ancf", "np-fem"}) {
    const std::string set = std::string("cables.fall.model=") + model;
    EXPECT_TRUE(any_with(said(rope, {set}), "cable 'fall' starts with too little tension"))
        << model;
    EXPECT_TRUE(silent(said(rope, {set, "cables.fall.length=9.9 m"}))) << model;
    EXPECT_TRUE(silent(said(rope, {set, "initial=static"}))) << model;
    EXPECT_TRUE(silent(said(rope, {set, "gravity=[0, 0, 0]"}))) << model;
    EXPECT_TRUE(silent(said(rope, {set, "bodies.load.position=[10 m, 0, 0]"}))) << "swings down";
  }
}

TEST(Warnings, ExpectationsAfterTheEnd) {
  const Texts out =
      said(hoist, {"expect={late: {channel: load.position.z, at: 5 s, value: 0 m, within: 1 m}}"});
  EXPECT_EQ(
      out,
      Texts{
          "expectation 'late' is at t = 5 s, after the end of the run at 4 s, and is not checked"});
}

TEST(Warnings, ARunSaysThemToo) {
  const SceneFile file = read(hoist, {"fluid={density: 1025 kg/m^3}", "solve.until=0.1 s"});
  Texts heard;
  RunOptions options;
  options.warn = [&](const std::string& text) { heard.push_back(text); };
  const RunReport report = run(file, options);
  EXPECT_EQ(heard, said(file));
  EXPECT_EQ(report.warnings, heard);
}

// --- as a run goes ---

TEST(Run, StopsWhereALoadIsReeledIntoItsSheave) {
  for (const char* method : {"mixed", "linearized", "newton", "spook", "mixed3"})
    for (const char* step : {"5 ms", "0.5 ms"}) {
      const SceneFile file =
          read(hoist, {"cables.hoist.payout={smooth: [0 m, -6 m], from: 0 s, to: 3 s}",
                       std::string("solve.method=") + method, std::string("solve.step=") + step});
      const RunReport report = run(file, {});
      EXPECT_EQ(report.end, RunEnd::failed) << method << ", " << step;
      EXPECT_NEAR(report.t, 2.09, 0.01) << method << ", " << step;
      EXPECT_NE(report.failure.find("cable 'hoist': route points 2 and 3, 'top' and 'load', "
                                    "have come together and leave no cable between them. Reel in "
                                    "less, or stop the winch earlier."),
                std::string::npos)
          << report.failure;
    }
}

TEST(Run, StopsWhereNothingIsLeftOfACable) {
  const std::string pulled =
      "sections: {wire: {EA: 10.6 MN, mass: 1 kg/m}}\n"
      "supports: {winch: {position: [0, 0, 0]}}\n"
      "bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [5 m, 0, 0]}}\n"
      "joints: {held: {kind: distance, between: [winch, load]}}\n"
      "cables: {wire: {section: wire, model: massless, route: [winch, load], payout: {ramp: [0 m, "
      "-6 "
      "m], from: 0 s, to: 3 s}}}\n"
      "solve: {until: 4 s, step: 5 ms}\n";
  for (const char* method : {"mixed", "newton", "spook"}) {
    const RunReport report = run(read(pulled, {std::string("solve.method=") + method}), {});
    EXPECT_EQ(report.end, RunEnd::failed) << method;
    EXPECT_NEAR(report.t, 2.5, 0.01) << method;
    EXPECT_NE(report.failure.find("cable 'wire'"), std::string::npos) << report.failure;
    EXPECT_NE(report.failure.find("Reel in less"), std::string::npos) << report.failure;
  }
}

TEST(Run, SaysThatACableComesOffItsPulley) {
  // The load is thrown over the sheave.
  const SceneFile file = read(hoist, {"initial=straight", "bodies.load.position=[2 m, 0, 4 m]",
                                      "bodies.load.velocity=[0, 0, 20 m/s]", "solve.until=1 s"});
  const RunReport report = run(file, {});
  EXPECT_EQ(
      std::count_if(report.warnings.begin(), report.warnings.end(),
                    [](const std::string& text) {
                      return text.starts_with("cable 'hoist' comes off the pulley 'top' at t =");
                    }),
      1);
}

TEST(Run, SaysOnceThatAChainPushes) {
  const std::string chain =
      "sections: {chain: {EA: 100 kN, mass: 2 kg/m}}\n"
      "supports: {hook: {position: [0, 0, 0]}}\n"
      "cables: {chain: {section: chain, route: [hook, [0, 0, 5 m]], elements: 10, velocity: [0.1 "
      "m/s, "
      "0, 0]}}\n"
      "solve: {until: 0.3 s, step: 1 ms}\n";
  const auto pushes = [&](const Texts& sets) {
    Texts out;
    for (const std::string& text : run(read(chain, sets), {}).warnings)
      if (text.find("in compression") != std::string::npos) out.push_back(text);
    return out;
  };
  const Texts bars = pushes({"cables.chain.model=np-fem"});
  ASSERT_EQ(bars.size(), 1U);
  EXPECT_TRUE(bars[0].ends_with("`tension_only: true` lets it go slack")) << bars[0];
  EXPECT_TRUE(silent(pushes({"cables.chain.model=np-fem", "cables.chain.tension_only=true"})));
  const Texts beam = pushes({});
  ASSERT_EQ(beam.size(), 1U);
  EXPECT_TRUE(any_with(beam, "Give its section an EI")) << beam[0];
  EXPECT_TRUE(silent(pushes({"sections.chain.EI=10 N m^2"})));
}

/// 98 N at its foot; its elements of 0.5 m buckle at pi^2 EI/l^2 = 4 N.
TEST(Run, SaysThatAColumnShouldHaveBuckled) {
  const std::string column =
      "sections: {rope: {EA: 100 kN, EI: 0.1 N m^2, mass: 2 kg/m}}\n"
      "supports: {foot: {position: [0, 0, 0]}}\n"
      "cables: {rope: {section: rope, route: [foot, [0, 0, 5 m]], elements: 10}}\n"
      "solve: {until: 1 s, step: 1 ms}\n";
  const auto columns = [&](const Texts& sets) {
    Texts out;
    for (const std::string& text : run(read(column, sets), {}).warnings)
      if (text.find("take to buckle") != std::string::npos) out.push_back(text);
    return out;
  };
  for (const char* method : {"mixed", "newton", "linearized"})
    for (const char* step : {"4 ms", "1 ms", "0.25 ms"}) {
      const Texts said =
          columns({std::string("solve.method=") + method, std::string("solve.step=") + step});
      ASSERT_EQ(said.size(), 1U) << method << " " << step;
      EXPECT_TRUE(any_with(said, "take to buckle (at 3.95 N)")) << said[0];
    }
  EXPECT_TRUE(silent(columns({"sections.rope.EI=10 N m^2"}))) << "buckle at 395 N";
  EXPECT_TRUE(silent(columns({"cables.rope.route=[foot, [0, 0, -5 m]]"}))) << "it hangs";
}

/// Engineering strain has no direction where r' = 0: an end is led through the other one.
TEST(Run, WarnsOnceOfACrushedCable) {
  const std::string through =
      "gravity: [0, 0, 0]\n"
      "sections: {r: {EA: 1 kN, EI: 0.01 N m^2, mass: 1 kg/m}}\n"
      "supports: {a: {position: [0, 0, 0]}, b: {position: [1 m, 0, 0]}}\n"
      "cables: {c: {section: r, route: [a, b], length: 1 m}}\n"
      "motions: {m: {of: b, x: \"-2 m * ramp(t, 0 s, 1 s)\"}}\n"
      "solve: {until: 1.2 s, step: 1 ms}\n";
  for (const char* law : {"ancf", "np-fem", "green"})
    for (const char* method : {"mixed", "newton", "linearized"})
      for (const char* elements : {"1", "2", "4"}) {
        const bool green = std::string(law) == "green";
        Texts sets = {std::string("solve.method=") + method,
                      std::string("cables.c.elements=") + elements,
                      std::string("cables.c.model=") + (green ? "ancf" : law)};
        if (green) sets.push_back("cables.c.strain=green");
        const RunReport report = run(read(through, sets), {});
        const auto said = std::count_if(report.warnings.begin(), report.warnings.end(),
                                        [](const std::string& text) {
                                          return text.find("is compressed to") != std::string::npos;
                                        });
        EXPECT_TRUE(std::isfinite(report.cables[0].largest.tension));
        EXPECT_TRUE(std::isfinite(report.energy_end.total()));
        EXPECT_EQ(said, 1) << law << " " << method << " " << elements << " " << report.failure;
      }
}

TEST(Run, NeverAdvisesWhatIsInUse) {
  // A stiff rope that swings in one step of Newmark's scheme, of the linearized method.
  const std::string rope =
      "sections: {bar: {EA: 1 GN, EI: 1 N m^2, mass: 1 kg/m}}\n"
      "supports: {hook: {position: [0, 0, 0]}}\n"
      "cables: {bar: {section: bar, route: [hook, [1 m, 0, 0]], elements: 4}}\n"
      "solve: {until: 5 s, step: 20 ms, method: linearized, scheme: newmark, constraints: "
      "baumgarte,"
      " energy_guard: 1e-4}\n";
  const RunReport linearized = run(read(rope), {});
  ASSERT_EQ(linearized.end, RunEnd::failed);
  EXPECT_NE(linearized.failure.find("Take a shorter step, or method = mixed with scheme = hht"),
            std::string::npos)
      << linearized.failure;
}

TEST(Warnings, WhatNumericalDampingTookIsSaidOnce) {
  const std::string rope =
      "sections: {rope: {EA: 100 kN, mass: 1 kg/m}}\n"
      "supports: {hook: {position: [0, 0, 0]}}\n"
      "cables: {rope: {section: rope, route: [hook, [2 m, 0, 0]], elements: 6}}\n"
      "solve: {until: 1 s, step: 20 ms}\n";
  const auto count = [](const RunReport& report, const char* text) {
    return std::count_if(report.warnings.begin(), report.warnings.end(),
                         [&](const std::string& w) { return w.find(text) != std::string::npos; });
  };
  const RunReport lossy = run(read(rope, {"solve.scheme=backward-euler"}), {});
  ASSERT_EQ(lossy.end, RunEnd::finished) << lossy.failure;
  EXPECT_GT(lossy.damping.share(), 0.1);
  EXPECT_NEAR(lossy.damping.taken, -lossy.energy_end.balance(), 1e-9);
  EXPECT_NEAR(lossy.damping.by_steps, lossy.damping.taken, 0.1 * lossy.damping.taken);
  EXPECT_EQ(count(lossy, "numerical damping has dissipated"), 1);
  EXPECT_EQ(count(lossy, "`scheme: hht`"), 1);
  const RunReport sound = run(read(rope, {"solve.step=1 ms"}), {});
  EXPECT_LT(std::abs(sound.damping.share()), 0.02);
  EXPECT_EQ(count(sound, "numerical damping"), 0);
  // Damping that the section asks for is none of the scheme's.
  const RunReport damped =
      run(read(rope, {"solve.step=1 ms", "sections.rope.damping.rayleigh.mass=5 / (1 s)"}), {});
  EXPECT_LT(damped.energy_end.work, -2);
  EXPECT_LT(std::abs(damped.damping.share()), 0.02);
  EXPECT_EQ(count(damped, "numerical damping"), 0);
}

/// A tonne falls 1 m onto its rope: 109.34 kN in closed form.
const std::string snatch = R"(
sections: {rope: {EA: 5 MN, mass: 1 kg/m}}
supports: {hook: {position: [0, 0, 0]}}
bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0, 0, -9 m]}}
cables: {fall: {section: rope, model: massless, route: [hook, load], length: 10 m}}
solve: {until: 1 s, step: 50 ms}
)";

TEST(Warnings, ImpactThatTheStepsCutIsReported) {
  for (const char* set : {"solve.factorization_cap=1", "solve.method=spook"}) {
    const RunReport cut = run(read(snatch, {set}), {});
    ASSERT_EQ(cut.end, RunEnd::finished) << cut.failure;
    EXPECT_TRUE(cut.cables[0].largest.computed) << set;
    EXPECT_NEAR(cut.cables[0].largest.tension, 109.34e3, 0.02 * 109.34e3) << set;
    EXPECT_TRUE(any_with(cut.warnings, "cable 'fall' came taut at 0.5 s")) << set;
    EXPECT_TRUE(any_with(cut.warnings, "computed separately")) << set;
    EXPECT_TRUE(any_with(cut.warnings, "has dissipated")) << set;
  }
  const RunReport whole = run(read(snatch), {});
  EXPECT_FALSE(whole.cables[0].largest.computed);
  EXPECT_NEAR(whole.cables[0].largest.tension, 109.34e3, 0.02 * 109.34e3);
  EXPECT_TRUE(silent(whole.warnings));
}

TEST(Warnings, Mixed3PromisesNothingWhereRowsAct) {
  EXPECT_TRUE(any_with(said(hoist, {"solve.method=mixed3"}), "mixed3"));
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
