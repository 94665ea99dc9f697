#include "model/settle.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "linear/structure.h"

namespace hawser {
namespace {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

/// Energy [J], its gradient and a matrix near its second derivative, of one element.
struct ElementSums {
  double energy = 0;
  Vec12 gradient = Vec12::Zero();
  Mat12 matrix = Mat12::Zero();
};

/// Stretch. In the matrix points that are compressed have no geometric stiffness, so that it has
/// no negative direction.
template <class Strain>
void add_stretch(const AncfParameters& par, const Vec12& q, ElementSums& out) {
  const double scale = 1 / par.length;
  Eigen::Matrix<double, 9, 12> B = Eigen::Matrix<double, 9, 12>::Zero();
  B.block<3, 3>(0, 0).diagonal().setConstant(-scale);
  B.block<3, 3>(0, 6).diagonal().setConstant(scale);
  B.block<3, 3>(3, 3).setIdentity();
  B.block<3, 3>(6, 9).setIdentity();
  const Eigen::Matrix<double, 9, 1> x = B * q;
  AncfResult<double> r;
  const double ones[6] = {1, 1, 1, 1, 1, 1};
  const BlockScale all(par, ones);
  detail::ancf_axial<Strain, LinearElastic, Tangent::none, 0>(
      par, x.data(), static_cast<const double*>(nullptr), all, ViscousPoints<double>{}, r);
  double pull[max_gauss_points];
  for (int g = 0; g < par.axial_points; ++g) {
    out.energy += par.axial[g].w * r.force[g] * r.force[g] / (2 * par.law.EA);
    pull[g] = std::max(r.force[g], 0.0);
  }
  detail::ancf_axial<Strain, LinearElastic, Tangent::mixed, 0>(par, x.data(), pull, all,
                                                               ViscousPoints<double>{}, r);
  Eigen::Matrix<double, 9, 9> K;
  for (int b = 0; b < 6; ++b) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> block(r.tangent[b]);
    K.block<3, 3>(3 * block_row[b], 3 * block_col[b]) = block;
    K.block<3, 3>(3 * block_col[b], 3 * block_row[b]) = block.transpose();
  }
  out.gradient += B.transpose() * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(r.gradient);
  out.matrix += B.transpose() * K * B;
}

ElementSums element_sums(const HangingElements& cable, const HangingElements::Part& part,
                         const Vec12& q) {
  ElementSums out;
  if (cable.strain == StrainMeasure::green)
    add_stretch<GreenStrain>(part.parameters, q, out);
  else
    add_stretch<EngineeringStrain>(part.parameters, q, out);
  for (int k = 0; k < 4; ++k) {
    const Vec3 load = part.parameters.load[k] * part.weight;
    out.energy -= load.dot(q.segment<3>(3 * k));
    out.gradient.segment<3>(3 * k) -= load;
  }
  if (!part.ground) return out;
  const Vec12 still = Vec12::Zero();
  Vec12 push = Vec12::Zero();
  Mat12 stiffness;
  SurroundingsWeights weights;
  weights.position = 1;
  const ElementMotion at{q.data(), still.data(), q.data(), still.data()};
  if (add_surroundings(*part.ground, at, weights, push.data(), stiffness.data()))
    out.matrix += stiffness;
  out.gradient -= push;
  out.energy += ground_energy(*part.ground, q.data());
  return out;
}

/// Energy, gradient and matrix of the cable; what is fixed has no gradient and stays.
struct CableSums {
  double energy = 0;
  Eigen::VectorXd gradient;
  Eigen::SparseMatrix<double> matrix;

  CableSums(const HangingElements& cable, const std::vector<bool>& fixed, const Eigen::VectorXd& q)
      : gradient(Eigen::VectorXd::Zero(q.size())), matrix(q.size(), q.size()) {
    std::vector<Eigen::Triplet<double>> entries;
    int first = 0;
    for (const HangingElements::Part& part : cable.parts)
      for (int e = 0; e < part.elements; ++e, first += node_size) {
        const ElementSums sums = element_sums(cable, part, q.segment<12>(first));
        energy += sums.energy;
        for (int i = 0; i < 12; ++i) {
          if (fixed[static_cast<size_t>(first + i)]) continue;
          gradient[first + i] += sums.gradient[i];
          for (int j = 0; j <= i; ++j)
            if (!fixed[static_cast<size_t>(first + j)])
              entries.emplace_back(first + i, first + j, sums.matrix(i, j));
        }
      }
    for (int i = 0; i < q.size(); ++i)
      if (fixed[static_cast<size_t>(i)]) entries.emplace_back(i, i, 1.0);
    matrix.setFromTriplets(entries.begin(), entries.end());
  }
};

/// Axial stiffness of the stiffest elements at each coordinate.
Eigen::VectorXd stiffness_scale(const HangingElements& cable, Eigen::Index size) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(size);
  int first = 0;
  for (const HangingElements::Part& part : cable.parts) {
    const double EA = part.parameters.law.EA, l = part.parameters.length;
    for (int e = 0; e < part.elements; ++e, first += node_size)
      for (int i = 0; i < 12; ++i)
        out[first + i] = std::max(out[first + i], i % node_size < 3 ? EA / l : EA * l);
  }
  return out;
}

}  // namespace

/// Levenberg 1944, Marquardt 1963: Newton's steps, shortened while the energy does not fall.
void settle(const HangingElements& cable, std::vector<NodeStart>& nodes) {
  Eigen::VectorXd q(node_size * static_cast<Eigen::Index>(nodes.size()));
  std::vector<bool> fixed;
  for (size_t n = 0; n < nodes.size(); ++n) {
    q.segment<3>(node_size * static_cast<Eigen::Index>(n)) = nodes[n].position;
    q.segment<3>(node_size * static_cast<Eigen::Index>(n) + 3) = nodes[n].slope;
    for (int k = 0; k < node_size; ++k) fixed.push_back(cable.fixed[n][k < 3 ? 0 : 1]);
  }
  constexpr int most_steps = 300;
  double damping = 1e-12;
  const Eigen::VectorXd scale = stiffness_scale(cable, q.size());
  CableSums sums(cable, fixed, q);
  double weight = 0;  // what a balance is measured by [N]
  for (const HangingElements::Part& part : cable.parts)
    weight += part.weight.norm() * part.parameters.length;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
  solver.analyzePattern(sums.matrix);
  for (int step = 0; step < most_steps && damping < 1e3; ++step) {
    if (sums.gradient.lpNorm<Eigen::Infinity>() <= 1e-10 * weight) break;
    Eigen::SparseMatrix<double> shifted = sums.matrix;
    shifted.diagonal() += damping * scale;
    solver.factorize(shifted);
    const Eigen::VectorXd change = solver.solve(sums.gradient);
    if (solver.info() == Eigen::Success && change.allFinite()) {
      CableSums next(cable, fixed, q - change);
      if (next.energy < sums.energy) {
        q -= change;
        sums = std::move(next);
        damping = std::max(damping / 10, 1e-15);
        continue;
      }
    }
    damping *= 10;
  }
  for (size_t n = 0; n < nodes.size(); ++n) {
    nodes[n].position = q.segment<3>(node_size * static_cast<Eigen::Index>(n));
    nodes[n].slope = q.segment<3>(node_size * static_cast<Eigen::Index>(n) + 3);
  }
}

}  // namespace hawser
