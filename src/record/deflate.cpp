#include "record/deflate.h"

#include <libdeflate.h>

#include <algorithm>
#include <bitset>
#include <cstring>
#include <new>

namespace hawser {
namespace {

constexpr size_t stored_block = 65535;  ///< largest (RFC 1951, 3.2.4)

/// Byte k of every number, then byte k + 1: HDF5's shuffle filter, little end first.
template <class Word>
void shuffle(std::span<const std::byte> in, uint8_t* out) {
  const size_t n = in.size() / sizeof(Word);
  for (size_t k = 0; k < sizeof(Word); ++k)
    for (size_t i = 0; i < n; ++i) {
      Word word;
      std::memcpy(&word, in.data() + i * sizeof word, sizeof word);
      out[k * n + i] = static_cast<uint8_t>(word >> (8 * k));
    }
}

/// Whether bytes are too many-valued to be worth the time: among 256 random ones about 160 differ;
/// from about 32 on deflate saves little and takes longest.
bool is_noise(std::span<const uint8_t> bytes) {
  std::bitset<256> seen;
  for (const uint8_t b : bytes.first(std::min<size_t>(bytes.size(), 256))) seen.set(b);
  return seen.count() > 32;
}

}  // namespace

void ShuffleDeflate::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

ShuffleDeflate::ShuffleDeflate() : compressor_(libdeflate_alloc_compressor(1)) {
  if (!compressor_) throw std::bad_alloc();
}

size_t ShuffleDeflate::add(std::span<const std::byte> numbers, size_t width,
                           std::vector<uint8_t>& out) {
  shuffled_.resize(numbers.size());
  width == 8 ? shuffle<uint64_t>(numbers, shuffled_.data())
             : shuffle<uint32_t>(numbers, shuffled_.data());
  const std::span<const uint8_t> all(shuffled_);
  const size_t plane = numbers.size() / width;
  size_t noisy = 0;  // planes, the lowest first
  while (noisy < width && is_noise(all.subspan(noisy * plane, plane))) ++noisy;
  std::span<const uint8_t> noise = all.first(noisy * plane);
  const std::span<const uint8_t> rest = all.subspan(noise.size());
  const size_t start = out.size();
  out.insert(out.end(), {0x78, 0x01});  // deflate, window of 32 kB, fastest
  while (!noise.empty()) {
    const size_t n = std::min(noise.size(), stored_block);
    const auto low = static_cast<uint8_t>(n & 255), high = static_cast<uint8_t>(n >> 8);
    out.insert(out.end(), {0, low, high, static_cast<uint8_t>(~low), static_cast<uint8_t>(~high)});
    out.insert(out.end(), noise.begin(), noise.begin() + static_cast<std::ptrdiff_t>(n));
    noise = noise.subspan(n);
  }
  const size_t most = libdeflate_deflate_compress_bound(compressor_.get(), rest.size());
  if (packed_.size() < most) packed_.resize(most);
  const size_t size = libdeflate_deflate_compress(compressor_.get(), rest.data(), rest.size(),
                                                  packed_.data(), packed_.size());
  out.insert(out.end(), packed_.begin(), packed_.begin() + static_cast<std::ptrdiff_t>(size));
  const uint32_t sum = libdeflate_adler32(1, all.data(), all.size());
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(sum >> shift));
  return out.size() - start;
}

}  // namespace hawser
