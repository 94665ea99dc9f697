#include "constraints/winch_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace hawser {
namespace {

bool wants_brake(const WinchRowData& winch, const Instant& now) {
  constexpr double applied = 0.5;  // of Brake::on
  return winch.brake_data.on.at(now).value > applied || !(now.inputs[winch.power].setting > 0);
}

/// What the brake was told last, as an input that keeps what it was told before as its value.
InputMotion told_at(const WinchRowData& winch, const InputMotion& told, const Instant& now) {
  const bool on = wants_brake(winch, now);
  if (on == (told.setting > 0)) return told;
  return {now.t, on ? 1.0 : 0.0, 0, told.setting, 0, 0};
}

/// When the torque of the brake begins or ends [s].
double brake_changes(const Brake& brake, const InputMotion& told) {
  return told.since + (told.setting > 0 ? brake.delay : brake.release_delay);
}

/// Torque of the brake, mean over the step from the state on [N m].
double brake_torque(const WinchRowData& winch, const State& from, double to) {
  const InputMotion told = told_at(winch, from.inputs[winch.brake], from.now());
  const Brake& brake = winch.brake_data;
  const bool on = told.setting > 0, was = told.value > 0;
  const double changes = brake_changes(brake, told);
  if (on == was || from.t >= changes) return on ? brake.torque : 0;
  if (!(to > changes)) return was ? brake.torque : 0;
  return brake.torque * ((on ? to - changes : changes - from.t) / (to - from.t));
}

}  // namespace

void WinchRows::visit_signals(const std::function<void(const Signal&)>& use) const {
  for (const WinchRowData& winch : winches_)
    use(winch.turn_rate), use(winch.command), use(winch.brake_data.on);
}

double WinchRows::jump_after(const State& state, double time) const {
  double first = HUGE_VAL;
  for (const WinchRowData& winch : winches_) {
    const InputMotion told = told_at(winch, state.inputs[winch.brake], state.now());
    if ((told.setting > 0) == (told.value > 0)) continue;
    const double changes = brake_changes(winch.brake_data, told);
    if (changes > time) first = std::min(first, changes);
  }
  return first;
}

bool WinchRows::evaluate(const RowsAt& at, RowValues& out) {
  for (const WinchRowData& winch : winches_) {
    const double theta = at.q[winch.coordinate];
    const auto put = [&](int number, double phi, double rate, double sign) {
      if (number < 0) return;
      const auto row = static_cast<size_t>(number);
      out.phi[row] = phi;
      out.rate[row] = rate;
      out.G[static_cast<size_t>(at.rows[row].first_entry)] = sign;
    };
    put(winch.hold, theta, 0, 1);
    out.limit[static_cast<size_t>(winch.hold)] = brake_torque(winch, at.state, at.t);
    put(winch.full, theta - winch.least, 0, 1);
    put(winch.empty, winch.most - theta, 0, -1);
    if (winch.rate < 0) continue;
    put(winch.rate, theta, -at.poses.sample(winch.turn_rate, at).value, 1);
    const bool power = at.inputs[winch.power].setting > 0;
    out.limit[static_cast<size_t>(winch.rate)] = power ? winch.most_torque : 0;
  }
  return true;
}

double WinchRows::accept(const TakenStep& step, State& s) const {
  for (const WinchRowData& winch : winches_) {
    const auto turn = static_cast<size_t>(winch.coordinate);
    InputMotion &power = s.inputs[winch.power], &told = s.inputs[winch.brake];
    told = told_at(winch, told, s.at(step.values.began));
    const bool slack = winch.cable_row >= 0 && !(step.lambda[winch.cable_row] > 0);
    if (winch.slack_switch && slack && s.v[turn] > 0 && power.setting > 0) {
      power.set(s.t, 0);
      s.rates_jumped = true;  // forces do
    }
    told = told_at(winch, told, s.now());
  }
  return 0;
}

std::string WinchRows::ending(const double* q, const double* v, double h, const Poses&) const {
  for (const WinchRowData& w : winches_) {
    if (w.rate < 0 || std::isfinite(w.most_torque) || w.slack_switch) continue;
    const double turned = q[w.coordinate], rate = v[w.coordinate];
    const bool empty = rate > 0 && turned + h * rate > w.most,
               full = w.full >= 0 && rate < 0 && turned + h * rate < w.least;
    if (empty || full)
      return fmt::format(
          "winch '{}': its drum is {}, and its motor turns it on with {:.3g} rad/s. Stop the motor "
          "before that, or give it a `most_torque`, with which it stalls",
          w.name, empty ? "empty but for the turns that are kept" : "full", std::abs(rate));
  }
  return {};
}

}  // namespace hawser
