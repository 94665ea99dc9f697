#include "constraints/parts.h"

#include "math/rotation.h"

namespace hawser {
namespace {

/// out += weight (du/dq_u)^T P (dw/dq_w), block by block: what does not move has none.
void add_product(const Operand& u, const Matrix3& P, const Operand& w, double weight,
                 Block66& out) {
  const bool u_turns = u.rotation || u.slope, w_turns = w.rotation || w.slope;
  if (u.moves && w.moves) out.topLeftCorner<3, 3>() += weight * P;
  if (!u_turns && !w_turns) return;
  if (u.moves && w_turns) out.topRightCorner<3, 3>() += weight * (P * w.turns());
  if (!u_turns) return;
  const Matrix3 turned = weight * (u.turns().transpose() * P);
  if (w.moves) out.bottomLeftCorner<3, 3>() += turned;
  if (w_turns) out.bottomRightCorner<3, 3>() += turned * w.turns();
}

}  // namespace

Matrix3 Operand::turns() const {
  if (rotation) return -(*rotation) * skew(arm);
  return slope ? Matrix3(Matrix3::Identity()) : Matrix3(Matrix3::Zero());
}

/// phi x (phi x s) = phi (phi . s) - s (phi . phi), times d = R^T d in body axes.
void Operand::add_curvature(const Vec3& d, double weight, Block66& out) const {
  if (!rotation) return;
  const Vec3 e = weight * (rotation->transpose() * d);
  out.bottomRightCorner<3, 3>() += 0.5 * (e * arm.transpose() + arm * e.transpose());
  out.bottomRightCorner<3, 3>().diagonal().array() -= e.dot(arm);
}

PartResult along(const Operand& n, const Operand& pa, const Operand& pb) {
  const Vec3 e = pb.value - pa.value;
  return {n.value.dot(e), n.gradient(e) - pa.gradient(n.value), pb.gradient(n.value)};
}

PartResult dot(const Operand& u, const Operand& w) {
  return {u.value.dot(w.value), u.gradient(w.value), w.gradient(u.value)};
}

PartResult distance(const Operand& pa, const Operand& pb) {
  const Vec3 e = pb.value - pa.value;
  const double length = e.norm();
  const Vec3 t = length > 0 ? Vec3(e / length) : Vec3::UnitX();
  return {length, -pa.gradient(t), pb.gradient(t)};
}

void add_along(const Operand& n, const Operand& pa, const Operand& pb, double weight,
               PartCurvature& out) {
  pa.add_curvature(n.value, -weight, out.aa);
  pb.add_curvature(n.value, weight, out.bb);
  if (!n.rotation && !n.slope) return;
  const Matrix3 one = Matrix3::Identity();
  n.add_curvature(pb.value - pa.value, weight, out.aa);
  add_product(n, one, pa, -weight, out.aa);
  add_product(pa, one, n, -weight, out.aa);
  add_product(n, one, pb, weight, out.ab);
}

void add_dot(const Operand& u, const Operand& w, double weight, PartCurvature& out) {
  u.add_curvature(w.value, weight, out.aa);
  add_product(u, Matrix3::Identity(), w, weight, out.ab);
  w.add_curvature(u.value, weight, out.bb);
}

void add_distance(const Operand& pa, const Operand& pb, double weight, PartCurvature& out) {
  const Vec3 e = pb.value - pa.value;
  const double length = e.norm();
  if (!(length > 0)) return;
  const Vec3 t = e / length;
  const Matrix3 P = (1 / length) * (Matrix3::Identity() - t * t.transpose());
  add_product(pa, P, pa, weight, out.aa);
  add_product(pa, P, pb, -weight, out.ab);
  add_product(pb, P, pb, weight, out.bb);
  pa.add_curvature(t, -weight, out.aa);
  pb.add_curvature(t, weight, out.bb);
}

}  // namespace hawser
