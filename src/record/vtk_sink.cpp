#include "record/vtk_sink.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "hawser/error.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view opening =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
constexpr std::string_view closing = "</Collection>\n</VTKFile>\n";
constexpr std::string_view stem = "cables_";

/// The appended data of a file: blocks of a size (uint64) and so many bytes.
class Blocks {
 public:
  /// Adds a block and gives the XML element that tells of it.
  template <class T>
  std::string add(const char* type, const char* name, size_t components, const std::vector<T>& data,
                  size_t* where = nullptr) {
    const size_t offset = bytes_.size();
    const uint64_t size = data.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
    if (where) *where = bytes_.size();
    bytes_.append(reinterpret_cast<const char*>(data.data()), size);
    return fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" NumberOfTuples=\"{}\" "
        "format=\"appended\" offset=\"{}\"/>\n",
        type, name, components, data.size() / components, offset);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

void put(std::string& image, size_t& at, const std::vector<double>& values) {
  for (const double x : values) {
    const auto single = static_cast<float>(x);
    std::memcpy(image.data() + at, &single, sizeof single);
    at += sizeof single;
  }
}

}  // namespace

static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");

VtkSink::VtkSink(const std::string& directory, const ResultLayout& layout,
                 std::optional<SinkPosition> from)
    : directory_(directory),
      collection_(directory + "/results.pvd", from ? File::Mode::change : File::Mode::create) {
  std::error_code error;
  fs::create_directory(directory_ + "/vtk", error);
  if (error) throw Error(directory_ + "/vtk", error.message(), "a folder for the frames");
  lay_out(layout);
  keep(from ? from->frames : 0);
}

/// Everything of a frame's file but the numbers that change.
void VtkSink::lay_out(const ResultLayout& layout) {
  std::vector<float> arc;
  std::vector<int64_t> points, ends;
  std::vector<int32_t> cables;
  for (const ResultLayout::Cable& cable : layout.cables) {
    for (const double s : cable.s) {
      points.push_back(static_cast<int64_t>(arc.size()));
      arc.push_back(static_cast<float>(s));
    }
    ends.push_back(static_cast<int64_t>(arc.size()));
    cables.push_back(static_cast<int32_t>(cables.size()));
  }
  const std::vector<float> scalars(arc.size()), vectors(3 * arc.size());
  Blocks blocks;
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n{}"
      "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" "
      "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
      blocks.add("Float64", "TimeValue", 1, std::vector<double>(1), &at_.time), arc.size(),
      ends.size());
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
  text += "</Lines>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
  for (size_t* at :
       {&at_.time, &at_.points, &at_.velocity, &at_.tension, &at_.strain, &at_.curvature})
    *at += text.size();
  image_ = text + blocks.bytes() + "\n</AppendedData>\n</VTKFile>\n";
}

std::string VtkSink::frame_name(long number) const {
  return fmt::format("vtk/{}{:06}.vtp", stem, number);
}

void VtkSink::frame(double t, const std::vector<Shape>& shapes) {
  std::memcpy(image_.data() + at_.time, &t, sizeof t);
  Offsets at = at_;
  for (const Shape& shape : shapes) {
    put(image_, at.points, shape.position);
    put(image_, at.velocity, shape.velocity);
    put(image_, at.tension, shape.tension);
    put(image_, at.strain, shape.strain);
    put(image_, at.curvature, shape.curvature);
  }
  File(directory_ + "/" + frame_name(frames_), File::Mode::create).append(image_);
  add_entry(t);
}

/// The entry goes over the closing tags, which follow it in the same write.
void VtkSink::add_entry(double t) {
  const std::string entry =
      fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", t, frame_name(frames_));
  collection_.write_at(end_, entry + std::string(closing));
  end_ += entry.size();
  ++frames_;
}

/// Cuts off the frames after the first so many: entries, then files.
void VtkSink::keep(long frames) {
  const std::string text = collection_.read_at(0, collection_.size());
  end_ = opening.size();
  for (frames_ = 0; frames_ < frames; ++frames_) {
    const std::string mark = fmt::format("file=\"{}\"/>\n", frame_name(frames_));
    const size_t at = text.find(mark, end_);
    if (at == std::string::npos)
      throw Error(collection_.path(), fmt::format("{} frames", frames_),
                  fmt::format("the {} frames that the run has written", frames),
                  "Start the run anew: its results were changed.");
    end_ = at + mark.size();
  }
  collection_.write_at(
      0, std::string(frames > 0 ? text.substr(0, end_) : opening) + std::string(closing));
  collection_.cut(end_ + closing.size());
  for (const auto& entry : fs::directory_iterator(directory_ + "/vtk")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(stem) || !name.ends_with(".vtp")) continue;
    const std::string number = name.substr(stem.size(), name.size() - stem.size() - 4);
    if (number.find_first_not_of("0123456789") == std::string::npos && !number.empty() &&
        std::stol(number) >= frames)
      fs::remove(entry.path());
  }
}

}  // namespace hawser
