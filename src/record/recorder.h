// Decides when a run is sampled, samples it and hands the samples to the sinks.
#pragma once

#include <memory>
#include <vector>

#include "record/sink.h"

namespace hawser {

/// How far a recording is: plain data for a checkpoint.
struct RecorderProgress {
  double every = 0, shapes_every = 0;     ///< [s]; settled when the run starts
  long next_row = 0, next_frame = 0;      ///< due at this multiple of them
  double last_row = -1, last_frame = -1;  ///< time of the last ones [s]; -1: none
  SinkPosition written;                   ///< rows and frames kept when a run goes on
};

/// The first row and frame are those of the start. Later ones fall on the step nearest to multiples
/// of `every`, counted in whole numbers so that long runs do not drift. finish() adds the end of
/// the run where that is off the grid; it does not count as progress, so a run that goes on leaves
/// it out.
class Recorder {
 public:
  /// `until`: end of the run [s]; `step`: its (shortest) step [s].
  Recorder(const Model& model, const Recording& recording, double until, double step);
  /// Goes on from where a run stopped; the sinks must start at progress.written.
  Recorder(const Model& model, const Recording& recording, const RecorderProgress& progress,
           double step);

  /// What sinks need to know; title and metadata are left to the caller.
  [[nodiscard]] ResultLayout layout() const;
  void add(std::unique_ptr<Sink> sink);

  /// Samples are of this model from now on: the same scene on another mesh.
  void change_mesh(const Model& model);

  /// When the next row or frame is due [s].
  [[nodiscard]] double next() const;
  /// Call it with every state, or with those at next(): writes what is due. Throws Error when a
  /// number that is written is not finite.
  void sample(const State& state);
  /// The end of the run; flushes.
  void finish(const State& state);
  void flush();

  /// Channels::off_cable().
  [[nodiscard]] std::vector<std::string> off_cable(const State& state) const {
    return channels_.off_cable(state);
  }

  [[nodiscard]] const RecorderProgress& progress() const { return progress_; }

 private:
  void write_row(const State& state);
  void write_frame(const State& state);

  Model model_;
  std::vector<std::string> names_;  ///< of the channels
  int points_;                      ///< Recording::points
  Channels channels_;
  Shapes shapes_;
  double step_;
  RecorderProgress progress_;
  std::vector<double> values_;
  std::vector<std::unique_ptr<Sink>> sinks_;
  bool rows_ = false, frames_ = false;  ///< some sink takes them
};

}  // namespace hawser
