#include "record/vtk_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hawser/error.h"

namespace hawser {
namespace {

using h5::Handle;
using h5::Kept;
using h5::Series;

constexpr const char* root_group = "VTKHDF";
constexpr const char* steps_group = "VTKHDF/Steps";
constexpr const char* kind_names[] = {"Vertices", "Lines", "Polygons", "Strips"};
constexpr size_t of_lines = 1, of_polygons = 2;
constexpr size_t most_waiting_frames = 1 << 22;  ///< [bytes] that wait before they are written

/// In chunks of 32 kB.
Series series_of(const std::string& name, const std::string& unit,
                 const std::vector<hsize_t>& shape, Series::Number number) {
  constexpr long chunk = 1 << 15;
  const long width = number == Series::Number::float32 ? 4 : 8;
  const hsize_t row = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
  return {"VTKHDF/" + name, unit, shape, number, chunk / (width * static_cast<long>(row))};
}

Series integer_series(const std::string& name, const std::vector<hsize_t>& shape = {}) {
  return series_of(name, "", shape, Series::Number::int64);
}

/// With a row a part, of which there are few.
Series part_series(const std::string& name) {
  return {"VTKHDF/" + name, "", {}, Series::Number::int64, 128};
}

Series field_series(const VtkFile::Field& field) {
  const auto shape =
      field.components == 1 ? std::vector<hsize_t>{} : std::vector<hsize_t>{field.components};
  return series_of("PointData/" + field.name, field.unit, shape, Series::Number::float32);
}

[[noreturn]] void refuse(const std::string& path, const Series& series, const std::string& found,
                         long rows) {
  throw Error(path + ", " + series.name(), found,
              fmt::format("the {} rows written by the run", rows),
              "The results were changed: start the run again.");
}

/// Numbers that a run has written, at least `rows` of them.
std::vector<int64_t> read_integers(hid_t file, const Series& series, long rows,
                                   const std::string& path) {
  const std::vector<double> numbers = h5::read_doubles(file, series.name(), path);
  if (static_cast<long>(numbers.size()) < rows)
    refuse(path, series, fmt::format("{} rows", numbers.size()), rows);
  if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return x < -1; }))
    refuse(path, series, "a number below zero", rows);
  return {numbers.begin(), numbers.end()};
}

/// The last of them, or some of the last.
std::vector<int64_t> read_last(hid_t file, const Kept& kept, int64_t count,
                               const std::string& path) {
  const std::vector<int64_t> all = read_integers(file, *kept.series, kept.rows, path);
  return {all.begin() + kept.rows - count, all.begin() + kept.rows};
}

}  // namespace

VtkFile::VtkFile(std::string path, const std::vector<Field>& moving,
                 const std::vector<Field>& constant, std::optional<long> frames)
    : path_(std::move(path)),
      points_(series_of("Points", "m", {3}, Series::Number::float32)),
      point_counts_(part_series("NumberOfPoints")),
      cables_(integer_series("CellData/cable")),
      bodies_(integer_series("CellData/body")),
      times_(series_of("Steps/Values", "s", {}, Series::Number::float64)),
      part_offsets_(integer_series("Steps/PartOffsets")),
      parts_(integer_series("Steps/NumberOfParts")),
      point_offsets_(integer_series("Steps/PointOffsets")),
      cell_offsets_(integer_series("Steps/CellOffsets", {kinds})),
      id_offsets_(integer_series("Steps/ConnectivityIdOffsets", {kinds})),
      constants_(constant.size()) {
  for (const std::string kind : kind_names)
    cells_.push_back({part_series(kind + "/NumberOfCells"),
                      part_series(kind + "/NumberOfConnectivityIds"),
                      integer_series(kind + "/Offsets"), integer_series(kind + "/Connectivity")});
  for (const Field& field : moving) moving_.push_back(field_series(field));
  for (const Field& field : constant) {
    constant_.push_back(field_series(field));
    constant_offsets_.push_back(integer_series("Steps/PointDataOffsets/" + field.name));
  }
  const h5::Quiet quiet;
  frames ? resume(*frames) : create(path_);
}

/// A part. Kinds without cells have an offset in it all the same.
void VtkFile::set_cells(size_t points, const VtkCells& lines, const VtkCells& polygons) {
  const auto size = static_cast<int64_t>(points);
  if (point_counts_.rows() > 0 && size == points_now_ && lines == lines_ && polygons == polygons_)
    return;
  points_now_ = size;
  lines_ = lines;
  polygons_ = polygons;
  add(point_counts_, size);
  const VtkCells none;
  for (size_t k = 0; k < kinds; ++k) {
    const VtkCells& cells = k == of_lines ? lines : k == of_polygons ? polygons : none;
    first_cell_[k] = cells_[k].offsets.rows() - cells_[k].counts.rows();
    first_id_[k] = cells_[k].ids.rows();
    add(cells_[k].counts, cells.size());
    add(cells_[k].id_counts, static_cast<int64_t>(cells.points.size()));
    add(cells_[k].offsets, cells.ends);
    add(cells_[k].ids, cells.points);
    add(cables_, cells.cables);
    add(bodies_, cells.bodies);
  }
}

void VtkFile::set_constant(size_t field, std::span<const double> values) {
  Constant& now = constants_[field];
  const auto same = [](double x, float y) {
    return static_cast<float>(x) == y || (std::isnan(x) && std::isnan(y));
  };
  if (constant_[field].rows() > 0 &&
      std::equal(values.begin(), values.end(), now.values.begin(), now.values.end(), same))
    return;
  now.values.assign(values.begin(), values.end());
  now.first = constant_[field].rows();
  constant_[field].extend(values, deflate_);
}

void VtkFile::end_frame(double t) {
  times_.extend(std::span<const double>(&t, 1), deflate_);
  add(part_offsets_, point_counts_.rows() - 1);
  add(parts_, 1);
  add(point_offsets_, points_.rows() - points_now_);
  add(cell_offsets_, first_cell_);
  add(id_offsets_, first_id_);
  for (size_t i = 0; i < constant_.size(); ++i) add(constant_offsets_[i], constants_[i].first);
  size_t waiting = points_.waiting();
  for (const auto* list : {&moving_, &constant_})
    for (const Series& series : *list) waiting += series.waiting();
  if (waiting > most_waiting_frames) flush();
}

std::vector<Series*> VtkFile::data() {
  std::vector<Series*> out = {&points_, &point_counts_, &cables_, &bodies_};
  for (Cells& cells : cells_)
    for (Series* series : {&cells.counts, &cells.id_counts, &cells.offsets, &cells.ids})
      out.push_back(series);
  for (Series& series : moving_) out.push_back(&series);
  for (Series& series : constant_) out.push_back(&series);
  return out;
}

std::vector<Series*> VtkFile::steps() {
  std::vector<Series*> out = {&times_,         &part_offsets_, &parts_,
                              &point_offsets_, &cell_offsets_, &id_offsets_};
  for (Series& series : constant_offsets_) out.push_back(&series);
  return out;
}

/// Chunks that are not full are written too: fields fill theirs at different frames, and each frame
/// that is counted must be there as a whole.
void VtkFile::flush() {
  if (!times_.has_news()) return;
  h5::append(path_, data(), steps(), true, deflate_, [&](hid_t file) {
    h5::change_attribute(file, steps_group, "NSteps", times_.rows(), path_);
  });
}

void VtkFile::create(const std::string& path) {
  constexpr size_t groups = 1 << 14, of_a_dataset = 1 << 10;  // [bytes] at most
  const std::vector<Series*> all_data = data(), all_steps = steps();
  h5::require_room(path, groups + of_a_dataset * (all_data.size() + all_steps.size()));
  Handle file = h5::create_file(path);
  {
    const Handle root = h5::create_ordered_group(file, root_group, path);
    h5::write_fixed_attribute(root, "Type", "PolyData", path);
    h5::write_attribute(root, "Version", std::array<int64_t, 2>{2, 0}, path);
    const Handle times = h5::create_ordered_group(file, steps_group, path);
    h5::write_attribute(times, "NSteps", int64_t{0}, path);
  }
  for (const auto* list : {&all_data, &all_steps})
    for (const Series* series : *list) series->create(file, path);
  file.close(path);
}

// --- going on ---

void VtkFile::resume(long frames) {
  h5::replace(path_, [&](const std::string& fresh) {
    create(fresh);
    h5::copy(path_, fresh, keep(h5::open_to_read(path_), frames), deflate_);
    Handle file = h5::open_to_append(fresh);
    h5::change_attribute(file, steps_group, "NSteps", frames, fresh);
    file.close(fresh);
  });
}

/// What the first frames of a file need of its series, and what the last of them has.
std::vector<Kept> VtkFile::keep(hid_t file, long frames) {
  std::vector<Kept> out;
  for (Series* series : steps()) out.push_back({series, frames, {}});
  if (frames == 0) {
    for (Series* series : data()) out.push_back({series, 0, {}});
    return out;
  }
  const auto last = [&](Series& series, long rows) {
    return read_last(file, {&series, rows, {}}, 1, path_).front();
  };
  const long part = last(part_offsets_, frames);
  points_now_ = last(point_counts_, part + 1);
  const long points = last(point_offsets_, frames) + points_now_;
  out.push_back({&point_counts_, part + 1, {}});
  out.push_back({&points_, points, {}});
  for (Series& series : moving_) out.push_back({&series, points, {}});
  keep_constants(file, frames, out);
  keep_cells(file, part, out);
  return out;
}

void VtkFile::keep_constants(hid_t file, long frames, std::vector<Kept>& out) {
  for (size_t i = 0; i < constant_.size(); ++i) {
    Constant& now = constants_[i];
    now.first = read_last(file, {&constant_offsets_[i], frames, {}}, 1, path_).front();
    const long rows = now.first + points_now_;
    out.push_back({&constant_[i], rows, {}});
    std::vector<hsize_t> extent;
    const std::vector<float> all = h5::read_floats(file, constant_[i].name(), extent, path_);
    if (static_cast<long>(extent[0]) < rows)
      refuse(path_, constant_[i], fmt::format("{} rows", extent[0]), rows);
    const auto width = static_cast<long>(all.size() / extent[0]);
    now.values.assign(all.begin() + width * now.first, all.begin() + width * rows);
  }
}

void VtkFile::keep_cells(hid_t file, long part, std::vector<Kept>& out) {
  long cells_before = 0, cells_now = 0;
  for (size_t k = 0; k < kinds; ++k) {
    Cells& cells = cells_[k];
    const auto counts = read_integers(file, cells.counts, part + 1, path_),
               id_counts = read_integers(file, cells.id_counts, part + 1, path_);
    first_cell_[k] = std::accumulate(counts.begin(), counts.begin() + part, int64_t{0});
    first_id_[k] = std::accumulate(id_counts.begin(), id_counts.begin() + part, int64_t{0});
    const int64_t count = counts[static_cast<size_t>(part)],
                  ids = id_counts[static_cast<size_t>(part)];
    const Kept offsets{&cells.offsets, first_cell_[k] + count + part + 1, {}},
        all_ids{&cells.ids, first_id_[k] + ids, {}};
    out.insert(out.end(),
               {{&cells.counts, part + 1, {}}, {&cells.id_counts, part + 1, {}}, offsets, all_ids});
    cells_before += first_cell_[k];
    cells_now += count;
    if (k != of_lines && k != of_polygons) continue;
    VtkCells& now = k == of_lines ? lines_ : polygons_;
    now.points = read_last(file, all_ids, ids, path_);
    now.ends = read_last(file, offsets, count + 1, path_);
    now.cables.resize(static_cast<size_t>(count));
    now.bodies.resize(static_cast<size_t>(count));
  }
  for (const auto& [series, member] :
       {std::pair(&cables_, &VtkCells::cables), std::pair(&bodies_, &VtkCells::bodies)}) {
    const Kept& kept = out.emplace_back(Kept{series, cells_before + cells_now, {}});
    const std::vector<int64_t> numbers = read_last(file, kept, cells_now, path_);
    auto number = numbers.begin();
    for (VtkCells* now : {&lines_, &polygons_})
      for (int64_t& n : now->*member) n = *number++;
  }
}

}  // namespace hawser
