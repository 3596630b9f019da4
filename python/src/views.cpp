// Implements views.h. Called with Python's lock.
#include "python/src/views.h"

#include <array>
#include <unordered_map>

#include "ember/grad.h"

namespace ember::python {
namespace {

// Slices of slices: results[0] = root[keys[0]], results[1] = results[0][keys[1]], ...
struct SliceChain {
  PyObject* root = nullptr;  // a weak reference
  std::vector<PyObject*> keys;
  std::vector<PyObject*> results;  // borrowed, only compared; null once destroyed

  void cut(size_t levels) {
    while (keys.size() > levels) {
      Py_DECREF(keys.back());
      keys.pop_back();
      results.pop_back();
    }
    if (!levels) Py_CLEAR(root);
  }
};
// The last chains. Several, because x[i] must still be known when x[i][j] = v assigns: v and j may
// index other tensors first, and x[i][j] += 1 reads x[i][j], a chain of its own, before it assigns.
struct RecentChains {
  std::array<SliceChain, 8> chains;
  size_t next = 0;

  // The chain that contains o, and the number of keys that lead to it.
  std::pair<SliceChain*, size_t> find(PyObject* o) {
    for (SliceChain& chain : chains) {
      for (size_t i = chain.results.size(); i-- > 0;) {
        if (chain.results[i] == o) return {&chain, i + 1};
      }
    }
    return {nullptr, 0};
  }
};
// Never destroyed: Python objects may outlive statics.
RecentChains& recent = *new RecentChains;

// Strong references.
std::unordered_map<PyObject*, PyObject*>& data_owners =
    *new std::unordered_map<PyObject*, PyObject*>;

// NumPy's and torch's basic indices. Other keys copy in these libraries, too, so nothing is lost.
bool is_basic(PyObject* key) {
  if (PyTuple_Check(key)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
      if (!is_basic(PyTuple_GET_ITEM(key, i))) return false;
    }
    return true;
  }
  if (PyLong_CheckExact(key) || PySlice_Check(key) || key == Py_None || key == Py_Ellipsis) {
    return true;
  }
  if (is_tensor(key)) return tensor_of(key).ndim() == 0 && is_integer(tensor_of(key).dtype());
  return PyIndex_Check(key) && !PyBool_Check(key) && !PySequence_Check(key);
}

// Whether only the interpreter's stack refers to o, so that nobody can read it after an assignment.
bool is_temporary(PyObject* o) {
#if PY_VERSION_HEX >= 0x030E0000
  return PyUnstable_Object_IsUniqueReferencedTemporary(o);
#else
  return Py_REFCNT(o) == 1;
#endif
}

}  // namespace

void remember_slice(PyObject* self, PyObject* key, PyObject* result) {
  if (!is_basic(key)) return;
  auto [chain, level] = recent.find(self);
  // A slice that a variable holds starts a chain of its own: assigning to it must not change x.
  if (!chain || !is_temporary(self)) {
    chain = &recent.chains[recent.next++ % recent.chains.size()];
    level = 0;
  }
  chain->cut(level);
  if (!level) {
    chain->root = PyWeakref_NewRef(self, nullptr);
    if (!chain->root) return PyErr_Clear();
  }
  chain->keys.push_back(Py_NewRef(key));
  chain->results.push_back(result);
}

void assign_through(PyObject* self, PyObject* key, const Tensor& value) {
  const auto [chain, level] = recent.find(self);
  if (!chain || !is_temporary(self)) return;
  const nb::object root = nb::borrow(PyWeakref_GetObject(chain->root));
  if (root.is_none()) return;
  std::vector<Tensor> parts{tensor_of(root.ptr())};
  for (size_t i = 0; i < level; ++i) parts.push_back(parts.back()(index_items(chain->keys[i])));
  Tensor changed = index_update(parts[level], index_items(key), value);
  for (size_t i = level; i-- > 0;) {
    changed = index_update(parts[i], index_items(chain->keys[i]), changed);
  }
  rebind(root.ptr(), changed);
}

void remember_data(PyObject* target, PyObject* result) { data_owners[result] = Py_NewRef(target); }

void update_data_owner(PyObject* o, const Tensor& value) {
  if (data_owners.empty()) return;
  const auto found = data_owners.find(o);
  if (found == data_owners.end()) return;
  const no_grad off;
  rebind(found->second, value.detach());
}

bool may_reach_another(PyObject* o) {
  return is_temporary(o) || (!data_owners.empty() && data_owners.contains(o));
}

void forget_view(PyObject* o) {
  if (const auto [chain, level] = recent.find(o); chain) chain->results[level - 1] = nullptr;
  if (data_owners.empty()) return;
  const auto found = data_owners.find(o);
  if (found == data_owners.end()) return;
  PyObject* owner = found->second;
  data_owners.erase(found);
  Py_DECREF(owner);
}

}  // namespace ember::python
