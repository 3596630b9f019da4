"""Shared by all Python tests: the environment, the initial state of each test, and the allowed
skips."""

import os
import pathlib

# Unsupported ops run on native and are still compared.
os.environ.setdefault("EMBER_FALLBACK", "silent")
os.environ.setdefault("EMBER_NUM_THREADS", "2")
os.environ.setdefault("SCIPY_ARRAY_API", "1")  # read when scipy is imported
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # libtorch's threads would spin on shared cores
# The references' threads would compete with the test workers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest

import ember_ml

ALLOWED_SKIPS = [
    line.partition("  # ")[0]
    for line in (pathlib.Path(__file__).parent / "support/allowed-skips.txt")
    .read_text()
    .splitlines()
]


@pytest.fixture(autouse=True)
def same_start():
    """Every test starts on native with the same seed, independent of earlier tests in the
    process."""
    ember_ml.set_backend("native")
    ember_ml.random.seed(1)


def fail_unless_allowed(report):
    """With EMBER_TEST_REQUIRE set, a skip is a failure unless support/allowed-skips.txt has its
    reason."""
    if (
        not os.environ.get("EMBER_TEST_REQUIRE")
        or not report.skipped
        or hasattr(report, "wasxfail")
    ):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if not any(allowed in reason for allowed in ALLOWED_SKIPS):
        report.outcome = "failed"
        report.longrepr = f"EMBER_TEST_REQUIRE is set, and this skip is not in tests/support/allowed-skips.txt: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    fail_unless_allowed(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    fail_unless_allowed(report)
    return report
