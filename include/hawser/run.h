// Runs a scene file and writes its results, as `hawser run` does, or checks it without running.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hawser/control.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/scene_file.h"

namespace hawser {

/// Progress of a run.
struct Progress {
  double t = 0, until = 0;      ///< [s] simulated
  double wall = 0;              ///< [s] since the call
  double real_time_factor = 0;  ///< simulated time / wall time
  double seconds_left = 0;      ///< estimate
  Energy energy;
};

/// What happened between two steps of a run, as inputs.csv in the results lists it.
struct LoggedSetting {
  enum class Event {
    set,  ///< an input was set
    cut   ///< a cable was cut (with_cut() in hawser/mesh.h)
  };
  long step = 0;      ///< State::steps at which it happened
  double t = 0;       ///< [s]
  std::string input;  ///< name; cut: of the cable
  double value = 0;   ///< applied [SI]; cut: arc length [m]
  Event event = Event::set;
};

/// Reads the settings of a run from inputs.csv, or from the results folder that contains it. Throws
/// Error.
std::vector<LoggedSetting> read_settings(const std::string& path);
/// Whether the hand pulls in them: the scene needs one (add_hand() in hawser/scene.h).
bool uses_hand(const std::vector<LoggedSetting>& settings);

struct RunOptions {
  std::string directory;   ///< for the results; empty: nothing is written
  bool overwrite = false;  ///< replace the files of an earlier run
  bool csv = true, hdf5 = true, vtk = false;
  /// Also write report.html (hawser/report.h), which needs hdf5. Nothing happens where
  /// has_report_page() is false.
  bool report = false;
  double checkpoint_every = 0;  ///< [s] simulated; 0: only at the end and on a stop
  /// Called at each stage before the first step. These stages take minutes for large nets.
  std::function<void(const std::string&)> stage;
  /// Called after the first step, then periodically. Returning false stops the run.
  std::function<bool(const Progress&)> progress;
  /// A controller: called at the start and after every step, before the feedback of the scene. A
  /// resumed run calls it after its first step. Its settings are logged in inputs.csv.
  std::function<void(Control&)> control;
  /// Settings of an earlier run of the same scene, which are repeated: the results are identical.
  std::vector<LoggedSetting> replay;
  double progress_every = 0.1;  ///< wall time between calls [s]; 0: after every step
  /// Called after every step, with the model and its state. A mesh that it returns is the one that
  /// the run continues with. A replay needs the same function.
  std::function<std::optional<Mesh>(const Model&, const State&)> remesh;
  /// Called with each warning as it occurs. The report lists them too.
  std::function<void(const std::string&)> warn;
};

/// An extreme of the tension, evaluated at every step.
struct TensionExtreme {
  double tension = 0;  ///< [N]
  double s = 0;        ///< unstretched arc length from the start [m]; 0 for a massless cable
  double t = 0;        ///< [s]
  /// The peak of an impact that the steps do not resolve, computed separately (State::impacts).
  bool computed = false;
};

struct CableReport {
  std::string cable;
  TensionExtreme largest, smallest;
  double breaking_load = 0;          ///< [N]; 0: unknown
  double utilisation = 0;            ///< largest tension / breaking load; 0: unknown
  std::array<Vec3, 2> from{}, to{};  ///< both ends, at the start and at the end of the run [m]
};

/// A body at the end of the run.
struct BodyReport {
  std::string body;
  BodyPose pose;
  Vec3 from = Vec3::Zero();  ///< position at the start [m]
};

/// An input at the end of the run.
struct InputReport {
  std::string input, unit;
  double value = 0;   ///< [SI]
  long settings = 0;  ///< by controllers, without feedback
};

struct ExpectationReport {
  Expectation expected;
  std::string unit;  ///< of the column
  double measured = 0;
  bool met = false;
  bool reached = false;  ///< false: the run ended before that time
};

/// Energy removed by the steps (negative: added) that the work (Energy::work) does not account for:
/// the numerical damping of the scheme [J].
struct NumericalDamping {
  double taken = 0;
  double by_steps = 0;      ///< by steps of the scheme
  double by_fallbacks = 0;  ///< by Backward Euler steps used instead
  double at_switches = 0;   ///< at cables coming taut, limits reached or speed jumps
  double at_mesh_changes = 0;
  double at_fidelity_changes = 0;  ///< of cables that went slack or came taut (Cable::when_slack)
  double scale = 0;                ///< the largest energy in motion
  [[nodiscard]] double share() const { return scale > 0 ? taken / scale : 0; }
};

/// A free end of a cable that ran out of an eyelet or off a pulley.
struct RunOutReport {
  double t = 0;  ///< [s]
  std::string cable;
  std::string stop;    ///< of its route: "edge"
  bool start = false;  ///< the start of the cable, or of a part that was cut off; else the end
  double energy = 0;   ///< change of the total energy there, part of at_mesh_changes [J]
};

/// What cables touched; all zero if nothing may touch.
struct ContactReport {
  double friction_work = 0;  ///< taken by friction [J]
  double deepest = 0;        ///< penetration of a surface [m]
  double courant = 0;  ///< largest sliding in one step over the distance of the touching points
  double sunk = 0;     ///< largest penetration over that of a contact that is too soft
  double passes = 0;   ///< linear solves per step
  long fallbacks = 0;  ///< steps divided because their contacts did not settle
};

/// Cables that went slack or came taut (Cable::when_slack).
struct FidelityReport {
  long changes = 0;
  double largest_energy = 0;  ///< of all changes, the largest that one has taken or added [J]
};

enum class RunEnd { finished, stopped, failed };

/// Report of a whole run, including the parts before it was resumed.
struct RunReport {
  std::string title;
  RunEnd end = RunEnd::finished;
  std::string failure;      ///< cause, if it failed
  double t = 0, until = 0;  ///< [s] reached, requested
  std::vector<CableReport> cables;
  std::vector<BodyReport> bodies;
  std::vector<InputReport> inputs;
  Energy energy_start, energy_end;
  NumericalDamping damping;
  std::vector<RunOutReport> run_outs;      ///< as they happened
  std::optional<ContactReport> contact;    ///< of scenes with contact
  std::optional<FidelityReport> fidelity;  ///< of scenes with such cables
  Counters counters;
  std::string solver;  ///< solver_name()
  std::string linear_solver;
  double cpu = 0, wall = 0;  ///< [s]
  std::vector<ExpectationReport> expectations;
  std::vector<std::string> warnings;
  std::vector<std::string> files;  ///< written, relative to the directory

  /// False if an expectation was evaluated and not met.
  [[nodiscard]] bool expectations_met() const;
};

/// "mixed generalized-alpha (rho_infinity 0)": method and scheme, with what damps the scheme.
std::string solver_name(const SolveOptions& options);

/// What a run of a scene records, and its warnings before the first step.
struct RunPlan {
  std::vector<std::string> channels;  ///< those of the scene, or default_channels()
  std::vector<Column> columns;        ///< of the channels
  double every = 0;                   ///< sampling interval of the channels [s]
  double shapes_every = 0;            ///< interval of shapes [s]
  int points = 0;                     ///< of all cables in a shape
  std::vector<std::string> warnings;  ///< of the file, the model and the initial state
};

/// Checks solver options, channels and expectations of a scene without running it. `model` is
/// compile(file). The initial state is examined unless it is an equilibrium, which a run computes.
/// Throws SceneError with all errors.
RunPlan plan_run(const SceneFile& file, const Model& model);

/// A directory for the results of a run: `wanted`, or `wanted`-2, -3, ...; the first that does not
/// exist or is empty.
std::string unused_directory(const std::string& wanted);

/// Runs a scene from its start. Throws Error on bad input or if the directory contains results.
RunReport run(const SceneFile& file, const RunOptions& options);

/// Continues from the checkpoint in options.directory, to `until` [s] if given. The results
/// continue as in an uninterrupted run. Formats and intervals are those of the original run.
RunReport resume(const RunOptions& options, std::optional<double> until = std::nullopt);

}  // namespace hawser
