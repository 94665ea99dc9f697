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
      if (k == 0 && has_winch(cable)) {
        through.push_back("winch/" + cable.name);
        node(through.back(), "winch", cable.name, "");
        carry(stop, through.back());
      } else if (stop.kind == Stop::Kind::free) {
        through.push_back(fmt::format("point/{}/{}", cable.name, k));
        node(through.back(), "point", stop.text(), "");
      } else if (stop.kind == Stop::Kind::over) {
        through.push_back(fmt::format("pulley/{}/{}", cable.name, k));
        node(through.back(), "pulley", stop.on, "");
        carry(stop, through.back());
      } else {
        through.push_back(carrier(stop.on));
      }
    }
    line("cable/" + cable.name, "cable", cable.name, "cables." + cable.name, through);
  }

  void carry(const Stop& stop, const std::string& what) {
    line("carries/" + what, "carries", "", "", {carrier(stop.on), what});
  }

  const Scene& scene_;
  DiagramJson nodes_ = DiagramJson::array(), lines_ = DiagramJson::array();
};

}  // namespace

nlohmann::json diagram_of(const Scene& scene) { return DiagramMaker(scene).run(); }

bool has_winch(const Cable& cable) {
  return cable.model == CableModel::massless &&
         (!cable.payout.is_constant() || cable.drive.kind != Drive::Kind::none);
}

const char* joint_word(JointKind kind) {
  constexpr const char* words[] = {"pin",      "weld",      "hinge",   "slider",
                                   "cylinder", "universal", "distance"};
  return words[static_cast<size_t>(kind)];
}

}  // namespace hawser
