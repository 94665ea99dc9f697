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
}  // namespace

extern const Kernels table;
const Kernels table = {HAWSER_ISA_NAME, assemble, axial_update, mass_times, factor, solve};

}  // namespace hawser::HAWSER_ISA
