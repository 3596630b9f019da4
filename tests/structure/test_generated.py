"""Every generated file is what its generator writes now."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_generated_files_are_up_to_date(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools/generate/all.py", tmp_path], check=True)
    written = {p.relative_to(tmp_path): p for p in tmp_path.rglob("*") if p.is_file()}
    assert len(written) > 60
    stale = [str(name) for name, path in written.items() if read(ROOT / name) != path.read_text()]
    assert not stale, f"run make generate: {stale}"
    stubs = {p.relative_to(ROOT) for p in (ROOT / "python").rglob("*.pyi")}
    left = [str(p) for p in stubs - set(written) if read(ROOT / p).startswith("# Written by")]
    assert not left, f"no generator writes these any more: {left}"


def read(path):
    return path.read_text() if path.exists() else None
