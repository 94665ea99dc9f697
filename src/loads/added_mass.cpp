#include "loads/added_mass.h"

#include "kernels/kernels.h"
#include "loads/element_added_mass.h"

namespace hawser {
namespace {

NodeEnds<double> ends(const double* x) { return {x, x + node_size}; }

/// Calls `call(surroundings, first coordinate)` for every element.
template <class Call>
void for_surrounded(const std::vector<SurroundedElements>& runs, const Call& call) {
  for (const SurroundedElements& run : runs)
    for (int e = 0; e < run.elements; ++e) call(run.surroundings, node_size * (run.first_node + e));
}

template <bool slopes>
void add_turning_of_element(const Surroundings& s, const NodeEnds<double>& q,
                            const NodeEnds<double>& v, double out[12]) {
  for (const ShapePoint& p : s.points) {
    const Course<double> course = detail::course_at<slopes>(p, q);
    const double* t = course.t;
    double velocity[3], turning[3], f[3];
    for (int i = 0; i < 3; ++i) {
      velocity[i] = detail::combined<slopes>(p.n, v, i);
      turning[i] = course.per_length * detail::combined<slopes>(p.dn, v, i);
    }
    const double stretching = dot3(t, turning), along = dot3(t, velocity);
    for (int i = 0; i < 3; ++i) turning[i] -= stretching * t[i];
    const double across = dot3(turning, velocity);
    for (int i = 0; i < 3; ++i) f[i] = -s.added_mass / 2 * (turning[i] * along + t[i] * across);
    detail::spread_force<slopes>(p, f, out);
  }
}

}  // namespace

Facts added_mass_facts() {
  Facts out;
  out.ahead = out.by_velocity = out.lossy = true;
  out.constant_mass = false;
  return out;
}

void add_added_mass(const Surroundings& s, const double* q, const double* b, double weight,
                    double product[12], double* block) {
  SurroundedBlock<double> pairs, *asked = block ? &pairs : nullptr;
  s.slopes ? add_mass_of_element<true>(s, ends(q), ends(b), weight, product, asked)
           : add_mass_of_element<false>(s, ends(q), ends(b), weight, product, asked);
  if (block) write_whole(s, pairs, block);
}

void add_turning_mass(const Surroundings& s, const double* q, const double* v, double out[12]) {
  s.slopes ? add_turning_of_element<true>(s, ends(q), ends(v), out)
           : add_turning_of_element<false>(s, ends(q), ends(v), out);
}

void AddedMass::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  if (!wanted.b) return;  // loads alone
  SurroundingsIo io;
  io.q = io.q_ahead = at.q_ahead;
  io.matrix = wanted.matrix() && wanted.mass_weight != 0;
  io.v = io.v_ahead = wanted.b;
  io.weights.velocity = wanted.mass_weight;
  io.force = sums.inertia;
  io.sink = sums.sink;
  for (const SurroundedElements& run : runs_) kernels().loads->added_mass(run, io);
}

void AddedMass::add_mass_times(const double* q, const double* b, double* out) const {
  SurroundingsIo io;
  io.q = q;
  io.v = b;
  io.force = out;
  for (const SurroundedElements& run : runs_) kernels().loads->added_mass(run, io);
}

void AddedMass::add_lossy(const Configuration& at, double*, double* out) const {
  for_surrounded(runs_, [&](const Surroundings& s, int first) {
    add_turning_mass(s, at.q + first, at.v + first, out + first);
  });
}

void AddedMass::add_energy(const EnergyState& at, EnergyParts& out) const {
  for_surrounded(runs_, [&](const Surroundings& s, int first) {
    double product[12] = {};
    add_added_mass(s, at.q + first, at.v + first, 0, product, nullptr);
    for (int i = 0; i < 12; ++i) out.kinetic += at.v[first + i] * product[i] / 2;
  });
}

}  // namespace hawser
