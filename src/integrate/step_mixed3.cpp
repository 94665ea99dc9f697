#include "integrate/engine.h"
namespace hawser {
Status step_mixed3(Engine& e, State& state, double h) { return step_mixed(e, state, h); }
}  // namespace hawser
