// The published cases, made of the scenes that ship with Hawser.
#pragma once

#include <string>
#include <vector>

#include "hawser/scene_file.h"

namespace hawser {

/// A scene that ships with Hawser, with changes as `--set` takes them.
SceneFile shipped(const std::string& name, const std::vector<std::string>& sets = {});

/// scenes/pendulum-westin-irani.yaml for a Young's modulus [Pa].
Scene westin_irani_pendulum(double youngs_modulus, int elements = 10);

/// scenes/submerged-westin-irani.yaml with a speed of the pin [m/s]; `explicit_drag`: drag is not
/// stiff.
Scene westin_irani_submerged(double speed, bool explicit_drag);

/// scenes/roll-up.yaml with half its moment, all at once: a semicircle (Wu et al. 2022, example 1).
Scene semicircle(int elements);

/// scenes/pendulum-wu.yaml (Wu et al. 2022, example 2, after Gerstmayr & Shabana 2006).
Scene gerstmayr_shabana_pendulum(int elements);

/// scenes/two-boxes.yaml (Servin & Lacoursiere, sec. 5.1).
struct TwoBoxes {
  double stiffness = 1e3, twist_stiffness = 1;  ///< c_s [N/m], c_t [N m]
  double speed = 1, spin = 0;                   ///< between the boxes [m/s], [rad/s]
  double inclination = 0;                       ///< [rad]
};
Scene two_boxes(const TwoBoxes& boxes);

/// scenes/hoist-models.yaml with a model of the rope.
Scene hoist_model(const std::string& model);

/// Nodes of a chain of rigid links that hangs between two points 1 m apart at one height, and its
/// horizontal force H [N]: where Tonin & Braun's cable (4.1) starts its fall.
std::vector<Vec3> tonin_braun_chain(int elements, double& H);
/// scenes/free-fall-tonin-braun.yaml, with other nodes when it has other elements.
Scene tonin_braun_fall(int elements);

/// scenes/pendulum-tonin-braun.yaml from a length [m] with a velocity [m/s] (4.2).
Scene tonin_braun_cone(double reach, double velocity, int elements = 10);

}  // namespace hawser
