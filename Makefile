# The front door to the build: CMake does the work, tools/setup provides what it needs.
PREFIX ?= /usr/local
ENGINES ?= all  # or a list: make run ENGINES="native numpy"
export ENGINES := $(strip $(ENGINES))
PYTHON_ENV := build/venv/bin/python
export EMBER_PYTHON ?= $(CURDIR)/$(PYTHON_ENV)
export EMBER_TEST_ENGINES ?= $(if $(filter all,$(ENGINES)),native numpy torch mlx onnxruntime,$(ENGINES))
SLOW_TESTS := onnx/test_export.py webnn/test_files.py python/test_distributed.py python/test_notebook.py python/test_stubs.py
CTEST := ctest --output-on-failure --no-tests=error -j2

.DEFAULT_GOAL := help
.PHONY: help setup build run check test installs suites coverage generate wheel bench asan tsan cross models install format lint clean FORCE

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: build/venv/.stamp  ## Install what is needed: Debian packages (with sudo unless root) and build/venv

build: build/build.ninja  ## Build the library, the engines and the command build/bin/ember
	@cmake --build build

run: build/build.ninja  ## Build the command and the engines, then train a small network on each; writes build/report.html
	@cmake --build build --target ember_command
	@build/bin/ember demo --report build/report.html

check: export EMBER_TEST_ENGINES = native
check: build  ## The daily part of the tests: C++ and Python on the native engine, in at most two minutes
	$(CTEST) --test-dir build -L '^(core|engines|nn|webnn|corpus|node)$$' -E '^engines_'
	PYTHONPATH=build/python $(PYTHON_ENV) -m pytest -q -n 2 tests $(addprefix --ignore=tests/,$(SLOW_TESTS))

# A test that is skipped fails, unless tests/support/allowed-skips.txt has its reason; EMBER_TEST_REQUIRE= lets it pass.
test: export EMBER_TEST_REQUIRE ?= 1
test: build models lint  ## Build and run all tests: C++, parity with NumPy, sanitizers, the aarch64 build
	$(CTEST) --test-dir build
	PYTHONPATH=build/python $(PYTHON_ENV) -m pytest -q -n 2 tests
	$(MAKE) --no-print-directory asan cross

installs: setup  ## Install as users do, from nothing: `pip install .` in a new environment, `npm install` of the packed package
	tests/install/pip build
	tests/install/npm build

suites: build  ## Run the conformance suites of the array API and of WebNN, fetched at pinned commits
	@tools/suites

coverage: build  ## Write docs/coverage.md: which engine computes which op itself
	PYTHONPATH=build/python $(PYTHON_ENV) tests/parity/coverage.py

generate: build  ## Write the generated files: the ops' page, docstring examples, stubs, the types of Node
	PYTHONPATH=build/python $(PYTHON_ENV) tools/generate/all.py

wheel: build  ## Pack the Python package with all engines that are built: build/wheel/*.whl
	@tools/wheel build

bench: build models  ## Measure every workload, against the libraries in requirements-bench.txt; writes build/bench.html
	@tools/setup bench
	@EMBER_BENCH_PYTHON=$(CURDIR)/build/bench/bin/python build/bin/ember bench all --report build/bench.html

asan: build/asan/build.ninja  ## Run the C++ tests with the address and undefined-behaviour sanitizers
	@cmake --build build/asan
	EMBER_TEST_ENGINES=native $(CTEST) --test-dir build/asan

tsan: build/tsan/build.ninja  ## Run the C++ tests with the thread sanitizer
	@cmake --build build/tsan
	EMBER_TEST_ENGINES=native $(CTEST) --test-dir build/tsan

cross:  ## Compile the library and the native engine for aarch64
	@tools/setup cross
	@cmake --preset cross >/dev/null
	@cmake --build build/cross

models: build/venv/.stamp  ## Fetch the weights of MobileNetV2 and MiniLM into build/models, for the examples
	@tools/models

install: build  ## Install to PREFIX (/usr/local)
	@cmake --install build --prefix $(PREFIX)

CLANG_FORMAT_SOURCES = find bench cli engines examples include node python src tests tools \
	\( -name '*.h' -o -name '*.cpp' -o -name '*.js' -o -name '*.mjs' -o -name '*.cjs' \) \
	! -path '*/onnxruntime/include/*' ! -path 'tests/data/*'

format: setup  ## Format the sources: clang-format, ruff
	@$(CLANG_FORMAT_SOURCES) -print0 | xargs -0 -P2 -n 32 build/venv/bin/clang-format -i
	@build/venv/bin/ruff format -q

lint: setup  ## Check the form of the sources: clang-format, ruff
	@$(CLANG_FORMAT_SOURCES) -print0 | xargs -0 -P2 -n 32 build/venv/bin/clang-format --dry-run -Werror
	@build/venv/bin/ruff format -q --check
	@build/venv/bin/ruff check -q

clean:  ## Remove what was built, except its Python environments
	@if [ -d build ]; then find build -mindepth 1 -maxdepth 1 ! -name venv ! -name bench -exec rm -rf {} +; fi

# tools/setup touches the stamp only when it changed something.
build/venv/.stamp: FORCE
	@tools/setup
build/.engines: FORCE
	@mkdir -p build; echo '$(ENGINES)' | cmp -s - $@ || echo '$(ENGINES)' >$@
build/build.ninja: CMakePresets.json build/venv/.stamp build/.engines
	@cmake --preset release -DEMBER_ENGINES="$(subst $() ,;,$(ENGINES))"
build/%/build.ninja: CMakePresets.json build/venv/.stamp
	@cmake --preset $*
