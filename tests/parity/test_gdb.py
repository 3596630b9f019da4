"""gdb shows tensors without evaluating them."""

import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = r"""
#include "ember/ember.h"
#include "src/core/node.h"
using namespace ember;
Node keep;  // its type, for the debugger
void stop(const Tensor&, const Tensor&, const Tensor&, const Tensor&) { asm volatile(""); }
int main() {
  Tensor a = array({{1, 2, 3}, {4, 5, 6}}, float32), b = a * 2.0, c = Tensor(0.5), d = ops::transpose(a);
  d.eval();
  stop(a, b, c, d);
}
"""


def test_tensors_in_gdb(tmp_path):
    if not shutil.which("gdb"):
        pytest.skip("gdb is not installed")
    (tmp_path / "p.cpp").write_text(PROGRAM)
    lib = ROOT / "build/lib"
    subprocess.run(
        [
            "g++",
            "-g",
            "-std=c++20",
            f"-I{ROOT}/include",
            f"-I{ROOT}/build/include",
            f"-I{ROOT}",
            "p.cpp",
            f"-L{lib}",
            "-lember",
            f"-Wl,-rpath,{lib}",
            "-o",
            "p",
        ],
        cwd=tmp_path,
        check=True,
    )
    commands = [
        f"source {ROOT}/tools/ember_gdb.py",
        "break stop",
        "run",
        "up",
        "print a",
        "print b",
        "print c",
        "print d",
    ]
    r = subprocess.run(
        ["gdb", "-q", "-batch", *[x for c in commands for x in ("-ex", c)], "./p"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    out = r.stdout
    if "ptrace" in r.stderr:
        pytest.skip("gdb may not trace processes here")
    assert "$1 = float32[2, 3] = {1, 2, 3, 4, 5, 6}" in out, out
    assert "$2 = float32[2, 3] pending multiply" in out
    assert "$3 = float32[] scalar 0.5" in out
    assert "$4 = float32[3, 2] strided" in out
