// Contact of cables with elements with each other and with themselves.
//
// A cable is a chain of capsules: each element has a number of straight parts between points of its
// centre line, with the radius of the cable. Two parts touch where the points that face each other
// (straight_parts.h) are nearer than R, the sum of the radii. The force is that of bristle.h with
// forces instead of forces per metre: k [N/m], depth R - D, normal e/|e|. With x = N q the relative
// position of the two points, N their weights at the nodes of both elements, the matrix has
//
//     N^T K N + (f/D) u A^-1 u^T,    A = 1/2 d2(D^2)/d(s, t)^2,   u = dN/d(s, t)^T e
//
// The second term is what the motion of the two points along the parts does: where parts lie side
// by side it is as large as the first. What the normal turns by is left out, as in bristle.h.
//
// Parts that pass through each other on the way from the beginning of the step are pushed back to
// the side that they came from, at the points that met first (Passage). No step is accepted that
// ends so.
//
// The end of State::contacts holds the parts that are close: four sums of the run (Tally), their
// number, then eight numbers a pair, in the order of the parts. The list reaches farther than a
// step, so that it lasts; the matrix has entries for those pairs alone that have come near since it
// was made. Parts that are joined are no pairs: on the same cable nearer to each other than pi R,
// or so near to a point that both cables share.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "contact/bristle.h"
#include "contact/contact_term.h"
#include "contact/straight_parts.h"

namespace hawser {

/// A run of equal elements, each cut into straight parts.
struct MeetingRun {
  int cable = 0;
  int first_node = 0, elements = 0, first_element = 0;
  double radius = 0;     ///< of the cable [m]
  double length = 0;     ///< of a part, unstretched [m]
  double arc_start = 0;  ///< unstretched arc length of the cable to its first node [m]
  /// Weights of (r1, r1', r2, r2') in the ends of the parts of an element.
  std::vector<std::array<double, 4>> ends;

  [[nodiscard]] int parts() const { return static_cast<int>(ends.size()) - 1; }
};

/// Two cables share a point.
struct SharedPoint {
  int first, second;           ///< cables
  double at_first, at_second;  ///< arc lengths [m]
};

struct Meetings {
  std::vector<MeetingRun> runs;
  std::vector<int> law_of;       ///< by two runs: which law; -1: they do not touch
  std::vector<ContactLaw> laws;  ///< k [N/m]
  std::vector<SharedPoint> shared;
  int offset = 0;  ///< in State::contacts, where its numbers begin
};

/// What two close parts remember from an accepted step to the next.
struct PartPair {
  int first = 0, second = 0;  ///< numbers of the parts
  Bristle bristle;            ///< in world axes, [N]; its place is not used
  bool near = false;          ///< the matrix has entries for it: it may touch in a step

  static constexpr int size = 9;  ///< numbers
  static PartPair read(const double* from);
  void write(double* to) const;
};

class CablePairs final : public ContactTerm {
 public:
  explicit CablePairs(Meetings meetings);

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  [[nodiscard]] double left_out(const Configuration& at) const override;
  void find_pairs(const Configuration& at, double h, bool anew, CloseSearch& scratch,
                  std::vector<double>& contacts) const override;
  static constexpr int head = 5;  ///< numbers before those of the pairs
  /// The numbers of the pairs, in State::contacts; null: none.
  [[nodiscard]] std::span<const double> pairs(const double* contacts) const;
  void couple(const double* contacts, NodePairs& out) const override;
  void remember(const Configuration& at, double* contacts) const override;
  [[nodiscard]] double leap(const Configuration& from, const Configuration& to) const override;
  void hold(double* contacts) const override;
  /// Parts of another mesh are others: their tractions begin anew.
  void carry(const ContactTerm& /*from*/, const Remembering& /*old*/, const double* /*q*/,
             double* /*contacts*/) const override {}

  struct Overlap {
    double gap = 0;  ///< between the surfaces [m], negative: they overlap
    int first = 0, second = 0;
  };
  /// The deepest of the parts that overlap at q; none: a gap of 0.
  [[nodiscard]] Overlap deepest(const std::vector<double>& q) const;
  [[nodiscard]] const MeetingRun& run_of(int part) const;
  [[nodiscard]] StraightPart part(int number, const double* field) const;
  [[nodiscard]] int parts() const { return static_cast<int>(places_.size()); }

 private:
  struct PartPlace {
    int run, element, index;  ///< of the run; of the element
  };
  /// Two parts at a place of the cables.
  struct Meeting {
    int first = 0, second = 0;  ///< parts
    double radii = 0;           ///< R [m]
    bool passed = false;        ///< through each other, since the step began
    StraightPart a, b;
    FacingPoints points;
    std::array<double, 4> weights[2];  ///< of the two points, at the nodes of their elements
    PressedPoint pressed;
  };

  [[nodiscard]] const ContactLaw* law(int first, int second) const;
  [[nodiscard]] bool joined(int first, int second) const;
  [[nodiscard]] double arc(int number) const;
  class Places;  ///< of the parts at some coordinates
  [[nodiscard]] Meeting meeting(const PartPair& pair, Places& places, const double* v) const;
  [[nodiscard]] Contact3 found(const Meeting& now, const PartPair& before, const Configuration& at,
                               Places& ahead) const;
  /// call(meeting, what the parts remember, places of the parts at Configuration::q_ahead)
  template <class Call>
  void for_meetings(const Configuration& at, const Call& call) const;
  void spread(const Meeting& m, const Eigen::Vector3d& force, double* out) const;
  void add_matrix(const Meeting& m, const Contact3& found, bool near, const Wanted& wanted,
                  const MatrixSink& sink) const;
  [[nodiscard]] int element_between(const Meeting& m, int a, int b) const;
  void find_close(const Configuration& at, double time, double margin, CloseSearch& search) const;

  Meetings meetings_;
  std::vector<PartPlace> places_;  ///< by part
};

}  // namespace hawser
