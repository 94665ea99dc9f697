#include "record/h5_file.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "hawser/error.h"
#include "record/file.h"

namespace hawser::h5 {
namespace {

constexpr size_t room_for_headers = 1 << 13;  ///< [bytes] that a write may add beside its series

}  // namespace

void require_room(const std::string& path, size_t bytes) {
  try {
    File(path, File::Mode::create).reserve(bytes);
  } catch (const WriteError&) {
    std::remove(path.c_str());
    throw;
  }
}

/// Room is made sure of first: HDF5 leaves a file that nobody can read when a write fails. It cuts
/// off what it did not need as it closes the file.
void append(const std::string& path, const std::vector<Series*>& series,
            const std::vector<Series*>& counts, bool all, ShuffleDeflate& deflate,
            const std::function<void(hid_t)>& end) {
  size_t most = room_for_headers;
  for (const auto* list : {&series, &counts})
    for (Series* one : *list) {
      if (all) one->pack_rest(deflate);
      most += one->most_to_write();
    }
  File(path, File::Mode::change).reserve(most);
  const Quiet quiet;
  Handle file = open_to_append(path);
  for (Series* one : series) one->write(file, path);
  check(H5Fflush(file, H5F_SCOPE_LOCAL), path);
  for (Series* one : counts) one->write(file, path);
  if (end) end(file);
  file.close(path);
}

void replace(const std::string& path, const std::function<void(const std::string& fresh)>& fill) {
  const std::string fresh = path + ".new";
  try {
    fill(fresh);
  } catch (const Error&) {
    std::remove(fresh.c_str());
    throw;
  }
  if (std::rename(fresh.c_str(), path.c_str()) != 0)
    throw Error(path, std::generic_category().message(errno), "a file that can be replaced");
}

/// Full chunks are as large there as here; those of the last rows are written anew. Rows that are
/// filled up take little more.
void copy(const std::string& from, const std::string& to, const std::vector<Kept>& kept,
          ShuffleDeflate& deflate) {
  size_t most = room_for_headers + 2 * File(from, File::Mode::change).size();
  for (const Kept& one : kept) most += one.series->most_of_a_chunk();
  File(to, File::Mode::change).reserve(most);
  const Handle source = open_to_read(from);
  Handle target = open_to_append(to);
  for (const Kept& one : kept) {
    one.series->copy(source, target, one.rows, one.points, deflate, from);
    one.series->pack_rest(deflate);
    one.series->write(target, to);
  }
  target.close(to);
}

}  // namespace hawser::h5
