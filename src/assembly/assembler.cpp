#include "assembly/assembler.h"

#include <Eigen/Geometry>

#include <algorithm>

#include "assembly/element_block.h"

namespace hawser {

Assembler::Assembler(const ModelData& model)
    : force(model.padded()),
      inertia(model.padded()),
      force_star(static_cast<size_t>(model.point_size)),
      strain_r(3 * static_cast<size_t>(model.point_size)),
      model_(model) {
  has_non_stiff_ = std::any_of(model.moments.begin(), model.moments.end(),
                               [](const MomentLoad& m) { return !m.stiff; });
  if (has_non_stiff_) non_stiff_.assign(model.padded(), 0);
  if (!model.surroundings.empty()) rest_.assign(model.padded(), 0);
  if (model.velocity_loads) momentum_.assign(model.padded(), 0);
}

void Assembler::run(const Request& request, const MatrixSink& sink) {
  AssemblyIo io;
  io.q = request.q;
  io.b = request.b;
  io.force = force.data();
  io.inertia = inertia.data();
  io.force_n = request.force_n;
  if (request.keep_points) {
    io.force_star = force_star.data();
    io.strain_r = strain_r.data();
  }
  io.mass_weight = request.mass_weight;
  io.stiffness_weight = request.stiffness_weight;
  const bool matrix = request.tangent != Tangent::none;
  io.sink = sink;
  io.v = request.v_end;
  io.damping_weight = request.damping_weight;
  for (size_t i = 0; i < model_.batches.size(); ++i) {
    if (request.viscous) request.viscous->hand_over(i, io);
    kernels().assemble(model_.batches[i], io, request.tangent);
  }
  for (const LumpedMass& m : model_.masses)
    for (int k = 0; k < 3; ++k) {
      const auto c = static_cast<size_t>(node_size * m.node + k);
      inertia[c] += m.mass * request.b[c];
    }
  if (!model_.mechanism.bodies.empty()) set_bodies(request);
  for (const MomentLoad& load : model_.moments)
    if (load.stiff) add_moment(load, request.q, request.t, request.load_factor, force.data());
  if (has_non_stiff_) {
    if (request.renew_non_stiff) {
      std::fill(non_stiff_.begin(), non_stiff_.end(), 0);
      for (const MomentLoad& load : model_.moments)
        if (!load.stiff)
          add_moment(load, request.q, request.t, request.load_factor, non_stiff_.data());
    }
    for (size_t i = 0; i < non_stiff_.size(); ++i) force[i] += non_stiff_[i];
  }
  const size_t n = static_cast<size_t>(model_.structure.coordinates());
  for (size_t i = 0; i < n; ++i) force[i] += request.load_factor * model_.dead_load[i];
  for (const TimedLoad& load : model_.timed_loads) {
    const double s = request.load_factor * load.strength.at(request.t).value;
    for (const auto& [c, f] : load.pattern) force[static_cast<size_t>(c)] += s * f;
  }
  add_body_loads(request.rotation, request.t, request.load_factor, force.data());
  if (!model_.surroundings.empty()) add_surroundings(request, sink);
  if (!matrix) return;
  add_masses_tangent(request, sink);
  for (const MomentLoad& load : model_.moments)
    if (load.stiff || request.symmetric_part) add_moment_tangent(load, request, sink);
  add_body_loads_tangent(request, sink);
}

/// Newton and Euler: M = (m, J), and the gyroscopic torque -omega x J omega, in body axes. The
/// batches may have written past their own nodes: set, do not add.
void Assembler::set_bodies(const Request& request) {
  for (const BodyData& body : model_.mechanism.bodies) {
    const int at = node_size * body.node;
    Eigen::Map<Vec3> torque(force.data() + at + 3);
    Eigen::Map<Vec3>(force.data() + at).setZero();
    torque.setZero();
    if (request.v) {
      const Eigen::Map<const Vec3> omega(request.v + at + 3);
      torque = -omega.cross(body.inertia * omega);
    }
  }
  body_inertia(request.b);
}

void Assembler::body_inertia(const double* b) {
  for (const BodyData& body : model_.mechanism.bodies) {
    const int at = node_size * body.node;
    Eigen::Map<Vec3>(inertia.data() + at) = body.mass * Eigen::Map<const Vec3>(b + at);
    Eigen::Map<Vec3>(inertia.data() + at + 3) = body.inertia * Eigen::Map<const Vec3>(b + at + 3);
  }
}

/// Calls f with every element's surroundings, its number and its first coordinate.
template <class Function>
static void for_elements(const ModelData& model, const Function& f) {
  for (size_t i = 0; i < model.surroundings.size(); ++i) {
    const AncfBatch& batch = model.batches[i];
    for (int e = 0; e < batch.elements; ++e)
      f(model.surroundings[i], batch.first_element + e, node_size * (batch.first_node + e));
  }
}

void Assembler::add_surroundings(const Request& request, const MatrixSink& sink) {
  const double* v = request.v_end ? request.v_end : rest_.data();
  const double* q_ahead = request.q_ahead ? request.q_ahead : request.q;
  const double* v_ahead = request.v_ahead ? request.v_ahead : v;
  const SurroundingsWeights weights{request.stiffness_weight, request.damping_weight,
                                    request.load_factor, request.full_load_tangent};
  const bool matrix = request.tangent != Tangent::none &&
                      (request.stiffness_weight != 0 || request.damping_weight != 0);
  for_elements(model_, [&](const Surroundings& s, int element, int c) {
    const ElementMotion at{request.q + c, v + c, q_ahead + c, v_ahead + c};
    double block[144];
    if (hawser::add_surroundings(s, at, weights, force.data() + c, matrix ? block : nullptr))
      add_element_block(sink, element, c / node_size, block);
  });
}

void Assembler::add_lossy(const ElementMotion& at, double* out) {
  for_elements(model_, [&](const Surroundings& s, int, int c) {
    add_lossy_force(s, {at.q + c, at.v + c, at.q_ahead + c, at.v_ahead + c}, out + c);
  });
  for (size_t i = 0; i < model_.cables.size(); ++i) {
    const auto batches = model_.batches_of(static_cast<int>(i));
    if (batches.empty() || batches[0].parameters.mass_damping == 0) continue;
    for (const AncfBatch& batch : batches) kernels().mass_times(batch, at.v, momentum_.data());
    const int first = node_size * model_.cables[i].first_node;
    const int last = first + node_size * (model_.cables[i].elements + 1);
    for (int c = first; c < last; ++c)
      out[c] -= batches[0].parameters.mass_damping * momentum_[static_cast<size_t>(c)];
  }
}

void Assembler::mass_times(const double* b) {
  for (const AncfBatch& batch : model_.batches) kernels().mass_times(batch, b, inertia.data());
  body_inertia(b);
  for (const LumpedMass& m : model_.masses)
    for (int k = 0; k < 3; ++k) {
      const auto c = static_cast<size_t>(node_size * m.node + k);
      inertia[c] += m.mass * b[c];
    }
}

/// A force F at an arm s does the work F . (dx + R (phi x s)): torque s x R^T F in body axes.
void Assembler::add_body_loads(const Matrix3* rotation, double t, double factor,
                               double* out) const {
  for (const BodyLoad& load : model_.mechanism.loads) {
    const double s = factor * load.strength.at(t).value;
    const auto body = static_cast<size_t>(load.body);
    const Matrix3& R = rotation[body];
    const Vec3 torque = load.arm.cross(R.transpose() * load.force) + R.transpose() * load.moment;
    double* at = out + node_size * model_.mechanism.bodies[body].node;
    for (int k = 0; k < 3; ++k) {
      at[k] += s * load.force[k];
      at[3 + k] += s * torque[k];
    }
  }
}

/// A force f = R^T F in body axes at an arm s has the potential -F . R exp(phi) s, whose second
/// derivative over phi is (s . f) I - (s f^T + f s^T)/2. A moment has no potential: left out.
void Assembler::add_body_loads_tangent(const Request& request, const MatrixSink& sink) const {
  for (const BodyLoad& load : model_.mechanism.loads) {
    const auto body = static_cast<size_t>(load.body);
    const Vec3 f = request.load_factor * load.strength.at(request.t).value *
                   (request.rotation[body].transpose() * load.force);
    const Vec3& s = load.arm;
    Eigen::Matrix<double, node_size, node_size> block;
    block.setZero();
    block.bottomRightCorner<3, 3>() =
        request.stiffness_weight *
        (s.dot(f) * Matrix3::Identity() - (s * f.transpose() + f * s.transpose()) / 2);
    add_node_block(sink, model_.mechanism.bodies[body].node, block.data());
  }
}

void Assembler::add_loads(const double* q, const Matrix3* rotation, double t, double factor,
                          double* out) const {
  const size_t n = static_cast<size_t>(model_.structure.coordinates());
  for (size_t i = 0; i < n; ++i) out[i] += factor * model_.dead_load[i];
  for (const TimedLoad& load : model_.timed_loads) {
    const double s = factor * load.strength.at(t).value;
    for (const auto& [c, f] : load.pattern) out[c] += s * f;
  }
  for (const MomentLoad& load : model_.moments) add_moment(load, q, t, factor, out);
  add_body_loads(rotation, t, factor, out);
}

/// A moment M on a node does the work M . (r' x dr')/|r'|^2, so the slope feels
/// F = (M x r')/|r'|^2.
void Assembler::add_moment(const MomentLoad& load, const double* q, double t, double factor,
                           double* out) const {
  const Vec3 slope = Eigen::Map<const Vec3>(q + node_size * load.node + 3);
  const Vec3 M = factor * load.strength.at(t).value * load.moment;
  const Vec3 F = M.cross(slope) / slope.squaredNorm();
  for (int k = 0; k < 3; ++k) out[node_size * load.node + 3 + k] += F[k];
}

/// dF/dr' = [M]x/|r'|^2 - 2 F r'^T/|r'|^2; unsymmetric.
void Assembler::add_moment_tangent(const MomentLoad& load, const Request& request,
                                   const MatrixSink& sink) const {
  const Vec3 slope = Eigen::Map<const Vec3>(request.q + node_size * load.node + 3);
  const Vec3 M = request.load_factor * load.strength.at(request.t).value * load.moment;
  const double s = slope.squaredNorm();
  const Vec3 F = M.cross(slope) / s;
  Eigen::Matrix3d cross;
  cross << 0, -M.z(), M.y(), M.z(), 0, -M.x(), -M.y(), M.x(), 0;
  Eigen::Matrix3d dF = cross / s - 2 / s * F * slope.transpose();
  if (request.symmetric_part) dF = (dF + dF.transpose()).eval() / 2;
  double block[36] = {};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      block[node_size * (3 + j) + 3 + i] = -request.stiffness_weight * dF(i, j);
  add_node_block(sink, load.node, block);
}

void Assembler::add_masses_tangent(const Request& request, const MatrixSink& sink) const {
  for (const LumpedMass& m : model_.masses) {
    double block[36] = {};
    for (int k = 0; k < 3; ++k) block[(node_size + 1) * k] = request.mass_weight * m.mass;
    add_node_block(sink, m.node, block);
  }
  for (const BodyData& b : model_.mechanism.bodies) {
    Eigen::Matrix<double, node_size, node_size> block;
    block.setZero();
    block.topLeftCorner<3, 3>().diagonal().setConstant(request.mass_weight * b.mass);
    block.bottomRightCorner<3, 3>() = request.mass_weight * b.inertia;
    add_node_block(sink, b.node, block.data());
  }
}

}  // namespace hawser
