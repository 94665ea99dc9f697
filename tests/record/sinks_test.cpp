// Files written by the sinks: what is in them, going on after a stop, and failures.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "contact/meshes.h"
#include "hawser/draw.h"
#include "hawser/error.h"
#include "record/csv_sink.h"
#include "record/hdf5_sink.h"
#include "record/results.h"
#include "record/vtk_sink.h"

namespace hawser::HAWSER_FILE {
namespace {

namespace fs = std::filesystem;

// --- CSV ---

TEST(CsvSink, WritesNamesUnitsAndNumbersThatReadBackExactly) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({});
  {
    CsvSink sink(folder.path(), layout);
    sink.row(0.1, std::vector<double>{1.0 / 3, -7.25, 1e300});
    sink.row(0.30000000000000004, row_of(5));
  }
  std::istringstream text(read_text(folder / "channels.csv"));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "time [s],tether.tension@max [N],tether.strain@0.5,a.first [m]");
  std::getline(text, line);
  EXPECT_EQ(line, "0.1,0.3333333333333333,-7.25,1e+300");
  std::getline(text, line);
  const char* at = line.c_str();
  char* end = nullptr;
  EXPECT_EQ(std::strtod(at, &end), 0.30000000000000004);
  for (const double x : row_of(5)) {
    ASSERT_EQ(*end, ',');
    EXPECT_EQ(std::strtod(end + 1, &end), x);
  }
  EXPECT_EQ(*end, '\0');
  EXPECT_FALSE(std::getline(text, line));
}

TEST(CsvSink, WritesWholeLinesLongBeforeTheEnd) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({});
  CsvSink sink(folder.path(), layout);
  write(sink, layout, 0, 5000);
  const std::string text = read_text(folder / "channels.csv");
  EXPECT_GT(text.size(), 100000U);  // of about 250,000
  EXPECT_EQ(text.back(), '\n');
}

TEST(CsvSink, GoesOnAsIfNeverStopped) {
  const ResultLayout layout = layout_of({});
  const TemporaryFolder whole;
  {
    CsvSink sink(whole.path(), layout);
    write(sink, layout, 0, 3000);
  }
  for (const long kept : {0L, 1L, 1500L}) {
    const TemporaryFolder parted;
    {
      CsvSink sink(parted.path(), layout);
      write(sink, layout, 0, kept + 700);
    }
    std::ofstream(parted / "channels.csv", std::ios::app) << "0.5,0.2";  // torn by a kill
    {
      CsvSink sink(parted.path(), layout, SinkPosition{kept, 0});
      write(sink, layout, kept, 3000);
    }
    EXPECT_EQ(read_text(parted / "channels.csv"), read_text(whole / "channels.csv")) << kept;
  }
}

TEST(CsvSink, RefusesFilesThatAreNotTheRuns) {
  const TemporaryFolder folder;
  ResultLayout layout = layout_of({});
  {
    CsvSink sink(folder.path(), layout);
    write(sink, layout, 0, 10);
  }
  expect_contains(error_of([&] {
                    CsvSink(folder.path(), layout, SinkPosition{11, 0});
                  }),
                  "found 10 rows; expected the 11 rows");
  layout.columns.pop_back();
  expect_contains(error_of([&] {
                    CsvSink(folder.path(), layout, SinkPosition{5, 0});
                  }),
                  "other columns");
}

TEST(CsvSink, SaysWhereAndWhyItCannotWrite) {
  const ResultLayout layout = layout_of({});
  const std::string text = error_of([&] { CsvSink("/nowhere/at/all", layout); });
  expect_contains(text, "/nowhere/at/all/channels.csv");
  expect_contains(text, "No such file or directory");
  const TemporaryFolder folder;
  fs::create_symlink("/dev/full", folder / "channels.csv");
  expect_contains(error_of([&] { CsvSink(folder.path(), layout); }), "No space left on device");
}

TEST(CsvSink, EndsWithAWholeRowWhenTheDiskIsFull) {
  for (const rlim_t most : {40, 10000, 100000}) {
    const TemporaryFolder folder;
    const ResultLayout layout = layout_of({});
    const std::string text = said_on_full_disk(most, [&] {
      CsvSink sink(folder.path(), layout);
      write(sink, layout, 0, 5000);
    });
    expect_contains(text, "channels.csv: found File too large");
    std::istringstream file(read_text(folder / "channels.csv"));
    EXPECT_TRUE(file.str().empty() || file.str().back() == '\n');
    EXPECT_EQ(file.str().empty(), most == 40);
    EXPECT_GT(file.str().size() + 200, std::min<size_t>(most, 200));
    for (std::string line; std::getline(file, line);)
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), 3) << line;
  }
}

// --- HDF5 ---

TEST(Hdf5Sink, HoldsEveryNumberAndSaysWhatItIs) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({3, 11});
  const long n = 1300;  // full chunks and a part of one
  {
    Hdf5Sink sink(folder.path(), layout);
    write(sink, layout, 0, n);
  }
  const ResultsReader file(folder / "results.h5");
  ASSERT_TRUE(file.is_open());
  EXPECT_EQ(file.attribute("/", "title"), layout.title);
  EXPECT_EQ(file.attribute("/", "scene"), layout.metadata.at("scene"));
  EXPECT_EQ(file.attribute("/", "format"), "hawser results 2");
  EXPECT_EQ(file.attribute("/time", "unit"), "s");
  EXPECT_EQ(file.attribute("/channels/tether.strain@0.5", "unit"), "");
  EXPECT_EQ(file.attribute("/shapes/cable 1/curvature", "unit"), "1/m");
  const Dataset time = file.read("time"), frame_time = file.read("shapes/time");
  ASSERT_EQ(time.shape, (std::vector<hsize_t>{n}));
  EXPECT_EQ(time, frame_time);
  for (long i = 0; i < n; ++i) ASSERT_EQ(time.values[static_cast<size_t>(i)], time_of(i));
  for (size_t c = 0; c < 3; ++c) {
    const Dataset column = file.read("channels/" + layout.columns[c].name);
    ASSERT_EQ(column.shape, time.shape);
    for (long i = 0; i < n; ++i) ASSERT_EQ(column.values[static_cast<size_t>(i)], row_of(i)[c]);
  }
  const Dataset arc = file.read("shapes/cable 1/s");
  ASSERT_EQ(arc.shape, (std::vector<hsize_t>{n, 11}));
  for (size_t i = 0; i < arc.values.size(); ++i)
    ASSERT_EQ(arc.values[i], layout.cables[1].s[i % 11]);
  const auto expect_field = [&](const char* name, std::vector<double> Shape::*field, size_t width) {
    const Dataset set = file.read(fmt::format("shapes/cable 1/{}", name));
    std::vector<hsize_t> shape = {n, 11};
    if (width > 11) shape.push_back(3);
    ASSERT_EQ(set.shape, shape) << name;
    for (long i = 0; i < n; ++i) {
      const std::vector<double> expected = shapes_of(layout, i)[1].*field;
      for (size_t k = 0; k < width; ++k)
        ASSERT_EQ(set.values[static_cast<size_t>(i) * width + k],
                  static_cast<double>(static_cast<float>(expected[k])))
            << name;
    }
  };
  expect_field("position", &Shape::position, 33);
  expect_field("velocity", &Shape::velocity, 33);
  expect_field("tension", &Shape::tension, 11);
  expect_field("strain", &Shape::strain, 11);
  expect_field("curvature", &Shape::curvature, 11);
  EXPECT_EQ(file.attribute("/bodies/load", "shape"), "box");
  EXPECT_EQ(file.attribute("/bodies/mark", "shape"), "none");
  EXPECT_EQ(file.numbers("/bodies/load", "size"), (std::vector<double>{1, 2, 3}));
  const Dataset position = file.read("bodies/load/position"),
                turned = file.read("bodies/load/orientation");
  ASSERT_EQ(position.shape, (std::vector<hsize_t>{n, 3}));
  ASSERT_EQ(turned.shape, (std::vector<hsize_t>{n, 4}));
  for (long i = 0; i < n; ++i) {
    const BodyPose pose = poses_of(layout, i)[0];
    const auto at = static_cast<size_t>(i);
    ASSERT_EQ(position.values[3 * at + 2], pose.position.z());
    ASSERT_EQ(turned.values[4 * at], pose.orientation.w());
    ASSERT_EQ(turned.values[4 * at + 3], pose.orientation.z());
  }
}

/// More points than at the start, then fewer: rows are filled up with NaN.
TEST(Hdf5Sink, NumberOfPointsMayChange) {
  const TemporaryFolder folder, parted;
  const ResultLayout start = layout_of({3, 11}), more = layout_of({3, 30}),
                     less = layout_of({3, 7});
  const auto write_all = [&](Sink& sink, long from) {
    if (from < 300) write(sink, start, from, 300);
    if (from < 800) write(sink, more, std::max(from, 300L), 800);
    write(sink, less, std::max(from, 800L), 1000);
  };
  {
    Hdf5Sink sink(folder.path(), start);
    write_all(sink, 0);
  }
  const ResultsReader file(folder / "results.h5");
  const Dataset s = file.read("shapes/cable 1/s"), r = file.read("shapes/cable 1/position"),
                other = file.read("shapes/cable 0/tension");
  ASSERT_EQ(s.shape, (std::vector<hsize_t>{1000, 30}));
  ASSERT_EQ(r.shape, (std::vector<hsize_t>{1000, 30, 3}));
  ASSERT_EQ(other.shape, (std::vector<hsize_t>{1000, 3}));
  for (const long i : {0L, 299L, 300L, 799L, 800L, 999L}) {
    const ResultLayout& layout = i < 300 ? start : i < 800 ? more : less;
    const Shape shape = shapes_of(layout, i)[1];
    for (size_t k = 0; k < 30; ++k) {
      const size_t at = 30 * static_cast<size_t>(i) + k;
      if (k < shape.s.size()) {
        EXPECT_EQ(s.values[at], shape.s[k]);
        EXPECT_EQ(r.values[3 * at + 1],
                  static_cast<double>(static_cast<float>(shape.position[3 * k + 1])));
      } else {
        EXPECT_TRUE(std::isnan(s.values[at]));
        EXPECT_TRUE(std::isnan(r.values[3 * at + 2]));
      }
    }
    EXPECT_EQ(other.values[3 * static_cast<size_t>(i) + 2],
              static_cast<double>(static_cast<float>(shapes_of(layout, i)[0].tension[2])));
  }
  // Resumed before and after the file was made wider.
  for (const long kept : {200L, 500L, 900L}) {
    {
      Hdf5Sink sink(parted.path(), start);
      write_all(sink, 0);
    }
    {
      const ResultLayout& now = kept < 300 ? start : kept < 800 ? more : less;
      Hdf5Sink sink(parted.path(), now, SinkPosition{kept, kept});
      write_all(sink, kept);
    }
    EXPECT_EQ(ResultsReader(parted / "results.h5").all(), file.all()) << kept;
  }
  const ShapeFrames frames = read_shape_frames(folder / "results.h5", 2);
  EXPECT_EQ(frames.cables[1].points, 30);
  const std::vector<float>& first = frames.cables[1].position[0];
  for (size_t k = 11; k < 30; ++k) EXPECT_EQ(first[3 * k], first[30]);  // the end, again
}

TEST(ShapeFile, ReadsCablesAndBodiesBack) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({3, 11});
  {
    Hdf5Sink sink(folder.path(), layout);
    write(sink, layout, 0, 101);
  }
  const ShapeFrames frames = read_shape_frames(folder / "results.h5", 3);
  EXPECT_EQ(frames.times, (std::vector<double>{time_of(0), time_of(50), time_of(100)}));
  ASSERT_EQ(frames.cables.size(), 2U);
  EXPECT_EQ(frames.cables[1].points, 11);
  ASSERT_EQ(frames.bodies.size(), 2U);
  EXPECT_EQ(frames.bodies[0].body, "load");
  EXPECT_EQ(frames.bodies[0].shape.kind, Solid::Kind::box);
  EXPECT_EQ(frames.bodies[0].shape.size, Vec3(1, 2, 3));
  EXPECT_EQ(frames.bodies[0].pose[1].position, poses_of(layout, 50)[0].position);
  EXPECT_TRUE(frames.bodies[0].pose[2].orientation.isApprox(poses_of(layout, 100)[0].orientation));
  EXPECT_EQ(frames.bodies[1].shape.kind, Solid::Kind::none);
}

/// The volume inside a closed mesh, by the divergence theorem: faces must all look outwards.
double volume_of(const SolidMesh& mesh) {
  double sum = 0;
  for (const std::vector<int>& face : mesh.faces)
    for (size_t i = 1; i + 1 < face.size(); ++i) {
      const auto p = [&](size_t k) { return mesh.points[static_cast<size_t>(face[k])]; };
      sum += p(0).dot(p(i).cross(p(i + 1))) / 6;
    }
  return sum;
}

TEST(SolidMesh, EnclosesAlmostTheSolid) {
  const double pi = 3.14159265358979;
  EXPECT_NEAR(volume_of(mesh_of({Solid::Kind::box, {1, 2, 3}}, 0)), 6, 1e-12);
  const double cylinder = volume_of(mesh_of({Solid::Kind::cylinder, {0.5, 4, 0}}, 0));
  EXPECT_NEAR(cylinder, 4 * 12 * 0.25 * std::sin(pi / 12), 1e-9);  // a prism over 24 sides
  const double sphere = volume_of(mesh_of({Solid::Kind::sphere, {2, 0, 0}}, 0));
  EXPECT_LT(sphere, 4 * pi / 3 * 8);
  EXPECT_GT(sphere, 0.95 * 4 * pi / 3 * 8);
  const SolidMesh plate = mesh_of({Solid::Kind::plate, {2, 3, 0}}, 0);
  EXPECT_EQ(plate.points.size(), 4U);
  EXPECT_EQ(plate.points[2], Vec3(1, 1.5, 0));
  const SolidMesh cross = mesh_of({}, 0.25);
  EXPECT_TRUE(cross.faces.empty());
  EXPECT_EQ(cross.lines.size(), 3U);
  EXPECT_EQ(cross.points[5], Vec3(0, 0, 0.25));
}

TEST(ShapeFile, ReadsMeshesBack) {
  const TemporaryFolder folder;
  ResultLayout layout = layout_of({3});
  layout.bodies[0].shape = touching::sphere_mesh(0.5, 4);  // more than fits in old attributes
  {
    Hdf5Sink sink(folder.path(), layout);
    write(sink, layout, 0, 3);
  }
  const Solid read = read_shape_frames(folder / "results.h5", 2).bodies[0].shape;
  EXPECT_EQ(read.kind, Solid::Kind::mesh);
  EXPECT_EQ(read.size, layout.bodies[0].shape.size);
  ASSERT_TRUE(read.mesh);
  EXPECT_EQ(read.mesh->corners, layout.bodies[0].shape.mesh->corners);
  EXPECT_EQ(read.mesh->faces, layout.bodies[0].shape.mesh->faces);
  EXPECT_NEAR(volume_of(mesh_of(read, 0)), read.volume(), 1e-12);
}

TEST(Hdf5Sink, TakesFramesLargerThanAChunk) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({30000});  // stored blocks end at 65,535 bytes
  {
    Hdf5Sink sink(folder.path(), layout);
    write(sink, layout, 0, 3);
  }
  const Dataset tension = ResultsReader(folder / "results.h5").read("shapes/cable 0/velocity");
  ASSERT_EQ(tension.shape, (std::vector<hsize_t>{3, 30000, 3}));
  const std::vector<Shape> last = shapes_of(layout, 2);
  for (size_t k = 0; k < 90000; ++k)
    ASSERT_EQ(tension.values[180000 + k], static_cast<float>(last[0].velocity[k]));
}

TEST(Hdf5Sink, CompressesWhatIsConstant) {
  const TemporaryFolder folder;
  ResultLayout layout = layout_of({});
  layout.metadata.clear();
  {
    Hdf5Sink sink(folder.path(), layout);
    for (long i = 0; i < 100000; ++i) sink.row(1, std::vector<double>{2, 3, 4});
  }
  EXPECT_LT(fs::file_size(folder / "results.h5"), 100000U);  // of 3,200,000
}

TEST(Hdf5Sink, WritesLongBeforeTheEndAndIsReadableThen) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({500});
  Hdf5Sink sink(folder.path(), layout);
  write(sink, layout, 0, 1000);
  const ResultsReader file(folder / "results.h5");
  const hsize_t frames = file.read("shapes/time").shape[0];
  EXPECT_GT(frames, 500U);
  for (const auto& [name, set] : file.all()) {
    if (!name.starts_with("shapes/") || name.ends_with("/s")) continue;
    EXPECT_EQ(set.shape[0], frames) << name;
  }
}

TEST(Hdf5Sink, GoesOnAsIfNeverStopped) {
  const ResultLayout layout = layout_of({5, 200});
  const long last = 1100;
  const TemporaryFolder whole;
  {
    Hdf5Sink sink(whole.path(), layout);
    write(sink, layout, 0, last);
  }
  const auto expected = ResultsReader(whole / "results.h5").all();
  for (const long kept : {0L, 1L, 512L, 700L, 1024L}) {
    const TemporaryFolder parted;
    {
      Hdf5Sink sink(parted.path(), layout);
      write(sink, layout, 0, kept);
      sink.flush();
      write(sink, layout, kept, kept + 60);
    }
    {
      Hdf5Sink sink(parted.path(), layout, SinkPosition{kept, kept});
      EXPECT_EQ(ResultsReader(parted / "results.h5").read("time").shape[0],
                static_cast<hsize_t>(kept));
      write(sink, layout, kept, last);
    }
    EXPECT_TRUE(ResultsReader(parted / "results.h5").all() == expected) << kept;
    EXPECT_FALSE(fs::exists(parted / "results.h5.new"));
  }
}

TEST(Hdf5Sink, RefusesFilesThatAreNotTheRuns) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({5});
  {
    Hdf5Sink sink(folder.path(), layout);
    write(sink, layout, 0, 10);
  }
  expect_contains(error_of([&] {
                    Hdf5Sink(folder.path(), layout, SinkPosition{11, 10});
                  }),
                  "found 10 rows; expected the 11 rows");
  {  // a field with fewer points than the cable has
    const hid_t file = H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t extent[2] = {10, 4};
    const hid_t space = H5Screate_simple(2, extent, nullptr);
    EXPECT_GE(H5Ldelete(file, "shapes/cable 0/tension", H5P_DEFAULT), 0);
    const hid_t set = H5Dcreate2(file, "shapes/cable 0/tension", H5T_NATIVE_FLOAT, space,
                                 H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(set, 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
  }
  expect_contains(error_of([&] {
                    Hdf5Sink(folder.path(), layout, SinkPosition{5, 5});
                  }),
                  "the wrong shape");
  EXPECT_EQ(ResultsReader(folder / "results.h5").read("time").shape[0], 10U) << "left as it was";
  std::ofstream(folder / "results.h5") << "no HDF5";
  expect_contains(error_of([&] {
                    Hdf5Sink(folder.path(), layout, SinkPosition{5, 5});
                  }),
                  "results.h5");
}

TEST(Hdf5Sink, IsNotStoppedByAReader) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({5});
  Hdf5Sink sink(folder.path(), layout);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t reader = fork();
  if (reader == 0) {  // opens the file as any reader does, with HDF5's lock, and keeps it open
    const char opened = H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT) >= 0;
    if (::write(ends[1], &opened, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char opened = 0;
  EXPECT_EQ(read(ends[0], &opened, 1), 1);
  EXPECT_EQ(opened, 1);
  write(sink, layout, 0, 10);
  EXPECT_NO_THROW(sink.flush());
  close(ends[0]), close(ends[1]);
  kill(reader, SIGKILL);
  waitpid(reader, nullptr, 0);
  EXPECT_EQ(ResultsReader(folder / "results.h5").read("time").shape[0], 10U);
}

TEST(Hdf5Sink, SaysWhereAndWhyItCannotWrite) {
  const ResultLayout layout = layout_of({});
  const std::string text = error_of([&] { Hdf5Sink("/nowhere/at/all", layout); });
  expect_contains(text, "/nowhere/at/all/results.h5");
  expect_contains(text, "No such file or directory");
}

TEST(Hdf5Sink, IsConsistentWhenTheDiskIsFull) {
  for (const rlim_t most : {150000, 300000, 1000000}) {
    const TemporaryFolder folder;
    const ResultLayout layout = layout_of({50});
    const std::string text = said_on_full_disk(most, [&] {
      Hdf5Sink sink(folder.path(), layout);
      for (long i = 0; i < 1000; i += 20) write(sink, layout, i, i + 20), sink.flush();
    });
    expect_contains(text, "results.h5: found File too large");
    const ResultsReader file(folder / "results.h5");
    const hsize_t rows = file.read("time").shape[0], frames = file.read("shapes/time").shape[0];
    EXPECT_EQ(rows > 0, most > 150000);
    EXPECT_EQ(rows, frames);
    for (const Column& c : layout.columns)
      EXPECT_EQ(file.read("channels/" + c.name).shape[0], rows) << c.name;
    for (const char* field : {"position", "velocity", "tension", "strain", "curvature"})
      EXPECT_EQ(file.read(std::string("shapes/cable 0/") + field).shape[0], frames) << field;
    if (rows == 0) continue;
    EXPECT_EQ(file.read("time").values.back(), time_of(static_cast<long>(rows) - 1));
  }
}

TEST(Hdf5Sink, KeepsNoRoomThatItDoesNotNeed) {
  const TemporaryFolder folder;
  const ResultLayout layout = layout_of({});
  Hdf5Sink sink(folder.path(), layout);
  const auto empty = fs::file_size(folder / "results.h5");
  write(sink, layout, 0, 1);
  sink.flush();
  EXPECT_LE(fs::file_size(folder / "results.h5"),
            empty + 2 * 4096);  // a page of headers, one of rows
}

// --- killed ---

/// Writes until it is killed; tells the parent how many rows and frames are flushed.
[[noreturn]] void write_until_killed(const std::string& folder, const ResultLayout& layout,
                                     int tell) {
  CsvSink csv(folder, layout);
  Hdf5Sink hdf5(folder, layout);
  VtkSink vtk(folder, layout);
  for (long i = 0;; i += 7) {
    for (Sink* sink :
         {static_cast<Sink*>(&csv), static_cast<Sink*>(&hdf5), static_cast<Sink*>(&vtk)}) {
      write(*sink, layout, i, i + 7);
      sink->flush();
    }
    const long flushed = i + 7;
    if (::write(tell, &flushed, sizeof flushed) < 0) _exit(1);
  }
}

/// Of an object header (HDF5 File Format Specification, IV.A.1.b) [bytes].
size_t header_size(const std::string& file, size_t at) {
  const auto flags = static_cast<unsigned char>(file.at(at + 5));
  const size_t start = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0),
               width = 1 << (flags & 3);
  size_t messages = 0;
  for (size_t i = width; i-- > 0;)
    messages = messages << 8 | static_cast<unsigned char>(file.at(at + start + i));
  constexpr size_t checksum = 4;
  return start + width + messages + checksum;
}

// A kill stops a write between two pages of memory: a header across both would be torn.
TEST(Sinks, WriteEveryHeaderIntoOnePage) {
  constexpr size_t page = 4096;
  const ResultLayout layout = layout_of({5, 20});
  const TemporaryFolder folder;
  {
    Hdf5Sink hdf5(folder.path(), layout);
    VtkSink vtk(folder.path(), layout);
    for (long i = 0; i < 700; i += 70) {
      write(hdf5, layout, i, i + 70);
      write(vtk, layout, i, i + 70);
      hdf5.flush();
      vtk.flush();
    }
  }
  for (const auto& [name, headers] :
       {std::pair("results.h5", 25), std::pair("results.vtkhdf", 12)}) {
    const std::string file = read_text(folder / name);
    int found = 0;
    for (size_t at = file.find("OHDR"); at != std::string::npos; at = file.find("OHDR", at + 1)) {
      ++found;
      EXPECT_EQ(at / page, (at + header_size(file, at) - 1) / page) << name << " at " << at;
    }
    EXPECT_GE(found, headers) << name;
  }
}

TEST(Sinks, KeepWhatWasFlushedWhenKilledAndGoOn) {
  const ResultLayout layout = layout_of({5, 20});
  for (int trial = 0; trial < 20; ++trial) {
    const TemporaryFolder folder, whole;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) write_until_killed(folder.path(), layout, ends[1]);
    close(ends[1]);
    long kept = 0, news = 0;
    ASSERT_EQ(read(ends[0], &kept, sizeof kept), static_cast<ssize_t>(sizeof kept));
    usleep(static_cast<useconds_t>(1000 + 3571 * trial % 25000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(ends[0], &news, sizeof news) == static_cast<ssize_t>(sizeof news)) kept = news;
    close(ends[0]);
    {
      const ResultsReader file(folder / "results.h5");
      ASSERT_TRUE(file.is_open());
      const Dataset time = file.read("time");
      ASSERT_GE(time.shape[0], static_cast<hsize_t>(kept));
      const Dataset column = file.read("channels/tether.tension@max");
      for (size_t i = 0; i < time.values.size(); ++i) {
        ASSERT_EQ(time.values[i], time_of(static_cast<long>(i)));
        ASSERT_EQ(column.values[i], row_of(static_cast<long>(i))[0]) << i << " of " << kept;
      }
      const ResultsReader film(folder / "results.vtkhdf");
      ASSERT_TRUE(film.is_open());
      const double frames = film.numbers("VTKHDF/Steps", "NSteps").at(0);
      ASSERT_GE(frames, static_cast<double>(kept));
      const Dataset times = film.read("VTKHDF/Steps/Values");
      ASSERT_GE(static_cast<double>(times.shape[0]), frames);
      for (size_t i = 0; static_cast<double>(i) < frames; ++i)
        ASSERT_EQ(times.values[i], time_of(static_cast<long>(i)));
    }
    for (const bool after : {false, true}) {
      const std::string& to = after ? folder.path() : whole.path();
      const auto from = after ? std::optional(SinkPosition{kept, kept}) : std::nullopt;
      CsvSink csv(to, layout, from);
      Hdf5Sink hdf5(to, layout, from);
      VtkSink vtk(to, layout, from);
      for (Sink* sink :
           {static_cast<Sink*>(&csv), static_cast<Sink*>(&hdf5), static_cast<Sink*>(&vtk)})
        write(*sink, layout, after ? kept : 0, kept + 20);
    }
    EXPECT_EQ(read_text(folder / "channels.csv"), read_text(whole / "channels.csv"));
    for (const char* name : {"results.h5", "results.vtkhdf"})
      EXPECT_TRUE(ResultsReader(folder / name).all() == ResultsReader(whole / name).all()) << name;
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
