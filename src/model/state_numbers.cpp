// Where numbers of a state are in that of a model in which other cables are massless.
#include <algorithm>
#include <map>
#include <string>

#include "model/fidelity.h"
#include "model/model_data.h"

namespace hawser {
namespace {

/// Rows by their owner, and among its own by their order.
std::vector<int> rows_by_owner(const ModelData& from, const ModelData& to) {
  std::map<std::string, std::vector<int>> rows;
  for (size_t r = 0; r < from.rows.size(); ++r)
    rows[from.rows[r].owner].push_back(static_cast<int>(r));
  std::map<std::string, size_t> next;
  std::vector<int> out;
  for (const RowInfo& row : to.rows) {
    const auto own = rows.find(row.owner);
    const size_t i = next[row.owner]++;
    out.push_back(own != rows.end() && i < own->second.size() ? own->second[i] : -1);
  }
  return out;
}

/// The scalars of flows come first, cable by cable.
std::vector<int> scalars_by_cable(const ModelData& from, const ModelData& to) {
  const auto of_cables = [](const ModelData& model) {
    std::vector<std::vector<int>> out(model.cables.size());
    for (const HandOver& h : model.hand_overs) {
      std::vector<int>& own = out[static_cast<size_t>(h.cable)];
      own.push_back(h.scalar);
      if (h.leaving != h.scalar) own.push_back(h.leaving);
    }
    return out;
  };
  const auto was = of_cables(from), is = of_cables(to);
  std::vector<int> out(static_cast<size_t>(to.structure.scalars), -1);
  int flows_before = 0, flows_now = 0;
  for (size_t c = 0; c < is.size(); ++c) {
    for (size_t i = 0; i < is[c].size() && was[c].size() == is[c].size(); ++i)
      out[static_cast<size_t>(is[c][i])] = was[c][i];
    flows_before += static_cast<int>(was[c].size());
    flows_now += static_cast<int>(is[c].size());
  }
  for (int k = flows_now; k < to.structure.scalars; ++k)
    out[static_cast<size_t>(k)] = k - flows_now + flows_before;
  return out;
}

void copy_numbers(std::vector<int>& out, int to, int from, size_t count) {
  for (size_t i = 0; i < count; ++i) out[static_cast<size_t>(to) + i] = from + static_cast<int>(i);
}

template <class Item, class Same, class Use>
void for_same(const std::vector<Item>& from, const std::vector<Item>& to, const Same& same,
              const Use& use) {
  for (const Item& is : to)
    for (const Item& was : from)
      if (same(was, is)) use(was, is);
}

}  // namespace

StateNumbers::StateNumbers(const ModelData& from, const ModelData& to)
    : rows(rows_by_owner(from, to)),
      rubs(to.rubs.size(), -1),
      limited(to.limited.size(), -1),
      twist(to.mechanism.routes.size(), -1),
      run_length(to.mechanism.run_length.size(), -1),
      wrap(to.mechanism.wrap.size(), -1),
      scalars(scalars_by_cable(from, to)) {
  const Mechanism &was = from.mechanism, &is = to.mechanism;
  for (size_t c = 0; c < to.cables.size(); ++c) {
    const bool massless = to.mesh.s[c].empty();
    if (massless != from.mesh.s[c].empty()) (massless ? tautened : slackened).push_back(c);
  }
  for (size_t i = 0; i < to.rubs.size(); ++i)
    for (size_t k = 0; k < from.rubs.size(); ++k)
      if (from.rubs[k].before == rows[static_cast<size_t>(to.rubs[i].before)])
        rubs[i] = static_cast<int>(k);
  for (size_t i = 0; i < to.limited.size(); ++i)
    for (size_t k = 0; k < from.limited.size(); ++k)
      if (from.limited[k] == rows[static_cast<size_t>(to.limited[i])])
        limited[i] = static_cast<int>(k);
  for (size_t i = 0; i < is.angles.size(); ++i)
    wrap[static_cast<size_t>(is.angles[i].wrap)] = was.angles[i].wrap;
  const auto same_cable = [](const auto& a, const auto& b) { return a.cable == b.cable; };
  for_same(was.routes, is.routes, same_cable, [&](const RouteData& a, const RouteData& b) {
    twist[static_cast<size_t>(&b - is.routes.data())] = static_cast<int>(&a - was.routes.data());
    copy_numbers(run_length, b.first_run, a.first_run, b.runs.size());
    const auto same_stop = [](const StopData& s, const StopData& t) {
      return t.wrap >= 0 && s.number == t.number;
    };
    for_same(a.stops, b.stops, same_stop,
             [&](const StopData& s, const StopData& t) { copy_numbers(wrap, t.wrap, s.wrap, 2); });
  });
  const auto same_arc = [](const ArcData& a, const ArcData& b) {
    return a.cable == b.cable && a.stop == b.stop;
  };
  for_same(was.arcs, is.arcs, same_arc, [&](const ArcData& a, const ArcData& b) {
    if (b.radius > 0) copy_numbers(wrap, b.wrap, a.wrap, 2);
    if (b.rub >= 0) copy_numbers(run_length, b.run, a.run, 3);
  });
  const auto winch = [](const Mechanism& m, const DrumEndData& end) {
    return std::find_if(m.winches.begin(), m.winches.end(),
                        [&](const WinchData& w) { return w.coordinate() == end.drum.coordinate; }) -
           m.winches.begin();
  };
  const auto same_winch = [&](const DrumEndData& a, const DrumEndData& b) {
    return winch(was, a) == winch(is, b);
  };
  for_same(
      was.drum_ends, is.drum_ends, same_winch,
      [&](const DrumEndData& a, const DrumEndData& b) { copy_numbers(wrap, b.wrap, a.wrap, 1); });
}

}  // namespace hawser
