// results.vtkhdf: cables and bodies for ParaView, all frames in one file.
#pragma once

#include <optional>

#include "record/sink.h"
#include "record/vtk_drawing.h"

namespace hawser {

/// Point data of cables: tension [N], strain, curvature [1/m], velocity [m/s] and arc_length
/// (unstretched) [m]; NaN at the points of bodies. Cell data cable and body: number in the scene,
/// or -1.
class VtkSink final : public Sink {
 public:
  /// `from`: go on after so many frames of the file that is there.
  VtkSink(const std::string& directory, const ResultLayout& layout,
          std::optional<SinkPosition> from = std::nullopt);
  ~VtkSink() override;

  [[nodiscard]] bool takes_rows() const override { return false; }
  void row(double /*t*/, std::span<const double> /*values*/) override {}
  void frame(double t, const std::vector<Shape>& shapes,
             const std::vector<BodyPose>& bodies) override;
  void flush() override { file_.flush(); }

 private:
  VtkFile file_;
  VtkDrawing drawing_;
  std::vector<double> none_;  ///< for fields at the points of bodies
  std::vector<double> arcs_, points_;
};

}  // namespace hawser
