// Writes a results folder for the tests in tests/python: two cables swinging between supports, a
// load that hangs over a sheave on a massless one, an arm on a hinge and a body without a shape.
//
//     result_writer FOLDER                   half a second of it
//     result_writer FOLDER --until-killed    goes on, says after each flush how much is written
#include <cstdio>
#include <cstring>

#include "hawser/error.h"
#include "hawser/integrator.h"
#include "record/csv_sink.h"
#include "record/hdf5_sink.h"
#include "record/mechanisms.h"
#include "record/recorder.h"
#include "record/vtk_sink.h"

namespace hawser {
namespace {

Cable cable(const std::string& name, const Vec3& end, int elements) {
  Cable out;
  out.name = name;
  out.sections = {Section::round(0.01, 1e8, 5000)};
  out.sections[0].breaking_load = 5e3;
  out.route.back() = end;
  out.elements = elements;
  out.velocity = {0, 0.3, 0};
  return out;
}

void add_machine(Scene& scene) {
  const Scene machine = hoist();
  scene.frames = machine.frames;
  scene.supports.insert(scene.supports.end(), machine.supports.begin(), machine.supports.end());
  scene.bodies = machine.bodies;
  scene.cables.push_back(machine.cables[0]);
  scene.bodies[0].velocity = {0, 0.2, 0};
  scene.bodies[0].angular_velocity = {0.5, 0, 2};
  scene.bodies.push_back(solid_body("arm", 2, {3.5, 0, 0}, {1, 0.1, 0.2}));
  scene.bodies.back().shape = {Solid::Kind::cylinder, {0.1, 1, 0}};
  scene.bodies.push_back(solid_body("stone", 2, {4, 4, 0}, {1, 1, 1}));
  scene.bodies.back().shape = {};
  add_frame(scene, "post", "", {3, 0, 0});
  add_frame(scene, "arm.root", "arm", {-0.5, 0, 0});
  add_joint(scene, "hinge", JointKind::hinge, "post", "arm.root", Vec3::UnitY());
}

Scene swinging() {
  Scene scene;
  scene.cables.push_back(cable("tether", {1, 0, 0}, 12));
  scene.cables.push_back(cable("span", {2, 1, 0}, 7));
  scene.supports.resize(2);
  scene.supports[0].name = "hook";
  scene.supports[1].name = "wall";
  scene.supports[1].position = scene.cables[1].route.back().point;
  for (Cable& c : scene.cables) c.route.front() = Stop::hold("hook");
  scene.cables[1].route.back() = Stop::clamp("wall");
  add_machine(scene);
  return scene;
}

Recording recording() {
  Recording out;
  out.every = 0.002;
  out.shapes_every = 0.01;
  for (const char* owner : {"tether", "span"})
    for (const char* channel :
         {".position@start", ".position@end", ".velocity@end", ".tension@start", ".tension@end",
          ".strain@end", ".curvature@start", ".tension@max"})
      out.channels.push_back(std::string(owner) + channel);
  for (const char* more :
       {"rope.position@start", "rope.position@end", "rope.velocity@end", "rope.tension@end",
        "rope.strain@start", "load.position", "load.orientation", "arm.position", "arm.orientation",
        "stone.position", "reactions", "energy", "momentum"})
    out.channels.emplace_back(more);
  return out;
}

/// With all elements of the first cable divided.
Mesh finer(const Model& model) {
  Mesh mesh = model.mesh();
  std::vector<double>& s = mesh.s[0];
  for (size_t i = 0; i < 12; ++i)
    s.insert(s.begin() + static_cast<long>(2 * i) + 1, (s[2 * i] + s[2 * i + 1]) / 2);
  return mesh;
}

int run(const std::string& folder, bool until_killed) {
  const Model model(swinging());
  SolveOptions options;
  Integrator integrator(model, options);
  State state = integrator.start();
  const double until = until_killed ? 1e9 : 0.5;
  Recorder recorder(model, recording(), until, options.step);
  ResultLayout layout = recorder.layout();
  layout.title = "Two cables";
  layout.metadata["scene"] = "made in a test";
  recorder.add(std::make_unique<CsvSink>(folder, layout));
  recorder.add(std::make_unique<Hdf5Sink>(folder, layout));
  recorder.add(std::make_unique<VtkSink>(folder, layout));
  for (long steps = 1;; ++steps) {
    recorder.sample(state);
    if (steps == 200 || steps == 350) {
      integrator.change_mesh(Model(model.scene(), steps == 200 ? finer(model) : model.mesh()),
                             state);
      recorder.change_mesh(integrator.model());
    }
    if (state.t > until - options.step / 2) break;
    if (until_killed && steps % 20 == 0) {
      recorder.flush();
      const SinkPosition& written = recorder.progress().written;
      std::printf("%ld %ld\n", written.rows, written.frames);
      std::fflush(stdout);
    }
    if (integrator.step(state) != Status::ok) {
      std::fputs(integrator.failure().message().c_str(), stderr);
      return 1;
    }
  }
  recorder.finish(state);
  return 0;
}

}  // namespace
}  // namespace hawser

int main(int count, char** arguments) {
  const bool until_killed = count == 3 && std::strcmp(arguments[2], "--until-killed") == 0;
  if (count != 2 && !until_killed) {
    std::fputs("usage: result_writer FOLDER [--until-killed]\n", stderr);
    return 2;
  }
  try {
    return hawser::run(arguments[1], until_killed);
  } catch (const hawser::Error& error) {
    std::fputs(error.what(), stderr);
    return 1;
  }
}
