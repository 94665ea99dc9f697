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

/// The coordinates of a cable: which of them are fixed, and whose the others are.
struct HangingCoordinates {
  std::vector<bool> fixed;
  std::vector<int> owner;  ///< another coordinate's where a second node has the same position

  HangingCoordinates(const HangingElements& cable, size_t nodes) {
    for (size_t n = 0; n < nodes; ++n)
      for (int k = 0; k < node_size; ++k) {
        fixed.push_back(cable.fixed[n][k < 3 ? 0 : 1]);
        owner.push_back(static_cast<int>(owner.size()));
      }
    size_t node = 0;
    for (const HangingElements::Part& part : cable.parts) {
      if (part.split) {
        ++node;
        for (size_t i = node_size * node; i < node_size * node + 3; ++i) owner[i] -= node_size;
      }
      node += static_cast<size_t>(part.elements);
    }
  }
  [[nodiscard]] int owner_of(int i) const { return owner[static_cast<size_t>(i)]; }
  [[nodiscard]] bool moves(int i) const { return !fixed[static_cast<size_t>(owner_of(i))]; }
  void spread(Eigen::VectorXd& q) const {
    for (int i = 0; i < q.size(); ++i) q[i] = q[owner_of(i)];
  }
};

/// Calls with every element's part and first coordinate.
template <class Call>
void for_hanging(const HangingElements& cable, const Call& call) {
  int first = 0;
  for (const HangingElements::Part& part : cable.parts) {
    if (part.split) first += node_size;
    for (int e = 0; e < part.elements; ++e, first += node_size) call(part, first);
  }
}

/// Energy, gradient and matrix of the cable; what is fixed has no gradient and stays.
struct CableSums {
  double energy = 0;
  Eigen::VectorXd gradient;
  Eigen::SparseMatrix<double> matrix;

  CableSums(const HangingElements& cable, const HangingCoordinates& of, const Eigen::VectorXd& q)
      : gradient(Eigen::VectorXd::Zero(q.size())), matrix(q.size(), q.size()) {
    std::vector<Eigen::Triplet<double>> entries;
    for_hanging(cable, [&](const HangingElements::Part& part, int first) {
      const ElementSums sums = element_sums(cable, part, q.segment<12>(first));
      energy += sums.energy;
      for (int i = 0; i < 12; ++i) {
        if (!of.moves(first + i)) continue;
        const int row = of.owner_of(first + i);
        gradient[row] += sums.gradient[i];
        for (int j = 0; j <= i; ++j)
          if (of.moves(first + j))
            entries.emplace_back(row, of.owner_of(first + j), sums.matrix(i, j));
      }
    });
    for (int i = 0; i < q.size(); ++i)
      if (!of.moves(i) || of.owner_of(i) != i) entries.emplace_back(i, i, 1.0);
    matrix.setFromTriplets(entries.begin(), entries.end());
  }
};

/// Axial stiffness of the stiffest elements at each coordinate.
Eigen::VectorXd stiffness_scale(const HangingElements& cable, const HangingCoordinates& of,
                                Eigen::Index size) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(size);
  for_hanging(cable, [&](const HangingElements::Part& part, int first) {
    const double EA = part.parameters.law.EA, l = part.parameters.length;
    for (int i = 0; i < 12; ++i) {
      double& scale = out[of.owner_of(first + i)];
      scale = std::max(scale, i % node_size < 3 ? EA / l : EA * l);
    }
  });
  return out;
}

}  // namespace

/// Levenberg 1944, Marquardt 1963: Newton's steps, shortened while the energy does not fall.
void settle(const HangingElements& cable, std::vector<NodeStart>& nodes) {
  Eigen::VectorXd q(node_size * static_cast<Eigen::Index>(nodes.size()));
  for (size_t n = 0; n < nodes.size(); ++n) {
    q.segment<3>(node_size * static_cast<Eigen::Index>(n)) = nodes[n].position;
    q.segment<3>(node_size * static_cast<Eigen::Index>(n) + 3) = nodes[n].slope;
  }
  const HangingCoordinates of(cable, nodes.size());
  constexpr int most_steps = 300;
  double damping = 1e-12;
  const Eigen::VectorXd scale = stiffness_scale(cable, of, q.size());
  of.spread(q);
  CableSums sums(cable, of, q);
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
      Eigen::VectorXd moved = q - change;
      of.spread(moved);
      CableSums next(cable, of, moved);
      if (next.energy < sums.energy) {
        q = std::move(moved);
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
