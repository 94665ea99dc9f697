// Compiled once for each instruction set; see cmake and kernels/kernels.cpp.
#include "loads/surroundings_kernels.h"

namespace hawser::HAWSER_ISA {

extern const LoadKernels loads;
const LoadKernels loads = {surroundings, lossy_surroundings, ground_energy, misjudged, added_mass};

}  // namespace hawser::HAWSER_ISA
