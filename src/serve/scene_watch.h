// Notices when files are saved.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace hawser {

class SceneWatch {
 public:
  /// These are watched from now on, as they are.
  void watch(const std::set<std::string>& files);
  /// True once after one of them has changed and stayed as it is since the last question: an editor
  /// may write in parts.
  bool changed();

 private:
  struct Stamp {
    long long time = 0, size = -1, file = 0;
    bool operator==(const Stamp&) const = default;
  };
  [[nodiscard]] std::vector<Stamp> stamps() const;
  static Stamp stamp(const std::string& path);

  std::set<std::string> files_;
  std::vector<Stamp> known_, last_;
};

}  // namespace hawser
