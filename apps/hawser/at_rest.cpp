#include "at_rest.h"

#include <stdexcept>

#include "hawser/integrator.h"
#include "hawser/statics.h"

namespace hawser {

State at_rest(const Model& model) {
  State state = Integrator(model, {}).start();
  if (const StaticReport report = equilibrium(model, state); !report.converged)
    throw std::runtime_error("no equilibrium found: " + report.message);
  return state;
}

}  // namespace hawser
