// Results to write in tests: rows and shapes that follow from their number, and ways to read files.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>

#include "hawser/error.h"
#include "record/sink.h"
#include "temporary_folder.h"

namespace hawser {

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

/// What `work` says as its files reach a limit of so many bytes, which stands for a full disk.
template <class Work>
std::string said_on_full_disk(rlim_t most, const Work& work) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limited{most, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limited);
  std::string said;
  try {
    work();
  } catch (const WriteError& error) {
    said = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  return said;
}

inline ResultLayout layout_of(std::vector<size_t> points) {
  ResultLayout layout;
  layout.title = "A title with \xc3\xa9";
  layout.metadata["scene"] = std::string(100000, 's');  // attributes are often held to 64 kB
  layout.columns = {{"tether.tension@max", "N"}, {"tether.strain@0.5", ""}, {"a.first", "m"}};
  for (size_t i = 0; i < points.size(); ++i) {
    ResultLayout::Cable cable;
    cable.name = "cable " + std::to_string(i);
    for (size_t k = 0; k < points[i]; ++k) cable.s.push_back(0.25 * static_cast<double>(k));
    layout.cables.push_back(cable);
  }
  if (points.empty()) return layout;
  layout.bodies = {{"load", {Solid::Kind::box, {1, 2, 3}}}, {"mark", {}}};
  layout.extent = 50;
  return layout;
}

inline double time_of(long i) { return 0.001 * static_cast<double>(i); }

/// The numbers of row i: noise, a constant, a wave.
inline std::vector<double> row_of(long i) {
  const double x = static_cast<double>(i);
  return {std::sin(1e6 * x * x) / 3, -7.25, 1e-300 * std::cos(x)};
}

/// The shapes of frame i; a field is constant, the others vary in all digits.
inline std::vector<Shape> shapes_of(const ResultLayout& layout, long i) {
  std::vector<Shape> out;
  for (const ResultLayout::Cable& cable : layout.cables) {
    Shape shape;
    shape.s = cable.s;
    for (const double s : cable.s) {
      const double x = std::sin(17 * s + 0.1 * static_cast<double>(i));
      for (const double part : {x, x / 3, 5.0}) shape.position.push_back(part);
      for (int k = 0; k < 3; ++k) shape.velocity.push_back(1e3 * x * k);
      shape.tension.push_back(100 + x);
      shape.strain.push_back(1e-5 * x);
      shape.curvature.push_back(0);
    }
    out.push_back(shape);
  }
  return out;
}

/// The poses of frame i: a body that turns about z as it rises, one that keeps still.
inline std::vector<BodyPose> poses_of(const ResultLayout& layout, long i) {
  if (layout.bodies.empty()) return {};
  const double x = 0.01 * static_cast<double>(i);
  BodyPose turning;
  turning.position = {1, 2, x};
  turning.orientation = {std::cos(x / 2), 0, 0, std::sin(x / 2)};
  return {turning, BodyPose{}};
}

/// Writes rows and frames of the numbers [first, last).
inline void write(Sink& sink, const ResultLayout& layout, long first, long last) {
  for (long i = first; i < last; ++i) {
    sink.row(time_of(i), row_of(i));
    sink.frame(time_of(i), shapes_of(layout, i), poses_of(layout, i));
  }
}

/// A dataset as HDF5 itself reads it.
struct Dataset {
  std::vector<hsize_t> shape;
  std::vector<double> values;
  /// What is not a number equals what is not.
  bool operator==(const Dataset& other) const {
    return shape == other.shape && std::equal(values.begin(), values.end(), other.values.begin(),
                                              other.values.end(), [](double a, double b) {
                                                return a == b || (std::isnan(a) && std::isnan(b));
                                              });
  }
};

/// An HDF5 file with all its datasets, read by the library's own filters; as those who follow a
/// writer do where it died.
class ResultsReader {
 public:
  explicit ResultsReader(const std::string& path) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, false, true);
    H5E_BEGIN_TRY { file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access); }
    H5E_END_TRY
    if (file_ < 0) file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    H5Pclose(access);
  }
  ~ResultsReader() {
    if (file_ >= 0) H5Fclose(file_);
  }
  ResultsReader(const ResultsReader&) = delete;
  ResultsReader& operator=(const ResultsReader&) = delete;
  [[nodiscard]] bool is_open() const { return file_ >= 0; }

  [[nodiscard]] Dataset read(const std::string& name) const {
    Dataset out;
    const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    if (set < 0) {
      ADD_FAILURE() << "no dataset " << name;
      return out;
    }
    const hid_t space = H5Dget_space(set);
    out.shape.resize(static_cast<size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, out.shape.data(), nullptr);
    out.values.resize(static_cast<size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.values.data()), 0)
        << name;
    H5Sclose(space);
    H5Dclose(set);
    return out;
  }

  [[nodiscard]] std::string attribute(const std::string& object, const std::string& name) const {
    const hid_t at = H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    if (at < 0) return "none";
    const hid_t type = H5Aget_type(at);
    char* text = nullptr;
    H5Aread(at, type, &text);
    std::string out = text;
    H5free_memory(text);
    H5Tclose(type);
    H5Aclose(at);
    return out;
  }

  [[nodiscard]] std::vector<double> numbers(const std::string& object,
                                            const std::string& name) const {
    const hid_t at = H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    if (at < 0) return {};
    const hid_t space = H5Aget_space(at);
    std::vector<double> out(static_cast<size_t>(H5Sget_simple_extent_npoints(space)));
    H5Aread(at, H5T_NATIVE_DOUBLE, out.data());
    H5Sclose(space);
    H5Aclose(at);
    return out;
  }

  /// All of them, by name.
  [[nodiscard]] std::map<std::string, Dataset> all() const {
    std::vector<std::string> names;
    H5Ovisit(
        file_, H5_INDEX_NAME, H5_ITER_INC,
        [](hid_t, const char* name, const H5O_info_t* info, void* to) {
          if (info->type == H5O_TYPE_DATASET)
            static_cast<std::vector<std::string>*>(to)->emplace_back(name);
          return 0;
        },
        &names);
    std::map<std::string, Dataset> out;
    for (const std::string& name : names) out[name] = read(name);
    return out;
  }

 private:
  hid_t file_ = -1;
};

}  // namespace hawser
