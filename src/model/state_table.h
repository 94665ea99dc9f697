// The members of a State: name, length and what writes them. The one list that checkpoints, checks
// of states to resume from and docs/theory/state.md go by.
#pragma once

#include <string>

#include "hawser/state.h"

namespace hawser {

struct StateMember {
  const char* name;
  const char* length;      ///< "coordinate": one number per coordinate, and padding; "1": a number
  const char* written_by;  ///< besides the start
  bool grows = false;      ///< its length changes during a run
};

/// Calls visit(StateMember, member) for every member. The structured binding does not compile when
/// a member is added to State and forgotten here.
template <class AnyState, class Visit>
void visit_state(AnyState& state, const Visit& visit) {
  auto& [t, steps, inputs, rates_jumped, feedback_time, q, v, a, a_true, axial_force, multipliers,
         fixed_reaction, orientation, twist, run_length, wrap, bends, activity, row_rates,
         row_largest, row_omega, largest_force, fastest_omega, follow_omega, follow_until, impacts,
         oscillations, viscous_force, viscous_moment, viscous_couple, viscous, material_axes,
         memory, memory_times, contacts, q_before, v_before, h_before, axial_force_valid, h_next,
         factored, books] = state;
  visit(StateMember{"t", "1", "every step"}, t);
  visit(StateMember{"steps", "1", "every step"}, steps);
  visit(StateMember{"inputs", "input", "settings"}, inputs);
  visit(StateMember{"rates_jumped", "1", "settings"}, rates_jumped);
  visit(StateMember{"feedback_time", "1", "feedback"}, feedback_time);
  visit(StateMember{"q", "coordinate", "every step"}, q);
  visit(StateMember{"v", "coordinate", "every step"}, v);
  visit(StateMember{"a", "coordinate", "every step"}, a);
  visit(StateMember{"a_true", "coordinate", "mixed, mixed3, newton"}, a_true);
  visit(StateMember{"axial_force", "axial Gauss point", "mixed, mixed3, newton"}, axial_force);
  visit(StateMember{"multipliers", "constraint row", "every step"}, multipliers);
  visit(StateMember{"fixed_reaction", "eliminated coordinate", "every step"}, fixed_reaction);
  visit(StateMember{"orientation", "4 per body", "every step"}, orientation);
  visit(StateMember{"twist", "massless cable", "every step"}, twist);
  visit(StateMember{"run_length", "run of a massless cable, 3 per stop of others with friction",
                    "friction"},
        run_length);
  visit(StateMember{"wrap", "rotating joint, 2 per pulley", "every step"}, wrap);
  visit(StateMember{"bends",
                    "1, 7 per body, 4 per shape that a massless cable lies on, 6 per crossing",
                    "every step"},
        bends);
  visit(StateMember{"activity", "constraint row, contact with friction, row of limited force",
                    "every step"},
        activity);
  visit(StateMember{"row_rates", "constraint row", "every step"}, row_rates);
  visit(StateMember{"row_largest", "constraint row", "every step"}, row_largest);
  visit(StateMember{"row_omega", "constraint row", "impacts"}, row_omega);
  visit(StateMember{"largest_force", "1", "every step"}, largest_force);
  visit(StateMember{"fastest_omega", "1", "impacts"}, fastest_omega);
  visit(StateMember{"follow_omega", "1", "impacts"}, follow_omega);
  visit(StateMember{"follow_until", "1", "impacts"}, follow_until);
  visit(StateMember{"impacts", "constraint row", "impacts"}, impacts);
  visit(StateMember{"oscillations", "constraint row", "every step"}, oscillations);
  visit(StateMember{"viscous_force", "axial Gauss point, constraint row", "damping"},
        viscous_force);
  visit(StateMember{"viscous_moment", "3 per bending point", "damping"}, viscous_moment);
  visit(StateMember{"viscous_couple", "3 per bending point", "damping"}, viscous_couple);
  visit(StateMember{"viscous", "strain and Maxwell arm", "damping"}, viscous);
  visit(StateMember{"material_axes", "3 per damped cable", "damping"}, material_axes);
  visit(StateMember{"memory", "strain and past step", "damping", true}, memory);
  visit(StateMember{"memory_times", "past step", "damping", true}, memory_times);
  visit(
      StateMember{"contacts", "4, 8 per point and surface; 5, 8 per pair of close parts of cables",
                  "every step", true},
      contacts);
  visit(StateMember{"q_before", "coordinate", "every step"}, q_before);
  visit(StateMember{"v_before", "coordinate", "every step"}, v_before);
  visit(StateMember{"h_before", "1", "every step"}, h_before);
  visit(StateMember{"axial_force_valid", "1", "every step"}, axial_force_valid);
  visit(StateMember{"h_next", "1", "error control"}, h_next);
  visit(StateMember{"factored", "1", "newton"}, factored);
  visit(StateMember{"books", "account", "every step"}, books);
}

struct ModelData;
/// Where a model starts, for what does not depend on its motion: coordinates, velocities,
/// orientations, angles, lengths and rows that act; no forces.
State start_pose(const ModelData& model);

/// Throws Error, naming `who`, where an array that start_pose() fills has not the model's length.
void require_pose(const State& state, const ModelData& model, const std::string& who);

/// Throws Error, naming `who`, where an array of the state differs in length from that of another
/// state of the same model and options.
void require_same_sizes(const State& state, const State& other, const std::string& who);

}  // namespace hawser
