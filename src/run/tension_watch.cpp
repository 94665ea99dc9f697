#include "run/tension_watch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "elements/kernel_io.h"
#include "model/fidelity.h"
#include "model/model_data.h"
#include "model/sections.h"

namespace hawser {
namespace {

/// Calls `use(element, point, pack, lane)` for every axial point of a run.
template <class Use>
void for_each_point(const Fields& part, const State& state, const Use& use) {
  AxialPack pack;
  for (int p = 0; p < part.run.packs(); ++p) {
    part.axial(state, p, pack);
    for (int e = 4 * p; e < std::min(4 * p + 4, part.run.elements); ++e)
      for (int g = 0; g < part.run.axial_points; ++g) use(e, g, pack, e % 4);
  }
}

/// The smallest of the breaking loads that are known; 0: none is [N].
double weakest(const Cable& cable) {
  double least = 0;
  for (const Section& s : cable.sections)
    if (s.breaking_load > 0 && (least == 0 || s.breaking_load < least)) least = s.breaking_load;
  return least;
}

double softest(const Cable& cable) {
  double EA = cable.sections[0].EA;
  for (const Section& s : cable.sections) EA = std::min(EA, s.EA);
  return EA;
}

bool bends_freely(const Cable& cable) {
  return std::any_of(cable.sections.begin(), cable.sections.end(),
                     [](const Section& s) { return s.EI == 0; });
}

/// At which an element buckles between its nodes, pi^2 EI/l^2 (Euler): its mesh has no shorter bow.
double euler_load(const Section& section, const ElementRun& run) {
  return run.curved && !run.flows ? section.EI * std::pow(std::numbers::pi / run.length, 2) : 0;
}

/// Rate at which a bow between the nodes grows at the axial force N: for a beam of mass m per
/// length under -N, w = sin(k x) e^(sigma t) gives sigma^2 = k^2 (-N - EI k^2)/m with k = pi/l
/// [1/s]. 0: it does not grow, or the elements do not bend.
double growth_rate(const Section& section, const ElementRun& run, double N) {
  const double load = euler_load(section, run);
  if (!(load > 0) || !(-N > load)) return 0;
  return std::numbers::pi / run.length * std::sqrt((-N - load) / section.mass);
}

/// A bow of a thousandth of an element has grown to more than its length.
constexpr double column_growth = 10;

}  // namespace

TensionWatch::TensionWatch(const Model& model)
    : model_(model),
      seen_(model.scene().cables.size()),
      weight_(seen_.size(), -1),
      limit_(seen_.size(), 0) {
  for (size_t i = 0; i < seen_.size(); ++i) {
    const Cable& c = model.scene().cables[i];
    limit_[i] = c.model == CableModel::massless ? weakest(c) : common_breaking_load(c);
    const CableModel elements = c.when_slack ? c.when_slack->model : c.model;
    const bool limp = elements == CableModel::np_fem
                          ? !c.tension_only
                          : elements == CableModel::ancf && bends_freely(c);
    if (!limp) continue;
    double mass = c.when_slack ? c.sections[0].mass * CableWay::unpaid(model.data(), i) : 0;
    for (const Fields* part : model.data().fields_of(static_cast<int>(i)))
      if (!c.when_slack) mass += model.data().section_of(part->run).mass * part->run.whole_length();
    weight_[i] = mass * model.scene().gravity.norm();
  }
  for (size_t i = 0; i < seen_.size(); ++i) make_room(i);
}

/// For the points of a cable.
void TensionWatch::make_room(size_t cable) {
  size_t points = 0;
  for (const Fields* part : model_.data().fields_of(static_cast<int>(cable))) {
    const auto size = static_cast<size_t>(part->run.point_size());
    points += size;
    if (scratch_.size() < size) scratch_.resize(size, 0);
  }
  seen_[cable].past.assign(4 * points, 0);
}

void TensionWatch::change_mesh(const Model& model) {
  const Mesh before = model_.mesh();
  model_ = model;
  for (size_t i = 0; i < seen_.size(); ++i) {
    if (model.mesh().s[i] == before.s[i]) continue;
    make_room(i);
    seen_[i].looks = 0;
  }
}

bool TensionWatch::pushes(size_t cable) const {
  const TensionSeen& seen = seen_[cable];
  return weight_[cable] >= 0 &&
         seen.smallest.tension < -0.01 * std::max(seen.largest.tension, weight_[cable]);
}

double TensionWatch::buckling_load(size_t cable, double s) const {
  double load = 0;
  for (const Fields* part : model_.data().fields_of(static_cast<int>(cable)))
    if (part->run.arc_start <= s) load = euler_load(model_.data().section_of(part->run), part->run);
  return load;
}

double TensionWatch::breaking_load(size_t cable, double s) const {
  if (limit_[cable] > 0) return limit_[cable];
  double load = 0;
  for (const Fields* part : model_.data().fields_of(static_cast<int>(cable)))
    if (part->run.arc_start <= s) load = model_.data().section_of(part->run).breaking_load;
  return load;
}

void TensionWatch::restore(const std::vector<TensionSeen>& seen) {
  assert(seen.size() == seen_.size());
  seen_ = seen;
}

const double* TensionWatch::forces(const Fields& part, const State& state) {
  if (state.axial_force_valid) return state.axial_force.data() + part.run.point_offset;
  for_each_point(part, state, [&](int e, int g, const AxialPack& pack, int lane) {
    scratch_[static_cast<size_t>(part.run.point(e, g))] = pack.force[g][lane];
  });
  return scratch_.data();
}

/// The last of the points with that axial force, which is among `forces` of the run.
TensionExtreme TensionWatch::at_force(const Fields& part, const State& state, const double* forces,
                                      double force) {
  const ElementRun& run = part.run;
  const int size = 4 * run.axial_points;  // of a pack
  TensionExtreme found;
  AxialPack pack;
  for (int p = run.packs() - 1; p >= 0; --p) {
    const double* own = forces + size * p;
    if (std::find(own, own + size, force) == own + size) continue;
    part.axial(state, p, pack);
    bool any = false;
    for (int e = 4 * p; e < std::min(4 * p + 4, run.elements); ++e)
      for (int g = 0; g < run.axial_points; ++g)
        if (pack.force[g][e % 4] == force) {
          found = {pack.tension[g][e % 4], part.arc(state.q.data(), e, run.place[g]), state.t};
          any = true;
        }
    if (any) break;
  }
  return found;
}

void TensionWatch::look_at_elements(size_t cable, const State& state) {
  TensionSeen& seen = seen_[cable];
  double squares = 0, growing = 0;
  size_t points = 0, at = 0;
  for (const Fields* part : model_.data().fields_of(static_cast<int>(cable))) {
    const ElementRun& run = part->run;
    const double* force = forces(*part, state);
    const ForceSeen now = kernels().elements->watch_force(
        {run.elements, run.axial_points, force, seen.past.data() + 4 * at});
    if (now.smallest < seen.smallest_force) {
      seen.smallest_force = now.smallest;
      seen.smallest = at_force(*part, state, force, now.smallest);
    }
    if (now.largest > seen.largest_force) {
      seen.largest_force = now.largest;
      seen.largest = at_force(*part, state, force, now.largest);
    }
    const double limit = limit_[cable] > 0 ? 0 : model_.data().section_of(run).breaking_load;
    if (limit > 0 && !seen.overloaded() && now.largest > limit / 2) {  // Green's N is below T
      const TensionExtreme most = at_force(*part, state, force, now.largest);
      if (most.tension > limit) seen.overload = most;
    }
    growing = std::max(growing, growth_rate(model_.data().section_of(run), run, now.smallest));
    squares += now.squares;
    points += static_cast<size_t>(run.elements * run.axial_points);
    at += static_cast<size_t>(run.point_size());
  }
  seen.growth = growing > 0 ? seen.growth + growing * (state.t - seen.looked) : 0;
  seen.looked = state.t;
  if (points == 0 || ++seen.looks <= 4) return;
  constexpr double forgets = 2e-4;  // a step: what waves did to each other long ago is over
  seen.unevenness =
      (1 - forgets) * seen.unevenness + std::sqrt(squares / static_cast<double>(points));
  seen.most_uneven = std::max(seen.most_uneven, seen.unevenness);
}

void TensionWatch::look_at_runs(const State& state) {
  const ModelData& model = model_.data();
  for (const RouteData& route : model.mechanism.routes) {
    TensionSeen& seen = seen_[static_cast<size_t>(route.cable)];
    for (const RunData& run : route.runs) {
      const double T = state.multipliers[static_cast<size_t>(run.row)];
      if (T < seen.smallest_force) {
        seen.smallest_force = T;
        seen.smallest = {T, 0, state.t};
      }
      const double most = std::max(T, state.row_largest[static_cast<size_t>(run.row)]);
      if (most > seen.largest_force) {
        seen.largest_force = most;
        seen.largest = {most, 0, state.t};
      }
      const Impact& impact = state.impacts[static_cast<size_t>(run.row)];
      if (impact.time >= 0 && impact.peak > seen.largest_force) {
        seen.largest_force = impact.peak;
        seen.largest = {impact.peak, 0, impact.time, true};
      }
    }
  }
}

int TensionWatch::tell_impact(const State& state, bool at_end) {
  constexpr double worth_telling = 1.02;  // of what the steps show
  for (const RouteData& route : model_.data().mechanism.routes) {
    TensionSeen& seen = seen_[static_cast<size_t>(route.cable)];
    for (const RunData& run : route.runs) {
      const Impact& impact = state.impacts[static_cast<size_t>(run.row)];
      if (seen.warned_of_impact || impact.time < 0 || (state.t < impact.until && !at_end) ||
          !(impact.peak > worth_telling * impact.shown))
        continue;
      seen.warned_of_impact = true;
      return run.row;
    }
  }
  return -1;
}

bool TensionWatch::look_for_crushing(size_t cable, const State& state) {
  constexpr double half = 0.5;
  TensionSeen& seen = seen_[cable];
  // Half the length is a strain of -1/2, or -3/8 by Green.
  if (seen.crushing.t >= 0 ||
      !(seen.smallest_force < -0.37 * softest(model_.scene().cables[cable])))
    return false;
  for (const Fields* part : model_.data().fields_of(static_cast<int>(cable)))
    for_each_point(*part, state, [&](int e, int g, const AxialPack& pack, int lane) {
      if (pack.stretch[g][lane] < std::min(half, seen.crushing.stretch))
        seen.crushing = {pack.stretch[g][lane], part->arc(state.q.data(), e, part->run.place[g]),
                         state.t};
    });
  return seen.crushing.t >= 0;
}

bool TensionWatch::look(const State& state) {
  look_at_runs(state);
  bool news = false;
  for (size_t cable = 0; cable < seen_.size(); ++cable) {
    TensionSeen& seen = seen_[cable];
    const bool overloaded = seen.overloaded();
    look_at_elements(cable, state);
    news |= seen.overloaded() != overloaded;
    const double limit = limit_[cable];
    if (limit > 0 && seen.largest.tension > limit && !seen.overloaded()) {
      seen.overload = seen.largest;
      news = true;
    }
    if (seen.compression.t < 0 && (pushes(cable) || seen.growth > column_growth)) {
      seen.compression = seen.smallest;
      seen.compression.t = state.t;
      news = true;
    }
    news |= look_for_crushing(cable, state);
  }
  return news;
}

}  // namespace hawser
