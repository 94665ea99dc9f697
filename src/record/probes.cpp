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

/// The quantity at one axial point of four elements.
Lanes scalar_at_point(const Fields& part, const State& state, int pack, const AxialPack& axial,
                      int g, Quantity quantity) {
  switch (quantity) {
    case Quantity::tension:
      return axial.tension[g];
    case Quantity::strain:
      return axial.strain[g];
    case Quantity::moment:
      return part.run.EI * part.curvature(state.q.data(), pack, part.run.place[g]);
    default:
      return part.curvature(state.q.data(), pack, part.run.place[g]);
  }
}

/// The same at both ends of the elements, as a place there has it.
std::array<Lanes, 2> scalar_at_ends(const Fields& part, const State& state, int pack,
                                    const AxialPack& axial, Quantity quantity) {
  if (quantity == Quantity::tension || quantity == Quantity::strain) {
    const LinePack line =
        nearest_line(part.run, quantity == Quantity::tension ? axial.tension : axial.strain);
    return {line.at(0), line.at(1)};
  }
  const double factor = quantity == Quantity::moment ? part.run.EI : 1;
  return {factor * part.curvature(state.q.data(), pack, 0),
          factor * part.curvature(state.q.data(), pack, 1)};
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

Spot NamedSpot::at(const double* q) const {
  if (!flows) return still;
  return spot_at(cable, q, is_length ? s : start_of(cable, q) + fraction * length_of(cable, q));
}

void PointProbe::sample(const State& state, std::span<double> out) const {
  const double* q = state.q.data();
  const Spot spot = place.at(q);
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
        Lanes best = scalar_at_point(*part, state, pack, axial, 0, e.quantity), sum = best;
        const auto compare = [&](const Lanes& x) {
          best = e.largest ? Lanes(best.max(x)) : Lanes(best.min(x));
          sum += x;
        };
        for (int g = 1; g < part->run.axial_points; ++g)
          compare(scalar_at_point(*part, state, pack, axial, g, e.quantity));
        for (const Lanes& x : scalar_at_ends(*part, state, pack, axial, e.quantity)) compare(x);
        best += 0 * sum;  // a number that is none must show, and no comparison tells
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
