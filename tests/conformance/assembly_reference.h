// What the assembler and the batched kernels should give: a plain loop over the scalar kernel; and
// sinks that can be looked at.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/np_fem_adapter.h"  // before the kernels: they need its sqrt

#include "batches.h"
#include "elements/kernel_io.h"
#include "hawser/model.h"
#include "model/model_data.h"

namespace hawser::conformance {

inline constexpr double element_length = 0.8, mass_per_metre = 0.7;
inline constexpr Section section{12.0, 1.5, mass_per_metre};

inline Cable cable_of(int elements, StrainMeasure strain = StrainMeasure::green,
                      CurvatureMeasure curvature = CurvatureMeasure::second_derivative,
                      int axial_points = 5, int bending_points = 3) {
  Cable c;
  c.name = "cable " + std::to_string(elements);
  c.sections = {section};
  c.route.back() = {element_length * elements, 0, 0};
  c.elements = elements;
  c.strain = strain;
  c.curvature = curvature;
  c.axial_points = axial_points;
  c.bending_points = bending_points;
  return c;
}

inline Cable np_fem_cable(int elements, bool lumped_mass, bool tension_only) {
  Cable c = cable_of(elements);
  c.model = CableModel::np_fem;
  c.lumped_mass = lumped_mass;
  c.tension_only = tension_only;
  return c;
}

inline Scene scene_of(std::vector<Cable> cables) {
  Scene scene;
  scene.gravity = Vector3d::Zero();
  scene.cables = std::move(cables);
  return scene;
}

/// Every measure with 5 axial points (compiled apart) and another number, and every np-fem element;
/// 1 to 9 elements.
inline void for_all_models(const std::function<void(const Model&)>& check) {
  for (const StrainMeasure strain : strain_measures)
    for (const CurvatureMeasure curvature : curvature_measures)
      for (const int axial : {3, 5, 7})
        for (int elements = 1; elements <= 9; ++elements) {
          SCOPED_TRACE("strain " + std::to_string(static_cast<int>(strain)) + ", curvature " +
                       std::to_string(static_cast<int>(curvature)) + ", " + std::to_string(axial) +
                       " axial points, " + std::to_string(elements) + " elements");
          check(Model(scene_of({cable_of(elements, strain, curvature, axial, axial / 2 + 1)})));
          if (::testing::Test::HasFailure()) return;
        }
  for (const bool lumped_mass : {false, true})
    for (const bool tension_only : {false, true})
      for (int elements = 1; elements <= 9; ++elements) {
        SCOPED_TRACE(std::string("np-fem") + (lumped_mass ? ", lumped" : "") +
                     (tension_only ? ", tension-only, " : ", ") + std::to_string(elements) +
                     " elements");
        check(Model(scene_of({np_fem_cable(elements, lumped_mass, tension_only)})));
        if (::testing::Test::HasFailure()) return;
      }
}

/// Calls f with the adapter of an np-fem batch's law.
template <class Function>
void with_np_fem(const AncfBatch& batch, Function&& f) {
  const AncfParameters& par = batch.parameters;
  if (par.tension_only) return f(NpFemAdapter<TensionOnly>(par.length, par.law.EA));
  return f(NpFemAdapter<LinearElastic>(par.length, par.law.EA));
}

/// Random coordinates near the start, something to multiply by M, and axial forces.
struct Inputs {
  explicit Inputs(const ModelData& model, unsigned seed = 7)
      : q(model.padded()), b(q), force_n(static_cast<size_t>(model.point_size)) {
    Random random(seed);
    const auto n = static_cast<size_t>(model.structure.coordinates());
    for (size_t i = 0; i < n; ++i) q[i] = model.q0[i] + 0.25 * random();
    for (size_t i = 0; i < n; ++i) b[i] = 3 * random();
    for (double& N : force_n) N = 12 * random();
    for (int node = 0; node < model.nodes; ++node)
      if (model.structure.is_narrow(node))
        for (size_t i = static_cast<size_t>(6 * node) + 3, end = i + 3; i < end; ++i)
          q[i] = b[i] = 0;
  }
  std::vector<double> q, b, force_n;
};

inline int point_index(const AncfBatch& batch, int element, int g) {
  return batch.point_offset + 4 * (batch.parameters.axial_points * (element / 4) + g) + element % 4;
}

/// int S^T S of an element over (r1, r1', r2, r2') per unit of mass per metre, by quadrature.
inline MatrixXd mass_by_quadrature(double l) {
  MatrixXd m = MatrixXd::Zero(12, 12);
  for (const GaussPoint& g : gauss_rule(4)) {
    const std::array<double, 4> S = hermite_position(g.x);
    MatrixXd shape(3, 12);
    for (int k = 0; k < 4; ++k)
      shape.block<3, 3>(0, 3 * k) =
          (k % 2 ? l : 1.0) * S[static_cast<size_t>(k)] * Eigen::Matrix3d::Identity();
    m += g.w * l * shape.transpose() * shape;
  }
  return m;
}

/// The same of an np-fem element: linear shape functions, or halves of the mass; and the mass of
/// the idle slopes.
inline MatrixXd np_fem_mass(double l, bool lumped) {
  MatrixXd m = MatrixXd::Zero(12, 12);
  for (const GaussPoint& g : gauss_rule(2)) {
    MatrixXd shape = MatrixXd::Zero(3, 12);
    shape.block<3, 3>(0, 0).diagonal().setConstant(1 - g.x);
    shape.block<3, 3>(0, 6).diagonal().setConstant(g.x);
    m += g.w * l * shape.transpose() * shape;
  }
  if (lumped) m = VectorXd(m.rowwise().sum()).asDiagonal();
  for (const int slope : {3, 9}) m.block<3, 3>(slope, slope).diagonal().setConstant(l * l * l / 4);
  return m;
}

inline MatrixXd element_mass(const ModelData& model, const AncfBatch& batch) {
  const Cable& cable = model.scene.cables[static_cast<size_t>(batch.cable)];
  const double l = batch.parameters.length;
  return mass_per_metre *
         (batch.parameters.slopes ? mass_by_quadrature(l) : np_fem_mass(l, cable.lumped_mass));
}

/// What the assembler should give, element by element.
struct Reference {
  VectorXd force, inertia, force_star, strain_r;
  MatrixXd H;

  Reference(const ModelData& model, const Inputs& in, Tangent tangent, double wM, double wK)
      : force(VectorXd::Zero(model.structure.coordinates())),
        inertia(force),
        force_star(VectorXd::Zero(model.point_size)),
        strain_r(VectorXd::Zero(3 * model.point_size)),
        H(MatrixXd::Zero(force.size(), force.size())) {
    for (const AncfBatch& batch : batches_of(model)) {
      const MatrixXd M = element_mass(model, batch);
      for (int e = 0; e < batch.elements; ++e) {
        const int at = node_size * (batch.first_node + e);
        inertia.segment<12>(at) += M * Eigen::Map<const VectorXd>(in.b.data() + at, 12);
        if (tangent != Tangent::none) H.block<12, 12>(at, at) += wM * M;
      }
      if (!batch.parameters.slopes) {
        with_np_fem(batch, [&](const auto& element) { add(element, batch, in, tangent, wK); });
        continue;
      }
      with_measures(batch.strain, batch.curvature,
                    [&]<class S, class C>(S /*strain*/, C /*curvature*/) {
                      add<S, C>(batch, in, tangent, wK);
                    });
    }
  }

 private:
  template <class Strain, class Curvature>
  void add(const AncfBatch& batch, const Inputs& in, Tangent tangent, double wK) {
    const AncfParameters& par = batch.parameters;
    const AncfAdapter<Strain, Curvature> element(par.length, par.law.EA, par.law.EI,
                                                 par.axial_points, par.bending_points);
    for (int e = 0; e < batch.elements; ++e) {
      const int at = node_size * (batch.first_node + e);
      const VectorXd x = Eigen::Map<const VectorXd>(in.q.data() + at, 12);
      force.segment<12>(at) -= gradient_of(element, x);
      const auto points = element.template evaluate<Tangent::none, double>(x.data(), nullptr);
      double force_n[max_gauss_points];
      for (int g = 0; g < par.axial_points; ++g) {
        const int p = point_index(batch, e, g), lane = e % 4, first = p - lane;
        force_n[g] = in.force_n[static_cast<size_t>(p)];
        force_star[p] = points.force[g];
        for (int i = 0; i < 3; ++i) strain_r[3 * first + 4 * i + lane] = points.strain_r[g][i];
      }
      if (tangent == Tangent::none) continue;
      H.block<12, 12>(at, at) +=
          wK * (tangent == Tangent::mixed ? element.mixed_tangent(x, force_n) : element.tangent(x));
    }
  }

  /// np-fem: (r1, r2) out of the 12 coordinates; idle slopes have a spring EA l.
  template <class Law>
  void add(const NpFemAdapter<Law>& element, const AncfBatch& batch, const Inputs& in,
           Tangent tangent, double wK) {
    const double idle = wK * batch.parameters.law.EA * batch.parameters.length;
    for (int e = 0; e < batch.elements; ++e) {
      const int at = node_size * (batch.first_node + e), p = point_index(batch, e, 0);
      const int lane = e % 4, first = p - lane;
      VectorXd x(6);
      x << Eigen::Map<const Vector3d>(in.q.data() + at),
          Eigen::Map<const Vector3d>(in.q.data() + at + 6);
      const double* before =
          tangent == Tangent::own ? nullptr : &in.force_n[static_cast<size_t>(p)];
      const auto point = element.template evaluate<Tangent::none, double>(x.data(), before);
      const Vector3d f = Eigen::Map<const Vector3d>(point.gradient) / batch.parameters.length;
      force.segment<3>(at) += f;
      force.segment<3>(at + 6) -= f;
      force_star[p] = point.force[0];
      for (int i = 0; i < 3; ++i) strain_r[3 * first + 4 * i + lane] = point.strain_r[0][i];
      if (tangent == Tangent::none) continue;
      const MatrixXd K =
          tangent == Tangent::mixed ? element.mixed_tangent(x, before) : element.tangent(x);
      for (const int row : {0, 1})
        for (const int column : {0, 1})
          H.block<3, 3>(at + 6 * row, at + 6 * column) += wK * K.block<3, 3>(3 * row, 3 * column);
      for (const int slope : {3, 9})
        H.block<3, 3>(at + slope, at + slope).diagonal().array() += idle;
    }
  }
};

/// A sparse sink that is a dense matrix: whole, or the lower triangle alone.
struct DenseSink {
  DenseSink(const SystemStructure& s, bool whole)
      : H(MatrixXd::Zero(s.coordinates(), s.coordinates())) {
    const int n = s.coordinates();
    const auto at = [n](int row, int column) { return row + n * column; };
    for (const auto& [a, b] : s.elements) {
      const auto c = [a = a, b = b](int i) { return i < 6 ? 6 * a + i : 6 * b + i - 6; };
      for (int j = 0; j < 12; ++j)
        for (int i = j; i < 12; ++i) elements.push_back(at(c(i), c(j)));
      for (int j = 0; j < 12; ++j)
        for (int i = j + 1; i < 12; ++i) elements.push_back(whole ? at(c(j), c(i)) : -1);
    }
    for (int k = 0; k < s.nodes; ++k)
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i)
          nodes.push_back(whole || i >= j ? at(6 * k + i, 6 * k + j) : -1);
    for (const auto& [a, b] : s.pairs)
      for (const bool mirrored : {false, true})
        for (int j = 0; j < 6; ++j)
          for (int i = 0; i < 6; ++i) {
            const int row = 6 * b + i, column = 6 * a + j;
            pairs.push_back(!mirrored ? at(row, column) : whole ? at(column, row) : -1);
          }
    sink.values = H.data();
    sink.element_positions = elements.data();
    sink.node_positions = nodes.data();
    sink.pair_positions = pairs.data();
    const int coordinates = s.node_coordinates();
    columns = rows = MatrixXd::Zero(coordinates, s.scalars);
    corner = MatrixXd::Zero(s.scalars, s.scalars);
    sink.border_columns = columns.data();
    sink.border_rows = rows.data();
    sink.corner = corner.data();
    sink.border_length = coordinates;
    sink.scalars = s.scalars;
  }
  DenseSink(const DenseSink&) = delete;
  DenseSink& operator=(const DenseSink&) = delete;

  /// With the border of the scalars.
  [[nodiscard]] MatrixXd all() const {
    MatrixXd out = H;
    const Eigen::Index n = columns.rows(), m = corner.rows();
    out.block(0, n, n, m) = columns;
    out.block(n, 0, m, n) = rows.transpose();
    out.block(n, n, m, m) = corner;
    return out;
  }

  MatrixXd H, columns, rows, corner;
  std::vector<int> elements, nodes, pairs;
  MatrixSink sink;
};

/// A chain's panels, filled with what a former step might have left, and their dense lower part.
struct PanelSink {
  explicit PanelSink(int node_count)
      : panels(static_cast<size_t>(panel_size) * static_cast<size_t>(node_count + spare_panels),
               -1e30),
        nodes(node_count) {
    sink.panels = panels.data();
    sink.panel_nodes = sink.panel_elements = nodes;
  }
  PanelSink(const PanelSink&) = delete;
  PanelSink& operator=(const PanelSink&) = delete;

  [[nodiscard]] MatrixXd lower() const {
    MatrixXd H = MatrixXd::Zero(6 * nodes, 6 * nodes);
    for (int k = 0; k < nodes; ++k)
      for (int j = 0; j < 6; ++j)
        for (int i = j; i < 12; ++i) {
          const double entry = panels[static_cast<size_t>(panel_size * k + panel_rows * j + i)];
          if (6 * k + i < H.rows())
            H(6 * k + i, 6 * k + j) = entry;
          else
            EXPECT_EQ(entry, 0) << "the last panel has no node below it";
        }
    return H;
  }

  std::vector<double> panels;
  int nodes;
  MatrixSink sink;
};

inline MatrixXd lower_of(const MatrixXd& m) { return m.triangularView<Eigen::Lower>(); }

inline VectorXd head(const std::vector<double>& a, Eigen::Index n) {
  return Eigen::Map<const VectorXd>(a.data(), n);
}

/// The points that belong to an element; the lanes past the last one hold anything.
inline VectorXd valid_points(const ModelData& model, const VectorXd& by_point) {
  VectorXd out = VectorXd::Zero(by_point.size());
  for (const AncfBatch& batch : batches_of(model))
    for (int e = 0; e < batch.elements; ++e)
      for (int g = 0; g < batch.parameters.axial_points; ++g) {
        const int p = point_index(batch, e, g);
        out[p] = by_point[p];
      }
  return out;
}

inline constexpr Tangent all_tangents[] = {Tangent::none, Tangent::own, Tangent::mixed};

}  // namespace hawser::conformance
