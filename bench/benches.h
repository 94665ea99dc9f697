// The benchmarks by name.
#pragma once

#include <string>
#include <vector>

#include "bench/machines.h"
#include "bench/random_machines.h"
#include "bench/report.h"
#include "bench/robustness.h"
#include "hawser/options.h"

namespace hawser {

/// Westin & Irani's Tables 2 to 7 (`table` 2..7), the converged motions (converged_rows), or
/// all (0). `timed`: Tables 6 and 7 with CPU times.
inline constexpr int converged_rows = 1;
BenchReport bench_westin_irani(int table, bool timed);

/// Westin & Irani's Figs. 2 to 4: bending and lost energy.
BenchReport bench_westin_irani_figures();

/// Hanging cables: the solver of initial shapes against closed forms, ANCF in balance against it.
BenchReport bench_catenary();

/// Semicircle and space pendulum (Wu et al. examples 1 and 2).
BenchReport bench_gerstmayr_shabana();

/// Two boxes on a massless cable (Servin & Lacoursiere, sec. 5.1).
BenchReport bench_servin_lacoursiere();

/// CPU time of a step of a hoist over bodies, with its massless cable and without.
BenchReport bench_massless(const std::vector<int>& bodies);

/// One hoist with every model of its rope: agreement and cost.
BenchReport bench_hoist_models();

/// Cables with mass that flow, against closed forms and integrated equations; `runs` random
/// machines.
BenchReport bench_flow(int runs, unsigned seed);

/// Cables that touch things, with friction, against closed forms.
BenchReport bench_contact();

/// Natural frequencies and damping against closed forms; CPU time for a net.
/// `timed`: with the CPU time of the largest, which depends on the machine.
BenchReport bench_modes(bool timed);

/// Free fall, conical pendulum, cable and body (Tonin & Braun, sec. 4).
BenchReport bench_tonin_braun();

/// Fractional viscosity: stretched bar, pendulum, released wire (Gu et al. 2023, sec. 6).
BenchReport bench_gu();

/// Belt drive, lifting device, zip line, nets and crane (Wu et al. 2022); `timed`: CPU times by
/// elements.
BenchReport bench_wu(bool timed);

/// Decays of one mode under each law of damping.
BenchReport bench_damping(const std::string& svg);

/// Seeded random pendulums: how many gain energy, for every one-solve method.
/// Of the default method alone, or of every one-solve method.
BenchReport bench_stability(int runs, unsigned seed, bool every_method);

/// Seeded random scenes brought to rest: how many, by which way, how well.
BenchReport bench_statics(int scenes, unsigned seed);

/// Faults that once gave wrong numbers without a word, at three steps or more each.
BenchReport bench_truth();

/// Seeded random machines at h and h/16: how many agree, warn, fail, or say nothing.
BenchReport bench_random_machines(const MachineOptions& options);

/// Seeded random scenes by every scheme and method: how many fail, gain or lose energy.
BenchReport bench_robustness(const RobustnessOptions& options);

/// CPU time of a step against the number of elements.
BenchReport bench_step(const std::vector<int>& elements, const std::vector<Method>& solves);

/// CPU time of a step of a cable that an eyelet or a pulley hands over, beside one without.
BenchReport bench_step_flow();

/// CPU time of a step of nets and machines.
BenchReport bench_machines(const TimingOptions& options);

/// The linear system of a step, by our solver and by others.
struct LinearOptions {
  int largest_net = 80;            ///< meshes a side
  int machines = 20;               ///< random ones
  std::vector<std::string> files;  ///< only these scenes; empty: all, nets and machines
};
BenchReport bench_linear(const LinearOptions& options);

/// Error against CPU time for every integrator; writes an SVG when `svg` is not empty.
BenchReport bench_work_precision(const std::string& svg);

/// CPU time, memory and bytes of recording so many simulated minutes.
BenchReport bench_recording(double minutes);

/// Energy balance of scenes, or of the shipped ones, at h, h/2 and h/4.
BenchReport bench_balance(const std::vector<std::string>& files);

/// The shipped scenes' expectations.
BenchReport bench_scenes();

/// Fractional damping with full memory: CPU time against the elastic run, and its error.
BenchReport bench_memory(long steps);

/// What programs that read Westin & Irani's Tables 3 to 5 as JSON would stumble over: keys that a
/// row lacks, unstable cells with a value, and other unstable cells in Table 5 than the paper's
/// one. Nothing for other reports.
std::vector<std::string> faults_of_table(const BenchReport& report);

/// Runs every benchmark that has a reference; writes docs/validation.md and, beside it, papers.md;
/// and the picture of bench_damping, where a file is named. True when all rows are within their
/// tolerances, and the tables without faults.
bool write_validation(const std::string& path, const std::string& svg);

}  // namespace hawser
