// DLPack's structs as another library declares them, so that the tests depend on the ABI and not on
// Ember's header.
#pragma once
#include <cstdint>

struct DLDev {
  int32_t type, id;
};
struct DLType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLT {
  void* data;
  DLDev device;
  int32_t ndim;
  DLType dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  DLT t;
  void* ctx;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* ctx;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  DLT t;
};
