// Inspects a model before a run: its size, the time scales of its parts and likely mistakes. Use it
// to choose a time step.
#pragma once

#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/options.h"
#include "hawser/state.h"

namespace hawser {

/// Wave speeds and periods are for small motions about the straight, unstretched cable. A massless
/// cable has neither, nor elements and coordinates: these are 0.
struct CableInspection {
  std::string cable;
  int elements = 0;
  int coordinates = 0;           ///< of its nodes: 3 each in np-fem, 6 in ancf; two at a place: 9
  int fixed_coordinates = 0;     ///< ... held or moved by supports
  double length = 0;             ///< unstretched [m]
  int runs = 0;                  ///< of a massless cable: parts of one tension, see run_tensions()
  double shortest_element = 0;   ///< unstretched [m]
  double longest_element = 0;    ///< equals the shortest unless the route has several spans
  double axial_wave_speed = 0;   ///< sqrt(EA/mass), of the fastest section [m/s]
  double element_wave_time = 0;  ///< shortest travel time of an axial wave through an element [s]
  double cable_wave_time = 0;    ///< and through the whole cable [s]
  /// Shortest natural periods of an element, free at both ends [s]. No motion of the
  /// cable is faster: its Rayleigh quotient is a ratio of sums over the elements and cannot exceed
  /// the largest element quotient. (The springs that keep its direction where EA changes are left
  /// out.) Infinite if the cable has no bending
  /// stiffness.
  double axial_period = 0, bending_period = 0;
};

/// A pulley on the route of a massless cable, in the initial state.
struct PulleyInspection {
  std::string cable, frame;  ///< name of the cable, frame of the pulley
  double radius = 0;         ///< [m]
  double wrap = 0;           ///< wrap angle of the cable [rad]
};

/// What a support holds of cables with elements; 0 nodes: joints and massless cables at most.
struct SupportInspection {
  std::string support;
  int nodes = 0;
  bool clamps = false;  ///< the direction of one of them
};

struct Inspection {
  std::vector<CableInspection> cables;      ///< in the order of the scene
  std::vector<PulleyInspection> pulleys;    ///< cable by cable, in route order
  std::vector<SupportInspection> supports;  ///< in the order of the scene
  int coordinates = 0;                      ///< of cables and bodies
  int fixed_coordinates = 0;  ///< held or moved by supports, eliminated from the system
  int conditions = 0;         ///< general linear conditions, one multiplier each
};

Inspection inspect(const Model& model);

/// Likely mistakes in a run with these options until `until` [s]: ground or fluid that has no
/// effect on bodies and massless cables, cables on the wrong side of a pulley or reeled in by more
/// than their length, steps too long for the prescribed motions. Each is a sentence without a
/// full stop.
std::vector<std::string> warnings(const Model& model, const SolveOptions& options, double until);

/// The same for an initial state (Integrator::start()): cables that are not stretched by the load
/// they carry.
std::vector<std::string> start_warnings(const Model& model, const State& start);

}  // namespace hawser
