#include <algorithm>
#include <optional>

#include "hawser/record.h"
#include "record/cable_fields.h"
#include "record/route_shape.h"

namespace hawser {
namespace {

constexpr int smooth_arc = 16;  ///< steps along a pulley: half a turn in corners of 11 degrees

/// Enough for a smooth curve: 100 points a cable, at most 10 an element.
int smooth(int elements) { return std::clamp((99 + elements) / elements, 1, 10); }

/// What jumps where elements meet, at one place of four elements.
struct Scalars {
  Lanes tension, strain, curvature;
};

/// Fills the points of a cable, pack after pack.
class Filler {
 public:
  Filler(const State& state, int first_node, const std::vector<Interpolant>& inner, Shape& out)
      : state_(state), inner_(inner), step_(inner.size() + 1), out_(out) {
    move(0, first_node);
  }

  void batch(const AncfBatch& batch) {
    for (int pack = 0; pack < batch.packs(); ++pack) {
      const int lanes = std::min(4, batch.elements - 4 * pack);
      scalars(batch, pack, lanes);
      for (int k = 0; k < lanes; ++k, point_ += step_) {
        const int e = 4 * pack + k;
        for (size_t j = 0; j < inner_.size(); ++j)
          move(point_ + 1 + j, position_at(batch, state_.q.data(), e, inner_[j]),
               position_at(batch, state_.v.data(), e, inner_[j]));
        move(point_ + step_, batch.first_node + e + 1);
      }
    }
  }

 private:
  void scalars(const AncfBatch& batch, int pack, int lanes) {
    const Interpolant start(batch, 0), end(batch, 1);
    const ElementPack elements = element_pack(batch, state_.q.data(), pack);
    AxialPack axial;
    evaluate(batch, state_, pack, elements, axial);
    const LinePack tension = nearest_line(batch, axial.tension);
    const LinePack force = nearest_line(batch, axial.force);
    const double compliance = 1 / batch.parameters.law.axial_tangent();
    const auto at = [&](const Interpolant& place) {
      return Scalars{tension.at(place.xi), compliance * force.at(place.xi),
                     curvature(batch, elements, place.derivative)};
    };
    const Scalars first = at(start), last = at(end);
    for (int k = 0; k < lanes; ++k) {
      const size_t p = point_ + static_cast<size_t>(k) * step_;
      p == 0 ? set(p, first, k) : join(p, first, k);
      set(p + step_, last, k);
    }
    for (size_t j = 0; j < inner_.size(); ++j) {
      const Scalars inside = at(inner_[j]);
      for (int k = 0; k < lanes; ++k)
        set(point_ + static_cast<size_t>(k) * step_ + 1 + j, inside, k);
    }
  }

  void set(size_t at, const Scalars& x, int lane) {
    out_.tension[at] = x.tension[lane];
    out_.strain[at] = x.strain[lane];
    out_.curvature[at] = x.curvature[lane];
  }
  /// The mean of what the element before has set and this one.
  void join(size_t at, const Scalars& x, int lane) {
    out_.tension[at] = (out_.tension[at] + x.tension[lane]) / 2;
    out_.strain[at] = (out_.strain[at] + x.strain[lane]) / 2;
    out_.curvature[at] = (out_.curvature[at] + x.curvature[lane]) / 2;
  }

  void move(size_t at, int node) { move(at, state_.position(node), state_.velocity(node)); }
  void move(size_t at, const Vec3& position, const Vec3& velocity) {
    Vec3::Map(&out_.position[3 * at]) = position;
    Vec3::Map(&out_.velocity[3 * at]) = velocity;
  }

  const State& state_;
  const std::vector<Interpolant>& inner_;
  size_t step_;  ///< points an element
  Shape& out_;
  size_t point_ = 0;  ///< where the next pack starts
};

}  // namespace

struct Shapes::Impl {
  struct CableTable {
    std::span<const AncfBatch> batches;
    std::vector<Interpolant> inner;   ///< inside an element
    std::optional<RouteShape> route;  ///< of a massless cable, which has nothing else
  };

  Impl(const Model& m, int points)
      : model(m), now(model.data()), bodies(model.scene().bodies.size()) {
    const ModelData& data = model.data();
    const State start = start_pose(data);
    now.look(start);
    for (size_t i = 0; i < data.cables.size(); ++i) {
      if (const RouteData* route = route_of_cable(data, static_cast<int>(i))) {
        cables.emplace_back().route.emplace(data, *route, points > 0 ? points : smooth_arc);
        shapes.push_back(cables.back().route->empty(now));
        continue;
      }
      const auto batches = data.batches_of(static_cast<int>(i));
      const bool curved = batches.front().parameters.slopes;
      const int n = points > 0 ? points : curved ? smooth(data.cables[i].elements) : 1;
      CableTable& table = cables.emplace_back();
      table.batches = batches;
      for (int j = 1; j < n; ++j)
        table.inner.emplace_back(batches.front(), static_cast<double>(j) / n);
      shapes.push_back(empty(batches, n));
    }
  }

  static Shape empty(std::span<const AncfBatch> batches, int n) {
    Shape shape;
    double start = 0;
    for (const AncfBatch& batch : batches) {
      for (int k = 0; k < batch.elements * n; ++k)
        shape.s.push_back(start + k * batch.parameters.length / n);
      start += batch.elements * batch.parameters.length;
    }
    shape.s.push_back(start);
    const size_t size = shape.s.size();
    shape.position.resize(3 * size), shape.velocity.resize(3 * size);
    shape.tension.resize(size), shape.strain.resize(size), shape.curvature.resize(size);
    return shape;
  }

  Model model;
  MechanismNow now;
  std::vector<CableTable> cables;
  std::vector<Shape> shapes;
  std::vector<BodyPose> bodies;
};

Shapes::Shapes(const Model& model, int points) : impl_(std::make_unique<Impl>(model, points)) {}
Shapes::~Shapes() = default;
Shapes::Shapes(Shapes&&) noexcept = default;
Shapes& Shapes::operator=(Shapes&&) noexcept = default;

void Shapes::sample(const State& state) {
  impl_->now.look(state);
  for (size_t i = 0; i < impl_->bodies.size(); ++i) {
    const int body = static_cast<int>(i);
    impl_->bodies[i] = {impl_->now.position({body, -1, Vec3::Zero()}),
                        impl_->now.orientation(body)};
  }
  for (size_t i = 0; i < impl_->cables.size(); ++i) {
    const Impl::CableTable& cable = impl_->cables[i];
    if (cable.route) {
      cable.route->fill(impl_->now, impl_->shapes[i]);
      continue;
    }
    Filler filler(state, cable.batches.front().first_node, cable.inner, impl_->shapes[i]);
    for (const AncfBatch& batch : cable.batches) filler.batch(batch);
  }
}

const std::vector<Shape>& Shapes::cables() const { return impl_->shapes; }
const std::vector<BodyPose>& Shapes::bodies() const { return impl_->bodies; }

}  // namespace hawser
