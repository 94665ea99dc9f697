// Nets: rows and columns of cables on a bilinear patch between four corners, knotted where they
// cross.
#include <fmt/format.h>

#include "hawser/error.h"
#include "model/frames.h"
#include "model/route.h"
#include "scene/cables.h"

namespace hawser {
namespace {

/// A point of the patch: u along the first side, from corner 0 to 1; v along the second, 1 to 2.
Vec3 patch(const std::array<Vec3, 4>& corners, double u, double v) {
  return (1 - u) * (1 - v) * corners[0] + u * (1 - v) * corners[1] + u * v * corners[2] +
         (1 - u) * v * corners[3];
}

std::string row_name(const std::string& net, int row) { return fmt::format("{}-row-{}", net, row); }
std::string column_name(const std::string& net, int column) {
  return fmt::format("{}-column-{}", net, column);
}

}  // namespace

long net_elements(const NetText& net) {
  const auto [along, across] = *net.meshes;
  return static_cast<long>(*net.elements) *
         (static_cast<long>(along) * (across + 1) + static_cast<long>(across) * (along + 1));
}

std::vector<std::string> thread_names(const std::string& net, const NetText& text) {
  const auto [along, across] = *text.meshes;
  std::vector<std::string> names;
  for (int j = 0; j <= across; ++j) names.push_back(row_name(net, j));
  for (int i = 0; i <= along; ++i) names.push_back(column_name(net, i));
  return names;
}

void CableBuilder::add_thread(Cable thread, const Named<NetText>::Entry& net, Stop from, Stop to) {
  thread.route = {std::move(from), std::move(to)};
  validate_route(out_.scene, thread);  // throws when the corners leave no room for it
  const std::vector<Vec3> ends = route_points(out_.scene, thread);
  if (*net.value.slack > 0) thread.length = (1 + *net.value.slack) * (ends[1] - ends[0]).norm();
  c_.places["cables." + thread.name] = net.at;  // where later errors about it belong
  out_.scene.cables.push_back(std::move(thread));
}

void CableBuilder::add_net(const Named<NetText>::Entry& entry) {
  const NetText& t = entry.value;
  const std::string path = "nets." + entry.name;
  const size_t before = c_.problems.count();
  if (*t.model == CableModel::ancf && (*t.lumped_mass || *t.tension_only))
    c_.problems.add(
        *t.lumped_mass ? t.lumped_mass.at : t.tension_only.at, path,
        fmt::format("`{}` with the model ancf", *t.lumped_mass ? "lumped_mass" : "tension_only"),
        "`model: np-fem`, which supports it");
  std::array<Vec3, 4> corners;
  for (size_t k = 0; k < 4; ++k) {
    const Stop& stop = (*t.corners)[k];
    const std::string at = fmt::format("{}.corners[{}]", path, k);
    if (stop.kind == Stop::Kind::clamp || stop.kind == Stop::Kind::over)
      c_.problems.add(c_.places.at(at), at, "a corner with `clamp` or `over`",
                      fmt::format("only the name {}", stop.on));
    check_turned(c_, out_.scene, stop, false, {c_.places.at(at), at});
    corners[k] = frame_start(out_.scene, find_stop(out_.scene, stop, path));
  }
  if (c_.problems.count() > before) return;

  const auto [along, across] = *t.meshes;
  const int elements = *t.elements;
  Cable thread;
  thread.model = *t.model;
  thread.sections = {section(*t.section, *t.model)};
  thread.initial = Initial::straight;  // each hanging by itself they would not meet at the knots
  thread.lumped_mass = *t.lumped_mass;
  thread.tension_only = *t.tension_only;
  warn_of_twist(fmt::format("net '{}'", entry.name), *t.section, thread.model);
  // A thread ends at a corner as the net does, or at a free point of a side.
  const auto end = [&](double u, double v, size_t corner, bool at_corner) {
    return at_corner ? (*t.corners)[corner] : Stop(patch(corners, u, v));
  };
  try {
    for (int j = 0; j <= across; ++j) {
      const double v = static_cast<double>(j) / across;
      thread.name = row_name(entry.name, j);
      thread.elements = along * elements;
      const bool side = j == 0 || j == across;
      add_thread(thread, entry, end(0, v, j == 0 ? 0 : 3, side), end(1, v, j == 0 ? 1 : 2, side));
    }
    for (int i = 0; i <= along; ++i) {
      const double u = static_cast<double>(i) / along;
      thread.name = column_name(entry.name, i);
      thread.elements = across * elements;
      add_thread(thread, entry, patch(corners, u, 0), patch(corners, u, 1));
    }
  } catch (const Error&) {
    c_.problems.add(t.corners.at, path + ".corners", fmt::format("no room for {}", thread.name),
                    "four distinct corners, in order around the net",
                    "The threads of a net are straight between opposite sides.");
    return;
  }
  knot_net(entry);
}

void CableBuilder::knot_net(const Named<NetText>::Entry& entry) {
  const auto [along, across] = *entry.value.meshes;
  for (int j = 0; j <= across; ++j)
    for (int i = 0; i <= along; ++i)
      out_.scene.junctions.push_back(
          {Place::fraction(row_name(entry.name, j), static_cast<double>(i) / along),
           Place::fraction(column_name(entry.name, i), static_cast<double>(j) / across)});
}

}  // namespace hawser
