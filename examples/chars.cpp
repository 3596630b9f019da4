// A small GPT that learns to write, a character at a time: the transformer of chars.h, and a book.
//   chars [--steps N] [--backend NAME] [--save FILE] [--load FILE] [--sample N] [--logits] [--text
//   FILE]
// bench/chars_torch.py trains the same model on the same batches with torch.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "chars.h"

using namespace ember;

constexpr int64_t context = Chars::context, batch = 16;

// Knuth's linear congruential generator, the upper bits of 64: the same few lines in any language.
struct Lcg {
  uint64_t state = 1;
  uint64_t operator()() {
    return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33;
  }
};

// Nine tenths to learn from, the rest to be tested with. A character is its place in the alphabet
// of the text.
struct Text {
  std::string alphabet;
  std::vector<int64_t> ids;
  size_t split;

  explicit Text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.size() < size_t(11 * batch * context)) {
      throw IoError(path + " is too short to learn from, or cannot be read");
    }
    alphabet = text;
    std::sort(alphabet.begin(), alphabet.end());
    alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
    for (char c : text) ids.push_back(int64_t(alphabet.find(c)));
    split = text.size() * 9 / 10;
  }
  // Windows that begin at these places: what is read, and the same one further, which is to be
  // foreseen.
  std::pair<Tensor, Tensor> windows(const std::vector<size_t>& starts) const {
    std::vector<int64_t> x;
    std::vector<int64_t> y;
    for (size_t s : starts) {
      for (size_t i = s; i < s + size_t(context); ++i) {
        x.push_back(ids[i]);
        y.push_back(ids[i + 1]);
      }
    }
    const Shape shape = {int64_t(starts.size()), context};
    return {array(std::span<const int64_t>(x), shape), array(std::span<const int64_t>(y), shape)};
  }
  std::pair<Tensor, Tensor> random_windows(Lcg& random) const {
    std::vector<size_t> starts(batch);
    for (size_t& s : starts) s = random() % (split - size_t(context));
    return windows(starts);
  }
};

Tensor loss_of(const Tensor& logits, const Tensor& next) {
  return ops::sparse_categorical_cross_entropy(logits, next, true);
}

// The mean over all windows of the rest, one after the other.
double validate(Chars& model, const Text& text) {
  const no_grad off;
  double sum = 0;
  int n = 0;
  for (size_t at = text.split; at + size_t(batch * context) < text.ids.size();
       at += size_t(batch * context), ++n) {
    std::vector<size_t> starts(batch);
    for (size_t i = 0; i < starts.size(); ++i) starts[i] = at + i * size_t(context);
    const auto [x, y] = text.windows(starts);
    sum += loss_of(model(x), y).item<double>();
  }
  return sum / n;
}

// Goes on from the text's last character. The window always has its full length, for one compiled
// graph: what lies ahead is not seen.
std::string write(Chars& model, const Text& text, int length) {
  const no_grad off;
  Lcg random;
  std::vector<int64_t> ids = {text.ids.back()};
  for (int k = 0; k < length; ++k) {
    const size_t n = std::min(ids.size(), size_t(context));
    std::vector<int64_t> window(ids.end() - int64_t(n), ids.end());
    window.resize(size_t(context));
    const Tensor logits =
        model(array(std::span<const int64_t>(window), {1, context}))(0, int64_t(n) - 1);
    const auto chance =
        ops::softmax(logits / 0.7).to_vector<float>();  // below 1: rather the likely ones
    double left = double(random()) / double(1u << 31);
    size_t next = 0;
    while (next + 1 < chance.size() && (left -= double(chance[next])) >= 0) ++next;
    ids.push_back(int64_t(next));
  }
  std::string r;
  for (size_t i = 1; i < ids.size(); ++i) r += text.alphabet[size_t(ids[i])];
  return r;
}

// The weights alone have PyTorch's names; what training needs to go on lies beside them.
std::string beside(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".optimizer.safetensors").string();
}

int main(int argc, char** argv) try {
  const char* usage =
      "usage: chars [--steps N] [--backend NAME] [--save FILE] [--load FILE] [--sample N] "
      "[--logits] [--text FILE]\n";
  int steps = 600;
  int sample = 300;
  bool logits = false;
  std::string from;
  std::string to;
  std::string path = "examples/data/alice.txt";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] {
      return i + 1 < argc ? std::string(argv[++i]) : throw ValueError(word + " needs a value");
    };
    const auto number = [&] {
      const std::string value = next();
      int n = 0;
      const auto [end, wrong] = std::from_chars(value.data(), value.data() + value.size(), n);
      if (wrong != std::errc() || *end || n < 0) {
        throw ValueError(word + " needs a number, not '" + value + "'");
      }
      return n;
    };
    if (word == "--steps") {
      steps = number();
    } else if (word == "--sample") {
      sample = number();
    } else if (word == "--backend") {
      set_backend(next());
    } else if (word == "--save") {
      to = next();
    } else if (word == "--load") {
      from = next();
    } else if (word == "--text") {
      path = next();
    } else if (word == "--logits") {
      logits = true;
    } else {
      return std::cerr << usage, 2;
    }
  }

  ops::seed(1);
  const Text text(path);
  Chars model(int64_t(text.alphabet.size()));
  nn::AdamW optimizer(model, {.lr = 1e-3});
  Lcg random;
  if (!from.empty()) {
    model.load(from);
    if (std::filesystem::exists(beside(from))) {
      Metadata meta;
      optimizer.load_state_dict(load_all(beside(from), false, &meta));
      random.state = std::stoull(meta.at("random"));
    }
  }
  std::printf("%lld parameters on %s; %zu characters, %zu kinds\n",
              static_cast<long long>(model.parameter_count()), get_backend().c_str(),
              text.ids.size(), text.alphabet.size());

  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (int step = 1; step <= steps; ++step) {
    const auto [x, y] = text.random_windows(random);
    const Tensor loss = loss_of(model(x), y);
    loss.backward();
    optimizer.step({loss});
    if (step == 1 || step % 20 == 0 || step == steps) {
      std::printf("step %4d  loss %.4f  %.1f s\n", step, loss.item<double>(), seconds());
      std::fflush(stdout);
    }
  }
  const double trained = seconds();
  if (!to.empty()) {
    model.save(to);
    if (steps) save(beside(to), optimizer.state_dict(), {{"random", std::to_string(random.state)}});
  }
  if (logits) {
    const no_grad off;
    const Tensor all = model(text.windows({text.split}).first);
    const auto last = all(0, -1).to_vector<float>();
    std::printf("logits");
    for (size_t i = 0; i < std::min<size_t>(8, last.size()); ++i) {
      std::printf(" %.5f", double(last[i]));
    }
    std::printf("  sum of squares %.4f\n", ops::sum(ops::square(all)).item<double>());
  }
  std::printf("validation loss %.4f after %d steps in %.1f s\n", validate(model, text), steps,
              trained);
  if (sample > 0) std::cout << write(model, text, sample) << "\n";
} catch (const std::exception& e) {
  std::cerr << "chars: " << e.what() << "\n";
  return 1;
}
