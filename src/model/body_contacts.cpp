// Contacts of bodies as compiled. The stiffness of all touching points of a pair together is the
// larger of
//
//     W/(L/10000)          the weight W of all bodies of the contact rests on it
//     400 m v^2/L^2        the mass m hits it with the speed v: depth L/20
//
// L is the distance from the surface to the middle of the thinner shape.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/body_contact.h"
#include "contact/shape_pose.h"
#include "hawser/error.h"
#include "model/contacts.h"
#include "model/state_table.h"

namespace hawser {
namespace {

/// Calls with the names of all pairs that may touch: one of them is a body.
template <class Call>
void for_solid_pairs(const Scene& scene, const Call& call) {
  for (const Contact& contact : scene.contacts) {
    if (!contact.cables.empty()) continue;
    for (size_t i = 0; i < contact.shapes.size(); ++i)
      for (size_t j = i + 1; j < contact.shapes.size(); ++j)
        if (body_of(scene, contact.shapes[i]) >= 0 || body_of(scene, contact.shapes[j]) >= 0)
          call(contact, contact.shapes[i], contact.shapes[j]);
  }
}

double thickness_of(const SolidShape& a, const SolidShape& b) {
  return std::min(a.convex.surface.half_thickness(), b.convex.surface.half_thickness());
}

double mass_of(const ModelData& model, const TouchedShape& shape) {
  return shape.node >= 0 ? model.mechanism.bodies[shape.body].mass : HUGE_VAL;
}

/// A in the axes of B at the start.
RelativePose start_pose_of(const ModelData& model, const SolidShape& a, const SolidShape& b) {
  const State start = start_pose(model);
  const Configuration at(start.now(), start.q.data(), start.v.data(), start.orientation.data());
  const ShapePose first(a.placed, at, at.q, at.v), second(b.placed, at, at.q, at.v);
  return {second.axes.transpose() * first.axes, second.place(first.centre)};
}

void require_apart(const Contact& contact, const SolidShape& a, const SolidShape& b,
                   const RelativePose& at) {
  const Manifold found = manifold(a.convex, b.convex, at, {});
  double depth = 0;
  for (int i = 0; i < found.count; ++i)
    depth = std::max(depth, found.points[static_cast<size_t>(i)].depth);
  if (!(depth > 0.02 * thickness_of(a, b))) return;
  throw Error(ErrorObject("contact", contact.name),
              fmt::format("'{}' and '{}' overlap by {:.3g} m at the start", a.placed.name,
                          b.placed.name, depth),
              "shapes that start apart from each other",
              "Move one of them, or leave the pair out of `between`.");
}

/// Throws where a step would take too long, or faces have more corners than there is room for.
void require_simple(const Contact& contact, const SolidShape& a, const SolidShape& b) {
  constexpr size_t most_axes = 100'000, most_corners = 48;
  const ErrorObject who("contact", contact.name);
  const char* const remedy = "Simplify the mesh: contact with cables takes any.";
  for (const SolidShape* shape : {&a, &b})
    for (const auto& face : shape->convex.faces)
      if (face.corners.size() > most_corners)
        throw Error(
            who,
            fmt::format("'{}' with a face of {} corners", shape->placed.name, face.corners.size()),
            fmt::format("bodies whose faces have at most {}", most_corners), remedy);
  const size_t axes = a.convex.directions.size() * b.convex.directions.size();
  if (axes > most_axes)
    throw Error(who,
                fmt::format("'{}' with {} directions of edges and '{}' with {}", a.placed.name,
                            a.convex.directions.size(), b.placed.name, b.convex.directions.size()),
                fmt::format("at most {} pairs of them", most_axes), remedy);
}

/// Of each of the points.
double chosen_stiffness(const ModelData& model, const Contact& contact, const SolidShape& a,
                        const SolidShape& b, const SolidPair& pair, const RelativePose& at) {
  const double g = pull_of(model.scene), L = thickness_of(a, b);
  double weight = 0, square = 0;
  for (const std::string& name : contact.shapes)
    if (const int body = body_of(model.scene, name); body >= 0)
      weight += g * model.scene.bodies[static_cast<size_t>(body)].mass;
  for (const TouchedShape* shape : {&a.placed, &b.placed})
    if (shape->node >= 0) square += model.scene.bodies[shape->body].velocity.squaredNorm();
  const double plane = b.convex.surface.kind == Surface::Kind::plane ? at.centre.z() : HUGE_VAL;
  const double gap = std::min(plane, at.centre.norm() - b.convex.reach) - a.convex.reach;
  square = 2 * square + 2 * g * std::max(0.0, plane < HUGE_VAL ? plane - a.convex.reach : gap);
  const double all = std::max({weight / (1e-4 * L), 400 * pair.mass * square / (L * L),
                               pair.mass});  // with nothing to go by
  return all / a.convex.feet();
}

}  // namespace

void couple_bodies(ModelData& model) {
  for_solid_pairs(model.scene, [&](const Contact&, const std::string& a, const std::string& b) {
    const int first = body_of(model.scene, a), second = body_of(model.scene, b);
    if (first < 0 || second < 0) return;
    const int i = model.mechanism.bodies[static_cast<size_t>(first)].node,
              j = model.mechanism.bodies[static_cast<size_t>(second)].node;
    model.structure.pairs.emplace_back(std::min(i, j), std::max(i, j));
  });
}

void add_body_contacts(ModelData& model) {
  TouchingSolids out;
  const auto shape = [&](const std::string& name) {
    const auto is = [&](const SolidShape& s) { return s.placed.name == name; };
    const auto at = std::find_if(out.shapes.begin(), out.shapes.end(), is);
    if (at != out.shapes.end()) return static_cast<int>(at - out.shapes.begin());
    const TouchedShape placed = touched_shape(model, name);
    out.shapes.push_back({placed, ConvexShape(placed.surface)});
    return static_cast<int>(out.shapes.size()) - 1;
  };
  const auto& pairs = model.structure.pairs;
  for_solid_pairs(
      model.scene, [&](const Contact& contact, const std::string& one, const std::string& two) {
        SolidPair pair;
        pair.contact = number_of(model, contact);
        pair.a = shape(one);
        pair.b = shape(two);
        const auto solid = [&](int i) -> const SolidShape& {
          return out.shapes[static_cast<size_t>(i)];
        };
        if (roundness(solid(pair.a).convex.surface) > roundness(solid(pair.b).convex.surface))
          std::swap(pair.a, pair.b);
        const SolidShape &a = solid(pair.a), &b = solid(pair.b);
        const RelativePose at = start_pose_of(model, a, b);
        require_simple(contact, a, b);
        require_apart(contact, a, b, at);
        const double m = mass_of(model, a.placed), n = mass_of(model, b.placed);
        pair.mass = 1 / (1 / m + 1 / n);
        pair.feet = a.convex.feet();
        const double k = chosen_stiffness(model, contact, a, b, pair, at);
        pair.law = law_of(contact, k, std::sqrt(pair.feet * k / pair.mass));
        if (a.placed.node >= 0 && b.placed.node >= 0) {
          const std::pair both(std::min(a.placed.node, b.placed.node),
                               std::max(a.placed.node, b.placed.node));
          pair.pair =
              static_cast<int>(std::lower_bound(pairs.begin(), pairs.end(), both) - pairs.begin());
        }
        out.pairs.push_back(pair);
      });
  if (out.pairs.empty()) return;
  const int first = std::max(model.contacts, Tally::size);
  auto term = std::make_shared<BodyContact>(std::move(out), first);
  model.contacts = first + term->remembered();
  model.terms.push_back(term);
  model.facts.combine(term->facts());
}

}  // namespace hawser
