// Files of series that grow together: made, appended to and replaced so that nothing is lost.
#pragma once

#include <functional>
#include <vector>

#include "record/h5_series.h"

namespace hawser::h5 {

/// Throws WriteError when a new file of so many bytes has no room, and leaves none behind. HDF5
/// cannot give up a file that it fails to write: whether there is room is found out before.
void require_room(const std::string& path, size_t bytes);

/// Appends to the file what is new in the series; `all`: with what does not fill its chunk.
/// Readers count by `counts`, which are written when the rest is; `end` then writes what tells of
/// their number.
void append(const std::string& path, const std::vector<Series*>& series,
            const std::vector<Series*>& counts, bool all, ShuffleDeflate& deflate,
            const std::function<void(hid_t)>& end = {});

/// A copy takes the place of the file in one move: nothing is lost if this is interrupted, and the
/// gaps of the old file go. `fill` makes the copy.
void replace(const std::string& path, const std::function<void(const std::string& fresh)>& fill);

/// Rows of a series that a copy keeps. `points`: of a row in the old file, if it may have fewer.
struct Kept {
  Series* series;
  long rows;
  std::optional<hsize_t> points;
};
/// Copies these rows of `from` into the created `to`.
void copy(const std::string& from, const std::string& to, const std::vector<Kept>& kept,
          ShuffleDeflate& deflate);

}  // namespace hawser::h5
