// A swinging cable, through nothing but the installed headers.
#include <hawser/error.h>
#include <hawser/integrator.h>
#include <hawser/measure.h>
#include <hawser/run.h>
#include <hawser/scene.h>

#include <cmath>
#include <cstdio>

int main() {
  hawser::Cable rope;
  rope.name = "rope";
  rope.sections = {hawser::Section::round(0.02, 1e9, 1500)};
  rope.route = {hawser::Stop::hold("hook"), {10, 0, 0}};
  hawser::Scene scene;
  scene.supports.emplace_back().name = "hook";
  scene.cables.push_back(rope);

  const hawser::Model model(scene);
  hawser::Integrator integrator(model, hawser::SolveOptions{.step = 1e-3});
  hawser::State state = integrator.start();
  if (integrator.advance(state, 0.1) != hawser::Status::ok) {
    std::puts(integrator.failure().message().c_str());
    return 1;
  }
  const double fall = -state.position(model.node(hawser::Place::end("rope"))).z();
  const double free_fall = 9.81 * 0.1 * 0.1 / 2;
  std::printf("after %g s the free end fell %g m, energy %g J\n", state.t, fall,
              hawser::energy(model, state).total());
  if (!(std::abs(fall - free_fall) < 0.05 * free_fall)) return 1;

  const hawser::SceneFile file = hawser::read_scene_text(R"(
sections: {cord: {EA: 1 kN, mass: 0.1 kg/m}}
supports: {hook: {position: [0, 0, 0]}}
cables: {tether: {section: cord, route: [hook, [1 m, 0, 0]]}}
record: {channels: [tether.position@end]}
)",
                                                         "swing.yaml");
  const hawser::RunPlan plan = hawser::plan_run(file, hawser::compile(file));
  for (const hawser::Column& column : plan.columns)
    std::printf("%s [%s] every %g s\n", column.name.c_str(), column.unit.c_str(), plan.every);
  if (plan.columns.size() != 3) return 1;

  scene.cables.push_back(rope);  // the same name twice
  try {
    const hawser::Model refused(scene);
    return 1;
  } catch (const hawser::Error& error) {
    std::puts(error.what());
  }
}
