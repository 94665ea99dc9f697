// Compiled once for each instruction set; see cmake and kernels.cpp.
#include "assembly/ancf_kernels.h"
#include "linear/chain_kernels.h"

namespace hawser::HAWSER_ISA {

namespace {
void factor(double* panels, double* inv_pivots, int nodes, Kernels::Pivots& pivots) {
  factor_chain(panels, inv_pivots, nodes, pivots);
}
void solve(const double* panels, const double* inv_pivots, int nodes, double* x) {
  solve_chain(panels, inv_pivots, nodes, x);
}
/// Node by node as components 0-3 and 2-5; the overlap is written twice with the same values.
double correct(const CorrectIo& io) {
  const Pack cq(io.cq), cv(io.cv);
  Pack largest(0.0), total(0.0);
  for (int node = 0; node < io.n; node += node_size)
    for (const int i : {node, node + 2}) {
      const Pack x = Pack::load(io.x + i), d = cq * x, a = Pack::load(io.a_base + i) + x;
      d.store(io.correction + i);
      (Pack::load(io.q_base + i) + d).store(io.q_new + i);
      a.store(io.a_new + i);
      (Pack::load(io.v_tilde + i) + cv * a).store(io.v_new + i);
      total += d;
      if (i == node) continue;
      const Pack slope = __builtin_shufflevector(d.v, d.v, 1, 1, 2, 3);
      largest = max(largest, max(slope, -slope));
    }
  const double sum = (total.v[0] + total.v[1]) + (total.v[2] + total.v[3]);
  const double m01 = largest.v[0] > largest.v[1] ? largest.v[0] : largest.v[1];
  const double m23 = largest.v[2] > largest.v[3] ? largest.v[2] : largest.v[3];
  return (m01 > m23 ? m01 : m23) + 0 * sum;  // not finite: 0 * sum is NaN
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

extern const Kernels table;
const Kernels table = {HAWSER_ISA_NAME, assemble,   axial_update, mass_times, energy,
                       correct,         turn_nodes, factor,       solve};

}  // namespace hawser::HAWSER_ISA
