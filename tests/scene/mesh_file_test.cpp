// Surfaces read from STL and OBJ files, and scenes that use them.
#include "scene/mesh_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "contact/meshes.h"
#include "hawser/error.h"
#include "scene/read.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace touching;

std::string ascii_stl(const Facets& facets) {
  std::string out = "solid box\n";
  for (const auto& f : facets.polygons) {
    out += "  facet normal 0 0 0\n    outer loop\n";
    for (const int i : f) {
      const Vec3& p = facets.points[static_cast<size_t>(i)];
      out += fmt::format("      vertex {:e} {} {}\n", p.x(), p.y(), p.z());
    }
    out += "    endloop\n  endfacet\n";
  }
  return out + "endsolid box\n";
}

std::string binary_stl(const Facets& facets) {
  std::string out = "solid by name, but binary";  // as some programs write
  out.resize(80, ' ');
  const auto put = [&](const auto& value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  put(static_cast<uint32_t>(facets.polygons.size()));
  for (const auto& f : facets.polygons) {
    for (int k = 0; k < 3; ++k) put(0.0F);
    for (const int i : f)
      for (int k = 0; k < 3; ++k) put(static_cast<float>(facets.points[static_cast<size_t>(i)][k]));
    put(uint16_t{0});
  }
  return out;
}

std::string obj(const Facets& facets) {
  std::string out = "# a box\nmtllib none.mtl\no box\nvn 0 0 1\r\n";
  for (const Vec3& p : facets.points) out += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  bool back = false;
  const auto n = static_cast<int>(facets.points.size());
  for (const auto& f : facets.polygons) {
    out += "f";
    for (const int i : f) out += back ? fmt::format(" {}", i - n) : fmt::format(" {}/1/1", i + 1);
    out += "\n";
    back = !back;
  }
  return out;
}

const Facets box = box_facets({1, 2, 0.5});

TEST(MeshFile, FormatsGiveTheSameSolid) {
  const Polyhedron expected = joined_facets(box, "box");
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"a.stl", ascii_stl(box)},
                                   {"a.STL", binary_stl(box)},
                                   {"a.obj", obj(box)}}) {
    const Polyhedron read = joined_facets(read_facets(text, name), name);
    EXPECT_EQ(read.faces.size(), 6U) << name;
    EXPECT_EQ(read.corners.size(), 8U) << name;
    EXPECT_NEAR(moments_of(read).volume, moments_of(expected).volume, 1e-15) << name;
    EXPECT_LT((moments_of(read).second - moments_of(expected).second).norm(), 1e-15) << name;
  }
}

std::string refusal(const std::string& bytes, const std::string& name) {
  try {
    read_facets(bytes, name);
    return "none";
  } catch (const Error& error) {
    return error.what();
  }
}

#define EXPECT_REFUSED(bytes, name, text) \
  EXPECT_NE(refusal(bytes, name).find(text), std::string::npos) << refusal(bytes, name)

TEST(MeshFile, SaysWhatCannotBeRead) {
  const std::string binary = binary_stl(box), ascii = ascii_stl(box);
  std::string cut = binary.substr(0, binary.size() - 10);
  cut[0] = 'S';
  EXPECT_REFUSED(cut, "a.stl", "674 bytes for 12 facets");
  EXPECT_REFUSED("", "a.stl", "0 bytes");
  EXPECT_REFUSED(ascii.substr(0, ascii.size() - 40), "a.stl", "within a facet");
  EXPECT_REFUSED("solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2\n", "a.stl",
                 "line 4: 'vertex 1 2'");
  EXPECT_REFUSED("solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2 x\n", "a.stl",
                 "three coordinates");
  EXPECT_REFUSED("solid\nfacet\nvertex 1 2 3\nendfacet\n", "a.stl", "three vertices");
  EXPECT_REFUSED("solid\nvertex 1 2 3\n", "a.stl", "`facet` before");
  EXPECT_REFUSED("solid\nfacet\nfacet\n", "a.stl", "before the next");
  EXPECT_REFUSED("solid\nfacets\n", "a.stl", "line 2: 'facets'");
  EXPECT_REFUSED("v 0 0 0\nf 1 2 3\n", "a.obj", "points from 1 to 1");
  EXPECT_REFUSED("v 0 0 0\nf 1 a 3\n", "a.obj", "line 2: 'f 1 a 3'");
  EXPECT_REFUSED("v 0 0\n", "a.obj", "three coordinates");
  EXPECT_REFUSED(ascii, "a.ply", ".stl or .obj");
  EXPECT_REFUSED(ascii, "stl", ".stl or .obj");
}

SceneFile scene_with(const std::string& shape, const std::string& file) {
  const FileLoader load = [&](const std::string& path) -> Loaded {
    if (path == "parts/box.stl") return {true, file, {}};
    return {false, {}, "the file does not exist or cannot be read"};
  };
  return read_scene_with(
      "bodies:\n  block: {density: 1000 kg/m^3, position: [0, 0, 1 m], shape: " + shape + "}\n",
      "s.yaml", {}, load, {});
}

TEST(MeshFile, ShapesABody) {
  const SceneFile file = scene_with("{mesh: {file: parts/box.stl, scale: 10 cm}}", ascii_stl(box));
  const Body& body = file.scene.bodies[0];
  EXPECT_EQ(body.shape.kind, Solid::Kind::mesh);
  EXPECT_NEAR(body.mass, 1, 1e-14);
  EXPECT_LT((body.inertia - Solid{Solid::Kind::box, {0.1, 0.2, 0.05}}.inertia(1)).norm(), 1e-15);
  // The resolved scene holds the surface, so results need no other file, and give the same bits.
  const SceneFile again = read_scene_with(file.resolved, "s.yaml", {}, {}, {});
  EXPECT_EQ(again.scene.bodies[0].shape.mesh->corners, body.shape.mesh->corners);
  EXPECT_EQ(again.scene.bodies[0].shape.mesh->faces, body.shape.mesh->faces);
  EXPECT_EQ(again.scene.bodies[0].mass, body.mass);
  EXPECT_EQ(again.resolved, file.resolved);
}

TEST(MeshFile, ProblemsNameTheFile) {
  const auto problem = [](const std::string& shape, const std::string& file) -> std::string {
    try {
      scene_with(shape, file);
      return "none";
    } catch (const SceneError& error) {
      return error.what();
    }
  };
  Facets open = box;
  open.polygons.pop_back();
  const std::string said = problem("{mesh: {file: parts/box.stl}}", ascii_stl(open));
  EXPECT_NE(said.find("the file 'parts/box.stl': facet 1 alone at the edge"), std::string::npos)
      << said;
  EXPECT_NE(problem("{mesh: {file: box.stl}}", "").find("'box.stl': the file does not exist"),
            std::string::npos)
      << problem("{mesh: {file: box.stl}}", "");
  EXPECT_NE(problem("{mesh: {file: parts/box.stl}}", "nothing").find("an STL file"),
            std::string::npos);
  EXPECT_NE(problem("{mesh: {scale: 1 mm}}", "").find("no `file`"), std::string::npos);
  EXPECT_NE(
      problem("{mesh: {file: parts/box.stl}, sphere: 1 m}", ascii_stl(box)).find("2 shapes in one"),
      std::string::npos);
  EXPECT_NE(problem("{mesh: {file: [1, 2]}}", "").find("an STL or OBJ file"), std::string::npos);
  EXPECT_NE(
      problem("{mesh: {file: {points: [[0, 0, 0]], faces: [[0, 1, 2]]}}}", "").find("1 facets"),
      std::string::npos);
  EXPECT_NE(problem("{mesh: {file: {points: [[0, 0]], faces: [[0, 1, 2]]}}}", "")
                .find("three components"),
            std::string::npos);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
