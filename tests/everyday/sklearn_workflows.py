"""More of scikit-learn given tensors: with its dispatch to the array API, and without."""

import numpy as np
import pytest
import ember_ml as em
from check import close, equal, values


def groups():
    """Three groups of 30 points in four dimensions, as tensors of float64 and of classes."""
    rng = np.random.default_rng(0)
    centers = np.array([[0.0, 0, 0, 0], [3, 3, 0, 0], [0, 3, 3, 1]])
    y = np.arange(90) % 3
    return em.asarray(centers[y] + 0.5 * rng.normal(size=(90, 4))), em.asarray(y)


def program_dispatch_of_scalers_and_metrics():
    from sklearn import config_context
    from sklearn.metrics import accuracy_score, mean_absolute_error, r2_score
    from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

    X, y = groups()
    Xn = values(X)
    with config_context(array_api_dispatch=True):
        scaled = StandardScaler().fit_transform(X)
        assert isinstance(scaled, em.Tensor)
        close(scaled, (Xn - Xn.mean(0)) / Xn.std(0))
        close(MinMaxScaler().fit_transform(X), (Xn - Xn.min(0)) / (Xn.max(0) - Xn.min(0)))
        close(MaxAbsScaler().fit_transform(X), Xn / np.abs(Xn).max(0))
        close(accuracy_score(y, y), 1)
        close(r2_score(X[:, 0], X[:, 0] + 0.0), 1)
        close(mean_absolute_error(X[:, 0], X[:, 0] + 1.0), 1)


def program_dispatch_of_models():
    from sklearn import config_context
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import Ridge

    X, y = groups()
    Xn = values(X)
    with config_context(array_api_dispatch=True):
        lda = LinearDiscriminantAnalysis().fit(X, y)
        assert isinstance(lda.coef_, em.Tensor)
        close((lda.predict(X) == y).astype(em.float32).mean(), 1, atol=0.05)
        target = X @ em.asarray([1.0, -2.0, 0.5, 0.0], dtype=em.float64)
        ridge = Ridge(alpha=0.1, solver="svd").fit(X, target)
        pca = PCA(n_components=2, svd_solver="full").fit(X)
    plain = Ridge(alpha=0.1, solver="svd").fit(Xn, Xn @ [1.0, -2.0, 0.5, 0.0])
    close(ridge.coef_, plain.coef_, rtol=1e-3)
    close(pca.explained_variance_, PCA(n_components=2).fit(Xn).explained_variance_, rtol=1e-4)


def program_forest_fitted_with_dispatch():
    from sklearn import config_context
    from sklearn.ensemble import RandomForestClassifier

    X, y = groups()
    plain = RandomForestClassifier(n_estimators=10, random_state=0).fit(values(X), values(y))
    with config_context(array_api_dispatch=True):
        forest = RandomForestClassifier(n_estimators=10, random_state=0).fit(X, y)
        # Dispatch reaches no further than fit: scikit-learn's trees are written for NumPy.
        with pytest.raises(ValueError, match="np.ndarray"):
            forest.predict(X)
        close(forest.predict_proba(values(X)), plain.predict_proba(values(X)))
    close(values(forest.predict_proba(X)), plain.predict_proba(values(X)))


def program_gradient_boosting():
    from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingRegressor

    X, y = groups()
    model = GradientBoostingClassifier(n_estimators=10, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95
    regressor = HistGradientBoostingRegressor(max_iter=20, min_samples_leaf=5).fit(X, X[:, 0])
    assert regressor.score(X, X[:, 0]) > 0.8


def program_neighbors_and_bayes():
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsRegressor, NearestNeighbors

    X, y = groups()
    assert GaussianNB().fit(X, y).score(X, y) > 0.95
    distance, index = NearestNeighbors(n_neighbors=1).fit(X).kneighbors(X)
    equal(index[:, 0], np.arange(90))
    close(distance, np.zeros((90, 1)))
    regressor = KNeighborsRegressor(1).fit(X, X[:, 1])
    close(regressor.predict(X), X[:, 1])


def program_cluster_and_score():
    from sklearn.cluster import DBSCAN, AgglomerativeClustering
    from sklearn.metrics import adjusted_rand_score, silhouette_score
    from sklearn.mixture import GaussianMixture

    X, y = groups()
    close(adjusted_rand_score(y, AgglomerativeClustering(3).fit_predict(X)), 1)
    assert len(set(DBSCAN(eps=1.2).fit_predict(X).tolist()) - {-1}) == 3
    assert silhouette_score(X, y) > 0.4
    mixture = GaussianMixture(3, random_state=0).fit(X)
    close(adjusted_rand_score(y, mixture.predict(X)), 1)


def program_columns_and_pipelines():
    from sklearn.compose import ColumnTransformer
    from sklearn.feature_selection import SelectKBest, f_classif
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, StandardScaler

    X, y = groups()
    columns = ColumnTransformer(
        [
            ("scale", StandardScaler(), [0, 1]),
            (
                "bins",
                KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf"),
                [2, 3],
            ),
        ]
    )
    model = make_pipeline(columns, SelectKBest(f_classif, k=3), SGDClassifier(random_state=0))
    assert model.fit(X, y).score(X, y) > 0.9


def program_search_and_curves():
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import (
        RandomizedSearchCV,
        StratifiedKFold,
        cross_validate,
        learning_curve,
    )

    X, y = groups()
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    scores = cross_validate(LogisticRegression(), X, y, cv=folds, scoring=["accuracy", "f1_macro"])
    assert scores["test_accuracy"].mean() > 0.95
    search = RandomizedSearchCV(LogisticRegression(), {"C": [0.1, 1, 10]}, n_iter=2, random_state=0)
    assert search.fit(X, y).best_score_ > 0.95
    sizes, train, test = learning_curve(LogisticRegression(), X, y, train_sizes=[0.5, 1.0], cv=3)
    assert sizes.shape == (2,) and test.shape == (2, 3)


def program_inspection_and_calibration():
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.inspection import permutation_importance
    from sklearn.svm import LinearSVC

    X, y = groups()
    calibrated = CalibratedClassifierCV(LinearSVC(), cv=3).fit(X, y)
    close(calibrated.predict_proba(X).sum(axis=1), np.ones(90))
    importance = permutation_importance(calibrated, X, y, n_repeats=3, random_state=0)
    assert importance.importances_mean.argmax() in (0, 1, 2)


def program_networks_and_embeddings():
    from sklearn.manifold import MDS
    from sklearn.neural_network import MLPClassifier
    from sklearn.preprocessing import StandardScaler

    X, y = groups()
    X = StandardScaler().fit_transform(X)
    mlp = MLPClassifier((8,), solver="lbfgs", max_iter=200, random_state=0).fit(X, y)
    assert mlp.score(X, y) > 0.95
    X, _ = groups()
    assert MDS(2, n_init=1, max_iter=20, random_state=0).fit_transform(X[:20]).shape == (20, 2)


def program_loss_functions_as_metrics():
    from sklearn.metrics import (
        brier_score_loss,
        log_loss,
        matthews_corrcoef,
        precision_recall_curve,
    )
    from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, top_k_accuracy_score

    truth = em.asarray([0, 1, 1, 0])
    p = em.asarray([0.1, 0.8, 0.6, 0.3])
    expected = -np.log([0.9, 0.8, 0.6, 0.7]).mean()
    close(log_loss(truth, p), expected)
    close(brier_score_loss(truth, p), (0.01 + 0.04 + 0.16 + 0.09) / 4)
    guess = (p > 0.5).astype(em.int64)
    for metric in (matthews_corrcoef, balanced_accuracy_score, cohen_kappa_score):
        close(metric(truth, guess), 1)
    precision, recall, thresholds = precision_recall_curve(truth, p)
    close(precision[-1], 1)
    scores = em.asarray([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]])
    close(top_k_accuracy_score(em.asarray([1, 0]), scores, k=2, labels=[0, 1, 2]), 0.5)


def program_dispatch_of_pairwise_distances():
    from sklearn import config_context
    from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances, rbf_kernel

    X, _ = groups()
    Xn = values(X)[:5]
    d = np.sqrt(((Xn[:, None] - Xn[None]) ** 2).sum(-1))
    with config_context(array_api_dispatch=True):
        close(euclidean_distances(X[:5]), d, atol=1e-3)
        close(rbf_kernel(X[:5], gamma=0.5), np.exp(-0.5 * d**2), atol=1e-4)
        n = np.linalg.norm(Xn, axis=1)
        close(cosine_similarity(X[:5]), Xn @ Xn.T / n[:, None] / n[None], atol=1e-4)


def program_split_with_dispatch():
    from sklearn import config_context
    from sklearn.model_selection import train_test_split

    X, y = groups()
    with config_context(array_api_dispatch=True):
        a, b, c, d = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    assert isinstance(a, em.Tensor) and a.shape == (63, 4) and d.shape == (27,)
    equal(em.bincount(d), [9, 9, 9])


def program_frames_and_labeled_arrays():
    pd = pytest.importorskip("pandas")
    xr = pytest.importorskip("xarray")
    frame = pd.DataFrame({"a": em.asarray([1.0, 2.0, 3.0]).numpy(), "b": [1, 1, 2]})
    means = em.asarray(frame.groupby("b").mean()["a"].to_numpy())
    close(means, [1.5, 3])
    close(em.asarray(frame[["a", "b"]]), [[1, 1], [2, 1], [3, 2]])
    array = xr.DataArray(em.asarray([[1.0, 2.0], [3.0, 4.0]]), dims=("row", "column"))
    close(array.mean("row").data, [2, 3])
    close((array + 1).sum().data, 14)
    close(array.isel(row=0).data, [1, 2])
    close(xr.where(array > 2, array, 0.0).data, [[0, 0], [3, 4]])
    close(array.where(array > 2, 0.0).data, [[0, 0], [3, 4]])
    close(array.T.data, [[1, 3], [2, 4]])
