// What a campaign of seeded scenes runs and keeps.
#pragma once

#include <string>

namespace hawser {

struct CampaignOptions {
  int count = 0;
  unsigned seed = 1;
  int only = -1;       ///< only the scene of this number; below zero: all
  std::string folder;  ///< where scenes that show a fault are written; empty: nowhere
};

}  // namespace hawser
