#include "bench/watched_run.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "hawser/scene_file.h"
#include "model/model_data.h"

namespace hawser {
namespace {

void look_at_energy(WatchedRun& run, const Energy& start, const Energy& now) {
  const double change = now.balance() - start.balance();
  run.finite = run.finite && std::isfinite(change);
  run.gain = std::max(run.gain, change);
  run.loss = std::max(run.loss, -change);
  for (const double e : {now.kinetic, now.axial - start.axial, now.potential - start.potential,
                         now.work, now.joints - start.joints})
    run.exchange = std::max(run.exchange, std::abs(e));
}

}  // namespace

WatchedRun watch_run(const SceneFile& file) {
  WatchedRun out;
  RunOptions options;
  std::vector<Energy> energies;
  options.progress_every = 0;
  options.progress = [&](const Progress& p) {
    energies.push_back(p.energy);
    return true;
  };
  out.report = run(file, options);
  const Model model = compile(file);
  const ModelData& data = model.data();
  out.weight =
      data.total_mass * data.scene.gravity.norm() * std::max(data.total_length, data.extent);
  for (const Energy& e : energies) look_at_energy(out, out.report.energy_start, e);
  return out;
}

bool about_energy(const std::string& warning) {
  for (size_t i = warning.find(" J"); i != std::string::npos; i = warning.find(" J", i + 1))
    if (i + 2 == warning.size() || std::isalpha(static_cast<unsigned char>(warning[i + 2])) == 0)
      return true;
  return false;
}

std::string warning_of_step(const RunReport& coarse, const RunReport& fine) {
  for (const std::string& text : coarse.warnings)
    if (std::find(fine.warnings.begin(), fine.warnings.end(), text) == fine.warnings.end())
      return text;
  return {};
}

}  // namespace hawser
