import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
os.environ.setdefault("EMBER_FALLBACK", "silent")  # what an engine lacks runs on native, and is compared all the same
os.environ.setdefault("EMBER_NUM_THREADS", "2")
