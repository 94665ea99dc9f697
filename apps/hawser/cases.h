// The published cases, made of the scenes that ship with Hawser.
#pragma once

#include "hawser/scene.h"

namespace hawser {

/// scenes/pendulum-westin-irani.yaml for a Young's modulus [Pa].
Scene westin_irani_pendulum(double youngs_modulus, int elements = 10);

/// scenes/roll-up.yaml with half its moment, all at once: a semicircle (Wu et al. 2022, example 1).
Scene semicircle(int elements);

/// scenes/pendulum-wu.yaml (Wu et al. 2022, example 2, after Gerstmayr & Shabana 2006).
Scene gerstmayr_shabana_pendulum(int elements);

}  // namespace hawser
