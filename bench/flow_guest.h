// Cable that flows, as a guest of scenes: spans of flowing and plain elements over eyelets and out
// of supplies. For cases that scenes cannot describe.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "constants.h"
#include "elements/flow_elements.h"
#include "hawser/integrator.h"
#include "model/model_data.h"

namespace hawser::flow_guest {

using constants::g;
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
  bool weight_apart = false;                 ///< another guest brings the weight of the cable
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
    for (size_t k = 0; k < spans.size(); ++k) {
      const Span& span = spans[k];
      out->all.push_back(std::make_shared<FlowElements>(elements(model, k)));
      if (span.mass[0] > 0)
        out->all.push_back(std::make_shared<Weight>(first_node[k], span.mass[0]));
      if (span.mass[1] > 0)
        out->all.push_back(std::make_shared<Weight>(
            first_node[k] + static_cast<int>(span.p.size()) - 1, span.mass[1]));
    }
    if (pull > 0)
      out->all.push_back(std::make_shared<Supply>(pull, node_size * first_node[0] + 3,
                                                  model.structure.scalar(first_scalar_)));
    return out;
  }
  /// The elements of a span.
  [[nodiscard]] FlowBatch elements(const ModelData& model, size_t k) const {
    FlowBatch out;
    out.ancf = batch_of(spans[k]);
    out.ancf.first_node = first_node[k];
    out.ancf.first_element = first_element_;
    out.ancf.point_offset = points_;
    for (size_t i = 0; i < k; ++i) {
      out.ancf.first_element += static_cast<int>(spans[i].p.size()) - 1;
      out.ancf.point_offset += batch_of(spans[i]).point_size();
    }
    constexpr double none[3] = {0, 0, 0};
    out.parameters = flow_parameters(law, mass, weight_apart ? none : gravity, 5, 3);
    out.first_scalar_at = model.structure.scalar(0);
    for (const double p : spans[k].p) out.nodes.push_back({p});
    for (const size_t end : {0u, 1u}) {
      if (spans[k].flow[end] < 0) continue;
      FlowNode& node = end ? out.nodes.back() : out.nodes.front();
      node.scalar = first_scalar_ + spans[k].flow[end];
      if (spans[k].open[end]) node.beyond = FlowNode::Beyond::open;
    }
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
inline Scene beside() {
  Scene scene;
  scene.gravity = Vec3::Zero();
  Body b;
  b.name = "beside";
  b.mass = 1;
  b.inertia = Vec3(0.1, 0.1, 0.1).asDiagonal();
  scene.bodies = {b};
  return scene;
}

/// Material coordinates of equal elements.
inline std::vector<double> nodes(double from, double to, int elements) {
  std::vector<double> out;
  for (int i = 0; i <= elements; ++i) out.push_back(from + (to - from) * i / elements);
  return out;
}

}  // namespace hawser::flow_guest
