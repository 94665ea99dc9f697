#include "bench/sheet.h"

#include <fmt/format.h>

namespace hawser {

std::string at(const Vec3& p) {
  return fmt::format("[{:.10g}, {:.10g}, {:.10g}]", p.x(), p.y(), p.z());
}

void Sheet::add(const std::string& part, const std::string& name, const std::string& value) {
  parts_[part] += fmt::format("  {}: {{{}}}\n", name, value);
}

void Sheet::support(const std::string& name, const Vec3& p) {
  add("supports", name, "position: " + at(p));
}

void Sheet::box(const std::string& name, double mass, const Vec3& p, const Vec3& edges,
                const std::string& rest) {
  add("bodies", name,
      fmt::format("shape: {{box: {}}}, mass: {:.6g}, position: {}{}", at(edges), mass, at(p),
                  rest.empty() ? "" : ", " + rest));
}

void Sheet::ball(const std::string& name, double mass, double radius, const Vec3& p,
                 const std::string& rest) {
  add("bodies", name,
      fmt::format("shape: {{sphere: {:.4g}}}, mass: {:.6g}, position: {}{}", radius, mass, at(p),
                  rest.empty() ? "" : ", " + rest));
}

void Sheet::joint(const std::string& name, const std::string& kind, const std::string& first,
                  const std::string& second, const std::string& rest) {
  add("joints", name,
      fmt::format("kind: {}, between: [{}, {}]{}", kind, first, second,
                  rest.empty() ? "" : ", " + rest));
}

void Sheet::rope(const std::string& name, double EA, const std::string& route,
                 const std::string& rest) {
  std::string damping;
  if (draw.chance(0.6))
    damping = fmt::format(", damping: {{axial: {{viscosity: {:.3g}}}}}", draw.decades(1e-4, 1e-2));
  add("sections", name, fmt::format("EA: {:.6g}, mass: 1{}", EA, damping));
  add("cables", name,
      fmt::format("section: {}, model: massless, route: [{}]{}", name, route,
                  rest.empty() ? "" : ", " + rest));
}

void Sheet::set(const std::string& part, const std::string& value) { parts_[part] = value; }

std::string Sheet::text(const std::string& title, const std::string& solve) const {
  std::string out = fmt::format("title: {}\ngravity: [0, 0, -9.81]\ninitial: {}\n", title, initial);
  for (const char* part : {"ground", "fluid"})
    if (parts_.contains(part)) out += fmt::format("{}: {{{}}}\n", part, parts_.at(part));
  for (const char* part :
       {"sections", "supports", "bodies", "joints", "cables", "motions", "loads"})
    if (parts_.contains(part)) out += fmt::format("{}:\n{}", part, parts_.at(part));
  return out + fmt::format("solve: {{{}}}\n", solve);
}

std::string kinked_payout(Draw& draw, double speed, double until) {
  const int rows = draw.integer(1, 3);
  std::string text = "payout: {table: [[0, 0]";
  double t = 0, out = 0;
  for (int i = 0; i < rows; ++i) {
    t += draw.uniform(0.1, 0.8) * until / rows;
    out += draw.uniform(-0.3, 1) * speed * until / rows;
    text += fmt::format(", [{:.6g}, {:.6g}]", t, out);
  }
  return text + "]}";
}

std::string kinked_speed(Draw& draw, double speed, double until) {
  const double from = draw.uniform(0.05, 0.4) * until, to = from + draw.uniform(0.1, 0.5) * until;
  std::string text =
      fmt::format("speed: \"{:.5g} m/s * ramp(t, {:.5g} s, {:.5g} s)\"", speed, from, to);
  if (draw.chance(0.3)) text += fmt::format(", slip: {:.3g}", draw.decades(1e-8, 1e-6));
  return text;
}

std::string winch(Draw& draw, double speed, double until) {
  const double kind = draw.uniform(0, 1);
  if (kind < 0.45) return kinked_payout(draw, speed, until);
  if (kind > 0.7) return {};
  const double way = draw.uniform(-0.5, 1) * speed * until;
  const double from = draw.uniform(0, 0.2) * until, to = draw.uniform(0.5, 0.9) * until;
  return fmt::format("payout: {{smooth: [0, {:.5g}], from: {:.4g}, to: {:.4g}}}", way, from, to);
}

std::string perhaps_winch(Draw& draw, double speed, double until) {
  return draw.chance(0.5) ? winch(draw, speed, until) : "";
}

std::string moved(Draw& draw, const char* field, double way, double until) {
  const char* how = draw.chance(0.5) ? "ramp" : "smooth";
  const double from = draw.uniform(0, 0.3) * until, to = draw.uniform(0.5, 0.95) * until;
  return fmt::format("{}: {{{}: [0, {:.5g}], from: {:.5g}, to: {:.5g}}}", field, how, way, from,
                     to);
}

std::string with_length(double length, const std::string& rest) {
  return fmt::format("length: {:.8g}{}", length, rest.empty() ? "" : ", " + rest);
}

double taut_or_slack(Draw& draw, double force, double EA, double most) {
  if (draw.chance(0.5)) return 1 - draw.uniform(0, 2) * force / EA;
  return 1 + draw.decades(1e-4, most);
}

std::string thrown(Draw& draw, double speed) {
  const double v = draw.uniform(0, speed);
  return "velocity: " + at(v * draw.direction());
}

}  // namespace hawser
