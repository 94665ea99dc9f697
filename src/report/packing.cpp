#include "report/packing.h"

#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>

namespace hawser {

Packed pack(std::span<const float> numbers, size_t first, size_t stride,
            const std::vector<int>& points, std::vector<uint8_t>& out) {
  constexpr double codes = 65535;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = first; i < numbers.size(); i += stride) {
    low = std::min(low, static_cast<double>(numbers[i]));
    high = std::max(high, static_cast<double>(numbers[i]));
  }
  Packed packed{out.size(), std::isfinite(low) ? low : 0, high > low ? (high - low) / codes : 0};
  size_t count = 0;
  for (const int n : points) count += static_cast<size_t>(n);
  out.resize(out.size() + 2 * count);
  uint8_t* to = out.data() + packed.at;
  std::vector<uint16_t> before, now;
  size_t at = 0;
  for (const int n : points) {
    now.resize(static_cast<size_t>(n));
    if (before.size() != now.size()) before.assign(now.size(), 0);
    for (size_t i = 0; i < now.size(); ++i, ++at) {
      const double number = static_cast<double>(numbers[first + stride * at]);
      now[i] = packed.step > 0 ? static_cast<uint16_t>(std::lround((number - low) / packed.step))
                               : uint16_t{0};
      const auto change = static_cast<uint16_t>(now[i] - before[i]);
      to[at] = static_cast<uint8_t>(change & 255);
      to[count + at] = static_cast<uint8_t>(change >> 8);
    }
    std::swap(before, now);
  }
  return packed;
}

size_t add_floats(std::span<const double> numbers, std::vector<uint8_t>& out) {
  out.resize((out.size() + 3) / 4 * 4);
  const size_t first = out.size();
  out.resize(first + 4 * numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto number = static_cast<float>(numbers[i]);
    std::memcpy(out.data() + first + 4 * i, &number, 4);
  }
  return first;
}

std::vector<uint8_t> deflated(std::span<const uint8_t> bytes) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(9), libdeflate_free_compressor);
  if (!compressor) throw std::bad_alloc();
  std::vector<uint8_t> out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  out.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(),
                                      out.size()));
  return out;
}

std::string base64(std::span<const uint8_t> bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k) word = word << 8 | (k < n ? bytes[i + k] : 0U);
    for (size_t k = 0; k < 4; ++k) out += k <= n ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace hawser
