#include "run/summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hawser {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(RunEnd end) {
  switch (end) {
    case RunEnd::finished:
      return "finished";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::failed:
      return "failed";
  }
  return "";
}

Json json_of(const TensionExtreme& e) {
  Json out = {{"tension", e.tension}, {"arc_length", e.s}, {"time", e.t}};
  if (e.computed) out["computed_beside_the_steps"] = true;
  return out;
}

Json json_of(const CableReport& c) {
  Json out = {{"cable", c.cable},
              {"largest_tension", json_of(c.largest)},
              {"smallest_tension", json_of(c.smallest)}};
  if (c.breaking_load > 0) {
    out["breaking_load"] = c.breaking_load;
    out["utilisation"] = c.utilisation;
  }
  return out;
}

Json json_of(const BodyReport& b) {
  const Vec3& p = b.pose.position;
  const Eigen::Quaterniond& o = b.pose.orientation;
  return {{"body", b.body},
          {"position", {p.x(), p.y(), p.z()}},
          {"orientation", {o.w(), o.x(), o.y(), o.z()}}};
}

Json json_of(const InputReport& i) {
  return {{"input", i.input}, {"value", i.value}, {"unit", i.unit}, {"settings", i.settings}};
}

Json json_of(const Energy& e) {
  return {{"kinetic", e.kinetic}, {"axial", e.axial},      {"bending", e.bending},
          {"twist", e.twist},     {"joints", e.joints},    {"potential", e.potential},
          {"work", e.work},       {"balance", e.balance()}};
}

Json json_of(const NumericalDamping& d) {
  return {{"taken", d.taken},
          {"by_steps", d.by_steps},
          {"by_fallbacks", d.by_fallbacks},
          {"at_switches", d.at_switches},
          {"at_mesh_changes", d.at_mesh_changes},
          {"at_fidelity_changes", d.at_fidelity_changes},
          {"largest_energy_in_motion", d.scale},
          {"share", d.share()}};
}

Json json_of(const RunOutReport& r) {
  return {{"time", r.t},
          {"cable", r.cable},
          {"stop", r.stop},
          {"end", r.start ? "start" : "end"},
          {"energy", r.energy}};
}

Json json_of(const ContactReport& c) {
  return {{"friction_work", c.friction_work},
          {"deepest", c.deepest},
          {"courant", c.courant},
          {"passes", c.passes},
          {"fallbacks", c.fallbacks}};
}

Json json_of(const Counters& c) {
  return {{"steps", c.steps},
          {"assemblies", c.assemblies},
          {"factorizations", c.factorizations},
          {"solves", c.solves},
          {"relinearized", c.relinearized},
          {"divided", c.divided},
          {"fallbacks", c.fallbacks},
          {"capped", c.capped},
          {"rejected", c.rejected},
          {"restarts", c.restarts},
          {"switched", c.switched},
          {"mesh_changes", c.mesh_changes},
          {"fidelity_changes", c.fidelity_changes}};
}

Json json_of(const ExpectationReport& r) {
  Json out = {{"name", r.expected.name},      {"channel", r.expected.channel}, {"time", nullptr},
              {"expected", r.expected.value}, {"within", r.expected.within},   {"unit", r.unit},
              {"source", r.expected.source},  {"reached", r.reached}};
  if (r.expected.time >= 0) out["time"] = r.expected.time;  // null: the end of the run
  if (r.reached) {
    out["measured"] = r.measured;
    out["met"] = r.met;
  }
  return out;
}

template <class T>
Json list_of(const std::vector<T>& items) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(json_of(item));
  return out;
}

}  // namespace

std::string solver_name(const SolveOptions& options) {
  constexpr const char* methods[] = {"linearized", "mixed", "mixed3", "newton", "spook"};
  constexpr const char* schemes[] = {"backward-euler", "bdf2", "newmark", "hht",
                                     "generalized-alpha"};
  std::string out = methods[static_cast<int>(options.method)];
  if (options.method == Method::mixed3 || options.method == Method::spook) return out;
  out += fmt::format(" {}", schemes[static_cast<int>(options.scheme)]);
  if (options.scheme == Scheme::generalized_alpha)
    out += fmt::format(" (rho_infinity {:g})", options.rho_infinity);
  return out;
}

std::string summary_json(const RunReport& report) {
  Json out = {{"title", report.title},
              {"end", name_of(report.end)},
              {"time", report.t},
              {"until", report.until},
              {"cables", list_of(report.cables)},
              {"bodies", list_of(report.bodies)},
              {"inputs", list_of(report.inputs)},
              {"energy_start", json_of(report.energy_start)},
              {"energy_end", json_of(report.energy_end)},
              {"numerical_damping", json_of(report.damping)},
              {"counters", json_of(report.counters)},
              {"solver", report.solver},
              {"linear_solver", report.linear_solver},
              {"cpu", report.cpu},
              {"wall", report.wall},
              {"expectations", list_of(report.expectations)},
              {"warnings", report.warnings},
              {"files", report.files}};
  if (!report.run_outs.empty()) out["run_outs"] = list_of(report.run_outs);
  if (report.contact) out["contact"] = json_of(*report.contact);
  if (report.fidelity)
    out["fidelity"] = {{"changes", report.fidelity->changes},
                       {"largest_energy", report.fidelity->largest_energy}};
  if (report.end == RunEnd::failed) out["failure"] = report.failure;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hawser
