// Reads the names of channels (record.h says what they mean).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hawser/record.h"

namespace hawser {

/// A channel's name in parts, checked against the scene.
struct ChannelName {
  enum class Subject {
    cable,
    body,
    frame,
    joint,
    winch,
    sliding_joint,
    support,
    contact,
    energy,
    momentum,
    input
  } subject = Subject::cable;
  int index = 0;           ///< in the scene's list of them
  std::string owner;       ///< its name, "energy", "momentum" or "input"
  std::string quantity;    ///< "position", "length", "work"; of an input its name
  std::string components;  ///< "xyz" of a vector, "wxyz" of an orientation; empty: a scalar
  int component = -1;      ///< the one asked for; -1: all, or a scalar
  std::string unit;
  enum class At { nowhere, spot, min, max } at = At::nowhere;
  double s = 0;            ///< At::spot: unstretched arc length [m]
  double fraction = 0;     ///< the same by the length of the cable
  bool is_length = false;  ///< given as a length
  /// Instead of these: a distance along the cable as it is at the moment.
  struct FromStop {
    int stop = 0;         ///< of the route: its first, its last or a hand-over
    bool after = true;    ///< towards the end of the cable, else towards its start
    double distance = 0;  ///< stretched [m]
  };
  std::optional<FromStop> from_stop;
  std::string place;  ///< as it was written; of a contact the name of a shape
  int stop = -1;      ///< of the route, for `wrap` and `slip`

  /// Name of the column of one component; of the scalar when c is -1.
  [[nodiscard]] std::string column(int c) const;
};

/// Names that stand for several (reactions, energy, momentum) written out.
std::vector<std::string> expand_channels(const Model& model, const std::vector<std::string>& names);

/// What `reactions` stands for, but for the joints.
std::vector<std::string> reactions_of(const Model& model);

/// Throws Error for names that mean nothing.
ChannelName read_channel(const Model& model, const std::string& name);

}  // namespace hawser
