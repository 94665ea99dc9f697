// What bodies ask of a step beside their rows of the matrix: their turns, and what a symmetric
// matrix leaves out.
#include <algorithm>
#include <cmath>

#include "integrate/engine.h"
#include "math/orientation.h"

namespace hawser {

/// Changes that are smaller, by the size of what changes, are not put right.
static constexpr double least_change = 1e-13;

void Engine::find_spinning() {
  for (const BodyData& b : model.mechanism.bodies)
    spinning_.push_back({static_cast<size_t>(node_size * b.node + 3), b.inertia, Vec3::Zero(),
                         least_change * b.inertia.diagonal().minCoeff()});
}

/// Into gyroscopic_: what the torques change by from the velocity predicted to the one found.
/// Returns whether the change of velocity by that is worth a solution.
bool Engine::change_of_torques(const SchemeWeights& w, bool first) {
  bool changes = false;
  for (Spinning& b : spinning_) {
    const size_t at = b.at;
    Eigen::Map<Vec3> then(v_force.data() + at);
    const Vec3 now =
        Eigen::Map<const Vec3>(v_tilde.data() + at) +
        w.cg * (Eigen::Map<const Vec3>(a_base.data() + at) + Eigen::Map<const Vec3>(x.data() + at));
    const Vec3 before = first ? Vec3(then.cross(b.inertia * then)) : b.torque;
    b.torque.noalias() = now.cross(b.inertia * now);
    const Vec3 torque = before - b.torque;
    Eigen::Map<Vec3>(gyroscopic_.data() + at) = torque;
    then = now;
    if (changes || torque.squaredNorm() == 0) continue;
    changes = torque.norm() * w.cg > b.least * (now.norm() + 1e-12);
  }
  return changes;
}

/// Into gyroscopic_: what position rows lack. Their G is over turns at R*, but theta* + d turns a
/// body by T(theta*) d, T = I - [theta]x/2 + [theta]x^2/6 - ... Returns whether the change of Phi
/// by that is worth a solution.
bool Engine::change_of_turns(const SchemeWeights& w) {
  bool turns = false;
  for (const Spinning& b : spinning_) {
    const size_t at = b.at;
    const Eigen::Map<const Vec3> theta(q_base.data() + at), d(x.data() + at);
    const Vec3 across = theta.cross(d);
    Eigen::Map<Vec3>(turned_.data() + at) = -0.5 * across + (1.0 / 6) * theta.cross(across);
    turns = turns || across.squaredNorm() > 0;
  }
  if (!turns && !turned_before_) return false;  // about axes that stay
  turned_before_ = turns;
  const size_t first = static_cast<size_t>(model.structure.coordinates());
  double change = 0;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (!rows.plan[r].on || !rows.holds_position(r)) continue;
    const double lacks = rows.set.times(static_cast<int>(r), turned_.data());
    gyroscopic_[first + r] = turned_rows_[r] - lacks;
    turned_rows_[r] = lacks;
    change = std::max(change, std::abs(gyroscopic_[first + r]));
  }
  return change * w.cq > least_change * (1 + model.extent);
}

/// What the symmetric matrix leaves out of bodies, with the same factorization. Without the first a
/// spinning body gains energy, without the second its joints swing.
void Engine::correct_bodies(const SchemeWeights& w) {
  constexpr int rounds = 3;
  std::fill(turned_rows_.begin(), turned_rows_.end(), 0);
  turned_before_ = false;
  for (int round = 0; round < rounds; ++round) {
    std::fill(gyroscopic_.begin(), gyroscopic_.end(), 0);
    bool changes = change_of_torques(w, round == 0);
    if (!at_current_ && rows.any()) changes = change_of_turns(w) || changes;
    if (!changes) return;
    solver->solve(gyroscopic_);
    ++counters.solves;
    rows.slip(*solver, gyroscopic_);
    for (size_t i = 0; i < x.size(); ++i) x[i] += gyroscopic_[i];
  }
}

/// What the bodies have turned in the step goes into their orientation.
void Engine::turn_bodies(State& s) const {
  const auto& bodies = model.mechanism.bodies;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto at = static_cast<size_t>(node_size * bodies[i].node + 3);
    turn_orientation(s.orientation.data() + 4 * i, {s.q[at], s.q[at + 1], s.q[at + 2]});
    for (size_t k = at; k < at + 3; ++k) {
      s.q_before[k] = -s.q[k];  // the step before, as seen from here
      s.q[k] = 0;
    }
  }
}

void Engine::look_back(State& s, State& earlier) const {
  std::swap(s.q_before, earlier.q);
  std::swap(s.v_before, earlier.v);
  const auto& bodies = model.mechanism.bodies;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const double *now = s.orientation.data() + 4 * i, *then = earlier.orientation.data() + 4 * i;
    const Vec3 turn = rotation_vector(orientation_at(now).conjugate() * orientation_at(then));
    for (int k = 0; k < 3; ++k)
      s.q_before[static_cast<size_t>(node_size * bodies[i].node + 3 + k)] = turn[k];
  }
}

}  // namespace hawser
