// Compiles pulleys that turn on their mounts: a node for the turn of each, and its bearing. What
// turns them are the rows of their cables (constraints/arc_rows.h).
#include <fmt/format.h>

#include "constraints/wheel_rows.h"
#include "model/flows.h"
#include "model/frames.h"
#include "model/model_data.h"

namespace hawser {
namespace {

const Stop& stop_of(const ModelData& model, const HandOver& h) {
  return model.scene.cables[static_cast<size_t>(h.cable)].route[static_cast<size_t>(h.stop)];
}

}  // namespace

void lay_wheels(ModelData& model) {
  for (HandOver& h : model.hand_overs) {
    const Stop& stop = stop_of(model, h);
    if (!(stop.inertia > 0)) continue;
    const Cable& cable = model.scene.cables[static_cast<size_t>(h.cable)];
    WinchData wheel;
    wheel.name = fmt::format("the pulley '{}' of cable '{}'", stop.on, cable.name);
    wheel.node = add_node(model, true);
    wheel.inertia = stop.inertia;
    wheel.radius = stop.radius;
    wheel.axis = stop.axis.normalized();
    const FrameRef frame = find_stop(model.scene, stop, ErrorObject("cable", cable.name));
    if (frame.body >= 0)
      wheel.axis =
          model.scene.bodies[static_cast<size_t>(frame.body)].orientation.normalized().conjugate() *
          wheel.axis;
    h.wheel = static_cast<int>(model.mechanism.wheels.size());
    model.mechanism.wheels.push_back(std::move(wheel));
  }
}

void constrain_wheels(ModelData& model) {
  Mechanism& m = model.mechanism;
  if (m.wheels.empty()) return;
  std::vector<BearingData> bearings;
  std::vector<HeldCoordinate> held;
  for (const HandOver& h : model.hand_overs) {
    if (h.wheel < 0) continue;
    const Stop& stop = stop_of(model, h);
    const ErrorObject who("cable", model.scene.cables[static_cast<size_t>(h.cable)].name);
    WinchData& wheel = m.wheels[static_cast<size_t>(h.wheel)];
    if (const FrameRef frame = find_stop(model.scene, stop, who); frame.body >= 0) {
      wheel.body_node = m.bodies[static_cast<size_t>(frame.body)].node;
      couple(model, wheel.node, wheel.body_node);
    }
    for (int k = 1; k < 3; ++k) held.push_back({wheel.coordinate() + k, 0.0, who});
    if (!(stop.bearing_torque > 0)) continue;
    RowInfo info;
    info.owner = "the bearing of " + wheel.name;
    info.velocity = info.limited = true;
    bearings.push_back({wheel.coordinate(), add_row(model, std::move(info), {wheel.coordinate()}),
                        stop.bearing_torque});
  }
  model.constraints.push_back(std::make_shared<WheelRows>(std::move(bearings), std::move(held)));
}

}  // namespace hawser
