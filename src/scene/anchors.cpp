#include "scene/anchors.h"

namespace hawser {

Anchors::Anchors(Supports& supports, Scene& scene) : supports_(supports), scene_(scene) {
  std::map<std::string, const Body*> bodies;
  for (const Body& b : scene.bodies) {
    bodies[b.name] = &b;
    on_bodies_[b.name] = b.position;
  }
  for (const Frame& f : scene.frames) {
    const Body& b = *bodies.at(f.body);
    on_bodies_[f.name] = b.position + b.orientation * f.position;
  }
}

Vec3 Anchors::start(const std::string& name) const {
  const auto found = on_bodies_.find(name);
  return found == on_bodies_.end() ? supports_.start(name) : found->second;
}

void Anchors::attach(const Stop& stop, const Place& place, bool bends) {
  if (on_bodies_.contains(stop.name))
    scene_.attachments.push_back({place, stop.name, bends && stop.kind == Stop::Kind::clamp});
  else
    supports_.attach(stop, place, bends, scene_);
}

void Anchors::need_frame(const std::string& name, const Mark& at, const std::string& path) {
  if (!on_bodies_.contains(name)) supports_.add_frame(name, at, path, scene_);
}

}  // namespace hawser
