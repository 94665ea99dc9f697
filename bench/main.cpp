// hawser-bench: what `hawser bench` starts.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <map>

#include "bench/benches.h"
#include "bench/contact_cables.h"
#include "bench/random_contact.h"
#include "bench_arguments.h"
#include "command.h"
#include "hawser/error.h"

namespace {

using namespace hawser;

std::vector<Method> solves_of(const std::vector<std::string>& names) {
  static const std::map<std::string, Method> known = {{"linearized", Method::linearized},
                                                      {"mixed", Method::mixed},
                                                      {"mixed3", Method::mixed3},
                                                      {"newton", Method::newton}};
  std::vector<Method> out;
  for (const std::string& name : names) out.push_back(known.at(name));
  return out;
}

/// Every benchmark that ends in a report.
const std::map<std::string, std::function<BenchReport(const BenchOptions&)>>& benches() {
  static const std::map<std::string, std::function<BenchReport(const BenchOptions&)>> all = {
      {"westin-irani",
       [](const auto& o) {
         if (o.figures) return bench_westin_irani_figures();
         return bench_westin_irani(o.converged ? converged_rows : o.table, true);
       }},
      {"gerstmayr-shabana", [](const auto&) { return bench_gerstmayr_shabana(); }},
      {"catenary", [](const auto&) { return bench_catenary(); }},
      {"servin-lacoursiere", [](const auto&) { return bench_servin_lacoursiere(); }},
      {"tonin-braun", [](const auto&) { return bench_tonin_braun(); }},
      {"gu", [](const auto&) { return bench_gu(); }},
      {"wu", [](const auto&) { return bench_wu(true); }},
      {"damping", [](const auto& o) { return bench_damping(o.svg); }},
      {"modes", [](const auto&) { return bench_modes(true); }},
      {"flow", [](const auto& o) { return bench_flow(o.flow_runs, o.seed); }},
      {"contact", [](const auto&) { return bench_contact(); }},
      {"contact-heap", [](const auto&) { return bench_contact_heap(); }},
      {"random-contact",
       [](const auto& o) { return bench_random_contact(o.contact_scenes, o.seed, o.only); }},
      {"hoist-models", [](const auto&) { return bench_hoist_models(); }},
      {"massless", [](const auto& o) { return bench_massless(o.bodies); }},
      {"scenes", [](const auto&) { return bench_scenes(); }},
      {"balance", [](const auto& o) { return bench_balance(o.files); }},
      {"stability", [](const auto& o) { return bench_stability(o.runs, o.seed, true); }},
      {"statics", [](const auto& o) { return bench_statics(o.scenes, o.seed); }},
      {"truth", [](const auto&) { return bench_truth(); }},
      {"random-machines",
       [](const auto& o) {
         return bench_random_machines({o.count, o.seed, o.only, o.write});
       }},
      {"robustness",
       [](const auto& o) {
         return bench_robustness(
             {o.random_scenes, o.everyday_scenes, o.seed, o.only, o.write, o.campaign});
       }},
      {"step",
       [](const auto& o) {
         return o.flow ? bench_step_flow() : bench_step(o.elements, solves_of(o.solves));
       }},
      {"machines",
       [](const auto& o) {
         return bench_machines({o.cases, o.sizes, o.write});
       }},
      {"linear",
       [](const auto& o) {
         return bench_linear({o.largest_net, o.linear_machines, o.files});
       }},
      {"memory", [](const auto& o) { return bench_memory(o.steps); }},
      {"work-precision", [](const auto& o) { return bench_work_precision(o.svg); }},
      {"recording", [](const auto& o) { return bench_recording(o.minutes); }},
  };
  return all;
}

int start(const std::string& name, const BenchOptions& options) {
  if (name == "validation")
    return write_validation(options.write, options.svg) ? exit_ok : exit_failed;
  const BenchReport report = benches().at(name)(options);
  std::fputs(options.json ? report.json().c_str() : report.table().c_str(), stdout);
  return report.ok() ? exit_ok : exit_failed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto options = std::make_shared<BenchOptions>();
    Command bench("hawser bench", "Run benchmarks: published cases and measurements",
                  "hawser bench " HAWSER_VERSION);
    add_bench_arguments(bench, options,
                        [options](const std::string& name) { return start(name, *options); });
    return bench.run(argc, argv);
  } catch (const WriteError& error) {
    std::fputs(fmt::format("hawser bench: {}\n", error.what()).c_str(), stderr);
    return exit_failed;
  } catch (const Error& error) {
    std::fputs(fmt::format("hawser bench: {}\n", error.what()).c_str(), stderr);
    return exit_bad_input;
  } catch (const std::exception& error) {
    std::fputs(fmt::format("hawser bench: {}\n", error.what()).c_str(), stderr);
    return exit_failed;
  }
}
