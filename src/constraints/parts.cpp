#include "constraints/parts.h"

namespace hawser {

/// phi x (phi x s) = phi (phi . s) - s (phi . phi), times d = R^T d in body axes.
void Operand::add_curvature(const Vec3& d, double weight, Block66& out) const {
  const Vec3 e = weight * (rotation.transpose() * d);
  out.bottomRightCorner<3, 3>() += 0.5 * (e * arm.transpose() + arm * e.transpose());
  out.bottomRightCorner<3, 3>().diagonal().array() -= e.dot(arm);
}

PartResult along(const Operand& n, const Operand& pa, const Operand& pb) {
  const Vec3 e = pb.value - pa.value;
  return {n.value.dot(e), n.gradient.transpose() * e - pa.gradient.transpose() * n.value,
          pb.gradient.transpose() * n.value};
}

PartResult dot(const Operand& u, const Operand& w) {
  return {u.value.dot(w.value), u.gradient.transpose() * w.value, w.gradient.transpose() * u.value};
}

PartResult distance(const Operand& pa, const Operand& pb) {
  const Vec3 e = pb.value - pa.value;
  const double length = e.norm();
  const Vec3 t = length > 0 ? Vec3(e / length) : Vec3::UnitX();
  return {length, -pa.gradient.transpose() * t, pb.gradient.transpose() * t};
}

void add_along(const Operand& n, const Operand& pa, const Operand& pb, double weight,
               PartCurvature& out) {
  const Block66 mixed = n.gradient.transpose() * pa.gradient;
  n.add_curvature(pb.value - pa.value, weight, out.aa);
  pa.add_curvature(n.value, -weight, out.aa);
  out.aa -= weight * (mixed + mixed.transpose());
  out.ab += weight * n.gradient.transpose() * pb.gradient;
  pb.add_curvature(n.value, weight, out.bb);
}

void add_dot(const Operand& u, const Operand& w, double weight, PartCurvature& out) {
  u.add_curvature(w.value, weight, out.aa);
  out.ab += weight * u.gradient.transpose() * w.gradient;
  w.add_curvature(u.value, weight, out.bb);
}

void add_distance(const Operand& pa, const Operand& pb, double weight, PartCurvature& out) {
  const Vec3 e = pb.value - pa.value;
  const double length = e.norm();
  if (!(length > 0)) return;
  const Vec3 t = e / length;
  const Matrix3 P = (weight / length) * (Matrix3::Identity() - t * t.transpose());
  out.aa += pa.gradient.transpose() * P * pa.gradient;
  out.ab -= pa.gradient.transpose() * P * pb.gradient;
  out.bb += pb.gradient.transpose() * P * pb.gradient;
  pa.add_curvature(t, -weight, out.aa);
  pb.add_curvature(t, weight, out.bb);
}

}  // namespace hawser
