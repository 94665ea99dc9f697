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
// linear in n and in u: rows of a joint that share their w are one.
#pragma once

#include <span>
#include <vector>

#include "constraints/constraint.h"

namespace hawser {

class PlainJoints {
 public:
  /// True where a part is of these kinds and its row has the six coordinates of each node side by
  /// side.
  static bool fits(const PartRow& part, const RowInfo& row);
  /// Parts of a joint follow each other. The part must outlive this. `pair`: of its nodes, or -1.
  void add(const PartRow& part, const RowInfo& row, int pair);

  void evaluate(const RowsAt& at, RowValues& out);
  void add_curvature(const Poses& poses, const double* lambda, double weight,
                     const MatrixSink& sink) const;

 private:
  struct Row {
    int row;
    int a, b;  ///< where the six entries over each node begin in G, -1: the ground
    int axis;  ///< of a unit vector n along an axis of the world, else -1
    bool velocity;
    double sign, value;
    const Signal* changing;  ///< null: the value is constant
    Vec3 n;                  ///< n, or u
    Vec3 w;
    bool same_w;  ///< as the row before
  };
  struct Joint {
    PointOn a, b;
    int pair;
    int alongs[2], dots[2];  ///< begin and end among the rows
    Matrix3 relative;        ///< R_a^T R_b of the last evaluation, where there are dots
  };
  struct Turning;

  void evaluate_alongs(const Joint& joint, const RowsAt& at, RowValues& out) const;
  void evaluate_dots(Joint& joint, const RowsAt& at, RowValues& out) const;
  static void set_value(const Row& row, double part, double moved, const RowsAt& at,
                        RowValues& out);

  std::vector<Row> alongs_, dots_;
  std::vector<Joint> joints_;
};

}  // namespace hawser
