// save and load: tensors to and from files, by extension.
#include "ember/io.h"

#include "src/core/node.h"
#include "src/io/atomic_file.h"
#include "src/io/npy.h"
#include "src/io/npz.h"
#include "src/io/safetensors.h"

namespace ember {
namespace {

enum class Format { safetensors, npy, npz };
Format format_of(const std::string& path) {
  if (path.ends_with(".safetensors")) return Format::safetensors;
  if (path.ends_with(".npy")) return Format::npy;
  if (path.ends_with(".npz")) return Format::npz;
  if (path.ends_with(".pt") || path.ends_with(".pth") || path.ends_with(".pkl") ||
      path.ends_with(".bin")) {
    throw IoError(
        io::printable(path) +
        " may hold a pickle, which can run code, so Ember never reads it; convert it where you "
        "trust it: "
        "safetensors.torch.save_file(torch.load(path, weights_only=True), 'model.safetensors')");
  }
  throw IoError(io::printable(path) + ": the extension must be .safetensors, .npy or .npz");
}

Tensor wrap(io::HostArray a) {
  Value v;
  v.storage = a.release();
  return make_leaf({a.dtype, std::move(a.shape)}, std::move(v));
}

io::ArrayView view_of(const Tensor& t) { return {t.dtype(), t.shape(), t.data_ptr()}; }

}  // namespace

void save(const std::string& path, const Tensor& x) {
  if (format_of(path) == Format::npy) return io::write_npy(path, view_of(x));
  save(path, TensorMap{{"tensor", x}});
}

void save(const std::string& path, const TensorMap& xs, const Metadata& meta) {
  const Format format = format_of(path);
  std::vector<Tensor> all;
  for (const auto& [n, x] : xs) all.push_back(x);
  eval(all);
  std::vector<io::NamedView> views;
  for (const auto& [n, x] : xs) views.emplace_back(n, view_of(x));
  if (format == Format::safetensors) return io::write_safetensors(path, views, meta);
  if (!meta.empty()) throw ValueError("[save] only .safetensors files hold metadata");
  if (format == Format::npz) return io::write_npz(path, views);
  if (views.size() != 1) {
    throw ValueError("[save] a .npy file holds one tensor, not " + std::to_string(views.size()) +
                     ": use .npz or .safetensors");
  }
  io::write_npy(path, views[0].second);
}

TensorMap load_all(const std::string& path, bool map, Metadata* meta) {
  TensorMap r;
  switch (format_of(path)) {
    case Format::npy: r["tensor"] = wrap(io::read_npy(path, map)); break;
    case Format::npz:
      for (auto& [n, a] : io::read_npz(path)) r[n] = wrap(std::move(a));
      break;
    case Format::safetensors:
      for (auto& [n, a] : io::read_safetensors(path, meta, map)) r[n] = wrap(std::move(a));
      break;
  }
  return r;
}

Tensor load(const std::string& path, bool map) {
  TensorMap all = load_all(path, map);
  if (all.size() != 1) {
    throw ValueError("[load] " + io::printable(path) + " holds " + std::to_string(all.size()) +
                     " tensors: use load_all");
  }
  return all.begin()->second;
}

}  // namespace ember
