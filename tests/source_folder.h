#pragma once

#include <string>
#include <string_view>

namespace hawser {

/// The folder of the sources. Defined in a file that CMake writes, so that no other file depends on
/// where a clone is: the compiler cache then serves every clone.
extern const char* const source_folder;

/// A file or folder of the sources: source_path("scenes").
inline std::string source_path(std::string_view below) {
  return std::string(source_folder).append("/").append(below);
}

}  // namespace hawser
