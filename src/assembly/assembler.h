// Forces, inertia and the matrix of a model at a configuration: the sums over its terms.
#pragma once

#include <vector>

#include "base/workers.h"
#include "model/model_data.h"

namespace hawser {

class Assembler {
 public:
  explicit Assembler(const ModelData& model);
  /// The elements of cables are shared by these from now on; the sums do not change by it.
  void use(Workers& workers) { workers_ = &workers; }

  /// Fills force and inertia and, unless the tangent is none, adds to the (cleared) matrix.
  void run(const Configuration& at, const Wanted& wanted, const MatrixSink& sink);
  /// An assembly that is asked for this also fills axial_star and strain_r.
  void keep_points(Wanted& wanted);
  /// Terms that are not stiff act with the force of the last assembly that had this true.
  bool renew_non_stiff = true;

  /// inertia = M(q) b.
  void mass_times(const double* q, const double* b);
  /// All loads, or those whose work comes from outside, times factor, added to out.
  void add_loads(const Configuration& at, double factor, double* out) const;
  void add_supplied_loads(const Configuration& at, double factor, double* out) const;
  /// Forces that depend on the velocity and have no potential, added to out. As a step has them
  /// that is linear about (at.q_ahead, at.v_ahead).
  void add_lossy(const Configuration& at, double* out);

  std::vector<double> force;       ///< generalized force of all terms
  std::vector<double> inertia;     ///< M b
  std::vector<double> axial_star;  ///< EA eps by axial point
  std::vector<double> strain_r;    ///< eps_r' by axial point

 private:
  void find_shares();
  template <class Call>
  void for_stored(bool apart, const Call& call) const;
  void clear_scalars(std::vector<double>& sum) const;
  void clear_rest(std::vector<double>& sum) const;
  void add_loads(const Configuration& at, double factor, bool Facts::*kind, double* out) const;

  const ModelData& model_;
  Workers* workers_ = &one_worker();
  std::vector<size_t> shares_;     ///< where each begins among the terms that store, and the end
  std::vector<Facts> facts_;       ///< by term
  std::vector<double> non_stiff_;  ///< force of the terms that are not stiff
  std::vector<double> non_stiff_lossy_;  ///< of it what add_lossy() tells
  std::vector<double> scratch_;
};

}  // namespace hawser
