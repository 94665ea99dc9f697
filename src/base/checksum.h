// A checksum that tells whether bytes are still those that were written.
#pragma once

#include <cstdint>
#include <string_view>

namespace hawser {

/// 64-bit FNV-1a (Fowler, Noll & Vo). Each of its two operations can be undone, so one changed
/// byte always changes it.
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

}  // namespace hawser
