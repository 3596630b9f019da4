// einsum: parses the equation into lists of labels, then contracts the operands pairwise, each pair
// by one matrix product.
#include <cmath>
#include <set>

#include "src/ops/products.h"

namespace ember {
namespace {

using Labels = std::vector<int>;  // characters; the axes of an ellipsis are dots + 0, dots + 1, ...
                                  // from the left
constexpr int dots = 256;

struct Term {
  Tensor x;
  Labels labels;
};

bool has(const Labels& l, int c) { return std::find(l.begin(), l.end(), c) != l.end(); }

// Parses a term of an equation; an ellipsis becomes the single label `dots`.
Labels read_labels(std::string_view s) {
  Labels r;
  for (size_t i = 0; i < s.size(); ++i) {
    const char c = s[i];
    if (c == '.') {
      if (s.substr(i, 3) != "..." || has(r, dots)) {
        throw ValueError("an ellipsis must be '...' and may occur once in a term");
      }
      r.push_back(dots);
      i += 2;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      r.push_back(c);
    } else {
      throw ValueError("an equation may contain letters, commas, '...' and '->', not '" +
                       (c >= ' ' && c <= '~' ? std::string(1, c) : std::string("\\x..")) + "'");
    }
  }
  return r;
}

struct Equation {
  std::vector<Labels> inputs;
  std::optional<Labels> output;
};
Equation read_equation(std::string_view text) {
  std::string s;
  for (char c : text) {
    if (c != ' ') s += c;
  }
  Equation e;
  const size_t arrow = s.find("->");
  if (arrow != std::string::npos) e.output = read_labels(std::string_view(s).substr(arrow + 2));
  std::string_view left = std::string_view(s).substr(0, arrow);
  for (;;) {
    const size_t comma = left.find(',');
    e.inputs.push_back(read_labels(left.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  return e;
}

// Replaces `dots` by one label for each axis that it stands for. Ellipses of several operands are
// aligned at the right; the longest has `most` axes.
Labels spread(const Labels& l, int64_t axes, int64_t most) {
  Labels r;
  for (int c : l) {
    if (c != dots) {
      r.push_back(c);
    } else {
      for (int64_t i = most - axes; i < most; ++i) r.push_back(dots + int(i));
    }
  }
  return r;
}

// A label that appears twice in a term selects the diagonal.
void take_diagonals(Term& t) {
  for (size_t i = 0; i < t.labels.size(); ++i) {
    for (size_t j = i + 1; j < t.labels.size(); ++j) {
      const int c = t.labels[i];
      if (t.labels[j] != c) continue;
      const int64_t m = t.x.shape(int64_t(i));
      const int64_t n = t.x.shape(int64_t(j));
      if (m != n) {
        throw ShapeError("the axes of a repeated label have different lengths: " +
                         std::to_string(m) + " and " + std::to_string(n));
      }
      t.x = ops::diagonal(t.x, 0, int64_t(i), int64_t(j));
      t.labels.erase(t.labels.begin() + int64_t(j));
      t.labels.erase(t.labels.begin() + int64_t(i));
      t.labels.push_back(c);
      i = size_t(-1);
      break;
    }
  }
}

Term summed(const Term& t, const auto& keep) {
  Ints axes;
  Labels left;
  for (size_t i = 0; i < t.labels.size(); ++i) {
    if (keep(t.labels[i])) {
      left.push_back(t.labels[i]);
    } else {
      axes.push_back(int64_t(i));
    }
  }
  if (axes.empty()) return t;
  return {ops::sum(t.x, axes, false, t.x.dtype()), left};
}

Tensor arranged(const Term& t, const Labels& order) {
  Ints axes;
  for (int c : order) {
    axes.push_back(std::find(t.labels.begin(), t.labels.end(), c) - t.labels.begin());
  }
  return ops::transpose(t.x, axes);
}

Term contracted(const Term& a, const Term& b, const auto& keep) {
  Labels batch;
  Labels over;
  Labels left;
  Labels right;
  for (int c : a.labels) (!has(b.labels, c) ? left : keep(c) ? batch : over).push_back(c);
  for (int c : b.labels) {
    if (!has(a.labels, c)) right.push_back(c);
  }
  const auto joined = [](const Labels& x, const Labels& y, const Labels& z) {
    Labels r = x;
    r.insert(r.end(), y.begin(), y.end());
    r.insert(r.end(), z.begin(), z.end());
    return r;
  };
  Tensor x = arranged(a, joined(batch, left, over));
  Tensor y = arranged(b, joined(batch, over, right));
  const size_t n = batch.size();
  const Shape sx = x.shape();
  const Shape sy = y.shape();
  Shape head(sx.begin(), sx.begin() + n);
  Shape out = sx;
  out.resize(n + left.size());
  out.append(sy.begin() + n + over.size(), sy.end());
  const Labels labels = joined(batch, left, right);
  const auto axes = [](size_t from, size_t to) {
    Ints r;
    for (; from < to; ++from) r.push_back(int64_t(from));
    return r;
  };
  if (over.empty()) {  // nothing to sum: each axis of its own beside those in common
    Shape wide = sx;
    wide.resize(n + left.size() + right.size(), 1);
    Shape other = head;
    other.resize(n + left.size(), 1);
    other.append(sy.begin() + n, sy.end());
    return {ops::reshape(x, wide) * ops::reshape(y, other), labels};
  }
  if (left.empty() && right.empty() &&
      n > 0) {  // many short products are better summed than multiplied as matrices
    const Tensor p = widen(x) * widen(y);
    return {cast_to(ops::sum(p, axes(n, sx.size()), false, p.dtype()), x.dtype()), labels};
  }
  const int64_t m = count_over(x, axes(n, n + left.size()));
  const int64_t k = count_over(x, axes(n + left.size(), sx.size()));
  const int64_t c = count_over(y, axes(n + over.size(), sy.size()));
  Shape first = head;
  Shape second = head;
  first.push_back(m);
  first.push_back(k);
  second.push_back(k);
  second.push_back(c);
  return {ops::reshape(ops::matmul(ops::reshape(x, first), ops::reshape(y, second)), out), labels};
}

// The pairs to contract, as positions in a list of terms. Each step removes its pair and appends
// the result.
using Path = std::vector<std::pair<size_t, size_t>>;
struct Search {
  std::vector<Labels> terms;
  Labels output;
  std::map<int, double> size;

  double extent(const std::set<int>& l) const {
    double n = 1;
    for (int c : l) n *= std::max(1.0, size.at(c));
    return n;
  }
  // The cheapest order, by dynamic programming over the subsets of a few terms.
  Path best() const {
    const size_t n = terms.size();
    const size_t all = (size_t(1) << n) - 1;
    std::vector<std::set<int>> inside(all + 1);
    std::vector<std::set<int>> left(all + 1);
    for (size_t s = 1; s <= all; ++s) {
      for (size_t i = 0; i < n; ++i) {
        if (s >> i & 1) inside[s].insert(terms[i].begin(), terms[i].end());
      }
    }
    for (size_t s = 1; s <= all; ++s) {
      for (int c : inside[s]) {
        if (inside[all ^ s].count(c) || has(output, c)) left[s].insert(c);
      }
    }
    std::vector<double> cost(all + 1, HUGE_VAL);
    std::vector<size_t> split(all + 1, 0);
    for (size_t i = 0; i < n; ++i) cost[size_t(1) << i] = 0;
    for (size_t s = 1; s <= all; ++s) {
      for (size_t a = (s - 1) & s; a > (s ^ a); a = (a - 1) & s) {
        std::set<int> both = left[a];
        both.insert(left[s ^ a].begin(), left[s ^ a].end());
        const double c = cost[a] + cost[s ^ a] + extent(both);
        if (split[s] == 0 || c < cost[s]) {
          cost[s] = c;
          split[s] = a;
        }
      }
    }
    std::vector<size_t> list;
    for (size_t i = 0; i < n; ++i) list.push_back(size_t(1) << i);
    Path path;
    const auto visit = [&](const auto& self, size_t s) -> void {
      if (!split[s]) return;
      self(self, split[s]);
      self(self, s ^ split[s]);
      const auto place = [&](size_t v) {
        return size_t(std::find(list.begin(), list.end(), v) - list.begin());
      };
      const auto [i, j] = std::minmax({place(split[s]), place(s ^ split[s])});
      path.push_back({i, j});
      list.erase(list.begin() + int64_t(j));
      list.erase(list.begin() + int64_t(i));
      list.push_back(s);
    };
    visit(visit, all);
    return path;
  }
  // Greedy: repeatedly the pair whose result is smallest compared with its operands. Very many
  // terms are contracted from left to right.
  Path greedy() const {
    std::vector<std::set<int>> list;
    for (const Labels& l : terms) list.emplace_back(l.begin(), l.end());
    Path path;
    while (list.size() > 1) {
      double least = HUGE_VAL;
      std::pair<size_t, size_t> at{0, 1};
      std::set<int> result;
      const size_t reach = list.size() > 64 ? 1 : list.size();
      for (size_t i = 0; i < reach; ++i) {
        for (size_t j = i + 1; j < (reach == 1 ? 2 : list.size()); ++j) {
          std::set<int> kept;
          for (const std::set<int>* l : {&list[i], &list[j]}) {
            for (int c : *l) {
              bool needed = has(output, c);
              for (size_t k = 0; k < list.size() && !needed; ++k) {
                needed = k != i && k != j && list[k].count(c);
              }
              if (needed) kept.insert(c);
            }
          }
          const double gain = extent(kept) - extent(list[i]) - extent(list[j]);
          if (gain < least || result.empty()) {
            least = gain;
            at = {i, j};
            result = std::move(kept);
          }
        }
      }
      path.push_back(at);
      list.erase(list.begin() + int64_t(at.second));
      list.erase(list.begin() + int64_t(at.first));
      list.push_back(std::move(result));
    }
    return path;
  }
};

// How many axes the ellipsis of each operand stands for.
std::vector<int64_t> ellipsis_axes(const Equation& e, const Tensors& operands) {
  if (operands.empty()) throw ValueError("needs at least one operand");
  if (e.inputs.size() != operands.size()) {
    throw ValueError("the equation has " + std::to_string(e.inputs.size()) + " terms for " +
                     std::to_string(operands.size()) + " operands");
  }
  std::vector<int64_t> r;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Labels& l = e.inputs[i];
    const bool has_ellipsis = has(l, dots);
    const int64_t named_axes = int64_t(l.size()) - has_ellipsis;
    const int64_t rest = operands[i].ndim() - named_axes;
    if (rest < 0 || (rest > 0 && !has_ellipsis)) {
      throw ShapeError("term " + std::to_string(i) + " names " + std::to_string(named_axes) +
                       " axes of an operand with " + std::to_string(operands[i].ndim()));
    }
    r.push_back(rest);
  }
  return r;
}

struct LabelInfo {
  int64_t extent = 1;
  int count = 0;  // of its appearances in the inputs
};
using LabelInfos = std::map<int, LabelInfo>;

// Adds the labels of a term, whose repeated ones become diagonals.
void add_labels(LabelInfos& infos, Term& t) {
  for (int c : t.labels) ++infos[c].count;
  take_diagonals(t);
  for (size_t d = 0; d < t.labels.size(); ++d) {
    const int c = t.labels[d];
    const int64_t n = t.x.shape(int64_t(d));
    int64_t& extent = infos[c].extent;
    if (extent != n && extent != 1 && n != 1) {
      const std::string label = c < dots ? "'" + std::string(1, char(c)) + "'" : "the ellipsis";
      throw ShapeError("the axes of " + label + " differ: " + std::to_string(extent) + " and " +
                       std::to_string(n));
    }
    if (n != 1) extent = n;
  }
}

// Without an output in the equation: the ellipsis, then the labels that appear once, sorted.
Labels output_labels(const Equation& e, const LabelInfos& infos, int64_t most) {
  Labels output;
  if (!e.output) {
    for (int64_t i = 0; i < most; ++i) output.push_back(dots + int(i));
    for (const auto& [c, info] : infos) {
      if (c < dots && info.count == 1) output.push_back(c);
    }
    return output;
  }
  for (int c : *e.output) {
    if (c < dots && !infos.count(c)) {
      throw ValueError("the output label '" + std::string(1, char(c)) +
                       "' does not occur in any operand");
    }
    if (std::count(e.output->begin(), e.output->end(), c) > 1) {
      throw ValueError("a label occurs twice in the output");
    }
  }
  if (most > 0 && !has(*e.output, dots)) {
    throw ValueError("the output must have an ellipsis because an operand has one");
  }
  return spread(*e.output, most, most);
}

// Drops the axes of length 1 that broadcast against longer ones.
void drop_broadcast_axes(Term& t, const LabelInfos& infos) {
  Shape s;
  Labels left;
  for (size_t d = 0; d < t.labels.size(); ++d) {
    const int64_t extent = infos.at(t.labels[d]).extent;
    if (t.x.shape(int64_t(d)) != extent) continue;
    s.push_back(extent);
    left.push_back(t.labels[d]);
  }
  if (left.size() != t.labels.size()) t = {ops::reshape(t.x, s), left};
}

Tensor contract_all(std::vector<Term> terms, const Labels& output, const LabelInfos& infos) {
  // Whether a label is in the output or in a term other than i and j.
  const auto keep_beside = [&](size_t i, size_t j) {
    return [&, i, j](int c) {
      if (has(output, c)) return true;
      for (size_t k = 0; k < terms.size(); ++k) {
        if (k != i && k != j && has(terms[k].labels, c)) return true;
      }
      return false;
    };
  };
  for (size_t i = 0; i < terms.size(); ++i) terms[i] = summed(terms[i], keep_beside(i, i));
  if (terms.size() > 1) {
    Search search{{}, output, {}};
    for (const Term& t : terms) search.terms.push_back(t.labels);
    for (const auto& [c, info] : infos) search.size[c] = double(info.extent);
    for (const auto& [i, j] : terms.size() <= 8 ? search.best() : search.greedy()) {
      Term r = contracted(terms[i], terms[j], keep_beside(i, j));
      terms.erase(terms.begin() + int64_t(j));
      terms.erase(terms.begin() + int64_t(i));
      terms.push_back(std::move(r));
    }
  }
  return arranged(terms[0], output);
}

Tensor evaluate_equation(const Equation& e, const Tensors& operands) {
  const std::vector<int64_t> covered = ellipsis_axes(e, operands);
  const int64_t most = *std::max_element(covered.begin(), covered.end());
  check_kin(operands);
  Tensors in = operands;
  promote_inputs(in, result_dtype(in));
  LabelInfos infos;
  std::vector<Term> terms;
  for (size_t i = 0; i < in.size(); ++i) {
    terms.push_back({in[i], spread(e.inputs[i], covered[i], most)});
    add_labels(infos, terms.back());
  }
  const Labels output = output_labels(e, infos, most);
  for (Term& t : terms) drop_broadcast_axes(t, infos);
  return contract_all(std::move(terms), output, infos);
}

}  // namespace

namespace ops {

Tensor einsum(std::string_view equation, const Tensors& operands) {
  return named("einsum", "", operands,
               [&] { return evaluate_equation(read_equation(equation), operands); });
}

}  // namespace ops
}  // namespace ember
