#include "record/h5_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "hawser/error.h"

namespace hawser::h5 {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& name, const std::string& found,
                         const std::string& expected) {
  throw Error(path + ", " + name, found, expected,
              "The results were changed: start the run again.");
}

/// Numbers as a dataset holds them.
template <class To, class From>
void put(std::span<const From> numbers, std::byte* to) {
  if constexpr (std::is_same_v<To, From>) {
    std::memcpy(to, numbers.data(), numbers.size_bytes());
  } else {
    for (size_t i = 0; i < numbers.size(); ++i) {
      const auto x = static_cast<To>(numbers[i]);
      std::memcpy(to + i * sizeof x, &x, sizeof x);
    }
  }
}

template <class To>
void put_padded(std::span<const double> numbers, size_t size, std::byte* to) {
  put<To>(numbers, to);
  constexpr To none = std::numeric_limits<To>::quiet_NaN();
  for (size_t i = numbers.size(); i < size; ++i)
    std::memcpy(to + i * sizeof none, &none, sizeof none);
}

}  // namespace

Series::Series(std::string name, std::string unit, std::vector<hsize_t> row_shape, Number number,
               long chunk_rows)
    : name_(std::move(name)),
      unit_(std::move(unit)),
      row_shape_(std::move(row_shape)),
      number_(number),
      row_bytes_(width() * std::accumulate(row_shape_.begin(), row_shape_.end(), size_t{1},
                                           std::multiplies<>())),
      chunk_rows_(chunk_rows),
      chunk_(static_cast<size_t>(chunk_rows_) * row_bytes_) {}

hid_t Series::type() const {
  switch (number_) {
    case Number::float64:
      return H5T_NATIVE_DOUBLE;
    case Number::float32:
      return H5T_NATIVE_FLOAT;
    case Number::int64:
      return H5T_NATIVE_INT64;
  }
  return -1;
}

std::vector<hsize_t> Series::extents(hsize_t rows) const {
  std::vector<hsize_t> out = {rows};
  out.insert(out.end(), row_shape_.begin(), row_shape_.end());
  return out;
}

void Series::create(hid_t file, const std::string& path) const {
  const std::vector<hsize_t> none = extents(0), most = extents(H5S_UNLIMITED),
                             chunk = extents(static_cast<hsize_t>(chunk_rows_));
  const int rank = static_cast<int>(none.size());
  const Handle space(H5Screate_simple(rank, none.data(), most.data()), H5Sclose, path);
  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path);
  check(H5Pset_chunk(layout, rank, chunk.data()), path);
  check(H5Pset_shuffle(layout), path);
  check(H5Pset_deflate(layout, 1), path);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, path);
  check(H5Pset_create_intermediate_group(links, 1), path);
  const Handle dataset(H5Dcreate2(file, name_.c_str(), type(), space, links, layout, H5P_DEFAULT),
                       H5Dclose, path);
  write_attribute(dataset, "unit", unit_, path);
}

void Series::append(std::span<const double> row, ShuffleDeflate& deflate) {
  std::byte* to = chunk_.data() + static_cast<size_t>(rows_ % chunk_rows_) * row_bytes_;
  const size_t size = row_bytes_ / width();
  number_ == Number::float64 ? put_padded<double>(row, size, to) : put_padded<float>(row, size, to);
  end_rows(1, deflate);
}

void Series::extend(std::span<const double> numbers, ShuffleDeflate& deflate) {
  assert(number_ != Number::int64);
  extend_by(numbers, deflate);
}

void Series::extend(std::span<const int64_t> numbers, ShuffleDeflate& deflate) {
  assert(number_ == Number::int64);
  extend_by(numbers, deflate);
}

template <class From>
void Series::extend_by(std::span<const From> numbers, ShuffleDeflate& deflate) {
  const size_t of_row = row_bytes_ / width();
  assert(numbers.size() % of_row == 0);
  while (!numbers.empty()) {
    const long at = rows_ % chunk_rows_;
    const long rows = std::min(chunk_rows_ - at, static_cast<long>(numbers.size() / of_row));
    const auto some = numbers.first(static_cast<size_t>(rows) * of_row);
    std::byte* to = chunk_.data() + static_cast<size_t>(at) * row_bytes_;
    if constexpr (std::is_same_v<From, int64_t>)
      put<int64_t>(some, to);
    else
      number_ == Number::float64 ? put<double>(some, to) : put<float>(some, to);
    numbers = numbers.subspan(some.size());
    end_rows(rows, deflate);
  }
}

void Series::end_rows(long rows, ShuffleDeflate& deflate) {
  rows_ += rows;
  if (rows_ % chunk_rows_ > 0) return;
  rest_.clear();
  if (full_.empty() || std::memcmp(full_.data(), chunk_.data(), chunk_.size()) != 0) {
    full_ = chunk_;
    packed_.clear();
    deflate.add(chunk_, width(), packed_);
  }
  waiting_.insert(waiting_.end(), packed_.begin(), packed_.end());
  waiting_size_.push_back(resized(packed_.size(), waiting_));
  std::fill(chunk_.begin(), chunk_.end(), std::byte{0});
}

/// HDF5 writes a chunk of a new size to a new place, and one of the same size over the old one,
/// which a kill would leave half old and half new. A byte after the end of the stream, which
/// readers pass over, makes the sizes differ.
size_t Series::resized(size_t size, std::vector<uint8_t>& out) const {
  if (!waiting_size_.empty() || size != partial_size_) return size;
  out.push_back(0);
  return size + 1;
}

void Series::pack_rest(ShuffleDeflate& deflate) {
  rest_.clear();
  if (rows_ % chunk_rows_ > 0 && has_news()) resized(deflate.add(chunk_, width(), rest_), rest_);
}

void Series::write(hid_t file, const std::string& path) {
  if (waiting_size_.empty() && rest_.empty()) return;
  const Handle dataset(H5Dopen2(file, name_.c_str(), H5P_DEFAULT), H5Dclose, path);
  std::vector<hsize_t> offset(row_shape_.size() + 1);
  offset[0] = static_cast<hsize_t>(written_ / chunk_rows_ * chunk_rows_);
  const long full = static_cast<long>(offset[0] + waiting_size_.size() * chunk_rows_);
  written_ = rest_.empty() ? full : rows_;
  check(H5Dset_extent(dataset, extents(static_cast<hsize_t>(written_)).data()), path);
  const auto write_chunk = [&](const uint8_t* data, size_t size) {
    check(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset.data(), size, data), path);
    offset[0] += static_cast<hsize_t>(chunk_rows_);
  };
  const uint8_t* data = waiting_.data();
  for (const size_t size : waiting_size_) {
    write_chunk(data, size);
    data += size;
  }
  if (!rest_.empty()) write_chunk(rest_.data(), rest_.size());
  partial_size_ = rest_.size();
  waiting_.clear();
  waiting_size_.clear();
  rest_.clear();
}

/// A chunk starts a page, or leaves the rest of one. Beside the chunks, their index grows. It is
/// HDF5's extensible array: 20 bytes a chunk, in blocks of some 16 sqrt(chunks / 16) entries.
size_t Series::most_to_write() const {
  constexpr size_t entry = 32 + page, of_block = 512, of_headers = 1024 + page;
  if (waiting_size_.empty() && rest_.empty()) return 0;
  const auto chunks = static_cast<double>(rows_ / chunk_rows_ + 1);
  return waiting_.size() + waiting_size_.size() * entry + rest_.size() + of_headers +
         static_cast<size_t>(of_block * std::sqrt(chunks));
}

void Series::copy(hid_t from, hid_t to, long rows, std::optional<hsize_t> points,
                  ShuffleDeflate& deflate, const std::string& path) {
  const Handle source(H5Dopen2(from, name_.c_str(), H5P_DEFAULT), H5Dclose, path);
  const Handle space(H5Dget_space(source), H5Sclose, path);
  std::vector<hsize_t> shape(row_shape_.size() + 1);
  if (H5Sget_simple_extent_ndims(space) != static_cast<int>(shape.size()))
    refuse(path, name_, "a dataset of the wrong shape", "the shape written by the run");
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), path);
  if (shape[0] < static_cast<hsize_t>(rows))
    refuse(path, name_, fmt::format("{} rows", shape[0]),
           fmt::format("the {} rows written by the run", rows));
  std::vector<hsize_t> expected = extents(shape[0]);
  if (points) expected[1] = *points;
  if (shape != expected)
    refuse(path, name_, "a dataset of the wrong shape", "the shape written by the run");
  if (shape == extents(shape[0]) && has_chunks_of(source, path))
    copy_as_it_is(source, to, rows, path);
  else if (number_ == Number::int64)
    refuse(path, name_, "chunks of another size", "those written by the run");
  else
    copy_rows(source, to, rows, deflate, path);
}

bool Series::has_chunks_of(hid_t dataset, const std::string& path) const {
  const Handle layout(H5Dget_create_plist(dataset), H5Pclose, path);
  std::vector<hsize_t> chunk(row_shape_.size() + 1);
  check(H5Pget_chunk(layout, static_cast<int>(chunk.size()), chunk.data()), path);
  return chunk == extents(static_cast<hsize_t>(chunk_rows_));
}

/// Of a dataset with the same chunks.
void Series::copy_as_it_is(hid_t from, hid_t to, long rows, const std::string& path) {
  const Handle target(H5Dopen2(to, name_.c_str(), H5P_DEFAULT), H5Dclose, path);
  check(H5Dset_extent(target, extents(static_cast<hsize_t>(rows)).data()), path);
  written_ = copy_chunks(from, target, rows, path);
  rows_ = rows;
  const long rest = rows_ - written_;
  if (rest == 0) return;
  const Handle space(H5Dget_space(from), H5Sclose, path);
  std::vector<hsize_t> start(row_shape_.size() + 1);
  start[0] = static_cast<hsize_t>(written_);
  const std::vector<hsize_t> count = extents(static_cast<hsize_t>(rest));
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        path);
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      H5Sclose, path);
  check(H5Dread(from, type(), memory, space, H5P_DEFAULT, chunk_.data()), path);
}

/// Of a dataset with other chunks: row by row.
void Series::copy_rows(hid_t from, hid_t file, long rows, ShuffleDeflate& deflate,
                       const std::string& path) {
  const Handle space(H5Dget_space(from), H5Sclose, path);
  std::vector<hsize_t> count(row_shape_.size() + 1);
  check(H5Sget_simple_extent_dims(space, count.data(), nullptr), path);
  count[0] = 1;
  const size_t numbers =
      std::accumulate(count.begin(), count.end(), size_t{1}, std::multiplies<>());
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      H5Sclose, path);
  std::vector<double> row(numbers);
  std::vector<hsize_t> start(count.size());
  for (long i = 0; i < rows; ++i) {
    start[0] = static_cast<hsize_t>(i);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          path);
    check(H5Dread(from, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, row.data()), path);
    append(row, deflate);
    write(file, path);
  }
}

/// Full chunks go over as they are; returns the rows in them.
long Series::copy_chunks(hid_t from, hid_t to, long rows, const std::string& path) const {
  std::vector<hsize_t> offset(row_shape_.size() + 1);
  std::vector<uint8_t> data;
  long done = 0;
  for (; done + chunk_rows_ <= rows; done += chunk_rows_) {
    offset[0] = static_cast<hsize_t>(done);
    hsize_t size = 0;
    uint32_t filters = 0;
    check(H5Dget_chunk_storage_size(from, offset.data(), &size), path);
    data.resize(size);
    check(H5Dread_chunk(from, H5P_DEFAULT, offset.data(), &filters, data.data()), path);
    check(H5Dwrite_chunk(to, H5P_DEFAULT, filters, offset.data(), size, data.data()), path);
  }
  return done;
}

}  // namespace hawser::h5
