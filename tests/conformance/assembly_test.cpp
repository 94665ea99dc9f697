// The assembler against a plain loop over the scalar kernel, and its loads.
#include "conformance/assembly_reference.h"  // first: the kernels need its sqrt

#include <gtest/gtest.h>

#include "../bench/routes.h"
#include "assembly/assembler.h"
#include "assembly/energy.h"

namespace hawser::conformance::HAWSER_FILE {
namespace {

void expect_assembly(const ModelData& model, double tolerance = 1e-12) {
  const Inputs in(model);
  const double wM = 1.3, wK = 0.4;
  for (const Tangent tangent : all_tangents) {
    const Reference expected(model, in, tangent, wM, wK);
    const Eigen::Index n = expected.force.size();
    Assembler assembler(model);
    Wanted wanted;
    wanted.b = in.b.data();
    wanted.axial = in.force_n.data();
    wanted.tangent = tangent;
    wanted.mass_weight = wM;
    wanted.stiffness_weight = wK;
    assembler.keep_points(wanted);
    const std::vector<double> rest(model.padded(), 0);
    DenseSink whole(model.structure, true), half(model.structure, false);
    PanelSink panels(model.nodes);
    for (const MatrixSink* sink : {&whole.sink, &half.sink, &panels.sink}) {
      assembler.run({{0, {}}, in.q.data(), rest.data(), nullptr}, wanted, *sink);
      expect_near(head(assembler.force, n), expected.force, tolerance * largest(expected.force),
                  "force");
      expect_near(head(assembler.inertia, n), expected.inertia,
                  tolerance * largest(expected.inertia), "inertia");
      expect_near(valid_points(model, head(assembler.axial_star, model.point_size)),
                  expected.force_star, tolerance * largest(expected.force_star), "axial force");
      for (const AncfBatch& batch : batches_of(model))
        for (int e = 0; e < batch.elements; ++e)
          for (int g = 0; g < batch.parameters.axial_points; ++g)
            for (int i = 0; i < 3; ++i) {
              const int at = 3 * (point_index(batch, e, g) - e % 4) + 4 * i + e % 4;
              EXPECT_NEAR(assembler.strain_r[static_cast<size_t>(at)], expected.strain_r[at],
                          tolerance);
            }
    }
    if (tangent == Tangent::none) {
      EXPECT_EQ(whole.H, MatrixXd::Zero(n, n)) << "no matrix was asked for";
      continue;
    }
    const double scale = tolerance * largest(expected.H);
    expect_near(whole.H, expected.H, scale, "sparse matrix");
    expect_near(half.H, lower_of(expected.H), scale, "lower triangle of the sparse matrix");
    expect_near(panels.lower(), lower_of(expected.H), scale, "chain panels");
  }
}

TEST(Assembly, IsTheSumOfItsElements) {
  for_all_models([](const Model& model) { expect_assembly(model.data()); });
}

TEST(Assembly, KeepsCablesOfOneSceneApart) {
  const Model model(
      scene_of({cable_of(3), np_fem_cable(5, false, false), cable_of(6, StrainMeasure::engineering),
                np_fem_cable(2, true, true),
                cable_of(1, StrainMeasure::green, CurvatureMeasure::material, 4, 2)}));
  expect_assembly(model.data());
}

/// Spans of different elements: batches that share a node.
TEST(Assembly, JoinsTheSpansOfARoute) {
  for (const int elements : {3, 4, 7, 12, 21}) {
    SCOPED_TRACE(std::to_string(elements) + " elements");
    Cable led = cable_of(elements, StrainMeasure::engineering, CurvatureMeasure::material);
    lead_through(led, {{0.9, 0.2, 0}, {2, 1, 0.5}});
    const Model model(scene_of({cable_of(2), led, cable_of(5)}));
    ASSERT_EQ(model.data().fields.size(), 5U);
    expect_assembly(model.data());
  }
}

TEST(Assembly, EnergyIsTheSumOfItsElements) {
  for_all_models([](const Model& model) {
    const ModelData& data = model.data();
    const Inputs in(data);
    const AncfBatch& batch = batch_of(data, 0);
    double elastic = 0, kinetic = 0;
    if (!batch.parameters.slopes)
      with_np_fem(batch, [&](const auto& element) {
        for (int e = 0; e < batch.elements; ++e) {
          double x[6];
          for (int i = 0; i < 6; ++i) x[i] = in.q[static_cast<size_t>(6 * e + i + (i < 3 ? 0 : 3))];
          elastic += element.energy(x);
        }
      });
    else
      with_measures(batch.strain, batch.curvature, [&]<class S, class C>(S, C) {
        const AncfAdapter<S, C> element(batch.parameters.length, section.EA, section.EI,
                                        batch.parameters.axial_points,
                                        batch.parameters.bending_points);
        for (int e = 0; e < batch.elements; ++e) elastic += element.energy(in.q.data() + 6 * e);
      });
    const MatrixXd M = element_mass(data, batch);
    for (int e = 0; e < batch.elements; ++e) {
      const VectorXd v = Eigen::Map<const VectorXd>(in.b.data() + 6 * e, 12);
      kinetic += v.dot(M * v) / 2;
    }
    const EnergyParts energy =
        energy_of(data, {{0, {}}, in.q.data(), in.b.data(), nullptr, nullptr}, in.b.data());
    EXPECT_NEAR(energy.axial + energy.bending, elastic, 1e-12 * elastic);
    EXPECT_NEAR(energy.kinetic, kinetic, 1e-12 * kinetic);
  });
}

TEST(Assembly, MassTimesAgreesWithQuadrature) {
  for_all_models([](const Model& model) {
    const Inputs in(model.data());
    const Reference expected(model.data(), in, Tangent::none, 1, 0);
    Assembler assembler(model.data());
    assembler.mass_times(in.q.data(), in.b.data());
    expect_near(head(assembler.inertia, model.coordinates()), expected.inertia,
                1e-13 * largest(expected.inertia), "M b");
  });
}

TEST(Assembly, WeightIsTheQuadratureOfItsShapeFunctions) {
  Scene scene = scene_of({cable_of(3)});
  scene.gravity = {0.3, -2, -9.81};
  scene.point_masses = {{nth("cable 3", 1, 3), 2.5}};
  scene.distributed_forces = {{"cable 3", {4, 5, 6}, 2.0}};
  const Model model(scene);
  VectorXd weight = VectorXd::Zero(24);
  for (int e = 0; e < 3; ++e)
    for (const GaussPoint& g : gauss_rule(4)) {
      const std::array<double, 4> S = hermite_position(g.x);
      const Vector3d f = mass_per_metre * scene.gravity + 2 * Vector3d(4, 5, 6);
      for (int k = 0; k < 4; ++k)
        weight.segment<3>(6 * e + 3 * k) +=
            g.w * element_length * S[static_cast<size_t>(k)] * (k % 2 ? element_length : 1.0) * f;
    }
  weight.segment<3>(6) += 2.5 * scene.gravity;
  std::vector<double> loads(model.data().padded(), 0);
  const ModelData& data = model.data();
  Assembler(data).add_loads({{0, {}}, data.q0.data(), data.v0.data(), nullptr}, 1, loads.data());
  expect_near(head(loads, 24), weight, 1e-13 * largest(weight), "weight");
}

TEST(Assembly, WeightOfNpFemIsHalvedToItsNodes) {
  Scene scene = scene_of({np_fem_cable(3, false, false)});
  scene.gravity = {0.3, -2, -9.81};
  const Model model(scene);
  VectorXd weight = VectorXd::Zero(24);
  for (int node = 0; node < 4; ++node)
    weight.segment<3>(6 * node) =
        (node % 3 ? 1.0 : 0.5) * mass_per_metre * element_length * scene.gravity;
  const ModelData& data = model.data();
  std::vector<double> loads(data.padded(), 0);
  Assembler(data).add_loads({{0, {}}, data.q0.data(), data.v0.data(), nullptr}, 1, loads.data());
  expect_near(head(loads, 24), weight, 1e-13 * largest(weight), "weight");
}

/// Central differences through the whole assembly: masses, moments and elements together.
TEST(Assembly, TangentWithMomentsAndMassesIsTheGradientOfTheForce) {
  Scene scene = scene_of({cable_of(3, StrainMeasure::engineering, CurvatureMeasure::material)});
  scene.point_masses = {{Place::end("cable 3"), 2.5}};
  Moment moment;
  for (const int node : {0, -1}) {
    moment.at = node == 0 ? Place::start("cable 3") : Place::end("cable 3");
    moment.moment = {1, 2, node - 3.0};
    moment.strength = 0.7;
    scene.moments.push_back(moment);
  }
  const Model model(scene);
  const Inputs in(model.data());
  Assembler assembler(model.data());
  Wanted wanted;
  wanted.b = in.b.data();
  wanted.mass_weight = 0;
  wanted.stiffness_weight = 1;
  wanted.tangent = Tangent::own;
  const std::vector<double> rest(model.data().padded(), 0);
  const auto run = [&](const std::vector<double>& q, const MatrixSink& to) {
    assembler.run({{0, {}}, q.data(), rest.data(), nullptr}, wanted, to);
  };
  DenseSink sink(model.data().structure, true), mass(model.data().structure, true);
  run(in.q, sink.sink);
  const VectorXd Mb = head(assembler.inertia, model.coordinates());
  wanted.mass_weight = 1;
  wanted.stiffness_weight = 0;
  run(in.q, mass.sink);
  expect_near(mass.H * head(in.b, model.coordinates()), Mb, 1e-12 * largest(Mb), "M b");
  wanted.tangent = Tangent::none;
  MatrixXd slopes(model.coordinates(), model.coordinates());
  const double step = 1e-5;
  for (int j = 0; j < model.coordinates(); ++j) {
    VectorXd force[2];
    for (const int side : {0, 1}) {
      std::vector<double> q = in.q;
      q[static_cast<size_t>(j)] += side ? step : -step;
      run(q, {});
      force[side] = head(assembler.force, model.coordinates());
    }
    slopes.col(j) = (force[0] - force[1]) / (2 * step);
  }
  expect_near(sink.H, slopes, 1e-7 * largest(slopes), "tangent with moments");
}

}  // namespace
}  // namespace hawser::conformance::HAWSER_FILE
