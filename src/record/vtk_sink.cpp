#include "record/vtk_sink.h"

#include <array>
#include <limits>

#include "hawser/error.h"

namespace hawser {
namespace {

const std::vector<VtkFile::Field> moving_fields = {
    {"tension", "N"}, {"strain", ""}, {"curvature", "1/m"}, {"velocity", "m/s", 3}};
const std::vector<VtkFile::Field> constant_fields = {{"arc_length", "m"}};

std::vector<Solid> solids_of(const ResultLayout& layout) {
  std::vector<Solid> out;
  for (const ResultLayout::Body& body : layout.bodies) out.push_back(body.shape);
  return out;
}

}  // namespace

VtkSink::VtkSink(const std::string& directory, const ResultLayout& layout,
                 std::optional<SinkPosition> from)
    : file_(directory + "/results.vtkhdf", moving_fields, constant_fields,
            from ? std::optional(from->frames) : std::nullopt),
      drawing_(solids_of(layout), layout.extent),
      none_(3 * drawing_.body_points(), std::numeric_limits<double>::quiet_NaN()) {}

VtkSink::~VtkSink() {
  try {
    flush();
  } catch (const Error&) {  // whoever must know has called flush
  }
}

void VtkSink::frame(double t, const std::vector<Shape>& shapes,
                    const std::vector<BodyPose>& bodies) {
  drawing_.set_cells(shapes, file_);
  arcs_.clear();
  for (const Shape& shape : shapes) {
    arcs_.insert(arcs_.end(), shape.s.begin(), shape.s.end());
    file_.add_points(shape.position);
    size_t field = 0;
    for (const auto* values : {&shape.tension, &shape.strain, &shape.curvature, &shape.velocity})
      file_.add_moving(field++, *values);
  }
  const auto none = std::span(none_).first(drawing_.body_points());
  arcs_.insert(arcs_.end(), none.begin(), none.end());
  file_.set_constant(0, arcs_);
  for (size_t i = 0; i < moving_fields.size(); ++i)
    file_.add_moving(i, std::span(none_).first(moving_fields[i].components * none.size()));
  points_.clear();
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Eigen::Matrix3d R = bodies[i].orientation.toRotationMatrix();
    for (const Vec3& p : drawing_.solids()[i].points) {
      const Vec3 at = bodies[i].position + R * p;
      points_.insert(points_.end(), at.begin(), at.end());
    }
  }
  file_.add_points(points_);
  file_.end_frame(t);
}

}  // namespace hawser
