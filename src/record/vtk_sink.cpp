#include "record/vtk_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "hawser/error.h"
#include "record/vtk_image.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view opening =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
constexpr std::string_view closing = "</Collection>\n</VTKFile>\n";
const std::string cables_stem = "cables_", bodies_stem = "bodies_";

/// The number of a frame's file; -1: it is none.
long number_of(const std::string& name) {
  for (const std::string& stem : {cables_stem, bodies_stem}) {
    if (!name.starts_with(stem) || !name.ends_with(".vtp")) continue;
    const std::string number = name.substr(stem.size(), name.size() - stem.size() - 4);
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos)
      return std::stol(number);
  }
  return -1;
}

}  // namespace

VtkSink::VtkSink(const std::string& directory, const ResultLayout& layout,
                 std::optional<SinkPosition> from)
    : directory_(directory),
      bodies_(layout),
      stems_({cables_stem}),
      collection_(directory + "/results.pvd", from ? File::Mode::change : File::Mode::create) {
  std::error_code error;
  fs::create_directory(directory_ + "/vtk", error);
  if (error) throw Error(directory_ + "/vtk", error.message(), "a folder for the frames");
  if (!bodies_.empty()) stems_.push_back(bodies_stem);
  keep(from ? from->frames : 0);
}

bool VtkSink::suits(const std::vector<Shape>& shapes) const {
  return !image_.empty() &&
         std::equal(shapes.begin(), shapes.end(), arcs_.begin(), arcs_.end(),
                    [](const Shape& shape, const std::vector<double>& s) { return shape.s == s; });
}

/// Everything of a frame's file but the numbers that change.
void VtkSink::lay_out(const std::vector<Shape>& shapes) {
  arcs_.clear();
  at_ = {};
  std::vector<float> arc;
  std::vector<int64_t> points, ends;
  std::vector<int32_t> cables;
  for (const Shape& shape : shapes) {
    arcs_.push_back(shape.s);
    for (const double s : shape.s) {
      points.push_back(static_cast<int64_t>(arc.size()));
      arc.push_back(static_cast<float>(s));
    }
    ends.push_back(static_cast<int64_t>(arc.size()));
    cables.push_back(static_cast<int32_t>(cables.size()));
  }
  const std::vector<float> scalars(arc.size()), vectors(3 * arc.size());
  VtkBlocks blocks;
  std::string text = vtk_opening(blocks, arc.size(), ends.size(), 0, &at_.time);
  text += "<PointData Scalars=\"tension\" Vectors=\"velocity\">\n";
  text += blocks.add("Float32", "tension", 1, scalars, &at_.tension);
  text += blocks.add("Float32", "strain", 1, scalars, &at_.strain);
  text += blocks.add("Float32", "curvature", 1, scalars, &at_.curvature);
  text += blocks.add("Float32", "velocity", 3, vectors, &at_.velocity);
  text += blocks.add("Float32", "arc_length", 1, arc);
  text += "</PointData>\n<CellData Scalars=\"cable\">\n";
  text += blocks.add("Int32", "cable", 1, cables);
  text += "</CellData>\n<Points>\n";
  text += blocks.add("Float32", "Points", 3, vectors, &at_.points);
  text += "</Points>\n<Lines>\n";
  text += blocks.add("Int64", "connectivity", 1, points);
  text += blocks.add("Int64", "offsets", 1, ends);
  text += "</Lines>\n";
  text += vtk_data_opening;
  for (size_t* at :
       {&at_.time, &at_.points, &at_.velocity, &at_.tension, &at_.strain, &at_.curvature})
    *at += text.size();
  image_ = text + blocks.bytes() + std::string(vtk_closing);
}

std::string VtkSink::frame_name(const std::string& stem, long number) {
  return fmt::format("vtk/{}{:06}.vtp", stem, number);
}

void VtkSink::frame(double t, const std::vector<Shape>& shapes,
                    const std::vector<BodyPose>& bodies) {
  if (!suits(shapes)) lay_out(shapes);
  std::memcpy(image_.data() + at_.time, &t, sizeof t);
  Offsets at = at_;
  for (const Shape& shape : shapes) {
    put_floats(image_, at.points, shape.position);
    put_floats(image_, at.velocity, shape.velocity);
    put_floats(image_, at.tension, shape.tension);
    put_floats(image_, at.strain, shape.strain);
    put_floats(image_, at.curvature, shape.curvature);
  }
  const auto path = [&](const std::string& stem) {
    return directory_ + "/" + frame_name(stem, frames_);
  };
  try {
    write_whole_file(path(cables_stem), image_);
    if (!bodies_.empty()) write_whole_file(path(bodies_stem), bodies_.image(t, bodies));
    add_entries(t);
  } catch (const WriteError&) {  // a frame is there as a whole or not at all
    std::error_code ignored;
    for (const std::string& stem : stems_) fs::remove(path(stem), ignored);
    throw;
  }
}

/// The entries go over the closing tags, which follow them in the same write. If that fails, the
/// tags are put back: there is room where they were.
void VtkSink::add_entries(double t) {
  std::string entries;
  for (size_t part = 0; part < stems_.size(); ++part)
    entries += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" file=\"{}\"/>\n", t, part,
                           frame_name(stems_[part], frames_));
  try {
    collection_.write_at(end_, entries + std::string(closing));
  } catch (const WriteError&) {
    collection_.write_at(end_, closing);
    collection_.cut(end_ + closing.size());
    throw;
  }
  end_ += entries.size();
  ++frames_;
}

/// Cuts off the frames after the first so many: entries, then files.
void VtkSink::keep(long frames) {
  const std::string text = collection_.read_at(0, collection_.size());
  end_ = opening.size();
  for (frames_ = 0; frames_ < frames; ++frames_) {
    const std::string mark = fmt::format("file=\"{}\"/>\n", frame_name(stems_.back(), frames_));
    const size_t at = text.find(mark, end_);
    if (at == std::string::npos)
      throw Error(collection_.path(), fmt::format("{} frames", frames_),
                  fmt::format("the {} frames written by the run", frames),
                  "The results were changed: start the run again.");
    end_ = at + mark.size();
  }
  collection_.write_at(
      0, std::string(frames > 0 ? text.substr(0, end_) : opening) + std::string(closing));
  collection_.cut(end_ + closing.size());
  for (const auto& entry : fs::directory_iterator(directory_ + "/vtk"))
    if (number_of(entry.path().filename().string()) >= frames) fs::remove(entry.path());
}

}  // namespace hawser
