"""All published conformance data of WebNN through the package webnn, on every engine."""
import json

import pytest

import wpt
from wpt import CASES

# What an engine cannot do, and why; a case that is listed and passes is a failure.
REASONS: dict[str, dict[str, str]] = {}


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{name.split(':')[0]}-{i}" for i, (name, _) in enumerate(CASES)])
def test_case(number, engine_context):
    name, case = CASES[number]
    reason = REASONS.get(engine_context.backend_info()["engine"], {}).get(name)
    try:
        wpt.check_case(name, case, wpt.run(engine_context, wpt.build(engine_context, case["graph"]), case["graph"]))
    except Exception as e:
        if reason is None:
            raise AssertionError(f"{name}: {e}") from e
    else:
        assert reason is None, f"{name} passes: it need not be listed"


def test_nothing_is_left_out():
    index = json.loads((wpt.DATA / "index.json").read_text())
    assert (len(wpt.FILES), len(CASES)) == (index["files"], index["cases"])
