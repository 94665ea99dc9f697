#include "model/pulleys.h"

#include "model/frames.h"
#include "model/model_data.h"

namespace hawser {

std::vector<PulleyArc> pulley_arcs(ModelData& model) {
  std::vector<PulleyArc> out;
  const Scene& scene = model.scene;
  for (const HandOver& h : model.hand_overs) {
    if (h.leaving == h.scalar) continue;
    const Cable& cable = scene.cables[static_cast<size_t>(h.cable)];
    const Stop& stop = cable.route[static_cast<size_t>(h.stop)];
    const Section& section = cable.sections[0];
    PulleyArc& arc = out.emplace_back();
    arc.node = h.node;
    arc.element = static_cast<int>(model.structure.elements.size());
    model.structure.elements.emplace_back(h.node, h.node + 1);
    arc.scalars[0] = h.scalar;
    arc.scalars[1] = h.leaving;
    if (stop.inertia > 0) arc.turning = stop.inertia / (stop.radius * stop.radius);
    const FrameRef frame = find_stop(scene, stop, ErrorObject("cable", cable.name));
    arc.moves = frame.body >= 0 ||
                (frame.support >= 0 && moves(scene.supports[static_cast<size_t>(frame.support)]));
    arc.parameters = flow_parameters({section.EA, section.EI}, section.mass,
                                     flow_gravity(scene, section).data(), 1, 1);
  }
  return out;
}

}  // namespace hawser
