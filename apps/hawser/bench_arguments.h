// The benchmarks' names and options: all that a program must know to offer them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hawser {

class Command;

/// The options of all benchmarks, each with its default.
struct BenchOptions {
  bool json = false, converged = false, figures = false;
  bool flow = false;  ///< of bench step
  int table = 0, runs = 420, flow_runs = 120, scenes = 1000, count = 1000, only = -1;
  int random_scenes = 2000, everyday_scenes = 400;  ///< of bench robustness
  int contact_scenes = 500;                         ///< of bench random-contact
  unsigned seed = 1;
  double minutes = 10;
  long steps = 1000000;  ///< of bench memory
  std::vector<int> elements = {10, 100, 1000, 10000};
  std::vector<int> bodies = {2, 8, 32, 128};
  std::vector<std::string> solves = {"linearized", "mixed", "mixed3"};
  std::vector<std::string> cases;  ///< of bench machines
  std::vector<int> sizes;
  int largest_net = 80, linear_machines = 20;  ///< of bench linear
  std::string svg, write, campaign;
  std::vector<std::string> files;  ///< of bench balance and bench linear
};

/// Adds every benchmark as a command below `bench`; `start` gets the name of the one that was asked
/// for and returns the exit code.
void add_bench_arguments(Command& bench, const std::shared_ptr<BenchOptions>& options,
                         const std::function<int(const std::string& name)>& start);

}  // namespace hawser
