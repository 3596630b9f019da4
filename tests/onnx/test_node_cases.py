"""ONNX's own tests of its operators: each gives the published result or is refused by name."""

import re
import warnings

import numpy as np
import pytest

from ember_ml import errors, onnx

from engines import ENGINES, to_ember, to_numpy

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from onnx import TensorProto, numpy_helper
    from onnx.backend.test.case.node import collect_testcases

    CASES = {c.name: c for c in collect_testcases(None)}

# Cases that are refused, and what the message must name. A case that matches and is not refused is
# a failure.
REFUSED = {
    r"_(FLOAT(8E\w+|4E2M1)_to|to_FLOAT(8E|4E2M1))": r"float(8e\w+|4e2m1)",
    r"_(U?INT2_to|to_U?INT2)": r"u?int2",
    r"(de)?quantizelinear_(e4m3fn|e5m2|float4e2m1|u?int2)": r"holds (float8|float4|u?int2)",
    r"test_string_": "String",
    r"test_strnormalizer": "StringNormalizer",
    r"test_tfidf": "TfIdfVectorizer",
    r"test_regex": "RegexFullMatch",
    r"test_image_decoder": "ImageDecoder",
    r"test_optional_": "Optional(Has|Get)Element",
    r"test_if_opt": "Optional",
    r"test_loop16_seq_none": "OptionalHasElement",
    r"test_identity_opt": "an optional value",
    r"test_sequence_map_\w+(?<!expanded)$": "SequenceMap",
    r"test_(sequence_map_\w+_expanded|sequence_insert|identity_sequence|loop13_seq|if_seq|split_to_sequence)": "is a sequence",
    r"test_flexattention(?!.*expanded)": "FlexAttention",
    r"test_(nesterov_)?momentum": "Momentum",
    r"test_adagrad": "Adagrad",
    r"test_adam": "Adam",
    r"test_scan_sum": "Scan of opset 8",
    r"test_training_dropout(_default|)(_mask|)$": "dropout while training",
}
RANDOM = r"test_bernoulli"  # random numbers differ from the published ones
# The published result has a larger rounding error than the test allows: chains in float16, and the
# noise of a float32 transform around 0.
ROUNDED = {
    "test_attention_4d_causal_fp16_expanded": dict(rtol=2**-9),
    "test_dft_inverse": dict(atol=1e-6),
    "test_dft_inverse_opset19": dict(atol=1e-6),
}


def refusal(name):
    return next((text for pattern, text in REFUSED.items() if re.search(pattern, name)), None)


def array(x):
    return numpy_helper.to_array(x) if isinstance(x, TensorProto) else np.asarray(x)


def run(case):
    net = onnx.parse(case.model.SerializeToString())
    for given, wanted in case.data_sets:
        got = net.run(
            {
                i.name: to_ember(array(x))
                for i, x in zip(case.model.graph.input, given)
                if x is not None
            }
        )
        yield [to_numpy(got[o.name]) for o in case.model.graph.output], wanted


@pytest.mark.parametrize("name", [n for n in CASES if refusal(n)])
def test_unsupported_cases_are_refused(name):
    with pytest.raises(errors.UnsupportedError, match=refusal(name)):
        list(run(CASES[name]))


@pytest.mark.parametrize("name", [n for n in CASES if not refusal(n) and not re.match(RANDOM, n)])
@pytest.mark.parametrize("engine", ENGINES)
def test_case(name, engine, on_engine):
    on_engine(engine)
    case = CASES[name]
    for got, wanted in run(case):
        assert len(got) == len(wanted)
        for g, w in zip(got, map(array, wanted)):
            assert g.dtype == w.dtype and g.shape == w.shape
            limits = {"rtol": case.rtol, "atol": case.atol} | ROUNDED.get(name, {})
            if g.dtype.name == "float16" and engine == "torch":
                # Libtorch rounds to float16 after each step.
                limits["rtol"] = max(limits["rtol"], 2**-9)
            if g.dtype.name == "bfloat16":
                limits["rtol"] = max(limits["rtol"], 2**-6)  # as in the package's own runner
            if g.dtype.name in ("bfloat16", "int4", "uint4"):
                g, w = g.astype(np.float32), w.astype(np.float32)
            np.testing.assert_allclose(g, w, **limits)


def test_exception_lists_match_existing_cases():
    assert not [p for p in REFUSED if not any(re.search(p, n) for n in CASES)]
    assert set(ROUNDED) <= set(CASES)
    assert len([n for n in CASES if not refusal(n)]) >= 1640


@pytest.mark.parametrize("name", [n for n in CASES if re.match(RANDOM, n)])
def test_random(name):
    """Zeros and ones with the given probabilities; different at the next call unless the file
    has a seed."""
    case = CASES[name]
    net = onnx.parse(case.model.SerializeToString())
    p = case.data_sets[0][0][0]
    many = np.stack([to_numpy(net(p)) for _ in range(300)])
    if "expanded" in name:
        p = 1 - p  # the package's function compares in the wrong direction
    assert many.dtype == np.asarray(case.data_sets[0][1][0]).dtype and set(np.unique(many)) <= {
        0,
        1,
    }
    if "seed" in name:
        assert (many == many[0]).all()
    else:
        assert abs(many.mean(0) - p).max() < 5 * (0.25 / 300) ** 0.5 + 1e-6
