// Compiled once for each instruction set; see cmake and kernels.cpp.
#include "elements/ancf_kernels.h"
#include "linear/chain_kernels.h"
#include "linear/ldlt_kernels.h"

namespace hawser::HAWSER_ISA {

namespace {
void factor(double* panels, double* inv_pivots, int nodes, Kernels::Pivots& pivots) {
  factor_chain(panels, inv_pivots, nodes, pivots);
}
void solve(const double* panels, const double* inv_pivots, int nodes, double* x) {
  solve_chain(panels, inv_pivots, nodes, x);
}
void factor_sparse(const LdltShape& shape, const LdltNumbers& io) { factor_ldlt(shape, io); }
void solve_sparse(const LdltShape& shape, const LdltNumbers& io, double* x) {
  solve_ldlt(shape, io, x);
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
double correct(const CorrectIo& io) {
  const V2 cq = {io.cq, io.cq}, cv = {io.cv, io.cv}, none = {0, 0};
  V2 largest = none, total = none;
  for (int node = 0; node < io.n; node += node_size)
    for (int k = 0; k < node_size; k += 2) {
      const int i = node + k;
      const V2 x = load_pair(io.x + i), d = cq * x, a = load_pair(io.a_base + i) + x;
      store_pair(d, io.correction + i);
      store_pair(load_pair(io.q_base + i) + d, io.q_new + i);
      store_pair(a, io.a_new + i);
      store_pair(load_pair(io.v_tilde + i) + cv * a, io.v_new + i);
      total += d;
      if (k == 0) continue;
      const V2 slope = k == 2 ? __builtin_shufflevector(d, none, 1, 2) : d;
      const V2 size = slope > -slope ? slope : -slope;
      largest = size > largest ? size : largest;
    }
  const double sum = total[0] + total[1];
  return (largest[0] > largest[1] ? largest[0] : largest[1]) + 0 * sum;  // NaN unless finite
}

/// y + w x y + k w x (w x y): a rotation when k = 1/(1 + cos) and |w| = sin.
HAWSER_INLINE void rotate(const Pack w[3], Pack k, Pack y[3]) {
  const Pack u[3] = {w[1] * y[2] - w[2] * y[1], w[2] * y[0] - w[0] * y[2],
                     w[0] * y[1] - w[1] * y[0]};
  y[0] += u[0] + k * (w[1] * u[2] - w[2] * u[1]);
  y[1] += u[1] + k * (w[2] * u[0] - w[0] * u[2]);
  y[2] += u[2] + k * (w[0] * u[1] - w[1] * u[0]);
}

void turn_nodes(const TurnIo& io) {
  for (int n = 0; n < io.nodes; n += 4) {
    const NodePair from(io.from + node_size * n), to(io.to + node_size * n);
    NodePair x(io.x + node_size * n);
    const Pack *f = from.left + 3, *t = to.left + 3, turns = Pack::load(io.turns + n);
    const Pack inv = Pack(1.0) / sqrt(dot3(f, f) * dot3(t, t));
    const Pack sign = turns * Pack(io.direction) * inv;
    const Pack w[3] = {select(turns, sign * (f[1] * t[2] - f[2] * t[1])),
                       select(turns, sign * (f[2] * t[0] - f[0] * t[2])),
                       select(turns, sign * (f[0] * t[1] - f[1] * t[0]))};
    const Pack k = select(turns, Pack(1.0) / (Pack(1.0) + dot3(f, t) * inv));
    rotate(w, k, x.left);
    rotate(w, k, x.left + 3);
    store_nodes(x.left, io.x + node_size * n);
  }
}
}  // namespace

namespace {
const ElementKernels elements = {assemble, axial_update, mass_times, energy, strains};
}

extern const Kernels table;
const Kernels table = {HAWSER_ISA_NAME, &elements, sum_arms, relax_arms,    correct,
                       turn_nodes,      factor,    solve,    factor_sparse, solve_sparse};

}  // namespace hawser::HAWSER_ISA
