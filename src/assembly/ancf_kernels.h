// Batched ANCF assembly: four consecutive elements of a cable side by side.
//
// Consecutive elements share nodes, so what an element adds to its right node is handed to the
// next lane (shift_in) before anything is stored: every node's force and every panel is written
// once, by whole vectors, and nothing is read back.
#pragma once

#include "assembly/kernels.h"
#include "math/pack.h"

namespace hawser::HAWSER_ISA {

/// A field at the two nodes of four elements.
struct NodePair {
  Pack left[6], right[6];

  HAWSER_INLINE explicit NodePair(const double* p) {
    Pack a = Pack::load(p), b = Pack::load(p + 6), c = Pack::load(p + 12), d = Pack::load(p + 18);
    transpose(a, b, c, d);
    left[0] = a, left[1] = b, left[2] = c, left[3] = d;
    a = Pack::load(p + 2), b = Pack::load(p + 8), c = Pack::load(p + 14), d = Pack::load(p + 20);
    transpose(a, b, c, d);
    left[4] = c, left[5] = d;
    for (int i = 0; i < 6; ++i) right[i] = shift_out(left[i], p[24 + i]);
  }

  /// (d, r1', r2'), see hermite.h.
  HAWSER_INLINE void reduce(double inv_length, Pack x[9]) const {
    const Pack s(inv_length);
    for (int i = 0; i < 3; ++i) {
      x[i] = (right[i] - left[i]) * s;
      x[3 + i] = left[3 + i];
      x[6 + i] = right[3 + i];
    }
  }
};

/// Writes a field node by node while a batch is walked; keeps what the last element hands on.
class NodeWriter {
 public:
  HAWSER_INLINE NodeWriter(double* first, bool add_to_first) : out_(first) {
    for (int i = 0; i < 6; ++i) carry_[i] = Pack(add_to_first ? first[i] : 0.0);
  }

  /// Adds the shares of four elements (of which `valid` count) and stores the left nodes.
  HAWSER_INLINE void push(const Pack left[6], const Pack right[6], int valid) {
    Pack sum[6];
    for (int i = 0; i < 6; ++i) sum[i] = left[i] + shift_in(carry_[i], right[i]);
    if (valid == 4) {
      for (int i = 0; i < 6; ++i) carry_[i] = right[i];
      Pack unused0 = sum[0], unused1 = sum[1];
      transpose(sum[0], sum[1], sum[2], sum[3]);  // node n, components 0-3
      Pack tail[4] = {sum[4], sum[5], unused0, unused1};
      transpose(tail[0], tail[1], tail[2], tail[3]);
      for (int n = 0; n < 4; ++n) {
        sum[n].store(out_ + node_size * n);
        out_[node_size * n + 4] = tail[n].v[0];
        out_[node_size * n + 5] = tail[n].v[1];
      }
    } else {
      for (int i = 0; i < 6; ++i) {
        for (int n = 0; n < valid; ++n) out_[node_size * n + i] = sum[i].v[n];
        carry_[i] = Pack(right[i].v[valid - 1]);
      }
    }
    out_ += node_size * valid;
  }

  /// The batch's last node.
  HAWSER_INLINE void finish() {
    for (int i = 0; i < 6; ++i) out_[i] = carry_[i].v[3];
  }

 private:
  double* out_;
  Pack carry_[6];
};

/// M b of four elements: consistent mass, the same in every direction.
HAWSER_INLINE void mass_product(double mass, double l, const NodePair& b, Pack left[6],
                                Pack right[6]) {
  double m[10];  // over (r1, r1', r2, r2'): slopes carry a factor l
  constexpr int slopes[10] = {0, 1, 0, 1, 2, 1, 2, 0, 1, 2};
  const double power[3] = {1, l, l * l};
  for (int i = 0; i < 10; ++i) m[i] = mass * hermite_mass[i] * power[slopes[i]];
  for (int i = 0; i < 3; ++i) {
    const Pack r1 = b.left[i], d1 = b.left[3 + i], r2 = b.right[i], d2 = b.right[3 + i];
    left[i] = Pack(m[0]) * r1 + Pack(m[1]) * d1 + Pack(m[2]) * r2 + Pack(m[3]) * d2;
    left[3 + i] = Pack(m[1]) * r1 + Pack(m[4]) * d1 + Pack(m[5]) * r2 + Pack(m[6]) * d2;
    right[i] = Pack(m[2]) * r1 + Pack(m[5]) * d1 + Pack(m[7]) * r2 + Pack(m[8]) * d2;
    right[3 + i] = Pack(m[3]) * r1 + Pack(m[6]) * d1 + Pack(m[8]) * r2 + Pack(m[9]) * d2;
  }
}

/// The 12 x 12 matrix wM M + wK K of four elements, lower triangle, as blocks of 3 x 3 over
/// (r1, r1', r2, r2'). Only what differs is kept: K comes from the nine reduced coordinates.
struct ElementMatrix {
  Pack rr[6];           // r1 r1 = r2 r2 (stiffness part), symmetric: xx xy xz yy yz zz
  Pack dr[9], er[9];    // r1' by r1 and r2' by r1 (stiffness part; by r2: the negative)
  Pack dd[6], ee[6];    // r1' r1', r2' r2'
  Pack ed[9];           // r2' by r1'
  double mass[10];      // of the ten block pairs, times wM

  HAWSER_INLINE ElementMatrix(const AncfParameters& par, const AssemblyIo& io,
                              const AncfResult<Pack>& res) {
    const double il = 1 / par.length, l = par.length, wK = io.stiffness_weight;
    constexpr int tri[6] = {0, 3, 6, 4, 7, 8};  // rows first, lower: (0,0)(1,0)(2,0)(1,1)(2,1)(2,2)
    const Pack k0(wK), k1(-wK * il), k2(wK * il * il);
    for (int i = 0; i < 6; ++i) {
      rr[i] = k2 * res.tangent[0][tri[i]];
      dd[i] = k0 * res.tangent[2][tri[i]];
      ee[i] = k0 * res.tangent[5][tri[i]];
    }
    for (int i = 0; i < 9; ++i) {
      dr[i] = k1 * res.tangent[1][i];
      er[i] = k1 * res.tangent[3][i];
      ed[i] = k0 * res.tangent[4][i];
    }
    constexpr int slopes[10] = {0, 1, 0, 1, 2, 1, 2, 0, 1, 2};
    const double power[3] = {1, l, l * l}, wM = io.mass_weight * par.element_mass;
    for (int i = 0; i < 10; ++i) mass[i] = wM * hermite_mass[i] * power[slopes[i]];
  }

  /// Column j of the left node's six: rows r1, r1', r2, r2' (rows above the diagonal are left 0).
  HAWSER_INLINE void left_column(int j, Pack col[12]) const {
    constexpr int tri[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};  // entry (row, col) of a symmetric block
    if (j < 3) {
      for (int i = 0; i < 3; ++i) {
        const Pack k = rr[tri[3 * i + j]];
        col[i] = k;
        col[3 + i] = dr[3 * i + j];
        col[6 + i] = -k;
        col[9 + i] = er[3 * i + j];
      }
      col[j] += Pack(mass[0]);
      col[3 + j] += Pack(mass[1]);
      col[6 + j] += Pack(mass[2]);
      col[9 + j] += Pack(mass[3]);
    } else {
      const int c = j - 3;
      for (int i = 0; i < 3; ++i) {
        col[i] = Pack(0.0);
        col[3 + i] = dd[tri[3 * i + c]];
        col[6 + i] = -dr[3 * c + i];  // r2 by r1': minus the transpose of r1' by r1
        col[9 + i] = ed[3 * i + c];
      }
      col[j] += Pack(mass[4]);
      col[6 + c] += Pack(mass[5]);
      col[9 + c] += Pack(mass[6]);
    }
  }

  /// Column j of the right node's own block: rows r2, r2'.
  HAWSER_INLINE void right_column(int j, Pack col[6]) const {
    constexpr int tri[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    if (j < 3) {
      for (int i = 0; i < 3; ++i) {
        col[i] = rr[tri[3 * i + j]];
        col[3 + i] = -er[3 * i + j];
      }
      col[j] += Pack(mass[7]);
      col[3 + j] += Pack(mass[8]);
    } else {
      const int c = j - 3;
      for (int i = 0; i < 3; ++i) {
        col[i] = Pack(0.0);
        col[3 + i] = ee[tri[3 * i + c]];
      }
      col[j] += Pack(mass[9]);
    }
  }
};

/// Writes the panels of a chain as a batch is walked.
class PanelWriter {
 public:
  HAWSER_INLINE PanelWriter(double* first, bool add_to_first) : out_(first) {
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        carry_[6 * j + i] = Pack(add_to_first ? first[panel_rows * j + i] : 0.0);
  }

  /// Not inlined: one copy serves every combination of measures.
  __attribute__((noinline)) void push(const AncfParameters& par, const AssemblyIo& io,
                                      const AncfResult<Pack>& res, int valid) {
    const ElementMatrix m(par, io, res);
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      Pack col[12], right[6];
      m.left_column(j, col);
      m.right_column(j, right);
      for (int i = j < 3 ? 0 : 3; i < 6; ++i) {
        Pack& carry = carry_[6 * j + i];
        col[i] += shift_in(carry, right[i]);
        carry = right[i];
      }
      for (int g = 0; g < 12; g += 4) {
        transpose(col[g], col[g + 1], col[g + 2], col[g + 3]);
        for (int n = 0; n < 4; ++n)
          if (n < valid) col[g + n].store(out_ + panel_size * n + panel_rows * j + g);
      }
    }
    out_ += panel_size * valid;
    last_ = valid - 1;
  }

  HAWSER_INLINE void finish() {
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) {
        out_[panel_rows * j + i] = carry_[6 * j + i].v[last_];
        out_[panel_rows * j + 6 + i] = 0;
      }
  }

 private:
  double* out_;
  int last_ = 3;
  Pack carry_[36];
};

/// Adds four element matrices to a sparse matrix.
inline __attribute__((noinline)) void add_sparse(const AncfParameters& par, const AssemblyIo& io,
                                                 const AncfResult<Pack>& res, int element,
                                                 int valid) {
  const ElementMatrix m(par, io, res);
  const MatrixSink& sink = io.sink;
  double entries[78][4];
  int e = 0;
  for (int j = 0; j < 12; ++j) {
    Pack col[12];
    if (j < 6)
      m.left_column(j, col);
    else
      m.right_column(j - 6, col + 6);
    for (int i = j; i < 12; ++i) col[i].store(entries[e++]);
  }
  for (int n = 0; n < valid; ++n) {
    const int* to = sink.element_positions + element_positions_size * (element + n);
    int upper = 78;
    e = 0;
    for (int j = 0; j < 12; ++j)
      for (int i = j; i < 12; ++i, ++e) {
        sink.values[to[e]] += entries[e][n];
        if (i > j) {
          if (to[upper] >= 0) sink.values[to[upper]] += entries[e][n];
          ++upper;
        }
      }
  }
}

template <class Strain, class Curvature, Tangent tangent, int fixed_points>
void assemble_batch(const AncfBatch& batch, const AssemblyIo& io) {
  const AncfParameters& par = batch.parameters;
  const int points = fixed_points ? fixed_points : par.axial_points;
  const double inv_length = 1 / par.length;
  const int first = node_size * batch.first_node;
  const bool chain = io.sink.kind == MatrixSink::Kind::chain;
  NodeWriter force(io.force + first, batch.continues), inertia(io.inertia + first, batch.continues);
  PanelWriter panels(chain && tangent != Tangent::none
                         ? io.sink.panels + static_cast<long>(panel_size) * batch.first_node
                         : nullptr,
                     chain && tangent != Tangent::none && batch.continues);
  for (int pack = 0; pack < batch.packs(); ++pack) {
    const int valid = batch.elements - 4 * pack < 4 ? batch.elements - 4 * pack : 4;
    const int node = first + 24 * pack;
    Pack x[9], left[6], right[6], force_n[max_gauss_points];
    NodePair(io.q + node).reduce(inv_length, x);
    const int at_point = batch.point_offset + 4 * points * pack;
    if constexpr (tangent == Tangent::mixed)
      for (int g = 0; g < points; ++g) force_n[g] = Pack::load(io.force_n + at_point + 4 * g);
    AncfResult<Pack> res;
    ancf_elastic<Strain, Curvature, tangent, fixed_points>(par, x, force_n, res);
    if (io.force_star)
      for (int g = 0; g < points; ++g) {
        res.force[g].store(io.force_star + at_point + 4 * g);
        for (int i = 0; i < 3; ++i)
          res.strain_r[g][i].store(io.strain_r + 3 * (at_point + 4 * g) + 4 * i);
      }
    for (int i = 0; i < 3; ++i) {
      left[i] = res.gradient[i] * Pack(inv_length);
      right[i] = -left[i];
      left[3 + i] = -res.gradient[3 + i];
      right[3 + i] = -res.gradient[6 + i];
    }
    force.push(left, right, valid);
    mass_product(par.element_mass, par.length, NodePair(io.b + node), left, right);
    inertia.push(left, right, valid);
    if constexpr (tangent != Tangent::none) {
      if (chain)
        panels.push(par, io, res, valid);
      else
        add_sparse(par, io, res, batch.first_element + 4 * pack, valid);
    }
  }
  force.finish();
  inertia.finish();
  if (chain && tangent != Tangent::none) panels.finish();
}

template <class Strain, class Curvature, int fixed_points>
void assemble_measures(const AncfBatch& batch, const AssemblyIo& io, Tangent tangent) {
  switch (tangent) {
    case Tangent::none:
      return assemble_batch<Strain, Curvature, Tangent::none, fixed_points>(batch, io);
    case Tangent::own:
      return assemble_batch<Strain, Curvature, Tangent::own, fixed_points>(batch, io);
    case Tangent::mixed:
      return assemble_batch<Strain, Curvature, Tangent::mixed, fixed_points>(batch, io);
  }
}

template <class Strain>
void assemble_strain(const AncfBatch& batch, const AssemblyIo& io, Tangent tangent) {
  switch (batch.curvature) {
    case CurvatureMeasure::second_derivative:
      if (batch.parameters.axial_points == 5)
        return assemble_measures<Strain, SecondDerivativeCurvature, 5>(batch, io, tangent);
      return assemble_measures<Strain, SecondDerivativeCurvature, 0>(batch, io, tangent);
    case CurvatureMeasure::material:
      return assemble_measures<Strain, MaterialCurvature, 0>(batch, io, tangent);
    case CurvatureMeasure::geometric:
      return assemble_measures<Strain, GeometricCurvature, 0>(batch, io, tangent);
  }
}

inline void assemble(const AncfBatch& batch, const AssemblyIo& io, Tangent tangent) {
  if (batch.strain == StrainMeasure::green) return assemble_strain<GreenStrain>(batch, io, tangent);
  return assemble_strain<EngineeringStrain>(batch, io, tangent);
}

inline void mass_times(const AncfBatch& batch, const double* b, double* out) {
  const int first = node_size * batch.first_node;
  NodeWriter writer(out + first, batch.continues);
  for (int pack = 0; pack < batch.packs(); ++pack) {
    const int valid = batch.elements - 4 * pack < 4 ? batch.elements - 4 * pack : 4;
    Pack left[6], right[6];
    mass_product(batch.parameters.element_mass, batch.parameters.length,
                 NodePair(b + first + 24 * pack), left, right);
    writer.push(left, right, valid);
  }
  writer.finish();
}

inline void axial_update(const AncfBatch& batch, const AxialUpdateIo& io) {
  const AncfParameters& par = batch.parameters;
  const Pack EA(par.law.axial_tangent());
  for (int pack = 0; pack < batch.packs(); ++pack) {
    Pack x[9];
    NodePair(io.d + node_size * batch.first_node + 24 * pack).reduce(1 / par.length, x);
    for (int g = 0; g < par.axial_points; ++g) {
      const int at = batch.point_offset + 4 * (par.axial_points * pack + g);
      const HermitePoint& point = par.axial[g];
      Pack strain(0.0);
      for (int i = 0; i < 3; ++i)
        strain += Pack::load(io.strain_r + 3 * at + 4 * i) *
                  (Pack(point.c[0]) * x[i] + Pack(point.c[1]) * x[3 + i] +
                   Pack(point.c[2]) * x[6 + i]);
      (Pack::load(io.force_star + at) + EA * strain).store(io.force + at);
    }
  }
}

}  // namespace hawser::HAWSER_ISA
