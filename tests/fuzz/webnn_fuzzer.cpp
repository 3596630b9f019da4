// libFuzzer: any bytes are either rejected with one of Ember's errors or are a graph that can be
// saved and loaded again. The input contains the graph, its manifest and its weights, separated by
// bytes that do not occur in text. Built by the preset fuzz.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "../../src/webnn/state.h"

namespace {

using namespace ember;
using namespace ember::webnn;

const std::string folder = [] {
  const std::string place =
      (std::filesystem::temp_directory_path() / ("webnn_fuzzer." + std::to_string(getpid())))
          .string();
  std::filesystem::create_directories(place);
  return place;
}();

void write(const char* name, std::string_view bytes) {
  std::FILE* f = std::fopen((folder + "/" + name).c_str(), "wb");
  if (!f || std::fwrite(bytes.data(), 1, bytes.size(), f) != bytes.size() || std::fclose(f)) {
    std::abort();
  }
}

// Limits what is built: large graphs are only recorded.
bool is_small(const MLGraphBuilder& b) {
  size_t bytes = 0;
  for (const MLOperand& c : b.state().constants) bytes += byte_length(c.state().type);
  for (const Operation& o : b.state().operations) {
    for (const MLOperand& r : o.results) bytes += byte_length(r.state().type);
  }
  return bytes < 1 << 16 && b.state().operations.size() < 32;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const MLContext context = createContext();
  constexpr std::string_view between = "\xff\xff";
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"model.webnn", "manifest.json", "model.weights"}) {
    const size_t end = std::min(rest.find(between), rest.size());
    write(name, rest.substr(0, end));
    rest.remove_prefix(std::min(end + between.size(), rest.size()));
  }
  MLGraph graph;
  try {
    MLGraphBuilder builder(context);
    const MLNamedOperands outputs = load(builder, folder + "/model.webnn", {.sizes = {{"n", 2}}});
    if (!is_small(builder)) return 0;
    graph = builder.build(outputs);
  } catch (const Error&) {
    return 0;
  }
  for (const char* name : {"/again.webnn", "/again.json"}) {
    save(graph, folder + name);
    load(context, folder + name);  // an error here is a bug
  }
  return 0;
}
