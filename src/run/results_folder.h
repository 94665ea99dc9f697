// The folder a run writes to: what lies in it, and that nothing is lost in it.
#pragma once

#include <string>
#include <vector>

namespace hawser {

/// Names inside the folder. The sinks name theirs in src/record.
inline constexpr const char* summary_file = "summary.json";
inline constexpr const char* scene_copy_file = "scene.yaml";
inline constexpr const char* checkpoint_file = "checkpoint.bin";

/// Makes the folder, or throws Error: when it is not empty and `overwrite` is false, or when it
/// cannot be written. With `overwrite` the files of an earlier run are removed, and nothing else.
void prepare_folder(const std::string& folder, bool overwrite);

/// The files of a run that are in the folder, relative to it.
std::vector<std::string> files_of_run(const std::string& folder);

/// `wanted`, or `wanted`-2, -3, ... : the first that does not exist or is empty.
std::string free_folder(const std::string& wanted);

/// Writes a whole file under a temporary name, syncs it and renames it: whatever happens, `path`
/// is either as it was or complete. Throws Error.
void replace_file(const std::string& path, const std::string& bytes);

}  // namespace hawser
