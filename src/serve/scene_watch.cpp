#include "serve/scene_watch.h"

#include <sys/stat.h>

namespace hawser {

SceneWatch::Stamp SceneWatch::stamp(const std::string& path) {
  struct stat now {};
  if (stat(path.c_str(), &now) != 0) return {};
  return {now.st_mtim.tv_sec * 1'000'000'000LL + now.st_mtim.tv_nsec,
          static_cast<long long>(now.st_size), static_cast<long long>(now.st_ino)};
}

std::vector<SceneWatch::Stamp> SceneWatch::stamps() const {
  std::vector<Stamp> out;
  for (const std::string& file : files_) out.push_back(stamp(file));
  return out;
}

void SceneWatch::watch(const std::set<std::string>& files) {
  files_ = files;
  known_ = last_ = stamps();
}

bool SceneWatch::changed() {
  const std::vector<Stamp> now = stamps();
  const bool settled = now == last_;
  last_ = now;
  if (!settled || now == known_) return false;
  known_ = now;
  return true;
}

}  // namespace hawser
