// Compiled once for each instruction set; see cmake and kernels.cpp.
#include "elements/flow_kernels.h"

namespace hawser::HAWSER_ISA {

void assemble_flow(const FlowElementIn& in, FlowElementOut& out);
void assemble_flow(const FlowElementIn& in, FlowElementOut& out) { flow_element(in, out); }

}  // namespace hawser::HAWSER_ISA
