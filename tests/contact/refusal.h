// Scenes that no model is made of.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "hawser/error.h"
#include "hawser/model.h"

namespace hawser {

/// `text`: part of the message.
inline void expect_refused(const Scene& scene, const std::string& text) {
  try {
    const Model model(scene);
    ADD_FAILURE() << "not refused: " << text;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
  }
}

}  // namespace hawser
