// `hawser modes`: natural frequencies and shapes about where a scene comes to rest.
#include "hawser/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "at_rest.h"
#include "commands.h"
#include "hawser/error.h"
#include "hawser/record.h"
#include "hawser/scene_file.h"
#include "hawser/units.h"
#include "run_summary.h"
#include "scenes_command.h"
#include "setup_display.h"

namespace hawser {
namespace {

struct ModesArguments {
  std::string scene, near, csv, vtk;
  std::vector<std::string> sets;
  int count = 10;
  bool json = false;
};

const char* name_of(ModeKind kind) {
  constexpr const char* names[] = {"oscillates", "free", "unstable"};
  return names[static_cast<int>(kind)];
}

/// "tether 83 %, load 17 %": what has a hundredth of the energy or more, four at most.
std::string what_moves(const ModesReport& report, const Mode& mode) {
  std::vector<size_t> order(mode.shares.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return mode.shares[a] > mode.shares[b]; });
  std::string out;
  size_t named = 0;
  for (const size_t i : order) {
    if (mode.shares[i] < 0.01) break;
    if (named == 4) return out + ", ...";
    out += fmt::format("{}{} {:.0f} %", named++ == 0 ? "" : ", ", report.parts[i],
                       100 * mode.shares[i]);
  }
  return out;
}

std::string damping_of(const Mode& mode) {
  if (mode.kind != ModeKind::oscillates) return "-";
  return mode.overdamped ? "overdamped" : fmt::format("{:.3g} %", 100 * mode.damping_ratio);
}

std::string table(const ModesReport& report) {
  std::string out = fmt::format("{:>4} {:>13} {:>12} ", "mode", "frequency", "period");
  if (report.damped) out += fmt::format("{:>10} ", "damping");
  out += " what moves\n";
  for (size_t i = 0; i < report.modes.size(); ++i) {
    const Mode& mode = report.modes[i];
    const bool swings = mode.kind == ModeKind::oscillates;
    std::string frequency = fmt::format("{:#.5g}", mode.frequency);
    if (mode.kind == ModeKind::free) frequency = "0";
    if (mode.kind == ModeKind::unstable) frequency += "i";
    out += fmt::format("{:>4} {:>10} Hz {:>12} ", i + 1, frequency,
                       swings ? with_prefix(mode.period, "s") : name_of(mode.kind));
    if (report.damped) out += fmt::format("{:>10} ", damping_of(mode));
    out += " " + what_moves(report, mode) + "\n";
  }
  return out;
}

std::string notes(const ModesReport& report) {
  std::string out = fmt::format("{} of {} modes\n", report.modes.size(), report.motions);
  const auto count = [&](ModeKind kind) {
    return std::count_if(report.modes.begin(), report.modes.end(),
                         [&](const Mode& m) { return m.kind == kind; });
  };
  if (const auto n = count(ModeKind::unstable); n > 0)
    out += fmt::format(
        "UNSTABLE: {} of them grow as e^(2 pi f t), where f i is the frequency shown\n", n);
  if (const auto n = count(ModeKind::free); n > 0)
    out += fmt::format("{} of them are free: there is no restoring force\n", n);
  return out;
}

nlohmann::ordered_json json_of(const ModesReport& report, const std::string& scene) {
  nlohmann::ordered_json out = {{"scene", scene},
                                {"motions", report.motions},
                                {"mass", report.mass},
                                {"unbalanced", report.unbalanced},
                                {"complete", report.complete},
                                {"modes", nlohmann::ordered_json::array()}};
  for (const Mode& m : report.modes) {
    nlohmann::ordered_json one = {{"kind", name_of(m.kind)},
                                  {"omega_squared", m.omega_squared},
                                  {"frequency", m.frequency},
                                  {"period", nullptr}};
    if (std::isfinite(m.period)) one["period"] = m.period;
    if (report.damped) {
      one["damping_ratio"] = m.damping_ratio;
      one["damped_frequency"] = m.damped_frequency;
      one["overdamped"] = m.overdamped;
    }
    for (size_t i = 0; i < m.shares.size(); ++i) one["shares"][report.parts[i]] = m.shares[i];
    one["effective_mass"] = m.effective_mass;
    one["elements_per_wave"] = nullptr;
    if (std::isfinite(m.elements_per_wave)) one["elements_per_wave"] = m.elements_per_wave;
    one["resolved"] = m.resolved;
    one["residual"] = m.residual;
    out["modes"].push_back(one);
  }
  return out;
}

void write_csv(const std::string& path, const ModesReport& report) {
  std::string text =
      "mode,kind,omega_squared [rad^2/s^2],frequency [Hz],period [s],damping_ratio,"
      "damped_frequency [Hz],effective_mass.x [kg],effective_mass.y [kg],effective_mass.z [kg],"
      "residual";
  for (const std::string& part : report.parts) text += "," + part + ".share";
  text += "\n";
  for (size_t i = 0; i < report.modes.size(); ++i) {
    const Mode& m = report.modes[i];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}", i + 1, name_of(m.kind), m.omega_squared,
                        m.frequency, m.period, m.damping_ratio, m.damped_frequency,
                        m.effective_mass[0], m.effective_mass[1], m.effective_mass[2], m.residual);
    for (const double share : m.shares) text += fmt::format(",{}", share);
    text += "\n";
  }
  write_whole_file(path, text);
}

void write_vtk(const std::string& folder, const Model& model, const State& state,
               const ModesReport& report) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("modes, --vtk", folder + ": " + error.message(), "a folder");
  for (size_t i = 0; i < report.modes.size(); ++i)
    write_mode(model, state, report.modes[i], fmt::format("{}/mode_{:03}.vtkhdf", folder, i + 1));
}

int show_modes(const ModesArguments& a) {
  ModeOptions options;
  options.count = a.count;
  if (!a.near.empty()) options.near = parse_quantity(a.near, quantity::frequency, "modes, --near");
  const SceneFile file = read_scene(find_scene(a.scene), a.sets);
  SetupDisplay setup(progress_style(false), stderr);
  setup.stage("compiling the model");
  const Model model = compile(file);
  setup.stage("searching for the equilibrium");
  const State state = at_rest(model);
  setup.stage("computing the modes");
  const ModesReport report = modes(model, state, options);
  setup.finish();
  if (!a.csv.empty()) write_csv(a.csv, report);
  if (!a.vtk.empty()) write_vtk(a.vtk, model, state, report);
  const std::string title = file.title.empty() ? file.file : file.title;
  const std::string text = a.json ? json_of(report, file.file).dump(1) + "\n"
                                  : title + "\n" + table(report) + notes(report);
  std::fputs(text.c_str(), stdout);
  if (!report.message.empty())
    std::fputs(fmt::format("hawser: warning: {}\n", report.message).c_str(), stderr);
  return report.complete ? exit_ok : exit_failed;
}

}  // namespace

void add_modes_command(Command& program) {
  Command& sub =
      program.add("modes", "Natural frequencies and mode shapes about static equilibrium");
  const auto a = std::make_shared<ModesArguments>();
  sub.option("scene", &a->scene, "A scene file, or the name of an example scene",
             {.required = true});
  sub.option("--count", &a->count, "Number of modes, lowest first", {.show_default = true});
  sub.option("--near", &a->near,
             "Compute the modes nearest to a frequency, such as '2 Hz', instead",
             {.type_name = "FREQUENCY"});
  sub.option("--set", &a->sets, "Override a value of the scene, as in `hawser run`",
             {.type_name = "PATH=VALUE", .one_value = true});
  sub.option("--json", &a->json, "Print JSON, SI units");
  sub.option("--csv", &a->csv, "Also write the modes to this CSV file", {.type_name = "FILE"});
  sub.option("--vtk", &a->vtk, "Also write the shapes, mode_001.vtkhdf ..., to this folder",
             {.type_name = "DIR"});
  sub.footer(
      "Computes the static equilibrium, then the modes of small motions about it. 'What moves' is "
      "the share of the kinetic energy. Damping of the sections is given as a fraction of critical "
      "damping. An unstable mode has an imaginary frequency (0.5i Hz).\n"
      "ParaView (5.12 or newer) opens and plays the shapes.\n"
      "Exit codes: 0 success, 1 no equilibrium found or modes missing, 2 bad input.");
  sub.does([a] { return show_modes(*a); });
}

}  // namespace hawser
