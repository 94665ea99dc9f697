// Forces, inertia and the matrix of a model at a configuration: the batches, then the loads.
#pragma once

#include <vector>

#include "assembly/kernels.h"
#include "assembly/viscous_terms.h"
#include "model/model_data.h"

namespace hawser {

class Assembler {
 public:
  explicit Assembler(const ModelData& model);

  struct Request {
    const double* q = nullptr;
    const double* b = nullptr;      ///< multiplied by the mass matrix into `inertia`
    const double* v = nullptr;      ///< velocities, for bodies; null: at rest
    const double* v_end = nullptr;  ///< velocities that go with q, for forces that depend on
                                    ///< them (ModelData::velocity_loads); null: at rest
    /// Where drag and the ground are linearized, coordinates and velocities; null: q and v_end.
    const double *q_ahead = nullptr, *v_ahead = nullptr;
    const Matrix3* rotation = nullptr;      ///< of every body; needed where there are bodies
    const ViscousTerms* viscous = nullptr;  ///< what damping adds; null: nothing
    const double* force_n = nullptr;  ///< Tangent::mixed: axial force of the geometric stiffness
    double t = 0;                     ///< of the loads
    double load_factor = 1;           ///< scales all loads (statics)
    Tangent tangent = Tangent::none;
    double mass_weight = 1, stiffness_weight = 0;
    double damping_weight = 0;  ///< of what depends on velocities: cv
    /// Also what drag changes by with the cable's direction, which is unsymmetric: for a solver
    /// made so. A step does without: it is not stiff.
    bool full_load_tangent = false;
    bool symmetric_part = false;  ///< of the tangents of all loads, stiff or not (modes)
    bool keep_points = false;     ///< also fill force_star and strain_r
    bool renew_non_stiff = true;  ///< evaluate the non-stiff loads here; else use the last ones
  };

  /// Fills force and inertia and, unless the tangent is none, adds to the (cleared) matrix.
  void run(const Request& request, const MatrixSink& sink);

  /// inertia = M b.
  void mass_times(const double* b);
  /// All loads at (q, t), added to out; `rotation` of every body.
  void add_loads(const double* q, const Matrix3* rotation, double t, double factor,
                 double* out) const;
  /// Drag, mass damping and the viscous part of the ground, added to out: forces that have no
  /// potential. As a step has them that is linear about (at.q_ahead, at.v_ahead).
  void add_lossy(const ElementMotion& at, double* out);

  std::vector<double> force;       ///< applied generalized force, elastic + loads
  std::vector<double> inertia;     ///< M b
  std::vector<double> force_star;  ///< EA eps by axial point
  std::vector<double> strain_r;    ///< eps_r' by axial point

 private:
  void add_body_loads(const Matrix3* rotation, double t, double factor, double* out) const;
  void set_bodies(const Request& request);
  void body_inertia(const double* b);
  void add_moment(const MomentLoad& load, const double* q, double t, double factor,
                  double* out) const;
  void add_moment_tangent(const MomentLoad& load, const Request& request,
                          const MatrixSink& sink) const;
  void add_surroundings(const Request& request, const MatrixSink& sink);
  void add_body_loads_tangent(const Request& request, const MatrixSink& sink) const;
  void add_masses_tangent(const Request& request, const MatrixSink& sink) const;

  const ModelData& model_;
  std::vector<double> non_stiff_;  ///< generalized force of the non-stiff loads, by coordinate
  bool has_non_stiff_ = false;
  std::vector<double> rest_;      ///< velocities where none are given, for the surroundings
  std::vector<double> momentum_;  ///< of cables that have mass damping
};

}  // namespace hawser
