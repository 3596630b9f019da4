"""scikit-learn given tensors where its users give arrays."""

import numpy as np
import ember_ml as em
from check import close, equal, values


def iris_like():
    """Three groups of 30 points in four dimensions, as float64 arrays."""
    rng = np.random.default_rng(0)
    centers = np.array([[0.0, 0, 0, 0], [3, 3, 0, 0], [0, 3, 3, 1]])
    y = np.arange(90) % 3
    return centers[y] + 0.5 * rng.normal(size=(90, 4)), y


def tensors():
    X, y = iris_like()
    return em.asarray(X), em.asarray(y)


def program_split_scale_and_classify():
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import accuracy_score, classification_report, confusion_matrix
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    X, y = tensors()
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42)
    assert X_train.shape == (72, 4) and len(y_test) == 18
    scaler = StandardScaler()
    X_train = scaler.fit_transform(X_train)
    X_test = scaler.transform(X_test)
    close(values(X_train).mean(axis=0), np.zeros(4), atol=1e-6)
    clf = LogisticRegression().fit(X_train, y_train)
    y_pred = clf.predict(X_test)
    assert accuracy_score(y_test, y_pred) > 0.95
    assert confusion_matrix(y_test, y_pred).sum() == 18
    assert "precision" in classification_report(y_test, y_pred)


def program_random_forest():
    from sklearn.ensemble import RandomForestClassifier

    X, y = tensors()
    forest = RandomForestClassifier(n_estimators=10, random_state=0).fit(X, y)
    assert forest.score(X, y) > 0.95
    probabilities = em.asarray(forest.predict_proba(X))
    close(probabilities.sum(axis=1), np.ones(90))
    close(np.sum(forest.feature_importances_), 1)


def program_cross_validation():
    from sklearn.model_selection import cross_val_score, KFold
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    X, y = tensors()
    model = make_pipeline(MinMaxScaler(), KNeighborsClassifier(3))
    scores = cross_val_score(model, X, y, cv=3)
    Xn, yn = iris_like()
    close(scores, cross_val_score(model, Xn, yn, cv=3))
    for train_index, test_index in KFold(3).split(X):
        assert X[train_index].shape == (60, 4)
        assert y[test_index].shape == (30,)


def program_grid_search():
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    X, y = tensors()
    search = GridSearchCV(SVC(), {"C": [0.1, 1.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9


def program_ranking_metrics():
    from sklearn.metrics import f1_score, roc_auc_score, roc_curve

    y = em.asarray([0, 0, 1, 1])
    scores = em.asarray([0.1, 0.4, 0.35, 0.8])
    close(roc_auc_score(y, scores), 0.75)
    fpr, tpr, thresholds = roc_curve(y, scores)
    close(fpr, [0, 0, 0.5, 0.5, 1])
    close(tpr, [0, 0.5, 0.5, 1, 1])
    close(f1_score(y, (scores > 0.3).astype(em.int64)), 0.8)


def program_regression():
    from sklearn.linear_model import LinearRegression, Ridge
    from sklearn.metrics import mean_squared_error, r2_score
    from sklearn.preprocessing import PolynomialFeatures

    x = em.linspace(0, 1, 20, dtype=em.float64).reshape(-1, 1)
    y = 2 * x[:, 0] ** 2 - x[:, 0] + 0.5
    features = PolynomialFeatures(2, include_bias=False).fit_transform(x)
    model = LinearRegression().fit(features, y)
    close(model.coef_, [-1, 2])
    close(model.intercept_, 0.5)
    predicted = em.asarray(model.predict(features))
    close(mean_squared_error(y, predicted), 0)
    close(r2_score(y, predicted), 1)
    assert Ridge(alpha=0.1).fit(features, y).coef_.shape == (2,)


def program_pca_and_k_means():
    from sklearn.cluster import KMeans
    from sklearn.decomposition import PCA

    X, y = tensors()
    Xn, yn = iris_like()
    projected = PCA(n_components=2).fit_transform(X)
    expected = PCA(n_components=2).fit_transform(Xn)
    close(np.abs(values(projected)), np.abs(expected), atol=1e-4)
    labels = KMeans(n_clusters=3, n_init=5, random_state=0).fit_predict(X)
    groups = [set(np.asarray(labels)[yn == k].tolist()) for k in range(3)]
    assert all(len(g) == 1 for g in groups) and len(set.union(*groups)) == 3


def program_pipeline_with_imputer():
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline
    from sklearn.tree import DecisionTreeClassifier

    X, y = tensors()
    X[0, 1] = em.nan
    pipe = Pipeline(
        [
            ("impute", SimpleImputer(strategy="median")),
            ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
        ]
    )
    assert pipe.fit(X, y).score(X, y) > 0.9


def program_scores_by_hand():
    from sklearn.preprocessing import OneHotEncoder, label_binarize

    y = em.asarray([0, 2, 1, 2])
    equal(label_binarize(y, classes=[0, 1, 2]), np.eye(3)[[0, 2, 1, 2]])
    encoded = OneHotEncoder(sparse_output=False).fit_transform(y.reshape(-1, 1))
    equal(encoded, np.eye(3)[[0, 2, 1, 2]])
