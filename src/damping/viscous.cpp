#include "damping/viscous.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/kernel_io.h"
#include "hawser/error.h"
#include "sections/fractional.h"

namespace hawser {
namespace {

/// Times that arms of a fractional derivative resolve, in steps: a strain is straight within one.
constexpr double finest = 0.5, finest_controlled = 1e-4, coarsest = 1e8;

/// Steps that differ by less in length are even.
constexpr double even = 1e-6;

/// Weights of eps, eps_n and eps_n-1 in the rate at the end of a step: BDF2, or Backward Euler
/// where nothing came before.
struct RateWeights {
  double now, last, before;
  RateWeights(double h, double h_before) : now(1 / h), last(-1 / h), before(0) {
    if (!(h_before > 0)) return;
    const double r = h / h_before;
    now = (1 + 2 * r) / (1 + r) / h;
    last = -(1 + r) / h;
    before = r * r / (1 + r) / h;
  }
};

}  // namespace

Viscous::Viscous(const ModelData& model, const SolveOptions& options)
    : model_(model), step_(options.step) {
  for (size_t c = 0; c < model.cables.size(); ++c) add_cable(static_cast<int>(c), options);
  for (size_t r = 0; r < model.rows.size(); ++r) add_row(r, options);
  if (!any()) return;
  if (options.method == Method::mixed3)
    throw Error("solve.method", "mixed3 with a section that has axial or bending damping",
                "mixed, linearized or newton", "Its stages do not store the strain history.");
  const size_t runs = model.fields.size(), rows = model.rows.size();
  terms.axial_factor.assign(runs, 1);
  terms.bending_factor = terms.axial_factor;
  terms.force.assign(static_cast<size_t>(model.point_size), 0);
  terms.row_factor.assign(rows, 1);
  terms.row_offset.assign(rows, 0);
  strain_ = terms.force;
  force_before_.assign(static_cast<size_t>(model.point_size) + rows, 0);
  stretch_.assign(4 * rows, 0);
  if (!bent_.empty()) {
    terms.moment.assign(static_cast<size_t>(model.bending_size), 0);
    curvature_ = tangent_ = couple_ = couple_before_ = terms.moment;
    axes_.assign(MaterialAxes::state_size * bent_.size(), 0);
  }
  for (const Fields* part : model.fields) slackens_ |= part->run.tension_only;
  q_.assign(model.padded(), 0);
  int largest = 0;
  for (const Part& part : parts_) largest = std::max(largest, part.size);
  past_.assign(static_cast<size_t>(largest), 0);
  rate_ = past_;
  rates_.assign(state_size_, 0);
}

bool Viscous::has_dashpots() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
    return part.kind != Kind::stretch && part.law.dashpot > 0;
  });
}

ViscousLaw Viscous::law_of(const Damping& damping, const SolveOptions& options) {
  const double memory = damping.fractional.memory;
  return viscous_law(damping, options.step * (options.error_control ? finest_controlled : finest),
                     memory > 0 ? memory : options.step * coarsest);
}

void Viscous::add_cable(int cable, const SolveOptions& options) {
  std::vector<size_t> bending;
  auto index = static_cast<size_t>(model_.cables[static_cast<size_t>(cable)].first_run);
  for (const Fields* part : model_.fields_of(cable)) {
    const ElementRun& run = part->run;
    const Section& section = model_.section_of(run);
    if (section.axial_damping.any())
      add(Kind::axial, index, run.point_size(), static_cast<size_t>(run.point_offset), run.EA,
          section.axial_damping, options);
    if (section.bending_damping.any() && run.EI != 0) {
      bending.push_back(parts_.size());
      add(Kind::bending, index, run.bending_size(), static_cast<size_t>(run.bending_offset), run.EI,
          section.bending_damping, options);
    }
    ++index;
  }
  if (!bending.empty())
    bent_.push_back({MaterialAxes(model_, cable), std::move(bending),
                     std::vector<double>(static_cast<size_t>(model_.bending_size), 0)});
}

void Viscous::add_row(size_t row, const SolveOptions& options) {
  const RowInfo& info = model_.rows[row];
  const Damping& damping = info.damping;
  if (!damping.any() || info.velocity) return;
  if (options.method == Method::spook &&
      (!damping.relaxations.empty() || damping.fractional.tau > 0))
    throw Error("solve.method",
                fmt::format("spook with the massless {}, whose section has relaxations or "
                            "fractional damping",
                            info.owner),
                "viscosity alone, or another method");
  if (options.method == Method::spook) return;  // its rows have the viscosity as damping time
  add(Kind::stretch, row, 4, 4 * row, 1, damping, options);
}

void Viscous::add(Kind kind, size_t index, int size, size_t offset, double stiffness,
                  const Damping& damping, const SolveOptions& options) {
  Part part;
  part.kind = kind;
  part.index = index;
  part.size = size;
  part.offset = offset;
  part.stiffness = stiffness;
  const Fractional& f = damping.fractional;
  follows_step_ |= f.tau > 0 && f.form == FractionalForm::gu_eq21;
  if (follows_step_ && options.error_control)
    throw Error("solve.error_control", "variable steps with a section of `form: gu-eq21`",
                "constant steps", "The stiffness of this form depends on the step length.");
  part.law = law_of(damping, options);
  part.at = state_size_;
  state_size_ += static_cast<size_t>(size) * (4 + part.law.arms.size());
  part.decay.resize(part.law.arms.size());
  part.gain = part.decay;
  if (f.tau > 0 && f.form != FractionalForm::constant_cost) {
    part.direct = f;
    part.memory_at = memory_width_;
    memory_width_ += static_cast<size_t>(size);
    longest_memory_ = std::max(longest_memory_,
                               f.memory > 0 ? f.memory : std::numeric_limits<double>::infinity());
  }
  parts_.push_back(std::move(part));
}

// --- strains ---

double* Viscous::strains_of(const Part& part) {
  return (part.kind == Kind::axial     ? strain_
          : part.kind == Kind::bending ? curvature_
                                       : stretch_)
             .data() +
         part.offset;
}

void Viscous::measure(const double* q, bool axial) {
  if (!axial && bent_.empty()) return;
  StrainsOut out;
  out.strain = axial ? strain_.data() : nullptr;
  if (!bent_.empty()) out.curvature = curvature_.data(), out.tangent = tangent_.data();
  for (const Fields* part : model_.fields) part->strains(q, out);
}

/// Curvatures as measured, into material axes that follow from those of the state.
void Viscous::bend(const State& s, double* axes_state) {
  for (Bent& b : bent_) {
    for (const size_t i : b.parts) {
      const Part& part = parts_[i];
      std::copy_n(s.viscous.begin() + static_cast<ptrdiff_t>(part.now()), part.size,
                  b.before.begin() + static_cast<ptrdiff_t>(part.offset));
    }
    b.axes.follow(tangent_.data(), b.before.data(), curvature_.data(), axes_state);
    axes_state += MaterialAxes::state_size;
  }
}

void Viscous::to_world() {
  for (Bent& b : bent_) b.axes.to_world(terms.moment.data());
}

// --- a step ---

void Viscous::start(State& s, const ConstraintSet& rows) {
  if (!any()) return;
  s.viscous.assign(state_size_, 0);
  s.viscous_force.assign(static_cast<size_t>(model_.point_size) + model_.rows.size(), 0);
  s.viscous_moment.assign(terms.moment.size(), 0);
  s.viscous_couple = s.viscous_moment;
  s.material_axes.assign(axes_.size(), 0);
  s.memory.clear();
  s.memory_times.clear();
  measure(s.q.data(), true);
  double* state = s.material_axes.data();
  for (Bent& b : bent_) {
    b.axes.start(tangent_.data(), state);
    state += MaterialAxes::state_size;
  }
  bend(s, s.material_axes.data());
  for (const Part& part : parts_)
    if (part.kind == Kind::stretch)
      stretch_[part.offset] =
          s.activity[part.index] == 0 ? 0 : -rows.phi[part.index] / length_of(part.index, s);
  for (const Part& part : parts_)
    for (const size_t at : {part.now(), part.before(), part.reference()})
      std::copy_n(strains_of(part), part.size, s.viscous.begin() + static_cast<ptrdiff_t>(at));
  find_held(s, step_);
  remember_row(s);
}

void Viscous::prepare(Part& part, double h) const {
  if (part.h == h) return;
  part.h = h;
  for (size_t i = 0; i < part.decay.size(); ++i) {
    const auto& [share, time] = part.law.arms[i];
    part.decay[i] = std::exp(-h / time);
    part.gain[i] = -share * time / h * std::expm1(-h / time);
  }
}

/// Into q_: q and a share of its change in the step, by the velocities of this step and the one
/// before. Accelerations of what a step does not resolve would predict nonsense.
void Viscous::predict(const State& s, double h, double share) {
  const size_t n = static_cast<size_t>(model_.structure.coordinates());
  const double ahead = s.h_before > 0 ? h / (2 * s.h_before) : 0;
  for (size_t i = 0; i < n; ++i)
    q_[i] = s.q[i] + share * h * (s.v[i] + ahead * (s.v[i] - s.v_before[i]));
}

void Viscous::begin(const State& s, double h) {
  if (!bent_.empty()) {  // axes at the end of the step, predicted
    predict(s, h, 1);
    measure(q_.data(), false);
    axes_ = s.material_axes;
    bend(s, axes_.data());
  }
  second_order_.clear();  // of a step that was not taken
  const RateWeights rate(h, s.viscous[0]);
  for (Part& part : parts_) {
    prepare(part, h);
    const double* now = s.viscous.data() + part.now();
    const double* before = s.viscous.data() + part.before();
    const double* reference = s.viscous.data() + part.reference();
    const int arms = static_cast<int>(part.law.arms.size());
    if (s.viscous[1] == h)
      std::copy_n(s.viscous.data() + part.sum(), part.size, past_.data());
    else
      kernels().sum_arms({part.size, arms, part.decay.data(), nullptr, nullptr,
                          const_cast<double*>(s.viscous.data()) + part.arms(), past_.data()});
    double taken = 0;
    for (const double gain : part.gain) taken += gain;
    const double spring = part.law.spring, dashpot = part.law.dashpot;
    for (int p = 0; p < part.size; ++p)
      past_[static_cast<size_t>(p)] += (dashpot * rate.last - taken) * now[p] +
                                       dashpot * rate.before * before[p] - spring * reference[p];
    part.factor = 1 + spring + dashpot * rate.now + taken;
    part.factor += add_direct(part, s, s.t + h, past_.data());
    hand_over(part, part.factor, past_.data(), s, h);
  }
  couple_ = terms.moment;
  to_world();
}

/// Half of the second difference along the motion predicted; the strain is eps(q) + eps_q d + that.
void Viscous::add_second_order(const State& s, double h) {
  if (!any()) return;
  second_order_.assign(terms.force.size(), 0);
  for (const double side : {1.0, -1.0, 0.0}) {
    predict(s, h, side);
    measure(q_.data(), true);
    const double weight = side == 0 ? -1 : 0.5;
    for (size_t p = 0; p < strain_.size(); ++p) second_order_[p] += weight * strain_[p];
  }
  for (size_t i = 0; i < model_.fields.size(); ++i) {
    const ElementRun& run = model_.fields[i]->run;
    const double added = run.EA * (terms.axial_factor[i] - 1);
    const auto first = static_cast<size_t>(run.point_offset);
    for (size_t p = first; p < first + static_cast<size_t>(run.point_size()); ++p) {
      second_order_[p] *= added;
      terms.force[p] += second_order_[p];
    }
  }
}

double Viscous::length_of(size_t row, const Instant& now, double off_drums) const {
  const RowInfo& info = model_.rows[row];
  return std::max(info.compliance_at(now, off_drums) * info.EA, 1e-12);
}

void Viscous::hand_over(const Part& part, double factor, const double* past, const State& s,
                        double h) {
  if (part.kind == Kind::stretch) {
    double off = 0;
    for (const WoundOn& drum : model_.rows[part.index].drums)
      off += drum.paid(s.q.data()) + h * drum.paying(s.q.data(), s.v.data());
    terms.row_factor[part.index] = factor;
    terms.row_offset[part.index] = -past[0] * length_of(part.index, s.at(s.t + h), off);
    return;
  }
  const bool axial = part.kind == Kind::axial;
  (axial ? terms.axial_factor : terms.bending_factor)[part.index] = factor;
  double* out = (axial ? terms.force : terms.moment).data() + part.offset;
  for (int p = 0; p < part.size; ++p) out[p] = part.stiffness * past[p];
}

void Viscous::recall(const State& s) {
  std::fill(terms.axial_factor.begin(), terms.axial_factor.end(), 1);
  std::fill(terms.bending_factor.begin(), terms.bending_factor.end(), 1);
  std::copy_n(s.viscous_force.begin(), terms.force.size(), terms.force.begin());
  terms.moment = s.viscous_moment;
}

void Viscous::renew(State& s, const ConstraintSet& rows) {
  if (!any()) return;
  const size_t n = static_cast<size_t>(model_.structure.coordinates());
  double fastest = 0, shortest = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < n; ++i) fastest = std::max(fastest, std::abs(s.v[i]));
  for (const Fields* part : model_.fields) shortest = std::min(shortest, part->run.length);
  const double tau = 1e-5 * std::min(1.0, shortest) / std::max(fastest, 1e-3);
  std::vector<double>& ahead = rates_;  // strains a moment later and earlier, by part
  std::fill(ahead.begin(), ahead.end(), 0);
  for (const double side : {1.0, -1.0}) {
    for (size_t i = 0; i < n; ++i) q_[i] = s.q[i] + side * tau * s.v[i];
    measure(q_.data(), true);
    axes_ = s.material_axes;
    bend(s, axes_.data());
    for (const Part& part : parts_) {
      const double* strain = strains_of(part);
      for (int p = 0; p < part.size; ++p)
        ahead[part.now() + static_cast<size_t>(p)] += side * strain[p] / (2 * tau);
    }
  }
  measure(s.q.data(), true);
  bend(s, s.material_axes.data());
  for (Part& part : parts_) {
    if (part.kind == Kind::stretch) {
      const size_t r = part.index;
      const double faster = -rows.times(static_cast<int>(r), s.v.data()) - rows.rate[r];
      const double paid = model_.rows[r].paying(s.now(), s.q.data(), s.v.data()),
                   length = length_of(r, s);
      if (s.activity[r] != 0) s.viscous[part.now()] = -rows.phi[r] / length;
      ahead[part.now()] = s.activity[r] == 0 ? 0 : (faster - s.viscous[part.now()] * paid) / length;
    }
    const double *now = s.viscous.data() + part.now(),
                 *reference = s.viscous.data() + part.reference(),
                 *arms = s.viscous.data() + part.arms();
    const size_t count = part.law.arms.size();
    for (size_t p = 0; p < static_cast<size_t>(part.size); ++p) {
      past_[p] =
          part.law.spring * (now[p] - reference[p]) + part.law.dashpot * ahead[part.now() + p];
      for (size_t i = 0; i < count; ++i) past_[p] += arms[4 * (count * (p / 4) + i) + p % 4];
    }
    add_direct(part, s, s.t, past_.data());
    hand_over(part, 1, past_.data(), s, 0);
  }
  s.viscous_couple = terms.moment;
  to_world();
  for (size_t i = 0; i < terms.force.size(); ++i) {
    if (s.axial_force_valid) s.axial_force[i] += terms.force[i] - s.viscous_force[i];
    s.viscous_force[i] = terms.force[i];
  }
  s.viscous_moment = terms.moment;
  s.viscous[0] = 0;  // rates may have jumped: none is taken across this moment
}

void Viscous::take_tensions(State& s) const {
  for (const Part& part : parts_) {
    if (part.kind != Kind::stretch) continue;
    const size_t r = part.index;
    const double eps = compliance_of(r, s);
    s.viscous_force[static_cast<size_t>(model_.point_size) + r] =
        s.multipliers[r] - s.viscous[part.now()] * length_of(r, s) / std::max(eps, 1e-300);
  }
}

// --- sums over what is remembered ---

/// Adds the past of a direct sum at t (the state's own time, or later); returns what it adds to the
/// factor.
double Viscous::add_direct(const Part& part, const State& s, double t, double* sum) {
  const Fractional& f = part.direct;
  if (!(f.tau > 0)) return 0;
  const auto last = s.memory_times.end();
  const auto from = f.memory > 0
                        ? std::lower_bound(s.memory_times.begin(), last, t - f.memory * (1 + even))
                        : s.memory_times.begin();
  times_.assign(from, last);
  if (t > s.t) times_.push_back(t);
  const size_t count = times_.size(), first = static_cast<size_t>(from - s.memory_times.begin());
  if (count < 2) return 0;
  const double h = times_[count - 1] - times_[count - 2];
  bool is_even = true;
  for (size_t k = 1; k < count && is_even; ++k)
    is_even = std::abs(times_[k] - times_[k - 1] - h) <= even * h;
  const bool printed = f.form == FractionalForm::gu_eq21;
  weights_.resize(count);
  if (is_even || printed) {
    if (grunwald_.size() < count || grunwald_order_ != f.order) {
      grunwald_.resize(2 * count);
      grunwald_weights(f.order, grunwald_);
      grunwald_order_ = f.order;
    }
    const double scale = f.tau * std::pow(h, -f.order);
    for (size_t k = 0; k < count; ++k)
      weights_[k] = scale * grunwald_[count - 1 - k] * (printed && k + 1 < count ? 0.5 : 1.0);
  } else {
    straight_weights(f.order, times_, weights_);
    for (double& w : weights_) w *= f.tau;
  }
  const bool ahead = t > s.t;
  const double own = ahead ? weights_.back() : 0;
  if (ahead) weights_.pop_back();
  add_remembered(part, s, weights_, first, !printed, sum);
  if (!printed)
    for (int p = 0; p < part.size; ++p)
      sum[p] -= own * s.viscous[part.reference() + static_cast<size_t>(p)];
  return own;
}

void Viscous::add_remembered(const Part& part, const State& s, std::span<const double> weights,
                             size_t first, bool from_reference, double* sum) const {
  const double* reference = s.viscous.data() + part.reference();
  double total = 0;
  for (size_t k = 0; k < weights.size(); ++k) {
    const double w = weights[k];
    const double* row = s.memory.data() + (first + k) * memory_width_ + part.memory_at;
    for (int p = 0; p < part.size; ++p) sum[p] += w * row[p];
    total += w;
  }
  if (from_reference)
    for (int p = 0; p < part.size; ++p) sum[p] -= total * reference[p];
}

void Viscous::remember_row(State& s) {
  if (memory_width_ == 0) return;
  const auto needed = std::lower_bound(s.memory_times.begin(), s.memory_times.end(),
                                       s.t - longest_memory_ * (1 + even)) -
                      s.memory_times.begin();
  if (2 * needed > static_cast<ptrdiff_t>(s.memory_times.size())) {  // now and then
    s.memory_times.erase(s.memory_times.begin(), s.memory_times.begin() + needed);
    s.memory.erase(s.memory.begin(),
                   s.memory.begin() + needed * static_cast<ptrdiff_t>(memory_width_));
  }
  s.memory_times.push_back(s.t);
  const size_t at = s.memory.size();
  s.memory.resize(at + memory_width_);
  for (const Part& part : parts_)
    if (part.direct.tau > 0)
      std::copy_n(s.viscous.begin() + static_cast<ptrdiff_t>(part.now()), part.size,
                  s.memory.begin() + static_cast<ptrdiff_t>(at + part.memory_at));
}

// --- the end of a step ---

/// Calls use(weight [m], place) for every number of a part of elements.
template <class Use>
void Viscous::for_each_number(const Part& part, const Use& use) const {
  const ElementRun& run = model_.fields[part.index]->run;
  const bool bends = part.kind == Kind::bending;
  for (int e = 0; e < run.elements; ++e)
    for (int g = 0; g < (bends ? run.bending_points : run.axial_points); ++g) {
      const int first = bends ? run.bending_point(e, g) : run.point(e, g);
      for (int k = first; k < first + (bends ? 12 : 4); k += 4)
        use(bends ? run.bending_weight[g] : run.axial_weight[g], k);
    }
}

/// Gu's eq. 21 as printed halves the past and not the present: half of tau h^-order is left over,
/// a spring beside half of the derivative. Its energy, by the strains of now.
void Viscous::find_held(State& s, double h) const {
  double axial = 0, bending = 0;
  for (const Part& part : parts_) {
    const Fractional& f = part.direct;
    if (!(f.tau > 0) || f.form != FractionalForm::gu_eq21) continue;
    const double spring = f.tau * std::pow(h, -f.order) / 2;
    const double* strain = s.viscous.data() + part.now();
    if (part.kind == Kind::stretch) {
      axial += spring * strain[0] * strain[0] / (2 * compliance_of(part.index, s));
      continue;
    }
    const bool bends = part.kind == Kind::bending;
    double sum = 0;
    for_each_number(part, [&](double weight, int k) { sum += weight * strain[k] * strain[k]; });
    (bends ? bending : axial) += spring * part.stiffness * sum / 2;
  }
  s.viscous[held_axial] = axial;
  s.viscous[held_bending] = bending;
}

void Viscous::remember(Part& part, State& s, const double* strain) {
  double* now = s.viscous.data() + part.now();
  double* before = s.viscous.data() + part.before();
  for (int p = 0; p < part.size; ++p) {
    rate_[static_cast<size_t>(p)] = strain[p] - now[p];
    before[p] = now[p];
    now[p] = strain[p];
  }
  kernels().relax_arms({part.size, static_cast<int>(part.decay.size()), part.decay.data(),
                        part.gain.data(), rate_.data(), s.viscous.data() + part.arms(),
                        s.viscous.data() + part.sum()});
}

/// The axial force, its viscous part and the strain that goes with it. Where a mixed solve carries
/// the force, the strain is the one that this force means; that of elements which go slack is
/// measured.
void Viscous::find_forces(State& s) {
  for (size_t i = 0; i < model_.fields.size(); ++i) {
    const ElementRun& run = model_.fields[i]->run;
    const double EA = run.EA, factor = terms.axial_factor[i];
    const double compliance = 1 / (EA * factor);
    const bool slackens = run.tension_only;
    const auto first = static_cast<size_t>(run.point_offset);
    for (size_t p = first; p < first + static_cast<size_t>(run.point_size()); ++p) {
      double &N = s.axial_force[p], &strain = strain_[p];
      if (!s.axial_force_valid) {
        N = EA * factor * strain + terms.force[p];
        if (slackens) N = std::max(0.0, N);
      } else if (!slackens) {
        strain = compliance * (N - terms.force[p]);
      }
      s.viscous_force[p] = N - EA * (slackens ? std::max(0.0, strain) : strain);
    }
  }
  s.axial_force_valid = true;
}

/// Minus the integral of the viscous force over the change of strain.
double Viscous::work_of(const Part& part, const State& s, const double* strain, double end) {
  const double* was = s.viscous.data() + part.now();
  const bool bends = part.kind == Kind::bending;
  const double *now = (bends ? s.viscous_couple : s.viscous_force).data() + part.offset,
               *before = (bends ? couple_before_ : force_before_).data() + part.offset;
  double work = 0;
  for_each_number(part, [&](double weight, int k) {
    work -= weight * ((1 - end) * before[k] + end * now[k]) * (strain[k] - was[k]);
  });
  return work;
}

/// A massless cable: its strain and viscous force at the end of the step, whose work is returned.
double Viscous::stretch(const Part& part, State& s, double h, double end) {
  const size_t r = part.index, at = static_cast<size_t>(model_.point_size) + r;
  const double tension = s.multipliers[r];
  const double eps = compliance_of(r, s);
  // Of a cable that is slack too: the stretch at which it pulls with nothing.
  const double stretched = (eps * tension + terms.row_offset[r]) / part.factor;
  stretch_[part.offset] = stretched / length_of(r, s);
  const double force = eps > 0 ? tension - stretched / eps : 0;
  const double before = length_of(r, s.at(s.t - h), model_.rows[r].off_drums(s.q_before.data()));
  const double mean = (1 - end) * s.viscous_force[at] + end * force;
  s.viscous_force[at] = force;
  return -mean * (stretched - s.viscous[part.now()] * before);
}

double Viscous::accept(State& s, double h, double end) {
  if (!any()) return 0;
  for (size_t p = 0; p < second_order_.size(); ++p) terms.force[p] -= second_order_[p];
  second_order_.clear();
  measure(s.q.data(), !s.axial_force_valid || slackens_);
  if (!bent_.empty()) {
    for (Part& part : parts_) {  // moments in world axes, before the curvatures leave them
      if (part.kind != Kind::bending) continue;
      const double own = part.stiffness * (part.factor - 1);
      for (size_t p = part.offset; p < part.offset + static_cast<size_t>(part.size); ++p)
        s.viscous_moment[p] = own * curvature_[p] + terms.moment[p];
    }
    bend(s, s.material_axes.data());
    std::swap(couple_before_, s.viscous_couple);
    for (const Part& part : parts_) {
      if (part.kind != Kind::bending) continue;
      const double own = part.stiffness * (part.factor - 1);
      for (size_t p = part.offset; p < part.offset + static_cast<size_t>(part.size); ++p)
        s.viscous_couple[p] = own * curvature_[p] + couple_[p];
    }
  }
  force_before_ = s.viscous_force;
  find_forces(s);
  double work = 0;
  for (Part& part : parts_) {
    prepare(part, h);
    work += part.kind == Kind::stretch ? stretch(part, s, h, end)
                                       : work_of(part, s, strains_of(part), end);
    remember(part, s, strains_of(part));
  }
  s.viscous[0] = s.viscous[1] = h;
  const double held = s.viscous[held_axial] + s.viscous[held_bending];
  find_held(s, h);
  remember_row(s);
  return work + s.viscous[held_axial] + s.viscous[held_bending] - held;  // that is energy
}

}  // namespace hawser
