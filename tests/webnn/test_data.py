"""All published conformance data of WebNN through the package webnn, on every engine.

No engine has an exception.
"""

import json

import pytest

import wpt
from wpt import CASES


@pytest.mark.parametrize(
    "number",
    range(len(CASES)),
    ids=[f"{name.split(':')[0]}-{i}" for i, (name, _) in enumerate(CASES)],
)
def test_case(number, engine_context):
    name, case = CASES[number]
    try:
        graph = wpt.build(engine_context, case["graph"])
    except Exception as e:
        raise AssertionError(f"{name}: {e}") from e
    wpt.check_case(name, case, wpt.run(engine_context, graph, case["graph"]))


def test_nothing_is_left_out():
    index = json.loads((wpt.DATA / "index.json").read_text())
    assert (len(wpt.FILES), len(CASES)) == (index["files"], index["cases"])
