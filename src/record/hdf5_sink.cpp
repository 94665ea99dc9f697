#include "record/hdf5_sink.h"

#include <algorithm>
#include <array>

#include "hawser/error.h"
#include "record/solid_attributes.h"

namespace hawser {
namespace {

using h5::check;
using h5::Handle;
using h5::Series;

constexpr size_t most_unwritten = 1 << 22;  ///< [bytes] of rows or of frames, then they are written
constexpr long rows_a_chunk = 512;
constexpr size_t fields_a_cable = 6;
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
  for (const ResultLayout::Body& body : layout.bodies) size += solid_bytes(body.shape);
  return size + of_a_dataset * datasets;
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

void write_shape_of(hid_t file, const ResultLayout::Body& body, const std::string& path) {
  const Handle group(H5Gopen2(file, ("bodies/" + body.name).c_str(), H5P_DEFAULT), H5Gclose, path);
  write_solid(group, body.shape, path);
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

void Hdf5Sink::rewrite(const SinkPosition& position) {
  h5::replace(path_, [&](const std::string& fresh) {
    make_series();
    create(fresh);
    h5::copy(path_, fresh, kept_of(position), deflate_);
  });
}

Hdf5Sink::~Hdf5Sink() {
  try {
    flush();
  } catch (const Error&) {  // whoever must know has called flush
  }
}

void Hdf5Sink::create(const std::string& path) const {
  h5::require_room(path, size_at_start(layout_));
  Handle file = h5::create_file(path);
  h5::write_attribute(file, "format", "hawser results 2", path);
  h5::write_attribute(file, "title", layout_.title, path);
  for (const auto& [name, text] : layout_.metadata) h5::write_attribute(file, name, text, path);
  for (const char* name : {"channels", "shapes", "bodies"})
    h5::create_ordered_group(file, name, path);
  times_[0].create(file, path);
  for (const Series& series : columns_) series.create(file, path);
  times_[1].create(file, path);
  for (const Series& series : fields_) series.create(file, path);
  for (const ResultLayout::Body& body : layout_.bodies) write_shape_of(file, body, path);
  file.close(path);
}

/// What a copy takes over of the old file.
std::vector<h5::Kept> Hdf5Sink::kept_of(const SinkPosition& position) {
  const Handle source = h5::open_to_read(path_);
  std::vector<h5::Kept> out = {{&times_[0], position.rows, {}}};
  for (Series& series : columns_) out.push_back({&series, position.rows, {}});
  out.push_back({&times_[1], position.frames, {}});
  for (size_t i = 0; i < fields_.size(); ++i) {
    const size_t cable = i / fields_a_cable;
    h5::Kept& kept = out.emplace_back(h5::Kept{&fields_[i], position.frames, {}});
    if (cable < points_.size()) kept.points = points_in(source, layout_.cables[cable].name, path_);
  }
  return out;
}

void Hdf5Sink::row(double t, std::span<const double> values) {
  size_t waiting = 0;
  times_[0].append({&t, 1}, deflate_);
  for (size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].append(values.subspan(i, 1), deflate_);
    waiting += columns_[i].waiting();
  }
  if (waiting > most_unwritten) write(false);
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
  if (waiting > most_unwritten) write(false);
}

void Hdf5Sink::flush() {
  if (times_[0].has_news() || times_[1].has_news()) write(true);
}

void Hdf5Sink::write(bool all) {
  std::vector<Series*> series;
  for (Series& one : columns_) series.push_back(&one);
  for (Series& one : fields_) series.push_back(&one);
  h5::append(path_, series, {&times_[0], &times_[1]}, all, deflate_);
}

}  // namespace hawser
