// Plans: factors, roots of unity and the choice of algorithm for each length.
#include "engines/native/kernels/fft.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <list>
#include <mutex>
#include <numbers>
#include <vector>

namespace ember::native {
namespace {

constexpr int64_t largest_radix = 31;
constexpr int64_t four_step_from =
    256;  // a single sequence of this length or more is worked on as a matrix

// exp(-2 pi i k / n) for 0 <= k < n. The angle is brought into the first eighth of the circle in
// integers, so that it is exact.
std::complex<double> root(int64_t k, int64_t n) {
  const int64_t eighth = 8 * k / n;
  const int64_t rest = 8 * k - eighth * n;
  const double angle = std::numbers::pi / 4 * (double(eighth % 2 ? n - rest : rest) / double(n));
  double c = std::cos(angle);
  double s = std::sin(angle);
  if ((eighth + 1) / 2 % 2) std::swap(c, s);  // nearer to the imaginary axis
  if (eighth >= 2 && eighth < 6) c = -c;
  return {c, eighth < 4 ? -s : s};
}

// Twos first: then many sequences lie side by side early, which is what vectors need.
std::vector<int> factors(int64_t n) {
  std::vector<int> f;
  for (; n % 4 == 0; n /= 4) f.push_back(4);
  for (int64_t p = 2; p <= largest_radix; ++p) {
    for (; n % p == 0; n /= p) f.push_back(int(p));
  }
  if (n > 1) f.clear();
  return f;
}

// The least length >= n without prime factors above 5.
int64_t smooth_length(int64_t n) {
  int64_t best = INT64_MAX;
  for (int64_t five = 1; five < 5 * n; five *= 5) {
    for (int64_t three = five; three < 3 * n; three *= 3) {
      int64_t m = three;
      while (m < n) m *= 2;
      best = std::min(best, m);
    }
  }
  return best;
}

}  // namespace

bool fft_direct(int64_t n) { return n == 1 || !factors(n).empty(); }

template <class R> struct FftPlan<R>::Tables {
  std::vector<int> factors;
  // Mixed radix; made when first used, because long single sequences do without.
  std::once_flag passes_made;
  std::vector<FftPass<R>> passes;
  std::vector<R> numbers;
  // A sequence as a matrix of first rows and second columns.
  std::shared_ptr<const FftPlan> first, second;
  int64_t n1 = 0, n2 = 0;
  std::vector<R> base, lane;
  // Bluestein: a convolution with the chirp exp(-pi i k^2 / n).
  std::shared_ptr<const FftPlan> convolution;
  int64_t length = 0;
  std::vector<R> chirp, spectrum;
  std::once_flag half_made;
  std::vector<R> half;

  void make_passes(int64_t n) {
    size_t count = 0;
    int64_t m = n;
    for (int f : factors) {
      m /= f;
      count += size_t(2 * f + 2 * (f - 1) * m);
    }
    numbers.reserve(count);  // pointers into it stay valid
    m = n;
    for (int f : factors) {
      const int64_t length = m;
      m /= f;
      const R* roots = numbers.data() + numbers.size();
      for (int j = 0; j < f; ++j) put(numbers, std::conj(root(j, f)));
      const R* twiddles = numbers.data() + numbers.size();
      for (int64_t p = 0; p < m; ++p) {
        for (int64_t j = 1; j < f; ++j) put(numbers, root(p * j, length));
      }
      passes.push_back({f, m, roots, twiddles});
    }
  }
  static void put(std::vector<R>& v, std::complex<double> z) {
    v.push_back(R(z.real()));
    v.push_back(R(z.imag()));
  }

  void make_four_step(int64_t n) {
    n1 = 1;
    for (int f : factors) {
      if (n1 * f <= int64_t(std::sqrt(double(n)))) n1 *= f;
    }
    n2 = n / n1;
    first = get(n1);
    second = get(n2);
    constexpr int64_t width = fft_lanes<R>;
    const int64_t blocks = (n2 + width - 1) / width;
    base.resize(size_t(2 * blocks * n1));
    lane.resize(size_t(2 * n1 * width));
    const auto set = [](std::vector<R>& v, int64_t i, std::complex<double> z) {
      v[size_t(i)] = R(z.real());
      v[size_t(i) + v.size() / 2] = R(z.imag());
    };
    for (int64_t b = 0; b < blocks; ++b) {
      for (int64_t k = 0; k < n1; ++k) set(base, b * n1 + k, root(k * b * width % n, n));
    }
    for (int64_t k = 0; k < n1; ++k) {
      for (int64_t l = 0; l < width; ++l) set(lane, k * width + l, root(k * l % n, n));
    }
  }

  void make_bluestein(int64_t n) {
    length = smooth_length(2 * n - 1);
    convolution = get(length);
    FftWork<R> work(length);
    std::fill_n(work.memory.data(), 4 * length, R(0));
    int64_t square = 0;  // k^2 mod 2n
    for (int64_t k = 0; k < n; ++k) {
      const std::complex<double> z = root(square, 2 * n);
      put(chirp, z);
      for (int64_t at : {k, (length - k) % length}) {
        work.re[at] = R(z.real());
        work.im[at] = R(-z.imag());
      }
      square = (square + 2 * k + 1) % (2 * n);
    }
    convolution->run(work, 1);
    for (int64_t k = 0; k < length; ++k) {
      put(spectrum, {work.re[k] / double(length), work.im[k] / double(length)});
    }
  }
};

template <class R> FftPlan<R>::FftPlan(int64_t n) : n_(n), t_(std::make_unique<Tables>()) {
  t_->factors = factors(n);
  if (!fft_direct(n)) {
    t_->make_bluestein(n);
  } else if (n >= four_step_from) {
    t_->make_four_step(n);
  }
}
template <class R> FftPlan<R>::~FftPlan() = default;

template <class R> std::shared_ptr<const FftPlan<R>> FftPlan<R>::get(int64_t n) {
  struct Entry {
    std::shared_ptr<const FftPlan> plan;
    int64_t cost;
  };
  // The last used first; the cost is about the number of elements in a plan's tables, their sum is
  // bounded.
  static std::mutex mutex;
  static auto& cache = *new std::list<Entry>;
  static int64_t total = 0;
  constexpr int64_t budget = int64_t(1) << 22;
  if (n < 1) throw ValueError("a transform needs a length of at least 1, not " + std::to_string(n));
  if (n > int64_t(1) << 32) throw UnsupportedError("a transform of more than 2^32 elements");
  {
    const std::lock_guard lock(mutex);
    for (auto it = cache.begin(); it != cache.end(); ++it) {
      if (it->plan->n_ == n) {
        cache.splice(cache.begin(), cache, it);
        return it->plan;
      }
    }
  }
  auto plan = std::make_shared<const FftPlan>(n);  // not under the lock: it asks for other plans
  const int64_t cost = fft_direct(n) ? std::min<int64_t>(n, (1 << 16) + n / 4) : 4 * n;
  const std::lock_guard lock(mutex);
  if (cost > budget) return plan;
  cache.push_front({plan, cost});
  for (total += cost; total > budget || cache.size() > 100; cache.pop_back()) {
    total -= cache.back().cost;
  }
  return plan;
}

template <class R> void FftPlan<R>::run(FftWork<R>& work, int64_t lanes) const {
  if (t_->convolution) {
    bluestein(work, lanes);
  } else if (lanes == 1 && t_->first) {
    four_step(work);
  } else {
    stockham(work, lanes);
  }
}

template <class R> void FftPlan<R>::stockham(FftWork<R>& work, int64_t lanes) const {
  std::call_once(t_->passes_made, [&] { t_->make_passes(n_); });
  fft_passes(t_->passes.data(), t_->passes.size(), work, lanes);
}

// The columns of an n1 x n2 matrix, twiddles, then the columns of its transpose; blocks of columns
// are the threads' work.
template <class R> void FftPlan<R>::four_step(FftWork<R>& work) const {
  constexpr int64_t width = fft_lanes<R>;
  const int64_t n1 = t_->n1;
  const int64_t n2 = t_->n2;
  // Blocks of the columns of a rows x cols matrix, transformed in a buffer of their own.
  const auto each_block = [&](const FftPlan& plan, int64_t rows, int64_t cols, const R* re,
                              const R* im, auto&& store) {
    const int64_t blocks = (cols + width - 1) / width;
    const int64_t grain = std::max<int64_t>(1, (1 << 15) / (rows * width));
    parallel_for(blocks, grain, [&](int64_t begin, int64_t end) {
      FftWork<R> block(rows * width);
      for (int64_t b = begin; b < end; ++b) {
        const int64_t count = std::min(width, cols - b * width);
        for (int64_t k = 0; k < rows; ++k) {
          for (int64_t l = 0; l < width; ++l) {
            const int64_t at = k * cols + b * width + l;
            block.re[k * width + l] = l < count ? re[at] : R(0);
            block.im[k * width + l] = l < count ? im[at] : R(0);
          }
        }
        plan.run(block, width);
        store(block, b, count);
      }
    });
  };
  each_block(*t_->first, n1, n2, work.re, work.im,
             [&](FftWork<R>& block, int64_t b, int64_t count) {
               const int64_t base_im = int64_t(t_->base.size() / 2);
               const int64_t lane_im = int64_t(t_->lane.size() / 2);
               fft_twiddle(block.re, block.im, n1, t_->base.data() + b * n1, base_im,
                           t_->lane.data(), lane_im);
               for (int64_t l = 0; l < count; ++l) {
                 for (int64_t k = 0, at = (b * width + l) * n1; k < n1; ++k) {
                   work.re2[at + k] = block.re[k * width + l];
                   work.im2[at + k] = block.im[k * width + l];
                 }
               }
             });
  each_block(*t_->second, n2, n1, work.re2, work.im2,
             [&](FftWork<R>& block, int64_t b, int64_t count) {
               for (int64_t k = 0; k < n2; ++k) {
                 std::memcpy(work.re + k * n1 + b * width, block.re + k * width,
                             size_t(count) * sizeof(R));
                 std::memcpy(work.im + k * n1 + b * width, block.im + k * width,
                             size_t(count) * sizeof(R));
               }
             });
}

template <class R> void FftPlan<R>::bluestein(FftWork<R>& work, int64_t lanes) const {
  // to = from * z
  const auto times = [lanes](R* re, R* im, const R* from_re, const R* from_im, int64_t k,
                             const R* z) {
    const R zr = z[2 * k];
    const R zi = z[2 * k + 1];
    for (int64_t i = k * lanes; i < (k + 1) * lanes; ++i) {
      const R x = from_re[i];
      const R y = from_im[i];
      re[i] = x * zr - y * zi;
      im[i] = x * zi + y * zr;
    }
  };
  const int64_t length = t_->length;
  FftWork<R> w(length * lanes);
  for (int64_t k = 0; k < n_; ++k) times(w.re, w.im, work.re, work.im, k, t_->chirp.data());
  std::fill(w.re + n_ * lanes, w.re + length * lanes, R(0));
  std::fill(w.im + n_ * lanes, w.im + length * lanes, R(0));
  t_->convolution->run(w, lanes);
  for (int64_t k = 0; k < length; ++k) times(w.re, w.im, w.re, w.im, k, t_->spectrum.data());
  w.swap_parts();
  t_->convolution->run(w, lanes);
  w.swap_parts();
  for (int64_t k = 0; k < n_; ++k) times(work.re, work.im, w.re, w.im, k, t_->chirp.data());
}

template <class R> const R* FftPlan<R>::half_roots() const {
  std::call_once(t_->half_made, [&] {
    t_->half.resize(size_t(2 * (n_ + 1)));
    for (int64_t k = 0; k <= n_; ++k) {
      const std::complex<double> z = root(k, 2 * n_);
      t_->half[size_t(k)] = R(z.real());
      t_->half[size_t(n_ + 1 + k)] = R(z.imag());
    }
  });
  return t_->half.data();
}

template class FftPlan<float>;
template class FftPlan<double>;

}  // namespace ember::native
