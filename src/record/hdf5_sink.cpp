#include "record/hdf5_sink.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "hawser/error.h"
#include "record/file.h"
#include "record/solid_mesh.h"

namespace hawser {
namespace {

using h5::check;
using h5::Handle;
using h5::Series;

constexpr size_t most_waiting = 1 << 22;  ///< [bytes] of rows or of frames, then they are written
constexpr long rows_a_chunk = 512;
constexpr size_t room_for_headers = 1 << 13;  ///< [bytes] that a write may add beside its series
constexpr size_t frame_chunk = 1 << 15;  ///< [bytes] of the largest field, in as many frames as fit

/// All fields and times share it, so that chunks fill together.
long frames_a_chunk(const ResultLayout& layout) {
  size_t points = 1;
  for (const ResultLayout::Cable& cable : layout.cables) points = std::max(points, cable.s.size());
  return std::clamp(static_cast<long>(frame_chunk / (points * 3 * sizeof(float))), 1L,
                    rows_a_chunk);
}

/// Of the file without rows and frames, at most [bytes].
size_t size_at_start(const ResultLayout& layout) {
  constexpr size_t groups = 1 << 13, of_a_dataset = 1 << 10;
  size_t datasets = 2 + layout.columns.size() + 6 * layout.cables.size() + 4 * layout.bodies.size();
  size_t size = groups + layout.title.size();
  for (const auto& [name, text] : layout.metadata) size += text.size() + of_a_dataset;
  for (const ResultLayout::Cable& cable : layout.cables) size += 8 * cable.s.size();
  return size + of_a_dataset * datasets;
}

/// HDF5 cannot give up a file that it fails to write: whether there is room is found out before.
void require_room(const std::string& path, size_t bytes) {
  try {
    File(path, File::Mode::create).reserve(bytes);
  } catch (const WriteError&) {
    std::remove(path.c_str());
    throw;
  }
}

/// Groups that keep the order of what is in them.
void create_groups(hid_t file, const std::string& path) {
  const Handle order(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, path);
  check(H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), path);
  for (const char* name : {"channels", "shapes", "bodies"})
    Handle(H5Gcreate2(file, name, H5P_DEFAULT, order, H5P_DEFAULT), H5Gclose, path);
}

void write_arc_length(hid_t file, const ResultLayout::Cable& cable, const std::string& path) {
  const hsize_t points = cable.s.size();
  const Handle space(H5Screate_simple(1, &points, nullptr), H5Sclose, path);
  const Handle dataset(H5Dcreate2(file, ("shapes/" + cable.name + "/s").c_str(), H5T_NATIVE_DOUBLE,
                                  space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose, path);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cable.s.data()), path);
  h5::write_attribute(dataset, "unit", "m", path);
}

void write_solid(hid_t file, const ResultLayout::Body& body, const std::string& path) {
  const Handle group(H5Gopen2(file, ("bodies/" + body.name).c_str(), H5P_DEFAULT), H5Gclose, path);
  h5::write_attribute(group, "shape", name_of(body.shape.kind), path);
  h5::write_attribute(group, "size", std::span(body.shape.size.data(), 3), path);
}

}  // namespace

Hdf5Sink::Hdf5Sink(const std::string& directory, const ResultLayout& layout,
                   std::optional<SinkPosition> from)
    : path_(directory + "/results.h5"),
      time_("time", "s", {}, Series::Number::float64, rows_a_chunk),
      frame_time_("shapes/time", "s", {}, Series::Number::float64, frames_a_chunk(layout)) {
  for (const Column& c : layout.columns)
    columns_.emplace_back("channels/" + c.name, c.unit, std::vector<hsize_t>{},
                          Series::Number::float64, rows_a_chunk);
  const long chunk = frames_a_chunk(layout);
  for (const ResultLayout::Cable& cable : layout.cables) {
    const std::string group = "shapes/" + cable.name + "/";
    const hsize_t n = cable.s.size();
    for (const auto& [name, unit] : {std::pair("position", "m"), std::pair("velocity", "m/s")})
      fields_.emplace_back(group + name, unit, std::vector<hsize_t>{n, 3}, Series::Number::float32,
                           chunk);
    for (const auto& [name, unit] :
         {std::pair("tension", "N"), std::pair("strain", ""), std::pair("curvature", "1/m")})
      fields_.emplace_back(group + name, unit, std::vector<hsize_t>{n}, Series::Number::float32,
                           chunk);
  }
  for (const ResultLayout::Body& body : layout.bodies) {
    const std::string group = "bodies/" + body.name + "/";
    fields_.emplace_back(group + "position", "m", std::vector<hsize_t>{3}, Series::Number::float64,
                         chunk);
    fields_.emplace_back(group + "orientation", "", std::vector<hsize_t>{4},
                         Series::Number::float64, chunk);
  }
  const h5::Quiet quiet;
  if (!from) {
    create(path_, layout);
    return;
  }
  // A copy takes the place of the old file in one move: nothing is lost if this is interrupted, and
  // the gaps of the old file go.
  const std::string fresh = path_ + ".new";
  create(fresh, layout);
  try {
    copy(path_, fresh, *from);
  } catch (const Error&) {
    std::remove(fresh.c_str());
    throw;
  }
  if (std::rename(fresh.c_str(), path_.c_str()) != 0)
    throw Error(path_, std::generic_category().message(errno), "a file that can be replaced");
}

Hdf5Sink::~Hdf5Sink() {
  try {
    flush();
  } catch (const Error&) {  // whoever must know has called flush
  }
}

void Hdf5Sink::create(const std::string& path, const ResultLayout& layout) {
  require_room(path, size_at_start(layout));
  Handle file = h5::create_file(path);
  h5::write_attribute(file, "format", "hawser results 1", path);
  h5::write_attribute(file, "title", layout.title, path);
  for (const auto& [name, text] : layout.metadata) h5::write_attribute(file, name, text, path);
  create_groups(file, path);
  time_.create(file, path);
  for (Series& series : columns_) series.create(file, path);
  frame_time_.create(file, path);
  for (Series& series : fields_) series.create(file, path);
  for (const ResultLayout::Cable& cable : layout.cables) write_arc_length(file, cable, path);
  for (const ResultLayout::Body& body : layout.bodies) write_solid(file, body, path);
  file.close(path);
}

void Hdf5Sink::copy(const std::string& from, const std::string& to, const SinkPosition& position) {
  // Full chunks are as large there as here; those of the last rows are written anew.
  size_t most = room_for_headers + File(from, File::Mode::change).size();
  for (const Series* series : all_series()) most += series->most_of_a_chunk();
  File(to, File::Mode::change).reserve(most);
  const Handle source = h5::open_to_read(from);
  Handle target = h5::open_to_append(to);
  const auto take = [&](Series& series, long rows) {
    series.copy(source, target, rows, from);
    series.write_all(target, deflate_, to);
  };
  take(time_, position.rows);
  for (Series& series : columns_) take(series, position.rows);
  take(frame_time_, position.frames);
  for (Series& series : fields_) take(series, position.frames);
  target.close(to);
}

void Hdf5Sink::row(double t, std::span<const double> values) {
  size_t waiting = 0;
  time_.append({&t, 1}, deflate_);
  for (size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].append(values.subspan(i, 1), deflate_);
    waiting += columns_[i].waiting();
  }
  if (waiting > most_waiting) write(false);
}

void Hdf5Sink::frame(double t, const std::vector<Shape>& shapes,
                     const std::vector<BodyPose>& bodies) {
  size_t waiting = 0;
  frame_time_.append({&t, 1}, deflate_);
  auto field = fields_.begin();
  const auto append = [&](std::span<const double> values) {
    field->append(values, deflate_);
    waiting += field->waiting();
    ++field;
  };
  for (const Shape& shape : shapes)
    for (const std::vector<double>* values :
         {&shape.position, &shape.velocity, &shape.tension, &shape.strain, &shape.curvature})
      append(*values);
  for (const BodyPose& body : bodies) {
    const Eigen::Quaterniond& o = body.orientation;
    append(std::span(body.position.data(), 3));
    append(std::array{o.w(), o.x(), o.y(), o.z()});
  }
  if (waiting > most_waiting) write(false);
}

void Hdf5Sink::flush() {
  if (time_.has_news() || frame_time_.has_news()) write(true);
}

std::vector<const Series*> Hdf5Sink::all_series() const {
  std::vector<const Series*> out = {&time_, &frame_time_};
  for (const Series& series : columns_) out.push_back(&series);
  for (const Series& series : fields_) out.push_back(&series);
  return out;
}

/// Room is made sure of first: HDF5 leaves a file that nobody can read when a write fails. It cuts
/// off what it did not need as it closes the file.
void Hdf5Sink::write(bool all) {
  size_t most = room_for_headers;
  for (const Series* series : all_series()) most += series->most_to_write(all);
  File(path_, File::Mode::change).reserve(most);
  const h5::Quiet quiet;
  Handle file = h5::open_to_append(path_);
  const auto append = [&](Series& series) {
    all ? series.write_all(file, deflate_, path_) : series.write(file, path_);
  };
  for (Series& series : columns_) append(series);
  for (Series& series : fields_) append(series);
  check(H5Fflush(file, H5F_SCOPE_LOCAL), path_);
  append(time_);
  append(frame_time_);
  file.close(path_);
}

}  // namespace hawser
