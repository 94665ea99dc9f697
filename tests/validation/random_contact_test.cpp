#include "../bench/random_contact.h"

#include <gtest/gtest.h>

namespace hawser {
namespace {

/// A sample of `hawser bench random-contact`.
TEST(RandomContact, GainsNoEnergyAndPassesThroughNothing) {
  int resolved = 0, failed = 0;
  for (int i = 0; i < 30; ++i) {
    const ContactCase c = random_contact(1, i);
    const ContactVerdict v = judge_contact(c);
    EXPECT_LE(v.gain, 1) << i << ", " << c.family;
    EXPECT_FALSE(v.passed) << i << ", " << c.family;
    EXPECT_FALSE(v.not_finite) << i << ", " << c.family;
    if (c.courant > 0.2) continue;
    ++resolved;
    failed += !v.failure.empty();
  }
  EXPECT_LE(failed, resolved / 20);
}

}  // namespace
}  // namespace hawser
