// A hanging cable, through nothing but the installed headers.
#include <hawser/scene.h>

#include <cstdio>

int main() {
  hawser::Scene scene;
  hawser::Cable rope;
  rope.name = "rope";
  rope.section = hawser::Section{.EA = 1e5, .EI = 1, .mass = 0.2};
  rope.end = {0, 0, -10};
  scene.cables.push_back(rope);
  scene.pins.push_back({{"rope", 0}});
  std::printf("%zu cable, strength %g\n", scene.cables.size(), hawser::Signal(1.0).at(0).value);
}
