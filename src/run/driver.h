// A run under way: steps, looks, records, saves, until it ends.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "hawser/integrator.h"
#include "hawser/run.h"
#include "record/recorder.h"
#include "run/checkpoint.h"
#include "run/expectations.h"
#include "run/pace.h"
#include "run/results_folder.h"
#include "run/settings.h"
#include "run/tension_watch.h"

namespace hawser {

class Driver {
 public:
  /// A run from the start, or from `checkpoint` when it is not null. Throws Error when the scene
  /// cannot be run, before the results folder is touched, or when that cannot be written.
  Driver(const SceneFile& file, const RunOptions& options, const Checkpoint* checkpoint);

  RunReport run();

 private:
  void tell_stage(const char* stage) const;
  void begin();
  void go_on(const Checkpoint& checkpoint);
  void reserve_summary() const;
  /// There may be events.
  [[nodiscard]] bool logs() const { return !settings_.empty() || !options_.replay.empty(); }
  /// Settings between steps: of a replay, of a controller, of the feedback.
  void control();
  void take_setting(const Setting& setting);
  void take_cut(const LoggedSetting& cut);
  void look();
  [[nodiscard]] bool at_end() const;
  [[nodiscard]] double next_stop() const;
  RunEnd step_to_the_end();
  /// False when it fails; the report then has the reason.
  bool step(double stop);
  RunEnd take_last_steps();
  void remesh();
  void warn_of_fast_flow(FlowMesh mesh);
  MeshChange change_mesh(const Mesh& mesh);
  void note_run_outs(const Mesh& before, const MeshChange& change);
  void save_when_due();
  void save();
  [[nodiscard]] Progress progress() const;
  void warn(const std::string& text);
  void warn_of_tensions();
  void warn_of_crushing();
  void warn_of_pushing(CableModel model, const char* remedy);
  void warn_of_columns();
  void find_pulleys();
  void warn_of_lifted_cables();
  void tell_of_pulleys(const Mesh& next);
  void warn_of_places();
  void warn_of_winches();
  void warn_of_impacts(bool at_end);
  void warn_of_waves();
  void warn_of_oscillations();
  [[nodiscard]] NumericalDamping numerical_damping() const;
  [[nodiscard]] bool touches() const;
  [[nodiscard]] ContactReport contact_report() const;
  void warn_of_energy();
  void warn_of_contact();
  void warn_of_method();
  void fill_report();
  /// Both ends of every cable, then every body [m].
  [[nodiscard]] std::vector<Vec3> places() const;

  const SceneFile& file_;
  const RunOptions options_;
  Model model_;
  Integrator integrator_;
  State state_;
  Feedback feedback_;
  Control control_;
  Replay replay_;
  std::unique_ptr<SettingLog> log_;  ///< null: nothing is written, or nothing can be set
  std::vector<long> settings_;       ///< by input
  TensionWatch tension_;
  Expectations expectations_;
  std::optional<FolderLock> lock_;      ///< of the results; a resumed run's is its caller's
  std::unique_ptr<Recorder> recorder_;  ///< null: nothing is written
  Pace pace_;
  const double slack_;     ///< what is due this long after a step is due with it [s]
  const double rounding_;  ///< times nearer to each other are the same [s]
  double start_time_;      ///< of this part of the run [s] simulated
  double wall_start_, cpu_start_;
  double wall_before_ = 0, cpu_before_ = 0;  ///< [s] spent in the parts before
  long saved_ = 0;                           ///< checkpoint intervals gone by
  std::vector<Vec3> places_start_;           ///< places() as the run began
  RunReport report_;
  struct Pulley {
    size_t cable, stop;  ///< of the scene, and of its contacts
    size_t wrap;         ///< in State::wrap
    bool said;           ///< that the cable comes off it
  };
  std::vector<Pulley> pulleys_;
};

}  // namespace hawser
