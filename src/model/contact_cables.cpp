// Contact of cables with cables, as compiled. Unless a scene gives the stiffness, that of two parts
// is the largest of
//
//     T/(d/50)                   a cable of tension T is bent around the other
//     4 w l/(d/100)              four elements of length l and weight w per metre lie on it
//     10 v sqrt(T m)/r           it hits the other with the speed v: depth r/5 (a string's waves)
//     16 m l v^2/d^2             the same of a slack cable, whose elements alone stop it
//
// with d the sum of the radii, r and m the smaller radius and the larger mass per metre, and T and
// v as for surfaces (contacts.cpp). The damping time is at most 0.2 sqrt(m l/k), a
// part of the time in which an element bounces: a longer one makes the force jump where the
// velocity changes its sign, and passes go to and fro between the two sides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "contact/cable_pairs.h"
#include "hawser/error.h"
#include "model/contacts.h"
#include "model/model_data.h"

namespace hawser {
namespace {

using CablePair = std::pair<int, int>;

/// The cables that a contact lets touch, by two, smaller number first.
std::vector<CablePair> meeting_cables(const Scene& scene, const Contact& contact) {
  std::vector<CablePair> out;
  if (!contact.shapes.empty() || !contact.pulleys.empty()) return out;
  for (size_t i = 0; i < contact.cables.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const ErrorObject who("contact", contact.name);
      const int a = find_cable(scene, contact.cables[i], who),
                b = find_cable(scene, contact.cables[j], who);
      const auto is_massless = [&](int c) {
        return scene.cables[static_cast<size_t>(c)].model == CableModel::massless;
      };
      if (!is_massless(a) && !is_massless(b)) out.emplace_back(std::min(a, b), std::max(a, b));
    }
  return out;
}

MeetingRun meeting_run(const ModelData& model, const Fields& part, int points) {
  const ElementRun& run = part.run;
  MeetingRun out;
  out.cable = run.cable;
  out.first_node = run.first_node;
  out.elements = run.elements;
  out.first_element = run.first_element;
  out.radius = model.section_of(run).diameter / 2;
  const int parts = run.curved ? points : 1;
  out.length = run.length / parts;
  out.arc_start = run.arc_start;
  for (int k = 0; k <= parts; ++k)
    out.ends.push_back(part.weights(static_cast<double>(k) / parts, false));
  return out;
}

Eigen::AlignedBox3d box_of(const ModelData& model, int cable) {
  Eigen::AlignedBox3d box;
  const CableSpan& span = model.cables[static_cast<size_t>(cable)];
  for (int n = span.first_node; n < span.first_node + span.nodes; ++n)
    box.extend(Vec3(Eigen::Map<const Vec3>(model.q0.data() + node_size * n)));
  return box;
}

/// The square of the speed at which two cables may meet, as far as the scene tells.
double square_of_speed(const ModelData& model, int a, int b) {
  const auto& cables = model.scene.cables;
  const auto spin = [&](int c) {
    return cables[static_cast<size_t>(c)].angular_velocity.norm() * model.extent;
  };
  const Eigen::AlignedBox3d first = box_of(model, a), second = box_of(model, b);
  const double fall = a == b ? first.diagonal().norm() : first.exteriorDistance(second);
  const double speed =
      (cables[static_cast<size_t>(a)].velocity - cables[static_cast<size_t>(b)].velocity).norm() +
      spin(a) + spin(b);
  return speed * speed + 2 * pull_of(model.scene) * fall;
}

/// `given`: the stiffness of the scene [N/m], or 0.
ContactLaw law_between(const ModelData& model, const CablePair& cables, double given,
                       const Contact& contact) {
  double T = 0, m = 0, r = HUGE_VAL, d = 0, l = 0;
  for (const int c : {cables.first, cables.second}) {
    T = std::max(T, tension_of(model, c));
    double largest = 0;
    for (const Fields* part : model.fields_of(c)) {
      const Section& section = model.section_of(part->run);
      m = std::max(m, section.mass);
      r = std::min(r, section.diameter / 2);
      largest = std::max(largest, section.diameter / 2);
      l = std::max(l, part->run.length);
    }
    d += largest;
  }
  const double square = square_of_speed(model, cables.first, cables.second);
  const double k =
      given > 0 ? given
                : std::max({T / (0.02 * d), 4 * m * pull_of(model.scene) * l / (0.01 * d),
                            10 * std::sqrt(square * T * m) / r, 16 * m * l * square / (d * d)});
  const double swing = std::sqrt(m * l / k);
  return {{k, std::min(contact.damping_time, 0.2 * swing)},
          contact.friction,
          contact.kinetic_friction.value_or(contact.friction),
          breaks_away(contact) ? 2 * swing : 0};
}

/// Where cables are one: nodes that share their position, or are held at the same place.
std::vector<SharedPoint> shared_points(const ModelData& model) {
  struct Point {
    int cable;
    double arc;
  };
  const auto point_of = [&](int node) -> std::optional<Point> {
    for (const Fields* part : model.fields)
      if (const int i = node - part->run.first_node; i >= 0 && i <= part->run.elements)
        return Point{part->run.cable, part->run.arc_start + i * part->run.length};
    return std::nullopt;
  };
  std::set<CablePair> nodes;
  for (const auto& [follower, leader] : model.structure.shared)
    nodes.emplace(follower / node_size, leader / node_size);
  for (size_t i = 0; i < model.holds.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const int a = model.holds[i].node, b = model.holds[j].node;
      if (a < 0 || b < 0) continue;
      const Vec3 apart = Eigen::Map<const Vec3>(model.q0.data() + node_size * a) -
                         Eigen::Map<const Vec3>(model.q0.data() + node_size * b);
      if (apart.norm() < 1e-9 * (1 + model.extent)) nodes.emplace(a, b);
    }
  std::vector<SharedPoint> out;
  for (const auto& [a, b] : nodes) {
    const auto first = point_of(a), second = point_of(b);
    if (!first || !second) continue;
    if (first->cable <= second->cable)
      out.push_back({first->cable, second->cable, first->arc, second->arc});
    else
      out.push_back({second->cable, first->cable, second->arc, first->arc});
  }
  std::sort(out.begin(), out.end(), [](const SharedPoint& x, const SharedPoint& y) {
    return std::tie(x.first, x.second, x.at_first) < std::tie(y.first, y.second, y.at_first);
  });
  return out;
}

/// Throws where cables start deep in each other: there is no side to push them to.
void require_cables_apart(const ModelData& model, const CablePairs& term) {
  const CablePairs::Overlap worst = term.deepest(model.q0);
  const MeetingRun &a = term.run_of(worst.first), &b = term.run_of(worst.second);
  if (!(-worst.gap > 0.25 * (a.radius + b.radius))) return;
  const std::string &first = model.scene.cables[static_cast<size_t>(a.cable)].name,
                    &second = model.scene.cables[static_cast<size_t>(b.cable)].name;
  const Vec3 at = term.part(worst.first, model.q0.data()).at(0.5);
  throw Error(
      ErrorObject("cable", first),
      fmt::format("it starts {:.3g} m deep in {}, at [{:.4g}, {:.4g}, {:.4g}]", -worst.gap,
                  a.cable == b.cable ? "itself" : "cable '" + second + "'", at.x(), at.y(), at.z()),
      "cables that start apart from each other by the sum of their radii",
      "Route one of them around the other with more points, or start it elsewhere.");
}

/// How many parts an element of each cable has; 0: it meets none.
std::vector<int> parts_of_cables(const Scene& scene) {
  std::vector<int> out(scene.cables.size(), 0);
  for (const Contact& contact : scene.contacts)
    for (const auto& [a, b] : meeting_cables(scene, contact))
      for (const int c : {a, b})
        out[static_cast<size_t>(c)] = std::max(out[static_cast<size_t>(c)], contact.points);
  return out;
}

}  // namespace

void add_meeting_term(ModelData& model) {
  const std::vector<int> parts = parts_of_cables(model.scene);
  Meetings out;
  for (size_t c = 0; c < parts.size(); ++c)
    if (parts[c] > 0)
      for (const Fields* part : model.fields_of(static_cast<int>(c)))
        out.runs.push_back(meeting_run(model, *part, parts[c]));
  if (out.runs.empty()) return;
  const size_t runs = out.runs.size();
  out.law_of.assign(runs * runs, -1);
  std::vector<std::vector<size_t>> runs_of(parts.size());
  for (size_t r = 0; r < runs; ++r) runs_of[static_cast<size_t>(out.runs[r].cable)].push_back(r);
  for (const Contact& contact : model.scene.contacts)
    for (const CablePair& cables : meeting_cables(model.scene, contact)) {
      const auto &first = runs_of[static_cast<size_t>(cables.first)],
                 &second = runs_of[static_cast<size_t>(cables.second)];
      const double d = out.runs[first.front()].radius + out.runs[second.front()].radius;
      out.laws.push_back(law_between(model, cables, contact.stiffness * d, contact));
      for (const size_t a : first)
        for (const size_t b : second)
          out.law_of[a * runs + b] = out.law_of[b * runs + a] =
              static_cast<int>(out.laws.size()) - 1;
    }
  out.shared = shared_points(model);
  out.offset = model.contacts;
  auto term = std::make_shared<CablePairs>(std::move(out));
  require_cables_apart(model, *term);
  model.terms.push_back(term);
  model.facts.combine(term->facts());
}

}  // namespace hawser
