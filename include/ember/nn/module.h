// Modules: named parameters, buffers and children, and operations over their names.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ember/io.h"
#include "ember/tensor.h"

namespace ember::nn {

// A trainable tensor: a cell that a module and an optimizer share. Assignment replaces the cell's
// value.
class EMBER_API Parameter {
 public:
  Parameter() = default;
  explicit Parameter(const Tensor& initial);  // evaluated on first read
  const Tensor& value() const;
  operator const Tensor&() const { return value(); }
  void assign(const Tensor& value);  // of the same shape and dtype; may be pending
  // Replaces the value, whatever its dtype and history, and returns the previous value. Mixed
  // precision uses it to make forward read a low-precision copy for one step.
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
  const void* id() const { return cell_.get(); }  // equal for all handles of the same cell
  // A placeholder for parameters that a module creates on its first input. Its value has no
  // elements. An optimizer that holds one replaces it by the parameters in made().
  static Parameter uninitialized(DType dtype = default_float());
  bool initialized() const { return !cell_ || !cell_->uninitialized; }
  void initialize(std::vector<Parameter> made);
  const std::vector<Parameter>& made() const;  // the replacements of a placeholder; empty before
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

// Members of a derived class are registered by reference in its constructor, so a module can be
// neither moved nor copied:
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

  std::vector<Parameter> parameters() const;  // trainable or not, without duplicates
  std::vector<std::pair<std::string, Parameter>> named_parameters() const;
  std::vector<std::pair<std::string, Tensor>> named_buffers() const;
  std::vector<std::pair<std::string, Module*>> children() const;       // direct children
  std::vector<std::pair<std::string, Module*>> named_modules() const;  // this one first, under ""

  // A named part: exactly one of the pointers is set. owner keeps the part alive if the module's
  // own class does not hold it.
  struct Member {
    std::string name;
    Parameter* parameter = nullptr;  // undefined: absent, only the name exists
    Tensor* buffer = nullptr;
    Module* child = nullptr;
    std::shared_ptr<void> owner;
    bool saved = true;  // part of the state
    bool has_parameter() const { return parameter && parameter->defined(); }
    bool has_buffer() const { return buffer && buffer->defined(); }
  };
  const std::vector<Member>& members() const { return members_; }
  void put(Member member);             // replaces the member with the same name, or appends it
  bool remove(std::string_view name);  // false if there is none

  Module& train(bool on = true);  // this module and its descendants
  Module& eval() { return train(false); }
  bool training() const { return training_; }
  void set_training(bool on) { training_ = on; }  // this module only
  Module& freeze(bool frozen = true);             // frozen parameters get no gradients
  Module& to_dtype(DType);                        // floating-point parameters and buffers
  Module& to_device(const Device&);
  void zero_grad();

  StateDict state_dict() const;  // parameters and buffers, with PyTorch's key names
  // Every value must have the right shape. strict: missing and unexpected keys are a ValueError
  // that names them. An error changes nothing.
  LoadReport load_state_dict(const StateDict&, bool strict = true);
  void save(const std::string& path) const;  // safetensors, atomic
  LoadReport load(const std::string& path, bool strict = true);
  // Called before a state is loaded, with this module's part of it. A module without parameters can
  // create them with these shapes.
  virtual void prepare_to_load(const StateDict&) {}
  // Whether this module has its parameters, not counting its children.
  bool built() const { return !deferred_.defined(); }
  int64_t parameter_count(bool trainable_only = false) const;
  std::string summary() const;  // a table: name, kind, parameter shapes, counts

 protected:
  // Sets p's initial value; an undefined one makes the parameter absent.
  void add(std::string name, Parameter& p, const Tensor& initial);
  void add(std::string name, Module& child);
  void add(std::string name, std::shared_ptr<Module> child);  // kept alive by this module
  // A buffer is saved but not trained. The member remains its owner.
  void add_buffer(std::string name, Tensor& buffer);
  // A module whose shapes follow from its first input calls defer() in its constructor, and
  // finish_build() once it has added its parameters. Until then parameters() contains a
  // placeholder, which optimizers later replace.
  void defer(DType dtype = default_float());
  void finish_build();

 private:
  void append(Member member);  // the name must be new
  void walk(const std::string& prefix, std::vector<std::pair<std::string, Module*>>& out,
            int depth);
  std::vector<Member> members_;
  Parameter deferred_;
  bool training_ = true;
};
// nested, as PyTorch prints modules.
EMBER_API std::ostream& operator<<(std::ostream&, const Module&);

using ModulePtr = std::shared_ptr<Module>;
template <class M, class... A> std::shared_ptr<M> make(A&&... args) {
  return std::make_shared<M>(std::forward<A>(args)...);
}

// Children named 0, 1, 2... in insertion order.
class EMBER_API Modules : public Module {
 public:
  explicit Modules(std::vector<ModulePtr> modules);
  void push_back(ModulePtr m) { add(std::to_string(size()), std::move(m)); }
  size_t size() const;
  Module& operator[](size_t i) const;
};
// Children applied in sequence: Sequential net{make<Linear>(64, 32), make<ReLU>(), make<Linear>(32,
// 10)}; keys "0.weight"...
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
