#include "constraints/chord_tangents.h"

namespace hawser {

bool ChordTangents::evaluate(const RowsAt& at, RowValues& out) {
  using Vector = Eigen::Map<const Vec3>;
  for (const ChordTangent& t : all_) {
    const Operand centre = at.poses.point(t.centre, at.q);
    const Vector r(at.q + node_size * t.node), beside(at.q + node_size * t.beside);
    const Vec3 y = r - centre.value, chord = (beside - r) / t.length;
    const auto row = static_cast<size_t>(t.row);
    out.phi[row] = y.dot(chord);
    out.rate[row] = -chord.dot(at.poses.velocity(t.centre));
    double* g = out.G.data() + at.rows[row].first_entry;
    for (int i = 0; i < 3; ++i) *g++ = chord[i] - y[i] / t.length;
    for (int i = 0; i < 3; ++i) *g++ = y[i] / t.length;
    if (t.centre.node < 0) continue;
    const Vec6 on_body = centre.gradient(-chord);
    for (int i = 0; i < node_size; ++i) *g++ = on_body[i];
  }
  return true;
}

}  // namespace hawser
