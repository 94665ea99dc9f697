// Fields of the cables of one mesh on another mesh of the same scene: docs/theory/mesh.md.
//
// A field along a cable is a cubic in each element (np-fem: straight). It is first refined to the
// union of both meshes, E, which is exact, and then, where nodes were dropped, projected onto the
// new mesh, P being the interpolation from the new mesh to the union:
//
//     positions    keep the values at the nodes that remain
//     velocities   min |P v - E w|_M, that is M_new v = P^T M_u E w, with the values held where the
//                  scene names a node, and with the linear momentum of the cable, 1^T M_u E w
//                  (not where spans between hand-overs would take it from each other)
//     forces       F_new = P^T M_u E M_old^-1 F: the load per length whose nodal forces they are
//     points       the polynomial through the values at the Gauss points of an element, projected
//                  onto the polynomials of the new element (L2)
#pragma once

#include <cstddef>
#include <vector>

#include "model/fidelity.h"
#include "model/mesh.h"
#include "model/model_data.h"

namespace hawser {

class MeshTransfer {
 public:
  /// Throws Error unless both are models of one scene.
  MeshTransfer(const ModelData& from, const ModelData& to);

  /// Arrays by coordinate, padded. Nodes of both meshes keep their values to the last bit, of
  /// velocities in cables that lose no node. What is no node of a cable is copied.
  [[nodiscard]] std::vector<double> positions(const std::vector<double>& q) const;
  [[nodiscard]] std::vector<double> velocities(const std::vector<double>& v) const;
  /// Positions q_before of the step before: q - q_before is a velocity.
  [[nodiscard]] std::vector<double> positions_before(const std::vector<double>& q,
                                                     const std::vector<double>& q_before) const;
  /// Generalized forces by coordinate, from `from` to `to`, which are not padded.
  void forces(const double* from, double* to) const;

  /// By coordinate that is held in `to`: its place among those held in `from`. Eyelets that an end
  /// of a cable has run out of hold nothing any more.
  [[nodiscard]] const std::vector<size_t>& held_before() const { return held_before_; }

  /// A point in arrays by axial point, or the first component in arrays by bending point.
  struct Point {
    size_t run = 0, at = 0;  ///< of ModelData::fields, of the array
  };
  struct Source {
    Point point;
    double weight = 0;
  };
  struct PointRow {
    Point to;
    std::vector<Source> from;  ///< one of weight 1 where the element is in both meshes
    double s = 0;              ///< arc length [m]
    int cable = 0;
    [[nodiscard]] bool kept() const { return from.size() == 1 && from[0].weight == 1; }
  };
  /// Of all cables.
  [[nodiscard]] const std::vector<PointRow>& axial() const { return axial_; }
  [[nodiscard]] const std::vector<PointRow>& bending() const { return bending_; }

  /// r' at an arc length of a cable of the old mesh; where two elements meet, that of the one
  /// before it or after it.
  enum class Side { before, after };
  [[nodiscard]] Vec3 old_slope(int cable, const double* q, double s, Side side) const;

  /// Cables that are massless in one of the models only have no part in all that; where the rest
  /// is.
  [[nodiscard]] const StateNumbers& numbers() const { return numbers_; }

 private:
  /// One cable in one of the meshes.
  struct Chain {
    const std::vector<double>* s = nullptr;
    int first_node = 0;
    std::vector<const Fields*> parts;  ///< by element (MeshSpot); null between two nodes at a place
    /// Unknowns of a node, each x, y, z.
    [[nodiscard]] int width() const { return parts.front()->run.curved ? 2 : 1; }
    [[nodiscard]] bool has_part(int element) const {
      return parts[static_cast<size_t>(element)] != nullptr;
    }
    [[nodiscard]] const Fields& part(int element) const {
      return *parts[static_cast<size_t>(element)];
    }
    [[nodiscard]] int nodes() const { return static_cast<int>(s->size()); }
  };
  struct CableMaps {
    Chain from, to;
    std::vector<double> joint;             ///< nodes of both meshes [m]
    std::vector<MeshSpot> in_from, in_to;  ///< by node of `joint`
    std::vector<char> held;                ///< by coordinate of `to`, from its first node
    bool changes = false, drops = false;
    /// No element is between this node of `joint` and the next: in the old mesh, in the new one.
    /// Cable that has lain on a pulley is in an element when an end has run off it.
    [[nodiscard]] bool gap(size_t i) const {
      return joint[i] == joint[i + 1] || !from.has_part(in_from[i].element);
    }
    [[nodiscard]] bool gap_after(size_t i) const {
      return joint[i] == joint[i + 1] || !to.has_part(in_to[i].element);
    }
  };

  void add_cable(const ModelData& from, const ModelData& to, int cable);
  void hold(const ModelData& to);
  void find_held_before();
  /// Where a point of an element is.
  [[nodiscard]] static Point point_at(const ModelData& model, const Chain& chain, int element,
                                      size_t point, bool bending);
  void add_points(const CableMaps& maps, int cable, bool bending);
  void copy_rest(const double* from, double* to) const;
  void evaluate(const CableMaps& maps, const double* from, double* to) const;
  void project(const CableMaps& maps, const double* from, double* to) const;
  /// Where the integral of a field, 1^T M_u v, and v^T M_u v are added, if anywhere.
  struct Sums {
    double *total = nullptr, *square = nullptr;
  };
  /// `as_is`: by the mass of the old mesh, also where the section of an element changes.
  [[nodiscard]] static std::vector<double> restrict_joint(const CableMaps& maps,
                                                          const std::vector<double>& field,
                                                          const Sums& sums, bool as_is);
  [[nodiscard]] static std::vector<double> refine(const CableMaps& maps, const double* from,
                                                  int direction);

  const ModelData &from_, &to_;
  StateNumbers numbers_;
  std::vector<CableMaps> cables_;  ///< by cable; empty if massless
  std::vector<PointRow> axial_, bending_;
  std::vector<size_t> held_before_;
};

}  // namespace hawser
