// Rows of joints in closed form, four joints at a time: constraints/plain_joints.h has the
// formulas.
#pragma once

#include "constraints/joint_packs.h"
#include "kernels/pack.h"

namespace hawser::HAWSER_ISA {

struct PackVector {
  Pack x, y, z;
};
HAWSER_INLINE PackVector operator+(const PackVector& a, const PackVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HAWSER_INLINE PackVector operator-(const PackVector& a, const PackVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HAWSER_INLINE PackVector operator*(Pack c, const PackVector& a) {
  return {c * a.x, c * a.y, c * a.z};
}
HAWSER_INLINE Pack dot(const PackVector& a, const PackVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HAWSER_INLINE PackVector cross(const PackVector& a, const PackVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// By columns.
struct PackMatrix {
  PackVector c[3];
};
HAWSER_INLINE PackVector operator*(const PackMatrix& m, const PackVector& a) {
  return a.x * m.c[0] + a.y * m.c[1] + a.z * m.c[2];
}
HAWSER_INLINE PackVector transposed_times(const PackMatrix& m, const PackVector& a) {
  return {dot(m.c[0], a), dot(m.c[1], a), dot(m.c[2], a)};
}

HAWSER_INLINE PackVector load_vector(const double (&from)[3][4]) {
  return {Pack::load(from[0]), Pack::load(from[1]), Pack::load(from[2])};
}
/// Number k behind each of four places.
HAWSER_INLINE Pack gather(const double* const (&at)[4], int k) {
  return {at[0][k], at[1][k], at[2][k], at[3][k]};
}
HAWSER_INLINE Pack gather(const double* from, const int (&at)[4]) {
  return {from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
}
HAWSER_INLINE PackMatrix gather_rotation(const double* rotations, const int (&at)[4]) {
  static constexpr double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double* R[4];
  for (int l = 0; l < 4; ++l) R[l] = at[l] < 0 ? identity : rotations + 9L * at[l];
  PackMatrix out;
  HAWSER_UNROLL(3)
  for (int j = 0; j < 3; ++j)
    out.c[j] = {gather(R, 3 * j), gather(R, 3 * j + 1), gather(R, 3 * j + 2)};
  return out;
}
HAWSER_INLINE PackVector gather_position(const double* q, const int (&at)[4]) {
  static constexpr double origin[3] = {0, 0, 0};
  const double* x[4];
  for (int l = 0; l < 4; ++l) x[l] = at[l] < 0 ? origin : q + at[l];
  return {gather(x, 0), gather(x, 1), gather(x, 2)};
}

/// Six entries of a row over a node, of four joints.
HAWSER_INLINE void put_entries(const int (&at)[4], PackVector moves, PackVector turns, double* G) {
  transpose(moves.x, moves.y, moves.z, turns.x);
  const Pack six[4] = {moves.x, moves.y, moves.z, turns.x};
  const Pack even = shuffle<0, 4, 2, 6>(turns.y, turns.z),
             odd = shuffle<1, 5, 3, 7>(turns.y, turns.z);
  const V2 last[4] = {even.first(), odd.first(), even.last(), odd.last()};
  HAWSER_UNROLL(4)
  for (int l = 0; l < 4; ++l) {
    if (at[l] < 0) continue;
    six[l].store(G + at[l]);
    store_pair(last[l], G + at[l] + 4);
  }
}

HAWSER_INLINE void put_value(const JointNumbers& io, const JointRowPack& row, Pack part) {
  const Pack phi = Pack::load(row.sign) * (part - Pack::load(row.value));
  HAWSER_UNROLL(4)
  for (int l = 0; l < 4; ++l) {
    io.phi[row.row[l]] = phi[l];
    io.rate[row.row[l]] = row.rate[l];
  }
}

inline void evaluate_joints(const JointNumbers& io) {
  const PackVector none = {Pack(0.0), Pack(0.0), Pack(0.0)};
  for (int i = 0; i < io.count; ++i) {
    const JointPack& joint = io.packs[i];
    const PackMatrix Ra = gather_rotation(io.rotations, joint.rotation[0]),
                     Rb = gather_rotation(io.rotations, joint.rotation[1]);
    const JointRowPack* row = io.rows + joint.first_row;
    if (joint.alongs > 0) {
      const PackVector sa = load_vector(joint.arm[0]), sb = load_vector(joint.arm[1]);
      const PackVector e = (gather_position(io.q, joint.position[1]) + Rb * sb) -
                           (gather_position(io.q, joint.position[0]) + Ra * sa);
      for (int k = 0; k < joint.alongs; ++k, ++row) {
        const PackVector n = load_vector(row->n), m = Pack::load(row->sign) * n;
        put_value(io, *row, dot(n, e));
        put_entries(row->entry[0], none - m, none - cross(sa, transposed_times(Ra, m)), io.G);
        put_entries(row->entry[1], m, cross(sb, transposed_times(Rb, m)), io.G);
      }
    }
    for (int k = 0; k < joint.dots; ++k, ++row) {
      const Pack sign = Pack::load(row->sign);
      const PackVector n = load_vector(row->n), w = load_vector(row->w);
      const PackVector from_a = transposed_times(Ra, Rb * w), from_b = transposed_times(Rb, Ra * n);
      put_value(io, *row, dot(n, from_a));
      put_entries(row->entry[0], none, sign * cross(n, from_a), io.G);
      put_entries(row->entry[1], none, sign * cross(w, from_b), io.G);
    }
  }
}

/// Adds c(s, d), a symmetric matrix of which the lower triangle is kept, columns first.
HAWSER_INLINE void add_turns(const PackVector& s, const PackVector& d, Pack* m) {
  const Pack half(0.5), xx = s.x * d.x, yy = s.y * d.y, zz = s.z * d.z;
  m[0] -= yy + zz;
  m[1] += half * (s.y * d.x + s.x * d.y);
  m[2] += half * (s.z * d.x + s.x * d.z);
  m[3] -= xx + zz;
  m[4] += half * (s.z * d.y + s.y * d.z);
  m[5] -= xx + yy;
}

/// Adds -[u]x M [w]x, columns first.
HAWSER_INLINE void add_turn_coupling(const PackVector& u, const PackMatrix& M, const PackVector& w,
                                     Pack* m) {
  const PackVector columns[3] = {w.z * M.c[1] - w.y * M.c[2], w.x * M.c[2] - w.z * M.c[0],
                                 w.y * M.c[0] - w.x * M.c[1]};
  HAWSER_UNROLL(3)
  for (int j = 0; j < 3; ++j) {
    const PackVector c = cross(u, columns[j]);
    m[3 * j] -= c.x;
    m[3 * j + 1] -= c.y;
    m[3 * j + 2] -= c.z;
  }
}

/// Of one pack.
inline void joint_curvature(const JointNumbers& io, const JointPack& joint,
                            const JointCurvature& of) {
  const PackMatrix Ra = gather_rotation(io.rotations, joint.rotation[0]),
                   Rb = gather_rotation(io.rotations, joint.rotation[1]);
  const JointRowPack* row = io.rows + joint.first_row;
  const auto force = [&]() HAWSER_ALWAYS_INLINE {
    return Pack(of.weight) * gather(of.lambda, row->row) * Pack::load(row->sign);
  };
  Pack sum[turn_curvature];
  for (Pack& x : sum) x = Pack(0.0);
  if (joint.alongs > 0) {
    PackVector f = {Pack(0.0), Pack(0.0), Pack(0.0)};
    for (int k = 0; k < joint.alongs; ++k, ++row) f = f + force() * load_vector(row->n);
    add_turns(load_vector(joint.arm[0]), Pack(-1.0) * transposed_times(Ra, f), sum);
    add_turns(load_vector(joint.arm[1]), transposed_times(Rb, f), sum + 6);
  }
  if (joint.dots > 0) {
    PackMatrix M;
    HAWSER_UNROLL(3)
    for (int j = 0; j < 3; ++j) M.c[j] = transposed_times(Ra, Rb.c[j]);
    for (int k = 0; k < joint.dots; ++k, ++row) {
      const PackVector u = force() * load_vector(row->n), w = load_vector(row->w);
      add_turns(u, M * w, sum);
      add_turns(w, transposed_times(M, u), sum + 6);
      add_turn_coupling(u, M, w, sum + 12);
    }
  }
  for (int k = 0; k < turn_curvature; ++k) sum[k].store(of.out + 4 * k);
}

}  // namespace hawser::HAWSER_ISA
