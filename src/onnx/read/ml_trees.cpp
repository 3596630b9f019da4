// ai.onnx.ml: ensembles of decision trees. All samples descend all trees at the same time, one
// level per step: the node table has the feature, the threshold and the next nodes; a leaf is its
// own next node.
#include <algorithm>
#include <cmath>
#include <limits>

#include "src/graph/graph.h"
#include "src/onnx/read/ml.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

enum class Mode { less_equal, less, greater_equal, greater, equal, not_equal, member, leaf };
constexpr const char* mode_names[] = {"BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE",    "BRANCH_GT",
                                      "BRANCH_EQ",  "BRANCH_NEQ", "BRANCH_MEMBER", "LEAF"};

struct TreeNode {
  Mode mode = Mode::leaf;
  int64_t feature = 0, yes = 0, no = 0;
  double value = 0;
  bool missing_is_yes = false;
};

struct Trees {
  std::vector<TreeNode> nodes;
  Ints roots;
  std::vector<double> weights;  // of the leaves, [nodes, targets]
  int64_t targets = 0;
  DType dtype = DType::float32;

  void check() const {
    for (const TreeNode& n : nodes) {
      if (n.mode == Mode::leaf) continue;
      if (n.feature < 0) throw ValueError("a node compares feature " + std::to_string(n.feature));
      for (const int64_t next : {n.yes, n.no}) {
        if (next < 0 || next >= int64_t(nodes.size())) {
          throw ValueError("a node refers to a missing node");
        }
      }
    }
    for (const int64_t root : roots) {
      if (root < 0 || root >= int64_t(nodes.size())) {
        throw ValueError("the root of a tree is missing");
      }
    }
  }
  // The largest number of comparisons from a root to a leaf. A node that is its own ancestor is an
  // error.
  int64_t depth() const {
    enum : char { unseen, open, done };
    std::vector<char> state(nodes.size(), unseen);
    std::vector<int64_t> depths(nodes.size(), 0);
    std::vector<int64_t> stack(roots.begin(), roots.end());
    while (!stack.empty()) {
      const size_t at = size_t(stack.back());
      const TreeNode& n = nodes[at];
      if (state[at] == done || n.mode == Mode::leaf) {
        stack.pop_back();
        continue;
      }
      const bool first = state[at] == unseen;
      state[at] = first ? open : done;
      for (const int64_t next : {n.yes, n.no}) {
        if (first && state[size_t(next)] == open) {
          throw ValueError("the nodes of a tree form a cycle");
        }
        if (first) {
          stack.push_back(next);
        } else {
          depths[at] = std::max(depths[at], depths[size_t(next)] + 1);
        }
      }
    }
    int64_t most = 0;
    for (const int64_t root : roots) most = std::max(most, depths[size_t(root)]);
    return most;
  }

  template <class F> Tensor column(F of, DType t) const {
    std::vector<double> v;
    for (const TreeNode& n : nodes) v.push_back(double(of(n)));
    return array_of(v, t);
  }

  // The leaf of each sample in each tree.
  Tensor leaves(const Call& c, const Tensor& x) const {
    std::vector<int64_t> yes;
    std::vector<int64_t> no;
    int64_t features = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const TreeNode& n = nodes[i];
      yes.push_back(n.mode == Mode::leaf ? int64_t(i) : n.yes);
      no.push_back(n.mode == Mode::leaf ? int64_t(i) : n.no);
      if (n.mode != Mode::leaf) features = std::max(features, n.feature + 1);
    }
    if (features > x.shape(1)) {
      throw ShapeError("the trees compare " + std::to_string(features) +
                       " features, the input has " + std::to_string(x.shape(1)));
    }
    const Tensor feature = column([](const TreeNode& n) { return n.feature; }, DType::int64);
    const Tensor value = column([](const TreeNode& n) { return n.value; }, dtype);
    const Tensor next_yes = array(yes);
    const Tensor next_no = array(no);
    const bool tracks_missing =
        std::any_of(nodes.begin(), nodes.end(), [](const TreeNode& n) { return n.missing_is_yes; });
    Tensor at = ops::broadcast_to(array(std::span<const int64_t>(roots), {int64_t(roots.size())}),
                                  {x.shape(0), int64_t(roots.size())});
    for (int64_t steps = depth(); steps > 0; --steps) {
      c.recorder.count();
      const Tensor sample = ops::take_along_axis(x, ops::take(feature, at, 0), 1);
      Tensor yes_here = compared(at, sample, ops::take(value, at, 0));
      if (tracks_missing) {
        const Tensor missing_is_yes =
            column([](const TreeNode& n) { return n.missing_is_yes; }, DType::bool_);
        yes_here = ops::logical_or(
            yes_here, ops::logical_and(ops::isnan(sample), ops::take(missing_is_yes, at, 0)));
      }
      at = ops::where(yes_here, ops::take(next_yes, at, 0), ops::take(next_no, at, 0));
    }
    return at;
  }

  // The results of the comparisons; with several kinds, each node's own kind is selected.
  Tensor compared(const Tensor& at, const Tensor& sample, const Tensor& value) const {
    const Tensor mode = column([](const TreeNode& n) { return int(n.mode); }, DType::int32);
    Tensor result;
    for (const Mode m : {Mode::less_equal, Mode::less, Mode::greater_equal, Mode::greater,
                         Mode::equal, Mode::not_equal}) {
      if (std::none_of(nodes.begin(), nodes.end(),
                       [&](const TreeNode& n) { return n.mode == m; })) {
        continue;
      }
      const Tensor y = m == Mode::less_equal      ? ops::less_equal(sample, value)
                       : m == Mode::less          ? ops::less(sample, value)
                       : m == Mode::greater_equal ? ops::greater_equal(sample, value)
                       : m == Mode::greater       ? ops::greater(sample, value)
                       : m == Mode::equal         ? ops::equal(sample, value)
                                                  : ops::not_equal(sample, value);
      result =
          result.defined() ? ops::where(ops::equal(ops::take(mode, at, 0), int(m)), y, result) : y;
    }
    return result;
  }

  // The scores, [samples, targets].
  Tensor scores(const Call& c, const std::string& aggregate) const {
    const Tensor x = cast_to(c.x(0).ndim() == 1 ? ops::expand_dims(c.x(0), {0}) : c.x(0), dtype);
    check_table(c, x);
    const Tensor table = ops::reshape(array_of(weights, dtype), {int64_t(nodes.size()), targets});
    const Tensor each = ops::take(table, leaves(c, x), 0);  // [samples, trees, targets]
    if (aggregate == "SUM") return ops::sum(each, 1);
    if (aggregate == "AVERAGE") return ops::mean(each, 1);
    if (aggregate == "MIN") return ops::min(each, 1);
    if (aggregate == "MAX") return ops::max(each, 1);
    c.refuse("the aggregate function '" + aggregate.substr(0, 40) + "'");
  }
};

// A list of floats, or a tensor attribute of another type with a longer name.
std::vector<double> numbers_of(const Call& c, const std::string& name, DType& dtype) {
  const auto* a = c.attribute(name + "_as_tensor", proto::Attribute::tensor);
  if (!a || a->t.empty()) return c.floats(name);
  const Tensor& t = c.recorder.source.tensors.at(&a->t[0]).tensor;
  dtype = t.dtype();
  const EngineScope native(native_engine);
  return t.astype(DType::float64).to_vector<double>();
}

// Reads the attributes of the regressors and classifiers, where each tree numbers its own nodes.
// prefix: of the leaf attributes.
Trees read_trees(const Call& c, const std::string& prefix, int64_t targets) {
  Trees t;
  t.targets = targets;
  const auto integers = [&](const std::string& name) { return c.list_of(name).value_or(Ints()); };
  const Ints trees = integers("nodes_treeids");
  const Ints ids = integers("nodes_nodeids");
  const Ints features = integers("nodes_featureids");
  const Ints yes = integers("nodes_truenodeids");
  const Ints no = integers("nodes_falsenodeids");
  const Ints missing = integers("nodes_missing_value_tracks_true");
  const std::vector<std::string> modes = c.strings("nodes_modes");
  const std::vector<double> values = numbers_of(c, "nodes_values", t.dtype);
  for (const char* unused : {"nodes_hitrates", "nodes_hitrates_as_tensor"}) c.ignore(unused);
  const size_t n = ids.size();
  if (n == 0 || trees.size() != n || features.size() != n || yes.size() != n || no.size() != n ||
      modes.size() != n || values.size() != n || (!missing.empty() && missing.size() != n)) {
    throw ValueError("the lists of nodes differ in length");
  }
  std::map<std::pair<int64_t, int64_t>, int64_t> places;
  for (size_t i = 0; i < n; ++i) {
    if (!places.emplace(std::pair(trees[i], ids[i]), int64_t(i)).second) {
      throw ValueError("tree " + std::to_string(trees[i]) + " has two nodes " +
                       std::to_string(ids[i]));
    }
    if (i == 0 || trees[i] != trees[i - 1]) t.roots.push_back(int64_t(i));
  }
  const auto place = [&](int64_t tree, int64_t id) {
    const auto it = places.find({tree, id});
    return it == places.end() ? -1 : it->second;
  };
  for (size_t i = 0; i < n; ++i) {
    const auto mode = std::find(std::begin(mode_names), std::end(mode_names), modes[i]);
    if (mode == std::end(mode_names) || modes[i] == "BRANCH_MEMBER") {
      c.refuse("the mode '" + modes[i].substr(0, 40) + "'");
    }
    t.nodes.push_back({Mode(mode - std::begin(mode_names)), features[i], place(trees[i], yes[i]),
                       place(trees[i], no[i]), values[i], !missing.empty() && missing[i] != 0});
  }
  const std::string target = prefix == "class" ? "class_ids" : "target_ids";
  const Ints leaf_trees = integers(prefix + "_treeids");
  const Ints leaf_ids = integers(prefix + "_nodeids");
  const Ints columns = integers(target);
  const std::vector<double> weights = numbers_of(c, prefix + "_weights", t.dtype);
  if (leaf_trees.size() != weights.size() || leaf_ids.size() != weights.size() ||
      columns.size() != weights.size()) {
    throw ValueError("the lists of leaves differ in length");
  }
  t.weights.assign(n * size_t(targets), 0);
  for (size_t i = 0; i < weights.size(); ++i) {
    const int64_t at = place(leaf_trees[i], leaf_ids[i]);
    if (at < 0 || columns[i] < 0 || columns[i] >= targets) {
      throw ValueError("a weight refers to a missing leaf or target");
    }
    t.weights[size_t(at * targets + columns[i])] += weights[i];
  }
  t.check();
  return t;
}

Tensor base_values(const Call& c, DType dtype) {
  DType own = dtype;
  return array_of(numbers_of(c, "base_values", own), dtype);
}

Values regressor(const Call& c) {
  const int64_t targets = c.i("n_targets", 1);
  if (targets < 1 || targets > 1 << 20) throw ValueError("n_targets is " + std::to_string(targets));
  const Trees trees = read_trees(c, "target", targets);
  Tensor y = trees.scores(c, c.s("aggregate_function", "SUM"));
  if (const Tensor base = base_values(c, trees.dtype); base.size()) y = y + base;
  return {cast_to(post_transform(c, c.s("post_transform", "NONE"), y), DType::float32)};
}

// Two classes where only one has weights: its score decides, with threshold 0.5 if no weight is
// negative, else 0. Weights of the first class give the score of the second, as in ONNX Runtime.
Values two_classes(const Call& c, const Labels& labels, const std::string& transform,
                   const Tensor& score, bool of_first, bool is_probability) {
  const Tensor second = ops::greater(ops::squeeze(score, 1), is_probability ? 0.5 : 0.0);
  if (transform == "PROBIT") c.refuse("PROBIT of two classes");
  Tensor both;
  if (!of_first) {
    both = post_transform(c, transform, ops::concat({ops::zeros_like(score), score}, 1));
  } else if (transform == "LOGISTIC") {
    both = ops::sigmoid(ops::concat({-score, score}, 1));
  } else {
    both = ops::concat({is_probability ? 1.0 - score : -score, score}, 1);
  }
  return {labels.at(cast_to(second, DType::int64)), cast_to(both, DType::float32)};
}

Values classifier(const Call& c) {
  const Labels labels(c, "classlabels_int64s", "classlabels_strings");
  if (labels.count() < 1) throw ValueError("the labels are missing");
  const std::string transform = c.s("post_transform", "NONE");
  const Trees trees = read_trees(c, "class", labels.count());
  Tensor scores = trees.scores(c, "SUM");
  const Tensor base = base_values(c, trees.dtype);
  const Ints ids = c.list_of("class_ids").value_or(Ints());
  const bool one_has_weights =
      std::all_of(ids.begin(), ids.end(), [&](int64_t id) { return id == ids[0]; });
  if (labels.count() == 2 && one_has_weights) {
    Tensor score = ops::sum(scores, 1, true);
    if (base.size()) score = score + ops::slice(base, {base.size() - 1}, {base.size()});
    const bool is_probability =
        std::all_of(trees.weights.begin(), trees.weights.end(), [](double w) { return w >= 0; });
    return two_classes(c, labels, transform, score, ids.empty() || ids[0] == 0, is_probability);
  }
  if (base.size()) scores = scores + base;
  return {labels.at(ops::argmax(scores, 1)),
          cast_to(post_transform(c, transform, scores), DType::float32)};
}

// Reads TreeEnsemble (version 5): all trees in one list, leaves in another.
Values ensemble(const Call& c) {
  Trees t;
  t.targets = c.i("n_targets", 1);
  const int64_t aggregate = c.i("aggregate_function", 1);
  const int64_t transform = c.i("post_transform", 0);
  if (t.targets < 1 || t.targets > 1 << 20) {
    throw ValueError("n_targets is " + std::to_string(t.targets));
  }
  if (aggregate < 0 || aggregate > 3 || transform < 0 || transform > 4) {
    throw ValueError("unknown aggregate_function or post_transform");
  }
  const auto integers = [&](const char* name) { return c.list_of(name).value_or(Ints()); };
  const auto tensor = [&](const char* name) {
    const auto* a = c.attribute(name, proto::Attribute::tensor);
    if (!a || a->t.empty()) return std::vector<double>();
    const Tensor& values = c.recorder.source.tensors.at(&a->t[0]).tensor;
    if (is_float(values.dtype())) t.dtype = values.dtype();
    const EngineScope native(native_engine);
    return values.astype(DType::float64).to_vector<double>();
  };
  const Ints features = integers("nodes_featureids");
  const Ints yes = integers("nodes_truenodeids");
  const Ints no = integers("nodes_falsenodeids");
  const Ints yes_leaf = integers("nodes_trueleafs");
  const Ints no_leaf = integers("nodes_falseleafs");
  const Ints missing = integers("nodes_missing_value_tracks_true");
  const Ints leaf_targets = integers("leaf_targetids");
  const std::vector<double> modes = tensor("nodes_modes");
  const std::vector<double> splits = tensor("nodes_splits");
  const std::vector<double> weights = tensor("leaf_weights");
  const std::vector<double> members = tensor("membership_values");
  c.ignore("nodes_hitrates");
  t.roots = integers("tree_roots");
  const size_t n = features.size();
  if (n == 0 || yes.size() != n || no.size() != n || yes_leaf.size() != n || no_leaf.size() != n ||
      modes.size() != n || splits.size() != n || (!missing.empty() && missing.size() != n) ||
      leaf_targets.size() != weights.size()) {
    throw ValueError("the lists of nodes or of leaves differ in length");
  }
  const auto next = [&](const Ints& places, const Ints& is_leaf, size_t i) {
    const int64_t count = is_leaf[i] ? int64_t(weights.size()) : int64_t(n);
    if (places[i] < 0 || places[i] >= count) {
      throw ValueError("a node refers to a missing node");
    }
    return is_leaf[i] ? int64_t(n) + places[i] : places[i];
  };
  for (size_t i = 0; i < n; ++i) {
    if (!(modes[i] >= 0 && modes[i] <= 6)) {
      throw ValueError("nodes_modes has " + std::to_string(modes[i]));
    }
    t.nodes.push_back({Mode(int(modes[i])), features[i], next(yes, yes_leaf, i),
                       next(no, no_leaf, i), splits[i], !missing.empty() && missing[i] != 0});
  }
  t.nodes.resize(n + weights.size());
  // A set membership test becomes a chain of nodes, one per member.
  size_t member = 0;
  for (size_t i = 0; i < n; ++i) {
    if (t.nodes[i].mode != Mode::member) continue;
    const TreeNode asked = t.nodes[i];
    size_t at = i;
    t.nodes[at] = {Mode::equal, asked.feature, asked.yes, asked.no, NAN, asked.missing_is_yes};
    for (bool first = true; member < members.size() && !std::isnan(members[member]);
         ++member, first = false) {
      if (!first) {
        t.nodes[at].no = int64_t(t.nodes.size());
        at = t.nodes.size();
        t.nodes.push_back(
            {Mode::equal, asked.feature, asked.yes, asked.no, NAN, asked.missing_is_yes});
      }
      t.nodes[at].value = members[member];
    }
    ++member;  // the NaN that terminates a list
  }
  t.weights.assign(t.nodes.size() * size_t(t.targets), 0);
  for (size_t i = 0; i < weights.size(); ++i) {
    if (leaf_targets[i] < 0 || leaf_targets[i] >= t.targets) {
      throw ValueError("a weight refers to a missing target");
    }
    t.weights[(n + i) * size_t(t.targets) + size_t(leaf_targets[i])] = weights[i];
  }
  t.check();
  constexpr const char* aggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"};
  constexpr const char* transforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  return {cast_to(post_transform(c, transforms[transform], t.scores(c, aggregates[aggregate])),
                  c.x(0).dtype())};
}

#define ML "ai.onnx.ml"
const Reader readers[] = {
    {{"TreeEnsemble", 5, "", ML}, ensemble},
    {{"TreeEnsembleClassifier", 1, "", ML}, classifier},
    {{"TreeEnsembleRegressor", 1, "", ML}, regressor},
};
#undef ML

}  // namespace

std::span<const Reader> ml_tree_readers() { return readers; }

}  // namespace ember::onnx
