// DLPack: exchange tensors with other libraries in the same process, without a copy where both can
// share host memory. The structs are those of DLPack's own header, which need not be included here;
// legacy and versioned (1.x) structs are both supported.
#pragma once
#include "ember/tensor.h"

struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace ember {

// Takes ownership of the struct: its deleter is called when the tensor is destroyed, or before an
// error is thrown. Writable memory is copied unless copy is false; then it must not change during
// the tensor's lifetime.
EMBER_API Tensor from_dlpack(DLManagedTensor*, bool copy = true);
EMBER_API Tensor from_dlpack(DLManagedTensorVersioned*, bool copy = true);

// Evaluates x. The memory is shared, read-only, and valid until the consumer calls the deleter.
EMBER_API DLManagedTensor* to_dlpack(const Tensor&);
EMBER_API DLManagedTensorVersioned* to_dlpack_versioned(const Tensor&);

}  // namespace ember
