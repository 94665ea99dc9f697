// Compiled once for each instruction set; see cmake and kernels.cpp.
#include "base/inline.h"
#include "elements/ancf_kernels.h"
#include "linear/chain_kernels.h"
#include "linear/chain_lu_kernels.h"
#include "linear/joint_tree_kernels.h"
#include "linear/ldlt_kernels.h"
#include "linear/run_kernels.h"

namespace hawser::HAWSER_ISA {

namespace {
void factor(double* panels, int nodes, Kernels::Pivots& pivots) {
  factor_chain(panels, nodes, pivots);
}
void solve(const double* panels, int nodes, double* x) { solve_chain(panels, nodes, x); }
void solve_down(const double* panels, int nodes, int from, double* x) {
  ChainVector vector(nodes, x);
  chain_down(panels, from, vector);
}
void solve_middle(const double* panels, int nodes, int from, double* x) {
  ChainVector vector(nodes, x);
  chain_middle(panels, from, vector);
}
void solve_up(const double* panels, int nodes, double* x) {
  ChainVector vector(nodes, x);
  chain_up(panels, vector);
}
void factor_sparse(const LdltShape& shape, const LdltNumbers& io, const LdltPart& part) {
  factor_ldlt(shape, io, part);
}
void solve_sparse_down(const LdltShape& shape, const LdltNumbers& io, const LdltPart& part,
                       double* x) {
  solve_ldlt_down(shape, io, part, x);
}
void solve_sparse_up(const LdltShape& shape, const LdltNumbers& io, const LdltPart& part,
                     double* x) {
  solve_ldlt_up(shape, io, part, x);
}
/// The sums go in four chains of additions, the same ones in both.
template <bool relax>
HAWSER_INLINE void walk_arms(const ArmsIo& io) {
  for (int p = 0; p < io.size; p += 4) {
    double* s = io.state + static_cast<long>(io.arms) * p;
    const Pack change = relax ? Pack::load(io.change + p) : Pack(0.0);
    Pack sum[4] = {Pack(0.0), Pack(0.0), Pack(0.0), Pack(0.0)};
    const auto arm = [&](int i, Pack& total) {
      const Pack decay(io.decay[i]);
      Pack now = Pack::load(s + 4 * i);
      if constexpr (relax) {
        now = decay * now + Pack(io.gain[i]) * change;
        now.store(s + 4 * i);
      }
      total += decay * now;
    };
    int i = 0;
    for (; i + 4 <= io.arms; i += 4)
      for (int k = 0; k < 4; ++k) arm(i + k, sum[k]);
    for (; i < io.arms; ++i) arm(i, sum[0]);
    ((sum[0] + sum[1]) + (sum[2] + sum[3])).store(io.sum + p);
  }
}
void sum_arms(const ArmsIo& io) { walk_arms<false>(io); }
void relax_arms(const ArmsIo& io) { walk_arms<true>(io); }
template <int terms>
HAWSER_INLINE void combine_some(const CombineIo& io) {
  // Copies: what is stored might be io itself, for all that the compiler knows.
  const int n = io.n;
  const double* x[3];
  double *out = io.out, c[3];
  HAWSER_UNROLL(3)
  for (int k = 0; k < terms; ++k) {
    x[k] = io.x[k];
    c[k] = io.c[k];
  }
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Pack sum = Pack(c[0]) * Pack::load(x[0] + i);
    HAWSER_UNROLL(3)
    for (int k = 1; k < terms; ++k) sum += Pack(c[k]) * Pack::load(x[k] + i);
    sum.store(out + i);
  }
  for (; i < n; ++i) {
    double sum = c[0] * x[0][i];
    HAWSER_UNROLL(3)
    for (int k = 1; k < terms; ++k) sum += c[k] * x[k][i];
    out[i] = sum;
  }
}
void combine(const CombineIo& io) {
  switch (io.terms) {
    case 1:
      return combine_some<1>(io);
    case 2:
      return combine_some<2>(io);
    default:
      return combine_some<3>(io);
  }
}
double correct(const CorrectIo& io) {
  const double *xs = io.x, *q_base = io.q_base, *a_base = io.a_base, *v_tilde = io.v_tilde;
  double *correction = io.correction, *q_new = io.q_new, *a_new = io.a_new, *v_new = io.v_new;
  const V2 cq = {io.cq, io.cq}, cv = {io.cv, io.cv}, none = {0, 0};
  V2 largest = none, total = none;
  for (int node = 0, n = io.n; node < n; node += node_size) HAWSER_UNROLL(3)
  for (int k = 0; k < node_size; k += 2) {
    const int i = node + k;
    const V2 x = load_pair(xs + i), d = cq * x, a = load_pair(a_base + i) + x;
    store_pair(d, correction + i);
    store_pair(load_pair(q_base + i) + d, q_new + i);
    store_pair(a, a_new + i);
    store_pair(load_pair(v_tilde + i) + cv * a, v_new + i);
    total += d;
    if (k == 0) continue;
    const V2 slope = k == 2 ? __builtin_shufflevector(d, none, 1, 2) : d;
    const V2 size = slope > -slope ? slope : -slope;
    largest = size > largest ? size : largest;
  }
  const double sum = total[0] + total[1];
  return (largest[0] > largest[1] ? largest[0] : largest[1]) + 0 * sum;  // NaN unless finite
}

/// A stage's extrapolations; see integrate/step_mixed3.cpp.
void stage(const StageIo& io) {
  const double *q = io.q, *A0 = io.A[0], *A1 = io.A[1], *A2 = io.A[2], *V0 = io.V[0], *V1 = io.V[1],
               *V2s = io.V[2], *before = io.v_before, *last = io.v_last;
  double *v_tilde = io.v_tilde, *q_base = io.q_base, *a_base = io.a_base;
  const Pack a0(io.a[0]), a1(io.a[1]), a2(io.a[2]), w0(io.w[0]), w1(io.w[1]), w2(io.w[2]);
  const Pack gh(io.gh), inv_cq(io.inv_cq);
  for (int i = 0, n = io.n; i < n; i += 4) {
    const Pack at = Pack::load(q + i), v0 = Pack::load(V0 + i);
    const Pack vt =
        v0 + a0 * Pack::load(A0 + i) + a1 * Pack::load(A1 + i) + a2 * Pack::load(A2 + i);
    const Pack qt = at + a0 * v0 + a1 * Pack::load(V1 + i) + a2 * Pack::load(V2s + i) + gh * vt;
    const Pack qs = at + w0 * v0 + w1 * Pack::load(before + i) + w2 * Pack::load(last + i);
    vt.store(v_tilde + i);
    qs.store(q_base + i);
    ((qs - qt) * inv_cq).store(a_base + i);
  }
}

/// y + w x y + k w x (w x y): a rotation when k = 1/(1 + cos) and |w| = sin.
HAWSER_INLINE void rotate(const Pack w[3], Pack k, Pack y[3]) {
  const Pack u[3] = {w[1] * y[2] - w[2] * y[1], w[2] * y[0] - w[0] * y[2],
                     w[0] * y[1] - w[1] * y[0]};
  y[0] += u[0] + k * (w[1] * u[2] - w[2] * u[1]);
  y[1] += u[1] + k * (w[2] * u[0] - w[0] * u[2]);
  y[2] += u[2] + k * (w[0] * u[1] - w[1] * u[0]);
}

void turn_back(const TurnIo& io) {
  for (int n = 0; n < io.nodes; n += 4) {
    const NodePair from(io.from + node_size * n), to(io.to + node_size * n);
    NodePair x(io.x + node_size * n);
    const Pack *f = from.left + 3, *t = to.left + 3, turns = Pack::load(io.turns + n);
    const Pack inv = Pack(1.0) / sqrt(dot3(f, f) * dot3(t, t));
    const Pack w[3] = {select(turns, inv * (f[2] * t[1] - f[1] * t[2])),
                       select(turns, inv * (f[0] * t[2] - f[2] * t[0])),
                       select(turns, inv * (f[1] * t[0] - f[0] * t[1]))};
    const Pack k = select(turns, Pack(1.0) / (Pack(1.0) + dot3(f, t) * inv));
    for (int i = 0; i < 3; ++i) w[i].store(io.rotation + 4 * (n + i));
    k.store(io.rotation + 4 * (n + 3));
    rotate(w, k, x.left);
    rotate(w, k, x.left + 3);
    store_nodes(x.left, io.x + node_size * n);
  }
}

void turn_forth(const TurnIo& io) {
  for (int n = 0; n < io.nodes; n += 4) {
    NodePair x(io.x + node_size * n);
    Pack w[3];
    for (int i = 0; i < 3; ++i) w[i] = -Pack::load(io.rotation + 4 * (n + i));
    const Pack k = Pack::load(io.rotation + 4 * (n + 3));
    rotate(w, k, x.left);
    rotate(w, k, x.left + 3);
    store_nodes(x.left, io.x + node_size * n);
  }
}
}  // namespace

void assemble_flow(const FlowPack& at, const FlowAssembly& io);  // elements/flow_kernels_isa.cpp
void flow_energy(const FlowPack& at, const FlowEnergyIo& io, FlowEnergy& out);
void flow_axial_update(const FlowPack& at, const FlowAxialUpdateIo& io, FlowAxialChange& out);
namespace {
const ElementKernels elements = {assemble,    axial_update,     mass_times,  energy,
                                 strains,     axial_points,     watch_force, assemble_flow,
                                 flow_energy, flow_axial_update};
}

extern const LoadKernels loads;    // loads/kernels_isa.cpp
extern const JointKernels joints;  // constraints/kernels_isa.cpp

extern const Kernels table;
const Kernels table = {HAWSER_ISA_NAME,
                       &elements,
                       &loads,
                       &joints,
                       sum_arms,
                       relax_arms,
                       combine,
                       correct,
                       stage,
                       turn_back,
                       turn_forth,
                       factor,
                       solve,
                       solve_down,
                       solve_middle,
                       solve_up,
                       factor_chain_lu,
                       solve_chain_lu,
                       chain_lu_residual,
                       factor_run,
                       solve_run_down,
                       solve_run_up,
                       factor_tree,
                       solve_tree_down,
                       solve_tree_up,
                       tree_residual,
                       factor_sparse,
                       solve_sparse_down,
                       solve_sparse_up};

}  // namespace hawser::HAWSER_ISA
