// Supports: where they are, how they move, and what they hold of a cable.
#pragma once

#include <map>

#include "hawser/scene_file.h"
#include "scene/fields.h"
#include "scene/values.h"

namespace hawser {

class Supports {
 public:
  /// Takes the supports and their motions; checks them against each other.
  Supports(ReadContext& context, const SceneText& text);

  /// Where a support is at t = 0 [m].
  [[nodiscard]] Vec3 start(const std::string& name) const;

  /// Holds a node of a cable at a support as a stop of its route asks: pins, clamps, motions and
  /// conditions go to the scene. `bends`: the cable has a direction to hold.
  void attach(const Stop& stop, const Place& place, bool bends, Scene& scene);
  /// Gives the scene a frame of the ground that stands and moves as the support, once. `at` and
  /// `path` are where the file asks for it.
  void add_frame(const std::string& name, const Mark& at, const std::string& path, Scene& scene);
  /// The supports in the order of the file, with what has been attached to them.
  [[nodiscard]] const std::vector<Support>& held() const { return held_; }
  /// Whether nothing is attached to a support.
  [[nodiscard]] bool is_idle(const Support& support) const;

 private:
  struct Motion {
    Vec3 position = Vec3::Zero();              ///< without motion
    const TimeFunction* displacement[3] = {};  ///< null: none
    const TurnText* turn = nullptr;
    const Vec3* slides = nullptr;
    size_t index = 0;       ///< in held_
    bool is_frame = false;  ///< the scene has a frame for it

    [[nodiscard]] bool moves() const;
    /// position + displacement along one axis.
    [[nodiscard]] Signal along(int axis) const;
  };
  void take_motion(const Named<MotionText>::Entry& entry);
  static void hold(const Place& place, const Motion& motion, Scene& scene);
  static void slide(const std::string& name, const Place& place, const Motion& motion,
                    Scene& scene);

  ReadContext& c_;
  std::map<std::string, Motion> supports_;
  std::vector<Support> held_;
};

}  // namespace hawser
