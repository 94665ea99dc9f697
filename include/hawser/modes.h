// Natural frequencies and mode shapes of small motions about a state at rest. SI units.
//
//     K x = omega^2 M x  for motions allowed by supports and constraints,
//
// where K is the stiffness at the state: material stiffness, geometric stiffness of the tension and
// of the multipliers of joints, attachments and massless cables (bodies swing), and load stiffness.
// If the tangent of a load is not symmetric (moments fixed in space), its symmetric part is used.
// See docs/theory/modes.md.
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
  int count = 10;              ///< maximum number of modes, lowest first
  std::optional<double> near;  ///< return the modes nearest to this frequency instead [Hz]
};

/// Behaviour of a mode in time, without damping.
enum class ModeKind {
  oscillates,  ///< omega^2 > 0
  free,        ///< omega^2 = 0 within rounding error: it drifts
  unstable     ///< omega^2 < 0: unstable state, the motion grows as e^(omega t)
};

struct Mode {
  ModeKind kind = ModeKind::oscillates;
  double omega_squared = 0;  ///< [rad^2/s^2]
  double omega = 0;          ///< sqrt |omega_squared| [rad/s]; unstable: the frequency is i omega
  double frequency = 0;      ///< omega/(2 pi) [Hz]
  double period = 0;         ///< 1/frequency [s]; infinite for a free mode

  /// -Re(lambda)/|lambda| of the motion e^(lambda t) with the damping of the sections. Computed
  /// from the undamped shape: exact for proportional damping (one section, one law), first-order
  /// accurate otherwise. 1 if overdamped.
  double damping_ratio = 0;
  double damped_frequency = 0;  ///< Im(lambda)/(2 pi) [Hz]
  bool overdamped = false;      ///< returns to equilibrium without oscillating

  /// Per coordinate, as State::q without its padding, x^T M x = 1 [1/sqrt(kg)]. Bodies:
  /// displacement in world axes, rotation in body axes.
  std::vector<double> shape;
  /// Share of the kinetic energy per part: cables, then bodies. The sum is 1.
  std::vector<double> shares;
  std::array<double, 3> effective_mass{};  ///< effective modal mass along x, y, z [kg]
  /// Elements per wavelength of the shape, minimum over the cables (infinite if no cable takes part
  /// in a wave), and whether they suffice: 4 for ancf (frequency error of 1 % or less), 8 for
  /// np-fem (3 %).
  double elements_per_wave = std::numeric_limits<double>::infinity();
  bool resolved = true;
  /// |K x + G^T mu - omega^2 M x| / ((|omega^2| + shift) |M x|): relative residual [-].
  double residual = 0;
};

struct ModesReport {
  std::vector<Mode> modes;         ///< sorted by omega_squared
  std::vector<std::string> parts;  ///< names of the parts in Mode::shares
  int motions = 0;                 ///< degrees of freedom, which is the total number of modes
  double mass = 0;                 ///< of the whole model [kg]
  double unbalanced = 0;           ///< largest unbalanced generalized force [N, N m]
  bool complete = false;           ///< no mode is missing in the range: verified by inertia count
  bool damped = false;             ///< at least one section has damping
  std::string message;             ///< what failed or is unreliable
};

/// Modes about `at`, normally an equilibrium(). Velocities are ignored. Velocity drives are locked,
/// unilateral constraints stay active or inactive as they are, and cables with friction stick.
/// Throws Error if the options are invalid, the state does not match the model or nothing can
/// move.
ModesReport modes(const Model& model, const State& at, const ModeOptions& options = {});

/// Writes a mode about `at` as a VTKHDF file, which ParaView (5.12 or newer) plays: one period of
/// the motion, scaled so that the largest displacement is a tenth of the extent of the scene. Point
/// data `displacement`: amplitude [m]; cell data `cable`, `body`: number in the scene, or -1. Times
/// are those of the period [s]; modes that do not oscillate take 1 s. Throws Error.
void write_mode(const Model& model, const State& at, const Mode& mode, const std::string& path);

}  // namespace hawser
