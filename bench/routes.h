// Short ways to hold, lead and load the cables of a scene made by a program.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hawser/scene.h"

namespace hawser {

/// Holds a cable at a stop of its route, counted from the end if negative, by a support of its own
/// at the point of the stop.
inline Support& hold(Scene& scene, const std::string& cable, int stop,
                     Stop::Kind kind = Stop::Kind::hold) {
  for (Cable& c : scene.cables) {
    if (c.name != cable) continue;
    const int count = static_cast<int>(c.route.size()), k = stop < 0 ? count + stop : stop;
    Stop& held = c.route.at(static_cast<size_t>(k));
    held.kind = kind;
    held.on = cable + (k == 0 ? ".start" : k + 1 == count ? ".end" : ".stop-" + std::to_string(k));
    std::erase_if(scene.supports, [&](const Support& s) { return s.name == held.on; });
    Support support;
    support.name = held.on;
    support.position = held.point;
    return scene.supports.emplace_back(std::move(support));
  }
  throw std::runtime_error("no cable '" + cable + "'");
}
inline Support& clamp(Scene& scene, const std::string& cable, int stop) {
  return hold(scene, cable, stop, Stop::Kind::clamp);
}

/// Lets go of it.
inline void release(Scene& scene, const std::string& cable, int stop) {
  for (Cable& c : scene.cables) {
    if (c.name != cable) continue;
    Stop& held = c.route.at(stop < 0 ? c.route.size() - static_cast<size_t>(-stop)
                                     : static_cast<size_t>(stop));
    std::erase_if(scene.supports, [&](const Support& s) { return s.name == held.on; });
    held = Stop(held.point);
  }
}

/// Attaches the stop to a frame of a body at the same point.
inline void attach(Cable& cable, int stop, const std::string& frame, bool direction = false) {
  Stop& held = cable.route.at(stop < 0 ? cable.route.size() - static_cast<size_t>(-stop)
                                       : static_cast<size_t>(stop));
  held.kind = direction ? Stop::Kind::clamp : Stop::Kind::hold;
  held.on = frame;
}

/// Free points between the ends of a route.
inline void lead_through(Cable& cable, const std::vector<Vec3>& points) {
  cable.route.erase(cable.route.begin() + 1, cable.route.end() - 1);
  cable.route.insert(cable.route.begin() + 1, points.begin(), points.end());
}

/// A node of a cable of that many equal elements.
inline Place nth(const std::string& cable, int node, int elements) {
  return Place::fraction(cable, static_cast<double>(node) / elements);
}

}  // namespace hawser
