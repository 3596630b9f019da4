// Memory for a while.
#pragma once
#include "engines/native/kernel.h"

namespace ember::native {

// n uninitialised elements, aligned to 64 bytes; at least one, so that data() is never null. Or
// nothing at all.
template <class T> class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(int64_t n) { make(n); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (storage_) drop(storage_);
  }
  T* make(int64_t n) {  // once
    storage_ = allocate(size_t(n > 0 ? n : 1) * sizeof(T));
    return data();
  }
  T* data() const { return reinterpret_cast<T*>(storage_->data); }
  T& operator[](int64_t i) const { return data()[i]; }

 private:
  Storage* storage_ = nullptr;
};

}  // namespace ember::native
