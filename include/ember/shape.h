// Small: a vector of trivially copyable T with N inline elements, used for shapes, strides and node
// inputs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "ember/error.h"

namespace ember {

template <class T, uint32_t N> class Small {
 public:
  using value_type = T;
  Small() {}
  Small(std::initializer_list<T> l) { append(l.begin(), l.end()); }
  explicit Small(size_t n, T v = T()) { resize(n, v); }
  Small(std::span<const T> s) { append(s.begin(), s.end()); }
  Small(const std::vector<T>& v) { append(v.begin(), v.end()); }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  Small(It a, It b) {
    append(a, b);
  }
  Small(const Small& o) {
    if (o.capacity_ > N) {
      append(o.begin(), o.end());
    } else {
      std::memcpy(static_cast<void*>(this), &o, sizeof o);
    }
  }
  Small(Small&& o) noexcept { take(o); }
  Small& operator=(Small&& o) noexcept {
    if (this != &o) {
      release();
      take(o);
    }
    return *this;
  }
  Small& operator=(const Small& o) {
    if (capacity_ > N || o.capacity_ > N) return *this = Small(o);
    std::memcpy(static_cast<void*>(this), &o, sizeof o);
    return *this;
  }
  ~Small() { release(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return capacity_ > N ? heap_ : inline_; }
  const T* data() const { return capacity_ > N ? heap_ : inline_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& front() { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& front() const { return data()[0]; }
  const T& back() const { return data()[size_ - 1]; }
  operator std::span<const T>() const { return {data(), size_}; }
  std::vector<T> vec() const { return {begin(), end()}; }

  void clear() { size_ = 0; }
  void push_back(T v) {
    if (size_ == capacity_) grow(size_ + 1);
    data()[size_++] = v;
  }
  void pop_back() { --size_; }
  void resize(size_t n, T v = T()) {
    if (n > capacity_) grow(n);
    for (size_t i = size_; i < n; ++i) data()[i] = v;
    size_ = uint32_t(n);
  }
  template <class It> void append(It a, It b) {
    for (; a != b; ++a) push_back(*a);
  }
  void insert(size_t at, T v) {
    push_back(v);
    std::rotate(begin() + at, end() - 1, end());
  }
  void erase(size_t at) {
    std::copy(begin() + at + 1, end(), begin() + at);
    --size_;
  }

  // A loop instead of memcmp: shapes have few dimensions and a call would cost more than the
  // comparisons.
  bool operator==(const Small& o) const {
    if (size_ != o.size_) return false;
    for (uint32_t i = 0; i < size_; ++i) {
      if (data()[i] != o.data()[i]) return false;
    }
    return true;
  }

 private:
  void grow(size_t n) {
    const uint32_t cap = uint32_t(std::max<size_t>(n, 2 * size_t(capacity_)));
    T* p = new T[cap];
    std::copy(begin(), end(), p);
    release();
    heap_ = p;
    capacity_ = cap;
  }
  void release() {
    if (capacity_ > N) delete[] heap_;
  }
  void take(Small& o) {
    std::memcpy(static_cast<void*>(this), &o, sizeof o);
    o.size_ = 0;
    o.capacity_ = N;
  }
  uint32_t size_ = 0, capacity_ = N;
  union {
    T inline_[N];
    T* heap_;
  };
};

using Ints = Small<int64_t, 4>;
using Shape = Ints;
inline constexpr size_t max_dims = 64;

// The number of elements. Tensor creation checks shapes for overflow, so the product cannot wrap.
inline int64_t size_of(std::span<const int64_t> s) {
  int64_t n = 1;
  for (int64_t d : s) {
    if (d == 0) return 0;
    if (__builtin_mul_overflow(n, d, &n)) n = 0;  // only possible if a later extent is 0
  }
  return n;
}
// ShapeError if the shapes cannot be broadcast.
EMBER_API Shape broadcast_shapes(const Shape& a, const Shape& b);
EMBER_API Ints contiguous_strides(std::span<const int64_t> shape);  // in elements, row major
EMBER_API std::string to_string(const Shape& s);                    // "[2, 3]"

}  // namespace ember
