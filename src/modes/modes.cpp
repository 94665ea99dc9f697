#include "hawser/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hawser/error.h"
#include "modes/flow_modes.h"
#include "modes/modal_damping.h"
#include "modes/mode_search.h"

namespace hawser {
namespace {

using Eigen::VectorXd;

/// omega^2 below this part of the largest is rounding of K.
constexpr double rounding_of_stiffness = 64 * std::numeric_limits<double>::epsilon();

void require_sound(const ModeOptions& options) {
  if (options.count < 1) throw Error("modes, count", std::to_string(options.count), "1 or more");
  if (options.near && !(*options.near >= 0 && std::isfinite(*options.near)))
    throw Error("modes, near", fmt::format("{} Hz", *options.near), "a frequency of 0 Hz or more");
}

/// Fills the modes of a model with what their shapes tell.
class ModeReader {
 public:
  ModeReader(const ModelData& model, ModalSystem& system, const State& state, double shift)
      : model_(model),
        system_(system),
        q_(state.q.data()),
        shift_(shift),
        Mx_(system.coordinates()),
        r_(system.coordinates()) {}

  Mode read(const FoundMode& found) {
    Mode mode;
    mode.omega_squared = found.omega_squared;
    mode.shape.assign(found.shape.begin(), found.shape.end());
    turn_up(mode.shape);
    material_ = mode.shape;
    for (const Fields* part : model_.fields)
      part->add_convected({q_, mode.shape.data()}, 1, material_.data());
    system_.mass_times(mode.shape.data(), Mx_.data());
    find_frequency(mode);
    find_masses(mode);
    find_waves(mode);
    if (found.lambda) {
      find_decay(mode, *found.lambda);
      return mode;
    }
    if (mode.kind == ModeKind::oscillates) find_damping(mode);
    find_residual(mode, found.multipliers);
    return mode;
  }

  int undecided = 0;  ///< modes whose damping was not found

 private:
  /// The sign in which the coordinate that moves most is positive.
  static void turn_up(std::vector<double>& shape) {
    const double most = *std::max_element(shape.begin(), shape.end(), [](double a, double b) {
      return std::abs(a) < std::abs(b) * (1 - 1e-9);
    });
    if (most < 0)
      for (double& x : shape) x = -x;
  }

  void find_frequency(Mode& mode) const {
    const double zero = std::max(rounding_of_stiffness * system_.scale(), 1e-9 * std::abs(shift_));
    mode.kind = std::abs(mode.omega_squared) <= zero ? ModeKind::free
                : mode.omega_squared < 0             ? ModeKind::unstable
                                                     : ModeKind::oscillates;
    if (mode.kind == ModeKind::free) mode.omega_squared = 0;
    mode.omega = std::sqrt(std::abs(mode.omega_squared));
    mode.frequency = mode.omega / (2 * std::numbers::pi);
    mode.period = 1 / mode.frequency;
    if (mode.kind == ModeKind::oscillates) mode.damped_frequency = mode.frequency;
  }

  /// About cable that runs, with the forces that depend on velocities; not the damping of sections.
  static void find_decay(Mode& mode, std::complex<double> lambda) {
    constexpr double rounding_of_decay = 1e-6;
    const double ratio = -lambda.real() / std::abs(lambda);
    mode.damped_frequency = lambda.imag() / (2 * std::numbers::pi);
    if (std::abs(ratio) <= rounding_of_decay) return;
    mode.damping_ratio = std::max(0.0, ratio);
    mode.overdamped = lambda.imag() == 0 && ratio > 0;
    if (ratio < 0) mode.kind = ModeKind::unstable;
  }

  void find_masses(Mode& mode) const {
    for (const CableSpan& cable : model_.cables)
      mode.shares.push_back(share(mode, cable.first_node, cable.nodes));
    for (const HandOver& h : model_.hand_overs) {
      mode.shares[static_cast<size_t>(h.cable)] += share_of_flow(mode, h.scalar);
      if (h.leaving != h.scalar)
        mode.shares[static_cast<size_t>(h.cable)] += share_of_flow(mode, h.leaving);
    }
    for (const BodyData& body : model_.mechanism.bodies)
      mode.shares.push_back(share(mode, body.node, 1));
    for (size_t axis = 0; axis < 3; ++axis) {
      double participation = 0;
      for (int node = 0; node < model_.nodes; ++node)
        if (!is_drum(model_, node))
          participation += Mx_[node_size * node + static_cast<Eigen::Index>(axis)];
      mode.effective_mass[axis] = participation * participation;
    }
  }

  [[nodiscard]] double share(const Mode& mode, int first_node, int nodes) const {
    double sum = 0;
    for (int i = node_size * first_node; i < node_size * (first_node + nodes); ++i)
      sum += mode.shape[static_cast<size_t>(i)] * Mx_[i];
    return sum;
  }

  [[nodiscard]] double share_of_flow(const Mode& mode, int scalar) const {
    const int c = model_.structure.scalar(scalar);
    return mode.shape[static_cast<size_t>(c)] * Mx_[c];
  }

  /// Waves of the cables that take part in the mode with a tenth of its energy or more. The wave
  /// number of a shape u is k^2 = int |u''|^2 / int |u'|^2: that of a sine, and 0 where the cable
  /// only turns.
  void find_waves(Mode& mode) const {
    for (size_t c = 0; c < model_.cables.size(); ++c) {
      if (mode.shares[c] < 0.1) continue;
      const bool straight = model_.scene.cables[c].model == CableModel::np_fem;
      double slope = 0, bend = 0, longest = 0;
      for (const Fields* part : model_.fields_of(static_cast<int>(c))) {
        const ElementRun& run = part->run;
        longest = std::max(longest, run.length);
        for (int e = 0; e < run.elements; ++e)
          add_element(material_.data() + node_size * (run.first_node + e), part->length(q_, e),
                      straight, e + 1 < run.elements, slope, bend);
      }
      if (!(bend > 0)) continue;
      double turn = longest * std::sqrt(bend / slope);  // of the wave along an element [rad]
      // What differences of nodes make of sin(k s): 2 sin(k l/2)/l instead of k.
      if (straight) turn = 2 * std::asin(std::min(1.0, turn / 2));
      const double elements = 2 * std::numbers::pi / turn;
      mode.elements_per_wave = std::min(mode.elements_per_wave, elements);
      constexpr double rounding_of_waves = 1e-9;
      if (elements < (straight ? 8 : 4) * (1 - rounding_of_waves)) mode.resolved = false;
    }
  }

  /// Adds int |u'|^2 and int |u''|^2 of an element with nodes at x: of Hermite's cubic, or of
  /// straight elements the bend towards the next one.
  static void add_element(const double* x, double l, bool straight, bool more, double& slope,
                          double& bend) {
    for (int k = 0; k < 3; ++k) {
      const double d = x[node_size + k] - x[k];
      if (straight) {
        slope += d * d / l;
        if (more) bend += std::pow(x[2 * node_size + k] - x[node_size + k] - d, 2) / (l * l * l);
        continue;
      }
      const double a = l * x[3 + k], b = l * x[node_size + 3 + k];
      slope += (36 * d * d - 6 * d * (a + b) + 4 * (a * a + b * b) - 2 * a * b) / (30 * l);
      bend += (12 * d * d - 12 * d * (a + b) + 4 * (a * a + a * b + b * b)) / (l * l * l);
    }
  }

  void find_damping(Mode& mode) {
    ModalDamping damping;
    damping.omega_squared = mode.omega_squared;
    const auto add = [&](double stiffness, const Damping& law) {
      if (law.any() && stiffness > 0) damping.laws.push_back({stiffness, &law});
    };
    for (size_t c = 0; c < model_.cables.size(); ++c) {
      const std::vector<SectionPart>& sections = model_.scene.cables[c].sections;
      damping.mass_damping += sections[0].mass_damping * mode.shares[c];  // the same in all
      std::vector<StiffnessParts> sums(sections.size());
      for (const Fields* fields : model_.fields_of(static_cast<int>(c))) {
        const StiffnessParts part = fields->stiffness(q_, material_.data());
        StiffnessParts& sum = sums[static_cast<size_t>(fields->run.section)];
        sum.axial += part.axial;
        sum.bending += part.bending;
      }
      for (size_t k = 0; k < sections.size(); ++k) {
        add(sums[k].axial, sections[k].axial_damping);
        add(sums[k].bending, sections[k].bending_damping);
      }
    }
    for (size_t r = 0; r < model_.rows.size(); ++r)
      add(row_stiffness(r, mode), model_.rows[r].damping);
    if (damping.laws.empty() && damping.mass_damping == 0) return;
    const DampedRoot root = damped_root(damping);
    if (!root.found) {
      ++undecided;
      return;
    }
    mode.damping_ratio = -root.lambda.real() / std::abs(root.lambda);
    mode.damped_frequency = root.lambda.imag() / (2 * std::numbers::pi);
    mode.overdamped = root.overdamped;
  }

  /// (G x)^2 over the compliance of a row.
  [[nodiscard]] double row_stiffness(size_t r, const Mode& mode) const {
    const Rows::Entry& row = system_.rows().plan[r];
    if (!row.on || !(row.E > 0)) return 0;
    const double stretch = system_.rows().set.times(static_cast<int>(r), mode.shape.data());
    return stretch * stretch / row.E;
  }

  void find_residual(Mode& mode, const std::vector<double>& multipliers) {
    system_.stiffness_times(mode.shape.data(), r_.data());
    system_.add_row_forces(multipliers, 1, r_.data());
    r_ -= mode.omega_squared * Mx_;
    model_.structure.gather(r_.data());
    system_.keep_free(r_.data());
    VectorXd moved = Mx_;
    model_.structure.gather(moved.data());
    system_.keep_free(moved.data());
    mode.residual = r_.norm() / ((std::abs(mode.omega_squared) + std::abs(shift_)) * moved.norm());
  }

  const ModelData& model_;
  ModalSystem& system_;
  const double* q_;
  double shift_;
  VectorXd Mx_, r_;
  std::vector<double> material_;  ///< the shape as the material moves, where cable flows
};

/// "modes 7, 8 and 9": of many the first few.
std::string coarse_modes(const std::vector<Mode>& modes) {
  constexpr size_t most = 6;
  std::vector<size_t> coarse;
  for (size_t i = 0; i < modes.size(); ++i)
    if (!modes[i].resolved) coarse.push_back(i + 1);
  if (coarse.empty()) return {};
  std::string numbers;
  for (size_t i = 0; i < std::min(coarse.size(), most); ++i)
    numbers += fmt::format("{}{}", i ? ", " : "", coarse[i]);
  if (coarse.size() > most) numbers += fmt::format(" and {} more", coarse.size() - most);
  return fmt::format(
      "too few elements for the waves of mode{} {}: the frequencies are not "
      "reliable. Use more elements, or request fewer modes",
      coarse.size() == 1 ? "" : "s", numbers);
}

bool any_damping(const Scene& scene) {
  return std::any_of(scene.cables.begin(), scene.cables.end(), [](const Cable& cable) {
    return std::any_of(cable.sections.begin(), cable.sections.end(), [](const Section& s) {
      return s.axial_damping.any() || s.bending_damping.any() || s.mass_damping > 0;
    });
  });
}

}  // namespace

ModesReport modes(const Model& handle, const State& at, const ModeOptions& options) {
  require_sound(options);
  const ModelData& model = handle.data();
  ModalSystem system(model, at);
  ModesReport report;
  report.motions = system.motions();
  if (report.motions < 1)
    throw Error("modes", "a scene without degrees of freedom", "a free coordinate",
                "Supports and joints constrain everything: release some of them.");
  for (const Cable& cable : model.scene.cables) report.parts.push_back(cable.name);
  for (const Body& body : model.scene.bodies) report.parts.push_back(body.name);
  report.mass = model.total_mass;
  report.unbalanced = system.unbalanced();
  report.damped = any_damping(model.scene);
  std::optional<double> near;
  if (options.near) near = std::pow(2 * std::numbers::pi * *options.near, 2);
  const int count = std::min(options.count, report.motions);
  const std::vector<double> flow = steady_flow(model, at);
  if (!flow.empty() && near)
    throw Error("modes, near", "modes of cable that runs near a frequency", "the lowest modes");
  const ModeSearch search = flow.empty() ? search_modes(system, count, near)
                                         : search_running_modes(system, model, at, flow, count);
  ModeReader reader(model, system, at, search.shift);
  for (const FoundMode& found : search.modes) report.modes.push_back(reader.read(found));
  report.complete = search.solved && search.complete;
  if (!search.solved && !flow.empty())
    report.message =
        "the search failed: a cable runs as fast as its transverse waves, or something is free to "
        "drift";
  else if (!search.solved)
    report.message =
        "the search failed: the state may be far from an equilibrium, or nearly all modes of "
        "cables "
        "over pulleys are requested; request fewer";
  else if (!search.complete)
    report.message =
        fmt::format("{} modes found; some modes in this range are missing", report.modes.size());
  if (reader.undecided > 0)
    report.message +=
        fmt::format("{}the damping of {} modes could not be computed and is shown as zero",
                    report.message.empty() ? "" : "; ", reader.undecided);
  if (const std::string coarse = coarse_modes(report.modes); !coarse.empty())
    report.message += (report.message.empty() ? "" : "; ") + coarse;
  return report;
}

}  // namespace hawser
