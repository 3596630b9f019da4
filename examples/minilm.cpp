// How alike are sentences? A sentence encoder, all-MiniLM-L6-v2, written with ember::nn.
//   minilm [--backend NAME] [--model FOLDER] [--ids | --vectors] [sentence...]
#include "minilm.h"

#include <chrono>
#include <cstdio>
#include <iostream>

using namespace ember;

int main(int argc, char** argv) try {
  const char* usage =
      "usage: minilm [--backend NAME] [--model FOLDER] [--ids | --vectors] [sentence...]\n";
  std::string folder;
  bool ids = false;
  bool vectors = false;
  std::vector<std::string> sentences;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--backend" && i + 1 < argc) {
      set_backend(argv[++i]);
    } else if (word == "--model" && i + 1 < argc) {
      folder = argv[++i];
    } else if (word == "--ids") {
      ids = true;
    } else if (word == "--vectors") {
      vectors = true;
    } else if (word.starts_with("--")) {
      return std::cerr << usage, 2;
    } else {
      sentences.push_back(word);
    }
  }
  folder = MiniLM::find(folder);
  if (folder.empty()) {
    return std::cout << "all-MiniLM-L6-v2 is not here: `make models` fetches it\n", 0;
  }
  if (sentences.empty()) {
    sentences = {"A cat sits on the window sill.", "The kitten is resting by the window.",
                 "Stock prices fell sharply on Monday.",
                 "Markets dropped at the start of the week.", "How do I bake a sourdough loaf?"};
  }

  if (ids) {  // the numbers of the pieces, a line each: what another program needs to do the same
    const WordPiece tokens(folder + "/vocab.txt");
    for (const std::string& s : sentences) {
      for (int64_t id : tokens.encode(s)) std::printf("%lld ", static_cast<long long>(id));
      std::printf("\n");
    }
    return 0;
  }
  MiniLM model(folder);
  const Tensor x = model.encode(sentences);  // recorded
  const Tensor alike = ops::matmul(x, ops::matrix_transpose(x));
  eval({x, alike});  // computed
  if (vectors) {
    const auto v = x.to_vector<float>();
    for (size_t i = 0; i < v.size(); ++i) {
      std::printf("%.7f%c", double(v[i]), (i + 1) % size_t(MiniLM::width) ? ' ' : '\n');
    }
    return 0;
  }
  const auto cosine = alike.to_vector<float>();
  const size_t n = sentences.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) std::printf("%6.3f ", double(cosine[i * n + j]));
    std::printf("  %s\n", sentences[i].c_str());
  }
  const auto start = std::chrono::steady_clock::now();
  model.encode(sentences).eval();
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  std::printf("%.1f ms for %zu sentences on %s\n", ms, n, get_backend().c_str());
} catch (const std::exception& e) {
  std::cerr << "minilm: " << e.what() << "\n";
  return 1;
}
