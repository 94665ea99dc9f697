// The shape of a body as attributes of its group in results.h5.
#pragma once

#include "hawser/scene.h"
#include "record/h5.h"

namespace hawser {

/// `shape` (none, box, sphere, cylinder, plate, capsule, mesh), `size` (Solid::size), and of a mesh
/// `mesh_points` (x, y, z of each corner) and `mesh_faces` (of each face the number of its corners,
/// then these, counted from 0).
void write_solid(hid_t group, const Solid& solid, const std::string& path);
/// Throws Error where they are of another form.
Solid read_solid(hid_t group, const std::string& path);

/// Bytes that they take, about.
size_t solid_bytes(const Solid& solid);

}  // namespace hawser
