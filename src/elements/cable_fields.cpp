// What the elements of a cable tell of it (terms/fields.h).
#include <Eigen/Geometry>

#include "base/inline.h"
#include "elements/cable_elements.h"
#include "elements/kernel_io.h"
#include "elements/stiffness_parts.h"

namespace hawser {
namespace {

using ConstVec3 = Eigen::Map<const Eigen::Vector3d>;

static_assert(most_axial_points == max_gauss_points);
static_assert(sizeof(Lanes) == 4 * sizeof(double));

struct LaneVec {
  Lanes x, y, z;
};

Lanes dot(const LaneVec& a, const LaneVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// (d, r1', r2') of four elements.
struct ElementPack {
  Lanes x[9];

  ElementPack(const AncfBatch& batch, const double* q, int pack) {
    const double* p = q + node_size * (batch.first_node + 4 * pack);
    const double inv_l = 1 / batch.parameters.length;
    for (int i = 0; i < 3; ++i) {  // reads past the last node: arrays are padded for that
      const double* a = p + i;
      x[i] = inv_l * Lanes(a[6] - a[0], a[12] - a[6], a[18] - a[12], a[24] - a[18]);
      x[3 + i] = Lanes(a[3], a[9], a[15], a[21]);
      x[6 + i] = Lanes(a[9], a[15], a[21], a[27]);
    }
  }

  /// Coefficients over (d, r1', r2').
  [[nodiscard]] HAWSER_INLINE LaneVec combine(const double c[3]) const {
    return {c[0] * x[0] + c[1] * x[3] + c[2] * x[6], c[0] * x[1] + c[1] * x[4] + c[2] * x[7],
            c[0] * x[2] + c[1] * x[5] + c[2] * x[8]};
  }
};

/// Of (r1, l r1', r2, l r2') for r.
std::array<double, 4> position_weights(const AncfBatch& batch, double xi) {
  return batch.parameters.slopes ? hermite_position(xi) : std::array<double, 4>{1 - xi, 0, xi, 0};
}

/// Of (d, r1', r2') for r' and l r''.
HermitePoint slope_weights(const AncfBatch& batch, double xi) {
  return batch.parameters.slopes ? hermite_point(xi, 0) : HermitePoint{{1, 0, 0}, {0, 0, 0}, 0};
}

ElementRun run_of(const AncfBatch& batch) {
  const AncfParameters& par = batch.parameters;
  ElementRun out;
  out.cable = batch.cable;
  out.section = batch.section;
  out.first_node = batch.first_node;
  out.elements = batch.elements;
  out.first_element = batch.first_element;
  out.arc_start = batch.arc_start;
  out.length = par.length;
  out.EA = par.law.axial_tangent();
  out.EI = par.law.bending();
  out.curved = par.slopes;
  out.tension_only = par.tension_only;
  out.node_mass[0] = par.mass[0];
  out.node_mass[1] = par.mass[7];
  std::copy_n(par.load, 4, out.load);
  out.axial_points = par.axial_points;
  out.bending_points = par.bending_points;
  for (int g = 0; g < par.axial_points; ++g) {
    out.place[g] = (1 + (par.axial[g].c[2] - par.axial[g].c[1])) / 2;  // q - p = 2 xi - 1
    out.axial_weight[g] = par.axial[g].w;
  }
  out.find_line();
  for (int g = 0; g < par.bending_points; ++g)
    out.bending_weight[g] = par.length * par.bending[g].w;
  out.point_offset = batch.point_offset;
  out.bending_offset = batch.bending_offset;
  return out;
}

}  // namespace

CableElements::CableElements(const AncfBatch& batch, size_t number)
    : batch_(batch), alone_(batch), number_(number) {
  alone_.continues = false;
  run = run_of(batch);
}

Eigen::Vector3d CableElements::position(const double* q, int element, double xi) const {
  const std::array<double, 4> w = position_weights(batch_, xi);
  const double* p = q + node_size * (batch_.first_node + element);
  const double l = batch_.parameters.length;
  return w[0] * ConstVec3(p) + l * w[1] * ConstVec3(p + 3) + w[2] * ConstVec3(p + 6) +
         l * w[3] * ConstVec3(p + 9);
}

Eigen::Vector3d CableElements::velocity(const double*, const double* v, int element,
                                        double xi) const {
  return position(v, element, xi);
}

Eigen::Vector3d CableElements::slope(const double* q, int element, double xi) const {
  const HermitePoint at = slope_weights(batch_, xi);
  const double* p = q + node_size * (batch_.first_node + element);
  return at.c[0] / batch_.parameters.length * (ConstVec3(p + 6) - ConstVec3(p)) +
         at.c[1] * ConstVec3(p + 3) + at.c[2] * ConstVec3(p + 9);
}

std::array<double, 4> CableElements::weights(double xi, bool derivative) const {
  const double l = batch_.parameters.length;
  if (derivative) {
    const HermitePoint at = slope_weights(batch_, xi);
    return {-at.c[0] / l, at.c[1], at.c[0] / l, at.c[2]};
  }
  const std::array<double, 4> w = position_weights(batch_, xi);
  return {w[0], l * w[1], w[2], l * w[3]};
}

double CableElements::mass(double length, int i, int j) const {
  constexpr int at[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};
  const double ratio = length / batch_.parameters.length;
  double out = batch_.parameters.mass[at[i][j]] * ratio;
  for (int slopes = i % 2 + j % 2; slopes > 0; --slopes) out *= ratio;  // each a factor of length
  return out;
}

double CableElements::strain(const Eigen::Vector3d& slope) const {
  return batch_.strain == StrainMeasure::green ? (slope.squaredNorm() - 1) / 2 : slope.norm() - 1;
}

Lanes CableElements::curvature(const double* q, int pack, double xi) const {
  const HermitePoint at = slope_weights(batch_, xi);
  const ElementPack elements(batch_, q, pack);
  const LaneVec r2 = elements.combine(at.c2);
  const Lanes inv_l = Lanes::Constant(1 / batch_.parameters.length);
  if (batch_.curvature == CurvatureMeasure::second_derivative) return inv_l * dot(r2, r2).sqrt();
  const LaneVec r1 = elements.combine(at.c);
  const LaneVec turn = {r1.y * r2.z - r1.z * r2.y, r1.z * r2.x - r1.x * r2.z,
                        r1.x * r2.y - r1.y * r2.x};
  const Lanes s = dot(r1, r1), material = inv_l * dot(turn, turn).sqrt() / s;
  return batch_.curvature == CurvatureMeasure::material ? material : Lanes(material / s.sqrt());
}

void CableElements::axial(const State& state, int pack, AxialPack& out) const {
  AxialPointsIo io;
  io.pack = pack;
  io.q = state.q.data();
  if (state.axial_force_valid) io.force_n = state.axial_force.data();
  if (!state.viscous_force.empty()) io.viscous = state.viscous_force.data();
  io.force = out.force[0].data();
  io.strain = out.strain[0].data();
  io.tension = out.tension[0].data();
  io.stretch = out.stretch[0].data();
  kernels().elements->axial_points(batch_, io);
}

void CableElements::strains(const double* q, const StrainsOut& out) const {
  kernels().elements->strains(batch_, {q, out.strain, out.curvature, out.tangent});
}

StiffnessParts CableElements::stiffness(const double* q, const double* x) const {
  return stiffness_parts(batch_, q, x);
}

double CableElements::energy(const double* q, const double* v, int element) const {
  AncfBatch one = batch_;
  one.first_node += element;
  one.elements = 1;
  BatchEnergy part{};
  kernels().elements->energy(one, {q, v, nullptr, nullptr}, part);
  return part.kinetic + part.axial + part.bending;
}

std::shared_ptr<const Term> CableElements::with_stiffness(double EA) const {
  AncfBatch other = batch_;
  other.parameters.law.EA = EA;
  return std::make_shared<CableElements>(other, number_);
}

}  // namespace hawser
