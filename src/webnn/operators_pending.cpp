// Families that are not written yet. Whoever writes one removes its line here; the last one removes the file.
#include "src/webnn/operator.h"

namespace ember::webnn {
namespace {
std::vector<MLOperand> add(Call& c) {
  broadcast(c.shape("a"), c.shape("b"));
  return {c.result(ops::add(c.tensor("a"), c.tensor("b")))};
}
constexpr RowText elementwise[] = {{"add", "a b", "", "a:number@any b:a@any output:a@any", add}};
}  // namespace
std::span<const RowText> elementwise_operators() { return elementwise; }
std::span<const RowText> movement_operators() { return {}; }
std::span<const RowText> indexing_operators() { return {}; }
std::span<const RowText> reduction_operators() { return {}; }
std::span<const RowText> window_operators() { return {}; }
std::span<const RowText> normalization_operators() { return {}; }
std::span<const RowText> product_operators() { return {}; }
std::span<const RowText> recurrent_operators() { return {}; }
}  // namespace ember::webnn
