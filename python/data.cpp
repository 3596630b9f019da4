// Datasets and loaders. A dataset in Python is anything with __len__ and __getitem__; a loader's threads take Python's lock to ask it.
#include "ember/train.h"
#include "python/training.h"

namespace ember::python {
namespace {

using nb::arg;
using namespace train;

// The base that Python's datasets derive from.
struct Blank : Dataset {
  int64_t size() const override { throw UnsupportedError("[Dataset] a dataset has to define __len__"); }
  Tensors get(int64_t) const override { throw UnsupportedError("[Dataset] a dataset has to define __getitem__"); }
};

// What a loader asks: the Python object, whatever its class. Where it defines batch(indices), that makes whole batches.
struct Asked : Dataset {
  std::shared_ptr<nb::object> object;
  bool whole;
  explicit Asked(nb::object o) : whole(nb::hasattr(o, "batch")) {
    object = std::shared_ptr<nb::object>(new nb::object(std::move(o)), [](nb::object* p) {
      if (nb::detail::cleanup_guard guard{}) delete p;
    });
  }
  int64_t size() const override {
    const Gil lock;
    return int64_t(nb::len(*object));
  }
  Tensors get(int64_t i) const override {
    const Gil lock;
    return tensors_of(nb::object((*object)[nb::int_(i)]));
  }
  Tensors batch(std::span<const int64_t> indices) const override {
    if (!whole) return Dataset::batch(indices);
    const Gil lock;
    return tensors_of(object->attr("batch")(std::vector<int64_t>(indices.begin(), indices.end())));
  }
};

DatasetPtr dataset_of(nb::object o) {
  if (o.type().is(nb::type<TensorDataset>())) return nb::cast<std::shared_ptr<TensorDataset>>(o);
  if (is_tensor(o.ptr()) || !nb::hasattr(o, "__len__") || !nb::hasattr(o, "__getitem__"))
    throw DTypeError("[DataLoader] a dataset has __len__ and __getitem__, as Dataset and TensorDataset do; not " +
                     std::string(Py_TYPE(o.ptr())->tp_name));
  return std::make_shared<Asked>(std::move(o));
}

// Threads must be gone before the interpreter is.
void end_with_the_interpreter(nb::handle loader) {
  static nb::object* live = nullptr;
  if (!live) {
    live = new nb::object(nb::module_::import_("weakref").attr("WeakSet")());
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
      for (nb::handle l : nb::list(*live)) nb::cast<DataLoader&>(l).rest();
    }));
  }
  live->attr("add")(loader);
}

nb::tuple tuple_of(const Tensors& batch) {
  nb::list l;
  for (const Tensor& t : batch) l.append(object(t));
  return nb::tuple(l);
}

struct Batches {  // one pass: to the end of the epoch
  nb::object owner;
  bool over = false;
};

}  // namespace

void add_data(nb::module_& m) {
  nb::class_<Dataset>(m, "Dataset",
      "The base of datasets: define __len__ and __getitem__, which gives one example: a tuple of the inputs and the target.")
      .def("__init__", [](Dataset* p) { new (static_cast<void*>(p)) Blank; })
      .def("__len__", [](const Dataset& d) { return d.size(); })
      .def("__getitem__", [](const Dataset& d, int64_t i) {
        const int64_t n = d.size();
        if (i < -n || i >= n) throw IndexError("[Dataset] example " + std::to_string(i) + " of " + std::to_string(n));
        return tuple_of(d.get(i < 0 ? i + n : i));
      }, arg("index"));
  nb::class_<TensorDataset, Dataset>(m, "TensorDataset", "Example i is row i of each tensor.")
      .def("__init__", [](TensorDataset* p, nb::args tensors) { new (p) TensorDataset(tensors_of(tensors)); }, arg("tensors"));

  nb::class_<Batches>(m, "Batches")
      .def("__iter__", [](nb::object self) { return self; })
      .def("__next__", [](Batches& b) {
        std::optional<Tensors> batch;
        if (!b.over) batch = nb::cast<DataLoader&>(b.owner).next();
        b.over = !batch;
        if (b.over) throw nb::stop_iteration();
        return tuple_of(*batch);
      });
  nb::class_<DataLoader>(m, "DataLoader",
      "Batches of a dataset, epoch after epoch: each a tuple of stacked tensors.\n\n"
      "The order is a function of the seed and the epoch alone, and random ops in a dataset draw from a generator of the seed, the epoch\n"
      "and the batch: the same batches come whatever num_workers (threads that make batches ahead) is. Iterating goes on from where the\n"
      "loader stands to the end of the epoch; seek() moves it.",
      nb::is_weak_referenceable())
      .def("__init__",
           [](nb::pointer_and_handle<DataLoader> self, nb::object data, int64_t batch_size, bool shuffle, uint64_t seed, bool drop_last,
               int num_workers, int prefetch) {
        new (static_cast<void*>(self.p)) DataLoader(dataset_of(data),
            {.batch_size = batch_size, .shuffle = shuffle, .seed = seed, .drop_last = drop_last, .workers = num_workers, .prefetch = prefetch});
        if (num_workers > 0) end_with_the_interpreter(self.h);
      }, arg("dataset"), arg("batch_size") = 32, arg("shuffle") = false, nb::kw_only(), arg("seed") = 0, arg("drop_last") = false,
         arg("num_workers") = 0, arg("prefetch") = 2)
      .def("__len__", &DataLoader::size, "Batches of an epoch.")
      .def("__iter__", [](nb::object self) { return Batches{self}; })
      .def_prop_ro("examples", &DataLoader::examples, "Examples of an epoch.")
      .def_prop_ro("batch_size", [](const DataLoader& l) { return l.options().batch_size; })
      .def_prop_ro("seed", [](const DataLoader& l) { return l.options().seed; })
      .def("order", &DataLoader::order, arg("epoch"), "The order of the examples in an epoch.")
      .def_prop_ro("position", [](const DataLoader& l) { return std::pair(l.position().epoch, l.position().batch); },
           "The epoch and the number of the next batch.")
      .def("seek", [](DataLoader& l, int64_t epoch, int64_t batch) { l.seek({epoch, batch}); }, arg("epoch"), arg("batch") = 0,
           "Goes to a batch of an epoch.")
      .def("state_dict", &DataLoader::state_dict, "The position, and what the order depends on.")
      .def("load_state_dict", [](DataLoader& l, nb::handle state) { l.load_state_dict(state_of(state)); }, arg("state_dict"),
           "Goes to a saved position.");
}

}  // namespace ember::python
