#include "elements/cable_elements.h"

#include <algorithm>
#include <cmath>

#include "elements/kernel_io.h"

namespace hawser {

Facts CableElements::facts() const {
  Facts out;
  out.by_velocity = out.lossy = batch_.parameters.mass_damping > 0;
  return out;
}

void CableElements::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  AssemblyIo io;
  io.q = at.q;
  io.b = wanted.b;
  io.v = at.v;
  io.force = sums.force;
  io.inertia = sums.inertia;
  io.force_n = wanted.axial;
  io.force_star = wanted.axial_star;
  io.strain_r = wanted.strain_r;
  io.mass_weight = wanted.mass_weight;
  io.stiffness_weight = wanted.stiffness_weight;
  io.damping_weight = wanted.damping_weight;
  io.sink = sums.sink;
  if (const ViscousTerms* viscous = wanted.viscous) {
    io.axial_factor = viscous->axial_factor[number_];
    io.bending_factor = viscous->bending_factor[number_];
    io.viscous_force = viscous->force.data();
    io.viscous_moment = viscous->moment.empty() ? nullptr : viscous->moment.data();
  }
  kernels().elements->assemble(batch_, io, wanted.tangent);
}

void CableElements::add_mass_times(const double*, const double* b, double* out) const {
  kernels().elements->mass_times(batch_, b, out);
}

void CableElements::add_lossy(const Configuration& at, double* scratch, double* out) const {
  if (batch_.parameters.mass_damping == 0) return;
  kernels().elements->mass_times(alone_, at.v, scratch);
  const int first = node_size * batch_.first_node;
  const int last = first + node_size * (batch_.elements + 1);
  for (int c = first; c < last; ++c) out[c] -= batch_.parameters.mass_damping * scratch[c];
}

void CableElements::add_energy(const EnergyState& at, EnergyParts& out) const {
  BatchEnergy part{};
  kernels().elements->energy(batch_, {at.q, at.v, at.axial, at.viscous_force}, part);
  out.kinetic += part.kinetic;
  out.axial += part.axial;
  out.bending += part.bending;
}

void CableElements::update_axial(AxialUpdate& update) const {
  constexpr double no_strain = 1e-6;  // whose force is none
  AxialUpdateIo io;
  io.d = update.d;
  io.force_star = update.axial_star;
  io.strain_r = update.strain_r;
  io.force = update.axial;
  if (update.viscous) io.factor = update.viscous->axial_factor[number_];
  const AxialChange change = kernels().elements->axial_update(batch_, io);
  update.turned = std::max(update.turned, change.turned);
  update.pushes |= change.pushes;
  update.missing = std::max(
      update.missing, change.missing / (change.largest + no_strain * batch_.parameters.law.EA));
}

void CableElements::set_scales(double* arm, double* size) const {
  const double length = batch_.parameters.length;
  const int first = node_size * batch_.first_node;
  const int last = first + node_size * (batch_.elements + 1);
  for (int c = first; c < last; ++c)
    if (c % node_size < 3) {
      size[c] = std::min(size[c], length);
    } else {
      arm[c] = length;
      size[c] = 1;
    }
}

double CableElements::turn(const double* q, const double* motion) const {
  using Vector = Eigen::Map<const Eigen::Vector3d>;
  double most = 0;
  for (int e = 0; e <= batch_.elements; ++e) {
    const int at = node_size * (batch_.first_node + e);
    most =
        std::max(most, Vector(motion + at + 3).norm() / std::max(1.0, Vector(q + at + 3).norm()));
    if (e == batch_.elements) continue;
    const double chord = (Vector(q + at + node_size) - Vector(q + at)).norm();
    const double apart = (Vector(motion + at + node_size) - Vector(motion + at)).norm();
    most = std::max(most, apart / std::max(batch_.parameters.length, chord));
  }
  return most;
}

}  // namespace hawser
