"""What keeps the layers apart."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]


def test_no_engine_is_named_above_the_ops():
    """Modules, features, training and memory are written in ops alone, so that they run on every
    engine."""
    names = sorted(p.name for p in (ROOT / "engines").iterdir() if p.is_dir()) + [
        "onnxruntime",
        "cuda",
    ]
    word = re.compile(r"\b(" + "|".join(names) + r")\b")
    found = []
    for folder in ("src/nn", "src/features", "src/train", "src/memory", "src/registry"):
        for path in (ROOT / folder).rglob("*"):
            for number, line in enumerate(
                path.read_text().splitlines() if path.is_file() else [], 1
            ):
                if word.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)
