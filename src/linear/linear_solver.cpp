#include "linear/linear_solver.h"

#include <algorithm>
#include <string>

#include "hawser/error.h"
#include "linear/block_tridiagonal.h"
#include "linear/bordered.h"
#include "linear/chain_lu.h"
#include "linear/condensed.h"
#include "linear/joint_tree.h"
#include "linear/loosely_coupled.h"
#include "linear/sparse_kkt.h"

namespace hawser {
namespace {

/// So many pairs that come close and part again are left out of the factorization: with fewer it is
/// cheaper than iterations.
constexpr size_t many_loose = 1000;

/// What keeps a system from being a set of chains; empty when it is one.
std::string not_a_chain(const SystemStructure& s) {
  if (s.scalars > 0) return std::to_string(s.scalars) + " scalar unknowns";
  for (const auto& [follower, leader] : s.shared)
    if (!std::binary_search(s.fixed.begin(), s.fixed.end(), leader)) return "joined nodes";
  if (s.conditions > 0) return std::to_string(s.conditions) + " general conditions";
  if (!s.pairs.empty())
    return "nodes " + std::to_string(s.pairs.front().first) + " and " +
           std::to_string(s.pairs.front().second) + " coupled by a constraint";
  if (!s.symmetric) return "a load with an unsymmetric tangent";
  // The assembler writes every panel once, walking along the nodes: each node must belong to an
  // element, and no two elements may share both of theirs.
  int covered = 0;  // nodes before this one belong to an element
  for (const auto& [left, right] : s.elements) {
    if (right != left + 1 || left + 1 < covered)
      return "an element from node " + std::to_string(left) + " to node " + std::to_string(right);
    if (left > covered) break;
    covered = right + 1;
  }
  if (covered < s.nodes || s.nodes == 0) return "no element at node " + std::to_string(covered);
  return {};
}

bool has_narrow(const SystemStructure& s) {
  return std::find(s.narrow.begin(), s.narrow.end(), 1) != s.narrow.end();
}

}  // namespace

int DofMap::leader(int coordinate) const {
  const auto at = std::lower_bound(shared.begin(), shared.end(), coordinate,
                                   [](const Shared& s, int c) { return s.follower < c; });
  return at != shared.end() && at->follower == coordinate ? at->leader : coordinate;
}

bool SystemStructure::is_chain() const { return not_a_chain(*this).empty(); }

std::unique_ptr<LinearSolver> make_linear_solver(const SystemStructure& structure,
                                                 LinearBackend choice) {
  if (structure.symmetric && structure.pairs.size() > structure.first_loose &&
      structure.pairs.size() - structure.first_loose > many_loose)
    return std::make_unique<LooselyCoupled>(structure, choice);
  if (structure.scalars > 0) return std::make_unique<Bordered>(structure, choice);
  if (choice != LinearBackend::sparse) {
    const std::string reason = not_a_chain(structure);
    if (reason.empty()) return std::make_unique<BlockTridiagonal>(structure);
    if (choice == LinearBackend::chain)
      throw Error("solve, backend 'chain'", reason,
                  "elements from each node to the next, symmetric loads and no general conditions",
                  "Choose the backend 'automatic' or 'sparse'.");
    if (structure.symmetric && structure.chain_nodes > 0)
      return std::make_unique<Condensed>(structure);
    if (!structure.symmetric) {
      SystemStructure symmetric = structure;
      symmetric.symmetric = true;
      if (symmetric.is_chain() && !has_narrow(structure))
        return std::make_unique<ChainLu>(structure);
    }
    return make_tree_solver(structure);
  }
  return std::make_unique<SparseKkt>(structure);
}

}  // namespace hawser
