// A state on another mesh (docs/theory/mesh.md). Positions, velocities and accelerations, and those
// that the scheme looks back on, go over as fields of the cables (model/transfer.h): nothing starts
// anew. What belongs to supports, rows, bodies and massless cables stays as it is.
//
// The axial force that mixed solves carry is EA eps(q) but for the error of the last step. On the
// new mesh it is EA eps of the new shape and that error, projected. Where a shape changes because a
// node was dropped, the tension jumps here, and the strain energy with it, not in the next step.
#include <algorithm>
#include <cmath>

#include "assembly/momentum.h"
#include "contact/cable_contact.h"
#include "integrate/engine.h"
#include "integrate/joint_passages.h"
#include "integrate/kept_lengths.h"
#include "integrate/kept_stretch.h"
#include "integrate/pulley_changes.h"
#include "integrate/run_outs.h"
#include "integrate/touch_again.h"
#include "model/flows.h"
#include "model/meetings.h"
#include "model/state_table.h"
#include "model/transfer.h"

namespace hawser {
namespace {

double elastic_force(const ElementRun& run, double strain) {
  const double force = run.EA * strain;
  return run.tension_only ? std::max(0.0, force) : force;
}

/// By axial point, without what damping adds.
std::vector<double> elastic_forces(const ModelData& model, const double* q) {
  std::vector<double> out(static_cast<size_t>(model.point_size), 0);
  StrainsOut strains;
  strains.strain = out.data();
  for (const Fields* part : model.fields) {
    part->strains(q, strains);
    const auto first = static_cast<size_t>(part->run.point_offset);
    for (size_t p = first; p < first + static_cast<size_t>(part->run.point_size()); ++p)
      out[p] = elastic_force(part->run, out[p]);
  }
  return out;
}

/// Returns the largest jump of the elastic force.
double take_axial(const MeshTransfer& map, const ModelData& from, const State& old,
                  const ModelData& to, State& s) {
  using Side = MeshTransfer::Side;
  constexpr double rounding = 1e-12;  // of strains
  const std::vector<double> was = elastic_forces(from, old.q.data()),
                            is = elastic_forces(to, s.q.data());
  s.axial_force.assign(is.size(), 0);
  double jump = 0;
  for (const MeshTransfer::PointRow& row : map.axial()) {
    double& force = s.axial_force[row.to.at];
    if (row.kept()) {
      const size_t at = row.from[0].point.at;
      const double change = is[row.to.at] - was[at];  // its ends may have been joined
      force = old.axial_force[at];
      if (std::abs(change) > rounding * to.fields[row.to.run]->run.EA) force += change;
      continue;
    }
    const Fields& part = *to.fields[row.to.run];
    double rest = 0;
    for (const MeshTransfer::Source& source : row.from)
      rest += source.weight * (old.axial_force[source.point.at] - was[source.point.at]);
    force = is[row.to.at] + rest;
    if (part.run.tension_only) force = std::max(0.0, force);
    const auto most = std::max_element(
        row.from.begin(), row.from.end(),
        [](const auto& a, const auto& b) { return std::abs(a.weight) < std::abs(b.weight); });
    const ElementRun& was_of =  // where a joint passes a hand-over, of another section
        most == row.from.end() ? part.run : from.fields[most->point.run]->run;
    const auto before = [&](Side side) {
      return elastic_force(was_of,
                           part.strain(map.old_slope(row.cable, old.q.data(), row.s, side)));
    };
    jump =
        std::max(jump, std::abs(is[row.to.at] - (before(Side::before) + before(Side::after)) / 2));
  }
  return jump;
}

/// Rates and accelerations as those of the material, which are fields along it; where cable flows,
/// the coordinates of a node are not the material's.
struct FlowingRates {
  const MeshTransfer& map;
  const ModelData &from, &to;
  const State &old, &next;  ///< of which the positions, for accelerations the velocities are there
  const PulleyChanges& pulleys;
  const RunOuts& run_outs;

  [[nodiscard]] std::vector<double> velocities(const std::vector<double>& v) const {
    return carry(v, false);
  }
  [[nodiscard]] std::vector<double> accelerations(const std::vector<double>& a) const {
    return carry(a, true);
  }
  [[nodiscard]] std::vector<double> positions_before() const {
    if (from.hand_overs.empty()) return map.positions_before(old.q, old.q_before);
    std::vector<double> motion(old.q.size());
    for (size_t i = 0; i < motion.size(); ++i) motion[i] = old.q[i] - old.q_before[i];
    std::vector<double> out = velocities(motion);
    for (size_t i = 0; i < out.size(); ++i) out[i] = next.q[i] - out[i];
    return out;
  }

 private:
  [[nodiscard]] std::vector<double> carry(const std::vector<double>& b, bool accelerations) const {
    std::vector<double> material = b;
    for (const Fields* part : from.fields)
      part->add_convected({old.q.data(), b.data(), accelerations ? old.v.data() : nullptr}, 1,
                          material.data());
    run_outs.lead(old.q, material);
    std::vector<double> out = map.velocities(material);
    pulleys.stop_flows(out);
    run_outs.stop_flows(out);
    const std::vector<double> carried = out;  // flows are copied
    for (const Fields* part : to.fields)
      part->add_convected({next.q.data(), carried.data(), accelerations ? next.v.data() : nullptr},
                          -1, out.data());
    return out;
  }
};

/// What touches pulleys moves with the nodes beside it, and their places with it.
void touch_with_kept_lengths(TouchAgain& touching, const KeptLengths& lengths, State& s) {
  constexpr int rounds = 4;  // each leaves a share R/l of the change
  touching.place(s);
  for (int i = 0; i < rounds && lengths.any(); ++i) {
    lengths.keep(s.q.data());
    touching.place(s);
  }
}

/// What pulls no more: the rows of massless cables that are cut, and of those that lay on these and
/// are slack without them.
void let_go(const ModelData& from, const ModelData& model, ConstraintSet& rows, State& s) {
  const auto stop = [&](int row) {
    const auto r = static_cast<size_t>(row);
    s.multipliers[r] = s.row_rates[r] = s.row_largest[r] = 0;
    s.activity[r] = 0;
    s.impacts[r] = {};
    s.oscillations[r] = {};
  };
  for (const RouteData& route : model.mechanism.routes) {
    if (!route.cut) continue;
    for (const RunData& run : route.runs) stop(run.row);
    for (size_t r = 0; r + 1 < route.runs.size(); ++r)
      s.activity[model.rows.size() + static_cast<size_t>(route.first_rub) + r] = 0;
  }
  if (from.mesh.cuts == model.mesh.cuts || from.mesh.crossings == model.mesh.crossings ||
      !rows.evaluate(s.q.data(), s.t, s))
    return;
  for (const Mesh::Crossing& crossing : from.mesh.crossings)
    for (const RouteData& route : model.mechanism.routes)
      if (route.cable == crossing.cable[0] || route.cable == crossing.cable[1])
        for (const RunData& run : route.runs)
          if (rows.phi[static_cast<size_t>(run.row)] > 0) stop(run.row);
}

}  // namespace

/// The sums of the run go on; parts of cables that are close start anew.
void Engine::take_contacts(const Engine& from, const State& old, State& s) {
  begin_contacts(s);
  const auto take = [&](size_t there, size_t here) {
    if (there + Tally::size <= old.contacts.size() && here + Tally::size <= s.contacts.size())
      std::copy_n(old.contacts.begin() + static_cast<long>(there), Tally::size,
                  s.contacts.begin() + static_cast<long>(here));
  };
  take(0, 0);
  if (model.facts.meets)
    take(static_cast<size_t>(from.model.contacts), static_cast<size_t>(model.contacts));
  std::vector<const ContactTerm*> before;
  for_contacts(from.model.terms, [&](const ContactTerm& c) { before.push_back(&c); });
  auto next = before.begin();
  for_contacts(model.terms, [&](const ContactTerm& c) {
    c.carry(**next++, {old.q.data(), old.contacts.data()}, s.q.data(), s.contacts.data());
  });
}

State Engine::take_over(Engine& from, const State& given, MeshChange& change) {
  require_same_sizes(given, from.trial, "state to transfer");
  State old = given;
  from.ledger.tally(old, Ledger::Cause::steps);
  const bool fidelity = differ_in_fidelity(from.model, model);
  State s = fidelity ? change_fidelity(from, old) : move_to_mesh(from, old, change);
  require_same_sizes(s, trial, "state on another mesh");
  const Momentum was = momentum_of(from.model, from.assembler, given),
                 is = momentum_of(model, assembler, s);
  const EnergyParts before = energy_of(from.model, given), after = energy_of(model, s);
  change.energy = after.total() - before.total();
  change.kinetic = after.kinetic - before.kinetic;
  change.momentum = is.linear - was.linear;
  change.angular_momentum = is.angular - was.angular;
  ledger.tally(s, fidelity ? Ledger::Cause::fidelity : Ledger::Cause::mesh);
  return s;
}

/// A state on other nodes of the same cables.
State Engine::move_to_mesh(Engine& from, const State& old, MeshChange& change) {
  const PulleyChanges pulleys(from.model, model);
  const RunOuts run_outs(from.model, model);
  const std::vector<double> joined = pulleys.joined(old.q);
  // Where cable flows, its elements are those of the mesh as it is now.
  const auto now = from.model.hand_overs.empty()
                       ? nullptr
                       : at_mesh(from.model, mesh_at(from.model, joined.data()));
  const MeshTransfer map(now ? *now : from.model, model);
  State s = old;
  s.bends = carried_bends(from.model, old.bends, model);
  const std::vector<double> placed = run_outs.straight(joined);
  s.q = map.positions(placed);
  if (now) JointPassages(*now, model).place(s);
  pulleys.start_flows(s.q);
  rows.set.poses.update(s.q.data(), s.now(), 0, s.orientation);
  pulleys.land(rows.set.poses, s);
  TouchAgain touching(model, rows.set);
  const KeptLengths lengths(now ? *now : from.model, run_outs.any() ? placed.data() : old.q.data(),
                            model);
  if (now && !run_outs.any() && !pulleys.any_landed())
    KeptStretch(*now, joined.data(), model, pulleys, old.q.data()).keep(s.q.data());
  touch_with_kept_lengths(touching, lengths, s);
  const FlowingRates rates{map, from.model, model, old, s, pulleys, run_outs};
  s.q_before = rates.positions_before();
  s.v = rates.velocities(old.v);
  touching.move(s, &pulleys);
  s.v_before = rates.velocities(old.v_before);
  s.a = rates.accelerations(old.a);
  s.a_true = rates.accelerations(old.a_true);
  pulleys.finish(s);
  run_outs.finish(s);
  s.fixed_reaction.clear();
  for (const size_t k : map.held_before()) s.fixed_reaction.push_back(old.fixed_reaction[k]);
  change.axial_force = take_axial(map, from.model, old, model, s);
  viscous.take_over(from.viscous, old, map, s);
  ledger.take_over(from.ledger, map, s.books);
  let_go(from.model, model, rows.set, s);
  take_contacts(from, old, s);
  s.factored = trial.factored;
  s.factored.cq = 0;  // newton makes a matrix of its own
  return s;
}

}  // namespace hawser
