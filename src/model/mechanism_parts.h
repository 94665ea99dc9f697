// What the compilers of bodies, joints and massless cables share: points on bodies, nodes and rows.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "model/frames.h"
#include "model/model_data.h"

namespace hawser {

class MechanismParts {
 public:
  explicit MechanismParts(ModelData& model) : model_(model), m_(model.mechanism) {}

 protected:
  const Scene& scene() const { return model_.scene; }

  Eigen::Quaterniond orientation(int body) const {
    return body < 0 ? Eigen::Quaterniond::Identity() : m_.orientation[static_cast<size_t>(body)];
  }
  int node_of(int body) const { return body < 0 ? -1 : m_.bodies[static_cast<size_t>(body)].node; }

  PointOn point(const FrameRef& frame) {
    PointOn p{node_of(frame.body), frame.body, frame.position, -1};
    if (frame.support < 0) return p;
    const auto& motion = scene().supports[static_cast<size_t>(frame.support)].motion;
    if (std::all_of(motion.begin(), motion.end(), [](const Signal& s) { return s.is(0); }))
      return p;
    p.motion = static_cast<int>(m_.motions.size());
    m_.motions.push_back(motion);
    return p;
  }

  /// A direction given in world axes at the start, fixed in a body from then on.
  DirectionOn fixed_in(int body, const Vec3& world) const {
    return {node_of(body), body, orientation(body).conjugate() * world.normalized()};
  }

  /// Nodes but the ground, each once, increasing.
  static std::vector<int> distinct(std::vector<int> nodes) {
    std::erase(nodes, -1);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  int add_row(RowInfo info, const std::vector<int>& nodes, const std::vector<int>& drums = {}) {
    std::vector<int> coordinates;
    for (const int node : distinct(nodes))
      for (int k = 0; k < node_size; ++k) coordinates.push_back(node_size * node + k);
    coordinates.insert(coordinates.end(), drums.begin(), drums.end());
    return hawser::add_row(model_, std::move(info), std::move(coordinates));
  }

  void couple_nodes(int a, int b) {
    if (a >= 0 && b >= 0 && a != b) couple(model_, a, b);
  }

  ModelData& model_;
  Mechanism& m_;
};

/// Compiles massless cables, after all bodies and joints.
void lay_routes(ModelData& model);

}  // namespace hawser
