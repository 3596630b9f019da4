// Modules: named parameters, buffers and children, and everything that follows from the names.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ember/io.h"
#include "ember/tensor.h"

namespace ember::nn {

// A trainable tensor: a cell that a module and an optimizer share. Assigning gives the cell another
// value.
class EMBER_API Parameter {
 public:
  Parameter() = default;
  explicit Parameter(const Tensor& initial);  // evaluated when it is first read
  const Tensor& value() const;
  operator const Tensor&() const { return value(); }
  void assign(const Tensor& value);  // of the same shape and dtype; may be pending
  // Puts a tensor in the place of the value as it is, whatever its dtype and history, and gives
  // back what was there: for a while, forward reads it instead (mixed precision).
  Tensor exchange(Tensor stand_in);
  Tensor grad() const { return value().grad(); }
  void zero_grad() {
    if (cell_) cell_->value.set_grad({});
  }
  bool trainable() const { return value().requires_grad(); }
  void set_trainable(bool on) { put(value(), on); }
  const Shape& shape() const { return value().shape(); }
  DType dtype() const { return value().dtype(); }
  int64_t size() const { return value().size(); }
  bool defined() const { return bool(cell_); }
  const void* id() const { return cell_.get(); }  // the same for all that share the cell
  // A placeholder for the parameters that a module makes once it has seen an input. Its value has
  // no elements. An optimizer that holds one takes the parameters it became in its place.
  static Parameter uninitialized(DType dtype = default_float());
  bool initialized() const { return !cell_ || !cell_->uninitialized; }
  void initialize(std::vector<Parameter> made);
  const std::vector<Parameter>& made() const;  // what a placeholder became; empty before
  bool operator==(const Parameter& o) const { return cell_ == o.cell_; }

 private:
  friend class Module;
  void put(const Tensor& value, bool trainable);
  struct Cell {
    Tensor value;
    bool uninitialized = false;
    std::vector<Parameter> made;
  };
  std::shared_ptr<Cell> cell_;
};

using StateDict = TensorMap;
struct LoadReport {
  std::vector<std::string> missing, unexpected;
};

// Members of a derived class are registered by reference in its constructor, so a module neither
// moves nor copies:
//   struct Net : nn::Module {
//     nn::Linear a{64, 32}, b{32, 10};
//     Net() { add("a", a), add("b", b); }
//     Tensor forward(const Tensor& x) override { return b(ops::relu(a(x))); }
//   };
class EMBER_API Module {
 public:
  Module() = default;
  Module(const Module&) = delete;
  virtual ~Module() = default;
  virtual Tensor forward(const Tensor& x);
  Tensor operator()(const Tensor& x) { return forward(x); }
  virtual std::string kind() const { return "Module"; }  // "Linear"
  virtual std::string details() const { return ""; }     // "64, 32"

  std::vector<Parameter> parameters() const;  // trainable or not, each once
  std::vector<std::pair<std::string, Parameter>> named_parameters() const;
  std::vector<std::pair<std::string, Tensor>> named_buffers() const;
  std::vector<std::pair<std::string, Module*>> children() const;       // direct ones
  std::vector<std::pair<std::string, Module*>> named_modules() const;  // this one first, under ""

  // A named part: one of the pointers is set. The owner keeps it alive where the module's own class
  // does not hold it.
  struct Member {
    std::string name;
    Parameter* parameter = nullptr;  // an undefined one is absent: it has its name alone
    Tensor* buffer = nullptr;
    Module* child = nullptr;
    std::shared_ptr<void> owner;
    bool saved = true;  // part of the state
    bool has_parameter() const { return parameter && parameter->defined(); }
    bool has_buffer() const { return buffer && buffer->defined(); }
  };
  const std::vector<Member>& members() const { return members_; }
  void put(Member member);  // in the place of the member of that name, or behind the others
  bool remove(std::string_view name);  // false where there is none

  Module& train(bool on = true);  // this module and all below
  Module& eval() { return train(false); }
  bool training() const { return training_; }
  void set_training(bool on) { training_ = on; }  // of this module alone
  Module& freeze(bool frozen = true);             // frozen parameters get no gradients
  Module& to_dtype(DType);                        // floating-point parameters and buffers
  Module& to_device(const Device&);
  void zero_grad();

  StateDict state_dict() const;  // parameters and buffers, with PyTorch's key names
  // Every value must fit. strict: missing and unexpected keys are a ValueError that names them;
  // nothing is changed then.
  LoadReport load_state_dict(const StateDict&, bool strict = true);
  void save(const std::string& path) const;  // safetensors, atomic
  LoadReport load(const std::string& path, bool strict = true);
  // Called before a state is taken, with this module's part of it: a module that is not built can
  // build itself for these shapes.
  virtual void prepare_to_load(const StateDict&) {}
  // whether this module has its parameters, those below aside
  bool built() const { return !deferred_.defined(); }
  int64_t parameter_count(bool trainable_only = false) const;
  std::string summary() const;  // a table: name, kind, shape of the parameters, how many

 protected:
  void add(std::string name, Parameter& p,
           const Tensor& initial);  // gives p its first value; an undefined one leaves it absent
  void add(std::string name, Module& child);
  void add(std::string name, std::shared_ptr<Module> child);  // kept alive by this module
  void add_buffer(std::string name,
                  Tensor& buffer);  // saved, not trained; the member stays the holder
  // A module whose shapes follow from its first input calls defer() in its constructor, and
  // finish_build() once it has added its parameters: until then parameters() has a placeholder, for
  // which optimizers take the parameters when they are there.
  void defer(DType dtype = default_float());
  void finish_build();

 private:
  void append(Member member);  // of a new name
  void walk(const std::string& prefix, std::vector<std::pair<std::string, Module*>>& out,
            int depth);
  std::vector<Member> members_;
  Parameter deferred_;
  bool training_ = true;
};
EMBER_API std::ostream& operator<<(std::ostream&,
                                   const Module&);  // nested, as PyTorch prints modules

using ModulePtr = std::shared_ptr<Module>;
template <class M, class... A> std::shared_ptr<M> make(A&&... args) {
  return std::make_shared<M>(std::forward<A>(args)...);
}

// Modules called 0, 1, 2... in the order of their coming.
class EMBER_API Modules : public Module {
 public:
  explicit Modules(std::vector<ModulePtr> modules);
  void push_back(ModulePtr m) { add(std::to_string(size()), std::move(m)); }
  size_t size() const;
  Module& operator[](size_t i) const;
};
// One after the other: Sequential net{make<Linear>(64, 32), make<ReLU>(), make<Linear>(32, 10)};
// keys "0.weight"...
class EMBER_API Sequential : public Modules {
 public:
  Sequential(std::initializer_list<ModulePtr> modules = {}) : Modules(modules) {}
  explicit Sequential(std::vector<ModulePtr> modules) : Modules(std::move(modules)) {}
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "Sequential"; }
};
class EMBER_API ModuleList : public Modules {
 public:
  explicit ModuleList(std::vector<ModulePtr> modules = {}) : Modules(std::move(modules)) {}
  std::string kind() const override { return "ModuleList"; }
};

}  // namespace ember::nn
