// What cables and joints are fastened to: supports, bodies and frames of bodies, by name.
#pragma once

#include <map>

#include "scene/supports.h"

namespace hawser {

class Anchors {
 public:
  /// Over the supports and the bodies and frames that the scene has by now.
  Anchors(Supports& supports, Scene& scene);

  /// Where it is at t = 0 [m].
  [[nodiscard]] Vec3 start(const std::string& name) const;

  /// Holds a node of a cable as a stop of its route asks; `bends`: the cable has a direction to
  /// hold.
  void attach(const Stop& stop, const Place& place, bool bends);

  /// Makes sure that the scene has a frame of that name: supports get one on the ground. `at` and
  /// `path` are where the file asks for it.
  void need_frame(const std::string& name, const Mark& at, const std::string& path);

 private:
  Supports& supports_;
  Scene& scene_;
  std::map<std::string, Vec3> on_bodies_;  // at t = 0, by name
};

}  // namespace hawser
