// Checkpoints: what is written is what is read, and damage never goes unseen.
#include "run/checkpoint.h"

#include <gtest/gtest.h>

#include <random>

#include "hawser/error.h"
#include "hawser/record.h"
#include "record/mechanisms.h"
#include "run/archive.h"
#include "scenes.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

Checkpoint sample() {
  Checkpoint c;
  c.scene = "title: a pendulum\n";
  c.file = "pendulum.yaml";
  c.until = 12.5;
  c.csv = c.vtk = true;
  c.checkpoint_every = 0.5;
  c.recorder.next_row = 17;
  c.recorder.written = {16, 4};
  Scene scene = pendulum(1e8);
  scene.cables[0].elements = 2;
  add_condition(scene, "tip", {{Place::end("pendulum"), Coordinate::y, 1}});
  Integrator integrator(Model(scene), solve_options(Method::mixed, 1e-3, Scheme::bdf2));
  c.snapshot.mesh = integrator.model().mesh();
  c.snapshot.state = integrator.start();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(integrator.step(c.snapshot.state), Status::ok);
  c.counters = integrator.counters();
  c.counters.rejected = 7;
  c.tension.resize(1);
  c.tension[0].largest = {3, 0.25, 0.125};
  c.tension[0].largest_force = 2.5;
  Expectation e;
  e.name = "tip height";
  e.channel = "pendulum.position.z@end";
  e.value = 0.1;
  ExpectationReport r;
  r.expected = e;
  r.unit = "m";
  r.measured = 1.0 / 3;
  r.reached = true;
  c.expectations.push_back(r);
  c.energy_start.potential = -1.5;
  c.energy_start.twist = 0.75;
  c.energy_start.start = -0.75;
  c.warnings = {"slack", ""};
  c.cpu = 1.25;
  c.wall = 2.5;
  return c;
}

TEST(Checkpoint, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string path = folder / "checkpoint.bin";
  const Checkpoint wrote = sample();
  write_checkpoint(path, wrote);
  const Checkpoint read = read_checkpoint(path);
  EXPECT_EQ(read.scene, wrote.scene);
  EXPECT_EQ(read.file, wrote.file);
  EXPECT_EQ(read.until, wrote.until);
  EXPECT_TRUE(read.csv && !read.hdf5 && read.vtk);
  EXPECT_EQ(read.checkpoint_every, wrote.checkpoint_every);
  EXPECT_EQ(read.recorder.next_row, 17);
  EXPECT_EQ(read.recorder.written.frames, 4);
  EXPECT_EQ(read.snapshot.mesh, wrote.snapshot.mesh);
  EXPECT_EQ(read.snapshot.state.t, wrote.snapshot.state.t);
  EXPECT_EQ(read.snapshot.state.steps, 5);
  EXPECT_EQ(read.snapshot.state.q, wrote.snapshot.state.q);
  EXPECT_EQ(read.snapshot.state.a, wrote.snapshot.state.a);
  EXPECT_EQ(read.snapshot.state.v_before, wrote.snapshot.state.v_before);
  EXPECT_EQ(read.snapshot.state.axial_force, wrote.snapshot.state.axial_force);
  EXPECT_EQ(read.snapshot.state.multipliers, wrote.snapshot.state.multipliers);
  EXPECT_EQ(read.snapshot.state.axial_force_valid, wrote.snapshot.state.axial_force_valid);
  EXPECT_EQ(read.snapshot.state.books.scale, wrote.snapshot.state.books.scale);
  EXPECT_EQ(read.counters.factorizations, wrote.counters.factorizations);
  EXPECT_EQ(read.counters.rejected, 7);
  ASSERT_EQ(read.tension.size(), 1U);
  EXPECT_EQ(read.tension[0].largest.s, 0.25);
  EXPECT_EQ(read.tension[0].largest_force, 2.5);
  EXPECT_FALSE(read.tension[0].overloaded());
  ASSERT_EQ(read.expectations.size(), 1U);
  EXPECT_EQ(read.expectations[0].expected.channel, "pendulum.position.z@end");
  EXPECT_EQ(read.expectations[0].measured, 1.0 / 3);
  EXPECT_TRUE(read.expectations[0].reached && !read.expectations[0].met);
  EXPECT_EQ(read.energy_start.potential, -1.5);
  EXPECT_EQ(read.energy_start.twist, 0.75);
  EXPECT_EQ(read.energy_start.start, -0.75);
  EXPECT_EQ(read.warnings, wrote.warnings);
  EXPECT_EQ(read.wall, 2.5);
  // Written again it is the same file: nothing was left out above.
  write_checkpoint(folder / "again.bin", read);
  EXPECT_EQ(read_text(folder / "again.bin"), read_text(path));
}

/// A hoist that rubs over its sheave while its rope is paid out, with a hinged arm that hits its
/// limit beside it, and a cable with mass between the two, which spook refuses.
Scene machine(Method method) {
  Scene scene = hoist(0.15);
  scene.cables[0].payout = Signal::ramp(0, -0.04, 0.02, 0.12);
  scene.cables[0].sections[0].GJ = 3;
  scene.bodies[0].angular_velocity = {0.2, 0.1, 1};
  scene.bodies.push_back(solid_body("arm", 2, {1.5, 0, 0}, {1, 0.1, 0.1}));
  add_frame(scene, "arm.root", "arm", {-0.5, 0, 0});
  add_frame(scene, "post", "", {1, 0, 0});
  Joint& hinge = add_joint(scene, "hinge", JointKind::hinge, "post", "arm.root", Vec3::UnitY());
  hinge.turn_limits.highest = 0.05;
  if (method == Method::spook) return scene;
  Cable line = westin_irani_cable(1e7);
  line.name = "line";
  line.route = {Stop::hold("load.side"), Stop::hold("arm")};
  line.elements = 4;
  scene.cables.push_back(line);
  add_frame(scene, "load.side", "load", {0.25, 0, 0});
  return scene;
}

TEST(Checkpoint, BodiesJointsAndMasslessCablesGoOnToTheSameBits) {
  const TemporaryFolder folder;
  const std::string path = folder / "checkpoint.bin";
  for (const Method method : {Method::mixed, Method::newton, Method::spook}) {
    SCOPED_TRACE(static_cast<int>(method));
    const Model model(machine(method));
    std::vector<std::string> names = default_channels(model);
    for (const char* name : {"hinge.turn", "load.orientation", "rope.twist", "rope.rest_length"})
      names.emplace_back(name);
    Channels channels(model, names);
    std::vector<double> expected(channels.columns().size()), found = expected;
    const SolveOptions options = solve_options(method, 1e-3);
    Integrator whole(model, options);
    State state = whole.start();
    int slipping = 0;
    for (int i = 0; i < 160; ++i) {
      ASSERT_EQ(whole.step(state), Status::ok) << whole.failure().message();
      slipping += state.activity.back() != 0;
      if (i % 40 != 20) continue;
      Checkpoint c = sample();
      c.snapshot.state = state;
      c.counters = whole.counters();
      write_checkpoint(path + std::to_string(i), c);
    }
    EXPECT_GT(slipping, 0) << "the rope is meant to slip";
    channels.sample(state, expected);
    for (int i = 20; i < 160; i += 40) {
      const Checkpoint c = read_checkpoint(path + std::to_string(i));
      Integrator rest(model, options);
      State again = c.snapshot.state;
      rest.resume(again, c.counters);
      for (int k = i + 1; k < 160; ++k) ASSERT_EQ(rest.step(again), Status::ok);
      channels.sample(again, found);
      EXPECT_EQ(found, expected) << "from step " << i;
      EXPECT_EQ(again.q, state.q);
      EXPECT_EQ(again.orientation, state.orientation);
      EXPECT_EQ(again.multipliers, state.multipliers);
      EXPECT_EQ(again.run_length, state.run_length);
      EXPECT_EQ(again.wrap, state.wrap);
      EXPECT_EQ(again.activity, state.activity);
      EXPECT_EQ(rest.counters().factorizations, whole.counters().factorizations);
    }
  }
}

TEST(Checkpoint, CutShortAnywhereIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder / "checkpoint.bin";
  write_checkpoint(path, sample());
  const std::string whole = read_text(path);
  for (size_t length = 0; length < whole.size(); ++length) {
    ASSERT_THROW(decode_checkpoint(whole.substr(0, length), path), Error)
        << length << " of " << whole.size() << " bytes";
  }
  EXPECT_THROW(decode_checkpoint(whole + "x", path), Error);
  EXPECT_NO_THROW(decode_checkpoint(whole, path));
}

TEST(Checkpoint, AChangedByteIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder / "checkpoint.bin";
  write_checkpoint(path, sample());
  const std::string whole = read_text(path);
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string flipped = whole;
    flipped[random() % whole.size()] ^= static_cast<char>(1 + random() % 255);
    ASSERT_THROW(decode_checkpoint(flipped, path), Error) << "change " << i;
  }
}

TEST(Checkpoint, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string path = folder / "checkpoint.bin";
  const auto read = [&] { read_checkpoint(path); };
  EXPECT_EQ(error_of(read), path +
                                ": found no checkpoint; expected the results folder of a run with "
                                "a checkpoint. A run writes a checkpoint when it ends or is "
                                "stopped, and periodically with --checkpoint-every.");
  write_file(path, "time [s],rope.tension@max [N]\n0,1\n");
  EXPECT_EQ(error_of(read), path +
                                ": found a file that is not a checkpoint; expected a checkpoint "
                                "written by `hawser run`. Give the results folder of a run.");
  write_checkpoint(path, sample());
  std::string bytes = read_text(path);
  bytes[8] = 99;
  write_file(path, bytes);
  EXPECT_NE(error_of(read).find("found a checkpoint of version 99; expected version 17"),
            std::string::npos);
}

TEST(Archive, AnImpossibleLengthTakesNoMemory) {
  ArchiveWriter writer;
  writer(std::uint64_t{1} << 60);
  std::vector<double> values;
  ArchiveReader reader(writer.bytes().data(), writer.bytes().size());
  EXPECT_THROW(reader(values), ArchiveError);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
