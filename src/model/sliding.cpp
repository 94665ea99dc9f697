// Compiles sliding joints: a scalar for the place of each on its cable, and its rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "constraints/slide_rows.h"
#include "hawser/error.h"
#include "model/frames.h"
#include "model/mesh.h"
#include "model/model_data.h"

namespace hawser {
namespace {

/// The nodes over which a joint may slide: those of the elements between its stops, and one more on
/// either side. Throws Error where the slope of the cable jumps between the stops.
CableCurve curve_of(const ModelData& model, const SlidingJoint& joint, int cable) {
  const ErrorObject who("sliding joint", joint.name);
  const auto c = static_cast<size_t>(cable);
  const std::vector<double>& all = model.mesh.s[c];
  if (!cuts_of(model.mesh, c).empty())
    throw Error(who, fmt::format("cable '{}', which is cut", joint.cable), "a cable in one piece",
                "What slides along a cable that is cut is not modelled.");
  for (const Fields* part : model.fields_of(cable))
    if (part->run.flows)
      throw Error(who,
                  fmt::format("cable '{}', which flows over pulleys or is paid out", joint.cable),
                  "a cable with a constant length and without pulleys and eyelets");
  const double low = std::max(joint.stops.lowest, all.front()),
               high = std::min(joint.stops.highest, all.back());
  auto first = std::upper_bound(all.begin(), all.end() - 1, low) - 1;
  auto last = std::lower_bound(all.begin() + 1, all.end(), high);
  for (auto at = first; at != last; ++at)
    if (*at == *(at + 1) && *at > low && *at < high)
      throw Error(who,
                  fmt::format("the direction of cable '{}' jumps at {:.6g} m, where its section "
                              "changes or a stop of its route holds it",
                              joint.cable, *at),
                  "a cable that is smooth between the stops of the joint",
                  "Give `stops` on one side of this place.");
  CableCurve out;
  while (*first == *(first + 1)) ++first;
  while (*last == *(last - 1)) --last;
  if (first != all.begin() && *(first - 1) < *first) --first;
  if (last + 1 != all.end() && *(last + 1) > *last) ++last;
  out.s.assign(first, last + 1);
  out.first_node = model.cables[c].first_node + static_cast<int>(first - all.begin());
  out.curved = model.fields_of(cable).front()->run.curved;
  return out;
}

/// Where a cable is nearest to a point: by trial, then by Newton's method.
double nearest_place(const CableCurve& curve, const double* q, const Vec3& to, double low,
                     double high) {
  const auto gap = [&](double s) {
    return (CableCurve::point(curve.weights(s), q).r - to).squaredNorm();
  };
  constexpr int trials = 32;  // per element
  const int n = trials * static_cast<int>(curve.s.size());
  double best = low;
  for (int i = 1; i <= n; ++i)
    if (const double s = low + (high - low) * i / n; gap(s) < gap(best)) best = s;
  for (int i = 0; i < 30; ++i) {
    const CableCurve::Point on = CableCurve::point(curve.weights(best), q);
    const double slope = on.r1.dot(on.r - to), rise = on.r1.squaredNorm() + on.r2.dot(on.r - to);
    const double next =
        std::clamp(best - slope / (rise > 0 ? rise : on.r1.squaredNorm()), low, high);
    if (next == best || gap(next) > gap(best)) break;
    best = next;
  }
  return best;
}

void check_on_cable(const SlidingJoint& joint, const CableCurve& curve, const Vec3& on,
                    const Vec3& at) {
  const double gap = (on - at).norm(), reach = 1e-6 * (curve.s.back() - curve.s.front());
  if (gap <= reach) return;
  throw Error(ErrorObject("sliding joint", joint.name),
              fmt::format("'{}' at [{:.6g}, {:.6g}, {:.6g}] m, {:.4g} m off cable '{}'", joint.body,
                          at.x(), at.y(), at.z(), gap, joint.cable),
              "a body that starts on the cable",
              fmt::format("Move it to [{:.9g}, {:.9g}, {:.9g}] m, or start at rest with `initial: "
                          "static`.",
                          on.x(), on.y(), on.z()));
}

}  // namespace

void lay_sliding_joints(ModelData& model) {
  for (const SlidingJoint& joint : model.scene.sliding_joints) {
    SlideData data;
    data.name = joint.name;
    data.friction = joint.friction;
    data.leaves = joint.leaves;
    data.scalar = add_scalar(model);
    model.mechanism.slides.push_back(std::move(data));
  }
}

void start_sliding_joints(ModelData& model) {
  for (size_t i = 0; i < model.mechanism.slides.size(); ++i) {
    SlideData& data = model.mechanism.slides[i];
    const SlidingJoint& joint = model.scene.sliding_joints[i];
    const ErrorObject who("sliding joint", joint.name);
    const int cable = find_cable(model.scene, joint.cable, who);
    data.coordinate = model.structure.scalar(data.scalar);
    data.curve = curve_of(model, joint, cable);
    const std::vector<double>& all = model.mesh.s[static_cast<size_t>(cable)];
    data.lowest = std::max(joint.stops.lowest, all.front());
    data.highest = std::min(joint.stops.highest, all.back());
    const FrameRef frame = find_frame(model.scene, joint.body, who);
    const auto body = static_cast<size_t>(frame.body);
    data.point = {model.mechanism.bodies[body].node, frame.body, frame.position, -1};
    const Vec3 at = frame_start(model.scene, frame);
    const double* q = model.q0.data();
    const double s = nearest_place(data.curve, q, at, data.lowest, data.highest);
    const CableCurve::Weights weights = data.curve.weights(s);
    const CableCurve::Point on = CableCurve::point(weights, q);
    if (model.scene.initial == Initial::rest) {  // its equilibrium is searched for from there
      const int first = node_size * data.point.node;
      for (int k = 0; k < 3; ++k) model.q0[static_cast<size_t>(first + k)] += on.r[k] - at[k];
    } else {
      check_on_cable(joint, data.curve, on.r, at);
      data.point.position += model.mechanism.orientation[body].conjugate() * (on.r - at);
    }
    const Body& b = model.scene.bodies[body];
    const Vec3 moves = b.velocity + b.angular_velocity.cross(at - b.position) -
                       CableCurve::point(weights, model.v0.data()).r;
    model.q0[static_cast<size_t>(data.coordinate)] = s;
    model.v0[static_cast<size_t>(data.coordinate)] = on.r1.dot(moves) / on.r1.squaredNorm();
  }
}

void constrain_sliding_joints(ModelData& model) {
  for (SlideData& data : model.mechanism.slides) {
    RowInfo info;
    info.owner = fmt::format("sliding joint '{}'", data.name);
    data.meet = static_cast<int>(model.rows.size());
    for (int k = 0; k < 3; ++k) {
      std::vector<int> coordinates;
      for (size_t n = 0; n < data.curve.s.size(); ++n) {
        const int first = node_size * (data.curve.first_node + static_cast<int>(n));
        coordinates.push_back(first + k);
        if (data.curve.curved) coordinates.push_back(first + 3 + k);
      }
      coordinates.push_back(node_size * data.point.node + k);
      for (int j = 3; j < node_size; ++j) coordinates.push_back(node_size * data.point.node + j);
      coordinates.push_back(data.coordinate);
      add_row(model, info, std::move(coordinates));
    }
    RowInfo rate = info;
    rate.velocity = true;
    if (data.leaves) data.park = add_row(model, rate, {data.coordinate});
    rate.limited = true;
    if (data.friction > 0) data.hold = add_row(model, rate, {data.coordinate});
    if (data.leaves) continue;
    info.one_sided = true;
    data.low = add_row(model, info, {data.coordinate});
    data.high = add_row(model, info, {data.coordinate});
    if (data.hold < 0) continue;
    int(&stops)[2] = model.rows[static_cast<size_t>(data.hold)].stops;
    stops[0] = data.low, stops[1] = data.high;
  }
  if (!model.mechanism.slides.empty())
    model.constraints.push_back(std::make_shared<SlideRows>(model.mechanism.slides));
}

}  // namespace hawser
