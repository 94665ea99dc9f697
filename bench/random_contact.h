// A campaign of random scenes with contact: ropes thrown at the ground, at shapes, at bodies and at
// each other.
#pragma once

#include <string>

#include "bench/report.h"
#include "hawser/integrator.h"

namespace hawser {

struct ContactCase {
  std::string family;
  Scene scene;
  SolveOptions options;
  double until = 0;    ///< [s]
  double speed = 0;    ///< at which things meet [m/s]
  double courant = 0;  ///< V h over the distance of the points that touch
};
ContactCase random_contact(unsigned seed, int number);

struct ContactVerdict {
  std::string failure;  ///< of the run; empty: none
  double gain = 0;      ///< largest, over what is allowed: more than 1 is a fault
  bool touched = false;
  bool passed = false;  ///< something went through something
  bool not_finite = false;
  double cpu = 0;  ///< [s]
};
ContactVerdict judge_contact(const ContactCase& c);

BenchReport bench_random_contact(int count, unsigned seed, int only);

}  // namespace hawser
