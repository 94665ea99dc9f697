#include "constraints/slide_rows.h"

#include <algorithm>

namespace hawser {

void SlideRows::meet(const SlideData& joint, const CableCurve::Weights& weights,
                     const CableCurve::Point& on, const RowsAt& at, RowValues& out) {
  const Operand body = at.poses.point(joint.point, at.q);
  for (int k = 0; k < 3; ++k) {
    const auto row = static_cast<size_t>(joint.meet + k);
    const RowInfo& info = at.rows[row];
    const Vec6 moved = body.gradient(Vec3::Unit(k));
    double* g = out.G.data() + info.first_entry;
    for (const int c : info.coordinates) {
      *g = 0;
      if (c == joint.coordinate)
        *g = -on.r1[k];
      else if (c / node_size == joint.point.node)
        *g = moved[c % node_size];
      else
        for (const CableCurve::Weight& w : weights)
          if (c == w.coordinate + k) *g -= w.n;
      ++g;
    }
    out.phi[row] = body.value[k] - on.r[k];
    out.rate[row] = 0;
  }
}

bool SlideRows::evaluate(const RowsAt& at, RowValues& out) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const SlideData& joint = joints_[i];
    const double s = at.q[joint.coordinate];
    const CableCurve::Weights weights = joint.curve.weights(s);
    const CableCurve::Point on = CableCurve::point(weights, at.q);
    const double stretch = on.r1.norm();
    if (!(stretch > 0)) {
      out.fault = "the cable of sliding joint '" + joint.name + "' has no direction where it is";
      return false;
    }
    meet(joint, weights, on, at, out);
    bends_[i] = on.r1.cross(on.r2).norm() / (stretch * stretch);
    const auto put = [&](int number, double phi, double sign) {
      if (number < 0) return;
      const auto row = static_cast<size_t>(number);
      out.phi[row] = phi;
      out.rate[row] = 0;
      out.G[static_cast<size_t>(at.rows[row].first_entry)] = sign;
    };
    put(joint.low, s - joint.lowest, 1);
    put(joint.high, joint.highest - s, -1);
    put(joint.hold, s, 1);
    put(joint.park, s, 1);
    if (joint.hold < 0) continue;
    const Vec3 force = joint.force(at.state), along = on.r1 / stretch;
    const double across = (force - along.dot(force) * along).norm();
    out.limit[static_cast<size_t>(joint.hold)] =
        joint.has_left(at.state) ? 0 : joint.friction * stretch * across;
  }
  return true;
}

void SlideRows::add_curvature(const double* q, const Poses& poses, const double* lambda,
                              double weight, const MatrixSink& sink) const {
  for (const SlideData& joint : joints_) {
    const Vec3 force = weight * Eigen::Map<const Vec3>(lambda + joint.meet);
    if (force.isZero(0)) continue;
    const CableCurve::Weights weights = joint.curve.weights(q[joint.coordinate]);
    const CableCurve::Point on = CableCurve::point(weights, q);
    add_corner(sink, joint.scalar, joint.scalar, -force.dot(on.r2));
    for (const CableCurve::Weight& w : weights) {
      if (w.n1 == 0) continue;
      for (int k = 0; k < 3; ++k)
        add_border(sink, joint.scalar, w.coordinate + k, -w.n1 * force[k], -w.n1 * force[k]);
    }
    Block66 block = Block66::Zero();
    poses.point(joint.point, q).add_curvature(force, 1, block);
    add_node_block(sink, joint.point.node, block.data());
  }
}

void SlideRows::start(const RowValues&, State& state) const {
  for (const SlideData& joint : joints_)
    if (joint.leaves) state.activity[static_cast<size_t>(joint.park)] = 0;
}

double SlideRows::accept(const TakenStep& step, State& state) const {
  for (const SlideData& joint : joints_) {
    if (!joint.leaves || joint.has_left(state)) continue;
    const double s = state.q[static_cast<size_t>(joint.coordinate)];
    if (s >= joint.lowest && s <= joint.highest) continue;
    for (int k = 0; k < 3; ++k) step.activity[static_cast<size_t>(joint.meet + k)] = 0;
    step.activity[static_cast<size_t>(joint.park)] = 1;
    const auto place = static_cast<size_t>(joint.coordinate);
    state.v[place] = state.a[place] = state.a_true[place] = 0;
    state.rates_jumped = true;  // forces do
  }
  return 0;
}

double SlideRows::turned(const double* d) const {
  double most = 0;
  for (size_t i = 0; i < joints_.size(); ++i)
    most = std::max(most, bends_[i] * std::abs(d[joints_[i].coordinate]));
  return most;
}

}  // namespace hawser
