// Cable wound on a drum: lengths against the closed form of helices, derivatives against
// differences, and that it is smooth where layers change.
#include "elements/winding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;

Drum three_layers() {
  Drum d;
  d.radius = 0.3;
  d.cable = 0.02;
  d.width = 1.0;
  d.pitch = 0.022;
  d.layers = 3;
  return d;
}

/// Of a whole turn of a layer, i from 0.
double turn_length(const Drum& d, int i) {
  const double rise = d.nested ? std::sqrt(3.0) / 2 * d.cable : d.cable;
  return std::hypot(2 * pi * (d.radius + d.cable / 2 + i * rise), d.pitch);
}

TEST(Winding, WholeLayersAreHelices) {
  for (const bool nested : {true, false}) {
    Drum d = three_layers();
    d.nested = nested;
    const Winding w(d);
    const int turns = 45;  // floor(1/0.022)
    EXPECT_DOUBLE_EQ(w.capacity(), 3 * turns * 2 * pi);
    double length = 0;
    for (int i = 0; i < 3; ++i) {
      // Between the half turns in which layers change.
      const double into = 7.25 * 2 * pi;
      EXPECT_NEAR(w.length(turns * 2 * pi * i + into), length + 7.25 * turn_length(d, i), 1e-10);
      EXPECT_EQ(w.layer(turns * 2 * pi * i + into), i + 1);
      length += turns * turn_length(d, i);
    }
    EXPECT_NEAR(w.length(w.capacity()), length, 1e-10);
  }
}

TEST(Winding, TurnsBackAtTheFlange) {
  const Winding w(three_layers());
  const double layer = 45 * 2 * pi;
  EXPECT_NEAR(w.at(0).shift, -45 * 0.022 / 2, 1e-12);
  EXPECT_NEAR(w.at(layer / 2).shift, 0, 1e-12);
  EXPECT_GT(w.at(layer - 10).shift_slope, 0);
  EXPECT_LT(w.at(layer + 10).shift_slope, 0);
  EXPECT_NEAR(w.at(1.5 * layer).shift, 0, 1e-12);
  EXPECT_NEAR(w.at(2 * layer + pi).shift, -45 * 0.022 / 2 + 0.022 / 2, 1e-12);
  for (double W = 0; W < w.capacity(); W += 0.1) EXPECT_LT(std::abs(w.at(W).shift), 0.5);
}

TEST(Winding, LeftHand) {
  Drum d = three_layers();
  const Winding right(d);
  d.left_hand = true;
  const Winding left(d);
  for (const double W : {0.0, 100.0, 300.0, 500.0}) {
    EXPECT_DOUBLE_EQ(left.at(W).shift, -right.at(W).shift);
    EXPECT_DOUBLE_EQ(left.at(W).length, right.at(W).length);
  }
}

TEST(Winding, DerivativesAndContinuity) {
  const Winding w(three_layers());
  const double layer = 45 * 2 * pi, h = 1e-5;
  for (const double from : {5.0, layer - 2.0, 2 * layer - 2.0})
    for (int i = 0; i <= 80; ++i) {
      const double W = from + 0.05 * i;
      const Winding::At a = w.at(W - h), b = w.at(W), c = w.at(W + h);
      EXPECT_NEAR((c.length - a.length) / (2 * h), b.rate, 1e-8) << W;
      EXPECT_NEAR((c.shift - a.shift) / (2 * h), b.shift_slope, 1e-8) << W;
      EXPECT_NEAR((c.inertia - a.inertia) / (2 * h), b.inertia_slope, 1e-8) << W;
      EXPECT_NEAR((c.radius - a.radius) / (2 * h), b.radius_slope, 1e-6) << W;
      EXPECT_NEAR((c.rate - a.rate) / (2 * h), b.rate_slope, 1e-6) << W;
    }
}

TEST(Winding, AngleOfALength) {
  const Winding w(three_layers());
  for (double W = 0; W <= w.capacity(); W += 3.7) EXPECT_NEAR(w.angle(w.length(W)), W, 1e-11 * W);
  EXPECT_EQ(w.angle(0), 0);
}

TEST(Winding, WithoutFlangesIsOnePlane) {
  Drum d;
  d.radius = 0.25;
  d.cable = 0.02;
  const Winding w(d);
  EXPECT_TRUE(std::isinf(w.capacity()));
  EXPECT_DOUBLE_EQ(w.length(1000), 260);
  EXPECT_EQ(w.at(1000).shift, 0);
  EXPECT_EQ(w.layer(1000), 1);
  EXPECT_DOUBLE_EQ(w.at(1000).inertia, 260 * 0.26 * 0.26);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
