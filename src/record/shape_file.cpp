#include "record/shape_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "hawser/error.h"
#include "record/h5.h"

namespace hawser {
namespace {

std::vector<hsize_t> extent_of(hid_t dataset, const std::string& path) {
  const h5::Handle space(H5Dget_space(dataset), H5Sclose, path);
  std::vector<hsize_t> extent(
      static_cast<size_t>(h5::check(H5Sget_simple_extent_ndims(space), path)));
  h5::check(H5Sget_simple_extent_dims(space, extent.data(), nullptr), path);
  return extent;
}

std::vector<double> read_times(hid_t file, const std::string& path) {
  const h5::Handle dataset(H5Dopen2(file, "/shapes/time", H5P_DEFAULT), H5Dclose, path);
  std::vector<double> times(static_cast<size_t>(extent_of(dataset, path).at(0)));
  h5::check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()), path);
  return times;
}

std::vector<std::string> cable_names(hid_t file, const std::string& path) {
  const h5::Handle group(H5Gopen2(file, "/shapes", H5P_DEFAULT), H5Gclose, path);
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    if (std::string(name) != "time") static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  hsize_t at = 0;
  h5::check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, add, &names), path);
  return names;
}

CableFrames read_cable(hid_t file, const std::string& name, const std::vector<hsize_t>& frames,
                       const std::string& path) {
  CableFrames out;
  out.cable = name;
  const std::string where = "/shapes/" + name + "/position";
  const h5::Handle dataset(H5Dopen2(file, where.c_str(), H5P_DEFAULT), H5Dclose, path);
  const std::vector<hsize_t> extent = extent_of(dataset, path);
  if (extent.size() != 3 || extent[2] != 3)
    throw Error(path, "a position of another shape", "frames x points x 3",
                "Is it a result of Hawser's?");
  out.points = static_cast<int>(extent[1]);
  const hsize_t count[3] = {1, extent[1], 3};
  const h5::Handle memory(H5Screate_simple(3, count, nullptr), H5Sclose, path);
  for (const hsize_t frame : frames) {
    const h5::Handle space(H5Dget_space(dataset), H5Sclose, path);
    const hsize_t start[3] = {frame, 0, 0};
    h5::check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr), path);
    std::vector<float>& position = out.position.emplace_back(3 * extent[1]);
    h5::check(H5Dread(dataset, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, position.data()),
              path);
  }
  return out;
}

std::string read_title(hid_t file, const std::string& path) {
  const h5::Handle attribute(H5Aopen(file, "title", H5P_DEFAULT), H5Aclose, path);
  const h5::Handle type(H5Aget_type(attribute), H5Tclose, path);
  char* text = nullptr;  // HDF5 allocates texts of any length
  if (h5::check(H5Tis_variable_str(type), path) == 0) return {};
  h5::check(H5Aread(attribute, type, &text), path);
  const std::string title = text ? text : "";
  H5free_memory(text);
  return title;
}

}  // namespace

ShapeFrames read_shape_frames(const std::string& path, int most) {
  if (!std::filesystem::exists(path))
    throw Error(path, "no such file", "results.h5 of a run",
                "`hawser run SCENE -o DIR` writes one, unless --format leaves h5 out.");
  const h5::Quiet quiet;
  const h5::Handle file = h5::open_to_read(path);
  ShapeFrames out;
  out.title = read_title(file, path);
  const std::vector<double> times = read_times(file, path);
  if (times.empty()) throw Error(path, "no shapes", "at least one");
  const size_t n = times.size(), wanted = std::min(n, static_cast<size_t>(std::max(most, 2)));
  std::vector<hsize_t> frames;
  for (size_t i = 0; i < wanted; ++i) {
    const size_t frame = wanted == 1 ? 0 : i * (n - 1) / (wanted - 1);
    frames.push_back(frame);
    out.times.push_back(times[frame]);
  }
  for (const std::string& name : cable_names(file, path))
    out.cables.push_back(read_cable(file, name, frames, path));
  return out;
}

}  // namespace hawser
