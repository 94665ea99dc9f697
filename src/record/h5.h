// The little of HDF5's C interface that results need: handles that close themselves, failures as
// Errors.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hawser::h5 {

/// HDF5 prints its failures; while one of these lives it only notes them.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Throws an Error with the path and HDF5's first cause when `result` is negative.
template <class T>
T check(T result, const std::string& path);
extern template int check(int, const std::string&);
extern template hid_t check(hid_t, const std::string&);

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws when `id` is negative; `path` is for messages.
  Handle(hid_t id, Close how, const std::string& path) : id_(check(id, path)), close_(how) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): as C has it
  /// Closes now, so that a failure to write shows.
  void close(const std::string& path);

 private:
  hid_t id_;
  Close close_;
};

constexpr size_t page = 4096;  ///< [bytes] that the system writes wholly or not at all

/// A new file of the format that readers may open while it is written (HDF5 1.10). In pages: what
/// is smaller than a page lies in one. A kill during a write stops it between two pages of memory,
/// and a header across both would be half old and half new.
Handle create_file(const std::string& path);
/// To append: what is in the file stays readable at every moment (single writer, many readers).
Handle open_to_append(const std::string& path);
/// To read, also when its writer died while appending.
Handle open_to_read(const std::string& path);

/// A text attribute (UTF-8).
void write_attribute(hid_t object, const std::string& name, const std::string& text,
                     const std::string& path);
/// An attribute of some numbers.
void write_attribute(hid_t object, const std::string& name, std::span<const double> numbers,
                     const std::string& path);
/// A text attribute of fixed length (ASCII), as VTK reads them.
void write_fixed_attribute(hid_t object, const std::string& name, const std::string& text,
                           const std::string& path);
/// An attribute of one integer, or of some.
void write_attribute(hid_t object, const std::string& name, int64_t number,
                     const std::string& path);
void write_attribute(hid_t object, const std::string& name, std::span<const int64_t> numbers,
                     const std::string& path);
/// Another value for one that is there.
void change_attribute(hid_t file, const std::string& object, const std::string& name,
                      int64_t number, const std::string& path);
std::string read_text_attribute(hid_t object, const std::string& name, const std::string& path);
std::vector<double> read_numbers_attribute(hid_t object, const std::string& name,
                                           const std::string& path);

/// A group that keeps the order in which its members are made.
Handle create_ordered_group(hid_t file, const std::string& name, const std::string& path);
/// Names of the members of a group, in the order of the alphabet.
std::vector<std::string> names_in(hid_t file, const char* group, const std::string& path);
std::vector<hsize_t> extent_of(hid_t dataset, const std::string& path);
/// A whole dataset.
std::vector<double> read_doubles(hid_t file, const std::string& name, const std::string& path);
std::vector<float> read_floats(hid_t file, const std::string& name, std::vector<hsize_t>& extent,
                               const std::string& path);

}  // namespace hawser::h5
