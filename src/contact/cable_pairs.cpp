#include "contact/cable_pairs.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "contact/cable_contact.h"
#include "contact/close_grid.h"
#include "elements/element_block.h"

namespace hawser {
namespace {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using NodeBlock = Eigen::Matrix<double, node_size, node_size>;
using PartBlock = Eigen::Matrix<double, 2 * node_size, 2 * node_size>;

/// rho of the points that face each other, in units of R^2: parts side by side that tilt by more
/// than a tenth of this of R touch at one end.
constexpr double evenness = 0.01;
/// Parts whose centre lines come nearer than this share of R meet on their way.
constexpr double meets_at = 0.5;

Vector3d weighed(const std::array<double, 4>& weights, const double* field, int c) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < 4; ++k)
    if (weights[static_cast<size_t>(k)] != 0)
      sum += weights[static_cast<size_t>(k)] * Map<const Vector3d>(field + c + 3 * k);
  return sum;
}

std::array<double, 4> blended(const std::array<double, 4>& from, const std::array<double, 4>& to,
                              double share) {
  std::array<double, 4> out{};
  for (size_t k = 0; k < 4; ++k) out[k] = (1 - share) * from[k] + share * to[k];
  return out;
}

/// Of w w'^T times a matrix, by the vectors of two elements.
void add_weighed(const std::array<double, 4>& rows, const std::array<double, 4>& columns,
                 const Matrix3d& K, PartBlock& out) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      out.block<3, 3>(3 * i, 3 * j) +=
          rows[static_cast<size_t>(i)] * columns[static_cast<size_t>(j)] * K;
}

}  // namespace

PartPair PartPair::read(const double* from) {
  PartPair out;
  out.first = static_cast<int>(from[0]);
  out.second = static_cast<int>(from[1]);
  const int code = static_cast<int>(from[2]);
  out.bristle.grip = static_cast<Grip>(code % 4);
  out.bristle.calm = code >= 4;
  out.bristle.push = from[3];
  out.bristle.traction = {from[4], from[5], from[6]};
  out.near = from[7] != 0;
  out.bristle.slid = from[8];
  return out;
}

void PartPair::write(double* to) const {
  to[0] = first;
  to[1] = second;
  to[2] = static_cast<int>(bristle.grip) + (bristle.calm ? 4 : 0);
  to[3] = bristle.push;
  for (int i = 0; i < 3; ++i) to[4 + i] = bristle.traction[i];
  to[7] = near ? 1 : 0;
  to[8] = bristle.slid;
}

CablePairs::CablePairs(Meetings meetings) : meetings_(std::move(meetings)) {
  for (size_t r = 0; r < meetings_.runs.size(); ++r)
    for (int e = 0; e < meetings_.runs[r].elements; ++e)
      for (int k = 0; k < meetings_.runs[r].parts(); ++k)
        places_.push_back({static_cast<int>(r), e, k});
}

Facts CablePairs::facts() const {
  Facts out;
  out.ahead = out.kinked = out.by_velocity = out.lossy = out.remembers = out.meets = true;
  return out;
}

std::span<const double> CablePairs::pairs(const double* contacts) const {
  if (contacts == nullptr) return {};
  const double* own = contacts + meetings_.offset;
  return {own + head, PartPair::size * static_cast<size_t>(own[head - 1])};
}

const MeetingRun& CablePairs::run_of(int part) const {
  return meetings_.runs[static_cast<size_t>(places_[static_cast<size_t>(part)].run)];
}

StraightPart CablePairs::part(int number, const double* field) const {
  const PartPlace& at = places_[static_cast<size_t>(number)];
  const MeetingRun& run = meetings_.runs[static_cast<size_t>(at.run)];
  const int c = node_size * (run.first_node + at.element);
  return {{weighed(run.ends[static_cast<size_t>(at.index)], field, c),
           weighed(run.ends[static_cast<size_t>(at.index) + 1], field, c)}};
}

const ContactLaw* CablePairs::law(int first, int second) const {
  const size_t runs = meetings_.runs.size();
  const int which =
      meetings_.law_of[static_cast<size_t>(places_[static_cast<size_t>(first)].run) * runs +
                       static_cast<size_t>(places_[static_cast<size_t>(second)].run)];
  return which < 0 ? nullptr : &meetings_.laws[static_cast<size_t>(which)];
}

/// Where parts are at some coordinates and were as the step began, each found when it is first
/// asked for: a part is in many pairs.
class CablePairs::Places {
 public:
  struct Place {
    StraightPart now, before;
    Eigen::AlignedBox3d box;  ///< of all of its way
  };

  /// Scratch of this thread: of Configuration::q, or of Configuration::q_ahead.
  static Places& scratch(bool ahead) {
    static thread_local Places both[2];
    return both[ahead ? 1 : 0];
  }
  Places& begin(const CablePairs& of, const double* q, const double* q_start) {
    of_ = &of;
    q_ = q;
    q_start_ = q_start != nullptr ? q_start : q;
    if (places_.size() < of.places_.size()) {
      places_.resize(of.places_.size());
      found_.resize(of.places_.size(), 0);
    }
    ++turn_;
    return *this;
  }
  [[nodiscard]] bool moved() const { return q_start_ != q_; }
  [[nodiscard]] const double* start() const { return q_start_; }
  const Place& operator[](int number) {
    const auto i = static_cast<size_t>(number);
    Place& place = places_[i];
    if (found_[i] == turn_) return place;
    found_[i] = turn_;
    place.now = of_->part(number, q_);
    place.before = moved() ? of_->part(number, q_start_) : place.now;
    place.box = Eigen::AlignedBox3d(place.now.end[0]);
    place.box.extend(place.now.end[1]).extend(place.before.end[0]).extend(place.before.end[1]);
    return place;
  }

 private:
  const CablePairs* of_ = nullptr;
  const double *q_ = nullptr, *q_start_ = nullptr;
  std::vector<Place> places_;
  std::vector<unsigned long> found_;  ///< by part: the turn in which it was found
  unsigned long turn_ = 0;
};

/// How two parts are. Where they are far from each other nothing but the depth is found.
CablePairs::Meeting CablePairs::meeting(const PartPair& pair, Places& places,
                                        const double* v) const {
  Meeting out;
  out.first = pair.first;
  out.second = pair.second;
  const double R = out.radii = run_of(pair.first).radius + run_of(pair.second).radius,
               rho = evenness * R * R;
  const Places::Place &a = places[pair.first], &b = places[pair.second];
  // Most of the listed pairs are out of reach of each other, now and on their way.
  if (const double apart = a.box.squaredExteriorDistance(b.box); apart > R * R) {
    out.pressed.depth = R - std::sqrt(apart);
    return out;
  }
  out.a = a.now;
  out.b = b.now;
  out.points = facing(out.a, out.b, rho);
  Vector3d normal = out.points.apart;
  double depth = R - out.points.distance;
  if (places.moved())
    if (const auto through = passage(a.before, b.before, out.a, out.b, meets_at * R, rho)) {
      out.passed = true;
      out.points = {
          through->s, through->t, false, false, out.a.at(through->s) - out.b.at(through->t), R};
      normal = through->normal;
      depth = R - normal.dot(out.points.apart);
    }
  out.pressed.depth = depth;
  if (!(depth > 0)) return out;
  if (!(normal.norm() > 1e-9 * R)) normal = out.a.along().cross(out.b.along());
  out.pressed.normal = normal.stableNormalized();
  const int numbers[2] = {pair.first, pair.second};
  const double shares[2] = {out.points.s, out.points.t};
  Vector3d rate[2], start[2];
  for (int i = 0; i < 2; ++i) {
    const PartPlace& at = places_[static_cast<size_t>(numbers[i])];
    const MeetingRun& run = run_of(numbers[i]);
    const auto k = static_cast<size_t>(at.index);
    out.weights[i] = blended(run.ends[k], run.ends[k + 1], shares[i]);
    const int c = node_size * (run.first_node + at.element);
    rate[i] = weighed(out.weights[i], v, c);
    start[i] = weighed(out.weights[i], places.start(), c);
  }
  out.pressed.rate = rate[0] - rate[1];
  out.pressed.slide = out.points.apart - (start[0] - start[1]);
  return out;
}

/// At (q, v), with the friction limit of the pass that is linear about (q_ahead, v_ahead).
Contact3 CablePairs::found(const Meeting& now, const PartPair& before, const Configuration& at,
                           Places& ahead) const {
  const ContactLaw& rule = *law(now.first, now.second);
  FrictionLimit limit = limit_of(at);
  if (!at.predicted && at.q != at.q_ahead)
    limit.push = press(rule, meeting(before, ahead, at.v_ahead).pressed, nullptr, {}).push;
  return press(rule, now.pressed, at.q_start != nullptr ? &before.bristle : nullptr, limit);
}

/// Of all pairs whose parts are in each other at (q, v).
template <class Call>
void CablePairs::for_meetings(const Configuration& at, const Call& call) const {
  const std::span<const double> all = pairs(at.contacts);
  Places &places = Places::scratch(false).begin(*this, at.q, at.q_start),
         &ahead = Places::scratch(true).begin(*this, at.q_ahead, at.q_start);
  for (size_t i = 0; i < all.size(); i += PartPair::size) {
    const PartPair before = PartPair::read(all.data() + i);
    const Meeting now = meeting(before, places, at.v);
    if (now.pressed.depth > 0) call(now, before, ahead);
  }
}

void CablePairs::spread(const Meeting& m, const Vector3d& force, double* out) const {
  const int numbers[2] = {m.first, m.second};
  for (int i = 0; i < 2; ++i) {
    const int c = node_size * (run_of(numbers[i]).first_node +
                               places_[static_cast<size_t>(numbers[i])].element);
    for (int k = 0; k < 4; ++k)
      Map<Vector3d>(out + c + 3 * k) +=
          (i == 0 ? 1 : -1) * m.weights[i][static_cast<size_t>(k)] * force;
  }
}

void CablePairs::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const bool matrix =
      wanted.matrix() && (wanted.stiffness_weight != 0 || wanted.damping_weight != 0);
  for_meetings(at, [&](const Meeting& now, const PartPair& before, Places& ahead) {
    const Contact3 contact = found(now, before, at, ahead);
    if (contact.grip == Grip::open) return;
    spread(now, contact.force(), sums.force);
    if (matrix) add_matrix(now, contact, before.near, wanted, sums.sink);
  });
}

/// The element that connects two nodes, among all; -1: none does.
int CablePairs::element_between(const Meeting& m, int a, int b) const {
  if (std::abs(a - b) != 1) return -1;
  for (const int number : {m.first, m.second}) {
    const MeetingRun& run = run_of(number);
    const int e = std::min(a, b) - run.first_node;
    if (e >= 0 && e < run.elements) return run.first_element + e;
  }
  return -1;
}

/// The parts of a pair that is not `near` have no entries with each other: more passes make up for
/// them (left_out).
void CablePairs::add_matrix(const Meeting& m, const Contact3& contact, bool near,
                            const Wanted& wanted, const MatrixSink& sink) const {
  const Vector3d& n = contact.normal;
  const Matrix3d K = wanted.stiffness_weight * contact.stiffness +
                     wanted.damping_weight * contact.viscosity * n * n.transpose();
  PartBlock own[2],
      between = PartBlock::Zero();  // rows of the first element, columns of the second
  add_weighed(m.weights[0], m.weights[1], -K, between);
  for (int i = 0; i < 2; ++i) {
    own[i].setZero();
    add_weighed(m.weights[i], m.weights[i], K, own[i]);
  }
  if (!m.passed && (m.points.s_free || m.points.t_free)) {
    const double rho = evenness * m.radii * m.radii;
    const Vector3d u = m.a.along(), w = m.b.along(), &e = m.points.apart;
    Eigen::Matrix2d A;
    A << u.squaredNorm() + rho, -u.dot(w), -u.dot(w), w.squaredNorm() + rho;
    if (!m.points.s_free || !m.points.t_free) A(0, 1) = A(1, 0) = 0;
    Eigen::Matrix2d inverse = A.inverse();
    if (!m.points.s_free) inverse.row(0).setZero();
    if (!m.points.t_free) inverse.row(1).setZero();
    const Matrix3d E =
        wanted.stiffness_weight * contact.push / m.points.distance * e * e.transpose();
    std::array<double, 4> turn[2];
    for (int i = 0; i < 2; ++i) {
      const int number = i == 0 ? m.first : m.second;
      const auto k = static_cast<size_t>(places_[static_cast<size_t>(number)].index);
      const auto& ends = run_of(number).ends;
      for (size_t j = 0; j < 4; ++j) turn[i][j] = (i == 0 ? 1 : -1) * (ends[k + 1][j] - ends[k][j]);
      add_weighed(turn[i], turn[i], inverse(i, i) * E, own[i]);
    }
    add_weighed(turn[0], turn[1], inverse(0, 1) * E, between);
  }
  int node[2];
  for (int i = 0; i < 2; ++i) {
    const int number = i == 0 ? m.first : m.second;
    const int element = places_[static_cast<size_t>(number)].element;
    node[i] = run_of(number).first_node + element;
    add_element_block(sink, run_of(number).first_element + element, node[i], own[i].data());
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const int a = node[0] + i, b = node[1] + j;
      NodeBlock block = between.block<node_size, node_size>(node_size * i, node_size * j);
      if (a == b) {
        block += NodeBlock(block.transpose());
        add_node_block(sink, a, block.data());
      } else if (const int element = element_between(m, a, b); element >= 0) {
        PartBlock both = PartBlock::Zero();
        const int row = a < b ? 0 : node_size, column = node_size - row;
        both.block<node_size, node_size>(row, column) = block;
        both.block<node_size, node_size>(column, row) = block.transpose();
        add_element_block(sink, element, std::min(a, b), both.data());
      } else if (near) {
        if (a < b) block.transposeInPlace();
        add_pair_block(sink, wanted.coupled->find(a, b), block.data());
      }
    }
}

/// Friction, and of the normal force what the depth does not store.
void CablePairs::add_lossy(const Configuration& at, double*, double* out) const {
  for_meetings(at, [&](const Meeting& now, const PartPair& before, Places& ahead) {
    const Contact3 contact = found(now, before, at, ahead);
    const double stored = law(now.first, now.second)->normal.stiffness * now.pressed.depth;
    spread(now, contact.force() - stored * now.pressed.normal, out);
  });
}

void CablePairs::add_energy(const EnergyState& at, EnergyParts& out) const {
  Configuration there(at, at.q, at.v, at.orientation);
  there.contacts = at.contacts;
  for_meetings(there, [&](const Meeting& now, const PartPair&, Places&) {
    const double depth = now.pressed.depth;
    out.gravity += law(now.first, now.second)->normal.stiffness * depth * depth / 2;
  });
}

/// As that of CableContact. Parts that have passed through each other are never settled.
double CablePairs::left_out(const Configuration& at) const {
  constexpr double negligible = 1e-3, limit_share = 0.02 / 0.05;
  double largest = 0, differs = 0, pushes = 0, change = 0;
  const std::span<const double> all = pairs(at.contacts);
  Places &places = Places::scratch(false).begin(*this, at.q, at.q_start),
         &ahead = Places::scratch(true).begin(*this, at.q_ahead, at.q_start);
  for (size_t i = 0; i < all.size(); i += PartPair::size) {
    const PartPair before = PartPair::read(all.data() + i);
    const Meeting from = meeting(before, ahead, at.v_ahead), to = meeting(before, places, at.v);
    if (to.passed) return 1;
    if (!(from.pressed.depth > 0) && !(to.pressed.depth > 0)) continue;
    const ContactLaw& rule = *law(before.first, before.second);
    const Contact3 used = press(rule, from.pressed, &before.bristle, limit_of(at)),
                   now = press(rule, to.pressed, &before.bristle, own_limit(at));
    if (used.grip == Grip::open && now.grip == Grip::open) continue;
    largest = std::max({largest, now.push, used.push});
    pushes += now.push;
    const double limit = at.predicted ? before.bristle.push : used.push;
    if (rule.static_friction > 0) change += std::abs(now.push - limit);
    const bool turned_round = used.grip == Grip::slips && used.traction.dot(now.traction) < 0;
    if (!before.near) {
      differs = std::max(differs, (now.force() - used.force()).norm());
      continue;
    }
    if (used.grip == now.grip && !turned_round) continue;
    Vector3d linear = Vector3d::Zero();
    if (used.grip != Grip::open) {
      const StraightPart &a = places[before.first].now, &b = places[before.second].now;
      const Vector3d way = a.at(from.points.s) - b.at(from.points.t) - from.points.apart;
      linear = used.force() - used.stiffness * way;
    }
    differs = std::max(differs, (now.force() - linear).norm());
  }
  if (!(largest > 0)) return differs > 0 ? 1 : 0;
  if (differs > negligible * largest) return 1;
  return pushes > 0 ? limit_share * change / pushes : 0;
}

void CablePairs::remember(const Configuration& at, double* contacts) const {
  const std::span<const double> all = pairs(at.contacts);
  if (at.contacts == nullptr) return;
  double* own = contacts + meetings_.offset;
  Tally tally = Tally::read(own);
  Places &places = Places::scratch(false).begin(*this, at.q, at.q_start),
         &ahead = Places::scratch(true).begin(*this, at.q_ahead, at.q_start);
  for (size_t i = 0; i < all.size(); i += PartPair::size) {
    const PartPair before = PartPair::read(all.data() + i);
    const Meeting now = meeting(before, places, at.v);
    PartPair next = before;
    next.bristle = {};
    if (now.pressed.depth > 0) {
      const Contact3 contact = found(now, before, at, ahead);
      next.bristle.traction = contact.elastic;
      next.bristle.push = contact.push;
      next.bristle.grip = contact.grip;
      next.bristle.calm = contact.calm;
      next.bristle.slid = contact.slid;
      tally.deepest = std::max(tally.deepest, now.pressed.depth);
      const double apart = run_of(now.first).radius + run_of(now.second).radius;
      tally.sunk = std::max(tally.sunk, 2 * now.pressed.depth / apart);
      tally.friction_work -= contact.traction.dot(contact.slide);
      const double shorter = std::min(run_of(now.first).length, run_of(now.second).length);
      tally.courant = std::max(tally.courant, contact.slide.norm() / shorter);
    }
    next.write(own + head + i);
  }
  tally.write(own);
}

/// 2 where parts go through each other on straight ways, else 0.
double CablePairs::leap(const Configuration& from, const Configuration& to) const {
  int nodes = 0;
  for (const MeetingRun& run : meetings_.runs)
    nodes = std::max(nodes, run.first_node + run.elements + 1);
  std::vector<double> way(static_cast<size_t>(node_size * nodes));
  for (size_t i = 0; i < way.size(); ++i) way[i] = to.q[i] - from.q[i];
  CloseSearch search;
  find_close({from, from.q, way.data(), nullptr}, 1, 1, search);
  for (const auto& [first, second] : search.pairs) {
    const double R = run_of(first).radius + run_of(second).radius;
    if (passage(part(first, from.q), part(second, from.q), part(first, to.q), part(second, to.q),
                meets_at * R, evenness * R * R))
      return 2;
  }
  return 0;
}

void CablePairs::hold(double* contacts) const {
  double* own = contacts + meetings_.offset;
  const auto count = static_cast<size_t>(own[head - 1]);
  for (size_t i = 0; i < count; ++i) {
    double* at = own + head + PartPair::size * i;
    PartPair pair = PartPair::read(at);
    pair.bristle.hold();
    pair.write(at);
  }
}

bool renew_coupled(const std::vector<std::shared_ptr<const Term>>& terms, const double* contacts,
                   CoupledNodes& coupled) {
  const auto fixed = coupled.pairs.begin(), end = fixed + static_cast<long>(coupled.fixed);
  NodePairs added;
  for (const auto& term : terms) term->couple(contacts, added);
  std::sort(added.begin(), added.end());
  added.erase(std::unique(added.begin(), added.end()), added.end());
  std::erase_if(added, [&](const auto& both) { return std::binary_search(fixed, end, both); });
  if (std::equal(end, coupled.pairs.end(), added.begin(), added.end())) return false;
  coupled.pairs.resize(coupled.fixed);
  coupled.pairs.insert(coupled.pairs.end(), added.begin(), added.end());
  return true;
}

}  // namespace hawser
