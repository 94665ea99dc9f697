#include "model/state_table.h"

#include <fmt/format.h>

#include <map>

#include "hawser/error.h"

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

}  // namespace hawser
