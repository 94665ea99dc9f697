// Static equilibrium: the ways in turn, and what to say of them.
#include "hawser/statics.h"

#include <fmt/format.h>

#include <algorithm>

#include "accounts/ledger.h"
#include "assembly/energy.h"
#include "hawser/error.h"
#include "model/meetings.h"
#include "statics/static_diagnosis.h"
#include "statics/static_search.h"

namespace hawser {
namespace {

constexpr size_t most_loose = 6;  ///< directions told of

}  // namespace

const char* name_of(StaticWay way) {
  constexpr const char* names[] = {"newton", "continuation", "relaxation"};
  return names[static_cast<int>(way)];
}

/// Throws where massless cables have met shapes on the straight way to rest: the search does not
/// see them.
static void require_no_meeting(const ModelData& model, const State& start, State rest) {
  if (rest.bends.empty()) return;
  State then = start;
  note_poses(model.mechanism, then);
  std::copy_n(then.bends.begin(), poses_size(model.scene), rest.bends.begin());
  if (met_ways(model, rest))
    throw Error("equilibrium", "a massless cable that meets a shape or another on its way to rest",
                "a rest in which massless cables meet and leave nothing",
                "Start from a shape, `initial: straight`, and let the run settle.");
}

StaticReport equilibrium(const Model& handle, State& state, const StaticOptions& options) {
  if (options.ways.empty())
    throw Error("equilibrium, ways", "none", "one or more of newton, continuation, relaxation");
  const ModelData& model = handle.data();
  StaticReport report;
  StaticSearch search(model, state, options);
  for (const StaticWay way : options.ways) {
    report.attempts.push_back(search.follow(way));
    report.iterations += report.attempts.back().iterations;
    report.converged = report.attempts.back().converged;
    if (report.converged) break;
  }
  const StaticResidual residual = search.system.residual();
  report.residual = residual.force;
  report.gap = residual.gap;
  if (!report.converged) {
    report.message = diagnose(search);
    return report;
  }
  search.system.finish();
  for (const StaticMode& mode : search.weakest(most_loose))
    report.loose.push_back(describe_motion(model, search.system.state, mode.motion));
  require_no_meeting(model, state, search.system.state);
  state = search.system.state;
  const Accounts accounts(model);
  state.books = accounts.blank();
  accounts.take_forces(state);
  open_books(model, state);
  return report;
}

}  // namespace hawser
