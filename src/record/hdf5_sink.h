// results.h5: channels and shapes in one file for Python, MATLAB and the like.
#pragma once

#include <optional>

#include "record/h5_file.h"
#include "record/sink.h"

namespace hawser {

/// The file, n rows and m frames long:
///
///   /                        attributes: format, title and the layout's metadata
///   /time (n)                [s] float64
///   /channels/NAME (n)       float64, one dataset a column, in their order
///   /shapes/time (m)         [s] float64
///   /shapes/CABLE/s (m, points)   unstretched arc length [m] float64; cables in the scene's order
///   /shapes/CABLE/position, velocity (m, points, 3), tension, strain, curvature (m, points)
///   float32
///   /bodies/BODY             attributes: its shape (solid_attributes.h)
///   /bodies/BODY/position (m, 3), orientation (m, 4: w, x, y, z)   float64, at /shapes/time
///
/// A change of mesh may change the number of points: there are as many as the longest frame needs,
/// or more, and shorter ones are filled up with NaN. Where a frame needs more than the file has
/// room for, the file is written anew, half as wide again.
///
/// Every dataset has an attribute `unit`. The file is closed between flushes, when any reader can
/// open it. If the program dies inside a flush, readers that follow a writer can (h5py: swmr=True),
/// and all can after `h5clear -s`; what was flushed before is whole. Times are written last: where
/// datasets differ in length, those of the times count.
class Hdf5Sink final : public Sink {
 public:
  /// `from`: go on after so many rows and frames of the file that is there.
  Hdf5Sink(const std::string& directory, const ResultLayout& layout,
           std::optional<SinkPosition> from = std::nullopt);
  ~Hdf5Sink() override;

  void row(double t, std::span<const double> values) override;
  void frame(double t, const std::vector<Shape>& shapes,
             const std::vector<BodyPose>& bodies) override;
  void flush() override;

 private:
  void make_series();
  void create(const std::string& path) const;
  /// Writes the file anew with series of the widths asked for, up to there.
  void rewrite(const SinkPosition& position);
  [[nodiscard]] std::vector<h5::Kept> kept_of(const SinkPosition& position);
  /// Appends to the file what is new; `all`: with what does not fill its chunk.
  void write(bool all);

  std::string path_;
  ResultLayout layout_;
  std::vector<size_t> points_;  ///< by cable: that the file has room for
  ShuffleDeflate deflate_;
  std::vector<h5::Series> times_;  ///< of rows, of frames
  std::vector<h5::Series> columns_;
  std::vector<h5::Series> fields_;  ///< by cable: s, position, velocity, tension, strain,
                                    ///< curvature; then by body: position, orientation
};

}  // namespace hawser
