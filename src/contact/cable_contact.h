// Contact of cables with elements with planes and the shapes of bodies and supports.
//
// Points: the middles of equal parts of each element, with the weight w of such a part. A force F
// per metre at a point x = S q of the cable adds w S^T F to the cable and its opposite to the body,
// -w J^T F with J = [I, -R [y]x] and the arm y = R^T (x - c) in body axes. With the resistance
// K = -dF/dx of the point against the body the matrix has w [S, -J]^T K [S, -J]: what the turning
// of the arm adds is left out, as is the turning of the normal (bristle.h).
//
// Where cable flows through an element, its points are at places of the element and the cable runs
// past them: what it runs past a point in a step is added to the way of the point over the surface.
// The force acts on the material, on the flows by their columns (loads/flow_state.h).
//
// State::contacts holds what the points remember: four sums of the run (Tally), then by pair of a
// run of elements and a shape, and by point, a Bristle.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "contact/bristle.h"
#include "contact/contact_term.h"
#include "elements/flow_elements.h"
#include "hawser/signal.h"

namespace hawser {

/// A point of an element: weights of (r1, r1', r2, r2') in its position and slope.
struct TouchPoint {
  double xi = 0;
  std::array<double, 4> n{}, dn{};
};

/// A run of equal elements that may touch. Where cable flows through it, lengths are those of the
/// mesh that the model was compiled with, with which the spacing of the points and the weights of
/// slopes vary.
struct TouchingRun {
  int cable = 0;
  int first_node = 0, elements = 0, first_element = 0;
  double arc_start = 0;  ///< unstretched arc length to its first node [m]
  double mass = 0;       ///< per metre [kg/m]
  double radius = 0;     ///< of the cable [m]
  double spacing = 0;    ///< of the points: the weight of one [m]
  std::vector<TouchPoint> points;
  std::shared_ptr<const FlowElements> flow;  ///< null: it consists of the same material always

  /// The length of an element over the one that it was compiled with.
  [[nodiscard]] double growth(const double* q, int element) const {
    return flow ? flow->length(q, element) / flow->run.length : 1;
  }
  /// Unstretched arc length at xi of an element [m].
  [[nodiscard]] double arc(const double* q, int element, double xi) const {
    return flow ? flow->arc(q, element, xi)
                : arc_start + (element + xi) * spacing * static_cast<double>(points.size());
  }
};

/// Something with a surface: a part of the ground, a support or a body.
struct TouchedShape {
  std::string name;
  Surface surface;
  int node = -1;    ///< of its body; -1: it is no body's
  size_t body = 0;  ///< which
  // --- otherwise ---
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    ///< at rest [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< of the surface, in world axes
  std::array<Signal, 3> motion{Signal(0.0), Signal(0.0), Signal(0.0)};
  Eigen::Vector3d turn_axis = Eigen::Vector3d::UnitZ();
  Signal turn = 0.0;    ///< [rad]
  bool driven = false;  ///< it moves or turns
};

struct TouchingPair {
  int run = 0, shape = 0;
  int contact = 0;  ///< of the scene
  ContactLaw law;
  std::vector<int> pairs;  ///< by node of the run: of the matrix, with the body's node
};

struct Touching {
  std::vector<TouchingRun> runs;
  std::vector<TouchedShape> shapes;
  std::vector<TouchingPair> pairs;
};

/// What State::contacts begins with.
struct Tally {
  double friction_work = 0;  ///< taken by friction so far [J]
  double deepest = 0;        ///< penetration so far [m]
  double courant = 0;        ///< largest sliding in a step over the spacing of the points
  double sunk = 0;           ///< largest penetration over that of a contact that is too soft

  static constexpr int size = 4;  ///< numbers
  void add(const Tally& other) {
    friction_work += other.friction_work;
    deepest = std::max(deepest, other.deepest);
    courant = std::max(courant, other.courant);
    sunk = std::max(sunk, other.sunk);
  }
  static Tally read(const double* from) { return {from[0], from[1], from[2], from[3]}; }
  void write(double* to) const {
    to[0] = friction_work;
    to[1] = deepest;
    to[2] = courant;
    to[3] = sunk;
  }
};

class CableContact final : public ContactTerm {
 public:
  explicit CableContact(Touching touching);

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  [[nodiscard]] double left_out(const Configuration& at) const override;
  [[nodiscard]] int remembered() const override { return size_; }
  void remember(const Configuration& at, double* contacts) const override;
  [[nodiscard]] double leap(const Configuration& from, const Configuration& to) const override;
  void hold(double* contacts) const override;
  void carry(const ContactTerm& from, const Remembering& old, const double* q,
             double* contacts) const override;

  [[nodiscard]] const Touching& touching() const { return touching_; }
  [[nodiscard]] Eigen::Vector3d force_on(int contact, const std::string& shape,
                                         const Configuration& at) const override;

 private:
  template <class Call>
  void for_spots(const Configuration& at, bool near, const Call& call) const;

  Touching touching_;
  std::vector<int> offset_;  ///< by pair: of its first point in State::contacts
  int size_ = 0;
};

}  // namespace hawser
