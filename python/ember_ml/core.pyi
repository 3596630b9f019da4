# Written by tools/generate/stubs.py: run `make generate`.
from ember_ml import *
