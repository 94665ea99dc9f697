// The ground under cable elements, four consecutive ones side by side: what it stores, and what a
// linearization on the other side of one of its kinks leaves out.
#pragma once

#include "base/inline.h"
#include "elements/node_pair.h"
#include "loads/element_surroundings.h"

namespace hawser::HAWSER_ISA {

/// The nodes of four elements, as the templates over the scalar take them.
HAWSER_INLINE NodeEnds<Pack> ends_of(const NodePair& x) { return {x.left, x.right}; }

template <bool slopes>
double ground_energy_of(const SurroundedElements& run, const double* q) {
  const Surroundings& s = run.surroundings;
  Pack sum(0.0);
  for (int e = 0; e < run.elements; e += 4) {
    const NodePair at(q + node_size * (run.first_node + e));
    Pack depth[Surroundings::point_count], squares(0.0);
    ground_depths<slopes>(s, ends_of(at), depth);
    for (int g = 0; g < Surroundings::point_count; ++g) {
      const Pack within = larger(depth[g], Pack(0.0));
      squares += Pack(s.points[g].w) * within * within;
    }
    sum += select(held_lanes(run.elements - e), squares);
  }
  return s.ground.stiffness / 2 * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

inline double ground_energy(const SurroundedElements& run, const double* q) {
  return run.surroundings.slopes ? ground_energy_of<true>(run, q) : ground_energy_of<false>(run, q);
}

/// Depth where it is largest or smallest: at points, in a straight element at its nodes.
template <bool slopes>
struct ExtremeDepths {
  static constexpr int count = slopes ? Surroundings::point_count : 2;
  Pack depth[count];

  HAWSER_INLINE ExtremeDepths(const Surroundings& s, const detail::Upward<slopes, Pack>& height) {
    for (int k = 0; k < count; ++k)
      depth[k] = Pack(s.height) - (slopes ? height.at(s.points[k]) : height.x[2 * k]);
  }
};

template <bool slopes>
HAWSER_INLINE Pack deepest_of(const Surroundings& s, const NodePair& q) {
  const ExtremeDepths<slopes> at(s, {s, ends_of(q)});
  Pack out = at.depth[0];
  for (const Pack& depth : at.depth) out = larger(out, depth);
  return out;
}

/// Depth and sinking of four elements.
template <bool slopes>
struct PackFooting {
  const Surroundings& s;
  detail::Upward<slopes, Pack> height, rise;

  HAWSER_INLINE PackFooting(const Surroundings& of, const NodePair& q, const NodePair& v)
      : s(of), height(of, ends_of(q)), rise(of, ends_of(v)) {}
  [[nodiscard]] HAWSER_INLINE Pack depth(int g) const {
    return Pack(s.height) - height.at(s.points[g]);
  }
  [[nodiscard]] HAWSER_INLINE Pack sinking(int g) const { return -rise.at(s.points[g]); }
  /// By how much it is deeper than it sinks or rises in tau, at least: positive where it is
  /// carried.
  [[nodiscard]] HAWSER_INLINE Pack carried_by() const {
    const ExtremeDepths<slopes> at(s, height);
    Pack least;
    for (int k = 0; k < at.count; ++k) {
      const Pack speed = slopes ? rise.at(s.points[k]) : rise.x[2 * k];
      const Pack by = at.depth[k] - Pack(s.ground.damping) * larger(speed, -speed);
      least = k > 0 ? -larger(-least, -by) : by;
    }
    return least;
  }
};

/// Largest of what is misjudged at the points of four elements, in lanes that are held.
template <bool slopes>
HAWSER_INLINE void misjudged_pack(const Surroundings& s, const PackFooting<slopes>& now,
                                  const PackFooting<slopes>& ahead, Pack held, Pack& error,
                                  Pack& push) {
  const Pack none(0.0);
  const auto size = [](Pack x) { return larger(x, -x); };
  for (int g = 0; g < Surroundings::point_count; ++g) {
    const Pack depth = now.depth(g), sinking = now.sinking(g), before = ahead.depth(g);
    const Pack linear = footing(s.ground, before, ahead.sinking(g)).push(depth, sinking);
    const Pack real = footing(s.ground, depth, sinking).push(depth, sinking);
    // Where a point leaves faster than the ground follows, what the ground has stored has a kink.
    const Pack stored = Pack(s.ground.stiffness) *
                        (choose(before, none, depth, none) - choose(depth, none, depth, none));
    error = larger(error, select(held, larger(size(real - linear), size(stored))));
    push = larger(push, select(held, larger(real, size(linear))));
  }
}

template <bool slopes>
void misjudged_of(const SurroundedElements& run, const SurroundingsIo& io,
                  LoadKernels::Misjudged& out) {
  const Surroundings& s = run.surroundings;
  Pack error(0.0), push(0.0);
  for (int e = 0; e < run.elements; e += 4) {
    const int node = node_size * (run.first_node + e);
    const NodePair q(io.q + node), q_ahead(io.q_ahead + node);
    const Pack deepest = larger(deepest_of<slopes>(s, q), deepest_of<slopes>(s, q_ahead));
    if (!any_positive(deepest)) continue;
    const PackFooting<slopes> now(s, q, NodePair(io.v + node)),
        ahead(s, q_ahead, NodePair(io.v_ahead + node));
    const Pack lifted = larger(-now.carried_by(), -ahead.carried_by());
    const Pack held = held_lanes(run.elements - e);
    push = larger(push, select(held, Pack(s.ground.stiffness) * deepest));
    if (any_positive(select(held, lifted)))
      misjudged_pack<slopes>(s, now, ahead, held, error, push);
  }
  const double most = largest_lane(error), hardest = largest_lane(push);
  out.error = most > out.error ? most : out.error;
  out.push = hardest > out.push ? hardest : out.push;
}

inline void misjudged(const SurroundedElements& run, const SurroundingsIo& io,
                      LoadKernels::Misjudged& out) {
  run.surroundings.slopes ? misjudged_of<true>(run, io, out) : misjudged_of<false>(run, io, out);
}

}  // namespace hawser::HAWSER_ISA
