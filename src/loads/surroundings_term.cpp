#include "loads/surroundings_term.h"

#include <algorithm>

#include "kernels/kernels.h"

namespace hawser {
namespace {

SurroundingsIo surroundings_at(const Configuration& at) {
  SurroundingsIo io;
  io.q = at.q;
  io.v = at.v;
  io.q_ahead = at.q_ahead;
  io.v_ahead = at.v_ahead;
  return io;
}

}  // namespace

Facts SurroundingsTerm::facts() const {
  Facts out;
  out.stiff = out.ahead = stiff_;
  out.kinked = stiff_ && std::any_of(runs_.begin(), runs_.end(), [](const SurroundedElements& run) {
                 return run.surroundings.ground.stiffness > 0;
               });
  out.by_velocity = out.lossy =
      std::any_of(runs_.begin(), runs_.end(), [](const SurroundedElements& run) {
        return run.surroundings.drag.any() || run.surroundings.ground.damping > 0;
      });
  return out;
}

void SurroundingsTerm::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  SurroundingsIo io = surroundings_at(at);
  io.weights = {wanted.stiffness_weight, wanted.damping_weight, wanted.load_factor,
                wanted.full_tangent};
  io.force = sums.force;
  io.matrix = wanted.matrix() && (wanted.stiffness_weight != 0 || wanted.damping_weight != 0);
  io.sink = sums.sink;
  for (const SurroundedElements& run : runs_) kernels().loads->surroundings(run, io);
}

void SurroundingsTerm::add_lossy(const Configuration& at, double*, double* out) const {
  SurroundingsIo io = surroundings_at(at);
  io.force = out;
  for (const SurroundedElements& run : runs_) kernels().loads->lossy_surroundings(run, io);
}

void SurroundingsTerm::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const SurroundedElements& run : runs_)
    if (run.surroundings.ground.stiffness > 0)
      out.gravity += kernels().loads->ground_energy(run, at.q);
}

double SurroundingsTerm::left_out(const Configuration& at) const {
  if (!stiff_) return 0;  // nothing of it is linear in a step
  const SurroundingsIo io = surroundings_at(at);
  LoadKernels::Misjudged largest;
  for (const SurroundedElements& run : runs_)
    if (run.surroundings.ground.stiffness > 0) kernels().loads->misjudged(run, io, largest);
  return largest.error > 0 ? largest.error / largest.push : 0;
}

}  // namespace hawser
