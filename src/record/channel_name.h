// Reads the names of channels (record.h says what they mean).
#pragma once

#include <string>
#include <vector>

#include "hawser/record.h"

namespace hawser {

/// A channel's name in parts, checked against the scene.
struct ChannelName {
  enum class Subject { cable, support, energy, momentum } subject = Subject::cable;
  int index = 0;         ///< of the cable or the support
  std::string owner;     ///< its name, "energy" or "momentum"
  std::string quantity;  ///< "position", "length", "work"
  int component = -1;    ///< x, y, z; -1: all, or a scalar
  bool is_vector = false;
  std::string unit;
  enum class At { nowhere, spot, min, max } at = At::nowhere;
  double s = 0;       ///< At::spot: unstretched arc length [m]
  std::string place;  ///< as it was written

  /// Name of the column of one component; of the scalar when c is -1.
  [[nodiscard]] std::string column(int c) const;
};

/// Names that stand for several (reactions, energy, momentum) written out.
std::vector<std::string> expand_channels(const std::vector<Support>& supports,
                                         const std::vector<std::string>& names);

/// Throws Error for names that mean nothing.
ChannelName read_channel(const Model& model, const std::vector<Support>& supports,
                         const std::string& name);

}  // namespace hawser
