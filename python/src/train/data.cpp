// Datasets, samplers and loaders. Any object with __len__ and __getitem__ is a dataset; a loader's
// threads take Python's lock to call it.
#include "ember/train.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using namespace train;

// The base class of datasets in Python.
struct Blank : Dataset {
  int64_t size() const override {
    throw UnsupportedError("[Dataset] a dataset must define __len__");
  }
  Tensors get(int64_t) const override {
    throw UnsupportedError("[Dataset] a dataset must define __getitem__");
  }
};

// ---- Examples: numbers, tensors, and nested tuples, lists and dicts of them ----
// The structure of an example: a container of forms, a tensor, or an object that cannot become a
// tensor.
struct Form {
  enum class Kind { tensor, object, tuple, list, dict } kind = Kind::tensor;
  nb::object type;               // a tuple's class, which may be a namedtuple
  std::vector<nb::object> keys;  // a dict's keys
  std::vector<Form> parts;
  bool operator==(const Form& o) const {
    if (kind != o.kind || parts.size() != o.parts.size() || keys.size() != o.keys.size()) {
      return false;
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!keys[i].equal(o.keys[i])) return false;
    }
    return std::equal(parts.begin(), parts.end(), o.parts.begin());
  }
};
// An example's leaves in order: tensors, and objects that are passed unchanged.
struct Leaves {
  Tensors tensors;
  std::vector<nb::object> objects;
};
bool is_plain_object(nb::handle o) {
  return o.is_none() || PyUnicode_Check(o.ptr()) || PyBytes_Check(o.ptr());
}
Form take_apart(nb::handle o, Leaves& out, int depth = 0) {
  if (depth > 64) throw ValueError("[DataLoader] an example is nested more than 64 deep");
  Form f;
  const auto part = [&](nb::handle v) { f.parts.push_back(take_apart(v, out, depth + 1)); };
  if (PyDict_Check(o.ptr())) {
    f.kind = Form::Kind::dict;
    for (auto [key, value] : nb::borrow<nb::dict>(o)) {
      f.keys.push_back(nb::borrow(key));
      part(value);
    }
  } else if (PyTuple_Check(o.ptr())) {
    f.kind = Form::Kind::tuple;
    f.type = nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(o.ptr())));
    for (nb::handle v : o) part(v);
  } else if (PyList_Check(o.ptr()) && depth == 0) {
    f.kind = Form::Kind::list;
    for (nb::handle v : o) part(v);
  } else if (PyList_Check(o.ptr()) && nb::len(o) &&
             (PyDict_Check(nb::object(o[0]).ptr()) || is_tensor(nb::object(o[0]).ptr()) ||
              is_plain_object(o[0]))) {
    f.kind = Form::Kind::list;
    for (nb::handle v : o) part(v);
  } else if (is_plain_object(o)) {
    f.kind = Form::Kind::object;
    out.objects.push_back(nb::borrow(o));
  } else {
    out.tensors.push_back(to_array(o.ptr(), {}));
  }
  return f;
}
// Rebuilds a batch in the examples' form. Objects become lists with one entry per example.
nb::object put_together(const Form& f, const Tensors& tensors,
                        const std::vector<nb::object>& objects, size_t& tensor, size_t& other) {
  switch (f.kind) {
    case Form::Kind::tensor: return object(tensors.at(tensor++));
    case Form::Kind::object: return objects.at(other++);
    case Form::Kind::dict: {
      nb::dict d;
      for (size_t i = 0; i < f.parts.size(); ++i) {
        d[f.keys[i]] = put_together(f.parts[i], tensors, objects, tensor, other);
      }
      return d;
    }
    default: break;
  }
  nb::list all;
  for (const Form& p : f.parts) all.append(put_together(p, tensors, objects, tensor, other));
  if (f.kind == Form::Kind::list) return all;
  if (nb::hasattr(f.type, "_make")) return f.type.attr("_make")(all);
  return nb::tuple(all);
}
// The part of a batch that is not tensors.
struct Structure {
  Form form;
  std::vector<nb::object> objects;
};
// May be dropped by any thread.
std::shared_ptr<void> keep(Structure s) {
  return std::shared_ptr<Structure>(new Structure(std::move(s)), [](Structure* p) {
    if (nb::detail::cleanup_guard guard{}) delete p;
  });
}
// A flat tuple of tensors, which needs no form.
bool is_plain_row(const Form& f) {
  return f.kind == Form::Kind::tuple &&
         f.type.is(nb::handle(reinterpret_cast<PyObject*>(&PyTuple_Type))) &&
         std::all_of(f.parts.begin(), f.parts.end(),
                     [](const Form& p) { return p.kind == Form::Kind::tensor; });
}
Batch batch_of(Leaves leaves, Form form) {
  Batch b(std::move(leaves.tensors));
  if (!is_plain_row(form)) b.structure = keep({std::move(form), std::move(leaves.objects)});
  return b;
}
nb::object python_batch(const Batch& b) {
  const auto* s = static_cast<const Structure*>(b.structure.get());
  if (!s) {
    nb::list l;
    for (const Tensor& t : b) l.append(object(t));
    return nb::tuple(l);
  }
  size_t tensor = 0;
  size_t other = 0;
  return put_together(s->form, b, s->objects, tensor, other);
}

// A Python object that any thread may drop.
using Shared = std::shared_ptr<nb::object>;
Shared shared(nb::object o) {
  return Shared(new nb::object(std::move(o)), [](nb::object* p) {
    if (nb::detail::cleanup_guard guard{}) delete p;
  });
}

// A dataset that calls a Python object. If the object defines batch(indices), that returns whole
// batches; collate_fn, if given, makes them from a list of examples.
struct Asked : Dataset {
  Shared object, collate_fn;
  bool whole;
  Asked(nb::object o, nb::object collate)
      : object(shared(o)),
        collate_fn(collate.is_none() ? nullptr : shared(std::move(collate))),
        whole(!collate_fn && nb::hasattr(o, "batch")) {}
  int64_t size() const override {
    const Gil lock;
    return int64_t(nb::len(*object));
  }
  nb::object example(int64_t i) const {
    return call_python_with(object->attr("__getitem__"), nb::int_(i));
  }
  Tensors get(int64_t i) const override {
    const Gil lock;
    Leaves leaves;
    take_apart(example(i), leaves);
    return leaves.tensors;
  }
  Tensors batch(std::span<const int64_t> indices) const override { return collate(indices); }
  Batch collate(std::span<const int64_t> indices) const override {
    const Gil lock;
    const auto whole_batch = [](nb::handle given) {
      Leaves leaves;
      Form form = take_apart(given, leaves);
      return batch_of(std::move(leaves), std::move(form));
    };
    if (whole) {
      const nb::object chosen = nb::cast(std::vector<int64_t>(indices.begin(), indices.end()));
      return whole_batch(call_python_with(object->attr("batch"), chosen));
    }
    if (collate_fn) {
      nb::list examples;
      for (int64_t i : indices) examples.append(example(i));
      return whole_batch(call_python_with(*collate_fn, examples));
    }
    Form form;
    std::vector<Leaves> examples;
    for (int64_t i : indices) {
      Leaves& leaves = examples.emplace_back();
      Form f = take_apart(example(i), leaves);
      if (examples.size() > 1 && !(f == form)) {
        throw ValueError("[DataLoader] example " + std::to_string(i) +
                         " has a different structure than example " + std::to_string(indices[0]) +
                         ": give a collate_fn that makes batches of them");
      }
      form = std::move(f);
    }
    Leaves all;
    for (size_t k = 0; !examples.empty() && k < examples[0].tensors.size(); ++k) {
      Tensors column;
      for (const Leaves& e : examples) column.push_back(e.tensors[k]);
      all.tensors.push_back(ops::stack(column));
    }
    for (size_t k = 0; !examples.empty() && k < examples[0].objects.size(); ++k) {
      nb::list column;
      for (const Leaves& e : examples) column.append(e.objects[k]);
      all.objects.push_back(column);
    }
    return batch_of(std::move(all), std::move(form));
  }
};

DatasetPtr dataset_of(nb::object o, nb::object collate_fn = nb::none()) {
  if (collate_fn.is_none() && o.type().is(nb::type<TensorDataset>())) {
    return nb::cast<std::shared_ptr<TensorDataset>>(o);
  }
  if (collate_fn.is_none() && o.type().is(nb::type<Subset>())) {
    return nb::cast<std::shared_ptr<Subset>>(o);
  }
  if (is_tensor(o.ptr()) || !nb::hasattr(o, "__len__") || !nb::hasattr(o, "__getitem__")) {
    throw DTypeError(
        "[DataLoader] a dataset has __len__ and __getitem__, as Dataset and TensorDataset do; "
        "not " +
        std::string(Py_TYPE(o.ptr())->tp_name));
  }
  return std::make_shared<Asked>(std::move(o), std::move(collate_fn));
}

// Ember's samplers are functions of the epoch; other samplers return an order each time they are
// iterated.
std::vector<int64_t> indices_of(nb::handle given) {
  std::vector<int64_t> r;
  for (nb::handle i : given) {
    const nb::object whole = nb::steal(PyNumber_Index(i.ptr()));
    if (!whole.is_valid()) throw nb::python_error();
    r.push_back(nb::cast<int64_t>(whole));
  }
  return r;
}
nb::object epoch_of(const nb::object& sampler, int64_t epoch) {
  return nb::hasattr(sampler, "order") ? sampler.attr("order")(epoch) : nb::object(sampler);
}
std::function<std::vector<int64_t>(int64_t)> sampler_of(nb::object o) {
  if (o.is_none()) return {};
  return [kept = shared(std::move(o))](int64_t epoch) {
    const Gil lock;
    return indices_of(epoch_of(*kept, epoch));
  };
}
std::function<std::vector<std::vector<int64_t>>(int64_t)> batch_sampler_of(nb::object o) {
  if (o.is_none()) return {};
  return [kept = shared(std::move(o))](int64_t epoch) {
    const Gil lock;
    std::vector<std::vector<int64_t>> r;
    for (nb::handle batch : epoch_of(*kept, epoch)) r.push_back(indices_of(batch));
    return r;
  };
}

// Threads must end before the interpreter does.
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

// A pass to the end of an epoch. Several passes may be active.
struct Batches {
  nb::object owner;
  Position at;
  bool over = false;
};

void add_datasets(nb::module_& m) {
  nb::class_<Dataset>(m, "Dataset",
                      "The base of datasets: define __len__ and __getitem__, which gives one "
                      "example: a tuple of the inputs and the target.")
      .def("__init__", [](Dataset* p) { new (static_cast<void*>(p)) Blank; })
      .def("__len__", [](const Dataset& d) { return d.size(); })
      .def(
          "__getitem__",
          [](const Dataset& d, int64_t i) -> nb::object {
            const int64_t n = d.size();
            if (i < -n || i >= n) {
              throw IndexError("[Dataset] example " + std::to_string(i) + " of " +
                               std::to_string(n));
            }
            const int64_t at = i < 0 ? i + n : i;
            if (const auto* subset = dynamic_cast<const Subset*>(&d)) {
              if (const auto* asked = dynamic_cast<const Asked*>(subset->dataset().get())) {
                return asked->example(subset->indices()[size_t(at)]);
              }
            }
            return python_batch(d.get(at));
          },
          arg("index"));
  nb::class_<TensorDataset, Dataset>(m, "TensorDataset", "Example i is row i of each tensor.")
      .def(
          "__init__",
          [](TensorDataset* p, nb::args tensors) { new (p) TensorDataset(tensors_of(tensors)); },
          arg("tensors"));

  nb::class_<Subset, Dataset>(m, "Subset", "Some examples of another dataset, in this order.")
      .def(
          "__init__",
          [](Subset* p, nb::object data, nb::handle indices) {
            new (p) Subset(dataset_of(std::move(data)), indices_of(indices));
          },
          arg("dataset"), arg("indices"))
      .def_prop_ro("indices", &Subset::indices, "The indices of the examples.");
  m.def("permutation", &permutation, arg("n"), arg("seed"), arg("epoch") = 0,
        "The order of n examples in an epoch of a shuffling loader.");
}

void add_loader(nb::module_& m) {
  nb::class_<Batches>(m, "Batches")
      .def("__iter__", [](nb::object self) { return self; })
      .def("__next__", [](Batches& b) {
        auto& loader = nb::cast<DataLoader&>(b.owner);
        std::optional<Batch> batch;
        if (!b.over) {
          if (loader.position() != b.at) loader.seek(b.at);  // another pass moved the loader
          batch = loader.next();
          b.at = loader.position();
        }
        b.over = !batch;
        if (b.over) throw nb::stop_iteration();
        return python_batch(*batch);
      });
  nb::class_<DataLoader>(m, "DataLoader",
                         "Batches of a dataset, epoch after epoch, stacked in the form of its "
                         "examples: tuples, lists, dicts.\n\n"
                         "Each pass, `for batch in loader`, is a whole epoch, as in PyTorch; one "
                         "after seek() or load_state_dict() begins there. The order is a\n"
                         "function of the seed and the epoch alone, and random ops in a dataset "
                         "draw from a generator of the seed, the epoch and the batch: the\n"
                         "same batches come whatever num_workers (threads that make batches ahead) "
                         "is. sampler: indices of an epoch; batch_sampler: lists of\n"
                         "them. collate_fn: makes a batch of a list of examples.",
                         nb::is_weak_referenceable())
      .def(
          "__init__",
          [](nb::pointer_and_handle<DataLoader> self, nb::object data, int64_t batch_size,
             bool shuffle, nb::object sampler, nb::object batch_sampler, int num_workers,
             nb::object collate_fn, bool drop_last, uint64_t seed, int prefetch) {
            new (static_cast<void*>(self.p)) DataLoader(
                dataset_of(data, collate_fn), {.batch_size = batch_size,
                                               .shuffle = shuffle,
                                               .seed = seed,
                                               .drop_last = drop_last,
                                               .workers = num_workers,
                                               .prefetch = prefetch,
                                               .sampler = sampler_of(sampler),
                                               .batch_sampler = batch_sampler_of(batch_sampler)});
            if (num_workers > 0) end_with_the_interpreter(self.h);
          },
          arg("dataset"), arg("batch_size") = 32, arg("shuffle") = false,
          arg("sampler") = nb::none(), arg("batch_sampler") = nb::none(), arg("num_workers") = 0,
          arg("collate_fn") = nb::none(), nb::kw_only(), arg("drop_last") = false, arg("seed") = 0,
          arg("prefetch") = 2)
      .def("__len__", &DataLoader::size, "Batches of an epoch.")
      .def("__iter__",
           [](nb::object self) { return Batches{self, nb::cast<DataLoader&>(self).start()}; })
      .def_prop_ro("examples", &DataLoader::examples, "Examples of an epoch.")
      .def_prop_ro("batch_size", [](const DataLoader& l) { return l.options().batch_size; })
      .def_prop_ro("seed", [](const DataLoader& l) { return l.options().seed; })
      .def("order", &DataLoader::order, arg("epoch"), "The order of the examples in an epoch.")
      .def_prop_ro(
          "position",
          [](const DataLoader& l) { return std::pair(l.position().epoch, l.position().batch); },
          "The epoch and the number of the next batch.")
      .def(
          "seek", [](DataLoader& l, int64_t epoch, int64_t batch) { l.seek({epoch, batch}); },
          arg("epoch"), arg("batch") = 0, "Moves to a batch of an epoch.")
      .def("state_dict", &DataLoader::state_dict, "The position and the parameters of the order.")
      .def(
          "load_state_dict",
          [](DataLoader& l, nb::handle state) { l.load_state_dict(state_of(state)); },
          arg("state_dict"), "Restores a saved position.");
}

}  // namespace

void add_data(nb::module_& m) {
  add_datasets(m);
  add_loader(m);
}

}  // namespace ember::python
