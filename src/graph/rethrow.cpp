// Errors name the op that the user called and the operands it was given: "[op] problem (x: types)".
#include <algorithm>

#include "src/graph/graph.h"

namespace ember {
namespace {

struct Tag {
  std::string op, problem, operands;
};

// An error that remembers its parts, so that an outer op can put its own name in place of op.
template <class Kind> struct Tagged final : Kind, Tag {
  explicit Tagged(Tag t)
      : Kind("[" + t.op + "] " + t.problem + (t.operands.empty() ? "" : " (" + t.operands + ")")),
        Tag(std::move(t)) {}
};

template <class... Kinds> void throw_as_kind_of(const Error& e, const Tag& tag) {
  const auto throw_if = [&]<class Kind>(const Kind* same) {
    if (same) throw Tagged<Kind>(tag);
  };
  (throw_if(dynamic_cast<const Kinds*>(&e)), ...);
}

// "x1: float32[2, 3], x2: float32[4]", with the names that the signature gives.
std::string describe(std::string_view signature, Inputs in) {
  constexpr size_t most = 8;
  constexpr size_t shown = 6;  // of more than most
  constexpr size_t most_named = 4;
  // a list: its tensors have no names
  if (signature.starts_with("arrays") || signature.starts_with("*arrays")) signature = {};
  std::string text;
  for (size_t i = 0; i < in.size(); ++i) {
    const std::string_view argument = signature.substr(0, signature.find_first_of(",="));
    signature.remove_prefix(std::min(signature.size(), signature.find(',')));
    signature.remove_prefix(std::min(signature.size(), signature.find_first_not_of(", ")));
    if (!in[i].defined()) continue;
    if (i == shown && in.size() > most) {
      return text + ", ... " + std::to_string(in.size()) + " in all";
    }
    const Node& n = *in[i].node();
    if (!text.empty()) text += ", ";
    if (!argument.empty() && in.size() <= most_named) text += std::string(argument) + ": ";
    text += to_string(Type{n.dtype, n.shape});
  }
  return text;
}

}  // namespace

// An error gets the name of the outermost function that the user called: the name that an inner
// function added is replaced.
void rethrow(std::string_view op, std::string_view signature, Inputs in) {
  try {
    throw;
  } catch (const Error& e) {
    const auto* inner = dynamic_cast<const Tag*>(&e);
    const std::string_view text = e.what();
    const bool keeps_its_text = inner ? inner->op == op : text.starts_with('[');
    if (keeps_its_text) throw;
    Tag tag{.op = std::string(op), .problem = inner ? inner->problem : std::string(text)};
    tag.operands = in.empty() && inner ? inner->operands : describe(signature, in);
    throw_as_kind_of<ShapeError, DTypeError, IndexError, ValueError, DeviceError, UnsupportedError,
                     EngineError, StateError, MemoryError, IoError>(e, tag);
    throw;  // an interrupt is nobody's error
  } catch (const std::bad_alloc&) {
    throw MemoryError("[" + std::string(op) + "] out of memory");
  }
}

void rethrow_for(std::string_view op) { rethrow(op, "", {}); }

}  // namespace ember
