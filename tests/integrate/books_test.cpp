// The books: every force without a potential books its work, so that the balance of energy closes
// with the order of the scheme; the guard on what is left.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hawser/scene_file.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

struct Extremes {
  double balance = 0, work = 0, scale = 0;
};

Extremes extremes(const SceneFile& file, double step) {
  SolveOptions options = file.solve;
  options.step = step;
  const Model model = compile(file);
  Integrator integrator(model, options);
  State state = integrator.start();
  Extremes out;
  while (state.t < file.until - step / 2) {
    if (integrator.step(state) != Status::ok) {
      ADD_FAILURE() << integrator.failure().message();
      break;
    }
    const Energy e = energy(model, state);
    out.balance = std::max(out.balance, std::abs(e.balance()));
    out.work = std::max(out.work, std::abs(e.work));
    out.scale = state.books.scale;
  }
  return out;
}

/// A kind of work, and a scene that does much of it.
struct Case {
  const char* name;
  const char* scene;
  double most;   ///< of the balance, over the largest work, at the scene's own step
  double order;  ///< by which it closes at least, from h to h/2
};

const std::string swing = R"yaml(
supports: {top: {position: [0, 0, 0]}}
cables: {rope: {section: rope, route: [top, [2 m, 0, -2 m]], elements: 6}}
)yaml";
const std::string bob = R"yaml(
supports: {top: {position: [0, 0, 0]}}
cables: {rope: {section: rope, route: [top, [0, 0, -10 m]], elements: 6}}
loads: {hook: {at: rope@end, mass: 20 kg}}
solve: {until: 1 s, step: 4 ms}
)yaml";
const std::string strip = R"yaml(
supports: {wall: {position: [0, 0, 0]}}
cables: {rope: {section: rope, route: [{clamp: wall}, [2 m, 0, 0]], elements: 6}}
solve: {until: 1 s, step: 4 ms}
)yaml";

const std::pair<const char*, std::string> damped[] = {
    {"axial viscosity", "axial: {viscosity: 20 ms}"},
    {"axial relaxation", "axial: {relaxations: [{share: 0.3, time: 50 ms}]}"},
    {"axial fractional", "axial: {fractional: {tau: 0.1, order: 0.5}}"},
    {"bending viscosity", "bending: {viscosity: 20 ms}"},
    {"bending relaxation", "bending: {relaxations: [{share: 0.3, time: 50 ms}]}"},
    {"bending fractional", "bending: {fractional: {tau: 0.1, order: 0.5}}"},
    {"Rayleigh stiffness", "rayleigh: {stiffness: 10 ms}"},
    {"Rayleigh mass", "rayleigh: {mass: 3 / (1 s)}"},
};

TEST(Books, DampingOfSectionsBooksItsWork) {
  for (const auto& [name, law] : damped)
    for (const char* method : {"mixed", "newton", "linearized"}) {
      const bool bends = law.starts_with("bending");
      const SceneFile file =
          read_scene_text("sections: {rope: {EA: 100 kN, EI: 20 N m^2, mass: 1 kg/m, damping: {" +
                              law + "}}}" + (bends ? strip : bob),
                          "rope.yaml", {std::string("solve.method=") + method});
      const Extremes coarse = extremes(file, file.solve.step),
                     fine = extremes(file, file.solve.step / 2);
      EXPECT_GT(fine.work, 0.5) << name << ": much is damped";
      const double most = method == std::string("linearized") ? 0.05 : 0.01;
      EXPECT_LT(coarse.balance, most * coarse.work) << name << ", " << method;
      EXPECT_LT(fine.balance, 0.5 * coarse.balance) << name << ", " << method;
    }
}

const Case cases[] = {
    {"support that moves", R"yaml(
sections: {rope: {EA: 20 kN, mass: 1 kg/m}}
supports: {top: {position: [0, 0, 0]}}
cables: {rope: {section: rope, route: [top, [0, 0, -4 m]], elements: 6}}
motions: {shake: {of: top, x: "0.1 m * (1 - cos(2*pi * 1 Hz * t))"}}
solve: {until: 1 s, step: 4 ms}
)yaml",
     0.02, 1.5},
    {"load that is a function of time", R"yaml(
sections: {rope: {EA: 20 kN, EI: 20 N m^2, mass: 1 kg/m}}
supports: {wall: {position: [0, 0, 0]}}
cables: {rope: {section: rope, route: [{clamp: wall}, [2 m, 0, 0]], elements: 6}}
loads: {push: {at: rope@end, force: [0, 0, "20 N * sin(2*pi * 2 Hz * t)"]}}
solve: {until: 1 s, step: 4 ms}
)yaml",
     0.01, 1.5},
    {"force on a body", R"yaml(
bodies: {box: {shape: {box: [1 m, 0.5 m, 0.2 m]}, mass: 10 kg, position: [0, 0, 0], angular_velocity: [1 rad/s, 2 rad/s, 0], frames: {eye: [0.5 m, 0, 0]}}}
loads: {push: {at: box.eye, force: ["20 N * sin(3 rad/s * t)", 30 N, 98 N]}}
solve: {until: 1 s, step: 10 ms}
)yaml",
     0.01, 1.5},
    {"winch", R"yaml(
sections: {wire: {EA: 2 MN, mass: 1 kg/m, damping: {axial: {viscosity: 5 ms}}}}
supports: {winch: {position: [0, 0, 20 m]}}
bodies: {load: {shape: {sphere: 0.4 m}, mass: 1 t, position: [0, 0, 0]}}
cables: {hoist: {section: wire, model: massless, route: [winch, load], length: 20 m, payout: "-2 m * (1 - cos(2 rad/s * t))"}}
solve: {until: 1 s, step: 2 ms}
)yaml",
     0.001, 1.5},
    {"drive with slip", R"yaml(
supports: {pier: {position: [0, 0, 0]}}
bodies: {boom: {shape: {box: [4 m, 0.2 m, 0.2 m]}, mass: 100 kg, position: [2 m, 0, 0], frames: {foot: [-2 m, 0, 0]}}}
joints: {foot: {kind: hinge, between: [pier, boom.foot], axis: y, turn_rate: "-0.5 rad/s * sin(3 rad/s * t)", slip: 1e-3}}
solve: {until: 1 s, step: 5 ms}
)yaml",
     0.001, 1.5},
    {"drag", R"yaml(
fluid: {density: 1025 kg/m^3}
sections: {rope: {EA: 20 kN, mass: 1 kg/m, diameter: 16 mm, drag: 1.2}}
supports: {top: {position: [0, 0, 0]}}
cables: {rope: {section: rope, route: [top, [3 m, 0, 0]], elements: 6}}
solve: {until: 1 s, step: 4 ms}
)yaml",
     0.01, 1.3},
};

TEST(Books, BalanceClosesWithTheOrderOfTheScheme) {
  for (const Case& c : cases)
    for (const char* method : {"mixed", "newton"}) {
      const SceneFile file =
          read_scene_text(c.scene, "scene.yaml", {std::string("solve.method=") + method});
      const Extremes coarse = extremes(file, file.solve.step),
                     fine = extremes(file, file.solve.step / 2);
      EXPECT_GT(fine.work, 1) << c.name;
      EXPECT_LT(coarse.balance, c.most * coarse.work) << c.name << ", " << method;
      EXPECT_GT(std::log2(coarse.balance / fine.balance), c.order)
          << c.name << ", " << method << ": " << coarse.balance << ", " << fine.balance;
    }
}

/// A rope swung into still water: drag stops it within a few steps (nylon, 16 mm, 3 rad/s).
const char* const into_water = R"yaml(
fluid: {density: 1025 kg/m^3}
sections: {rope: {library: nylon, diameter: 16 mm}}
supports: {top: {position: [0, 0, 0]}}
cables: {rope: {section: rope, route: [top, [3 m, 0, 0]], elements: 10, angular_velocity: [0, 0, 3 rad/s]}}
solve: {until: 0.5 s, step: 10 ms}
)yaml";

TEST(Books, DragThatStopsARopeAtOnceTakesWhatItHad) {
  for (const char* scheme : {"hht", "backward-euler", "bdf2", "generalized-alpha"})
    for (const char* step : {"10 ms", "5 ms", "1 ms"}) {
      const SceneFile file = read_scene_text(
          into_water, "water.yaml",
          {std::string("solve.scheme=") + scheme, std::string("solve.step=") + step});
      const Extremes seen = extremes(file, file.solve.step);
      EXPECT_NEAR(seen.work, 6.8, 0.35) << scheme << ", " << step;
      EXPECT_LT(seen.balance, 0.05 * 6.8) << scheme << ", " << step;
    }
}

/// A mass damping that stops the fall within a step.
TEST(Books, DampingFasterThanAStepBooksNoMoreThanThereIs) {
  const SceneFile file = read_scene_text(
      "sections: {rope: {EA: 100 kN, mass: 1 kg/m, damping: {rayleigh: {mass: 300 / (1 s)}}}}" +
          swing + "solve: {until: 0.5 s, step: 10 ms}",
      "rope.yaml");
  const Extremes seen = extremes(file, file.solve.step);
  EXPECT_GT(seen.work, 0.1);
  EXPECT_LT(seen.balance, 0.01 * seen.work);
}

// --- the guard ---

/// A stiff bar that swings, linearized where it is: the turn of a step does false work.
Failure unstable(double step, double& alone) {
  const SceneFile file = read_scene_text(R"yaml(
sections: {bar: {EA: 1 GN, EI: 1 N m^2, mass: 1 kg/m}}
supports: {hook: {position: [0, 0, 0]}}
cables: {bar: {section: bar, route: [hook, [1 m, 0, 0]], elements: 4}}
solve: {until: 5 s, step: 20 ms, method: linearized, scheme: newmark, constraints: baumgarte, energy_guard: 0.01}
)yaml",
                                         "bar.yaml");
  SolveOptions options = file.solve;
  options.step = step;
  const Model model = compile(file);
  Integrator integrator(model, options);
  State state = integrator.start();
  integrator.advance(state, 5);
  options.energy_guard = 0;  // the same run, looked at from outside
  Integrator blind(model, options);
  State other = blind.start();
  const double one_step = 9.81 * step, least = std::max(1e-3 * 9.81, one_step * one_step / 2);
  int stays = 0;
  for (alone = 0; other.t < 5 && stays < 8;) {
    if (blind.step(other) != Status::ok) break;
    if (other.steps % 2 != 0) continue;  // the guard looks at every other step
    const bool gains = energy(model, other).balance() > 0.01 * std::max(other.books.scale, least);
    stays = gains ? stays + 1 : 0;
    if (stays == 1) alone = other.t;
  }
  return integrator.failure();
}

/// A gain counts when it stays for 16 steps.
TEST(Guard, StopsAnUnstableRunAndSaysSinceWhenItGains) {
  for (const double step : {0.02, 0.013}) {
    double alone = 0;
    const Failure failure = unstable(step, alone);
    ASSERT_EQ(failure.status, Status::energy_gain);
    EXPECT_NEAR(failure.time, alone + 15 * step, 1.001 * step);
    const std::string since = "since t = ";
    ASSERT_EQ(failure.cause.rfind(since, 0), 0U) << failure.cause;
    EXPECT_NEAR(std::stod(failure.cause.substr(since.size())), alone, 1.001 * step);
    EXPECT_NE(failure.cause.find("unstable"), std::string::npos) << failure.cause;
  }
}

/// Everyday machines whose books once showed gains: winches and supports in an impact, drag.
TEST(Guard, LeavesSoundRunsAlone) {
  const char* const wire = "sections: {wire: {library: wire-rope-6x36, diameter: 16 mm}}\n";
  const std::string scenes[] = {into_water, std::string(wire) + R"yaml(
supports: {winch: {position: [0, 0, 20 m]}}
bodies: {load: {shape: {sphere: 0.4 m}, mass: 1 t, position: [0, 0, 0]}}
cables: {hoist: {section: wire, model: massless, route: [winch, load], length: 20.5 m, payout: "-1 m/s * (2 s) * ramp(t, 0 s, 2 s)"
  }
}
solve: {until: 2.5 s, step: 10 ms}
)yaml",
                                std::string(wire) + R"yaml(
supports: {top: {position: [0, 0, 20 m]}}
cables: {rope: {section: wire, model: np-fem, tension_only: true, route: [top, [0, 0, 0.5 m]], length: 20 m, elements: 10}}
loads: {hook: {at: rope@end, mass: 500 kg}}
motions: {lift: {of: top, z: "2 m/s * (1 s) * ramp(t, 0 s, 1 s)"}}
solve: {until: 1 s, step: 5 ms}
)yaml",
                                std::string(wire) + R"yaml(
supports: {winch: {position: [0, 0, 20 m]}}
bodies: {block: {shape: {sphere: 0.2 m}, mass: 50 kg, position: [0, 0, 10 m], frames: {hook: [0, 0, -0.2 m]}}}
cables:
  hoist: {section: wire, model: massless, route: [winch, block], length: 10.3 m, payout: "-1 m/s * (2 s) * ramp(t, 0 s, 2 s)"}
  sling: {section: wire, route: [block.hook, [0, 0, 4.8 m]], elements: 6}
loads: {load: {at: sling@end, mass: 800 kg}}
solve: {until: 2.5 s, step: 10 ms}
)yaml"};
  for (const std::string& scene : scenes) {
    const SceneFile file = read_scene_text(scene, "scene.yaml", {"solve.energy_guard=0.02"});
    extremes(file, file.solve.step);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
