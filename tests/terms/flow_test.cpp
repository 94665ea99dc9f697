// Cable that flows, as a guest of scenes: spans of flowing and plain elements over eyelets and out
// of supplies, against closed forms, integrated equations and an independent program (numbers from
// docs/theory/flow.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "assembly/energy.h"
#include "elements/flow_elements.h"
#include "hawser/integrator.h"
#include "model/model_data.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double g = 9.81;
constexpr double gravity[3] = {0, 0, -g};

/// A point mass on a node.
class Weight final : public Term {
 public:
  Weight(int node, double mass) : at_(node_size * node), mass_(mass) {}
  [[nodiscard]] Facts facts() const override {
    Facts out;
    out.load = true;
    return out;
  }
  void add(const Configuration&, const Wanted& wanted, const Sums& sums) const override {
    sums.force[at_ + 2] -= wanted.load_factor * mass_ * g;
    if (wanted.b) add_mass_times(nullptr, wanted.b, sums.inertia);
    if (!wanted.matrix()) return;
    double block[36] = {};
    for (int i = 0; i < 3; ++i) block[7 * i] = wanted.mass_weight * mass_;
    add_node_block(sums.sink, at_ / node_size, block);
  }
  void add_mass_times(const double*, const double* b, double* out) const override {
    for (int i = 0; i < 3; ++i) out[at_ + i] += mass_ * b[at_ + i];
  }
  void add_energy(const EnergyState& at, EnergyParts& out) const override {
    for (int i = 0; i < 3; ++i) out.kinetic += mass_ * at.v[at_ + i] * at.v[at_ + i] / 2;
    out.gravity += mass_ * g * at.q[at_ + 2];
  }

 private:
  int at_;
  double mass_;
};

/// The tension of a supply: T |g| on the flow, against what draws cable out of it.
class Supply final : public Term {
 public:
  Supply(double tension, int slope, int flow) : tension_(tension), slope_(slope), flow_(flow) {}
  [[nodiscard]] Facts facts() const override {
    Facts out;
    out.supplies = true;
    return out;
  }
  void add(const Configuration& at, const Wanted&, const Sums& sums) const override {
    sums.force[flow_] += tension_ * Eigen::Map<const Vec3>(at.q + slope_).norm();
  }

 private:
  double tension_;
  int slope_, flow_;
};

class Terms final : public Term {
 public:
  std::vector<std::shared_ptr<const Term>> all;
  [[nodiscard]] Facts facts() const override {
    Facts out;
    for (const auto& term : all) out.combine(term->facts());
    out.load = false;
    return out;
  }
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override {
    for (const auto& term : all) term->add(at, wanted, sums);
  }
  void add_mass_times(const double* q, const double* b, double* out) const override {
    for (const auto& term : all) term->add_mass_times(q, b, out);
  }
  void add_energy(const EnergyState& at, EnergyParts& out) const override {
    for (const auto& term : all) term->add_energy(at, out);
  }
  void update_axial(AxialUpdate& update) const override {
    for (const auto& term : all) term->update_axial(update);
  }
  void set_scales(double* arm, double* size) const override {
    for (const auto& term : all) term->set_scales(arm, size);
  }
  [[nodiscard]] double turn(const double* q, const double* motion) const override {
    double most = 0;
    for (const auto& term : all) most = std::max(most, term->turn(q, motion));
    return most;
  }
};

class Held final : public Constraint {
 public:
  std::vector<HeldCoordinate> all;
  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<Held>(*this);
  }
  void visit_signals(const std::function<void(const Signal&)>& use) const override {
    for (const HeldCoordinate& held : all) use(held.value);
  }
  [[nodiscard]] std::span<const HeldCoordinate> held() const override { return all; }
  bool evaluate(const RowsAt&, RowValues&) override { return true; }
};

/// A straight span of cable at rest from one point on towards another, stretched by a tension that
/// varies linearly.
struct Span {
  Vec3 from = Vec3::Zero(),
       to = Vec3::Zero();      ///< of which the one that is held, or else `from`, is where it is
  double tension[2] = {0, 0};  ///< at its ends, to start with [N]
  std::vector<double> p;       ///< material coordinates of its nodes
  int flow[2] = {-1, -1};      ///< at its ends
  bool open[2] = {false, false};
  bool held[2] = {false, false};  ///< its ends stay where they are
  bool level = false;             ///< it lies on a table: heights and their slopes are held
  double mass[2] = {0, 0};        ///< on its ends [kg]
};

/// Spans with elements of one section.
class FlowGuest final : public Guest {
 public:
  LinearElastic law{1e6, 1e-3};
  double mass = 0.001;
  StrainMeasure strain = StrainMeasure::engineering;
  std::vector<Span> spans;
  std::vector<std::optional<Signal>> flows;  ///< given, or free
  Signal lift = 0.0;                         ///< by which held ends are moved upwards [m]
  double pull = 0;                           ///< tension of the supply that flow 0 comes from [N]
  std::vector<int> first_node;

  void declare(ModelData& model) override {
    first_node.clear();
    first_element_ = static_cast<int>(model.structure.elements.size());
    for (const Span& span : spans) {
      first_node.push_back(model.nodes);
      for (size_t i = 0; i < span.p.size(); ++i) add_node(model, false);
      for (size_t i = 0; i + 1 < span.p.size(); ++i)
        model.structure.elements.emplace_back(first_node.back() + i, first_node.back() + i + 1);
    }
    first_scalar_ = model.structure.scalars;
    for (size_t i = 0; i < flows.size(); ++i) add_scalar(model);
    points_ = model.point_size;
    for (const Span& span : spans) model.point_size += batch_of(span).point_size();
  }
  void start(ModelData& model) const override {
    for (size_t k = 0; k < spans.size(); ++k) {
      const Span& span = spans[k];
      const double length = span.p.back() - span.p.front(),
                   rise = span.tension[1] - span.tension[0];
      const Vec3 along = (span.to - span.from).normalized();
      const auto place = [&](double s) {  // distance from the start
        return s + (span.tension[0] * s + rise * s * s / (2 * length)) / law.EA;
      };
      const double first = span.held[1] ? (span.to - span.from).norm() - place(length) : 0;
      for (size_t i = 0; i < span.p.size(); ++i) {
        const double s = span.p[i] - span.p.front();
        const Vec3 r = span.from + (first + place(s)) * along;
        const Vec3 slope = (1 + (span.tension[0] + rise * s / length) / law.EA) * along;
        double* q = model.q0.data() + node_size * (first_node[k] + static_cast<int>(i));
        for (int j = 0; j < 3; ++j) q[j] = r[j], q[3 + j] = slope[j];
        model.v0[static_cast<size_t>(q - model.q0.data()) + 2] = lift.at(model.start()).rate;
        if (span.flow[0] < 0 || !flows[static_cast<size_t>(span.flow[0])] || i == 0) continue;
        const double rate = flows[static_cast<size_t>(span.flow[0])]->at(model.start()).rate;
        for (int j = 0; j < 3; ++j) (q - model.q0.data() + model.v0.data())[j] = -rate * slope[j];
      }
    }
    for (size_t i = 0; i < flows.size(); ++i)
      if (flows[i]) model.v0[coordinate(model, i)] = flows[i]->at(model.start()).rate;
  }
  [[nodiscard]] std::shared_ptr<const Term> term(const ModelData& model) const override {
    auto out = std::make_shared<Terms>();
    int element = first_element_, points = points_;
    for (size_t k = 0; k < spans.size(); ++k) {
      const Span& span = spans[k];
      const auto last = span.p.size() - 1;
      FlowBatch batch;
      batch.ancf = batch_of(span);
      batch.ancf.first_node = first_node[k];
      batch.ancf.first_element = element;
      batch.ancf.point_offset = points;
      element += batch.ancf.elements;
      points += batch.ancf.point_size();
      batch.parameters = flow_parameters(law, mass, gravity, 5, 3);
      batch.first_scalar_at = model.structure.scalar(0);
      for (const double p : span.p) batch.nodes.push_back({p});
      for (const size_t end : {0u, 1u}) {
        if (span.flow[end] < 0) continue;
        FlowNode& node = end ? batch.nodes.back() : batch.nodes.front();
        node.scalar = first_scalar_ + span.flow[end];
        if (span.open[end]) node.beyond = FlowNode::Beyond::open;
      }
      out->all.push_back(std::make_shared<FlowElements>(batch));
      if (span.mass[0] > 0)
        out->all.push_back(std::make_shared<Weight>(first_node[k], span.mass[0]));
      if (span.mass[1] > 0)
        out->all.push_back(
            std::make_shared<Weight>(first_node[k] + static_cast<int>(last), span.mass[1]));
    }
    if (pull > 0)
      out->all.push_back(std::make_shared<Supply>(pull, node_size * first_node[0] + 3,
                                                  model.structure.scalar(first_scalar_)));
    return out;
  }
  [[nodiscard]] std::shared_ptr<const Constraint> constrain(ModelData& model) const override {
    auto out = std::make_shared<Held>();
    const ErrorObject ring("eyelet", "ring");
    for (size_t k = 0; k < spans.size(); ++k)
      for (const size_t end : {0u, 1u}) {
        if (!spans[k].held[end]) continue;
        const int node = first_node[k] + (end ? static_cast<int>(spans[k].p.size()) - 1 : 0);
        const Vec3& r = end ? spans[k].to : spans[k].from;
        for (int j = 0; j < 3; ++j)
          out->all.push_back({node_size * node + j, j == 2 ? raised(r[j]) : Signal(r[j]), ring});
      }
    for (size_t k = 0; k < spans.size(); ++k)
      for (size_t i = 0; spans[k].level && i < spans[k].p.size(); ++i)
        for (const int j : {2, 5}) {
          const int c = node_size * (first_node[k] + static_cast<int>(i)) + j;
          if (j == 5 || i + 1 < spans[k].p.size()) out->all.push_back({c, Signal(0.0), ring});
        }
    for (size_t i = 0; i < flows.size(); ++i)
      if (flows[i])
        out->all.push_back(
            {static_cast<int>(coordinate(model, i)), *flows[i], ErrorObject("supply", "winch")});
    return out;
  }
  [[nodiscard]] size_t coordinate(const ModelData& model, size_t flow) const {
    return static_cast<size_t>(model.structure.scalar(first_scalar_ + static_cast<int>(flow)));
  }
  [[nodiscard]] Vec3 node(const State& state, size_t span, size_t i) const {
    return Eigen::Map<const Vec3>(state.q.data() +
                                  node_size * (first_node[span] + static_cast<int>(i)));
  }

 private:
  [[nodiscard]] AncfBatch batch_of(const Span& span) const {
    AncfBatch out;
    out.parameters = ancf_parameters(span.p[1] - span.p[0], law, mass, 5, 3);
    out.strain = strain;
    out.elements = static_cast<int>(span.p.size()) - 1;
    return out;
  }
  [[nodiscard]] Signal raised(double height) const {
    return Signal::function([height, lift = lift](double t) {
      Signal::Sample sample = lift.at({t, {}});
      sample.value += height;
      return sample;
    });
  }
  int first_element_ = 0, first_scalar_ = 0, points_ = 0;
};

/// A body at rest: a scene has at least something of its own.
Scene beside() {
  Scene scene;
  scene.gravity = Vec3::Zero();
  Body b;
  b.name = "beside";
  b.mass = 1;
  b.inertia = Vec3(0.1, 0.1, 0.1).asDiagonal();
  scene.bodies = {b};
  return scene;
}

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

std::vector<double> nodes(double from, double to, int elements) {
  std::vector<double> out;
  for (int i = 0; i <= elements; ++i) out.push_back(from + (to - from) * i / elements);
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
