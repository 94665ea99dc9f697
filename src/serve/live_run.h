// A simulation that is acted on while it runs. All that is done to it is done between steps and
// logged, so that `hawser run --replay` takes the same steps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hawser/control.h"
#include "hawser/integrator.h"
#include "hawser/scene_file.h"
#include "run/results_folder.h"
#include "run/settings.h"

namespace hawser {

/// What is pulled, where and to where.
struct PullOrder {
  std::string body, cable;            ///< one of them is empty
  Vec3 at = Vec3::Zero();             ///< on a body: from its centre, body axes [m]
  double s = 0;                       ///< on a cable: arc length [m]
  Vec3 target = Vec3::Zero();         ///< [m]
  std::optional<double> stiffness{};  ///< [N/m]; none: by the mass that is pulled
};

/// The pull at a state.
struct PullNow {
  std::string body, cable;
  double s = 0;
  Vec3 point = Vec3::Zero(), force = Vec3::Zero();  ///< [m], [N]
};

class LiveRun {
 public:
  /// Starts a scene that has a hand (add_hand). `directory`: results folder of the log, which is
  /// made with the first event, with another name if there is one; empty: no log. Throws Error.
  LiveRun(SceneFile file, std::string directory);

  /// False if the step fails, now and from then on.
  bool step();
  [[nodiscard]] const std::string& failure() const { return failure_; }

  /// These throw Error where they cannot be done.
  double set(const std::string& input, double value);
  void pull(const PullOrder& order);
  void release();
  void cut(const std::string& cable, double s);

  [[nodiscard]] const SceneFile& file() const { return file_; }
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const State& state() const { return state_; }
  /// Of cuts, and of elements that divide and merge where cable flows.
  [[nodiscard]] long mesh_changes() const { return mesh_changes_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  [[nodiscard]] std::optional<PullNow> pull_now() const;
  /// Path of inputs.csv; empty: nothing was logged.
  [[nodiscard]] std::string log() const;
  /// What has happened so far is in the file.
  void flush();

 private:
  SettingLog* open_log();
  void change_mesh(const Mesh& mesh);
  double hand(HandInput which) const;
  void set_hand(HandInput which, double value);
  [[nodiscard]] double mass_of(const PullOrder& order) const;

  SceneFile file_;
  std::string directory_;
  Model model_;
  Integrator integrator_;
  State state_;
  Feedback feedback_;
  Control control_;
  std::optional<FolderLock> lock_;
  std::unique_ptr<SettingLog> log_;
  std::vector<std::string> warnings_;
  std::string failure_;
  long mesh_changes_ = 0;
};

}  // namespace hawser
