#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>

#include "constraints/linear_rows.h"
#include "constraints/supports.h"
#include "hawser/error.h"
#include "model/model_data.h"

namespace hawser {
namespace {

const char* coordinate_name(int c) {
  constexpr const char* names[] = {"x", "y", "z", "slope x", "slope y", "slope z"};
  return names[c % node_size];
}

/// A node of a cable; `what`, such as "the junction of ", precedes its name in messages.
ErrorObject node_object(const ModelData& model, int node, const std::string& what = {}) {
  for (size_t i = 0; i < model.cables.size(); ++i) {
    const CableSpan& span = model.cables[i];
    const std::string& name = model.scene.cables[i].name;
    if (node >= span.first_node && node < span.first_node + span.nodes)
      return {
          "cable", name,
          what +
              Place::at(name, model.mesh.s[i][static_cast<size_t>(node - span.first_node)]).text()};
  }
  return what + "?";
}

/// sum factor_i q_i = value(t), kept with a multiplier.
struct Condition {
  ErrorObject owner;
  std::vector<std::pair<int, double>> terms;  ///< coordinate, factor
  Signal value;
};

/// What a scene holds, before it becomes constraints.
struct Holding {
  std::vector<HeldCoordinate> fixed;  ///< increasing coordinate
  std::vector<Condition> conditions;

  [[nodiscard]] bool fixes(int coordinate) const {
    const auto before = [](const HeldCoordinate& f, int c) { return f.coordinate < c; };
    const auto at = std::lower_bound(fixed.begin(), fixed.end(), coordinate, before);
    return at != fixed.end() && at->coordinate == coordinate;
  }
};

/// Collects what supports hold: coordinates, and conditions where these are not held one by one.
class Collector {
 public:
  explicit Collector(const ModelData& model) : model_(model) {}

  void fix(int coordinate, const Signal& value, const ErrorObject& owner) {
    fixed_.try_emplace(coordinate, HeldCoordinate{coordinate, value, owner});
  }

  void condition(Condition row) {
    if (row.terms.size() == 1 && row.terms[0].second != 0 && row.value.is_constant())
      return fix(row.terms[0].first, row.value.at(model_.start()).value / row.terms[0].second,
                 row.owner);
    add(std::move(row));
  }
  void add(Condition row) { conditions_.push_back(std::move(row)); }

  Holding finish() {
    Holding out{{}, std::move(conditions_)};
    for (auto& [coordinate, f] : fixed_) out.fixed.push_back(std::move(f));
    return out;
  }

 private:
  const ModelData& model_;
  std::map<int, HeldCoordinate> fixed_;
  std::vector<Condition> conditions_;
};

/// position + displacement of a support along one axis.
Signal path_along(const Support& support, int axis) {
  const double base = support.position[axis];
  const Signal& d = support.motion[static_cast<size_t>(axis)];
  if (d.is_constant()) return base + d.at({0, {}}).value;
  return Signal::of_inputs(
      [base, d](const Instant& now) {
        Signal::Sample s = d.at(now);
        s.value += base;
        return s;
      },
      d.inputs(), d.kinks());
}

/// n . (x, y, z)
Signal projected(const Vec3& n, const std::array<Signal, 3>& parts) {
  const auto sum = [n, parts](const Instant& now) {
    Signal::Sample out{0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      const Signal::Sample s = parts[static_cast<size_t>(k)].at(now);
      out.value += n[k] * s.value;
      out.rate += n[k] * s.rate;
      out.acceleration += n[k] * s.acceleration;
    }
    return out;
  };
  std::vector<double> kinks;
  std::vector<size_t> inputs;
  bool constant = true;
  for (const Signal& s : parts) {
    constant = constant && s.is_constant();
    kinks.insert(kinks.end(), s.kinks().begin(), s.kinks().end());
    inputs.insert(inputs.end(), s.inputs().begin(), s.inputs().end());
  }
  return constant ? Signal(sum({0, {}}).value) : Signal::of_inputs(sum, inputs, kinks);
}

/// What a support does with a node: it holds all three coordinates where the node is, or moves
/// them.
void hold(const ModelData& model, Collector& out, const Hold& held, const Support& support,
          const ErrorObject& owner) {
  for (int k = 0; k < 3; ++k) {
    const int c = node_size * held.node + k;
    if (moves(support))
      out.fix(c, path_along(support, k), owner);
    else
      out.fix(c, model.q0[static_cast<size_t>(c)], owner);
  }
}

/// Held across a direction only: two coordinates, or two conditions n . r = n . position.
void slide(Collector& out, const Hold& held, const Support& support, const ErrorObject& owner) {
  const Vec3 d = support.slides->normalized();
  const int first = node_size * held.node;
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(std::abs(d[axis]) - 1) < 1e-12) {
      for (int k = 0; k < 3; ++k)
        if (k != axis) out.fix(first + k, path_along(support, k), owner);
      return;
    }
  const Vec3 one = d.unitOrthogonal(), other = d.cross(one);
  for (const Vec3& n : {one, other}) {
    Condition row{owner, {}, 0.0};
    for (int k = 0; k < 3; ++k) row.terms.emplace_back(first + k, n[k]);
    row.value =
        projected(n, {path_along(support, 0), path_along(support, 1), path_along(support, 2)});
    out.add(std::move(row));
  }
}

/// The slope keeps its direction: two components across it stay zero. Along an axis that fixes
/// coordinates; otherwise two conditions n . r' = 0.
void clamp_direction(const ModelData& model, Collector& out, int node, const ErrorObject& owner) {
  const int first = node_size * node + 3;
  const Vec3 slope(model.q0[static_cast<size_t>(first)], model.q0[static_cast<size_t>(first + 1)],
                   model.q0[static_cast<size_t>(first + 2)]);
  const Vec3 t = slope.normalized();
  int axis = -1;
  for (int i = 0; i < 3; ++i)
    if (std::abs(std::abs(t[i]) - 1) < 1e-14) axis = i;
  if (axis >= 0) {
    for (int i = 0; i < 3; ++i)
      if (i != axis) out.fix(first + i, model.q0[static_cast<size_t>(first + i)], owner);
    return;
  }
  const Vec3 n1 = t.unitOrthogonal(), n2 = t.cross(n1);
  for (const Vec3& n : {n1, n2}) {
    Condition row{owner, {}, 0.0};
    for (int i = 0; i < 3; ++i)
      if (n[i] != 0) row.terms.emplace_back(first + i, n[i]);
    out.condition(std::move(row));
  }
}

/// Conditions must be independent once the fixed coordinates are taken out.
void check_rank(const DofMap& dofs, const Holding& holding) {
  const auto& rows = holding.conditions;
  if (rows.empty()) return;
  std::map<int, int> column;
  for (const auto& row : rows)
    for (const auto& [c, f] : row.terms)
      if (const int own = dofs.leader(c); !holding.fixes(own))
        column.try_emplace(own, static_cast<int>(column.size()));
  const auto m = static_cast<Eigen::Index>(rows.size());
  const auto n = static_cast<Eigen::Index>(std::max<size_t>(column.size(), 1));
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(n, m);  // a column for each condition
  for (Eigen::Index r = 0; r < m; ++r)
    for (const auto& [c, f] : rows[static_cast<size_t>(r)].terms)
      if (const auto at = column.find(dofs.leader(c)); at != column.end()) G(at->second, r) += f;
  for (Eigen::Index r = 0; r < m; ++r) {  // modified Gram-Schmidt names the dependent one
    const double before = G.col(r).norm();
    Eigen::VectorXd rest = G.col(r);
    std::string others;
    for (Eigen::Index k = 0; k < r; ++k) {
      const double along = G.col(k).dot(rest);
      if (std::abs(along) > 1e-9 * before)
        others += (others.empty() ? "" : ", ") + rows[static_cast<size_t>(k)].owner.text;
      rest -= along * G.col(k);
    }
    if (!(rest.norm() > 1e-10 * std::max(before, 1e-300))) {
      if (others.empty()) others = "the coordinates already held there";
      throw Error(rows[static_cast<size_t>(r)].owner,
                  "a condition that is redundant with, or contradicts, " + others,
                  "independent conditions", "Remove it.");
    }
    G.col(r) = rest.normalized();
  }
}

/// What is prescribed at t = 0 must be where the cable starts, or the first step would tear it
/// there.
void check_start(const ModelData& model, const Holding& holding) {
  const auto differ = [&](double start, double asked) {
    return !(std::abs(start - asked) <= 1e-9 * (model.total_length + std::abs(start)));
  };
  const auto refuse = [](const ErrorObject& held, double start, double asked) {
    throw Error(held, fmt::format("{:g} prescribed at t = 0", asked),
                fmt::format("{:g}, the initial value of the cable", start),
                "Change the initial shape of the cable, or start the motion at this value.");
  };
  for (const HeldCoordinate& f : holding.fixed) {
    const double start = model.q0[static_cast<size_t>(f.coordinate)],
                 asked = f.value.at(model.start()).value;
    if (differ(start, asked)) refuse(f.owner.at(coordinate_name(f.coordinate)), start, asked);
  }
  for (const Condition& row : holding.conditions) {
    double start = 0;
    for (const auto& [c, f] : row.terms) start += f * model.q0[static_cast<size_t>(c)];
    const double asked = row.value.at(model.start()).value;
    if (differ(start, asked)) refuse(row.owner, start, asked);
  }
}

/// The ends of a closed ancf cable also have one slope.
void share_slopes(ModelData& model) {
  auto& shared = model.structure.shared;
  for (size_t i = 0; i < model.cables.size(); ++i) {
    const CableSpan& span = model.cables[i];
    const Cable& cable = model.scene.cables[i];
    if (!cable.closed || cable.model != CableModel::ancf) continue;
    for (int k = 3; k < node_size; ++k)
      shared.push_back(
          {node_size * (span.first_node + span.nodes - 1) + k, node_size * span.first_node + k});
  }
  std::sort(shared.begin(), shared.end(),
            [](const auto& a, const auto& b) { return a.follower < b.follower; });
}

/// Joined nodes have one position, as have the two where a slope jumps: the others follow one of
/// them, the held one where there is one.
/// Nodes that are together by others already, or held both, would be joined twice.
void join_nodes(ModelData& model, const Holding& holding) {
  std::map<int, int> parent;
  const auto root = [&](int node) {
    while (parent.contains(node)) node = parent[node];
    return node;
  };
  const auto is_held = [&](int node) {
    return holding.fixes(node_size * node) || holding.fixes(node_size * node + 1) ||
           holding.fixes(node_size * node + 2);
  };
  for (const SplitNode& split : model.splits) parent[split.node + 1] = split.node;
  for (const Junction& j : model.scene.junctions) {
    const int a = find_node(model, j.first, "junction"), b = find_node(model, j.second, "junction");
    int leader = root(a), other = root(b);
    if (leader == other || (is_held(leader) && is_held(other))) {
      ErrorObject owner = node_object(model, a, "the junction of ");
      owner.text += " and " + node_object(model, b).text;
      throw Error(owner, "nodes that are already joined, or both held", "two independent nodes",
                  "Remove it.");
    }
    if (is_held(other)) std::swap(leader, other);
    parent[other] = leader;
  }
  for (size_t i = 0; i < model.cables.size(); ++i)
    if (model.scene.cables[i].closed)
      parent[model.cables[i].first_node + model.cables[i].nodes - 1] =
          root(model.cables[i].first_node);
  auto& shared = model.structure.shared;
  for (const auto& [node, next] : parent)
    for (int k = 0; k < 3; ++k)
      shared.push_back({node_size * node + k, node_size * root(next) + k});
  share_slopes(model);
  model.structure.spread(model.q0.data());
}

void add_constraints(ModelData& model, Holding holding) {
  if (!holding.fixed.empty())
    model.constraints.push_back(std::make_shared<Supports>(std::move(holding.fixed)));
  std::vector<LinearRows::Row> rows;
  for (const Condition& condition : holding.conditions) {
    RowInfo info;
    info.owner = condition.owner.text;
    info.support = true;
    info.moves = !condition.value.is_constant();
    std::vector<int> coordinates;
    for (const auto& [c, f] : condition.terms) {
      coordinates.push_back(c);
      info.factors.push_back(f);
    }
    rows.push_back({add_row(model, std::move(info), std::move(coordinates)), condition.value});
  }
  if (!rows.empty()) model.constraints.push_back(std::make_shared<LinearRows>(std::move(rows)));
}

}  // namespace

void compile_constraints(ModelData& model) {
  const Scene& scene = model.scene;
  Collector out(model);
  const auto for_supports = [&](const auto& use) {
    for (const Hold& held : model.holds) {
      if (held.at.support < 0 || held.node < 0) continue;
      const Support& support = scene.supports[static_cast<size_t>(held.at.support)];
      const std::string& cable = scene.cables[static_cast<size_t>(held.cable)].name;
      use(held, support,
          ErrorObject("cable", cable,
                      fmt::format("support '{}' of cable '{}'", support.name, cable)));
    }
  };
  for_supports([&](const Hold& held, const Support& support, const ErrorObject& owner) {
    if (!support.slides) hold(model, out, held, support, owner);
    if (held.direction && !turns(support)) clamp_direction(model, out, held.slope, owner);
  });
  for_supports([&](const Hold& held, const Support& support, const ErrorObject& owner) {
    if (support.slides) slide(out, held, support, owner);
  });
  for (const LinearCondition& c : scene.conditions) {
    Condition row{{"condition", c.name}, {}, c.value};
    for (const auto& term : c.terms) {
      if (term.coordinate >= Coordinate::slope_x) require_slope(model, term.at, row.owner);
      int node = find_node(model, term.at, row.owner);
      if (term.coordinate >= Coordinate::slope_x) node = slope_node(model, node);
      row.terms.emplace_back(node_size * node + static_cast<int>(term.coordinate), term.factor);
    }
    out.add(std::move(row));
  }
  Holding holding = out.finish();
  join_nodes(model, holding);
  check_rank(model.structure, holding);
  check_start(model, holding);
  add_constraints(model, std::move(holding));
}

}  // namespace hawser
