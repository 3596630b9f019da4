#include "engines/mlx/memory.h"

#include <cstring>

namespace ember::mlx {
namespace {

// MLX's CPU allocator stores the size of a block in the word before it, and a buffer is the address
// of that word. The last word of a Storage's header is its size, too. So a buffer at that word,
// with the distance to the data as the array's offset, lends any Storage to MLX without a copy.
// Builds with a GPU have other buffers.
bool plain_buffers() {
  static const bool plain = [] {
    if (mx::is_available(mx::Device(mx::Device::gpu))) return false;
    mx::allocator::Buffer b = mx::allocator::malloc(64);
    const bool r = b.raw_ptr() == static_cast<std::byte*>(b.ptr()) + sizeof(size_t);
    mx::allocator::free(b);
    return r;
  }();
  return plain;
}

// The deleter of an array that refers to a Storage. Its type also identifies such arrays.
struct Loan {
  Storage* storage;
  void operator()(mx::allocator::Buffer) const { drop(storage); }
};

void release_array(void* owner) { delete static_cast<mx::array*>(owner); }
// The array that take() wrapped in this storage, or null.
const mx::array* array_of(const Storage* s) {
  return s->owner && s->spare[0] == reinterpret_cast<size_t>(&release_array)
             ? static_cast<const mx::array*>(s->owner)
             : nullptr;
}

struct Layout {
  mx::Strides strides;
  mx::array::Flags flags{};
  size_t span = 0;  // elements from the first to the last in memory
};
Layout layout_of(const Value& v, const Shape& shape) {
  Layout l;
  const size_t n = shape.size();
  const Ints steps = v.strided ? v.strides : contiguous_strides(shape);
  l.strides.resize(n);
  bool rows = true;
  bool columns = true;
  bool backwards = false;
  int64_t row = 1;
  int64_t column = 1;
  int64_t distinct = 1;
  int64_t reach = 0;
  int64_t back = 0;
  for (size_t i = 0; i < n; ++i) {
    const size_t j = n - 1 - i;
    l.strides[i] = steps[i];
    rows &= steps[j] == row || shape[j] == 1;
    columns &= steps[i] == column || shape[i] == 1;
    row *= shape[j];
    column *= shape[i];
    if (steps[i] > 0) distinct *= shape[i];
    if (steps[i] >= 0) {
      reach += steps[i] * (shape[i] - 1);
    } else {
      back += steps[i] * (shape[i] - 1);
      backwards |= shape[i] > 1;
    }
  }
  l.span = row == 0 ? 0 : size_t(reach - back + 1);
  l.flags.contiguous = row == 0 || (!backwards && size_t(distinct) == l.span);
  l.flags.row_contiguous = rows;
  l.flags.col_contiguous = columns;
  return l;
}

// For builds whose buffers are not plain. MLX shares the memory if it can, and copies it otherwise.
mx::array import(const Value& v, const SliceNode& leaf, const Layout& l, mx::Dtype dtype) {
  const int64_t size = int64_t(size_of(leaf.dtype));
  int64_t back = 0;
  for (size_t i = 0; i < leaf.shape.size(); ++i) {
    if (l.strides[i] < 0) back += l.strides[i] * (leaf.shape[i] - 1);
  }
  std::byte* data = v.storage->data + (v.offset + back) * size;
  retain(v.storage);
  mx::array whole(data, mx::Shape{int32_t(l.span)}, dtype, [s = v.storage](void*) { drop(s); });
  if (whole.data<std::byte>() != data) count_copy();
  if (l.flags.row_contiguous) return reshaped(whole, to_shape(leaf.shape));
  return mx::as_strided(whole, to_shape(leaf.shape), l.strides, size_t(-back), stream());
}

}  // namespace

mx::array lend(const Value& v, const SliceNode& leaf) {
  if (!v.storage) throw StateError("an input has no storage");
  const mx::Dtype dtype = to_mlx(leaf.dtype);
  const int64_t size = int64_t(size_of(leaf.dtype));
  if (size_of(leaf.shape) == 0) return mx::zeros(to_shape(leaf.shape), dtype, stream());
  const mx::array* mine = array_of(v.storage);
  const int64_t offset = v.offset * size;  // in bytes
  if (mine && mine->dtype() == dtype && !v.strided && mine->flags().row_contiguous &&
      mine->offset() == offset &&
      std::equal(leaf.shape.begin(), leaf.shape.end(), mine->shape().begin(),
                 mine->shape().end())) {
    return *mine;
  }
  const Layout l = layout_of(v, leaf.shape);
  if (!mine && !plain_buffers()) return import(v, leaf, l, dtype);
  mx::array a(to_shape(leaf.shape), dtype, nullptr, {});
  a.set_status(mx::array::Status::available);
  if (mine) {
    a.copy_shared_buffer(*mine, l.strides, l.flags, l.span, (offset - mine->offset()) / size);
    return a;
  }
  const std::byte* base = reinterpret_cast<const std::byte*>(v.storage + 1);
  retain(v.storage);
  a.set_data(mx::allocator::Buffer(&v.storage->bytes), l.span, l.strides, l.flags,
             v.storage->data - base + offset, Loan{v.storage});
  return a;
}

bool small_view(const mx::array& a) {
  const auto& data = a.data_shared_ptr();
  return a.size() > 0 && a.nbytes() < a.buffer_size() / 4 && !(data && data->d.target<Loan>());
}

Value take(mx::array&& a) {
  Value v;
  if (a.size() == 0) {
    v.storage = allocate(0);
    return v;
  }
  a.is_available();  // caches the answer now, not later from several threads at once
  const int64_t size = int64_t(a.itemsize());
  int64_t offset = a.offset();  // in bytes
  if (const Loan* loan = a.data_shared_ptr()->d.target<Loan>()) {
    v.storage = loan->storage;
    offset += reinterpret_cast<std::byte*>(v.storage + 1) - v.storage->data;
    retain(v.storage);
  } else {
    auto held = std::make_unique<mx::array>(std::move(a));
    v.storage = adopt(held->buffer().raw_ptr(), held->buffer_size(), held.get(), release_array);
    const mx::array& kept = *held.release();
    v.offset = offset / size;
    v.strided = v.offset != 0 || !kept.flags().row_contiguous;
    if (v.strided) v.strides = Ints(kept.strides().begin(), kept.strides().end());
    return v;
  }
  v.offset = offset / size;
  v.strided = v.offset != 0 || !a.flags().row_contiguous;
  if (v.strided) v.strides = Ints(a.strides().begin(), a.strides().end());
  return v;
}

}  // namespace ember::mlx
