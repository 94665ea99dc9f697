// `hawser fit`: laws of damping from measurements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "hawser/error.h"
#include "hawser/fit.h"
#include "hawser/record.h"
#include "hawser/units.h"
#include "svg_plot.h"

namespace hawser {
namespace {

using Json = nlohmann::ordered_json;

struct FitArguments {
  std::vector<std::string> files, times;
  std::string law = "kelvin-voigt", column, out;
  int terms = 0;
  double order = 0;
  bool modulus = false, json = false;
};

FitOptions options_of(const FitArguments& a) {
  static const std::map<std::string, DampingLaw> laws = {{"kelvin-voigt", DampingLaw::kelvin_voigt},
                                                         {"prony", DampingLaw::prony},
                                                         {"fractional", DampingLaw::fractional}};
  FitOptions out;
  out.law = laws.at(a.law);
  if (a.terms > 0 && out.law != DampingLaw::prony)
    throw Error("fit damping, --terms", fmt::format("{} with --law {}", a.terms, a.law),
                "--law prony");
  for (const std::string& t : a.times)
    out.times.push_back(parse_quantity(t, quantity::time, "fit damping, --times"));
  out.terms = a.terms > 0 ? a.terms : std::max(1, static_cast<int>(out.times.size()));
  if (a.order != 0) out.order = a.order;
  return out;
}

/// The law as a section of a scene takes it.
std::string yaml_of(const Damping& d) {
  std::string law;
  if (d.viscosity > 0) law = fmt::format("viscosity: {:.6g} s", d.viscosity);
  if (!d.relaxations.empty()) {
    std::string arms;
    for (const Relaxation& r : d.relaxations)
      arms += fmt::format("{}{{share: {:.6g}, time: {:.6g} s}}", arms.empty() ? "" : ", ", r.share,
                          r.time);
    law = fmt::format("relaxations: [{}]", arms);
  }
  if (d.fractional.tau > 0)
    law = fmt::format("fractional: {{order: {:.6g}, tau: {:.6g}}}", d.fractional.order,
                      d.fractional.tau);
  return fmt::format("damping: {{axial: {{{}}}}}\n", law);
}

std::string text_of(const FitArguments& a, const DampingFit& fit, const std::string& unit) {
  std::string out = fmt::format("{:<12} {:>14} {:>12} {:>12}  {}\n", a.law, "value", "standard",
                                "95 % +-", "unit");
  for (const FittedParameter& p : fit.parameters)
    out += fmt::format("{:<12} {:>14.6g} {:>12.3g} {:>12.3g}  {}\n", p.name, p.value, p.uncertainty,
                       p.interval, p.unit);
  out += fmt::format("\nresidual {:.4g}{}, root mean square\n", fit.residual,
                     unit.empty() ? "" : " " + unit);
  for (const std::string& remark : fit.remarks) out += remark + "\n";
  const auto law = static_cast<Eigen::Index>(fit.parameters.size());
  for (Eigen::Index i = 0; i < law; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(fit.correlation(i, j)) > 0.95)
        out += fmt::format("{} and {} are strongly correlated: {:.4f}.\n",
                           fit.parameters[static_cast<size_t>(j)].name,
                           fit.parameters[static_cast<size_t>(i)].name, fit.correlation(i, j));
  return out + "\nFor a section of a scene (`bending` has the same fields):\n  " +
         yaml_of(fit.damping);
}

std::string json_of(const FitArguments& a, const DampingFit& fit, const std::string& unit) {
  Json parameters = Json::array(), correlation = Json::array();
  for (const FittedParameter& p : fit.parameters)
    parameters.push_back({{"name", p.name},
                          {"unit", p.unit},
                          {"value", p.value},
                          {"uncertainty", p.uncertainty},
                          {"interval", p.interval}});
  for (Eigen::Index i = 0; i < fit.correlation.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < fit.correlation.cols(); ++j) row.push_back(fit.correlation(i, j));
    correlation.push_back(row);
  }
  const Json out = {{"law", a.law},
                    {"files", a.files},
                    {"parameters", parameters},
                    {"correlation", correlation},
                    {"residual", fit.residual},
                    {"residual_unit", unit},
                    {"remarks", fit.remarks},
                    {"yaml", yaml_of(fit.damping)}};
  return out.dump(1) + "\n";
}

/// Every so many points, so that at most `most` are drawn.
PlotLine line_of(const std::string& label, const std::vector<double>& x,
                 const std::vector<double>& y, bool measured) {
  constexpr size_t most = 3000;
  PlotLine line{label, {}, false, "", !measured, measured};
  const size_t every = 1 + x.size() / most;
  for (size_t i = 0; i < x.size(); i += every) line.points.emplace_back(x[i], y[i]);
  return line;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

struct Result {
  DampingFit fit;
  std::string unit;  ///< of the residual
  Plot plot;
};

Result fit_table(const FitArguments& a) {
  if (a.files.size() != 1)
    throw Error("fit damping, --modulus", fmt::format("{} files", a.files.size()), "one table");
  if (!a.column.empty())
    throw Error("fit damping, --column", "a column with --modulus",
                "frequency, storage and loss modulus in the first three columns");
  const ModulusTable table = read_modulus(a.files[0]);
  Result out{fit_modulus(table, options_of(a)), "of the modulus", {}};
  out.plot = {fmt::format("{}: {}", a.law, a.files[0]),
              "frequency [Hz]",
              with_unit("modulus", table.unit),
              true,
              true,
              {}};
  const auto add = [&](const char* label, const std::vector<double>& y, bool measured) {
    out.plot.lines.push_back(line_of(label, table.frequency, y, measured));
  };
  add("storage", table.storage, true);
  add("loss", table.loss, true);
  add("storage, fitted", out.fit.fitted[0], false);
  add("loss, fitted", out.fit.fitted[1], false);
  return out;
}

Result fit_files(const FitArguments& a) {
  std::vector<Decay> decays;
  for (const std::string& file : a.files) decays.push_back(read_decay(file, a.column));
  Result out{fit_decays(decays, options_of(a)),
             decays.size() == 1 ? decays[0].unit : "of the amplitude",
             {}};
  out.plot = {fmt::format("{}: {}", a.law, fmt::join(a.files, ", ")),
              "time [s]",
              with_unit(a.column.empty() ? "displacement" : a.column, decays[0].unit),
              false,
              false,
              {}};
  for (size_t k = 0; k < decays.size(); ++k) {
    out.plot.lines.push_back(line_of(a.files[k], decays[k].time, decays[k].value, true));
    out.plot.lines.push_back(line_of("fitted", decays[k].time, out.fit.fitted[k], false));
  }
  return out;
}

void fit_damping(const FitArguments& a) {
  const Result result = a.modulus ? fit_table(a) : fit_files(a);
  if (!a.out.empty()) write_whole_file(a.out, plot_svg(result.plot));
  const std::string text =
      a.json ? json_of(a, result.fit, result.unit) : text_of(a, result.fit, result.unit);
  std::fputs(text.c_str(), stdout);
}

}  // namespace

void add_fit_command(Command& program) {
  Command& damping =
      program.add("fit", "Fit properties of sections to measurements")
          .add("damping", "Fit a damping law to free decays, or to storage and loss moduli");
  const auto a = std::make_shared<FitArguments>();
  damping.option("data", &a->files,
                 "CSV with a header: `t [s],x [m]`; several decays share one law",
                 {.required = true});
  damping.option("--law", &a->law, "kelvin-voigt, prony or fractional",
                 {.show_default = true, .one_of = {"kelvin-voigt", "prony", "fractional"}});
  damping.option("--terms", &a->terms, "prony: number of relaxations", {.range = {{1, 20}}});
  damping.option("--order", &a->order, "fractional: fixed order", {.range = {{1e-6, 1 - 1e-6}}});
  damping.option("--times", &a->times, "prony: fixed relaxation times, such as \"0.1 s,1 s\"",
                 {.delimiter = ','});
  damping.option("--modulus", &a->modulus,
                 "Read frequency, storage and loss modulus: `f [Hz],E1 [Pa],E2 [Pa]`");
  damping.option("--column", &a->column, "Name of the displacement column; default: the second");
  damping.option("--out", &a->out, "Plot data and fit to this SVG file");
  damping.option("--json", &a->json, "Print JSON, SI units");
  damping.footer(
      "One decay determines one parameter of a law. For more parameters use decays of different "
      "frequencies, or fix the order or the times.");
  damping.does([a] {
    fit_damping(*a);
    return exit_ok;
  });
}

}  // namespace hawser
