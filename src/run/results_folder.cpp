#include "run/results_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/checksum.h"
#include "hawser/error.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

constexpr const char* inventory_title = "# Files that Hawser wrote here; --overwrite replaces them";
const std::string unfinished = ".part";

template <class Failure>
[[noreturn]] void cannot_write(const std::string& path, const std::string& cause) {
  throw Failure(path, "a folder that cannot be written to (" + cause + ")", "a writable folder",
                "Free some space or choose another folder with -o.");
}

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  if (fs::is_regular_file(path)) text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string scene_mark(const std::string& scene) { return fmt::format("{:016x}", checksum(scene)); }

/// Name and mark of each file in the inventory.
std::map<std::string, std::string> inventory_of(const fs::path& folder) {
  std::map<std::string, std::string> out;
  std::istringstream text(content_of(folder / inventory_file));
  std::string line;
  if (!std::getline(text, line) || line != inventory_title) return out;
  while (std::getline(text, line)) {
    const size_t space = line.find(' ');
    out[line.substr(0, space)] = space == std::string::npos ? "" : line.substr(space + 1);
  }
  return out;
}

/// Throws Error when a file of a run's names is not from a run.
void require_own_files(const fs::path& folder) {
  const auto refuse = [](const fs::path& path, const char* found) {
    throw Error(path, found, "only files of an earlier run, which --overwrite replaces",
                "Move it away, or choose another folder with -o.");
  };
  const std::map<std::string, std::string> known = inventory_of(folder);
  for (const std::string& name : files_of_run(folder)) {
    const fs::path path = folder / name;
    if (known.contains(name)) {
      if (name == scene_copy_file && scene_mark(content_of(path)) != known.at(name))
        refuse(path, "a scene that was changed after the run");
    } else {
      refuse(path, "a file that was not written by Hawser");
    }
  }
}

void remove_run(const fs::path& folder) {
  for (const std::string& name : files_of_run(folder)) fs::remove(folder / name);
  if (!inventory_of(folder).empty())
    for (const char* name : {summary_file, scene_copy_file, checkpoint_file, inventory_file})
      fs::remove(folder / (name + unfinished));  // of a run that was killed
}

}  // namespace

std::vector<std::string> files_of_run(const std::string& folder) {
  std::vector<std::string> out;
  for (const char* name : {"channels.csv", "results.h5", report_file, "results.vtkhdf",
                           "inputs.csv", scene_copy_file, checkpoint_file, summary_file})
    if (fs::exists(fs::path(folder) / name)) out.emplace_back(name);
  return out;
}

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw Error(folder, "another run that is writing to it", "a folder used by this run only",
              "Wait for the other run to end, or choose another folder with -o.");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(other.descriptor_) {
  other.descriptor_ = -1;
}

FolderLock prepare_folder(const std::string& folder, bool overwrite) {
  std::error_code error;
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw Error(folder, "a file of that name", "a folder for the results",
                "Choose another one with -o.");
  try {
    fs::create_directories(folder);
  } catch (const fs::filesystem_error& problem) {
    cannot_write<Error>(folder, problem.code().message());
  }
  FolderLock lock(folder);
  if (!fs::is_empty(folder, error) && !overwrite)
    throw Error(
        folder,
        files_of_run(folder).empty() ? "a folder with files in it"
                                     : "the results of an earlier run",
        "a new or empty folder",
        "Choose another one with -o, or add --overwrite to replace the results in this one.");
  require_own_files(folder);
  try {
    remove_run(folder);
  } catch (const fs::filesystem_error& problem) {
    cannot_write<Error>(folder, problem.code().message());
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) cannot_write<Error>(folder, std::strerror(errno));
  return lock;
}

void begin_folder(const std::string& folder, const std::vector<std::string>& written,
                  const std::string& scene) {
  std::string text = inventory_title;
  text += fmt::format("\n{} {}\n{}\n{}\n", scene_copy_file, scene_mark(scene), checkpoint_file,
                      summary_file);
  for (const std::string& name : written) text += name + "\n";
  replace_file(folder + "/" + inventory_file, text);
  replace_file(folder + "/" + scene_copy_file, scene);
}

std::string unused_directory(const std::string& wanted) {
  std::string name = wanted;
  std::error_code error;
  for (int n = 2; fs::exists(name) && !(fs::is_directory(name) && fs::is_empty(name, error)); ++n)
    name = fmt::format("{}-{}", wanted, n);
  return name;
}

/// As it was left: room that was reserved in it is kept.
static int open_unfinished(const std::string& fresh) {
  const int file = open(fresh.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) cannot_write<Error>(fresh, std::strerror(errno));
  return file;
}

void replace_file(const std::string& path, const std::string& bytes) {
  const std::string fresh = path + unfinished;
  const int file = open_unfinished(fresh);
  const auto give_up = [&] {
    const std::string cause = std::strerror(errno);
    close(file);
    unlink(fresh.c_str());
    cannot_write<WriteError>(path, cause);
  };
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) give_up();
    done += static_cast<size_t>(n);
  }
  if (ftruncate(file, static_cast<off_t>(bytes.size())) != 0 || fsync(file) != 0) give_up();
  close(file);
  if (std::rename(fresh.c_str(), path.c_str()) != 0)
    cannot_write<WriteError>(path, std::strerror(errno));
}

void reserve_file(const std::string& path, size_t bytes) {
  const std::string fresh = path + unfinished;
  const int file = open_unfinished(fresh);
  const int cause = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  close(file);
  if (cause == 0) return;
  unlink(fresh.c_str());
  cannot_write<WriteError>(path, std::strerror(cause));
}

}  // namespace hawser
