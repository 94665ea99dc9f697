#include "loads/sliding_friction.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "elements/hermite.h"
#include "loads/flow_state.h"
#include "loads/surroundings.h"
#include "math/quadrature.h"

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Force per metre of a run, or of a node, linear about the velocity of `ahead`.
struct SlidingLaw {
  Vector3d normal;
  double force;  ///< mu w [N/m], [N]
  double regularization;

  /// f, and unless null -df/dv; `exact`: with the derivative of |v|.
  [[nodiscard]] Vector3d at(const Vector3d& velocity, const Vector3d& ahead, bool exact,
                            Matrix3d* D) const {
    const Vector3d v = ahead - normal.dot(ahead) * normal, d = velocity - ahead;
    const double speed = v.norm(), per = force / std::max(speed, regularization);
    Matrix3d by = per * (Matrix3d::Identity() - normal * normal.transpose());
    if (exact && speed > regularization) by -= per / (speed * speed) * (v * v.transpose());
    if (D) *D = by;
    return -per * v - by * d;
  }
};

/// A point of an element: n: shape functions, load: times its length, or 1 at a node; both by (r1,
/// r1', r2, r2').
struct SlidingPoint {
  const double *n, *load;
  SlidingLaw law;

  [[nodiscard]] Vector3d velocity(const double* w) const {
    Vector3d out = Vector3d::Zero();
    for (int k = 0; k < 4; ++k) out += n[k] * Eigen::Map<const Vector3d>(w + 3 * k);
    return out;
  }
};

/// Weight across the plane [N/m].
double weight_across(const SlidingRun& run) {
  const FlowParameters& par = run.elements->batch().parameters;
  return std::abs(par.mass * Eigen::Map<const Vector3d>(par.gravity).dot(run.normal));
}

double pressing(const SlidingRun& run, double s, const Instant& now) {
  double out = weight_across(run);
  for (const PressingLoad& load : run.loads)
    if (s > load.from && s < load.to)
      out += load.force * (load.along ? load.along(s) : load.strength).at(now).value;
  return std::max(0.0, out);
}

double pressing(const PressedNode& node, const Instant& now) {
  double out = node.weight;
  for (const auto& [force, strength] : node.forces) out += force * strength.at(now).value;
  return std::max(0.0, out);
}

/// Material coordinates between `from` and `to` at which loads begin, end or have kinks, and both.
std::vector<double> smooth_pieces(const SlidingRun& run, double from, double to) {
  std::vector<double> out{from, to};
  const auto add = [&](double s) {
    if (s > from && s < to) out.push_back(s);
  };
  for (const PressingLoad& load : run.loads) {
    add(load.from), add(load.to);
    for (const double s : load.along.kinks()) add(s);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Calls `use(point)` for all points of an element whose cable is pressed on the plane: `from` and
/// `to` are the material coordinates of its ends where loads are looked up.
template <class Use>
void for_pressed(const SlidingRun& run, int element, double length, double from, double to,
                 const Instant& now, double load_factor, const Use& use) {
  const double factor = load_factor * run.friction;
  const auto law = [&](double by) {
    return SlidingLaw{run.normal, factor * by, run.regularization};
  };
  if (run.loads.empty()) {
    for (const ShapePoint& p : Surroundings(length, true).points)
      use(SlidingPoint{p.n, p.load, law(weight_across(run))});
  } else {
    static const std::vector<GaussPoint> rule = gauss_rule(Surroundings::point_count);
    const std::vector<double> ends = smooth_pieces(run, from, to);
    for (size_t i = 0; i + 1 < ends.size(); ++i)
      for (const GaussPoint& g : rule) {
        const double s = ends[i] + (ends[i + 1] - ends[i]) * g.x, xi = (s - from) / (to - from);
        const double w = length * (ends[i + 1] - ends[i]) / (to - from) * g.w;
        const std::array<double, 4> h = hermite_position(xi);
        const double n[4] = {h[0], length * h[1], h[2], length * h[3]};
        const double load[4] = {w * n[0], w * n[1], w * n[2], w * n[3]};
        use(SlidingPoint{n, load, law(pressing(run, s, now))});
      }
  }
  for (const PressedNode& node : run.nodes) {
    if (node.element != element) continue;
    double n[4] = {};
    n[2 * node.end] = 1;
    use(SlidingPoint{n, n, law(pressing(node, now))});
  }
}

/// An element and what its end of step and its velocities are linearized about.
struct SlidingElement {
  const SlidingRun& run;
  const FlowBatch& batch;
  int number;
  FlowState now, ahead;

  SlidingElement(const SlidingRun& of, int element, const Configuration& at)
      : run(of),
        batch(of.elements->batch()),
        number(element),
        now(batch, element, at.q, at.v),
        ahead(batch, element, at.q_ahead, at.v_ahead) {}

  template <class Use>
  void for_points(const Configuration& at, double load_factor, const Use& use) const {
    for_pressed(run, number, now.length, ahead.p[0], ahead.p[1], at, load_factor, use);
  }
  void add(const Configuration& at, double load_factor, double weight, double force[12],
           double* block) const {
    for_points(at, load_factor, [&](const SlidingPoint& p) {
      Matrix3d D;
      const Vector3d f =
          p.law.at(p.velocity(now.w), p.velocity(ahead.w), at.predicted, block ? &D : nullptr);
      for (int i = 0; i < 12; ++i) force[i] += p.load[i / 3] * f[i % 3];
      for (int j = 0; block && j < 12; ++j)
        for (int i = 0; i < 12; ++i)
          block[12 * j + i] += weight * p.load[i / 3] * p.n[j / 3] * D(i % 3, j % 3);
    });
  }
};

/// Calls `call(element)` for all.
template <class Call>
void for_sliding(const std::vector<SlidingRun>& runs, const Configuration& at, const Call& call) {
  for (const SlidingRun& run : runs)
    for (int e = 0; e < run.elements->batch().ancf.elements; ++e) call(SlidingElement(run, e, at));
}

/// Of what changes with time.
bool changes(const PressingLoad& load) { return load.along || !load.strength.is_constant(); }
bool changes(const PressedNode& node) {
  return std::any_of(node.forces.begin(), node.forces.end(),
                     [](const auto& f) { return !f.second.is_constant(); });
}

}  // namespace

Facts SlidingFriction::facts() const {
  Facts out;
  out.by_velocity = out.lossy = true;
  out.stiff = out.ahead = out.kinked = stiff_;
  const auto any = [](const auto& all) {
    return std::any_of(all.begin(), all.end(), [](const auto& one) { return changes(one); });
  };
  out.by_time = std::any_of(runs_.begin(), runs_.end(), [&](const SlidingRun& run) {
    return any(run.loads) || any(run.nodes);
  });
  return out;
}

void SlidingFriction::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const bool matrix = wanted.matrix() && wanted.damping_weight != 0;
  for_sliding(runs_, at, [&](const SlidingElement& element) {
    double force[12] = {}, block[144] = {};
    element.add(at, wanted.load_factor, wanted.damping_weight, force, matrix ? block : nullptr);
    spread_flow(element.batch, element.number, element.now, force, sums.force);
    if (matrix) add_flow_block(element.batch, element.number, element.now, block, sums.sink);
  });
}

void SlidingFriction::add_lossy(const Configuration& at, double*, double* out) const {
  for_sliding(runs_, at, [&](const SlidingElement& element) {
    double force[12] = {};
    element.add(at, 1, 0, force, nullptr);
    spread_flow(element.batch, element.number, element.now, force, out);
  });
}

double SlidingFriction::left_out(const Configuration& at) const {
  double most = 0;
  for_sliding(runs_, at, [&](const SlidingElement& element) {
    element.for_points(at, 1, [&](const SlidingPoint& p) {
      if (!(p.law.force > 0)) return;
      const Vector3d v = p.velocity(element.now.w);
      const Vector3d used = p.law.at(v, p.velocity(element.ahead.w), at.predicted, nullptr),
                     is = p.law.at(v, v, true, nullptr);
      most = std::max(most, (used - is).norm() / p.law.force);
    });
  });
  return most;
}

}  // namespace hawser
