// Plain data to bytes and back. One list of fields serves both ways, so that they cannot differ.
//
// Numbers are kept as this machine holds them: a checkpoint is read where it was written, or on a
// machine of the same kind.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace hawser {

/// Thrown by ArchiveReader when the bytes end too early or a length is impossible.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ArchiveWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void raw(const void* data, size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T>)
      raw(&value, sizeof value);
    else
      fields(*this, const_cast<T&>(value));  // NOLINT: the writer changes nothing
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    raw(text.data(), text.size());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    if constexpr (std::is_arithmetic_v<T>)
      raw(values.data(), values.size() * sizeof(T));
    else
      for (const T& value : values) put(value);
  }

  std::string bytes_;
};

class ArchiveReader {
 public:
  ArchiveReader(const char* data, size_t size) : at_(data), left_(size) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  [[nodiscard]] bool at_end() const { return left_ == 0; }

 private:
  void raw(void* data, size_t size) {
    if (size > left_) throw ArchiveError("unexpected end of data");
    if (size > 0) std::memcpy(data, at_, size);
    at_ += size;
    left_ -= size;
  }
  /// A length that the bytes left can hold, so that damaged ones take no memory.
  size_t count(size_t size_of_one) {
    std::uint64_t n = 0;
    get(n);
    if (n > left_ / size_of_one) throw ArchiveError("invalid length");
    return static_cast<size_t>(n);
  }
  template <class T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      unsigned char byte = 0;
      raw(&byte, 1);
      value = byte != 0;
    } else if constexpr (std::is_arithmetic_v<T>) {
      raw(&value, sizeof value);
    } else {
      fields(*this, value);
    }
  }
  void get(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(count(std::is_arithmetic_v<T> ? sizeof(T) : 1));
    if constexpr (std::is_arithmetic_v<T>)
      raw(values.data(), values.size() * sizeof(T));
    else
      for (T& value : values) get(value);
  }

  const char* at_;
  size_t left_;
};

}  // namespace hawser
