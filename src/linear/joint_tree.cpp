#include "linear/joint_tree.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace hawser {
namespace {

/// As in sparse_kkt.cpp: of pivots, of the residual and of its rounding.
constexpr double least_tree_pivot = 1e-15;
constexpr double tree_tolerance = 1e-12;
constexpr double tree_rounding = 16 * std::numeric_limits<double>::epsilon();
constexpr int tree_sweeps = 3;

constexpr int block_size = 72;  ///< of a joint among the values: H, then C
constexpr int above_columns = 8;

}  // namespace

JointTree::JointTree(const SystemStructure& structure)
    : structure_(structure),
      joint_of_(static_cast<size_t>(structure.nodes), -1),
      compliance_(static_cast<size_t>(structure.conditions)) {
  assert(structure.symmetric && structure.scalars == 0);
  const std::vector<JointLeaf> leaves = find_joint_leaves(structure);
  for (size_t i = 0; i < leaves.size(); ++i)
    joint_of_[static_cast<size_t>(leaves[i].node)] = static_cast<int>(i);
  place_rows(leaves);
  find_rest();
  place_joints(leaves);
  find_positions();
}

/// Where the entries of a row over a node begin, side by side; those that do not stand so are put
/// together behind all others.
int JointTree::six_entries(const std::vector<int>& row, int node) {
  const auto& entries = structure_.condition_entries;
  std::vector<int> own;
  for (const int i : row)
    if (entries[static_cast<size_t>(i)].coordinate / node_size == node) own.push_back(i);
  if (own.empty()) return zeros_;
  bool six = own.size() == node_size;
  for (int k = 0; k < node_size && six; ++k)
    six = own[static_cast<size_t>(k)] == own.front() + k &&
          entries[static_cast<size_t>(own[static_cast<size_t>(k)])].coordinate ==
              node_size * node + k;
  if (six) return own.front();
  const int at = static_cast<int>(entries_.size());
  entries_.resize(entries_.size() + 8, 0);
  for (const int i : own)
    scattered_.push_back({i, at + entries[static_cast<size_t>(i)].coordinate % node_size});
  return at;
}

/// Rows of the joints and where their entries are.
void JointTree::place_rows(const std::vector<JointLeaf>& leaves) {
  const auto& entries = structure_.condition_entries;
  for (const auto& e : entries) entries_.push_back(e.factor);
  zeros_ = static_cast<int>(entries_.size());
  entries_.resize(entries_.size() + 8, 0);
  std::vector<std::vector<int>> of(static_cast<size_t>(structure_.conditions));
  for (size_t i = 0; i < entries.size(); ++i)
    of[static_cast<size_t>(entries[i].row)].push_back(static_cast<int>(i));
  std::vector<char> taken(static_cast<size_t>(structure_.conditions), 0);
  for (const JointLeaf& leaf : leaves)
    for (const int row : leaf.rows) {
      const auto& own = of[static_cast<size_t>(row)];
      rows_.push_back(
          {six_entries(own, leaf.node), leaf.above < 0 ? zeros_ : six_entries(own, leaf.above),
           !structure_.sharing.empty() && structure_.sharing[static_cast<size_t>(row)] != 0});
      conditions_.push_back(row);
      taken[static_cast<size_t>(row)] = 1;
    }
  for (size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i].hangs_on >= 0) {
      const int at = six_entries(of[static_cast<size_t>(leaves[i].hangs_on)], leaves[i].node);
      for (int j = 0; j < node_size; ++j)  // the first row of C, counted from the first block
        hung_.push_back({at + j, block_size * static_cast<int>(i) + 36 + node_size * j});
    }
  for (int row = 0; row < structure_.conditions; ++row)
    if (!taken[static_cast<size_t>(row)]) kept_conditions_.push_back(row);
  own_compliance_.resize(rows_.size());
  yields_ = own_compliance_;
}

/// What is left, with numbers of its own.
void JointTree::find_rest() {
  const SystemStructure& s = structure_;
  SystemStructure rest;
  rest_node_.assign(static_cast<size_t>(s.nodes), -1);
  for (int n = 0; n < s.nodes; ++n)
    if (joint_of_[static_cast<size_t>(n)] < 0) {
      rest_node_[static_cast<size_t>(n)] = static_cast<int>(kept_.size());
      kept_.push_back(n);
      rest.narrow.push_back(s.is_narrow(n));
    }
  const auto node = [&](int n) { return rest_node_[static_cast<size_t>(n)]; };
  const auto coordinate = [&](int c) { return node_size * node(c / node_size) + c % node_size; };
  rest.nodes = static_cast<int>(kept_.size());
  for (const int c : s.fixed) rest.fixed.push_back(coordinate(c));
  for (const auto& [follower, leader] : s.shared)
    rest.shared.push_back({coordinate(follower), coordinate(leader)});
  for (const auto& [a, b] : s.elements) rest.elements.emplace_back(node(a), node(b));
  for (const auto& [a, b] : s.pairs)
    if (node(a) >= 0 && node(b) >= 0) rest.pairs.emplace_back(node(a), node(b));
  std::vector<int> number(static_cast<size_t>(s.conditions), -1);
  for (const int row : kept_conditions_) {
    number[static_cast<size_t>(row)] = rest.conditions++;
    if (!s.sharing.empty()) rest.sharing.push_back(s.sharing[static_cast<size_t>(row)]);
  }
  for (size_t i = 0; i < s.condition_entries.size(); ++i) {
    auto e = s.condition_entries[i];
    e.row = number[static_cast<size_t>(e.row)];
    if (e.row < 0 || node(e.coordinate / node_size) < 0) continue;
    e.coordinate = coordinate(e.coordinate);
    rest_rows_.push_back({static_cast<int>(i), static_cast<int>(rest.condition_entries.size())});
    rest.condition_entries.push_back(e);
  }
  if (rest.nodes == 0 && rest.conditions == 0) return;
  rest_ = std::make_unique<SparseKkt>(rest);
  rest_values_ = static_cast<size_t>(rest_->sink().value_count);
  rest_x_.assign(static_cast<size_t>(rest.unknowns()), 0);
}

/// What a joint leaves, and where it reads what is above it. The ground has a place that stays
/// zero.
void JointTree::place_above(TreeJoint& s, const JointLeaf& leaf, int ground) {
  const int count = static_cast<int>(joints_.size());
  s.above = ground, s.above_stride = above_columns;
  s.y_above = rest_y_ - 8, s.scale_above = 8 * count;
  s.adds = true;  // roots begin at zero
  const auto next_left = [&] { return left_ += above_columns * node_size; };
  if (leaf.hangs_on >= 0) {
    const auto at =
        std::lower_bound(kept_conditions_.begin(), kept_conditions_.end(), leaf.hangs_on);
    const int row = static_cast<int>(at - kept_conditions_.begin());
    auto root = std::find_if(row_roots_.begin(), row_roots_.end(),
                             [row](const RowRoot& r) { return r.row == row; });
    if (root == row_roots_.end()) root = row_roots_.insert(root, {row, next_left()});
    s.above = root->left;
    s.y_above = rest_y_ + node_size * static_cast<int>(kept_.size()) + row;
  }
  if (leaf.above < 0) return;
  if (const int joint = joint_of_[static_cast<size_t>(leaf.above)]; joint >= 0) {
    TreeJoint& p = joints_[static_cast<size_t>(joint)];
    s.above = p.panel, s.above_stride = p.stride(), s.y_above = p.y, s.scale_above = p.scale;
    s.adds = std::exchange(p.has_below, true);
    return;
  }
  const int node = rest_node_[static_cast<size_t>(leaf.above)];
  auto root =
      std::find_if(roots_.begin(), roots_.end(), [node](const Root& r) { return r.node == node; });
  if (root == roots_.end())
    root =
        roots_.insert(root, {node, next_left(), 8 * (count + 1 + static_cast<int>(roots_.size()))});
  s.above = root->left, s.y_above = rest_y_ + node_size * node, s.scale_above = root->scale;
}

/// Where each joint has its numbers.
void JointTree::place_joints(const std::vector<JointLeaf>& leaves) {
  const int count = static_cast<int>(leaves.size());
  const int ground_y = tree_vector * count;
  rest_y_ = ground_y + 8;
  int panel = 0, row = 0;
  for (int i = 0; i < count; ++i) {
    const JointLeaf& leaf = leaves[static_cast<size_t>(i)];
    TreeJoint s{};
    s.node = leaf.node;
    s.rows = static_cast<int>(leaf.rows.size());
    s.first_row = row;
    s.is_top = leaf.above < 0 && leaf.hangs_on < 0;
    s.packs = (node_size + s.rows + 3) / 4;
    s.block = static_cast<int>(rest_values_) + block_size * i;
    s.panel = panel;
    s.y = tree_vector * i;
    s.scale = 8 * i;
    row += s.rows;
    panel = (s.end() + 3) / 4 * 4;
    joints_.push_back(s);
  }
  left_ = panel;  // at the ground
  for (size_t i = 0; i < joints_.size(); ++i) place_above(joints_[i], leaves[i], panel);
  panel = left_ + above_columns * node_size;
  panels_.assign(static_cast<size_t>(panel), 0);
  scales_.assign(8 * (joints_.size() + 1 + roots_.size()), 0);
  values_.assign(rest_values_ + block_size * joints_.size() + 4, 0);
  r_.assign(static_cast<size_t>(rest_y_) + rest_x_.size() + padding, 0);
  x_ = change_ = r_;
  curved_.assign(joints_.size(), 0);
  for (Copy& c : hung_) c.to += static_cast<int>(rest_values_);
}

/// See MatrixSink: those of the rest are the sparse solver's own.
void JointTree::find_positions() {
  const MatrixSink to = rest_ ? rest_->sink() : MatrixSink{};
  for (int n = 0; n < structure_.nodes; ++n) {
    const int joint = joint_of_[static_cast<size_t>(n)];
    if (joint < 0) {
      const int* own = to.node_positions + 36L * rest_node_[static_cast<size_t>(n)];
      node_positions_.insert(node_positions_.end(), own, own + 36);
      node_blocks_.push_back(-1);
      continue;
    }
    const int block = joints_[static_cast<size_t>(joint)].block;
    node_blocks_.push_back(block);
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        node_positions_.push_back(i < j ? -1 : block + node_size * j + i);
  }
  int rest_pair = 0;
  for (const auto& [a, b] : structure_.pairs) {
    const int first = joint_of_[static_cast<size_t>(a)], second = joint_of_[static_cast<size_t>(b)];
    if (first < 0 && second < 0) {
      const int* own = to.pair_positions + 72L * rest_pair++;
      pair_positions_.insert(pair_positions_.end(), own, own + 72);
      pair_blocks_.insert(pair_blocks_.end(), {-1, 0});
      continue;
    }
    // The one that is eliminated first has the columns.
    const bool turned = first < 0 || (second >= 0 && second < first);
    const int block = joints_[static_cast<size_t>(turned ? second : first)].block + 36;
    pair_blocks_.insert(pair_blocks_.end(), {block, turned});
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        pair_positions_.push_back(block + (turned ? node_size * i + j : node_size * j + i));
    pair_positions_.insert(pair_positions_.end(), 36, -1);
  }
}

MatrixSink JointTree::sink() {
  MatrixSink out = rest_ ? rest_->sink() : MatrixSink{};  // elements are all the rest's
  out.values = values_.data();
  out.value_count = static_cast<long>(values_.size());
  out.node_positions = node_positions_.data();
  out.pair_positions = pair_positions_.data();
  out.node_blocks = node_blocks_.data();
  out.pair_blocks = pair_blocks_.data();
  out.rows = entries_.data();
  out.compliance = compliance_.data();
  return out;
}

void JointTree::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

void JointTree::use(Workers& workers) {
  LinearSolver::use(workers);
  if (rest_) rest_->use(workers);
}

size_t JointTree::factor_entries() const {
  size_t sum = rest_ ? rest_->factor_entries() : 0;
  for (const TreeJoint& s : joints_) {
    const int above = s.y_above == rest_y_ - 8 ? 0 : node_size, k = s.rows;
    sum += static_cast<size_t>(15 + 6 * (k + above) + k * (k - 1) / 2 + k * above);
  }
  return sum;
}

TreeNumbers JointTree::numbers() {
  return {joints_.data(),  static_cast<int>(joints_.size()),
          rows_.data(),    values_.data(),
          entries_.data(), own_compliance_.data(),
          yields_.data(),  scales_.data(),
          panels_.data(),  curved_.data()};
}

/// Rows as the kernels and the sparse solver have them.
void JointTree::gather_rows() {
  for (const Copy& c : scattered_) entries_[static_cast<size_t>(c.to)] = 0;
  for (const Copy& c : scattered_)
    entries_[static_cast<size_t>(c.to)] += entries_[static_cast<size_t>(c.from)];
  for (const Copy& c : hung_)
    values_[static_cast<size_t>(c.to)] = entries_[static_cast<size_t>(c.from)];
  for (size_t r = 0; r < rows_.size(); ++r)
    own_compliance_[r] = compliance_[static_cast<size_t>(conditions_[r])];
  if (!rest_) return;
  const MatrixSink to = rest_->sink();
  std::copy_n(values_.begin(), rest_values_, to.values);
  for (const Copy& c : rest_rows_) to.rows[c.to] = entries_[static_cast<size_t>(c.from)];
  for (size_t r = 0; r < kept_conditions_.size(); ++r)
    to.compliance[r] = compliance_[static_cast<size_t>(kept_conditions_[r])];
}

/// Inverse diagonals of H, by which rows are weighed.
void JointTree::find_scales() {
  const auto inverse = [](double entry) { return entry != 0 ? 1 / std::abs(entry) : 0; };
  for (const TreeJoint& s : joints_) {
    const double* H = values_.data() + s.block;
    for (int i = 0; i < node_size; ++i)
      scales_[static_cast<size_t>(s.scale + i)] = inverse(H[(node_size + 1) * i]);
  }
  for (const Root& root : roots_) {
    const int* at = node_positions_.data() + 36L * kept_[static_cast<size_t>(root.node)];
    for (int i = 0; i < node_size; ++i)
      scales_[static_cast<size_t>(root.scale + i)] =
          inverse(values_[static_cast<size_t>(at[(node_size + 1) * i])]);
    std::fill_n(panels_.begin() + root.left, above_columns * node_size, 0.0);
  }
  for (const RowRoot& root : row_roots_)
    std::fill_n(panels_.begin() + root.left, above_columns * node_size, 0.0);
}

/// What the trees leave at their roots goes to the sparse solver.
void JointTree::hand_on() {
  for (const Root& root : roots_) {
    double block[36];
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        block[node_size * j + i] = panels_[static_cast<size_t>(root.left + above_columns * j + i)];
    add_node_block(rest_->sink(), root.node, block);
  }
  for (const RowRoot& root : row_roots_)
    rest_->sink().compliance[root.row] -= panels_[static_cast<size_t>(root.left)];
}

FactorStatus JointTree::factor() {
  by_whole_ = false;
  gather_rows();
  find_scales();
  pivots_ = {std::numeric_limits<double>::infinity(), 0, -1, 0, true};
  kernels().factor_tree(numbers(), pivots_);
  report_ = {};
  report_.residual = -1;
  if (rest_) {
    hand_on();
    rest_->probing = probing;
    rest_->factor();
    report_ = rest_->report();
    if (report_.pivot_node >= 0)
      report_.pivot_node = kept_[static_cast<size_t>(report_.pivot_node)];
  } else {
    report_.smallest_pivot = std::numeric_limits<double>::infinity();
  }
  const double smallest = pivots_.smallest / pivots_.largest;
  if (!pivots_.finite || !(smallest > least_tree_pivot) || report_.status != FactorStatus::ok) {
    take_over();
    return report_.status;
  }
  if (report_.negative_pivots >= 0)
    report_.negative_pivots += pivots_.negative - static_cast<int>(rows_.size());
  if (!(smallest >= report_.smallest_pivot)) {
    report_.smallest_pivot = smallest;
    report_.pivot_node = pivots_.node;
  }
  return report_.status;
}

/// From here to the next factorization the sparse solver of the whole serves; false when it finds
/// the matrix singular, too.
bool JointTree::take_over() {
  if (!whole_) {
    whole_ = std::make_unique<SparseKkt>(structure_);
    whole_->use(*workers_);
    const MatrixSink from = sink(), to = whole_->sink();
    std::vector<char> seen(values_.size(), 0);
    const auto copy = [&](const int* own, const int* other, size_t count) {
      for (size_t i = 0; i < count; ++i)
        if (own[i] >= 0 && !seen[static_cast<size_t>(own[i])]) {
          seen[static_cast<size_t>(own[i])] = 1;
          whole_values_.push_back({own[i], other[i]});
        }
    };
    copy(from.node_positions, to.node_positions, node_positions_.size());
    copy(from.pair_positions, to.pair_positions, pair_positions_.size());
    copy(from.element_positions, to.element_positions,
         element_positions_size * structure_.elements.size());
  }
  const MatrixSink to = whole_->sink();
  whole_->clear();
  for (const Copy& c : whole_values_) to.values[c.to] += values_[static_cast<size_t>(c.from)];
  std::copy_n(entries_.begin(), structure_.condition_entries.size(), to.rows);
  std::copy(compliance_.begin(), compliance_.end(), to.compliance);
  whole_->probing = probing;
  by_whole_ = true;
  whole_->factor();
  report_ = whole_->report();
  return report_.status == FactorStatus::ok;
}

void JointTree::change_to_lu() {
  if (!by_whole_ && !take_over()) return;
  whole_->change_to_lu();
  report_.used_lu = whole_->report().used_lu;
}

/// Into r_.
void JointTree::split(std::span<const double> b) {
  const double* conditions = b.data() + structure_.coordinates();
  double largest[node_size] = {}, of_rows = 0;
  for (const TreeJoint& s : joints_) {
    double* to = r_.data() + s.y;
    const double* from = b.data() + static_cast<ptrdiff_t>(node_size) * s.node;
    for (int i = 0; i < node_size; ++i) {
      to[i] = from[i];
      largest[i] = std::max(largest[i], std::abs(from[i]));
    }
    const int* rows = conditions_.data() + s.first_row;
    for (int k = 0; k < s.rows; ++k) {
      const double c = conditions[rows[k]];
      to[node_size + k] = c;
      of_rows = std::max(of_rows, std::abs(c));
    }
  }
  rhs_[0] = *std::max_element(largest, largest + node_size);
  rhs_[1] = of_rows;
  std::fill_n(r_.begin() + rest_y_ - 8, 8, 0.0);
  double* rest = r_.data() + rest_y_;
  for (const int n : kept_) {
    std::copy_n(b.data() + static_cast<ptrdiff_t>(node_size) * n, node_size, rest);
    rest += node_size;
  }
  for (const int row : kept_conditions_) *rest++ = conditions[row];
}

void JointTree::join(std::span<double> b) const {
  double* conditions = b.data() + structure_.coordinates();
  for (const TreeJoint& s : joints_) {
    const double* from = x_.data() + s.y;
    std::copy_n(from, node_size, b.data() + static_cast<ptrdiff_t>(node_size) * s.node);
    for (int k = 0; k < s.rows; ++k)
      conditions[conditions_[static_cast<size_t>(s.first_row + k)]] = from[node_size + k];
  }
  const double* rest = x_.data() + rest_y_;
  for (const int n : kept_) {
    std::copy_n(rest, node_size, b.data() + static_cast<ptrdiff_t>(node_size) * n);
    rest += node_size;
  }
  for (const int row : kept_conditions_) conditions[row] = *rest++;
}

/// x becomes the solution for x, and r what it leaves of r; false where the rest has none.
bool JointTree::solve_tree(AlignedVector& x, AlignedVector& r, TreeResidual& left) {
  kernels().solve_tree_down(numbers(), x.data());
  bool solved = true;
  if (rest_) {
    const std::span<double> rest(x.data() + rest_y_, rest_x_.size());
    const LinearReport& report = rest_->solve(rest);
    solved = report.status == FactorStatus::ok;
    report_.used_lu = report.used_lu;
  }
  kernels().solve_tree_up(numbers(), x.data(), r.data(), left);
  return solved;
}

/// True where what x_ leaves is as small as rounding allows.
bool JointTree::is_small(const TreeResidual& left) const {
  return left.finite &&
         left.coordinates <= tree_tolerance * rhs_[0] + tree_rounding * left.coordinate_terms &&
         left.conditions <= tree_tolerance * rhs_[1] + tree_rounding * left.condition_terms;
}

/// The same, looked at more closely where it is not known yet: what x_ leaves becomes r_.
bool JointTree::settled(std::span<const double> b, TreeResidual& left, bool known) {
  if (!known || !is_small(left)) {
    split(b);
    kernels().tree_residual(numbers(), x_.data(), r_.data(), left);
  }
  const double largest = std::max(rhs_[0], rhs_[1]),
               most = std::max(left.coordinates, left.conditions);
  report_.residual = left.finite ? (largest > 0 ? most / largest : most) : HUGE_VAL;
  return is_small(left);
}

/// x_ for b; false when the residual stays too large.
bool JointTree::refine(std::span<const double> b) {
  TreeResidual left;
  split(b);
  x_ = r_;
  if (!solve_tree(x_, r_, left)) return false;
  const double of_rest = rest_ ? rest_->report().residual : 0;
  for (int sweep = 0;; ++sweep) {
    const bool done = settled(b, left, sweep == 0), finite = std::isfinite(report_.residual);
    report_.residual = std::max(report_.residual, of_rest);
    if (done) return true;
    if (sweep == tree_sweeps || !finite) return false;
    std::fill(r_.begin() + rest_y_ - 8, r_.end(), 0.0);  // the rest has been refined
    change_ = r_;
    if (!solve_tree(change_, r_, left)) return false;
    for (size_t i = 0; i < x_.size(); ++i) x_[i] += change_[i];
  }
}

const LinearReport& JointTree::solve(std::span<double> b) {
  if (!by_whole_) {
    report_.status = FactorStatus::ok;
    if (refine(b)) {
      join(b);
      return report_;
    }
    take_over();
  }
  return report_ = whole_->solve(b);
}

/// Of the nodes that stay, which alone have fixed coordinates; none of them is above a tree.
void JointTree::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  if (structure_.fixed.empty()) return;
  for (size_t r = 0; r < kept_.size(); ++r)
    std::copy_n(x.data() + static_cast<ptrdiff_t>(node_size) * kept_[r], node_size,
                rest_x_.begin() + static_cast<ptrdiff_t>(node_size * r));
  rest_->fixed_rows_times(rest_x_, out);
}

std::unique_ptr<LinearSolver> make_tree_solver(const SystemStructure& structure) {
  if (structure.symmetric && structure.scalars == 0 && !find_joint_leaves(structure).empty())
    return std::make_unique<JointTree>(structure);
  return std::make_unique<SparseKkt>(structure);
}

}  // namespace hawser
