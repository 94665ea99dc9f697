// What contacts remember, on another mesh. Tractions and normal forces are forces per metre of
// cable: a new point has the mean of the old ones over its part of the cable, so that their sum is
// kept.
#include <algorithm>
#include <cmath>

#include "contact/cable_contact.h"

namespace hawser {
namespace {

/// The part of a cable that a point of a run stands for, by arc length [m].
struct Stretch {
  double from, to;

  Stretch(const TouchingRun& run, const double* q, int point) {
    const int count = static_cast<int>(run.points.size()), element = point / count;
    const double part = 1.0 / count, xi = part * (point % count);
    from = run.arc(q, element, xi);
    to = run.arc(q, element, xi + part);
  }
  [[nodiscard]] double shared(const Stretch& other) const {
    return std::max(0.0, std::min(to, other.to) - std::max(from, other.from));
  }
};

int points_of(const TouchingRun& run) { return run.elements * static_cast<int>(run.points.size()); }

/// Adds what the points of an old run remember of a part of the cable, by their share of it.
void add_shares(const TouchingRun& run, const double* q, const double* memory, const Stretch& part,
                double* most, Bristle& sum) {
  const double length = part.to - part.from;
  int first = 0, last = points_of(run);
  if (!run.flow) {
    first = std::max(first,
                     static_cast<int>(std::floor((part.from - run.arc_start) / run.spacing)) - 1);
    last = std::min(last, static_cast<int>(std::ceil((part.to - run.arc_start) / run.spacing)) + 1);
  }
  for (int i = first; i < last; ++i) {
    const double share = part.shared(Stretch(run, q, i)) / length;
    const Bristle old = Bristle::read(memory + i * Bristle::size);
    if (!(share > 0) || old.grip == Grip::open) continue;
    sum.traction += share * old.traction;
    sum.push += share * old.push;
    if (share <= *most) continue;
    *most = share;
    sum.grip = old.grip;
    sum.calm = old.calm;
    sum.slid = old.slid;
    sum.face = old.face;
  }
}

}  // namespace

void CableContact::carry(const ContactTerm& from, const Remembering& old, const double* q,
                         double* contacts) const {
  const auto& before = dynamic_cast<const CableContact&>(from);
  for (size_t i = 0; i < touching_.pairs.size(); ++i) {
    const TouchingPair& pair = touching_.pairs[i];
    const TouchingRun& run = touching_.runs[static_cast<size_t>(pair.run)];
    double* memory = contacts + offset_[i];
    for (int p = 0; p < points_of(run); ++p, memory += Bristle::size) {
      const Bristle touching = Bristle::read(memory);
      if (touching.grip == Grip::open) continue;
      Bristle sum;
      sum.at = touching.at;
      double most = 0;
      for (size_t j = 0; j < before.touching_.pairs.size(); ++j) {
        const TouchingPair& other = before.touching_.pairs[j];
        const TouchingRun& other_run = before.touching_.runs[static_cast<size_t>(other.run)];
        if (other.shape == pair.shape && other_run.cable == run.cable)
          add_shares(other_run, old.q, old.contacts + before.offset_[j], Stretch(run, q, p), &most,
                     sum);
      }
      if (most > 0) sum.write(memory);
    }
  }
}

}  // namespace hawser
