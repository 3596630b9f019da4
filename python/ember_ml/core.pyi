# Written by tools/stubs.py: run `make stubs`.
from ember_ml import *
