#include <algorithm>
#include <optional>

#include "hawser/record.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "record/route_shape.h"

namespace hawser {
namespace {

constexpr size_t arc_points = 12;  ///< of a cable with mass, along a pulley
constexpr int smooth_arc = 16;     ///< steps along a pulley: half a turn in corners of 11 degrees

/// Enough for a smooth curve: 100 points a cable, at most 10 an element.
int smooth(int elements) { return std::clamp((99 + elements) / elements, 1, 10); }

/// What jumps where elements meet, at one place of four elements.
struct Scalars {
  Lanes tension, strain, curvature;
};

/// Fills the points of a cable, pack after pack.
class Filler {
 public:
  Filler(const State& state, const std::vector<double>& inner, Shape& out)
      : state_(state), inner_(inner), step_(inner.size() + 1), out_(out) {}

  /// Of the first run; those of others are the last points of the runs before them.
  void begin(const Fields& first) {
    if (first.run.flows)
      move(0, first.position(state_.q.data(), 0, 0),
           first.velocity(state_.q.data(), state_.v.data(), 0, 0));
    else
      move(0, first.run.first_node);
  }

  /// Around a pulley, up to the first point of the next run.
  void fill(const ArcData& arc, const ArcPlace& place, const Fields& next) {
    const Vec3 axis = place.outward[0].cross(place.along[0]);
    const double radius = arc.radius, speed = velocity(point_).dot(place.along[0]);
    const double from = out_.s[point_], to = next.arc(state_.q.data(), 0, 0);
    for (size_t j = 1; j <= arc_points; ++j) {
      const double part = static_cast<double>(j) / arc_points;
      const Eigen::AngleAxisd turn(part * place.angle, axis);
      const size_t at = point_ + j;
      move(at, place.centre.value + radius * (turn * place.outward[0]),
           velocity(point_) + speed * (turn * place.along[0] - place.along[0]));
      out_.s[at] = from + part * (to - from);
      out_.tension[at] = out_.tension[point_];
      out_.strain[at] = out_.strain[point_];
      out_.curvature[at] = 1 / radius;
    }
    point_ += arc_points;
  }

  /// A cable that is cut has two points there.
  void begin_after_cut(int first_node) {
    move(++point_, first_node);
    first_ = point_;
  }

  void fill(const Fields& part) {
    for (int pack = 0; pack < part.run.packs(); ++pack) {
      const int lanes = std::min(4, part.run.elements - 4 * pack);
      scalars(part, pack, lanes);
      for (int k = 0; k < lanes; ++k, point_ += step_) {
        const int e = 4 * pack + k;
        for (size_t j = 0; j < inner_.size(); ++j)
          move(point_ + 1 + j, part.position(state_.q.data(), e, inner_[j]),
               part.velocity(state_.q.data(), state_.v.data(), e, inner_[j]));
        if (part.run.flows)
          move(point_ + step_, part.position(state_.q.data(), e, 1),
               part.velocity(state_.q.data(), state_.v.data(), e, 1));
        else
          move(point_ + step_, part.run.first_node + e + 1);
        if (part.run.flows) slide(part, e);
      }
    }
  }

 private:
  void scalars(const Fields& part, int pack, int lanes) {
    AxialPack axial;
    part.axial(state_, pack, axial);
    const LinePack tension = nearest_line(part.run, axial.tension);
    const LinePack force = nearest_line(part.run, axial.force);
    const double compliance = 1 / part.run.EA;
    const auto at = [&](double xi) {
      return Scalars{tension.at(xi), compliance * force.at(xi),
                     part.curvature(state_.q.data(), pack, xi)};
    };
    const Scalars first = at(0), last = at(1);
    for (int k = 0; k < lanes; ++k) {
      const size_t p = point_ + static_cast<size_t>(k) * step_;
      p == first_ ? set(p, first, k) : join(p, first, k);
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

  /// Where its points are along the cable changes.
  void slide(const Fields& part, int e) {
    out_.s[point_] = part.arc(state_.q.data(), e, 0);
    for (size_t j = 0; j < inner_.size(); ++j)
      out_.s[point_ + 1 + j] = part.arc(state_.q.data(), e, inner_[j]);
    out_.s[point_ + step_] = part.arc(state_.q.data(), e, 1);
  }

  [[nodiscard]] Vec3 velocity(size_t at) const { return Vec3::Map(&out_.velocity[3 * at]); }
  void move(size_t at, int node) { move(at, state_.position(node), state_.velocity(node)); }
  void move(size_t at, const Vec3& position, const Vec3& velocity) {
    Vec3::Map(&out_.position[3 * at]) = position;
    Vec3::Map(&out_.velocity[3 * at]) = velocity;
  }

  const State& state_;
  const std::vector<double>& inner_;  ///< xi of the points inside an element
  size_t step_;                       ///< points an element
  Shape& out_;
  size_t point_ = 0;  ///< where the next pack starts
  size_t first_ = 0;  ///< of the cable, or after the last cut
};

}  // namespace

struct Shapes::Impl {
  struct CableTable {
    CableFields fields;
    int first_run = 0;                 ///< of the model's
    std::vector<double> inner;         ///< xi of the points inside an element
    std::vector<const ArcData*> arcs;  ///< by run: the pulley before it; null: none
    std::optional<RouteShape> route;   ///< of a massless cable, which has nothing else
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
        std::vector<double>& s = shapes.back().s;
        if (!cuts_of(data.mesh, i).empty()) s.assign(s.size(), 0);  // no cable between any of them
        continue;
      }
      const CableFields fields = data.fields_of(static_cast<int>(i));
      const bool curved = fields.front()->run.curved;
      const int n = points > 0 ? points : curved ? smooth(data.cables[i].elements) : 1;
      CableTable& table = cables.emplace_back();
      table.fields = fields;
      table.first_run = data.cables[i].first_run;
      for (int j = 1; j < n; ++j) table.inner.push_back(static_cast<double>(j) / n);
      for (const Fields* part : fields)
        table.arcs.push_back(arc_before(data.mechanism, part->run.first_node));
      shapes.push_back(empty(table, n));
    }
  }

  /// The pulley that a cable leaves at a node; null: none.
  static const ArcData* arc_before(const Mechanism& m, int node) {
    for (const ArcData& arc : m.arcs)
      if (arc.radius > 0 && arc.nodes[1] == node) return &arc;
    return nullptr;
  }

  /// Whether the cable is cut where one of its runs begins.
  [[nodiscard]] bool cut_before(const CableTable& cable, size_t run) const {
    const int number = cable.first_run + static_cast<int>(run);
    return std::any_of(model.data().cuts.begin(), model.data().cuts.end(),
                       [&](const SplitNode& cut) { return cut.run == number; });
  }

  [[nodiscard]] Shape empty(const CableTable& cable, int n) const {
    Shape shape;
    for (size_t r = 0; r < cable.fields.size(); ++r) {
      const ElementRun& run = cable.fields[r]->run;
      if (cut_before(cable, r)) shape.s.push_back(run.arc_start);
      if (cable.arcs[r]) shape.s.resize(shape.s.size() + arc_points, run.arc_start);
      for (int k = 0; k < run.elements * n; ++k)
        shape.s.push_back(run.arc_start + k * run.length / n);
    }
    const ElementRun& last = cable.fields.back()->run;
    shape.s.push_back(last.arc_start + last.whole_length());
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
    Filler filler(state, cable.inner, impl_->shapes[i]);
    filler.begin(*cable.fields.front());
    for (size_t k = 0; k < cable.fields.size(); ++k) {
      if (impl_->cut_before(cable, k)) filler.begin_after_cut(cable.fields[k]->run.first_node);
      if (const ArcData* arc = cable.arcs[k])
        filler.fill(*arc, impl_->now.arc(*arc), *cable.fields[k]);
      filler.fill(*cable.fields[k]);
    }
  }
}

const std::vector<Shape>& Shapes::cables() const { return impl_->shapes; }
const std::vector<BodyPose>& Shapes::bodies() const { return impl_->bodies; }

}  // namespace hawser
