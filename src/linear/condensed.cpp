#include "linear/condensed.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"
#include "linear/joint_tree.h"

namespace hawser {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Copies are shared by several threads in parts of at least so many.
constexpr size_t least_copies = 10000, most_copy_shares = 16;

/// Runs of fewer nodes are not worth a call.
constexpr int shortest_run = 2;

/// Below this, relative to the largest, a pivot is taken for rounding, as in the chain solver.
constexpr double smallest_run_pivot = 1e-15;

int renumbered(const std::vector<int>& rest_node, int coordinate) {
  return node_size * rest_node[static_cast<size_t>(coordinate / node_size)] +
         coordinate % node_size;
}

}  // namespace

Condensed::Condensed(const SystemStructure& structure)
    : nodes_(structure.nodes),
      chain_nodes_(structure.chain_nodes),
      chain_elements_(structure.chain_elements),
      conditions_(structure.conditions),
      linked_(static_cast<size_t>(chain_nodes_) + 1, 0),
      panels_(static_cast<size_t>(panel_size) * static_cast<size_t>(chain_nodes_ + spare_panels)) {
  assert(structure.symmetric && structure.scalars == 0);
  find_rest(structure);
  find_runs(structure);
  const SystemStructure rest = rest_structure(structure);
  rest_ = make_tree_solver(rest);
  find_copies(rest);
  std::vector<int> held;
  for (size_t k = 0; k < structure.fixed.size(); ++k) {
    const int c = structure.fixed[k];
    const bool stays = rest_node_[static_cast<size_t>(c / node_size)] >= 0;
    (stays ? rest_fixed_ : chain_fixed_).push_back(static_cast<int>(k));
    if (!stays) held.push_back(c);
  }
  held_ = HeldRows(held, chain_nodes_);
  name_ = eliminated_nodes() > 0 ? std::string("chains eliminated, ") + rest_->name()
                                 : std::string(rest_->name());
  y_.assign(static_cast<size_t>(rest.unknowns()), 0);
  rest_x_ = y_;
  rest_out_.assign(rest_fixed_.size(), 0);
  chain_out_.assign(chain_fixed_.size(), 0);
}

int Condensed::eliminated_nodes() const {
  int sum = 0;
  for (const Run& run : runs_) sum += run.nodes;
  return sum;
}

void Condensed::use(Workers& workers) {
  LinearSolver::use(workers);
  rest_->use(workers);
}

size_t Condensed::factor_entries() const {
  size_t sum = rest_->factor_entries();
  for (const Run& run : runs_)
    sum += static_cast<size_t>(run.nodes) * (15 + 36 + (run.pair >= 0 ? 36 : 0));
  return sum;
}

/// What conditions, constraints, junctions and elements outside of chains refer to stays, and so do
/// narrow nodes, whose blocks are half as large. Next to a node that stays and has fixed
/// coordinates another one stays, so that the sparse solver has all of their rows.
void Condensed::find_rest(const SystemStructure& s) {
  std::vector<char> stays(static_cast<size_t>(nodes_), 0), has_fixed(stays);
  std::fill(stays.begin() + chain_nodes_, stays.end(), 1);
  const auto keep = [&](int node) { stays[static_cast<size_t>(node)] = 1; };
  for (int n = 0; n < chain_nodes_; ++n)
    if (s.is_narrow(n)) keep(n);
  for (const auto& e : s.condition_entries) keep(e.coordinate / node_size);
  for (const auto& [a, b] : s.pairs) keep(a), keep(b);
  for (const auto& [follower, leader] : s.shared)
    keep(follower / node_size), keep(leader / node_size);
  for (size_t e = 0; e < s.elements.size(); ++e) {
    const auto& [a, b] = s.elements[e];
    if (static_cast<int>(e) < s.chain_elements)
      linked_[static_cast<size_t>(a)] = 1;
    else
      keep(a), keep(b);
  }
  for (const int c : s.fixed) has_fixed[static_cast<size_t>(c / node_size)] = 1;
  for (const auto& [follower, leader] : s.shared)
    if (std::binary_search(s.fixed.begin(), s.fixed.end(), leader))
      has_fixed[static_cast<size_t>(follower / node_size)] = 1;
  std::vector<int> open;
  for (int n = 0; n < chain_nodes_; ++n)
    if (stays[static_cast<size_t>(n)]) open.push_back(n);
  const auto spread_to = [&](int node) {
    if (!stays[static_cast<size_t>(node)]) keep(node), open.push_back(node);
  };
  while (!open.empty()) {
    const int n = open.back();
    open.pop_back();
    if (!has_fixed[static_cast<size_t>(n)]) continue;
    if (n > 0 && linked_[static_cast<size_t>(n - 1)]) spread_to(n - 1);
    if (linked_[static_cast<size_t>(n)]) spread_to(n + 1);
  }
  for (int n = 0; n < chain_nodes_;) {  // what is too short for a run stays
    int end = n;
    while (end < chain_nodes_ && !stays[static_cast<size_t>(end)]) {
      ++end;
      if (!linked_[static_cast<size_t>(end - 1)]) break;
    }
    if (end - n < shortest_run)
      for (int i = n; i < end; ++i) keep(i);
    n = std::max(end, n + 1);
  }
  rest_node_.assign(static_cast<size_t>(nodes_), -1);
  for (int n = 0; n < nodes_; ++n)
    if (stays[static_cast<size_t>(n)]) {
      rest_node_[static_cast<size_t>(n)] = static_cast<int>(kept_.size());
      kept_.push_back(n);
      kept_chain_nodes_ += n < chain_nodes_;
    }
}

void Condensed::find_runs(const SystemStructure& s) {
  size_t spikes = 0, inverse = 0, reversed = 0, longest = 0;
  int pair = static_cast<int>(s.pairs.size());
  const auto rest = [&](int node) { return rest_node_[static_cast<size_t>(node)]; };
  for (int n = 0; n + 1 < chain_nodes_; ++n)
    if (linked_[static_cast<size_t>(n)] && rest(n) >= 0 && rest(n + 1) >= 0) {
      direct_.emplace_back(n, n + 1);
      ++pair;
    }
  for (int n = 0; n < chain_nodes_;) {
    if (rest(n) >= 0) {
      ++n;
      continue;
    }
    Run run{n, 1, -1, -1, -1, false, 0, 0, 0};
    while (linked_[static_cast<size_t>(n + run.nodes - 1)] && rest(n + run.nodes) < 0) ++run.nodes;
    if (n > 0 && linked_[static_cast<size_t>(n - 1)]) run.left = rest(n - 1);
    if (linked_[static_cast<size_t>(n + run.nodes - 1)]) run.right = rest(n + run.nodes);
    run.reversed = run.left >= 0 && run.right < 0;
    run.panels = run.reversed ? reversed : static_cast<size_t>(panel_size) * n;
    run.inverse = inverse;
    run.spikes = spikes;
    inverse += static_cast<size_t>(node_size) * run.nodes;
    if (run.reversed) {
      reversed += static_cast<size_t>(panel_size) * (run.nodes + 1);
      longest = std::max(longest, static_cast<size_t>(node_size) * (run.nodes + 1));
    } else if (run.left >= 0) {
      run.pair = pair++;
      spikes += static_cast<size_t>(spike_size) * (run.nodes + 1);
    }
    runs_.push_back(run);
    n += run.nodes;
  }
  reversed_.resize(reversed + static_cast<size_t>(panel_size) * spare_panels);
  inverse_.resize(inverse);
  spikes_.resize(spikes);
  backwards_.assign(longest + padding, 0);
}

SystemStructure Condensed::rest_structure(const SystemStructure& s) const {
  SystemStructure out;
  out.nodes = static_cast<int>(kept_.size());
  for (const int n : kept_) out.narrow.push_back(s.is_narrow(n));
  const auto node = [&](int n) { return rest_node_[static_cast<size_t>(n)]; };
  const auto coordinate = [&](int c) { return renumbered(rest_node_, c); };
  for (const int c : s.fixed)
    if (node(c / node_size) >= 0) out.fixed.push_back(coordinate(c));
  for (const auto& [follower, leader] : s.shared)
    out.shared.push_back({coordinate(follower), coordinate(leader)});
  for (size_t e = static_cast<size_t>(s.chain_elements); e < s.elements.size(); ++e)
    out.elements.emplace_back(node(s.elements[e].first), node(s.elements[e].second));
  for (auto e : s.condition_entries) {
    e.coordinate = coordinate(e.coordinate);
    out.condition_entries.push_back(e);
  }
  out.conditions = s.conditions;
  out.sharing = s.sharing;
  for (const auto& [a, b] : s.pairs) out.pairs.emplace_back(node(a), node(b));
  for (const auto& [a, b] : direct_) out.pairs.emplace_back(node(a), node(b));
  for (const Run& run : runs_)
    if (run.pair >= 0) out.pairs.emplace_back(run.left, run.right);
  return out;
}

/// The panels of nodes that stay: their own blocks and, of neighbours, what couples them.
void Condensed::find_copies(const SystemStructure& rest) {
  const MatrixSink to = rest_->sink();
  const auto is_unknown = [&](int node, int i) { return i < 3 || !rest.is_narrow(node); };
  for (int r = 0; r < kept_chain_nodes_; ++r)
    for (int j = 0; j < node_size; ++j)
      for (int i = j; i < node_size; ++i)
        if (is_unknown(r, i))
          copies_.push_back({panel_size * kept_[static_cast<size_t>(r)] + panel_rows * j + i,
                             to.node_positions[36 * r + node_size * j + i]});
  const auto first_pair =
      rest.pairs.size() - direct_.size() -
      static_cast<size_t>(
          std::count_if(runs_.begin(), runs_.end(), [](const Run& r) { return r.pair >= 0; }));
  for (size_t k = 0; k < direct_.size(); ++k) {
    const auto pair = static_cast<int>(first_pair + k);
    const auto& [a, b] = rest.pairs[static_cast<size_t>(pair)];
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        if (is_unknown(a, j) && is_unknown(b, i))
          copies_.push_back({panel_size * direct_[k].first + panel_rows * j + node_size + i,
                             to.pair_positions[72 * pair + node_size * j + i]});
  }
  std::stable_sort(copies_.begin(), copies_.end(),
                   [](const Copy& a, const Copy& b) { return a.to < b.to; });
  const size_t n = copies_.size(),
               shares = std::clamp(n / least_copies, size_t{1}, most_copy_shares);
  copy_shares_.push_back(0);
  for (size_t share = 1; share < shares; ++share) {  // what goes to one place stays together
    size_t at = n * share / shares;
    while (at < n && copies_[at].to == copies_[at - 1].to) ++at;
    copy_shares_.push_back(at);
  }
  copy_shares_.push_back(n);
}

MatrixSink Condensed::sink() {
  MatrixSink sink = rest_->sink();
  sink.panels = panels_.data();
  sink.panel_nodes = chain_nodes_;
  sink.panel_elements = chain_elements_;
  sink.node_positions += 36L * kept_chain_nodes_;
  if (sink.node_blocks) sink.node_blocks += kept_chain_nodes_;
  return sink;
}

void Condensed::clear() {
  rest_->clear();
  assembled_ = true;
}

/// Node k of the copy is node last - k; the block that couples it to the next is transposed. The
/// node on the left, which comes last, begins at zero: what it becomes is what the run adds to it.
void Condensed::copy_reversed(const Run& run) {
  double* out = reversed_.data() + run.panels;
  for (int k = 0; k < run.nodes; ++k, out += panel_size) {
    const double* own =
        panels_.data() + static_cast<ptrdiff_t>(panel_size) * (run.first + run.nodes - 1 - k);
    const double* before = own - panel_size;
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i) {
        out[panel_rows * j + i] = own[panel_rows * j + i];
        out[panel_rows * j + node_size + i] = before[panel_rows * i + node_size + j];
      }
  }
  std::fill_n(out, panel_size, 0.0);
}

/// The rows of the node on the left over the first node of the run.
void Condensed::load_left(const Run& run) {
  const double* left = panels_.data() + static_cast<ptrdiff_t>(panel_size) * (run.first - 1);
  double* spike = spikes_.data() + run.spikes;
  for (int j = 0; j < node_size; ++j)
    for (int i = 0; i < spike_rows; ++i)
      spike[spike_rows * j + i] = i < node_size ? left[panel_rows * i + node_size + j] : 0;
  std::fill_n(corner_, spike_size, 0.0);
}

RunNumbers Condensed::numbers(const Run& run) {
  return {(run.reversed ? reversed_.data() : panels_.data()) + run.panels,
          inverse_.data() + run.inverse,
          spikes_.data() + run.spikes,
          corner_,
          run.first,
          run.reversed || run.right >= 0};
}

/// What an eliminated run leaves at the nodes that stay; that on the right has it in its panel.
void Condensed::add_run(const Run& run) {
  if (run.left < 0) return;
  const MatrixSink to = rest_->sink();
  const double* corner =
      run.reversed ? reversed_.data() + run.panels + static_cast<ptrdiff_t>(panel_size) * run.nodes
                   : corner_;
  const int stride = run.reversed ? panel_rows : spike_rows;
  double block[36];
  for (int j = 0; j < node_size; ++j)
    for (int i = 0; i < node_size; ++i)
      block[node_size * j + i] = corner[i >= j ? stride * j + i : stride * i + j];
  add_node_block(to, run.left, block);
  if (run.pair < 0) return;
  const double* spike =
      spikes_.data() + run.spikes + static_cast<ptrdiff_t>(spike_size) * run.nodes;
  for (int j = 0; j < node_size; ++j)
    for (int i = 0; i < node_size; ++i) block[node_size * j + i] = spike[spike_rows * i + j];
  add_pair_block(to, run.pair, block);
}

/// Eliminates the runs; what is left goes to the sparse solver.
void Condensed::eliminate() {
  held_.take_out(panels_.data());
  pivots_ = {std::numeric_limits<double>::infinity(), 0, -1, 0, true};
  for (const Run& run : runs_) {
    if (run.reversed)
      copy_reversed(run);
    else if (run.left >= 0)
      load_left(run);
    kernels().factor_run(numbers(run), run.nodes, run.pair >= 0, pivots_);
    add_run(run);
  }
  double* values = rest_->sink().values;
  workers_->share(static_cast<int>(copy_shares_.size()) - 1, [&](int share) {
    const auto k = static_cast<size_t>(share);
    for (size_t i = copy_shares_[k]; i < copy_shares_[k + 1]; ++i)
      values[copies_[i].to] += panels_[static_cast<size_t>(copies_[i].from)];
  });
}

FactorStatus Condensed::factor() {
  if (assembled_) eliminate();
  assembled_ = false;
  rest_->probing = probing;
  rest_->factor();
  report_ = rest_->report();
  if (report_.pivot_node >= 0) report_.pivot_node = kept_[static_cast<size_t>(report_.pivot_node)];
  if (runs_.empty()) return report_.status;
  // A pivot of zero makes all after it infinite, whatever the matrix was: that is singular.
  const bool zero = pivots_.smallest < std::numeric_limits<double>::min();
  if (!zero && !(pivots_.finite && std::isfinite(pivots_.largest)))
    return report_.status = FactorStatus::not_finite;
  const double smallest = pivots_.smallest / pivots_.largest;
  if (report_.negative_pivots >= 0) report_.negative_pivots += pivots_.negative;
  if (!(smallest >= report_.smallest_pivot)) {
    report_.smallest_pivot = smallest;
    report_.pivot_node = pivots_.node;
  }
  if (zero || !(smallest > smallest_run_pivot)) report_.status = FactorStatus::singular;
  return report_.status;
}

/// The part of the right-hand side or solution that belongs to a run and the node after it.
double* Condensed::vector_of(const Run& run, std::span<double> b) {
  double* own = b.data() + static_cast<ptrdiff_t>(node_size) * run.first;
  if (!run.reversed) return own;
  for (int k = 0; k < run.nodes; ++k)
    std::copy_n(own + node_size * (run.nodes - 1 - k), node_size,
                backwards_.begin() + node_size * k);
  std::fill_n(backwards_.begin() + node_size * run.nodes, node_size, 0.0);
  return backwards_.data();
}

const LinearReport& Condensed::solve(std::span<double> b) {
  const auto node = [&](std::span<double> of, int n) { return of.data() + node_size * n; };
  held_.begin(b.data());
  for (const Run& run : runs_) {
    double* x = vector_of(run, b);
    std::fill_n(x_left_, node_size, 0.0);
    kernels().solve_run_down(numbers(run), run.nodes, run.pair >= 0, x, x_left_);
    if (run.reversed) {
      std::copy_n(x + node_size * run.nodes, node_size, x_left_);
      for (int k = 0; k < run.nodes; ++k)
        std::copy_n(x + node_size * k, node_size, node(b, run.first + run.nodes - 1 - k));
    }
    if (run.left < 0) continue;
    double* left = node(b, run.first - 1);
    for (int i = 0; i < node_size; ++i) left[i] += x_left_[i];
  }
  const size_t rest_size = node_size * kept_.size();
  for (size_t r = 0; r < kept_.size(); ++r)
    std::copy_n(node(b, kept_[r]), node_size, y_.begin() + static_cast<ptrdiff_t>(node_size * r));
  double* rows = node(b, nodes_);
  std::copy_n(rows, conditions_, y_.begin() + static_cast<ptrdiff_t>(rest_size));
  const LinearReport& rest = rest_->solve(y_);
  report_.residual = rest.residual;
  report_.used_lu = rest.used_lu;
  report_.status = rest.status;
  for (size_t r = 0; r < kept_.size(); ++r)
    std::copy_n(y_.begin() + static_cast<ptrdiff_t>(node_size * r), node_size, node(b, kept_[r]));
  std::copy_n(y_.begin() + static_cast<ptrdiff_t>(rest_size), conditions_, rows);
  for (const Run& run : runs_) {
    double* x = vector_of(run, b);
    const double* left = run.left < 0 ? x_left_ : node(b, run.first - 1);
    if (run.reversed) std::copy_n(left, node_size, x + node_size * run.nodes);
    kernels().solve_run_up(numbers(run), run.nodes, run.pair >= 0, x, left);
    if (run.reversed)
      for (int k = 0; k < run.nodes; ++k)
        std::copy_n(x + node_size * k, node_size, node(b, run.first + run.nodes - 1 - k));
  }
  if (report_.status != FactorStatus::ok)
    for (const Run& run : runs_)
      std::fill_n(node(b, run.first), node_size * run.nodes, not_a_number);
  held_.finish(b.data());
  return report_;
}

void Condensed::change_to_lu() {
  rest_->change_to_lu();
  report_.used_lu = rest_->report().used_lu;
}

void Condensed::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  held_.times(x.data(), chain_out_.data());
  for (size_t k = 0; k < chain_fixed_.size(); ++k)
    out[static_cast<size_t>(chain_fixed_[k])] = chain_out_[k];
  if (rest_fixed_.empty()) return;
  for (size_t r = 0; r < kept_.size(); ++r)
    std::copy_n(x.data() + static_cast<ptrdiff_t>(node_size) * kept_[r], node_size,
                rest_x_.begin() + static_cast<ptrdiff_t>(node_size * r));
  rest_->fixed_rows_times(rest_x_, rest_out_);
  for (size_t k = 0; k < rest_fixed_.size(); ++k)
    out[static_cast<size_t>(rest_fixed_[k])] = rest_out_[k];
}

}  // namespace hawser
