#include "constraints/arc_rows.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace hawser {
namespace {

/// 1 + eps/2 of a row, with the tension as the step began.
double with_strain(const ArcData& arc, const RowsAt& at, size_t row, size_t end) {
  return 1 + arc.crossing * at.state.multipliers[row] / arc.EA[end];
}

/// The strain of the cable that sticks, with the tensions as the step began.
double stuck_strain(const ArcData& arc, const State& state) {
  const double* T = state.multipliers.data() + arc.row;
  return (T[0] / arc.EA[0] + T[1] / arc.EA[1]) / 2 +
         state.run_length[static_cast<size_t>(arc.run) + 2];
}

/// Unstretched cable that has run over the pulley since the step began, from A to B [m].
double run_over(const ArcData& arc, const double* q, const double* began) {
  double sum = 0;
  for (const int flow : arc.flows) sum += began[flow] - q[flow];
  return sum / 2;
}

}  // namespace

ArcPlace::ArcPlace(const ArcData& arc, const double* q, const Poses& poses,
                   const std::vector<double>& wrap)
    : centre(poses.point(arc.centre, q)),
      axis(poses.direction(arc.axis, q).value),
      angle(arc.angle) {
  for (const size_t i : {0u, 1u}) {
    const Vec3 from = Eigen::Map<const Vec3>(q + node_size * arc.nodes[i]) - centre.value;
    outward[i] = (from - axis.dot(from) * axis).normalized();
    along[i] = axis.cross(outward[i]);
    const Vec3 start = poses.direction(arc.start[i], q).value;
    const double turned = std::atan2(axis.cross(start).dot(outward[i]), start.dot(outward[i]));
    constexpr double turn = 2 * std::numbers::pi;
    const double near = wrap[static_cast<size_t>(arc.wrap) + i];
    moved[i] = turned + turn * std::round((near - turned) / turn);
    angle += i == 0 ? -moved[i] : moved[i];
  }
}

void ArcRows::evaluate_free(const ArcData& arc, const ArcPlace& place, const RowsAt& at,
                            RowValues& out) {
  const auto row = static_cast<size_t>(arc.row);
  const Vec3 turned = place.along[1] - place.along[0];
  out.off_drums[row] = at.rows[row].off_drums(at.q);
  out.phi[row] = at.q[arc.flows[1]] - at.q[arc.flows[0]] - arc.radius * place.angle;
  out.rate[row] = turned.dot(at.poses.velocity(arc.centre));
  double* g = out.G.data() + at.rows[row].first_entry;
  for (int i = 0; i < 3; ++i) *g++ = place.along[0][i];
  for (int i = 0; i < 3; ++i) *g++ = -place.along[1][i];
  *g++ = -with_strain(arc, at, row, 0);
  *g++ = with_strain(arc, at, row, 1);
  if (arc.centre.node < 0) return;
  const Vec6 on_body = place.centre.gradient(turned);
  for (int i = 0; i < node_size; ++i) *g++ = on_body[i];
}

void ArcRows::evaluate_side(const ArcData& arc, const ArcPlace& place, size_t side, double stuck,
                            const RowsAt& at, RowValues& out) {
  const double sign = side == 0 ? 1 : -1;
  const auto row = static_cast<size_t>(arc.row) + side;
  out.off_drums[row] = at.rows[row].off_drums(at.q);
  const double angle = arc.angle / 2 - sign * place.moved[side];
  const Vec3 along = sign * place.along[side];
  const double crept = stuck * run_over(arc, at.q, at.state.q.data());
  out.phi[row] = at.state.run_length[static_cast<size_t>(arc.run) + side] + sign * crept -
                 sign * at.q[arc.flows[side]] - arc.radius * angle;
  if (arc.turn >= 0) out.phi[row] -= sign * arc.radius * at.q[arc.turn];
  out.rate[row] = -along.dot(at.poses.velocity(arc.centre));
  const RowInfo& info = at.rows[row];
  double* g = out.G.data() + info.first_entry;
  std::fill_n(g, info.coordinates.size(), 0.0);
  for (size_t i = 0; i < 3; ++i) g[3 * side + i] = along[static_cast<int>(i)];
  g[6 + side] = -sign * with_strain(arc, at, row, side);
  if (arc.turn >= 0) g[info.coordinates.size() - 1] = -sign * arc.radius;
  if (arc.centre.node < 0) return;
  Vec6 on_body = place.centre.gradient(-along);
  const Matrix3& R = at.poses.rotation[static_cast<size_t>(arc.centre.body)];
  on_body.tail<3>() -= sign * arc.radius * (R.transpose() * place.axis);
  for (int i = 0; i < node_size; ++i) g[8 + i] = on_body[i];
}

void ArcRows::evaluate_eyelet(const ArcData& arc, const RowsAt& at, RowValues& out) {
  for (const size_t side : {0u, 1u}) {
    const double sign = side == 0 ? 1 : -1;
    const auto row = static_cast<size_t>(arc.row) + side;
    out.phi[row] =
        at.state.run_length[static_cast<size_t>(arc.run) + side] - sign * at.q[arc.flows[side]];
    out.rate[row] = 0;
    double* g = out.G.data() + at.rows[row].first_entry;
    g[side] = -sign * with_strain(arc, at, row, side);
    g[1 - side] = 0;
  }
  const Vec3 before = arc.direction(0, at.q), after = arc.direction(1, at.q);
  out.wrap_angle[static_cast<size_t>(arc.rub)] =
      std::atan2(before.cross(after).norm(), before.dot(after));
}

/// Rows that never act; where the cable has left the pulley stays known.
void ArcRows::evaluate_off(const ArcData& arc, const RowsAt& at, RowValues& out) {
  for (int r = arc.row - arc.rows_before(); r < arc.row + arc.rows(); ++r)
    out.phi[static_cast<size_t>(r)] = 1;
  for (const size_t i : {0u, 1u})
    if (arc.radius > 0)
      out.wrap[static_cast<size_t>(arc.wrap) + i] =
          at.state.wrap[static_cast<size_t>(arc.wrap) + i];
}

bool ArcRows::evaluate(const RowsAt& at, RowValues& out) {
  for (size_t k = 0; k < arcs_.size(); ++k) {
    const ArcData& arc = arcs_[k];
    if (arc.off()) {
      evaluate_off(arc, at, out);
      continue;
    }
    if (!(arc.radius > 0)) {
      evaluate_eyelet(arc, at, out);
      continue;
    }
    const ArcPlace place(arc, at.q, at.poses, at.state.wrap);
    angles_[k] = place.angle;
    for (const size_t i : {0u, 1u}) out.wrap[static_cast<size_t>(arc.wrap) + i] = place.moved[i];
    if (arc.rub < 0) {
      evaluate_free(arc, place, at, out);
      continue;
    }
    stuck_[k] = at.t > at.state.t ? stuck_strain(arc, at.state) : 0;  // at rest nothing runs
    for (const size_t side : {0u, 1u}) evaluate_side(arc, place, side, stuck_[k], at, out);
    out.wrap_angle[static_cast<size_t>(arc.rub)] = std::max(0.0, place.angle);
  }
  return true;
}

void ArcRows::add_curvature(const double* q, const Poses& poses, const double* lambda,
                            double weight, const MatrixSink& sink) const {
  for (const ArcData& arc : arcs_) {
    if (arc.off() || !(arc.radius > 0) || arc.centre.node < 0) continue;
    const Operand centre = poses.point(arc.centre, q);
    const Vec3 axis = poses.direction(arc.axis, q).value;
    Vec3 force = Vec3::Zero();  // on the centre
    for (const size_t end : {0u, 1u}) {
      const int row = arc.rub < 0 ? arc.row : arc.row + static_cast<int>(end);
      const Vec3 from = Eigen::Map<const Vec3>(q + node_size * arc.nodes[end]) - centre.value;
      force += (end == 0 ? -lambda[row] : lambda[row]) * axis.cross(from).normalized();
    }
    Block66 block = Block66::Zero();
    centre.add_curvature(force, weight, block);
    add_node_block(sink, arc.centre.node, block.data());
  }
}

/// What the strain of the cable that sticks makes of the step; returns the work of creep.
double ArcRows::creep(const ArcData& arc, double stuck, const TakenStep& step, State& state) {
  double* kept = state.run_length.data() + arc.run;
  const double over = run_over(arc, state.q.data(), state.q_before.data());
  kept[0] += stuck * over;
  kept[1] -= stuck * over;
  const double T[2] = {step.mean[arc.row], step.mean[arc.row + 1]};
  const double eps[2] = {T[0] / arc.EA[0], T[1] / arc.EA[1]};
  const double arrives = (over > 0 ? eps[0] - eps[1] : eps[1] - eps[0]) / 2;
  const double lies = arc.radius * step.values.wrap_angle[static_cast<size_t>(arc.rub)];
  kept[2] += (arrives - kept[2]) * (lies > 0 ? -std::expm1(-std::abs(over) / lies) : 1);
  return -over * (stuck * (T[0] - T[1]) - (T[0] * eps[0] - T[1] * eps[1]) / 2);
}

double ArcRows::accept(const TakenStep& step, State& state) const {
  double work = 0;
  for (size_t k = 0; k < arcs_.size(); ++k) {
    const ArcData& arc = arcs_[k];
    if (arc.rub < 0 || arc.off()) continue;
    if (arc.radius > 0 && stuck_[k] != 0) work += creep(arc, stuck_[k], step, state);
    int& slips = step.activity[step.rows.size() + static_cast<size_t>(arc.rub)];
    work +=
        slip_between(step, arc.row, arc.row + 1, 0, slips, state.run_length.data() + arc.run).work;
  }
  return work;
}

std::string ArcRows::ending(const double*, const double*, double, const Poses&) const {
  constexpr double far_off = -0.5;  // [rad]
  for (size_t k = 0; k < arcs_.size(); ++k) {
    const ArcData& arc = arcs_[k];
    if (!(arc.radius > 0) || arc.off()) continue;
    if (angles_[k] < far_off)
      return fmt::format(
          "{} comes off within one step. Use shorter steps, and change to renewed_mesh() after "
          "every step",
          arc.owner);
  }
  return {};
}

}  // namespace hawser
