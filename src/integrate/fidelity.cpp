// A state of a model in which other cables are massless (docs/theory/fidelity.md). Cables that have
// gone slack get nodes on an arc with the velocities of their ends, those that have come taut lose
// theirs. All else goes over number by number. Velocities are then projected onto the rows and
// accelerations balance the forces, as at a jump of a prescribed rate: the schemes start anew.
//
// The mass of a cable appears and disappears. It brings, and takes along, the energy that it has on
// the straight way of the cable with velocities that are linear along it: that is booked as work,
// and what is left of the change of energy is that of the change itself.
#include <algorithm>

#include "hawser/error.h"
#include "integrate/engine.h"
#include "integrate/touch_again.h"
#include "model/fidelity.h"
#include "model/meetings.h"
#include "model/transfer.h"

namespace hawser {
namespace {

/// What is one number, or does not depend on cables.
void take_rest(const State& old, State& s) {
  s.t = old.t;
  s.steps = old.steps;
  s.inputs = old.inputs;
  s.rates_jumped = old.rates_jumped;
  s.feedback_time = old.feedback_time;
  s.orientation = old.orientation;
  s.largest_force = old.largest_force;
  s.fastest_omega = old.fastest_omega;
  s.follow_omega = old.follow_omega;
  s.follow_until = old.follow_until;
  s.h_next = old.h_next;
  Books books = old.books;
  books.force = s.books.force;
  books.share = s.books.share;
  books.impulse = s.books.impulse;
  books.drift = s.books.drift;
  s.books = std::move(books);
}

void take_rows(const StateNumbers& n, const State& old, const ModelData& from, const ModelData& to,
               State& s) {
  using Numbers = StateNumbers;
  Numbers::take(n.rows, old.multipliers, s.multipliers);
  Numbers::take(n.rows, old.row_rates, s.row_rates);
  Numbers::take(n.rows, old.row_largest, s.row_largest);
  Numbers::take(n.rows, old.row_omega, s.row_omega);
  Numbers::take(n.rows, old.impacts, s.impacts);
  Numbers::take(n.rows, old.oscillations, s.oscillations);
  Numbers::take(n.rows, old.activity, s.activity);
  Numbers::take(n.twist, old.twist, s.twist);
  Numbers::take(n.run_length, old.run_length, s.run_length);
  Numbers::take(n.wrap, old.wrap, s.wrap);
  const auto take_switches = [&](const std::vector<int>& numbers, size_t was, size_t is) {
    for (size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] >= 0) s.activity[is + i] = old.activity[was + static_cast<size_t>(numbers[i])];
  };
  take_switches(n.rubs, from.rows.size(), to.rows.size());
  take_switches(n.limited, from.rows.size() + from.rubs.size(), to.rows.size() + to.rubs.size());
}

/// By axial point: of cables that were there as it was, of others by their strain.
void take_forces(const MeshTransfer& map, const ModelData& to, const State& old, State& s) {
  StrainsOut strains;
  strains.strain = s.axial_force.data();
  for (const Fields* part : to.fields) {
    part->strains(s.q.data(), strains);
    const auto first = static_cast<size_t>(part->run.point_offset);
    for (size_t p = first; p < first + static_cast<size_t>(part->run.point_size()); ++p) {
      s.axial_force[p] *= part->run.EA;
      if (part->run.tension_only) s.axial_force[p] = std::max(0.0, s.axial_force[p]);
    }
  }
  s.axial_force_valid = true;
  if (!old.axial_force_valid) return;
  for (const MeshTransfer::PointRow& row : map.axial())
    if (row.kept()) s.axial_force[row.to.at] = old.axial_force[row.from[0].point.at];
}

/// That the mass of cables brings, or takes along [J].
double energy_brought(const ModelData& from, const State& old, const StateNumbers& numbers) {
  double sum = 0;
  const auto of = [&](size_t cable) {
    return CableWay(from, old, cable).energy(from.scene, from.scene.cables[cable].sections[0]);
  };
  for (const size_t cable : numbers.slackened) sum += of(cable);
  for (const size_t cable : numbers.tautened) sum -= of(cable);
  return sum;
}

}  // namespace

/// Nodes and flows of cables that were massless.
void Engine::lay_slack(const Engine& from, const State& old, const StateNumbers& numbers,
                       State& s) {
  for (const size_t cable : numbers.slackened) {
    const SlackShape shape = slack_shape(from.model, old, cable);
    const auto write = [&](const std::vector<NodeStart>& nodes, const std::vector<double>& flows,
                           std::vector<double>& out) {
      double* to = out.data() + node_size * model.cables[cable].first_node;
      const bool slopes = model.scene.cables[cable].model == CableModel::ancf;
      for (const NodeStart& node : nodes) {
        Vec3::Map(to) = node.position;
        Vec3::Map(to + 3) = slopes ? node.slope : Vec3(Vec3::Zero());
        to += node_size;
      }
      auto flow = flows.begin();
      for (const HandOver& h : model.hand_overs) {
        if (h.cable != static_cast<int>(cable)) continue;
        out[static_cast<size_t>(model.structure.scalar(h.scalar))] = *flow++;
        if (h.leaving != h.scalar)
          out[static_cast<size_t>(model.structure.scalar(h.leaving))] = *flow++;
      }
    };
    write(shape.nodes, shape.flows, s.q);
    write(shape.rates, shape.flow_rates, s.v);
    const std::vector<double> material = s.v;
    for (const Fields* part : model.fields_of(static_cast<int>(cable)))
      part->add_convected({s.q.data(), material.data()}, -1, s.v.data());
  }
}

/// Angles at pulleys, and which rows act, of cables that were not so.
void Engine::begin_routes(const StateNumbers& numbers, State& s) {
  rows.set.poses.update(s.q.data(), s.now(), 0, s.orientation);
  for (const ArcData& arc : model.mechanism.arcs) {
    if (arc.off() || !(arc.radius > 0) || numbers.wrap[static_cast<size_t>(arc.wrap)] >= 0)
      continue;
    const ArcPlace place(arc, s.q.data(), rows.set.poses, s.wrap);
    std::copy_n(place.moved, 2, s.wrap.begin() + arc.wrap);
  }
  if (!rows.any()) return;
  const auto evaluate = [&] {
    if (!rows.set.evaluate(s.q.data(), s.t, s))
      throw Error("change of a cable that has gone slack or come taut", rows.set.fault,
                  "a way along its route", "Remove `when_slack`.");
  };
  evaluate();
  for (const RouteData& route : model.mechanism.routes)
    for (const StopData& stop : route.stops) {
      if (stop.wrap < 0 || numbers.wrap[static_cast<size_t>(stop.wrap)] >= 0) continue;
      const auto at = static_cast<size_t>(stop.wrap);  // its body may have turned since the start
      s.wrap[at + 1] += rows.set.wrap[at] - s.wrap[at];
      s.wrap[at] = rows.set.wrap[at];
    }
  evaluate();
  for (size_t i = 0; i < s.wrap.size(); ++i)
    if (numbers.wrap[i] < 0) s.wrap[i] = rows.set.wrap[i];
  for (size_t r = 0; r < rows.size(); ++r)
    if (numbers.rows[r] < 0 && model.rows[r].one_sided)
      s.activity[r] = rows.set.phi[r] > 1e-9 * (1 + model.extent) ? 0 : 1;
}

State Engine::change_fidelity(Engine& from, const State& old) {
  const auto now = from.model.hand_overs.empty()
                       ? nullptr
                       : at_mesh(from.model, mesh_at(from.model, old.q.data()));
  const MeshTransfer map(now ? *now : from.model, model);
  const StateNumbers& numbers = map.numbers();
  State s = start_shape();
  take_rest(old, s);
  take_rows(numbers, old, from.model, model, s);
  s.bends = carried_bends(from.model, old.bends, model);
  s.q = map.positions(old.q);
  s.v = map.velocities(old.v);
  lay_slack(from, old, numbers, s);
  begin_routes(numbers, s);
  TouchAgain touching(model, rows.set);
  touching.place(s);
  touching.move(s);
  s.q_before = s.q;
  s.v_before = s.v;
  take_forces(map, model, old, s);
  take_contacts(from, old, s);
  viscous.start(s, rows.set);
  viscous.take_over(from.viscous, old, numbers, s);
  s.factored = trial.factored;
  s.factored.cq = 0;
  if (!restart(s, s.t))
    throw Error("change of a cable that has gone slack or come taut",
                "a mass matrix that is singular with the constraints", "a regular one",
                "Remove `when_slack`.");
  s.books.work += energy_brought(from.model, old, numbers);
  return s;
}

}  // namespace hawser
