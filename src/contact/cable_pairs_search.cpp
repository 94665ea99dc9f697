// Which parts of cables are close: the end of State::contacts as it changes between steps.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/cable_contact.h"
#include "contact/cable_pairs.h"
#include "contact/close_grid.h"

namespace hawser {
namespace {

using Eigen::Vector3d;

/// What a step must know, beside its motion: parts nearer to each other than this times R.
constexpr double step_reach = 1.5;
/// What is looked out for, so that the pairs serve for several steps.
constexpr double list_reach = 3;
constexpr double list_steps = 4;

Eigen::AlignedBox3d swept_box(const StraightPart& part, const StraightPart& rate, double time,
                              double margin) {
  Eigen::AlignedBox3d out(part.end[0]);
  out.extend(part.end[1]);
  for (size_t i = 0; i < 2; ++i) out.extend(Vector3d(part.end[i] + time * rate.end[i]));
  out.min().array() -= margin;
  out.max().array() += margin;
  return out;
}

/// Of pairs in order, those that are near; all of them are listed.
void mark_near(const std::vector<std::pair<int, int>>& near, double* listed) {
  for (const auto& both : near) {
    while (std::pair(static_cast<int>(listed[0]), static_cast<int>(listed[1])) != both)
      listed += PartPair::size;
    PartPair pair = PartPair::read(listed);
    pair.near = true;
    pair.write(listed);
  }
}

}  // namespace

double CablePairs::arc(int number) const {
  const PartPlace& at = places_[static_cast<size_t>(number)];
  const MeetingRun& run = run_of(number);
  return run.arc_start + run.length * (at.element * run.parts() + at.index + 0.5);
}

bool CablePairs::joined(int first, int second) const {
  const MeetingRun &a = run_of(first), &b = run_of(second);
  const double apart = std::numbers::pi * (a.radius + b.radius) + (a.length + b.length) / 2;
  if (a.cable == b.cable && std::abs(arc(first) - arc(second)) < apart) return true;
  const PartPlace &p = places_[static_cast<size_t>(first)],
                  &o = places_[static_cast<size_t>(second)];
  if (p.run == o.run && p.element == o.element) return true;
  const auto before = [](const SharedPoint& x, const std::pair<int, int>& cables) {
    return std::pair(x.first, x.second) < cables;
  };
  const std::pair cables(std::min(a.cable, b.cable), std::max(a.cable, b.cable));
  const double on_low = a.cable == cables.first ? arc(first) : arc(second),
               on_high = a.cable == cables.first ? arc(second) : arc(first);
  for (auto at = std::lower_bound(meetings_.shared.begin(), meetings_.shared.end(), cables, before);
       at != meetings_.shared.end() && std::pair(at->first, at->second) == cables; ++at) {
    if (std::abs(on_low - at->at_first) + std::abs(on_high - at->at_second) < apart) return true;
    if (a.cable == b.cable &&
        std::abs(on_high - at->at_first) + std::abs(on_low - at->at_second) < apart)
      return true;
  }
  return false;
}

/// search.pairs: the parts that come nearer than `margin` R to each other within a time at their
/// velocities, in order. The motion of all of them together does not count.
void CablePairs::find_close(const Configuration& at, double time, double margin,
                            CloseSearch& search) const {
  const int count = parts();
  Vector3d mean = Vector3d::Zero();
  for (const MeetingRun& run : meetings_.runs)
    for (int i = 0; i <= run.elements; ++i)
      mean += Eigen::Map<const Vector3d>(at.v + node_size * (run.first_node + i)) /
              (run.elements + 1) / static_cast<double>(meetings_.runs.size());
  const auto rate_of = [&](int number) {
    StraightPart rate = part(number, at.v);
    for (Vector3d& v : rate.end) v -= mean;
    return rate;
  };
  search.boxes.resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    search.boxes[static_cast<size_t>(i)] =
        swept_box(part(i, at.q), rate_of(i), time, margin * run_of(i).radius);
  find_overlaps(search, [&](int a, int b) {
    if (law(a, b) == nullptr || joined(a, b)) return false;
    const StraightPart va = rate_of(a), vb = rate_of(b);
    double fastest = 0;
    for (const Vector3d& v : va.end)
      for (const Vector3d& w : vb.end) fastest = std::max(fastest, (v - w).norm());
    const double R = run_of(a).radius + run_of(b).radius;
    return facing(part(a, at.q), part(b, at.q), 0).distance < margin * R + time * fastest;
  });
  std::sort(search.pairs.begin(), search.pairs.end());
}

void CablePairs::find_pairs(const Configuration& at, double h, bool anew, CloseSearch& search,
                            std::vector<double>& contacts) const {
  const auto offset = static_cast<size_t>(meetings_.offset);
  if (contacts.size() < offset + head) contacts.resize(offset + head, 0);
  std::vector<double>& old = search.kept;
  old.assign(contacts.begin() + static_cast<long>(offset + head), contacts.end());
  size_t i = 0;
  const auto listed = [&](const std::pair<int, int>& both) {
    const auto names = [&] {
      return std::pair(static_cast<int>(old[i]), static_cast<int>(old[i + 1]));
    };
    while (i < old.size() && names() < both) i += PartPair::size;
    return i < old.size() && names() == both;
  };
  if (!anew) {
    find_close(at, h, step_reach, search);
    if (std::all_of(search.pairs.begin(), search.pairs.end(), listed)) {
      mark_near(search.pairs, contacts.data() + offset + head);
      return;
    }
    i = 0;
  }
  find_close(at, list_steps * h, list_reach, search);
  contacts.resize(offset + head + PartPair::size * search.pairs.size());
  double* next = contacts.data() + offset + head;
  contacts[offset + head - 1] = static_cast<double>(search.pairs.size());
  for (const auto& both : search.pairs) {
    PartPair pair{both.first, both.second, {}};
    if (listed(both)) pair = PartPair::read(old.data() + i);
    pair.near = false;
    pair.write(next);
    next += PartPair::size;
  }
  find_close(at, list_steps * h, step_reach, search);
  mark_near(search.pairs, contacts.data() + offset + head);
}

void CablePairs::couple(const double* contacts, NodePairs& out) const {
  const std::span<const double> all = pairs(contacts);
  for (size_t i = 0; i < all.size(); i += PartPair::size) {
    const PartPair pair = PartPair::read(all.data() + i);
    if (!pair.near) continue;
    Meeting m;
    m.first = pair.first;
    m.second = pair.second;
    const int first = run_of(m.first).first_node + places_[static_cast<size_t>(m.first)].element,
              second = run_of(m.second).first_node + places_[static_cast<size_t>(m.second)].element;
    for (const int a : {first, first + 1})
      for (const int b : {second, second + 1})
        if (a != b && element_between(m, a, b) < 0)
          out.emplace_back(std::min(a, b), std::max(a, b));
  }
}

CablePairs::Overlap CablePairs::deepest(const std::vector<double>& q) const {
  CloseSearch search;
  const std::vector<double> still(q.size(), 0);
  find_close({{0, {}}, q.data(), still.data(), nullptr}, 0, 1, search);
  Overlap out;
  for (const auto& [first, second] : search.pairs) {
    const double gap = facing(part(first, q.data()), part(second, q.data()), 0).distance -
                       run_of(first).radius - run_of(second).radius;
    if (gap < out.gap) out = {gap, first, second};
  }
  return out;
}

}  // namespace hawser
