// The published cases, as scenes.
#pragma once

#include <string>
#include <vector>

#include "hawser/options.h"
#include "hawser/scene.h"

namespace hawser {

/// Westin & Irani 2022, benchmark 1: 1 m of cable, d = 10 mm, 5000 kg/m^3 (the paper's "kg/m" is a
/// misprint), EI = E x 1e-8 (not pi d^4/64), pinned, released from the horizontal.
Scene westin_irani_pendulum(double youngs_modulus, int elements = 10);

/// Wu et al. 2022, example 1: L = EI = 1, EA = 1e4, clamped, an end moment of pi EI/L bends it into
/// a semicircle.
Scene semicircle(int elements);

/// Gerstmayr & Shabana 2006 / Wu et al. 2022, example 2: a soft pendulum in space, f = 5,
/// I = A^2/12, engineering strain, material curvature.
Scene gerstmayr_shabana_pendulum(int elements);

/// A case that `hawser run` knows by name.
struct NamedCase {
  std::string name, title;
  Scene scene;
  SolveOptions options;
  double until = 1;  ///< [s]
};
std::vector<NamedCase> named_cases();

}  // namespace hawser
