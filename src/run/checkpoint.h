// Everything a run needs to go on where it was, in one file.
#pragma once

#include <string>
#include <vector>

#include "hawser/run.h"
#include "record/recorder.h"
#include "run/tension_watch.h"

namespace hawser {

struct Checkpoint {
  std::string scene;  ///< SceneFile::resolved
  std::string file;   ///< the scene's file, as it was given
  double until = 0;   ///< end of the run [s]
  bool csv = false, hdf5 = false, vtk = false;
  double checkpoint_every = 0;  ///< [s] simulated

  RecorderProgress recorder;
  Snapshot snapshot;
  Counters counters;
  std::vector<TensionSeen> tension;  ///< by cable
  std::vector<ExpectationReport> expectations;
  Energy energy_start;
  std::vector<Vec3> places_start;  ///< Driver::places() as the run began
  std::vector<std::string> warnings;
  std::vector<RunOutReport> run_outs;
  std::vector<long> settings;  ///< by input: so far
  double cpu = 0, wall = 0;    ///< [s] spent so far
};

/// The file: magic, version, size of the data, the data, their checksum.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
/// Throws Error when there is none, or when it is foreign, of another version or damaged.
Checkpoint read_checkpoint(const std::string& path);
/// The same of a file already read; `path` names it in errors.
Checkpoint decode_checkpoint(const std::string& bytes, const std::string& path);

}  // namespace hawser
