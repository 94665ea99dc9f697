// Nets: rows and columns of cables on a bilinear patch between four corners, knotted where they
// cross.
#include <fmt/format.h>

#include "hawser/error.h"
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

void CableBuilder::add_thread(Cable thread, const Named<NetText>::Entry& net, const Vec3& from,
                              const Vec3& to) {
  thread.start = from;
  thread.end = to;
  if (*net.value.slack > 0) thread.length = (1 + *net.value.slack) * (to - from).norm();
  (void)span_elements(thread);                  // throws when the corners leave no room for it
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
    if (stop.kind == Stop::Kind::clamp || stop.kind == Stop::Kind::over)
      c_.problems.add(stop.at, fmt::format("{}.corners[{}]", path, k),
                      "a corner with `clamp` or `over`",
                      fmt::format("only the name {}", stop.name));
    corners[k] = stop.kind == Stop::Kind::point ? stop.point : anchors_.start(stop.name);
  }
  if (c_.problems.count() > before) return;

  const auto [along, across] = *t.meshes;
  const int elements = *t.elements;
  Cable thread;
  thread.model = *t.model;
  thread.section = section(*t.section, *t.model);
  thread.initial = Initial::straight;  // each hanging by itself they would not meet at the knots
  thread.lumped_mass = *t.lumped_mass;
  thread.tension_only = *t.tension_only;
  warn_of_twist(fmt::format("net '{}'", entry.name), *t.section, thread.model);
  try {
    for (int j = 0; j <= across; ++j) {
      const double v = static_cast<double>(j) / across;
      thread.name = row_name(entry.name, j);
      thread.elements = along * elements;
      add_thread(thread, entry, patch(corners, 0, v), patch(corners, 1, v));
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

/// A knot at every crossing; the corners are held.
void CableBuilder::knot_net(const Named<NetText>::Entry& entry) {
  const NetText& t = entry.value;
  const auto [along, across] = *t.meshes;
  const int elements = *t.elements;
  for (int j = 0; j <= across; ++j)
    for (int i = 0; i <= along; ++i)
      out_.scene.junctions.push_back(
          {{row_name(entry.name, j), i * elements}, {column_name(entry.name, i), j * elements}});
  const std::array<Place, 4> at{{{row_name(entry.name, 0), 0},
                                 {row_name(entry.name, 0), along * elements},
                                 {row_name(entry.name, across), along * elements},
                                 {row_name(entry.name, across), 0}}};
  for (size_t k = 0; k < 4; ++k)
    if ((*t.corners)[k].kind != Stop::Kind::point)
      anchors_.attach((*t.corners)[k], at[k], false);  // no direction is held
}

}  // namespace hawser
