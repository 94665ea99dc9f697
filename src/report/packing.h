// Numbers of a run as the page reads them: 16 bits a number, differences from frame to frame.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hawser {

/// A series of frames of `points` numbers each: low + code * step. The codes are differences to the
/// same point of the frame before, if that has as many points: first all low bytes, then all high
/// bytes.
struct Packed {
  size_t at = 0;  ///< first byte
  double low = 0, step = 0;
};

/// Appends every `stride`th of the numbers, from `first` on.
Packed pack(std::span<const float> numbers, size_t first, size_t stride,
            const std::vector<int>& points, std::vector<uint8_t>& out);

/// Appends 32-bit floats, on a multiple of four bytes; returns the first byte.
size_t add_floats(std::span<const double> numbers, std::vector<uint8_t>& out);

/// A zlib stream (RFC 1950), compressed as far as deflate can.
std::vector<uint8_t> deflated(std::span<const uint8_t> bytes);

std::string base64(std::span<const uint8_t> bytes);

}  // namespace hawser
