// What is refused of inputs and of functions of time that use them.
#include <gtest/gtest.h>

#include <cmath>

#include "hawser/model.h"
#include "machines.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A load on a rope, with an input.
Scene scene_with(const Input& input) {
  Scene scene;
  scene.bodies = {ball("load", 10, {0, 0, 0})};
  scene.supports = {ground("hook", {0, 0, 5})};
  scene.cables = {massless("rope", 1e5, 0, {"hook", "load"})};
  scene.inputs = {input};
  return scene;
}

Input speed() {
  Input out;
  out.name = "speed";
  out.unit = "m/s";
  out.from = -1;
  out.to = 1;
  return out;
}

std::string refusal(const Scene& scene) {
  return error_of([&] { const Model model(scene); });
}

TEST(ValidateInputs, RefusesUnsoundOnes) {
  Input input = speed();
  EXPECT_EQ(refusal(scene_with(input)), "no error");
  input.value = 2;
  EXPECT_EQ(
      refusal(scene_with(input)),
      "input 'speed', value: found 2; expected a value from -1 to 1, the range of the input.");
  input.value = NAN;
  EXPECT_EQ(refusal(scene_with(input)),
            "input 'speed', value: found nan; expected a finite number.");
  input = speed();
  input.from = 3;
  EXPECT_EQ(refusal(scene_with(input)),
            "input 'speed': found a range from 3 to 1; expected the lower limit first.");
  input = speed();
  input.smoothing = -1;
  EXPECT_EQ(refusal(scene_with(input)),
            "input 'speed', smoothing: found -1 s; expected a finite number, zero or above.");
  input.smoothing = 1e-12;
  EXPECT_EQ(refusal(scene_with(input)),
            "input 'speed', smoothing: found 1e-12 s; expected 0, or at least 1e-09 s.");
  input = speed();
  input.name.clear();
  EXPECT_EQ(refusal(scene_with(input)),
            "an input: found no name; expected a name. Name every input.");
  input = speed();
  input.feedback = FeedbackLaw{{{"t", "load.position.z"}}, "t"};
  EXPECT_EQ(refusal(scene_with(input)),
            "input 'speed', feedback: found the name 't' for channel 'load.position.z'; expected a "
            "name other than a unit, t or pi.");
  Scene twice = scene_with(speed());
  twice.inputs.push_back(speed());
  EXPECT_EQ(refusal(twice), "input 'speed': found the same name twice; expected a unique name.");
}

TEST(ValidateInputs, RefusesPositionsThatJump) {
  Scene scene = scene_with(speed());
  scene.cables[0].payout = Signal::input(0);
  EXPECT_EQ(refusal(scene),
            "cable 'rope', payout: found input 'speed' without smoothing, which would make the "
            "position jump; expected an input with smoothing. Give input 'speed' a smoothing time, "
            "such as `smoothing: 0.2 s`.");
  scene.inputs[0].smoothing = 0.1;
  EXPECT_EQ(refusal(scene), "no error");
  scene.inputs[0].smoothing = 0;
  scene.cables[0].payout = 0.0;
  scene.supports[0].motion[1] = Signal::input(0);
  EXPECT_TRUE(refusal(scene).starts_with("support 'hook', motion: found input 'speed' without"));
  scene.supports[0].motion[1] = 0.0;
  scene.cables[0].drive.kind = Drive::Kind::velocity;
  scene.cables[0].drive.value = Signal::input(0);
  EXPECT_EQ(refusal(scene), "no error") << "a speed may jump";
}

TEST(ValidateInputs, RefusesInputsThatAreNotThereAndNegativeSlips) {
  Scene scene = scene_with(speed());
  scene.cables[0].drive.kind = Drive::Kind::velocity;
  scene.cables[0].drive.value = Signal::input(1);
  EXPECT_EQ(refusal(scene), "cable 'rope', speed: found input number 1; expected 0 to 0.");
  scene.cables[0].drive.value = 0.0;
  scene.cables[0].drive.slip = Signal::input(0);
  EXPECT_EQ(
      refusal(scene),
      "cable 'rope', speed, slip: found -1 where input 'speed' is -1; expected a slip of zero "
      "or more over the range of the input. Change `from` and `to` of the input.");
  scene.inputs[0].from = 0;
  EXPECT_EQ(refusal(scene), "no error");
}

TEST(ValidateInputs, StartsWithTheInitialValues) {
  Input payout = speed();
  payout.smoothing = 0.1;
  payout.value = 0.5;
  Scene scene = scene_with(payout);
  scene.supports[0].motion[2] = Signal::input(0);
  const Model model(scene);
  EXPECT_EQ(model.input("speed"), 0);
  EXPECT_EQ(error_of([&] { (void)model.input("sped"); }),
            "input: found unknown input 'sped'; expected one of speed. Did you mean 'speed'?");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
