// Natural frequencies and shapes of small motions about a state at rest. SI units.
//
//     K x = omega^2 M x  on the motions that supports and constraints allow,
//
// K the stiffness at the state: of the material, of the tension (geometric), of the multipliers of
// joints, attachments and massless cables (bodies swing), and of loads that turn. Where the tangent
// of a load is not symmetric (moments fixed in space) its symmetric part counts. Docs:
// docs/theory/modes.md.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

struct ModeOptions {
  int count = 10;              ///< at most so many, the lowest
  std::optional<double> near;  ///< instead of the lowest those nearest to this frequency [Hz]
};

/// How a mode moves in time, damping left aside.
enum class ModeKind {
  oscillates,  ///< omega^2 > 0
  free,        ///< omega^2 = 0 as far as rounding can tell: it drifts
  unstable     ///< omega^2 < 0: the state is no stable one, the motion grows as e^(omega t)
};

struct Mode {
  ModeKind kind = ModeKind::oscillates;
  double omega_squared = 0;  ///< [rad^2/s^2]
  double omega = 0;          ///< sqrt |omega_squared| [rad/s]; unstable: the frequency is i omega
  double frequency = 0;      ///< omega/(2 pi) [Hz]
  double period = 0;         ///< 1/frequency [s]; infinite where it is free

  /// With the damping of the sections, -Re(lambda)/|lambda| of the motion e^(lambda t). From the
  /// shape without damping: exact where the damping is proportional (one section, one law), of
  /// first order otherwise. 1 where it does not swing any more.
  double damping_ratio = 0;
  double damped_frequency = 0;  ///< Im(lambda)/(2 pi) [Hz]
  bool overdamped = false;      ///< it creeps back without swinging

  /// By coordinate, as State::q without its padding, x^T M x = 1 [1/sqrt(kg)]; of a body the
  /// displacement in world axes and the turn in body axes.
  std::vector<double> shape;
  /// Of the kinetic energy, by part: the cables of the scene, then its bodies; adds up to 1.
  std::vector<double> shares;
  std::array<double, 3> effective_mass{};  ///< that shakes along x, y, z with the mode [kg]
  /// Elements that a wave of the shape has, of the cable where it has fewest (infinite where no
  /// cable waves), and whether they are enough: 4 of ancf (its frequency is off by 1 % or less), 8
  /// of np-fem (3 %).
  double elements_per_wave = std::numeric_limits<double>::infinity();
  bool resolved = true;
  /// |K x + G^T mu - omega^2 M x| by (|omega^2| + shift) |M x|: how well it is found [-].
  double residual = 0;
};

struct ModesReport {
  std::vector<Mode> modes;         ///< by omega_squared
  std::vector<std::string> parts;  ///< that Mode::shares speak of
  int motions = 0;                 ///< that supports and constraints leave: there are so many modes
  double mass = 0;                 ///< of the whole model [kg]
  double unbalanced = 0;           ///< largest generalized force that nothing balances [N, N m]
  bool complete = false;           ///< none is missing in their range: counted by inertia
  bool damped = false;             ///< some section has damping
  std::string message;             ///< what went wrong or is not to be relied on
};

/// About `at`, normally an equilibrium(). Velocities are not looked at; rows that give a rate hold
/// still, one-sided rows that act hold and those that do not are off, and rubbing cables stick.
/// Throws Error when the options make no sense, the state does not fit the model or nothing can
/// move.
ModesReport modes(const Model& model, const State& at, const ModeOptions& options = {});

}  // namespace hawser
