// The folder a run writes to: what lies in it, and that nothing is lost in it.
#pragma once

#include <string>
#include <vector>

namespace hawser {

/// Names inside the folder. The sinks name theirs in src/record.
inline constexpr const char* summary_file = "summary.json";
inline constexpr const char* scene_copy_file = "scene.yaml";
inline constexpr const char* report_file = "report.html";
inline constexpr const char* checkpoint_file = "checkpoint.bin";
/// What a run wrote into the folder: a name a line, the scene with its checksum. A file that is not
/// listed here is not Hawser's, whatever its name.
inline constexpr const char* inventory_file = ".hawser";

/// Holds a folder for one run. The system gives it up when the process ends, however it ends. File
/// systems without locks hold nothing.
class FolderLock {
 public:
  /// Throws Error when another run holds it.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  int descriptor_;
};

/// Makes the folder and holds it, or throws Error: when it is not empty and `overwrite` is false,
/// when another run holds it, or when it cannot be written. With `overwrite` the files of an
/// earlier run are removed; one of the same name that Hawser did not write is an Error.
FolderLock prepare_folder(const std::string& folder, bool overwrite);

/// Writes the inventory of a run and its copy of the scene. `written`: by the sinks.
void begin_folder(const std::string& folder, const std::vector<std::string>& written,
                  const std::string& scene);

/// The files of a run that are in the folder, relative to it.
std::vector<std::string> files_of_run(const std::string& folder);

/// Writes a whole file under a temporary name, syncs it and renames it: whatever happens, `path`
/// is either as it was or complete. Throws WriteError.
void replace_file(const std::string& path, const std::string& bytes);

/// Takes room for a later replace_file() of up to so many bytes, so that it succeeds on a disk that
/// is full by then.
void reserve_file(const std::string& path, size_t bytes);

}  // namespace hawser
