"""Every op's help has its signature and an example, and the example gives the output shown."""

import doctest
import inspect
import pydoc

import pytest

import ember_ml
from ember_ml import _core
from ember_ml._examples import EXAMPLES

OPS = [row["name"] for row in _core.rows()]


@pytest.fixture(autouse=True)
def native():
    with ember_ml.using_backend("native"):
        yield


def test_every_op_has_an_example():
    missing = [op for op in OPS if op not in EXAMPLES]
    unknown = [op for op in EXAMPLES if op not in OPS]
    assert not missing and not unknown, (
        f"missing: {missing}, of no op: {unknown}; run make generate"
    )


@pytest.mark.parametrize("op", OPS)
def test_example(op):
    failed = []
    test = doctest.DocTestParser().get_doctest(_core.functions[op].__doc__, {}, op, None, 0)
    assert test.examples, f"{op} has no example"
    doctest.DocTestRunner().run(test, out=failed.append)
    assert not failed, "".join(failed)


def test_help():
    """The text of help(): the name, the signature, the description, the example."""
    for op in OPS:
        f = _core.functions[op]
        text = pydoc.plain(pydoc.render_doc(f))
        for part in (
            op,
            str(inspect.signature(f)),
            f.__doc__.splitlines()[0],
            EXAMPLES[op].strip().splitlines()[-1],
        ):
            assert part in text, f"help({op}) lacks {part!r}"


def test_methods_show_them_too():
    text = pydoc.plain(pydoc.render_doc(ember_ml.EmberTensor.softmax))
    assert ">>> print(ops.softmax(" in text and "axis=-1" in text
