// Control of a running simulation: the feedback of a scene, and controllers of a program. Both read
// channels and set inputs between the steps.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hawser/model.h"
#include "hawser/record.h"
#include "hawser/state.h"

namespace hawser {

/// The feedback of the inputs of a scene (FeedbackLaw).
class Feedback {
 public:
  /// Throws Error for unknown channels, and for laws that cannot be read or do not have the unit of
  /// their input.
  explicit Feedback(const Model& model);
  ~Feedback();
  Feedback(Feedback&&) noexcept;
  Feedback& operator=(Feedback&&) noexcept;

  /// Evaluates all laws at the state and sets their inputs; values outside of the range of an input
  /// are clamped. Call it with the initial state and after every step. Does not allocate. Throws
  /// Error if a value is not finite.
  void apply(State& state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A setting of an input by a controller.
struct Setting {
  size_t input = 0;    ///< index in Scene::inputs
  double asked = 0;    ///< [SI]
  double applied = 0;  ///< `asked`, clamped to the range of the input
};

/// What a controller uses: reads channels of a state and sets inputs, both by name.
class Control {
 public:
  /// For a state that is stepped elsewhere. `on_set` is called with every setting that changes an
  /// input. `state` must outlive it.
  Control(const Model& model, State& state, std::function<void(const Setting&)> on_set = {});
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  /// The state is of this model from now on: the same scene on another mesh.
  void change_mesh(const Model& model);

  [[nodiscard]] double t() const;  ///< [s]
  /// A channel of one column (Channels): "load.position.z". A name is resolved when it is first
  /// read; later reads do not allocate. Throws Error if it is unknown or has several columns.
  [[nodiscard]] double read(std::string_view channel);
  /// Sets an input from now on and returns the value applied: the one given, clamped to the range
  /// of the input. Throws Error if there is no such input, if it has feedback, or if the value is
  /// not finite.
  double set(std::string_view input, double value);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hawser
