// When the recorder samples, and that it goes on where it stopped.
#include "record/recorder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hawser/error.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

/// Keeps what it is given.
struct Kept {
  std::vector<double> rows, frames;  ///< times
  int flushes = 0;
};
class KeepingSink final : public Sink {
 public:
  explicit KeepingSink(Kept& kept) : kept_(kept) {}
  void row(double t, std::span<const double> /*values*/) override { kept_.rows.push_back(t); }
  void frame(double t, const std::vector<Shape>& /*shapes*/,
             const std::vector<BodyPose>& /*bodies*/) override {
    kept_.frames.push_back(t);
  }
  void flush() override { ++kept_.flushes; }

 private:
  Kept& kept_;
};

const Model& model() {
  static const Model made(pendulum(1e7));
  return made;
}

State state_at(double t) {
  static const State start = Integrator(model(), {}).start();
  State state = start;
  state.t = t;
  return state;
}

Recording recording(double every, double shapes_every) {
  Recording out;
  out.every = every;
  out.shapes_every = shapes_every;
  return out;
}

/// Times of steps [first, last], added up as a run does.
template <class F>
void run(int first, int last, double step, F&& f) {
  double t = 0;
  for (int i = 0; i <= last; ++i, t += step)
    if (i >= first) f(t);
}

Kept recorded(const Recording& what, double until, double step) {
  Kept kept;
  Recorder recorder(model(), what, until, step);
  recorder.add(std::make_unique<KeepingSink>(kept));
  const int steps = static_cast<int>(std::lround(until / step));
  run(0, steps, step, [&](double t) {
    recorder.sample(state_at(t));
    if (t > until - step / 2) recorder.finish(state_at(t));
  });
  return kept;
}

TEST(Recorder, SamplesTheStepsNearestToMultiples) {
  // Steps of 0.3 s: 0.5 is nearest to 0.6, 1.0 to 0.9, 1.5 is a step, 2.0 nearest to 2.1.
  const Kept kept = recorded(recording(0.5, 1.0), 2.1, 0.3);
  ASSERT_EQ(kept.rows.size(), 5U);
  const double rows[] = {0, 0.6, 0.9, 1.5, 2.1};
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(kept.rows[i], rows[i], 1e-9);
  ASSERT_EQ(kept.frames.size(), 3U);
  EXPECT_NEAR(kept.frames[1], 0.9, 1e-9);
  EXPECT_NEAR(kept.frames[2], 2.1, 1e-9);
}

TEST(Recorder, DoesNotDriftInLongRuns) {
  // Every third step of 0.1 s: times added up are off in the last digits, rows are not.
  const Kept kept = recorded(recording(0.3, 0.3), 3000, 0.1);
  ASSERT_EQ(kept.rows.size(), 10001U);
  for (size_t i = 0; i < kept.rows.size(); ++i)
    ASSERT_NEAR(kept.rows[i], 0.3 * static_cast<double>(i), 1e-6);
}

TEST(Recorder, TakesEveryStepWhenTheStepIsLonger) {
  EXPECT_EQ(recorded(recording(0.01, 0.25), 1, 0.125).rows.size(), 9U);
  EXPECT_EQ(recorded(recording(0.125, 0.25), 1, 0.125).rows.size(), 9U);
}

TEST(Recorder, EndsWithTheEndOfTheRunOnce) {
  const Kept off = recorded(recording(0.4, 0.6), 1, 0.1);
  EXPECT_EQ(off.rows.size(), 4U);  // 0, 0.4, 0.8, 1
  EXPECT_NEAR(off.rows.back(), 1, 1e-9);
  EXPECT_EQ(off.frames.size(), 3U);  // 0, 0.6, 1
  EXPECT_NEAR(off.frames.back(), 1, 1e-9);
  EXPECT_EQ(off.flushes, 1);
  EXPECT_EQ(recorded(recording(0.5, 0.25), 1, 0.125).rows.size(), 3U);
  EXPECT_EQ(recorded(recording(0.5, 0.25), 1, 0.125).frames.size(), 5U);
}

TEST(Recorder, DefaultsToAThousandRowsAnd25FramesASecond) {
  Kept kept = recorded({}, 10, 1e-3);
  EXPECT_EQ(kept.rows.size(), 1001U);
  EXPECT_EQ(kept.frames.size(), 251U);
  kept = recorded({}, 100, 0.02);  // 2,500 frames are too many
  EXPECT_EQ(kept.frames.size(), 1001U);
}

TEST(Recorder, SaysWhenItWantsTheNextState) {
  Kept kept;
  Recorder recorder(model(), recording(0.25, 0.4), 1, 1e-3);
  recorder.add(std::make_unique<KeepingSink>(kept));
  std::vector<double> wanted;
  while (recorder.next() <= 1) {
    wanted.push_back(recorder.next());
    recorder.sample(state_at(recorder.next()));
  }
  EXPECT_EQ(wanted, (std::vector<double>{0, 0.25, 0.4, 0.5, 0.75, 0.8, 1}));
  EXPECT_EQ(kept.rows, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(kept.frames, (std::vector<double>{0, 0.4, 0.8}));
}

TEST(Recorder, GoesOnFromItsProgress) {
  const Recording what = recording(0, 0.06);  // `every` follows from the first end: 2 s
  Kept whole, parted;
  Recorder all(model(), what, 2, 0.01);
  all.add(std::make_unique<KeepingSink>(whole));
  run(0, 300, 0.01, [&](double t) { all.sample(state_at(t)); });
  Recorder first(model(), what, 2, 0.01);
  first.add(std::make_unique<KeepingSink>(parted));
  run(0, 100, 0.01, [&](double t) { first.sample(state_at(t)); });
  const RecorderProgress progress = first.progress();
  EXPECT_EQ(progress.written.rows, static_cast<long>(parted.rows.size()));
  EXPECT_EQ(progress.written.frames, static_cast<long>(parted.frames.size()));
  first.finish(state_at(1.0));
  EXPECT_EQ(first.progress().written.frames, progress.written.frames)
      << "the end is not part of what goes on";
  parted.rows.resize(static_cast<size_t>(progress.written.rows));
  parted.frames.resize(static_cast<size_t>(progress.written.frames));
  Recorder second(model(), what, progress, 0.01);
  second.add(std::make_unique<KeepingSink>(parted));
  run(101, 300, 0.01, [&](double t) { second.sample(state_at(t)); });
  EXPECT_EQ(parted.rows, whole.rows);
  EXPECT_EQ(parted.frames, whole.frames);
  EXPECT_EQ(whole.rows.size(), 301U);
}

TEST(Recorder, WritesNoNumberThatIsNotFinite) {
  Kept kept;
  Recording what = recording(0.1, 0.1);
  what.channels = {"energy.work", "pendulum.position@end"};
  Recorder recorder(model(), what, 1, 0.1);
  recorder.add(std::make_unique<KeepingSink>(kept));
  State state = state_at(0);
  state.q[static_cast<size_t>(6 * 10 + 2)] = std::nan("");  // z of the last node
  const auto message = [&] {
    try {
      recorder.sample(state);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message().find("channel 'pendulum.position.z@end': found nan at t = 0 s"),
            std::string::npos)
      << message();
  state = state_at(0);
  state.v[6 * 5] = INFINITY;  // no channel sees it, a shape does
  EXPECT_NE(message().find("velocity of cable 'pendulum': found inf"), std::string::npos)
      << message();
  EXPECT_TRUE(kept.frames.empty());
}

TEST(Recorder, TellsItsLayout) {
  Recording what = recording(0.1, 0.1);
  what.channels = {"pendulum.tension@max"};
  what.points = 2;
  const ResultLayout layout = Recorder(model(), what, 1, 0.1).layout();
  ASSERT_EQ(layout.columns.size(), 1U);
  EXPECT_EQ(layout.columns[0].name, "pendulum.tension@max");
  ASSERT_EQ(layout.cables.size(), 1U);
  EXPECT_EQ(layout.cables[0].name, "pendulum");
  EXPECT_EQ(layout.cables[0].s.size(), 21U);
}

TEST(Recorder, RefusesTimesThatMakeNoSense) {
  EXPECT_THROW(Recorder(model(), recording(-1, 0), 1, 0.1), Error);
  EXPECT_THROW(Recorder(model(), recording(0, NAN), 1, 0.1), Error);
  EXPECT_THROW(Recorder(model(), recording(0, 0), 0, 0.1), Error);
  EXPECT_THROW(Recorder(model(), recording(0, 0), 1, 0), Error);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
