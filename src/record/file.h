// A file written by system calls, so that what is written is in the hands of the system at once.
#pragma once

#include <string>
#include <string_view>

namespace hawser {

/// Failures are Errors with the path and the cause; those to write are WriteErrors.
class File {
 public:
  enum class Mode { create, change };  ///< create empties a file that is there
  File(std::string path, Mode mode);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// In one call, unless the system takes less at a time. On failure size() counts what it took.
  void write_at(size_t offset, std::string_view data);
  void append(std::string_view data);
  /// Makes sure that there is room for so many bytes at the end, as zeros that another writer fills
  /// or cuts off. On failure the file is as it was.
  void reserve(size_t bytes);
  void cut(size_t size);
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] std::string read_at(size_t offset, size_t bytes) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_;
  size_t size_ = 0;
};

}  // namespace hawser
