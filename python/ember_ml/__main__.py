"""`python -m ember_ml`: the location of the package's C++ files. Also the command `ember` of an
installed package.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from . import __version__, backend_info

PACKAGE = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser(
        "python -m ember_ml", description="Where Ember is, and which engines work here."
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--version", action="store_true", help="the version of Ember")
    what.add_argument(
        "--backends",
        action="store_true",
        help="every engine: its version, or why it does not work here",
    )
    what.add_argument("--include-dir", action="store_true", help="the folder of the C++ headers")
    what.add_argument(
        "--cmake-dir",
        action="store_true",
        help="the folder for CMake's Ember_DIR: find_package(Ember) finds the package there",
    )
    given = parser.parse_args()
    if given.version:
        print(__version__)
    elif given.backends:
        for b in backend_info():
            print(
                f"{b['name']:12} {b['version'] if b['available'] else 'not available: ' + b['reason']}"
            )
    else:
        folder = PACKAGE / ("include" if given.include_dir else "lib/cmake/Ember")
        if not folder.is_dir():
            parser.exit(
                1,
                f"{folder} is not there: this package is not installed, but run from a build folder\n",
            )
        print(folder)
    return 0


def command() -> NoReturn:
    """Runs the C++ program with the engines of this Python."""
    os.environ.setdefault("EMBER_PYTHON", sys.executable)
    os.execv(PACKAGE / "bin" / "ember", ["ember", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
