// Numbers by which a step is divided.
#pragma once

#include <numbers>

namespace hawser {

/// omega h up to which steps resolve an oscillation: 30 steps a period.
inline constexpr double resolved_angle = 2 * std::numbers::pi / 30;
/// omega h from which on a step of Backward Euler that holds a take-up takes some of its peak.
inline constexpr double cut_angle = resolved_angle / 4;
inline constexpr double most_parts = 64;  ///< of a step, for a blow
inline constexpr int most_splits = 4;     ///< of a part of a step, at rows that switch
inline constexpr int most_splits_a_step = 16;
inline constexpr double follows_for = 1.25;  ///< half periods that a blow is followed for
inline constexpr double small_rise = 0.01;   ///< of a tension by a jump of its rate: not followed
inline constexpr double small_oscillation = 0.02;  ///< of the largest force: not followed
/// Periods of a row for which a division goes on: it may hang on one that is slower.
inline constexpr double slow_periods = 10;
inline constexpr double none_of_step = 1e-4;  ///< share of a step that is none
/// Share of a step that is left out of a part, from which on the part does not put all errors of
/// positions right.
inline constexpr double short_part = 0.5;
/// Damping of parts that follow an oscillation: with less, forces of rigid rows swing.
inline constexpr double following_alpha = -0.05, following_rho = 0.9;
/// omega h up to which the cubic through both ends of a step shows a peak between them.
inline constexpr double cubic_angle = 2 * std::numbers::pi / 6;

}  // namespace hawser
