// Where samples go: files that grow with the run, whatever its length.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "hawser/record.h"

namespace hawser {

/// What is the same for all rows and frames.
struct ResultLayout {
  std::string title;
  std::map<std::string, std::string> metadata;  ///< scene, settings, machine
  std::vector<Column> columns;
  struct Cable {
    std::string name;
    std::vector<double> s;  ///< unstretched arc length of its points at the start [m]
  };
  std::vector<Cable> cables;
  struct Body {
    std::string name;
    Solid shape;
  };
  std::vector<Body> bodies;
  double extent = 0;  ///< largest distance between things at the start [m]
};

/// How much of the results counts. A resumed run cuts off what was written after it.
struct SinkPosition {
  long rows = 0, frames = 0;
};

/// Appends to files in a results folder. What was written before the last flush survives the end of
/// the program, however it ends. Numbers are finite: the recorder sees to it.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  /// What it has a use for: the rest need not be sampled.
  [[nodiscard]] virtual bool takes_rows() const { return true; }
  [[nodiscard]] virtual bool takes_frames() const { return true; }
  /// One number a column.
  virtual void row(double t, std::span<const double> values) = 0;
  /// One shape a cable, one pose a body. The number and the places of a shape's points may change
  /// from frame to frame.
  virtual void frame(double t, const std::vector<Shape>& shapes,
                     const std::vector<BodyPose>& bodies) = 0;
  virtual void flush() = 0;
};

}  // namespace hawser
