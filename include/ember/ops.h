// Every op. Names come from the array API, then from NumPy. The reference (`ember ops NAME`)
// describes the arguments.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ember/tensor.h"

namespace ember {

// One axis, several, or (by default) all of them.
struct Axes : std::optional<Ints> {
  Axes() = default;
  Axes(std::nullopt_t) {}
  Axes(int a) : optional(Ints{a}) {}
  Axes(int64_t a) : optional(Ints{a}) {}
  Axes(std::initializer_list<int64_t> l) : optional(Ints(l)) {}
  Axes(Ints l) : optional(std::move(l)) {}
};
using Dtype = std::optional<DType>;
using Tensors = std::vector<Tensor>;

namespace ops {

// ---- Creation ----
using ember::array, ember::from_buffer, ember::from_data, ember::index_update;
EMBER_API Tensor asarray(const Tensor& x, Dtype dtype = {}, std::optional<bool> copy = {});
EMBER_API Tensor zeros(const Shape& shape, DType dtype = default_float());
EMBER_API Tensor ones(const Shape& shape, DType dtype = default_float());
EMBER_API Tensor full(const Shape& shape, const Tensor& value, Dtype dtype = {});
// Returns zeros: memory is never uninitialized.
EMBER_API Tensor empty(const Shape& shape, DType dtype = default_float());
EMBER_API Tensor zeros_like(const Tensor& x, Dtype dtype = {});
EMBER_API Tensor ones_like(const Tensor& x, Dtype dtype = {});
EMBER_API Tensor full_like(const Tensor& x, const Tensor& value, Dtype dtype = {});
EMBER_API Tensor empty_like(const Tensor& x, Dtype dtype = {});
EMBER_API Tensor eye(int64_t n_rows, std::optional<int64_t> n_cols = {}, int64_t k = 0,
                     DType dtype = default_float());
// int64 if all arguments are integers.
EMBER_API Tensor arange(double start, std::optional<double> stop = {}, double step = 1,
                        Dtype dtype = {});
EMBER_API Tensor linspace(double start, double stop, int64_t num = 50, bool endpoint = true,
                          DType dtype = default_float());
EMBER_API Tensor logspace(double start, double stop, int64_t num = 50, bool endpoint = true,
                          double base = 10, DType dtype = default_float());
EMBER_API Tensors meshgrid(const Tensors& arrays, std::string_view indexing = "xy");
EMBER_API Tensor tril(const Tensor& x, int64_t k = 0);
EMBER_API Tensor triu(const Tensor& x, int64_t k = 0);
EMBER_API Tensor tri(int64_t n, std::optional<int64_t> m = {}, int64_t k = 0,
                     DType dtype = default_float());
EMBER_API std::tuple<Tensor, Tensor> tril_indices(int64_t n, int64_t k = 0,
                                                  std::optional<int64_t> m = {});
EMBER_API std::tuple<Tensor, Tensor> triu_indices(int64_t n, int64_t k = 0,
                                                  std::optional<int64_t> m = {});
// A vector to a matrix, a matrix to its diagonal.
EMBER_API Tensor diag(const Tensor& x, int64_t k = 0);
EMBER_API Tensor one_hot(const Tensor& indices, int64_t depth, int64_t axis = -1,
                         DType dtype = default_float());
EMBER_API Tensor copy(const Tensor& x);
EMBER_API Tensor astype(const Tensor& x, DType dtype, bool copy = true);
EMBER_API Tensor vander(const Tensor& x, std::optional<int64_t> n = {}, bool increasing = false);

// ---- Elementwise. Tensors are passed by value, so moving a temporary costs no count. ----
#define EMBER_UNARY(name) EMBER_API Tensor name(Tensor x);
#define EMBER_BINARY(name) EMBER_API Tensor name(Tensor x1, Tensor x2);
EMBER_UNARY(abs)
EMBER_UNARY(acos)
EMBER_UNARY(acosh)
EMBER_UNARY(asin)
EMBER_UNARY(asinh)
EMBER_UNARY(atan)
EMBER_UNARY(atanh)
EMBER_UNARY(bitwise_invert)
EMBER_UNARY(cbrt)
EMBER_UNARY(ceil)
EMBER_UNARY(conj)
EMBER_UNARY(cos)
EMBER_UNARY(cosh)
EMBER_UNARY(digamma)
EMBER_UNARY(erf)
EMBER_UNARY(erfc)
EMBER_UNARY(erfinv)
EMBER_UNARY(exp)
EMBER_UNARY(exp2)
EMBER_UNARY(expm1)
EMBER_UNARY(floor)
EMBER_UNARY(imag)
EMBER_UNARY(isfinite)
EMBER_UNARY(isinf)
EMBER_UNARY(isnan)
EMBER_UNARY(lgamma)
EMBER_UNARY(log)
EMBER_UNARY(log10)
EMBER_UNARY(log1p)
EMBER_UNARY(log2)
EMBER_UNARY(logical_not)
EMBER_UNARY(negative)
EMBER_UNARY(popcount)
EMBER_UNARY(positive)
EMBER_UNARY(real)
EMBER_UNARY(reciprocal)
EMBER_UNARY(rsqrt)
EMBER_UNARY(sigmoid)
EMBER_UNARY(sign)
EMBER_UNARY(signbit)
EMBER_UNARY(sin)
EMBER_UNARY(sinh)
EMBER_UNARY(sqrt)
EMBER_UNARY(square)
EMBER_UNARY(tan)
EMBER_UNARY(tanh)
EMBER_UNARY(trunc)
EMBER_UNARY(angle)
EMBER_UNARY(deg2rad)
EMBER_UNARY(rad2deg)
EMBER_UNARY(sinc)
EMBER_UNARY(count_zeros)
EMBER_BINARY(add)
EMBER_BINARY(subtract)
EMBER_BINARY(multiply)
EMBER_BINARY(divide)
EMBER_BINARY(maximum)
EMBER_BINARY(minimum)
EMBER_BINARY(floor_divide)
EMBER_BINARY(remainder)
EMBER_BINARY(fmod)
EMBER_BINARY(pow)
EMBER_BINARY(atan2)
EMBER_BINARY(copysign)
EMBER_BINARY(hypot)
EMBER_BINARY(logaddexp)
EMBER_BINARY(nextafter)
EMBER_BINARY(bitwise_and)
EMBER_BINARY(bitwise_or)
EMBER_BINARY(bitwise_xor)
EMBER_BINARY(bitwise_left_shift)
EMBER_BINARY(bitwise_right_shift)
EMBER_BINARY(logical_and)
EMBER_BINARY(logical_or)
EMBER_BINARY(logical_xor)
EMBER_BINARY(equal)
EMBER_BINARY(not_equal)
EMBER_BINARY(less)
EMBER_BINARY(less_equal)
EMBER_BINARY(greater)
EMBER_BINARY(greater_equal)
EMBER_BINARY(heaviside)
EMBER_BINARY(get_bit)
EMBER_BINARY(toggle_bit)
#undef EMBER_UNARY
#undef EMBER_BINARY
EMBER_API Tensor round(Tensor x, int64_t decimals = 0);
EMBER_API Tensor
// Counts the lowest bit_width bits, by default all.
rotate_left(Tensor x, Tensor by, std::optional<int64_t> bit_width = {});
EMBER_API Tensor rotate_right(Tensor x, Tensor by, std::optional<int64_t> bit_width = {});
EMBER_API Tensor set_bit(const Tensor& x, const Tensor& position, const Tensor& value);
EMBER_API Tensor where(Tensor condition, Tensor x1, Tensor x2);
EMBER_API Tensor clip(const Tensor& x, const std::optional<Tensor>& min = {},
                      const std::optional<Tensor>& max = {});
EMBER_API Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight);
EMBER_API Tensor nan_to_num(const Tensor& x, double nan = 0, std::optional<double> posinf = {},
                            std::optional<double> neginf = {});
EMBER_API Tensor isclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8,
                         bool equal_nan = false);
EMBER_API Tensor allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8,
                          bool equal_nan = false);
EMBER_API Tensor array_equal(const Tensor& a, const Tensor& b, bool equal_nan = false);

// ---- Reductions and statistics ----
EMBER_API Tensor sum(const Tensor& x, const Axes& axis = {}, bool keepdims = false,
                     Dtype dtype = {});
EMBER_API Tensor prod(const Tensor& x, const Axes& axis = {}, bool keepdims = false,
                      Dtype dtype = {});
EMBER_API Tensor mean(const Tensor& x, const Axes& axis = {}, bool keepdims = false,
                      Dtype dtype = {});
EMBER_API Tensor var(const Tensor& x, const Axes& axis = {}, double correction = 0,
                     bool keepdims = false);
EMBER_API Tensor std(const Tensor& x, const Axes& axis = {}, double correction = 0,
                     bool keepdims = false);
EMBER_API Tensor max(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor min(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor all(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor any(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor count_nonzero(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor logsumexp(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor median(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor quantile(const Tensor& x, const Tensor& q, const Axes& axis = {},
                          bool keepdims = false, std::string_view method = "linear");
EMBER_API Tensor percentile(const Tensor& x, const Tensor& q, const Axes& axis = {},
                            bool keepdims = false, std::string_view method = "linear");
EMBER_API Tensor argmax(const Tensor& x, std::optional<int64_t> axis = {}, bool keepdims = false);
EMBER_API Tensor argmin(const Tensor& x, std::optional<int64_t> axis = {}, bool keepdims = false);
EMBER_API Tensor cumulative_sum(const Tensor& x, std::optional<int64_t> axis = {}, Dtype dtype = {},
                                bool include_initial = false, bool reverse = false,
                                bool exclusive = false);
EMBER_API Tensor cumulative_prod(const Tensor& x, std::optional<int64_t> axis = {},
                                 Dtype dtype = {}, bool include_initial = false);
EMBER_API Tensor cummax(const Tensor& x, std::optional<int64_t> axis = {});
EMBER_API Tensor cummin(const Tensor& x, std::optional<int64_t> axis = {});
EMBER_API Tensor logcumsumexp(const Tensor& x, int64_t axis = -1);
EMBER_API Tensor diff(const Tensor& x, int64_t n = 1, int64_t axis = -1,
                      const std::optional<Tensor>& prepend = {},
                      const std::optional<Tensor>& append = {});
// Without an axis, x is a vector.
EMBER_API Tensor gradient(const Tensor& x, double spacing = 1, std::optional<int64_t> axis = -1,
                          int64_t edge_order = 1);
EMBER_API Tensor sort(const Tensor& x, int64_t axis = -1, bool descending = false,
                      bool stable = true);
EMBER_API Tensor argsort(const Tensor& x, int64_t axis = -1, bool descending = false,
                         bool stable = true);
EMBER_API std::tuple<Tensor, Tensor> topk(const Tensor& x, int64_t k, int64_t axis = -1,
                                          bool largest = true);
EMBER_API Tensor searchsorted(const Tensor& x1, const Tensor& x2, std::string_view side = "left",
                              const std::optional<Tensor>& sorter = {});
EMBER_API std::tuple<Tensor, Tensor> histogram(const Tensor& x, int64_t bins = 10,
                                               std::optional<double> low = {},
                                               std::optional<double> high = {},
                                               const std::optional<Tensor>& weights = {},
                                               bool density = false);
EMBER_API Tensor bincount(const Tensor& x, const std::optional<Tensor>& weights = {},
                          int64_t minlength = 0);
EMBER_API Tensor digitize(const Tensor& x, const Tensor& bins, bool right = false);
// values, indices, inverse_indices, counts.
EMBER_API std::tuple<Tensor, Tensor, Tensor, Tensor> unique_all(const Tensor& x);
EMBER_API std::tuple<Tensor, Tensor> unique_counts(const Tensor& x);
EMBER_API std::tuple<Tensor, Tensor> unique_inverse(const Tensor& x);
EMBER_API Tensor unique_values(const Tensor& x);
EMBER_API Tensor isin(const Tensor& x1, const Tensor& x2, bool invert = false);
EMBER_API std::vector<Tensor> nonzero(const Tensor& x);
EMBER_API Tensor argwhere(const Tensor& x);
EMBER_API Tensor nansum(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor nanprod(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor nanmean(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor nanvar(const Tensor& x, const Axes& axis = {}, double correction = 0,
                        bool keepdims = false);
EMBER_API Tensor nanstd(const Tensor& x, const Axes& axis = {}, double correction = 0,
                        bool keepdims = false);
EMBER_API Tensor nanmax(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor nanmin(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor nanmedian(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor nanargmax(const Tensor& x, std::optional<int64_t> axis = {},
                           bool keepdims = false);
EMBER_API Tensor nanargmin(const Tensor& x, std::optional<int64_t> axis = {},
                           bool keepdims = false);
EMBER_API Tensor cov(const Tensor& x, const std::optional<Tensor>& y = {}, bool rowvar = true,
                     double ddof = 1);
EMBER_API Tensor corrcoef(const Tensor& x, const std::optional<Tensor>& y = {}, bool rowvar = true);
// The density of the normal distribution.
EMBER_API Tensor gaussian(const Tensor& x, const Tensor& mu = 0.0, const Tensor& sigma = 1.0);
EMBER_API Tensor reduce_l1(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor reduce_l2(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor reduce_log_sum(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor reduce_sum_square(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor ptp(const Tensor& x, const Axes& axis = {}, bool keepdims = false);
EMBER_API Tensor average(const Tensor& x, const Axes& axis = {},
                         const std::optional<Tensor>& weights = {}, bool keepdims = false);

// ---- Movement ----
// One extent may be -1 and is inferred; copy: allocate new memory.
EMBER_API Tensor reshape(const Tensor& x, const Shape& shape, std::optional<bool> copy = {});
EMBER_API Tensor permute_dims(const Tensor& x, const Ints& axes);
// Reverses the axes by default.
EMBER_API Tensor transpose(const Tensor& x, const std::optional<Ints>& axes = {});
EMBER_API Tensor matrix_transpose(const Tensor& x);
EMBER_API Tensor moveaxis(const Tensor& x, const Ints& source, const Ints& destination);
EMBER_API Tensor swapaxes(const Tensor& x, int64_t axis1, int64_t axis2);
EMBER_API Tensor squeeze(const Tensor& x, const Axes& axis = {});
EMBER_API Tensor expand_dims(const Tensor& x, const Ints& axis = {0});
EMBER_API Tensor broadcast_to(const Tensor& x, const Shape& shape);
EMBER_API Tensors broadcast_arrays(const Tensors& arrays);
EMBER_API Shape broadcast_shapes(const std::vector<Shape>& shapes);
// Without an axis, x is flattened.
EMBER_API Tensor concat(const Tensors& arrays, std::optional<int64_t> axis = 0);
EMBER_API Tensor stack(const Tensors& arrays, int64_t axis = 0);
EMBER_API Tensor hstack(const Tensors& arrays);
EMBER_API Tensor vstack(const Tensors& arrays);
EMBER_API Tensor dstack(const Tensors& arrays);
EMBER_API Tensors unstack(const Tensor& x, int64_t axis = 0);
EMBER_API Tensors split(const Tensor& x, int64_t sections, int64_t axis = 0);  // equal parts
// Split at these positions.
EMBER_API Tensors split(const Tensor& x, const Ints& positions, int64_t axis = 0);
EMBER_API Tensors array_split(const Tensor& x, int64_t sections, int64_t axis = 0);
EMBER_API Tensor tile(const Tensor& x, const Ints& repetitions);
EMBER_API Tensor repeat(const Tensor& x, const Tensor& repeats, std::optional<int64_t> axis = {});
EMBER_API Tensor flip(const Tensor& x, const Axes& axis = {});
EMBER_API Tensor roll(const Tensor& x, const Ints& shift, const Axes& axis = {});
EMBER_API Tensor rot90(const Tensor& x, int64_t k = 1, const Ints& axes = {0, 1});
EMBER_API Tensor
// padding: [before, after] per axis, flattened; two numbers apply to all axes.
pad(const Tensor& x, const Ints& pad_width, std::string_view mode = "constant",
    const Tensor& value = 0);
EMBER_API Tensor flatten(const Tensor& x);
EMBER_API Tensor atleast_nd(const Tensor& x, int64_t ndim);
EMBER_API Tensor diagonal(const Tensor& x, int64_t offset = 0, int64_t axis1 = -2,
                          int64_t axis2 = -1);
// offset in elements of the contiguous x.
EMBER_API Tensor as_strided(const Tensor& x, const Shape& shape, const Ints& strides,
                            int64_t offset = 0);
// Sliding windows; the window axes come last.
EMBER_API Tensor windows(const Tensor& x, const Ints& window, const Ints& step = {1},
                         const Axes& axis = {});
EMBER_API Tensor frame(const Tensor& x, int64_t frame_length, int64_t hop_length,
                       int64_t axis = -1);
EMBER_API Tensor slice(const Tensor& x, const Ints& starts, const Ints& stops,
                       const std::optional<Ints>& steps = {}, const Axes& axes = {});

// ---- Indexing ----
EMBER_API Tensor take(const Tensor& x, const Tensor& indices, std::optional<int64_t> axis = {});
EMBER_API Tensor take_along_axis(const Tensor& x, const Tensor& indices, int64_t axis = -1);
EMBER_API Tensor gather(const Tensor& x, const Tensor& indices, int64_t axis = 0);
EMBER_API Tensor gather_nd(const Tensor& x, const Tensor& indices);
// aggr: add mean max min mul softmax. If there are more values than indices, only the first values
// are used; dim_size defaults to the largest index + 1.
EMBER_API Tensor scatter(const Tensor& values, const Tensor& indices,
                         std::optional<int64_t> dim_size = {}, std::string_view aggr = "add",
                         int64_t axis = 0);
EMBER_API Tensor scatter_mean(const Tensor& values, const Tensor& indices,
                              std::optional<int64_t> dim_size = {}, int64_t axis = 0);
EMBER_API Tensor scatter_elements(const Tensor& x, const Tensor& indices, const Tensor& updates,
                                  int64_t axis = 0, std::string_view reduction = "set");
EMBER_API Tensor scatter_nd(const Tensor& x, const Tensor& indices, const Tensor& updates,
                            std::string_view reduction = "set");
EMBER_API Tensor tensor_scatter_nd_update(const Tensor& x, const Tensor& indices,
                                          const Tensor& updates);
EMBER_API Tensor slice_update(const Tensor& x, const Tensor& update, const Ints& starts,
                              const std::optional<Ints>& steps = {});
EMBER_API Tensor index_add(const Tensor& x, const Tensor& indices, const Tensor& values,
                           int64_t axis = 0);
EMBER_API Tensor put_along_axis(const Tensor& x, const Tensor& indices, const Tensor& values,
                                int64_t axis = -1);
EMBER_API Tensor segment_sum(const Tensor& x, const Tensor& segment_ids,
                             std::optional<int64_t> num_segments = {});
EMBER_API Tensor embedding(const Tensor& weight, const Tensor& indices);
EMBER_API Tensor masked_select(const Tensor& x, const Tensor& mask);
EMBER_API Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value);

// ---- Linear algebra ----
EMBER_API Tensor matmul(const Tensor& x1, const Tensor& x2);
EMBER_API Tensor dot(const Tensor& a, const Tensor& b);
EMBER_API Tensor inner(const Tensor& a, const Tensor& b);
EMBER_API Tensor outer(const Tensor& x1, const Tensor& x2);
EMBER_API Tensor vecdot(const Tensor& x1, const Tensor& x2, int64_t axis = -1);
EMBER_API Tensor tensordot(const Tensor& x1, const Tensor& x2, int64_t axes = 2);
EMBER_API Tensor tensordot(const Tensor& x1, const Tensor& x2, const Ints& axes1,
                           const Ints& axes2);
EMBER_API Tensor einsum(std::string_view equation, const Tensors& operands);
EMBER_API Tensor kron(const Tensor& a, const Tensor& b);
EMBER_API Tensor cross(const Tensor& x1, const Tensor& x2, int64_t axis = -1);
EMBER_API Tensor cholesky(const Tensor& x, bool upper = false);
EMBER_API Tensor det(const Tensor& x);
EMBER_API std::tuple<Tensor, Tensor> slogdet(const Tensor& x);
EMBER_API std::tuple<Tensor, Tensor> eig(const Tensor& x);
EMBER_API std::tuple<Tensor, Tensor> eigh(const Tensor& x, bool upper = false);
EMBER_API Tensor eigvals(const Tensor& x);
EMBER_API Tensor eigvalsh(const Tensor& x, bool upper = false);
EMBER_API Tensor inv(const Tensor& x);
EMBER_API Tensor pinv(const Tensor& x, const std::optional<Tensor>& rtol = {});
EMBER_API std::tuple<Tensor, Tensor> qr(const Tensor& x, std::string_view mode = "reduced");
EMBER_API Tensor solve(const Tensor& x1, const Tensor& x2);
EMBER_API Tensor solve_triangular(const Tensor& a, const Tensor& b, bool upper = false,
                                  bool unit_diagonal = false, bool transposed = false);
EMBER_API std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& x, bool full_matrices = true);
EMBER_API Tensor svdvals(const Tensor& x);
EMBER_API std::tuple<Tensor, Tensor, Tensor> lu(const Tensor& x);  // p, l, u with x[p] = l @ u
// solution, residuals, rank, singular values.
EMBER_API std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor& a, const Tensor& b,
                                                           std::optional<double> rcond = {});
EMBER_API Tensor matrix_power(const Tensor& x, int64_t n);
EMBER_API Tensor matrix_rank(const Tensor& x, const std::optional<Tensor>& rtol = {});
// ord: fro nuc inf -inf 1 -1 2 -2.
EMBER_API Tensor matrix_norm(const Tensor& x, std::string_view ord = "fro", bool keepdims = false);
EMBER_API Tensor vector_norm(const Tensor& x, const Axes& axis = {}, bool keepdims = false,
                             double ord = 2);
EMBER_API Tensor norm(const Tensor& x, std::optional<double> ord = {}, const Axes& axis = {},
                      bool keepdims = false);
EMBER_API Tensor trace(const Tensor& x, int64_t offset = 0, Dtype dtype = {});
EMBER_API Tensor expm(const Tensor& x);
EMBER_API Tensor multi_dot(const Tensors& arrays);
EMBER_API Tensor orthogonal(const Shape& shape, double gain = 1, DType dtype = default_float(),
                            std::optional<int64_t> seed = {});
EMBER_API Tensor cond(const Tensor& x);
struct GemmOptions {
  double alpha = 1, beta = 1;
  bool a_transpose = false, b_transpose = false;
  template <class F> void each(F&& f) {
    f("alpha", alpha);
    f("beta", beta);
    f("a_transpose", a_transpose);
    f("b_transpose", b_transpose);
  }
};
EMBER_API Tensor gemm(const Tensor& a, const Tensor& b, const std::optional<Tensor>& c = {},
                      const GemmOptions& options = {});

// ---- Signal. norm: backward, ortho, forward. ----
EMBER_API Tensor fft(const Tensor& x, std::optional<int64_t> n = {}, int64_t axis = -1,
                     std::string_view norm = "backward");
EMBER_API Tensor ifft(const Tensor& x, std::optional<int64_t> n = {}, int64_t axis = -1,
                      std::string_view norm = "backward");
EMBER_API Tensor rfft(const Tensor& x, std::optional<int64_t> n = {}, int64_t axis = -1,
                      std::string_view norm = "backward");
EMBER_API Tensor irfft(const Tensor& x, std::optional<int64_t> n = {}, int64_t axis = -1,
                       std::string_view norm = "backward");
EMBER_API Tensor hfft(const Tensor& x, std::optional<int64_t> n = {}, int64_t axis = -1,
                      std::string_view norm = "backward");
EMBER_API Tensor ihfft(const Tensor& x, std::optional<int64_t> n = {}, int64_t axis = -1,
                       std::string_view norm = "backward");
EMBER_API Tensor fftn(const Tensor& x, const std::optional<Ints>& s = {}, const Axes& axes = {},
                      std::string_view norm = "backward");
EMBER_API Tensor ifftn(const Tensor& x, const std::optional<Ints>& s = {}, const Axes& axes = {},
                       std::string_view norm = "backward");
EMBER_API Tensor rfftn(const Tensor& x, const std::optional<Ints>& s = {}, const Axes& axes = {},
                       std::string_view norm = "backward");
EMBER_API Tensor irfftn(const Tensor& x, const std::optional<Ints>& s = {}, const Axes& axes = {},
                        std::string_view norm = "backward");
EMBER_API Tensor fft2(const Tensor& x, const std::optional<Ints>& s = {},
                      const Ints& axes = {-2, -1}, std::string_view norm = "backward");
EMBER_API Tensor ifft2(const Tensor& x, const std::optional<Ints>& s = {},
                       const Ints& axes = {-2, -1}, std::string_view norm = "backward");
EMBER_API Tensor rfft2(const Tensor& x, const std::optional<Ints>& s = {},
                       const Ints& axes = {-2, -1}, std::string_view norm = "backward");
EMBER_API Tensor irfft2(const Tensor& x, const std::optional<Ints>& s = {},
                        const Ints& axes = {-2, -1}, std::string_view norm = "backward");
EMBER_API Tensor fftfreq(int64_t n, double d = 1, DType dtype = default_float());
EMBER_API Tensor rfftfreq(int64_t n, double d = 1, DType dtype = default_float());
EMBER_API Tensor fftshift(const Tensor& x, const Axes& axes = {});
EMBER_API Tensor ifftshift(const Tensor& x, const Axes& axes = {});
EMBER_API Tensor hann_window(int64_t n, bool periodic = true, DType dtype = default_float());
EMBER_API Tensor hamming_window(int64_t n, bool periodic = true, DType dtype = default_float());
EMBER_API Tensor blackman_window(int64_t n, bool periodic = true, DType dtype = default_float());
EMBER_API Tensor bartlett_window(int64_t n, bool periodic = true, DType dtype = default_float());
EMBER_API Tensor kaiser_window(int64_t n, double beta = 12, bool periodic = true,
                               DType dtype = default_float());
EMBER_API Tensor overlap_add(const Tensor& frames, int64_t hop_length);
struct StftOptions {
  std::optional<int64_t> n_fft, hop_length, win_length;
  std::optional<Tensor> window;
  bool center = true;
  std::string pad_mode = "reflect";
  template <class F> void each(F&& f) {
    f("n_fft", n_fft);
    f("hop_length", hop_length);
    f("win_length", win_length);
    f("window", window);
    f("center", center);
    f("pad_mode", pad_mode);
  }
};
EMBER_API Tensor stft(const Tensor& x, const StftOptions& options = {});  // [..., frequency, frame]
EMBER_API Tensor istft(const Tensor& x, const StftOptions& options = {},
                       std::optional<int64_t> length = {});
EMBER_API Tensor spectrogram(const Tensor& x, const StftOptions& options = {}, double power = 2);
EMBER_API Tensor mel_filter_bank(int64_t n_mels, int64_t n_fft, double sample_rate, double low = 0,
                                 std::optional<double> high = {}, DType dtype = default_float());
EMBER_API Tensor convolve(const Tensor& a, const Tensor& v, std::string_view mode = "full");
EMBER_API Tensor correlate(const Tensor& a, const Tensor& v, std::string_view mode = "valid");

// ---- Neural: activations ----
EMBER_API Tensor relu(Tensor x);
EMBER_API Tensor relu6(Tensor x);
EMBER_API Tensor hard_sigmoid(const Tensor& x, double alpha = 0.2, double beta = 0.5);
EMBER_API Tensor softmax(const Tensor& x, int64_t axis = -1);
EMBER_API Tensor log_softmax(const Tensor& x, int64_t axis = -1);
EMBER_API Tensor softplus(const Tensor& x, double beta = 1);
EMBER_API Tensor softsign(const Tensor& x);
EMBER_API Tensor gelu(const Tensor& x, std::string_view approximate = "none");
EMBER_API Tensor silu(const Tensor& x);
EMBER_API Tensor elu(const Tensor& x, double alpha = 1);
EMBER_API Tensor selu(const Tensor& x);
EMBER_API Tensor celu(const Tensor& x, double alpha = 1);
EMBER_API Tensor leaky_relu(const Tensor& x, double alpha = 0.01);
EMBER_API Tensor prelu(const Tensor& x, const Tensor& slope);
EMBER_API Tensor mish(const Tensor& x);
EMBER_API Tensor hardswish(const Tensor& x);
EMBER_API Tensor hardtanh(const Tensor& x, double low = -1, double high = 1);
EMBER_API Tensor threshold(const Tensor& x, double threshold, double value = 0);
// x @ weight.T + bias.
EMBER_API Tensor linear(const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias = {});
EMBER_API Tensor glu(const Tensor& x, int64_t axis = -1);
EMBER_API Tensor tanhshrink(const Tensor& x);
EMBER_API Tensor hardshrink(const Tensor& x, double lambda = 0.5);
EMBER_API Tensor softshrink(const Tensor& x, double lambda = 0.5);
EMBER_API Tensor logsigmoid(const Tensor& x);

// ---- Neural: convolution and pooling ----
struct ConvOptions {
  // One number applies to all axes. padding: one per axis, or [before, after] per axis.
  Ints strides = {1}, padding = {0}, dilation = {1};
  int64_t groups = 1;
  std::string auto_pad = "none";  // none, same_upper, same_lower, valid
  // nchw or nhwc: channels first or last, in any number of dimensions.
  std::string input_layout = "nchw";
  std::string filter_layout = "oihw";  // oihw, hwio, ohwi, ihwo
  template <class F> void each(F&& f) {
    f("strides", strides);
    f("padding", padding);
    f("dilation", dilation);
    f("groups", groups);
    f("auto_pad", auto_pad);
    f("input_layout", input_layout);
    f("filter_layout", filter_layout);
  }
};
EMBER_API Tensor conv1d(const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias = {}, const ConvOptions& options = {});
EMBER_API Tensor conv2d(const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias = {}, const ConvOptions& options = {});
EMBER_API Tensor conv3d(const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias = {}, const ConvOptions& options = {});
struct ConvTransposeOptions {
  Ints strides = {1}, padding = {0}, output_padding = {0}, dilation = {1};
  int64_t groups = 1;
  std::optional<Ints> output_sizes;
  std::string input_layout = "nchw";
  std::string filter_layout = "iohw";  // iohw, hwoi, ohwi, oihw
  template <class F> void each(F&& f) {
    f("strides", strides);
    f("padding", padding);
    f("output_padding", output_padding);
    f("dilation", dilation);
    f("groups", groups);
    f("output_sizes", output_sizes);
    f("input_layout", input_layout);
    f("filter_layout", filter_layout);
  }
};
EMBER_API Tensor conv_transpose1d(const Tensor& x, const Tensor& weight,
                                  const std::optional<Tensor>& bias = {},
                                  const ConvTransposeOptions& options = {});
EMBER_API Tensor conv_transpose2d(const Tensor& x, const Tensor& weight,
                                  const std::optional<Tensor>& bias = {},
                                  const ConvTransposeOptions& options = {});
EMBER_API Tensor conv_transpose3d(const Tensor& x, const Tensor& weight,
                                  const std::optional<Tensor>& bias = {},
                                  const ConvTransposeOptions& options = {});
struct PoolOptions {
  Ints kernel_size = {2};
  std::optional<Ints> strides;  // the kernel's size by default
  Ints padding = {0}, dilation = {1};
  bool ceil_mode = false, count_include_pad = false;
  std::string layout = "nchw";
  template <class F> void each(F&& f) {
    f("kernel_size", kernel_size);
    f("strides", strides);
    f("padding", padding);
    f("dilation", dilation);
    f("ceil_mode", ceil_mode);
    f("count_include_pad", count_include_pad);
    f("layout", layout);
  }
};
EMBER_API Tensor max_pool1d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor max_pool2d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor max_pool3d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor average_pool1d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor average_pool2d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor average_pool3d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor l2_pool1d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor l2_pool2d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor l2_pool3d(const Tensor& x, const PoolOptions& options = {});
EMBER_API Tensor adaptive_average_pool(const Tensor& x, const Ints& output_size);
EMBER_API Tensor adaptive_max_pool(const Tensor& x, const Ints& output_size);
EMBER_API Tensor global_average_pool(const Tensor& x, std::string_view layout = "nchw");
EMBER_API Tensor global_max_pool(const Tensor& x, std::string_view layout = "nchw");
EMBER_API Tensor pixel_shuffle(const Tensor& x, int64_t factor);
EMBER_API Tensor pixel_unshuffle(const Tensor& x, int64_t factor);
struct ResampleOptions {
  std::string mode = "nearest";  // nearest, linear, cubic
  std::optional<std::vector<double>> scales;
  std::optional<Ints> sizes;
  Axes axes;  // by default the last axes, as many as scales or sizes
  bool align_corners = false, antialias = false;
  template <class F> void each(F&& f) {
    f("mode", mode);
    f("scales", scales);
    f("sizes", sizes);
    f("axes", axes);
    f("align_corners", align_corners);
    f("antialias", antialias);
  }
};
EMBER_API Tensor resample(const Tensor& x, const ResampleOptions& options);
EMBER_API Tensor grid_sample(const Tensor& x, const Tensor& grid,
                             std::string_view mode = "bilinear",
                             std::string_view padding_mode = "zeros", bool align_corners = false);

// ---- Neural: normalization, attention, recurrence ----
EMBER_API Tensor batch_norm(const Tensor& x, const Tensor& mean, const Tensor& variance,
                            const std::optional<Tensor>& scale = {},
                            const std::optional<Tensor>& bias = {}, int64_t axis = 1,
                            double eps = 1e-5);
EMBER_API Tensor layer_norm(const Tensor& x, const std::optional<Tensor>& scale = {},
                            const std::optional<Tensor>& bias = {}, const Axes& axes = -1,
                            double eps = 1e-5);
EMBER_API Tensor rms_norm(const Tensor& x, const std::optional<Tensor>& scale = {},
                          const Axes& axes = -1, double eps = 1e-5);
EMBER_API Tensor group_norm(const Tensor& x, int64_t groups,
                            const std::optional<Tensor>& scale = {},
                            const std::optional<Tensor>& bias = {}, double eps = 1e-5);
EMBER_API Tensor instance_norm(const Tensor& x, const std::optional<Tensor>& scale = {},
                               const std::optional<Tensor>& bias = {}, double eps = 1e-5,
                               std::string_view layout = "nchw");
EMBER_API Tensor dropout(const Tensor& x, double p = 0.5, bool training = true);
EMBER_API Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key,
                                              const Tensor& value,
                                              const std::optional<Tensor>& mask = {},
                                              bool causal = false,
                                              std::optional<double> scale = {});
EMBER_API Tensor rope(const Tensor& x, const std::optional<Tensor>& positions = {},
                      double base = 10000, bool interleaved = false);
// WebNN's shapes: x [steps, batch, input], weight [directions, gates * hidden, input].
struct RecurrentOptions {
  std::optional<Tensor> bias, recurrent_bias, peephole, initial_hidden, initial_cell;
  bool reset_after = true, return_sequence = true;
  std::string direction = "forward",
              layout;  // forward, backward, both; gates: iofg (lstm), zrn (gru), or ifgo, rzn
  std::vector<std::string> activations;
  template <class F> void each(F&& f) {
    f("bias", bias);
    f("recurrent_bias", recurrent_bias);
    f("peephole", peephole);
    f("initial_hidden", initial_hidden);
    f("initial_cell", initial_cell);
    f("reset_after", reset_after);
    f("return_sequence", return_sequence);
    f("direction", direction);
    f("layout", layout);
    f("activations", activations);
  }
};
// hidden, cell, sequence.
EMBER_API Tensors lstm(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                       const RecurrentOptions& options = {});
EMBER_API Tensors lstm_cell(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                            const Tensor& hidden, const Tensor& cell,
                            const RecurrentOptions& options = {});
// hidden, sequence.
EMBER_API Tensors gru(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                      const RecurrentOptions& options = {});
EMBER_API Tensor gru_cell(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                          const Tensor& hidden, const RecurrentOptions& options = {});
// hidden, sequence.
EMBER_API Tensors rnn(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                      const RecurrentOptions& options = {});
EMBER_API Tensor rnn_cell(const Tensor& x, const Tensor& weight, const Tensor& recurrent_weight,
                          const Tensor& hidden, const RecurrentOptions& options = {});

// ---- Neural: quantization, losses, distances. reduction: mean, sum, none. ----
EMBER_API Tensor quantize_linear(const Tensor& x, const Tensor& scale, const Tensor& zero_point,
                                 std::optional<int64_t> axis = {},
                                 std::optional<int64_t> block_size = {});
EMBER_API Tensor dequantize_linear(const Tensor& x, const Tensor& scale, const Tensor& zero_point,
                                   std::optional<int64_t> axis = {},
                                   std::optional<int64_t> block_size = {});
EMBER_API Tensor mse_loss(const Tensor& prediction, const Tensor& target,
                          std::string_view reduction = "mean", const Axes& axis = {},
                          bool keepdims = false);
EMBER_API Tensor mae_loss(const Tensor& prediction, const Tensor& target,
                          std::string_view reduction = "mean", const Axes& axis = {},
                          bool keepdims = false);
EMBER_API Tensor huber_loss(const Tensor& prediction, const Tensor& target, double delta = 1,
                            std::string_view reduction = "mean", const Axes& axis = {},
                            bool keepdims = false);
EMBER_API Tensor log_cosh_loss(const Tensor& prediction, const Tensor& target,
                               std::string_view reduction = "mean", const Axes& axis = {},
                               bool keepdims = false);
EMBER_API Tensor binary_cross_entropy(const Tensor& prediction, const Tensor& target,
                                      bool from_logits = false,
                                      std::string_view reduction = "mean");
EMBER_API Tensor categorical_cross_entropy(const Tensor& prediction, const Tensor& target,
                                           bool from_logits = false, int64_t axis = -1,
                                           std::string_view reduction = "mean");
EMBER_API Tensor sparse_categorical_cross_entropy(const Tensor& prediction, const Tensor& target,
                                                  bool from_logits = false, int64_t axis = -1,
                                                  std::string_view reduction = "mean");
EMBER_API Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, int64_t axis = -1,
                          std::string_view reduction = "mean");
EMBER_API Tensor kl_div_loss(const Tensor& prediction, const Tensor& target,
                             std::string_view reduction = "mean");
EMBER_API Tensor ctc_loss(const Tensor& log_probabilities, const Tensor& targets,
                          const Tensor& input_lengths, const Tensor& target_lengths,
                          int64_t blank = 0, std::string_view reduction = "mean");
// target: 1 for similar pairs; other values (0, -1) for different pairs, whose distance grows up to
// the margin.
EMBER_API Tensor contrastive_loss(const Tensor& a, const Tensor& b, const Tensor& target,
                                  double margin = 1, std::string_view reduction = "mean");
EMBER_API Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target,
                                       double margin = 0, std::string_view reduction = "mean");
EMBER_API Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t axis = -1,
                                   double eps = 1e-8);
EMBER_API Tensor euclidean_distance(const Tensor& a, const Tensor& b, int64_t axis = -1);
EMBER_API Tensor pairwise_distance(const Tensor& a, const std::optional<Tensor>& b = {},
                                   double p = 2);
// Without an axis, normalizes x as one vector.
EMBER_API Tensor normalize_vector(const Tensor& x, std::optional<int64_t> axis = -1,
                                  double eps = 1e-12);

// ---- Random. Recording an op advances the counter of the process generator. ----
EMBER_API void seed(int64_t value);
EMBER_API int64_t get_seed();
struct RandomState {
  uint64_t key, counter;
};
// The state of the generator that this thread's random ops use.
EMBER_API RandomState get_random_state();
EMBER_API void set_random_state(RandomState state);
EMBER_API Tensor random_bits(const Shape& shape);  // uint32
EMBER_API Tensor random_uniform(const Shape& shape, double low = 0, double high = 1,
                                DType dtype = default_float());
EMBER_API Tensor random_normal(const Shape& shape, double mean = 0, double stddev = 1,
                               DType dtype = default_float());
EMBER_API Tensor truncated_normal(const Shape& shape, double mean = 0, double stddev = 1,
                                  double low = -2, double high = 2, DType dtype = default_float());
EMBER_API Tensor random_bernoulli(const Shape& shape, const Tensor& p = 0.5);
EMBER_API Tensor random_binomial(const Shape& shape, double p = 0.5, int64_t n = 1,
                                 DType dtype = DType::int64);
EMBER_API Tensor random_categorical(const Tensor& logits, int64_t num_samples = 1,
                                    DType dtype = DType::int64);
EMBER_API Tensor random_multinomial(const Tensor& probabilities, int64_t num_samples = 1,
                                    bool replacement = true);
EMBER_API Tensor random_gamma(const Shape& shape, double alpha = 1, double beta = 1,
                              DType dtype = default_float());
EMBER_API Tensor random_beta(const Shape& shape, double a, double b, DType dtype = default_float());
EMBER_API Tensor random_exponential(const Shape& shape, double scale = 1,
                                    DType dtype = default_float());
EMBER_API Tensor random_poisson(const Shape& shape, double rate = 1, DType dtype = DType::int64);
EMBER_API Tensor random_laplace(const Shape& shape, double loc = 0, double scale = 1,
                                DType dtype = default_float());
EMBER_API Tensor random_gumbel(const Shape& shape, double loc = 0, double scale = 1,
                               DType dtype = default_float());
// low <= x < high.
EMBER_API Tensor random_integers(const Shape& shape, int64_t low, int64_t high,
                                 DType dtype = DType::int64);
// An integer n means arange(n).
EMBER_API Tensor random_permutation(const Tensor& x, int64_t axis = 0, Dtype dtype = {});
EMBER_API Tensor shuffle(const Tensor& x, int64_t axis = 0);
EMBER_API Tensor choice(const Tensor& x, const Shape& shape = {}, bool replace = true,
                        const std::optional<Tensor>& p = {});

// ---- Waves: signal measures and bit patterns. The longer of two waves is truncated. ----
EMBER_API Tensor compute_energy_stability(const Tensor& input_wave, int64_t window_size = 100);
EMBER_API Tensor compute_interference_strength(const Tensor& input_wave1,
                                               const Tensor& input_wave2);
EMBER_API Tensor compute_phase_coherence(const Tensor& input_wave1, const Tensor& input_wave2,
                                         const std::optional<std::vector<double>>& freq_range = {});
EMBER_API Tensor partial_interference(const Tensor& input_wave1, const Tensor& input_wave2,
                                      int64_t window_size = 100);
EMBER_API Tensor exponential_decay(const Tensor& initial_value, const Tensor& decay_rate,
                                   const std::optional<Tensor>& time_step = {});
// mode: xor, and, or.
EMBER_API Tensor binary_wave_interference(const Tensors& waves, std::string_view mode = "xor");
EMBER_API Tensor binary_wave_propagate(const Tensor& wave, const Tensor& shift);
EMBER_API Tensor create_duty_cycle(int64_t length, double duty_cycle);
EMBER_API Tensor generate_blocky_sin(int64_t length, int64_t half_period);
EMBER_API std::tuple<Tensor, Tensor> binary_split(int64_t a, int64_t b);

// ---- Inspection ----
EMBER_API Shape shape(const Tensor& x);
EMBER_API int64_t ndim(const Tensor& x);
EMBER_API int64_t size(const Tensor& x);
EMBER_API DType dtype(const Tensor& x);
EMBER_API Device device(const Tensor& x);
EMBER_API std::string backend(const Tensor& x);
EMBER_API Ints strides(const Tensor& x);
EMBER_API int64_t nbytes(const Tensor& x);
EMBER_API double item(const Tensor& x);
EMBER_API std::vector<double> tolist(const Tensor& x);  // flat, real tensors
struct FloatInfo {
  int bits;
  double eps, max, min, smallest_normal, smallest_subnormal;
  DType dtype;
};
struct IntInfo {
  int bits;
  int64_t min;
  uint64_t max;
  DType dtype;
};
EMBER_API FloatInfo finfo(DType dtype);
EMBER_API IntInfo iinfo(DType dtype);
EMBER_API bool can_cast(DType from, DType to);
EMBER_API DType result_type(const Tensors& arrays);
// bool, signed integer, unsigned integer, integral, real floating, complex floating, numeric.
EMBER_API bool isdtype(DType dtype, std::string_view kind);

}  // namespace ops

// A generator with its own key and counter, independent of the process generator.
class EMBER_API Generator {
 public:
  explicit Generator(uint64_t seed, uint64_t counter = 0) : key_(seed), counter_(counter) {}
  uint64_t key() const { return key_; }
  uint64_t counter() const { return counter_; }
  uint64_t take(uint64_t blocks) { return std::exchange(counter_, counter_ + blocks); }

 private:
  uint64_t key_, counter_;
};
// Makes random ops on this thread draw from a generator until the object is destroyed.
class EMBER_API with_generator {
 public:
  explicit with_generator(Generator&);
  with_generator(const with_generator&) = delete;
  ~with_generator();

 private:
  Generator* before_;
};

// Operators record the same ops.
inline Tensor operator+(Tensor a, Tensor b) { return ops::add(std::move(a), std::move(b)); }
inline Tensor operator-(Tensor a, Tensor b) { return ops::subtract(std::move(a), std::move(b)); }
inline Tensor operator*(Tensor a, Tensor b) { return ops::multiply(std::move(a), std::move(b)); }
inline Tensor operator/(Tensor a, Tensor b) { return ops::divide(std::move(a), std::move(b)); }
inline Tensor operator%(Tensor a, Tensor b) { return ops::remainder(std::move(a), std::move(b)); }
inline Tensor operator-(Tensor a) { return ops::negative(std::move(a)); }
inline Tensor operator+(Tensor a) { return a; }
inline Tensor operator~(Tensor a) { return ops::bitwise_invert(std::move(a)); }
inline Tensor operator&(Tensor a, Tensor b) { return ops::bitwise_and(std::move(a), std::move(b)); }
inline Tensor operator|(Tensor a, Tensor b) { return ops::bitwise_or(std::move(a), std::move(b)); }
inline Tensor operator^(Tensor a, Tensor b) { return ops::bitwise_xor(std::move(a), std::move(b)); }
inline Tensor operator==(Tensor a, Tensor b) { return ops::equal(std::move(a), std::move(b)); }
inline Tensor operator!=(Tensor a, Tensor b) { return ops::not_equal(std::move(a), std::move(b)); }
inline Tensor operator<(Tensor a, Tensor b) { return ops::less(std::move(a), std::move(b)); }
inline Tensor operator<=(Tensor a, Tensor b) { return ops::less_equal(std::move(a), std::move(b)); }
inline Tensor operator>(Tensor a, Tensor b) { return ops::greater(std::move(a), std::move(b)); }
inline Tensor operator>=(Tensor a, Tensor b) {
  return ops::greater_equal(std::move(a), std::move(b));
}

}  // namespace ember
