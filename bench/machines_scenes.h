// The machines that `hawser bench machines` times, each as the text of a scene file. The scripts of
// bench/peers build the same ones for other programs: their numbers are there again.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hawser {

/// A machine of one size. Its scene records one position, for comparison with other programs.
struct TimedMachine {
  std::string name;  ///< "net"
  int size = 0;
  std::string title;                   ///< "net of 10 x 10 meshes"
  std::string text;                    ///< the scene file, h = 1 ms
  int parts = 1;                       ///< knots, joints, blocks or elements
  bool elements = false;               ///< has cables with elements, which spook does not step
  long steps = 0;                      ///< that are timed, from 20 on
  std::optional<double> goal;          ///< CPU time of a step with mixed [us]
  std::optional<double> start_goal{};  ///< CPU time of its start [s]
};

/// Names and sizes, in the order of the table.
std::vector<TimedMachine> timed_machines();

/// `blocks` of 100 kg, each in a bight of one massless rope between hooks, or without the rope.
std::string festoon(int blocks, bool rope);

}  // namespace hawser
