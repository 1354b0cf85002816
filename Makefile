# make run, make test: the README's two commands. Each makes .venv if it is missing, and installs what it needs itself.
# uv is used if it is on PATH, else venv and pip.

VENV := .venv
BIN := $(VENV)/bin
LAB := $(VENV)/.lab
STAMP := $(VENV)/.installed
comma := ,
DEV := pip pytest pytest-xdist pytest-cov pytest-rerunfailures hypothesis ruff mypy pexpect hatchling httpx playwright axe-playwright-python schemathesis babel pandas jupyterlab
DOCS := build/docs

OLDEST := $(VENV)/numba-oldest

# A file's tests stay in one process, so that what they prepare and load is prepared and loaded once; the order is that of
# tests/conftest.py. Byte-code is written, else every process translates the test tools anew. A test
# that waited in vain is tried once more, since the machine may have stood still, and is named at the end. A wrong answer
# is never tried again.
AGAIN := -r R --reruns 1 --only-rerun '^(\S*(TIMEOUT|TimeoutError|TimeoutExpired|ReadTimeout)\b|AssertionError: Locator expected)'
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder $(AGAIN)

.PHONY: run test browser check check-all lint plain numba-oldest coverage peers bench docs notebooks messages stub learn-reversi clean

run: $(LAB)
	@$(BIN)/zermelo serve --open

test: $(STAMP) browser
	$(PYTEST) -n 2

# Pages are tested in Chromium: the one on PATH, the system's package where we may install it, or Playwright's own download.
browser: $(STAMP)
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
	       && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
	  || $(BIN)/python -m playwright install chromium >/dev/null 2>&1 \
	  || echo "Chromium cannot be installed here; the tests of pages are skipped"

# What CI does: the tests, the tests that matter again without the compiler and with the oldest Numba, lint, types and
# import order.
check: test plain numba-oldest lint

plain: $(STAMP)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 tests/core tests/boards tests/games tests/searches tests/test_match.py tests/test_analysis.py

# What we rely on in Numba, with the oldest release that pyproject.toml allows; newer Pythons have no such old one.
numba-oldest: $(OLDEST)/.installed
	ZERMELO_CACHE_DIR=$(OLDEST)/cache $(OLDEST)/bin/python -m pytest -q -p no:cacheprovider tests/core/test_numba_private.py \
	  tests/core/test_state.py tests/core/test_generic.py tests/core/test_lanes.py tests/games/tictactoe

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Which lines the tests run without the compiler, folder by folder.
coverage: $(STAMP)
	$(BIN)/python bench/_check_all.py plain

# The long checks too, and docs/figures.md: all figures against what they had to show. Status 1 if one does not hold.
check-all: $(STAMP) peers
	$(BIN)/python bench/_check_all.py

peers: $(STAMP)
	if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python --group bench; else $(BIN)/pip install --quiet open_spiel easyAI; fi

bench: $(STAMP) peers
	$(BIN)/zermelo bench

# The site, offline; a warning is an error. Open build/docs/index.html.
docs: $(STAMP)
	cd docs/play && $(abspath $(BIN))/zermelo publish site.toml --out $(abspath $(DOCS))/play
	$(BIN)/python -m sphinx -q -W --keep-going -d build/doctrees docs $(DOCS)
	@echo "open $(DOCS)/index.html"

# Run the notebooks again and keep what they print.
notebooks: $(STAMP)
	$(BIN)/jupyter execute --inplace --NotebookClient.record_timing=False examples/notebooks/*.ipynb

# Collect the texts that users read, and compile the translations of src/zermelo/locales.
messages: $(STAMP)
	$(BIN)/python tools/messages.py

# The public names with their types, for editors: src/zermelo/__init__.pyi.
stub: $(STAMP)
	$(BIN)/python tools/stub.py

# Learn the table of Reversi again, in build/reversi; about 20 minutes. Run it again to continue.
learn-reversi: $(STAMP)
	ZERMELO=$(abspath $(BIN))/zermelo tools/learn_reversi.sh build/reversi

# Byte-code is compiled at install: some machines set PYTHONDONTWRITEBYTECODE, and then every start takes seconds.
define install
	@if command -v uv >/dev/null; then \
	  test -d $(VENV) || uv venv --quiet $(VENV); \
	  uv pip install --quiet --python $(BIN)/python $(1); \
	else \
	  test -d $(VENV) || python3 -m venv $(VENV); \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check $(1); \
	fi
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m compileall -q $(VENV)/lib src >/dev/null || true
	@touch $@
endef

# What the lab needs to run.
$(LAB): pyproject.toml
	$(call install,-e ".[web]")

# What testing, linting, documenting and measuring need.
$(STAMP): pyproject.toml
	$(call install,-e ".[all$(comma)docs]" $(DEV))
	@touch $(LAB)

$(OLDEST)/.installed: pyproject.toml | $(STAMP)
	@oldest=$$($(BIN)/python tools/oldest_numba.py) && \
	if command -v uv >/dev/null; then \
	  test -d $(OLDEST) || uv venv --quiet --python $(BIN)/python $(OLDEST); \
	  uv pip install --quiet --python $(OLDEST)/bin/python -e . "numba==$$oldest.*" pytest hypothesis; \
	else \
	  test -d $(OLDEST) || $(BIN)/python -m venv $(OLDEST); \
	  $(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check -e . "numba==$$oldest.*" pytest hypothesis; \
	fi
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
