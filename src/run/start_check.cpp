#include "run/start_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/model_data.h"
#include "model/sections.h"
#include "model/shape.h"

namespace hawser {
namespace {

/// Strain energy of the stretch of one cable [J].
double stretch_energy(const ModelData& model, int cable, const State& state) {
  const CableSpan& span = model.cables[static_cast<size_t>(cable)];
  EnergyParts sum;
  for (int i = span.first_run; i < span.first_run + span.runs; ++i)
    model.terms[static_cast<size_t>(i)]->add_energy(
        {state.now(), state.q.data(), state.v.data(), nullptr, nullptr}, sum);
  return sum.axial;
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
    const CableFields fields = model.data().fields_of(static_cast<int>(i));
    const double whole = length_of(fields, start.q.data());
    double longest = 0;
    for (const Fields* part : fields) longest = std::max(longest, part->run.length);
    const double stored = stretch_energy(model.data(), static_cast<int>(i), start);
    const double should = catenary_energy(model.scene(), cable, model.data().routes[i]);
    if (stored <= factor * should + mean_section(cable, whole).EA * whole * strain * strain / 2)
      continue;
    out.push_back(
        fmt::format("cable '{}' starts with {:.3g} J of strain energy, the catenary has {:.3g} J: "
                    "elements of {:.3g} m are too long for its curvature. Use more elements",
                    cable.name, stored, should, longest));
  }
  return out;
}

}  // namespace hawser
