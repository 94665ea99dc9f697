#include "kernels/kernels.h"

#include <cstdlib>
#include <string_view>

namespace hawser {

namespace isa_baseline {
extern const Kernels table;
}
#ifdef HAWSER_WITH_V3
namespace isa_v3 {
extern const Kernels table;
}
#endif

const Kernels& kernels() {
  static const Kernels& chosen = []() -> const Kernels& {
#ifdef HAWSER_WITH_V3
    const char* forced = std::getenv("HAWSER_ISA");
    const bool baseline = forced && std::string_view(forced) == "baseline";
    __builtin_cpu_init();
    if (!baseline && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
      return isa_v3::table;
#endif
    return isa_baseline::table;
  }();
  return chosen;
}

}  // namespace hawser
