#include "record/probes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hawser {
namespace {

void put(const Columns& columns, const Vec3& value, std::span<double> out) {
  for (size_t i = 0; i < 3; ++i)
    if (columns[i] >= 0) out[static_cast<size_t>(columns[i])] = value[static_cast<int>(i)];
}

double scalar_at(const Spot::Side& side, Quantity quantity, const State& state) {
  const Fields& part = *side.part;
  const int pack = side.element / 4, lane = side.element % 4;
  if (quantity == Quantity::curvature || quantity == Quantity::moment) {
    const double k = part.curvature(state.q.data(), pack, side.xi)[lane];
    return quantity == Quantity::moment ? part.run.EI * k : k;
  }
  AxialPack axial;
  part.axial(state, pack, axial);
  const Lanes* values = quantity == Quantity::tension ? axial.tension : axial.strain;
  return nearest_line(part.run, values).at(side.xi)[lane];
}

/// Where straight elements meet, halfway between their directions.
Vec3 direction_at(const Spot& spot, const State& state) {
  Vec3 sum = Vec3::Zero();
  for (const Spot::Side& side : spot.all())
    sum += side.part->slope(state.q.data(), side.element, side.xi).normalized();
  return sum.normalized();
}

/// The largest or smallest of a quantity in four elements: at their axial points and at their ends,
/// as a place there has it. A number that is none shows.
Lanes extreme_of(const Fields& part, const State& state, int pack, const AxialPack& axial,
                 Quantity quantity, bool largest) {
  const auto of = [&](const auto& at_point, const Lanes& start, const Lanes& end) {
    Lanes best = largest ? Lanes(start.max(end)) : Lanes(start.min(end)), sum = start + end;
    for (int g = 0; g < part.run.axial_points; ++g) {
      const Lanes x = at_point(g);
      best = largest ? Lanes(best.max(x)) : Lanes(best.min(x));
      sum += x;
    }
    return Lanes(best + 0 * sum);  // no comparison tells of it
  };
  if (quantity == Quantity::tension || quantity == Quantity::strain) {
    const Lanes* values = quantity == Quantity::tension ? axial.tension : axial.strain;
    const LinePack line = nearest_line(part.run, values);
    return of([&](int g) -> const Lanes& { return values[g]; }, line.at(0), line.at(1));
  }
  const double factor = quantity == Quantity::moment ? part.run.EI : 1;
  const auto at = [&](double xi) {
    return Lanes(factor * part.curvature(state.q.data(), pack, xi));
  };
  return of([&](int g) { return at(part.run.place[g]); }, at(0), at(1));
}

}  // namespace

Spot spot_at(CableFields cable, const double* q, double s) {
  constexpr double same = 1e-9;  // by element length: a node is meant
  Spot spot;
  for (size_t i = 0; i < cable.size(); ++i) {
    const ElementRun& run = cable[i]->run;
    const double x = (s - cable[i]->arc(q, 0, 0)) / cable[i]->length(q, 0), n = std::round(x);
    if (x > run.elements + same && i + 1 < cable.size()) continue;
    if (x < -same && i > 0) {  // on a pulley
      spot.add({cable[i - 1], cable[i - 1]->run.elements - 1, 1});
      spot.add({cable[i], 0, 0});
      return spot;
    }
    if (std::abs(x - n) > same && x > 0 && x < run.elements) {
      const int e = std::min(static_cast<int>(x), run.elements - 1);
      spot.add({cable[i], e, x - e});
      return spot;
    }
    const int node = std::clamp(static_cast<int>(n), 0, run.elements);
    if (node > 0) spot.add({cable[i], node - 1, 1});
    if (node < run.elements)
      spot.add({cable[i], node, 0});
    else if (i + 1 < cable.size() && !(cable[i + 1]->arc(q, 0, 0) > s + same * run.length))
      spot.add({cable[i + 1], 0, 0});
    return spot;
  }
  return spot;
}

NamedSpot::NamedSpot(CableFields fields, const double* q, double at, double share, bool length)
    : cable(fields), s(at), fraction(share), is_length(length), still(spot_at(fields, q, at)) {
  for (const Fields* part : fields) flows |= part->run.flows;
}

namespace {

/// Stretched length of an element from its start to xi [m].
double stretched(const Fields& part, const double* q, int element, double xi) {
  constexpr double place[] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                              0.9305681557970263},
                   weight[] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                               0.1739274225687269};  // Gauss
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += weight[i] * part.slope(q, element, xi * place[i]).norm();
  return xi * part.length(q, element) * sum;
}

/// Where an element is stretched to a length from its start.
double place_at(const Fields& part, const double* q, int element, double length) {
  double xi = length / stretched(part, q, element, 1);
  for (int i = 0; i < 3; ++i)
    xi += (length - stretched(part, q, element, xi)) /
          (part.length(q, element) * part.slope(q, element, xi).norm());
  return std::clamp(xi, 0.0, 1.0);
}

}  // namespace

Spot spot_from(CableFields cable, const double* q, int node, bool after, double distance,
               bool& off) {
  off = false;
  Spot spot;
  const auto gap = [&](size_t i) {  // on a pulley, before a run
    if (i == 0) return 0.0;
    const Fields& before = *cable[i - 1];
    return std::max(0.0, cable[i]->arc(q, 0, 0) - before.arc(q, before.run.elements - 1, 1));
  };
  const auto runs = static_cast<int>(cable.size());
  for (int k = 0; k < runs; ++k) {
    const auto i = static_cast<size_t>(after ? k : runs - 1 - k);
    const Fields& part = *cable[i];
    const int first = part.run.first_node, last = first + part.run.elements;
    if (after ? last <= node : first >= node) continue;
    const size_t between = after ? i : i + 1;  // the run after the pulley on the way here
    const bool way = after ? node < first : node > last;
    if (const double lies = way && between < cable.size() ? gap(between) : 0; lies > 0) {
      if (distance < lies) {
        spot.add({cable[between - 1], cable[between - 1]->run.elements - 1, 1});
        spot.add({cable[between], 0, 0});
        return spot;
      }
      distance -= lies;
    }
    const int begin = after ? std::max(node - first, 0) : std::min(node, last) - first;
    for (int e = after ? begin : begin - 1; after ? e < part.run.elements : e >= 0;
         e += after ? 1 : -1) {
      const double length = stretched(part, q, e, 1);
      if (distance <= length) {
        spot.add({&part, e, place_at(part, q, e, after ? distance : length - distance)});
        return spot;
      }
      distance -= length;
    }
  }
  constexpr double rounding = 1e-9;  // [m]
  off = distance > rounding;
  const Fields& end = after ? *cable.back() : *cable.front();
  spot.add(after ? Spot::Side{&end, end.run.elements - 1, 1} : Spot::Side{&end, 0, 0});
  return spot;
}

Spot NamedSpot::at(const double* q, bool& off) const {
  off = false;
  if (distance && distance->node >= 0)
    return spot_from(cable, q, distance->node, distance->after, distance->value, off);
  if (distance) {
    off = true;
    const Fields& end = distance->after ? *cable.back() : *cable.front();
    Spot spot;
    spot.add(distance->after ? Spot::Side{&end, end.run.elements - 1, 1} : Spot::Side{&end, 0, 0});
    return spot;
  }
  if (!flows) return still;
  const double start = start_of(cable, q), length = length_of(cable, q), rounding = 1e-9 * length;
  off = is_length && (s < start - rounding || s > start + length + rounding);
  return spot_at(cable, q, is_length ? s : start + fraction * length);
}

bool PointProbe::off_cable(const State& state) const {
  bool off = false;
  (void)place.at(state.q.data(), off);
  return off;
}

void PointProbe::sample(const State& state, std::span<double> out) const {
  const double* q = state.q.data();
  bool off = false;
  const Spot spot = place.at(q, off);
  const Spot::Side& first = spot.sides[0];
  switch (quantity) {
    case Quantity::position:
      return put(columns, first.part->position(q, first.element, first.xi), out);
    case Quantity::velocity:
      return put(columns, first.part->velocity(q, state.v.data(), first.element, first.xi), out);
    case Quantity::direction:
      return put(columns, direction_at(spot, state), out);
    default: {
      double sum = 0;
      for (const Spot::Side& side : spot.all()) sum += scalar_at(side, quantity, state);
      out[static_cast<size_t>(columns[0])] = factor * sum / spot.count;
    }
  }
}

double CableProbe::stretched_length(const State& state) const {
  double length = 0;
  AxialPack axial;
  for (const Fields* part : fields)
    for (int pack = 0; pack < part->run.packs(); ++pack) {
      const int lanes = std::min(4, part->run.elements - 4 * pack);
      part->axial(state, pack, axial);
      const double share = part->run.flows ? part->length(state.q.data(), 0) / part->run.length : 1;
      for (int g = 0; g < part->run.axial_points; ++g)
        length += share * part->run.axial_weight[g] * axial.stretch[g].head(lanes).sum();
    }
  return length;
}

void CableProbe::sample(const State& state, std::span<double> out) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (length_column >= 0) out[static_cast<size_t>(length_column)] = stretched_length(state);
  if (rest_column >= 0) out[static_cast<size_t>(rest_column)] = length_of(fields, state.q.data());
  if (paid_column >= 0)
    out[static_cast<size_t>(paid_column)] = 0 - start_of(fields, state.q.data());
  if (extremes.empty()) return;
  for (const Extreme& e : extremes)
    out[static_cast<size_t>(e.column)] = e.largest ? -infinity : infinity;
  AxialPack axial;
  for (const Fields* part : fields)
    for (int pack = 0; pack < part->run.packs(); ++pack) {
      part->axial(state, pack, axial);
      const int lanes = std::min(4, part->run.elements - 4 * pack);
      for (const Extreme& e : extremes) {
        const Lanes best = extreme_of(*part, state, pack, axial, e.quantity, e.largest);
        double& extreme = out[static_cast<size_t>(e.column)];
        const double found =
            e.factor * (e.largest ? best.head(lanes).maxCoeff() : best.head(lanes).minCoeff());
        const bool further = e.largest ? found > extreme : found < extreme;
        if (further || std::isnan(found)) extreme = found;
      }
    }
}

void EnergyProbe::sample(const Model& model, const State& state, std::span<double> out) const {
  const Energy all = energy(model, state);
  for (const auto& [part, column] : items) out[static_cast<size_t>(column)] = part(all);
}

bool MomentumProbe::wanted() const {
  constexpr Columns none{-1, -1, -1};
  return linear != none || angular != none;
}

void MomentumProbe::sample(const ModelData& model, Assembler& scratch, const State& state,
                           std::span<double> out) const {
  const Momentum sum = momentum_of(model, scratch, state);
  put(linear, sum.linear, out);
  put(angular, sum.angular, out);
}

}  // namespace hawser
