// Rows of joints in closed form, joint by joint: of parts.h `along` with n fixed in the world, and
// `dot` of directions that are fixed in bodies or in the world. With the points p = x + R s,
// e = p_b - p_a, and directions R_a u and R_b w,
//
//     along   Phi = n . e         G_a = [-n, -s_a x R_a^T n]        G_b = [n, s_b x R_b^T n]
//     dot     Phi = u . w         G_a = [0, u x R_a^T (R_b w)]      G_b = [0, w x R_b^T (R_a u)]
//
// Their curvature is over turns alone. With c(s, d) = (d s^T + s d^T)/2 - (s . d) 1 the second
// derivative of d . R (phi x (phi x s))/2 in body axes and the force f = sum lambda n,
//
//     along   K_aa = -c(s_a, R_a^T f)     K_bb = c(s_b, R_b^T f)
//     dot     K_aa = c(u, R_a^T R_b w)    K_bb = c(w, R_b^T R_a u)    K_ab = -[u]x R_a^T R_b [w]x
//
// Joints with as many rows of each kind are evaluated four at a time (joint_kernels.h).
#pragma once

#include <span>
#include <vector>

#include "constraints/constraint.h"
#include "constraints/joint_packs.h"

namespace hawser {

class PlainJoints {
 public:
  /// True where a part is of these kinds and its row has the six coordinates of each node side by
  /// side.
  static bool fits(const PartRow& part, const RowInfo& row);
  /// Parts of a joint follow each other. The part must outlive this. `pair`: of its nodes, or -1.
  void add(const PartRow& part, const RowInfo& row, int pair);
  /// After the last of them.
  void put_side_by_side();

  void evaluate(const RowsAt& at, RowValues& out) const;
  void add_curvature(const Poses& poses, const double* lambda, double weight,
                     const MatrixSink& sink) const;

 private:
  struct Row {
    const PartRow* part;
    int entry[2];  ///< where the six entries over each node begin in G, -1: the ground
    bool velocity;
  };
  struct Joint {
    PointOn at[2];
    int pair;
    std::vector<Row> alongs, dots;
  };
  void pack(std::span<const Joint* const> joints);
  void pack_row(const Row& row, int lane, JointRowPack& out);
  static void add_turns(const Joint& joint, const double (&sums)[turn_curvature][4], int lane,
                        const MatrixSink& sink);
  void add_moving(const RowsAt& at, RowValues& out) const;

  std::vector<Joint> joints_;  ///< as added
  std::vector<JointPack> packs_;
  std::vector<JointRowPack> rows_;  ///< of the packs
  std::vector<int> order_;          ///< of the joints in the packs
  std::vector<Row> moving_;         ///< rows whose value or ground moves
};

}  // namespace hawser
