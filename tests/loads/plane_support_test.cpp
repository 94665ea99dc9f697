// The plane on which cable lies: force and matrix are those of its energy, on the length as well.
#include "loads/plane_support.h"

#include <gtest/gtest.h>

#include <random>

namespace hawser::HAWSER_FILE {
namespace {

/// An element whose ends both flow.
struct OneElement {
  static constexpr int size = 14;
  SupportedRun run;

  OneElement() {
    const double gravity[3] = {0.3, -0.2, -9.81};
    run.batch.parameters = flow_parameters({12, 1.5}, 0.7, gravity, 5, 3);
    run.batch.ancf.elements = 1;
    run.batch.first_scalar_at = 12;
    run.batch.nodes.resize(2);
    run.batch.nodes[0].scalar = 0;
    run.batch.nodes[1].scalar = 1;
    run.normal = Eigen::Vector3d(0.2, -0.3, 0.9).normalized();
    run.height = 0.4;
    run.weight = 6;
    run.stiffness = 50;
  }
  static Eigen::VectorXd place() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> some(-0.5, 0.5);
    Eigen::VectorXd q(size);
    for (double& x : q) x = some(random);
    q[12] = 0.3;
    q[13] = 1.2;
    return q;
  }
  [[nodiscard]] double energy(const Eigen::VectorXd& q) const {
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(size);
    EnergyParts out;
    PlaneSupports({run}).add_energy({{0, {}}, q.data(), rest.data(), nullptr, nullptr}, out);
    return out.total();
  }
  [[nodiscard]] Eigen::VectorXd force(const Eigen::VectorXd& q, Eigen::MatrixXd* matrix) const {
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(size);
    Eigen::VectorXd out = rest;
    std::vector<double> panels(static_cast<size_t>(panel_size * (2 + spare_panels)), 0);
    Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(12, 2), rows = columns,
                    corner = Eigen::MatrixXd::Zero(2, 2);
    MatrixSink sink;
    sink.panel_nodes = 2, sink.panel_elements = 1, sink.panels = panels.data();
    sink.border_columns = columns.data(), sink.border_rows = rows.data();
    sink.corner = corner.data(), sink.border_length = 12, sink.scalars = 2;
    Wanted wanted;
    if (matrix) wanted.tangent = Tangent::own;
    wanted.stiffness_weight = 1;
    PlaneSupports({run}).add({{0, {}}, q.data(), rest.data(), nullptr}, wanted,
                             {out.data(), nullptr, sink});
    if (!matrix) return out;
    matrix->setZero(size, size);
    for (int node = 0; node < 2; ++node)
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < (node == 0 ? 12 : 6); ++i)
          if (i >= j)
            (*matrix)(6 * node + i, 6 * node + j) = (*matrix)(6 * node + j, 6 * node + i) =
                panels[static_cast<size_t>(panel_size * node + panel_rows * j + i)];
    matrix->topRightCorner(12, 2) = columns;
    matrix->bottomLeftCorner(2, 12) = rows.transpose();
    matrix->bottomRightCorner(2, 2) = corner;
    return out;
  }
};

TEST(PlaneSupport, ForceAndMatrixAreThoseOfItsEnergy) {
  const OneElement element;
  const Eigen::VectorXd q = OneElement::place();
  Eigen::MatrixXd matrix;
  const Eigen::VectorXd force = element.force(q, &matrix);
  for (int i = 0; i < OneElement::size; ++i) {
    const double h = 1e-5;
    Eigen::VectorXd before = q, after = q;
    before[i] -= h, after[i] += h;
    EXPECT_NEAR(force[i], -(element.energy(after) - element.energy(before)) / (2 * h), 1e-7) << i;
    const Eigen::VectorXd column =
        -(element.force(after, nullptr) - element.force(before, nullptr)) / (2 * h);
    for (int j = 0; j < OneElement::size; ++j)
      EXPECT_NEAR(matrix(j, i), column[j], 1e-7) << j << ", " << i;
  }
}

/// On the plane it carries the weight, and flows feel nothing.
TEST(PlaneSupport, CarriesTheWeight) {
  const OneElement element;
  Eigen::VectorXd q = Eigen::VectorXd::Zero(OneElement::size);
  const Eigen::Vector3d n = element.run.normal, along = n.unitOrthogonal();
  q.segment<3>(0) = element.run.height * n;
  q.segment<3>(3) = q.segment<3>(9) = along;
  q.segment<3>(6) = q.segment<3>(0) + 0.9 * along;
  q[12] = 0.3, q[13] = 1.2;
  const Eigen::VectorXd force = element.force(q, nullptr);
  const Eigen::Vector3d sum = force.segment<3>(0) + force.segment<3>(6);
  EXPECT_LT((sum - 6 * 0.9 * n).norm(), 1e-12);
  EXPECT_NEAR(force[12], 0, 1e-12);
  EXPECT_NEAR(force[13], 0, 1e-12);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
