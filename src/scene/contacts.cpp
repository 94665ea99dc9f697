#include "scene/contacts.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/supports.h"

namespace hawser {
namespace {

template <class Items>
bool has_name(const Items& items, const std::string& name) {
  return std::any_of(items.begin(), items.end(), [&](const auto& x) { return x.name == name; });
}

/// Every name goes to the cables or to what has a shape.
void sort_names(ReadContext& c, const Named<ContactText>::Entry& entry, const Scene& scene,
                Contact& out) {
  const std::string path = "contact." + entry.name + ".between";
  std::vector<std::string> known;
  for (const Cable& x : scene.cables) known.push_back(x.name);
  for (const Body& x : scene.bodies) known.push_back(x.name);
  for (const Support& x : scene.supports) known.push_back(x.name);
  if (scene.ground) known.emplace_back("ground");
  const size_t problems = c.problems.count();
  for (const Line& line : *entry.value.between) {
    if (has_name(scene.cables, line.text))
      out.cables.push_back(line.text);
    else if (std::count(known.begin(), known.end(), line.text) > 0)
      out.shapes.push_back(line.text);
    else
      c.problems.add(
          line.at, path, "unknown name " + in_quotes(line.text),
          line.text == "ground" ? "`ground: {}` in the scene" : "one of " + any_of(known),
          did_you_mean(line.text, known));
    check_fixed(c, scene, line.text, {line.at, path});
  }
  if (c.problems.count() > problems) return;
  const bool bodies = std::any_of(out.shapes.begin(), out.shapes.end(),
                                  [&](const auto& name) { return has_name(scene.bodies, name); });
  const bool alone = out.cables.size() + out.shapes.size() < 2;
  if ((out.cables.empty() && !bodies) || alone)
    c.problems.add(
        entry.value.between.at, path,
        out.cables.empty() && !bodies ? "no cable and no body"
        : out.cables.empty()          ? "nothing that the body may touch"
                                      : "nothing that the cable may touch",
        "cables and what they touch: bodies or supports with a shape, or `ground`; two or "
        "more cables, a cable that touches itself named twice; or bodies and what they "
        "touch");
}

}  // namespace

void add_support_shapes(ReadContext& c, const SceneText& text, Scene& scene) {
  for (size_t i = 0; i < text.supports.entries.size(); ++i) {
    const auto& entry = text.supports.entries[i];
    const std::string path = "supports." + entry.name;
    if (entry.value.shape.given) scene.supports[i].shape = read_shape(c, entry.value.shape, path);
    if (entry.value.orientation.given)
      scene.supports[i].orientation = read_orientation(c, entry.value.orientation, path);
  }
}

void add_contacts(ReadContext& c, const SceneText& text, Scene& scene) {
  for (const auto& entry : text.contact.entries) {
    const ContactText& t = entry.value;
    Contact contact;
    contact.name = entry.name;
    sort_names(c, entry, scene, contact);
    contact.friction = *t.friction;
    contact.kinetic_friction = t.kinetic_friction.value;
    contact.stiffness = t.stiffness.value.value_or(0);
    contact.damping_time = *t.damping_time;
    contact.restitution = t.restitution.value.value_or(0);
    if (contact.restitution > 0 && contact.damping_time != Contact{}.damping_time)
      c.problems.add(t.restitution.at, "contact." + entry.name, "`restitution` and `damping_time`",
                     "one of them: the damping follows from the restitution");
    contact.friction_law = *t.friction_law;
    contact.transition_speed = t.transition_speed.value.value_or(contact.transition_speed);
    if (t.transition_speed.given && contact.friction_law == FrictionLaw::bristle)
      c.problems.add(t.transition_speed.at, "contact." + entry.name + ".transition_speed",
                     "a transition speed without `friction_law: hollars`",
                     "one with that law only");
    contact.points = *t.points;
    if (contact.points != Contact{}.points && contact.cables.empty() && !contact.shapes.empty())
      c.problems.add(t.points.at, "contact." + entry.name + ".points",
                     "`points` between bodies alone", "cables in `between`",
                     "They are points of an element of a cable. Remove it.");
    scene.contacts.push_back(std::move(contact));
  }
}

}  // namespace hawser
