#include "record/h5.h"

#include "hawser/error.h"

namespace hawser::h5 {
namespace {

/// To read what may be half written, each after twice the wait: 2 s in all. HDF5's own 100 would
/// never end.
constexpr unsigned attempts = 31;

herr_t note(unsigned /*number*/, const H5E_error2_t* error, void* text) {
  if (error->desc && *error->desc) *static_cast<std::string*>(text) = error->desc;
  return 1;  // the innermost cause is enough
}

/// Access to files: the newest format, without locks. With locks a reader who looks at the results
/// could stop the run.
Handle access(const std::string& path) {
  Handle out(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path);
  check(H5Pset_libver_bounds(out, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), path);
  check(H5Pset_file_locking(out, false, true), path);
  return out;
}

}  // namespace

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

template <class T>
T check(T result, const std::string& path) {
  if (result >= 0) return result;
  std::string cause = "an HDF5 error";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note, &cause);
  throw Error(path, cause, "an HDF5 file that can be read and written",
              "Check that the folder exists, is writable and has free space.");
}
template int check(int, const std::string&);
template hid_t check(hid_t, const std::string&);

void Handle::close(const std::string& path) {
  const hid_t id = id_;
  id_ = -1;
  check(close_(id), path);
}

Handle create_file(const std::string& path) {
  const Handle space(H5Pcreate(H5P_FILE_CREATE), H5Pclose, path);
  check(H5Pset_file_space_strategy(space, H5F_FSPACE_STRATEGY_PAGE, false, 1), path);
  check(H5Pset_file_space_page_size(space, page), path);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, space, access(path)), H5Fclose, path};
}

Handle open_to_append(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access(path)), H5Fclose, path};
}

Handle open_to_read(const std::string& path) {
  const Handle how = access(path);
  check(H5Pset_metadata_read_attempts(how, attempts), path);
  const hid_t plain = H5Fopen(path.c_str(), H5F_ACC_RDONLY, how);
  if (plain >= 0) return {plain, H5Fclose, path};
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, how), H5Fclose, path};
}

void write_attribute(hid_t object, const std::string& name, const std::string& text,
                     const std::string& path) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, path);
  check(H5Tset_size(type, H5T_VARIABLE), path);
  check(H5Tset_cset(type, H5T_CSET_UTF8), path);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, path);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, path);
  const char* const start = text.c_str();
  check(H5Awrite(attribute, type, &start), path);
}

void write_attribute(hid_t object, const std::string& name, std::span<const double> numbers,
                     const std::string& path) {
  const hsize_t size = numbers.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, path);
  const Handle attribute(
      H5Acreate2(object, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, path);
  check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers.data()), path);
}

void write_fixed_attribute(hid_t object, const std::string& name, const std::string& text,
                           const std::string& path) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, path);
  check(H5Tset_size(type, text.size()), path);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), path);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, path);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, path);
  check(H5Awrite(attribute, type, text.data()), path);
}

static void write_integers(hid_t object, const std::string& name, hid_t space,
                           const int64_t* numbers, const std::string& path) {
  const Handle attribute(
      H5Acreate2(object, name.c_str(), H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      path);
  check(H5Awrite(attribute, H5T_NATIVE_INT64, numbers), path);
}

void write_attribute(hid_t object, const std::string& name, int64_t number,
                     const std::string& path) {
  write_integers(object, name, Handle(H5Screate(H5S_SCALAR), H5Sclose, path), &number, path);
}

void write_attribute(hid_t object, const std::string& name, std::span<const int64_t> numbers,
                     const std::string& path) {
  const hsize_t size = numbers.size();
  write_integers(object, name, Handle(H5Screate_simple(1, &size, nullptr), H5Sclose, path),
                 numbers.data(), path);
}

void change_attribute(hid_t file, const std::string& object, const std::string& name,
                      int64_t number, const std::string& path) {
  const Handle group(H5Gopen2(file, object.c_str(), H5P_DEFAULT), H5Gclose, path);
  const Handle attribute(H5Aopen(group, name.c_str(), H5P_DEFAULT), H5Aclose, path);
  check(H5Awrite(attribute, H5T_NATIVE_INT64, &number), path);
}

std::string read_text_attribute(hid_t object, const std::string& name, const std::string& path) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, path);
  const Handle type(H5Aget_type(attribute), H5Tclose, path);
  char* text = nullptr;  // HDF5 allocates texts of any length
  if (check(H5Tis_variable_str(type), path) == 0) return {};
  check(H5Aread(attribute, type, &text), path);
  const std::string out = text ? text : "";
  H5free_memory(text);
  return out;
}

std::vector<double> read_numbers_attribute(hid_t object, const std::string& name,
                                           const std::string& path) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, path);
  const Handle space(H5Aget_space(attribute), H5Sclose, path);
  std::vector<double> out(static_cast<size_t>(H5Sget_simple_extent_npoints(space)));
  check(H5Aread(attribute, H5T_NATIVE_DOUBLE, out.data()), path);
  return out;
}

Handle create_ordered_group(hid_t file, const std::string& name, const std::string& path) {
  const Handle order(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, path);
  check(H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), path);
  return {H5Gcreate2(file, name.c_str(), H5P_DEFAULT, order, H5P_DEFAULT), H5Gclose, path};
}

std::vector<std::string> names_in(hid_t file, const char* group_name, const std::string& path) {
  const Handle group(H5Gopen2(file, group_name, H5P_DEFAULT), H5Gclose, path);
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  hsize_t at = 0;
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, add, &names), path);
  return names;
}

std::vector<hsize_t> extent_of(hid_t dataset, const std::string& path) {
  const Handle space(H5Dget_space(dataset), H5Sclose, path);
  std::vector<hsize_t> extent(static_cast<size_t>(check(H5Sget_simple_extent_ndims(space), path)));
  check(H5Sget_simple_extent_dims(space, extent.data(), nullptr), path);
  return extent;
}

template <class Number>
static std::vector<Number> read_dataset(hid_t file, const std::string& name, hid_t type,
                                        std::vector<hsize_t>& extent, const std::string& path) {
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, path);
  extent = extent_of(dataset, path);
  size_t count = 1;
  for (const hsize_t n : extent) count *= n;
  std::vector<Number> out(count);
  if (count > 0) check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), path);
  return out;
}

std::vector<double> read_doubles(hid_t file, const std::string& name, const std::string& path) {
  std::vector<hsize_t> extent;
  return read_dataset<double>(file, name, H5T_NATIVE_DOUBLE, extent, path);
}

std::vector<float> read_floats(hid_t file, const std::string& name, std::vector<hsize_t>& extent,
                               const std::string& path) {
  return read_dataset<float>(file, name, H5T_NATIVE_FLOAT, extent, path);
}

}  // namespace hawser::h5
