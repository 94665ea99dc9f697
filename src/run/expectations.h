// The values a scene expects, measured when their time has come.
#pragma once

#include <vector>

#include "hawser/run.h"

namespace hawser {

class Expectations {
 public:
  /// Throws SceneError for channels that are unknown, of more than one column or of another unit.
  Expectations(const SceneFile& file, const Model& model);

  /// States are of this model from now on: the same scene on another mesh.
  void change_mesh(const Model& model);

  /// After a step: measures what is due at the state's time, which the step is nearest to.
  void look(const State& state);
  /// At the end of a finished run: measures what is expected there.
  void finish(const State& state);
  /// The next time at which something is expected [s]; infinity when there is none.
  [[nodiscard]] double next_time() const;

  [[nodiscard]] const std::vector<ExpectationReport>& reports() const { return reports_; }
  /// Goes on with what an earlier run of the same scene has measured.
  void restore(const std::vector<ExpectationReport>& reports);

 private:
  void add(const Expectation& expectation, const Model& model);
  void measure(size_t i, const State& state);
  void find_next();

  std::vector<Channels> channels_;  ///< one column each
  std::vector<ExpectationReport> reports_;
  double slack_ = 0;  ///< how far before its time a step may measure [s]
  double next_ = 0;   ///< next_time()
};

}  // namespace hawser
