#include "serve/hello.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "hawser/error.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "record/solid_mesh.h"
#include "report/drawing.h"
#include "run/compile.h"
#include "scene/edit.h"

namespace hawser {
namespace {

using LiveJson = nlohmann::json;

constexpr size_t many_channels = 400;  ///< beyond, only those of the scene and the default ones

const char* model_name(CableModel model) {
  return model == CableModel::ancf ? "ancf" : model == CableModel::np_fem ? "np-fem" : "massless";
}

LiveJson cables_json(const LiveRun& run, const FrameMaker& frames) {
  LiveJson out = LiveJson::array();
  const Scene& scene = run.model().scene();
  for (size_t i = 0; i < scene.cables.size(); ++i) {
    const Cable& cable = scene.cables[i];
    const Shape& shape = frames.shapes().cables()[i];
    const auto [diameter, strength] = diameter_and_strength(cable);
    const bool massless = cable.model == CableModel::massless;
    out.push_back({{"name", cable.name},
                   {"model", model_name(cable.model)},
                   {"diameter", diameter},
                   {"breaking_load", strength},
                   {"length", shape.s.back()},
                   {"points", shape.points()},
                   {"s", shape.s},
                   {"breaks", breaks_of(shape.s)},
                   {"can_cut", !massless || cuts_of(run.model().mesh(), i).empty()},
                   {"can_pull", !massless}});
  }
  return out;
}

LiveJson bodies_json(const Scene& scene) {
  LiveJson out = LiveJson::array();
  for (const Body& body : scene.bodies) {
    LiveJson entry = solid_json(body.shape);
    entry["name"] = body.name;
    entry["mass"] = body.mass;
    out.push_back(std::move(entry));
  }
  return out;
}

/// It sets a speed, or asks for one: let go, it goes back to zero.
bool is_rate(const LiveRun& run, size_t input) {
  const Input& given = run.model().scene().inputs[input];
  return run.model().data().rate_inputs[input] != 0 || given.unit == "m/s" ||
         given.unit == "rad/s" || given.unit == "rad s^-1";
}

LiveJson inputs_json(const LiveRun& run) {
  LiveJson out = LiveJson::array();
  const Scene& scene = run.model().scene();
  for (size_t k = 0; k < scene.inputs.size(); ++k) {
    const Input& input = scene.inputs[k];
    if (input.hidden) continue;
    const auto limit = [](double value) {
      return std::isfinite(value) ? LiveJson(value) : LiveJson();
    };
    out.push_back({{"name", input.name},
                   {"unit", input.unit},
                   {"from", limit(input.from)},
                   {"to", limit(input.to)},
                   {"value", run.state().inputs[k].setting},
                   {"smoothing", input.smoothing},
                   {"rate", is_rate(run, k)},
                   {"feedback", input.feedback.has_value()}});
  }
  return out;
}

/// What people may want to plot; not all of it exists for every part.
std::vector<std::string> possible_channels(const Scene& scene) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& name, std::initializer_list<const char*> quantities) {
    for (const char* quantity : quantities) out.push_back(name + "." + quantity);
  };
  for (const Body& body : scene.bodies)
    add(body.name, {"position", "velocity", "acceleration", "angular_velocity", "orientation"});
  for (const Cable& cable : scene.cables)
    add(cable.name, {"tension@start", "tension@end", "tension@max", "tension@min", "length",
                     "rest_length", "strain@max", "curvature@max", "utilisation@max",
                     "position@start", "position@0.5", "position@end", "velocity@0.5"});
  for (const Joint& joint : scene.joints) add(joint.name, {"force", "torque", "turn", "travel"});
  for (const SlidingJoint& joint : scene.sliding_joints)
    add(joint.name, {"place", "speed", "friction", "force"});
  for (const Support& support : scene.supports) add(support.name, {"force", "moment", "position"});
  out.emplace_back("momentum");
  return out;
}

std::vector<Column> columns_of(const LiveRun& run, const std::vector<std::string>& names) {
  return Channels(run.model(), names).columns();
}

void add_new(const std::vector<Column>& columns, std::vector<Column>& out) {
  for (const Column& column : columns)
    if (std::none_of(out.begin(), out.end(),
                     [&](const Column& known) { return known.name == column.name; }))
      out.push_back(column);
}

std::vector<Column> plottable(const LiveRun& run) {
  std::vector<Column> out = columns_of(run, recorded_channels(run.file(), run.model()));
  add_new(columns_of(run, default_channels(run.model())), out);
  const std::vector<std::string> more = possible_channels(run.model().scene());
  if (more.size() > many_channels) return out;
  for (const std::string& name : more) try {
      add_new(columns_of(run, {name}), out);
    } catch (const Error&) {  // this part has none
    }
  return out;
}

void add_channels_json(const LiveRun& run, LiveJson& out) {
  LiveJson channels = LiveJson::array(), plots = LiveJson::array();
  for (const Column& column : plottable(run))
    channels.push_back({{"name", column.name}, {"unit", column.unit}});
  for (const Column& column : columns_of(run, recorded_channels(run.file(), run.model())))
    plots.push_back(column.name);
  out["channels"] = channels;
  out["plots"] = plots;
}

/// The box around everything as it is.
void add_box(const LiveRun& run, const FrameMaker& frames, LiveJson& out) {
  Eigen::AlignedBox3d box;
  for (const Shape& shape : frames.shapes().cables())
    for (size_t i = 0; i < shape.s.size(); ++i) box.extend(Vec3(Vec3::Map(&shape.position[3 * i])));
  const Scene& scene = run.model().scene();
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const Vec3 half = Vec3::Constant(scene.bodies[i].shape.size.maxCoeff() / 2);
    box.extend(frames.shapes().bodies()[i].position - half);
    box.extend(frames.shapes().bodies()[i].position + half);
  }
  for (const Support& support : scene.supports) box.extend(support.position);
  if (box.isEmpty()) box.extend(Vec3(Vec3::Zero()));
  out["low"] = vector_json(box.min());
  out["high"] = vector_json(box.max());
}

/// For a first legend.
LiveJson ranges_json(const FrameMaker& frames) {
  double tension = 0, strain = 0, curvature = 0;
  for (const Shape& shape : frames.shapes().cables())
    for (size_t i = 0; i < shape.s.size(); ++i) {
      tension = std::max(tension, shape.tension[i]);
      strain = std::max(strain, shape.strain[i]);
      curvature = std::max(curvature, shape.curvature[i]);
    }
  return {{"tension", {0, tension}},
          {"strain", {0, strain}},
          {"curvature", {0, curvature}},
          {"speed", {0, 1}},
          {"climb", {-1, 1}}};
}

LiveJson fields_json(const std::string& text) {
  LiveJson out = LiveJson::array();
  for (const SceneField& field : scene_fields(text))
    out.push_back({{"path", field.path}, {"value", field.value}, {"line", field.line}});
  return out;
}

}  // namespace

std::string hello_text(const LiveRun& run, const FrameMaker& frames, const HelloFacts& facts) {
  const SceneFile& file = run.file();
  const Scene& scene = run.model().scene();
  LiveJson out = drawing_of(scene);
  out["type"] = "hello";
  out["protocol"] = 1;
  out["version"] = program_version();
  out["layout"] = facts.layout;
  out["reason"] = facts.reason;
  out["title"] = file.title;
  out["description"] = file.description;
  out["file"] = file.file;
  out["editable"] = facts.editable;
  out["scene"] = facts.text;
  out["step"] = file.solve.step;
  out["until"] = file.until;
  out["gravity"] = vector_json(scene.gravity);
  out["solve"] = solve_text(file.solve);
  out["cables"] = cables_json(run, frames);
  out["bodies"] = bodies_json(scene);
  out["inputs"] = inputs_json(run);
  out["fields"] = fields_json(facts.text);
  out["colours"] = ranges_json(frames);
  add_channels_json(run, out);
  add_box(run, frames, out);
  return out.dump(-1, ' ', false, LiveJson::error_handler_t::replace);
}

}  // namespace hawser
