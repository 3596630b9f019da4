"""Writes the models of tests/onnx/sklearn: small pipelines of scikit-learn, exported by skl2onnx,
with what scikit-learn computes.

It needs skl2onnx, which the tests do not:  python tests/onnx/make_sklearn_models.py
"""

import json
import pathlib

import numpy as np
from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import FloatTensorType, StringTensorType
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer, MinMaxScaler, Normalizer, OneHotEncoder, StandardScaler
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

FOLDER = pathlib.Path(__file__).parent / "sklearn"
iris, diabetes = load_iris(), load_diabetes()
X, Y = iris.data.astype(np.float32), iris.target
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
D, T = diabetes.data.astype(np.float32), diabetes.target / 100
HOLES = X.copy()
HOLES[::3, 1] = np.nan
WORDS = np.array(
    [[c, s] for c, s in zip(np.resize(["red", "green", "blue"], 60), np.resize(["s", "m"], 60))]
)
NUMBERS = np.linspace(-2, 2, 60, dtype=np.float32)[:, None]

table = ColumnTransformer(
    [("words", OneHotEncoder(handle_unknown="ignore"), [0, 1]), ("numbers", StandardScaler(), [2])]
)
mixed = np.concatenate([WORDS.astype(object), NUMBERS.astype(object)], 1)
unseen = np.array([["blue", "m", 0.5], ["purple", "s", -1.0], ["red", "l", 0.1]], object)
size = dict(n_estimators=5, max_depth=3, random_state=0)
CASES = {  # model, training data and targets, rows to predict
    "logistic_names": (make_pipeline(StandardScaler(), LogisticRegression()), X, NAMES, X[::15]),
    "logistic_two": (LogisticRegression(), X, (Y == 1).astype(int), X[::15]),
    "forest": (make_pipeline(MinMaxScaler(), RandomForestClassifier(**size)), X, Y, X[::15]),
    "forest_two": (RandomForestClassifier(**size), X, (Y == 2).astype(int), X[::15]),
    "forest_names": (RandomForestClassifier(**size), X, NAMES, X[::15]),
    "tree": (
        make_pipeline(SimpleImputer(strategy="median"), DecisionTreeClassifier(max_depth=3)),
        HOLES,
        Y,
        HOLES[::15],
    ),
    "boosting": (
        GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0),
        X,
        Y,
        X[::15],
    ),
    "boosting_two": (
        GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0),
        X,
        NAMES == "setosa",
        X[::15],
    ),
    "linear": (
        make_pipeline(StandardScaler(), LinearRegression()),
        D,
        np.stack([T, -T], 1),
        D[::60],
    ),
    "extra_trees": (ExtraTreesRegressor(**size), D, np.stack([T, T**2], 1), D[::60]),
    "tree_regression": (DecisionTreeRegressor(max_depth=4), D, T, D[::60]),
    "boosted_regression": (
        GradientBoostingRegressor(n_estimators=4, max_depth=2, random_state=0),
        D,
        T,
        D[::60],
    ),
    "support_vectors": (
        make_pipeline(Normalizer("l2"), SVR(C=0.5, epsilon=0.6)),
        X,
        X[:, 3],
        X[::15],
    ),
    "binarized": (
        make_pipeline(Normalizer("max"), Binarizer(threshold=0.4), LogisticRegression()),
        X,
        Y,
        X[::15],
    ),
    "columns": (
        make_pipeline(table, LogisticRegression()),
        mixed,
        np.resize(["yes", "no", "no"], 60),
        unseen,
    ),
}


def inputs_of(rows):
    """Arrays by name, and the types that skl2onnx needs."""
    if rows.dtype != object:
        return {"x": rows}, [("x", FloatTensorType([None, rows.shape[1]]))]
    columns = {
        "colour": rows[:, :1].astype(str),
        "size": rows[:, 1:2].astype(str),
        "number": rows[:, 2:].astype(np.float32),
    }
    return columns, [
        (n, FloatTensorType([None, 1]) if n == "number" else StringTensorType([None, 1]))
        for n in columns
    ]


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, (model, data, target, rows) in CASES.items():
        model.fit(data, target)
        feed, types = inputs_of(rows)
        exported = convert_sklearn(
            model, initial_types=types, target_opset={"": 17, "ai.onnx.ml": 3}
        )
        exported.doc_string = exported.graph.doc_string = ""
        (FOLDER / f"{name}.onnx").write_bytes(exported.SerializeToString())
        outputs = [model.predict(rows)]
        if hasattr(model, "predict_proba"):
            outputs.append(model.predict_proba(rows))
        data = {
            "inputs": {n: x.tolist() for n, x in feed.items()},
            "outputs": [y.tolist() for y in outputs],
        }
        (FOLDER / f"{name}.json").write_text(json.dumps(data).replace("NaN", "null") + "\n")
        print(name, (FOLDER / f"{name}.onnx").stat().st_size)


if __name__ == "__main__":
    main()
