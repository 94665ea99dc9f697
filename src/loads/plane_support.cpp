#include "loads/plane_support.h"

#include <array>

#include "elements/hermite.h"
#include "loads/flow_state.h"
#include "math/quadrature.h"

namespace hawser {
namespace {

using Eigen::Vector3d;

constexpr int plane_points = 5;  ///< exact for y^2: 4 would do

/// A quadrature point of an element of unit length.
struct PlanePoint {
  double w;
  std::array<double, 4> n;  ///< of (r1, r1', r2, r2') in r
};

const std::array<PlanePoint, plane_points>& plane_rule() {
  static const auto rule = [] {
    std::array<PlanePoint, plane_points> out;
    const std::vector<GaussPoint> gauss = gauss_rule(plane_points);
    for (size_t g = 0; g < out.size(); ++g) out[g] = {gauss[g].w, hermite_position(gauss[g].x)};
    return out;
  }();
  return rule;
}

/// W of an element, its gradient and its Hessian. By block of (r1, r1', r2, r2'): all of them are
/// along the normal.
struct PlaneEnergy {
  double W = 0, by_l = 0, by_ll = 0;
  double by_e[4] = {}, by_el[4] = {}, by_ee[4][4] = {};

  PlaneEnergy(const SupportedRun& run, double load_factor, const double* e, double l) {
    const double weight = load_factor * run.weight;
    double along[4];  // n . r1, n . r1', n . r2, n . r2'
    for (int k = 0; k < 4; ++k) along[k] = run.normal.dot(Eigen::Map<const Vector3d>(e + 3 * k));
    for (const PlanePoint& p : plane_rule()) {
      const double N[4] = {p.n[0], l * p.n[1], p.n[2], l * p.n[3]}, N_l[4] = {0, p.n[1], 0, p.n[3]};
      double y = -run.height, y_l = 0;
      for (int k = 0; k < 4; ++k) {
        y += N[k] * along[k];
        y_l += N_l[k] * along[k];
      }
      const double phi = (run.stiffness * y / 2 - weight) * y, slope = run.stiffness * y - weight;
      W += l * p.w * phi;
      by_l += p.w * (phi + l * slope * y_l);
      by_ll += p.w * (2 * slope * y_l + l * run.stiffness * y_l * y_l);
      for (int k = 0; k < 4; ++k) {
        by_e[k] += l * p.w * slope * N[k];
        by_el[k] += p.w * (slope * (N[k] + l * N_l[k]) + l * run.stiffness * y_l * N[k]);
        for (int j = 0; j < 4; ++j) by_ee[k][j] += l * p.w * run.stiffness * N[k] * N[j];
      }
    }
  }
};

void add_plane_matrix(const SupportedRun& run, int element, const PlaneEnergy& energy,
                      double weight, const MatrixSink& sink) {
  const Vector3d& n = run.normal;
  const int first = run.batch.ancf.first_node + element;
  double block[144];
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 12; ++i)
      block[12 * j + i] = weight * energy.by_ee[i / 3][j / 3] * n[i % 3] * n[j % 3];
  add_element_block(sink, run.batch.ancf.first_element + element, first, block);
  for (const int end : {0, 1})
    for_flows(run.batch, element + end, [&](int scalar, double share) {
      const double sign = end == 0 ? -share : share;  // of the length
      for (int i = 0; i < 12; ++i) {
        const double entry = weight * sign * energy.by_el[i / 3] * n[i % 3];
        add_border(sink, scalar, node_size * first + i, entry, entry);
      }
      for (const int other : {0, 1})
        for_flows(run.batch, element + other, [&](int beside, double part) {
          add_corner(sink, scalar, beside,
                     weight * sign * (other == 0 ? -part : part) * energy.by_ll);
        });
    });
}

}  // namespace

PlaneSupports::PlaneSupports(std::vector<SupportedRun> runs) : runs_(std::move(runs)) {}

void PlaneSupports::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const bool matrix = wanted.matrix() && wanted.stiffness_weight != 0;
  for (const SupportedRun& run : runs_)
    for (int e = 0; e < run.batch.ancf.elements; ++e) {
      const FlowState now(run.batch, e, at.q, at.v);
      const PlaneEnergy energy(run, wanted.load_factor, now.e, now.length);
      double* to = sums.force + node_size * (run.batch.ancf.first_node + e);
      for (int i = 0; i < 12; ++i) to[i] -= energy.by_e[i / 3] * run.normal[i % 3];
      for (const int end : {0, 1})
        for_flows(run.batch, e + end, [&](int scalar, double share) {
          sums.force[run.batch.first_scalar_at + scalar] +=
              (end == 0 ? share : -share) * energy.by_l;
        });
      if (matrix) add_plane_matrix(run, e, energy, wanted.stiffness_weight, sums.sink);
    }
}

void PlaneSupports::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const SupportedRun& run : runs_)
    for (int e = 0; e < run.batch.ancf.elements; ++e) {
      const FlowState now(run.batch, e, at.q, at.v);
      out.gravity += PlaneEnergy(run, 1, now.e, now.length).W;
    }
}

}  // namespace hawser
