// The rows of joints, attachments and turning clamps: sign (part - value(t)), where a part is one
// of parts.h. Their gradients and curvatures are derived there.
//
// The angle of a joint that turns about an axis goes on from that of the state and counts whole
// turns: those of the step so far say which turn it is, however far the bodies turn in a step.
#pragma once

#include <span>

#include "constraints/constraint.h"

namespace hawser {

class JointRows final : public Constraint {
 public:
  JointRows(std::span<const RowInfo> rows, std::span<const PartRow> parts,
            std::span<const AngleData> angles, const NodePairs& pairs);

  bool evaluate(const RowsAt& at, RowValues& out) override;
  void add_curvature(const double* q, const Poses& poses, const double* lambda, double weight,
                     const MatrixSink& sink) const override;
  void turn_angles(const double* d, std::vector<double>& wrap) const override;

 private:
  static void evaluate_angle(const AngleData& angle, const RowsAt& at, RowValues& out);
  [[nodiscard]] PartResult evaluate_turn(const PartRow& part, const RowsAt& at,
                                         const RowValues& out) const;
  void evaluate_part(const PartRow& part, const RowsAt& at, RowValues& out) const;

  std::span<const RowInfo> rows_;
  std::span<const PartRow> parts_;
  std::span<const AngleData> angles_;
  std::vector<int> pair_;  ///< by part, among the pairs
};

}  // namespace hawser
