// The batches behind the elements of a model's cables.
#pragma once

#include <vector>

#include "elements/cable_elements.h"
#include "model/model_data.h"

namespace hawser {

inline const AncfBatch& batch_of(const Fields& elements) {
  return static_cast<const CableElements&>(elements).batch();
}

inline const AncfBatch& batch_of(const ModelData& model, size_t run) {
  return batch_of(*model.fields[run]);
}

inline std::vector<AncfBatch> batches_of(const ModelData& model) {
  std::vector<AncfBatch> out;
  for (const Fields* elements : model.fields) out.push_back(batch_of(*elements));
  return out;
}

}  // namespace hawser
