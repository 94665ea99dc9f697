// A sample of `hawser bench robustness`: scenes get to their end with energies and peaks that are
// right, or say that they are not.
#include <gtest/gtest.h>

#include "bench/everyday.h"
#include "bench/robustness_random.h"

namespace hawser::HAWSER_FILE {
namespace {

TEST(Robustness, RandomScenesSayWhatGoesWrong) {
  CampaignOptions options;
  options.count = 100;
  int failed = 0;
  for (const RandomResult& r : run_random_scenes(options)) {
    failed += !r.finished;
    EXPECT_FALSE(r.refused || !r.tells || r.silent_gain() || r.silent_loss())
        << "scene " << r.number << " (" << r.family << ", " << r.method << " " << r.scheme << ", "
        << 1e3 * r.step << " ms): " << r.said << " gain " << r.gain << ", loss " << r.loss
        << "; `hawser bench robustness --campaign random --only " << r.number
        << " --write FOLDER` writes it";
  }
  EXPECT_LE(failed, 5);
}

TEST(Robustness, EverydayScenesRunAndAreRight) {
  CampaignOptions options;
  options.count = 40;
  for (const EverydayResult& r : run_everyday_scenes(options)) {
    EXPECT_FALSE(r.bad()) << "scene " << r.number << " (" << r.family << ", " << 1e3 * r.step
                          << " ms): " << r.said << " peak of '" << r.cable << "' " << r.coarse_peak
                          << " N at h, " << r.fine_peak << " N at h/10, gain " << r.gain
                          << ", loss " << r.loss
                          << "; `hawser bench robustness --campaign everyday --only " << r.number
                          << " --write FOLDER` writes it";
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
