// Probes of bodies, frames, joints, massless cables and what the ground holds. None allocates.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_term.h"
#include "record/measure_parts.h"
#include "record/mechanism_now.h"
#include "record/probes.h"

namespace hawser {

struct BodyProbe {
  enum class What { position, velocity, acceleration, angular_velocity, orientation } what;
  int body;
  std::array<int, 4> columns;  ///< x, y, z; of the orientation w, x, y, z; -1: not asked for
  void sample(const MechanismNow& now, std::span<double> out) const;
};

struct FrameProbe {
  enum class What { position, velocity } what;
  FrameRef frame;
  Columns columns;
  void sample(const MechanismNow& now, std::span<double> out) const;
};

struct JointProbe {
  enum class What { force, torque, turn, travel } what;
  size_t joint;
  Columns columns;
  void sample(const MechanismNow& now, std::span<double> out) const;
};

/// A massless cable, at one of its places or as a whole.
struct RouteProbe {
  enum class What {
    position,  ///< position, velocity and direction: of an end
    velocity,
    direction,
    tension,
    strain,
    bending,  ///< curvature and moment: none
    mean_strain,
    length,
    rest_length,
    paid_out,
    twist,
    torque
  } what;
  const RouteData* route;
  FrameRef start, end;                  ///< its stops there
  enum class At { spot, min, max } at;  ///< of tension and strain
  double fraction;                      ///< At::spot: of the unstretched cable
  double factor;                        ///< on the tension
  Columns columns;
  void sample(const MechanismNow& now, std::span<double> out) const;

 private:
  /// Of a run of a route.
  using OfRun = double (MechanismNow::*)(const RouteData&, size_t) const;
  [[nodiscard]] double at_place(const MechanismNow& now, OfRun of) const;
  [[nodiscard]] Vec3 vector(const MechanismNow& now) const;
  [[nodiscard]] double scalar(const MechanismNow& now) const;
  [[nodiscard]] double start_length() const;  ///< unstretched [m]
};

/// A stop that a cable slides over.
struct StopProbe {
  enum class What { wrap, slip } what;
  int rub;             ///< of the model; -1: there is no friction
  const ArcData* arc;  ///< of a cable with mass on a pulley; null: none
  int wrap;            ///< of a massless cable on a pulley: in State::wrap; -1: none
  int column;
  void sample(const MechanismNow& now, std::span<double> out) const;
};

/// A winch, its motor and its brake.
struct WinchProbe {
  enum class What { turn, speed, torque, wound, layer, brake_torque } what;
  const WinchData* winch;
  const WinchRowData* rows;
  int column;
  void sample(const State& state, std::span<double> out) const;
};

/// A sliding joint: its place on the cable, the force on the body.
struct SlideProbe {
  enum class What { place, speed, friction, force } what;
  const SlideData* joint;
  Columns columns;
  void sample(const State& state, std::span<double> out) const;
};

/// The force on a shape of a contact.
struct ContactProbe {
  std::vector<const ContactTerm*> terms;  ///< that may have a part of it
  int contact;                            ///< of the scene
  std::string shape;
  Columns columns;

  ContactProbe(const ModelData& model, int number, std::string on, const Columns& into);
  [[nodiscard]] Vec3 force(const State& state) const;
  void sample(const State& state, std::span<double> out) const;
};

/// What a support does to all that is held there, or where it is.
struct SupportProbe {
  enum class What { force, moment, position } what;
  std::vector<NodeReaction> places;  ///< nodes held
  int first_node;                    ///< of them; -1: none
  std::optional<GroundHold> ground;  ///< where the scene has a frame for it
  FrameRef frame;                    ///< that frame
  Columns columns;
  void sample(const MechanismNow& now, std::span<double> out) const;
};

}  // namespace hawser
