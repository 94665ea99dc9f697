#include "record/cable_fields.h"

#include <Eigen/Geometry>

namespace hawser {
namespace {

using ConstVec3 = Eigen::Map<const Vec3>;

struct LaneVec {
  Lanes x, y, z;
};

Lanes dot(const LaneVec& a, const LaneVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Coefficients over (d, r1', r2').
inline __attribute__((always_inline)) LaneVec combine(const ElementPack& e, const double c[3]) {
  return {c[0] * e.x[0] + c[1] * e.x[3] + c[2] * e.x[6],
          c[0] * e.x[1] + c[1] * e.x[4] + c[2] * e.x[7],
          c[0] * e.x[2] + c[1] * e.x[5] + c[2] * e.x[8]};
}

}  // namespace

double length_of(std::span<const AncfBatch> batches) {
  double sum = 0;
  for (const AncfBatch& b : batches) sum += b.elements * b.parameters.length;
  return sum;
}

Interpolant::Interpolant(const AncfBatch& batch, double at)
    : xi(at), position{1 - at, 0, at, 0}, derivative{{1, 0, 0}, {0, 0, 0}, 0} {
  if (!batch.parameters.slopes) return;
  position = hermite_position(at);
  derivative = hermite_point(at, 0);
}

Vec3 position_at(const AncfBatch& batch, const double* a, int element, const Interpolant& at) {
  const double* p = a + node_size * (batch.first_node + element);
  const double l = batch.parameters.length;
  return at.position[0] * ConstVec3(p) + l * at.position[1] * ConstVec3(p + 3) +
         at.position[2] * ConstVec3(p + 6) + l * at.position[3] * ConstVec3(p + 9);
}

Vec3 slope_at(const AncfBatch& batch, const double* q, int element, const HermitePoint& at) {
  const double* p = q + node_size * (batch.first_node + element);
  return at.c[0] / batch.parameters.length * (ConstVec3(p + 6) - ConstVec3(p)) +
         at.c[1] * ConstVec3(p + 3) + at.c[2] * ConstVec3(p + 9);
}

ElementPack element_pack(const AncfBatch& batch, const double* q, int pack) {
  const double* p = q + node_size * (batch.first_node + 4 * pack);
  const double inv_l = 1 / batch.parameters.length;
  ElementPack out;  // reads past the last node: arrays by coordinate are padded for that
  for (int i = 0; i < 3; ++i) {
    const double* a = p + i;
    out.x[i] = inv_l * Lanes(a[6] - a[0], a[12] - a[6], a[18] - a[12], a[24] - a[18]);
    out.x[3 + i] = Lanes(a[3], a[9], a[15], a[21]);
    out.x[6 + i] = Lanes(a[9], a[15], a[21], a[27]);
  }
  return out;
}

Lanes curvature(const AncfBatch& batch, const ElementPack& elements, const HermitePoint& at) {
  const LaneVec r2 = combine(elements, at.c2);
  const Lanes inv_l = Lanes::Constant(1 / batch.parameters.length);
  if (batch.curvature == CurvatureMeasure::second_derivative) return inv_l * dot(r2, r2).sqrt();
  const LaneVec r1 = combine(elements, at.c);
  const LaneVec turn = {r1.y * r2.z - r1.z * r2.y, r1.z * r2.x - r1.x * r2.z,
                        r1.x * r2.y - r1.y * r2.x};
  const Lanes s = dot(r1, r1), material = inv_l * dot(turn, turn).sqrt() / s;
  return batch.curvature == CurvatureMeasure::material ? material : Lanes(material / s.sqrt());
}

void evaluate(const AncfBatch& batch, const State& state, int pack, const ElementPack& elements,
              AxialPack& out) {
  const AncfParameters& par = batch.parameters;
  const double EA = par.law.axial_tangent();
  const bool green = batch.strain == StrainMeasure::green;
  const double* N = state.axial_force.data() + batch.point_offset + 4 * par.axial_points * pack;
  const double* viscous = state.viscous_force.empty()
                              ? nullptr
                              : state.viscous_force.data() + (N - state.axial_force.data());
  for (int g = 0; g < par.axial_points; ++g) {
    const LaneVec r1 = combine(elements, par.axial[g].c);
    const Lanes square = dot(r1, r1), stretch = square.sqrt();
    Lanes force = state.axial_force_valid ? Lanes(Lanes::Map(N + 4 * g))
                  : green                 ? Lanes(EA / 2 * (square - 1))
                                          : Lanes(EA * (stretch - 1));
    if (par.tension_only) force = (force <= 0).select(Lanes::Zero(), force);
    out.stretch[g] = stretch;
    out.force[g] = force;
    out.strain[g] = (viscous ? Lanes(force - Lanes::Map(viscous + 4 * g)) : force) / EA;
    out.tension[g] = green ? Lanes(force * stretch) : force;  // the force is N eps_r'
  }
}

LinePack nearest_line(const AncfBatch& batch, const Lanes* values) {
  const AncfParameters& par = batch.parameters;
  Lanes mean = Lanes::Zero(), moment = Lanes::Zero();  // of order 0 and 1 about the middle
  for (int g = 0; g < par.axial_points; ++g) {
    const double w = par.axial[g].w / par.length;  // weights add up to l
    mean += w * values[g];
    moment += w * (par.axial[g].c[2] - par.axial[g].c[1]) * values[g];  // q - p = 2 xi - 1
  }
  moment *= 3;  // sum w (2 xi - 1)^2 = 1/3: the rules are exact for it
  return {mean - moment, mean + moment};
}

}  // namespace hawser
