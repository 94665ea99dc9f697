// The rows of joints, attachments and turning clamps: sign (part - value(t)), where a part is one
// of parts.h. Their gradients and curvatures are derived there; most joints have closed forms
// (plain_joints.h).
//
// The angle of a joint that turns about an axis goes on from that of the state and counts whole
// turns: those of the step so far say which turn it is, however far the bodies turn in a step.
#pragma once

#include "constraints/plain_joints.h"

namespace hawser {

class JointRows final : public Constraint {
 public:
  JointRows(std::vector<PartRow> parts, std::vector<AngleData> angles)
      : parts_(std::move(parts)), angles_(std::move(angles)) {}

  [[nodiscard]] const std::vector<PartRow>& parts() const { return parts_; }
  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs& pairs) const override;
  void visit_signals(const std::function<void(const Signal&)>& use) const override {
    for (const PartRow& part : parts_) use(part.value);
  }
  void prepare(std::span<const RowInfo> rows) override;
  bool evaluate(const RowsAt& at, RowValues& out) override;
  void add_curvature(const double* q, const Poses& poses, const double* lambda, double weight,
                     const MatrixSink& sink) const override;
  double accept(const TakenStep& step, State& state) const override;

 private:
  void evaluate_angles(const RowsAt& at, RowValues& out) const;
  [[nodiscard]] PartResult evaluate_turn(const PartRow& part, const RowsAt& at,
                                         const RowValues& out) const;
  /// The two points of a part; parts of a joint have the same and follow each other.
  struct Points {
    Operand a, b;
    Vec3 drift = Vec3::Zero();  ///< velocity of b less that of a by the motion of the ground
    void find(const PartRow& part, const double* q, const Poses& poses);
  };
  void evaluate_part(const PartRow& part, const Points& points, const RowsAt& at,
                     RowValues& out) const;
  void find_in_rows();
  void find_same_points();
  void find_on_nodes();
  size_t add_on_node(size_t first, const double* q, const Poses& poses, const double* lambda,
                     double weight, const MatrixSink& sink) const;

  std::vector<PartRow> parts_;
  std::vector<AngleData> angles_;
  std::vector<int> pair_;  ///< by part, among the pairs

  // --- found by prepare() ---
  PlainJoints plain_;
  std::vector<char> in_rows_;      ///< by angle: a row depends on it
  std::vector<size_t> others_;     ///< parts that are not plain
  std::vector<char> same_points_;  ///< by those: the points of the one before
  /// By those: the node of a cable that the part holds to a point of the ground, by the distance or
  /// along the slope of that node, as pulleys do; -1: it is none of these.
  std::vector<int> on_node_;
};

}  // namespace hawser
