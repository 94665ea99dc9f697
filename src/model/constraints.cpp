#include <fmt/format.h>

#include <Eigen/Dense>
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

/// A node of a cable; `what`, such as "the pin at ", precedes its name in messages.
ErrorObject node_object(const ModelData& model, int node, const std::string& what = {}) {
  for (size_t i = 0; i < model.cables.size(); ++i) {
    const CableSpan& span = model.cables[i];
    const std::string& name = model.scene.cables[i].name;
    if (node >= span.first_node && node <= span.first_node + span.elements)
      return {"cable", name,
              fmt::format("{}node {} of cable '{}'", what, node - span.first_node, name)};
  }
  return what + "?";
}

/// sum factor_i q_i = value(t), kept with a multiplier.
struct Condition {
  ErrorObject owner;
  std::vector<std::pair<int, double>> terms;  ///< coordinate, factor
  Signal value;
  bool between_nodes = false;  ///< ties nodes to each other: no force from outside
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

/// Collects constraints; one coordinate may be held by several that agree (a clamp and a pin on
/// the same node), never by two that do not.
class Collector {
 public:
  explicit Collector(const ModelData& model) : model_(model) {}

  void fix(int coordinate, const Signal& value, const ErrorObject& owner) {
    const auto [at, fresh] =
        fixed_.try_emplace(coordinate, HeldCoordinate{coordinate, value, owner});
    if (!fresh && !at->second.value.same_as(value))
      throw Error(
          node_object(model_, coordinate / node_size).at(coordinate_name(coordinate)),
          fmt::format("{} and {} prescribing different values", at->second.owner.text, owner.text),
          "one value for each coordinate at any time", "Remove one of them.");
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

void pin(const ModelData& model, Collector& out, int node, const ErrorObject& owner) {
  for (int i = 0; i < 3; ++i) {
    const int c = node_size * node + i;
    out.fix(c, model.q0[static_cast<size_t>(c)], owner);
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
void check_rank(const Holding& holding) {
  const auto& rows = holding.conditions;
  if (rows.empty()) return;
  std::map<int, int> column;
  for (const auto& row : rows)
    for (const auto& [c, f] : row.terms)
      if (!holding.fixes(c)) column.try_emplace(c, static_cast<int>(column.size()));
  const auto m = static_cast<Eigen::Index>(rows.size());
  const auto n = static_cast<Eigen::Index>(std::max<size_t>(column.size(), 1));
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(n, m);  // a column for each condition
  for (Eigen::Index r = 0; r < m; ++r)
    for (const auto& [c, f] : rows[static_cast<size_t>(r)].terms)
      if (const auto at = column.find(c); at != column.end()) G(at->second, r) += f;
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

/// Positions of joined nodes are the same: three conditions each. Nodes that are together by
/// others already, or held both, would be joined twice.
void join_nodes(const ModelData& model, Holding& holding) {
  constexpr int ground = -1;
  std::map<int, int> parent;
  const auto root = [&](int node) {
    while (parent.contains(node)) node = parent[node];
    return node;
  };
  for (const HeldCoordinate& f : holding.fixed)
    if (f.coordinate % node_size < 3) parent[f.coordinate / node_size] = ground;
  for (const Junction& j : model.scene.junctions) {
    const int a = find_node(model, j.first, "junction"), b = find_node(model, j.second, "junction");
    ErrorObject owner = node_object(model, a, "the junction of ");
    owner.text += " and " + node_object(model, b).text;
    if (root(a) == root(b))
      throw Error(owner, "nodes that are already joined, or both held", "two independent nodes",
                  "Remove it.");
    parent[root(a) == ground ? root(b) : root(a)] = root(a) == ground ? ground : root(b);
    for (int k = 0; k < 3; ++k)
      holding.conditions.push_back(
          {owner, {{node_size * a + k, 1.0}, {node_size * b + k, -1.0}}, 0.0, true});
  }
}

void add_constraints(ModelData& model, Holding holding) {
  if (!holding.fixed.empty())
    model.constraints.push_back(std::make_shared<Supports>(std::move(holding.fixed)));
  std::vector<LinearRows::Row> rows;
  for (const Condition& condition : holding.conditions) {
    RowInfo info;
    info.owner = condition.owner.text;
    info.support = !condition.between_nodes;
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

bool turns(const Clamp& c) { return !c.turn.is_constant(); }

void compile_constraints(ModelData& model) {
  const Scene& scene = model.scene;
  Collector out(model);
  for (const Pin& p : scene.pins) {
    const int node = find_node(model, p.at, "pin");
    pin(model, out, node, node_object(model, node, "the pin at "));
  }
  for (const Clamp& c : scene.clamps) {
    const int node = find_node(model, c.at, "clamp");
    const ErrorObject owner = node_object(model, node, "the clamp at ");
    if (c.position) pin(model, out, node, owner);
    if (!c.position) require_slope(model, c.at, "clamp with free position");
    if (!model.structure.is_narrow(node) && !turns(c)) clamp_direction(model, out, node, owner);
  }
  for (const Motion& m : scene.motions) {
    const int node = find_node(model, m.at, "motion");
    if (m.coordinate >= Coordinate::slope_x) require_slope(model, m.at, "motion");
    out.fix(node_size * node + static_cast<int>(m.coordinate), m.value,
            node_object(model, node, "the motion of "));
  }
  for (const LinearCondition& c : scene.conditions) {
    Condition row{{"condition", c.name}, {}, c.value};
    for (const auto& term : c.terms) {
      if (term.coordinate >= Coordinate::slope_x) require_slope(model, term.at, row.owner);
      row.terms.emplace_back(
          node_size * find_node(model, term.at, row.owner) + static_cast<int>(term.coordinate),
          term.factor);
    }
    out.add(std::move(row));
  }
  Holding holding = out.finish();
  check_rank(holding);
  join_nodes(model, holding);
  check_start(model, holding);
  add_constraints(model, std::move(holding));
}

}  // namespace hawser
