#include "kernels/kernels.h"

#include <cstdlib>
#include <string_view>

#include "hawser/error.h"

namespace hawser {

#ifdef HAWSER_WITH_BASELINE
namespace isa_baseline {
extern const Kernels table;
}
#endif
#ifdef HAWSER_WITH_V3
namespace isa_v3 {
extern const Kernels table;
}
#endif

namespace {

bool baseline_wanted() {
  const char* named = std::getenv("HAWSER_ISA");
  return named != nullptr && std::string_view(named) == "baseline";
}

const Kernels& choose() {
#ifdef HAWSER_WITH_V3
  __builtin_cpu_init();
  const bool runs_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                       __builtin_cpu_supports("bmi2");
  if (runs_v3 && !baseline_wanted()) return isa_v3::table;
#endif
#ifdef HAWSER_WITH_BASELINE
  return isa_baseline::table;
#else
  throw Error("processor",
              baseline_wanted() ? "HAWSER_ISA=baseline" : "a processor without AVX2, FMA and BMI2",
              "kernels for AVX2, FMA and BMI2: this program was built with no others",
              "Build it with kernels for every processor: cmake --preset release "
              "-DHAWSER_BASELINE=ON && cmake --build --preset release");
#endif
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace hawser
