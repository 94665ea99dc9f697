#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "hawser/draw.h"
#include "hawser/error.h"
#include "record/h5.h"
#include "record/solid_attributes.h"

namespace hawser {
namespace {

CableFrames read_cable(hid_t file, const std::string& name, const std::vector<hsize_t>& frames,
                       const std::string& path) {
  CableFrames out;
  out.cable = name;
  const std::string where = "/shapes/" + name + "/position";
  const h5::Handle dataset(H5Dopen2(file, where.c_str(), H5P_DEFAULT), H5Dclose, path);
  const std::vector<hsize_t> extent = h5::extent_of(dataset, path);
  if (extent.size() != 3 || extent[2] != 3)
    throw Error(path, "a position dataset of the wrong shape", "frames x points x 3",
                "Check that it is a results file of Hawser.");
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
    for (size_t i = 3; i < position.size(); ++i)  // past the end of a shorter shape: its end
      if (std::isnan(position[i])) position[i] = position[i - 3];
  }
  return out;
}

BodyFrames read_body(hid_t file, const std::string& name, const std::vector<hsize_t>& frames,
                     const std::string& path) {
  const std::string where = "/bodies/" + name;
  const h5::Handle group(H5Gopen2(file, where.c_str(), H5P_DEFAULT), H5Gclose, path);
  BodyFrames out;
  out.body = name;
  out.shape = read_solid(group, path);
  const std::vector<double> position = h5::read_doubles(file, where + "/position", path),
                            turned = h5::read_doubles(file, where + "/orientation", path);
  if (position.size() * 4 != turned.size() * 3 || position.size() <= 3 * frames.back())
    throw Error(path, where + " of the wrong shape", "frames x 3 and frames x 4",
                "Check that it is a results file of Hawser.");
  for (const hsize_t frame : frames) {
    const double *p = &position.at(3 * frame), *o = &turned.at(4 * frame);
    out.pose.push_back({Vec3(p), Eigen::Quaterniond(o[0], o[1], o[2], o[3])});
  }
  return out;
}

}  // namespace

ShapeFrames read_shape_frames(const std::string& path, int most) {
  if (!std::filesystem::exists(path))
    throw Error(path, "no such file", "results.h5 of a run",
                "`hawser run SCENE -o DIR` writes it, unless --format excludes h5.");
  const h5::Quiet quiet;
  const h5::Handle file = h5::open_to_read(path);
  ShapeFrames out;
  out.title = h5::read_text_attribute(file, "title", path);
  const std::vector<double> times = h5::read_doubles(file, "/shapes/time", path);
  if (times.empty()) throw Error(path, "no shapes", "at least one");
  const size_t n = times.size(), wanted = std::min(n, static_cast<size_t>(std::max(most, 2)));
  std::vector<hsize_t> frames;
  for (size_t i = 0; i < wanted; ++i) {
    const size_t frame = wanted == 1 ? 0 : i * (n - 1) / (wanted - 1);
    frames.push_back(frame);
    out.times.push_back(times[frame]);
  }
  for (const std::string& name : h5::names_in(file, "/shapes", path))
    if (name != "time") out.cables.push_back(read_cable(file, name, frames, path));
  if (H5Lexists(file, "bodies", H5P_DEFAULT) <= 0) return out;  // an older file
  for (const std::string& name : h5::names_in(file, "/bodies", path))
    out.bodies.push_back(read_body(file, name, frames, path));
  return out;
}

}  // namespace hawser
