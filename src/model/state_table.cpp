#include "model/state_table.h"

#include <fmt/format.h>

#include <map>

#include "hawser/error.h"
#include "model/model_data.h"

namespace hawser {
namespace {

using ArraySizes = std::map<std::string, size_t>;

/// The lengths of all arrays that do not grow.
ArraySizes sizes_of(const State& state) {
  ArraySizes out;
  visit_state(state, [&]<class Member>(const StateMember& member, const Member& value) {
    if constexpr (requires { value.size(); })
      if (!member.grows) out[member.name] = value.size();
  });
  out["factored.q"] = state.factored.q.size();
  out["factored.axial"] = state.factored.axial.size();
  out["books.force"] = state.books.force.size();
  out["books.share"] = state.books.share.size();
  out["books.impulse"] = state.books.impulse.size();
  out["books.drift"] = state.books.drift.size();
  return out;
}

}  // namespace

void require_same_sizes(const State& state, const State& other, const std::string& who) {
  const ArraySizes expected = sizes_of(other);
  for (const auto& [name, size] : sizes_of(state))
    if (size != expected.at(name))
      throw Error(fmt::format("{}, {}", who, name), fmt::format("{} numbers", size),
                  fmt::format("{}, the size of the model", expected.at(name)),
                  "Resume with the scene that produced the state.");
}

void require_pose(const State& state, const ModelData& model, const std::string& who) {
  const ArraySizes found = sizes_of(state), expected = sizes_of(start_pose(model));
  for (const char* name : {"inputs", "q", "v", "orientation", "twist", "run_length", "wrap",
                           "bends", "multipliers", "activity"})
    if (found.at(name) != expected.at(name))
      throw Error(fmt::format("{}.{}", who, name), fmt::format("{} numbers", found.at(name)),
                  fmt::format("{}, the size of the model", expected.at(name)),
                  "Pass a state of this model.");
}

State start_pose(const ModelData& model) {
  const Mechanism& m = model.mechanism;
  State state;
  state.inputs = model.inputs;
  state.q = model.q0;
  state.v = model.v0;
  for (const Eigen::Quaterniond& o : m.orientation)
    state.orientation.insert(state.orientation.end(), {o.w(), o.x(), o.y(), o.z()});
  state.twist.assign(m.routes.size(), 0);
  state.run_length = m.run_length;
  state.wrap = m.wrap;
  state.bends = m.bends;
  state.multipliers.assign(model.rows.size(), 0);
  state.contacts.assign(static_cast<size_t>(model.contacts), 0);
  state.activity.assign(model.rows.size(), 1);
  state.activity.resize(model.rows.size() + model.rubs.size() + model.limited.size(), 0);
  return state;
}

}  // namespace hawser
