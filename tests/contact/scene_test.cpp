// Contacts read from scene files.
#include <gtest/gtest.h>

#include "hawser/inspect.h"
#include "hawser/scene_file.h"

namespace hawser {
namespace {

const std::string start = R"(
sections: {rope: {EA: 10 kN, EI: 0.1 N m^2, mass: 0.1 kg/m, diameter: 10 mm}}
ground: {}
supports:
  bar:
    position: [0, 0, 1 m]
    shape: {capsule: {radius: 0.1 m, length: 1 m}}
    orientation: {axis: x, angle: 90 deg}
cables: {line: {section: rope, route: [[0, 0, 2 m], [1 m, 0, 2 m]]}}
)";

std::string refusal(const std::string& contact) {
  try {
    read_scene_text(start + contact, "s.yaml");
    return "none";
  } catch (const SceneError& error) {
    return error.what();
  }
}

TEST(ContactScene, IsRead) {
  const SceneFile file = read_scene_text(
      start +
          "contact: {all: {between: [line, bar, ground], friction: 0.3, kinetic_friction: 0.2, "
          "stiffness: 1e6, damping_time: 2 ms, points: 4}}",
      "s.yaml");
  ASSERT_EQ(file.scene.contacts.size(), 1u);
  const Contact& c = file.scene.contacts[0];
  EXPECT_EQ(c.name, "all");
  EXPECT_EQ(c.cables, std::vector<std::string>{"line"});
  EXPECT_EQ(c.shapes, (std::vector<std::string>{"bar", "ground"}));
  EXPECT_EQ(c.friction, 0.3);
  EXPECT_EQ(c.kinetic_friction, 0.2);
  EXPECT_EQ(c.stiffness, 1e6);
  EXPECT_EQ(c.damping_time, 2e-3);
  EXPECT_EQ(c.points, 4);
  EXPECT_EQ(file.scene.supports[0].shape.kind, Solid::Kind::capsule);
  EXPECT_EQ(file.solve.scheme, Scheme::generalized_alpha);
  EXPECT_EQ(file.solve.rho_infinity, 0);
  EXPECT_TRUE(file.warnings.empty()) << "the support is in use";
}

TEST(ContactScene, ReboundsAndRubsBySpeed) {
  const SceneFile file = read_scene_text(
      start +
          "contact: {on: {between: [line, bar], friction: 0.3, restitution: 0.5, friction_law: "
          "hollars, transition_speed: 2 mm/s}, lies: {between: [line, ground], restitution: 1}}",
      "s.yaml");
  const Contact& c = file.scene.contacts[0];
  EXPECT_EQ(c.restitution, 0.5);
  EXPECT_EQ(c.friction_law, FrictionLaw::hollars);
  EXPECT_EQ(c.transition_speed, 2e-3);
  EXPECT_EQ(file.scene.contacts[1].friction_law, FrictionLaw::bristle);
  const SceneFile again = read_scene_text(file.resolved, "s.yaml");  // as results are
  EXPECT_EQ(again.resolved, file.resolved);
  EXPECT_EQ(again.scene.contacts[0].restitution, 0.5);
  EXPECT_EQ(again.scene.contacts[0].transition_speed, 2e-3);
  EXPECT_NE(refusal("contact: {on: {between: [line, line], restitution: 2}}").find("restitution"),
            std::string::npos);
}

TEST(ContactScene, KeepsAGivenScheme) {
  const SceneFile file = read_scene_text(
      start + "contact: {on: {between: [line, ground]}}\nsolve: {scheme: hht}", "s.yaml");
  EXPECT_EQ(file.solve.scheme, Scheme::hht);
}

TEST(ContactScene, OfBodies) {
  const std::string crate =
      "bodies: {crate: {mass: 1 kg, position: [0, 0, 3 m], shape: {box: [1 m, 1 m, 1 m]}}}\n";
  const SceneFile file = read_scene_text(
      start + crate + "contact: {on: {between: [crate, ground, bar], friction: 0.3}}", "s.yaml");
  ASSERT_EQ(file.scene.contacts.size(), 1u);
  EXPECT_TRUE(file.scene.contacts[0].cables.empty());
  EXPECT_EQ(file.scene.contacts[0].shapes, (std::vector<std::string>{"crate", "ground", "bar"}));
  EXPECT_NE(refusal(crate + "contact: {on: {between: [crate]}}").find("the body may touch"),
            std::string::npos);
}

TEST(ContactScene, WarnsOfWhatCanHardlyBeMeant) {
  const auto warned = [](const std::string& text) {
    const SceneFile file = read_scene_text(text, "s.yaml");
    std::string all;
    for (const std::string& w : warnings(Model(file.scene), file.solve, file.until))
      all += w + "\n";
    return all;
  };
  EXPECT_EQ(warned(start + "contact: {on: {between: [line, bar, ground]}}"), "");
  EXPECT_NE(warned(start + "contact: {on: {between: [line, bar], stiffness: 1e12}}")
                .find("stiffness of 1e+12 N/m^2, more than steps of"),
            std::string::npos);
  EXPECT_NE(
      warned(start + "contact: {on: {between: [line, bar], restitution: 0.5, stiffness: 1e7}}")
          .find("things rebound less"),
      std::string::npos);
  const std::string held = R"(
sections: {rope: {EA: 10 kN, EI: 0.1 N m^2, mass: 0.1 kg/m, diameter: 10 mm}}
bodies:
  crate:
    mass: 1 kg
    position: [0, 0, 0]
    shape: {box: [1 m, 1 m, 1 m]}
    frames: {eye: [0, 0, 0.6 m]}
supports: {post: {position: [2 m, 0, 0], shape: {sphere: 0.5 m}}}
joints: {arm: {kind: distance, between: [crate, post]}}
cables: {line: {section: rope, route: [crate.eye, [0, 0, 2 m]]}}
)";
  EXPECT_NE(warned(held + "contact: {on: {between: [line, crate]}}")
                .find("cable 'line' is held at 'crate', whose shape it touches"),
            std::string::npos);
  EXPECT_NE(warned(held + "contact: {on: {between: [crate, post]}}")
                .find("'crate' and 'post' touch and are joined by 'arm'"),
            std::string::npos);
  const auto upright = [&](const char* top) {
    return warned(std::string("ground: {}\n"
                              "sections: {rope: {EA: 10 kN, EI: 0.1 N m^2, mass: 0.1 kg/m, "
                              "diameter: 10 mm}}\n"
                              "cables: {line: {section: rope, route: [[0, 0, 1 m], ") +
                  top + "]}}\ncontact: {on: {between: [line, ground]}}");
  };
  EXPECT_NE(upright("[0, 0, 2 m]").find("cable 'line' falls exactly upright on 'ground'"),
            std::string::npos);
  EXPECT_EQ(upright("[1 um, 0, 2 m]").find("upright"), std::string::npos);
}

TEST(ContactScene, NamesWhatIsWrong) {
  EXPECT_NE(refusal("contact: {on: {between: [line, bat]}}").find("Did you mean 'bar'"),
            std::string::npos)
      << refusal("contact: {on: {between: [line, bat]}}");
  EXPECT_NE(refusal("contact: {on: {between: [bar, ground]}}").find("no cable"), std::string::npos);
  EXPECT_NE(refusal("contact: {on: {between: [line]}}").find("nothing that the cable may touch"),
            std::string::npos);
  EXPECT_NE(refusal("contact: {on: {between: [line, bar], friction: -1}}").find("friction"),
            std::string::npos);
}

}  // namespace
}  // namespace hawser
