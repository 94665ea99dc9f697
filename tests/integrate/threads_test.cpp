// The number of threads changes no bit of a motion.
#include "allocations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "hawser/integrator.h"
#include "hawser/scene_file.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A net held at its corners, which falls: large enough for several threads. `more` is another
/// entry of it.
SceneFile net(int meshes, int threads, const char* more = "") {
  return read_scene_text(
      fmt::format("sections: {{cord: {{library: nylon, diameter: 6 mm}}}}\n"
                  "supports:\n"
                  "  a: {{position: [0, 0, 0]}}\n"
                  "  b: {{position: [5, 0, 0]}}\n"
                  "  c: {{position: [5, 5, 0]}}\n"
                  "  d: {{position: [0, 5, 0]}}\n"
                  "nets:\n  net: {{section: cord, corners: [a, b, c, d], meshes: [{0}, {0}]{2}}}\n"
                  "solve: {{step: 1 ms, until: 1 s, threads: {1}}}\n",
                  meshes, threads, more),
      "net.yaml");
}

void take_steps(Integrator& integrator, State& state, int count) {
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
}

void expect_same(const State& a, const State& b) {
  const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
  };
  EXPECT_TRUE(same(a.q, b.q));
  EXPECT_TRUE(same(a.v, b.v));
  EXPECT_TRUE(same(a.a, b.a));
  EXPECT_TRUE(same(a.axial_force, b.axial_force));
  EXPECT_TRUE(same(a.fixed_reaction, b.fixed_reaction));
  EXPECT_EQ(std::memcmp(&a.books.work, &b.books.work, sizeof(double)), 0);
}

/// Cables of 32 elements are shared out at assembly, those of 30 are not; of ancf the nodes between
/// knots are eliminated before.
TEST(Threads, ChangeNoBit) {
  struct Case {
    int meshes;
    const char* more;
  };
  for (const Case& c :
       {Case{30, ""}, Case{32, ""}, Case{12, ", model: ancf"}, Case{40, ", lumped_mass: true"}}) {
    SCOPED_TRACE(fmt::format("{} meshes{}", c.meshes, c.more));
    std::vector<State> ends;
    State middle;
    for (const int threads : {1, 2, 3}) {
      const SceneFile file = net(c.meshes, threads, c.more);
      Integrator integrator(compile(file), file.solve);
      State state = integrator.start();
      take_steps(integrator, state, 10);
      if (threads == 2) middle = state;
      take_steps(integrator, state, 10);
      ends.push_back(state);
    }
    expect_same(ends[1], ends[0]);
    expect_same(ends[2], ends[0]);
    const SceneFile file = net(c.meshes, 3, c.more);
    Integrator other(compile(file), file.solve);
    other.resume(middle);
    take_steps(other, middle, 10);
    expect_same(middle, ends[0]);
  }
}

#ifdef COUNTS_ALLOCATIONS
TEST(Threads, StepsTakeNoMemory) {
  const SceneFile file = net(30, 3);
  Integrator integrator(compile(file), file.solve);
  State state = integrator.start();
  take_steps(integrator, state, 3);
  const long before = allocations;
  take_steps(integrator, state, 5);
  EXPECT_EQ(allocations - before, 0);
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE
