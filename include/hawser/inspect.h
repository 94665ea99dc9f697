// What a model holds, how quick its parts are and what of it can hardly be meant: what to look at
// before choosing a step.
#pragma once

#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/options.h"
#include "hawser/state.h"

namespace hawser {

/// Waves and periods are those of small motions about the straight, unstretched cable.
struct CableInspection {
  std::string cable;
  int elements = 0;
  int coordinates = 0;           ///< of its nodes; slopes that np-fem leaves idle do not count
  int fixed_coordinates = 0;     ///< ... that supports hold or move
  double length = 0;             ///< unstretched [m]
  double shortest_element = 0;   ///< unstretched [m]
  double longest_element = 0;    ///< the same where no route makes them differ
  double axial_wave_speed = 0;   ///< sqrt(EA/mass) [m/s]
  double element_wave_time = 0;  ///< an axial wave takes through the shortest element [s]
  double cable_wave_time = 0;    ///< and through the whole cable [s]
  /// Shortest natural periods of the shortest element, free at both ends, with its own mass [s]. No
  /// motion of the cable is quicker: its Rayleigh quotient, a sum over the elements over a sum over
  /// the elements, is at most the largest of theirs. Infinite where the cable does not resist
  /// bending.
  double axial_period = 0, bending_period = 0;
};

/// A pulley that a massless cable goes round, at the start.
struct PulleyInspection {
  std::string cable, frame;  ///< of the cable, and where the pulley is
  double radius = 0;         ///< [m]
  double wrap = 0;           ///< angle over which the cable lies on it [rad]
};

struct Inspection {
  std::vector<CableInspection> cables;    ///< in the order of the scene
  std::vector<PulleyInspection> pulleys;  ///< cable after cable, along their routes
  int coordinates = 0;
  int fixed_coordinates = 0;  ///< held or moved by supports, taken out of the system
  int conditions = 0;         ///< general conditions, each with a multiplier
};

Inspection inspect(const Model& model);

/// What nothing in the model feels, or can hardly be meant, in a run with these options to `until`
/// [s]: surroundings that bodies and massless cables pass through, cables on the wrong side of a
/// pulley or reeled in beyond their length, steps too long for what moves the scene. Sentences
/// without a full stop.
std::vector<std::string> warnings(const Model& model, const SolveOptions& options, double until);

/// The same of a state at the start (Integrator::start()): cables that are not stretched by the
/// load they hold.
std::vector<std::string> start_warnings(const Model& model, const State& start);

}  // namespace hawser
