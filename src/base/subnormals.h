// Numbers below 2e-308, which a processor handles a hundred times slower than others.
//
// Large scenes make them: what a step does to one end of a net decays from mesh to mesh, and far
// away falls below any number. There it is zero for all purposes.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace hawser {

/// How this thread computes.
inline unsigned floating_mode() {
#if defined(__SSE2__)
  return _mm_getcsr();
#else
  return 0;
#endif
}
inline void set_floating_mode([[maybe_unused]] unsigned mode) {
#if defined(__SSE2__)
  _mm_setcsr(mode);
#endif
}

/// While it lives, results of this thread that would be subnormal are zero; those that are there
/// already count as they are. Elsewhere than on x86 nothing changes.
class FlushSubnormals {
 public:
  FlushSubnormals() : before_(floating_mode()) { set_floating_mode(before_ | flush_to_zero); }
  ~FlushSubnormals() { set_floating_mode(before_); }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  static constexpr unsigned flush_to_zero = 0x8000;  ///< of MXCSR
  unsigned before_;
};

}  // namespace hawser
