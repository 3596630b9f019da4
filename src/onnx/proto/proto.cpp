// Reads and writes the wire format of ONNX's messages.
#include "src/onnx/proto/proto.h"

#include <bit>
#include <limits>

#include "src/io/atomic_file.h"

// Each message is described once, by a function that passes its fields and their numbers to a
// visitor: Field, which stores one field that was read, or Writer, which serializes (or measures)
// all fields.
namespace ember::onnx::proto {
namespace {

template <class Io> void fields(Io& io, TensorData& t) {
  io(1, t.dims);
  io(2, t.data_type);
  io(4, t.floats);
  io(5, t.int32s);
  io(6, t.strings);
  io(7, t.int64s);
  io(8, t.name);
  io(9, t.raw);
  io(10, t.doubles);
  io(11, t.uint64s);
  io(13, t.external);
  io(14, t.location);
  io.nested(3, t.segmented, [](auto&) {});
}
template <class Io> void fields(Io& io, SparseTensor& t) {
  io.one(1, t.values);
  io.one(2, t.indices);
  io(3, t.dims);
}
template <class Io> void fields(Io& io, Attribute& a) {
  io(1, a.name);
  io(2, a.f, a.type == Attribute::float_);
  io(3, a.i, a.type == Attribute::int_);
  io(4, a.s, a.type == Attribute::string);
  io.one(5, a.t);
  io.one(6, a.g);
  io(7, a.floats);
  io(8, a.ints);
  io(9, a.strings);
  io(20, a.type);
  io(21, a.reference);
  io.one(22, a.sparse_tensor);
}
template <class Io> void fields(Io& io, Node& n) {
  io(1, n.inputs);
  io(2, n.outputs);
  io(3, n.name);
  io(4, n.op_type);
  io(5, n.attributes);
  io(7, n.domain);
  io(8, n.overload);
}
template <class Io> void fields(Io& io, Dim& d) {
  io(1, d.value, d.value >= 0);
  io(2, d.name, d.value < 0 && !d.name.empty());
}
template <class Io> void fields(Io& io, ValueInfo& v) {
  io(1, v.name);
  bool typed = v.kind != ValueInfo::none;
  io.nested(2, typed, [&](auto& type) {
    for (const int kind : {ValueInfo::sequence, ValueInfo::map, ValueInfo::opaque,
                           ValueInfo::sparse, ValueInfo::optional, ValueInfo::tensor}) {
      bool is = v.kind == kind;
      type.nested(kind, is, [&](auto& tensor) {
        if (kind != ValueInfo::tensor) return;
        tensor(1, v.elem_type);
        tensor.nested(2, v.ranked, [&](auto& shape) { shape(1, v.dims); });
      });
      if (is && v.kind != kind) v.kind = kind;
    }
  });
}
template <class Io> void fields(Io& io, Graph& g) {
  io(1, g.nodes);
  io(2, g.name);
  io(5, g.initializers);
  io(11, g.inputs);
  io(12, g.outputs);
  io(13, g.value_info);
  io(15, g.sparse_initializers);
}
template <class Io> void fields(Io& io, OpsetId& o) {
  io(1, o.domain, true);
  io(2, o.version);
}
template <class Io> void fields(Io& io, std::pair<std::string, std::string>& e) {
  io(1, e.first);
  io(2, e.second);
}
template <class Io> void fields(Io& io, Function& f) {
  io(1, f.name);
  io(4, f.inputs);
  io(5, f.outputs);
  io(6, f.attributes);
  io(7, f.nodes);
  io(9, f.opsets);
  io(10, f.domain);
  io(11, f.defaults);
  io(13, f.overload);
}
template <class Io> void fields(Io& io, Model& m) {
  io(1, m.ir_version);
  io(2, m.producer_name);
  io(3, m.producer_version);
  io(4, m.domain);
  io(5, m.model_version);
  io(6, m.doc);
  io(8, m.opsets);
  io(14, m.metadata);
  io(25, m.functions);
  bool always = true;
  io.nested(7, always, [&](auto& graph) { fields(graph, m.graph); });
}

enum Wire { varint_ = 0, fixed64 = 1, sized = 2, fixed32 = 5 };
constexpr int depth_limit = 100;  // nesting of messages; a subgraph has three levels
// Messages and strings need far more memory than the two bytes that they need in a file.
constexpr int64_t item_limit = 4 << 20;

struct Source {
  const std::string& name;
  std::string_view all;
  int64_t items = 0;

  [[noreturn]] void fail(const char* at, const std::string& why) const {
    io::fail(name,
             "not a valid ONNX model: " + why + " at byte " + std::to_string(at - all.data()));
  }
  void count(const char* at) {
    if (++items > item_limit) {
      fail(at, "more than " + std::to_string(item_limit) + " messages and strings");
    }
  }
  uint64_t varint(const char*& p, const char* end) const {
    const char* const start = p;
    uint64_t v = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (p == end) fail(start, "a truncated number");
      const uint8_t byte = uint8_t(*p++);
      // Bits beyond 64 are dropped, as the format specifies.
      v |= uint64_t(byte & 127) << shift;
      if (byte < 128) return v;
    }
    fail(start, "a number of more than ten bytes");
  }
};

// A field that was read. operator() stores it in a member if the number is that member's.
class Field {
 public:
  // Calls each(field) for all fields of a message.
  template <class F> static void read(Source& source, std::string_view bytes, int depth, F&& each) {
    if (depth > depth_limit) {
      source.fail(bytes.data(),
                  "messages nested more than " + std::to_string(depth_limit) + " deep");
    }
    const char* p = bytes.data();
    const char* const end = p + bytes.size();
    while (p != end) {
      Field f(source, p, depth);
      const uint64_t tag = source.varint(p, end);
      f.number_ = tag >> 3;
      f.wire_ = int(tag & 7);
      if (f.number_ == 0 || f.number_ > (1u << 29)) {
        source.fail(f.at_, "a field with the number " + std::to_string(f.number_));
      }
      if (f.wire_ == varint_) {
        f.value_ = source.varint(p, end);
      } else if (f.wire_ == fixed64 || f.wire_ == fixed32) {
        f.view_ = f.take(p, end, f.wire_ == fixed64 ? 8 : 4);
      } else if (f.wire_ == sized) {
        f.view_ = f.take(p, end, source.varint(p, end));
      } else {
        source.fail(f.at_, "a field of the wire type " + std::to_string(f.wire_) +
                               ", which ONNX does not use");
      }
      each(f);
    }
  }
  template <class M>
  static void read_into(Source& source, std::string_view bytes, int depth, M& m) {
    read(source, bytes, depth, [&](Field& f) { fields(f, m); });
  }

  template <class T> void operator()(uint64_t number, T& place, bool = false) {
    if (number == number_) read_as(place);
  }
  // Duplicates are merged into the first.
  template <class M> void one(uint64_t number, std::vector<M>& place) {
    if (number != number_) return;
    if (place.empty()) {
      source_.count(at_);
      place.emplace_back();
    }
    read_into(source_, need(sized), depth_ + 1, place[0]);
  }
  template <class F> void nested(uint64_t number, bool& present, F&& each) {
    if (number != number_) return;
    present = true;
    read(source_, need(sized), depth_ + 1, each);
  }

 private:
  Field(Source& source, const char* at, int depth) : source_(source), at_(at), depth_(depth) {}

  std::string_view take(const char*& p, const char* end, uint64_t n) const {
    if (n > uint64_t(end - p)) {
      source_.fail(at_, "a length of " + std::to_string(n) + ", which exceeds the file,");
    }
    return {std::exchange(p, p + n), size_t(n)};
  }
  std::string_view need(int wire) const {
    if (wire_ != wire) {
      source_.fail(at_, "field " + std::to_string(number_) + " with the wire type " +
                            std::to_string(wire_) + " for " + std::to_string(wire));
    }
    return view_;
  }

  void read_as(int64_t& v) {
    need(varint_);
    v = int64_t(value_);
  }
  void read_as(int32_t& v) {
    need(varint_);
    v = int32_t(value_);
  }
  void read_as(float& v) { v = fixed<float>(need(fixed32).data()); }
  void read_as(std::string& v) { v = need(sized); }
  void read_as(std::string_view& v) { v = need(sized); }
  template <class T> void read_as(std::vector<T>& v) {
    if constexpr (std::is_integral_v<T>) {
      if (wire_ == varint_) return v.push_back(T(value_));
      const std::string_view packed = need(sized);
      for (const char *p = packed.data(), *const end = p + packed.size(); p != end;) {
        v.push_back(T(source_.varint(p, end)));
      }
    } else if constexpr (std::is_floating_point_v<T>) {
      const std::string_view packed =
          wire_ == sized ? view_ : need(sizeof(T) == 8 ? fixed64 : fixed32);
      if (packed.size() % sizeof(T)) {
        source_.fail(at_, std::to_string(packed.size()) + " bytes of numbers of " +
                              std::to_string(sizeof(T)) + " each");
      }
      v.reserve(v.empty() ? packed.size() / sizeof(T) : 0);
      for (size_t i = 0; i < packed.size(); i += sizeof(T)) {
        v.push_back(fixed<T>(packed.data() + i));
      }
    } else {
      source_.count(at_);
      T& item = v.emplace_back();
      if constexpr (std::is_same_v<T, std::string>) {
        item = need(sized);
      } else {
        read_into(source_, need(sized), depth_ + 1, item);
      }
    }
  }
  template <class T> static T fixed(const char* p) {
    if constexpr (sizeof(T) == 8) {
      return std::bit_cast<T>(io::load_little(p, 8));
    } else {
      return std::bit_cast<T>(uint32_t(io::load_little(p, 4)));
    }
  }

  Source& source_;
  const char* at_;
  int depth_, wire_ = 0;
  uint64_t number_ = 0, value_ = 0;
  std::string_view view_;
};

// Serializes fields into a string or, without one, computes their size. Zeros and empty lists are
// omitted unless the field is required.
class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}
  size_t bytes() const { return bytes_; }

  void operator()(int n, int64_t& v, bool must = false) {
    if (v || must) {
      tag(n, varint_);
      varint(uint64_t(v));
    }
  }
  void operator()(int n, int32_t& v, bool must = false) {
    if (v || must) {
      tag(n, varint_);
      varint(uint64_t(int64_t(v)));
    }
  }
  void operator()(int n, float& v, bool must = false) {
    if (v != 0 || must) {
      tag(n, fixed32);
      fixed(v);
    }
  }
  void operator()(int n, std::string_view v, bool must = false) {
    if (!v.empty() || must) text(n, v);
  }
  void operator()(int n, std::string& v, bool must = false) {
    (*this)(n, std::string_view(v), must);
  }
  template <class T> void operator()(int n, std::vector<T>& list) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (!list.empty()) {
        sub(n, [&](Writer& w) {
          for (const T v : list) w.number(v);
        });
      }
    } else {
      for (T& item : list) one_item(n, item);
    }
  }
  template <class M> void one(int n, std::vector<M>& list) {
    if (!list.empty()) one_item(n, list[0]);
  }
  template <class F> void nested(int n, bool present, F&& each) {
    if (present) sub(n, each);
  }

 private:
  template <class F> void sub(int n, F&& each) {
    Writer count(nullptr);
    each(count);
    tag(n, sized);
    varint(count.bytes_);
    if (out_) {
      each(*this);
    } else {
      bytes_ += count.bytes_;
    }
  }
  template <class T> void one_item(int n, T& item) {
    if constexpr (std::is_same_v<T, std::string>) {
      text(n, item);
    } else {
      sub(n, [&](Writer& w) { fields(w, item); });
    }
  }
  template <class T> void number(T v) {
    if constexpr (std::is_floating_point_v<T>) {
      fixed(v);
    } else {
      varint(uint64_t(v));
    }
  }
  template <class T> void fixed(T v) {
    char p[sizeof(T)];
    const uint64_t bits = [&] {
      if constexpr (sizeof(T) == 8) {
        return std::bit_cast<uint64_t>(v);
      } else {
        return std::bit_cast<uint32_t>(v);
      }
    }();
    for (size_t i = 0; i < sizeof(T); ++i) p[i] = char(bits >> 8 * i & 255);
    put({p, sizeof(T)});
  }
  void text(int n, std::string_view s) {
    tag(n, sized);
    varint(s.size());
    put(s);
  }
  void tag(int n, int wire) { varint(uint64_t(n) << 3 | uint64_t(wire)); }
  void varint(uint64_t v) {
    char p[10];
    size_t n = 0;
    for (; v > 127; v >>= 7) p[n++] = char((v & 127) | 128);
    p[n++] = char(v);
    put({p, n});
  }
  void put(std::string_view s) {
    bytes_ += s.size();
    if (out_) out_->append(s);
  }

  std::string* out_;
  size_t bytes_ = 0;
};

struct TypeName {
  std::string_view name;
  std::optional<DType> dtype;
};
const TypeName type_names[] = {
    {"undefined", {}},
    {"float32", DType::float32},
    {"uint8", DType::uint8},
    {"int8", DType::int8},
    {"uint16", DType::uint16},
    {"int16", DType::int16},
    {"int32", DType::int32},
    {"int64", DType::int64},
    {"string", {}},
    {"bool", DType::bool_},
    {"float16", DType::float16},
    {"float64", DType::float64},
    {"uint32", DType::uint32},
    {"uint64", DType::uint64},
    {"complex64", DType::complex64},
    {"complex128", DType::complex128},
    {"bfloat16", DType::bfloat16},
    {"float8e4m3fn", {}},
    {"float8e4m3fnuz", {}},
    {"float8e5m2", {}},
    {"float8e5m2fnuz", {}},
    {"uint4", DType::uint4},
    {"int4", DType::int4},
    {"float4e2m1", {}},
    {"float8e8m0", {}},
    {"uint2", {}},
    {"int2", {}},
    {"float6e2m3", {}},
    {"float6e3m2", {}},
};

}  // namespace

std::string data_type_name(int32_t type) {
  return type >= 0 && size_t(type) < std::size(type_names) ? std::string(type_names[type].name)
                                                           : "type " + std::to_string(type);
}
std::optional<DType> dtype_of(int32_t type) {
  return type >= 0 && size_t(type) < std::size(type_names) ? type_names[type].dtype : std::nullopt;
}
int32_t data_type_of(DType dtype) {
  for (size_t i = 0; i < std::size(type_names); ++i) {
    if (type_names[i].dtype == dtype) return int32_t(i);
  }
  throw DTypeError("ONNX has no " + std::string(name(dtype)));
}

Model parse(std::string_view bytes, const std::string& source) {
  Source s{source, bytes};
  Model m;
  Field::read_into(s, bytes, 0, m);
  return m;
}

std::string serialize(const Model& m) {
  // A Writer does not modify it.
  Model& fields_of = const_cast<Model&>(m);
  Writer count(nullptr);
  fields(count, fields_of);
  if (count.bytes() > size_t(std::numeric_limits<int32_t>::max())) {
    throw MemoryError("an ONNX model of " + std::to_string(count.bytes()) +
                      " bytes: the format ends at 2 GB (put the weights into external data)");
  }
  std::string out;
  out.reserve(count.bytes());
  Writer w(&out);
  fields(w, fields_of);
  return out;
}

}  // namespace ember::onnx::proto
