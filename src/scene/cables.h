// Cables and nets: their routes, and what they are fastened to.
#pragma once

#include <map>

#include "scene/supports.h"

namespace hawser {

/// How many elements a net has in all.
long net_elements(const NetText& net);
/// The names of the cables that a net is made of: its rows, then its columns.
std::vector<std::string> thread_names(const std::string& net, const NetText& text);

class CableBuilder {
 public:
  /// The sections have their numbers filled in.
  CableBuilder(ReadContext& context, const SceneText& text, SceneFile& out);

  void add_cable(const Named<CableText>::Entry& entry);
  void add_net(const Named<NetText>::Entry& entry);

 private:
  [[nodiscard]] Section section(const std::string& name, CableModel model) const;
  void check_model(const Named<CableText>::Entry& entry);
  /// Problems of a stop of a route with the model of its cable.
  void check_stop(const Cable& cable, size_t stop, UsedAt used);
  void check_winch(const Cable& cable, size_t stop, UsedAt used);
  [[nodiscard]] bool is_winch(const std::string& name) const;
  /// Problems of the route of a cable with elements, and what may not be meant.
  void check_led(const Named<CableText>::Entry& entry, const Cable& cable);
  [[nodiscard]] Initial shape_of(const Cable& cable) const;
  void warn_of_corners(const Cable& cable, const std::vector<Vec3>& points);
  void warn_of_twist(const std::string& owner, const std::string& section, CableModel model);
  void warn_of_length(const Cable& cable, const std::vector<Vec3>& points);
  /// A knot at every crossing.
  void knot_net(const Named<NetText>::Entry& net);
  void add_thread(Cable thread, const Named<NetText>::Entry& net, Stop from, Stop to);

  ReadContext& c_;
  SceneFile& out_;
  std::map<std::string, const SectionText*> sections_;
};

}  // namespace hawser
