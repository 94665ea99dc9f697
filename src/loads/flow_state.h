// A force on the material of a flowing element (elements/flow.h): its state, and where the force
// and its matrix go.
#pragma once

#include "elements/element_block.h"
#include "elements/flow_elements.h"

namespace hawser {

/// An element at q, moving with v: its coordinates, its columns and the velocities of its material.
struct FlowState {
  const double *e, *v;
  double p[2], length, rate[2], D[2][12], w[12];

  FlowState(const FlowBatch& batch, int element, const double* q, const double* velocities)
      : e(q + node_size * (batch.ancf.first_node + element)),
        v(velocities + node_size * (batch.ancf.first_node + element)) {
    for (const int i : {0, 1}) {
      p[i] = batch.nodes[static_cast<size_t>(element + i)].base + flow_of(batch, element + i, q);
      rate[i] = flow_of(batch, element + i, velocities);
    }
    length = p[1] - p[0];
    flow_columns(batch.parameters, e, length, D[0], D[1]);
    for (int i = 0; i < 12; ++i) w[i] = v[i] + rate[0] * D[0][i] + rate[1] * D[1][i];
  }
};

inline double inner12(const double a[12], const double b[12]) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += a[i] * b[i];
  return sum;
}

/// Adds a force over e, and on the flows by their columns.
inline void spread_flow(const FlowBatch& batch, int element, const FlowState& at,
                        const double f[12], double* out) {
  double* to = out + node_size * (batch.ancf.first_node + element);
  for (int i = 0; i < 12; ++i) to[i] += f[i];
  for (const int end : {0, 1})
    for_flows(batch, element + end, [&](int scalar, double share) {
      out[batch.first_scalar_at + scalar] += share * inner12(at.D[end], f);
    });
}

/// Adds a matrix over e, and its rows and columns of the flows.
inline void add_flow_block(const FlowBatch& batch, int element, const FlowState& at,
                           const double block[144], const MatrixSink& sink) {
  const int first = batch.ancf.first_node + element;
  add_element_block(sink, batch.ancf.first_element + element, first, block);
  for (const int end : {0, 1})
    for_flows(batch, element + end, [&](int scalar, double share) {
      double column[12] = {}, row[12];
      for (int j = 0; j < 12; ++j) {
        row[j] = share * inner12(at.D[end], block + 12 * j);
        for (int i = 0; i < 12; ++i) column[i] += share * block[12 * j + i] * at.D[end][j];
      }
      for (int i = 0; i < 12; ++i)
        add_border(sink, scalar, node_size * first + i, column[i], row[i]);
      for (const int other : {0, 1})
        for_flows(batch, element + other, [&](int beside, double part) {
          add_corner(sink, beside, scalar, part * inner12(at.D[other], column));
        });
    });
}

}  // namespace hawser
