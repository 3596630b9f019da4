// The base class of the extractors, and SpecializedProcessor.
#include "src/features/common.h"

namespace ember::features {

FeatureExtractor& FeatureExtractor::fit(const Tensor& x) {
  if (x.defined() && x.ndim() > 0) feature_dim_ = x.shape(-1);
  return *this;
}
Tensor FeatureExtractor::inverse_transform(const Tensor&) const {
  throw UnsupportedError("[" + kind() + "] its output cannot be traced back to the data");
}
Tensor FeatureExtractor::extract(const Tensor& x, const Tensor& mask) const {
  return transform(
      mask.defined() ? x * (mask.dtype() == DType::bool_ ? mask.astype(x.dtype()) : mask) : x);
}
void FeatureExtractor::save(const std::string& path) const {
  ember::save(path, state(), {{"kind", kind()}});
}
void FeatureExtractor::load(const std::string& path) {
  Metadata meta;
  const TensorMap all = load_all(path, false, &meta);
  const auto it = meta.find("kind");
  NEED(it == meta.end() || it->second == kind(), ValueError, kind(),
       "the file holds the state of another kind: " + brief(it->second));
  load_state(all);
}

Tensor SpecializedProcessor::process(const Tensor& x) const {
  if (role_ == "memory") return x * 0.95;
  if (role_ == "inhibition") return x * -0.5;
  return x;
}

}  // namespace ember::features
