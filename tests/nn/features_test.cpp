// Features, compared with results of scikit-learn 1.9.1 and SciPy 1.17.1 on generated data, and
// with properties that hold for any data.
#include "ember/features.h"

#include <unistd.h>

#include <filesystem>

#include "tests/nn/reference.h"

namespace ember::features {
namespace {

using nn::expect_close, nn::Ref;
struct Features : nn::Layers {};
using Numbers = std::vector<double>;

Tensor table(int64_t rows, int64_t columns, double (*f)(double, double)) {
  Numbers v;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) v.push_back(f(double(i), double(j)));
  }
  return array(std::span<const double>(v), {rows, columns});
}
Tensor data() {
  return table(12, 5, [](double i, double j) {
    return std::sin(0.7 * i * (j + 1) + j) * (5 - j) + std::cos(1.3 * i + 0.5 * j * j) +
           0.1 * i * j;
  });
}
Tensor with_constant() { return index_update(data(), {all_, 2}, 0.1); }
// 60 by 40, of rank 12, with rapidly decreasing singular values.
Tensor fading() {
  return table(60, 40, [](double i, double j) {
    double s = 0;
    for (int k = 0; k < 12; ++k) {
      s += std::exp(-0.8 * k) * std::sin((k + 1) * 0.37 * i + k) *
           std::cos((k + 1) * 0.21 * j + 0.3 * k);
    }
    return s;
  });
}
Tensor series() {
  Numbers v;
  for (double t = 0; t < 16; ++t) {
    v.push_back(std::sin(0.9 * t) + 0.5 * std::cos(2.1 * t + 1) + 0.05 * t * t / 16 + 0.3);
  }
  return array(v);
}
void expect_numbers(const Tensor& got, const Numbers& want, double tolerance = 1e-12) {
  const Numbers g = got.astype(float64).to_vector<double>();
  ASSERT_EQ(g.size(), want.size());
  for (size_t i = 0; i < g.size(); ++i) {
    ASSERT_NEAR(g[i], want[i], tolerance * (1 + std::abs(want[i]))) << "at " << i;
  }
}
struct File {
  std::string path = std::filesystem::temp_directory_path() /
                     ("ember-features-" + std::to_string(getpid()) + ".safetensors");
  ~File() { std::filesystem::remove(path); }
};

const Numbers components = {
    0.776687621153483,   0.594179269951463,   -0.166409048325216, -0.0934955715891953,
    -0.0852874025609525, -0.582808374033928,  0.787429810816917,  0.116664012052104,
    -0.132297068808216,  0.0957898014896366,  0.228947265176838,  0.00669688036792215,
    0.939038211980015,   0.0424454052902762,  0.252871361708884,  0.00829057308163666,
    0.144095036268339,   -0.1282257857095,    0.93142530433231,   0.30850111385447,
    0.0678612884411753,  -0.0780836763539215, -0.245892092691002, -0.323111983215063,
    0.907983210237407};
const Numbers singular = {12.9364418032827, 11.3399023354709, 8.07845437603325, 6.57941079840692,
                          5.39534627480123};
const Numbers mean = {0.77806144960405, 0.87101101811556, 0.975727602986434, 1.79892908591094,
                      2.01591919106417};

TEST_F(Features, PrincipalComponentsAreThoseOfScikitLearn) {
  for (const char* solver : {"full", "covariance_eigh", "randomized", "incremental", "auto"}) {
    SCOPED_TRACE(solver);
    const double t = std::string(solver) == "covariance_eigh" ? 1e-10 : 1e-12;
    PCA p = pca({.svd_solver = solver});
    p.fit(data());
    EXPECT_EQ(p.n_components(), 5);
    EXPECT_EQ(p.n_samples(), 12);
    expect_numbers(p.mean(), mean, t);
    expect_numbers(p.components(), components, t);
    expect_numbers(p.singular_values(), singular, t);
    expect_numbers(
        p.explained_variance(),
        {15.2137751390654, 11.6903077252744, 5.93285682778643, 3.93533149583578, 2.64634194772832},
        t);
    expect_numbers(p.explained_variance_ratio(),
                   {0.385954094495795, 0.296568214742435, 0.150509019872511, 0.0998343468424226,
                    0.0671343240468365},
                   t);
    expect_numbers(p.noise_variance(), {0}, t);
    expect_numbers(ops::sum(p.explained_variance()), Ref(ops::sum(ops::var(data(), 0, 1))).v, t);
    expect_close(p.inverse_transform(p.transform(data())), data(), t);
    expect_close(ops::matmul(p.components(), ops::matrix_transpose(p.components())), ops::eye(5),
                 t);
    expect_close(ops::cov(p.transform(data()), {}, false), ops::diag(p.explained_variance()),
                 10 * t);
  }
}
TEST_F(Features, FewerComponentsByNumberOrByVariance) {
  PCA two = pca({.n_components = 2});
  expect_numbers(two.fit_transform(data())(slice(0, 3)),
                 {2.36429433999968, 2.6310948441079, 4.10608885435699, -0.68621335922603,
                  0.399078456845884, -5.64585291496861});
  expect_numbers(two.noise_variance(), {4.17151009045018});
  EXPECT_EQ(two.feature_dim(), 5);
  PCA white = pca({.n_components = 2, .whiten = true});
  const Tensor y = white.fit_transform(data());
  expect_numbers(y(slice(0, 3)), {0.606154098552054, 0.769526414566091, 1.05271266186245,
                                  -0.200699456781309, 0.102315112872534, -1.65126428663441});
  expect_close(ops::cov(y, {}, false), ops::eye(2));
  expect_close(white.inverse_transform(y), two.inverse_transform(two.transform(data())));
  for (const auto& [part, count] : {std::pair(0.5, 2), {0.7, 3}, {0.9, 4}, {0.95, 5}, {0.99, 5}}) {
    PCA p = pca({.n_components = part});
    EXPECT_EQ(p.fit(data()).n_components(), count) << part;
    expect_numbers(p.components(), Numbers(components.begin(), components.begin() + count * 5));
  }
  // Without centering, the components are the directions of the rows themselves.
  PCA raw = pca({.n_components = 1, .center = false, .svd_solver = "full"});
  expect_numbers(raw.fit(data()).singular_values(), Ref(ops::svdvals(data())(slice(0, 1))).v);
}
TEST_F(Features, RandomizedComponentsOfAFadingSpectrum) {
  // Tall and wide.
  for (const Tensor& x : {fading(), Tensor(ops::concat({fading(), fading() * 0.0}, 1))}) {
    PCA p = pca({.n_components = 3, .svd_solver = "randomized", .seed = 5});
    PCA q = pca({.n_components = 3, .svd_solver = "randomized", .seed = 5});
    const ops::RandomState before = ops::get_random_state();
    p.fit(x);
    q.fit(x);
    // A seed of its own leaves the process's generator alone.
    EXPECT_EQ(ops::get_random_state().counter, before.counter);
    EXPECT_EQ(Ref(p.components()).v, Ref(q.components()).v);
    expect_numbers(p.singular_values(), {23.744361458796, 11.064590374286, 4.95061089249555}, 1e-9);
    expect_numbers(p.explained_variance_ratio(),
                   {0.786756963386681, 0.170840284693703, 0.0342008729927863}, 1e-9);
    expect_numbers(p.components()(all_, slice(0, 3)),
                   {-0.224356366832937, -0.220295213162879, -0.206942441281346, 0.194130833567396,
                    0.15281234638458, 0.083314697341264, -0.193219088792817, -0.0910874497641549,
                    0.0422901432788586},
                   1e-9);
  }
  // One pass and no additional directions: approximate.
  PCA rough = pca({.n_components = 3,
                   .svd_solver = "randomized",
                   .oversamples = 0,
                   .power_iterations = 0,
                   .seed = 1});
  EXPECT_NEAR(Ref(rough.fit(fading()).singular_values()).v[0], 23.74, 3);
}
TEST_F(Features, IncrementalComponentsBatchByBatch) {
  PCA p = pca({.n_components = 2, .svd_solver = "incremental", .batch_size = 5});
  PCA q = pca({.n_components = 2});
  p.fit(data());
  for (int64_t at : {0, 5, 10}) q.partial_fit(data()(slice(at, std::min<int64_t>(at + 5, 12))));
  for (const PCA* each : {&p, &q}) {
    expect_numbers(each->components(),
                   {0.774328447921339, 0.602698104003904, -0.145118538146874, -0.0860576573643232,
                    -0.0933013379588421, -0.576328461317166, 0.783628144367252, 0.176529565607772,
                    -0.108334888442547, 0.104275119006393});
    expect_numbers(each->singular_values(), {12.883640956298, 11.2783815531064});
    expect_numbers(each->explained_variance(), {15.0898367537091, 11.5638082234047});
    expect_numbers(each->explained_variance_ratio(), {0.382809935544042, 0.293359083527336});
    expect_numbers(each->mean(), mean);
    expect_numbers(each->transform(data())(slice(0, 2)),
                   {2.43148219462265, 2.63353714139326, 4.02631368189128, -0.978777380022585});
    EXPECT_EQ(each->n_samples(), 12);
  }
  PCA all = pca({.svd_solver = "incremental", .batch_size = 6});
  expect_numbers(all.fit(data()).singular_values(), singular);
  // Partial fits can continue the fit of another solver.
  PCA continued = pca();
  continued.fit(data()(slice(0, 7)));
  continued.partial_fit(data()(slice(7)));
  expect_numbers(continued.singular_values(), singular);
  EXPECT_THROW(q.partial_fit(ops::ones({3, 4})), ShapeError);
  EXPECT_THROW(pca({.n_components = 4}).partial_fit(ops::ones({3, 5})), ValueError);
}
TEST_F(Features, ComponentsThatCannotBe) {
  EXPECT_EQ(error_of<ValueError>([] { pca({.svd_solver = "arpack"}); }),
            "[PCA] svd_solver must be auto, full, covariance_eigh, randomized or incremental, not "
            "'arpack'");
  EXPECT_EQ(error_of<ValueError>([] { pca({.n_components = 1.5}); }),
            "[PCA] n_components as a part of the variance must be between 0 and 1, not 1.5");
  EXPECT_EQ(error_of<ValueError>([] { pca({.n_components = 6}).fit(data()); }),
            "[PCA] 6 components cannot be had from 12 samples of 5 features");
  EXPECT_THROW(pca({.n_components = 0}), ValueError);
  EXPECT_THROW(pca({.n_components = 0.5, .svd_solver = "randomized"}), ValueError);
  EXPECT_EQ(error_of<StateError>([] { pca().transform(data()); }), "[PCA] it has not been fitted");
  EXPECT_THROW(pca().fit(ops::ones({4})), ShapeError);
  EXPECT_THROW(pca().fit(ops::ones({0, 4})), ShapeError);
  PCA p = pca({.n_components = 2});
  p.fit(data());
  EXPECT_EQ(error_of<ShapeError>([&] { p.transform(ops::ones({2, 4})); }),
            "[PCA] expects 5 features along the last axis, not the shape [2, 4]");
  EXPECT_THROW(p.inverse_transform(ops::ones({2, 5})), ShapeError);
  // Equal rows have no variance to explain.
  PCA flat = pca();
  flat.fit(ops::ones({4, 3}));
  expect_numbers(flat.explained_variance_ratio(), {0, 0, 0});
}
TEST_F(Features, NarrowAndWholeNumbersAreWidened) {
  const Tensor whole = array({{1, 2}, {3, 5}, {4, 1}, {0, 2}});
  expect_close(pca().fit_transform(whole), pca().fit_transform(whole.astype(float64)));
  EXPECT_EQ(pca().fit_transform(data().astype(float32)).dtype(), float32);
  EXPECT_EQ(standardize_features().fit_transform(data().astype(float16)).dtype(), float32);
  EXPECT_THROW(standardize_features().fit(data().astype(complex128)), DTypeError);
}

TEST_F(Features, StandardizedFeatures) {
  Standardize s = standardize_features();
  const Tensor y = s.fit_transform(with_constant());
  expect_numbers(s.mean(),
                 {0.77806144960405, 0.87101101811556, 0.1, 1.79892908591094, 2.01591919106417});
  expect_numbers(s.scale(),
                 {3.51414197166803, 3.41438495715127, 1, 1.92409007688894, 1.70022743083284});
  expect_numbers(y(0),
                 {0.0631558292707805, 0.987719757827233, 0, -0.897819124983563, -1.71637139082696});
  expect_close(s.inverse_transform(y), with_constant());
  expect_close(standardize_features({.axis = 1}).fit_transform(ops::matrix_transpose(data())),
               ops::matrix_transpose(standardize_features().fit_transform(data())));
  expect_close(standardize_features({.with_mean = false, .with_std = false}).fit_transform(data()),
               data());
  EXPECT_THROW(s.transform(ops::ones({2, 4})), ShapeError);
  EXPECT_THROW(standardize_features().transform(data()), StateError);
}
TEST_F(Features, NormalizedFeatures) {
  Normalize range = normalize_features({.norm = "minmax", .low = -1, .high = 2});
  Normalize robust = normalize_features({.norm = "robust"});
  expect_numbers(range.fit_transform(with_constant())(slice(0, 2)),
                 {0.934440481143247, 1.67501463687225, -1, -0.356584591927165, -1, 1.63619481162971,
                  1.1468366804448, -1, -0.278809257791559, -0.325894393529341});
  expect_numbers(robust.fit_transform(with_constant())(slice(0, 2)),
                 {-0.109474108952109, 0.436680625344106, 0, -0.887271967995431, -1.56971401323854,
                  0.367038383956326, 0.182690502383124, 0, -0.806427963135778, -0.949713961357745});
  expect_numbers(normalize_features({.norm = "l1"}).fit_transform(data())(1),
                 {0.352110864507987, 0.25986520887781, -0.327253664264668, 0.0258704584575698,
                  0.0348998038919658});
  expect_numbers(normalize_features().fit_transform(data())(1),
                 {0.64233466500266, 0.474056465493096, -0.596989170158282, 0.047193920840893,
                  0.0636656124568288});
  expect_numbers(
      normalize_features({.norm = "max"}).fit_transform(data())(1),
      {1, 0.738020990181392, -0.929405188112975, 0.0734724800205164, 0.0991159529846721});
  Normalize largest = normalize_features({.norm = "max", .axis = 0});
  expect_numbers(largest.fit_transform(data())(1),
                 {0.595323616715055, 0.488522466762898, -0.663748734907048, 0.0451814729861723,
                  0.0743271028129338});
  for (Normalize* n : {&range, &robust}) {
    expect_close(n->inverse_transform(n->transform(with_constant())), with_constant());
  }
  expect_close(largest.inverse_transform(largest.transform(data())), data());
  // Rows of zeros are unchanged, and nothing is learned.
  expect_numbers(normalize_features().transform(array({{0.0, 0.0}, {3.0, 4.0}})), {0, 0, 0.6, 0.8});
  EXPECT_THROW(normalize_features().inverse_transform(data()), UnsupportedError);
  EXPECT_THROW(normalize_features({.norm = "minmax"}).transform(data()), StateError);
  Normalize held = normalize_features({.norm = "minmax", .clip = true});
  held.fit(array({{0.0}, {2.0}}));
  expect_numbers(held.transform(array({{-1.0}, {1.0}, {5.0}})), {0, 0.5, 1});
  EXPECT_EQ(error_of<ValueError>([] { normalize_features({.norm = "l3"}); }),
            "[Normalize] norm must be l1, l2, max, minmax or robust, not 'l3'");
  EXPECT_THROW(normalize_features({.low = 1, .high = 1}), ValueError);
}
TEST_F(Features, WhatWasLearnedIsSavedAndLoaded) {
  File f;
  PCA p = pca({.n_components = 2, .whiten = true});
  PCA q = pca();
  p.fit(data());
  p.save(f.path);
  q.load(f.path);
  EXPECT_EQ(Ref(p.transform(data())).v, Ref(q.transform(data())).v);
  EXPECT_EQ(Ref(p.noise_variance()).v, Ref(q.noise_variance()).v);
  Standardize s = standardize_features();
  EXPECT_EQ(error_of<ValueError>([&] { s.load(f.path); }),
            "[Standardize] the file holds the state of another kind: 'PCA'");
  EXPECT_THROW(s.save(f.path), StateError);
  s.fit(data());
  s.save(f.path);
  Standardize r = standardize_features();
  r.load(f.path);
  EXPECT_EQ(Ref(s.transform(data())).v, Ref(r.transform(data())).v);
  Normalize m = normalize_features({.norm = "minmax", .low = -1});
  Normalize n = normalize_features({.norm = "minmax"});
  m.fit(data());
  m.save(f.path);
  n.load(f.path);
  EXPECT_EQ(Ref(m.transform(data())).v, Ref(n.transform(data())).v);
  EXPECT_THROW(n.load_state({{"scale", ops::ones({1, 2})}}), ValueError);
  TensorMap wrong = p.state();
  wrong["mean"] = ops::ones({3});
  EXPECT_THROW(q.load_state(wrong), ShapeError);
}
TEST_F(Features, TransformsAreLazyAndDifferentiable) {
  PCA p = pca({.n_components = 2});
  p.fit(data());
  Tensor x = ops::copy(data());
  x.set_requires_grad();
  const Tensor y = p.transform(x);
  EXPECT_FALSE(y.evaluated());
  ops::sum(y).backward();
  const Ref g = x.grad();
  const Ref c = p.components();
  for (int64_t j = 0; j < 5; ++j) EXPECT_NEAR(g({0, j}), c({0, j}) + c({1, j}), 1e-12);
  EXPECT_FALSE(p.components().requires_grad());
  // fit_transform centres once.
  for (const char* solver : {"full", "covariance_eigh", "randomized", "incremental"}) {
    PCA q = pca({.n_components = 2, .whiten = true, .svd_solver = solver, .seed = 1});
    const Tensor at_once = q.fit_transform(data());
    EXPECT_EQ(at_once.to_vector<double>(), q.transform(data()).to_vector<double>()) << solver;
    EXPECT_TRUE(q.fit_transform(x).requires_grad()) << solver;
  }
}

TEST_F(Features, WindowStatisticsAreThoseOfSciPy) {
  const Numbers want = {0.326450956594612,  0.676138643320616,  -0.592366964312456,
                        1.52060596652838,   0.270052953371875,  0.341805672479643,
                        -1.05408939136071,  0.403892105274321,  0.806738414079496,
                        -0.592366964312456, 1.77160770828069,   0.223388645278272,
                        0.569866991039707,  -1.05082074296362,  0.892832796341109,
                        0.826112780480213,  -0.433693905560137, 2.04077534667516,
                        0.867088717373441,  -0.143218701838788, -1.31655487393899};
  const Tensor w = window_statistics(series(), 8, 4);
  EXPECT_EQ(w.shape(), (Shape{3, 7}));
  expect_numbers(w, want);
  // Along another axis, and in a batch.
  expect_numbers(window_statistics(ops::expand_dims(series(), {1}), 8, 4,
                                   {"mean", "std", "min", "max", "median", "skew", "kurtosis"}, 0),
                 want);
  expect_numbers(spectral_features(series(), 50), {1.02167321017401, 9.48632868853185, 6.25});
  expect_numbers(spectral_features(series()(slice(0, 15)), 50),
                 {0.8121338231458, 9.82753770463786, 6.66666666666667});
  // Constant windows have neither shape nor spectrum, even if their mean is rounded.
  expect_numbers(
      window_statistics(ops::full({7}, 0.1), 7, 1, {"skew", "kurtosis", "centroid", "dominant"}),
      {0, 0, 0, 0});
  expect_numbers(window_statistics(array({3.0, 4.0}), 1, 1, {"power", "centroid"}), {9, 0, 16, 0});
  EXPECT_THROW(window_statistics(series(), 17), ValueError);
  EXPECT_THROW(window_statistics(series(), 4, 1, {"mode"}), ValueError);
}
TEST_F(Features, LagsAndDifferences) {
  const Tensor x = array({1.0, 4.0, 9.0, 16.0, 25.0});
  expect_close(lagged(x, {0, 2}), array({{9.0, 1.0}, {16.0, 4.0}, {25.0, 9.0}}));
  expect_close(differences(x, {1, 2}), array({{5.0, 2.0}, {7.0, 2.0}, {9.0, 2.0}}));
  EXPECT_EQ(lagged(ops::ones({2, 6, 3}), {1, 4}, 1).shape(), (Shape{2, 3, 2, 2}));
  EXPECT_EQ(error_of<ValueError>([&] { lagged(x, {5}); }),
            "[time series] lags must be between 0 and 4 for 5 steps, not 5");
  EXPECT_THROW(differences(x, {0}), ValueError);
  EXPECT_THROW(lagged(x, {}), ValueError);
}
TEST_F(Features, TimeSeriesFeaturesStandardizeUnlessAskedForMore) {
  const Tensor x = nn::random({3, 16});
  const Tensor y = time_series_features().extract(x);
  expect_close(y, (x - ops::mean(x, 1, true)) / ops::std(x, 1, 0, true));
  expect_numbers(time_series_features().extract(ops::full({1, 3}, 0.1)), {0, 0, 0});
  const TimeSeriesFeatures f = time_series_features({.window = 8,
                                                     .step = 4,
                                                     .statistics = {"mean", "dominant"},
                                                     .lags = {0, 3},
                                                     .differences = {1, 2},
                                                     .sample_rate = 8});
  EXPECT_EQ(f.feature_names(), (std::vector<std::string>{"mean", "dominant", "lag_0", "lag_3",
                                                         "difference_1", "difference_2"}));
  const Ref s = series();
  const Ref z = f.transform(series());
  ASSERT_EQ(z.shape, (Shape{3, 6}));
  for (int64_t w = 0; w < 3; ++w) {
    const size_t end = size_t(4 * w + 7);
    EXPECT_EQ(z({w, 2}), s.v[end]);
    EXPECT_EQ(z({w, 3}), s.v[end - 3]);
    EXPECT_NEAR(z({w, 4}), s.v[end] - s.v[end - 1], 1e-14);
    EXPECT_NEAR(z({w, 5}), s.v[end] - 2 * s.v[end - 1] + s.v[end - 2], 1e-14);
  }
  // The channels' features are concatenated; each equals that of the channel alone.
  const Tensor both = nn::random({2, 16, 3});
  const Tensor all = f.transform(both);
  ASSERT_EQ(all.shape(), (Shape{2, 3, 18}));
  for (int64_t c = 0; c < 3; ++c) {
    expect_close(all(all_, all_, slice(6 * c, 6 * c + 6)), f.transform(both(all_, all_, c)));
  }
  EXPECT_EQ(time_series_features({.statistics = {"mean"}}).transform(both).shape(), (Shape{2, 3}));
  EXPECT_THROW(time_series_features({.lags = {16}}).transform(series()), ValueError);
}
TEST_F(Features, TheBaseMasksAndPassesOn) {
  FeatureExtractor base(4);
  EXPECT_EQ(base.feature_dim(), 4);
  expect_numbers(base.extract(array({1.0, 2.0, 3.0}), array({true, false, true})), {1, 0, 3});
  EXPECT_EQ(base.fit(ops::ones({2, 3})).feature_dim(), 3);
  EXPECT_EQ(error_of<UnsupportedError>([&] { base.inverse_transform(data()); }),
            "[FeatureExtractor] its output cannot be traced back to the data");
}
TEST_F(Features, ScattersOneHotAndRoles) {
  expect_numbers(scatter(array({1.0, 2.0, 3.0}), array({0, 2, 0})), {4, 0, 2});
  // Fewer indices than values: the first values.
  expect_numbers(scatter(ops::ones({10}), array({0, 1, 0})), {2, 1});
  expect_numbers(scatter_mean(array({1.0, 2.0, 3.0}), array({0, 2, 0}), 4), {2, 0, 2, 0});
  expect_numbers(one_hot(array({1, 0}), 3), {0, 1, 0, 1, 0, 0});
  const Tensor x = array({1.0, -2.0});
  expect_numbers(SpecializedProcessor("memory").process(x), {0.95, -1.9});
  expect_numbers(SpecializedProcessor("inhibition")(x), {-0.5, 1});
  expect_numbers(SpecializedProcessor()(x), {1, -2});
}

}  // namespace
}  // namespace ember::features
