// Waves: measures of signals, and bit patterns. Signals are measured in float32 or wider.
#include <cmath>
#include <numbers>

#include "src/ops/views.h"

namespace ember {
namespace {

constexpr double pi = std::numbers::pi;

void need_real(const Tensor& x) {
  if (is_complex(x.dtype())) {
    throw DTypeError("waves must be real, not " + std::string(name(x.dtype())));
  }
}
void need_window(int64_t n) {
  if (n < 1) throw ValueError("window_size must be positive, not " + std::to_string(n));
}
void need_length(int64_t n) {
  if (n < 1) throw ValueError("length must be positive, not " + std::to_string(n));
}

// f of two vectors of one dtype, cropped to the shorter length.
template <class F> Tensor of_both(const char* op, const Tensor& a, const Tensor& b, F&& f) {
  Tensor in[] = {a, b};
  return named(op, "input_wave1, input_wave2", {in, 2}, [&] {
    for (const Tensor& x : in) {
      need_real(x);
      if (x.ndim() != 1 || x.size() == 0) {
        throw ShapeError("waves must be vectors that are not empty, not " + to_string(x.shape()));
      }
    }
    const DType t = float_of(result_dtype(in));
    promote_inputs(in, t);
    const int64_t n = std::min(a.size(), b.size());
    for (Tensor& x : in) x = widen(sliced(x, 0, {0, 1, n}));
    return cast_to(f(in[0], in[1]), t);
  });
}

// The phase difference of each frequency along the last axis.
Tensor phase_difference(const Tensor& a, const Tensor& b) {
  return ops::angle(ops::fft(a)) - ops::angle(ops::fft(b));
}

// The correlation along the last axis, reduced by the mean phase difference relative to its
// maximum, pi.
Tensor interference(const Tensor& a, const Tensor& b) {
  const Tensor x = a - ops::mean(a, -1, true);
  const Tensor y = b - ops::mean(b, -1, true);
  const Tensor correlation =
      ops::sum(x * y, -1) / ops::sqrt(ops::sum(ops::square(x), -1) * ops::sum(ops::square(y), -1));
  const Tensor difference = ops::abs(phase_difference(a, b));
  const Tensor turn = ops::minimum(difference, 2 * pi - difference);
  return correlation * (1.0 - ops::mean(turn, -1) / pi);
}

// The factors of the Chudnovsky series for pi from term a to term b.
struct Terms {
  double p, q;
};
Terms terms(int64_t a, int64_t b) {
  if (b - a == 1) {
    const double k = double(a);
    return a == 0 ? Terms{1, 1}
                  : Terms{(6 * k - 5) * (2 * k - 1) * (6 * k - 1),
                          k * k * k * (std::pow(640320.0, 3) / 24)};
  }
  const int64_t m = a + (b - a) / 2;
  const Terms l = terms(a, m);
  const Terms r = terms(m, b);
  return {l.p * r.p, l.q * r.p + l.p * r.q};
}

}  // namespace

namespace ops {

Tensor compute_energy_stability(const Tensor& input_wave, int64_t window_size) {
  return named("compute_energy_stability", "input_wave", {&input_wave, 1}, [&] {
    need_real(input_wave);
    need_window(window_size);
    if (input_wave.ndim() > 1) throw ShapeError("a wave must be a vector");
    const DType t = float_of(input_wave.dtype());
    const int64_t windows = input_wave.size() / window_size;
    if (windows < 2) return ones({}, t);
    const Tensor v = widen(to_float(sliced(input_wave, 0, {0, 1, windows * window_size})));
    const Tensor energy = sum(square(reshape(v, {windows, window_size})), 1);
    const Tensor m = mean(energy);
    return cast_to(1.0 / (1.0 + var(energy) / where(m == 0.0, 1.0, m)), t);  // silence is stable
  });
}
Tensor compute_interference_strength(const Tensor& input_wave1, const Tensor& input_wave2) {
  return of_both("compute_interference_strength", input_wave1, input_wave2, interference);
}
Tensor compute_phase_coherence(const Tensor& input_wave1, const Tensor& input_wave2,
                               const std::optional<std::vector<double>>& freq_range) {
  return of_both(
      "compute_phase_coherence", input_wave1, input_wave2, [&](const Tensor& a, const Tensor& b) {
        const Tensor d = phase_difference(a, b);
        Tensor inside = ones_like(d);
        if (freq_range) {
          if (freq_range->size() != 2) {
            throw ValueError("freq_range must be [low, high], not " +
                             std::to_string(freq_range->size()) + " numbers");
          }
          const Tensor f = abs(fftfreq(a.size(), 1, d.dtype()));
          inside = cast_to(logical_and(f >= (*freq_range)[0], f <= (*freq_range)[1]), d.dtype());
        }
        return hypot(sum(cos(d) * inside), sum(sin(d) * inside)) / sum(inside);
      });
}
Tensor partial_interference(const Tensor& input_wave1, const Tensor& input_wave2,
                            int64_t window_size) {
  return of_both("partial_interference", input_wave1, input_wave2,
                 [&](const Tensor& a, const Tensor& b) {
                   need_window(window_size);
                   if (a.size() < window_size) return zeros({0}, a.dtype());
                   return interference(frame(a, window_size, 1), frame(b, window_size, 1));
                 });
}
Tensor exponential_decay(const Tensor& initial_value, const Tensor& decay_rate,
                         const std::optional<Tensor>& time_step) {
  Tensors in{initial_value, decay_rate};
  if (time_step) in.push_back(*time_step);
  return named("exponential_decay", "initial_value, decay_rate, time_step", in, [&] {
    Tensors wide = in;
    const DType t = float_of(result_dtype(in));
    promote_inputs(wide, t);
    for (Tensor& x : wide) x = strong(widen(x));
    if (!time_step) {  // each entry along the first axis is a step later
      if (initial_value.ndim() == 0) throw ShapeError("a 0-d initial_value needs a time_step");
      Shape s(size_t(initial_value.ndim()), 1);
      s[0] = initial_value.shape(0);
      wide.push_back(reshape(cast_to(index_range(s[0]), wide[0].dtype()), s));
    }
    return cast_to(wide[0] * exp(-(wide[1] * wide[2])), t);
  });
}

Tensor binary_wave_interference(const Tensors& waves, std::string_view mode) {
  return named("binary_wave_interference", "waves", waves, [&] {
    if (waves.empty()) throw ValueError("needs at least one wave");
    if (mode != "xor" && mode != "and" && mode != "or") {
      throw ValueError("mode must be xor, and, or or, not '" + std::string(mode.substr(0, 40)) +
                       "'");
    }
    Tensor r = waves[0];
    if (!is_integer(r.dtype()) && r.dtype() != DType::bool_) {
      throw DTypeError("takes integers, not " + std::string(name(r.dtype())));
    }
    for (size_t i = 1; i < waves.size(); ++i) {
      r = mode == "xor" ? r ^ waves[i] : mode == "and" ? r & waves[i] : r | waves[i];
    }
    return r;
  });
}
Tensor binary_wave_propagate(const Tensor& wave, const Tensor& shift) {
  const Tensor in[] = {wave, shift};
  return named("binary_wave_propagate", "wave, shift", in, [&] {
    if (!is_integer(wave.dtype())) {
      throw DTypeError("takes integers, not " + std::string(name(wave.dtype())));
    }
    const Tensor n = clip(to_index(shift), Tensor(-64), Tensor(64));  // no wave is wider
    const auto by = [&](const Tensor& x) { return cast_to(maximum(x, 0), wave.dtype()); };
    return where(n >= 0, bitwise_left_shift(wave, by(n)), bitwise_right_shift(wave, by(-n)));
  });
}
Tensor create_duty_cycle(int64_t length, double duty_cycle) {
  return named("create_duty_cycle", [&] {
    need_length(length);
    if (!(duty_cycle >= 0 && duty_cycle <= 1)) {
      throw ValueError("duty_cycle must lie in [0, 1], not " + std::to_string(duty_cycle));
    }
    return cast_to(index_range(length) < int64_t(std::nearbyint(double(length) * duty_cycle)),
                   DType::int32);
  });
}
Tensor generate_blocky_sin(int64_t length, int64_t half_period) {
  return named("generate_blocky_sin", [&] {
    need_length(length);
    if (half_period < 1) {
      throw ValueError("half_period must be positive, not " + std::to_string(half_period));
    }
    return cast_to(remainder(floor_divide(index_range(length), half_period), 2) == 0, DType::int32);
  });
}

std::tuple<Tensor, Tensor> binary_split(int64_t a, int64_t b) {
  return named("binary_split", [&] {
    if (a < 0 || b <= a || b - a > 1000000) {
      throw ValueError("needs 0 <= a < b, at most a million terms, not " + std::to_string(a) +
                       " and " + std::to_string(b));
    }
    const Terms t = terms(a, b);
    return std::tuple(full({}, t.p, DType::float64), full({}, t.q, DType::float64));
  });
}

}  // namespace ops

namespace {
using binder::fn;

const Row rows[] = {
    FUN(compute_energy_stability, "input_wave, window_size=100",
        "1 / (1 + variance / mean) of the energies of consecutive windows; 1 for fewer than two."),
    FUN(compute_interference_strength, "input_wave1, input_wave2",
        "Correlation of two waves times (1 - mean phase difference / pi)."),
    FUN(compute_phase_coherence, "input_wave1, input_wave2, freq_range=None",
        "Agreement of the phase differences of two waves over frequencies: 1 if they are all "
        "equal."),
    FUN(partial_interference, "input_wave1, input_wave2, window_size=100",
        "compute_interference_strength in each window of two waves."),
    FUN(exponential_decay, "initial_value, decay_rate, time_step=None",
        "initial_value * exp(-decay_rate * time_step); by default entry i is at time i."),
    FUN(binary_wave_interference, "waves, mode=\"xor\"", "Bit waves combined by xor, and, or or."),
    FUN(binary_wave_propagate, "wave, shift", "Bits shifted left, or right by a negative shift."),
    FUN(create_duty_cycle, "length, duty_cycle",
        "Ones in the first duty_cycle of the length, zeros after them (int32)."),
    FUN(generate_blocky_sin, "length, half_period",
        "Square wave: alternating runs of half_period ones and zeros (int32)."),
    FUN(binary_split, "a, b -> P, Q",
        "Factors of the Chudnovsky series for pi over the terms from a to b (float64)."),
};
}  // namespace

std::span<const Row> wave_rows() { return rows; }

}  // namespace ember
