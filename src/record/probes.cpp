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
  const AncfBatch& batch = *side.batch;
  const LinearElastic& law = batch.parameters.law;
  const int pack = side.element / 4, lane = side.element % 4;
  const ElementPack elements = element_pack(batch, state.q.data(), pack);
  if (quantity == Quantity::curvature || quantity == Quantity::moment) {
    const double k = curvature(batch, elements, side.at.derivative)[lane];
    return quantity == Quantity::moment ? law.bending() * k : k;
  }
  AxialPack axial;
  evaluate(batch, state, pack, elements, axial);
  if (quantity == Quantity::tension) return nearest_line(batch, axial.tension).at(side.at.xi)[lane];
  return nearest_line(batch, axial.strain).at(side.at.xi)[lane];
}

/// Where straight elements meet, halfway between their directions.
Vec3 direction_at(const Spot& spot, const State& state) {
  Vec3 sum = Vec3::Zero();
  for (const Spot::Side& side : spot.sides)
    sum += slope_at(*side.batch, state.q.data(), side.element, side.at.derivative).normalized();
  return sum.normalized();
}

/// The quantity at one axial Gauss point of four elements.
Lanes scalar_at_point(const AncfBatch& batch, const ElementPack& elements, const AxialPack& axial,
                      int g, Quantity quantity) {
  const AncfParameters& par = batch.parameters;
  switch (quantity) {
    case Quantity::tension:
      return axial.tension[g];
    case Quantity::strain:
      return axial.strain[g];
    case Quantity::moment:
      return par.law.bending() * curvature(batch, elements, par.axial[g]);
    default:
      return curvature(batch, elements, par.axial[g]);
  }
}

/// The same at both ends of the elements, as a place there has it.
std::array<Lanes, 2> scalar_at_ends(const AncfBatch& batch, const ElementPack& elements,
                                    const AxialPack& axial, Quantity quantity) {
  if (quantity == Quantity::tension || quantity == Quantity::strain) {
    const LinePack line =
        nearest_line(batch, quantity == Quantity::tension ? axial.tension : axial.strain);
    return {line.at(0), line.at(1)};
  }
  const double factor = quantity == Quantity::moment ? batch.parameters.law.bending() : 1;
  return {factor * curvature(batch, elements, Interpolant(batch, 0).derivative),
          factor * curvature(batch, elements, Interpolant(batch, 1).derivative)};
}

}  // namespace

Spot spot_at(std::span<const AncfBatch> batches, double s) {
  constexpr double same = 1e-9;  // by element length: a node is meant
  Spot spot;
  for (size_t b = 0; b < batches.size(); ++b) {
    const AncfBatch& batch = batches[b];
    const double x = s / batch.parameters.length, n = std::round(x);
    s -= batch.elements * batch.parameters.length;
    if (x > batch.elements + same && b + 1 < batches.size()) continue;
    if (std::abs(x - n) > same) {
      const int e = std::min(static_cast<int>(x), batch.elements - 1);
      spot.sides.push_back({&batch, e, Interpolant(batch, x - e)});
      return spot;
    }
    const int node = std::min(static_cast<int>(n), batch.elements);
    if (node > 0) spot.sides.push_back({&batch, node - 1, Interpolant(batch, 1)});
    if (node < batch.elements) {
      spot.sides.push_back({&batch, node, Interpolant(batch, 0)});
    } else if (b + 1 < batches.size()) {
      spot.sides.push_back({&batches[b + 1], 0, Interpolant(batches[b + 1], 0)});
    }
    return spot;
  }
  return spot;
}

void PointProbe::sample(const State& state, std::span<double> out) const {
  const Spot::Side& first = spot.sides.front();
  const AncfBatch& batch = *first.batch;
  switch (quantity) {
    case Quantity::position:
      return put(columns, position_at(batch, state.q.data(), first.element, first.at), out);
    case Quantity::velocity:
      return put(columns, position_at(batch, state.v.data(), first.element, first.at), out);
    case Quantity::direction:
      return put(columns, direction_at(spot, state), out);
    default: {
      double sum = 0;
      for (const Spot::Side& side : spot.sides) sum += scalar_at(side, quantity, state);
      out[static_cast<size_t>(columns[0])] = factor * sum / static_cast<double>(spot.sides.size());
    }
  }
}

double CableProbe::stretched_length(const State& state) const {
  double length = 0;
  AxialPack axial;
  for (const AncfBatch& batch : batches)
    for (int pack = 0; pack < batch.packs(); ++pack) {
      const int lanes = std::min(4, batch.elements - 4 * pack);
      evaluate(batch, state, pack, element_pack(batch, state.q.data(), pack), axial);
      for (int g = 0; g < batch.parameters.axial_points; ++g)
        length += batch.parameters.axial[g].w * axial.stretch[g].head(lanes).sum();
    }
  return length;
}

void CableProbe::sample(const State& state, std::span<double> out) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (length_column >= 0) out[static_cast<size_t>(length_column)] = stretched_length(state);
  if (extremes.empty()) return;
  for (const Extreme& e : extremes)
    out[static_cast<size_t>(e.column)] = e.largest ? -infinity : infinity;
  AxialPack axial;
  for (const AncfBatch& batch : batches)
    for (int pack = 0; pack < batch.packs(); ++pack) {
      const ElementPack elements = element_pack(batch, state.q.data(), pack);
      evaluate(batch, state, pack, elements, axial);
      const int lanes = std::min(4, batch.elements - 4 * pack);
      for (const Extreme& e : extremes) {
        Lanes best = scalar_at_point(batch, elements, axial, 0, e.quantity), sum = best;
        const auto compare = [&](const Lanes& x) {
          best = e.largest ? Lanes(best.max(x)) : Lanes(best.min(x));
          sum += x;
        };
        for (int g = 1; g < batch.parameters.axial_points; ++g)
          compare(scalar_at_point(batch, elements, axial, g, e.quantity));
        for (const Lanes& x : scalar_at_ends(batch, elements, axial, e.quantity)) compare(x);
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
