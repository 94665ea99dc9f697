// Whether two cables have gone through each other, found without the library's contact.
#pragma once

#include <vector>

#include "contact/straight_parts.h"
#include "hawser/state.h"
#include "model/model_data.h"

namespace hawser {

/// The cables as chains of straight parts, three a bent element.
using Chains = std::vector<std::vector<StraightPart>>;

inline Chains chains_of(const ModelData& model, const State& state) {
  Chains out(model.scene.cables.size());
  for (const Fields* part : model.fields) {
    const ElementRun& run = part->run;
    const int cuts = run.curved ? 3 : 1;
    for (int e = 0; e < run.elements; ++e) {
      const auto point = [&](int k) {
        const auto weights = part->weights(static_cast<double>(k) / cuts, false);
        Vec3 x = Vec3::Zero();
        for (int i = 0; i < 4; ++i)
          x += weights[static_cast<size_t>(i)] *
               Eigen::Map<const Vec3>(state.q.data() + 6 * (run.first_node + e) + 3 * i);
        return x;
      };
      for (int k = 0; k < cuts; ++k)
        out[static_cast<size_t>(run.cable)].push_back({{point(k), point(k + 1)}});
    }
  }
  return out;
}

/// Two parts whose ends move on straight lines: the volume that they span changes its sign where
/// they are in one plane; they cross if they do so within both.
inline bool lines_cross(const StraightPart& a0, const StraightPart& b0, const StraightPart& a1,
                        const StraightPart& b1) {
  const auto at = [](const StraightPart& from, const StraightPart& to, double t) {
    return StraightPart{
        {from.end[0] + t * (to.end[0] - from.end[0]), from.end[1] + t * (to.end[1] - from.end[1])}};
  };
  const auto volume = [&](double t) {
    const StraightPart a = at(a0, a1, t), b = at(b0, b1, t);
    return a.along().cross(b.along()).dot(a.end[0] - b.end[0]);
  };
  double low = 0, high = 1;
  const double start = volume(0);
  if (!(start * volume(1) < 0)) return false;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (volume(middle) * start > 0 ? low : high) = middle;
  }
  const StraightPart a = at(a0, a1, low), b = at(b0, b1, low);
  const Eigen::Vector3d u = a.along(), w = b.along(), d = a.end[0] - b.end[0];
  const double uu = u.dot(u), ww = w.dot(w), uw = u.dot(w), determinant = uu * ww - uw * uw;
  if (determinant < 1e-8 * uu * ww) return false;
  const double s = (uw * w.dot(d) - ww * u.dot(d)) / determinant,
               t = (uu * w.dot(d) - uw * u.dot(d)) / determinant;
  return s > 0 && s < 1 && t > 0 && t < 1;
}

/// Of the first two cables, from a step to the next.
inline bool chains_cross(const Chains& before, const Chains& after) {
  if (before.size() < 2) return false;
  for (size_t i = 0; i < before[0].size(); ++i)
    for (size_t j = 0; j < before[1].size(); ++j)
      if (lines_cross(before[0][i], before[1][j], after[0][i], after[1][j])) return true;
  return false;
}

}  // namespace hawser
