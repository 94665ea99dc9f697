// results.pvd with vtk/cables_000000.vtp ... and vtk/bodies_000000.vtp ...: the shapes for
// ParaView, a file a frame, or two where there are bodies.
#pragma once

#include <optional>

#include "record/file.h"
#include "record/sink.h"
#include "record/vtk_bodies.h"

namespace hawser {

/// Every frame is VTK XML PolyData: a poly-line a cable, float32 points; point data tension [N],
/// strain, curvature [1/m], velocity [m/s] and arc_length (unstretched) [m]; cell data cable (its
/// number in the scene); field data TimeValue [s]. The bodies are a second part of the same time
/// (vtk_bodies.h). The collection results.pvd names frames once they are written and is whole after
/// every frame.
class VtkSink final : public Sink {
 public:
  /// `from`: go on after so many frames of those that are there.
  VtkSink(const std::string& directory, const ResultLayout& layout,
          std::optional<SinkPosition> from = std::nullopt);

  void row(double /*t*/, std::span<const double> /*values*/) override {}
  void frame(double t, const std::vector<Shape>& shapes,
             const std::vector<BodyPose>& bodies) override;
  void flush() override {}  // frames are written as they come

 private:
  void lay_out(const std::vector<Shape>& shapes);
  [[nodiscard]] bool suits(const std::vector<Shape>& shapes) const;
  void add_entries(double t);
  void keep(long frames);
  [[nodiscard]] static std::string frame_name(const std::string& stem, long number);

  std::string directory_;
  VtkBodies bodies_;
  std::vector<std::string> stems_;  ///< of the files of a frame
  File collection_;
  size_t end_ = 0;                         ///< where the closing tags of the collection start
  long frames_ = 0;                        ///< written
  std::vector<std::vector<double>> arcs_;  ///< by cable: s of the shapes that the image is for
  std::string image_;  ///< of a frame's file; what does not change with the time is filled in
  struct Offsets {
    size_t time = 0, points = 0, velocity = 0, tension = 0, strain = 0, curvature = 0;
  } at_;  ///< of the data that change, in image_
};

}  // namespace hawser
