// Chains of straight elements: lengths that the tension makes, balance at every node, no false
// stress in folds and heaps.
#include "math/chain.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

namespace hawser::HAWSER_FILE {
namespace {

using Eigen::Vector3d;

CatenaryProblem hanging(const Vector3d& to, double length, double EA) {
  CatenaryProblem p;
  p.to = to;
  p.length = length;
  p.weight = {0, 0, -5};
  p.law = {EA, StrainMeasure::engineering};
  return p;
}

/// What every element pulls with, by its length [N].
std::vector<Vector3d> pulls(const CatenaryProblem& p, const std::vector<Vector3d>& nodes,
                            const std::vector<double>& lengths) {
  std::vector<Vector3d> out;
  for (size_t k = 1; k < nodes.size(); ++k) {
    const Vector3d chord = nodes[k] - nodes[k - 1];
    out.push_back(p.law.EA * (chord.norm() / lengths[k - 1] - 1) * chord.normalized());
  }
  return out;
}
std::vector<Vector3d> pulls(const CatenaryProblem& p, const std::vector<Vector3d>& nodes) {
  const size_t elements = nodes.size() - 1;
  return pulls(p, nodes, std::vector<double>(elements, p.length / static_cast<double>(elements)));
}

TEST(Chain, BalancesEveryNode) {
  for (const double EA : {100.0, 1e4, 1e6})
    for (const Vector3d& to : {Vector3d(10, 0, 0), Vector3d(6, 3, -7), Vector3d(1, 0, 9.5)})
      for (const double length : {9.0, 10.2, 12.0, 40.0})
        for (const int elements : {2, 7, 10, 100}) {
          if (length / elements > to.head<2>().norm()) continue;  // it may fold: below
          const CatenaryProblem p = hanging(to, length, EA);
          const std::vector<Vector3d> nodes = solve_chain(p, elements);
          ASSERT_EQ(nodes.size(), static_cast<size_t>(elements) + 1);
          EXPECT_EQ(nodes.back(), to);
          const std::vector<Vector3d> pull = pulls(p, nodes);
          const Vector3d weight = p.weight * length / elements;
          for (size_t k = 1; k < pull.size(); ++k)
            EXPECT_LT((pull[k] - pull[k - 1] + weight).norm(),
                      1e-6 * weight.norm() + 1e-12 * EA * elements)
                << EA << ' ' << length << ' ' << elements << ' ' << k;
        }
}

/// A length divided into so many elements, each `growth` times the one before.
std::vector<double> growing(double length, int elements, double growth) {
  std::vector<double> out;
  double l = 1, sum = 0;
  for (int k = 0; k < elements; ++k, l *= growth) sum += (out.emplace_back(l));
  for (double& each : out) each *= length / sum;
  return out;
}

TEST(Chain, BalancesElementsOfAnyLength) {
  for (const double EA : {100.0, 1e4, 1e6})
    for (const Vector3d& to : {Vector3d(10, 0, 0), Vector3d(6, 3, -7)})
      for (const double growth : {0.8, 1.1, 1.4}) {
        const CatenaryProblem p = hanging(to, 12, EA);
        const std::vector<double> lengths = growing(12, 8, growth);
        const std::vector<Vector3d> nodes = solve_chain(p, lengths);
        EXPECT_EQ(nodes.back(), to);
        const std::vector<Vector3d> pull = pulls(p, nodes, lengths);
        for (size_t k = 1; k < pull.size(); ++k)
          EXPECT_LT((pull[k] - pull[k - 1] + p.weight * (lengths[k - 1] + lengths[k]) / 2).norm(),
                    1e-5 + 1e-11 * EA)
              << EA << ' ' << growth << ' ' << k;
      }
}

TEST(Chain, ElementsOfAnyLengthLieOnAFloor) {
  for (const double length : {15.0, 16.0, 25.0})
    for (const double growth : {0.95, 1.1}) {
      CatenaryProblem p = hanging({10, 0, 1}, length, 6e6);
      p.floor = -2;
      const std::vector<double> lengths = growing(length, 20, growth);
      const std::vector<Vector3d> nodes = solve_chain(p, lengths);
      for (const Vector3d& r : nodes) EXPECT_GT(r.z(), -2 - 1e-9);
      for (const Vector3d& pull : pulls(p, nodes, lengths)) EXPECT_LT(pull.norm(), 40) << length;
    }
}

/// Sections of other weights and stiffnesses: half of each element's weight at its nodes.
TEST(Chain, BalancesSections) {
  for (const double middle : {40.0, 0.5, -3.0})
    for (const Vector3d& to : {Vector3d(10, 0, 0), Vector3d(6, 3, -7)}) {
      CatenaryProblem p = hanging(to, 12, 1e4);
      p.sections = {{3, 5, {1e4, StrainMeasure::engineering}},
                    {6, middle, {500, StrainMeasure::engineering}},
                    {3, 5, {1e5, StrainMeasure::engineering}}};
      const std::vector<double> lengths{1, 1, 1, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5};
      const auto section = [&](size_t k) { return p.sections[k < 3 ? 0 : k < 7 ? 1 : 2]; };
      const std::vector<Vector3d> nodes = solve_chain(p, lengths);
      EXPECT_EQ(nodes.back(), to);
      std::vector<Vector3d> pull;
      for (size_t k = 0; k < lengths.size(); ++k) {
        const Vector3d chord = nodes[k + 1] - nodes[k];
        pull.push_back(section(k).law.EA * (chord.norm() / lengths[k] - 1) * chord.normalized());
      }
      for (size_t k = 1; k < pull.size(); ++k) {
        const double weight =
            (section(k - 1).weight * lengths[k - 1] + section(k).weight * lengths[k]) / 2;
        EXPECT_LT((pull[k] - pull[k - 1] - weight * Vector3d::UnitZ()).norm(), 1e-6)
            << middle << ' ' << k;
      }
    }
}

TEST(Chain, OfSectionsLiesOnAFloor) {
  for (const double length : {15.0, 16.0, 25.0}) {
    CatenaryProblem p = hanging({10, 0, 1}, length, 6e6);
    p.floor = -2;
    p.sections = {{length / 2, 5, {6e6, StrainMeasure::engineering}},
                  {length / 2, 2, {1e6, StrainMeasure::engineering}}};
    const std::vector<double> lengths(20, length / 20);
    const std::vector<Vector3d> nodes = solve_chain(p, lengths);
    EXPECT_LT((nodes.back() - p.to).norm(), 1e-12);
    for (const Vector3d& r : nodes) EXPECT_GT(r.z(), -2 - 1e-9);
    for (size_t k = 0; k < lengths.size(); ++k) {
      const double stretch = (nodes[k + 1] - nodes[k]).norm() / lengths[k] - 1;
      EXPECT_LT(std::abs(p.sections[k < 10 ? 0 : 1].law.EA * stretch), 40) << length;
    }
  }
}

TEST(Chain, HasNoFalseStressWhereItFolds) {
  for (const Vector3d& to :
       {Vector3d(0, 0, -9.5), Vector3d(0.3, 0, -9.5), Vector3d(0, 0, 0), Vector3d(0.01, 0, 3.3)})
    for (const int elements : {2, 5, 10, 31}) {
      const CatenaryProblem p = hanging(to, 10, 6e6);
      const std::vector<Vector3d> nodes = solve_chain(p, elements);
      EXPECT_LT((nodes.back() - to).norm(), 1e-12);
      for (const Vector3d& pull : pulls(p, nodes))
        EXPECT_LT(pull.norm(), 60) << elements << ' ' << to.transpose();  // all its weight: 50 N
    }
}

TEST(Chain, LiesOnAFloor) {
  for (const double length : {15.0, 16.0, 25.0})  // pulled along it, and with length to spare
    for (const int elements : {12, 50}) {
      CatenaryProblem p = hanging({10, 0, 1}, length, 6e6);
      p.floor = -2;
      const std::vector<Vector3d> nodes = solve_chain(p, elements);
      for (const Vector3d& r : nodes) EXPECT_GT(r.z(), -2 - 1e-9);
      for (const Vector3d& pull : pulls(p, nodes)) EXPECT_LT(pull.norm(), 40) << length;
    }
}

TEST(Chain, BowsWithoutWeight) {
  CatenaryProblem p = hanging({10, 0, 0}, 12, 6e6);
  p.weight.setZero();
  const std::vector<Vector3d> nodes = solve_chain(p, 10);
  for (const Vector3d& pull : pulls(p, nodes)) EXPECT_LT(pull.norm(), 1e-6);
  EXPECT_LT(nodes[5].z(), -2);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
