// Compiles winches: a node for the turn of each drum, its rows and the term of all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "constraints/winch_rows.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/sections.h"
#include "model/tangents.h"

namespace hawser {
namespace {

/// Which row of a cable is at the drum of a winch; -1: none.
int row_at_drum(const Mechanism& mechanism, int coordinate) {
  for (const DrumEndData& end : mechanism.drum_ends)
    if (end.drum.coordinate == coordinate) return end.supply_row();
  for (const RouteData& route : mechanism.routes) {
    const WoundOn &first = route.stops.front().drum, &last = route.stops.back().drum;
    if (first.winding && first.coordinate == coordinate) return route.runs.front().row;
    if (last.winding && last.coordinate == coordinate) return route.runs.back().row;
  }
  return -1;
}

/// The rows of a cable with mass where it leaves the drum.
DrumEndData unwind(ModelData& model, const HandOver& h) {
  const Scene& scene = model.scene;
  Mechanism& m = model.mechanism;
  const Cable& cable = scene.cables[static_cast<size_t>(h.cable)];
  const Stop& stop = cable.route.front();
  const ErrorObject who("cable", cable.name);
  WinchData& winch = m.winches[static_cast<size_t>(find_winch(scene, stop.on, who))];
  winch.mass = cable.sections.front().mass;
  const std::vector<double> ends =
      section_ends(cable, model.mesh.s[static_cast<size_t>(h.cable)].back());
  for (size_t k = 1; k < ends.size(); ++k)
    winch.sections.push_back(
        {winch.winding->angle(winch.winding->length(winch.start) + ends[k - 1]),
         cable.sections[k].mass - cable.sections[k - 1].mass});
  const FrameRef frame = find_stop(scene, stop, who);
  const int body_node = frame.body < 0 ? -1 : m.bodies[static_cast<size_t>(frame.body)].node;
  DrumEndData out;
  out.node = h.node;
  out.flow = model.structure.scalar(h.scalar);
  out.drum = {winch.winding, winch.coordinate(), winch.start, winch.winding->length(winch.start)};
  out.centre = {body_node, frame.body, frame.position, -1};
  out.axis = {body_node, frame.body, winch.axis};
  const Eigen::Quaterniond turned = frame.body < 0 ? Eigen::Quaterniond::Identity()
                                                   : m.orientation[static_cast<size_t>(frame.body)];
  const Vec3 outward =
      turned.conjugate() * (tangent_spans(scene, cable).front().from - frame_start(scene, frame));
  out.start = {body_node, frame.body,
               (outward - winch.axis.dot(outward) * winch.axis).normalized()};
  out.wrap = static_cast<int>(m.wrap.size());
  m.wrap.push_back(0);
  if (cable.model == CableModel::np_fem) {
    out.beside = out.node + 1;
    const std::vector<double>& s = model.mesh.s[static_cast<size_t>(h.cable)];
    out.length = s[1] - s[0];
  }
  const int slope = out.beside < 0 ? node_size * out.node + 3 : node_size * out.beside;
  std::vector<int> coordinates;
  for (const int first : {node_size * out.node, slope})
    for (int k = 0; k < 3; ++k) coordinates.push_back(first + k);
  coordinates.insert(coordinates.end(), {out.flow, winch.coordinate()});
  for (int k = 0; body_node >= 0 && k < node_size; ++k)
    coordinates.push_back(node_size * body_node + k);
  out.row = static_cast<int>(model.rows.size());
  RowInfo info;
  info.owner = fmt::format("cable '{}' on winch '{}'", cable.name, winch.name);
  for (int r = 0; r < DrumEndData::rows; ++r) add_row(model, info, coordinates);
  return out;
}

class WinchRowsBuilder {
 public:
  WinchRowsBuilder(ModelData& model, const Winch& winch, const WinchData& data)
      : model_(model), winch_(winch), data_(data) {}

  WinchRowData build() {
    WinchRowData out;
    out.coordinate = data_.coordinate();
    out.start = data_.start;
    out.power = data_.power;
    out.brake = data_.brake;
    if (winch_.brake)
      out.brake_data = *winch_.brake;
    else
      out.brake_data.on = 0.0;
    out.slack_switch = winch_.slack_switch;
    out.name = winch_.name;
    out.command = winch_.motor.value;
    out.cable_row = row_at_drum(model_.mechanism, out.coordinate);
    out.hold = add("the brake of winch", false, true);
    model_.rows.back().sharing = false;  // of all rows over the turn this one is exact
    if (winch_.motor.kind == Motor::Kind::rate) {
      out.turn_rate = winch_.motor.value;
      out.most_torque = winch_.motor.most_torque;
      const bool limited = std::isfinite(out.most_torque) || winch_.slack_switch;
      out.rate = add("the motor of winch", false, limited);
    }
    out.least = data_.start - data_.winding->capacity();
    out.most = data_.start - 2 * std::numbers::pi * winch_.turns_kept;
    if (std::isfinite(out.least)) out.full = add("the full drum of winch", true, false);
    out.empty = add("the empty drum of winch", true, false);
    return out;
  }

 private:
  int add(const char* what, bool stop, bool limited) {
    RowInfo info;
    info.owner = fmt::format("{} '{}'", what, winch_.name);
    info.sharing = true;
    info.one_sided = stop;
    info.velocity = !stop;
    info.limited = limited;
    return add_row(model_, std::move(info), {data_.coordinate()});
  }

  ModelData& model_;
  const Winch& winch_;
  const WinchData& data_;
};

}  // namespace

bool is_drum(const ModelData& model, int node) {
  const Mechanism& m = model.mechanism;
  const auto turns = [node](const WinchData& winch) { return winch.node == node; };
  return std::any_of(m.winches.begin(), m.winches.end(), turns) ||
         std::any_of(m.wheels.begin(), m.wheels.end(), turns);
}

void lay_winches(ModelData& model) {
  const Instant start = model.start();
  std::vector<InputMotion> inputs = model.inputs;
  for (const Winch& winch : model.scene.winches) {
    WinchData data;
    data.name = winch.name;
    data.node = add_node(model, true);
    data.inertia = winch.inertia;
    data.winding = std::make_shared<Winding>(winch.drum);
    data.start = data.winding->angle(winch.wound);
    data.motor = winch.motor;
    data.power = inputs.size();
    data.brake = inputs.size() + 1;
    const bool on = winch.brake && winch.brake->on.at(start).value > 0.5;
    inputs.push_back(InputMotion::at_rest(1));
    inputs.push_back(InputMotion::at_rest(on ? 1 : 0));
    const FrameRef frame = find_frame(model.scene, winch.on, ErrorObject("winch", winch.name));
    data.axis = winch.axis.normalized();
    if (frame.body >= 0)
      data.axis =
          model.scene.bodies[static_cast<size_t>(frame.body)].orientation.normalized().conjugate() *
          data.axis;
    model.mechanism.winches.push_back(std::move(data));
  }
  model.inputs = std::move(inputs);
  model.rate_inputs.resize(model.inputs.size(), 0);
}

void constrain_winches(ModelData& model) {
  Mechanism& m = model.mechanism;
  if (m.winches.empty()) return;
  for (const HandOver& h : model.hand_overs)
    if (h.kind == HandOver::Kind::supply &&
        is_wound(model.scene.cables[static_cast<size_t>(h.cable)]))
      m.drum_ends.push_back(unwind(model, h));
  if (!m.drum_ends.empty()) model.constraints.push_back(std::make_shared<DrumEnds>(m.drum_ends));
  std::vector<HeldCoordinate> held;
  for (size_t i = 0; i < m.winches.size(); ++i) {
    const Winch& winch = model.scene.winches[i];
    WinchData& data = m.winches[i];
    const ErrorObject owner("winch", winch.name);
    const FrameRef frame = find_frame(model.scene, winch.on, owner);
    if (frame.body >= 0) {
      data.body_node = m.bodies[static_cast<size_t>(frame.body)].node;
      couple(model, data.node, data.body_node);
    }
    for (int k = 1; k < 3; ++k) held.push_back({data.coordinate() + k, 0.0, owner});
    m.winch_rows.push_back(WinchRowsBuilder(model, winch, data).build());
  }
  model.constraints.push_back(std::make_shared<WinchRows>(m.winch_rows, std::move(held)));
}

void add_winch_term(ModelData& model) {
  std::vector<WinchData> winches = model.mechanism.winches;
  winches.insert(winches.end(), model.mechanism.wheels.begin(), model.mechanism.wheels.end());
  if (winches.empty()) return;
  const auto& pairs = model.structure.pairs;
  for (WinchData& winch : winches) {
    if (winch.body_node < 0) continue;
    const std::pair both(winch.node, winch.body_node);
    winch.pair = static_cast<int>(std::find(pairs.begin(), pairs.end(), both) - pairs.begin());
  }
  model.terms.push_back(std::make_shared<Winches>(std::move(winches)));
  model.facts.combine(model.terms.back()->facts());
}

}  // namespace hawser
