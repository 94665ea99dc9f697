#include "run/start_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "elements/kernel_io.h"
#include "model/model_data.h"
#include "model/shape.h"

namespace hawser {
namespace {

/// Strain energy of the stretch of one cable [J].
double stretch_energy(const ModelData& model, int cable, const State& state) {
  double sum = 0;
  for (const AncfBatch& batch : model.batches_of(cable)) {
    BatchEnergy part{};
    kernels().energy(batch, {state.q.data(), state.v.data(), nullptr, nullptr}, part);
    sum += part.axial;
  }
  return sum;
}

}  // namespace

std::vector<std::string> false_stress_warnings(const Model& model, const State& start) {
  constexpr double factor = 4;     // of energy: twice the force
  constexpr double strain = 1e-5;  // false strain that is let pass, however slack the cable
  std::vector<std::string> out;
  for (size_t i = 0; i < model.scene().cables.size(); ++i) {
    const Cable& cable = model.scene().cables[i];
    if (cable.model == CableModel::massless ||
        cable.initial.value_or(model.scene().initial) != Initial::catenary)
      continue;
    double longest = 0, whole = 0;
    for (const AncfBatch& batch : model.data().batches_of(static_cast<int>(i))) {
      longest = std::max(longest, batch.parameters.length);
      whole += batch.elements * batch.parameters.length;
    }
    const double stored = stretch_energy(model.data(), static_cast<int>(i), start);
    const double should = catenary_energy(model.scene(), cable);
    if (stored <= factor * should + cable.section.EA * whole * strain * strain / 2) continue;
    out.push_back(
        fmt::format("cable '{}' starts with {:.3g} J of strain energy, the catenary has {:.3g} J: "
                    "elements of {:.3g} m are too long for its curvature. Use more elements",
                    cable.name, stored, should, longest));
  }
  return out;
}

}  // namespace hawser
