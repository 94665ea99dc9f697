// Where cable with mass flows: hand-overs from one span of a cable to the next, and supplies at its
// start. Each has one unknown of its own, the material coordinate p of the cable there: a scalar
// of the model (docs/theory/flow.md). At an eyelet two nodes share their position and have a slope
// each; the elements beside a hand-over change their length, and all others are those of the
// material.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "elements/supply_tension.h"
#include "hawser/mesh.h"
#include "hawser/scene.h"

namespace hawser {

struct ModelData;
struct State;

struct HandOver {
  enum class Kind {
    supply,  ///< by a winch at the start of the cable
    eyelet,  ///< two nodes with one position and one flow, or with friction a flow each
    pulley,  ///< two nodes where the cable reaches it and leaves it, with a flow each
    off,     ///< a pulley that the cable has come off: no nodes, and two flows at rest
    out      ///< an end of the cable has run out of it: no nodes, and its flows at rest
  };
  Kind kind = Kind::eyelet;
  int cable = 0, stop = 0;  ///< in the scene, in the route
  int node = 0;             ///< of two the first; -1: none
  int scalar = 0;           ///< p at that node [m]
  int leaving = 0;          ///< p at the other node, which may be the same; of a supply p itself
  [[nodiscard]] bool here() const { return kind != Kind::off && kind != Kind::out; }
  int wheel = -1;  ///< of Mechanism::wheels: a pulley that turns on its mount; -1: none
};

/// Cable with mass that starts on the drum of a winch.
bool is_wound(const Cable& cable);
/// A winch pays it out or reels it in.
bool is_supplied(const Cable& cable);
/// Cable with mass that slides or is supplied.
bool flows(const Cable& cable);
/// A stop over which a cable sticks or slips, or never slips; one with a flow for either side.
bool rubs(const Stop& stop);
bool grips(const Stop& stop);
bool has_two_flows(const Stop& stop);
/// The stops of a cable with mass that are pulleys, in the order of Mesh::wraps.
std::vector<size_t> pulley_stops(const Cable& cable);
/// The flow of a cable, among its own, at the end of the span before a stop and at the start of the
/// one after it; -1: none.
int flow_before(const Cable& cable, size_t stop);
int flow_after(const Cable& cable, size_t stop);

/// Throws Error where a cable that flows asks for what is not modelled.
void validate_flow(const Scene& scene, const Cable& cable);

/// p of all hand-overs as prescribed at the start, and their rates, in q0 and v0.
void start_flows(ModelData& model);
/// The rows and terms of pulleys, and what winches prescribe.
void compile_flows(ModelData& model);

/// The winches that hold a tension, and those with a drum, whose rows hold it.
std::vector<SupplyTension> supply_tensions(const ModelData& model);
/// Where a cable must have nodes: stops that hold it, and places that the scene names [m].
/// Without `joints` not those between sections.
std::vector<double> kept_places(const ModelData& model, size_t cable, bool joints = true);
/// Of the elements of a cable that come and go [m].
double element_length(const ModelData& model, size_t cable);

/// Material coordinate of a node of a cable, as counted from its first [m].
double material_coordinate(const ModelData& model, size_t cable, int node, const double* q);

/// How fast a cable flows past a hand-over, and transverse waves on it there [m/s].
struct FlowSpeed {
  size_t cable;
  double speed, wave;
};
std::vector<FlowSpeed> flow_speeds(const ModelData& model, const State& state);

/// Weight less buoyancy, per mass [m/s^2].
Vec3 flow_gravity(const Scene& scene, const Section& section);

/// The mesh with hand-overs where they are at q: the same nodes.
Mesh mesh_at(const ModelData& model, const double* q);
/// The same model compiled with that mesh.
std::shared_ptr<const ModelData> at_mesh(const ModelData& model, const Mesh& mesh);

}  // namespace hawser
