// Chunks of numbers compressed as HDF5's shuffle and deflate filters do, in a fraction of the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_compressor;

namespace hawser {

/// Makes zlib streams (RFC 1950) of byte-shuffled numbers. The low bytes of floating-point numbers
/// are noise as a rule, on which compression only loses time: they are stored as they are where
/// they look so.
class ShuffleDeflate {
 public:
  ShuffleDeflate();
  /// Appends the stream of numbers of `width` bytes each (4 or 8) to `out`; returns its size.
  size_t add(std::span<const std::byte> numbers, size_t width, std::vector<uint8_t>& out);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<uint8_t> shuffled_, packed_;  ///< scratch
};

}  // namespace hawser
