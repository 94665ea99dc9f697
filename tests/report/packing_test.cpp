#include "report/packing.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <cmath>
#include <cstring>

namespace hawser::HAWSER_FILE {
namespace {

/// As the page does it (web/src/run.ts).
std::vector<double> unpacked(const Packed& packed, const std::vector<int>& points,
                             const std::vector<uint8_t>& bytes) {
  size_t count = 0;
  for (const int n : points) count += static_cast<size_t>(n);
  std::vector<double> out;
  std::vector<uint16_t> before;
  for (const int n : points) {
    std::vector<uint16_t> now(static_cast<size_t>(n));
    for (size_t i = 0; i < now.size(); ++i) {
      const size_t at = packed.at + out.size();
      const int from = before.size() == now.size() ? before[i] : 0;
      now[i] = static_cast<uint16_t>(from + bytes[at] + 256 * bytes[count + at]);
      out.push_back(packed.low + now[i] * packed.step);
    }
    before = now;
  }
  return out;
}

TEST(Packing, KeepsNumbersToHalfAStep) {
  const std::vector<int> points = {3, 3, 2, 2, 4};  // a cable that is remeshed twice
  std::vector<float> numbers;
  for (int i = 0; i < 14; ++i)
    for (int k = 0; k < 3; ++k)
      numbers.push_back(static_cast<float>(std::sin(i + 5 * k) * (k + 1)));
  for (size_t k = 0; k < 3; ++k) {
    std::vector<uint8_t> bytes(5, 0xff);  // of others
    const Packed packed = pack(numbers, k, 3, points, bytes);
    EXPECT_EQ(packed.at, 5U);
    EXPECT_EQ(bytes.size(), 5U + 2 * 14);
    const std::vector<double> found = unpacked(packed, points, bytes);
    ASSERT_EQ(found.size(), 14U);
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], static_cast<double>(numbers[3 * i + k]), 0.5001 * packed.step) << i;
  }
}

TEST(Packing, KeepsAConstantExactly) {
  const std::vector<int> points = {2, 2};
  const std::vector<float> numbers(4, 0.1F);
  std::vector<uint8_t> bytes;
  const Packed packed = pack(numbers, 0, 1, points, bytes);
  for (const double x : unpacked(packed, points, bytes)) EXPECT_EQ(x, static_cast<double>(0.1F));
}

TEST(Packing, FloatsStandOnMultiplesOfFour) {
  std::vector<uint8_t> bytes(3);
  const std::vector<double> numbers = {1.5, -2.25};
  EXPECT_EQ(add_floats(numbers, bytes), 4U);
  ASSERT_EQ(bytes.size(), 12U);
  float second = 0;
  std::memcpy(&second, bytes.data() + 8, 4);
  EXPECT_EQ(second, -2.25F);
}

TEST(Packing, Base64OfRfc4648) {
  const auto of = [](const std::string& text) {
    return base64({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(of("f"), "Zg==");
  EXPECT_EQ(of("fo"), "Zm8=");
  EXPECT_EQ(of("foo"), "Zm9v");
  EXPECT_EQ(of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(of("\xff\xfe\xfd"), "//79");
}

TEST(Packing, DeflatesToZlib) {
  std::vector<uint8_t> bytes(10'000, 7);
  bytes[5000] = 1;
  const std::vector<uint8_t> packed = deflated(bytes);
  EXPECT_LT(packed.size(), 100U);
  std::vector<uint8_t> back(bytes.size());
  libdeflate_decompressor* d = libdeflate_alloc_decompressor();
  EXPECT_EQ(libdeflate_zlib_decompress(d, packed.data(), packed.size(), back.data(), back.size(),
                                       nullptr),
            LIBDEFLATE_SUCCESS);
  libdeflate_free_decompressor(d);
  EXPECT_EQ(back, bytes);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
