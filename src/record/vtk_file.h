// A VTKHDF file, which ParaView opens and plays: points, lines and polygons over time.
#pragma once

#include <array>
#include <cstdint>

#include "record/h5_file.h"

namespace hawser {

/// Lines or polygons over the points of a frame, and what each is of: a cable or a body.
struct VtkCells {
  std::vector<int64_t> points;   ///< of one cell after the other
  std::vector<int64_t> ends{0};  ///< in points, of the cells before each, and of all
  std::vector<int64_t> cables;   ///< by cell: number in the scene; -1: it is of a body
  std::vector<int64_t> bodies;   ///< by cell: the same of a body

  template <class Points>
  void add(const Points& cell, size_t first_point, int64_t cable, int64_t body) {
    for (const auto p : cell) points.push_back(static_cast<int64_t>(first_point) + p);
    ends.push_back(static_cast<int64_t>(points.size()));
    cables.push_back(cable);
    bodies.push_back(body);
  }
  [[nodiscard]] int64_t size() const { return static_cast<int64_t>(cables.size()); }
  bool operator==(const VtkCells&) const = default;
};

/// VTK's PolyData over m frames (VTK File Formats, "VTKHDF", version 2: Poly data and Temporal
/// data; read by VTK 9.3 and ParaView 5.12). Points and fields of all frames follow each other, and
/// Steps says where those of a frame begin. Cells are written when they change, as a part: each
/// frame has one part, many frames the same.
///
///   /VTKHDF                         attributes: Type, Version
///     Points (n, 3), PointData/FIELD (n) or (n, 3)    float32
///     NumberOfPoints (parts)
///     Vertices, Lines, Polygons, Strips
///       NumberOfCells, NumberOfConnectivityIds (parts), Offsets, Connectivity
///     CellData/cable, body (cells of all parts)
///     Steps                         attribute: NSteps
///       Values (m) [s], PartOffsets, NumberOfParts, PointOffsets (m)
///       CellOffsets, ConnectivityIdOffsets (m, 4)
///       PointDataOffsets/FIELD (m)  of fields that seldom change
///
/// Collections of several blocks would say more, but VTK 9.6.2 and 9.7.1 show their first frame at
/// all times. As results.h5 the file is closed between flushes, when any reader can open it, and
/// whole up to the last flush if the program dies.
class VtkFile {
 public:
  struct Field {
    std::string name, unit;
    hsize_t components = 1;
  };
  /// `moving` fields have values in each frame, `constant` ones keep theirs until they are set
  /// anew. `frames`: go on after so many of the file that is there.
  VtkFile(std::string path, const std::vector<Field>& moving, const std::vector<Field>& constant,
          std::optional<long> frames = std::nullopt);

  // --- a frame: its cells, points, fields, and its end ---

  /// Cells of the frames from this on; nothing happens where they are those before.
  void set_cells(size_t points, const VtkCells& lines, const VtkCells& polygons);
  /// Nothing happens where the values are those before.
  void set_constant(size_t field, std::span<const double> values);
  /// Some of the points, in their order: x, y, z [m].
  void add_points(std::span<const double> xyz) { points_.extend(xyz, deflate_); }
  void add_moving(size_t field, std::span<const double> values) {
    moving_[field].extend(values, deflate_);
  }
  /// Flushes now and then.
  void end_frame(double t);

  void flush();

 private:
  static constexpr size_t kinds = 4;  ///< vertices, lines, polygons, strips
  struct Cells {
    h5::Series counts, id_counts, offsets, ids;
  };
  using Starts = std::array<int64_t, kinds>;

  void add(h5::Series& series, std::span<const int64_t> numbers) {
    series.extend(numbers, deflate_);
  }
  void add(h5::Series& series, int64_t number) { add(series, std::span(&number, 1)); }
  void create(const std::string& path);
  void resume(long frames);
  std::vector<h5::Kept> keep(hid_t file, long frames);
  void keep_constants(hid_t file, long frames, std::vector<h5::Kept>& out);
  void keep_cells(hid_t file, long part, std::vector<h5::Kept>& out);
  [[nodiscard]] std::vector<h5::Series*> data();
  [[nodiscard]] std::vector<h5::Series*> steps();  ///< with a row a frame

  std::string path_;
  ShuffleDeflate deflate_;
  h5::Series points_, point_counts_, cables_, bodies_;
  std::vector<Cells> cells_;  ///< by kind
  std::vector<h5::Series> moving_, constant_;
  h5::Series times_, part_offsets_, parts_, point_offsets_, cell_offsets_, id_offsets_;
  std::vector<h5::Series> constant_offsets_;
  // What frames have now:
  int64_t points_now_ = 0;
  VtkCells lines_, polygons_;
  Starts first_cell_{}, first_id_{};  ///< of their part
  struct Constant {
    std::vector<float> values;
    int64_t first = 0;  ///< in its series
  };
  std::vector<Constant> constants_;
};

}  // namespace hawser
