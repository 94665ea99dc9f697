#include "bench/random_contact.h"

#include <fmt/format.h>

#include <ctime>
#include <map>

#include "bench/crossing.h"
#include "bench/draw.h"
#include "bench/meeting_scenes.h"
#include "contact/surface.h"
#include "hawser/error.h"
#include "model/model_data.h"

namespace hawser {
namespace touching {
namespace {

constexpr const char* contact_families[] = {"ground", "shape", "string", "rope", "body"};

Cable thrown_rope(Draw& draw, const std::string& name, double speed) {
  Cable rope;
  rope.name = name;
  const double d = draw.decades(0.005, 0.03), density = draw.decades(800, 8000);
  rope.sections = {
      Section{draw.decades(1e4, 1e6), draw.decades(1e-4, 1e-1), density * pi * d * d / 4}};
  rope.sections[0].diameter = d;
  rope.elements = draw.integer(6, 20);
  rope.velocity = Vec3(0, 0, -speed) + 0.1 * speed * draw.direction();
  return rope;
}

Solid random_shape(Draw& draw, double least) {
  const double r = draw.uniform(least, 4 * least), l = draw.uniform(2 * least, 10 * least);
  switch (draw.integer(0, 3)) {
    case 0:
      return {Solid::Kind::box, {2 * r, draw.uniform(2, 6) * least, draw.uniform(2, 6) * least}};
    case 1:
      return {Solid::Kind::sphere, {r, 0, 0}};
    case 2:
      return {Solid::Kind::cylinder, {r, l, 0}};
    default:
      return {Solid::Kind::capsule, {r, l, 0}};
  }
}

Eigen::Quaterniond random_turn(Draw& draw) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(draw.uniform(0, pi), draw.direction()));
}

/// A rope of `length` with its middle at a place.
void lay(Draw& draw, Cable& rope, const Vec3& middle, double length, double tilt) {
  const Vec3 flat = Eigen::AngleAxisd(draw.uniform(0, 2 * pi), Vec3::UnitZ()) * Vec3::UnitX();
  const Vec3 half = length / 2 * (flat + tilt * Vec3::UnitZ()).normalized();
  rope.route = {Vec3(middle - half), Vec3(middle + half)};
}

void add_string(Draw& draw, Scene& scene) {
  Cable taut;
  taut.name = "string";
  const double d = draw.decades(0.005, 0.02), T = draw.decades(10, 1e3);
  taut.sections = {Section{draw.decades(1e4, 1e6), 0, 2000 * d * d}};
  taut.sections[0].EA = std::max(taut.sections[0].EA, 50 * T);
  taut.sections[0].diameter = d;
  taut.elements = draw.integer(8, 24);
  scene.supports = {at("a", {-0.7, 0, 0}), at("b", {0.7, 0, 0})};
  taut.route = {Stop::hold("a"), Stop::hold("b")};
  taut.length = 1.4 / (1 + T / taut.sections[0].EA);
  scene.cables.push_back(taut);
}

/// Returns the radius of a ball that holds it.
double add_shape(Draw& draw, Scene& scene, double spacing, bool free) {
  // Points that touch must find it: not much thinner than their distance.
  const Solid shape = random_shape(draw, std::max(0.03, 0.6 * spacing));
  const double size = shape.kind == Solid::Kind::box      ? shape.size.norm() / 2
                      : shape.kind == Solid::Kind::sphere ? shape.size.x()
                                                          : shape.size.x() + shape.size.y() / 2;
  if (!free) {
    Support support = at("shape", Vec3::Zero());
    support.shape = shape;
    support.orientation = random_turn(draw);
    scene.supports.push_back(support);
    return size;
  }
  Body body;
  body.name = "shape";
  body.shape = shape;
  body.mass = draw.decades(0.5, 50);
  body.inertia = shape.inertia(body.mass);
  body.orientation = random_turn(draw);
  body.angular_velocity = draw.uniform(0, 10) * draw.direction();
  scene.bodies.push_back(body);
  return size;
}

/// A point of the cable is at the core of the shape: nearer to its middle than half of its size.
bool in_core(const ModelData& model, const State& state, const Chains& chains) {
  if (model.scene.ground) {
    const double d = model.scene.cables[0].sections[0].diameter;
    for (const StraightPart& part : chains[0])
      if (part.at(0.5).z() < -d) return true;  // where a cable touches
    return false;
  }
  Vec3 centre = Vec3::Zero();
  Eigen::Quaterniond turn(1, 0, 0, 0);
  Solid shape;
  if (!model.scene.bodies.empty()) {
    shape = model.scene.bodies[0].shape;
    centre = state.position(model.mechanism.bodies[0].node);
    turn = Eigen::Quaterniond(state.orientation[0], state.orientation[1], state.orientation[2],
                              state.orientation[3]);
  } else if (!model.scene.supports.empty() && model.scene.supports.front().name == "shape") {
    shape = model.scene.supports.front().shape;
    turn = model.scene.supports.front().orientation;
  } else {
    return false;
  }
  const Surface surface = *surface_of(shape);
  double size = shape.size.x();
  if (shape.kind == Solid::Kind::box) size = shape.size.minCoeff() / 2;
  if (shape.kind == Solid::Kind::cylinder) size = std::min(size, shape.size.y() / 2);
  for (const StraightPart& part : chains[0])
    if (nearest(surface, turn.conjugate() * (part.at(0.5) - centre), 0).distance < -size / 2)
      return true;
  return false;
}

}  // namespace
}  // namespace touching

ContactCase random_contact(unsigned seed, int number) {
  using namespace touching;
  std::mt19937_64 random(1000003ULL * seed + static_cast<unsigned>(number));
  Draw draw(random);
  const int family = number % 5;
  ContactCase out;
  out.family = contact_families[family];
  out.speed = draw.decades(0.5, 50);
  out.options = by(draw.decades(1e-3, 1e-2));
  Scene& scene = out.scene;
  Cable rope = thrown_rope(draw, "rope", out.speed);
  const double length = draw.uniform(0.5, 1.5), mu = draw.uniform(0, 1);
  const double spacing = length / rope.elements / 3;
  const double away = 0.05 + draw.uniform(0.2, 2) * out.speed * out.options.step;
  const double tilt = draw.uniform(-0.4, 0.4);
  double reach = 0.25 * length;  // how far the rope and what it meets extend towards each other
  Vec3 aside(draw.uniform(-0.1, 0.1), draw.uniform(-0.1, 0.1), 0);
  if (family == 0) {
    scene.ground = Ground{};
    scene.contacts = {between("ground", mu, 0)};
  } else if (family == 2 || family == 3) {
    if (family == 2) {
      add_string(draw, scene);
    } else {
      Cable other = thrown_rope(draw, "string", 0);
      lay(draw, other, Vec3::Zero(), length, draw.uniform(-0.2, 0.2));
      reach += 0.12 * length;
      scene.cables.push_back(other);
    }
    scene.contacts = {among_cables({"rope", "string"}, mu)};
  } else {
    const double size = add_shape(draw, scene, spacing, family == 4);
    reach += size;
    aside *= size / 0.2;
    scene.contacts = {between("shape", mu, 0)};
  }
  lay(draw, rope, aside + (reach + away) * Vec3::UnitZ(), length, tilt);
  scene.cables.insert(scene.cables.begin(), rope);
  out.courant = out.speed * out.options.step / spacing;
  const double way = reach + away, v = out.speed;  // half of it fallen again after the hit
  out.until = 1.5 * (std::sqrt(v * v + 2 * g * way) - v) / g + 0.05;
  return out;
}

ContactVerdict judge_contact(const ContactCase& c) {
  using namespace touching;
  ContactVerdict out;
  const auto start = std::clock();
  try {
    TouchRun run(c.scene, c.options);
    const ModelData& model = run.model.data();
    const Energy first = energy(run.model, run.state);
    const double allowed = std::max(0.1, 1e-3 * first.kinetic);
    Chains before = chains_of(model, run.state);
    while (run.state.t < c.until) {
      if (run.integrator.step(run.state) != Status::ok) {
        out.failure = run.integrator.failure().cause;
        break;
      }
      const double now = energy(run.model, run.state).total();
      out.not_finite = out.not_finite || !std::isfinite(now);
      out.gain = std::max(out.gain, (now - first.total()) / allowed);
      Chains after = chains_of(model, run.state);
      out.passed = out.passed || chains_cross(before, after) || in_core(model, run.state, after);
      before = std::move(after);
      out.touched = out.touched || run.state.contacts[1] > 0;
    }
  } catch (const Error& error) {
    out.failure = error.what();
  }
  out.cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return out;
}

BenchReport bench_random_contact(int count, unsigned seed, int only) {
  BenchReport report("random-contact", "hawser bench random-contact",
                     "Random scenes with contact: ropes thrown at the ground, at shapes, at bodies "
                     "and at each other, at up to 50 m/s with steps of 1 to 10 ms.");
  int runs = 0, touched = 0, resolved = 0, gains = 0, passed = 0, not_finite = 0,
      failed_resolved = 0;
  std::map<std::string, int> reasons;
  for (int i = only < 0 ? 0 : only; i < (only < 0 ? count : only + 1); ++i) {
    const ContactCase c = random_contact(seed, i);
    const ContactVerdict v = judge_contact(c);
    ++runs;
    touched += v.touched;
    const bool fine = c.courant <= 0.2;
    resolved += fine;
    gains += v.gain > 1;
    passed += v.passed;
    not_finite += v.not_finite;
    failed_resolved += fine && !v.failure.empty();
    if (!v.failure.empty()) ++reasons[c.family + ": " + v.failure.substr(0, 60)];
    if (v.gain > 1 || v.passed || v.not_finite || !v.failure.empty()) {
      BenchRow row;
      row.name = fmt::format("scene {}, {}, {:.3g} m/s, h = {:.2g} s", i, c.family, c.speed,
                             c.options.step);
      row.quantity = !v.failure.empty() ? "fails: " + v.failure.substr(0, 70)
                     : v.passed         ? "passes through"
                     : v.gain > 1       ? "gains energy, times what is allowed"
                                        : "not finite";
      row.ours = v.failure.empty() && !v.passed ? v.gain : c.courant;
      report.add(row);
    }
  }
  const auto add = [&](const std::string& quantity, double ours, double tolerance,
                       const std::string& source) {
    BenchRow row;
    row.name = fmt::format("{} random scenes", runs);
    row.quantity = quantity;
    row.ours = ours;
    row.reference = 0;
    row.tolerance = tolerance;
    row.kind = Tolerance::absolute;
    row.source = source;
    report.add(row);
  };
  int failures = 0;
  for (const auto& [reason, times] : reasons) failures += times;
  add("gain more than 0.1 J and 0.1 % of energy", gains, 0, "none");
  add("something passes through", passed, 0, "none");
  add("not finite", not_finite, 0, "none");
  add("share of failures where V h is at most 0.2 of the distance of points",
      resolved > 0 ? static_cast<double>(failed_resolved) / resolved : 0, 0.05, "5 %");
  BenchRow hits;
  hits.name = fmt::format("{} random scenes", runs);
  hits.quantity = "things touch";
  hits.ours = touched;
  report.add(hits);
  BenchRow all;
  all.name = fmt::format("{} random scenes", runs);
  all.quantity = fmt::format("failures, {} of them resolved", resolved);
  all.ours = failures;
  report.add(all);
  return report;
}

}  // namespace hawser
