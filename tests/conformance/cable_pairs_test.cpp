// Contact of cables with each other: its matrix against differences of its force, with the friction
// limit of the last step.
#include "conformance/assembly_reference.h"  // first: the kernels need its sqrt

#include <gtest/gtest.h>

#include "contact/cable_pairs.h"
#include "contact/close_grid.h"

namespace hawser::conformance::HAWSER_FILE {
namespace {

constexpr double point_stiffness = 1e6, sunk = 1e-5, diameter = 0.02;

/// A cable that lies on another one, a little within it, turned against it by an angle, and moves
/// by `slide` after it has touched.
struct Laid {
  Laid(double angle, double friction, double slide) {
    Scene scene;
    for (const bool upper : {false, true}) {
      Cable rope;
      rope.name = upper ? "upper" : "lower";
      rope.sections = {Section{1e4, 1e-2, 0.5}};
      rope.sections[0].diameter = diameter;
      const double turn = upper ? angle : 0, z = upper ? diameter - sunk : 0;
      const Vec3 half = 0.15 * Vec3(std::cos(turn), std::sin(turn), 0);
      rope.route = {Vec3(Vec3(0.02, 0.01, z) - half), Vec3(Vec3(0.02, 0.01, z) + half)};
      rope.elements = 3;
      scene.cables.push_back(rope);
    }
    Contact contact;
    contact.name = "on";
    contact.cables = {"lower", "upper"};
    contact.friction = friction;
    contact.stiffness = point_stiffness / diameter;
    contact.points = 1;
    scene.contacts = {contact};
    model = compile(scene);
    for (const auto& t : model->terms)
      if (t->facts().meets) term = t.get();
    q = model->q0;
    v.assign(q.size(), 0);
    start = q;
    CloseSearch search;
    Configuration at({0, {}}, q.data(), v.data(), nullptr);
    at.q_start = start.data();
    term->find_pairs(at, 0, true, search, contacts);
    at.contacts = contacts.data();
    term->remember(at, contacts.data());
    structure = model->structure;
    term->couple(contacts.data(), coupled.pairs);
    std::sort(coupled.pairs.begin(), coupled.pairs.end());
    coupled.pairs.erase(std::unique(coupled.pairs.begin(), coupled.pairs.end()),
                        coupled.pairs.end());
    structure.pairs = coupled.pairs;
    for (size_t i = 24; i < 48; i += 6) q[i] += slide;
  }

  VectorXd add(const std::vector<double>& there, DenseSink* dense) const {
    Configuration at({0, {}}, there.data(), v.data(), nullptr);
    at.contacts = contacts.data();
    at.q_start = start.data();
    at.predicted = true;
    Wanted wanted;
    wanted.mass_weight = 0;
    wanted.stiffness_weight = 1;
    wanted.tangent = dense != nullptr ? Tangent::own : Tangent::none;
    wanted.coupled = &coupled;
    std::vector<double> out(model->padded(), 0);
    term->add(at, wanted, {out.data(), nullptr, dense != nullptr ? dense->sink : MatrixSink{}});
    return head(out, structure.coordinates());
  }

  std::shared_ptr<const ModelData> model;
  SystemStructure structure;
  const Term* term = nullptr;
  CoupledNodes coupled;
  std::vector<double> q, v, contacts, start;
};

/// That the normal turns is left out, which is the depth over the radius. Where the parts lie side
/// by side the places where they touch move along them.
void expect_pair_matrix(const Laid& laid, double within) {
  DenseSink dense(laid.structure, true);
  laid.add(laid.q, &dense);
  const Eigen::Index n = dense.H.rows();
  MatrixXd slopes(n, n);
  constexpr double step = 1e-9;
  for (Eigen::Index j = 0; j < n; ++j) {
    std::vector<double> less = laid.q, more = laid.q;
    less[static_cast<size_t>(j)] -= step;
    more[static_cast<size_t>(j)] += step;
    slopes.col(j) = (laid.add(less, nullptr) - laid.add(more, nullptr)) / (2 * step);
  }
  const double scale = slopes.cwiseAbs().maxCoeff();
  EXPECT_GT(scale, 0.05 * point_stiffness);
  EXPECT_LT((dense.H - slopes).cwiseAbs().maxCoeff(), within * scale);
  EXPECT_LT((dense.H - dense.H.transpose()).cwiseAbs().maxCoeff(), 1e-12 * scale);
}

TEST(CablePairsMatrix, WithoutFriction) { expect_pair_matrix(Laid(1.2, 0, 0), 5e-3); }
TEST(CablePairsMatrix, SideBySide) { expect_pair_matrix(Laid(1e-4, 0, 0), 0.02); }
TEST(CablePairsMatrix, WhereItSticks) { expect_pair_matrix(Laid(1.2, 0.5, 1e-6), 5e-3); }
TEST(CablePairsMatrix, WhereItSlips) { expect_pair_matrix(Laid(1.2, 0.5, 2e-5), 0.02); }

}  // namespace
}  // namespace hawser::conformance::HAWSER_FILE
