#include "run/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "hawser/inspect.h"
#include "hawser/integrator.h"
#include "hawser/record.h"
#include "model/fidelity.h"
#include "run/expectations.h"
#include "run/start_check.h"

namespace hawser {
namespace {

/// "cables.NAME" of the cable, support, joint, body or condition that an error is about, or empty.
std::string path_of(const ErrorObject& object) {
  if (object.kind == "cable") return "cables." + object.name;
  if (object.kind == "support") return "supports." + object.name;
  if (object.kind == "joint") return "joints." + object.name;
  if (object.kind == "sliding joint") return "sliding_joints." + object.name;
  if (object.kind == "winch") return "winches." + object.name;
  if (object.kind == "body") return "bodies." + object.name;
  if (object.kind == "input") return "inputs." + object.name;
  if (object.kind == "condition") return "conditions." + object.name;
  return {};
}

}  // namespace

void LateErrors::keep(const std::string& path, const Error& error) {
  if (const auto* several = dynamic_cast<const SceneError*>(&error)) {  // have their places
    problems_.insert(problems_.end(), several->problems().begin(), several->problems().end());
    return;
  }
  const std::string place = file_.sources.contains(path) ? path : path_of(error.object());
  if (!file_.sources.contains(place) && file_.file.empty()) {  // a scene made by a program
    problems_.emplace_back(error.what());
    return;
  }
  const SceneError placed = at_source(file_, place, error);
  problems_.insert(problems_.end(), placed.problems().begin(), placed.problems().end());
}

void LateErrors::throw_if_any() const {
  if (!problems_.empty()) throw SceneError(problems_);
}

/// The model that `make` makes; its errors have their places in the file.
template <class Make>
static Model made(const SceneFile& file, const Make& make) {
  LateErrors errors(file);
  std::unique_ptr<Model> model;
  errors.attempt({}, [&] { model = std::make_unique<Model>(make()); });
  errors.throw_if_any();
  return *model;
}

Model compile(const SceneFile& file) {
  return made(file, [&] { return Model(file.scene); });
}

Model compile(const SceneFile& file, const Mesh& mesh) {
  return made(file, [&] { return Model(file.scene, mesh); });
}

std::vector<std::string> recorded_channels(const SceneFile& file, const Model& model) {
  if (file.record.channels.empty()) return default_channels(model);
  LateErrors errors(file);
  for (size_t i = 0; i < file.record.channels.size(); ++i)
    errors.attempt(fmt::format("record.channels[{}]", i),
                   [&] { const Channels known(model, {file.record.channels[i]}); });
  errors.throw_if_any();
  return file.record.channels;
}

void check_slack(const SceneFile& file, const std::vector<std::string>& channels) {
  const auto& cables = file.scene.cables;
  if (std::none_of(cables.begin(), cables.end(),
                   [](const Cable& c) { return c.when_slack.has_value(); }))
    return;
  const Model slack = made(file, [&] { return Model(file.scene, slack_mesh(file.scene)); });
  LateErrors errors(file);
  errors.attempt("solve", [&] { const Integrator checked(slack, file.solve); });
  errors.attempt("record", [&] { const Channels checked(slack, channels); });
  errors.attempt("inputs", [&] { (void)feedback_of(file, slack); });
  errors.attempt("expect", [&] { const Expectations checked(file, slack); });
  errors.throw_if_any();
}

Feedback feedback_of(const SceneFile& file, const Model& model) {
  LateErrors errors(file);
  std::optional<Feedback> out;
  errors.attempt({}, [&] { out.emplace(model); });
  errors.throw_if_any();
  return std::move(*out);
}

std::vector<std::string> warnings_before(const SceneFile& file, const Model& model,
                                         const State* start) {
  std::vector<std::string> out = file.warnings;
  for (const Expectation& e : file.expect)
    if (e.time > file.until)
      out.push_back(fmt::format(
          "expectation '{}' is at t = {:g} s, after the end of the run at {:g} s, and is "
          "not checked",
          e.name, e.time, file.until));
  const auto add = [&](std::vector<std::string> more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  add(warnings(model, file.solve, file.until));
  if (start) {
    add(start_warnings(model, *start));
    add(false_stress_warnings(model, *start));
  }
  return out;
}

}  // namespace hawser
