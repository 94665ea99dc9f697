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
constexpr size_t fields_a_cable = 6;
constexpr size_t room_for_headers = 1 << 13;  ///< [bytes] that a write may add beside its series
constexpr size_t frame_chunk = 1 << 15;  ///< [bytes] of the largest field, in as many frames as fit

/// All fields and times share it, so that chunks fill together.
long frames_a_chunk(const std::vector<size_t>& points) {
  size_t most = 1;
  for (const size_t n : points) most = std::max(most, n);
  return std::clamp(static_cast<long>(frame_chunk / (most * 3 * sizeof(float))), 1L, rows_a_chunk);
}

/// Of the file without rows and frames, at most [bytes].
size_t size_at_start(const ResultLayout& layout) {
  constexpr size_t groups = 1 << 13, of_a_dataset = 1 << 10;
  size_t datasets = 2 + layout.columns.size() + 6 * layout.cables.size() + 4 * layout.bodies.size();
  size_t size = groups + layout.title.size();
  for (const auto& [name, text] : layout.metadata) size += text.size() + of_a_dataset;
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

/// Points of a cable that a file has room for.
size_t points_in(hid_t file, const std::string& cable, const std::string& path) {
  const std::string name = "shapes/" + cable + "/s";
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, path);
  const Handle space(H5Dget_space(dataset), H5Sclose, path);
  hsize_t extent[2] = {0, 0};
  if (H5Sget_simple_extent_ndims(space) != 2)
    throw Error(path + ", " + name, "a dataset of the wrong shape", "frames x points",
                "The results were changed: start the run again.");
  check(H5Sget_simple_extent_dims(space, extent, nullptr), path);
  return extent[1];
}

void write_solid(hid_t file, const ResultLayout::Body& body, const std::string& path) {
  const Handle group(H5Gopen2(file, ("bodies/" + body.name).c_str(), H5P_DEFAULT), H5Gclose, path);
  h5::write_attribute(group, "shape", name_of(body.shape.kind), path);
  h5::write_attribute(group, "size", std::span(body.shape.size.data(), 3), path);
}

}  // namespace

Hdf5Sink::Hdf5Sink(const std::string& directory, const ResultLayout& layout,
                   std::optional<SinkPosition> from)
    : path_(directory + "/results.h5"), layout_(layout) {
  const h5::Quiet quiet;
  if (!from) {
    for (const ResultLayout::Cable& cable : layout.cables) points_.push_back(cable.s.size());
    make_series();
    create(path_);
    return;
  }
  {
    const Handle file = h5::open_to_read(path_);
    for (const ResultLayout::Cable& cable : layout.cables)
      points_.push_back(points_in(file, cable.name, path_));
  }
  rewrite(*from);
}

void Hdf5Sink::make_series() {
  const long chunk = frames_a_chunk(points_);
  times_.clear();
  times_.emplace_back("time", "s", std::vector<hsize_t>{}, Series::Number::float64, rows_a_chunk);
  times_.emplace_back("shapes/time", "s", std::vector<hsize_t>{}, Series::Number::float64, chunk);
  columns_.clear();
  for (const Column& c : layout_.columns)
    columns_.emplace_back("channels/" + c.name, c.unit, std::vector<hsize_t>{},
                          Series::Number::float64, rows_a_chunk);
  fields_.clear();
  const auto field = [&](const std::string& name, const char* unit, std::vector<hsize_t> shape,
                         Series::Number number) {
    fields_.emplace_back(name, unit, std::move(shape), number, chunk);
  };
  for (size_t i = 0; i < points_.size(); ++i) {
    const std::string group = "shapes/" + layout_.cables[i].name + "/";
    const hsize_t n = points_[i];
    field(group + "s", "m", {n}, Series::Number::float64);
    for (const auto& [name, unit] : {std::pair("position", "m"), std::pair("velocity", "m/s")})
      field(group + name, unit, {n, 3}, Series::Number::float32);
    for (const auto& [name, unit] :
         {std::pair("tension", "N"), std::pair("strain", ""), std::pair("curvature", "1/m")})
      field(group + name, unit, {n}, Series::Number::float32);
  }
  for (const ResultLayout::Body& body : layout_.bodies) {
    const std::string group = "bodies/" + body.name + "/";
    field(group + "position", "m", {3}, Series::Number::float64);
    field(group + "orientation", "", {4}, Series::Number::float64);
  }
}

/// A copy takes the place of the old file in one move: nothing is lost if this is interrupted, and
/// the gaps of the old file go.
void Hdf5Sink::rewrite(const SinkPosition& position) {
  const std::string fresh = path_ + ".new";
  make_series();
  create(fresh);
  try {
    copy(path_, fresh, position);
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

void Hdf5Sink::create(const std::string& path) const {
  require_room(path, size_at_start(layout_));
  Handle file = h5::create_file(path);
  h5::write_attribute(file, "format", "hawser results 2", path);
  h5::write_attribute(file, "title", layout_.title, path);
  for (const auto& [name, text] : layout_.metadata) h5::write_attribute(file, name, text, path);
  create_groups(file, path);
  times_[0].create(file, path);
  for (const Series& series : columns_) series.create(file, path);
  times_[1].create(file, path);
  for (const Series& series : fields_) series.create(file, path);
  for (const ResultLayout::Body& body : layout_.bodies) write_solid(file, body, path);
  file.close(path);
}

void Hdf5Sink::copy(const std::string& from, const std::string& to, const SinkPosition& position) {
  // Full chunks are as large there as here; those of the last rows are written anew. Rows that are
  // filled up take little more.
  size_t most = room_for_headers + 2 * File(from, File::Mode::change).size();
  for (const Series* series : all_series()) most += series->most_of_a_chunk();
  File(to, File::Mode::change).reserve(most);
  const Handle source = h5::open_to_read(from);
  Handle target = h5::open_to_append(to);
  const auto take = [&](Series& series, long rows, std::optional<hsize_t> points = {}) {
    series.copy(source, target, rows, points, deflate_, from);
    series.write_all(target, deflate_, to);
  };
  take(times_[0], position.rows);
  for (Series& series : columns_) take(series, position.rows);
  take(times_[1], position.frames);
  for (size_t i = 0; i < fields_.size(); ++i) {
    const size_t cable = i / fields_a_cable;
    if (cable < points_.size())
      take(fields_[i], position.frames, points_in(source, layout_.cables[cable].name, from));
    else
      take(fields_[i], position.frames);
  }
  target.close(to);
}

void Hdf5Sink::row(double t, std::span<const double> values) {
  size_t waiting = 0;
  times_[0].append({&t, 1}, deflate_);
  for (size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].append(values.subspan(i, 1), deflate_);
    waiting += columns_[i].waiting();
  }
  if (waiting > most_waiting) write(false);
}

void Hdf5Sink::frame(double t, const std::vector<Shape>& shapes,
                     const std::vector<BodyPose>& bodies) {
  bool fits = true;
  for (size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i].s.size() > points_[i]) {
      points_[i] = std::max(shapes[i].s.size(), points_[i] + points_[i] / 2);
      fits = false;
    }
  if (!fits) {
    flush();
    const h5::Quiet quiet;
    rewrite({times_[0].rows(), times_[1].rows()});
  }
  size_t waiting = 0;
  times_[1].append({&t, 1}, deflate_);
  auto field = fields_.begin();
  const auto append = [&](std::span<const double> values) {
    field->append(values, deflate_);
    waiting += field->waiting();
    ++field;
  };
  for (const Shape& shape : shapes)
    for (const std::vector<double>* values : {&shape.s, &shape.position, &shape.velocity,
                                              &shape.tension, &shape.strain, &shape.curvature})
      append(*values);
  for (const BodyPose& body : bodies) {
    const Eigen::Quaterniond& o = body.orientation;
    append(std::span(body.position.data(), 3));
    append(std::array{o.w(), o.x(), o.y(), o.z()});
  }
  if (waiting > most_waiting) write(false);
}

void Hdf5Sink::flush() {
  if (times_[0].has_news() || times_[1].has_news()) write(true);
}

std::vector<const Series*> Hdf5Sink::all_series() const {
  std::vector<const Series*> out = {&times_[0], &times_[1]};
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
  append(times_[0]);
  append(times_[1]);
  file.close(path_);
}

}  // namespace hawser
