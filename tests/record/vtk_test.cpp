// results.vtkhdf as its format reads it (VTK File Formats, "VTKHDF"); tests/python reads it by VTK.
#include <gtest/gtest.h>

#include <filesystem>

#include "record/results.h"
#include "record/vtk_sink.h"

namespace hawser::HAWSER_FILE {
namespace {

namespace fs = std::filesystem;

/// The file frame by frame.
class Film {
 public:
  explicit Film(const TemporaryFolder& folder) : file_(folder / "results.vtkhdf") {}

  [[nodiscard]] bool is_open() const { return file_.is_open(); }
  [[nodiscard]] size_t frames() const {
    return static_cast<size_t>(file_.numbers("VTKHDF/Steps", "NSteps").at(0));
  }
  [[nodiscard]] std::vector<double> read(const std::string& name) const {
    return file_.read("VTKHDF/" + name).values;
  }
  [[nodiscard]] double step(const std::string& name, size_t frame, size_t width = 1,
                            size_t component = 0) const {
    return read("Steps/" + name).at(frame * width + component);
  }
  [[nodiscard]] size_t part(size_t frame) const {
    EXPECT_EQ(step("NumberOfParts", frame), 1);
    return static_cast<size_t>(step("PartOffsets", frame));
  }
  [[nodiscard]] size_t points(size_t frame) const {
    return static_cast<size_t>(read("NumberOfPoints").at(part(frame)));
  }
  /// A field of a frame, which begins where `offsets` says.
  [[nodiscard]] std::vector<double> field(size_t frame, const std::string& name, size_t width,
                                          const std::string& offsets = "PointOffsets") const {
    return slice(read(name), width * static_cast<size_t>(step(offsets, frame)),
                 width * points(frame));
  }
  /// Points of each cell of a kind (1: lines, 2: polygons).
  [[nodiscard]] std::vector<std::vector<double>> cells(size_t frame, size_t kind) const {
    constexpr const char* names[] = {"Vertices/", "Lines/", "Polygons/", "Strips/"};
    const std::string name = names[kind];
    const auto first = static_cast<size_t>(step("CellOffsets", frame, 4, kind)),
               first_id = static_cast<size_t>(step("ConnectivityIdOffsets", frame, 4, kind)),
               count = static_cast<size_t>(read(name + "NumberOfCells").at(part(frame))),
               ids = static_cast<size_t>(read(name + "NumberOfConnectivityIds").at(part(frame)));
    const std::vector<double> ends = slice(read(name + "Offsets"), first + part(frame), count + 1),
                              all = slice(read(name + "Connectivity"), first_id, ids);
    EXPECT_EQ(ends.front(), 0);
    EXPECT_EQ(ends.back(), static_cast<double>(ids));
    std::vector<std::vector<double>> out;
    for (size_t i = 0; i < count; ++i)
      out.push_back(
          slice(all, static_cast<size_t>(ends[i]), static_cast<size_t>(ends[i + 1] - ends[i])));
    return out;
  }

 private:
  static std::vector<double> slice(const std::vector<double>& all, size_t first, size_t count) {
    if (first + count > all.size()) {
      ADD_FAILURE() << first + count << " of " << all.size();
      return std::vector<double>(count);
    }
    const auto from = all.begin() + static_cast<long>(first);
    return {from, from + static_cast<long>(count)};
  }

  ResultsReader file_;
};

/// The values of all cables one after the other, as float32.
std::vector<double> joined(const std::vector<Shape>& shapes, std::vector<double> Shape::*member) {
  std::vector<double> out;
  for (const Shape& shape : shapes)
    for (const double x : shape.*member) out.push_back(static_cast<double>(static_cast<float>(x)));
  return out;
}

/// The first of the values, which cables have; bodies have none.
std::vector<double> of_cables(std::vector<double> values, size_t width, const Film& film,
                              size_t frame, size_t points) {
  EXPECT_EQ(values.size(), width * film.points(frame));
  for (size_t i = width * points; i < values.size(); ++i) EXPECT_TRUE(std::isnan(values[i]));
  values.resize(width * points);
  return values;
}

void expect_frame(const Film& film, size_t i, const std::vector<Shape>& shapes) {
  size_t points = 0;
  for (const Shape& shape : shapes) points += shape.s.size();
  EXPECT_EQ(film.step("Values", i), time_of(static_cast<long>(i)));
  std::vector<double> places = film.field(i, "Points", 3);
  places.resize(3 * points);
  EXPECT_EQ(places, joined(shapes, &Shape::position));
  const auto field = [&](const char* name, size_t width, const char* offsets = "PointOffsets") {
    return of_cables(film.field(i, std::string("PointData/") + name, width, offsets), width, film,
                     i, points);
  };
  EXPECT_EQ(field("velocity", 3), joined(shapes, &Shape::velocity));
  EXPECT_EQ(field("tension", 1), joined(shapes, &Shape::tension));
  EXPECT_EQ(field("strain", 1), joined(shapes, &Shape::strain));
  EXPECT_EQ(field("curvature", 1), joined(shapes, &Shape::curvature));
  EXPECT_EQ(field("arc_length", 1, "PointDataOffsets/arc_length"), joined(shapes, &Shape::s));
  const auto lines = film.cells(i, 1);
  ASSERT_GE(lines.size(), shapes.size());
  double next = 0;
  for (size_t k = 0; k < shapes.size(); ++k) {
    ASSERT_EQ(lines[k].size(), shapes[k].s.size());
    for (const double point : lines[k]) EXPECT_EQ(point, next++);
  }
  for (const size_t kind : {0, 3}) EXPECT_TRUE(film.cells(i, kind).empty());
}

/// Layouts whose second cable has so many points, frame by frame.
void write_changing(Sink& sink, const std::vector<size_t>& points, size_t from) {
  for (size_t i = from; i < points.size(); ++i) {
    const auto number = static_cast<long>(i);
    write(sink, layout_of({3, points[i]}), number, number + 1);
  }
}

TEST(VtkSink, FramesAreTheShapesWhileTheMeshChanges) {
  const TemporaryFolder folder;
  const std::vector<size_t> points = {11, 11, 30, 30, 7, 11};
  {
    VtkSink sink(folder.path(), layout_of({3, 11}));
    write_changing(sink, points, 0);
  }
  const Film film(folder);
  ASSERT_EQ(film.frames(), points.size());
  for (size_t i = 0; i < points.size(); ++i)
    expect_frame(film, i, shapes_of(layout_of({3, points[i]}), static_cast<long>(i)));
  EXPECT_EQ(film.read("NumberOfPoints"), (std::vector<double>{28, 47, 24, 28}));
}

TEST(VtkSink, BodiesAreTheirSolids) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({3});
  {
    VtkSink sink(folder.path(), layout);
    write(sink, layout, 0, 20);
  }
  const Film film(folder);
  ASSERT_EQ(film.frames(), 20U);
  EXPECT_EQ(film.cells(19, 1).size(), 1U + 3);  // the cable, and arms of the cross
  EXPECT_EQ(film.cells(19, 2).size(), 6U);      // faces of the box
  EXPECT_EQ(film.read("CellData/cable"),
            (std::vector<double>{0, -1, -1, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(film.read("CellData/body"), (std::vector<double>{-1, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
  const std::vector<double> points = film.field(19, "Points", 3);
  ASSERT_EQ(points.size(), 3U * (3 + 8 + 6));
  const BodyPose pose = poses_of(layout, 19)[0];
  const Vec3 corner = pose.position + pose.orientation * Vec3(0.5, 1, 1.5);
  EXPECT_NEAR((Vec3::Map(&points[3 * 10]) - corner).norm(), 0, 1e-6);
  EXPECT_NEAR(points[3 * 16 + 2], 0.25, 1e-7);  // half of a hundredth of the extent
  EXPECT_EQ(film.cells(19, 2)[5], (std::vector<double>{3 + 1, 3 + 3, 3 + 7, 3 + 5}));
}

TEST(VtkSink, CablesOrBodiesMayBeMissing) {
  for (const bool cables : {false, true}) {
    const TemporaryFolder folder;
    ResultLayout layout = layout_of({3});
    cables ? layout.bodies.clear() : layout.cables.clear();
    {
      VtkSink sink(folder.path(), layout);
      write(sink, layout, 0, 2);
    }
    const Film film(folder);
    ASSERT_EQ(film.frames(), 2U);
    EXPECT_EQ(film.points(1), cables ? 3U : 14U);
    expect_frame(film, 1, shapes_of(layout, 1));
  }
}

/// A massless cable has its points at other arc lengths in each frame.
TEST(VtkSink, ArcLengthsMayChangeWithoutThePoints) {
  const TemporaryFolder folder;
  ResultLayout layout = layout_of({3, 5});
  {
    VtkSink sink(folder.path(), layout);
    for (long i = 0; i < 6; ++i) {
      layout.cables[1].s[2] = i < 2 ? 0.5 : 0.5 + 0.01 * static_cast<double>(i);
      write(sink, layout, i, i + 1);
    }
  }
  const Film film(folder);
  EXPECT_EQ(film.read("NumberOfPoints").size(), 1U);
  EXPECT_EQ(film.read("PointData/arc_length").size(), 5U * (8 + 14));  // once for the first two
  expect_frame(film, 5, shapes_of(layout, 5));
}

TEST(VtkSink, GoesOnAsIfNeverStopped) {
  const TemporaryFolder whole;
  std::vector<size_t> points(900, 11);
  std::fill(points.begin() + 300, points.begin() + 700, 30);
  const ResultLayout layout = layout_of({3, 11});
  {
    VtkSink sink(whole.path(), layout);
    write_changing(sink, points, 0);
  }
  const auto expected = ResultsReader(whole / "results.vtkhdf").all();
  for (const size_t kept : {0U, 1U, 299U, 300U, 301U, 700U, 899U, 900U}) {
    const TemporaryFolder parted;
    {
      VtkSink sink(parted.path(), layout);
      write_changing(sink, points, 0);
    }
    {
      VtkSink sink(parted.path(), layout, SinkPosition{0, static_cast<long>(kept)});
      EXPECT_EQ(Film(parted).frames(), kept);
      write_changing(sink, points, kept);
    }
    EXPECT_TRUE(ResultsReader(parted / "results.vtkhdf").all() == expected) << kept;
    EXPECT_FALSE(fs::exists(parted / "results.vtkhdf.new"));
  }
}

TEST(VtkSink, RefusesFilesThatAreNotTheRuns) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({3});
  {
    VtkSink sink(folder.path(), layout);
    write(sink, layout, 0, 3);
  }
  expect_contains(error_of([&] {
                    VtkSink(folder.path(), layout, SinkPosition{0, 4});
                  }),
                  "found 3 rows; expected the 4 rows");
  expect_contains(error_of([&] { VtkSink("/nowhere", layout); }), "/nowhere/results.vtkhdf");
}

TEST(VtkSink, IsWholeWhenTheDiskIsFull) {
  const ResultLayout layout = layout_of({500});
  for (const rlim_t most : {20000, 300000, 1000000}) {
    const TemporaryFolder folder;
    const std::string text = said_on_full_disk(most, [&] {
      VtkSink sink(folder.path(), layout);
      for (long i = 0; i < 1000; i += 4) write(sink, layout, i, i + 4), sink.flush();
    });
    expect_contains(text, "results.vtkhdf: found File too large");
    if (most == 20000) {
      EXPECT_FALSE(fs::exists(folder / "results.vtkhdf"));
      continue;
    }
    const Film film(folder);
    ASSERT_TRUE(film.is_open());
    ASSERT_GT(film.frames(), 0U);
    expect_frame(film, film.frames() - 1, shapes_of(layout, static_cast<long>(film.frames()) - 1));
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
