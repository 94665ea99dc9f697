// Cable that flows, as a guest of scenes: spans of flowing and plain elements over eyelets and out
// of supplies, against closed forms, integrated equations and an independent program (numbers from
// docs/theory/flow.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../bench/flow_guest.h"
#include "assembly/energy.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flow_guest;

struct FlowRun {
  std::shared_ptr<FlowGuest> guest;
  Model model;
  Integrator integrator;
  State state;

  FlowRun(const std::shared_ptr<FlowGuest>& of, const SolveOptions& options)
      : guest(of),
        model(compile(beside(), {of})),
        integrator(model, options),
        state(integrator.start()) {}
  void to(double t) {
    ASSERT_EQ(integrator.advance(state, t), Status::ok) << integrator.failure().message();
  }
  [[nodiscard]] double flow(size_t i = 0) const {
    return state.q[guest->coordinate(model.data(), i)];
  }
};

SolveOptions by(double step, Method method = Method::mixed) {
  SolveOptions out;
  out.step = step;
  out.method = method;
  return out;
}

/// Two spans over an eyelet at the origin, the first hanging below it.
std::shared_ptr<FlowGuest> over_eyelet(double left, const Vec3& tip,
                                       const std::vector<double>& left_p,
                                       const std::vector<double>& right_p) {
  auto guest = std::make_shared<FlowGuest>();
  Span a, b;
  a.from = {0, 0, -left};
  a.to = b.from = {0, 0, 0};
  b.to = tip;
  a.p = left_p;
  b.p = right_p;
  a.flow[1] = b.flow[0] = 0;
  a.held[1] = b.held[0] = true;
  guest->spans = {a, b};
  guest->flows.resize(1);
  return guest;
}

std::shared_ptr<FlowGuest> atwood(double mass = 1e-4) {
  auto guest = over_eyelet(4, {2, 0, 0}, {0, 4}, {4, 6});
  guest->mass = mass;
  guest->spans[0].mass[0] = 3;
  guest->spans[1].mass[1] = 1;
  return guest;
}

/// The swinging Atwood machine over an eyelet, M/m = 3, against the integrated equations of a
/// massless rope. What remains is stretch and the mass of the rope.
TEST(Flow, SwingingAtwoodMachine) {
  const double t[] = {0.5, 1, 1.5, 2, 3};
  const double r[] = {1.21709875, 1.15568353, 1.14918871, 1.91207734, 0.79958669};
  const double theta[] = {0.63467284, -2.94859208, -5.47537448, -7.61752919, -4.13749634};
  for (const Method method : {Method::mixed, Method::newton}) {
    FlowRun run(atwood(), by(1e-3, method));
    const double before = energy_of(run.model.data(), run.state).total();
    for (const int i : {0, 1, 2, 3, 4}) {
      run.to(t[i]);
      const Vec3 exact(r[i] * std::sin(theta[i]), 0, -r[i] * std::cos(theta[i]));
      EXPECT_LT((run.guest->node(run.state, 1, 1) - exact).norm(), 2e-3) << t[i];
    }
    EXPECT_NEAR(energy_of(run.model.data(), run.state).total(), before, 5e-3);
  }
}

/// The same with a rope of 0.1 kg/m, EA = 20 kN in Green's strain, 2.6 kg and 2 kg: point masses
/// and springs threaded through a ring, extrapolated to many (an independent program).
TEST(Flow, AtwoodMachineWithAHeavyRope) {
  const auto guest = over_eyelet(3, {2 * std::sin(0.5), 0, -2 * std::cos(0.5)}, nodes(0, 3, 12),
                                 {3, 3.95, 4.2, 4.45, 4.7, 5});
  guest->mass = 0.1;
  guest->law = {20000, 1e-3};
  guest->strain = StrainMeasure::green;
  guest->spans[0].mass[0] = 2.6;
  guest->spans[1].mass[1] = 2;
  FlowRun run(guest, by(1e-3));
  const double t[] = {0.25, 0.5, 0.75, 1}, x[] = {0.80390, 0.36503, -0.22131, -0.69656},
               y[] = {-1.77489, -1.76698, -1.61030, -1.25498};
  for (const int i : {0, 1, 2, 3}) {
    run.to(t[i]);
    const Vec3 tip = guest->node(run.state, 1, 5);
    EXPECT_NEAR(tip.x(), x[i], 5e-4) << t[i];
    EXPECT_NEAR(tip.z(), y[i], 5e-4) << t[i];
  }
  EXPECT_NEAR(3 + run.flow(), 3.5641, 5e-4);
}

/// A chain of length 1 slides from a frictionless table over a guide: x = cosh(sqrt(g) t)/2.
TEST(Flow, ChainOverAnEdge) {
  for (const double h : {1e-3, 1e-2}) {
    auto guest = std::make_shared<FlowGuest>();
    Span table, hanging;
    table.from = {-0.5, 0, 0};
    table.to = hanging.from = {0, 0, 0};
    hanging.to = {0, 0, -0.5};
    table.p = {0, 0.5};
    hanging.p = nodes(0.5, 1, 3);
    table.flow[1] = hanging.flow[0] = 0;
    table.held[1] = hanging.held[0] = true;
    table.level = true;
    guest->spans = {table, hanging};
    guest->flows.resize(1);
    guest->mass = 1;
    guest->law = {1e5, 1e-4};
    guest->spans[0].tension[1] = guest->spans[1].tension[0] = g / 4;
    FlowRun run(guest, by(h));
    const double x[] = {0.50614379, 0.52472615, 0.55620374, 0.60135012, 0.66127479};
    for (const int i : {1, 2, 3, 4, 5}) {
      run.to(0.05 * i);
      EXPECT_NEAR(-guest->node(run.state, 1, 3).z(), x[i - 1], 1e-4)
          << "h " << h << ", t " << 0.05 * i;
    }
  }
}

/// Two masses on a light rope over an eyelet that moves by Y: x = 2 + (g t^2/2 + Y - Y.(0) t)/5.
TEST(Flow, MovingEyelet) {
  auto guest = over_eyelet(2, {0, 0, -2}, {0, 2}, {2, 4});
  guest->spans[0].mass[0] = 3;
  guest->spans[1].mass[1] = 2;
  guest->lift = Signal::sine(0.2, 1);
  FlowRun run(guest, by(1e-3));
  for (const double t : {0.25, 0.5, 0.75, 1.0}) {
    run.to(t);
    const double Y = 0.2 * std::sin(2 * std::numbers::pi * t);
    const double exact = 2 + 0.2 * (g * t * t / 2 + Y - 0.4 * std::numbers::pi * t);
    EXPECT_NEAR(Y - guest->node(run.state, 0, 0).z(), exact, 1e-3) << t;
  }
}

/// A pendulum paid out at 1 m/s, l = 10 + t, from 0.2 rad, against the integrated equation.
TEST(Flow, PaidOutPendulum) {
  auto guest = std::make_shared<FlowGuest>();
  Span span;
  span.to = {10 * std::sin(0.2), 0, -10 * std::cos(0.2)};
  span.p = {0, 5, 10};
  span.flow[0] = 0;
  span.open[0] = span.held[0] = true;
  span.mass[1] = 10;
  guest->spans = {span};
  guest->flows = {Signal::ramp(0, -20, 0, 20)};
  guest->spans[0].tension[0] = guest->spans[0].tension[1] = 10 * (g * std::cos(0.2));
  FlowRun run(guest, by(1e-2));
  const double theta[] = {0.11793001, -0.04123277, -0.14836522, -0.14338116, -0.05050392};
  for (const int i : {0, 1, 2, 3, 4}) {
    run.to(i + 1);
    const Vec3 tip = guest->node(run.state, 0, 2);
    EXPECT_NEAR(std::atan2(tip.x(), -tip.z()), theta[i], 2e-4) << i + 1;
    EXPECT_NEAR(tip.norm(), 11 + i, 0.01);
  }
}

/// A supply by tension: (M + m l) l.. = (M + m l) g - T.
TEST(Flow, SupplyByTension) {
  auto guest = std::make_shared<FlowGuest>();
  Span span;
  span.to = {0, 0, -10};
  span.p = {0, 5, 10};
  span.flow[0] = 0;
  span.open[0] = span.held[0] = true;
  span.mass[1] = 10;
  guest->spans = {span};
  guest->flows.resize(1);
  guest->mass = 0.4;
  guest->pull = 123.606;
  guest->spans[0].tension[0] = 123.606;
  guest->spans[0].tension[1] = 123.606 * 10 / 14;
  FlowRun run(guest, by(1e-2));
  const double l[] = {10.500839, 12.128638, 15.265994};
  for (const int i : {0, 1, 2}) {
    run.to(i + 1);
    EXPECT_NEAR(-guest->node(run.state, 0, 2).z(), l[i], 3e-3) << i + 1;
    EXPECT_NEAR(10 - run.flow(), l[i], 3e-3) << i + 1;
  }
}

/// Each method against a run with a step 16 times as short.
TEST(Flow, IsOfSecondOrder) {
  const auto tip = [](Method method, double h) {
    auto guest = atwood(0.05);
    guest->law = {2000, 0.05};
    FlowRun run(guest, by(h, method));
    run.to(0.4);
    return guest->node(run.state, 1, 1);
  };
  const Vec3 exact = tip(Method::newton, 1.25e-4);
  for (const Method method : {Method::mixed, Method::linearized, Method::newton}) {
    const double coarse = (tip(method, 4e-3) - exact).norm(),
                 fine = (tip(method, 2e-3) - exact).norm();
    EXPECT_GT(std::log2(coarse / fine), 1.8)
        << static_cast<int>(method) << ": " << coarse << ", " << fine;
  }
}

TEST(Flow, GoesOnToTheSameBits) {
  FlowRun whole(atwood(), by(2e-3)), half(atwood(), by(2e-3));
  for (int i = 0; i < 40; ++i) ASSERT_EQ(whole.integrator.step(whole.state), Status::ok);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(half.integrator.step(half.state), Status::ok);
  Integrator after(half.model, by(2e-3));
  after.resume(half.state);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(after.step(half.state), Status::ok);
  EXPECT_EQ(whole.state.q, half.state.q);
  EXPECT_EQ(whole.state.v, half.state.v);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
