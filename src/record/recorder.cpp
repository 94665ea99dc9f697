#include "record/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "model/model_data.h"

namespace hawser {
namespace {

constexpr double frames_a_second = 25, most_frames = 1000, rows_a_run = 1000;

std::vector<std::string> names_of(const Model& model, const Recording& recording) {
  return recording.channels.empty() ? default_channels(model) : recording.channels;
}

double positive(const char* what, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(what, fmt::format("{} s", value), "a finite time above zero");
  return value;
}

RecorderProgress start_of(const Recording& recording, double until) {
  positive("end of the run", until);
  RecorderProgress out;
  out.every = recording.every == 0 ? until / rows_a_run
                                   : positive("sampling interval (record.every)", recording.every);
  out.shapes_every =
      recording.shapes_every == 0
          ? std::max(1 / frames_a_second, until / most_frames)
          : positive("interval of shapes (record.shapes_every)", recording.shapes_every);
  return out;
}

bool due(double t, long multiple, double every, double step) {
  return t >= static_cast<double>(multiple) * every - step / 2;
}

/// The first multiple that a sample at t does not serve.
long after(double t, double every, double step) {
  return static_cast<long>(std::floor((t + step / 2) / every)) + 1;
}

[[noreturn]] void refuse(const std::string& where, double value, double t) {
  throw Error(where, fmt::format("{} at t = {} s", value, t), "a finite number",
              "The run has become unstable: try a shorter step.");
}

/// True unless a number is not finite: 0 x is 0, or NaN.
bool all_finite(const std::vector<double>& values) {
  double sum[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= values.size(); i += 4)
    for (size_t k = 0; k < 4; ++k) sum[k] += 0 * values[i + k];
  for (; i < values.size(); ++i) sum[0] += 0 * values[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0;
}

void require_finite_shape(const std::string& cable, const char* field,
                          const std::vector<double>& values, double t) {
  if (all_finite(values)) return;
  for (const double x : values)
    if (!std::isfinite(x)) refuse(fmt::format("{} of cable '{}'", field, cable), x, t);
}

}  // namespace

Recorder::Recorder(const Model& model, const Recording& recording, double until, double step)
    : Recorder(model, recording, start_of(recording, until), step) {}

Recorder::Recorder(const Model& model, const Recording& recording, const RecorderProgress& progress,
                   double step)
    : model_(model),
      names_(names_of(model, recording)),
      points_(recording.points),
      channels_(model, names_),
      shapes_(model, recording.points),
      step_(positive("step", step)),
      progress_(progress),
      values_(channels_.columns().size()) {}

ResultLayout Recorder::layout() const {
  ResultLayout out;
  out.columns = channels_.columns();
  for (size_t i = 0; i < shapes_.cables().size(); ++i)
    out.cables.push_back({model_.scene().cables[i].name, shapes_.cables()[i].s});
  for (const Body& body : model_.scene().bodies) out.bodies.push_back({body.name, body.shape});
  out.extent = model_.data().extent;
  return out;
}

void Recorder::add(std::unique_ptr<Sink> sink) {
  rows_ |= sink->takes_rows();
  frames_ |= sink->takes_frames();
  sinks_.push_back(std::move(sink));
}

void Recorder::change_mesh(const Model& model) {
  model_ = model;
  channels_ = Channels(model, names_);
  shapes_ = Shapes(model, points_);
}

double Recorder::next() const {
  return std::min(static_cast<double>(progress_.next_row) * progress_.every,
                  static_cast<double>(progress_.next_frame) * progress_.shapes_every);
}

void Recorder::sample(const State& state) {
  RecorderProgress& p = progress_;
  if (due(state.t, p.next_row, p.every, step_)) {
    write_row(state);
    p.next_row = after(state.t, p.every, step_);
    p.last_row = state.t;
    ++p.written.rows;
  }
  if (due(state.t, p.next_frame, p.shapes_every, step_)) {
    write_frame(state);
    p.next_frame = after(state.t, p.shapes_every, step_);
    p.last_frame = state.t;
    ++p.written.frames;
  }
}

void Recorder::finish(const State& state) {
  if (progress_.last_row != state.t) write_row(state);
  if (progress_.last_frame != state.t) write_frame(state);
  flush();
}

void Recorder::flush() {
  for (const auto& sink : sinks_) sink->flush();
}

void Recorder::write_row(const State& state) {
  if (!rows_) return;
  channels_.sample(state, values_);
  for (size_t i = 0; i < values_.size(); ++i)
    if (!std::isfinite(values_[i]))
      refuse(fmt::format("channel '{}'", channels_.columns()[i].name), values_[i], state.t);
  for (const auto& sink : sinks_) sink->row(state.t, values_);
}

void Recorder::write_frame(const State& state) {
  if (!frames_) return;
  shapes_.sample(state);
  for (size_t i = 0; i < shapes_.cables().size(); ++i) {
    const std::string& cable = model_.scene().cables[i].name;
    const Shape& shape = shapes_.cables()[i];
    require_finite_shape(cable, "position", shape.position, state.t);
    require_finite_shape(cable, "velocity", shape.velocity, state.t);
    require_finite_shape(cable, "tension", shape.tension, state.t);
    require_finite_shape(cable, "strain", shape.strain, state.t);
    require_finite_shape(cable, "curvature", shape.curvature, state.t);
  }
  for (size_t i = 0; i < shapes_.bodies().size(); ++i) {
    const BodyPose& pose = shapes_.bodies()[i];
    const std::string who = fmt::format("body '{}'", model_.scene().bodies[i].name);
    for (const double x : pose.position)
      if (!std::isfinite(x)) refuse("position of " + who, x, state.t);
    for (const double x : pose.orientation.coeffs())
      if (!std::isfinite(x)) refuse("orientation of " + who, x, state.t);
  }
  for (const auto& sink : sinks_) sink->frame(state.t, shapes_.cables(), shapes_.bodies());
}

}  // namespace hawser
