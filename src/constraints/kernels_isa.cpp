// Compiled once for each instruction set; see cmake and kernels/kernels.cpp.
#include "constraints/joint_kernels.h"

namespace hawser::HAWSER_ISA {

extern const JointKernels joints;
const JointKernels joints = {evaluate_joints, joint_curvature};

}  // namespace hawser::HAWSER_ISA
