// A cable robot: four winches hold a platform, and a PD law moves it to a target.
#include <hawser/run.h>

#include <cstdio>

constexpr const char* robot = R"(
inputs:
  v0: {value: 0 m/s, from: -3 m/s, to: 3 m/s, smoothing: 20 ms}
  v1: {value: 0 m/s, from: -3 m/s, to: 3 m/s, smoothing: 20 ms}
  v2: {value: 0 m/s, from: -3 m/s, to: 3 m/s, smoothing: 20 ms}
  v3: {value: 0 m/s, from: -3 m/s, to: 3 m/s, smoothing: 20 ms}
sections: {rope: {library: wire-rope-6x36, diameter: 8 mm}}
supports: {c0: {position: [-2, -2, 4]}, c1: {position: [2, -2, 4]}, c2: {position: [2, 2, 4]}, c3: {position: [-2, 2, 4]}}
bodies: {platform: {shape: {sphere: 0.2 m}, mass: 20 kg, position: [0, 0, 1]}}
cables:
  w0: {section: rope, model: massless, route: [c0, platform], speed: v0, slip: 1e-5 m/s/N}
  w1: {section: rope, model: massless, route: [c1, platform], speed: v1, slip: 1e-5 m/s/N}
  w2: {section: rope, model: massless, route: [c2, platform], speed: v2, slip: 1e-5 m/s/N}
  w3: {section: rope, model: massless, route: [c3, platform], speed: v3, slip: 1e-5 m/s/N}
solve: {until: 5 s, step: 2 ms}
)";

int main() {
  using hawser::Vec3;
  const Vec3 corners[] = {{-2, -2, 4}, {2, -2, 4}, {2, 2, 4}, {-2, 2, 4}}, target{0.8, -0.5, 2};
  const char* const winches[] = {"v0", "v1", "v2", "v3"};

  hawser::RunOptions options;
  options.control = [&](hawser::Control& c) {
    const Vec3 x(c.read("platform.position.x"), c.read("platform.position.y"),
                 c.read("platform.position.z"));
    const Vec3 v(c.read("platform.velocity.x"), c.read("platform.velocity.y"),
                 c.read("platform.velocity.z"));
    const Vec3 wanted = 3 * (target - x) - 0.2 * v;  // velocity of the platform [m/s]
    for (int i = 0; i < 4; ++i)                      // the rate of each rope's length
      c.set(winches[i], (x - corners[i]).normalized().dot(wanted));
  };

  const hawser::RunReport report =
      hawser::run(hawser::read_scene_text(robot, "robot.yaml"), options);
  const double miss = (report.bodies[0].pose.position - target).norm();
  std::printf("after %g s the platform is %.2g mm from its target\n", report.t, 1e3 * miss);
  return report.end == hawser::RunEnd::finished && miss < 1e-3 ? 0 : 1;
}
