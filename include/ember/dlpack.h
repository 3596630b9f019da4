// DLPack: tensors to and from other libraries in the same process, without a copy where both can
// share host memory. The structs are those of DLPack's own header, which need not be included here;
// legacy and versioned (1.x) ones both work.
#pragma once
#include "ember/tensor.h"

struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace ember {

// Takes the struct over: its deleter is called when the tensor is gone, or before an error is
// thrown. Memory that others may write is copied unless copy is false; then it must not change
// while the tensor lives.
EMBER_API Tensor from_dlpack(DLManagedTensor*, bool copy = true);
EMBER_API Tensor from_dlpack(DLManagedTensorVersioned*, bool copy = true);

// Evaluates. The memory is shared, read-only, and stays until the consumer calls the deleter.
EMBER_API DLManagedTensor* to_dlpack(const Tensor&);
EMBER_API DLManagedTensorVersioned* to_dlpack_versioned(const Tensor&);

}  // namespace ember
