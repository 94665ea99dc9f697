#include "report/diagram.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hawser {
namespace {

using DiagramJson = nlohmann::json;

class DiagramMaker {
 public:
  explicit DiagramMaker(const Scene& scene) : scene_(scene) {}

  DiagramJson run() {
    for (const Support& support : scene_.supports)
      node("support/" + support.name, "support", support.name, "supports." + support.name);
    for (const Body& body : scene_.bodies)
      node("body/" + body.name, "body", body.name, "bodies." + body.name);
    for (const Joint& joint : scene_.joints) {
      const std::string id = "joint/" + joint.name, path = "joints." + joint.name;
      node(id, "joint", joint.name, path);
      line(id, "joint", joint.name, path, {carrier(joint.first), id, carrier(joint.second)});
    }
    for (const Cable& cable : scene_.cables) add_cable(cable);
    return {{"nodes", nodes_}, {"lines", lines_}};
  }

 private:
  void node(const std::string& id, const char* kind, const std::string& name,
            const std::string& path) {
    DiagramJson entry = {{"id", id}, {"kind", kind}, {"name", name}};
    if (!path.empty()) entry["path"] = path;
    nodes_.push_back(std::move(entry));
  }
  void line(const std::string& id, const char* kind, const std::string& name,
            const std::string& path, const std::vector<std::string>& through) {
    DiagramJson entry = {{"id", id}, {"kind", kind}, {"name", name}, {"nodes", through}};
    if (!path.empty()) entry["path"] = path;
    lines_.push_back(std::move(entry));
  }

  /// The body or the support that a name means.
  [[nodiscard]] std::string carrier(const std::string& name) const {
    for (const Support& support : scene_.supports)
      if (support.name == name) return "support/" + name;
    for (const Frame& frame : scene_.frames)
      if (frame.name == name) return "body/" + frame.body;
    return "body/" + name;
  }

  void add_cable(const Cable& cable) {
    std::vector<std::string> through;
    for (size_t k = 0; k < cable.route.size(); ++k) {
      const Stop& stop = cable.route[k];
      if (has_winch(cable, k)) {
        const std::string& name = winch_name(cable, k);
        const Winch* drum = drum_of(scene_, stop);
        through.push_back("winch/" + name);
        node(through.back(), "winch", name, drum != nullptr ? "winches." + name : "");
        carry(drum != nullptr ? drum->on : stop.on, through.back());
      } else if (stop.kind == Stop::Kind::free) {
        through.push_back(fmt::format("point/{}/{}", cable.name, k));
        node(through.back(), "point", stop.text(), "");
      } else if (stop.kind == Stop::Kind::over) {
        through.push_back(fmt::format("pulley/{}/{}", cable.name, k));
        node(through.back(), "pulley", stop.on, "");
        carry(stop.on, through.back());
      } else {
        through.push_back(carrier(stop.on));
      }
    }
    line("cable/" + cable.name, "cable", cable.name, "cables." + cable.name, through);
  }

  void carry(const std::string& on, const std::string& what) {
    line("carries/" + what, "carries", "", "", {carrier(on), what});
  }

  const Scene& scene_;
  DiagramJson nodes_ = DiagramJson::array(), lines_ = DiagramJson::array();
};

}  // namespace

nlohmann::json diagram_of(const Scene& scene) { return DiagramMaker(scene).run(); }

bool has_winch(const Cable& cable, size_t stop) {
  if (cable.route[stop].kind == Stop::Kind::wind) return true;
  return stop == 0 && (!cable.payout.is_constant() || cable.drive.kind != Drive::Kind::none);
}

const std::string& winch_name(const Cable& cable, size_t stop) {
  return cable.route[stop].kind == Stop::Kind::wind ? cable.route[stop].on : cable.name;
}

const Winch* drum_of(const Scene& scene, const Stop& stop) {
  if (stop.kind == Stop::Kind::wind)
    for (const Winch& winch : scene.winches)
      if (winch.name == stop.on) return &winch;
  return nullptr;
}

const char* joint_word(JointKind kind) {
  constexpr const char* words[] = {"pin",      "weld",      "hinge",   "slider",
                                   "cylinder", "universal", "distance"};
  return words[static_cast<size_t>(kind)];
}

}  // namespace hawser
