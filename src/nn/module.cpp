// Modules: parameters, the tree, states, printing.
#include "ember/nn/module.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <sstream>
#include <unordered_map>

#include "ember/grad.h"
#include "ember/ops.h"
#include "src/graph/graph.h"
#include "src/nn/numbers.h"

namespace ember::nn {

Parameter::Parameter(const Tensor& initial) : cell_(std::make_shared<Cell>()) {
  if (!is_inexact(initial.dtype())) {
    throw DTypeError("a parameter must be floating-point, not " +
                     std::string(name(initial.dtype())));
  }
  put(initial, true);
}
const Tensor& Parameter::value() const {
  if (!cell_) {
    throw StateError("this parameter is not registered: call add in the module's constructor");
  }
  return cell_->value;
}
void Parameter::assign(const Tensor& v) {
  const Tensor& old = value();
  if (v.shape() != old.shape() || v.dtype() != old.dtype()) {
    throw ShapeError("a parameter of " + to_string(old.shape()) + " " +
                     std::string(name(old.dtype())) + " cannot take " + to_string(v.shape()) + " " +
                     std::string(name(v.dtype())));
  }
  put(v, old.requires_grad());
}
Tensor Parameter::exchange(Tensor stand_in) {
  if (stand_in.shape() != value().shape()) {
    throw ShapeError("a parameter of " + to_string(shape()) + " cannot take " +
                     to_string(stand_in.shape()));
  }
  return std::exchange(cell_->value, std::move(stand_in));
}
Parameter Parameter::uninitialized(DType dtype) {
  Parameter p(ops::zeros({0}, dtype));
  p.cell_->uninitialized = true;
  return p;
}
void Parameter::initialize(std::vector<Parameter> made) {
  if (initialized()) {
    throw StateError("[Parameter] only an uninitialized parameter can be initialized");
  }
  cell_->made = std::move(made);
}
const std::vector<Parameter>& Parameter::made() const {
  value();
  return cell_->made;
}
// Creates a new node without gradient history, so that other handles of v are not affected.
void Parameter::put(const Tensor& v, bool on) {
  const no_grad off;
  Tensor fresh = identity(v);
  fresh.set_requires_grad(on);
  cell_->value = std::move(fresh);
}

Tensor Module::forward(const Tensor&) {
  throw UnsupportedError("[" + kind() + "] has no forward for one tensor");
}

// A module that contained itself would make traversal endless.
static void check(const Module& m, const Module::Member& member) {
  if (member.name.empty() || member.name.find('.') != std::string::npos) {
    throw ValueError("[" + m.kind() + "] '" + member.name +
                     "' is not a valid member name: it must not be empty or contain a dot");
  }
  if (!member.child) return;
  for (const auto& [name, below] : member.child->named_modules()) {
    if (below == &m) {
      throw ValueError("[" + m.kind() + "] cannot have the member '" + member.name +
                       "', which contains this module");
    }
  }
}
void Module::append(Member member) {
  check(*this, member);
  for (const Member& m : members_) {
    if (m.name == member.name) {
      throw ValueError("[" + kind() + "] has two members named '" + m.name + "'");
    }
  }
  members_.push_back(std::move(member));
}
void Module::put(Member member) {
  check(*this, member);
  const auto at = std::find_if(members_.begin(), members_.end(),
                               [&](const Member& m) { return m.name == member.name; });
  if (at == members_.end()) {
    members_.push_back(std::move(member));
  } else {
    // The old member is destroyed last, because its owner may run arbitrary code.
    std::swap(*at, member);
  }
}
bool Module::remove(std::string_view name) {
  const auto at = std::find_if(members_.begin(), members_.end(),
                               [&](const Member& m) { return m.name == name; });
  if (at == members_.end()) return false;
  const Member gone = std::move(*at);
  members_.erase(at);
  return true;
}
void Module::add(std::string name, Parameter& p, const Tensor& initial) {
  p = initial.defined() ? Parameter(initial) : Parameter();
  append({.name = std::move(name), .parameter = &p});
}
void Module::add(std::string name, Module& child) {
  append({.name = std::move(name), .child = &child});
}
void Module::add(std::string name, std::shared_ptr<Module> child) {
  if (!child) throw ValueError("[" + kind() + "] the member '" + name + "' is not a module");
  Module* p = child.get();
  append({.name = std::move(name), .child = p, .owner = std::move(child)});
}
void Module::add_buffer(std::string name, Tensor& buffer) {
  append({.name = std::move(name), .buffer = &buffer});
}

constexpr std::string_view deferred_name = "uninitialized";
void Module::defer(DType dtype) {
  if (deferred_.defined()) return;
  deferred_ = Parameter::uninitialized(dtype);
  append({.name = std::string(deferred_name), .parameter = &deferred_, .saved = false});
}
void Module::finish_build() {
  if (!deferred_.defined()) return;
  // Applies what was requested of the placeholder meanwhile: dtype, device, freezing.
  Parameter placeholder = std::exchange(deferred_, {});
  remove(deferred_name);
  const Device& device = placeholder.value().device();
  const std::vector<Parameter> made = parameters();
  to_dtype(placeholder.dtype());
  if (std::any_of(made.begin(), made.end(),
                  [&](const Parameter& p) { return p.value().device() != device; })) {
    to_device(device);
  }
  if (!placeholder.trainable()) freeze();
  placeholder.initialize(made);
}

std::vector<std::pair<std::string, Module*>> Module::children() const {
  std::vector<std::pair<std::string, Module*>> r;
  for (const Member& m : members_) {
    if (m.child) r.emplace_back(m.name, m.child);
  }
  return r;
}
void Module::walk(const std::string& prefix, std::vector<std::pair<std::string, Module*>>& out,
                  int depth) {
  if (depth > 1000) throw ValueError("[" + kind() + "] modules nest at most 1000 deep");
  out.emplace_back(prefix, this);
  for (const Member& m : members_) {
    if (m.child) m.child->walk(prefix.empty() ? m.name : prefix + "." + m.name, out, depth + 1);
  }
}
std::vector<std::pair<std::string, Module*>> Module::named_modules() const {
  std::vector<std::pair<std::string, Module*>> r;
  const_cast<Module*>(this)->walk("", r, 0);
  return r;
}
std::vector<std::pair<std::string, Parameter>> Module::named_parameters() const {
  std::vector<std::pair<std::string, Parameter>> r;
  for (const auto& [prefix, module] : named_modules()) {
    for (const Member& m : module->members_) {
      if (m.has_parameter()) {
        r.emplace_back(prefix.empty() ? m.name : prefix + "." + m.name, *m.parameter);
      }
    }
  }
  return r;
}
std::vector<Parameter> Module::parameters() const {
  std::vector<Parameter> r;
  for (auto& [name, p] : named_parameters()) {
    if (std::find(r.begin(), r.end(), p) == r.end()) r.push_back(p);
  }
  return r;
}
std::vector<std::pair<std::string, Tensor>> Module::named_buffers() const {
  std::vector<std::pair<std::string, Tensor>> r;
  for (const auto& [prefix, module] : named_modules()) {
    for (const Member& m : module->members_) {
      if (m.has_buffer()) {
        r.emplace_back(prefix.empty() ? m.name : prefix + "." + m.name, *m.buffer);
      }
    }
  }
  return r;
}

Module& Module::train(bool on) {
  for (const auto& [name, m] : named_modules()) m->training_ = on;
  return *this;
}
Module& Module::freeze(bool frozen) {
  for (Parameter& p : parameters()) p.set_trainable(!frozen);
  return *this;
}
Module& Module::to_dtype(DType t) {
  if (!is_float(t)) {
    throw DTypeError("[to_dtype] parameters must be floating-point, not " + std::string(name(t)));
  }
  for (const auto& [prefix, module] : named_modules()) {
    for (const Member& m : module->members_) {
      if (m.has_parameter() && is_float(m.parameter->dtype())) {
        m.parameter->put(m.parameter->value().detach().astype(t), m.parameter->trainable());
      }
      if (m.has_buffer() && is_float(m.buffer->dtype())) *m.buffer = m.buffer->astype(t);
    }
  }
  return *this;
}
Module& Module::to_device(const Device& d) {
  for (const auto& [prefix, module] : named_modules()) {
    for (const Member& m : module->members_) {
      if (m.has_parameter()) {
        m.parameter->put(m.parameter->value().detach().to_device(d), m.parameter->trainable());
      }
      if (m.has_buffer()) *m.buffer = m.buffer->to_device(d);
    }
  }
  return *this;
}
void Module::zero_grad() {
  for (Parameter& p : parameters()) p.zero_grad();
}

StateDict Module::state_dict() const {
  StateDict r;
  for (const auto& [prefix, module] : named_modules()) {
    for (const Member& m : module->members_) {
      if (!m.saved) continue;
      const std::string key = prefix.empty() ? m.name : prefix + "." + m.name;
      if (m.has_parameter()) {
        r.emplace(key, m.parameter->value().detach());
      } else if (m.has_buffer()) {
        r.emplace(key, *m.buffer);
      }
    }
  }
  return r;
}

LoadReport Module::load_state_dict(const StateDict& state, bool strict) {
  std::unordered_map<std::string, const Tensor*> given;
  for (const auto& [name, t] : state) given[name] = &t;
  for (const auto& [prefix, module] : named_modules()) {
    if (!module->built()) {
      module->prepare_to_load(prefix.empty() ? state : under(state, prefix + "."));
    }
  }
  struct Target {
    Member* member;
    const Tensor* value;
  };
  std::vector<Target> targets;
  LoadReport report;
  std::string wrong;
  for (const auto& [prefix, module] : named_modules()) {
    for (Member& m : module->members_) {
      if (!m.saved || !(m.has_parameter() || m.has_buffer())) continue;
      const std::string key = prefix.empty() ? m.name : prefix + "." + m.name;
      const auto it = given.find(key);
      if (it == given.end()) {
        report.missing.push_back(key);
        continue;
      }
      const Tensor& old = m.parameter ? m.parameter->value() : *m.buffer;
      if (it->second->shape() != old.shape()) {
        wrong += "\n  " + key + ": the file has " + to_string(it->second->shape()) +
                 ", the module " + to_string(old.shape());
      }
      targets.push_back({&m, it->second});
      given.erase(it);
    }
  }
  for (const auto& [name, t] : state) {
    if (given.contains(name)) report.unexpected.push_back(name);
  }
  if (!wrong.empty()) throw ShapeError("[load_state_dict] shapes differ:" + wrong);
  if (strict && (!report.missing.empty() || !report.unexpected.empty())) {
    const auto list = [](const std::vector<std::string>& names) {
      std::string r;
      for (size_t i = 0; i < names.size() && i < 10; ++i) r += (i ? ", " : "") + names[i];
      return names.size() > 10 ? r + ", ... " + std::to_string(names.size()) + " in all" : r;
    };
    throw ValueError(
        "[load_state_dict]" +
        (report.missing.empty() ? "" : " missing: " + list(report.missing) + ".") +
        (report.unexpected.empty() ? "" : " unexpected: " + list(report.unexpected) + ".") +
        " Pass strict = false to take what fits");
  }
  for (const Target& t : targets) {
    if (t.member->parameter) {
      t.member->parameter->assign(t.value->astype(t.member->parameter->dtype()));
    } else {
      *t.member->buffer = t.value->astype(t.member->buffer->dtype());
    }
  }
  return report;
}

void Module::save(const std::string& path) const {
  ember::save(path, state_dict(), {{"format", "pt"}});
}
LoadReport Module::load(const std::string& path, bool strict) {
  return load_state_dict(load_all(path), strict);
}

int64_t Module::parameter_count(bool trainable_only) const {
  int64_t n = 0;
  for (const Parameter& p : parameters()) {
    if (!trainable_only || p.trainable()) n += p.size();
  }
  return n;
}

namespace {
std::string grouped(int64_t n) {  // 1,234,567
  std::string s = std::to_string(n);
  for (int at = int(s.size()) - 3; at > 0; at -= 3) s.insert(size_t(at), ",");
  return s;
}
void print(std::ostream& os, const Module& m, const std::string& indent) {
  const std::string details = m.details();
  const bool children = std::any_of(m.members().begin(), m.members().end(),
                                    [](const Module::Member& p) { return p.child; });
  os << m.kind() << "(" << (!children || details.empty() ? "" : "\n" + indent + "  ") << details;
  for (size_t i = 0; i < m.members().size(); ++i) {
    // A copy, because kind() or details() of a child may run code that changes this module.
    const Module::Member part = m.members()[i];
    if (!part.child) continue;
    os << "\n" << indent << "  (" << part.name << "): ";
    print(os, *part.child, indent + "  ");
  }
  os << (children ? "\n" + indent + ")" : ")");
}
}  // namespace

std::string Module::summary() const {
  std::vector<std::array<std::string, 4>> rows = {{"name", "kind", "parameters", "count"}};
  for (const auto& [name, m] : named_modules()) {
    std::string shapes;
    int64_t n = 0;
    for (const Member& member : m->members_) {
      if (member.has_parameter()) {
        shapes += (shapes.empty() ? "" : ", ") + member.name + to_string(member.parameter->shape());
        n += member.parameter->size();
      }
    }
    if (n || m->children().empty()) {
      rows.push_back({name.empty() ? "(itself)" : name, m->kind(), shapes, grouped(n)});
    }
  }
  size_t width[4] = {};
  for (const auto& r : rows) {
    for (size_t c = 0; c < 4; ++c) width[c] = std::max(width[c], r[c].size());
  }
  std::ostringstream os;
  for (const auto& r : rows) {
    for (size_t c = 0; c < 3; ++c) os << r[c] << std::string(width[c] - r[c].size() + 2, ' ');
    os << std::string(width[3] - r[3].size(), ' ') << r[3] << "\n";
  }
  os << grouped(parameter_count()) << " parameters, " << grouped(parameter_count(true))
     << " of them trainable\n";
  return os.str();
}
std::ostream& operator<<(std::ostream& os, const Module& m) {
  print(os, m, "");
  return os;
}

Modules::Modules(std::vector<ModulePtr> modules) {
  for (ModulePtr& m : modules) push_back(std::move(m));
}
size_t Modules::size() const {
  return size_t(
      std::count_if(members().begin(), members().end(), [](const Member& m) { return m.child; }));
}
Module& Modules::operator[](size_t i) const {
  for (const Member& m : members()) {
    if (m.child && i-- == 0) return *m.child;
  }
  throw IndexError("[" + kind() + "] has " + std::to_string(size()) + " modules");
}
Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  for (size_t i = 0; i < members().size(); ++i) {
    const auto alive = members()[i].owner;  // forward may run code that changes this module
    if (Module* m = members()[i].child) y = m->forward(y);
  }
  return y;
}

}  // namespace ember::nn
