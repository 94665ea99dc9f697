#include "constraints/turn_rows.h"

#include <cmath>

#include "math/rotation.h"

namespace hawser {
namespace {

RelativeTurn turn_of(const TurnData& t, const Poses& poses) {
  return RelativeTurn(poses.axes(t.a).transpose() * poses.axes(t.b) * t.start);
}

}  // namespace

RelativeTurn::RelativeTurn(const Matrix3& D) : theta(rotation_vector(Eigen::Quaterniond(D))) {
  const double angle = theta.norm(), x = angle / 2, y = angle * angle;
  if (angle < 0.1) {
    k_ = 1.0 / 12 + y * (1.0 / 720 + y * (1.0 / 30240 + y * (1.0 / 1209600)));
    k_rate_ = 1.0 / 360 + y * (1.0 / 7560 + y * (1.0 / 201600 + y * (1.0 / 5987520)));
  } else {
    const double cot = std::cos(x) / std::sin(x), s = std::sin(x);
    k_ = (1 - x * cot) / y;
    k_rate_ = (x / (s * s) + cot - 2 / x) / (4 * x * y);
  }
  const Matrix3 T = skew(theta);
  J = Matrix3::Identity() - T / 2 + k_ * T * T;
}

RelativeTurn::Curvature RelativeTurn::curvature(const Vec3& lambda) const {
  const Vec3 once = theta.cross(lambda);
  const Matrix3 L = skew(lambda), even = k_rate_ * theta.cross(once) * theta.transpose() -
                                         k_ * (skew(once) + skew(theta) * L);
  const Matrix3 g = even + L / 2, h = even - L / 2;
  const auto symmetric = [](const Matrix3& m) -> Matrix3 { return (m + m.transpose()) / 2; };
  return {symmetric(h * J), -(g * J).transpose(), symmetric(g * J.transpose())};
}

std::unique_ptr<Constraint> TurnRows::copy(const NodePairs& pairs) const {
  auto out = std::make_unique<TurnRows>(*this);
  out->pair_.clear();
  for (const TurnData& t : all_) out->pair_.push_back(pair_of(pairs, t.a.node, t.b.node));
  return out;
}

bool TurnRows::evaluate(const RowsAt& at, RowValues& out) {
  for (const TurnData& t : all_) {
    const RelativeTurn turn = turn_of(t, at.poses);
    const Matrix3 on_b = turn.J.transpose() * t.start.transpose();
    for (int k = 0; k < 3; ++k) {
      const auto row = static_cast<size_t>(t.row + k);
      const RowInfo& info = at.rows[row];
      out.phi[row] = turn.theta[k];
      out.rate[row] = 0;
      double* g = out.G.data() + info.first_entry;
      for (const int c : info.coordinates) {
        const int i = c % node_size - 3;
        *g++ = i < 0 ? 0 : c / node_size == t.a.node ? -turn.J(k, i) : on_b(k, i);
      }
    }
  }
  return true;
}

void TurnRows::add_curvature(const double* /*q*/, const Poses& poses, const double* lambda,
                             double weight, const MatrixSink& sink) const {
  for (size_t i = 0; i < all_.size(); ++i) {
    const TurnData& t = all_[i];
    const Vec3 force = weight * Eigen::Map<const Vec3>(lambda + t.row);
    if (force.isZero(0)) continue;
    const RelativeTurn::Curvature of = turn_of(t, poses).curvature(force);
    PartCurvature k;
    k.aa.bottomRightCorner<3, 3>() = of.aa;
    k.ab.bottomRightCorner<3, 3>() = of.ab * t.start.transpose();
    k.bb.bottomRightCorner<3, 3>() = t.start * of.bb * t.start.transpose();
    add_blocks(t.a.node, t.b.node, pair_[i], k, sink);
  }
}

}  // namespace hawser
