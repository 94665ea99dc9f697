// The spring with which a viewer pulls at a body or a cable. Where it holds and where it pulls to
// are inputs of the scene (add_hand in hawser/scene.h), so that a run with pulls replays as any
// other run with inputs.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "terms/term.h"

namespace hawser {

/// What a hand can hold.
struct HandPlaces {
  std::vector<int> bodies;  ///< nodes
  struct Nodes {
    int first = 0;          ///< node
    std::vector<double> s;  ///< arc lengths of the nodes [m]; empty: nothing to hold
  };
  std::vector<Nodes> cables;
  size_t first_input = 0;
};

/// F = k (target - x) - c v at a point x with the velocity v. On a body at an arm s, with dx + R
/// (phi x s) = J d, J = [I, -R [s]x]: generalized force J^T F, tangents k J^T J and c J^T J, and
/// what the turning of the arm adds for f = R^T F: (s . f) I - (s f^T + f s^T)/2 over phi
/// (loads/applied.h).
class HandPull final : public Term {
 public:
  explicit HandPull(HandPlaces places) : places_(std::move(places)) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;

 private:
  struct Grip {
    Eigen::Vector3d target;
    double stiffness, damping;  ///< [N/m], [N s/m]
  };
  void add_body(size_t body, const Eigen::Vector3d& arm, const Grip& grip, const Configuration& at,
                const Wanted& wanted, const Sums& sums) const;
  static void add_node(int node, const Grip& grip, const Configuration& at, const Wanted& wanted,
                       const Sums& sums);

  HandPlaces places_;
};

/// The node nearest to an arc length; of two at a place the first.
int nearest_node(const HandPlaces::Nodes& nodes, double s);

}  // namespace hawser
