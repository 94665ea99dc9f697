#include "record/mechanism_probes.h"

#include <algorithm>

namespace hawser {
namespace {

template <size_t n, class Values>
void put(const std::array<int, n>& columns, const Values& value, std::span<double> out) {
  for (size_t i = 0; i < n; ++i)
    if (columns[i] >= 0) out[static_cast<size_t>(columns[i])] = value[static_cast<Eigen::Index>(i)];
}

void put(const Columns& columns, double value, std::span<double> out) {
  out[static_cast<size_t>(columns[0])] = value;
}

}  // namespace

void BodyProbe::sample(const MechanismNow& now, std::span<double> out) const {
  const int node = now.model().mechanism.bodies[static_cast<size_t>(body)].node;
  const State& state = now.state();
  Eigen::Vector4d value = Eigen::Vector4d::Zero();
  switch (what) {
    case What::position:
      value.head<3>() = state.position(node);
      break;
    case What::velocity:
      value.head<3>() = state.velocity(node);
      break;
    case What::acceleration:
      value.head<3>() = Eigen::Map<const Vec3>(state.a.data() + node_size * node);
      break;
    case What::angular_velocity:
      value.head<3>() = now.angular_velocity(body);
      break;
    case What::orientation: {
      const Eigen::Quaterniond o = now.orientation(body);
      value << o.w(), o.vec();
    }
  }
  put(columns, value, out);
}

void FrameProbe::sample(const MechanismNow& now, std::span<double> out) const {
  put(columns, what == What::position ? now.position(frame) : now.velocity(frame), out);
}

void JointProbe::sample(const MechanismNow& now, std::span<double> out) const {
  switch (what) {
    case What::force:
      return put(columns, now.joint(joint).force, out);
    case What::torque:
      return put(columns, now.joint(joint).torque, out);
    case What::turn:
      return put(columns, now.turn(joint), out);
    case What::travel:
      return put(columns, now.travel(joint), out);
  }
}

double RouteProbe::at_place(const MechanismNow& now, OfRun of) const {
  const size_t runs = route->runs.size();
  if (at == At::spot) {
    double left = fraction * now.rest_length(*route);
    size_t run = 0;
    while (run + 1 < runs && left > now.rest_length(*route, run))
      left -= now.rest_length(*route, run++);
    return (now.*of)(*route, run);
  }
  double extreme = (now.*of)(*route, 0);
  for (size_t r = 1; r < runs; ++r) {
    const double x = (now.*of)(*route, r);
    extreme = at == At::max ? std::max(extreme, x) : std::min(extreme, x);
  }
  return extreme;
}

Vec3 RouteProbe::vector(const MechanismNow& now) const {
  const std::span<const Segment> segments = now.segments(*route);
  const bool first = fraction == 0;
  const Vec3 place = first ? segments.front().from : segments.back().to;
  if (what == What::position) return place;
  if (what == What::velocity) return now.velocity(first ? start : end, place);
  return first ? segments.front().tangent : segments.back().tangent;
}

double RouteProbe::scalar(const MechanismNow& now) const {
  double sum = 0;
  switch (what) {
    case What::tension:
      return factor * at_place(now, &MechanismNow::tension);
    case What::strain:
      return at_place(now, &MechanismNow::strain);
    case What::mean_strain:
      for (size_t r = 0; r < route->runs.size(); ++r)
        sum += now.strain(*route, r) * now.rest_length(*route, r);
      return sum / now.rest_length(*route);
    case What::length:
      for (size_t r = 0; r < route->runs.size(); ++r) sum += now.span(*route, r);
      return sum;
    case What::rest_length:
      return now.rest_length(*route);
    case What::paid_out:
      return now.rest_length(*route) - start_length();
    case What::twist:
      return now.twist(*route);
    case What::torque:
      return now.torque(*route);
    default:
      return 0;
  }
}

double RouteProbe::start_length() const {
  double sum = 0;
  for (const RunData& run : route->runs) sum += run.free_length;
  return sum;
}

void StopProbe::sample(const MechanismNow& now, std::span<double> out) const {
  const std::vector<double>& moved = now.state().wrap;
  const bool off = arc && arc->off();
  double& to = out[static_cast<size_t>(column)];
  if (what == What::slip)
    to = off ? 0 : now.slip(static_cast<size_t>(rub));
  else if (arc && arc->radius > 0)
    to = off ? 0 : arc->theta(moved);
  else if (rub >= 0)
    to = now.wrap_angle(static_cast<size_t>(rub));
  else
    to = moved[static_cast<size_t>(wrap) + 1] - moved[static_cast<size_t>(wrap)];
}

void WinchProbe::sample(const State& state, std::span<double> out) const {
  const auto c = static_cast<size_t>(winch->coordinate());
  const double wound = winch->start - state.q[c];
  const auto value = [&]() -> double {
    switch (what) {
      case What::turn:
        return state.q[c];
      case What::speed:
        return state.v[c];
      case What::torque:
        return rows->rate >= 0 ? state.multipliers[static_cast<size_t>(rows->rate)]
                               : winch->torque_at(state.v[c], state.now()).value;
      case What::wound:
        return winch->winding->length(wound);
      case What::layer:
        return winch->winding->layer(wound);
      default:
        return state.multipliers[static_cast<size_t>(rows->hold)];
    }
  };
  out[static_cast<size_t>(column)] = value();
}

void SlideProbe::sample(const State& state, std::span<double> out) const {
  const auto c = static_cast<size_t>(joint->coordinate);
  switch (what) {
    case What::place:
      return put(columns, state.q[c], out);
    case What::speed:
      return put(columns, state.v[c], out);
    case What::friction:
      return put(columns,
                 joint->friction > 0 ? state.multipliers[static_cast<size_t>(joint->hold)] : 0.0,
                 out);
    case What::force:
      return put(columns, joint->force(state), out);
  }
}

void RouteProbe::sample(const MechanismNow& now, std::span<double> out) const {
  if (what == What::position || what == What::velocity || what == What::direction)
    put(columns, vector(now), out);
  else
    put(columns, scalar(now), out);
}

ContactProbe::ContactProbe(const ModelData& model, int number, std::string on, const Columns& into)
    : contact(number), shape(std::move(on)), columns(into) {
  for_contacts(model.terms, [&](const ContactTerm& term) { terms.push_back(&term); });
}

Vec3 ContactProbe::force(const State& state) const {
  Configuration at(state.now(), state.q.data(), state.v.data(), state.orientation.data());
  at.contacts = state.contacts.data();
  at.q_start = state.q.data();
  Vec3 sum = Vec3::Zero();
  for (const ContactTerm* term : terms) sum += term->force_on(contact, shape, at);
  return sum;
}

void ContactProbe::sample(const State& state, std::span<double> out) const {
  put(columns, force(state), out);
}

void SupportProbe::sample(const MechanismNow& now, std::span<double> out) const {
  if (what == What::position)
    return put(columns, first_node >= 0 ? now.state().position(first_node) : now.position(frame),
               out);
  Vec3 sum = Vec3::Zero();
  for (const NodeReaction& place : places) {
    const Reaction reaction = place.at(now);
    sum += what == What::force ? reaction.force : reaction.moment;
  }
  if (ground) {
    const Wrench held = ground->at(now);
    sum += what == What::force ? held.force : held.torque;
  }
  put(columns, sum, out);
}

}  // namespace hawser
