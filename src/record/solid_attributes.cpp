#include "record/solid_attributes.h"

#include "hawser/error.h"
#include "record/solid_mesh.h"

namespace hawser {
namespace {

/// Corners of each face, after their number.
std::vector<int64_t> flat_faces(const Polyhedron& mesh) {
  std::vector<int64_t> out;
  for (const std::vector<int>& face : mesh.faces) {
    out.push_back(static_cast<int64_t>(face.size()));
    out.insert(out.end(), face.begin(), face.end());
  }
  return out;
}

}  // namespace

void write_solid(hid_t group, const Solid& solid, const std::string& path) {
  h5::write_attribute(group, "shape", name_of(solid.kind), path);
  h5::write_attribute(group, "size", std::span(solid.size.data(), 3), path);
  if (!solid.mesh) return;
  const auto& corners = solid.mesh->corners;
  h5::write_attribute(group, "mesh_points", std::span(corners.front().data(), 3 * corners.size()),
                      path);
  h5::write_attribute(group, "mesh_faces", std::span<const int64_t>(flat_faces(*solid.mesh)), path);
}

Solid read_solid(hid_t group, const std::string& path) {
  const auto require = [&](bool good) {
    if (!good)
      throw Error(path, "a shape of the wrong form", "that of a body",
                  "Check that it is a results file of Hawser.");
  };
  Solid out;
  out.kind = solid_kind(h5::read_text_attribute(group, "shape", path));
  const std::vector<double> size = h5::read_numbers_attribute(group, "size", path);
  require(size.size() == 3);
  out.size = Vec3(size.data());
  if (out.kind != Solid::Kind::mesh) return out;
  Polyhedron mesh;
  const std::vector<double> points = h5::read_numbers_attribute(group, "mesh_points", path),
                            faces = h5::read_numbers_attribute(group, "mesh_faces", path);
  for (size_t i = 0; i + 2 < points.size(); i += 3) mesh.corners.emplace_back(points.data() + i);
  for (size_t i = 0; i < faces.size();) {
    const auto count = static_cast<size_t>(faces[i++]);
    require(count >= 3 && count <= faces.size() - i);
    auto& face = mesh.faces.emplace_back();
    for (size_t k = 0; k < count; ++k, ++i) {
      require(faces[i] >= 0 && faces[i] < static_cast<double>(mesh.corners.size()));
      face.push_back(static_cast<int>(faces[i]));
    }
  }
  out.mesh = std::make_shared<Polyhedron>(std::move(mesh));
  return out;
}

size_t solid_bytes(const Solid& solid) {
  if (!solid.mesh) return 0;
  return 8 * (3 * solid.mesh->corners.size() + flat_faces(*solid.mesh).size());
}

}  // namespace hawser
