// What the program shows of a run: progress and the summary.
#include <gtest/gtest.h>

#include <cstdio>

#include "progress.h"
#include "run_summary.h"

namespace hawser::HAWSER_FILE {
namespace {

Progress at(double t) {
  Progress p;
  p.t = t;
  p.until = 10;
  p.real_time_factor = 123.4;
  p.seconds_left = 75;
  p.energy.kinetic = 1.25;
  p.energy.potential = -0.25;
  return p;
}

TEST(ProgressBar, ShowsShareTimeSpeedTimeLeftAndEnergy) {
  EXPECT_EQ(progress_bar(at(4.25), 120),
            " 42 % [########............]  4.250 of 10 s   123 x real time   1 min 15 s left   "
            "energy 1 J");
}

TEST(ProgressBar, FitsTheTerminal) {
  for (int width = 0; width < 120; ++width)
    EXPECT_LE(progress_bar(at(4.25), width).size(), static_cast<size_t>(width));
  EXPECT_EQ(progress_bar(at(10), 30), "100 % [####################]");
}

TEST(ProgressLine, ReadsAsASentence) {
  EXPECT_EQ(progress_line(at(4)), " 40 %: t = 4 s, 123 x real time, energy 1 J, 1 min 15 s left");
}

TEST(Duration, IsShort) {
  EXPECT_EQ(duration(0.04), "0.0 s");
  EXPECT_EQ(duration(9.94), "9.9 s");
  EXPECT_EQ(duration(9.96), "10 s");
  EXPECT_EQ(duration(59.6), "1 min 0 s");
  EXPECT_EQ(duration(3 * 3600 + 125), "3 h 2 min");
  EXPECT_EQ(duration(1e300), "very long");
  EXPECT_EQ(duration(0.0 / 0.0), "very long");
}

std::string shown(ProgressDisplay::Style style, int calls) {
  std::FILE* file = std::tmpfile();
  {
    ProgressDisplay display(style, file);
    for (int i = 1; i <= calls; ++i) display.show(at(10.0 * i / calls));
  }
  std::string text(static_cast<size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
  std::fclose(file);
  return text;
}

TEST(ProgressDisplay, WritesALineForEveryTenthOfTheRun) {
  const std::string text = shown(ProgressDisplay::Style::lines, 1000);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  const std::string coarse = shown(ProgressDisplay::Style::lines, 3);
  EXPECT_EQ(std::count(coarse.begin(), coarse.end(), '\n'), 3);
}

TEST(ProgressDisplay, RedrawsTheBarInPlaceAndTakesItAway) {
  const std::string text = shown(ProgressDisplay::Style::bar, 3);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 4);
  EXPECT_EQ(text.substr(text.size() - 4), "\r\x1b[K");
}

TEST(ProgressDisplay, IsSilentWhenAsked) { EXPECT_EQ(shown(ProgressDisplay::Style::none, 9), ""); }

TEST(WithPrefix, KeepsFourDigits) {
  EXPECT_EQ(with_prefix(0, "N"), "0 N");
  EXPECT_EQ(with_prefix(1e-14, "J"), "0 J");
  EXPECT_EQ(with_prefix(-12345.6, "N"), "-12.35 kN");
  EXPECT_EQ(with_prefix(999.96, "N"), "1 kN");
  EXPECT_EQ(with_prefix(2.5e-3, "J"), "2.5 mJ");
  EXPECT_EQ(with_prefix(2.5e-6, "J"), "2.5 uJ");
  EXPECT_EQ(with_prefix(2.5e-9, "J"), "2.5e-09 J");
}

RunReport report() {
  RunReport r;
  r.title = "A rope";
  r.t = r.until = 10;
  CableReport rope;
  rope.cable = "rope";
  rope.largest = {12345.6, 0.5, 1.25};
  rope.smallest = {-2.5, 19.5, 3};
  rope.breaking_load = 20000;
  rope.utilisation = 0.61728;
  rope.from = {Vec3(0, 0, 0), Vec3(20, 0, 0)};
  rope.to = {Vec3(0, 0, 0), Vec3(12, 6, 1e-9)};
  r.cables = {rope};
  r.energy_start.potential = 5;
  r.energy_end.kinetic = 7;
  r.energy_end.work = 2.5;
  r.energy_end.start = 5;
  r.damping.taken = 0.5;
  r.damping.scale = 10;
  r.counters.steps = r.counters.factorizations = 10000;
  r.linear_solver = "block-tridiagonal";
  r.wall = 0.5;
  ExpectationReport e;
  e.expected.name = "tip";
  e.expected.value = 1;
  e.expected.within = 0.01;
  e.measured = 1.005;
  e.unit = "m";
  e.met = e.reached = true;
  r.expectations = {e};
  r.files = {"channels.csv", "summary.json"};
  return r;
}

TEST(RunSummary, SaysWhatHappened) {
  EXPECT_EQ(run_summary(report(), "results/rope"),
            "A rope\n"
            "Finished at 10 s.\n"
            "\n"
            "Motion    rope: start stayed at (0, 0, 0) m, end moved 10 m to (12, 6, 0) m\n"
            "Tension   rope  largest    12.35 kN at 0.5 m, 1.25 s (61.7 % of the breaking load)\n"
            "                smallest     -2.5 N at 19.5 m, 3 s\n"
            "Energy    7 J at the end, 2.5 J of work done; the steps dissipated 500 mJ, 5 % of the "
            "largest energy in motion\n"
            "Work      10000 steps, 10000 factorizations (block-tridiagonal)\n"
            "Speed     10 s in 0.5 s: 20 times real time\n"
            "Expected  tip: 1.005 m, expected 1 m within 0.01: met\n"
            "Files     results/rope: channels.csv, summary.json\n");
}

TEST(RunSummary, ShowsWhatWentWrong) {
  RunReport r = report();
  r.end = RunEnd::failed;
  r.failure = "the step does not settle.";
  r.t = 4.5;
  r.counters.fallbacks = 3;
  r.expectations[0].met = false;
  r.expectations.push_back(r.expectations[0]);
  r.expectations[1].reached = false;
  r.warnings = {"slack"};
  const std::string text = run_summary(r, "");
  EXPECT_NE(text.find("FAILED at 4.5 s of 10 s: the step does not settle.\n"), std::string::npos);
  EXPECT_NE(text.find(", 3 fallbacks\n"), std::string::npos);
  EXPECT_NE(text.find("Expected  tip: 1.005 m, expected 1 m within 0.01: NOT MET\n"
                      "          tip: expected 1 m within 0.01: not reached\n"
                      "Warning   slack\n"),
            std::string::npos);
  EXPECT_EQ(text.find("Files"), std::string::npos);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
