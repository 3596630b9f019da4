"""docs/seeds.md names tests: each exists, and each test of the seeds is named."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "seeds.md").read_text()
NAMED = set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE))


def defined(path):
    return (
        set(re.findall(r"^def (test_\w+)\(", (ROOT / path).read_text(), re.M))
        if (ROOT / path).exists()
        else set()
    )


def test_every_test_on_the_page_exists():
    assert len(NAMED) > 60
    assert not [f"{path}::{name}" for path, name in sorted(NAMED) if name not in defined(path)]


def test_every_test_of_the_seeds_is_on_the_page():
    path = "tests/python/test_seeds.py"
    assert not [name for name in sorted(defined(path)) if (path, name) not in NAMED]


def test_every_point_has_a_test():
    rows = [
        line
        for line in PAGE.splitlines()
        if line.startswith("| ") and not line.startswith("| What")
    ]
    assert len(rows) > 50 and not [row for row in rows if "::test_" not in row.split("|")[2]]
