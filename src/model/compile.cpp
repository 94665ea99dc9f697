#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "elements/cable_elements.h"
#include "hawser/error.h"
#include "hawser/model.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/route.h"
#include "model/shape.h"
#include "model/signals.h"

namespace hawser {

int find_cable(const Scene& scene, const std::string& name, const ErrorObject& who) {
  for (size_t i = 0; i < scene.cables.size(); ++i)
    if (scene.cables[i].name == name) return static_cast<int>(i);
  std::string known;
  for (const Cable& c : scene.cables) known += (known.empty() ? "'" : ", '") + c.name + "'";
  throw Error(who, fmt::format("unknown cable '{}'", name), "one of " + known);
}

int find_node(const ModelData& model, const Place& place, const ErrorObject& who) {
  const int cable = find_cable(model.scene, place.cable, who);
  const CableSpan& span = model.cables[static_cast<size_t>(cable)];
  const int node = place.node < 0 ? span.elements + 1 + place.node : place.node;
  if (node < 0 || node > span.elements)
    throw Error(ErrorObject("cable", place.cable, who.text),
                fmt::format("node {} of cable '{}'", place.node, place.cable),
                fmt::format("0 to {}, or -1 to -{} counting from the end", span.elements,
                            span.elements + 1));
  return span.first_node + node;
}

int add_node(ModelData& model, bool narrow) {
  model.structure.narrow.push_back(narrow);
  model.structure.nodes = ++model.nodes;
  return model.nodes - 1;
}

int add_scalar(ModelData& model) { return model.structure.scalars++; }

void couple(ModelData& model, int a, int b) {
  const std::pair pair(std::min(a, b), std::max(a, b));
  auto& pairs = model.structure.pairs;
  if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
}

void require_slope(const ModelData& model, const Place& place, const ErrorObject& who) {
  if (!model.structure.is_narrow(find_node(model, place, who))) return;
  throw Error(ErrorObject("cable", place.cable, who.text),
              fmt::format("the direction of node {} of cable '{}', whose model is np-fem",
                          place.node, place.cable),
              "a node with a direction, of an ancf cable",
              "Use the model ancf for this cable, or constrain and load positions only.");
}

namespace {

void find_inputs(ModelData& model) {
  model.inputs = initial_inputs(model.scene);
  model.rate_inputs.assign(model.inputs.size(), 0);
  visit_signals(model.scene, [&](SignalUse use, const Signal& signal, const auto&) {
    if (use == SignalUse::rate || use == SignalUse::slip)
      for (const size_t k : signal.inputs()) model.rate_inputs[k] = 1;
  });
}

/// Spans whose elements differ in length by no more than rounding share a batch.
bool continues_batch(const AncfBatch& batch, double element_length) {
  return std::abs(element_length - batch.parameters.length) <= 1e-12 * element_length;
}

AncfBatch make_batch(const ModelData& model, const Cable& c, const CableSpan& span,
                     double element_length) {
  AncfBatch batch;
  if (c.model == CableModel::np_fem) {
    batch.parameters = np_fem_parameters(element_length, c.section.EA, c.section.mass,
                                         c.lumped_mass, c.tension_only);
    batch.strain = StrainMeasure::engineering;
  } else {
    batch.parameters = ancf_parameters(element_length, {c.section.EA, c.section.EI}, c.section.mass,
                                       c.axial_points, c.bending_points);
    batch.strain = c.strain;
    batch.curvature = c.curvature;
  }
  batch.parameters.mass_damping = c.section.mass_damping;
  batch.first_node = span.first_node + span.elements;
  batch.first_element = span.first_element + span.elements;
  batch.continues = span.runs > 0;
  batch.cable = static_cast<int>(model.cables.size());
  return batch;
}

/// The batches become the first terms of the model.
void add_elements(ModelData& model, std::vector<AncfBatch>& batches) {
  for (size_t i = 0; i < batches.size(); ++i) {
    AncfBatch& batch = batches[i];
    if (batch.continues) {
      const AncfBatch& before = batches[i - 1];
      batch.arc_start = before.arc_start + before.elements * before.parameters.length;
    }
    batch.point_offset = model.point_size;
    model.point_size += batch.point_size();
    batch.bending_offset = model.bending_size;
    model.bending_size += batch.bending_size();
    model.terms.push_back(std::make_shared<CableElements>(batch, i));
    model.fields.push_back(model.terms.back()->fields());
  }
}

void lay_nodes(ModelData& model) {
  std::vector<AncfBatch> batches;
  for (const Cable& c : model.scene.cables) {
    if (c.model == CableModel::massless) {  // no nodes of its own
      model.cables.push_back({model.nodes, -1, static_cast<int>(model.structure.elements.size()),
                              static_cast<int>(batches.size()), 0});
      continue;
    }
    CableSpan span{model.nodes, 0, static_cast<int>(model.structure.elements.size()),
                   static_cast<int>(batches.size()), 0};
    for (const RouteSpan& part : route_of(model.scene, c)) {
      if (span.runs == 0 || !continues_batch(batches.back(), part.element_length())) {
        batches.push_back(make_batch(model, c, span, part.element_length()));
        ++span.runs;
      }
      batches.back().elements += part.elements;
      span.elements += part.elements;
      model.total_mass += c.section.mass * part.length;
      model.total_length += part.length;
    }
    for (int e = 0; e < span.elements; ++e)
      model.structure.elements.emplace_back(span.first_node + e, span.first_node + e + 1);
    for (int i = 0; i <= span.elements; ++i) add_node(model, c.model == CableModel::np_fem);
    model.cables.push_back(span);
  }
  add_elements(model, batches);
  model.stored = model.structure.coordinates();
}

void set_node(ModelData& model, const Cable& c, int node, const Vec3& r, const Vec3& tangent) {
  const Vec3 slope = c.model == CableModel::np_fem ? Vec3(Vec3::Zero()) : tangent;
  const Vec3 v = c.velocity + c.angular_velocity.cross(r - c.start);
  const Vec3 dv = c.angular_velocity.cross(slope);
  const auto at = static_cast<size_t>(node_size * node);
  for (int k = 0; k < 3; ++k) {
    const auto j = static_cast<size_t>(k);
    model.q0[at + j] = r[k];
    model.q0[at + 3 + j] = slope[k];
    model.v0[at + j] = v[k];
    model.v0[at + 3 + j] = dv[k];
  }
}

void set_start(ModelData& model) {
  model.q0.assign(model.padded(), 0);
  model.v0.assign(model.padded(), 0);
  for (size_t i = 0; i < model.cables.size(); ++i) {
    const Cable& c = model.scene.cables[i];
    if (c.model == CableModel::massless) continue;
    int node = model.cables[i].first_node;
    for (const NodeStart& start : lay_cable(model.scene, c))
      set_node(model, c, node++, start.position, start.slope);
  }
}

/// The pattern of G, and the times at which prescribed rates jump.
void finish_rows(ModelData& model) {
  SystemStructure& s = model.structure;
  const int first = static_cast<int>(model.conditions.size());
  s.conditions = static_cast<int>(model.rows());
  for (size_t r = 0; r < model.conditions.size(); ++r)
    for (const auto& [c, f] : model.conditions[r].terms)
      s.condition_entries.push_back({static_cast<int>(r), c, f});
  s.sharing.assign(model.rows(), 0);
  for (size_t r = 0; r < model.mechanism.rows.size(); ++r) {
    const RowInfo& row = model.mechanism.rows[r];
    s.sharing[model.conditions.size() + r] = row.sharing;
    for (const int node : row.nodes)
      for (int k = 0; k < node_size; ++k)
        s.condition_entries.push_back({first + static_cast<int>(r), node_size * node + k, 1.0});
  }
  const auto add = [&](const Signal& signal) {
    model.kinks.insert(model.kinks.end(), signal.kinks().begin(), signal.kinks().end());
  };
  for (const auto& f : model.fixed) add(f.value);
  for (const auto& c : model.conditions) add(c.value);
  for (const auto& motion : model.mechanism.motions)
    for (const Signal& signal : motion) add(signal);
  for (const WorldTurn& turn : model.mechanism.turns) add(turn.angle);
  for (const PartRow& part : model.mechanism.parts) add(part.value);
  for (const RouteData& route : model.mechanism.routes) add(route.payout), add(route.speed);
  for (const RowInfo& row : model.mechanism.rows) add(row.slip);
  std::sort(model.kinks.begin(), model.kinks.end());
  model.kinks.erase(std::unique(model.kinks.begin(), model.kinks.end()), model.kinks.end());
}

/// The diagonal of the box around all nodes and frames.
void find_extent(ModelData& model) {
  Eigen::AlignedBox3d box;
  for (int node = 0; node < model.nodes; ++node)
    box.extend(Vec3(Eigen::Map<const Vec3>(model.q0.data() + node_size * node)));
  for (const Frame& f : model.scene.frames)
    box.extend(frame_start(model.scene, find_frame(model.scene, f.name, "frame")));
  if (!box.isEmpty()) model.extent = box.diagonal().norm();
}

}  // namespace

std::shared_ptr<const ModelData> compile(Scene scene, const Guests& guests) {
  validate(scene);
  auto model = std::make_shared<ModelData>();
  model->scene = std::move(scene);
  find_inputs(*model);
  lay_nodes(*model);
  for (const auto& guest : guests) guest->declare(*model);
  lay_bodies(*model);
  set_start(*model);
  start_bodies(*model);
  for (const auto& guest : guests) guest->start(*model);
  find_extent(*model);
  compile_terms(*model, guests);
  compile_constraints(*model);
  compile_mechanism(*model);
  finish_rows(*model);
  return model;
}

Model::Model(Scene scene) : data_(compile(std::move(scene))) {}

const Scene& Model::scene() const { return data_->scene; }
int Model::nodes() const { return data_->nodes; }
int Model::coordinates() const { return data_->structure.coordinates(); }
int Model::elements() const { return static_cast<int>(data_->structure.elements.size()); }
int Model::cable(const std::string& name) const { return find_cable(data_->scene, name, "cable"); }
int Model::node(const Place& place) const { return find_node(*data_, place, "place"); }
int Model::first_node(int cable) const {
  return data_->cables.at(static_cast<size_t>(cable)).first_node;
}

}  // namespace hawser
