// Batched assembly of cable elements: four consecutive elements of a cable side by side.
//
// Consecutive elements share nodes, so what an element adds to its right node is handed to the
// next lane (shift_in) before anything is stored: every node's force and every panel is written
// once, by whole vectors, and nothing is read back.
#pragma once

#include "base/inline.h"
#include "elements/kernel_io.h"
#include "elements/node_pair.h"

namespace hawser::HAWSER_ISA {

/// Writes a field node by node while a batch is walked; keeps what the last element hands on.
/// Whole packs are stored: past the batch's end that is overwritten by finish(), by the next batch,
/// or lies in the padding.
class NodeWriter {
 public:
  HAWSER_INLINE NodeWriter(double* first, bool add_to_first) : out_(first) {
    for (int i = 0; i < 6; ++i) carry_[i] = Pack(add_to_first ? first[i] : 0.0);
  }

  /// Adds the shares of four elements and stores their left nodes.
  HAWSER_INLINE void push(const Pack left[6], const Pack right[6]) {
    Pack sum[6];
    for (int i = 0; i < 6; ++i) {
      sum[i] = left[i] + shift_in(carry_[i], right[i]);
      carry_[i] = right[i];
    }
    store_nodes(sum, out_);
    out_ += 4 * node_size;
  }

  /// The batch's last node, after `elements` elements.
  HAWSER_INLINE void finish(int elements) {
    const int lane = (elements - 1) & 3;
    double* last = out_ + node_size * (lane - 3);
    for (int i = 0; i < 6; ++i) last[i] = carry_[i][lane];
  }

 private:
  double* out_;
  Pack carry_[6];
};

/// Keeps what stands past the last node of a batch that guards it.
class Tail {
 public:
  HAWSER_INLINE Tail(const AncfBatch& batch, double* out)
      : at_(batch.guards ? out + node_size * (batch.first_node + batch.elements + 1) : nullptr) {
    for (int i = 0; at_ && i < size; ++i) kept_[i] = at_[i];
  }
  HAWSER_INLINE ~Tail() {
    for (int i = 0; at_ && i < size; ++i) at_[i] = kept_[i];
  }
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;

 private:
  static constexpr int size = 3 * node_size;
  double* at_;
  double kept_[size];
};

/// M b of four elements: the mass is the same in every direction.
HAWSER_INLINE void mass_product(const double m[10], const NodePair& b, Pack left[6],
                                Pack right[6]) {
  for (int i = 0; i < 3; ++i) {
    const Pack r1 = b.left[i], d1 = b.left[3 + i], r2 = b.right[i], d2 = b.right[3 + i];
    left[i] = Pack(m[0]) * r1 + Pack(m[1]) * d1 + Pack(m[2]) * r2 + Pack(m[3]) * d2;
    left[3 + i] = Pack(m[1]) * r1 + Pack(m[4]) * d1 + Pack(m[5]) * r2 + Pack(m[6]) * d2;
    right[i] = Pack(m[2]) * r1 + Pack(m[5]) * d1 + Pack(m[7]) * r2 + Pack(m[8]) * d2;
    right[3 + i] = Pack(m[3]) * r1 + Pack(m[6]) * d1 + Pack(m[8]) * r2 + Pack(m[9]) * d2;
  }
}

inline void mass_times(const AncfBatch& batch, const double* b, double* out) {
  const int first = node_size * batch.first_node;
  const Tail tail(batch, out);
  NodeWriter writer(out + first, batch.continues);
  for (int pack = 0; pack < batch.packs(); ++pack) {
    Pack left[6], right[6];
    mass_product(batch.parameters.mass, NodePair(b + first + 24 * pack), left, right);
    writer.push(left, right);
  }
  writer.finish(batch.elements);
}

/// Mass of an element by block pair of (r1, r1', r2, r2'), times `weight`.
struct ElementMass {
  double m[10];

  HAWSER_INLINE ElementMass(const AncfParameters& par, double weight) {
    for (int i = 0; i < 10; ++i) m[i] = weight * par.mass[i];
  }
};

/// Factors that turn the tangent over (d, r1', r2') into that over (r1, r1', r2, r2'), times w:
/// d = (r2 - r1)/l, so r1 takes -1/l of d.
HAWSER_INLINE BlockScale coordinate_scale(const AncfParameters& par, double w) {
  const double il = 1 / par.length;
  const double factors[6] = {w * il * il, -w * il, w, -w * il, w, w};
  return BlockScale(par, factors);
}

/// The 12 x 12 matrix wM M + wK K of four elements, lower triangle, column by column. K is the
/// tangent scaled by coordinate_scale: r1 by r1 and r2 by r2 share a block, what couples r2 is the
/// negative of what couples r1.
struct ElementMatrix {
  const Pack (&K)[6][9];
  const double* mass;

  /// Column j of the left node's six: rows r1, r1', r2, r2' (rows above the diagonal are left 0).
  HAWSER_INLINE void left_column(int j, Pack col[12]) const {
    const int c = j % 3;
    for (int i = 0; i < 3; ++i) {
      const int at = 3 * i + c;
      col[i] = j < 3 ? K[0][i < c ? 3 * c + i : at] : Pack(0.0);
      col[3 + i] = j < 3 ? K[1][at] : K[2][i < c ? 3 * c + i : at];
      col[6 + i] = j < 3 ? -K[0][i < c ? 3 * c + i : at] : -K[1][3 * c + i];
      col[9 + i] = j < 3 ? K[3][at] : K[4][at];
    }
    if (j < 3) {
      col[c] += Pack(mass[0]);
      col[3 + c] += Pack(mass[1]);
      col[6 + c] += Pack(mass[2]);
      col[9 + c] += Pack(mass[3]);
    } else {
      col[3 + c] += Pack(mass[4]);
      col[6 + c] += Pack(mass[5]);
      col[9 + c] += Pack(mass[6]);
    }
  }

  /// Column j of the right node's own block: rows r2, r2'.
  HAWSER_INLINE void right_column(int j, Pack col[6]) const {
    const int c = j % 3;
    for (int i = 0; i < 3; ++i) {
      const int lower = i < c ? 3 * c + i : 3 * i + c;
      col[i] = j < 3 ? K[0][lower] : Pack(0.0);
      col[3 + i] = j < 3 ? -K[3][3 * i + c] : K[5][lower];
    }
    if (j < 3) {
      col[c] += Pack(mass[7]);
      col[3 + c] += Pack(mass[8]);
    } else {
      col[3 + c] += Pack(mass[9]);
    }
  }
};

/// Writes the panels of a chain as a batch is walked, whole packs like NodeWriter. Not inlined: one
/// copy serves every combination of measures.
class PanelWriter {
 public:
  __attribute__((noinline)) void begin(double* first, bool add_to_first) {
    out_ = first;
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        carry_[6 * j + i] = Pack(add_to_first ? first[panel_rows * j + i] : 0.0);
  }

  __attribute__((noinline)) void push(const ElementMatrix& m) {
    HAWSER_UNROLL(6)
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
        for (int n = 0; n < 4; ++n) col[g + n].store(out_ + panel_size * n + panel_rows * j + g);
      }
    }
    out_ += 4 * panel_size;
  }

  __attribute__((noinline)) void finish(int elements) {
    const int lane = (elements - 1) & 3;
    double* last = out_ + panel_size * (lane - 3);
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) {
        last[panel_rows * j + i] = carry_[6 * j + i][lane];
        last[panel_rows * j + 6 + i] = 0;
      }
  }

 private:
  double* out_;
  Pack carry_[36];
};

/// Adds four element matrices to a sparse matrix.
inline __attribute__((noinline)) void add_sparse(const MatrixSink& sink, const ElementMatrix& m,
                                                 int element, int valid) {
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

/// The elastic part of four elements, whose nodes start at q, as assemble_batch() takes it: what
/// most cables use, compiled into the walk over a batch.
template <class Strain, class Law, Tangent tangent, int points>
struct ElasticWhole {
  static constexpr bool one_sided = Law::one_sided;
  static constexpr int fixed_points = points;

  HAWSER_INLINE void operator()(const AncfParameters& par, const double* q, double inv_length,
                                const Pack* force_n, const BlockScale& scale,
                                const ViscousPoints<Pack>& viscous, AncfResult<Pack>& out) const {
    Pack x[9];
    NodePair(q).reduce(inv_length, x);
    ancf_elastic<Strain, SecondDerivativeCurvature, Law, tangent, points>(par, x, force_n, scale,
                                                                          viscous, out);
  }
};

/// The same by calls, for everything else: one walk serves all, and each measure is compiled once,
/// not once for every combination with the others. Each part takes x from q: of an array of its own
/// the compiler knows that nothing stored to the result changes it.
struct ElasticByParts {
  static constexpr bool one_sided = false;
  static constexpr int fixed_points = 0;

  void (*axial)(const AncfParameters&, const double* q, double inv_length, const Pack* force_n,
                const BlockScale&, const ViscousPoints<Pack>&, AncfResult<Pack>&);
  void (*bending)(const AncfParameters&, const double* q, double inv_length, const BlockScale&,
                  const ViscousPoints<Pack>&, AncfResult<Pack>&);

  HAWSER_INLINE void operator()(const AncfParameters& par, const double* q, double inv_length,
                                const Pack* force_n, const BlockScale& scale,
                                const ViscousPoints<Pack>& viscous, AncfResult<Pack>& out) const {
    axial(par, q, inv_length, force_n, scale, viscous, out);
    bending(par, q, inv_length, scale, viscous, out);
  }
};

template <class Strain, Tangent tangent>
void axial_part(const AncfParameters& par, const double* q, double inv_length, const Pack* force_n,
                const BlockScale& scale, const ViscousPoints<Pack>& viscous,
                AncfResult<Pack>& out) {
  Pack x[9];
  NodePair(q).reduce(inv_length, x);
  detail::ancf_axial<Strain, LinearElastic, tangent, 0>(par, x, force_n, scale, viscous, out);
}

template <class Curvature, Tangent tangent>
void bending_part(const AncfParameters& par, const double* q, double inv_length,
                  const BlockScale& scale, const ViscousPoints<Pack>& viscous,
                  AncfResult<Pack>& out) {
  Pack x[9];
  NodePair(q).reduce(inv_length, x);
  detail::ancf_bending<Curvature, tangent>(par, x, scale, viscous, out);
}

/// What viscosity adds to four elements.
struct ViscousPack {
  Pack force[max_gauss_points], moment[3 * max_gauss_points];
  ViscousPoints<Pack> points;

  HAWSER_INLINE ViscousPack(const AncfParameters& par, const AssemblyIo& io, int axial_points,
                            int at_point, int at_bending)
      : points{io.axial_factor, io.bending_factor} {
    if (io.viscous_force) {
      for (int g = 0; g < axial_points; ++g)
        force[g] = Pack::load(io.viscous_force + at_point + 4 * g);
      points.force = force;
    }
    if (io.viscous_moment) {
      const double* from = io.viscous_moment + at_bending;
      for (int k = 0; k < 3 * par.bending_points; ++k) moment[k] = Pack::load(from + 4 * k);
      points.moment = moment;
    }
  }
};

/// Forces of damping that is proportional to the mass, at the velocities v.
HAWSER_INLINE void add_mass_damping(const AncfParameters& par, const double* v, Pack left[6],
                                    Pack right[6]) {
  Pack momentum_left[6], momentum_right[6];
  mass_product(par.mass, NodePair(v), momentum_left, momentum_right);
  for (int i = 0; i < 6; ++i) {
    left[i] -= Pack(par.mass_damping) * momentum_left[i];
    right[i] -= Pack(par.mass_damping) * momentum_right[i];
  }
}

template <Tangent tangent, class Elastic>
void assemble_batch(const AncfBatch& batch, const AssemblyIo& io, const Elastic& elastic) {
  const AncfParameters& par = batch.parameters;
  const int points = Elastic::fixed_points ? Elastic::fixed_points : par.axial_points;
  const double inv_length = 1 / par.length;
  const int first = node_size * batch.first_node;
  const bool chain = tangent != Tangent::none && io.sink.panel_nodes > 0;
  const BlockScale scale =
      tangent == Tangent::none ? BlockScale() : coordinate_scale(par, io.stiffness_weight);
  const ElementMass mass(par, io.mass_weight + io.damping_weight * par.mass_damping);
  const bool dragged = io.v && par.mass_damping != 0;
  const bool carried =
      tangent == Tangent::mixed || (Elastic::one_sided && tangent == Tangent::none && io.force_n);
  const Tail tail(batch, io.force);
  NodeWriter force(io.force + first, batch.continues);
  PanelWriter panels;
  if (chain)
    panels.begin(io.sink.panels + static_cast<long>(panel_size) * batch.first_node,
                 batch.continues);
  for (int pack = 0; pack < batch.packs(); ++pack) {
    const int node = first + 24 * pack;
    Pack left[6], right[6], force_n[max_gauss_points];
    const int at_point = batch.point_offset + 4 * points * pack;
    if (carried)
      for (int g = 0; g < points; ++g) force_n[g] = Pack::load(io.force_n + at_point + 4 * g);
    const ViscousPack viscous(par, io, points, at_point,
                              batch.bending_offset + 12 * par.bending_points * pack);
    AncfResult<Pack> res;
    elastic(par, io.q + node, inv_length, carried ? force_n : nullptr, scale, viscous.points, res);
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
    if (dragged) add_mass_damping(par, io.v + node, left, right);
    force.push(left, right);
    if constexpr (tangent != Tangent::none) {
      const ElementMatrix matrix{res.tangent, mass.m};
      if (chain)
        panels.push(matrix);
      else
        add_sparse(io.sink, matrix, batch.first_element + 4 * pack,
                   batch.elements - 4 * pack < 4 ? batch.elements - 4 * pack : 4);
    }
  }
  force.finish(batch.elements);
  mass_times(batch, io.b, io.inertia);  // a walk of its own: compiled once
  if (chain) panels.finish(batch.elements);
}

template <class Strain, Tangent tangent>
void assemble_strain(const AncfBatch& batch, const AssemblyIo& io) {
  // Bending knows no axial force: of the two tangents it needs but one.
  constexpr Tangent any = tangent == Tangent::none ? Tangent::none : Tangent::own;
  ElasticByParts parts{axial_part<Strain, tangent>, nullptr};
  switch (batch.curvature) {
    case CurvatureMeasure::second_derivative:
      if (batch.parameters.axial_points == 5)
        return assemble_batch<tangent>(batch, io,
                                       ElasticWhole<Strain, LinearElastic, tangent, 5>());
      parts.bending = bending_part<SecondDerivativeCurvature, any>;
      break;
    case CurvatureMeasure::material:
      parts.bending = bending_part<MaterialCurvature, any>;
      break;
    case CurvatureMeasure::geometric:
      parts.bending = bending_part<GeometricCurvature, any>;
      break;
  }
  assemble_batch<tangent>(batch, io, parts);
}

template <Tangent tangent>
void assemble_tangent(const AncfBatch& batch, const AssemblyIo& io) {
  // np-fem: one axial point; what is quadratic in x holds the idle slopes.
  if (batch.parameters.tension_only)
    return assemble_batch<tangent>(batch, io,
                                   ElasticWhole<EngineeringStrain, TensionOnly, tangent, 1>());
  if (!batch.parameters.slopes)
    return assemble_batch<tangent>(batch, io,
                                   ElasticWhole<EngineeringStrain, LinearElastic, tangent, 1>());
  if (batch.strain == StrainMeasure::green) return assemble_strain<GreenStrain, tangent>(batch, io);
  return assemble_strain<EngineeringStrain, tangent>(batch, io);
}

inline void assemble(const AncfBatch& batch, const AssemblyIo& io, Tangent tangent) {
  switch (tangent) {
    case Tangent::none:
      return assemble_tangent<Tangent::none>(batch, io);
    case Tangent::own:
      return assemble_tangent<Tangent::own>(batch, io);
    case Tangent::mixed:
      return assemble_tangent<Tangent::mixed>(batch, io);
  }
}

/// v . M v of four elements.
HAWSER_INLINE Pack mass_form(const double m[10], const NodePair& v) {
  Pack sum(0.0);
  for (int i = 0; i < 3; ++i) {
    const Pack r1 = v.left[i], d1 = v.left[3 + i], r2 = v.right[i], d2 = v.right[3 + i];
    sum += r1 * (Pack(m[0]) * r1 + Pack(2 * m[1]) * d1 + Pack(2 * m[2]) * r2 + Pack(2 * m[3]) * d2);
    sum += d1 * (Pack(m[4]) * d1 + Pack(2 * m[5]) * r2 + Pack(2 * m[6]) * d2);
    sum += r2 * (Pack(m[7]) * r2 + Pack(2 * m[8]) * d2) + Pack(m[9]) * d2 * d2;
  }
  return sum;
}

/// Sum of w N^2 over the axial points of four elements, N by the strain.
template <class Strain, class Law>
HAWSER_INLINE Pack strained_form(const AncfParameters& par, const Pack x[9]) {
  const Law law{par.law};
  Pack sum(0.0);
  for (int g = 0; g < par.axial_points; ++g) {
    const HermitePoint& point = par.axial[g];
    Pack r1[3], eps, grad[3], N, EA;
    Sym3<Pack> hess;
    for (int i = 0; i < 3; ++i)
      r1[i] = Pack(point.c[0]) * x[i] + Pack(point.c[1]) * x[3 + i] + Pack(point.c[2]) * x[6 + i];
    Strain::eval(r1, eps, grad, hess);
    law.respond(eps, Pack(0.0), static_cast<const Pack*>(nullptr), N, EA);
    sum += Pack(point.w) * N * N;
  }
  return sum;
}

/// The same with the axial force given, by point.
HAWSER_INLINE Pack carried_form(const AncfParameters& par, const EnergyIo& io, int at) {
  Pack sum(0.0);
  for (int g = 0; g < par.axial_points; ++g, at += 4) {
    Pack N = Pack::load(io.axial_force + at);
    if (io.viscous_force) N -= Pack::load(io.viscous_force + at);
    sum += Pack(par.axial[g].w) * N * N;
  }
  return sum;
}

template <class Strain, class Curvature, class Law>
void energy_batch(const AncfBatch& batch, const EnergyIo& io, BatchEnergy& out) {
  const AncfParameters& par = batch.parameters;
  const Pack inv_l(1 / par.length), half_compliance(0.5 / par.law.axial_tangent());
  const double EI = par.law.bending();
  Pack kinetic(0.0), axial(0.0), bending(0.0);
  for (int pack = 0; pack < batch.packs(); ++pack) {
    const int node = node_size * batch.first_node + 24 * pack,
              left_over = batch.elements - 4 * pack;
    const Pack T = mass_form(par.mass, NodePair(io.v + node));
    Pack x[9], A, B(0.0);
    if (!io.axial_force || EI != 0) NodePair(io.q + node).reduce(1 / par.length, x);
    if (io.axial_force)
      A = carried_form(par, io, batch.point_offset + 4 * par.axial_points * pack);
    else
      A = strained_form<Strain, Law>(par, x);
    for (int g = 0; g < par.bending_points && EI != 0; ++g) {
      const HermitePoint& point = par.bending[g];
      Pack r1[3], r2[3], half;
      for (int i = 0; i < 3; ++i) {
        r1[i] = Pack(point.c[0]) * x[i] + Pack(point.c[1]) * x[3 + i] + Pack(point.c[2]) * x[6 + i];
        r2[i] = inv_l * (Pack(point.c2[0]) * x[i] + Pack(point.c2[1]) * x[3 + i] +
                         Pack(point.c2[2]) * x[6 + i]);
      }
      Curvature::half_square(r1, r2, half);
      B += Pack(point.w * par.length * EI) * half;
    }
    // Lanes without an element may hold anything, infinities too: select, do not multiply.
    const Pack counts = held_lanes(left_over);
    kinetic += select(counts, Pack(0.5) * T);
    axial += select(counts, A * half_compliance);
    bending += select(counts, B);
  }
  const auto total = [](Pack p) { return (p[0] + p[1]) + (p[2] + p[3]); };
  out = {total(kinetic), total(axial), total(bending)};
}

template <class Strain>
void energy_strain(const AncfBatch& batch, const EnergyIo& io, BatchEnergy& out) {
  switch (batch.curvature) {
    case CurvatureMeasure::second_derivative:
      return energy_batch<Strain, SecondDerivativeCurvature, LinearElastic>(batch, io, out);
    case CurvatureMeasure::material:
      return energy_batch<Strain, MaterialCurvature, LinearElastic>(batch, io, out);
    case CurvatureMeasure::geometric:
      return energy_batch<Strain, GeometricCurvature, LinearElastic>(batch, io, out);
  }
}

inline void energy(const AncfBatch& batch, const EnergyIo& io, BatchEnergy& out) {
  if (batch.parameters.tension_only)
    return energy_batch<EngineeringStrain, SecondDerivativeCurvature, TensionOnly>(batch, io, out);
  if (batch.strain == StrainMeasure::green) return energy_strain<GreenStrain>(batch, io, out);
  return energy_strain<EngineeringStrain>(batch, io, out);
}

template <class Strain, class Curvature>
void strains_batch(const AncfBatch& batch, const StrainIo& io) {
  const AncfParameters& par = batch.parameters;
  const Pack inv_l(1 / par.length);
  for (int pack = 0; pack < batch.packs(); ++pack) {
    const Pack held = held_lanes(batch.elements - 4 * pack);
    Pack x[9];
    NodePair(io.q + node_size * batch.first_node + 24 * pack).reduce(1 / par.length, x);
    const auto slope = [&](const HermitePoint& point, Pack r1[3]) {
      for (int i = 0; i < 3; ++i)
        r1[i] = Pack(point.c[0]) * x[i] + Pack(point.c[1]) * x[3 + i] + Pack(point.c[2]) * x[6 + i];
    };
    for (int g = 0; io.strain && g < par.axial_points; ++g) {
      Pack r1[3], eps, grad[3];
      Sym3<Pack> hess;
      slope(par.axial[g], r1);
      Strain::eval(r1, eps, grad, hess);
      select(held, eps).store(io.strain + batch.point_offset + 4 * (par.axial_points * pack + g));
    }
    for (int g = 0; io.curvature && g < par.bending_points; ++g) {
      const HermitePoint& point = par.bending[g];
      const int at = batch.bending_offset + 12 * (par.bending_points * pack + g);
      Pack r1[3], r2[3], k[3];
      slope(point, r1);
      for (int i = 0; i < 3; ++i)
        r2[i] = inv_l * (Pack(point.c2[0]) * x[i] + Pack(point.c2[1]) * x[3 + i] +
                         Pack(point.c2[2]) * x[6 + i]);
      Curvature::vector(r1, r2, k);
      const Pack inv = Pack(1.0) / sqrt(dot3(r1, r1));
      for (int i = 0; i < 3; ++i) {
        select(held, k[i]).store(io.curvature + at + 4 * i);
        select(held, inv * r1[i]).store(io.tangent + at + 4 * i);
      }
    }
  }
}

template <class Strain>
void strains_of(const AncfBatch& batch, const StrainIo& io) {
  switch (batch.curvature) {
    case CurvatureMeasure::second_derivative:
      return strains_batch<Strain, SecondDerivativeCurvature>(batch, io);
    case CurvatureMeasure::material:
      return strains_batch<Strain, MaterialCurvature>(batch, io);
    case CurvatureMeasure::geometric:
      return strains_batch<Strain, GeometricCurvature>(batch, io);
  }
}

inline void strains(const AncfBatch& batch, const StrainIo& io) {
  if (batch.strain == StrainMeasure::green) return strains_of<GreenStrain>(batch, io);
  return strains_of<EngineeringStrain>(batch, io);
}

inline void axial_points(const AncfBatch& batch, const AxialPointsIo& io) {
  const AncfParameters& par = batch.parameters;
  const double EA = par.law.axial_tangent();
  const bool green = batch.strain == StrainMeasure::green;
  Pack x[9];
  NodePair(io.q + node_size * (batch.first_node + 4 * io.pack)).reduce(1 / par.length, x);
  for (int g = 0; g < par.axial_points; ++g) {
    const int at = batch.point_offset + 4 * (par.axial_points * io.pack + g);
    const HermitePoint& point = par.axial[g];
    Pack r1[3];
    for (int i = 0; i < 3; ++i)
      r1[i] = Pack(point.c[0]) * x[i] + Pack(point.c[1]) * x[3 + i] + Pack(point.c[2]) * x[6 + i];
    const Pack square = dot3(r1, r1), stretch = sqrt(square);
    Pack force = io.force_n ? Pack::load(io.force_n + at)
                 : green    ? Pack(EA / 2) * (square - Pack(1.0))
                            : Pack(EA) * (stretch - Pack(1.0));
    if (par.tension_only) force = unless_slack(force, force);
    const Pack elastic = io.viscous ? force - Pack::load(io.viscous + at) : force;
    force.store(io.force + 4 * g);
    (elastic / Pack(EA)).store(io.strain + 4 * g);
    (green ? force * stretch : force).store(io.tension + 4 * g);  // the force is N eps_r'
    stretch.store(io.stretch + 4 * g);
  }
}

/// Of the points of four elements; lanes past the last element, which are not held, mean nothing.
struct ForceLook {
  Pack low = Pack(__builtin_huge_val()), high = Pack(-__builtin_huge_val()), squares = Pack(0.0);

  template <bool whole>
  HAWSER_INLINE void pack(const double* force, double* past, int points, Pack held) {
    for (int g = 0; g < points; ++g, past += 16, force += 4) {
      const Pack f = Pack::load(force), d1 = f - Pack::load(past), d2 = d1 - Pack::load(past + 4),
                 d3 = d2 - Pack::load(past + 8), d4 = d3 - Pack::load(past + 12);
      f.store(past);
      d1.store(past + 4);
      d2.store(past + 8);
      d3.store(past + 12);
      const Pack square = d4 * d4, lower = choose(low, f, f, low), higher = larger(f, high);
      squares += whole ? square : select(held, square);
      low = whole ? lower : choose(held, Pack(0.0), lower, low);
      high = whole ? higher : choose(held, Pack(0.0), higher, high);
    }
  }
};

inline ForceSeen watch_force(const ForceWatchIo& io) {
  ForceLook look;
  const double* force = io.force;
  double* past = io.past;
  int e = 0;
  for (; e + 4 <= io.elements; e += 4, force += 4 * io.points, past += 16 * io.points)
    look.pack<true>(force, past, io.points, Pack(1.0));
  if (e < io.elements) look.pack<false>(force, past, io.points, held_lanes(io.elements - e));
  const Pack sum = look.squares;
  return {-largest_lane(-look.low), largest_lane(look.high), (sum[0] + sum[1]) + (sum[2] + sum[3])};
}

/// What a correction did to four np-fem elements, of which the first `valid` count.
template <class Law>
HAWSER_INLINE void look_at_turns(const Pack turn[3], Pack force, double EA, int valid,
                                 AxialChange& out) {
  const double round_off = 1e-9 * EA;
  for (int e = 0; e < valid; ++e) {
    for (int i = 0; i < 3; ++i) {
      const double size = __builtin_fabs(turn[i][e]);
      out.turned = size > out.turned ? size : out.turned;
    }
    if (Law::one_sided && force[e] < -round_off) out.pushes = true;
  }
}

template <class Law>
AxialChange update_axial(const AncfBatch& batch, const AxialUpdateIo& io) {
  const AncfParameters& par = batch.parameters;
  const Pack EA(io.factor * par.law.axial_tangent());
  AxialChange out;
  Pack missing(0.0), largest(0.0);
  for (int pack = 0; pack < batch.packs(); ++pack) {
    const int left = batch.elements - 4 * pack;
    const Pack counts = held_lanes(left);
    Pack x[9], N;
    NodePair(io.d + node_size * batch.first_node + 24 * pack).reduce(1 / par.length, x);
    for (int g = 0; g < par.axial_points; ++g) {
      const int at = batch.point_offset + 4 * (par.axial_points * pack + g);
      const HermitePoint& point = par.axial[g];
      Pack strain(0.0), square(0.0);
      for (int i = 0; i < 3; ++i) {
        const Pack r1 =
            Pack(point.c[0]) * x[i] + Pack(point.c[1]) * x[3 + i] + Pack(point.c[2]) * x[6 + i];
        strain += Pack::load(io.strain_r + 3 * at + 4 * i) * r1;
        square += r1 * r1;
      }
      N = Pack::load(io.force_star + at) + EA * strain;
      const Pack force = Law::admissible(N);
      force.store(io.force + at);
      const Pack across = square - strain * strain;
      missing = larger(missing, select(counts, Law::one_sided ? unless_slack(N, across) : across));
      largest = larger(largest, select(counts, larger(force, -force)));
    }
    if (!par.slopes) look_at_turns<Law>(x, N, par.law.axial_tangent(), left < 4 ? left : 4, out);
  }
  out.missing = 0.5 * EA[0] * largest_lane(missing);
  out.largest = largest_lane(largest);
  return out;
}

inline AxialChange axial_update(const AncfBatch& batch, const AxialUpdateIo& io) {
  return batch.parameters.tension_only ? update_axial<TensionOnly>(batch, io)
                                       : update_axial<LinearElastic>(batch, io);
}

}  // namespace hawser::HAWSER_ISA
