#include "run/tension_watch.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "model/model_data.h"

namespace hawser {
namespace {

/// Two doubles: what every instruction set can compare at once; wider ones are taken apart where
/// there are none. A typedef: clang drops the alignment of an alias declaration.
typedef double Pair  // NOLINT(modernize-use-using)
    __attribute__((vector_size(16), aligned(8), may_alias));

/// r'.r' at an axial point of an element.
double squared_stretch(const AncfBatch& batch, const State& state, int element, int point) {
  const double* n = state.q.data() + node_size * (batch.first_node + element);
  const HermitePoint& p = batch.parameters.axial[point];
  const double of_d = p.c[0] / batch.parameters.length;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double r1 = of_d * (n[6 + i] - n[i]) + p.c[1] * n[3 + i] + p.c[2] * n[9 + i];
    sum += r1 * r1;
  }
  return sum;
}

/// N = EA eps from r'.r'; it grows with it for both measures.
double force_of(const AncfBatch& batch, double squared) {
  const bool green = batch.strain == StrainMeasure::green;
  return batch.parameters.law.force(green ? (squared - 1) / 2 : std::sqrt(squared) - 1);
}

/// The axial force that the mixed solves keep, four elements side by side.
double kept_force(const AncfBatch& batch, const State& state, int element, int point) {
  const int at = batch.point_offset + 4 * (batch.parameters.axial_points * (element / 4) + point) +
                 element % 4;
  return state.axial_force[static_cast<size_t>(at)];
}

}  // namespace

TensionWatch::TensionWatch(const Model& model) : model_(model), seen_(model.scene().cables.size()) {
  std::vector<double> reached(seen_.size(), 0.0);
  for (const AncfBatch& batch : model.data().batches) {
    double& length = reached[static_cast<size_t>(batch.cable)];
    batch_start_.push_back(length);
    length += batch.elements * batch.parameters.length;
  }
}

void TensionWatch::restore(const std::vector<TensionSeen>& seen) {
  assert(seen.size() == seen_.size());
  seen_ = seen;
}

TensionWatch::Range TensionWatch::forces(size_t b, const State& state) const {
  const AncfBatch& batch = model_.data().batches[b];
  const int points = batch.parameters.axial_points;
  if (!state.axial_force_valid) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int e = 0; e < batch.elements; ++e)
      for (int g = 0; g < points; ++g) {
        const double squared = squared_stretch(batch, state, e, g);
        low = std::min(low, squared);
        high = std::max(high, squared);
      }
    return {force_of(batch, low), force_of(batch, high)};
  }
  const double* force = state.axial_force.data() + batch.point_offset;
  Pair low[2] = {{HUGE_VAL, HUGE_VAL}, {HUGE_VAL, HUGE_VAL}}, high[2] = {-low[0], -low[1]};
  const int whole = batch.elements / 4;
  for (int i = 0; i < whole * points; ++i)
    for (int k = 0; k < 2; ++k) {
      const Pair f = *reinterpret_cast<const Pair*>(force + 4 * i + 2 * k);
      low[k] = f < low[k] ? f : low[k];
      high[k] = f > high[k] ? f : high[k];
    }
  Range range{std::min({low[0][0], low[0][1], low[1][0], low[1][1]}),
              std::max({high[0][0], high[0][1], high[1][0], high[1][1]})};
  for (int e = 4 * whole; e < batch.elements; ++e)  // lanes past the last element mean nothing
    for (int g = 0; g < points; ++g) {
      range.smallest = std::min(range.smallest, kept_force(batch, state, e, g));
      range.largest = std::max(range.largest, kept_force(batch, state, e, g));
    }
  return range;
}

TensionExtreme TensionWatch::at_force(size_t b, const State& state, double force) const {
  const AncfBatch& batch = model_.data().batches[b];
  for (int e = 0; e < batch.elements; ++e)
    for (int g = 0; g < batch.parameters.axial_points; ++g) {
      const double squared = squared_stretch(batch, state, e, g);
      const double here =
          state.axial_force_valid ? kept_force(batch, state, e, g) : force_of(batch, squared);
      if (here != force) continue;
      const HermitePoint& p = batch.parameters.axial[g];
      const double xi = (1 + p.c[2] - p.c[1]) / 2;  // q - p = 2 xi - 1
      const bool green = batch.strain == StrainMeasure::green;
      return {green ? force * std::sqrt(squared) : force,
              batch_start_[b] + (e + xi) * batch.parameters.length, state.t};
    }
  assert(false);
  return {};
}

bool TensionWatch::look(const State& state) {
  const ModelData& data = model_.data();
  bool news = false;
  for (size_t b = 0; b < data.batches.size(); ++b) {
    const auto cable = static_cast<size_t>(data.batches[b].cable);
    TensionSeen& seen = seen_[cable];
    const Range range = forces(b, state);
    if (range.smallest < seen.smallest_force) {
      seen.smallest_force = range.smallest;
      seen.smallest = at_force(b, state, range.smallest);
    }
    if (!(range.largest > seen.largest_force)) continue;
    seen.largest_force = range.largest;
    seen.largest = at_force(b, state, range.largest);
    const double limit = data.scene.cables[cable].section.breaking_load;
    if (limit > 0 && seen.largest.tension > limit && !seen.overloaded()) {
      seen.overload = seen.largest;
      news = true;
    }
  }
  return news;
}

}  // namespace hawser
