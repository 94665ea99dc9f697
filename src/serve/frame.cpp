#include "serve/frame.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "model/mesh.h"
#include "model/model_data.h"
#include "report/drawing.h"

namespace hawser {
namespace {

static_assert(std::endian::native == std::endian::little);  // as frames are

constexpr size_t flags_at = 16, subscription_at = 20;  ///< [bytes]

template <class Number>
void append_number(std::string& out, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}
void append_float(std::string& out, double number) {
  append_number(out, static_cast<float>(number));
}
void append_floats(std::string& out, const std::vector<double>& numbers) {
  for (const double number : numbers) append_float(out, number);
}
void append_vector(std::string& out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) append_float(out, v[k]);
}

void append_cable(std::string& out, const Shape& shape, const Vec3& up) {
  append_floats(out, shape.position);
  append_floats(out, shape.tension);
  append_floats(out, shape.strain);
  append_floats(out, shape.curvature);
  const auto velocity = [&](size_t i) { return Vec3(Vec3::Map(&shape.velocity[3 * i])); };
  for (size_t i = 0; i < shape.s.size(); ++i) append_float(out, velocity(i).norm());
  for (size_t i = 0; i < shape.s.size(); ++i) append_float(out, velocity(i).dot(up));
}

Vec3 support_now(const Support& support, const State& state) {
  Vec3 out = support.position;
  for (int k = 0; k < 3; ++k)
    out[k] += support.motion[static_cast<size_t>(k)].at(state.now()).value;
  return out;
}

}  // namespace

FrameMaker::FrameMaker(const LiveRun& run)
    : up_(upwards(run.file().scene)), shapes_(run.model(), 0) {
  for (const Cable& cable : run.file().scene.cables)
    strength_.push_back(diameter_and_strength(cable).second);
  look(run);
}

void FrameMaker::look(const LiveRun& run) { shapes_.sample(run.state()); }

std::string FrameMaker::frame(const LiveRun& run, const FrameHead& head) const {
  const State& state = run.state();
  const std::optional<PullNow> pull = run.pull_now();
  std::string out;
  append_number(out, head.layout);
  append_number(out, head.number);
  append_number(out, state.t);
  append_number(out, static_cast<uint32_t>((head.paused ? 1 : 0) + (pull ? 2 : 0)));
  append_number(out, uint32_t{0});
  for (const Shape& shape : shapes_.cables()) append_cable(out, shape, up_);
  for (const BodyPose& body : shapes_.bodies()) {
    append_vector(out, body.position);
    append_float(out, body.orientation.w());
    append_vector(out, body.orientation.vec());
  }
  for (const Support& support : run.file().scene.supports)
    append_vector(out, support_now(support, state));
  append_vector(out, pull ? pull->point : Vec3(Vec3::Zero()));
  append_vector(out, pull ? pull->force : Vec3(Vec3::Zero()));
  return out;
}

std::string addressed(const std::string& frame, bool jumped, uint32_t subscription,
                      const std::vector<double>& values) {
  std::string out = frame;
  if (jumped) out[flags_at] = static_cast<char>(out[flags_at] | 4);
  std::memcpy(out.data() + subscription_at, &subscription, sizeof subscription);
  append_floats(out, values);
  return out;
}

template <class Value>
Greatest FrameMaker::greatest(const Value& value) const {
  Greatest out;
  for (size_t c = 0; c < shapes_.cables().size(); ++c) {
    const Shape& shape = shapes_.cables()[c];
    for (size_t i = 0; i < shape.s.size(); ++i) {
      const double here = value(c, shape.tension[i]);
      if (std::isnan(here) || (out.cable >= 0 && !(here > out.value))) continue;
      out = {here, shape.s[i], static_cast<int>(c)};
    }
  }
  return out;
}

Greatest FrameMaker::tension() const {
  return greatest([](size_t, double tension) { return tension; });
}

Greatest FrameMaker::utilisation() const {
  return greatest([this](size_t cable, double tension) {
    return strength_[cable] > 0 ? tension / strength_[cable] : std::nan("");
  });
}

}  // namespace hawser
