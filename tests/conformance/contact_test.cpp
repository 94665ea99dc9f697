// Contact of a cable or a body with the shape of a body: its matrix against differences of its
// force, with the friction limit of the last step.
#include "conformance/assembly_reference.h"  // first: the kernels need its sqrt

#include <gtest/gtest.h>

#include "contact/cable_contact.h"
#include "model/state_table.h"

namespace hawser::conformance::HAWSER_FILE {
namespace {

constexpr double stiffness = 1e6, depth = 1e-5;

/// A scene of which one thing lies on another, a little within it, and moves by `slide` in each of
/// two steps after it has touched: the nodes up to `movers`.
struct Lying {
  Lying(const Scene& scene, double slide, int movers) : model(compile(scene)) {
    for (const auto& t : model->terms)
      if (t->facts().remembers) term = t.get();
    q = q_start = model->q0;
    v.assign(q.size(), 0);
    contacts.assign(static_cast<size_t>(model->contacts), 0);
    const State start = start_pose(*model);
    orientation = start.orientation;
    Configuration at({0, {}}, q.data(), v.data(), orientation.data());
    term->remember(at, contacts.data());
    at.contacts = contacts.data();
    for (const bool last : {false, true}) {
      for (int i = 0; i < movers; ++i) q[static_cast<size_t>(6 * i)] += slide;
      for (int i = 0; i < model->structure.scalars; ++i)
        q[static_cast<size_t>(model->structure.scalar(i))] += slide / 3;
      if (last) continue;
      at.q_start = q_start.data();
      term->remember(at, contacts.data());
      q_start = q;
    }
  }

  VectorXd add(const std::vector<double>& at, DenseSink* dense) const {
    Configuration there({0, {}}, at.data(), v.data(), orientation.data());
    there.contacts = contacts.data();
    there.q_start = q_start.data();
    there.predicted = true;
    Wanted wanted;
    wanted.mass_weight = 0;
    wanted.stiffness_weight = 1;
    wanted.tangent = dense != nullptr ? Tangent::own : Tangent::none;
    std::vector<double> out(model->padded(), 0);
    term->add(there, wanted, {out.data(), nullptr, dense != nullptr ? dense->sink : MatrixSink{}});
    return head(out, model->structure.coordinates());
  }

  std::shared_ptr<const ModelData> model;
  const Term* term = nullptr;
  std::vector<double> q, q_start, v, contacts, orientation;
};

Body box_of(const std::string& name, const Vec3& size, const Vec3& at) {
  Body box;
  box.name = name;
  box.mass = 2;
  box.shape = {Solid::Kind::box, size};
  box.inertia = box.shape.inertia(box.mass);
  box.position = at;
  return box;
}

/// `over`: what the cable flows through in its middle, if anything.
Scene cable_and_box(double friction, CableModel kind, const std::vector<Stop>& over) {
  Scene scene;
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e4, 1e-2, 0.5}};
  rope.sections[0].diameter = 0.02;
  rope.model = kind;
  rope.route = {{-0.15, 0.01, 0.11 - depth}, {0.15, -0.02, 0.11 - depth}};
  rope.route.insert(rope.route.begin() + 1, over.begin(), over.end());
  rope.elements = 4;
  scene.bodies = {box_of("box", {0.4, 0.2, 0.2}, Vec3::Zero())};
  scene.cables = {rope};
  Contact contact;
  contact.name = "on";
  contact.cables = {"rope"};
  contact.shapes = {"box"};
  contact.friction = friction;
  contact.stiffness = stiffness;
  scene.contacts = {contact};
  return scene;
}

Lying cable_on_box(double friction, double slide) {
  return {cable_and_box(friction, CableModel::ancf, {}), slide, 5};
}

/// It flows through an eyelet.
Lying flow_on_box(double friction, double slide, CableModel kind) {
  Scene scene = cable_and_box(friction, kind, {Stop::over("ring")});
  Support ring;
  ring.name = "ring";
  ring.position = {-0.01, 0.002, 0.11 - depth};
  scene.supports = {ring};
  return {scene, slide, 5};
}

Lying box_on_box(double friction, double slide) {
  Scene scene;
  scene.gravity = {0, 0, -4};
  scene.bodies = {box_of("upper", {0.2, 0.3, 0.2}, {0.02, 0.05, 0.2 - depth}),
                  box_of("lower", {0.4, 0.5, 0.2}, Vec3::Zero())};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.3, Vec3::UnitZ());
  Contact contact;
  contact.name = "on";
  contact.shapes = {"upper", "lower"};
  contact.friction = friction;
  scene.contacts = {contact};
  return {scene, slide, 1};
}

/// The turning of arms and normals is left out, which is the depth over the arms.
void expect_matrix(const Lying& lying, double least) {
  DenseSink dense(lying.model->structure, true);
  lying.add(lying.q, &dense);
  const Eigen::Index n = dense.H.rows();
  MatrixXd slopes(n, n);
  constexpr double step = 1e-8;
  for (Eigen::Index j = 0; j < n; ++j) {
    std::vector<double> less = lying.q, more = lying.q;
    less[static_cast<size_t>(j)] -= step;
    more[static_cast<size_t>(j)] += step;
    slopes.col(j) = (lying.add(less, nullptr) - lying.add(more, nullptr)) / (2 * step);
  }
  const double scale = slopes.cwiseAbs().maxCoeff();
  EXPECT_GT(scale, least);
  const MatrixXd H = dense.all();
  EXPECT_LT((H - slopes).cwiseAbs().maxCoeff(), 2e-3 * scale);
  EXPECT_LT((H - H.transpose()).cwiseAbs().maxCoeff(), 1e-12 * scale);
}

TEST(ContactMatrix, WithoutFriction) { expect_matrix(cable_on_box(0, 0), 0.05 * stiffness); }
TEST(ContactMatrix, WhereItSticks) { expect_matrix(cable_on_box(0.5, 1e-6), 0.05 * stiffness); }
TEST(ContactMatrix, WhereItSlips) { expect_matrix(cable_on_box(0.5, 2e-5), 0.05 * stiffness); }
/// How far the cable runs past its points is in the columns of the flow.
TEST(ContactMatrix, OfCableThatFlows) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem})
    for (const double friction : {0.0, 0.5})
      for (const double slide : {1e-6, 2e-5}) {
        const Lying lying = flow_on_box(friction, slide, kind);
        EXPECT_EQ(lying.model->structure.scalars, 1);
        expect_matrix(lying, 0.01 * stiffness);
      }
}
TEST(ContactMatrix, OfBodies) {
  for (const double friction : {0.0, 0.5})
    for (const double slide : {1e-6, 2e-5}) expect_matrix(box_on_box(friction, slide), 1e5);
}

}  // namespace
}  // namespace hawser::conformance::HAWSER_FILE
