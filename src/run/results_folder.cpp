#include "run/results_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "hawser/error.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

constexpr const char* vtk_folder = "vtk";
const std::string unfinished = ".part";

[[noreturn]] void cannot_write(const std::string& path, const std::string& cause) {
  throw Error(path, "that it cannot be written (" + cause + ")", "a place to write to",
              "Free some space or name another folder with -o.");
}

/// A frame of the shapes: vtk/NAME_NUMBER.vtp.
bool is_frame(const fs::path& path) {
  const std::string stem = path.stem();
  const size_t digits =
      stem.size() - std::min(stem.size(), stem.find_last_not_of("0123456789") + 1);
  return path.extension() == ".vtp" && digits >= 6 && stem.size() > digits &&
         stem[stem.size() - digits - 1] == '_';
}

void remove_run(const fs::path& folder) {
  for (const std::string& name : files_of_run(folder)) {
    if (name == vtk_folder) {
      for (const fs::directory_entry& entry : fs::directory_iterator(folder / name))
        if (is_frame(entry.path())) fs::remove(entry.path());
      if (fs::is_empty(folder / name)) fs::remove(folder / name);
    } else {
      fs::remove(folder / name);
    }
  }
  for (const char* name : {summary_file, scene_copy_file, checkpoint_file})
    fs::remove(folder / (name + unfinished));  // of a run that was killed
}

}  // namespace

std::vector<std::string> files_of_run(const std::string& folder) {
  std::vector<std::string> out;
  for (const char* name : {"channels.csv", "results.h5", "results.pvd", vtk_folder, scene_copy_file,
                           checkpoint_file, summary_file})
    if (fs::exists(fs::path(folder) / name)) out.emplace_back(name);
  return out;
}

void prepare_folder(const std::string& folder, bool overwrite) {
  std::error_code error;
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw Error(folder, "a file of that name", "a folder for the results",
                "Name another one with -o.");
  if (fs::is_directory(folder) && !fs::is_empty(folder, error) && !overwrite)
    throw Error(folder,
                files_of_run(folder).empty() ? "a folder with files in it"
                                             : "the results of an earlier run",
                "a new or empty folder",
                "Name another one with -o, or add --overwrite to replace the results in this one.");
  try {
    fs::create_directories(folder);
    remove_run(folder);
  } catch (const fs::filesystem_error& problem) {
    cannot_write(folder, problem.code().message());
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) cannot_write(folder, std::strerror(errno));
}

std::string free_folder(const std::string& wanted) {
  std::string name = wanted;
  std::error_code error;
  for (int n = 2; fs::exists(name) && !(fs::is_directory(name) && fs::is_empty(name, error)); ++n)
    name = fmt::format("{}-{}", wanted, n);
  return name;
}

void replace_file(const std::string& path, const std::string& bytes) {
  const std::string fresh = path + unfinished;
  const int file = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) cannot_write(fresh, std::strerror(errno));
  const auto give_up = [&] {
    const std::string cause = std::strerror(errno);
    close(file);
    unlink(fresh.c_str());
    cannot_write(path, cause);
  };
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) give_up();
    done += static_cast<size_t>(n);
  }
  if (fsync(file) != 0) give_up();
  close(file);
  if (std::rename(fresh.c_str(), path.c_str()) != 0) cannot_write(path, std::strerror(errno));
}

}  // namespace hawser
