# Everything Freshet can be asked to do. Each command works on a fresh clone; the first one installs into .venv.

PYTHON ?= python3
VENV_PYTHON := .venv/bin/python
INSTALL := @command -v $(PYTHON) >/dev/null || { echo "Freshet needs Python 3.11 or newer: $(PYTHON) was not found. Name another: make run PYTHON=python3.11" >&2; exit 1; }; \
	$(PYTHON) app/runtime/venv.py

.DEFAULT_GOAL := help
# Images of containers like to set it, and the tests start a hundred processes, each of which would compile everything.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help run demo test test-fast test-long check bench format lock clean runtime development
.NOTPARALLEL:

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

run: runtime ## Start the site on http://127.0.0.1:8000 (PORT, HOST and FRESHET_DATA change where)
	@exec $(VENV_PYTHON) -m app.runtime

demo: runtime ## Start a site full of people and posts, with data of its own in var/demo
	@FRESHET_DATA="$${FRESHET_DATA:-var/demo}" CELEBRITY_FOLLOWERS="$${CELEBRITY_FOLLOWERS:-250}" \
		exec $(VENV_PYTHON) -m app.runtime --before-web "python -m app.demo"

test: development ## Run all tests on real servers and in a real browser (BROWSER_TESTS=off leaves the browser out)
	@if [ "$$BROWSER_TESTS" = off ]; then echo "BROWSER_TESTS=off: the browser tests are left out."; \
	else CHROMIUM="$$($(VENV_PYTHON) -m app.runtime.chromium)" || exit 1; export CHROMIUM; fi; \
	exec $(VENV_PYTHON) -m pytest

test-fast: development ## Run the tests of every day: without a browser, faults and processes of the site
	@exec $(VENV_PYTHON) -m pytest $(addprefix --ignore=tests/,system faults runtime activity/test_crashes.py)

test-long: export HYPOTHESIS_PROFILE = long
test-long: test ## Run all tests, with twenty times as many random examples

check: development ## Check format, lint, types, import direction, templates, migrations and known faults of packages
	@$(VENV_PYTHON) -m ruff format --check .
	@$(VENV_PYTHON) -m ruff check .
	@$(VENV_PYTHON) -m mypy
	@.venv/bin/lint-imports
	@$(VENV_PYTHON) -m djlint app/templates --lint --quiet
	@$(VENV_PYTHON) -m app.runtime.ephemeral sh -c '$(VENV_PYTHON) -m alembic upgrade head && $(VENV_PYTHON) -m alembic check'
	@$(VENV_PYTHON) -m app.runtime.audit

bench: development ## Measure the feed
	@exec $(VENV_PYTHON) -m bench

format: development ## Format the code
	@$(VENV_PYTHON) -m ruff format .
	@$(VENV_PYTHON) -m ruff check --fix .

COMPILE := $(VENV_PYTHON) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header $(if $(UPGRADE),--upgrade)
lock: development ## Pin what the .in files ask for (UPGRADE=1 takes the newest of everything)
	@$(COMPILE) requirements.in --output-file requirements.lock
	@$(COMPILE) requirements-dev.in --output-file requirements-dev.lock

clean: ## Remove what was installed and cached; the site's data in var/ stays
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

runtime:
	$(INSTALL) requirements.lock

development:
	$(INSTALL) requirements.lock requirements-dev.lock
