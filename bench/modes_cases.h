// Parts of bench_modes().
#pragma once

#include <functional>
#include <string>

#include "bench/report.h"
#include "hawser/scene.h"

namespace hawser {

/// A row of omega [rad/s] against a reference, as frequencies, to 0.1 %.
void add_frequency(BenchReport& report, const std::string& name, const std::string& quantity,
                   double omega, double reference, const std::string& source);

/// The zero of f between low and high, where its sign changes once.
double bisect(const std::function<double(double)>& f, double low, double high);

/// One cable, from the origin, without weight and supports.
Scene straight_cable(const Section& section, const Vec3& end, double length, int elements);

/// Pendulums.
void add_bodies(BenchReport& report);
/// Each law of damping.
void add_damping(BenchReport& report);

}  // namespace hawser
