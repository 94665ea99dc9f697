// A dataset that grows by rows: buffered by chunks, compressed here, appended at each flush.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/deflate.h"
#include "record/h5.h"

namespace hawser::h5 {

/// Rows of one shape: numbers, (points) or (points x 3). On disk they are chunked, shuffled and
/// deflated.
class Series {
 public:
  enum class Number { float64, float32, int64 };
  Series(std::string name, std::string unit, std::vector<hsize_t> row_shape, Number number,
         long chunk_rows);

  /// The empty dataset, with its unit as attribute.
  void create(hid_t file, const std::string& path) const;
  /// Takes over the first rows of the same series in another file into the created one. `points`:
  /// of a row there, if it may have fewer.
  void copy(hid_t from, hid_t to, long rows, std::optional<hsize_t> points, ShuffleDeflate& deflate,
            const std::string& path);

  /// One row. Where it has fewer numbers than the series it is filled up with NaN.
  void append(std::span<const double> row, ShuffleDeflate& deflate);
  /// Whole rows, as many as the numbers make; of a series of that kind.
  void extend(std::span<const double> numbers, ShuffleDeflate& deflate);
  void extend(std::span<const int64_t> numbers, ShuffleDeflate& deflate);
  /// The rows of the chunk that is being filled go with the next write(), too. That chunk is
  /// written again when it has grown; its old copy stays as a gap in the file, because a reader may
  /// be at it.
  void pack_rest(ShuffleDeflate& deflate);
  /// Appends the full chunks that are new to the file.
  void write(hid_t file, const std::string& path);
  /// Compressed chunks that wait for write() [bytes].
  [[nodiscard]] size_t waiting() const { return waiting_.size(); }
  /// What a chunk takes in the file at most, its headers included [bytes].
  [[nodiscard]] size_t most_of_a_chunk() const { return chunk_.size() + 1024 + page; }
  /// What write() adds to the file at most [bytes].
  [[nodiscard]] size_t most_to_write() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool has_news() const { return rows_ > written_; }
  [[nodiscard]] long rows() const { return rows_; }

 private:
  template <class From>
  void extend_by(std::span<const From> numbers, ShuffleDeflate& deflate);
  void end_rows(long rows, ShuffleDeflate& deflate);  ///< so many are in the chunk: full, it goes
  /// Of a compressed chunk at the end of `out`: its size there [bytes].
  size_t resized(size_t size, std::vector<uint8_t>& out) const;
  [[nodiscard]] hid_t type() const;
  [[nodiscard]] size_t width() const { return number_ == Number::float32 ? 4 : 8; }
  /// Extents of so many rows.
  [[nodiscard]] std::vector<hsize_t> extents(hsize_t rows) const;
  void copy_as_it_is(hid_t from, hid_t to, long rows, const std::string& path);
  [[nodiscard]] long copy_chunks(hid_t from, hid_t to, long rows, const std::string& path) const;
  void copy_rows(hid_t from, hid_t file, long rows, ShuffleDeflate& deflate,
                 const std::string& path);
  [[nodiscard]] bool has_chunks_of(hid_t dataset, const std::string& path) const;

  std::string name_, unit_;
  std::vector<hsize_t> row_shape_;
  Number number_;
  size_t row_bytes_;
  long chunk_rows_;
  long rows_ = 0, written_ = 0;       ///< appended; of those in the file
  std::vector<std::byte> chunk_;      ///< the chunk that is being filled; zero after its last row
  std::vector<std::byte> full_;       ///< the last full chunk: many series stay as they are
  std::vector<uint8_t> packed_;       ///< that one, compressed
  std::vector<uint8_t> waiting_;      ///< full chunks, compressed, one after the other
  std::vector<size_t> waiting_size_;  ///< of each [bytes]
  std::vector<uint8_t> rest_;         ///< the chunk that is being filled, where it is to be written
  size_t partial_size_ = 0;  ///< of the last chunk in the file, when it is not full [bytes]
};

}  // namespace hawser::h5
