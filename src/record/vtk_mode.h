// The shape of a mode as VTK XML PolyData, for ParaView's filter Warp By Vector.
#pragma once

#include <span>
#include <string>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// Cables as poly-lines and bodies as in vtk_bodies.h, at the state; point data displacement, the
/// shape scaled so that the largest is a tenth of the extent of the scene [m]; cell data part (the
/// cables of the scene, then its bodies); field data TimeValue: the frequency [Hz]. `shape` by
/// coordinate, as Mode::shape.
std::string vtk_mode(const Model& model, const State& at, std::span<const double> shape,
                     double frequency);

}  // namespace hawser
