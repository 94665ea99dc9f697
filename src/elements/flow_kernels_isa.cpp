// Compiled once for each instruction set; see cmake and kernels.cpp.
#include "elements/flow_kernels.h"

namespace hawser::HAWSER_ISA {

void assemble_flow(const FlowPack& at, const FlowAssembly& io);
void assemble_flow(const FlowPack& at, const FlowAssembly& io) { assemble_flow_pack(at, io); }
void flow_energy(const FlowPack& at, const FlowEnergyIo& io, FlowEnergy& out);
void flow_energy(const FlowPack& at, const FlowEnergyIo& io, FlowEnergy& out) {
  flow_pack_energy(at, io, out);
}
void flow_axial_update(const FlowPack& at, const FlowAxialUpdateIo& io, FlowAxialChange& out);
void flow_axial_update(const FlowPack& at, const FlowAxialUpdateIo& io, FlowAxialChange& out) {
  flow_pack_axial_update(at, io, out);
}

}  // namespace hawser::HAWSER_ISA
