// The appended data of a VTK XML file: blocks of a size (uint64) and so many bytes.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace hawser {

static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");

class VtkBlocks {
 public:
  /// Adds a block and gives the XML element that tells of it; `where`: of its data in bytes().
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

/// PolyData up to its points' data.
inline std::string vtk_opening(VtkBlocks& blocks, size_t points, size_t lines, size_t faces,
                               size_t* time) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n{}"
      "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" "
      "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
      blocks.add("Float64", "TimeValue", 1, std::vector<double>(1), time), points, lines, faces);
}

constexpr std::string_view vtk_data_opening =
    "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
constexpr std::string_view vtk_closing = "\n</AppendedData>\n</VTKFile>\n";

/// Writes numbers as float32 into a file's image and moves on.
template <class Numbers>
void put_floats(std::string& image, size_t& at, const Numbers& values) {
  for (const double x : values) {
    const auto single = static_cast<float>(x);
    std::memcpy(image.data() + at, &single, sizeof single);
    at += sizeof single;
  }
}

}  // namespace hawser
